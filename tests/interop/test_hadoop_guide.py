"""The examples of the guide's page on HDFS work with a real NameNode."""

import pytest

from jvmwire.hadoop.namenode._fsspec import HdfsMetadata
from kit.guide import run_python


@pytest.mark.timeout(300)
def test_the_examples_of_the_guide_run(minidfs, spark, tmp_path):  # Spark is one of them
    port = minidfs.port
    run_python(
        "hdfs.md",
        tmp_path,
        {
            '"namenode", 8020': f'"127.0.0.1", {port}',
            "namenode:8020": f"127.0.0.1:{port}",
            'host="namenode", port=8020': f'host="127.0.0.1", port={port}',
        },
    )
    # fsspec caches its file systems, and this one keeps a client.
    HdfsMetadata.clear_instance_cache()
