"""Live systems as Spark sources and sinks."""
