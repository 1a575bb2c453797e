"""`connect` of the clients of a real cluster, by addresses as text."""

from jvmwire.pravega import SegmentStore
from jvmwire.pravega.streams import StreamClient


def test_clients_of_streams_connect_by_text_and_url(pravega):
    for address in (f"127.0.0.1:{pravega.port}", f"tcp://127.0.0.1:{pravega.port}"):
        with StreamClient.connect(address) as client:
            assert "_system" in list(client.scopes())


def test_clients_of_a_store_connect_by_text(segment_store):
    with SegmentStore.connect(f"127.0.0.1:{segment_store.port}") as store:
        store.create_segment("connect/by/text")
        assert store.get_segment_info("connect/by/text").write_offset == 0
