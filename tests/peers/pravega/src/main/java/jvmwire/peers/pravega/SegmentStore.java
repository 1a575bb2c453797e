package jvmwire.peers.pravega;

import io.pravega.segmentstore.contracts.StreamSegmentStore;
import io.pravega.segmentstore.contracts.tables.TableStore;
import io.pravega.segmentstore.server.host.handler.PravegaConnectionListener;
import io.pravega.segmentstore.server.store.ServiceBuilder;
import io.pravega.segmentstore.server.store.ServiceBuilderConfig;
import io.pravega.segmentstore.server.store.ServiceConfig;
import java.util.concurrent.Executors;

/** One segment store, in memory, on 127.0.0.1 only: no ZooKeeper, no controller. Argument: PORT. */
public final class SegmentStore {
  private static final long CACHE_BYTES = 128L << 20;

  private SegmentStore() {}

  public static void main(String[] args) throws Exception {
    int port = Integer.parseInt(args[0]);
    ServiceBuilderConfig config =
        ServiceBuilderConfig.builder()
            .include(
                ServiceConfig.builder()
                    .with(ServiceConfig.CONTAINER_COUNT, 1)
                    .with(ServiceConfig.CACHE_POLICY_MAX_SIZE, CACHE_BYTES))
            .build();
    ServiceBuilder builder = ServiceBuilder.newInMemoryBuilder(config);
    builder.initialize();
    StreamSegmentStore store = builder.createStreamSegmentService();
    TableStore tables = builder.createTableStoreService();
    PravegaConnectionListener listener =
        new PravegaConnectionListener(
            false, port, store, tables, Executors.newSingleThreadScheduledExecutor());
    listener.startListening();
    Peer.serve(
        Integer.toString(port),
        words -> {
          throw new IllegalArgumentException(words[0]);
        });
    System.exit(0);
  }
}
