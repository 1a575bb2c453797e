package jvmwire;

import java.util.Map;
import org.apache.storm.spout.ShellSpout;
import org.apache.storm.topology.IRichSpout;
import org.apache.storm.topology.OutputFieldsDeclarer;

/** A spout in another language, with direct streams, which Flux's wrapper lacks. */
public final class DirectSpout extends ShellSpout implements IRichSpout {
  private static final long serialVersionUID = 1;

  private final Declared declared = new Declared();

  public DirectSpout(String[] command) {
    super(command);
  }

  public void setNamedStream(String name, String[] fields) {
    declared.stream(name, fields, false);
  }

  public void setDirectStream(String name, String[] fields) {
    declared.stream(name, fields, true);
  }

  public void addComponentConfig(String key, Object value) {
    declared.config(key, value);
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
