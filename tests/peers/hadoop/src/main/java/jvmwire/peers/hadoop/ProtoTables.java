package jvmwire.peers.hadoop;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import jvmwire.peers.hadoop.Protocols.Protocol;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.Descriptor;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.EnumDescriptor;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.EnumValueDescriptor;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.FieldDescriptor;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.GenericDescriptor;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.MethodDescriptor;
import org.apache.hadoop.util.VersionInfo;

/** Prints {@code rust/codec/src/hadoop/messages.rs}, from Hadoop's own descriptors. */
public final class ProtoTables {
  /** What goes by its bare name where another package has a message of that name too. */
  private static final Set<String> PLAIN_PACKAGES = Set.of("hadoop.common", "hadoop.hdfs");

  private final Map<String, Descriptor> messages = new TreeMap<>();
  private final Map<String, EnumDescriptor> enums = new TreeMap<>();
  private final Map<String, Set<String>> packages = new HashMap<>();

  private ProtoTables() {}

  public static void main(String[] args) throws IOException, ReflectiveOperationException {
    new ProtoTables().print();
  }

  private void print() throws IOException, ReflectiveOperationException {
    List<Protocol> protocols = Protocols.all();
    for (Protocol protocol : protocols) {
      for (MethodDescriptor method : protocol.methods()) {
        collect(method.getInputType());
        collect(method.getOutputType());
      }
    }
    say("//! The methods of Hadoop's protobuf services, and every message that they lead to.");
    say("//!");
    say("//! Printed by `tests/peers/hadoop` (`ProtoTables`) from the descriptors of Hadoop");
    say("//! %s: `make tables`.", VersionInfo.getVersion());
    say("");
    say("use super::secrets::message;");
    say("use super::services::{Method, Repetition, Service};");
    say("use crate::proto::{Field, FieldKind, MessageType};");
    say("");
    say("/// All of them, in order of the protocol's name.");
    say("pub(super) static SERVICES: &[Service] = &[");
    for (Protocol protocol : protocols) {
      say("    Service {");
      say("        protocol: \"%s\",", protocol.name());
      say("        version: %d,", protocol.version());
      say("        methods: %s,", constant(protocol));
      say("    },");
    }
    say("];");
    protocols.forEach(this::methods);
    say("");
    say("/// All of them, in order of name.");
    say("pub(super) static MESSAGES: &[&MessageType] = &[");
    sorted(List.copyOf(messages.values()), this::name)
        .forEach(message -> say("    &%s,", constant(name(message))));
    say("];");
    messages.values().forEach(this::message);
    enums.values().forEach(this::enumeration);
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

  private <T extends GenericDescriptor> boolean isNew(Map<String, T> known, T found) {
    packages
        .computeIfAbsent(inPackage(found), name -> new HashSet<>())
        .add(found.getFile().getPackage());
    return known.putIfAbsent(found.getFullName(), found) == null;
  }

  private void methods(Protocol protocol) {
    say("");
    say("static %s: &[Method] = &[", constant(protocol));
    for (MethodDescriptor method : protocol.methods()) {
      say("    Method {");
      say("        name: \"%s\",", method.getName());
      say("        request: &%s,", constant(name(method.getInputType())));
      say("        response: &%s,", constant(name(method.getOutputType())));
      say("        repetition: Repetition::%s,", Repetitions.of(protocol, method.getName()));
      say("    },");
    }
    say("];");
  }

  private void message(Descriptor message) {
    String name = name(message);
    say("");
    say("static %s: MessageType = message(\"%s\", &[", constant(name), name);
    for (FieldDescriptor field : sorted(message.getFields(), FieldDescriptor::getNumber)) {
      String label = field.isRepeated() ? "list" : field.isRequired() ? "required" : "one";
      say(
          "    Field::%s(%d, \"%s\", FieldKind::%s),",
          label, field.getNumber(), Names.snake(field.getName()), kind(field));
    }
    say("]);");
  }

  private void enumeration(EnumDescriptor enumeration) {
    say("");
    say("const %s: &[(i64, &str)] = &[", constant(name(enumeration)));
    for (EnumValueDescriptor value :
        sorted(enumeration.getValues(), EnumValueDescriptor::getNumber)) {
      say("    (%d, \"%s\"),", value.getNumber(), value.getName());
    }
    say("];");
  }

  private String kind(FieldDescriptor field) {
    return switch (field.getType()) {
      case INT32 -> "Int32";
      case INT64 -> "Int64";
      case UINT32 -> "UInt32";
      case UINT64 -> "UInt64";
      case SINT32 -> "SInt32";
      case SINT64 -> "SInt64";
      case FLOAT -> "Float";
      case DOUBLE -> "Double";
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

  /** The name without the package, unless another package has it too: {@code Outer.Inner}. */
  private String name(GenericDescriptor descriptor) {
    String name = inPackage(descriptor);
    String from = descriptor.getFile().getPackage();
    boolean plain = packages.get(name).size() == 1 || PLAIN_PACKAGES.contains(from);
    return plain ? name : from.substring(from.lastIndexOf('.') + 1) + "." + name;
  }

  private static String inPackage(GenericDescriptor descriptor) {
    return descriptor.getFullName().substring(descriptor.getFile().getPackage().length() + 1);
  }

  private static String constant(Protocol protocol) {
    return constant(protocol.name().substring(protocol.name().lastIndexOf('.') + 1)) + "_METHODS";
  }

  private static String constant(String name) {
    return Names.snake(name.replace(".", "_")).replace("__", "_").toUpperCase(Locale.ROOT);
  }

  private static void say(String line, Object... values) {
    System.out.println(String.format(line, values));
  }
}
