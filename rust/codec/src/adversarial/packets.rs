//! Traffic in the packets of a capture: segments that are reordered, overlapping, lost or fragmented.

use super::{Content, Format, Program, traffic};

/// Expands `program` to a pcap file of raw IP packets. The file has at most about four times `limit` bytes,
/// since a single byte can take a packet.
#[must_use]
pub fn capture(program: &[u8], limit: usize) -> Vec<u8> {
    let mut choices = Program { bytes: program };
    let mut file = Vec::new();
    for word in [0xa1b2_c3d4_u32, 0x0004_0002, 0, 0, 262_144, 101] {
        file.extend(word.to_le_bytes());
    }
    let connections = 1 + choices.below(4) * choices.below(64);
    let format = Format::ALL[choices.below(Format::ALL.len())];
    let content = [Content::Messages, Content::OneFormat, Content::AllFormats][choices.below(3)];
    let is_seen_from_start = choices.byte() < 128;
    let disorder = choices.byte();
    let talk = traffic(format, content, choices.bytes, limit / connections);
    for number in 0..connections {
        let mut connection = Connection { file: &mut file, number, sequence: [1000, 5000] };
        if is_seen_from_start {
            connection.segment(0, 999, SYN, &[]);
            connection.segment(1, 4999, SYN | ACK, &[]);
        }
        let size = talk.piece.min(MAX_SEGMENT);
        let mut turns = talk.sides.each_ref().map(|bytes| bytes.chunks(size));
        let mut count = 0;
        while turns.iter().any(|turn| turn.len() > 0) && connection.file.len() < 4 * limit {
            for (side, turn) in turns.iter_mut().enumerate() {
                // Each side sends some segments at a time.
                let pieces: Vec<&[u8]> = turn.by_ref().take(1 + disorder % 64).collect();
                count += 1;
                connection.turn(side, &pieces, disorder, count);
            }
        }
    }
    file
}

/// Maximum payload of a segment in a raw IP packet.
const MAX_SEGMENT: usize = 60_000;
const SYN: u8 = 2;
const ACK: u8 = 16;

struct Connection<'a> {
    file: &'a mut Vec<u8>,
    number: usize,
    sequence: [u32; 2],
}

impl Connection<'_> {
    /// Writes adjacent segments of one side, with the order and the damage that `disorder` selects.
    fn turn(&mut self, side: usize, pieces: &[&[u8]], disorder: usize, count: usize) {
        let mut segments = Vec::new();
        for piece in pieces {
            segments.push((self.sequence[side], *piece));
            self.sequence[side] = self.sequence[side].wrapping_add(word(piece.len()));
        }
        match disorder / 32 {
            1 => segments.reverse(),
            // One segment in a while is lost.
            2 if count.is_multiple_of(50) => drop(segments.pop()),
            // The segments are repeated from their second byte on, so that they overlap.
            3 => {
                let again = segments.clone();
                let again = again.iter().filter_map(|(sequence, piece)| {
                    Some((sequence.wrapping_add(1), piece.get(1..)?))
                });
                segments.extend(again);
            }
            // Every second one first: each leaves a hole.
            4 => {
                let odd = segments.iter().skip(1).step_by(2).copied();
                let even = segments.iter().step_by(2).copied();
                segments = odd.chain(even).collect();
            }
            _ => {}
        }
        for (sequence, piece) in segments {
            if disorder / 32 == 5 {
                self.fragments(side, sequence, piece);
            } else {
                self.segment(side, sequence, ACK, piece);
            }
        }
    }

    fn segment(&mut self, side: usize, sequence: u32, flags: u8, piece: &[u8]) {
        let tcp = self.tcp(side, sequence, flags, piece);
        self.packet(side, &tcp, 0);
    }

    /// Writes one segment in IP fragments.
    fn fragments(&mut self, side: usize, sequence: u32, piece: &[u8]) {
        let tcp = self.tcp(side, sequence, ACK, piece);
        let (length, last) = (64, tcp.len().saturating_sub(1) / 64);
        for (index, fragment) in tcp.chunks(length).enumerate() {
            let more = if index < last { 0x2000 } else { 0 };
            let offset = u16::try_from(index * length / 8).unwrap_or(0);
            self.packet(side, fragment, more | offset);
        }
    }

    fn tcp(&self, side: usize, sequence: u32, flags: u8, piece: &[u8]) -> Vec<u8> {
        let ports = [40_000_u16, 8020];
        let mut out = ports[side].to_be_bytes().to_vec();
        out.extend(ports[1 - side].to_be_bytes());
        out.extend(sequence.to_be_bytes());
        out.extend(self.sequence[1 - side].to_be_bytes());
        out.extend([0x50, flags, 0xff, 0xff, 0, 0, 0, 0]);
        out.extend_from_slice(piece);
        out
    }

    fn packet(&mut self, side: usize, payload: &[u8], fragment: u16) {
        let at = word(self.file.len());
        let len = 20 + payload.len();
        for number in [1_700_000_000 + at / 1_000_000, at % 1_000_000, word(len), word(len)] {
            self.file.extend(number.to_le_bytes());
        }
        let client = [11, 0, self.number.to_le_bytes()[1], self.number.to_le_bytes()[0]];
        let ends = [client, [10, 0, 0, 2]];
        self.file.extend([0x45, 0]);
        self.file.extend(u16::try_from(len).unwrap_or(u16::MAX).to_be_bytes());
        // The identification is the segment's position, so that its fragments differ from those of others.
        self.file.extend(self.sequence[side].to_be_bytes()[2..].iter());
        self.file.extend(fragment.to_be_bytes());
        self.file.extend([64, 6, 0, 0]);
        self.file.extend(ends[side]);
        self.file.extend(ends[1 - side]);
        self.file.extend_from_slice(payload);
    }
}

fn word(len: usize) -> u32 {
    u32::try_from(len).unwrap_or(u32::MAX)
}
