package jvmwire.peers.hama;

import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.List;
import org.apache.hama.HamaConfiguration;
import org.apache.hama.pipes.Submitter;

/**
 * Runs a streaming job in this process, as {@code hama pipes} does: {@code StreamingJob PEERS
 * INTERPRETER PROGRAM ARGUMENTS OUTPUT [INPUT]}, with properties of the job behind, as {@code name=value}.
 *
 * <p>It must be started in an empty directory: Hama copies the program there, and deletes it.
 */
public final class StreamingJob {
  private StreamingJob() {}

  /** Runs the job; the log says whether it failed, the status does not. */
  public static void main(String[] arguments) throws Exception {
    // Hama expects the class loader of Java 8.
    Thread.currentThread()
        .setContextClassLoader(new URLClassLoader(new URL[0], StreamingJob.class.getClassLoader()));
    HamaConfiguration conf = new HamaConfiguration();
    String tmp = System.getProperty("java.io.tmpdir");
    conf.set("bsp.master.address", "local");
    conf.set("fs.default.name", "file:///");
    conf.set("fs.defaultFS", "file:///");
    conf.set("bsp.local.dir", tmp + "/bsp-local");
    conf.set("hama.tmp.dir", tmp + "/hama");

    List<String> options =
        new ArrayList<>(
            List.of(
                "-streaming", "true",
                "-bspTasks", arguments[0],
                "-interpreter", arguments[1],
                "-program", arguments[2],
                "-programArgs", arguments[3],
                "-output", arguments[4],
                "-outputformat", "org.apache.hama.bsp.TextOutputFormat"));
    for (String argument : List.of(arguments).subList(5, arguments.length)) {
      int equals = argument.indexOf('=');
      if (equals > 0) {
        conf.set(argument.substring(0, equals), argument.substring(equals + 1));
      } else {
        options.addAll(
            List.of("-input", argument, "-inputformat", "org.apache.hama.bsp.TextInputFormat"));
      }
    }
    System.exit(new Submitter(conf).run(options.toArray(new String[0])));
  }
}
