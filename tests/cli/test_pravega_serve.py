"""`jvmwire pravega serve`: a double of Pravega for clients of any language."""

import pytest

from kit.command import jvmwire
from kit.serve_command import serving


def test_commands_work_on_the_double() -> None:
    refused = ("--refuse", "TruncateSegment=WrongHost", "--refuse", "SealSegment=ErrorMessage")
    with serving("pravega", "--segment", "a/b/0", *refused) as [address]:
        server = ("--server", address)
        jvmwire("pravega", "append", "a/b/0", *server, stdin=b"one\ntwo\n")
        assert jvmwire("pravega", "cat", "a/b/0", *server).stdout == b"one\ntwo\n"
        [row] = jvmwire("pravega", "segments", "--json", "a/b/0", *server).rows
        assert (row["is_sealed"], row["write_offset"]) == (False, 22)


def test_streams_have_a_controller() -> None:
    with serving("pravega", "--controller-port", "0") as [_, controller]:
        server = ("--stream", "--server", controller)
        jvmwire("pravega", "create", "shop/orders", *server)
        jvmwire("pravega", "append", "shop/orders", *server, stdin=b"one\ntwo\n")
        assert sorted(jvmwire("pravega", "cat", "shop/orders", *server).stdout.split()) == [
            b"one",
            b"two",
        ]


@pytest.mark.parametrize(
    ("option", "value", "said"),
    [
        ("--refuse", "SealSegment", "'SealSegment' is not COMMAND=ERROR"),
        ("--refuse", "a=NoSuchSegmen", "did you mean 'NoSuchSegment'?"),
        ("--delay", "-1", "-1.0 is not in the range"),
        ("--segment", "", "the name of a segment must not be empty"),
    ],
)
def test_an_option_that_is_wrong_is_one_sentence(option: str, value: str, said: str) -> None:
    assert said in jvmwire("pravega", "serve", option, value, status=2).stderr
