package test;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.Writable;

/** A user's own, as tests/kit/hadoop_values.py has it. */
public final class Point implements Writable {
  private int x;
  private final Text name = new Text();

  @Override
  public void write(DataOutput out) throws IOException {
    out.writeInt(x);
    name.write(out);
  }

  @Override
  public void readFields(DataInput in) throws IOException {
    x = in.readInt();
    name.readFields(in);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Point point && point.x == x && point.name.equals(name);
  }

  @Override
  public int hashCode() {
    return x;
  }
}
