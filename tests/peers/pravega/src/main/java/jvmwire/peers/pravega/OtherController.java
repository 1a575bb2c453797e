package jvmwire.peers.pravega;

import io.pravega.controller.server.Main;
import java.io.File;
import java.lang.reflect.Field;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Another controller of an emulator's cluster: Pravega's own program, in a process of its own. */
final class OtherController {
  private static final long PATIENCE_MS = 120_000;

  private final Process process;

  private OtherController(Process process) {
    this.process = process;
  }

  /** Starts one that listens on a port, and returns once it does. */
  static OtherController start(Object emulator, int port, int zooKeeper) throws Exception {
    Object cluster = read(emulator, "inProcPravegaCluster");
    Map<String, String> settings =
        Map.of(
            "controller.cluster.name", (String) read(cluster, "clusterName"),
            "controller.container.count", read(cluster, "containerCount").toString(),
            "controller.zk.connect.uri", "localhost:" + zooKeeper,
            "controller.service.rpc.listener.port", Integer.toString(port),
            "controller.service.rpc.published.host.nameOrIp", "127.0.0.1",
            "controller.service.rpc.published.port", Integer.toString(port),
            "controller.service.rest.listener.port", Integer.toString(port ^ 1),
            "controller.security.auth.delegationToken.signingKey.basis", "secret",
            "logback.statusListenerClass", "ch.qos.logback.core.status.NopStatusListener");
    List<String> command = new ArrayList<>();
    command.add(ProcessHandle.current().info().command().orElseThrow());
    command.add("-Xmx256m");
    settings.forEach((name, value) -> command.add("-D" + name + "=" + value));
    for (String name : List.of("java.io.tmpdir", "jdk.net.hosts.file")) {
      command.add("-D" + name + "=" + System.getProperty(name));
    }
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(new File("OtherController-" + port + ".log"))
            .start();
    Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
    long end = System.currentTimeMillis() + PATIENCE_MS;
    while (process.isAlive() && System.currentTimeMillis() < end) {
      try (Socket ignored = new Socket(InetAddress.getLoopbackAddress(), port)) {
        return new OtherController(process);
      } catch (ConnectException notYet) {
        Thread.sleep(100);
      }
    }
    process.destroyForcibly();
    throw new IllegalStateException("the other controller does not listen");
  }

  void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  private static Object read(Object from, String name) throws Exception {
    Field field = from.getClass().getDeclaredField(name);
    field.setAccessible(true);
    return field.get(from);
  }
}
