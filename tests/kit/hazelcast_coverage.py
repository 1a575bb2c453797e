"""Sends a lone member each request of the protocol, and says which it answers.

`python -m tests.kit.hazelcast_coverage` prints the guide's page of it.
"""

from __future__ import annotations

import itertools
import json
import tempfile
import uuid
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jvmwire._core import HazelcastMessage
from jvmwire.hazelcast import HazelcastClient, HazelcastOptions, aggregators, projections
from jvmwire.hazelcast.predicates import EntryKind, Everything, PagingPredicate

from .environment import ROOT
from .hazelcast import Member
from .hazelcast_tables import SOURCE, snake_case
from .hazelcast_work import Work

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

PAGE = ROOT / "docs" / "hazelcast-coverage.md"

JCACHE = "members answer only beside JCache's classes, which are not theirs"
CP = "a lone member has no CP subsystem; three answer (`tests/interop/test_hazelcast_cp.py`)"
UNKNOWN = "3.12.13 does not know it, though its protocol has it"
STORE = "needs a map store, which is the user's class"
JOB = "needs a job of classes of the user's; gone in Hazelcast 4"
EXCEPTIONS = {
    "Client.authenticationCustom": "needs a login module, which is the user's class",
    "Client.deployClasses": "is refused unless the member is configured for it",
    "Map.loadAll": STORE,
    "Map.loadGivenKeys": STORE,
    "MapReduce.jobProcessInformation": JOB,
    "MapReduce.forMap": JOB,
    "MapReduce.forList": JOB,
    "MapReduce.forSet": JOB,
    "MapReduce.forMultiMap": JOB,
    "MapReduce.forCustom": JOB,
    "TransactionalMap.containsValue": UNKNOWN,
    "DynamicConfig.addAtomicLongConfig": UNKNOWN,
    "DynamicConfig.addAtomicReferenceConfig": UNKNOWN,
    "DynamicConfig.addCountDownLatchConfig": UNKNOWN,
    "DynamicConfig.addCacheConfig": JCACHE,
}
"""Requests that a lone member does not answer as it should, and why."""
FAMILIES = {"Cache": JCACHE} | dict.fromkeys(
    (
        *("CPGroup", "CPSession", "CPAtomicLong", "CPAtomicRef"),
        *("CPCountDownLatch", "CPFencedLock", "CPSemaphore"),
    ),
    CP,
)
"""The same, of whole structures."""
ANSWERED = frozenset({"CPSemaphore.getSemaphoreType"})
"""Of these families, what is answered all the same."""
LAST = ("Client.removeAllListeners", "ScheduledExecutor.shutdown", "DurableExecutor.shutdown")
"""After these, others are not answered."""
UNSAID = frozenset({"MultiMap.valueCount", "XATransaction.finalize"})
"""Requests for a partition of which the table says otherwise."""
LONG = 1_000_000
"""Milliseconds until what is scheduled is carried out: never, in here."""


def reason(name: str) -> str | None:
    """Return why a request is not answered, None if it is."""
    if name in ANSWERED:
        return None
    return EXCEPTIONS.get(name) or FAMILIES.get(name.partition(".")[0])


def requests() -> list[dict[str, Any]]:
    """Return every request of the table, in order of its type; some stand at the end."""
    found = json.loads((SOURCE / "messages.json").read_text())["requests"]
    ordered = sorted(found, key=lambda request: int(request["type"], 16))
    return sorted(ordered, key=lambda request: named(request) in LAST)


def named(request: dict[str, Any]) -> str:
    return f"{request['cls']}.{request['name']}"


class Asking:
    """What each request is told, so that there is an answer."""

    def __init__(self, client: HazelcastClient, address: str) -> None:
        self._client = client
        host, port = address.split(":")
        self._address = {"host": host, "port": int(port)}
        self._data = client._cluster.serialization.to_data
        self._key = self._data("key")
        self._partition_id = client._cluster.partition_of(self._key)
        self._numbers = itertools.count(1)
        by_type: dict[str, Callable[[], Any]] = {
            "Data": lambda: self._data("value"),
            "String": lambda: "x",
            "byte": lambda: 0,
            "boolean": lambda: False,
            "Address": lambda: self._address,
            "UUID": uuid.uuid4,
            "RaftGroupId": lambda: {"name": "default", "seed": 0, "commit_index": 0},
            "Xid": self._xid,
            "List<Data>": lambda: [self._key],
            "List<String>": lambda: ["x"],
            "List<Map.Entry<Data, Data>>": lambda: [(self._key, self._data("value"))],
        }
        self._by_type = by_type | dict.fromkeys(("int", "long", "Integer", "Long"), lambda: 1)
        work = self._data(Work("echo", 1))
        self._by_name: dict[str, Callable[[], Any]] = {
            "key": lambda: self._key,
            "predicate": lambda: self._data(Everything()),
            "aggregator": lambda: self._data(aggregators.Count()),
            "projection": lambda: self._data(projections.Identity()),
            "reference_id": lambda: next(self._numbers),
            "thread_id": lambda: 1,
            "partition_id": lambda: self._partition_id,
            "service_name": lambda: "hz:impl:mapService",
            "attribute": lambda: "this",
            "in_memory_format": lambda: "BINARY",
            "eviction_policy": lambda: "NONE",
            "cache_deserialized_values": lambda: "NEVER",
            "topic_overload_policy": lambda: "BLOCK",
            "max_size_config_max_size_policy": lambda: "PER_NODE",
            "merge_policy": lambda: "com.hazelcast.spi.merge.DiscardMergePolicy",
            "depth": lambda: 10,
            "merge_batch_size": lambda: 100,
        } | dict.fromkeys(
            ("callable", "task", "function", "entry_processor", "interceptor"), lambda: work
        )

    def _xid(self) -> dict[str, Any]:
        name = str(next(self._numbers)).encode()
        return {"format_id": 1, "global_transaction_id": name, "branch_qualifier": b"b"}

    def _field(self, structure: str, param: dict[str, Any]) -> Any:
        name, kind = snake_case(param["name"]), param.get("type", "")
        if param.get("nullable") and name != "value":
            return None
        if name in self._by_name:
            return self._by_name[name]()
        if name == "name" or name.endswith("_name"):
            # A structure that is configured must not be there yet.
            fresh = structure == "DynamicConfig"
            return f"fresh-{next(self._numbers)}" if fresh else structure.lower()
        if kind in self._by_type:
            return self._by_type[kind]()
        return []

    def invoke(self, name: str, /, **fields: Any) -> Any:
        """Send a request; return the first field of its answer."""
        answer = self._client.invoke(name, **fields)
        return next(iter(answer.values()), None)

    def ask(self, request: dict[str, Any]) -> dict[str, Any]:
        """Send a request, after what must come to pass before it; return its answer."""
        name, structure = named(request), request["cls"]
        fields = {
            snake_case(param["name"]): self._field(structure, param) for param in request["params"]
        }
        message = HazelcastMessage.named(name)
        where = {}
        if message.partition == "given" or name in UNSAID:
            where = {"partition_id": fields.pop("partition_id", self._partition_id)}
        after = None
        if (prepare := getattr(self, f"_before_{structure.lower()}", None)) is not None:
            after = prepare(request["name"], fields)
        answer = self._client.invoke(name, **where, **fields)
        assert list(answer) == HazelcastMessage.of_type(request["response"]).fields  # type: ignore[union-attr]
        if after is not None:
            after()
        return answer

    # What must come to pass before.

    def _before_client(self, name: str, fields: dict[str, Any]) -> None:
        if name == "authentication":
            fields |= {"username": "dev", "password": "dev-pass", "is_owner_connection": True}

    def _before_map(self, name: str, fields: dict[str, Any]) -> None:
        if name.endswith("PagingPredicate"):
            kind = {"k": EntryKind.KEY, "v": EntryKind.VALUE, "e": EntryKind.ENTRY}[name[0]]
            fields["predicate"] = self._data(PagingPredicate(5).asking_for(kind))
        elif name.startswith("eventJournal"):
            journal = f"journal-{name}".lower()
            self.invoke(
                "DynamicConfig.addEventJournalConfig",
                map_name=journal,
                cache_name=None,
                enabled=True,
                capacity=300,
                time_to_live_seconds=0,
            )
            self._client.get_map(journal).put("key", "value")
            fields |= {"name": journal, "start_sequence": 0}
            if name == "eventJournalSubscribe":
                del fields["start_sequence"]
        elif name.startswith("addNearCache"):
            # Of old clients and of new ones: members do not take both for one map.
            fields["name"] = name.lower()
        elif name in {"lock", "unlock"}:
            fields["name"] = "locked"
            if name == "unlock":
                told = {"thread_id": 1, "ttl": -1, "reference_id": next(self._numbers)}
                self.invoke("Map.lock", name="locked", key=self._key, **told)

    def _before_list(self, _: str, fields: dict[str, Any]) -> None:
        self._client.get_list("list").add_all(["value", "other"])
        for field in ("index", "from"):
            if field in fields:
                fields[field] = 0

    def _before_queue(self, *_: object) -> None:
        self._client.get_queue("queue").offer("value")

    def _before_condition(self, *_: object) -> None:
        self._lock("condition")

    def _before_lock(self, name: str, *_: object) -> None:
        if name == "unlock":
            self._lock("lock")

    def _lock(self, name: str) -> None:
        told = {"lease_time": -1, "thread_id": 1, "reference_id": next(self._numbers)}
        self.invoke("Lock.lock", name=name, **told)

    def _before_ringbuffer(self, _: str, fields: dict[str, Any]) -> None:
        self._client.get_ringbuffer("ringbuffer").add("value")
        for field in ("sequence", "start_sequence"):
            if field in fields:
                fields[field] = 0

    def _before_semaphore(self, *_: object) -> None:
        self._client.get_semaphore("semaphore").release(2)

    def _begin(self) -> str:
        told = {"timeout": 60_000, "durability": 0, "transaction_type": 1, "thread_id": 1}
        begun: str = self.invoke("Transaction.create", **told)
        return begun

    def _before_transaction(self, name: str, fields: dict[str, Any]) -> None:
        if name == "create":
            fields["timeout"] = 60_000
        else:
            fields["transaction_id"] = self._begin()

    def _in_transaction(self, _: str, fields: dict[str, Any]) -> Callable[[], Any]:
        begun = fields["txn_id"] = self._begin()
        end = {"transaction_id": begun, "thread_id": 1}
        return lambda: self.invoke("Transaction.rollback", **end)

    _before_transactionalmap = _before_transactionalmultimap = _in_transaction
    _before_transactionalset = _before_transactionallist = _in_transaction

    def _before_transactionalqueue(self, name: str, fields: dict[str, Any]) -> Callable[[], Any]:
        self._client.get_queue(fields["name"]).offer("value")
        return self._in_transaction(name, fields)

    def _before_xatransaction(self, name: str, fields: dict[str, Any]) -> None:
        if "transaction_id" in fields:
            begun = self.invoke("XATransaction.create", xid=self._xid(), timeout=60_000)
            fields["transaction_id"] = begun
            if name == "commit":
                self.invoke("XATransaction.prepare", transaction_id=begun)

    def _before_durableexecutor(self, _: str, fields: dict[str, Any]) -> None:
        if "sequence" in fields:
            task = {"name": fields["name"], "callable": self._data(Work("echo", 1))}
            at = {"partition_id": self._partition_id}
            fields["sequence"] = self.invoke("DurableExecutor.submitToPartition", **task, **at)

    def _before_scheduledexecutor(self, name: str, fields: dict[str, Any]) -> None:
        if "task_name" not in fields:
            return
        fields["task_name"] = f"task-{next(self._numbers)}"
        if name.startswith("submit"):
            return
        task = {
            "scheduler_name": fields["scheduler_name"],
            "type": 0,
            "task_name": fields["task_name"],
            "task": self._data(Work("echo", 1)),
            # Members wait until it was carried out before they say whether it is cancelled.
            "initial_delay_in_millis": 0 if name.startswith(("getResult", "isCancelled")) else LONG,
            "period_in_millis": 0,
        }
        if name.endswith("Partition"):
            self.invoke("ScheduledExecutor.submitToPartition", **task)
        else:
            self.invoke("ScheduledExecutor.submitToAddress", address=self._address, **task)

    def _before_dynamicconfig(self, name: str, fields: dict[str, Any]) -> None:
        if name == "addEventJournalConfig":
            fields["map_name"] = f"fresh-{next(self._numbers)}"


def answers(client: HazelcastClient, address: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Send every request that is answered; yield its name and its answer."""
    asking = Asking(client, address)
    for request in requests():
        if reason(named(request)) is None:
            yield named(request), asking.ask(request)


def page(answered: set[str]) -> str:
    """Return the guide's page of what is answered."""
    everything = [named(request) for request in requests()]
    all_, found = (
        Counter(name.partition(".")[0] for name in names)
        for names in (everything, (name for name in everything if name in answered))
    )
    lines = [
        "# Hazelcast: which requests a member answers",
        "",
        f"Each of the {len(everything)} requests of protocol 1.0 to 1.8 is sent to a lone",
        "member of 3.12.13 by `client.invoke`, and its answer decoded; or it stands below with the",
        "reason why not.",
        "`python -m tests.kit.hazelcast_coverage` prints this page; a test keeps it true.",
        "",
        "| structure | requests | answered |",
        "| --- | ---: | ---: |",
        *(
            f"| {structure} | {count} | {found[structure]} |"
            for structure, count in sorted(all_.items())
        ),
        f"| **all** | **{len(everything)}** | **{len(answered)}** |",
        "",
        "| not answered | why |",
        "| --- | --- |",
    ]
    for family, why in FAMILIES.items():
        missing = sum(name.startswith(f"{family}.") for name in everything) - found[family]
        lines.append(f"| `{family}`: {missing} | {why} |")
    lines += [f"| `{name}` | {why} |" for name, why in EXCEPTIONS.items()]
    return "\n".join([*lines, ""])


def main() -> None:
    """Print the page anew."""
    with (
        tempfile.TemporaryDirectory() as directory,
        Member(Path(directory)) as member,
        HazelcastClient.connect([member.address], HazelcastOptions(timeout=60.0)) as client,
    ):
        PAGE.write_text(page({name for name, _ in answers(client, member.address)}))


if __name__ == "__main__":
    main()
