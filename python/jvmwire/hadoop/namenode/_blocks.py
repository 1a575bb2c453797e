"""Locations of the blocks of files."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


@dataclass(frozen=True, slots=True)
class Replica:
    """Replica of a block, or of a unit of an erasure-coded block group, on a DataNode."""

    host: str
    address: str
    """The IP address and the data transfer port, to which clients connect."""
    datanode: str
    """The UUID of the DataNode."""
    rack: str
    storage_type: str
    storage_id: str
    cached: bool


@dataclass(frozen=True, slots=True)
class LocatedBlock:
    """Block of a file with its replicas.

    Source: LocatedBlockProto.
    """

    pool_id: str
    block_id: int
    generation_stamp: int
    offset: int
    """The offset of the block's first byte in the file."""
    length: int
    corrupt: bool
    replicas: Sequence[Replica]

    @classmethod
    def from_fields(cls, message: Mapping[str, Any]) -> LocatedBlock:
        """Return the block of a decoded message.

        Args:
            message: The fields of a `LocatedBlockProto`.

        Returns:
            The block.
        """
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
    """Blocks of a file, or of a range of it.

    Source: LocatedBlocksProto.
    """

    file_length: int
    under_construction: bool
    blocks: Sequence[LocatedBlock]

    @classmethod
    def from_fields(cls, message: Mapping[str, Any]) -> LocatedBlocks:
        """Return the blocks of a decoded message.

        Args:
            message: The fields of a `LocatedBlocksProto`.

        Returns:
            The blocks.
        """
        blocks = [LocatedBlock.from_fields(block) for block in message.get("blocks", [])]
        return cls(message["file_length"], message["under_construction"], blocks)
