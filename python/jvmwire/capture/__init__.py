"""Decoding of captured traffic into Arrow record batches: files and dumps in, tables out.

for batch in read_capture("namenode.pcap", "calls"):
    print(pyarrow.record_batch(batch))
"""

from __future__ import annotations

from jvmwire._core import PROTOCOLS, CaptureDecoder, CaptureWriter, DumpDecoder, RecordBatch, View
from jvmwire.capture._files import find_captures, is_capture_name
from jvmwire.capture._frame import CaptureFrame, read_capture
from jvmwire.capture._reading import (
    DecodeSession,
    read_dump,
    read_rotated,
    read_stream,
    read_tables,
)
from jvmwire.capture._redaction import redaction_key
from jvmwire.capture._rings import group_rotated
from jvmwire.capture._views import make_view

__all__ = [
    "PROTOCOLS",
    "CaptureDecoder",
    "CaptureFrame",
    "CaptureWriter",
    "DecodeSession",
    "DumpDecoder",
    "RecordBatch",
    "View",
    "find_captures",
    "group_rotated",
    "is_capture_name",
    "make_view",
    "read_capture",
    "read_dump",
    "read_rotated",
    "read_stream",
    "read_tables",
    "redaction_key",
]
