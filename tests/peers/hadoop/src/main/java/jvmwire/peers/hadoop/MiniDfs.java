package jvmwire.peers.hadoop;

import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * A NameNode and its DataNodes on 127.0.0.1.
 *
 * <p>Arguments: {@code PORT DATANODES [key=value...]}. The command {@code metrics} answers with the
 * NameNode's own counters of its RPC port, as one line of JSON.
 */
public final class MiniDfs {
  private MiniDfs() {}

  public static void main(String[] args) throws Exception {
    int port = Integer.parseInt(args[0]);
    int dataNodes = Integer.parseInt(args[1]);
    Configuration conf = Peer.configuration(args, 2);
    conf.set(MiniDFSCluster.HDFS_MINIDFS_BASEDIR, Files.createTempDirectory("minidfs").toString());
    // Before the first user is looked up: it fixes the mapping of users to groups.
    UserGroupInformation.setConfiguration(conf);
    // Symbolic links are off in Hadoop unless the process that serves them asks for them.
    FileSystem.enableSymlinks();
    try (MiniDFSCluster cluster =
        new MiniDFSCluster.Builder(conf).nameNodePort(port).numDataNodes(dataNodes).build()) {
      cluster.waitActive();
      RpcMetrics metrics = new RpcMetrics(cluster.getNameNodePort());
      InetSocketAddress service = cluster.getNameNode().getServiceRpcAddress();
      InetSocketAddress web = cluster.getNameNode().getHttpAddress();
      String ready =
          cluster.getNameNodePort() + " service=" + service.getPort() + " web=" + web.getPort();
      Peer.serve(ready, Map.of("metrics", metrics::toJson));
      cluster.shutdown(true);
    }
    System.exit(0);
  }
}
