package jvmwire.peers.hadoop;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.nodemanager.NodeManager;
import org.apache.hadoop.yarn.server.resourcemanager.ResourceManager;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.ResourceScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fifo.FifoScheduler;

/**
 * A ResourceManager and one NodeManager on 127.0.0.1; the port is that of YARN's clients.
 *
 * <p>Arguments: {@code [key=value...]}.
 */
public final class MiniYarn {
  private static final List<String> ADDRESSES =
      List.of(
          YarnConfiguration.RM_ADDRESS,
          YarnConfiguration.RM_ADMIN_ADDRESS,
          YarnConfiguration.RM_RESOURCE_TRACKER_ADDRESS,
          YarnConfiguration.RM_SCHEDULER_ADDRESS,
          YarnConfiguration.RM_WEBAPP_ADDRESS,
          YarnConfiguration.NM_ADDRESS,
          YarnConfiguration.NM_LOCALIZER_ADDRESS,
          YarnConfiguration.NM_COLLECTOR_SERVICE_ADDRESS,
          YarnConfiguration.NM_WEBAPP_ADDRESS);

  private MiniYarn() {}

  public static void main(String[] args) throws Exception {
    Configuration conf = new YarnConfiguration(Peer.configuration(args, 0));
    ADDRESSES.forEach(address -> conf.set(address, "127.0.0.1:0"));
    conf.setClass(YarnConfiguration.RM_SCHEDULER, FifoScheduler.class, ResourceScheduler.class);
    Path directory = Files.createTempDirectory("yarn");
    // Else servers of two test runs, or of two at once, would share what they keep in /tmp.
    conf.set("hadoop.tmp.dir", directory.resolve("tmp").toString());
    conf.set(
        YarnConfiguration.FS_NODE_LABELS_STORE_ROOT_DIR, directory.resolve("labels").toUri().toString());
    conf.set(
        YarnConfiguration.FS_NODE_ATTRIBUTE_STORE_ROOT_DIR,
        directory.resolve("attributes").toUri().toString());
    conf.set(YarnConfiguration.NM_LOCAL_DIRS, directory.resolve("local").toString());
    conf.set(YarnConfiguration.NM_LOG_DIRS, directory.resolve("logs").toString());
    // How full the disk of this machine is says nothing about the node.
    conf.setBoolean(YarnConfiguration.NM_DISK_HEALTH_CHECK_ENABLE, false);
    UserGroupInformation.setConfiguration(conf);
    try (ResourceManager manager = new ResourceManager();
        NodeManager node = new NodeManager()) {
      manager.init(conf);
      manager.start();
      conf.set(
          YarnConfiguration.RM_RESOURCE_TRACKER_ADDRESS,
          manager.getConfig().get(YarnConfiguration.RM_RESOURCE_TRACKER_ADDRESS));
      node.init(conf);
      node.start();
      Peer.serve(
          String.valueOf(manager.getClientRMService().getBindAddress().getPort()), Map.of());
    }
    System.exit(0);
  }
}
