"""Compatible interfaces of other Python runtimes for Storm, implemented by jvmwire's runtime."""
