package jvmwire.peers.codec;

import com.hazelcast.internal.serialization.InternalSerializationService;
import com.hazelcast.internal.serialization.impl.DefaultSerializationServiceBuilder;
import com.hazelcast.internal.serialization.impl.HeapData;
import com.hazelcast.nio.serialization.Data;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Says what Hazelcast's own serialization writes and reads.
 *
 * <p>{@code write SEED COUNT ORDER} puts values of all types into the file {@code reply}; {@code read
 * ORDER} answers each {@code Data} of the file {@code request}. Both answer each value by three byte
 * strings: its {@code Data} as Hazelcast writes it, the value told as text, and its hashes: that of
 * its partition, and that of 64 bits by which values are counted. What cannot be read is told as its exception, behind an exclamation mark.
 */
final class Values {
  private Values() {}

  public static void main(String[] args) throws Exception {
    Peer.serve(
        words -> {
          List<byte[]> answers = new ArrayList<>();
          InternalSerializationService service = service(words[words.length - 1]);
          switch (words[0]) {
            case "write" -> {
              Samples samples = new Samples(new Random(Long.parseLong(words[1])));
              for (int i = 0; i < Integer.parseInt(words[2]); i++) {
                answer(service, samples.next(i), answers);
              }
            }
            case "read" -> {
              for (byte[] asked : Oracle.unpack(Files.readAllBytes(Path.of("request")))) {
                read(service, asked, answers);
              }
            }
            default -> throw new IllegalArgumentException(words[0]);
          }
          byte[][] parts = answers.toArray(new byte[0][]);
          Files.write(Path.of("reply"), Oracle.pack(new int[parts.length], parts));
          return "answered " + parts.length;
        });
  }

  static InternalSerializationService service(String order) {
    return new DefaultSerializationServiceBuilder()
        .setByteOrder("little".equals(order) ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN)
        .addDataSerializableFactory(Sample.FACTORY, id -> id == Sample.ID ? new Sample() : null)
        .addPortableFactory(Fields.FACTORY, Fields::create)
        .build();
  }

  private static void answer(
      InternalSerializationService service, Object value, List<byte[]> answers) {
    Data data = service.toData(value);
    if (data == null) {
      data = new HeapData(new byte[8]);
    }
    answers.add(data.toByteArray());
    answers.add(Told.of(value).getBytes(StandardCharsets.UTF_8));
    answers.add(hashes(data));
  }

  private static byte[] hashes(Data data) {
    return ByteBuffer.allocate(12).putInt(data.getPartitionHash()).putLong(data.hash64()).array();
  }

  private static void read(
      InternalSerializationService service, byte[] asked, List<byte[]> answers) {
    Object value;
    try {
      value = service.toObject(new HeapData(asked));
    } catch (Throwable refused) {
      answers.add(new byte[0]);
      answers.add(("!" + refused).getBytes(StandardCharsets.UTF_8));
      answers.add(new byte[12]);
      return;
    }
    answer(service, value, answers);
    answers.set(answers.size() - 1, hashes(new HeapData(asked)));
  }
}
