"""Live systems as Spark's sources and sinks."""
