package jvmwire.peers.hadoop;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.MapWritable;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.VLongWritable;
import org.apache.hadoop.io.Writable;
import org.apache.hadoop.ipc.ProtocolInfo;
import org.apache.hadoop.ipc.ProtocolSignature;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.ipc.VersionedProtocol;
import org.apache.hadoop.ipc.WritableRpcEngine;

/**
 * A peer of the Writable engine, which Hadoop deprecates and still ships.
 *
 * <p>Arguments: {@code server|client|seed PORT [key=value...]}. The server serves both protocols;
 * {@code seed} makes the one call of the seed, {@code client} calls all of {@link Echo}.
 */
@SuppressWarnings("deprecation")
public final class WPing {
  private static final long ECHO_VERSION = 42;

  private WPing() {}

  public static void main(String[] args) throws Exception {
    int port = Integer.parseInt(args[1]);
    Configuration conf = Peer.configuration(args, 2);
    // The engine of a protocol is protobuf unless said otherwise.
    RPC.setProtocolEngine(conf, Ping.class, WritableRpcEngine.class);
    RPC.setProtocolEngine(conf, Echo.class, WritableRpcEngine.class);
    InetSocketAddress address = new InetSocketAddress("127.0.0.1", port);
    switch (args[0]) {
      case "server" -> serve(port, conf);
      case "seed" -> callAsTheSeedDid(address, conf);
      case "client" ->
          callAll(RPC.getProtocolProxy(Echo.class, ECHO_VERSION, address, conf).getProxy());
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
            .setProtocol(Ping.class)
            .setNumHandlers(2)
            .build();
    server.addProtocol(RPC.RpcKind.RPC_WRITABLE, Echo.class, service);
    server.start();
    RpcMetrics metrics = new RpcMetrics(server.getListenerAddress().getPort());
    Peer.serve(
        String.valueOf(server.getListenerAddress().getPort()), Map.of("metrics", metrics::toJson));
    server.stop();
  }

  private static void callAsTheSeedDid(InetSocketAddress address, Configuration conf)
      throws IOException {
    Ping ping = RPC.getProxy(Ping.class, RPC.getProtocolVersion(Ping.class), address, conf);
    say("ping", ping.ping());
  }

  private static void callAll(Echo echo) throws Exception {
    say("version", echo.getProtocolVersion("test.Echo", ECHO_VERSION));
    say("methods", echo.getProtocolSignature("test.Echo", ECHO_VERSION, 0).getMethods().length);
    say("ping", echo.ping("X"));
    // Two, three and four bytes of UTF-8, and a NUL.
    say("ping", echo.ping("h\u00e9\u20ac\ud83d\ude00\0z"));
    say("add", echo.add(2, -3));
    say("addl", echo.addl(1L << 40, 5));
    say("not", echo.not(true));
    say("half", echo.half(3));
    say("halff", echo.halff(3f));
    say("incb", echo.incb((byte) 127));
    say("incs", echo.incs((short) 7));
    say("incc", echo.incc('a'));
    echo.nothing();
    say("nul", echo.nul());
    say("text", echo.text(new Text("txt\u20ac")));
    say("ints", Arrays.toString(echo.ints(new int[] {1, 2, -3})));
    say("bytes", Arrays.toString(echo.bytes(new byte[] {0, 1, -1})));
    say("strings", Arrays.toString(echo.strings(new String[] {"a", "b"})));
    Writable[] two = {new IntWritable(300), new Text("w")};
    say("writables", Arrays.toString(echo.writables(two)));
    MapWritable map = new MapWritable();
    map.put(new Text("k"), new LongWritable(9));
    map.put(new IntWritable(1), NullWritable.get());
    say("map", echo.map(map).entrySet().size());
    say("nw", echo.nw(NullWritable.get()));
    say("kind", echo.kind(Kind.RED));
    say("poly", echo.poly(new VLongWritable(-123456)));
    say("poly", echo.poly(null));
    say("poly", echo.poly(new BytesWritable(new byte[] {9, 8})));
    try {
      echo.fail("no such thing");
    } catch (RemoteException e) {
      String message = e.getMessage().split("\n")[0];
      say("fail", e.getClassName() + " " + e.getErrorCode() + " " + message);
    }
    say("slow", echo.slow(10));
  }

  private static void say(String method, Object answer) {
    System.out.println(method + " -> " + answer);
  }

  /** The seed's protocol, as its example repository has it: no VersionedProtocol. */
  @ProtocolInfo(protocolName = "ping", protocolVersion = 1)
  public interface Ping {
    String ping();
  }

  /** All the types that ObjectWritable carries. */
  @ProtocolInfo(protocolName = "test.Echo", protocolVersion = ECHO_VERSION)
  public interface Echo extends VersionedProtocol {
    String ping(String message);

    int add(int a, int b);

    long addl(long a, long b);

    boolean not(boolean value);

    double half(double value);

    float halff(float value);

    byte incb(byte value);

    short incs(short value);

    char incc(char value);

    void nothing();

    String nul();

    Text text(Text text);

    int[] ints(int[] values);

    byte[] bytes(byte[] values);

    String[] strings(String[] values);

    Writable[] writables(Writable[] values);

    MapWritable map(MapWritable map);

    NullWritable nw(NullWritable value);

    Kind kind(Kind kind);

    Writable poly(Writable value);

    void fail(String message) throws IOException;

    String slow(int milliseconds) throws InterruptedException;
  }

  /** An enum for ObjectWritable. */
  public enum Kind {
    RED,
    GREEN
  }

  /** Both protocols. */
  private static final class Service implements Ping, Echo {
    @Override
    public String ping() {
      return "pong";
    }

    @Override
    public String ping(String message) {
      return "pong=" + message;
    }

    @Override
    public int add(int a, int b) {
      return a + b;
    }

    @Override
    public long addl(long a, long b) {
      return a + b;
    }

    @Override
    public boolean not(boolean value) {
      return !value;
    }

    @Override
    public double half(double value) {
      return value / 2;
    }

    @Override
    public float halff(float value) {
      return value / 2;
    }

    @Override
    public byte incb(byte value) {
      return (byte) (value + 1);
    }

    @Override
    public short incs(short value) {
      return (short) (value + 1);
    }

    @Override
    public char incc(char value) {
      return (char) (value + 1);
    }

    @Override
    public void nothing() {}

    @Override
    public String nul() {
      return null;
    }

    @Override
    public Text text(Text text) {
      return new Text("T:" + text);
    }

    @Override
    public int[] ints(int[] values) {
      return Arrays.stream(values).map(value -> -value).toArray();
    }

    @Override
    public byte[] bytes(byte[] values) {
      byte[] flipped = values.clone();
      for (int i = 0; i < flipped.length; i++) {
        flipped[i] ^= 0x55;
      }
      return flipped;
    }

    @Override
    public String[] strings(String[] values) {
      return Arrays.stream(values).map(value -> value + "!").toArray(String[]::new);
    }

    @Override
    public Writable[] writables(Writable[] values) {
      return values;
    }

    @Override
    public MapWritable map(MapWritable map) {
      return map;
    }

    @Override
    public NullWritable nw(NullWritable value) {
      return value;
    }

    @Override
    public Kind kind(Kind kind) {
      return kind == Kind.RED ? Kind.GREEN : Kind.RED;
    }

    @Override
    public Writable poly(Writable value) {
      return value;
    }

    @Override
    public void fail(String message) throws IOException {
      throw new FileNotFoundException(message);
    }

    @Override
    public String slow(int milliseconds) throws InterruptedException {
      Thread.sleep(milliseconds);
      return "slept";
    }

    @Override
    public long getProtocolVersion(String protocol, long clientVersion) {
      return ECHO_VERSION;
    }

    @Override
    public ProtocolSignature getProtocolSignature(String protocol, long version, int hash)
        throws IOException {
      // The overload that takes a name looks for a class of that name, and there is none.
      return ProtocolSignature.getProtocolSignature(hash, ECHO_VERSION, Echo.class);
    }
  }
}
