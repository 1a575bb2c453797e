package jvmwire.peers.storm;

import java.io.Serializable;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.tuple.Fields;

/** What a component of Flux declares: as Flux's own wrappers, and direct streams too. */
final class Declared implements Serializable {
  private static final long serialVersionUID = 1;

  private final LinkedHashMap<String, String[]> streams = new LinkedHashMap<>();
  private final LinkedHashSet<String> direct = new LinkedHashSet<>();
  private final HashMap<String, Object> config = new HashMap<>();

  void stream(String name, String[] fields) {
    streams.put(name, fields);
  }

  void directStream(String name, String[] fields) {
    direct.add(name);
    stream(name, fields);
  }

  void config(String key, Object value) {
    config.put(key, value);
  }

  void declare(OutputFieldsDeclarer declarer) {
    Set<String> directOnes = direct;
    streams.forEach(
        (name, fields) ->
            declarer.declareStream(name, directOnes.contains(name), new Fields(fields)));
  }

  Map<String, Object> config() {
    return config;
  }
}
