package jvmwire.peers.hadoop;

import java.io.IOException;
import org.apache.hadoop.ipc.Client;
import org.apache.log4j.FileAppender;
import org.apache.log4j.Level;
import org.apache.log4j.Logger;
import org.apache.log4j.MDC;
import org.apache.log4j.PatternLayout;
import org.apache.log4j.spi.Filter;
import org.apache.log4j.spi.LoggingEvent;

/** Has Hadoop's own RPC client say in a file what it sends and gets: the oracle of a capture. */
final class RpcLog {
  /** Says in the order of the wire what was sent, and by whom. */
  private static final String CONNECTIONS = "org.apache.hadoop.ipc.Client";

  /** Says in the caller's thread what became of it. */
  private static final String INVOCATIONS = "org.apache.hadoop.ipc.ProtobufRpcEngine2";

  private static final String PATTERN =
      "%d{yyyy-MM-dd'T'HH:mm:ss.SSS} [%t] #%X{call}/%X{retry} %c{1}: %m%n";

  private final FileAppender appender;

  RpcLog(String path) throws IOException {
    appender = new FileAppender(new PatternLayout(PATTERN), path, false);
    appender.setBufferedIO(true);
    appender.addFilter(new CallNumbers());
    enable(CONNECTIONS, Level.DEBUG);
    enable(INVOCATIONS, Level.TRACE);
  }

  void close() {
    appender.close();
  }

  private void enable(String name, Level level) {
    Logger logger = Logger.getLogger(name);
    logger.setLevel(level);
    logger.setAdditivity(false);
    logger.addAppender(appender);
  }

  /**
   * Gives the lines of a caller's thread the number of the call, which they lack, and drops the
   * messages' text: one listing would take a hundred kilobytes.
   */
  private static final class CallNumbers extends Filter {
    @Override
    public int decide(LoggingEvent event) {
      String message = event.getRenderedMessage();
      if (message.contains(": Call -> ")) {
        // The number is the thread's until the call is made; a thread without one gets it here.
        int call = Client.getCallId();
        int retry = Client.getRetryCount();
        Client.setCallIdAndRetryCountUnprotected(call, retry, Client.getExternalHandler());
        MDC.put("call", call);
        MDC.put("retry", retry);
        return DENY;
      }
      return message.contains(": Response <- ") ? DENY : NEUTRAL;
    }
  }
}
