"""Arguments for each request of the protocol with which a member answers it."""

from __future__ import annotations

import itertools
import threading
import uuid
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from jvmwire._core import HazelcastMessage
from jvmwire.hazelcast import aggregators, projections
from jvmwire.hazelcast.errors import Cancelled
from jvmwire.hazelcast.predicates import EntryKind, PagingPredicate, TruePredicate
from kit.hazelcast_tables import snake_case
from kit.hazelcast_tasks import Elements, UsernamePassword, Work
from kit.polling import eventually

if TYPE_CHECKING:
    from collections.abc import Callable

    from jvmwire.hazelcast import HazelcastClient

UNSAID = frozenset(
    {
        *("MultiMap.valueCount", "XATransaction.finalize"),
        *("Cache.putAll", "Cache.setExpiryPolicy"),
    }
)
"""Requests that need a partition, although the table says otherwise."""
LONG = 1_000_000
"""Delay of scheduled tasks in milliseconds: they never run during a test."""


def named(request: dict[str, Any]) -> str:
    return f"{request['cls']}.{request['name']}"


class Asking:
    """Sender of each request with arguments that a member accepts."""

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
            "RaftGroupId": self._group,
            "Xid": self._xid,
            "List<Data>": lambda: [self._key],
            "List<String>": lambda: ["x"],
            "List<Map.Entry<Data, Data>>": lambda: [(self._key, self._data("value"))],
        }
        self._by_type = by_type | dict.fromkeys(("int", "long", "Integer", "Long"), lambda: 1)
        work = self._data(Work("echo", 1))
        self._by_name: dict[str, Callable[[], Any]] = {
            "key": lambda: self._key,
            "predicate": lambda: self._data(TruePredicate()),
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
            "expiry_policy": lambda: self._made("expiry"),
            "listener_config": lambda: self._made("listener"),
            "job_id": lambda: f"job-{next(self._numbers)}",
            "key_value_source": lambda: self._data(Elements("list")),
            "credentials": lambda: self._data(UsernamePassword("dev", b"dev-pass")),
        } | dict.fromkeys(
            ("callable", "task", "function", "entry_processor", "interceptor", "mapper"),
            lambda: work,
        )

    def _xid(self) -> dict[str, Any]:
        name = str(next(self._numbers)).encode()
        return {"format_id": 1, "global_transaction_id": name, "branch_qualifier": b"b"}

    def _made(self, verb: str) -> Any:
        """Return a value of a Java class that only a member can create."""
        return self._client.get_executor("executor").submit(Work(verb)).result()

    def _group(self) -> Any:
        return self.invoke("CPGroup.createCPGroup", proxy_name="asked")

    def _field(self, structure: str, param: dict[str, Any]) -> Any:
        name, kind = snake_case(param["name"]), param.get("type", "")
        if param.get("nullable") and name != "value":
            return None
        if name in self._by_name:
            return self._by_name[name]()
        if name == "name" or name.endswith("_name"):
            # A structure to be configured must not exist yet.
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
        """Send a request after its preparation; return its answer."""
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

    # Preparations per structure.

    def _before_client(self, name: str, fields: dict[str, Any]) -> None:
        if name == "authentication":
            fields |= {"username": "dev", "password": "dev-pass"}
        if name.startswith("authentication"):
            fields["is_owner_connection"] = True

    def _before_map(self, name: str, fields: dict[str, Any]) -> None:
        if name.endswith("PagingPredicate"):
            kind = {"k": EntryKind.KEY, "v": EntryKind.VALUE, "e": EntryKind.ENTRY}[name[0]]
            fields["predicate"] = self._data(PagingPredicate(5).for_iteration(kind))
        elif name.startswith("eventJournal"):
            journal = f"journal-{name}".lower()
            self._keep_journal(map_name=journal)
            self._client.get_map(journal).put("key", "value")
            fields |= {"name": journal, "start_sequence": 0}
            if name == "eventJournalSubscribe":
                del fields["start_sequence"]
        elif name.startswith("load"):
            fields["name"] = "stored"
        elif name.startswith("addNearCache"):
            # For old clients and for new ones: members do not accept both for one map.
            fields["name"] = name.lower()
        elif name in {"lock", "unlock"}:
            fields["name"] = "locked"
            if name == "unlock":
                told = {"thread_id": 1, "ttl": -1, "reference_id": next(self._numbers)}
                self.invoke("Map.lock", name="locked", key=self._key, **told)

    def _keep_journal(self, *, map_name: str | None = None, cache_name: str | None = None) -> None:
        told = {"map_name": map_name, "cache_name": cache_name, "enabled": True, "capacity": 300}
        self.invoke("DynamicConfig.addEventJournalConfig", **told, time_to_live_seconds=0)

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
            # Members wait until the task has run before they report whether it is cancelled.
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
        elif name == "addCacheConfig":
            fields["eviction_config"] = {
                "size": 1,
                "max_size_policy": "ENTRY_COUNT",
                "eviction_policy": "LRU",
                "comparator_class_name": None,
                "comparator": None,
            }

    def _before_mapreduce(self, name: str, fields: dict[str, Any]) -> Callable[[], Any] | None:
        self._client.get_map("mapreduce").put("key", "value")
        if name != "jobProcessInformation":
            return None
        job = {"name": fields["name"], "job_id": fields["job_id"]}
        work = self._data(Work("wait", "job"))
        told = {"map_name": "mapreduce", "mapper": work, "chunk_size": 1}
        nothing = ("predicate", "combiner_factory", "reducer_factory", "keys")
        told |= dict.fromkeys((*nothing, "topology_changed_strategy"))

        def run() -> None:
            with suppress(Cancelled):
                self.invoke("MapReduce.forMap", **job, **told)

        running = threading.Thread(target=run)
        running.start()
        eventually(lambda: self._client.get_atomic_long("job").get() == 1)

        def end() -> None:
            self.invoke("MapReduce.cancel", **job)
            running.join()

        return end

    def _cache(self, simple_name: str) -> dict[str, Any]:
        """Create a cache on the member; return its name and its configuration."""
        name = f"/hz/{simple_name}"
        config = self.invoke("Cache.getConfig", name=name, simple_name=simple_name)
        self.invoke("Cache.createConfig", cache_config=config, create_also_on_others=True)
        return {"name": name, "cache_config": config}

    def _before_cache(self, name: str, fields: dict[str, Any]) -> None:
        known = self._cache("cache" if name != "destroy" else "cache-gone")
        if name.startswith("eventJournal"):
            journal = f"cache-{name}".lower()
            self._keep_journal(cache_name=journal)
            known = self._cache(journal)
            put = {"expiry_policy": None, "get": False, "completion_id": 1}
            entry = {"key": self._key, "value": self._data("value")}
            self.invoke("Cache.put", name=known["name"], **entry, **put)
            if "start_sequence" in fields:
                fields["start_sequence"] = 0
        fields |= {field: told for field, told in known.items() if field in fields}
        if name == "getConfig":
            fields["simple_name"] = "cache"

    # Requests of the CP subsystem.

    def _session(self, fields: dict[str, Any]) -> dict[str, Any]:
        """Return the identity of a lock holder: a session and a thread, in a group."""
        group = fields["group_id"]
        session = self.invoke("CPSession.createSession", group_id=group, endpoint_name="asking")
        thread = self.invoke("CPSession.generateThreadId", group_id=group)
        return {"group_id": group, "session_id": session, "thread_id": thread}

    def _before_cpsession(self, _: str, fields: dict[str, Any]) -> None:
        if "session_id" in fields:
            fields["session_id"] = self._session(fields)["session_id"]

    def _before_cpgroup(self, name: str, fields: dict[str, Any]) -> None:
        if name == "destroyCPObject":
            fields["service_name"] = "hz:raft:atomicLongService"

    def _before_cpfencedlock(self, name: str, fields: dict[str, Any]) -> None:
        fields["name"] = f"lock-{name}"
        if "session_id" in fields:
            holder = self._session(fields)
            fields |= holder
            if name == "unlock":
                lock = {"name": fields["name"], "invocation_uid": uuid.uuid4()}
                self.invoke("CPFencedLock.lock", **holder, **lock)

    def _before_cpsemaphore(self, name: str, fields: dict[str, Any]) -> None:
        if name == "getSemaphoreType":
            return
        where = {"group_id": fields["group_id"], "name": f"semaphore-{name}"}
        fields |= where
        if name != "init":
            self.invoke("CPSemaphore.init", **where, permits=2)
        if "session_id" in fields:
            holder = self._session(fields)
            fields |= holder
            if name == "release":
                told = {"invocation_uid": uuid.uuid4(), "permits": 1, "timeout_ms": -1}
                self.invoke("CPSemaphore.acquire", **where | holder, **told)

    def _before_cpcountdownlatch(self, name: str, fields: dict[str, Any]) -> None:
        if name == "countDown":
            where = {field: fields[field] for field in ("group_id", "name")}
            fields["expected_round"] = self.invoke("CPCountDownLatch.getRound", **where)
