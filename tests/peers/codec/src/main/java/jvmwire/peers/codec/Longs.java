package jvmwire.peers.codec;

import com.google.protobuf.CodedInputStream;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import org.apache.hadoop.io.WritableUtils;

/** Numbers that take more or less bytes, one after the other. */
abstract class Longs implements Rival {
  byte[] wire;
  /** Used again in each run. */
  long[] values = {};
  int count;

  @Override
  public void prepare(byte[] wire) {
    this.wire = wire;
    if (values.length < wire.length) {
      values = new long[wire.length];
    }
  }

  @Override
  public void tell(DataOutputStream out) throws IOException {
    for (int i = 0; i < count; i++) {
      out.writeLong(values[i]);
    }
  }

  static final class OfHadoop extends Longs {
    @Override
    public void prepare(byte[] wire) {
      super.prepare(wire);
      count = 0;
      for (int at = 0; at < wire.length; at += WritableUtils.decodeVIntSize(wire[at])) {
        count++;
      }
    }

    @Override
    public void run() throws IOException {
      // The fastest DataInput over bytes in memory: DataInputBuffer takes longer.
      DataInputStream in = new DataInputStream(new ByteArrayInputStream(wire));
      long[] values = this.values;
      int count = this.count;
      for (int i = 0; i < count; i++) {
        values[i] = WritableUtils.readVLong(in);
      }
    }
  }

  static final class OfProtobuf extends Longs {
    @Override
    public void run() throws IOException {
      CodedInputStream in = CodedInputStream.newInstance(wire);
      long[] values = this.values;
      int count = 0;
      while (!in.isAtEnd()) {
        values[count++] = in.readRawVarint64();
      }
      this.count = count;
    }
  }
}
