package jvmwire.peers.storm;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.reflect.InvocationTargetException;
import java.nio.charset.StandardCharsets;
import org.apache.storm.LocalCluster;
import org.apache.storm.utils.NimbusClient;

/**
 * A cluster in this process. Lines on standard input: `submit YAML`, `activate NAME`, `deactivate NAME`,
 * `kill NAME`; each is answered by `ANSWER ok`, or by what went wrong. `acked NAME` is answered by how
 * many tuples of a {@link Source} were processed.
 */
public final class Cluster {
  private Cluster() {}

  public static void main(String[] args) throws Exception {
    try (LocalCluster cluster = new LocalCluster();
        NimbusClient.LocalOverride local = new NimbusClient.LocalOverride(cluster)) {
      System.out.println("READY cluster");
      BufferedReader lines =
          new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
      for (String line; (line = lines.readLine()) != null; ) {
        String[] words = line.split(" ", 2);
        System.out.println("ANSWER " + answer(cluster, words[0], words[1]).replace('\n', ' '));
      }
    }
    System.exit(0);
  }

  private static String answer(LocalCluster cluster, String verb, String what) {
    try {
      if (verb.equals("acked")) {
        return String.valueOf(Source.acked(what));
      }
      carryOut(cluster, verb, what);
      return "ok";
    } catch (InvocationTargetException e) {
      return String.valueOf(e.getCause());
    } catch (Exception e) {
      return e.toString();
    }
  }

  private static void carryOut(LocalCluster cluster, String verb, String what) throws Exception {
    switch (verb) {
      case "submit":
        // Flux submits as anywhere: here to this cluster. Its description is not published, so that it
        // cannot be compiled against.
        Class.forName("org.apache.storm.flux.Flux")
            .getMethod("main", String[].class)
            .invoke(null, (Object) new String[] {what});
        break;
      case "activate":
        cluster.activate(what);
        break;
      case "deactivate":
        cluster.deactivate(what);
        break;
      case "kill":
        cluster.killTopologyWithOpts(what, LocalCluster.KILL_NOW);
        break;
      default:
        throw new IOException("cannot " + verb);
    }
  }
}
