package jvmwire.peers.hadoop;

import java.lang.reflect.Method;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.MiniDFSNNTopology;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.server.namenode.ha.ReadOnly;

/**
 * Three NameNodes that stand in for each other, without DataNodes: active, standby, observer.
 *
 * <p>Arguments: {@code [key=value...]}. {@code active0} and {@code active1} make one of the first two
 * active and the other one standby; {@code observer2} and {@code standby2} say what the third is;
 * {@code metrics0} to {@code metrics2} say what each was asked; {@code reads} names the methods of
 * ClientProtocol that an observer may answer.
 */
public final class ObservedDfs {
  private final MiniDFSCluster cluster;

  private ObservedDfs(MiniDFSCluster cluster) {
    this.cluster = cluster;
  }

  public static void main(String[] args) throws Exception {
    Configuration conf = Peer.configuration(args, 0);
    conf.set(MiniDFSCluster.HDFS_MINIDFS_BASEDIR, Files.createTempDirectory("observed").toString());
    MiniDFSNNTopology topology = MiniDFSNNTopology.simpleHATopology(3);
    try (MiniDFSCluster cluster =
        new MiniDFSCluster.Builder(conf).nnTopology(topology).numDataNodes(0).build()) {
      ObservedDfs peer = new ObservedDfs(cluster);
      cluster.waitActive();
      cluster.transitionToActive(0);
      cluster.transitionToObserver(2);
      Map<String, Callable<String>> commands = new HashMap<>();
      commands.put("active0", () -> peer.activate(0));
      commands.put("active1", () -> peer.activate(1));
      commands.put("observer2", () -> peer.observe());
      commands.put("standby2", () -> peer.standBy());
      commands.put("reads", ObservedDfs::reads);
      for (int index = 0; index < 3; index++) {
        RpcMetrics metrics = new RpcMetrics(cluster.getNameNodePort(index));
        commands.put("metrics" + index, metrics::toJson);
      }
      String ready =
          "%d standby=%d observer=%d"
              .formatted(
                  cluster.getNameNodePort(0),
                  cluster.getNameNodePort(1),
                  cluster.getNameNodePort(2));
      Peer.serve(ready, commands);
    }
    System.exit(0);
  }

  private String activate(int index) throws Exception {
    cluster.transitionToStandby(1 - index);
    cluster.transitionToActive(index);
    return "active " + index;
  }

  private String observe() throws Exception {
    cluster.transitionToObserver(2);
    return "observer 2";
  }

  private String standBy() throws Exception {
    cluster.transitionToStandby(2);
    return "standby 2";
  }

  /** As ObserverReadProxyProvider judges a method. */
  private static String reads() {
    TreeSet<String> names = new TreeSet<>();
    for (Method method : ClientProtocol.class.getMethods()) {
      ReadOnly read = method.getAnnotation(ReadOnly.class);
      if (read != null && !read.activeOnly()) {
        names.add(method.getName());
      }
    }
    return String.join(" ", names);
  }
}
