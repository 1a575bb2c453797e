"""Configuration files of Java's client: those in its own jar, and one that a client connects by."""

import xml.etree.ElementTree as ET
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest
import yaml

from jvmwire.hazelcast import HazelcastClient
from jvmwire.hazelcast._config_mapping import ClientConfiguration
from jvmwire.hazelcast.configuration import read_configuration
from jvmwire.hazelcast.near_cache._config import EvictionPolicy
from kit.hazelcast import Member
from kit.jvm import PEERS, build

NAMESPACE = "{http://www.hazelcast.com/schema/client-config}"
REFUSED = ("import", "config-replacers", "security")
REFUSED_OF_CONNECTING = ("async-start", "reconnect-mode")
REFUSED_OF_NETWORK = ("aws", "socket-interceptor", "discovery-strategies")


@pytest.fixture(scope="module")
def jar() -> zipfile.ZipFile:
    build("hazelcast")
    [found] = (PEERS / "hazelcast" / "target" / "lib").glob("hazelcast-client-*.jar")
    return zipfile.ZipFile(found)


def test_the_vendors_defaults_are_read(jar: zipfile.ZipFile, tmp_path: Path) -> None:
    for name in ("hazelcast-client-default.yaml", "hazelcast-client-default.xml"):
        read = read_configuration(jar.extract(name, tmp_path))
        assert (read.options.cluster_name, read.options.smart) == ("dev", True)


def test_the_vendors_full_example_says_the_same_in_both_forms(
    jar: zipfile.ZipFile, tmp_path: Path
) -> None:
    in_yaml, in_xml = of_yaml(jar, tmp_path / "a.yaml"), of_xml(jar, tmp_path / "a.xml")
    assert in_yaml.options.client_name == "CLIENT_NAME"
    assert in_yaml.options.heartbeat_timeout == 60.0
    assert in_yaml.options.reconnect_retry.longest_wait == 60.0
    assert in_yaml.options.near_caches["default"].eviction_policy is EvictionPolicy.LFU
    assert in_yaml.options.near_caches["default"].max_entries == 2000
    # Codecs do not implement equality.
    same = in_yaml.options.serialization
    assert in_xml.addresses == in_yaml.addresses
    assert replace(in_xml.options, serialization=same) == in_yaml.options


def of_yaml(jar: zipfile.ZipFile, path: Path) -> ClientConfiguration:
    tree = yaml.safe_load(jar.read("hazelcast-client-full-example.yaml"))
    client = tree["hazelcast-client"]
    for name in REFUSED:
        client.pop(name, None)
    for name in REFUSED_OF_NETWORK:
        client["network"].pop(name, None)
    for name in REFUSED_OF_CONNECTING:
        client["connection-strategy"].pop(name, None)
    path.write_text(yaml.safe_dump(tree))
    return read_configuration(path)


def of_xml(jar: zipfile.ZipFile, path: Path) -> ClientConfiguration:
    root = ET.fromstring(jar.read("hazelcast-client-full-example.xml"))  # noqa: S314 - a jar's
    network = root.find(f"{NAMESPACE}network")
    assert network is not None
    for parent, names in ((root, REFUSED), (network, REFUSED_OF_NETWORK)):
        for name in names:
            for element in parent.findall(f"{NAMESPACE}{name}"):
                parent.remove(element)
    connecting = root.find(f"{NAMESPACE}connection-strategy")
    assert connecting is not None
    for name in REFUSED_OF_CONNECTING:
        connecting.attrib.pop(name, None)
    path.write_bytes(ET.tostring(root))
    return read_configuration(path)


def test_a_client_connects_by_its_file(hazelcast_peer: Member, tmp_path: Path) -> None:
    path = tmp_path / "hazelcast-client.yaml"
    path.write_text(
        "hazelcast-client:\n  instance-name: ${name}\n  network:\n    cluster-members:\n"
        f"      - {hazelcast_peer.address}\n"
    )
    addresses, options = read_configuration(path, variables={"name": "by-file"})
    with HazelcastClient.connect(addresses, options) as client:
        client.get_map("by file").put("a", 1)
        assert client.get_map("by file").get("a") == 1
