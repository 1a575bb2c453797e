package jvmwire.peers.codec;

import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.nio.serialization.IdentifiedDataSerializable;
import java.io.IOException;

/** An {@link IdentifiedDataSerializable}, whose other side is the kit's. */
final class Sample implements IdentifiedDataSerializable {
  static final int FACTORY = 7;
  static final int ID = 1;

  private int number;
  private String text;
  private Object object;

  @Override
  public int getFactoryId() {
    return FACTORY;
  }

  @Override
  public int getId() {
    return ID;
  }

  @Override
  public void writeData(ObjectDataOutput out) throws IOException {
    out.writeInt(number);
    out.writeUTF(text);
    out.writeObject(object);
  }

  @Override
  public void readData(ObjectDataInput in) throws IOException {
    number = in.readInt();
    text = in.readUTF();
    object = in.readObject();
  }

  @Override
  public String toString() {
    return "Sample{" + number + "," + Told.of(text) + "," + Told.of(object) + "}";
  }
}
