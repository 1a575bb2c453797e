"""The CP subsystem: see `jvmwire.hazelcast.cp.subsystem`."""
