package jvmwire.peers.pravega;

import io.pravega.client.ClientConfig;
import io.pravega.client.KeyValueTableFactory;
import io.pravega.client.stream.Stream;
import io.pravega.client.tables.KeyValueTable;
import io.pravega.client.tables.KeyValueTableClientConfiguration;
import io.pravega.client.tables.Put;
import io.pravega.client.tables.TableEntry;
import io.pravega.client.tables.TableKey;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * Key-value tables, by Pravega's own client; a table is {@code scope/name}, its keys have a primary
 * part of so many bytes.
 *
 * <p>{@code table-put TABLE PRIMARY KEY VALUE}, both in hex, answers with {@code version} and the
 * version of the entry, {@code table-get TABLE PRIMARY KEY} with {@code value} and the value in hex, or
 * {@code none}.
 */
final class KeyValueTables {
  private static final HexFormat HEX = HexFormat.of();

  private final ClientConfig config;

  KeyValueTables(ClientConfig config) {
    this.config = config;
  }

  String answer(String[] words) throws Exception {
    Stream name = Stream.of(words[1]);
    try (KeyValueTableFactory factory = KeyValueTableFactory.withScope(name.getScope(), config);
        KeyValueTable table =
            factory.forKeyValueTable(
                name.getStreamName(), KeyValueTableClientConfiguration.builder().build())) {
      byte[] key = HEX.parseHex(words[3]);
      int primary = Integer.parseInt(words[2]);
      TableKey parts =
          new TableKey(
              ByteBuffer.wrap(Arrays.copyOfRange(key, 0, primary)),
              ByteBuffer.wrap(Arrays.copyOfRange(key, primary, key.length)));
      if (words[0].equals("table-put")) {
        ByteBuffer value = ByteBuffer.wrap(HEX.parseHex(words[4]));
        String version = table.update(new Put(parts, value)).join().toString();
        return "version " + version.split(":")[1];
      }
      TableEntry entry = table.get(parts).join();
      if (entry == null) {
        return "value none";
      }
      byte[] value = new byte[entry.getValue().remaining()];
      entry.getValue().get(value);
      return "value " + HEX.formatHex(value);
    }
  }
}
