"""Sessions of Storm's components: messages that are fatal on the other side are never written."""

import copy
import json
import math
from pathlib import Path

import orjson
import pytest

from jvmwire import LocalProtocolError, RemoteProtocolError
from jvmwire._runtime.session import Closed, Opened, Pushed, Reply
from jvmwire.errors import LimitExceeded
from jvmwire.storm import Grouping, Tuple
from jvmwire.storm._commands import Ack, Emit, Fail, Level, Log, ReportMetric, Sync
from jvmwire.storm._session import WAITING_LIMIT, WIDE_TASK, BoltSession, SpoutCommand, SpoutSession
from jvmwire.storm.errors import NotDeclared, NotJsonSerializable, NotPending
from kit.storm_transcript import END, messages, said

SEED = Path(__file__).parents[1] / "vectors" / "storm" / "seed" / "samples.txt"
HANDSHAKE, *SAMPLES = messages(SEED.read_bytes())
NEXT = b'{"command":"next"}' + END


def tuple_message(tuple_id="7", values="[1]", stream="default"):
    text = f'{{"id":"{tuple_id}","comp":"c","stream":"{stream}","task":4,"tuple":{values}}}'
    return text.encode() + END


def opened(kind, *heard, **options):
    session = kind(42, **options)
    session.receive_data(HANDSHAKE + b"".join(heard))
    assert next(session.events()) == Opened()
    assert bytes(session.data_to_send(0.0)).startswith(b'{"pid":42}' + END)
    return session


def wrote(session):
    return [said(message) for message in messages(bytes(session.data_to_send(0.0)))]


def bolt_with(*tuples, **options):
    session = opened(BoltSession, *tuples, **options)
    list(session.events())
    session.data_to_send(0.0)
    return session


def test_the_documents_handshake_is_understood():
    session = opened(BoltSession)
    context = session.handshake.context
    assert (context.task_id, context.component) == (3, "example-bolt")
    assert context.components[2] == "__acker"
    assert context.tasks_of("example-bolt1") == [3]
    assert context.targets == {"default": {"example-bolt2": Grouping("SHUFFLE")}}
    assert context.sources == {"example-spout": {"default": Grouping("FIELDS", ("word",))}}
    assert context.source_fields == {"example-spout": {"default": ("word",)}}
    assert context.output_fields == {"default": ("word",)}


def test_an_older_storm_says_less_of_the_context():
    session = BoltSession(1)
    session.receive_data(
        b'{"conf":{},"pidDir":"p","context":{"taskid":3,"task->component":{"3":"b"}}}' + END
    )
    assert list(session.events()) == [Opened()]
    context = session.handshake.context
    assert (context.component_id, context.component, context.streams) == (None, "b", None)
    session.send(Emit([1, 2, 3], stream="any"))
    assert wrote(session)[1]["tuple"] == [1, 2, 3]


def test_the_documents_tuple_and_heartbeat_are_understood():
    taken, beat = (sample for sample in SAMPLES if b'"comp"' in sample)
    session = opened(BoltSession, taken, beat)
    [event] = session.events()
    values = ["snow white and the seven dwarfs", "field2", 3]
    assert event == Pushed("tuples", [Tuple("-6955786537413359385", "1", "1", 9, values)])


def test_the_documents_commands_are_understood():
    commands = [sample for sample in SAMPLES if b'"next"' in sample]
    session = opened(SpoutSession, *commands)
    assert list(session.events()) == [Pushed("command", SpoutCommand("next"))]


def test_pretty_printed_messages_with_carriage_returns_are_taken():
    lines = b'{\n "id": "1",\n "comp": "c",\n "stream": "s",\n "task": 1,\n "tuple": []\n}\nend\n'
    pretty = lines.replace(b"\n", b"\r\n")
    [event] = list(opened(BoltSession, pretty).events())
    assert event.message == [Tuple("1", "c", "s", 1, [])]


def test_a_heartbeat_is_answered_at_once_and_is_no_tuple():
    session = opened(BoltSession)
    session.receive_data(tuple_message() + tuple_message(stream="__heartbeat"))
    [event] = session.events()
    assert [taken.id for taken in event.message] == ["7"]
    assert wrote(session) == [{"command": "sync"}]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("123456789012345678901234567890", 123456789012345678901234567890),
        ("-9223372036854775809", -9223372036854775809),
        ("18446744073709551615", 18446744073709551615),
        ('"\\ud83d"', "\ud83d"),
        ("1.0E300", 1e300),
        ("-0.0", -0.0),
        ('"a\\/b"', "a/b"),
    ],
)
def test_values_come_as_they_were_meant(text, value):
    [event] = list(opened(BoltSession, tuple_message(values=f"[{text}]")).events())
    assert event.message[0].values == [value]
    assert type(event.message[0].values[0]) is type(value)


def test_nan_comes_as_storm_writes_it():
    heard = tuple_message(values="[NaN, 1]") + tuple_message("8")
    [event] = list(opened(BoltSession, heard).events())
    assert math.isnan(event.message[0].values[0])
    assert event.message[1].values == [1]


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_numbers_that_json_lacks_are_refused_or_sent_as_null(value):
    session = bolt_with()
    with pytest.raises(NotJsonSerializable, match="nonfinite_as_null"):
        session.send(Emit([{"a": [None, value]}]))
    assert wrote(session) == []
    lenient = bolt_with(nonfinite_as_null=True)
    lenient.send(Emit([[value, 2**70]]))
    assert wrote(lenient)[0]["tuple"] == [[None, 2**70]]


@pytest.mark.parametrize("value", [2**200, -(2**63) - 1, "\ud83d", None, {"1": [True]}])
def test_rare_values_are_sent_as_they_are(value):
    session = bolt_with()
    session.send(Emit([value]))
    assert wrote(session)[0]["tuple"] == [value]


@pytest.mark.parametrize("value", [b"bytes", {1, 2}, object()])
def test_what_is_no_json_is_refused(value):
    session = bolt_with()
    with pytest.raises(NotJsonSerializable):
        session.send(Emit([value]))
    assert wrote(session) == []


def nested(depth):
    value: object = 1
    for _ in range(depth):
        value = [value]
    return value


def test_values_are_nested_as_deep_as_storm_takes_and_no_deeper():
    # The message and its tuple are two levels.
    session = bolt_with()
    session.send(Emit([nested(398)]))
    with pytest.raises(NotJsonSerializable, match="400"):
        session.send(Emit([nested(399)]))


def test_a_tuple_is_acked_or_failed_once():
    session = bolt_with(tuple_message("7"), tuple_message("8"))
    session.send(Ack("7"))
    session.send(Fail("8"))
    for command in (Ack("7"), Fail("7"), Ack("8"), Ack("never")):
        with pytest.raises(NotPending):
            session.send(command)
    ids = [message["id"] for message in wrote(session)]
    assert ids == ["7", "8"]


def test_an_anchor_is_a_tuple_that_storm_waits_for():
    session = bolt_with(tuple_message("7"), tuple_message("8"))
    session.send(Emit(["w"], anchors=["7", "8"]))
    assert wrote(session)[0]["anchors"] == ["7", "8"]
    session.send(Ack("7"))
    with pytest.raises(NotPending):
        session.send(Emit(["w"], anchors=["7"]))
    with pytest.raises(NotPending):
        session.send(Emit(["w"], anchors=["9"]))


def test_an_emit_fits_the_declared_streams():
    session = bolt_with()
    with pytest.raises(NotDeclared, match=r"2 values .* word"):
        session.send(Emit([1, 2]))
    with pytest.raises(NotDeclared, match="'elsewhere'"):
        session.send(Emit([1], stream="elsewhere"))
    with pytest.raises(TypeError):
        session.send(Emit("word"))


def test_a_direct_emit_names_a_task_that_storm_can_cast():
    session = bolt_with()
    session.send(Emit(["w"], task=4, need_task_ids=True))
    message = wrote(session)[0]
    assert message["task"] == 4 + WIDE_TASK
    assert message["need_task_ids"] is False
    for task in (99, True):
        with pytest.raises(LocalProtocolError, match="is not a task"):
            session.send(Emit(["w"], task=task))


def test_task_ids_come_to_whoever_asked_in_order_and_the_rest_keeps_its_place():
    session = bolt_with()
    session.send(Emit(["a"], need_task_ids=True), 1)
    session.send(Emit(["b"]), 2)
    session.send(Emit(["c"], need_task_ids=True), 3)
    session.receive_data(tuple_message("7") + b"[4]" + END + tuple_message("8") + b"[5,6]" + END)
    first, one, second, other = session.events()
    assert (one, other) == (Reply(1, [4]), Reply(3, [5, 6]))
    assert [event.message[0].id for event in (first, second)] == ["7", "8"]


def test_a_spouts_id_keeps_its_type():
    session = opened(SpoutSession, NEXT)
    list(session.events())
    ids = ["5", 5, 2.5, {"a": [1]}]
    for message_id in ids:
        session.send(Emit(["w"], id=message_id))
    assert [message["id"] for message in wrote(session)] == ids
    for message_id in ids:
        text = json.dumps({"command": "ack", "id": message_id}).encode() + END
        session.receive_data(text)
    assert [event.message for event in session.events()] == [
        SpoutCommand("ack", message_id) for message_id in ids
    ]


def test_what_a_spout_says_between_commands_waits_for_the_next():
    session = opened(SpoutSession)
    with pytest.raises(LocalProtocolError, match="sync"):
        session.send(Sync())
    session.send(Log("early", Level.WARN))
    session.send(Emit(["w"]))
    assert wrote(session) == []
    session.receive_data(NEXT)
    list(session.events())
    session.send(Sync())
    assert [message["command"] for message in wrote(session)] == ["log", "emit", "sync"]


def test_too_much_between_commands_is_told():
    session = opened(SpoutSession)
    for _ in range(WAITING_LIMIT):
        session.send(Log("a line"))
    session.send(Log("one more"))
    with pytest.raises(LimitExceeded, match="WAITING_LIMIT"):
        session.send(Emit(["w"]))
    session.receive_data(NEXT)
    list(session.events())
    *_, last = wrote(session)
    assert last["msg"].startswith("1 log messages were lost")


@pytest.mark.parametrize(
    "garbage",
    [
        b"{" + END,
        b"5" + END,
        b"{}" + END,
        b'{"id":5,"comp":"c","stream":"s","task":1,"tuple":[]}' + END,
        tuple_message("\\ud83d"),
        b"[1]" + END,
        b"[" * 5000 + END,
    ],
)
def test_garbage_is_the_peers_fault_and_what_came_before_it_counts(garbage):
    session = opened(BoltSession, tuple_message("7") + garbage)
    assert session.next_event().message[0].id == "7"
    with pytest.raises(RemoteProtocolError):
        session.next_event()


@pytest.mark.parametrize(
    "handshake",
    [b"[]", b"{}", b'{"conf":{},"context":{},"pidDir":"p"}', b'{"conf":{},"context":{}}', b"1"],
)
def test_what_is_no_handshake_is_told(handshake):
    session = BoltSession(1)
    session.receive_data(handshake + END)
    with pytest.raises(RemoteProtocolError):
        session.next_event()


def test_metrics_go_by_name():
    session = bolt_with()
    session.send(ReportMetric("count", 2))
    assert wrote(session) == [{"command": "metrics", "name": "count", "params": 2}]


def test_the_end_says_what_was_torn():
    session = bolt_with()
    session.receive_data(b'{"id"')
    session.receive_data(b"")
    assert list(session.events()) == [Closed(torn=5)]


def test_tuples_can_be_compared_shown_and_sent_elsewhere():
    tup = Tuple("7", None, "__tick", -1, [1, "a"])
    assert tup == copy.copy(tup)
    assert tup != Tuple("8", None, "__tick", -1, [1, "a"])
    assert tup != ("7", None, "__tick", -1, [1, "a"])
    assert repr(tup) == "Tuple(id='7', component=None, stream='__tick', task=-1, values=[1, 'a'])"
    assert tup.is_tick
    match tup:
        case Tuple(_, component, stream, task, [one, *_]):
            assert (component, stream, task, one) == (None, "__tick", -1, 1)


def test_values_are_said_as_orjson_says_them_but_for_what_storm_loses():
    values = ['ö"\\\n\x00\x7f 😀', -0.0, 1e16, 1.5e-7, 2**63 - 1, True, None, {"a": [()]}, (1,)]
    session = bolt_with()
    session.send(Emit([values]))
    [message] = messages(bytes(session.data_to_send(0.0)))
    assert orjson.dumps([values]).replace(b"\x7f", b"\\u007f") in message
