package jvmwire.peers.codec;

import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * Does in bulk what a class of the JVM's does, warm, and says how long it took.
 *
 * <p>The argument names it. {@code prepare} reads the file {@code input}, and the first time warms
 * up; {@code run} answers the nanoseconds of one run, by the clock and of its thread's CPU; {@code
 * tell} writes what came of it to the file {@code output}.
 */
final class Rivals {
  /** All is compiled long before. */
  private static final long WARM_UP_NANOS = 2_000_000_000L;

  private static final Map<String, Rival> BY_NAME =
      Map.of(
          "DataInput.readUTF", new Texts.Read(),
          "DataOutput.writeUTF", new Texts.Write(),
          "WritableUtils.readVLong", new Longs.OfHadoop(),
          "CodedInputStream.readRawVarint64", new Longs.OfProtobuf(),
          "LengthFieldBasedFrameDecoder.decode", new Frames.Alone(),
          "LengthFieldBasedFrameDecoder.channelRead", new Frames.InPipeline());

  private Rivals() {}

  public static void main(String[] args) throws Exception {
    Rival rival = BY_NAME.get(args[0]);
    boolean[] warm = {false};
    Peer.serve(
        words ->
            switch (words[0]) {
              case "prepare" -> {
                byte[] wire = Files.readAllBytes(Path.of("input"));
                if (!warm[0]) {
                  warmUp(rival, wire);
                  warm[0] = true;
                }
                rival.prepare(wire);
                System.gc();
                yield "prepared";
              }
              case "run" -> run(rival);
              case "tell" -> {
                tell(rival);
                yield "told";
              }
              default -> throw new IllegalArgumentException(words[0]);
            });
  }

  private static void warmUp(Rival rival, byte[] wire) throws Exception {
    for (long start = System.nanoTime(); System.nanoTime() - start < WARM_UP_NANOS; ) {
      rival.prepare(wire);
      rival.run();
    }
  }

  private static String run(Rival rival) throws Exception {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    long cpu = threads.getCurrentThreadCpuTime();
    long wall = System.nanoTime();
    rival.run();
    wall = System.nanoTime() - wall;
    return wall + " " + (threads.getCurrentThreadCpuTime() - cpu);
  }

  private static void tell(Rival rival) throws IOException {
    try (DataOutputStream out =
        new DataOutputStream(
            new BufferedOutputStream(Files.newOutputStream(Path.of("output"))))) {
      rival.tell(out);
    }
  }
}
