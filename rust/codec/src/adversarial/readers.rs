//! Decoders of live clients and servers, fed in chunks.

use crate::{
    SimdLevel,
    frame::{FrameDecoder, Frames, Framing, LineDecoder, MessageDecoder},
    hadoop::{Engine, ReplyDecoder, RequestDecoder},
    hama::{Escaping, OpReader, OpTable, ReplyReader},
    hazelcast,
    pravega::{CommandDecoder, Dialect, EventSplitter, FRAME_LIMIT, LARGE_EVENT_LIMIT},
    storm::BatchDecoder,
};

/// Decoder of a live connection.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Reader {
    /// Length-prefixed frames, taken one by one.
    Frames,
    /// Length-prefixed frames, taken in batches of all complete ones.
    FrameBatches,
    /// Lines.
    Lines,
    /// Messages that end with a line `end`.
    Messages,
    /// Replies of a `NameNode`.
    HadoopReplies,
    /// Requests of a client of Hadoop RPC.
    HadoopRequests,
    /// Messages of a Hazelcast member.
    Hazelcast,
    /// Commands of Pravega's segment store.
    Pravega,
    /// Events in a segment of Pravega.
    PravegaEvents,
    /// Lines of a Hama task, read by its child.
    HamaReplies,
    /// Operations of a Hama child, read by its task.
    HamaOperations,
    /// Messages of a Storm component.
    Storm,
}

impl Reader {
    /// Every reader.
    pub const ALL: [Self; 12] = [
        Self::Frames,
        Self::FrameBatches,
        Self::Lines,
        Self::Messages,
        Self::HadoopReplies,
        Self::HadoopRequests,
        Self::Hazelcast,
        Self::Pravega,
        Self::PravegaEvents,
        Self::HamaReplies,
        Self::HamaOperations,
        Self::Storm,
    ];

    /// Feeds `bytes` in chunks of `piece` bytes, takes everything that is complete after each chunk, and
    /// returns the number of bytes that were fed before an error.
    #[must_use]
    pub fn read(self, bytes: &[u8], piece: usize) -> usize {
        macro_rules! each {
            ($decoder:expr, $it:ident => $take:expr) => {{
                let mut $it = $decoder;
                feed_all(bytes, piece, |chunk| {
                    $it.feed(chunk);
                    loop {
                        match $take {
                            Ok(true) => {}
                            Ok(false) => return true,
                            Err(_) => return false,
                        }
                    }
                })
            }};
        }
        match self {
            Self::Frames => each!(FrameDecoder::with(Framing::BIG_ENDIAN, LIMIT), it => {
                it.next_typed_frame().map(|frame| frame.is_some())
            }),
            Self::FrameBatches => {
                let level = SimdLevel::current();
                each!(FrameDecoder::with(Framing::BIG_ENDIAN, LIMIT), it => {
                    let mut out = Frames::default();
                    it.next_batch(&mut out, level).map(|()| !out.payloads.is_empty())
                })
            }
            Self::Lines => {
                each!(LineDecoder::new(LIMIT), it => it.next_line().map(|line| line.is_some()))
            }
            Self::Messages => {
                each!(MessageDecoder::new(LIMIT), it => it.next_message().map(|it| it.is_some()))
            }
            Self::HadoopReplies => {
                each!(ReplyDecoder::new([7; 16], LIMIT, Engine::Protobuf), it => {
                    it.next_response().map(|answer| answer.is_some())
                })
            }
            Self::HadoopRequests => {
                each!(RequestDecoder::new(LIMIT, None), it => {
                    it.next_request().map(|request| request.is_some())
                })
            }
            Self::Hazelcast => {
                each!(hazelcast::MessageDecoder::new(LIMIT), it => {
                    it.next_message(|_| ()).map(|message| message.is_some())
                })
            }
            Self::Pravega => {
                let mut decoder = CommandDecoder::new(Dialect::today(), FRAME_LIMIT);
                feed_all(bytes, piece, |mut chunk| {
                    loop {
                        match decoder.next_command(&mut chunk) {
                            Ok(Some(_)) => {}
                            Ok(None) => return true,
                            Err(_) => return false,
                        }
                    }
                })
            }
            Self::PravegaEvents => {
                let mut cutter = EventSplitter::new(0, LARGE_EVENT_LIMIT);
                feed_all(bytes, piece, |chunk| {
                    cutter.feed(chunk, &mut crate::frame::BinaryColumn::new()).is_ok()
                })
            }
            Self::HamaReplies => {
                each!(ReplyReader::new(LIMIT, true, Escaping::On), it => {
                    it.take_counted(|_| Ok::<(), crate::DecodeError>(()))
                })
            }
            Self::HamaOperations => {
                each!(OpReader::new(OpTable::Current, LIMIT), it => {
                    it.next_said().map(|said| said.is_some())
                })
            }
            Self::Storm => {
                each!(BatchDecoder::new(LIMIT), it => it.next_batch().map(|count| count > 0))
            }
        }
    }
}

/// Maximum length of a message.
const LIMIT: usize = 64 << 20;

fn feed_all(bytes: &[u8], piece: usize, mut feed: impl FnMut(&[u8]) -> bool) -> usize {
    let mut taken = 0;
    for chunk in bytes.chunks(piece) {
        taken += chunk.len();
        if !feed(chunk) {
            break;
        }
    }
    taken
}
