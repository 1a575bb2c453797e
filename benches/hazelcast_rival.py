"""The last Python client of Hazelcast 3.x, which does not start on today's Python by itself."""

from __future__ import annotations

import collections
import collections.abc
import sys
import warnings
from typing import Any

GONE = ("Hashable", "Iterable", "Mapping", "MutableMapping", "MutableSet", "Sequence", "Set")
"""What it takes from `collections`, where Python 3.9 had it last."""


def new_service() -> Any:
    """Return its serialization service, as its client makes it by default."""
    finders = list(sys.meta_path)
    for name in GONE:
        setattr(collections, name, getattr(collections.abc, name))
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of asyncore, and of escapes in its strings
            from hazelcast.config import ClientConfig
            from hazelcast.serialization.service import SerializationServiceV1
    finally:
        for name in GONE:
            delattr(collections, name)
        # Its copy of six leaves one that Python warns of.
        sys.meta_path[:] = finders
    return SerializationServiceV1(ClientConfig().serialization_config)
