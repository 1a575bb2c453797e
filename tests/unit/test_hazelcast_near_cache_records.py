"""Records of a near cache, and their invalidation."""

import pytest

from jvmwire.errors import ConfigError
from jvmwire.hazelcast.near_cache import EvictionPolicy, NearCacheConfig
from jvmwire.hazelcast.near_cache._config import near_cache_of
from jvmwire.hazelcast.near_cache._records import MISSING, CachedRecord, NearCacheStore
from jvmwire.hazelcast.near_cache._repairing import Repairing

UUID, OTHER = b"u" * 16, b"o" * 16


class Kept:
    """Records, and a clock that the test sets."""

    def __init__(self, **config):
        self.now = 0.0
        self.records = NearCacheStore(NearCacheConfig(**config), lambda: self.now)

    def put(self, *keys):
        for key in keys:
            self.records.publish(self.records.reserve(key, 0, None, 0), key.decode())

    def get(self, key):
        return self.records.find(key, lambda _: False)

    def there(self, *keys):
        return [key for key in keys if self.get(key) is not MISSING]


def test_what_was_published_is_found_and_counted():
    kept = Kept()
    assert kept.get(b"a") is MISSING
    kept.put(b"a")
    assert kept.get(b"a") == "a"
    told = kept.records.statistics
    assert (told.entries, told.hits, told.misses) == (1, 1, 1)


def test_what_was_read_longest_ago_makes_room():
    kept = Kept(max_entries=2)
    kept.put(b"a", b"b")
    kept.get(b"a")
    kept.put(b"c")
    assert kept.there(b"a", b"b", b"c") == [b"a", b"c"]
    assert kept.records.statistics.evictions == 1


def test_what_was_read_least_often_makes_room():
    kept = Kept(max_entries=2, eviction_policy=EvictionPolicy.LFU)
    kept.put(b"a", b"b")
    for key in (b"a", b"a", b"b"):
        kept.get(key)
    kept.put(b"c")
    assert kept.there(b"a", b"b", b"c") == [b"a", b"c"]
    # A record that was never read is evicted before one that was read once.
    kept.put(b"d")
    kept.get(b"d")
    kept.put(b"e", b"f")
    assert kept.there(b"a", b"d", b"e", b"f") == [b"a", b"f"]


def test_without_eviction_what_finds_no_room_is_not_kept():
    kept = Kept(max_entries=1, eviction_policy=EvictionPolicy.NONE)
    kept.put(b"a", b"b")
    assert kept.there(b"a", b"b") == [b"a"]


def test_time_takes_entries_out():
    kept = Kept(time_to_live=10.0, max_idle=3.0)
    kept.put(b"a", b"b")
    for kept.now in (2.9, 5.8, 8.7, 9.9):
        assert kept.get(b"a") == "a"
    assert kept.get(b"b") is MISSING
    kept.now = 10.0
    assert kept.get(b"a") is MISSING
    assert kept.records.statistics.expirations == 2


def test_a_value_that_changed_while_it_was_asked_for_is_not_kept():
    kept = Kept()
    for change in (lambda: kept.records.invalidate(b"a"), kept.records.clear):
        reservation = kept.records.reserve(b"a", 0, None, 0)
        assert kept.records.reserve(b"a", 0, None, 0) is None
        change()
        kept.records.publish(reservation, "old")
        assert kept.get(b"a") is MISSING
    kept.put(b"a")
    kept.records.invalidate(b"a")
    assert kept.get(b"a") is MISSING


def test_a_reservation_that_is_cancelled_lets_another_keep_the_value():
    kept = Kept()
    first = kept.records.reserve(b"a", 0, None, 0)
    kept.records.cancel(first)
    second = kept.records.reserve(b"a", 0, None, 0)
    kept.records.cancel(first)
    kept.records.publish(second, "a")
    assert kept.get(b"a") == "a"


def record(repairing, partition_id=0):
    state = repairing.state(partition_id)
    return CachedRecord("a", partition_id, state.uuid, state.sequence, 0.0, 0.0)


def test_a_few_missed_invalidations_are_tolerated_and_more_make_stale():
    repairing = Repairing(10)
    repairing.handle_event(0, UUID, 1)
    kept = record(repairing)
    repairing.handle_event(0, UUID, 2)
    repairing.handle_event(0, UUID, 13)  # ten are missing
    assert not repairing.is_stale(kept)
    repairing.handle_event(0, UUID, 15)
    assert repairing.is_stale(kept)
    assert not repairing.is_stale(record(repairing))
    assert not repairing.is_stale(record(repairing, 1))


def test_invalidations_that_come_late_are_not_missed_again():
    repairing = Repairing(0)
    repairing.handle_event(0, UUID, 1)
    repairing.handle_event(0, UUID, 2)
    kept = record(repairing)
    repairing.handle_event(0, UUID, 1)
    assert not repairing.is_stale(kept)


def test_a_partition_that_numbers_anew_makes_stale_what_was_read_before():
    repairing = Repairing(10)
    before = record(repairing)
    repairing.handle_event(0, UUID, 5)
    kept = record(repairing)
    repairing.handle_event(0, OTHER, 1)
    assert (repairing.is_stale(before), repairing.is_stale(kept)) == (True, True)
    assert not repairing.is_stale(record(repairing))


def test_what_members_count_more_than_was_heard_was_missed():
    repairing = Repairing(3)
    repairing.take_uuid(0, UUID)
    repairing.begin(0, 100)
    kept = record(repairing)
    repairing.reconcile(0, 100)
    repairing.reconcile(0, 103)
    assert not repairing.is_stale(kept)
    repairing.reconcile(0, 104)
    assert repairing.is_stale(kept)


def test_a_near_cache_is_found_by_name_then_by_the_longest_pattern():
    configs = {
        name: NearCacheConfig(max_entries=at + 1)
        for at, name in enumerate(["*", "a*", "a*z", "abc", "b"])
    }
    found = {name: near_cache_of(configs, name) for name in ("abc", "abz", "abx", "x", "b")}
    assert {name: config and config.max_entries for name, config in found.items()} == {
        "abc": 4,
        "abz": 3,
        "abx": 2,
        "x": 1,
        "b": 5,
    }
    assert near_cache_of({"az*za": NearCacheConfig()}, "aza") is None


@pytest.mark.parametrize("wrong", [{"max_entries": 0}, {"time_to_live": 0.0}, {"max_idle": -1.0}])
def test_what_no_near_cache_can_do_is_refused(wrong):
    with pytest.raises(ConfigError):
        NearCacheConfig(**wrong)
