package jvmwire.peers.hadoop;

import java.io.FileNotFoundException;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.SafeModeAction;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/** Traffic that shows in a report: much of it, slow, again and again, or all at once. */
final class Load {
  private static final Path EVENTS = new Path("/data/events");
  private static final int WRITERS = 6;
  private static final int DIRECTORIES_EACH = 450;
  private static final int FILES_EACH = 50;

  private Load() {}

  /** Makes 3,000 entries: three pages of a listing. */
  static void fill(DistributedFileSystem fs) throws Exception {
    fs.mkdirs(EVENTS);
    NameNodeScenario.together(
        WRITERS,
        writer -> {
          for (int i = 0; i < DIRECTORIES_EACH; i++) {
            fs.mkdirs(new Path(EVENTS, String.format("hour=%02d-%04d", writer, i)));
          }
          for (int i = 0; i < FILES_EACH; i++) {
            fs.create(new Path(EVENTS, String.format("late-%02d-%04d", writer, i))).close();
          }
        });
    fs.listStatus(EVENTS);
    Path deep = new Path("/data/deep");
    for (int i = 0; i < 40; i++) {
      deep = new Path(deep, "level-" + i);
    }
    fs.mkdirs(deep);
  }

  /** Counts and lists the thousands of entries from many threads: the NameNode falls behind. */
  static void slow(DistributedFileSystem fs, DistributedFileSystem scanner) throws Exception {
    NameNodeScenario.together(
        24,
        reader -> {
          DistributedFileSystem mine = reader % 4 == 0 ? scanner : fs;
          for (int i = 0; i < 40; i++) {
            mine.getContentSummary(new Path("/data"));
          }
          if (reader % 3 == 0) {
            mine.listStatus(EVENTS);
          }
        });
    scanner.close();
  }

  /** Writes while the NameNode is in safe mode: the client retries, by its policy, until it may. */
  static void retry(DistributedFileSystem admin, DistributedFileSystem fs) throws Exception {
    admin.setSafeMode(SafeModeAction.ENTER);
    Thread leave =
        new Thread(
            () -> {
              try {
                NameNodeScenario.pause(900);
                admin.saveNamespace();
                NameNodeScenario.pause(500);
                admin.setSafeMode(SafeModeAction.LEAVE);
              } catch (Exception e) {
                throw new IllegalStateException("still in safe mode", e);
              }
            });
    leave.start();

    NameNodeScenario.together(8, writer -> fs.mkdirs(new Path("/data/ingest/" + writer)));
    leave.join();
    fs.close();
  }

  /** Asks again and again, without a pause worth the name, for a thing that is not there. */
  static void storm(DistributedFileSystem fs) throws Exception {

    for (int i = 0; i < 300; i++) {
      try {
        fs.open(new Path("/data/events/_SUCCESS")).close();
        throw new IllegalStateException("/data/events/_SUCCESS is there");
      } catch (FileNotFoundException e) {
        NameNodeScenario.pause(4);
      }
    }
    fs.close();
  }

  /** Has 32 calls in flight on one connection, again and again for a moment. */
  static void burst(DistributedFileSystem fs) throws Exception {
    NameNodeScenario.together(
        32,
        reader -> {
          for (int i = 0; i < 40; i++) {
            fs.getFileStatus(
                new Path(EVENTS, String.format("hour=%02d-%04d", reader % WRITERS, i)));
          }
        });
  }
}
