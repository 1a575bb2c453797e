package jvmwire.peers.hadoop;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.apache.hadoop.hdfs.protocolPB.ClientNamenodeProtocolPB;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.Descriptor;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.EnumDescriptor;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.EnumValueDescriptor;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.FieldDescriptor;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.GenericDescriptor;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.MethodDescriptor;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.ServiceDescriptor;
import org.apache.hadoop.util.VersionInfo;

/** Prints the tables of {@code rust/codec/src/hadoop/messages.rs}, from Hadoop's own descriptors. */
public final class ProtoTables {
  /** Each extends the {@code BlockingInterface} of its service, and says its protocol's name. */
  private static final List<Class<?>> PROTOCOLS = List.of(ClientNamenodeProtocolPB.class);

  private final Map<String, Descriptor> messages = new TreeMap<>();
  private final Map<String, EnumDescriptor> enums = new TreeMap<>();

  private ProtoTables() {}

  public static void main(String[] args) throws ReflectiveOperationException {
    new ProtoTables().print();
  }

  private void print() throws ReflectiveOperationException {
    Map<Class<?>, ServiceDescriptor> services = new LinkedHashMap<>();
    for (Class<?> protocol : PROTOCOLS) {
      services.put(protocol, descriptor(protocol));
    }
    for (ServiceDescriptor service : services.values()) {
      for (MethodDescriptor method : service.getMethods()) {
        collect(method.getInputType());
        collect(method.getOutputType());
      }
    }
    say("//! The methods of Hadoop's protobuf services, and every message that they lead to.");
    say("//!");
    say("//! Printed by `tests/peers/hadoop` (`ProtoTables`) from the descriptors of Hadoop");
    say("//! %s: `make tables`.", VersionInfo.getVersion());
    say("");
    say("use super::services::{Method, Service};");
    say("use crate::proto::{Field, FieldKind, MessageType};");
    say("");
    say("/// All of them.");
    say("pub(super) static SERVICES: &[Service] = &[");
    services.forEach(
        (protocol, service) -> {
          say("    Service {");
          say("        protocol: \"%s\",", RPC.getProtocolName(protocol));
          say("        version: %d,", RPC.getProtocolVersion(protocol));
          say("        methods: %s,", constant(service.getName()));
          say("    },");
        });
    say("];");
    services.values().forEach(this::service);
    say("");
    say("/// All of them, in order of name.");
    say("pub(super) static MESSAGES: &[&MessageType] = &[");
    messages.forEach((name, message) -> say("    &%s,", constant(name)));
    say("];");
    messages.forEach(this::message);
    enums.forEach(this::enumeration);
  }

  private static ServiceDescriptor descriptor(Class<?> protocol)
      throws ReflectiveOperationException {
    Class<?> service = protocol.getInterfaces()[0].getEnclosingClass();
    return (ServiceDescriptor) service.getMethod("getDescriptor").invoke(null);
  }

  private void collect(Descriptor root) {
    Deque<Descriptor> open = new ArrayDeque<>(List.of(root));
    while (!open.isEmpty()) {
      Descriptor message = open.pop();
      if (!isNew(messages, message)) {
        continue;
      }
      for (FieldDescriptor field : message.getFields()) {
        switch (field.getJavaType()) {
          case MESSAGE -> open.push(field.getMessageType());
          case ENUM -> isNew(enums, field.getEnumType());
          default -> { }
        }
      }
    }
  }

  private static <T extends GenericDescriptor> boolean isNew(Map<String, T> known, T found) {
    T before = known.putIfAbsent(name(found), found);
    if (before != null && before != found) {
      throw new IllegalStateException("two of the name " + name(found));
    }
    return before == null;
  }

  private void service(ServiceDescriptor service) {
    say("");
    say("static %s: &[Method] = &[", constant(service.getName()));
    for (MethodDescriptor method : sorted(service.getMethods(), MethodDescriptor::getName)) {
      say("    Method {");
      say("        name: \"%s\",", method.getName());
      say("        request: &%s,", constant(name(method.getInputType())));
      say("        response: &%s,", constant(name(method.getOutputType())));
      say("    },");
    }
    say("];");
  }

  private void message(String name, Descriptor message) {
    say("");
    say("static %s: MessageType = MessageType {", constant(name));
    say("    name: \"%s\",", name);
    say("    fields: &[");
    for (FieldDescriptor field : sorted(message.getFields(), FieldDescriptor::getNumber)) {
      String label = field.isRepeated() ? "list" : field.isRequired() ? "required" : "one";
      say(
          "        Field::%s(%d, \"%s\", FieldKind::%s),",
          label, field.getNumber(), snake(field.getName()), kind(field));
    }
    say("    ],");
    say("};");
  }

  private void enumeration(String name, EnumDescriptor enumeration) {
    say("");
    say("const %s: &[(i64, &str)] = &[", constant(name));
    for (EnumValueDescriptor value :
        sorted(enumeration.getValues(), EnumValueDescriptor::getNumber)) {
      say("    (%d, \"%s\"),", value.getNumber(), value.getName());
    }
    say("];");
  }

  private static String kind(FieldDescriptor field) {
    return switch (field.getType()) {
      case INT32 -> "Int32";
      case INT64 -> "Int64";
      case UINT32 -> "UInt32";
      case UINT64 -> "UInt64";
      case SINT32 -> "SInt32";
      case SINT64 -> "SInt64";
      case BOOL -> "Bool";
      case STRING -> "Text";
      case BYTES -> "Bytes";
      case ENUM -> "Enum(" + constant(name(field.getEnumType())) + ")";
      case MESSAGE -> "Message(&" + constant(name(field.getMessageType())) + ")";
      default -> throw new IllegalStateException(field.getFullName() + ": " + field.getType());
    };
  }

  private static <T, K extends Comparable<K>> List<T> sorted(List<T> of, Function<T, K> key) {
    return of.stream().sorted((a, b) -> key.apply(a).compareTo(key.apply(b))).toList();
  }

  /** The name without the package: {@code Outer.Inner}. */
  private static String name(GenericDescriptor descriptor) {
    String packaged = descriptor.getFile().getPackage();
    return descriptor.getFullName().substring(packaged.isEmpty() ? 0 : packaged.length() + 1);
  }

  private static String constant(String name) {
    return snake(name.replace(".", "")).toUpperCase(Locale.ROOT);
  }

  private static String snake(String name) {
    return name
        .replaceAll("([a-z0-9])([A-Z])", "$1_$2")
        // But a plural s belongs to what it is of: storageIDs is storage_ids.
        .replaceAll("([A-Z])([A-Z](?!s(?![a-z]))[a-z])", "$1_$2")
        .toLowerCase(Locale.ROOT);
  }

  private static void say(String line, Object... values) {
    System.out.println(String.format(line, values));
  }
}
