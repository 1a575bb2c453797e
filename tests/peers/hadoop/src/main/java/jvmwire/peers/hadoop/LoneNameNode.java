package jvmwire.peers.hadoop;

import java.io.File;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * A NameNode without DataNodes, which goes on where one before it ended, however it did.
 *
 * <p>Arguments: {@code PORT DIRECTORY [key=value...]}.
 */
public final class LoneNameNode {
  private LoneNameNode() {}

  public static void main(String[] args) throws Exception {
    Configuration conf = Peer.configuration(args, 2);
    File names = new File(args[1], "names");
    conf.set("fs.defaultFS", "hdfs://127.0.0.1:" + args[0]);
    conf.set("dfs.namenode.http-address", "127.0.0.1:0");
    conf.set("dfs.namenode.name.dir", names.toURI().toString());
    UserGroupInformation.setConfiguration(conf);
    // What formats and what serves both register their metrics, in one process.
    DefaultMetricsSystem.setMiniClusterMode(true);
    if (!names.exists()) {
      NameNode.format(conf);
    }
    NameNode nameNode = NameNode.createNameNode(new String[0], conf);
    Peer.serve(String.valueOf(nameNode.getNameNodeAddress().getPort()), Map.of());
    nameNode.stop();
    System.exit(0);
  }
}
