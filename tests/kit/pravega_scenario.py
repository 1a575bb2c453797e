"""Operations of a recorded client on a segment store: a few of every kind."""

import uuid
from contextlib import suppress

from jvmwire.options import NEVER
from jvmwire.pravega import PravegaError, SegmentStore, SegmentStoreOptions
from jvmwire.transports import Tcp

SEGMENT = "recorded/stream/0.#epoch.0"
MERGED = "recorded/stream/1.#epoch.0"
TABLE = "recorded/_tables/keys"
ATTRIBUTE = uuid.UUID("01234567-89ab-cdef-0123-456789abcdef")
EVENTS = [b"event %d" % number for number in range(500)]


def run(endpoint: Tcp) -> None:
    """Run the operations on a new segment store."""
    with SegmentStore.connect(endpoint, SegmentStoreOptions(retry=NEVER)) as store:
        for segment in (SEGMENT, MERGED):
            store.create_segment(segment)
        with suppress(PravegaError):
            store.create_segment(SEGMENT)
        with store.appender(SEGMENT) as appender, store.appender(MERGED) as other:
            appender.append(EVENTS[0])
            appender.append_all(EVENTS[1:])
            other.append(b"of another writer")
            appender.append_if(b"not there", 0)
        list(store.read_events(SEGMENT))
        store.update_policy(SEGMENT, scale_type=1, target_rate=10)
        store.update_attribute(SEGMENT, ATTRIBUTE, 7, expected=None)
        store.get_attribute(SEGMENT, ATTRIBUTE)
        store.create_transient_segment(SEGMENT, ATTRIBUTE)
        store.truncate_segment(SEGMENT, 15)
        store.seal_segment(MERGED)
        store.merge_segments(SEGMENT, MERGED)
        with suppress(PravegaError):
            store.get_segment_info(MERGED)
        store.create_table(TABLE)
        store.update_table(TABLE, {b"one": b"1", b"two": b"2"})
        list(store.table_entries(TABLE))
        list(store.table_keys(TABLE))
        store.read_table(TABLE, [b"one", b"three"])
        store.remove_from_table(TABLE, [b"one", b"two"])
        store.delete_table(TABLE, must_be_empty=True)
        store.seal_segment(SEGMENT)
        with suppress(PravegaError):
            store.read_segment(SEGMENT, store.get_segment_info(SEGMENT).write_offset)
        store.delete_segment(SEGMENT)
        with suppress(PravegaError):
            store.read_segment(SEGMENT, 0)
