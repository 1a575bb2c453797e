package jvmwire.peers.storm;

import java.util.Map;
import org.apache.storm.metric.api.rpc.CountShellMetric;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.task.ShellBolt;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.IRichBolt;
import org.apache.storm.topology.OutputFieldsDeclarer;

/** A bolt in another language with direct streams and a metric `count`, which Flux's wrapper lacks. */
public final class PeerBolt extends ShellBolt implements IRichBolt {
  private static final long serialVersionUID = 1;
  private static final int METRIC_SECONDS = 1;

  private final Declared declared = new Declared();

  public PeerBolt(String[] command) {
    super(command);
  }

  public void setNamedStream(String name, String[] fields) {
    declared.stream(name, fields);
  }

  public void setDirectStream(String name, String[] fields) {
    declared.directStream(name, fields);
  }

  public void addComponentConfig(String key, Object value) {
    declared.config(key, value);
  }

  @Override
  public void prepare(Map<String, Object> conf, TopologyContext context, OutputCollector collector) {
    context.registerMetric("count", new CountShellMetric(), METRIC_SECONDS);
    super.prepare(conf, context, collector);
  }

  @Override
  public void declareOutputFields(OutputFieldsDeclarer declarer) {
    declared.declare(declarer);
  }

  @Override
  public Map<String, Object> getComponentConfiguration() {
    return declared.config();
  }
}
