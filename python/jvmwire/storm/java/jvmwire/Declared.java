package jvmwire;

import java.io.Serializable;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.tuple.Fields;

/** What a component in another language declares: as Flux's wrappers, and direct streams too. */
final class Declared implements Serializable {
  private static final long serialVersionUID = 1;

  private final LinkedHashMap<String, String[]> streams = new LinkedHashMap<>();
  private final HashSet<String> direct = new HashSet<>();
  private final HashMap<String, Object> config = new HashMap<>();

  void stream(String name, String[] fields, boolean isDirect) {
    streams.put(name, fields);
    if (isDirect) {
      direct.add(name);
    }
  }

  void config(String key, Object value) {
    config.put(key, value);
  }

  void declare(OutputFieldsDeclarer declarer) {
    for (Map.Entry<String, String[]> stream : streams.entrySet()) {
      String name = stream.getKey();
      declarer.declareStream(name, direct.contains(name), new Fields(stream.getValue()));
    }
  }

  Map<String, Object> config() {
    return config;
  }
}
