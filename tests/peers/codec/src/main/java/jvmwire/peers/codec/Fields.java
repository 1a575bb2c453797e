package jvmwire.peers.codec;

import com.hazelcast.nio.serialization.Portable;
import com.hazelcast.nio.serialization.PortableReader;
import com.hazelcast.nio.serialization.PortableWriter;
import com.hazelcast.nio.serialization.VersionedPortable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** A {@link Portable} with a field of every type, whose other side is the kit's. */
final class Fields implements Portable {
  static final int FACTORY = 8;
  static final int ID = 1;

  private final List<Object> values = new ArrayList<>();
  private Object raw;

  static Portable create(int id) {
    return switch (id) {
      case ID -> new Fields();
      case Inner.ID -> new Inner();
      default -> null;
    };
  }

  @Override
  public int getFactoryId() {
    return FACTORY;
  }

  @Override
  public int getClassId() {
    return ID;
  }

  @Override
  public void writePortable(PortableWriter out) throws IOException {
    // Of what was read: this side begins none.
    int i = 0;
    out.writeByte("byte", (Byte) values.get(i++));
    out.writeBoolean("boolean", (Boolean) values.get(i++));
    out.writeChar("char", (Character) values.get(i++));
    out.writeShort("short", (Short) values.get(i++));
    out.writeInt("int", (Integer) values.get(i++));
    out.writeLong("long", (Long) values.get(i++));
    out.writeFloat("float", (Float) values.get(i++));
    out.writeDouble("double", (Double) values.get(i++));
    out.writeUTF("utf", (String) values.get(i++));
    Inner inner = (Inner) values.get(i++);
    if (inner == null) {
      out.writeNullPortable("portable", FACTORY, Inner.ID);
    } else {
      out.writePortable("portable", inner);
    }
    out.writeByteArray("bytes", (byte[]) values.get(i++));
    out.writeBooleanArray("booleans", (boolean[]) values.get(i++));
    out.writeCharArray("chars", (char[]) values.get(i++));
    out.writeShortArray("shorts", (short[]) values.get(i++));
    out.writeIntArray("ints", (int[]) values.get(i++));
    out.writeLongArray("longs", (long[]) values.get(i++));
    out.writeFloatArray("floats", (float[]) values.get(i++));
    out.writeDoubleArray("doubles", (double[]) values.get(i++));
    out.writeUTFArray("utfs", (String[]) values.get(i++));
    out.writePortableArray("portables", (Portable[]) values.get(i));
    out.getRawDataOutput().writeObject(raw);
  }

  @Override
  public void readPortable(PortableReader in) throws IOException {
    values.addAll(
        Arrays.<Object>asList(
            in.readByte("byte"),
            in.readBoolean("boolean"),
            in.readChar("char"),
            in.readShort("short"),
            in.readInt("int"),
            in.readLong("long"),
            in.readFloat("float"),
            in.readDouble("double"),
            in.readUTF("utf"),
            in.readPortable("portable"),
            in.readByteArray("bytes"),
            in.readBooleanArray("booleans"),
            in.readCharArray("chars"),
            in.readShortArray("shorts"),
            in.readIntArray("ints"),
            in.readLongArray("longs"),
            in.readFloatArray("floats"),
            in.readDoubleArray("doubles"),
            in.readUTFArray("utfs"),
            in.readPortableArray("portables")));
    raw = in.getRawDataInput().readObject();
  }

  @Override
  public String toString() {
    return values.stream().map(Told::of).collect(Collectors.joining(",", "Fields{", "," + Told.of(raw) + "}"));
  }

  /** A Portable within another, with a version of its own. */
  static final class Inner implements VersionedPortable {
    static final int ID = 2;

    private int number;
    private String text;

    @Override
    public int getClassVersion() {
      return 3;
    }

    @Override
    public int getFactoryId() {
      return FACTORY;
    }

    @Override
    public int getClassId() {
      return ID;
    }

    @Override
    public void writePortable(PortableWriter out) throws IOException {
      out.writeInt("number", number);
      out.writeUTF("text", text);
    }

    @Override
    public void readPortable(PortableReader in) throws IOException {
      // A field may be missing in another version.
      number = in.hasField("number") ? in.readInt("number") : -1;
      text = in.hasField("text") ? in.readUTF("text") : null;
    }

    @Override
    public String toString() {
      return "Inner{" + number + "," + Told.of(text) + "}";
    }
  }
}
