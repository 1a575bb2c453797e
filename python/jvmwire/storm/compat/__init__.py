"""Other runtimes' interfaces, run by jvmwire's own."""
