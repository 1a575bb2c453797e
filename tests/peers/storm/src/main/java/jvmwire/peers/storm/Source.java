package jvmwire.peers.storm;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.storm.Config;
import org.apache.storm.spout.SpoutOutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.base.BaseRichSpout;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Values;

/** Emits tuples as fast as they are taken, and counts those that were processed. */
public final class Source extends BaseRichSpout {
  private static final long serialVersionUID = 1;
  private static final String WORD = "w\u00f6rd \u2713 \ud83d\ude00";
  private static final Map<String, AtomicLong> ACKED = new ConcurrentHashMap<>();

  private transient SpoutOutputCollector collector;
  private transient AtomicLong acked;
  private long number;

  /** How many tuples of a topology were processed. */
  static long acked(String topology) {
    return ofTopology(topology).get();
  }

  private static AtomicLong ofTopology(String name) {
    return ACKED.computeIfAbsent(name, any -> new AtomicLong());
  }

  @Override
  public void open(Map<String, Object> conf, TopologyContext context, SpoutOutputCollector out) {
    collector = out;
    acked = ofTopology((String) conf.get(Config.TOPOLOGY_NAME));
  }

  @Override
  public void nextTuple() {
    number++;
    collector.emit(new Values(WORD, number), number);
  }

  @Override
  public void ack(Object id) {
    acked.incrementAndGet();
  }

  @Override
  public void declareOutputFields(OutputFieldsDeclarer declarer) {
    declarer.declare(new Fields("word", "number"));
  }
}
