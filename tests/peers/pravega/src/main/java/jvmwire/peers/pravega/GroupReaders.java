package jvmwire.peers.pravega;

import com.google.gson.Gson;
import io.pravega.client.ClientConfig;
import io.pravega.client.EventStreamClientFactory;
import io.pravega.client.admin.ReaderGroupManager;
import io.pravega.client.stream.EventRead;
import io.pravega.client.stream.EventStreamReader;
import io.pravega.client.stream.Position;
import io.pravega.client.stream.ReaderConfig;
import io.pravega.client.stream.ReaderGroup;
import io.pravega.client.stream.ReaderGroupConfig;
import io.pravega.client.stream.Stream;
import io.pravega.client.stream.TimeWindow;
import io.pravega.client.stream.impl.ByteBufferSerializer;
import java.io.PrintWriter;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;

/**
 * Readers of reader groups, by Pravega's own client; a group is {@code scope/name}.
 *
 * <p>{@code group-create GROUP STREAM CHECKPOINT_MS} makes one. {@code group-open GROUP READER} begins
 * to read as a reader, {@code group-read READER MS} reads for so long, or until the stream ends, and
 * writes each event in hex into the file {@code reply}, or {@code checkpoint NAME}. {@code
 * group-close READER} ends it in order, {@code group-forget READER} has it say nothing more, as one
 * that dies. {@code group-offline GROUP READER [last]} gives its segments to others, from its last
 * checkpoint, or from where it read to last. {@code group-readers GROUP} and {@code group-segments
 * GROUP} answer with what is in the group's state, in JSON; {@code group-checkpoint GROUP NAME} begins a
 * checkpoint. {@code group-window READER STREAM} answers with the time window of a reader.
 */
final class GroupReaders {
  private static final Gson GSON = new Gson();
  private static final HexFormat HEX = HexFormat.of();

  private final ClientConfig config;
  private final Map<String, EventStreamClientFactory> factories = new HashMap<>();
  private final Map<String, EventStreamReader<ByteBuffer>> readers = new HashMap<>();
  private final Map<String, Position> positions = new HashMap<>();

  GroupReaders(ClientConfig config) {
    this.config = config;
  }

  String answer(String[] words) throws Exception {
    switch (words[0]) {
      case "group-open" -> open(Stream.of(words[1]), words[2]);
      case "group-read" -> read(words[1], Long.parseLong(words[2]));
      case "group-close" -> {
        readers.remove(words[1]).close();
        factories.remove(words[1]).close();
      }
      case "group-forget" -> readers.remove(words[1]);
      case "group-window" -> {
        TimeWindow window = readers.get(words[1]).getCurrentTimeWindow(Stream.of(words[2]));
        Long[] bounds = {window.getLowerTimeBound(), window.getUpperTimeBound()};
        return GSON.toJson(bounds);
      }
      default -> {
        Stream group = Stream.of(words[1]);
        try (ReaderGroupManager manager = ReaderGroupManager.withScope(group.getScope(), config)) {
          return ask(manager, group.getStreamName(), words);
        }
      }
    }
    return "done";
  }

  private String ask(ReaderGroupManager manager, String name, String[] words) throws Exception {
    if (words[0].equals("group-create")) {
      manager.createReaderGroup(
          name,
          ReaderGroupConfig.builder()
              .stream(words[2])
              .automaticCheckpointIntervalMillis(Long.parseLong(words[3]))
              .groupRefreshTimeMillis(500)
              .build());
      return "done";
    }
    try (ReaderGroup group = manager.getReaderGroup(name)) {
      switch (words[0]) {
        case "group-offline" ->
            group.readerOffline(words[2], words.length > 3 ? positions.get(words[2]) : null);
        case "group-readers" -> {
          return GSON.toJson(new TreeSet<>(group.getOnlineReaders()));
        }
        case "group-segments" -> {
          return GSON.toJson(
              group.getReaderSegmentDistribution().getReaderSegmentDistribution());
        }
        case "group-checkpoint" -> group.initiateCheckpoint(words[2]);
        default -> throw new IllegalArgumentException(words[0]);
      }
    }
    return "done";
  }

  private void open(Stream group, String reader) {
    EventStreamClientFactory factory =
        EventStreamClientFactory.withScope(group.getScope(), config);
    factories.put(reader, factory);
    readers.put(
        reader,
        factory.createReader(
            reader,
            group.getStreamName(),
            new ByteBufferSerializer(),
            ReaderConfig.builder().build()));
  }

  private void read(String reader, long milliseconds) throws Exception {
    EventStreamReader<ByteBuffer> events = readers.get(reader);
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(milliseconds);
    try (PrintWriter reply = new PrintWriter("reply", StandardCharsets.UTF_8)) {
      while (System.nanoTime() < end) {
        EventRead<ByteBuffer> read = events.readNextEvent(200);
        if (read.isCheckpoint()) {
          reply.println("checkpoint " + read.getCheckpointName());
        } else if (read.getEvent() != null) {
          byte[] event = new byte[read.getEvent().remaining()];
          read.getEvent().get(event);
          positions.put(reader, read.getPosition());
          reply.println(HEX.formatHex(event));
        } else if (read.isReadCompleted()) {
          reply.println("end");
          return;
        }
      }
    }
  }
}
