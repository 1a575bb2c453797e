"""Check many paths at once with asyncio: `python hdfs_watch.py hdfs://host:8020 /a /b ...`.

Needs no extra.
"""

import asyncio
import sys

from jvmwire import hadoop


async def main(url: str, paths: list[str]) -> None:
    """Print which paths exist."""
    async with hadoop.connect_async(url, user="hdfs") as namenode:
        found = await asyncio.gather(*(namenode.exists(path) for path in paths))
    for path, exists in zip(paths, found, strict=True):
        print("found  " if exists else "missing", path)


asyncio.run(main(sys.argv[1], sys.argv[2:]))
