"""Hadoop RPC: a NameNode's client, blocking and asyncio."""

from jvmwire.hadoop.client import AsyncNameNode, NameNode, NameNodeOptions
from jvmwire.hadoop.errors import (
    AccessDenied,
    AuthenticationRequired,
    FileNotFound,
    HadoopError,
    Retriable,
    Standby,
    VersionMismatch,
)
from jvmwire.hadoop.status import FileFlags, FileInfos, FileStatus, FileType

__all__ = [
    "AccessDenied",
    "AsyncNameNode",
    "AuthenticationRequired",
    "FileFlags",
    "FileInfos",
    "FileNotFound",
    "FileStatus",
    "FileType",
    "HadoopError",
    "NameNode",
    "NameNodeOptions",
    "Retriable",
    "Standby",
    "VersionMismatch",
]
