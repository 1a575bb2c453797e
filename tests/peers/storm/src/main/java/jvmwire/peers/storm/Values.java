package jvmwire.peers.storm;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Values of JSON in words that no JSON library has a part in: `n`, `t`, `f`, `i` and digits, `d` and the
 * bits of a double in hexadecimal, also of a decimal, `s` and the UTF-16 of a text in hexadecimal,
 * `[` values `]`, `{` texts and values `}`, in the texts' order; each word is followed by a space.
 */
final class Values {
  private static final int HEX = 16;
  private static final int UNIT = 4;

  private final String[] words;
  private int next;

  private Values(String line) {
    words = line.split(" ");
  }

  static String say(Object value) {
    StringBuilder said = new StringBuilder();
    say(value, said);
    return said.toString();
  }

  static Object read(String line) {
    return new Values(line).read();
  }

  private static void say(Object value, StringBuilder said) {
    if (value == null) {
      said.append('n');
    } else if (value instanceof Boolean) {
      said.append((Boolean) value ? 't' : 'f');
    } else if (value instanceof Double || value instanceof Float || value instanceof BigDecimal) {
      long bits = Double.doubleToLongBits(((Number) value).doubleValue());
      said.append('d').append(Long.toHexString(bits));
    } else if (value instanceof Number) {
      said.append('i').append(value);
    } else if (value instanceof String) {
      said.append('s');
      for (char unit : ((String) value).toCharArray()) {
        said.append(String.format("%04x", (int) unit));
      }
    } else if (value instanceof Map) {
      said.append("{ ");
      new TreeMap<Object, Object>((Map<?, ?>) value)
          .forEach(
              (key, part) -> {
                say(key, said);
                say(part, said);
              });
      said.append('}');
    } else {
      said.append("[ ");
      ((List<?>) value).forEach(part -> say(part, said));
      said.append(']');
    }
    said.append(' ');
  }

  private Object read() {
    String word = words[next++];
    String rest = word.substring(1);
    switch (word.charAt(0)) {
      case 'n':
        return null;
      case 't':
        return true;
      case 'f':
        return false;
      case 'i':
        return integer(new BigInteger(rest));
      case 'd':
        return Double.longBitsToDouble(Long.parseUnsignedLong(rest, HEX));
      case 's':
        return text(rest);
      case '{':
        Map<String, Object> map = new LinkedHashMap<>();
        while (!words[next].equals("}")) {
          String key = (String) read();
          map.put(key, read());
        }
        next++;
        return map;
      case '[':
        List<Object> list = new ArrayList<>();
        while (!words[next].equals("]")) {
          list.add(read());
        }
        next++;
        return list;
      default:
        throw new IllegalArgumentException(word);
    }
  }

  private static Object integer(BigInteger value) {
    if (value.bitLength() < Integer.SIZE) {
      return value.intValue();
    }
    return value.bitLength() < Long.SIZE ? (Object) value.longValue() : value;
  }

  private static String text(String hexadecimal) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < hexadecimal.length(); i += UNIT) {
      text.append((char) Integer.parseInt(hexadecimal.substring(i, i + UNIT), HEX));
    }
    return text.toString();
  }
}
