package jvmwire.peers.pravega;

import com.sun.management.OperatingSystemMXBean;
import io.pravega.client.BatchClientFactory;
import io.pravega.client.ClientConfig;
import io.pravega.client.EventStreamClientFactory;
import io.pravega.client.batch.SegmentIterator;
import io.pravega.client.batch.SegmentRange;
import io.pravega.client.stream.EventStreamWriter;
import io.pravega.client.stream.EventWriterConfig;
import io.pravega.client.stream.Stream;
import io.pravega.client.stream.StreamCut;
import io.pravega.client.stream.impl.ByteBufferSerializer;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;

/**
 * Writes and reads a stream of one segment by Pravega's own client, warm, and says how long it took.
 * Argument: CONTROLLER_PORT.
 *
 * <p>{@code write STREAM SIZE COUNT}, {@code await STREAM SIZE COUNT} and {@code read STREAM COUNT}
 * get ready, the first time by doing so for a while: to write events, to write them and await each, to
 * read them all. {@code run} does it once, and answers the nanoseconds by the clock and of the
 * process's CPU, and how many events there were.
 */
public final class Rival {
  private static final long WARM_UP_NANOS = 1_500_000_000L;

  private final ClientConfig config;
  private final Map<String, EventStreamWriter<ByteBuffer>> writers = new HashMap<>();
  private String warm = "";
  private Callable<Integer> work;

  private Rival(int controller) {
    this.config =
        ClientConfig.builder().controllerURI(URI.create("tcp://127.0.0.1:" + controller)).build();
  }

  public static void main(String[] args) throws Exception {
    Rival rival = new Rival(Integer.parseInt(args[0]));
    Peer.serve(args[0], rival::answer);
    System.exit(0);
  }

  private String answer(String[] words) throws Exception {
    if (words[0].equals("run")) {
      return run();
    }
    Stream stream = Stream.of(words[1]);
    int last = Integer.parseInt(words[words.length - 1]);
    work =
        switch (words[0]) {
          case "write" -> writing(stream, events(Integer.parseInt(words[2]), last));
          case "await" -> awaiting(stream, events(Integer.parseInt(words[2]), last));
          case "read" -> () -> read(stream);
          default -> throw new IllegalArgumentException(words[0]);
        };
    if (!warm.equals(words[0])) {
      for (long start = System.nanoTime(); System.nanoTime() - start < WARM_UP_NANOS; ) {
        work.call();
      }
      warm = words[0];
    }
    System.gc();
    return "prepared";
  }

  private String run() throws Exception {
    OperatingSystemMXBean system =
        (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    long cpu = system.getProcessCpuTime();
    long wall = System.nanoTime();
    int events = work.call();
    wall = System.nanoTime() - wall;
    return "ran " + wall + " " + (system.getProcessCpuTime() - cpu) + " " + events;
  }

  private static List<byte[]> events(int size, int count) {
    Random random = new Random();
    List<byte[]> events = new ArrayList<>(count);
    for (int at = 0; at < count; at++) {
      byte[] event = new byte[size];
      random.nextBytes(event);
      events.add(event);
    }
    return events;
  }

  private EventStreamWriter<ByteBuffer> writer(Stream stream) {
    return writers.computeIfAbsent(
        stream.getScopedName(),
        name ->
            EventStreamClientFactory.withScope(stream.getScope(), config)
                .createEventWriter(
                    stream.getStreamName(),
                    new ByteBufferSerializer(),
                    EventWriterConfig.builder().build()));
  }

  private Callable<Integer> writing(Stream stream, List<byte[]> events) {
    EventStreamWriter<ByteBuffer> writer = writer(stream);
    return () -> {
      for (byte[] event : events) {
        writer.writeEvent(ByteBuffer.wrap(event));
      }
      writer.flush();
      return events.size();
    };
  }

  private Callable<Integer> awaiting(Stream stream, List<byte[]> events) {
    EventStreamWriter<ByteBuffer> writer = writer(stream);
    return () -> {
      for (byte[] event : events) {
        writer.writeEvent(ByteBuffer.wrap(event)).get();
      }
      return events.size();
    };
  }

  private int read(Stream stream) {
    int events = 0;
    try (BatchClientFactory factory = BatchClientFactory.withScope(stream.getScope(), config)) {
      var ranges =
          factory.getSegments(stream, StreamCut.UNBOUNDED, StreamCut.UNBOUNDED).getIterator();
      while (ranges.hasNext()) {
        SegmentRange range = ranges.next();
        try (SegmentIterator<ByteBuffer> found =
            factory.readSegment(range, new ByteBufferSerializer())) {
          for (; found.hasNext(); found.next()) {
            events++;
          }
        }
      }
    }
    return events;
  }
}
