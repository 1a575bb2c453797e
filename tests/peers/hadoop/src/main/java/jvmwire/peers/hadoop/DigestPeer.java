package jvmwire.peers.hadoop;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Map;
import javax.security.auth.callback.Callback;
import javax.security.auth.callback.NameCallback;
import javax.security.auth.callback.PasswordCallback;
import javax.security.sasl.RealmCallback;
import javax.security.sasl.Sasl;
import javax.security.sasl.SaslClient;
import javax.security.sasl.SaslException;

/**
 * Java's own client of DIGEST-MD5, as Hadoop sets it up: bytes in, bytes out, in hexadecimal.
 *
 * <p>Commands: {@code begin QUALITY CIPHERS USER PASSWORD} (in hexadecimal too), then {@code
 * evaluate}, {@code wrap} and {@code unwrap} with bytes; {@code agreed} says the quality and the
 * size of a wrap. What Java refuses is answered with {@code refused} and why.
 */
public final class DigestPeer {
  private static final HexFormat HEX = HexFormat.of();
  private static SaslClient client;

  private DigestPeer() {}

  public static void main(String[] args) throws Exception {
    System.out.println("READY 0");
    BufferedReader stdin =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = stdin.readLine(); line != null; line = stdin.readLine()) {
      String[] words = line.split(" ", -1);
      try {
        System.out.println("= " + answer(words));
      } catch (SaslException e) {
        System.out.println("= refused " + e.getMessage());
      }
    }
  }

  private static String answer(String[] words) throws SaslException {
    byte[] data = words.length == 2 ? HEX.parseHex(words[1]) : new byte[0];
    return switch (words[0]) {
      case "begin" -> begin(words[1], words[2], text(words[3]), text(words[4]));
      case "evaluate" -> {
        byte[] response = client.evaluateChallenge(data);
        yield response == null ? "" : HEX.formatHex(response);
      }
      case "wrap" -> HEX.formatHex(client.wrap(data, 0, data.length));
      case "unwrap" -> HEX.formatHex(client.unwrap(data, 0, data.length));
      case "agreed" ->
          client.isComplete()
              + " "
              + client.getNegotiatedProperty(Sasl.QOP)
              + " "
              + client.getNegotiatedProperty(Sasl.RAW_SEND_SIZE);
      default -> throw new IllegalArgumentException(words[0]);
    };
  }

  private static String text(String hex) {
    return new String(HEX.parseHex(hex), StandardCharsets.UTF_8);
  }

  private static String begin(String quality, String ciphers, String user, String password)
      throws SaslException {
    Map<String, String> properties =
        Map.of(Sasl.QOP, quality, "com.sun.security.sasl.digest.cipher", ciphers);
    client =
        Sasl.createSaslClient(
            new String[] {"DIGEST-MD5"},
            null,
            "",
            "default",
            properties,
            callbacks -> {
              for (Callback callback : callbacks) {
                if (callback instanceof NameCallback name) {
                  name.setName(user);
                } else if (callback instanceof PasswordCallback secret) {
                  secret.setPassword(password.toCharArray());
                } else if (callback instanceof RealmCallback realm) {
                  realm.setText(realm.getDefaultText());
                }
              }
            });
    return "begun";
  }
}
