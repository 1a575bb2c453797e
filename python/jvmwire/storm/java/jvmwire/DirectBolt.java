package jvmwire;

import java.util.Map;
import org.apache.storm.task.ShellBolt;
import org.apache.storm.topology.IRichBolt;
import org.apache.storm.topology.OutputFieldsDeclarer;

/** A bolt in another language, with direct streams, which Flux's wrapper lacks. */
public final class DirectBolt extends ShellBolt implements IRichBolt {
  private static final long serialVersionUID = 1;

  private final Declared declared = new Declared();

  public DirectBolt(String[] command) {
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
