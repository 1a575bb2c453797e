"""The same bolt with jvmwire and with its rivals, each in a separate process."""
