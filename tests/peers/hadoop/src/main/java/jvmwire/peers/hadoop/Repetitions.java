package jvmwire.peers.hadoop;

import java.lang.reflect.Method;
import java.util.List;
import jvmwire.peers.hadoop.Protocols.Protocol;
import org.apache.hadoop.io.retry.AtMostOnce;
import org.apache.hadoop.io.retry.Idempotent;

/** What Hadoop's own clients know of calling a method twice: annotations of its interfaces. */
final class Repetitions {
  private Repetitions() {}

  /** Says how a method on the wire is annotated in the interface that is served under it. */
  static String of(Protocol protocol, String method) {
    for (String name : List.of(protocol.name(), protocol.type().getName().replaceAll("PB$", ""))) {
      for (Method found : methods(name)) {
        if (found.getName().equals(method) || found.getName().equals(inJava(method))) {
          if (found.isAnnotationPresent(AtMostOnce.class)) {
            return "AtMostOnce";
          }
          if (found.isAnnotationPresent(Idempotent.class)) {
            return "Idempotent";
          }
        }
      }
    }
    return "Unsafe";
  }

  /** A few methods have another name on the wire: getFsStats is getStats. */
  private static String inJava(String method) {
    return method.replaceFirst("^getFs", "get");
  }

  private static Method[] methods(String name) {
    try {
      return Class.forName(name, false, Repetitions.class.getClassLoader()).getMethods();
    } catch (ClassNotFoundException e) {
      return new Method[0];
    }
  }
}
