package jvmwire.peers.pravega;

import io.pravega.controller.server.security.auth.GrpcAuthHelper;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Set;

/** How long the tokens live that a controller issues: found in what is reachable from it, and set. */
final class TokenLife {
  private TokenLife() {}

  static String set(Object root, int seconds) throws Exception {
    Field life = GrpcAuthHelper.class.getDeclaredField("accessTokenTTLInSeconds");
    life.setAccessible(true);
    Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    Deque<Object> left = new ArrayDeque<>();
    left.add(root);
    int found = 0;
    while (!left.isEmpty()) {
      Object next = left.poll();
      if (!seen.add(next)) {
        continue;
      }
      if (next instanceof GrpcAuthHelper) {
        life.set(next, seconds);
        found++;
      } else if (next instanceof Map<?, ?> map) {
        map.values().forEach(value -> add(value, left));
      } else if (next instanceof Collection<?> many) {
        many.forEach(one -> add(one, left));
      } else if (next.getClass().isArray()) {
        for (int at = 0; at < Array.getLength(next); at++) {
          add(Array.get(next, at), left);
        }
      } else {
        addFields(next, left);
      }
    }
    return "set " + found;
  }

  private static void addFields(Object of, Deque<Object> left) throws IllegalAccessException {
    for (Class<?> kind = of.getClass(); kind != null; kind = kind.getSuperclass()) {
      if (!kind.getName().startsWith("io.")) {
        continue;
      }
      for (Field field : kind.getDeclaredFields()) {
        if (!Modifier.isStatic(field.getModifiers()) && !field.getType().isPrimitive()) {
          field.setAccessible(true);
          add(field.get(of), left);
        }
      }
    }
  }

  private static void add(Object value, Deque<Object> left) {
    if (value == null) {
      return;
    }
    Class<?> kind = value.getClass();
    boolean holds = value instanceof Map || value instanceof Collection;
    boolean isArray = kind.isArray() && !kind.getComponentType().isPrimitive();
    if (holds || isArray || kind.getName().startsWith("io.pravega.controller")
        || kind.getName().startsWith("io.pravega.local") || kind.getName().startsWith("io.grpc")) {
      left.add(value);
    }
  }
}
