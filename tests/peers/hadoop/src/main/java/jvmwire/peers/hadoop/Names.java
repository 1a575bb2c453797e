package jvmwire.peers.hadoop;

import java.util.Locale;

/** How the fields of Hadoop's messages are called in our tables. */
final class Names {
  private Names() {}

  /** The name in snake case. */
  static String snake(String name) {
    return name
        .replaceAll("([a-z0-9])([A-Z])", "$1_$2")
        // But a plural s belongs to what it is of: storageIDs is storage_ids.
        .replaceAll("([A-Z])([A-Z](?!s(?![a-z]))[a-z])", "$1_$2")
        .toLowerCase(Locale.ROOT);
  }
}
