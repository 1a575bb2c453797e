"""Topologies as documents of Flux, and as jars."""

import json
import os
import struct
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519
from cryptography.hazmat.primitives.serialization import pkcs12

from jvmwire.errors import ConfigError
from jvmwire.storm import Bolt, Spout
from jvmwire.storm._jar import Contents, pack
from jvmwire.storm._local_cluster import Distribution
from jvmwire.storm._secret_files import CHUNK
from jvmwire.storm.topology import (
    BOLT_CLASS,
    FIELDS_CLASS,
    OWN_SPOUT_CLASS,
    PARTIAL_KEY_CLASS,
    Input,
    JavaObject,
    Stream,
    Topology,
)
from kit import storm_words
from kit.command import jvmwire
from kit.kerberos import write_keytab


class Numbers(Spout):
    outputs = ("number",)

    def next_tuple(self) -> None:
        self.emit([1])


class Sink(Bolt):
    def process(self, tup) -> None: ...


def topology(**how: str) -> Topology:
    made = Topology("numbers")
    numbers = made.spout("numbers", Numbers)
    stream = numbers.stream()
    made.bolt("sink", Sink, inputs=[stream.direct() if how else stream.shuffle()])
    return made


WAYS: dict[str, Callable[[Stream], Input]] = {
    "SHUFFLE": Stream.shuffle,
    "LOCAL_OR_SHUFFLE": Stream.local_or_shuffle,
    "ALL": Stream.all,
    "DIRECT": Stream.direct,
    "GLOBAL": Stream.global_grouping,
    "FIELDS": lambda stream: stream.fields_grouping("number"),
    "NONE": Stream.none,
}


@pytest.mark.parametrize("way", WAYS)
def test_each_way_to_take_a_stream_is_a_grouping_of_flux(way: str) -> None:
    made = Topology("numbers")
    made.bolt("sink", Sink, inputs=[WAYS[way](made.spout("numbers", Numbers).stream())])
    [stream] = made.flux(interpreter="python3")["streams"]
    args = {"args": ["number"]} if way == "FIELDS" else {}
    assert stream["grouping"] == {"type": way, "streamId": "default", **args}


def test_fields_of_a_stream_that_it_does_not_have_are_refused() -> None:
    stream = Topology("numbers").spout("numbers", Numbers).stream()
    for taken in (stream.fields_grouping, stream.partial_key):
        with pytest.raises(ConfigError, match="emits no field 'word'"):
            taken("number", "word")
    with pytest.raises(ConfigError, match="needs the names of fields"):
        stream.partial_key()


def test_groupings_and_components_in_java_are_made_by_flux() -> None:
    made = Topology("numbers")
    words = made.java_spout("words", "an.Words", True, 2, outputs={"fast": ["word"]})
    stream = words.stream("fast")
    inputs = [stream.partial_key("word"), stream.custom("a.Grouping", 7, JavaObject("an.Object"))]
    made.java_bolt("sink", "a.Sink", inputs=inputs, parallelism=3)
    flux = made.flux(interpreter="python3")
    assert flux["components"] == [
        {"id": "jvmwire-1", "className": FIELDS_CLASS, "constructorArgs": [["word"]]},
        {"id": "jvmwire-2", "className": "an.Object"},
    ]
    assert flux["spouts"] == [
        {"id": "words", "className": "an.Words", "constructorArgs": [True, 2], "parallelism": 1}
    ]
    assert flux["bolts"] == [{"id": "sink", "className": "a.Sink", "parallelism": 3}]
    assert [each["grouping"] for each in flux["streams"]] == [
        {"type": "CUSTOM", "streamId": "fast", "customClass": made_of}
        for made_of in (
            {"className": PARTIAL_KEY_CLASS, "constructorArgs": [{"ref": "jvmwire-1"}]},
            {"className": "a.Grouping", "constructorArgs": [7, {"ref": "jvmwire-2"}]},
        )
    ]


def test_direct_streams_of_components_in_java_are_taken(tmp_path: Path, folder: Path) -> None:
    made = Topology("numbers")
    words = made.java_spout("words", "an.Words", outputs=["word"])
    made.bolt("sink", Sink, inputs=[words.stream().direct()])
    assert "topology.yaml" in packed(tmp_path, Contents(folder), made)


def test_direct_streams_of_components_in_python_are_declared_by_own_classes(tmp_path, folder):
    classes = tmp_path / "classes"
    (classes / "jvmwire").mkdir(parents=True)
    (classes / "jvmwire" / "Spout.class").write_text("compiled")
    entries = packed(tmp_path, Contents(folder, classes=classes), topology(how="direct"))
    assert entries["jvmwire/Spout.class"] == b"compiled"
    flux = json.loads(entries["topology.yaml"])
    [spout], [sink] = flux["spouts"], flux["bolts"]
    assert spout["className"] == OWN_SPOUT_CLASS
    assert spout["configMethods"] == [{"name": "setDirectStream", "args": ["default", ["number"]]}]
    assert sink["className"] == BOLT_CLASS


def test_a_stream_is_direct_for_all_that_take_it_or_for_none() -> None:
    made = topology(how="direct")
    stream = made.nodes[0].stream()
    made.bolt("another", Sink, inputs=[stream.shuffle()])
    with pytest.raises(ConfigError, match="'default' is taken direct and by SHUFFLE"):
        made.flux()


def jar(path: Path, **entries: str) -> Path:
    with zipfile.ZipFile(path, "w") as made:
        for name, text in entries.items():
            made.writestr(name.replace("__", "/"), text)
    return path


def packed(tmp_path: Path, contents: Contents, of: Topology | None = None) -> dict[str, bytes]:
    pack(of or topology(), tmp_path / "out.jar", contents, interpreter="python3")
    with zipfile.ZipFile(tmp_path / "out.jar") as made:
        assert len(set(made.namelist())) == len(made.namelist())
        return {name: made.read(name) for name in made.namelist()}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "folder"
    for name in ("a.py", "p/b.py", ".git/c", "p/__pycache__/d.pyc", "venv/pyvenv.cfg", "venv/e.py"):
        (made / name).parent.mkdir(parents=True, exist_ok=True)
        (made / name).write_text(name)
    return made


def resources(entries: dict[str, bytes]) -> set[str]:
    return {name for name in entries if name.startswith("resources/")}


def test_a_jar_holds_the_components_folder_and_the_topology(tmp_path, folder):
    entries = packed(tmp_path, Contents(folder))
    assert resources(entries) == {"resources/", "resources/a.py", "resources/p/b.py"}
    document = json.loads(entries["topology.yaml"])
    [spout] = document["spouts"]
    assert spout["constructorArgs"][0][:3] == ["python3", "-m", "jvmwire.storm"]


SECRETS = ("server.pem", "p/tls.KEY", "id_rsa", "kafka.keystore", "user.keytab", "credentials.json")


def test_keys_are_left_out_and_told_unless_they_are_named(tmp_path, folder):
    for name in (*SECRETS, ".env", ".netrc", "secrets.py", "words.txt", "q/.hidden/x.py"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(name)
    contents = Contents(folder)
    code = {"resources/", "resources/a.py", "resources/p/b.py", "resources/secrets.py"}
    assert resources(packed(tmp_path, contents)) == code | {"resources/words.txt"}
    assert {str(path.relative_to(folder)) for path, _ in contents.skipped} == set(SECRETS)
    named = Contents(folder, include=[Path("server.pem"), Path(".env"), Path("q/.hidden")])
    more = {"resources/server.pem", "resources/.env", "resources/q/.hidden/x.py"}
    assert resources(packed(tmp_path, named)) == code | {"resources/words.txt"} | more
    assert folder / "server.pem" not in dict(named.skipped)
    for wrong in ("../out", "/etc/hostname", "missing", "."):
        with pytest.raises(ConfigError, match="cannot be included"):
            packed(tmp_path, Contents(folder, include=[Path(wrong)]))


PEM = serialization.Encoding.PEM
DER = serialization.Encoding.DER


def private_keys() -> dict[str, bytes]:
    """Return private keys in each format, under inconspicuous names."""
    plain, formats = serialization.NoEncryption(), serialization.PrivateFormat
    sealed = serialization.BestAvailableEncryption(b"a password")
    curve = ec.generate_private_key(ec.SECP256R1())
    edwards = ed25519.Ed25519PrivateKey.generate()
    return {
        "settings.txt": b"[client]\r\nkey =\r\n"
        + curve.private_bytes(PEM, formats.PKCS8, plain).replace(b"\n", b"\r\n"),
        "deep.txt": b"x" * (CHUNK - 80) + curve.private_bytes(PEM, formats.PKCS8, plain),
        "old.txt": curve.private_bytes(PEM, formats.TraditionalOpenSSL, plain),
        "sealed.txt": curve.private_bytes(PEM, formats.PKCS8, sealed),
        "ssh.txt": edwards.private_bytes(PEM, formats.OpenSSH, plain),
        "account.json": json.dumps(
            {
                "private_key": edwards.private_bytes(PEM, formats.PKCS8, plain).decode(),
                "filler": "a" * 60,
            }
        ).encode(),
        "embedded.py": b'KEY = """' + curve.private_bytes(PEM, formats.PKCS8, plain) + b'"""',
        "sec1.bin": curve.private_bytes(DER, formats.TraditionalOpenSSL, plain),
        "pkcs8.bin": edwards.private_bytes(DER, formats.PKCS8, plain),
        "pkcs8-sealed.bin": curve.private_bytes(DER, formats.PKCS8, sealed),
        "pkcs12.bin": pkcs12.serialize_key_and_certificates(b"a", curve, None, None, sealed),
    }


JAAS = """KafkaClient {
  org.apache.kafka.common.security.plain.PlainLoginModule required
    username="alice"
    password="open sesame";
};
"""
OTHER_SECRETS: dict[str, bytes] = {
    "store": b"\xfe\xed\xfe\xed\0\0\0\2" + bytes(40),
    "store-ext": b"\xce\xce\xce\xce\0\0\0\2" + bytes(40),
    "tokens": b"HDTS\0" + bytes(40),
    "tickets": b"\5\4\0\0" + struct.pack(">III", 1, 1, 7) + b"EXAMPLE" + b"\0\0\0\5alice",
    "client.conf": JAAS.encode(),
    "kafka.properties": b"sasl.jaas.config=" + JAAS.replace("\n", " ").encode(),
    "deploy.ini": b"[default]\naws_secret_access_key = " + b"wJalr/XUtn" * 4,
}
ORDINARY: dict[str, bytes] = {
    "words.txt": b"0\x02 a private key is what nobody shows: -----BEGIN PRIVATE KEY-----",
    "looks.py": b'if "-----BEGIN RSA PRIVATE KEY-----" in text: raise ValueError("a private key")',
    "kafka.py": b'conf = f\'PlainLoginModule required username="a" password="{password}";\'',
    "kafka2.py": b'\'ScramLoginModule required username="%s" password="%s";\' % (user, word)',
    "keytab.conf": b'Krb5LoginModule required useKeyTab=true keyTab="/etc/a.keytab";',
    "public.txt": ec.generate_private_key(ec.SECP256R1())
    .public_key()
    .public_bytes(PEM, serialization.PublicFormat.SubjectPublicKeyInfo),
    "empty.bin": b"",
    "two.bin": b"\5\2",
    "zeros.bin": b"\5\2" + bytes(100),
}


def test_keys_are_left_out_whatever_their_names_are(tmp_path: Path, folder: Path) -> None:
    write_keytab(folder / "service", "alice/host@EXAMPLE", bytes(16))
    secrets = private_keys() | OTHER_SECRETS | {"service": (folder / "service").read_bytes()}
    for name, content in (secrets | ORDINARY).items():
        (folder / name).write_bytes(content)
    contents = Contents(folder)
    entries = resources(packed(tmp_path, contents))
    told = {path.name: why for path, why in contents.skipped}
    assert set(told) == set(secrets)
    assert {name for name in ORDINARY if f"resources/{name}" not in entries} == set()
    assert told["settings.txt"] == "it holds a private key"
    assert told["service"] == "it is a keytab"
    assert told["client.conf"] == "it holds a password of JAAS"
    named = Contents(folder, include=[Path("service")])
    assert "resources/service" in packed(tmp_path, named)


def test_links_lead_nowhere_without_an_end(tmp_path, folder):
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "far.py").write_text("far")
    for name, target in {
        "root": "/",
        "here": ".",
        "again": ".",
        "p/up": "..",
        "loop": "loop",
        "broken": "missing",
        "far": outside,
        "far.py": outside / "far.py",
        "near.py": "a.py",
    }.items():
        (folder / name).symlink_to(target)
    os.mkfifo(folder / "pipe")
    contents = Contents(folder)
    entries = packed(tmp_path, contents)
    assert resources(entries) == {f"resources/{name}" for name in ("", "a.py", "near.py", "p/b.py")}
    assert entries["resources/near.py"] == b"a.py"
    told = {str(path.relative_to(folder)): why for path, why in contents.skipped}
    assert set(told) == {
        *("root", "here", "again", "p/up", "loop", "broken", "far", "far.py", "pipe"),
    }
    assert "out of the folder" in told["far.py"]
    named = packed(tmp_path, Contents(folder, include=[Path("far"), Path("far.py")]))
    assert named["resources/far/far.py"] == named["resources/far.py"] == b"far"


def test_an_environment_whose_links_lead_in_circles_is_packed_once(tmp_path, folder):
    packages = tmp_path / "env" / "lib" / "python3.12" / "site-packages"
    (packages / "jvmwire").mkdir(parents=True)
    (packages / "jvmwire" / "__init__.py").touch()
    for name, target in {"a": ".", "b": "..", "c": "jvmwire"}.items():
        (packages / name).symlink_to(target)
    entries = packed(tmp_path, Contents(folder, environment=tmp_path / "env"))
    inits = [name for name in entries if name.endswith("__init__.py")]
    assert len(inits) == 1


def test_what_is_nested_without_end_is_refused(tmp_path, folder):
    deep = folder
    for _ in range(150):
        deep /= "d"
    deep.mkdir(parents=True)
    with pytest.raises(ConfigError, match="more than 100 folders are in each other"):
        packed(tmp_path, Contents(folder))


@pytest.mark.parametrize(
    "name", ["../evil", "/abs", "a/../../b", "..", "a\\..\\..\\b", "C:/x", "\\x"]
)
def test_a_jar_with_a_name_that_leads_elsewhere_is_refused(tmp_path, folder, name):
    with zipfile.ZipFile(tmp_path / "evil.jar", "w") as made:
        made.writestr(zipfile.ZipInfo(name), "evil")
    with pytest.raises(ConfigError, match="outside of the jar's folder"):
        packed(tmp_path, Contents(folder, [tmp_path / "evil.jar"]))


def test_a_jar_does_not_hold_itself(tmp_path, folder):
    out = folder / "out.jar"
    for _ in range(2):
        pack(topology(), out, Contents(folder), interpreter="python3")
    with zipfile.ZipFile(out) as made:
        assert "resources/out.jar" not in made.namelist()


def test_resources_of_other_jars_are_left_out_and_told(tmp_path, folder):
    first = jar(tmp_path / "1.jar", org__A="1", resources__a_py="not ours", META_INF__X="x")
    second = jar(tmp_path / "2.jar", org__A="2", org__B="2")
    contents = Contents(folder, [first, second])
    entries = packed(tmp_path, contents)
    assert (entries["org/A"], entries["org/B"]) == (b"1", b"2")
    assert entries["resources/a.py"] == b"a.py"
    assert contents.skipped_files == [(first, "resources/a_py")]


def test_an_environment_goes_along_and_is_found_first(tmp_path, folder):
    packages = tmp_path / "env" / "lib" / "python3.12" / "site-packages"
    (packages / "jvmwire").mkdir(parents=True)
    (packages / "jvmwire" / "__init__.py").touch()
    (tmp_path / "env" / "pyvenv.cfg").touch()
    entries = packed(tmp_path, Contents(folder, environment=tmp_path / "env"))
    assert "resources/environment/jvmwire/__init__.py" in entries
    [spout] = json.loads(entries["topology.yaml"])["spouts"]
    [command] = spout["constructorArgs"]
    assert command[:3] == ["env", "PYTHONPATH=environment", "python3"]


def test_what_could_not_run_is_refused(tmp_path, folder):
    with pytest.raises(ConfigError, match="holds no package jvmwire"):
        packed(tmp_path, Contents(folder, environment=folder))
    with pytest.raises(
        ConfigError, match=r"direct streams or metrics, which need `Contents\.classes`"
    ):
        packed(tmp_path, Contents(folder), topology(how="direct"))
    with pytest.raises(ConfigError, match="is not a jar"):
        packed(tmp_path, Contents(folder, [folder / "a.py"]))
    with pytest.raises(ConfigError, match="has no flux-core"):
        _ = Distribution(folder).flux


def test_the_command_writes_the_document_and_the_jar(tmp_path):
    folder = tmp_path / "folder"
    storm_words.write(folder, tmp_path / "notes")
    where = ["wordy:topology", "--path", folder]
    document = json.loads(jvmwire("storm", "flux", *where).stdout)
    out = tmp_path / "words.jar"
    flux = jar(tmp_path / "flux-core-1.jar", resources__sample="a sample", org__Flux="a class")
    other = jar(tmp_path / "other.jar", resources__run_js="lost", org__Other="a class")
    more = ["--lib", tmp_path, "--with", other, "-o", out]
    told = jvmwire("storm", "jar", *where, *more).stderr
    assert "left out resources/run_js of" in told
    assert "sample" not in told
    assert f"storm jar {out} org.apache.storm.flux.Flux --resource /topology.yaml" in told
    with zipfile.ZipFile(out) as made:
        assert json.loads(made.read("topology.yaml")) == document
        assert {"org/Flux", "org/Other", "resources/wordy.py"} <= set(made.namelist())
    assert flux.exists()


def test_what_is_missing_is_named(tmp_path, monkeypatch):
    folder = tmp_path / "folder"
    storm_words.write(folder, tmp_path / "notes")
    where = ["wordy:topology", "--path", folder]
    assert "no module 'wordy'" in jvmwire("storm", "flux", "wordy:topology", status=2).stderr
    wrong = jvmwire("storm", "flux", "wordy:Words", "--path", folder, status=2).stderr
    assert "must be a jvmwire.storm.topology.Topology" in wrong
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    assert "no mvn on the PATH" in jvmwire("storm", "local", *where, status=2).stderr
    jar(tmp_path / "flux-core-1.jar")
    assert (
        "no javac on the PATH"
        in jvmwire("storm", "local", *where, "--lib", tmp_path, status=2).stderr
    )


def test_jars_are_asked_for_once(tmp_path, monkeypatch):
    kept = tmp_path / "jvmwire" / "storm" / "2.8.3"
    kept.mkdir(parents=True)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setenv("PATH", "")
    assert Distribution.resolve("2.8.3") == Distribution(kept)
