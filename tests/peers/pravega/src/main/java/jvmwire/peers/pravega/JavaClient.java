package jvmwire.peers.pravega;

import com.google.gson.Gson;
import io.pravega.client.BatchClientFactory;
import io.pravega.client.ByteStreamClientFactory;
import io.pravega.client.ClientConfig;
import io.pravega.client.EventStreamClientFactory;
import io.pravega.client.admin.StreamManager;
import io.pravega.client.batch.SegmentIterator;
import io.pravega.client.batch.SegmentRange;
import io.pravega.client.byteStream.ByteStreamReader;
import io.pravega.client.byteStream.ByteStreamWriter;
import io.pravega.client.stream.EventStreamWriter;
import io.pravega.client.stream.EventWriterConfig;
import io.pravega.client.stream.Stream;
import io.pravega.client.stream.StreamCut;
import io.pravega.client.stream.impl.ByteBufferSerializer;
import io.pravega.common.hash.HashHelper;
import java.io.PrintWriter;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What Pravega's own client makes of streams.
 *
 * <p>{@code positions} answers each line of the file {@code request}, a routing key in JSON, with the
 * bits of its position, in the file {@code reply}. {@code write STREAM} writes the lines of the
 * request, each a key in JSON, a tab and an event in hex. {@code read STREAM} reads all that is in a
 * stream and writes each event in hex, those of a key in their order. {@code write-bytes STREAM} and {@code read-bytes
 * STREAM} do so with the bytes of a byte stream; {@code cut STREAM} answers with the text of the cut
 * behind its last event, {@code positions-of TEXT} with the offsets in a cut, by segment id. {@code
 * note-time STREAM WRITER TIME} writes as {@code write} does, by a writer that goes on, and notes a
 * time behind it.
 */
final class JavaClient {
  private static final Gson GSON = new Gson();
  private static final HexFormat HEX = HexFormat.of();

  private final ClientConfig config;
  private final GroupReaders groups;
  private final Map<String, EventStreamWriter<ByteBuffer>> writers = new HashMap<>();

  JavaClient(int controller) {
    this.config =
        ClientConfig.builder().controllerURI(URI.create("tcp://127.0.0.1:" + controller)).build();
    this.groups = new GroupReaders(config);
  }

  String answer(String[] words) throws Exception {
    if (words[0].startsWith("group-")) {
      return groups.answer(words);
    }
    if (words[0].startsWith("table-")) {
      return new KeyValueTables(config).answer(words);
    }
    switch (words[0]) {
      case "positions" -> positions();
      case "write" -> write(Stream.of(words[1]));
      case "note-time" -> noteTime(Stream.of(words[1]), words[2], Long.parseLong(words[3]));
      case "read" -> read(Stream.of(words[1]));
      case "write-bytes" -> writeBytes(Stream.of(words[1]));
      case "read-bytes" -> readBytes(Stream.of(words[1]));
      case "get-mark", "append-if", "revisions", "letters" -> {
        return new SharedState(config).answer(words);
      }
      case "cut" -> {
        return cut(Stream.of(words[1]));
      }
      case "positions-of" -> {
        TreeMap<Long, Long> positions = new TreeMap<>();
        StreamCut.from(words[1]).asImpl().getPositions().forEach((segment, offset) ->
            positions.put(segment.getSegmentId(), offset));
        return GSON.toJson(positions);
      }
      default -> throw new IllegalArgumentException(words[0]);
    }
    return "done";
  }

  private static List<String> request() throws Exception {
    return Files.readAllLines(Path.of("request"), StandardCharsets.UTF_8);
  }

  private static void positions() throws Exception {
    HashHelper hash = HashHelper.seededWith("EventRouter");
    try (PrintWriter reply = reply()) {
      for (String line : request()) {
        String key = GSON.fromJson(line, String.class);
        reply.println(Double.doubleToRawLongBits(hash.hashToRange(key)));
      }
    }
  }

  private static PrintWriter reply() throws Exception {
    return new PrintWriter("reply", StandardCharsets.UTF_8);
  }

  private void write(Stream stream) throws Exception {
    try (EventStreamClientFactory factory =
            EventStreamClientFactory.withScope(stream.getScope(), config);
        EventStreamWriter<ByteBuffer> writer =
            factory.createEventWriter(
                stream.getStreamName(),
                new ByteBufferSerializer(),
                EventWriterConfig.builder().enableLargeEvents(true).build())) {
      writeAll(writer);
    }
  }

  private static void writeAll(EventStreamWriter<ByteBuffer> writer) throws Exception {
    for (String line : request()) {
      String[] parts = line.split("\t", 2);
      String key = GSON.fromJson(parts[0], String.class);
      writer.writeEvent(key, ByteBuffer.wrap(HEX.parseHex(parts[1])));
    }
    writer.flush();
  }

  private void noteTime(Stream stream, String name, long time) throws Exception {
    EventStreamWriter<ByteBuffer> writer =
        writers.computeIfAbsent(
            name,
            id ->
                EventStreamClientFactory.withScope(stream.getScope(), config)
                    .createEventWriter(
                        id,
                        stream.getStreamName(),
                        new ByteBufferSerializer(),
                        EventWriterConfig.builder().build()));
    writeAll(writer);
    writer.noteTime(time);
  }

  private void read(Stream stream) throws Exception {
    try (BatchClientFactory factory = BatchClientFactory.withScope(stream.getScope(), config);
        PrintWriter reply = reply()) {
      // The epoch is the upper half of an id: who comes later in a key's order has a higher one.
      TreeMap<Long, SegmentRange> ranges = new TreeMap<>();
      factory
          .getSegments(stream, StreamCut.UNBOUNDED, StreamCut.UNBOUNDED)
          .getIterator()
          .forEachRemaining(range -> ranges.put(range.getSegmentId(), range));
      for (SegmentRange range : ranges.values()) {
        try (SegmentIterator<ByteBuffer> events =
            factory.readSegment(range, new ByteBufferSerializer())) {
          while (events.hasNext()) {
            ByteBuffer read = events.next();
            byte[] event = new byte[read.remaining()];
            read.get(event);
            reply.println(HEX.formatHex(event));
          }
        }
      }
    }
  }

  private void writeBytes(Stream stream) throws Exception {
    try (ByteStreamClientFactory factory =
            ByteStreamClientFactory.withScope(stream.getScope(), config);
        ByteStreamWriter writer = factory.createByteStreamWriter(stream.getStreamName())) {
      for (String line : request()) {
        writer.write(HEX.parseHex(line));
      }
      writer.flush();
    }
  }

  private void readBytes(Stream stream) throws Exception {
    try (ByteStreamClientFactory factory =
            ByteStreamClientFactory.withScope(stream.getScope(), config);
        ByteStreamReader reader = factory.createByteStreamReader(stream.getStreamName());
        PrintWriter reply = reply()) {
      byte[] piece = new byte[1 << 16];
      for (int length = reader.read(piece); length >= 0; length = reader.read(piece)) {
        reply.println(HEX.formatHex(piece, 0, length));
      }
    }
  }

  private String cut(Stream stream) {
    try (StreamManager streams = StreamManager.create(config)) {
      return streams.fetchStreamInfo(stream.getScope(), stream.getStreamName()).join()
          .getTailStreamCut().asText();
    }
  }
}
