package jvmwire.peers.hadoop;

import java.net.InetSocketAddress;
import java.security.PrivilegedExceptionAction;
import java.util.Collection;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.ipc.ProtocolInfo;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.ipc.WritableRpcEngine;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.security.token.TokenIdentifier;
import org.apache.hadoop.security.token.TokenInfo;
import org.apache.hadoop.security.token.TokenSelector;

/**
 * The walk-through's protocol in both its versions.
 *
 * <p>Arguments: {@code server|old|new PORT [key=value...]}. The server serves both versions;
 * {@code old} and {@code new} are clients, which know the one or the other, and {@code token} is the
 * old one with the token that the setting of that name holds, as {@code Token.encodeToUrlString}
 * wrote it.
 */
@SuppressWarnings("deprecation")
public final class Versions {
  private Versions() {}

  public static void main(String[] args) throws Exception {
    int port = Integer.parseInt(args[1]);
    Configuration conf = Peer.configuration(args, 2);
    RPC.setProtocolEngine(conf, OldPing.class, WritableRpcEngine.class);
    RPC.setProtocolEngine(conf, NewPing.class, WritableRpcEngine.class);
    InetSocketAddress address = new InetSocketAddress("127.0.0.1", port);
    switch (args[0]) {
      case "server" -> serve(port, conf);
      case "old" -> ask(address, conf);
      case "token" -> {
        Token<TokenIdentifier> token = new Token<>();
        token.decodeFromUrlString(conf.get("token"));
        UserGroupInformation user = UserGroupInformation.createRemoteUser("mallory");
        user.addToken(token);
        user.doAs(
            (PrivilegedExceptionAction<Void>)
                () -> {
                  ask(address, conf);
                  return null;
                });
      }
      case "new" -> askAll(RPC.getProxy(NewPing.class, 2, address, conf));
      default -> throw new IllegalArgumentException(args[0]);
    }
    System.exit(0);
  }

  private static void serve(int port, Configuration conf) throws Exception {
    Service service = new Service();
    RPC.Server server =
        new RPC.Builder(conf)
            .setBindAddress("127.0.0.1")
            .setPort(port)
            .setInstance(service)
            .setProtocol(NewPing.class)
            .build();
    server.addProtocol(RPC.RpcKind.RPC_WRITABLE, OldPing.class, service);
    server.start();
    Peer.serve(String.valueOf(server.getListenerAddress().getPort()), Map.of());
    server.stop();
  }

  private static void ask(InetSocketAddress address, Configuration conf) throws Exception {
    OldPing ping = RPC.getProxy(OldPing.class, 1, address, conf);
    System.out.println("Server ping returned " + ping.ping("X"));
  }

  private static void askAll(NewPing ping) {
    System.out.println("Server ping returned " + ping.ping("X"));
    try {
      System.out.println(ping.enterprisePing("ACME", "Bob", 7, 1L << 40, true, false));
    } catch (java.lang.reflect.UndeclaredThrowableException e) {
      RemoteException refused = (RemoteException) e.getCause();
      System.out.println(refused.getClassName() + " " + refused.getErrorCode());
    }
  }

  /** Whatever token is for the service. */
  public static final class AnyToken implements TokenSelector<TokenIdentifier> {
    @Override
    @SuppressWarnings("unchecked")
    public Token<TokenIdentifier> selectToken(
        Text service, Collection<Token<? extends TokenIdentifier>> tokens) {
      for (Token<? extends TokenIdentifier> token : tokens) {
        if (token.getService().equals(service)) {
          return (Token<TokenIdentifier>) token;
        }
      }
      return null;
    }
  }

  /** The first version. */
  @TokenInfo(AnyToken.class)
  @ProtocolInfo(protocolName = "ping", protocolVersion = 1)
  public interface OldPing {
    String ping(String message);
  }

  /** The second, which has a method more. */
  @ProtocolInfo(protocolName = "ping", protocolVersion = 2)
  public interface NewPing {
    String ping(String message);

    String enterprisePing(
        String companyName,
        String referee,
        int priority,
        long timeOut,
        boolean useTimeout,
        boolean useUseTimeout);
  }

  /** Both versions. */
  private static final class Service implements OldPing, NewPing {
    @Override
    public String ping(String message) {
      return "pong=" + message;
    }

    @Override
    public String enterprisePing(
        String companyName,
        String referee,
        int priority,
        long timeOut,
        boolean useTimeout,
        boolean useUseTimeout) {
      return companyName
          + " by " + referee
          + ": " + priority
          + ", " + timeOut
          + ", " + useTimeout
          + ", " + useUseTimeout;
    }
  }
}
