package jvmwire.peers.pravega;

import io.pravega.local.LocalPravegaEmulator;
import io.pravega.shared.security.crypto.StrongPasswordProcessor;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * A controller, a segment store and what they keep their metadata in, all in memory. The controller
 * binds every address. Arguments: CONTROLLER_PORT STORE_PORT ZOOKEEPER_PORT [SECRETS USER PASSWORD].
 *
 * <p>With SECRETS they talk by TLS and ask who comes: the folder has cert.pem and key.pem, keys.p12 and
 * trust.p12, and the password of these. {@code token-life SECONDS} says how long the tokens live that
 * the controller issues from then on; the emulator itself would not let one choose. {@code collect}
 * collects garbage. {@code other-start PORT} starts another controller of the cluster in a process of
 * its own, and {@code other-kill PORT} kills it.
 */
public final class Standalone {
  private Standalone() {}

  public static void main(String[] args) throws Exception {
    int controller = Integer.parseInt(args[0]);
    LocalPravegaEmulator.LocalPravegaEmulatorBuilder builder =
        LocalPravegaEmulator.builder()
            .controllerPort(controller)
            .segmentStorePort(Integer.parseInt(args[1]))
            .zkPort(Integer.parseInt(args[2]))
            .restServerPort(0)
            .enableRestServer(false)
            .enableMetrics(false)
            .enabledAdminGateway(false)
            .adminGatewayPort(0);
    if (args.length > 3) {
      secure(builder, Path.of(args[3]), args[4], args[5]);
    }
    LocalPravegaEmulator emulator = builder.build();
    emulator.start();
    JavaClient client = new JavaClient(controller);
    Map<String, OtherController> others = new HashMap<>();
    Peer.serve(
        Integer.toString(controller),
        words -> {
          if (words[0].equals("token-life")) {
            return TokenLife.set(emulator, Integer.parseInt(words[1]));
          }
          if (words[0].equals("collect")) {
            System.gc();
            return "collected";
          }
          if (words[0].equals("other-start")) {
            int port = Integer.parseInt(words[1]);
            others.put(
                words[1], OtherController.start(emulator, port, Integer.parseInt(args[2])));
            return "started";
          }
          if (words[0].equals("other-kill")) {
            OtherController known = others.remove(words[1]);
            if (known != null) {
              known.kill();
            }
            return "killed";
          }
          return client.answer(words);
        });
    System.exit(0);
  }

  private static void secure(
      LocalPravegaEmulator.LocalPravegaEmulatorBuilder builder,
      Path secrets,
      String user,
      String password)
      throws Exception {
    Path users = secrets.resolve("users");
    String kept = StrongPasswordProcessor.builder().build().encryptPassword(password);
    Files.writeString(users, user + ":" + kept + ":prn::*,READ_UPDATE;\n");
    builder
        .enableAuth(true)
        .enableTls(true)
        .enableTlsReload(false)
        .tlsProtocolVersion(new String[] {"TLSv1.2", "TLSv1.3"})
        .certFile(secrets.resolve("cert.pem").toString())
        .keyFile(secrets.resolve("key.pem").toString())
        .jksKeyFile(secrets.resolve("keys.p12").toString())
        .jksTrustFile(secrets.resolve("trust.p12").toString())
        .keyPasswordFile(secrets.resolve("password").toString())
        .passwdFile(users.toString())
        .userName(user)
        .passwd(password);
  }
}
