"""Configuration documents take bounded time and memory, and errors in them are short sentences."""

import itertools
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jvmwire._documents import MAX_DEPTH, MAX_SIZE, parse_xml, parse_yaml
from jvmwire.errors import ConfigError
from jvmwire.hadoop import (
    HadoopConfiguration,
    find_namenodes,
    options_from_configuration,
)
from jvmwire.hazelcast import _config_mapping
from jvmwire.hazelcast._config_mapping import Settings
from jvmwire.hazelcast.configuration import read_configuration

LONGEST = 1000
"""Maximum characters of a sentence for a person."""


def told(read: Callable[[], object]) -> str:
    """Return the error of reading a document, if there is one."""
    try:
        read()
    except ConfigError as error:
        return str(error)
    return ""


def aliases(last: str) -> str:
    """Return a document that expands to 9 ** 9 texts."""
    names = "abcdefghi"
    lines = ["hazelcast-client:", "  properties:", f"    a: &a [{', '.join(['lol'] * 9)}]"]
    for before, name in itertools.pairwise(names):
        lines.append(f"    {name}: &{name} [{', '.join([f'*{before}'] * 9)}]")
    return "\n".join([*lines, f"  {last}: {{type: *i}}", ""])


def merged() -> str:
    lines = ["a: &a {" + ", ".join(f"k{n}: {n}" for n in range(9)) + "}"]
    for before, name in zip("abcdefghi", "bcdefghij", strict=True):
        lines.append(f"{name}: &{name} {{<<: [{', '.join([f'*{before}'] * 9)}]}}")
    return "\n".join(lines)


YAML = {
    "aliases": aliases("load-balancer"),
    "aliases of one long text": f"a: &a {'x' * 100_000}\nb: [{', '.join(['*a'] * 1000)}]",
    "merge keys": merged(),
    "an alias of what it is in": "&a [*a]",
    "a merge of itself": "a: &a {<<: *a}",
    # PyYAML takes time quadratic in the levels: more of them only make a failure slow.
    "lists": "[" * 1500,
    "mappings": "{" * 1500,
    "block lists": "- " * 1500,
    "keys": "? " * 1500,
    "too large": "#" * 300_000,
    "many values": "[" + "x," * 30_000 + "]",
    "digits": "a: " + "9" * 5000,
    "no integer": "!!int x",
    "no float": "!!float x",
    "no time": "2001-99-99",
    "no base 64": '!!binary "\u00e9"',
    "a Python object": "!!python/object/apply:os.system [id]",
    "a list as a key": "? [a]\n: b",
    "NUL": "a: \x00",
    "two documents": "--- a\n--- b",
}


@pytest.mark.parametrize("name", YAML)
def test_hostile_yaml_is_one_short_error(tmp_path: Path, name: str) -> None:
    path = tmp_path / "client.yaml"
    path.write_text(YAML[name], "utf-8")
    with pytest.raises(ConfigError) as raised:
        read_configuration(path)
    assert len(str(raised.value)) < LONGEST
    if name not in ("digits", "a Python object"):
        with pytest.raises(ConfigError):
            parse_yaml(YAML[name])


def test_yaml_with_aliases_and_merges_is_read() -> None:
    read = parse_yaml("a: &a {x: 1}\nb: {<<: *a, y: [*a, *a]}")
    assert read == {"a": {"x": 1}, "b": {"x": 1, "y": [{"x": 1}, {"x": 1}]}}
    assert parse_yaml("") is None


@pytest.mark.parametrize(("begin", "end"), [("[", "]"), ("- ", ""), ("{a: ", "}")])
def test_yaml_may_be_as_deep_as_its_limit(begin: str, end: str) -> None:
    parse_yaml(begin * (MAX_DEPTH - 1) + "[]" + end * (MAX_DEPTH - 1))
    with pytest.raises(
        ConfigError, match=f"^not valid YAML: more than {MAX_DEPTH} values in each other$"
    ):
        parse_yaml(begin * MAX_DEPTH + "[]" + end * MAX_DEPTH)


def entities() -> str:
    more = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))
    return f'<!DOCTYPE c [<!ENTITY l0 "lol">{more}]><configuration>&l9;</configuration>'


XML = {
    "entities": entities(),
    "one long entity": f'<!DOCTYPE c [<!ENTITY l "{"x" * 300_000}">]><c>{"&l;" * 50_000}</c>',
    "an entity in attributes": f'<!DOCTYPE c [<!ENTITY l "{"x" * 300_000}">]><c>'
    + '<a b="&l;"/>' * 50
    + "</c>",
    "elements": "<a>" * 200_000,
    "many elements": "<c>" + "<a/>" * 30_000 + "</c>",
    "an unknown encoding": '<?xml version="1.0" encoding="nonesuch"?><c/>',
    "a strange encoding": '<?xml version="1.0" encoding="utf-7"?><c/>',
    "an entity of a file": '<!DOCTYPE c [<!ENTITY x SYSTEM "file:///etc/passwd">]><c>&x;</c>',
    "nothing": "",
    "NUL": "\x00",
    "a long name": f"<{'a' * 900_000}>",
    "a long entity": f"<a>&{'b' * 100_000};</a>",
}


@pytest.mark.parametrize("name", XML)
def test_hostile_xml_is_one_short_error(tmp_path: Path, name: str) -> None:
    with pytest.raises(ConfigError) as raised:
        parse_xml(XML[name].encode())
    assert len(str(raised.value)) < LONGEST
    path = tmp_path / "core-site.xml"
    path.write_text(XML[name])
    for read in (HadoopConfiguration.load, lambda path: read_configuration(path / "core-site.xml")):
        with pytest.raises(ConfigError) as raised:
            read(tmp_path)
        assert len(str(raised.value)) < LONGEST


def test_xml_may_be_as_deep_as_its_limit() -> None:
    deep = "<a>" * MAX_DEPTH + "</a>" * MAX_DEPTH
    parse_xml(deep.encode())
    with pytest.raises(
        ConfigError, match=f"^no XML: more than {MAX_DEPTH} elements in each other$"
    ):
        parse_xml(f"<a>{deep}</a>".encode())


def test_a_file_that_is_too_large_or_no_text_is_one_error(tmp_path: Path) -> None:
    path = tmp_path / "client.xml"
    path.write_bytes(b" " * (MAX_SIZE + 1))
    with pytest.raises(ConfigError, match="the limit of a configuration"):
        read_configuration(path)
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(ConfigError, match="is not UTF-8"):
        read_configuration(path)
    for wrong in (tmp_path, tmp_path / "missing", "/dev/zero", "a\0b", "n" * 5000):
        with pytest.raises(ConfigError):
            read_configuration(wrong)


def include(*hrefs: str) -> str:
    inner = "".join(f'<xi:include href="{href}"/>' for href in hrefs)
    return f'<configuration xmlns:xi="http://www.w3.org/2001/XInclude">{inner}</configuration>'


def test_files_that_include_each_other_without_end_are_one_error(tmp_path: Path) -> None:
    core = tmp_path / "core-site.xml"
    core.write_text(include("a.xml", "b.xml"))
    (tmp_path / "a.xml").write_text(include("b.xml", "b.xml"))
    (tmp_path / "b.xml").write_text(include("./core-site.xml"))
    with pytest.raises(ConfigError, match="include each other without end"):
        HadoopConfiguration.load(tmp_path)
    # A tree of includes in which no file occurs twice on a path.
    for level in range(12):
        (tmp_path / f"{level}.xml").write_text(include(*[f"{level + 1}.xml"] * 4))
    (tmp_path / "12.xml").write_text(include())
    core.write_text(include("0.xml"))
    with pytest.raises(ConfigError, match="more than 256 files are included"):
        HadoopConfiguration.load(tmp_path)
    for href in ("missing.xml", "n" * 5000, "/dev/zero", "/", "http://[", "\u202e"):
        core.write_text(include(href), "utf-8")
        with pytest.raises(ConfigError):
            HadoopConfiguration.load(tmp_path)


SETTINGS = sorted(set(re.findall(r'"([a-z][\w.-]+)"', Path(_config_mapping.__file__).read_text())))
VALUES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(1 << 70), 1 << 70),
    st.floats(),
    st.text(max_size=6),
    st.sampled_from(["9" * 5000, "1e999", "random", "OBJECT", "a:99999", "[::1", "BIG_ENDIAN"]),
)
TREES = st.recursive(
    VALUES,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(SETTINGS) | VALUES, inner, max_size=3)
    ),
    max_leaves=8,
)


@given(st.sampled_from(SETTINGS), st.sampled_from(["", "network", "properties"]), TREES)
def test_whatever_a_configuration_of_hazelcast_says_is_read_or_one_error(
    name: str, part: str, value: object
) -> None:
    tree = {part: {name: value}} if part else {name: value}
    said = told(Settings(tree).read)
    assert len(said) < LONGEST


HADOOP = [
    *("fs.defaultFS", "fs.permissions.umask-mode", "hadoop.security.authentication"),
    *("ipc.client.connect.timeout", "ipc.client.connect.max.retries", "ipc.ping.interval"),
    *("ipc.maximum.response.length", "dfs.nameservices", "ipc.client.rpc-timeout.ms"),
]
HOSTILE = ["9" * 5000, "-" + "9" * 300, "9" * 300, "0x" + "f" * 5000, "hdfs://[", "x" * 100_000]


@pytest.mark.parametrize("name", HADOOP)
@pytest.mark.parametrize("value", HOSTILE, ids=lambda value: value[:8])
def test_whatever_a_setting_of_hadoop_says_is_read_or_one_error(name: str, value: str) -> None:
    configuration = HadoopConfiguration({name: value})
    for read in (
        lambda: options_from_configuration(configuration, servers=2),
        lambda: find_namenodes(configuration, None),
    ):
        assert len(told(read)) < LONGEST


SOME = "<property><name>{}</name><value>1</value></property>"


def entity_files(directory: Path) -> None:
    """Write files that reference each other by entities: in one directory and in another."""
    (directory / "sub").mkdir()
    (directory / "one.xml").write_text('<?xml encoding="UTF-8"?>' + SOME.format("one"))
    (directory / "sub" / "two.xml").write_text(SOME.format("two") + "&three;")
    (directory / "sub" / "three.xml").write_text(SOME.format("three"))
    (directory / "sub" / "all.dtd").write_text(
        '<!ENTITY two SYSTEM "two.xml"><!ENTITY three SYSTEM "three.xml"><!ENTITY four "4">'
    )


@pytest.mark.parametrize(
    ("document", "names"),
    [
        (
            '<!DOCTYPE c [<!ENTITY a SYSTEM "one.xml">]><configuration>&a;{}</configuration>',
            "one x",
        ),
        (
            '<!DOCTYPE c [<!ENTITY % d SYSTEM "sub/all.dtd"> %d;]>'
            "<configuration>&two;{}</configuration>",
            "two three x",
        ),
        ('<!DOCTYPE c SYSTEM "sub/all.dtd"><configuration>&three;{}</configuration>', "three x"),
        (
            '<!DOCTYPE c PUBLIC "-//X" "file:{here}/sub/all.dtd"><configuration>&three;{}'
            "</configuration>",
            "three x",
        ),
        ('<!DOCTYPE c [<!ENTITY a SYSTEM "missing.xml">]><configuration>{}</configuration>', "x"),
    ],
)
def test_external_entities_are_files_beside_the_one_that_names_them(
    tmp_path: Path, document: str, names: str
) -> None:
    entity_files(tmp_path)
    text = document.replace("{here}", str(tmp_path)).replace("{}", SOME.format("x"))
    (tmp_path / "core-site.xml").write_text(text)
    assert dict(HadoopConfiguration.load(tmp_path)) == dict.fromkeys(names.split(), "1")


ENTITIES = {
    "missing": ('<!ENTITY a SYSTEM "missing.xml">', "cannot be read: No such file"),
    "itself": ('<!ENTITY a SYSTEM "core-site.xml">', "no XML"),
    "over the network": ('<!ENTITY a SYSTEM "http://127.0.0.1:9/a">', "expected a file"),
    "of another host": ('<!ENTITY a SYSTEM "file://host/a">', "expected a file"),
    "without end": ('<!ENTITY a SYSTEM "endless.xml">', "in each other|recursive"),
    "a device": ('<!ENTITY a SYSTEM "/dev/zero">', "the limit of a configuration"),
    "large": ('<!ENTITY a SYSTEM "large.xml">', "expand to more than"),
    "often": ('<!ENTITY a SYSTEM "small.xml">', "more than 256 files"),
    "a directory": ('<!ENTITY a SYSTEM ".">', "cannot be read"),
    "not XML": ('<!ENTITY a SYSTEM "broken.xml">', "no XML"),
}


@pytest.mark.parametrize("name", ENTITIES)
def test_an_external_entity_is_read_within_limits(tmp_path: Path, name: str) -> None:
    declared, why = ENTITIES[name]
    (tmp_path / "endless.xml").write_text("<x>&a;</x>")
    (tmp_path / "large.xml").write_text("x" * 900_000)
    (tmp_path / "small.xml").write_text(" ")
    (tmp_path / "broken.xml").write_text("<a>")
    (tmp_path / "core-site.xml").write_text(
        f"<!DOCTYPE c [{declared}]><configuration>{'&a; ' * 300}</configuration>"
    )
    with pytest.raises(ConfigError, match=why) as raised:
        HadoopConfiguration.load(tmp_path)
    assert len(str(raised.value)) < LONGEST


@pytest.mark.parametrize(
    ("href", "reads"),
    [
        ('href="one.xml"', True),
        ('href="file:{here}/one.xml"', True),
        ('href="file://{here}/one.xml"', True),
        ('href="file:///{here}/one.xml"', True),
        ("", False),
    ],
)
@pytest.mark.parametrize("namespace", ['xmlns="http://www.w3.org/2001/XInclude"', ""])
def test_an_included_file_may_be_named_by_a_url(
    tmp_path: Path, href: str, namespace: str, reads: bool
) -> None:
    (tmp_path / "one.xml").write_text(f"<configuration>{SOME.format('one')}</configuration>")
    inner = f"<include {namespace} {href.replace('{here}', str(tmp_path))}/>{SOME.format('x')}"
    (tmp_path / "core-site.xml").write_text(f"<configuration>{inner}</configuration>")
    expected = {"one": "1", "x": "1"} if reads else {"x": "1"}
    assert dict(HadoopConfiguration.load(tmp_path)) == expected
