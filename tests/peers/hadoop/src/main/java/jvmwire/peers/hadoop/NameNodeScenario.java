package jvmwire.peers.hadoop;

import java.net.InetSocketAddress;
import java.net.URI;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.ipc.CallerContext;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * Twenty seconds in the life of a NameNode, as its clients cause them.
 *
 * <p>Arguments: {@code PORT LOG [key=value...]}. Every RPC is logged to the file LOG by Hadoop's
 * own client. The NameNode must run as the user {@code hdfs}, and this program too.
 */
public final class NameNodeScenario {
  /** Pairs of milliseconds to sleep and times to do so. */
  private static final String RETRY_SPEC = "dfs.client.retry.policy.spec=150,40";

  private static final byte[] SIGNATURE = {1, 2, 3};

  private final URI nameNode;
  private final Configuration conf;

  private NameNodeScenario(int port, Configuration conf) {
    this.nameNode = URI.create("hdfs://127.0.0.1:" + port);
    this.conf = conf;
    // One DataNode cannot be replaced by another.
    conf.set("dfs.client.block.write.replace-datanode-on-failure.policy", "NEVER");
  }

  public static void main(String[] args) throws Exception {
    RpcLog log = new RpcLog(args[1]);
    FileSystem.enableSymlinks();
    int port = Integer.parseInt(args[0]);
    new NameNodeScenario(port, Peer.configuration(args, 2)).run();
    log.close();
    System.exit(0);
  }

  private void run() throws Exception {
    try (DistributedFileSystem hdfs = as("hdfs");
        DistributedFileSystem alice = as("alice");
        DistributedFileSystem bob = as("bob")) {
      act("set-up");
      Administration.makeHomes(hdfs);
      try (Dashboard dashboard = new Dashboard(bob)) {
        dashboard.start();
        pause(800);
        act("nightly-report");
        FileWork.write(alice);
        pause(500);
        FileWork.arrange(alice);
        pause(500);
        FileWork.annotate(alice);
        pause(700);
        act("import");
        Load.fill(alice);
        pause(900);
        act("warehouse-scan");
        Load.slow(alice, as("carol", "ipc.ping.interval=20"));
        pause(1200);
        act("ingest");
        Load.retry(hdfs, as("dave", "dfs.client.retry.policy.enabled=true", RETRY_SPEC));
        pause(600);
        act("broken-job");
        Load.storm(as("erin"));
        pause(1000);
        act("lookup");
        Load.burst(alice);
        pause(800);
        act("trespassing");
        Refusals.byTheFileSystem(hdfs, alice, bob);
        Refusals.byTheServer(address(), conf);
        pause(500);
        act("administration");
        Administration.work(hdfs);
        pause(500);
      }
      act("clean-up");
      FileWork.clear(hdfs);
    }
  }

  private InetSocketAddress address() {
    return new InetSocketAddress(nameNode.getHost(), nameNode.getPort());
  }

  /** Connects as a user. */
  private DistributedFileSystem as(String user, String... settings) throws Exception {
    Configuration own = new Configuration(conf);
    for (String setting : settings) {
      String[] parts = setting.split("=", 2);
      own.set(parts[0], parts[1]);
    }
    return UserGroupInformation.createRemoteUser(user)
        .doAs(
            (PrivilegedExceptionAction<DistributedFileSystem>)
                () -> (DistributedFileSystem) FileSystem.newInstance(nameNode, own));
  }

  /** Begins an act: from now on this thread's calls carry its name as their caller context. */
  private static void act(String name) {
    CallerContext.setCurrent(new CallerContext.Builder(name).setSignature(SIGNATURE).build());
    System.out.println("ACT " + name);
    System.out.flush();
  }

  static void pause(long milliseconds) throws InterruptedException {
    Thread.sleep(milliseconds);
  }

  /** A piece of work that may fail. */
  interface Work {
    void run() throws Exception;
  }

  /** A piece of work for one of many threads. */
  interface NumberedWork {
    void run(int number) throws Exception;
  }

  /** Runs the work in that many threads at once, and fails if one of them did. */
  static void together(int threads, NumberedWork work) throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    List<Future<?>> running = new ArrayList<>();
    CallerContext context = CallerContext.getCurrent();
    for (int i = 0; i < threads; i++) {
      int number = i;
      running.add(
          pool.submit(
              () -> {
                CallerContext.setCurrent(context);
                work.run(number);
                return null;
              }));
    }
    pool.shutdown();
    for (Future<?> one : running) {
      one.get();
    }
  }
}
