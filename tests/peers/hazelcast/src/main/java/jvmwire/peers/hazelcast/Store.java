package jvmwire.peers.hazelcast;

import com.hazelcast.core.MapStore;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** What maps are kept in whose names begin with {@code stored}: all of them in the same. */
final class Store implements MapStore<Object, Object> {
  private final Map<Object, Object> kept = new ConcurrentHashMap<>(Map.of("kept", "before"));

  @Override
  public Object load(Object key) {
    return kept.get(key);
  }

  @Override
  public Map<Object, Object> loadAll(Collection<Object> keys) {
    Map<Object, Object> found = new ConcurrentHashMap<>(kept);
    found.keySet().retainAll(keys);
    return found;
  }

  @Override
  public Iterable<Object> loadAllKeys() {
    return kept.keySet();
  }

  @Override
  public void store(Object key, Object value) {
    kept.put(key, value);
  }

  @Override
  public void storeAll(Map<Object, Object> entries) {
    kept.putAll(entries);
  }

  @Override
  public void delete(Object key) {
    kept.remove(key);
  }

  @Override
  public void deleteAll(Collection<Object> keys) {
    kept.keySet().removeAll(keys);
  }
}
