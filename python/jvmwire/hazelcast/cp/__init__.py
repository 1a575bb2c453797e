"""The CP subsystem: see `jvmwire.hazelcast.cp._subsystem`."""
