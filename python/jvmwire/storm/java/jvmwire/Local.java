package jvmwire;

import java.io.PrintWriter;
import java.lang.reflect.InvocationTargetException;
import java.util.Arrays;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.core.config.Configurator;
import org.apache.storm.LocalCluster;
import org.apache.storm.generated.TopologySummary;
import org.apache.storm.metric.api.IMetricsConsumer;
import org.apache.storm.metric.api.IMetricsConsumer.DataPoint;
import org.apache.storm.metric.api.IMetricsConsumer.TaskInfo;
import org.apache.storm.task.IErrorReporter;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.utils.NimbusClient;

/**
 * Runs a class that submits topologies in a LocalCluster: for some seconds, or until standard input ends.
 *
 * <p>Arguments: seconds, a file for the summary, the class, its arguments. A line of the summary is a
 * component's name, and what it emitted, acked and failed, parted by tabs.
 */
public final class Local {
  private static final long METRICS_MS = 2500; // two periods and a half of what jvmwire has counted
  private static final String[] NAMES = {"__emit-count", "__ack-count", "__fail-count"};
  private static final Map<Count, Long> VALUES = new TreeMap<>();

  private Local() {}

  public static void main(String[] args) throws Exception {
    String[] rest = Arrays.copyOfRange(args, 3, args.length);
    try (LocalCluster cluster = new LocalCluster();
        NimbusClient.LocalOverride local = new NimbusClient.LocalOverride(cluster)) {
      try {
        Class.forName(args[2]).getMethod("main", String[].class).invoke(null, (Object) rest);
      } catch (InvocationTargetException e) {
        e.getCause().printStackTrace();
        Runtime.getRuntime().halt(1);
      }
      await(Long.parseLong(args[0]));
      for (TopologySummary topology : cluster.getClusterInfo().get_topologies()) {
        cluster.deactivate(topology.get_name());
      }
      Thread.sleep(METRICS_MS);
      write(args[1]);
      // What is logged from here on is that processes end which were told to.
      Configurator.setAllLevels("", Level.OFF);
      for (TopologySummary topology : cluster.getClusterInfo().get_topologies()) {
        cluster.killTopologyWithOpts(topology.get_name(), LocalCluster.KILL_NOW);
      }
    }
    System.exit(0);
  }

  private static void await(long seconds) throws InterruptedException {
    Thread reader =
        new Thread(
            () -> {
              try {
                while (System.in.read() >= 0) {}
              } catch (java.io.IOException e) {
                return; // it ended too
              }
            });
    reader.setDaemon(true);
    reader.start();
    reader.join(seconds * 1000);
  }

  private static synchronized void write(String path) throws Exception {
    Map<String, long[]> totals = new TreeMap<>();
    for (Map.Entry<Count, Long> one : VALUES.entrySet()) {
      long[] counts = totals.computeIfAbsent(one.getKey().component, any -> new long[NAMES.length]);
      counts[one.getKey().which] += one.getValue();
    }
    try (PrintWriter file = new PrintWriter(path, "UTF-8")) {
      totals.forEach(
          (component, counts) ->
              file.println(component + "\t" + counts[0] + "\t" + counts[1] + "\t" + counts[2]));
    }
  }

  private static synchronized void take(TaskInfo task, DataPoint point) {
    for (int which = 0; which < NAMES.length; which++) {
      if (!point.name.startsWith(NAMES[which])) {
        continue;
      }
      String rest = point.name.substring(NAMES[which].length());
      if (rest.isEmpty() && point.value instanceof Map) { // before Storm 2.3: since the last time
        for (Map.Entry<?, ?> of : ((Map<?, ?>) point.value).entrySet()) {
          Count count = new Count(task, which, String.valueOf(of.getKey()));
          count.keep(((Number) of.getValue()).longValue(), true);
        }
      } else if (rest.startsWith("-") && point.value instanceof Long) { // since then: in all
        new Count(task, which, rest.substring(1)).keep((Long) point.value, false);
      }
    }
  }

  /** What is counted of one stream by one task. */
  private static final class Count implements Comparable<Count> {
    final String component;
    final int which;
    private final String stream;
    private final String name;

    Count(TaskInfo task, int which, String stream) {
      component = task.srcComponentId;
      this.which = which;
      this.stream = stream;
      name = component + " " + task.srcTaskId + " " + which + " " + stream;
    }

    void keep(long value, boolean adds) {
      boolean isOfStorm = stream.startsWith("__") || stream.contains(":__"); // ticks, metrics, acks
      if (!isOfStorm) {
        VALUES.merge(this, value, adds ? Long::sum : (before, now) -> now);
      }
    }

    @Override
    public int compareTo(Count other) {
      return name.compareTo(other.name);
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Count && name.equals(((Count) other).name);
    }

    @Override
    public int hashCode() {
      return name.hashCode();
    }
  }

  /** Takes what tasks count. */
  public static final class Totals implements IMetricsConsumer {
    @Override
    public void prepare(
        Map<String, Object> conf, Object argument, TopologyContext context, IErrorReporter errors) {}

    @Override
    public void handleDataPoints(TaskInfo task, Collection<DataPoint> points) {
      for (DataPoint point : points) {
        take(task, point);
      }
    }

    @Override
    public void cleanup() {}
  }
}
