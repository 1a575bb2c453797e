package jvmwire.peers.hadoop;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ipc.ProtocolSignature;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.Server;
import org.apache.hadoop.ipc.VersionedProtocol;

/** A server that speaks a version of Hadoop RPC before 9, until stdin ends. */
public final class OlderServer {
  private OlderServer() {}

  public static void main(String[] args) throws Exception {
    Server server =
        RPC.getServer(Ping.class, new Service(), "127.0.0.1", 0, new Configuration());
    server.start();
    System.out.println("READY " + server.getListenerAddress().getPort());
    while (System.in.read() >= 0) {
      // Nothing is asked of it in words.
    }
    System.exit(0);
  }

  /** The walk-through's protocol, as it was declared then. */
  public interface Ping extends VersionedProtocol {
    long versionID = 1;

    String ping(String message);
  }

  /** Answers it. */
  static final class Service implements Ping {
    @Override
    public String ping(String message) {
      return "pong=" + message;
    }

    @Override
    public long getProtocolVersion(String protocol, long clientVersion) {
      return versionID;
    }

    @Override
    public ProtocolSignature getProtocolSignature(String protocol, long version, int hash) {
      return new ProtocolSignature(versionID, null);
    }
  }
}
