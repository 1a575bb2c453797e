package jvmwire.peers.codec;

import com.hazelcast.core.HazelcastJsonValue;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Date;
import java.util.LinkedList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/** Values of every type that Hazelcast writes by itself, and of classes of ours. */
final class Samples {
  static final int TYPES = 27;
  private static final String CHARACTERS =
      "\0 aZ\u007f\u0080\u00e9\u07ff\u0800\u20ac\u6c34\uffff\ud83d\ude00\udbff\udfff\ud800\udc00";
  // Of what can be made in Python: the years 1 to 9999.
  private static final long FIRST = -62_135_596_800_000L;
  private static final long LAST = 253_402_300_799_999L;

  private final Random random;

  Samples(Random random) {
    this.random = random;
  }

  Object next(int index) {
    return of(index % TYPES, 3);
  }

  Object of(int type, int depth) {
    return switch (type) {
      case 0 -> null;
      case 1 -> (byte) random.nextInt();
      case 2 -> random.nextBoolean();
      case 3 -> CHARACTERS.charAt(random.nextInt(CHARACTERS.length()));
      case 4 -> (short) random.nextInt();
      case 5 -> number().intValue();
      case 6 -> number().longValue();
      case 7 -> real().floatValue();
      case 8 -> real();
      case 9 -> text();
      case 10 -> bytes();
      case 11 -> booleans();
      case 12 -> text().toCharArray();
      case 13 -> shorts();
      case 14 -> random.ints(count()).toArray();
      case 15 -> random.longs(count()).toArray();
      case 16 -> floats();
      case 17 -> random.doubles(count()).toArray();
      case 18 -> strings();
      case 19 -> random.nextBoolean() ? String.class : TimeUnit.class;
      case 20 -> new Date(random.nextLong(FIRST, LAST));
      case 21 -> number();
      case 22 -> new BigDecimal(number(), random.nextInt(-40, 40));
      case 23 -> TimeUnit.values()[random.nextInt(TimeUnit.values().length)];
      case 24 -> fill(new ArrayList<>(), depth);
      case 25 -> fill(new LinkedList<>(), depth);
      case 26 -> new HazelcastJsonValue("{\"a\": " + random.nextInt() + "}");
      default -> throw new IllegalArgumentException("" + type);
    };
  }

  String text() {
    StringBuilder text = new StringBuilder();
    for (int i = count(); i > 0; i--) {
      text.append(CHARACTERS.charAt(random.nextInt(CHARACTERS.length())));
    }
    return text.toString();
  }

  byte[] bytes() {
    byte[] bytes = new byte[count()];
    random.nextBytes(bytes);
    return bytes;
  }

  boolean[] booleans() {
    boolean[] flags = new boolean[count()];
    for (int i = 0; i < flags.length; i++) {
      flags[i] = random.nextBoolean();
    }
    return flags;
  }

  short[] shorts() {
    short[] numbers = new short[count()];
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = (short) random.nextInt();
    }
    return numbers;
  }

  float[] floats() {
    float[] numbers = new float[count()];
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = random.nextFloat();
    }
    return numbers;
  }

  String[] strings() {
    String[] texts = new String[count()];
    for (int i = 0; i < texts.length; i++) {
      texts[i] = random.nextInt(4) == 0 ? null : text();
    }
    return texts;
  }

  private BigInteger number() {
    BigInteger number = new BigInteger(random.nextInt(130), random);
    return random.nextBoolean() ? number.negate() : number;
  }

  private Double real() {
    double[] special = {0.0, -0.0, Double.NaN, Double.POSITIVE_INFINITY, 1.5, Double.MIN_VALUE};
    int which = random.nextInt(2 * special.length);
    return which < special.length ? special[which] : random.nextGaussian() * 1e10;
  }

  private List<Object> fill(List<Object> list, int depth) {
    for (int i = depth == 0 ? 0 : count(); i > 0; i--) {
      list.add(of(random.nextInt(TYPES), depth - 1));
    }
    return list;
  }

  private int count() {
    return random.nextInt(6);
  }
}
