package jvmwire.peers.hadoop;

import java.nio.file.Files;
import java.util.Map;
import java.util.concurrent.Callable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.MiniDFSNNTopology;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * Two NameNodes that stand in for each other, without DataNodes; the first one is active.
 *
 * <p>Arguments: {@code [key=value...]}. {@code active0} and {@code active1} make one of them active
 * and the other one standby; {@code stop0} and {@code stop1} end one.
 */
public final class PairedDfs {
  private final MiniDFSCluster cluster;

  private PairedDfs(MiniDFSCluster cluster) {
    this.cluster = cluster;
  }

  public static void main(String[] args) throws Exception {
    Configuration conf = Peer.configuration(args, 0);
    conf.set(MiniDFSCluster.HDFS_MINIDFS_BASEDIR, Files.createTempDirectory("paired").toString());
    UserGroupInformation.setConfiguration(conf);
    MiniDFSNNTopology topology = MiniDFSNNTopology.simpleHATopology();
    try (MiniDFSCluster cluster =
        new MiniDFSCluster.Builder(conf).nnTopology(topology).numDataNodes(0).build()) {
      PairedDfs pair = new PairedDfs(cluster);
      cluster.waitActive();
      cluster.transitionToActive(0);
      String ready = cluster.getNameNodePort(0) + " standby=" + cluster.getNameNodePort(1);
      Map<String, Callable<String>> commands =
          Map.of(
              "active0", () -> pair.activate(0),
              "active1", () -> pair.activate(1),
              "stop0", () -> pair.stop(0),
              "stop1", () -> pair.stop(1));
      Peer.serve(ready, commands);
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

  private String stop(int index) {
    cluster.shutdownNameNode(index);
    return "stopped " + index;
  }
}
