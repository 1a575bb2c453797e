package jvmwire.peers.hadoop;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ipc.ProtobufRpcEngine2;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.tools.GetUserMappingsProtocol;
import org.apache.hadoop.tools.proto.GetUserMappingsProtocolProtos.GetUserMappingsProtocolService;
import org.apache.hadoop.tools.protocolPB.GetUserMappingsProtocolClientSideTranslatorPB;
import org.apache.hadoop.tools.protocolPB.GetUserMappingsProtocolPB;
import org.apache.hadoop.tools.protocolPB.GetUserMappingsProtocolServerSideTranslatorPB;

/**
 * A protocol of the Protobuf engine, served to whoever asks: the groups of a user are its name and
 * its name once more.
 *
 * <p>Arguments: {@code server|client PORT [key=value...]}.
 */
public final class Groups {
  private Groups() {}

  public static void main(String[] args) throws Exception {
    int port = Integer.parseInt(args[1]);
    Configuration conf = Peer.configuration(args, 2);
    RPC.setProtocolEngine(conf, GetUserMappingsProtocolPB.class, ProtobufRpcEngine2.class);
    if (args[0].equals("server")) {
      serve(port, conf);
    } else {
      ask(new InetSocketAddress("127.0.0.1", port), conf);
    }
    System.exit(0);
  }

  private static void serve(int port, Configuration conf) throws Exception {
    GetUserMappingsProtocol groups =
        user -> {
          if (user.isEmpty()) {
            throw new FileNotFoundException("nobody");
          }
          return new String[] {user, user + user};
        };
    RPC.Server server =
        new RPC.Builder(conf)
            .setBindAddress("127.0.0.1")
            .setPort(port)
            .setProtocol(GetUserMappingsProtocolPB.class)
            .setInstance(
                GetUserMappingsProtocolService.newReflectiveBlockingService(
                    new GetUserMappingsProtocolServerSideTranslatorPB(groups)))
            .build();
    server.start();
    Peer.serve(String.valueOf(server.getListenerAddress().getPort()), Map.of());
    server.stop();
  }

  private static void ask(InetSocketAddress address, Configuration conf) throws IOException {
    GetUserMappingsProtocolPB proxy =
        RPC.getProxy(
            GetUserMappingsProtocolPB.class,
            RPC.getProtocolVersion(GetUserMappingsProtocolPB.class),
            address,
            UserGroupInformation.getCurrentUser(),
            conf,
            org.apache.hadoop.net.NetUtils.getDefaultSocketFactory(conf));
    try (var groups = new GetUserMappingsProtocolClientSideTranslatorPB(proxy)) {
      System.out.println(Arrays.toString(groups.getGroupsForUser("ann")));
      try {
        groups.getGroupsForUser("");
      } catch (RemoteException e) {
        String message = e.getMessage().split("\n")[0];
        System.out.println(e.getClassName() + " " + e.getErrorCode() + " " + message);
      }
    }
  }
}
