package jvmwire;

import java.util.Map;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.task.ShellBolt;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.IRichBolt;
import org.apache.storm.topology.OutputFieldsDeclarer;

/** A bolt in another language, with direct streams and metrics, which Flux's wrapper lacks. */
public final class Bolt extends ShellBolt implements IRichBolt {
  private static final long serialVersionUID = 1;

  private final Declared declared = new Declared();

  public Bolt(String[] command) {
    super(command);
  }

  public void setNamedStream(String name, String[] fields) {
    declared.stream(name, fields, false);
  }

  public void setDirectStream(String name, String[] fields) {
    declared.stream(name, fields, true);
  }

  public void registerMetric(String name, String kind) {
    declared.metric(name, kind);
  }

  public void addComponentConfig(String key, Object value) {
    declared.config(key, value);
  }

  @Override
  public void prepare(Map<String, Object> conf, TopologyContext context, OutputCollector output) {
    declared.register(conf, context);
    super.prepare(conf, context, output);
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
