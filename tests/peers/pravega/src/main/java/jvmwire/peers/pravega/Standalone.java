package jvmwire.peers.pravega;

import io.pravega.local.LocalPravegaEmulator;

/**
 * A controller, a segment store and what they keep their metadata in, all in memory. The controller
 * binds every address. Arguments: CONTROLLER_PORT STORE_PORT ZOOKEEPER_PORT.
 */
public final class Standalone {
  private Standalone() {}

  public static void main(String[] args) throws Exception {
    int controller = Integer.parseInt(args[0]);
    LocalPravegaEmulator emulator =
        LocalPravegaEmulator.builder()
            .controllerPort(controller)
            .segmentStorePort(Integer.parseInt(args[1]))
            .zkPort(Integer.parseInt(args[2]))
            .restServerPort(0)
            .enableRestServer(false)
            .enableAuth(false)
            .enableTls(false)
            .enableMetrics(false)
            .enabledAdminGateway(false)
            .adminGatewayPort(0)
            .build();
    emulator.start();
    JavaClient client = new JavaClient(controller);
    Peer.serve(Integer.toString(controller), client::answer);
    System.exit(0);
  }
}
