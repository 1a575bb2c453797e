"""The client decides as Java's decides, which says so itself, case by case."""

import itertools
from random import Random

import pytest

from jvmwire.hadoop.commands import CLIENT_PROTOCOL
from jvmwire.hadoop.errors import CLASSES, InvalidPath, from_java
from jvmwire.hadoop.namenode.glob import Glob
from jvmwire.hadoop.sasl import Token
from jvmwire.hadoop.sasl.token import kinds_for, token_for
from kit.depth import seeded
from kit.hadoop_judge import ClientJudge

YARN = "org.apache.hadoop.yarn."
HERE = "10.0.0.7:8020"
PROTOCOLS = {
    CLIENT_PROTOCOL: "org.apache.hadoop.hdfs.protocolPB.ClientNamenodeProtocolPB",
} | {
    name: name
    for name in (
        f"{YARN}api.ApplicationClientProtocolPB",
        f"{YARN}api.ApplicationHistoryProtocolPB",
        f"{YARN}api.ContainerManagementProtocolPB",
        "org.apache.hadoop.mapreduce.v2.api.HSClientProtocolPB",
        "org.apache.hadoop.mapreduce.v2.api.MRClientProtocolPB",
    )
}
"""Protocols by their names on the wire, and the interfaces that say which tokens are theirs."""
KINDS = (
    "HDFS_BLOCK_TOKEN",
    "HDFS_DELEGATION_TOKEN",
    "Localizer",
    "MR_DELEGATION_TOKEN",
    "NMToken",
    "RM_DELEGATION_TOKEN",
    "TIMELINE_DELEGATION_TOKEN",
    "WEBHDFS delegation",
    "YARN_AM_RM_TOKEN",
    "YARN_CLIENT_TOKEN",
    "kms-dt",
    "mapreduce.job",
)


@pytest.fixture(scope="module")
def judge(tmp_path_factory):
    with ClientJudge(tmp_path_factory.mktemp("judge")) as judge:
        yield judge


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_of_tokens_for_a_server_the_one_that_java_selects_is_shown(judge, protocol):
    drawn = seeded(len(protocol))
    for _ in range(20):
        given = [
            (kind, service)
            for kind, service in itertools.product(KINDS, (HERE, "10.0.0.8:8020"))
            if drawn.random() < 0.5
        ]
        drawn.shuffle(given)
        chosen = judge.says("token", protocol=PROTOCOLS[protocol], service=HERE, tokens=given)
        tokens = [
            Token(bytes([at]), b"", kind, service) for at, (kind, service) in enumerate(given)
        ]
        ours = token_for(tokens, [HERE], kinds_for(protocol))
        assert (-1 if ours is None else ours.identifier[0]) == chosen, given


@pytest.mark.parametrize("code", ["ERROR_APPLICATION", "FATAL_UNAUTHORIZED"])
def test_whom_a_refused_call_is_sent_to_again_is_what_java_says(judge, code):
    classes = {*CLASSES, "java.io.IOException", "org.apache.hadoop.ipc.RpcServerException"}
    classes.add("org.apache.hadoop.hdfs.server.federation.router.RouterSafeModeException")
    for java_class in sorted(classes):
        error = from_java((java_class, "said", code))
        ours = "FAIL" if not error.retryable else "RETRY"
        if error.elsewhere:
            ours = "FAILOVER_AND_RETRY"
        assert ours == judge.says("retry", **{"class": java_class}), java_class


# Patterns.

ODD = [
    "}", "a}", "{}", "{,a}", "{a,}b", "[]a]", "[^]]", "[!a]", "[a-]", "[a-c]?", "a,b", "",
    "**", "***a", "{a,{b,c}d}", "[", "{a", "a\\", "[c-a]", "a]", "^", "$", "(a)", "a|b",
    "a+", ".", "\\*", "\\{a\\}",
]  # fmt: skip
LETTERS = "abc.-é🙂"


def drawn_pattern(drawn: Random, depth: int = 0) -> str:
    parts = []
    for _ in range(drawn.randrange(1, 6)):
        match drawn.randrange(8 if depth < 3 else 7):
            case 0 | 1:
                parts.append("*")
            case 2:
                parts.append("?")
            case 3:
                parts.append(drawn.choice(["[ab]", "[^ab]", "[!c]", "[a-c]", "[.-]", "[é🙂]"]))
            case 7:
                inner = (drawn_pattern(drawn, depth + 1) for _ in range(drawn.randrange(1, 4)))
                parts.append("{" + ",".join(inner) + "}")
            case _:
                parts.append(drawn.choice(LETTERS))
    return "".join(parts)


def test_patterns_match_what_they_match_in_java(judge):
    drawn = seeded(4)
    patterns = ODD + [drawn_pattern(drawn) for _ in range(300)]
    names = ["", *LETTERS, *"^$()|+*{},]", "a}", "a|b", "a,b", "{a}"]
    names += ["".join(drawn.choices(LETTERS, k=drawn.randrange(2, 9))) for _ in range(60)]
    verdicts = judge.says("globs", patterns=patterns, names=names)
    for pattern, verdict in zip(patterns, verdicts, strict=True):
        try:
            ours = [Glob(pattern).matches(name) for name in names]
        except InvalidPath:
            assert verdict is None, pattern
        else:
            assert ours == verdict, pattern
