package jvmwire.peers.hadoop;

import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import org.apache.hadoop.ipc.ProtocolInfo;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.MethodDescriptor;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.ServiceDescriptor;

/** The protobuf protocols of Hadoop's jars on the class path. */
final class Protocols {
  /** A protocol: its name on the wire, and its methods in order of name. */
  record Protocol(Class<?> type, String name, long version, List<MethodDescriptor> methods) {}

  private Protocols() {}

  /** Finds them all, in order of name. */
  static List<Protocol> all() throws IOException, ReflectiveOperationException {
    List<Protocol> found = new ArrayList<>();
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
      String jar = new File(entry).getName();
      if (jar.matches("hadoop-.*\\.jar") && !jar.contains("tests")) {
        for (String name : interfacesOf(entry)) {
          add(Class.forName(name, false, Protocols.class.getClassLoader()), found);
        }
      }
    }
    found.sort(Comparator.comparing(Protocol::name));
    return found;
  }

  /** An interface that the RPC engine serves is called so: its methods take protobuf messages. */
  private static List<String> interfacesOf(String jar) throws IOException {
    try (JarFile file = new JarFile(jar)) {
      return file.stream()
          .map(JarEntry::getName)
          .filter(name -> name.endsWith("PB.class"))
          .map(name -> name.substring(0, name.lastIndexOf('.')).replace('/', '.'))
          .toList();
    }
  }

  private static void add(Class<?> type, List<Protocol> found)
      throws ReflectiveOperationException {
    ProtocolInfo info = type.getAnnotation(ProtocolInfo.class);
    if (!type.isInterface() || info == null) {
      return;
    }
    Map<String, MethodDescriptor> methods = new TreeMap<>();
    collect(type, methods);
    List<MethodDescriptor> ordered = List.copyOf(methods.values());
    found.add(new Protocol(type, info.protocolName(), info.protocolVersion(), ordered));
  }

  /** A protocol may extend another one, and then has its methods too. */
  private static void collect(Class<?> type, Map<String, MethodDescriptor> methods)
      throws ReflectiveOperationException {
    for (Class<?> above : type.getInterfaces()) {
      Class<?> service = above.getEnclosingClass();
      if (service != null && declaresDescriptor(service)) {
        Object descriptor = service.getMethod("getDescriptor").invoke(null);
        for (MethodDescriptor method : ((ServiceDescriptor) descriptor).getMethods()) {
          methods.put(method.getName(), method);
        }
      }
      collect(above, methods);
    }
  }

  private static boolean declaresDescriptor(Class<?> service) {
    for (var method : service.getDeclaredMethods()) {
      if (method.getName().equals("getDescriptor") && method.getParameterCount() == 0) {
        return true;
      }
    }
    return false;
  }
}
