package jvmwire.peers.hazelcast;

import com.hazelcast.config.CacheSimpleConfig;
import com.hazelcast.config.Config;
import com.hazelcast.config.JoinConfig;
import com.hazelcast.config.MapStoreConfig;
import com.hazelcast.config.NetworkConfig;
import com.hazelcast.config.RingbufferConfig;
import com.hazelcast.core.Client;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.Message;
import com.hazelcast.core.MessageListener;
import com.hazelcast.map.listener.EntryAddedListener;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.TreeSet;

/**
 * A member: {@code Member <port> <ports of all members, with commas> [property=value...]}, where
 * {@code cp.Name=value} is a setting of the CP subsystem, and {@code deployment=true} lets clients hand
 * in classes. Says READY, answers each line of stdin with one line, ends with stdin.
 */
public final class Member implements MessageListener<Object> {
  private Member() {}

  public static void main(String[] args) throws Exception {
    Config config = new Config();
    config.setProperty("hazelcast.phone.home.enabled", "false");
    config.setProperty("hazelcast.version.check.enabled", "false");
    config.setProperty("hazelcast.logging.type", "jdk");
    config.setProperty("hazelcast.socket.bind.any", "false");
    config.setProperty("hazelcast.shutdownhook.enabled", "false");
    config.setProperty("hazelcast.wait.seconds.before.join", "0");
    config.setProperty("hazelcast.max.wait.seconds.before.join", "0");
    for (int i = 2; i < args.length; i++) {
      String[] setting = args[i].split("=", 2);
      if (setting[0].startsWith("cp.")) {
        setOfCp(config, setting[0].substring(3), Integer.parseInt(setting[1]));
      } else if (setting[0].equals("deployment")) {
        allowDeployment(config);
      } else {
        config.setProperty(setting[0], setting[1]);
      }
    }
    NetworkConfig network = config.getNetworkConfig();
    network.setPort(Integer.parseInt(args[0])).setPortAutoIncrement(false);
    network.getInterfaces().setEnabled(true).addInterface("127.0.0.1");
    JoinConfig join = network.getJoin();
    join.getMulticastConfig().setEnabled(false);
    join.getTcpIpConfig().setEnabled(true);
    for (String port : args[1].split(",")) {
      join.getTcpIpConfig().addMember("127.0.0.1:" + port);
    }
    config.addRingBufferConfig(new RingbufferConfig("small*").setCapacity(10));
    RingbufferConfig held = new RingbufferConfig("held*").setCapacity(10);
    config.addRingBufferConfig(held.setTimeToLiveSeconds(3600));
    config.addCacheConfig(new CacheSimpleConfig().setName("cache*"));
    config.getMapConfig("single*").setBackupCount(0);
    MapStoreConfig store = new MapStoreConfig().setImplementation(new Store());
    config.getMapConfig("stored*").setMapStoreConfig(store);
    config.getSerializationConfig().addDataSerializableFactory(Work.FACTORY, id -> new Work());
    HazelcastInstance member = Hazelcast.newHazelcastInstance(config);
    say("READY " + args[0] + " uuid=" + member.getCluster().getLocalMember().getUuid());
    BufferedReader stdin =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = stdin.readLine(); line != null; line = stdin.readLine()) {
      say("ANSWER " + answer(member, line.strip().split(" ")));
    }
    Runtime.getRuntime().halt(0);
  }

  /** By reflection: members before 3.12 have no such subsystem. */
  private static void setOfCp(Config config, String name, int value) throws Exception {
    Object cp = Config.class.getMethod("getCPSubsystemConfig").invoke(config);
    cp.getClass().getMethod("set" + name, int.class).invoke(cp, value);
  }

  /** By reflection: members before 3.8 take no classes. */
  private static void allowDeployment(Config config) throws Exception {
    Object deployment = Config.class.getMethod("getUserCodeDeploymentConfig").invoke(config);
    deployment.getClass().getMethod("setEnabled", boolean.class).invoke(deployment, true);
  }

  static String answer(HazelcastInstance member, String[] words) {
    switch (words[0]) {
      case "listen":
        member.getTopic(words[1]).addMessageListener(new Member());
        return "listening";
      case "get":
        return String.valueOf(member.getMap(words[1]).get(words[2]));
      case "put":
        return String.valueOf(member.getMap(words[1]).put(words[2], words[3]));
      case "listen-entries":
        member.getMap(words[1]).addEntryListener(
            (EntryAddedListener<Object, Object>)
                event -> say("RECEIVED ENTRY: " + event.getKey() + "=" + event.getValue()),
            true);
        return "listening";
      case "lock":
        member.getLock(words[1]).lock();
        return "locked";
      case "size":
        return String.valueOf(member.getMap(words[1]).size());
      case "fill":
        for (int i = 0; i < Integer.parseInt(words[2]); i++) {
          member.getMap(words[1]).set(i, "v" + i);
        }
        return words[2];
      case "offer":
        return String.valueOf(member.getQueue(words[1]).offer(words[2]));
      case "poll":
        return String.valueOf(member.getQueue(words[1]).poll());
      case "publish":
        member.getTopic(words[1]).publish(words[2]);
        return "published";
      case "listen-reliably":
        member.getReliableTopic(words[1]).addMessageListener(new Member());
        return "listening";
      case "publish-reliably":
        member.getReliableTopic(words[1]).publish(words[2]);
        return "published";
      case "attribute":
        member.getCluster().getLocalMember().setStringAttribute(words[1], words[2]);
        return "told";
      case "members":
        return String.valueOf(member.getCluster().getMembers().size());
      case "safe":
        return String.valueOf(member.getPartitionService().isClusterSafe());
      case "clients":
        return String.valueOf(member.getClientService().getConnectedClients().size());
      case "labels":
        return labels(member);
      default:
        return "unknown " + words[0];
    }
  }

  /** Of all clients; by reflection: those of members before 3.12 have none. */
  private static String labels(HazelcastInstance member) {
    Set<Object> labels = new TreeSet<>();
    for (Client client : member.getClientService().getConnectedClients()) {
      try {
        labels.addAll((Set<?>) Client.class.getMethod("getLabels").invoke(client));
      } catch (ReflectiveOperationException e) {
        return e.toString();
      }
    }
    return labels.toString();
  }

  @Override
  public void onMessage(Message<Object> message) {
    say("RECEIVED MESSAGE: " + message.getMessageObject());
  }

  static synchronized void say(String line) {
    System.out.println(line);
    System.out.flush();
  }
}
