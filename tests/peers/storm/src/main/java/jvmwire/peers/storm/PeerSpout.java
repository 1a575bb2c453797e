package jvmwire.peers.storm;

import java.util.Map;
import org.apache.storm.metric.api.rpc.CountShellMetric;
import org.apache.storm.spout.ShellSpout;
import org.apache.storm.spout.SpoutOutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.IRichSpout;
import org.apache.storm.topology.OutputFieldsDeclarer;

/** A spout in another language with direct streams and a metric `count`, which Flux's wrapper lacks. */
public final class PeerSpout extends ShellSpout implements IRichSpout {
  private static final long serialVersionUID = 1;
  private static final int METRIC_SECONDS = 1;

  private final Declared declared = new Declared();

  public PeerSpout(String[] command) {
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
  public void open(Map<String, Object> conf, TopologyContext context, SpoutOutputCollector collector) {
    context.registerMetric("count", new CountShellMetric(), METRIC_SECONDS);
    super.open(conf, context, collector);
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
