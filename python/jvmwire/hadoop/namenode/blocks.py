"""Where the bytes of files are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


@dataclass(frozen=True, slots=True)
class Replica:
    """A copy of a block, or of an erasure-coded block's part, on a DataNode."""

    host: str
    address: str
    """IP address and the port for data: what clients connect to."""
    datanode: str
    """The DataNode's UUID."""
    rack: str
    storage_type: str
    storage_id: str
    cached: bool


@dataclass(frozen=True, slots=True)
class LocatedBlock:
    """`LocatedBlockProto`: a block of a file, and who has it."""

    pool_id: str
    block_id: int
    generation_stamp: int
    offset: int
    """Where it begins in the file."""
    length: int
    corrupt: bool
    replicas: Sequence[Replica]

    @classmethod
    def from_fields(cls, message: Mapping[str, Any]) -> LocatedBlock:
        """Make one of a decoded message."""
        block, nodes = message["b"], message.get("locs", [])
        return cls(
            block["pool_id"],
            block["block_id"],
            block["generation_stamp"],
            message["offset"],
            block.get("num_bytes", 0),
            message["corrupt"],
            [
                Replica(
                    node["id"]["host_name"],
                    f"{node['id']['ip_addr']}:{node['id']['xfer_port']}",
                    node["id"]["datanode_uuid"],
                    node.get("location", ""),
                    str(_at(message.get("storage_types"), at, "DISK")),
                    _at(message.get("storage_ids"), at, ""),
                    _at(message.get("is_cached"), at, absent=False),
                )
                for at, node in enumerate(nodes)
            ],
        )


def _at(values: Sequence[Any] | None, index: int, absent: Any) -> Any:
    return values[index] if values and index < len(values) else absent


@dataclass(frozen=True, slots=True)
class LocatedBlocks:
    """`LocatedBlocksProto`: the blocks of a file."""

    file_length: int
    under_construction: bool
    blocks: Sequence[LocatedBlock]

    @classmethod
    def from_fields(cls, message: Mapping[str, Any]) -> LocatedBlocks:
        """Make one of a decoded message."""
        blocks = [LocatedBlock.from_fields(block) for block in message.get("blocks", [])]
        return cls(message["file_length"], message["under_construction"], blocks)
