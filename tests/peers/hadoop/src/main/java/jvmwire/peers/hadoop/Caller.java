package jvmwire.peers.hadoop;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.protocol.DirectoryListing;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;

/**
 * Java's client, warm: {@code Caller <port> <work> <threads>}. {@code prepare} reads paths from the
 * file input, a line each; {@code run} does the work and says how many nanoseconds it took;
 * {@code tell} writes what came of it into the file output, a line each: of {@code stat} whether
 * the path exists, of {@code list} the paths of what is in it.
 */
public final class Caller {
  private static final int WARM = 10;

  private final DFSClient client;
  private final Callable<List<String>> work;
  private final int threads;
  private final ExecutorService pool;
  private List<String> paths = List.of();
  private List<String> result = List.of();
  private boolean warm;

  private Caller(DFSClient client, String work, int threads) {
    this.client = client;
    this.work = work.equals("list") ? this::list : this::stat;
    this.threads = threads;
    pool = Executors.newFixedThreadPool(threads);
  }

  public static void main(String[] args) throws Exception {
    URI uri = new URI("hdfs://127.0.0.1:" + args[0]);
    DFSClient client = new DFSClient(uri, new Configuration());
    Caller caller = new Caller(client, args[1], Integer.parseInt(args[2]));
    Peer.serve(
        "0", Map.of("prepare", caller::prepare, "run", caller::run, "tell", caller::tell));
    System.exit(0);
  }

  private String prepare() throws Exception {
    paths = Files.readAllLines(Path.of("input"));
    for (int i = 0; !warm && i < WARM; i++) {
      work.call();
    }
    warm = true;
    System.gc();
    return "prepared";
  }

  private String run() throws Exception {
    long wall = System.nanoTime();
    result = work.call();
    return String.valueOf(System.nanoTime() - wall);
  }

  private String tell() throws IOException {
    Files.write(Path.of("output"), result);
    result = List.of();
    return "told";
  }

  private List<String> stat() throws Exception {
    if (threads == 1) {
      return stat(0);
    }
    List<Future<List<String>>> parts = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      int first = i;
      parts.add(pool.submit(() -> stat(first)));
    }
    String[] all = new String[paths.size()];
    for (int i = 0; i < threads; i++) {
      List<String> part = parts.get(i).get();
      for (int j = 0; j < part.size(); j++) {
        all[i + j * threads] = part.get(j);
      }
    }
    return List.of(all);
  }

  /** Every path that is this thread's. */
  private List<String> stat(int first) throws IOException {
    List<String> found = new ArrayList<>();
    for (int i = first; i < paths.size(); i += threads) {
      found.add(client.getFileInfo(paths.get(i)) == null ? "no" : "yes");
    }
    return found;
  }

  private List<String> list() throws IOException {
    List<String> found = new ArrayList<>();
    for (String path : paths) {
      byte[] after = HdfsFileStatus.EMPTY_NAME;
      DirectoryListing page;
      do {
        page = client.listPaths(path, after);
        for (HdfsFileStatus status : page.getPartialListing()) {
          found.add(status.getFullName(path));
        }
        after = page.getLastName();
      } while (page.hasMore());
    }
    return found;
  }
}
