//! Generator of adversarial traffic of every protocol, for cost tests and cost fuzz targets.
//!
//! A *program*, a short string of bytes, describes a large amount of traffic: a fuzzer or a property test
//! mutates the program, and [`traffic`] expands it to messages, frames that almost fit, headers at every
//! offset, lists that announce more elements than follow, fragments, and calls without a reply. [`capture`]
//! puts the same traffic into packets that are reordered, overlapping, lost or fragmented.

mod packets;
mod readers;
mod units;

pub use packets::capture;
pub use readers::Reader;

use units::{FramedUnit, decoys, fragments, frame_claiming, messages, request};

/// Wire format to generate.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Format {
    /// Hadoop RPC.
    Hadoop,
    /// Hazelcast's client protocol.
    Hazelcast,
    /// Pravega's segment store.
    Pravega,
    /// The first proposal of the segment store's protocol.
    PravegaEarly,
    /// Hama streaming.
    Hama,
    /// Storm's multi-lang protocol.
    Storm,
}

impl Format {
    /// Every format.
    pub const ALL: [Self; 6] =
        [Self::Hadoop, Self::Hazelcast, Self::Pravega, Self::PravegaEarly, Self::Hama, Self::Storm];

    /// Returns the format of the protocol with this name in tables.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        let names = ["hadoop", "hazelcast", "pravega", "pravega-early", "hama", "storm"];
        names.iter().position(|known| *known == name).map(|index| Self::ALL[index])
    }

    /// Returns messages of the format, of both sides; the first ones begin a connection.
    #[must_use]
    pub fn messages(self) -> Vec<Vec<u8>> {
        messages(self)
    }
}

/// Selection of the parts of a program.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Content {
    /// Complete messages of one format.
    Messages,
    /// Any bytes that can be mistaken for messages of one format.
    OneFormat,
    /// Any bytes that can be mistaken for messages of any format.
    AllFormats,
}

/// Bytes of two sides, and the size of the chunks in which they are fed.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Traffic {
    /// Bytes of the client and of the server.
    pub sides: [Vec<u8>; 2],
    /// Number of bytes per chunk.
    pub piece: usize,
}

/// Reader of a program, byte by byte; zeros follow its end.
#[derive(Clone, Debug)]
struct Program<'a> {
    bytes: &'a [u8],
}

impl Program<'_> {
    fn byte(&mut self) -> usize {
        let Some((first, rest)) = self.bytes.split_first() else { return 0 };
        self.bytes = rest;
        usize::from(*first)
    }

    fn below(&mut self, limit: usize) -> usize {
        self.byte() * limit / 256
    }

    /// Returns a length; small lengths are more frequent than large ones.
    fn len(&mut self, limit: usize) -> usize {
        let exponent = self.below(limit.max(2).ilog2() as usize + 1);
        let len = (1 << exponent) + ((self.byte() << exponent) >> 8);
        len.min(limit)
    }
}

/// Sizes of chunks: single bytes, Ethernet segments, whole files.
const PIECES: [usize; 8] = [1, 2, 7, 100, 1460, 1460, 65_536, usize::MAX];
/// Maximum number of parts in the traffic of one program.
const MAX_PARTS: usize = 64;

/// Expands `program` to traffic of at most `limit` bytes for both sides together.
#[must_use]
pub fn traffic(format: Format, content: Content, program: &[u8], limit: usize) -> Traffic {
    let mut program = Program { bytes: program };
    let piece = PIECES[program.below(PIECES.len())];
    let mut sides = [Vec::new(), Vec::new()];
    let mut left = limit;
    for _ in 0..MAX_PARTS {
        if program.bytes.is_empty() || left == 0 {
            break;
        }
        let side = program.byte() & 1;
        let format = match content {
            Content::AllFormats => Format::ALL[program.below(Format::ALL.len())],
            Content::Messages | Content::OneFormat => format,
        };
        let mut part = part(format, content, &mut program, left);
        part.truncate(left);
        left -= part.len();
        sides[side].append(&mut part);
    }
    Traffic { sides, piece }
}

fn part(format: Format, content: Content, program: &mut Program<'_>, limit: usize) -> Vec<u8> {
    if content == Content::Messages {
        let all = messages(format);
        return repeated(&all[program.below(all.len())], program.len(limit));
    }
    match program.below(8) {
        0 | 1 => {
            let all = messages(format);
            repeated(&all[program.below(all.len())], program.len(limit))
        }
        2 => {
            let all = decoys();
            repeated(&all[program.below(all.len())], program.len(limit))
        }
        // A header at every offset, or every few bytes.
        3 => {
            let all = messages(format);
            let header = &all[program.below(all.len())];
            repeated(&header[..header.len().min(1 + program.below(32))], program.len(limit))
        }
        // A length that almost fits, or counts a little more than there is.
        4 => {
            let body = program.len(limit);
            let claimed = (body + program.byte()).saturating_sub(128);
            let filler = program.byte().to_le_bytes()[0];
            let count = program.len(1 << 31);
            let mut out = frame_claiming(format, &FramedUnit { claimed, count });
            out.resize(out.len() + body, filler);
            out
        }
        5 => fragments(format, program.len(limit), 1 + program.len(65_536), program.byte() < 128),
        // Calls that nothing answers, each with an id of its own.
        6 => {
            let (len, text) = (program.len(limit), program.len(4096));
            let mut out = Vec::new();
            for id in 0.. {
                if out.len() >= len {
                    break;
                }
                out.extend(request(format, id, text));
            }
            out
        }
        _ => random(program.byte() as u64, program.len(limit)),
    }
}

fn repeated(unit: &[u8], len: usize) -> Vec<u8> {
    unit.repeat(len.div_ceil(unit.len()))
}

/// Returns bytes of a xorshift generator.
fn random(seed: u64, len: usize) -> Vec<u8> {
    let mut state = seed.wrapping_mul(2).wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state.to_le_bytes()[0]
    };
    (0..len).map(|_| next()).collect()
}
