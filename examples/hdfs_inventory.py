"""Print the size of each directory below a path: `python hdfs_inventory.py hdfs://host:8020 /data`.

Needs no extra.
"""

import sys
from collections import Counter

from jvmwire import hadoop

sizes: Counter[str] = Counter()
with hadoop.connect(sys.argv[1], user="hdfs") as namenode:
    for status in namenode.find(sys.argv[2], lambda status: not status.is_directory):
        sizes[status.path.rpartition("/")[0]] += status.length
for directory, size in sizes.most_common(10):
    print(f"{size:15,} {directory}")
