package jvmwire.peers.hazelcast;

import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.HazelcastInstanceAware;
import com.hazelcast.core.IFunction;
import com.hazelcast.map.EntryBackupProcessor;
import com.hazelcast.map.EntryProcessor;
import com.hazelcast.map.MapInterceptor;
import com.hazelcast.mapreduce.Context;
import com.hazelcast.mapreduce.Mapper;
import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.nio.serialization.IdentifiedDataSerializable;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import javax.cache.configuration.MutableCacheEntryListenerConfiguration;
import javax.cache.expiry.EternalExpiryPolicy;
import javax.cache.processor.MutableEntry;

/** A task for executors: what to do, and with what; and whatever else members may be handed to do. */
public final class Work
    implements Callable<Object>,
        Runnable,
        IFunction<Object, Object>,
        EntryProcessor<Object, Object>,
        EntryBackupProcessor<Object, Object>,
        MapInterceptor,
        Mapper<Object, Object, Object, Object>,
        javax.cache.processor.EntryProcessor<Object, Object, Object>,
        IdentifiedDataSerializable,
        HazelcastInstanceAware {
  private static final long serialVersionUID = 1L;

  static final int FACTORY = 9;

  private String verb;
  private transient Object value;
  private transient HazelcastInstance member;

  @Override
  public Object call() throws Exception {
    switch (verb) {
      case "echo":
        return value;
      case "where":
        return member.getCluster().getLocalMember().getUuid();
      case "count":
        return member.getAtomicLong((String) value).incrementAndGet();
      case "wait":
        member.getAtomicLong((String) value).incrementAndGet();
        Thread.sleep(60_000);
        return "waited";
      case "expiry":
        return new EternalExpiryPolicy();
      case "listener":
        return new MutableCacheEntryListenerConfiguration<>(null, null, false, false);
      default:
        throw new IllegalStateException("cannot " + verb);
    }
  }

  @Override
  public void run() {
    try {
      call();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public Object apply(Object input) {
    return input;
  }

  @Override
  public Object process(Map.Entry<Object, Object> entry) {
    if (verb.equals("increment")) {
      value = entry.getValue() == null ? 1 : (Integer) entry.getValue() + 1;
      entry.setValue(value);
    }
    return entry.getValue();
  }

  @Override
  public void processBackup(Map.Entry<Object, Object> entry) {
    if (verb.equals("increment")) {
      // Long enough for a member to be lost whose work is kept, and whose caller does not know.
      LockSupport.parkNanos(5_000_000);
      // What came of it: a backup may already have it, and be told nevertheless.
      entry.setValue(value);
    }
  }

  @Override
  public Object process(MutableEntry<Object, Object> entry, Object... arguments) {
    return entry.getValue();
  }

  @Override
  public void map(Object key, Object found, Context<Object, Object> context) {
    run();
    context.emit(key, found);
  }

  @Override
  public EntryBackupProcessor<Object, Object> getBackupProcessor() {
    return this;
  }

  @Override
  public Object interceptGet(Object found) {
    return null;
  }

  @Override
  public void afterGet(Object found) {}

  @Override
  public Object interceptPut(Object before, Object after) {
    return null;
  }

  @Override
  public void afterPut(Object put) {}

  @Override
  public Object interceptRemove(Object removed) {
    return null;
  }

  @Override
  public void afterRemove(Object removed) {}

  @Override
  public void setHazelcastInstance(HazelcastInstance instance) {
    member = instance;
  }

  @Override
  public int getFactoryId() {
    return FACTORY;
  }

  @Override
  public int getId() {
    return 1;
  }

  @Override
  public void writeData(ObjectDataOutput out) throws IOException {
    out.writeUTF(verb);
    out.writeObject(value);
  }

  @Override
  public void readData(ObjectDataInput in) throws IOException {
    verb = in.readUTF();
    value = in.readObject();
  }
}
