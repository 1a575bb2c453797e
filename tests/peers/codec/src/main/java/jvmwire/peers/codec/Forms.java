package jvmwire.peers.codec;

import static java.util.Map.entry;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.codec.LengthFieldBasedFrameDecoder;
import java.io.BufferedReader;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.LongUnaryOperator;
import java.util.function.Supplier;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.UTF8;
import org.apache.hadoop.io.WritableUtils;

/** All forms, by the method that reads them. */
@SuppressWarnings("deprecation") // UTF8: it is still on the wire
final class Forms {
  private Forms() {}

  /** No text or frame of the tests is as long: what states more is refused. */
  private static final int LIMIT = 1 << 20;

  static final Map<String, Form> BY_NAME =
      Map.ofEntries(
          entry("DataInput.readByte", data(i -> i.readByte(), (o, v) -> o.writeByte((int) v))),
          entry(
              "DataInput.readUnsignedByte",
              data(i -> i.readUnsignedByte(), (o, v) -> o.writeByte((int) v))),
          entry("DataInput.readShort", data(i -> i.readShort(), (o, v) -> o.writeShort((int) v))),
          entry(
              "DataInput.readUnsignedShort",
              data(i -> i.readUnsignedShort(), (o, v) -> o.writeShort((int) v))),
          entry("DataInput.readInt", data(i -> i.readInt(), (o, v) -> o.writeInt((int) v))),
          entry("DataInput.readLong", data(i -> i.readLong(), (o, v) -> o.writeLong(v))),
          entry(
              "DataInput.readFloat",
              data(i -> bits(i.readFloat()), (o, v) -> o.writeFloat(floatOf(v)))),
          entry(
              "DataInput.readDouble",
              data(i -> bits(i.readDouble()), (o, v) -> o.writeDouble(doubleOf(v)))),
          entry(
              "WritableUtils.readVInt",
              data(WritableUtils::readVInt, (o, v) -> WritableUtils.writeVInt(o, (int) v))),
          entry(
              "WritableUtils.readVLong", data(WritableUtils::readVLong, WritableUtils::writeVLong)),
          entry(
              "CodedInputStream.readUInt32",
              protobuf(i -> unsigned(i.readUInt32()), (o, v) -> o.writeUInt32NoTag((int) v))),
          entry(
              "CodedInputStream.readUInt64",
              protobuf(i -> i.readUInt64(), (o, v) -> o.writeUInt64NoTag(v))),
          entry(
              "CodedInputStream.readInt32",
              protobuf(i -> i.readInt32(), (o, v) -> o.writeInt32NoTag((int) v))),
          entry(
              "CodedInputStream.readInt64",
              protobuf(i -> i.readInt64(), (o, v) -> o.writeInt64NoTag(v))),
          entry(
              "CodedInputStream.readSInt32",
              protobuf(i -> i.readSInt32(), (o, v) -> o.writeSInt32NoTag((int) v))),
          entry(
              "CodedInputStream.readSInt64",
              protobuf(i -> i.readSInt64(), (o, v) -> o.writeSInt64NoTag(v))),
          entry(
              "CodedInputStream.readFixed32",
              protobuf(i -> unsigned(i.readFixed32()), (o, v) -> o.writeFixed32NoTag((int) v))),
          entry(
              "CodedInputStream.readFixed64",
              protobuf(i -> i.readFixed64(), (o, v) -> o.writeFixed64NoTag(v))),
          entry(
              "CodedInputStream.readSFixed32",
              protobuf(i -> i.readSFixed32(), (o, v) -> o.writeSFixed32NoTag((int) v))),
          entry(
              "CodedInputStream.readSFixed64",
              protobuf(i -> i.readSFixed64(), (o, v) -> o.writeSFixed64NoTag(v))),
          entry(
              "CodedInputStream.readFloat",
              protobuf(i -> bits(i.readFloat()), (o, v) -> o.writeFloatNoTag(floatOf(v)))),
          entry(
              "CodedInputStream.readDouble",
              protobuf(i -> bits(i.readDouble()), (o, v) -> o.writeDoubleNoTag(doubleOf(v)))),
          entry("UUID", uuid(half -> half)),
          entry("UUID.reversed", uuid(Long::reverseBytes)),
          entry("DataInput.readUTF", text(in -> in.readUTF(), DataOutputStream::writeUTF)),
          entry("UTF8.readString", text(UTF8::readString, UTF8::writeString)),
          entry(
              "Text.readString",
              text(in -> Text.readString(in, LIMIT), (o, text) -> Text.writeString(o, text))),
          entry("BufferedReader.readLine", pieces(Forms::lines)),
          // An int before each frame; one that counts itself; a type before it.
          entry(
              "LengthFieldBasedFrameDecoder.hadoop",
              frames(() -> new LengthFieldBasedFrameDecoder(LIMIT + 4, 0, 4, 0, 4))),
          entry(
              "LengthFieldBasedFrameDecoder.hazelcast",
              frames(
                  () ->
                      new LengthFieldBasedFrameDecoder(
                          ByteOrder.LITTLE_ENDIAN, LIMIT + 4, 0, 4, -4, 4, true))),
          entry(
              "LengthFieldBasedFrameDecoder.pravega",
              frames(() -> new LengthFieldBasedFrameDecoder(LIMIT + 8, 4, 4))));

  private interface ReadLong<From> {
    long read(From from) throws IOException;
  }

  private interface WriteLong<To> {
    void write(To to, long value) throws IOException;
  }

  private interface ReadText {
    String read(DataInputStream from) throws IOException;
  }

  private interface WriteText {
    void write(DataOutputStream to, String text) throws IOException;
  }

  private interface ReadPieces {
    List<byte[]> read(InputStream from) throws IOException;
  }

  private static Form data(ReadLong<DataInputStream> read, WriteLong<DataOutputStream> write) {
    return Form.data(
        (in, plain) -> plain.writeLong(read.read(in)),
        (plain, out) -> write.write(out, plain.readLong()));
  }

  private static Form protobuf(
      ReadLong<CodedInputStream> read, WriteLong<CodedOutputStream> write) {
    return Form.protobuf(
        (in, plain) -> plain.writeLong(read.read(in)),
        (plain, out) -> write.write(out, plain.readLong()));
  }

  private static Form text(ReadText read, WriteText write) {
    return Form.data(
        (in, plain) -> plain.writeChars(read.read(in)),
        // Not by a charset: it would replace a lone surrogate.
        (plain, out) ->
            write.write(
                out, ByteBuffer.wrap(plain.readAllBytes()).asCharBuffer().toString()));
  }

  /** Both halves, the most significant first, each as {@code order} has it. */
  private static Form uuid(LongUnaryOperator order) {
    return Form.data(
        (in, plain) -> {
          long most = order.applyAsLong(in.readLong());
          long least = order.applyAsLong(in.readLong());
          plain.writeBytes(new UUID(most, least).toString());
        },
        (plain, out) -> {
          String text = new String(plain.readAllBytes(), StandardCharsets.US_ASCII);
          UUID uuid = UUID.fromString(text);
          out.writeLong(order.applyAsLong(uuid.getMostSignificantBits()));
          out.writeLong(order.applyAsLong(uuid.getLeastSignificantBits()));
        });
  }

  /** All that can be read, told as an int and so many bytes each. */
  private static Form pieces(ReadPieces read) {
    return Form.data(
        (in, plain) -> {
          for (byte[] piece : read.read(in)) {
            plain.writeInt(piece.length);
            plain.write(piece);
          }
        },
        (plain, out) -> {
          throw new UnsupportedOperationException("only read");
        });
  }

  private static Form frames(Supplier<LengthFieldBasedFrameDecoder> decoder) {
    return pieces(
        in -> {
          EmbeddedChannel channel = new EmbeddedChannel(decoder.get());
          try {
            channel.writeInbound(Unpooled.wrappedBuffer(in.readAllBytes()));
          } catch (DecoderException wrong) {
            throw new IOException(wrong);
          }
          return channel.inboundMessages().stream()
              .map(frame -> ByteBufUtil.getBytes((ByteBuf) frame))
              .toList();
        });
  }

  /** Each byte is taken for a character. */
  private static List<byte[]> lines(InputStream in) {
    return new BufferedReader(new InputStreamReader(in, StandardCharsets.ISO_8859_1))
        .lines()
        .map(line -> line.getBytes(StandardCharsets.ISO_8859_1))
        .toList();
  }

  private static long unsigned(int value) {
    return Integer.toUnsignedLong(value);
  }

  private static long bits(float value) {
    return Float.floatToRawIntBits(value);
  }

  private static long bits(double value) {
    return Double.doubleToRawLongBits(value);
  }

  private static float floatOf(long bits) {
    return Float.intBitsToFloat((int) bits);
  }

  private static double doubleOf(long bits) {
    return Double.longBitsToDouble(bits);
  }
}
