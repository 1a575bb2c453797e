package jvmwire.peers.hadoop;

import java.lang.reflect.Method;
import java.nio.file.Files;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.MiniDFSNNTopology;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.server.namenode.ha.ReadOnly;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * NameNodes that stand in for each other, without DataNodes: the first one is active, the second
 * one standby, the third one, if there is one, an observer.
 *
 * <p>Arguments: {@code count [key=value...]}. {@code active0} and {@code active1} make one of the
 * first two active and the other one standby; {@code observer2} and {@code standby2} say what the
 * third is; {@code stop0} to {@code stop2} end one; {@code metrics0} to {@code metrics2} say what
 * each was asked; {@code reads} names the methods of ClientProtocol that an observer may answer.
 */
public final class SharedDfs {
  private static final String[] NAMES = {"", " standby=", " observer="};

  private final MiniDFSCluster cluster;

  private SharedDfs(MiniDFSCluster cluster) {
    this.cluster = cluster;
  }

  public static void main(String[] args) throws Exception {
    int count = Integer.parseInt(args[0]);
    Configuration conf = Peer.configuration(args, 1);
    conf.set(MiniDFSCluster.HDFS_MINIDFS_BASEDIR, Files.createTempDirectory("shared").toString());
    UserGroupInformation.setConfiguration(conf);
    MiniDFSNNTopology topology = MiniDFSNNTopology.simpleHATopology(count);
    try (MiniDFSCluster cluster =
        new MiniDFSCluster.Builder(conf).nnTopology(topology).numDataNodes(0).build()) {
      SharedDfs peer = new SharedDfs(cluster);
      cluster.waitActive();
      cluster.transitionToActive(0);
      Map<String, Callable<String>> commands = new HashMap<>();
      commands.put("active0", () -> peer.activate(0));
      commands.put("active1", () -> peer.activate(1));
      if (count > 2) {
        peer.observe();
        commands.put("observer2", peer::observe);
        commands.put("standby2", peer::standBy);
      }
      commands.put("reads", SharedDfs::reads);
      StringBuilder ready = new StringBuilder();
      for (int i = 0; i < count; i++) {
        int index = i;
        ready.append(NAMES[index]).append(cluster.getNameNodePort(index));
        commands.put("stop" + index, () -> peer.stop(index));
        RpcMetrics metrics = new RpcMetrics(cluster.getNameNodePort(index));
        commands.put("metrics" + index, metrics::toJson);
      }
      Peer.serve(ready.toString(), commands);
    }
    System.exit(0);
  }

  private String activate(int index) throws Exception {
    if (cluster.getNameNode(1 - index) != null) {
      cluster.transitionToStandby(1 - index);
    }
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

  private String stop(int index) {
    cluster.shutdownNameNode(index);
    return "stopped " + index;
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
