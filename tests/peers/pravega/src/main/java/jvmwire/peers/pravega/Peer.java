package jvmwire.peers.pravega;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;

/** The contract every peer keeps with the kit: a READY line, commands on stdin, an end with it. */
final class Peer {
  private Peer() {}

  /** What answers the words of a command. */
  interface Commands {
    String answer(String[] words) throws Exception;
  }

  /** Says READY, then answers each command on stdin with one line on stdout, until stdin ends. */
  static void serve(String ready, Commands commands) throws Exception {
    say("READY " + ready);
    BufferedReader stdin =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = stdin.readLine(); line != null; line = stdin.readLine()) {
      say(commands.answer(line.split(" ")));
    }
  }

  private static void say(String line) throws IOException {
    System.out.println(line);
    System.out.flush();
  }
}
