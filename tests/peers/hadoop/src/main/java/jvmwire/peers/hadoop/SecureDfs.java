package jvmwire.peers.hadoop;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import java.util.Locale;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.minikdc.MiniKdc;
import org.apache.hadoop.security.Credentials;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.token.Token;

/**
 * A key distribution centre and a NameNode with Kerberos on localhost, without DataNodes.
 *
 * <p>Arguments: {@code PORT DIRECTORY [key=value...]}. Leaves in the directory {@code krb5.conf},
 * {@code keytab} (of the user alice, the NameNode and its web server) and a delegation token of
 * alice: {@code token} in URL form, {@code tokens.writable} and {@code tokens.protobuf} as files of
 * credentials.
 */
public final class SecureDfs {
  private static final String USER = "alice";

  private SecureDfs() {}

  public static void main(String[] args) throws Exception {
    int port = Integer.parseInt(args[0]);
    File directory = new File(args[1]).getAbsoluteFile();
    MiniKdc kdc = new MiniKdc(MiniKdc.createConf(), directory);
    kdc.start();
    Files.copy(kdc.getKrb5conf().toPath(), Path.of(directory.getPath(), "krb5.conf"));
    File keytab = new File(directory, "keytab");
    kdc.createPrincipal(keytab, "nn/localhost", "HTTP/localhost", USER);
    Configuration conf = Peer.configuration(args, 2);
    configure(conf, kdc.getRealm(), directory, keytab.getPath());
    UserGroupInformation.setConfiguration(conf);
    try (MiniDFSCluster cluster =
        new MiniDFSCluster.Builder(conf)
            .numDataNodes(0)
            .nameNodePort(port)
            .checkDataNodeHostConfig(false)
            .build()) {
      makeHome(cluster, conf);
      Token<?> token = delegationToken(cluster, conf, kdc.getRealm(), keytab.getPath());
      Files.writeString(Path.of(directory.getPath(), "token"), token.encodeToUrlString());
      writeCredentials(token, directory, conf);
      Peer.serve(cluster.getNameNodePort() + " realm=" + kdc.getRealm(), Map.of());
    }
    kdc.stop();
    System.exit(0);
  }

  private static void configure(Configuration conf, String realm, File directory, String keytab) {
    conf.set("hadoop.security.authentication", "kerberos");
    conf.set("hadoop.rpc.protection", "authentication,integrity,privacy");
    conf.set("dfs.namenode.kerberos.principal", "nn/localhost@" + realm);
    conf.set("dfs.namenode.keytab.file", keytab);
    conf.set("dfs.web.authentication.kerberos.principal", "HTTP/localhost@" + realm);
    conf.set("dfs.web.authentication.kerberos.keytab", keytab);
    conf.set("hadoop.security.auth_to_local", "RULE:[2:$1@$0](nn@.*)s/.*/hdfs/\nDEFAULT");
    conf.set("dfs.block.access.token.enable", "true");
    conf.set("dfs.namenode.delegation.token.always-use", "true");
    conf.set(MiniDFSCluster.HDFS_MINIDFS_BASEDIR, new File(directory, "dfs").getPath());
  }

  private static void writeCredentials(Token<?> token, File directory, Configuration conf)
      throws Exception {
    Credentials credentials = new Credentials();
    credentials.addToken(token.getService(), token);
    credentials.addSecretKey(new Text("a secret"), new byte[] {1, 2, 3});
    for (Credentials.SerializedFormat format : Credentials.SerializedFormat.values()) {
      String name = "tokens." + format.name().toLowerCase(Locale.ROOT);
      credentials.writeTokenStorageFile(
          new org.apache.hadoop.fs.Path(directory.toURI().resolve(name)), conf, format);
    }
  }

  private static void makeHome(MiniDFSCluster cluster, Configuration conf) throws Exception {
    try (FileSystem fs = FileSystem.newInstance(cluster.getURI(), conf)) {
      org.apache.hadoop.fs.Path home = new org.apache.hadoop.fs.Path("/user/" + USER);
      fs.mkdirs(home);
      fs.setOwner(home, USER, "users");
    }
  }

  private static Token<?> delegationToken(
      MiniDFSCluster cluster, Configuration conf, String realm, String keytab) throws Exception {
    return UserGroupInformation.loginUserFromKeytabAndReturnUGI(USER + "@" + realm, keytab)
        .doAs(
            (PrivilegedExceptionAction<Token<?>>)
                () -> {
                  try (FileSystem fs = FileSystem.newInstance(cluster.getURI(), conf)) {
                    return fs.getDelegationToken(USER);
                  }
                });
  }
}
