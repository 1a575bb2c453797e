"""Write events in a transaction and read them: `python pravega_orders.py 127.0.0.1:9090`.

Needs the extra `pravega`, and a controller, which may be `jvmwire pravega serve
--controller-port 9090`.
"""

import sys

from jvmwire import pravega

STREAM = "shop/orders"

with pravega.connect(sys.argv[1]) as client:
    client.create_scope("shop")
    client.create_stream(STREAM)
    with client.begin_transaction(STREAM) as transaction:
        for number in range(3):
            # Events with one routing key keep their order.
            transaction.write(f"order {number}".encode(), "Ann")
    for batch in client.read_events(STREAM):
        for event in batch.events:
            print(event.decode())
