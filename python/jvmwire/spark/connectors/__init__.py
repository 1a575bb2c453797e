"""Live systems as Spark sources and sinks."""

from jvmwire._lazy import lazy_exports

TYPE_CHECKING = False  # importing `typing` itself takes time
if TYPE_CHECKING:
    from jvmwire.spark.connectors._hazelcast import MapSource
    from jvmwire.spark.connectors._hdfs import ListingSource
    from jvmwire.spark.connectors._pravega import PravegaSource
else:
    __getattr__ = lazy_exports(
        __name__, ListingSource="_hdfs", MapSource="_hazelcast", PravegaSource="_pravega"
    )

__all__ = [
    "ListingSource",
    "MapSource",
    "PravegaSource",
]
