"""What carries operations out: for threads that block, and for tasks of an asyncio loop."""
