package jvmwire;

import java.io.Serializable;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.storm.Config;
import org.apache.storm.metric.api.rpc.AssignableShellMetric;
import org.apache.storm.metric.api.rpc.CountShellMetric;
import org.apache.storm.metric.api.rpc.IShellMetric;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.tuple.Fields;

/** What a component in another language declares: as Flux's wrappers, and direct streams and metrics. */
final class Declared implements Serializable {
  private static final long serialVersionUID = 1;

  private final LinkedHashMap<String, String[]> streams = new LinkedHashMap<>();
  private final HashSet<String> direct = new HashSet<>();
  private final HashMap<String, Object> config = new HashMap<>();
  private final LinkedHashMap<String, String> metrics = new LinkedHashMap<>();

  void stream(String name, String[] fields, boolean isDirect) {
    streams.put(name, fields);
    if (isDirect) {
      direct.add(name);
    }
  }

  void config(String key, Object value) {
    config.put(key, value);
  }

  void metric(String name, String kind) {
    metrics.put(name, kind);
  }

  void register(Map<String, Object> conf, TopologyContext context) {
    int seconds = ((Number) conf.get(Config.TOPOLOGY_BUILTIN_METRICS_BUCKET_SIZE_SECS)).intValue();
    for (Map.Entry<String, String> metric : metrics.entrySet()) {
      context.registerMetric(metric.getKey(), made(metric.getValue()), seconds);
    }
  }

  private static IShellMetric made(String kind) {
    switch (kind) {
      case "count":
        return new CountShellMetric();
      case "value":
        return new AssignableShellMetric(null);
      case "mean":
        return new Mean();
      default:
        throw new IllegalArgumentException("no kind of metrics: " + kind);
    }
  }

  /** The mean of the numbers since it was read last, of any type that Storm's parser makes. */
  private static final class Mean implements IShellMetric {
    private double sum;
    private long count;

    @Override
    public synchronized void updateMetricFromRPC(Object value) {
      sum += ((Number) value).doubleValue();
      count++;
    }

    @Override
    public synchronized Object getValueAndReset() {
      Object mean = count == 0 ? null : sum / count;
      sum = 0;
      count = 0;
      return mean;
    }
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
