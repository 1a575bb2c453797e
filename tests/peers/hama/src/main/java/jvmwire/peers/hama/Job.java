package jvmwire.peers.hama;

import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.List;
import org.apache.hama.HamaConfiguration;
import org.apache.hama.pipes.Submitter;

/** Runs a streaming job in this process: TASKS INTERPRETER PROGRAM ARGUMENTS OUTPUT [INPUT]. */
public final class Job {
  private Job() {}

  public static void main(String[] args) throws Exception {
    // DistributedCacheUtil casts it, as it was before JDK 9.
    Thread.currentThread()
        .setContextClassLoader(new URLClassLoader(new URL[0], Job.class.getClassLoader()));
    HamaConfiguration conf = new HamaConfiguration();
    String temporary = System.getProperty("java.io.tmpdir");
    conf.set("bsp.master.address", "local");
    conf.set("fs.default.name", "file:///");
    conf.set("fs.defaultFS", "file:///");
    conf.set("bsp.local.dir", temporary + "/bsp-local");
    conf.set("hama.tmp.dir", temporary + "/hama");
    conf.set("jvmwire.test.unicode", "h\u00e9llo \u2713");
    conf.set("jvmwire.test.lines", "one\ntwo\nthree");
    List<String> options =
        new ArrayList<>(
            List.of(
                "-streaming", "true",
                "-bspTasks", args[0],
                "-interpreter", args[1],
                "-program", args[2],
                "-programArgs", args[3],
                "-jobname", "test",
                "-output", args[4],
                "-outputformat", "org.apache.hama.bsp.TextOutputFormat"));
    if (args.length > 5) {
      options.addAll(
          List.of("-input", args[5], "-inputformat", "org.apache.hama.bsp.TextInputFormat"));
    }
    int status = new Submitter(conf).run(options.toArray(new String[0]));
    System.out.println("ended with " + status);
    System.exit(status);
  }
}
