package jvmwire.peers.hadoop;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.Callable;
import org.apache.hadoop.conf.Configuration;

/** The contract every peer keeps with the kit: a READY line, commands on stdin, an end with it. */
final class Peer {
  private Peer() {}

  /** Makes a configuration of the {@code key=value} arguments from {@code first} on. */
  static Configuration configuration(String[] args, int first) {
    Configuration conf = new Configuration();
    for (int i = first; i < args.length; i++) {
      String[] setting = args[i].split("=", 2);
      conf.set(setting[0], setting[1]);
    }
    return conf;
  }

  /** Says READY, then answers each command on stdin with one line on stdout, until stdin ends. */
  static void serve(String ready, Map<String, Callable<String>> commands) throws Exception {
    say("READY " + ready);
    BufferedReader stdin =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = stdin.readLine(); line != null; line = stdin.readLine()) {
      Callable<String> command = commands.get(line.strip());
      if (command == null) {
        throw new IOException("unknown command " + line);
      }
      say(command.call());
    }
  }

  private static void say(String line) {
    System.out.println(line);
    System.out.flush();
  }
}
