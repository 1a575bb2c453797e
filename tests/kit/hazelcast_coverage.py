"""Coverage of the protocol: each request is sent to members, and the answered ones are listed.

`python -m tests.kit.hazelcast_coverage` prints the page of the guide about it.
"""

from __future__ import annotations

import json
import tempfile
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jvmwire.hazelcast import HazelcastClient, HazelcastOptions
from kit.hazelcast_requests import Asking, named

from .environment import ROOT
from .hazelcast import CP_SETTINGS, Member, cluster
from .hazelcast_tables import SOURCE

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

PAGE = ROOT / "docs" / "hazelcast-coverage.md"

SETTINGS = {"deployment": "true", "hazelcast.partition.count": "1"}
"""Settings of the lone member: a job reports progress once it has reports from all partitions."""
UNKNOWN = frozenset(
    {
        "TransactionalMap.containsValue",
        "DynamicConfig.addAtomicLongConfig",
        "DynamicConfig.addAtomicReferenceConfig",
        "DynamicConfig.addCountDownLatchConfig",
    }
)
"""Requests of the protocol that 3.12.13 does not implement."""
LAST = ("Client.removeAllListeners", "ScheduledExecutor.shutdown", "DurableExecutor.shutdown")
"""Requests after which others are not answered."""


def needs_three(request: dict[str, Any]) -> bool:
    """Return whether the request is only answered by the three members with a CP subsystem."""
    return str(request["cls"]).startswith("CP")


def requests() -> list[dict[str, Any]]:
    """Return every request of the table, in order of its type, but those of `LAST` at the end."""
    found = json.loads((SOURCE / "messages.json").read_text())["requests"]
    ordered = sorted(found, key=lambda request: int(request["type"], 16))
    return sorted(ordered, key=lambda request: named(request) in LAST)


def answers(lone: Member, three: Sequence[Member]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Send every request except the unimplemented ones; yield its name and its answer."""
    options = HazelcastOptions(timeout=60.0)
    with (
        HazelcastClient.connect([lone.address], options) as client,
        HazelcastClient.connect([three[0].address], options) as agreeing,
    ):
        alone, agreed = Asking(client, lone.address), Asking(agreeing, three[0].address)
        for request in requests():
            if named(request) not in UNKNOWN:
                asking = agreed if needs_three(request) else alone
                yield named(request), asking.ask(request)


def page(answered: set[str]) -> str:
    """Return the guide's page of answered requests."""
    everything = [named(request) for request in requests()]
    all_, found = (
        Counter(name.partition(".")[0] for name in names)
        for names in (everything, (name for name in everything if name in answered))
    )
    lines = [
        "# Hazelcast: which requests a member answers",
        "",
        "This page shows which requests of the protocol members answer to `client.invoke`. Each",
        f"of the {len(everything)} requests of protocol 1.0 to 1.8 is sent to real members of",
        "3.12.13, and its response is decoded. Requests of the CP subsystem go to a cluster of",
        "three members, all others to a single member. The single member has the classes of",
        "JCache, accepts classes of clients, and has a map store, tasks and jobs for this purpose.",
        "`python -m tests.kit.hazelcast_coverage` writes this page, and a test compares it.",
        "",
        "| structure | requests | answered |",
        "| --- | ---: | ---: |",
        *(
            f"| {structure} | {count} | {found[structure]} |"
            for structure, count in sorted(all_.items())
        ),
        f"| **all** | **{len(everything)}** | **{len(answered)}** |",
        "",
        "Members 3.12.13 do not know these requests, which the documents of the protocol contain:",
        "",
        *(f"- `{name}`" for name in everything if name in UNKNOWN),
    ]
    return "\n".join([*lines, ""])


def main() -> None:
    """Write the page again."""
    with tempfile.TemporaryDirectory() as told:
        directory = Path(told)
        with (
            Member(directory / "lone", settings=SETTINGS) as lone,
            cluster(directory, settings=CP_SETTINGS) as three,
        ):
            PAGE.write_text(page({name for name, _ in answers(lone, three)}))


if __name__ == "__main__":
    main()
