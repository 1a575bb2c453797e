package jvmwire.peers.hadoop;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.Map;
import java.util.TreeMap;
import javax.management.JMException;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/** What an RPC server in this process counted of itself, by the MBeans that it registered. */
final class RpcMetrics {
  /** Metrics2 serves what it cached for one period; hadoop-metrics2.properties makes that 1 s. */
  private static final long CACHE_MS = 1500;

  private final int port;

  RpcMetrics(int port) {
    this.port = port;
  }

  /** Waits for fresh numbers and gives them as {@code {"detailed": {...}, "activity": {...}}}. */
  String toJson() throws JMException, IOException, InterruptedException {
    read();
    Thread.sleep(CACHE_MS);
    Map<String, Object> fresh = read();
    return new ObjectMapper().writeValueAsString(fresh);
  }

  private Map<String, Object> read() throws JMException, IOException {
    Map<String, Object> all = new TreeMap<>();
    all.put("detailed", attributes("RpcDetailedActivityForPort" + port));
    all.put("activity", attributes("RpcActivityForPort" + port));
    return all;
  }

  private static Map<String, Object> attributes(String bean) throws JMException, IOException {
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    Map<String, Object> numbers = new TreeMap<>();
    for (ObjectName name : server.queryNames(new ObjectName("Hadoop:name=" + bean + ",*"), null)) {
      for (MBeanAttributeInfo attribute : server.getMBeanInfo(name).getAttributes()) {
        if (server.getAttribute(name, attribute.getName()) instanceof Number number) {
          numbers.put(attribute.getName(), number);
        }
      }
    }
    return numbers;
  }
}
