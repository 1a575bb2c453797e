package jvmwire.peers.hadoop;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import javax.security.sasl.Sasl;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.GlobPattern;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSUtilClient;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.NameNodeProxiesClient;
import org.apache.hadoop.hdfs.client.impl.DfsClientConf;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.HdfsFileStatusProto;
import org.apache.hadoop.hdfs.protocolPB.ClientNamenodeProtocolPB;
import org.apache.hadoop.hdfs.protocolPB.PBHelperClient;
import org.apache.hadoop.hdfs.server.namenode.ha.AbstractNNFailoverProxyProvider;
import org.apache.hadoop.hdfs.server.namenode.ha.ClientHAProxyFactory;
import org.apache.hadoop.hdfs.server.namenode.ha.ObserverReadProxyProvider;
import org.apache.hadoop.io.ObjectWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.retry.RetryPolicies;
import org.apache.hadoop.io.retry.RetryPolicy;
import org.apache.hadoop.ipc.Client;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcSaslProto.SaslAuth;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.SaslPropertiesResolver;
import org.apache.hadoop.security.SaslRpcClient;
import org.apache.hadoop.security.SecurityUtil;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.security.token.TokenIdentifier;
import org.apache.hadoop.security.token.TokenInfo;
import org.apache.hadoop.yarn.conf.HAUtil;
import org.apache.hadoop.yarn.conf.YarnConfiguration;

/**
 * Says what the classes of Hadoop's own client make of paths, patterns, settings and errors.
 *
 * <p>Each line of stdin is a JSON object with the name of a question; the answer is one line of
 * JSON: {@code {"is": ...}}, or {@code {"refused": ...}} with the exception.
 */
public final class ClientJudge {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** As delivered: reading it takes longer than all else. */
  private static final Configuration DEFAULTS = new HdfsConfiguration();

  private ClientJudge() {}

  public static void main(String[] args) throws Exception {
    // Names of servers get a realm; no key distribution centre is asked.
    System.setProperty("java.security.krb5.realm", "EXAMPLE.COM");
    System.setProperty("java.security.krb5.kdc", "127.0.0.1");
    System.out.println("READY 0");
    BufferedReader stdin =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = stdin.readLine(); line != null; line = stdin.readLine()) {
      Map<String, Object> said = new LinkedHashMap<>();
      try {
        said.put("is", answer(JSON.readTree(line)));
      } catch (InvocationTargetException e) {
        said.put("refused", String.valueOf(e.getCause()));
      } catch (Exception e) {
        said.put("refused", String.valueOf(e));
      }
      System.out.println("= " + JSON.writeValueAsString(said));
    }
  }

  private static Object answer(JsonNode asked) throws Exception {
    return switch (asked.get("ask").asText()) {
      case "paths" -> paths(asked);
      case "globs" -> globs(asked);
      case "settings" -> settings(asked);
      case "address" -> address(asked);
      case "namenodes" -> namenodes(asked);
      case "provider" -> provider(asked);
      case "delivered" -> delivered(asked);
      case "order" -> order(asked);
      case "resource managers" -> resourceManagers(asked);
      case "token" -> token(asked);
      case "retry" -> retry(asked);
      case "server principal" -> serverPrincipal(asked);
      case "login" -> login(asked);
      case "compare" -> compare(asked);
      case "client" -> client(asked);
      case "status" -> status(asked);
      case "work" -> work(asked);
      default -> throw new IOException("unknown question " + asked);
    };
  }

  private static Configuration configuration(JsonNode asked) {
    Configuration conf = new Configuration(DEFAULTS);
    JsonNode given = asked.path("configuration");
    given.fieldNames().forEachRemaining(name -> conf.set(name, given.get(name).asText()));
    return conf;
  }

  /** What calls of a user's file system say for each path; null where it refuses the path. */
  private static Object paths(JsonNode asked) throws Exception {
    Configuration conf = configuration(asked);
    UserGroupInformation user =
        UserGroupInformation.createRemoteUser(asked.get("user").asText());
    URI uri = URI.create(asked.get("uri").asText());
    FileSystem files =
        user.doAs((PrivilegedExceptionAction<FileSystem>) () -> FileSystem.newInstance(uri, conf));
    Method name =
        files.getClass().getDeclaredMethod("getPathName", Path.class);
    name.setAccessible(true);
    List<Object> found = new ArrayList<>();
    for (JsonNode path : asked.get("paths")) {
      try {
        Path absolute = new Path(files.getWorkingDirectory(), new Path(path.asText()));
        found.add(name.invoke(files, absolute));
      } catch (IllegalArgumentException | InvocationTargetException e) {
        found.add(null);
      }
    }
    files.close();
    return found;
  }

  /** Whether each name matches each pattern; null where it is no pattern. */
  private static Object globs(JsonNode asked) {
    List<Object> found = new ArrayList<>();
    for (JsonNode pattern : asked.get("patterns")) {
      try {
        GlobPattern compiled = new GlobPattern(pattern.asText());
        List<Boolean> matched = new ArrayList<>();
        asked.get("names").forEach(name -> matched.add(compiled.matches(name.asText())));
        found.add(matched);
      } catch (RuntimeException e) {
        found.add(null);
      }
    }
    return found;
  }

  /** The settings of the files of a directory, read as they are for HDFS and YARN. */
  private static Object settings(JsonNode asked) {
    HdfsConfiguration.init();
    Configuration conf = new Configuration(false);
    for (String name : new String[] {"core-site.xml", "hdfs-site.xml", "yarn-site.xml"}) {
      File file = new File(asked.get("directory").asText(), name);
      if (file.exists()) {
        conf.addResource(new Path(file.toURI()));
      }
    }
    Map<String, String> found = new TreeMap<>();
    conf.forEach(setting -> found.put(setting.getKey(), conf.get(setting.getKey())));
    return found;
  }

  private static Object address(JsonNode asked) {
    InetSocketAddress found =
        NetUtils.createSocketAddr(asked.get("value").asText(), asked.get("port").asInt());
    return found.getHostString() + " " + found.getPort();
  }

  private static Object namenodes(JsonNode asked) {
    Map<String, Map<String, InetSocketAddress>> all =
        DFSUtilClient.getHaNnRpcAddresses(configuration(asked));
    Map<String, String> found = new LinkedHashMap<>();
    all.getOrDefault(asked.get("service").asText(), Map.of())
        .forEach(
            (name, address) ->
                found.put(name == null ? "" : name, address.getHostString() + " " + address.getPort()));
    return found;
  }

  /** The class by which a client of a name service fails over; null if it is a host to it. */
  private static Object provider(JsonNode asked) throws Exception {
    AbstractNNFailoverProxyProvider<ClientProtocol> found =
        NameNodeProxiesClient.createFailoverProxyProvider(
            configuration(asked), URI.create("hdfs://ns"), ClientProtocol.class, false, null);
    return found == null ? null : found.getClass().getSimpleName();
  }

  /** The settings as delivered, of HDFS and YARN, whose names begin so. */
  private static Object delivered(JsonNode asked) {
    Configuration conf = new Configuration(DEFAULTS);
    conf.addResource("yarn-default.xml");
    Map<String, String> found = new TreeMap<>();
    for (Map.Entry<String, String> setting : conf) {
      for (JsonNode prefix : asked.get("prefixes")) {
        if (setting.getKey().startsWith(prefix.asText())) {
          found.put(setting.getKey(), setting.getValue());
        }
      }
    }
    return found;
  }

  /** Whom a client of YARN calls, as ConfiguredRMFailoverProxyProvider has them. */
  private static Object resourceManagers(JsonNode asked) {
    Configuration given = configuration(asked);
    given.addResource("yarn-default.xml");
    YarnConfiguration conf = new YarnConfiguration(given);
    List<String> found = new ArrayList<>();
    List<String> members = new ArrayList<>();
    if (HAUtil.isHAEnabled(conf)) {
      members.addAll(HAUtil.getRMHAIds(conf));
      members.get(0);
    } else {
      members.add(null);
    }
    for (String member : members) {
      if (member != null) {
        conf.set(YarnConfiguration.RM_HA_ID, member);
      }
      InetSocketAddress address =
          conf.getSocketAddr(
              YarnConfiguration.RM_ADDRESS,
              YarnConfiguration.DEFAULT_RM_ADDRESS,
              YarnConfiguration.DEFAULT_RM_PORT);
      found.add(address.getHostString() + " " + address.getPort());
    }
    return found;
  }

  private static Object order(JsonNode asked) throws Exception {
    Method random =
        AbstractNNFailoverProxyProvider.class.getDeclaredMethod(
            "getRandomOrder", Configuration.class, URI.class);
    random.setAccessible(true);
    return random.invoke(null, configuration(asked), URI.create(asked.get("uri").asText()));
  }

  /** The index of the token that a protocol's selector chooses, or -1. */
  private static Object token(JsonNode asked) throws Exception {
    List<Token<? extends TokenIdentifier>> tokens = new ArrayList<>();
    for (JsonNode given : asked.get("tokens")) {
      tokens.add(
          new Token<>(
              new byte[] {(byte) tokens.size()},
              new byte[0],
              new Text(given.get(0).asText()),
              new Text(given.get(1).asText())));
    }
    TokenInfo info =
        SecurityUtil.getTokenInfo(
            Class.forName(asked.get("protocol").asText()), new Configuration());
    if (info == null) {
      return -1;
    }
    Token<?> chosen =
        info.value()
            .getDeclaredConstructor()
            .newInstance()
            .selectToken(new Text(asked.get("service").asText()), new ArrayList<>(tokens));
    return chosen == null ? -1 : (int) chosen.getIdentifier()[0];
  }

  /** What becomes of an idempotent call to a pair of NameNodes of which one said this. */
  private static Object retry(JsonNode asked) throws Exception {
    RetryPolicy policy =
        RetryPolicies.failoverOnNetworkException(RetryPolicies.TRY_ONCE_THEN_FAIL, 5);
    RemoteException said = new RemoteException(asked.get("class").asText(), "said");
    return policy.shouldRetry(said, 0, 0, true).action.name();
  }

  private static Object serverPrincipal(JsonNode asked) throws Exception {
    Configuration conf = configuration(asked);
    SaslRpcClient client =
        new SaslRpcClient(
            UserGroupInformation.createRemoteUser("alice"),
            Class.forName(asked.get("protocol").asText()),
            new InetSocketAddress(asked.get("host").asText(), 8020),
            conf);
    Method principal =
        SaslRpcClient.class.getDeclaredMethod("getServerPrincipal", SaslAuth.class);
    principal.setAccessible(true);
    SaslAuth auth =
        SaslAuth.newBuilder()
            .setMethod("KERBEROS")
            .setMechanism("GSSAPI")
            .setProtocol(asked.get("service").asText())
            .setServerId(asked.get("server").asText())
            .build();
    return principal.invoke(client, auth);
  }

  /** Who is logged in by the environment of this process, and with which tokens. */
  private static Object login(JsonNode asked) throws Exception {
    UserGroupInformation.reset();
    UserGroupInformation.setConfiguration(configuration(asked));
    UserGroupInformation user = UserGroupInformation.getLoginUser();
    Map<String, Object> found = new LinkedHashMap<>();
    found.put("user", user.getUserName());
    found.put(
        "real user", user.getRealUser() == null ? null : user.getRealUser().getUserName());
    List<List<String>> tokens = new ArrayList<>();
    user.getTokens().forEach(token -> tokens.add(List.of(
        token.getKind().toString(),
        token.getService().toString(),
        new String(token.getPassword(), StandardCharsets.ISO_8859_1))));
    tokens.sort((a, b) -> String.join(" ", a).compareTo(String.join(" ", b)));
    found.put("tokens", tokens);
    return found;
  }

  /** What a client of a pair of NameNodes, and of one, goes by: times in milliseconds. */
  private static Object client(JsonNode asked) throws Exception {
    Configuration conf = configuration(asked);
    Map<String, Object> found = new LinkedHashMap<>();
    DfsClientConf dfs = new DfsClientConf(conf);
    found.put("failover attempts", dfs.getMaxFailoverAttempts());
    found.put("failover base", dfs.getFailoverSleepBaseMillis());
    found.put("failover max", dfs.getFailoverSleepMaxMillis());
    found.put("block size", dfs.getDefaultBlockSize());
    found.put("replication", dfs.getDefaultReplication());
    found.put("umask", dfs.getUMask().toShort());
    found.put("rpc timeout", dfs.getHdfsTimeout());
    UserGroupInformation user = UserGroupInformation.createRemoteUser("alice");
    found.put("home", DFSUtilClient.getHomeDirectory(conf, user));
    found.put("authentication", SecurityUtil.getAuthenticationMethod(conf).name());
    found.put("default file system", FileSystem.getDefaultUri(conf).toString());
    found.put("protection", SaslPropertiesResolver.getInstance(conf)
        .getDefaultProperties().get(Sasl.QOP));

    Client.ConnectionId id = connection(conf, user);
    found.put("idle", field(Client.ConnectionId.class, id, "maxIdleTime"));
    found.put("pings", field(Client.ConnectionId.class, id, "doPing"));
    found.put("ping", field(Client.ConnectionId.class, id, "pingInterval"));
    found.put("connect", retries(id));
    Client client = new Client(ObjectWritable.class, conf);
    found.put("connect timeout", field(Client.class, client, "connectionTimeout"));
    found.put("fallback", field(Client.class, client, "fallbackAllowed"));
    Class<?> connection = Class.forName("org.apache.hadoop.ipc.Client$Connection");
    Constructor<?> make = connection.getDeclaredConstructors()[0];
    make.setAccessible(true);
    Object made = make.newInstance(client, id, 0, (Consumer<Object>) gone -> {});
    found.put("reply limit", field(connection, made, "maxResponseLength"));
    client.stop();

    URI pair = URI.create("hdfs://ns");
    Configuration paired = new Configuration(conf);
    paired.set("dfs.nameservices", "ns");
    paired.set("dfs.ha.namenodes.ns", "a,b");
    paired.set("dfs.namenode.rpc-address.ns.a", "127.0.0.1:1");
    paired.set("dfs.namenode.rpc-address.ns.b", "127.0.0.1:2");
    ObserverReadProxyProvider<ClientProtocol> provider =
        new ObserverReadProxyProvider<>(
            paired, pair, ClientProtocol.class, new ClientHAProxyFactory<>());
    for (String name : new String[] {"autoMsyncPeriodMs", "observerProbeRetryPeriodMs",
        "namenodeHAStateProbeTimeoutMs"}) {
      found.put(name, field(ObserverReadProxyProvider.class, provider, name));
    }
    Configuration used = (Configuration)
        field(AbstractNNFailoverProxyProvider.class, provider, "conf");
    found.put("connect in a pair", retries(connection(used, user)));
    return found;
  }

  private static Client.ConnectionId connection(Configuration conf, UserGroupInformation user)
      throws Exception {
    Method id =
        Client.ConnectionId.class.getDeclaredMethod(
            "getConnectionId", InetSocketAddress.class, Class.class, UserGroupInformation.class,
            int.class, RetryPolicy.class, Configuration.class);
    id.setAccessible(true);
    return (Client.ConnectionId) id.invoke(
        null, new InetSocketAddress("127.0.0.1", 1), ClientNamenodeProtocolPB.class, user,
        Client.getRpcTimeout(conf), null, conf);
  }

  /** How often a server is connected to again after failures and timeouts, and the wait. */
  private static Object retries(Client.ConnectionId id) throws Exception {
    Object policy = field(Client.ConnectionId.class, id, "connectionRetryPolicy");
    Class<?> limited = policy.getClass().getSuperclass();
    return List.of(
        field(limited, policy, "maxRetries"),
        id.getMaxRetriesOnSocketTimeouts(),
        field(limited, policy, "sleepTime"));
  }

  private static Object field(Class<?> declaring, Object of, String name) throws Exception {
    Field field = declaring.getDeclaredField(name);
    field.setAccessible(true);
    return field.get(of);
  }

  /** What a client is told of a file: by the bytes of its {@code HdfsFileStatusProto}. */
  private static Object status(JsonNode asked) throws Exception {
    HdfsFileStatus status =
        PBHelperClient.convert(HdfsFileStatusProto.parseFrom(asked.get("bytes").binaryValue()));
    Map<String, Object> found = new LinkedHashMap<>();
    found.put("path", status.getFullName("/d"));
    found.put("file_type",
        status.isDirectory() ? "IS_DIR" : status.isSymlink() ? "IS_SYMLINK" : "IS_FILE");
    found.put("length", status.getLen());
    found.put("permission", (int) status.getPermission().toShort());
    found.put("owner", status.getOwner());
    found.put("group", status.getGroup());
    found.put("modification_time", status.getModificationTime());
    found.put("access_time", status.getAccessTime());
    found.put("block_replication", (int) status.getReplication());
    found.put("block_size", status.getBlockSize());
    found.put("file_id", status.getFileId());
    found.put("children_num", status.getChildrenNum());
    found.put("storage_policy", (int) status.getStoragePolicy());
    found.put("symlink",
        status.isSymlink() ? DFSUtilClient.bytes2String(status.getSymlinkInBytes()) : null);
    Map<String, Boolean> flags = new LinkedHashMap<>();
    flags.put("HAS_ACL", status.hasAcl());
    flags.put("HAS_CRYPT", status.isEncrypted());
    flags.put("HAS_EC", status.isErasureCoded());
    flags.put("SNAPSHOT_ENABLED", status.isSnapshotEnabled());
    found.put("flags", flags);
    return found;
  }

  /** Makes a directory and an empty file, by relative paths, as a user of a file system. */
  private static Object work(JsonNode asked) throws Exception {
    Configuration conf = configuration(asked);
    URI uri = URI.create(asked.get("uri").asText());
    UserGroupInformation user = UserGroupInformation.createRemoteUser("alice");
    return user.doAs(
        (PrivilegedExceptionAction<Boolean>)
            () -> {
              try (FileSystem files = FileSystem.newInstance(uri, conf)) {
                boolean made = files.mkdirs(new Path("d"));
                files.create(new Path("f")).close();
                return made;
              }
            });
  }

  private static Object compare(JsonNode asked) {
    byte[] left = asked.get("left").asText().getBytes(StandardCharsets.UTF_8);
    byte[] right = asked.get("right").asText().getBytes(StandardCharsets.UTF_8);
    return Integer.signum(DFSUtilClient.compareBytes(left, right));
  }
}
