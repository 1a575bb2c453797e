package jvmwire.peers.hadoop;

import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.ipc.CallerContext;

/** A user who looks at the same few paths all the time: the even ground under the other traffic. */
final class Dashboard implements AutoCloseable {
  private static final long INTERVAL_MS = 60;
  private static final int LISTING_EVERY = 8;

  private final DistributedFileSystem fs;
  private final Thread thread = new Thread(this::look, "dashboard");
  private volatile boolean closed;
  private volatile Exception failure;

  Dashboard(DistributedFileSystem fs) {
    this.fs = fs;
  }

  void start() {
    thread.start();
  }

  private void look() {
    CallerContext.setCurrent(new CallerContext.Builder("dashboard").build());
    try {
      for (int i = 0; !closed; i++) {
        fs.exists(new Path("/user/alice/report-" + i % 3));
        if (i % LISTING_EVERY == 0) {
          fs.listStatus(new Path("/user"));
          fs.getStatus();
        }
        NameNodeScenario.pause(INTERVAL_MS);
      }
    } catch (Exception e) {
      failure = e;
    }
  }

  @Override
  public void close() {
    closed = true;
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (failure != null) {
      throw new IllegalStateException("the dashboard died", failure);
    }
  }
}
