package jvmwire.peers.pravega;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.google.gson.JsonPrimitive;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufOutputStream;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.LengthFieldBasedFrameDecoder;
import io.pravega.shared.metrics.MetricNotifier;
import io.pravega.shared.protocol.netty.Append;
import io.pravega.shared.protocol.netty.AppendBatchSizeTracker;
import io.pravega.shared.protocol.netty.AppendDecoder;
import io.pravega.shared.protocol.netty.CommandDecoder;
import io.pravega.shared.protocol.netty.CommandEncoder;
import io.pravega.shared.protocol.netty.WireCommand;
import io.pravega.shared.protocol.netty.WireCommandType;
import io.pravega.shared.protocol.netty.WireCommands;
import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * Says what Pravega's own classes read and write.
 *
 * <p>{@code tell} reads the frames of the file {@code request}, a line of hex each, and writes a line
 * of JSON for each into the file {@code reply}: the command's name, its fields, and what it is when
 * written again; or what was thrown. {@code encode BLOCK} reads lines of JSON, appends and other
 * commands, and answers by what a client's channel writes of them, in blocks of that size, as hex.
 * {@code decode} reads hex, what a client wrote, and answers by the appends that a server's channel
 * makes of it.
 */
public final class Oracle {
  private static final Gson GSON = new GsonBuilder().serializeNulls().create();
  /** Blocks end where the test ends them, however slow the machine is. */
  private static final int HOUR_MS = 3_600_000;

  private Oracle() {}

  public static void main(String[] args) throws Exception {
    Peer.serve(
        "oracle",
        words -> {
          List<String> asked = Files.readAllLines(Path.of("request"), StandardCharsets.UTF_8);
          StringBuilder reply = new StringBuilder();
          switch (words[0]) {
            case "tell" -> asked.forEach(line -> reply.append(tell(line)).append('\n'));
            case "encode" -> reply.append(encode(asked, Integer.parseInt(words[1])));
            case "decode" -> reply.append(decode(asked.get(0)));
            default -> throw new IllegalArgumentException(words[0]);
          }
          Files.writeString(Path.of("reply"), reply, StandardCharsets.UTF_8);
          return "answered " + asked.size();
        });
  }

  private static String tell(String hex) {
    JsonObject told = new JsonObject();
    try {
      WireCommand command = CommandDecoder.parseCommand(bytes(hex));
      told.addProperty("name", command.getClass().getSimpleName());
      told.add("fields", fields(command));
      told.addProperty("again", ByteBufUtil.hexDump(write(command)));
    } catch (Exception | Error refused) {
      told.addProperty("refused", refused.toString());
    }
    return GSON.toJson(told);
  }

  private static ByteBuf bytes(String hex) {
    return Unpooled.wrappedBuffer(ByteBufUtil.decodeHexDump(hex));
  }

  /** As {@code CommandEncoder.writeMessage}, which keeps its commands to itself. */
  private static ByteBuf write(WireCommand command) throws IOException {
    ByteBuf out = Unpooled.buffer();
    ByteBufOutputStream fields = new ByteBufOutputStream(out);
    fields.writeInt(command.getType().getCode());
    fields.writeInt(0);
    command.writeFields(fields);
    out.setInt(4, out.readableBytes() - WireCommands.TYPE_PLUS_LENGTH_SIZE);
    return out;
  }

  private static JsonObject fields(Object of) throws IllegalAccessException {
    JsonObject fields = new JsonObject();
    for (Field field : of.getClass().getDeclaredFields()) {
      if (!Modifier.isStatic(field.getModifiers()) && field.getType() != WireCommandType.class) {
        field.setAccessible(true);
        fields.add(field.getName(), value(field.get(of)));
      }
    }
    return fields;
  }

  private static JsonElement value(Object of) throws IllegalAccessException {
    if (of instanceof Number number) {
      return new JsonPrimitive(number);
    }
    if (of instanceof Boolean truth) {
      return new JsonPrimitive(truth);
    }
    if (of instanceof String text) {
      // Not every text of Java's is one of UTF-8's.
      JsonArray units = new JsonArray();
      text.chars().forEach(units::add);
      return units;
    }
    if (of instanceof UUID uuid) {
      return new JsonPrimitive(uuid.toString());
    }
    if (of instanceof ByteBuf bytes) {
      return new JsonPrimitive(ByteBufUtil.hexDump(bytes));
    }
    if (of instanceof WireCommands.ErrorMessage.ErrorCode code) {
      return new JsonPrimitive(code.getCode());
    }
    if (of instanceof WireCommands.AuthTokenCheckFailed.ErrorCode code) {
      return new JsonPrimitive(code.getCode());
    }
    if (of instanceof Iterable<?> many) {
      JsonArray values = new JsonArray();
      for (Object one : many) {
        values.add(value(one));
      }
      return values;
    }
    if (of instanceof Map.Entry<?, ?> entry) {
      JsonObject pair = new JsonObject();
      pair.add("key", value(entry.getKey()));
      pair.add("value", value(entry.getValue()));
      return pair;
    }
    return fields(of);
  }

  private static String encode(List<String> lines, int block) {
    EmbeddedChannel channel =
        new EmbeddedChannel(
            new CommandEncoder(flow -> new Blocks(block), MetricNotifier.NO_OP_METRIC_NOTIFIER));
    for (String line : lines) {
      JsonObject asked = JsonParser.parseString(line).getAsJsonObject();
      UUID writer = UUID.fromString(asked.get("writer").getAsString());
      switch (asked.get("do").getAsString()) {
        case "setup" -> channel.writeOutbound(new WireCommands.SetupAppend(7, writer, "a/b/0", ""));
        case "append" -> {
          ByteBuf data = bytes(asked.get("data").getAsString());
          channel.writeOutbound(
              new Append(
                  "a/b/0", writer, asked.get("number").getAsLong(), new WireCommands.Event(data), 7));
        }
        default -> channel.writeOutbound(new WireCommands.KeepAlive());
      }
    }
    StringBuilder wire = new StringBuilder();
    for (ByteBuf out = channel.readOutbound(); out != null; out = channel.readOutbound()) {
      wire.append(ByteBufUtil.hexDump(out));
      out.release();
    }
    channel.close();
    return wire.toString();
  }

  private static String decode(String hex) {
    EmbeddedChannel channel =
        new EmbeddedChannel(
            new LengthFieldBasedFrameDecoder(WireCommands.MAX_WIRECOMMAND_SIZE, 4, 4),
            new CommandDecoder(),
            new AppendDecoder());
    StringBuilder appends = new StringBuilder();
    try {
      channel.writeInbound(bytes(hex));
    } catch (Exception refused) {
      JsonObject told = new JsonObject();
      told.addProperty("refused", refused.toString());
      appends.append(GSON.toJson(told)).append('\n');
    }
    for (Object in = channel.readInbound(); in != null; in = channel.readInbound()) {
      if (in instanceof Append append) {
        JsonObject told = new JsonObject();
        told.addProperty("writer", append.getWriterId().toString());
        told.addProperty("number", append.getEventNumber());
        told.addProperty("events", append.getEventCount());
        told.addProperty("data", ByteBufUtil.hexDump(append.getData()));
        appends.append(GSON.toJson(told)).append('\n');
      }
    }
    return appends.toString();
  }

  /** Blocks of a size that events do not fit into evenly. */
  private record Blocks(int size) implements AppendBatchSizeTracker {
    @Override
    public int getAppendBlockSize() {
      return size;
    }

    @Override
    public int getBatchTimeout() {
      return HOUR_MS;
    }

    @Override
    public void recordAppend(long eventNumber, int size) {}

    @Override
    public long recordAck(long eventNumber) {
      return 0;
    }
  }
}
