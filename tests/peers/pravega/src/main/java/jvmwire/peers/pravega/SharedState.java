package jvmwire.peers.pravega;

import io.pravega.client.ClientConfig;
import io.pravega.client.SynchronizerClientFactory;
import io.pravega.client.segment.impl.Segment;
import io.pravega.client.state.InitialUpdate;
import io.pravega.client.state.Revision;
import io.pravega.client.state.Revisioned;
import io.pravega.client.state.RevisionedStreamClient;
import io.pravega.client.state.StateSynchronizer;
import io.pravega.client.state.SynchronizerConfig;
import io.pravega.client.state.Update;
import io.pravega.client.stream.Serializer;
import io.pravega.client.stream.Stream;
import io.pravega.client.stream.impl.ByteBufferSerializer;
import java.io.PrintWriter;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.function.Function;

/**
 * What Pravega's own client makes of revisioned streams and of states.
 *
 * <p>{@code get-mark STREAM} answers with {@code mark} and the offset that is marked, {@code append-if
 * STREAM OFFSET HEX} with {@code at} and the revision after the entry, or {@code none}. {@code
 * revisions STREAM} writes each entry's revision and bytes in hex into the file {@code reply}. {@code
 * letters STREAM show}, {@code add LETTER} and {@code compact} answer with {@code state} and the
 * letters of the state of that stream.
 */
final class SharedState {
  private static final HexFormat HEX = HexFormat.of();

  private final ClientConfig config;

  SharedState(ClientConfig config) {
    this.config = config;
  }

  String answer(String[] words) throws Exception {
    Stream stream = Stream.of(words[1]);
    try (SynchronizerClientFactory factory =
        SynchronizerClientFactory.withScope(stream.getScope(), config)) {
      if (words[0].equals("letters")) {
        return letters(factory, stream, words);
      }
      try (RevisionedStreamClient<ByteBuffer> client =
          factory.createRevisionedStreamClient(
              stream.getStreamName(),
              new ByteBufferSerializer(),
              SynchronizerConfig.builder().build())) {
        return revisioned(client, stream, words);
      }
    }
  }

  private static String revisioned(
      RevisionedStreamClient<ByteBuffer> client, Stream stream, String[] words) throws Exception {
    switch (words[0]) {
      case "get-mark" -> {
        return "mark " + offset(client.getMark());
      }
      case "append-if" -> {
        Segment segment = new Segment(stream.getScope(), stream.getStreamName(), 0);
        Revision latest = Revision.fromString(segment.getScopedName() + ":" + words[2] + ":0");
        ByteBuffer entry = ByteBuffer.wrap(HEX.parseHex(words[3]));
        return "at " + offset(client.writeConditionally(latest, entry));
      }
      default -> {
        try (PrintWriter reply = new PrintWriter("reply", StandardCharsets.UTF_8)) {
          client
              .readFrom(client.fetchOldestRevision())
              .forEachRemaining(
                  entry -> {
                    byte[] data = new byte[entry.getValue().remaining()];
                    entry.getValue().get(data);
                    reply.println(offset(entry.getKey()) + " " + HEX.formatHex(data));
                  });
        }
        return "done";
      }
    }
  }

  private static String offset(Revision revision) {
    return revision == null ? "none" : revision.toString().split(":")[1];
  }

  private static String letters(SynchronizerClientFactory factory, Stream stream, String[] words) {
    try (StateSynchronizer<Letters> state =
        factory.createStateSynchronizer(
            stream.getStreamName(),
            new Texts<Added>(Added::new, added -> added.letter),
            new Texts<Begun>(Begun::new, begun -> begun.letters),
            SynchronizerConfig.builder().build())) {
      state.fetchUpdates();
      switch (words[2]) {
        case "add" ->
            state.updateState(
                (known, updates) -> {
                  updates.add(new Added(words[3]));
                });
        case "compact" -> state.compact(known -> new Begun(known.letters));
        default -> {}
      }
      state.fetchUpdates();
      return "state " + state.getState().letters;
    }
  }

  /** Letters, to which others are added. */
  private record Letters(String letters, Revision revision, String stream) implements Revisioned {
    @Override
    public String getScopedStreamName() {
      return stream;
    }

    @Override
    public Revision getRevision() {
      return revision;
    }
  }

  private record Begun(String letters) implements InitialUpdate<Letters> {
    @Override
    public Letters create(String stream, Revision revision) {
      return new Letters(letters, revision, stream);
    }
  }

  private record Added(String letter) implements Update<Letters> {
    @Override
    public Letters applyTo(Letters old, Revision revision) {
      return new Letters(old.letters + letter, revision, old.stream);
    }
  }

  private record Texts<T>(
      Function<String, T> of, Function<T, String> text)
      implements Serializer<T> {
    @Override
    public ByteBuffer serialize(T value) {
      return ByteBuffer.wrap(text.apply(value).getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public T deserialize(ByteBuffer data) {
      return of.apply(StandardCharsets.UTF_8.decode(data).toString());
    }
  }
}
