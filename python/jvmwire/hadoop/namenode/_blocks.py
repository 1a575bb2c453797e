"""Locations of the blocks of files."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


@dataclass(frozen=True, slots=True)
class Replica:
    """Replica of a block, or of a unit of an erasure-coded block group, on a DataNode.

    Attributes:
        host: The host name of the DataNode.
        address: The IP address and the data transfer port, to which clients connect.
        datanode: The UUID of the DataNode.
        rack: The DataNode's location in the network.
        storage_type: The type of the storage.
        storage_id: The identifier of the storage.
        cached: Whether the DataNode has the block in memory.
    """

    host: str
    address: str
    datanode: str
    rack: str
    storage_type: str
    storage_id: str
    cached: bool


@dataclass(frozen=True, slots=True)
class LocatedBlock:
    """Block of a file with its replicas.

    Attributes:
        pool_id: The identifier of the block pool.
        block_id: The number of the block.
        generation_stamp: The generation stamp.
        offset: The offset of the block's first byte in the file.
        length: The length of the block in bytes.
        corrupt: Whether all replicas are corrupt.
        replicas: The DataNodes that have the block, the nearest first.

    Source: LocatedBlockProto.
    """

    pool_id: str
    block_id: int
    generation_stamp: int
    offset: int
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

    Attributes:
        file_length: The length of the file in bytes, without a last block that is being written.
        under_construction: Whether the file is being written.
        blocks: The blocks in the order of the file.

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
