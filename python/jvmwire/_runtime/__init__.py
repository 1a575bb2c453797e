"""Runtime of all clients: operations, the engine, its blocking and its asyncio driver."""
