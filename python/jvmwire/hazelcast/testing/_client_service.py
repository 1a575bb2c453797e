"""The calls of clients that are to the cluster, not to a structure."""

from __future__ import annotations

import uuid
from hmac import compare_digest
from typing import TYPE_CHECKING, Any

from jvmwire._core import HazelcastMessage

if TYPE_CHECKING:
    from jvmwire.hazelcast.testing._calls import Call
    from jvmwire.hazelcast.testing._state import ClusterState

VERSION = "3.12.13"
"""The version that members say they are of."""
MEMBERS, PARTITIONS, OBJECTS = "members", "partitions", "distributed objects"
"""Subjects of listeners that are no structures."""
AUTHENTICATED, CREDENTIALS_FAILED, OTHER_SERIALIZATION, NOT_ALLOWED = range(4)
"""`AuthenticationStatus`."""
SERIALIZATION_VERSION = 1

_MEMBER_LIST = HazelcastMessage.named("Event.MemberList")


class ClientService:
    """The calls of clients that are to the cluster.

    Args:
        cluster: The cluster of the double.
    """

    def __init__(self, cluster: ClusterState) -> None:
        self._cluster = cluster

    def authentication(
        self,
        call: Call,
        username: str,
        password: str,
        client_uuid: str | None,
        owner_uuid: str | None,
        is_owner_connection: bool,
        client_type: str,
        serialization_version: int,
        client_version: str | None = None,
        client_name: str | None = None,
        labels: list[str] | None = None,
        partition_count: int | None = None,
        cluster_id: str | None = None,
    ) -> tuple[Any, ...]:
        cluster, member = self._cluster, call.client.member
        status = AUTHENTICATED
        is_known = username == cluster.cluster_name and (
            cluster.password is None or compare_digest(password.encode(), cluster.password.encode())
        )
        if not is_known:
            status = CREDENTIALS_FAILED
        elif serialization_version != SERIALIZATION_VERSION:
            status = OTHER_SERIALIZATION
        elif partition_count not in (None, cluster.partitions.count) or (
            cluster_id not in (None, cluster.cluster_id)
        ):
            status = NOT_ALLOWED
        if status:
            return (status, None, None, None, SERIALIZATION_VERSION, VERSION, None, 0, "")
        if client_uuid is None:
            client_uuid = str(uuid.uuid4())
        if is_owner_connection or owner_uuid is None:
            owner_uuid = member.uuid
        if not call.client.uuid:
            call.client.uuid = client_uuid
            cluster.client_connected(client_uuid)
        return (
            *(AUTHENTICATED, member.address, call.client.uuid, owner_uuid),
            *(SERIALIZATION_VERSION, VERSION, []),
            *(cluster.partitions.count, cluster.cluster_id),
        )

    def authentication_custom(self, call: Call, *fields: Any) -> tuple[Any, ...]:
        failed = (CREDENTIALS_FAILED, None, None, None)
        return (*failed, SERIALIZATION_VERSION, VERSION, None, 0, "")

    def ping(self, call: Call) -> None: ...

    def statistics(self, call: Call, stats: str) -> None: ...

    def is_failover_supported(self, call: Call) -> bool:
        return False

    # Members and partitions

    def add_membership_listener(self, call: Call, local_only: bool) -> str:
        # With a listener of its own, as members tell of local events only if that is asked for.
        cluster = self._cluster
        registration_id = cluster.listeners.add(call, MEMBERS, local_only=False)
        members = [member.fields for member in cluster.partitions.running]
        call.client.send(_MEMBER_LIST, call.call_id, (members,), event=True)
        return registration_id

    def get_partitions(self, call: Call) -> tuple[Any, ...]:
        return self._cluster.partitions.fields

    def add_partition_listener(self, call: Call) -> None:
        self._cluster.listeners.add(call, PARTITIONS, local_only=False)

    def add_partition_lost_listener(self, call: Call, local_only: bool) -> str:
        # None is lost: the members that run have all entries.
        return self._cluster.listeners.add(call, "lost partitions", local_only=local_only)

    def remove_partition_lost_listener(self, call: Call, registration_id: str) -> bool:
        return self._cluster.listeners.remove("lost partitions", registration_id)

    def remove_all_listeners(self, call: Call) -> None:
        self._cluster.listeners.remove_all_of(call.client)

    # Structures

    def create_proxy(self, call: Call, name: str, service: str, target: object) -> None:
        self._cluster.create_proxy(service, name, call.client.member)

    def create_proxies(self, call: Call, proxies: list[tuple[str, str]]) -> None:
        for name, service in proxies:
            self._cluster.create_proxy(service, name, call.client.member)

    def destroy_proxy(self, call: Call, name: str, service: str) -> None:
        self._cluster.destroy_proxy(service, name, call.client.member)

    def get_distributed_objects(self, call: Call) -> list[dict[str, str]]:
        return [{"service_name": service, "name": name} for service, name in self._cluster.proxies]

    def add_distributed_object_listener(self, call: Call, local_only: bool) -> str:
        return self._cluster.listeners.add(call, OBJECTS, local_only=local_only)

    def remove_distributed_object_listener(self, call: Call, registration_id: str) -> bool:
        return self._cluster.listeners.remove(OBJECTS, registration_id)
