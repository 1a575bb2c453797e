package jvmwire.peers.hazelcast;

import com.hazelcast.client.HazelcastClient;
import com.hazelcast.client.config.ClientConfig;
import com.hazelcast.core.HazelcastInstance;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;

/**
 * Java's client: {@code ClientPeer <ports of members, with commas>}. Says READY,
 * and answers lines of stdin as {@link Member} does, until stdin ends.
 */
public final class ClientPeer {
  private ClientPeer() {}

  public static void main(String[] args) throws Exception {
    ClientConfig config = new ClientConfig();
    config.setProperty("hazelcast.logging.type", "jdk");
    for (String port : args[0].split(",")) {
      config.getNetworkConfig().addAddress("127.0.0.1:" + port);
    }
    HazelcastInstance client = HazelcastClient.newHazelcastClient(config);
    Member.say("READY " + args[0].split(",")[0]);
    BufferedReader stdin =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = stdin.readLine(); line != null; line = stdin.readLine()) {
      Member.say("ANSWER " + Member.answer(client, line.strip().split(" ")));
    }
    Runtime.getRuntime().halt(0);
  }
}
