package jvmwire.peers.codec;

import java.io.DataOutputStream;
import java.io.IOException;

/** Work to be timed, again and again: what is done beside {@link #run} is not. */
interface Rival {
  /** Takes what is on the wire, and makes room for what will come of it. */
  void prepare(byte[] wire) throws Exception;

  void run() throws Exception;

  /** Tells what came of it. */
  void tell(DataOutputStream out) throws IOException;
}
