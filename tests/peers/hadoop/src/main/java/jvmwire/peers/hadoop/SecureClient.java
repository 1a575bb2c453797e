package jvmwire.peers.hadoop;

import java.io.FileNotFoundException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.security.PrivilegedExceptionAction;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.security.SecurityUtil;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.token.Token;

/**
 * A client of {@link SecureDfs} that makes four calls, one of which fails.
 *
 * <p>Arguments: {@code PORT kerberos|token QUALITY REALM DIRECTORY LOG}, where QUALITY is a value
 * of {@code hadoop.rpc.protection}, DIRECTORY what SecureDfs filled, and LOG the file for the
 * calls.
 */
public final class SecureClient {
  private SecureClient() {}

  public static void main(String[] args) throws Exception {
    RpcLog log = new RpcLog(args[5]);
    String realm = args[3];
    java.nio.file.Path directory = java.nio.file.Path.of(args[4]);
    System.setProperty("java.security.krb5.conf", directory.resolve("krb5.conf").toString());
    Configuration conf = new Configuration();
    conf.set("hadoop.security.authentication", "kerberos");
    conf.set("hadoop.rpc.protection", args[2]);
    conf.set("dfs.namenode.kerberos.principal", "nn/localhost@" + realm);
    UserGroupInformation.setConfiguration(conf);
    UserGroupInformation user =
        args[1].equals("token")
            ? withToken(Files.readString(directory.resolve("token")), args[0])
            : UserGroupInformation.loginUserFromKeytabAndReturnUGI(
                "alice@" + realm, directory.resolve("keytab").toString());
    URI nameNode = URI.create("hdfs://localhost:" + args[0]);
    user.doAs(
        (PrivilegedExceptionAction<Void>)
            () -> {
              call(nameNode, conf, args[1] + "-" + args[2]);
              return null;
            });
    log.close();
    System.exit(0);
  }

  private static UserGroupInformation withToken(String text, String port) throws Exception {
    Token<?> token = new Token<>();
    token.decodeFromUrlString(text);
    // A tap has a port of its own, and a token is for an address.
    SecurityUtil.setTokenService(token, new InetSocketAddress("localhost", Integer.parseInt(port)));
    UserGroupInformation user = UserGroupInformation.createRemoteUser("alice");
    user.addToken(token);
    return user;
  }

  private static void call(URI nameNode, Configuration conf, String name) throws Exception {
    Path own = new Path("/user/alice/" + name);
    try (FileSystem fs = FileSystem.newInstance(nameNode, conf)) {
      fs.mkdirs(own);
      System.out.println(fs.getFileStatus(own).getOwner());
      System.out.println(fs.listStatus(own.getParent()).length);
      fs.setTimes(new Path("/missing"), 1, 1);
    } catch (FileNotFoundException e) {
      System.out.println("not found");
    }
  }
}
