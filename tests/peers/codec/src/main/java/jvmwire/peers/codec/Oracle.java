package jvmwire.peers.codec;

import com.google.protobuf.InvalidProtocolBufferException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Says what the JVM's own classes read and write.
 *
 * <p>{@code decode FORM} and {@code encode FORM} answer the many byte strings of the file {@code
 * request} by as many in the file {@code reply}: values for what is on the wire, or the reverse.
 * A file is a count, a length for each, then their bytes. In a reply there is an int for each
 * before the lengths: how many bytes of it were read or written, or why that failed.
 */
final class Oracle {
  private static final int ENDED = -1;
  private static final int WRONG = -2;

  private Oracle() {}

  public static void main(String[] args) throws Exception {
    Peer.serve(
        words -> {
          Form form = Forms.BY_NAME.get(words[1]);
          byte[][] asked = unpack(Files.readAllBytes(Path.of("request")));
          byte[] reply =
              switch (words[0]) {
                case "decode" -> answer(asked, form::decode);
                case "encode" -> answer(asked, (plain, out) -> encode(form, plain, out));
                default -> throw new IllegalArgumentException(words[0]);
              };
          Files.write(Path.of("reply"), reply);
          return "answered " + asked.length;
        });
  }

  private interface Answering {
    int answer(byte[] asked, DataOutputStream out) throws IOException;
  }

  private static int encode(Form form, byte[] plain, DataOutputStream wire) throws IOException {
    int before = wire.size();
    form.encode(new DataInputStream(new ByteArrayInputStream(plain)), wire);
    return wire.size() - before;
  }

  private static byte[] answer(byte[][] asked, Answering answering) throws IOException {
    int[] took = new int[asked.length];
    byte[][] answers = new byte[asked.length][];
    for (int i = 0; i < asked.length; i++) {
      ByteArrayOutputStream answer = new ByteArrayOutputStream();
      try {
        took[i] = answering.answer(asked[i], new DataOutputStream(answer));
      } catch (EOFException ended) {
        took[i] = ENDED;
      } catch (InvalidProtocolBufferException invalid) {
        // Of protobuf's reasons, only the words differ.
        took[i] = invalid.getMessage().contains("the input ended unexpectedly") ? ENDED : WRONG;
      } catch (IOException wrong) {
        took[i] = WRONG;
      }
      answers[i] = took[i] < 0 ? new byte[0] : answer.toByteArray();
    }
    return pack(took, answers);
  }

  static byte[][] unpack(byte[] packed) {
    ByteBuffer rest = ByteBuffer.wrap(packed);
    byte[][] parts = new byte[rest.getInt()][];
    for (int i = 0; i < parts.length; i++) {
      parts[i] = new byte[rest.getInt()];
    }
    for (byte[] part : parts) {
      rest.get(part);
    }
    return parts;
  }

  static byte[] pack(int[] took, byte[][] answers) throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(packed);
    out.writeInt(answers.length);
    for (int one : took) {
      out.writeInt(one);
    }
    for (byte[] answer : answers) {
      out.writeInt(answer.length);
    }
    for (byte[] answer : answers) {
      out.write(answer);
    }
    return packed.toByteArray();
  }
}
