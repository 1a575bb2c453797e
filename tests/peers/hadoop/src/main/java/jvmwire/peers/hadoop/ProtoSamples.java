package jvmwire.peers.hadoop;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Random;
import jvmwire.peers.hadoop.Protocols.Protocol;
import org.apache.hadoop.ipc.protobuf.IpcConnectionContextProtos.IpcConnectionContextProto;
import org.apache.hadoop.ipc.protobuf.ProtobufRpcEngine2Protos.RequestHeaderProto;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcKindProto;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcRequestHeaderProto;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcResponseHeaderProto;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcResponseHeaderProto.RpcStatusProto;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcSaslProto;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcSaslProto.SaslState;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.Descriptor;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.EnumValueDescriptor;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.FieldDescriptor;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.MethodDescriptor;
import org.apache.hadoop.thirdparty.protobuf.DynamicMessage;

/**
 * Prints a line of JSON for each method of each protocol, and for each message of the RPC itself:
 * bytes with all fields set, and what protobuf reads in them.
 */
public final class ProtoSamples {
  private static final int CALL_ID = 7;
  private static final ByteString CLIENT_ID = ByteString.copyFromUtf8("sixteen bytes id");
  private static final List<String> TEXTS =
      List.of("", "/user/\u00e9t\u00e9", "a \"quoted\" \\ word\n", "\ud83d\ude00", "\t\u0001");
  /** Lists have more than one element as far down as this. */
  private static final int LISTS_DEPTH = 2;
  /** Messages have others in them as far down as this; those of some types would never end. */
  private static final int OPTIONAL_DEPTH = 4;

  private final Random random = new Random(0);

  private ProtoSamples() {}

  public static void main(String[] args) throws IOException, ReflectiveOperationException {
    ProtoSamples samples = new ProtoSamples();
    samples.printMessagesOfRpc();
    for (Protocol protocol : Protocols.all()) {
      for (MethodDescriptor method : protocol.methods()) {
        System.out.printf(
            "{\"protocol\":\"%s\",\"method\":\"%s\",\"request\":%s,\"response\":%s}%n",
            protocol.name(),
            method.getName(),
            samples.of(method.getInputType(), Map.of()),
            samples.of(method.getOutputType(), Map.of()));
      }
    }
  }

  /** Bytes in a frame of such headers are what they should be only if some fields are. */
  private void printMessagesOfRpc() throws IOException {
    Map<String, Object> call =
        Map.of(
            "rpcKind", RpcKindProto.RPC_PROTOCOL_BUFFER.getValueDescriptor(),
            "callId", CALL_ID,
            "clientId", CLIENT_ID);
    printMessage(RpcRequestHeaderProto.getDescriptor(), call);
    printMessage(RequestHeaderProto.getDescriptor(), Map.of());
    printMessage(IpcConnectionContextProto.getDescriptor(), Map.of());
    for (RpcStatusProto status : RpcStatusProto.values()) {
      Map<String, Object> reply =
          Map.of(
              "callId", CALL_ID, "clientId", CLIENT_ID, "status", status.getValueDescriptor());
      printMessage(RpcResponseHeaderProto.getDescriptor(), reply);
    }
    for (SaslState state : SaslState.values()) {
      printMessage(RpcSaslProto.getDescriptor(), Map.of("state", state.getValueDescriptor()));
    }
  }

  private void printMessage(Descriptor type, Map<String, Object> given) throws IOException {
    System.out.printf("{\"message\":\"%s\",\"sample\":%s}%n", type.getName(), of(type, given));
  }

  private String of(Descriptor type, Map<String, Object> given) throws IOException {
    DynamicMessage.Builder message = filled(type, 0).toBuilder();
    given.forEach((name, value) -> message.setField(type.findFieldByName(name), value));
    byte[] bytes = message.build().toByteArray();
    String fields = printed(DynamicMessage.parseFrom(type, bytes));
    return String.format(
        "{\"bytes\":\"%s\",\"fields\":%s}", Base64.getEncoder().encodeToString(bytes), fields);
  }

  private DynamicMessage filled(Descriptor type, int depth) {
    DynamicMessage.Builder message = DynamicMessage.newBuilder(type);
    for (FieldDescriptor field : type.getFields()) {
      boolean deeper = field.getJavaType() == FieldDescriptor.JavaType.MESSAGE;
      if (deeper && !field.isRequired() && depth >= OPTIONAL_DEPTH) {
        continue;
      }
      if (!field.isRepeated()) {
        message.setField(field, value(field, depth));
        continue;
      }
      for (int i = 0; i < (depth < LISTS_DEPTH ? 2 : 1); i++) {
        message.addRepeatedField(field, value(field, depth));
      }
    }
    return message.build();
  }

  private Object value(FieldDescriptor field, int depth) {
    return switch (field.getJavaType()) {
      case INT -> random.nextInt() >> random.nextInt(32);
      case LONG -> random.nextLong() >> random.nextInt(64);
      case FLOAT -> random.nextInt(1000) / 8f;
      case DOUBLE -> random.nextDouble();
      case BOOLEAN -> random.nextBoolean();
      case STRING -> TEXTS.get(random.nextInt(TEXTS.size()));
      case BYTE_STRING -> bytes();
      case ENUM -> {
        List<EnumValueDescriptor> values = field.getEnumType().getValues();
        yield values.get(random.nextInt(values.size()));
      }
      case MESSAGE -> filled(field.getMessageType(), depth + 1);
    };
  }

  private ByteString bytes() {
    byte[] bytes = new byte[random.nextInt(20)];
    random.nextBytes(bytes);
    return ByteString.copyFrom(bytes);
  }

  /** Writes the JSON of our tables, by what protobuf says of the fields. */
  private static String printed(DynamicMessage message) {
    List<String> fields = new ArrayList<>();
    message
        .getAllFields()
        .forEach(
            (field, value) -> {
              String shown;
              if (field.isRepeated()) {
                List<String> elements =
                    ((List<?>) value).stream().map(each -> printed(field, each)).toList();
                shown = "[" + String.join(",", elements) + "]";
              } else {
                shown = printed(field, value);
              }
              fields.add(quoted(Names.snake(field.getName())) + ":" + shown);
            });
    return "{" + String.join(",", fields) + "}";
  }

  private static String printed(FieldDescriptor field, Object value) {
    return switch (field.getType()) {
      case UINT32 -> Integer.toUnsignedString((Integer) value);
      case UINT64 -> Long.toUnsignedString((Long) value);
      case STRING -> quoted((String) value);
      case ENUM -> quoted(((EnumValueDescriptor) value).getName());
      case BYTES -> {
        byte[] bytes = ((ByteString) value).toByteArray();
        yield "{\"base64\":\"" + Base64.getEncoder().encodeToString(bytes) + "\"}";
      }
      case MESSAGE -> printed((DynamicMessage) value);
      default -> value.toString();
    };
  }

  private static String quoted(String text) {
    StringBuilder out = new StringBuilder("\"");
    for (char unit : text.toCharArray()) {
      if (unit == '"' || unit == '\\') {
        out.append('\\').append(unit);
      } else if (unit < ' ' || unit > '~') {
        out.append(String.format("\\u%04x", (int) unit));
      } else {
        out.append(unit);
      }
    }
    return out.append('"').toString();
  }
}
