package jvmwire.peers.codec;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Java's text in modified UTF-8, one after the other. */
final class Texts {
  private Texts() {}

  static final class Read implements Rival {
    private byte[] wire;
    private String[] texts;

    @Override
    public void prepare(byte[] wire) throws IOException {
      this.wire = wire;
      texts = new String[read(wire).size()];
    }

    @Override
    public void run() throws IOException {
      DataInputStream in = new DataInputStream(new ByteArrayInputStream(wire));
      for (int i = 0; i < texts.length; i++) {
        texts[i] = in.readUTF();
      }
    }

    @Override
    public void tell(DataOutputStream out) throws IOException {
      for (String text : texts) {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        out.writeInt(utf8.length);
        out.write(utf8);
      }
    }
  }

  static final class Write implements Rival {
    private List<String> texts;
    private ByteArrayOutputStream wire;

    @Override
    public void prepare(byte[] wire) throws IOException {
      texts = read(wire);
      this.wire = new ByteArrayOutputStream(wire.length);
    }

    @Override
    public void run() throws IOException {
      DataOutputStream out = new DataOutputStream(wire);
      for (String text : texts) {
        out.writeUTF(text);
      }
    }

    @Override
    public void tell(DataOutputStream out) throws IOException {
      wire.writeTo(out);
    }
  }

  private static List<String> read(byte[] wire) throws IOException {
    ByteArrayInputStream rest = new ByteArrayInputStream(wire);
    DataInputStream in = new DataInputStream(rest);
    List<String> texts = new ArrayList<>();
    while (rest.available() > 0) {
      texts.add(in.readUTF());
    }
    return texts;
  }
}
