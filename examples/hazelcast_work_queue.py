"""Share work between threads by a queue: `python hazelcast_work_queue.py 127.0.0.1:5701`.

Needs no extra, and a member of Hazelcast 3, which may be `jvmwire hazelcast serve`.
"""

import sys
from concurrent.futures import ThreadPoolExecutor

from jvmwire.hazelcast import HazelcastClient

WORKERS = 3


def work(client: HazelcastClient) -> int:
    """Take numbers from the queue until there are none, and store their squares."""
    jobs, squares = client.get_queue("jobs"), client.get_map("squares")
    done = 0
    while (number := jobs.poll(timeout=0.1)) is not None:
        squares.put(number, number * number)
        done += 1
    return done


with HazelcastClient.connect(sys.argv[1]) as client:
    client.get_queue("jobs").add_all(range(100))
    with ThreadPoolExecutor(WORKERS) as pool:
        done = list(pool.map(work, [client] * WORKERS))
    squares = client.get_map("squares")
    print(f"{sum(done)} jobs are done, and 12 * 12 is {squares.get(12)}")
