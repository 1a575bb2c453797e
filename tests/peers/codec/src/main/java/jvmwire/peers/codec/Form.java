package jvmwire.peers.codec;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;

/**
 * A way to write a value as bytes, by a class of the JVM's.
 *
 * <p>Beside it stands the value as the kit tells it: a {@code long}, UTF-16, the text of a UUID.
 */
interface Form {
  /** Tells the value at the front of {@code wire}, and returns how many bytes it takes. */
  int decode(byte[] wire, DataOutputStream plain) throws IOException;

  /** Writes the value that is told. */
  void encode(DataInputStream plain, DataOutputStream wire) throws IOException;

  /** Takes a value from one and gives it to the other. */
  interface Move<From, To> {
    void move(From from, To to) throws IOException;
  }

  /** What a {@link DataInputStream} reads and a {@link DataOutputStream} writes. */
  static Form data(
      Move<DataInputStream, DataOutputStream> decode,
      Move<DataInputStream, DataOutputStream> encode) {
    return new Form() {
      @Override
      public int decode(byte[] wire, DataOutputStream plain) throws IOException {
        ByteArrayInputStream rest = new ByteArrayInputStream(wire);
        decode.move(new DataInputStream(rest), plain);
        return wire.length - rest.available();
      }

      @Override
      public void encode(DataInputStream plain, DataOutputStream wire) throws IOException {
        encode.move(plain, wire);
      }
    };
  }

  /** What protobuf reads and writes behind a tag. */
  static Form protobuf(
      Move<CodedInputStream, DataOutputStream> decode,
      Move<DataInputStream, CodedOutputStream> encode) {
    return new Form() {
      @Override
      public int decode(byte[] wire, DataOutputStream plain) throws IOException {
        CodedInputStream in = CodedInputStream.newInstance(wire);
        decode.move(in, plain);
        return in.getTotalBytesRead();
      }

      @Override
      public void encode(DataInputStream plain, DataOutputStream wire) throws IOException {
        CodedOutputStream out = CodedOutputStream.newInstance(wire);
        encode.move(plain, out);
        out.flush();
      }
    };
  }
}
