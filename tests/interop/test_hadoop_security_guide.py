"""The examples of the guide's page on security, against a real NameNode with Kerberos."""

import os

from kit.guide import run_python


def test_the_examples_of_the_page_run(secure_dfs, monkeypatch, capsys, tmp_path):
    monkeypatch.setenv("KRB5_CONFIG", os.fspath(secure_dfs.krb5_conf))
    replacing = {
        '"namenode.example.com", 8020': f'"localhost", {secure_dfs.port}',
        "/etc/security/alice.keytab": os.fspath(secure_dfs.keytab),
        "/var/lib/app/container_tokens": os.fspath(secure_dfs.directory / "tokens.protobuf"),
    }
    run_python("hadoop-security.md", tmp_path, replacing)
    assert capsys.readouterr().out.splitlines() == ["alice", "alice", "493"]
