package jvmwire.peers.codec;

import com.hazelcast.core.HazelcastJsonValue;
import java.lang.reflect.Array;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Date;
import java.util.LinkedList;
import java.util.List;
import java.util.stream.Collectors;

/** Values as text, the same that the kit makes of Python's. */
final class Told {
  private Told() {}

  static String of(Object value) {
    if (value == null) {
      return "null";
    }
    if (value instanceof Float number) {
      return "Float:" + Integer.toHexString(Float.floatToIntBits(number));
    }
    if (value instanceof Double number) {
      return "Double:" + Long.toHexString(Double.doubleToLongBits(number));
    }
    if (value instanceof Character unit) {
      return "Character:" + units(unit.toString());
    }
    if (value instanceof String text) {
      return "String:" + units(text);
    }
    if (value instanceof HazelcastJsonValue json) {
      return "Json:" + units(json.toString());
    }
    if (value instanceof Date date) {
      return "Date:" + date.getTime();
    }
    if (value instanceof BigDecimal number) {
      return "BigDecimal:" + number.unscaledValue() + ":" + number.scale();
    }
    if (value instanceof Class<?> type) {
      return "Class:" + type.getName();
    }
    if (value instanceof Enum<?> constant) {
      return "Enum:" + constant.getDeclaringClass().getName() + ":" + constant.name();
    }
    if (value instanceof ArrayList<?> || value instanceof LinkedList<?>) {
      return value.getClass().getSimpleName()
          + ((List<?>) value).stream().map(Told::of).collect(Collectors.joining(";", "[", "]"));
    }
    if (value.getClass().isArray()) {
      List<String> parts = new ArrayList<>();
      for (int i = 0; i < Array.getLength(value); i++) {
        parts.add(of(Array.get(value, i)));
      }
      return value.getClass().getComponentType().getSimpleName() + "[]" + parts;
    }
    if (value instanceof Sample || value instanceof Fields || value instanceof Fields.Inner) {
      return value.toString();
    }
    return value.getClass().getSimpleName() + ":" + value;
  }

  static String units(String text) {
    return text.chars().mapToObj("%04x"::formatted).collect(Collectors.joining());
  }
}
