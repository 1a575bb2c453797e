package jvmwire.peers.hadoop;

import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.ObjectWritable;

/**
 * Reads what an ObjectWritable wrote and writes it again: bytes in, bytes out, in hexadecimal.
 *
 * <p>Each line of stdin is one; it is answered with the declared class, and with what Java writes
 * for arrays that are compact and for those that are not.
 */
public final class ObjectPeer {
  private static final HexFormat HEX = HexFormat.of();

  private ObjectPeer() {}

  public static void main(String[] args) throws Exception {
    Configuration conf = new Configuration();
    System.out.println("READY 0");
    BufferedReader stdin =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = stdin.readLine(); line != null; line = stdin.readLine()) {
      System.out.println("= " + answer(HEX.parseHex(line), conf));
    }
  }

  private static String answer(byte[] data, Configuration conf) throws IOException {
    DataInputStream in = new DataInputStream(new ByteArrayInputStream(data));
    ObjectWritable read = new ObjectWritable();
    try {
      ObjectWritable.readObject(in, read, conf);
    } catch (IOException | RuntimeException e) {
      return "refused " + e;
    }
    if (in.available() > 0) {
      return "refused " + in.available() + " bytes are left";
    }
    return String.join(
        " ",
        read.getDeclaredClass().getName(),
        written(read, conf, true),
        written(read, conf, false));
  }

  private static String written(ObjectWritable read, Configuration conf, boolean compact)
      throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    ObjectWritable.writeObject(
        new DataOutputStream(bytes), read.get(), read.getDeclaredClass(), conf, compact);
    return HEX.formatHex(bytes.toByteArray());
  }
}
