package jvmwire.peers.hazelcast;

import com.hazelcast.client.HazelcastClient;
import com.hazelcast.client.config.ClientConfig;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.IMap;
import com.hazelcast.core.Pipelining;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.Writer;
import java.nio.ByteBuffer;
import java.nio.IntBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.AbstractMap.SimpleEntry;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Java's client, warm: {@code Caller <port> <work> <map> <depth>}. {@code prepare} reads keys from
 * the file input, four bytes each; {@code run} does the work and says how many nanoseconds it took;
 * {@code tell} writes what came of it into the file output, a line each: a value, or a key, = and a
 * value.
 */
public final class Caller {
  private static final int WARM = 10;

  private final IMap<Integer, Object> map;
  private final String work;
  private final int depth;
  private int[] keys = {};
  private Map<Integer, Object> entries = new HashMap<>();
  private Object result;
  private boolean warm;

  private Caller(IMap<Integer, Object> map, String work, int depth) {
    this.map = map;
    this.work = work;
    this.depth = depth;
  }

  public static void main(String[] args) throws Exception {
    ClientConfig config = new ClientConfig();
    config.setProperty("hazelcast.logging.type", "none");
    config.getNetworkConfig().addAddress("127.0.0.1:" + args[0]);
    HazelcastInstance client = HazelcastClient.newHazelcastClient(config);
    Caller caller = new Caller(client.getMap(args[2]), args[1], Integer.parseInt(args[3]));
    System.out.println("READY 0");
    BufferedReader stdin =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = stdin.readLine(); line != null; line = stdin.readLine()) {
      System.out.println(caller.answer(line));
      System.out.flush();
    }
    Runtime.getRuntime().halt(0);
  }

  private String answer(String line) throws Exception {
    switch (line) {
      case "prepare":
        prepare();
        return "prepared";
      case "run":
        long wall = System.nanoTime();
        result = call();
        return String.valueOf(System.nanoTime() - wall);
      case "tell":
        tell();
        return "told";
      default:
        return "unknown " + line;
    }
  }

  private void prepare() throws Exception {
    IntBuffer told = ByteBuffer.wrap(Files.readAllBytes(Path.of("input"))).asIntBuffer();
    keys = new int[told.remaining()];
    told.get(keys);
    entries = new HashMap<>();
    for (int key : keys) {
      entries.put(key, "value " + key);
    }
    result = null;
    for (int i = 0; !warm && i < WARM; i++) {
      call();
    }
    warm = true;
    System.gc();
  }

  private Object call() throws Exception {
    switch (work) {
      case "get":
        List<Object> found = new ArrayList<>(keys.length);
        for (int key : keys) {
          found.add(map.get(key));
        }
        return found;
      case "pipeline":
        Pipelining<Object> pipelining = new Pipelining<>(depth);
        for (int key : keys) {
          pipelining.add(map.getAsync(key));
        }
        return pipelining.results();
      case "pipeline_set":
        Pipelining<Void> setting = new Pipelining<>(depth);
        for (Map.Entry<Integer, Object> entry : entries.entrySet()) {
          setting.add(map.setAsync(entry.getKey(), entry.getValue()));
        }
        return setting.results();
      case "get_all":
        return map.getAll(entries.keySet());
      case "put_all":
        map.putAll(entries);
        return List.of();
      case "entry_set":
        // What the client's set holds is deserialized when it is looked at.
        List<Object> all = new ArrayList<>();
        for (Map.Entry<Integer, Object> entry : map.entrySet()) {
          all.add(new SimpleEntry<>(entry.getKey(), entry.getValue()));
        }
        return all;
      case "values":
        // As above.
        return new ArrayList<>(map.values());
      default:
        throw new IllegalArgumentException(work);
    }
  }

  private void tell() throws Exception {
    try (Writer out = Files.newBufferedWriter(Path.of("output"), StandardCharsets.UTF_8)) {
      Collection<?> all =
          result instanceof Map ? ((Map<?, ?>) result).entrySet() : (Collection<?>) result;
      for (Object one : all) {
        out.write(one + "\n");
      }
    }
    result = null;
  }
}
