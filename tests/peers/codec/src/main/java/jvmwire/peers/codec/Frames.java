package jvmwire.peers.codec;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.LengthFieldBasedFrameDecoder;
import java.io.DataOutputStream;
import java.io.IOException;

/** Netty's cutting of frames behind an int that says their length. */
abstract class Frames implements Rival {
  private static final int LENGTH_BYTES = 4;
  private static final int LIMIT = 1 << 20;
  /** What a socket gives at once. */
  private static final int CHUNK = 1 << 16;

  byte[] wire;
  private int[] lengths;
  private int count;

  @Override
  public void prepare(byte[] wire) {
    this.wire = wire;
    lengths = new int[wire.length / LENGTH_BYTES];
    count = 0;
  }

  /** Looks at a frame and lets go of it. */
  final void take(ByteBuf frame) {
    lengths[count++] = frame.readableBytes();
    frame.release();
  }

  @Override
  public void tell(DataOutputStream out) throws IOException {
    for (int i = 0; i < count; i++) {
      out.writeInt(lengths[i]);
    }
  }

  private static final class Decoder extends LengthFieldBasedFrameDecoder {
    Decoder() {
      super(LIMIT, 0, LENGTH_BYTES, 0, LENGTH_BYTES);
    }

    ByteBuf next(ByteBuf in) throws Exception {
      return (ByteBuf) decode(null, in);
    }
  }

  /** All bytes at once, and nothing of Netty but the decoder. */
  static final class Alone extends Frames {
    @Override
    public void run() throws Exception {
      Decoder decoder = new Decoder();
      ByteBuf in = Unpooled.wrappedBuffer(wire);
      for (ByteBuf frame = decoder.next(in); frame != null; frame = decoder.next(in)) {
        take(frame);
      }
    }
  }

  /** As it is used: chunks come in, the next handler takes frames. */
  static final class InPipeline extends Frames {
    private ByteBuf[] chunks;
    private EmbeddedChannel channel;

    @Override
    public void prepare(byte[] wire) {
      super.prepare(wire);
      chunks = new ByteBuf[(wire.length + CHUNK - 1) / CHUNK];
      for (int i = 0; i < chunks.length; i++) {
        int start = i * CHUNK;
        chunks[i] = Unpooled.wrappedBuffer(wire, start, Math.min(CHUNK, wire.length - start));
      }
      channel =
          new EmbeddedChannel(
              new Decoder(),
              new ChannelInboundHandlerAdapter() {
                @Override
                public void channelRead(ChannelHandlerContext context, Object frame) {
                  take((ByteBuf) frame);
                }
              });
    }

    @Override
    public void run() {
      for (ByteBuf chunk : chunks) {
        channel.writeInbound(chunk);
      }
    }
  }
}
