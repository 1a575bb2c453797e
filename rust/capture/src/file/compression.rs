//! Decompression of captures: gzip (RFC 1952), zstd (RFC 8878), or plain.

use std::io::Write;

use flate2::write::MultiGzDecoder;
use zstd::stream::raw::{DParameter, Decoder, Operation};

use crate::error::{CaptureError, Result};

/// Push decompressor that detects the compression by the first bytes.
///
/// The output is passed on in pieces of at most 128 KiB as they are decompressed, so that a small file cannot
/// become a large buffer.
#[derive(Default)]
pub struct Decompressor {
    kind: Kind,
    /// Number of compressed bytes read so far.
    offset: u64,
}

#[derive(Default)]
enum Kind {
    #[default]
    Untold,
    /// Bytes that are too few to exclude a magic number.
    Beginning(Vec<u8>),
    Plain,
    Gzip(Box<MultiGzDecoder<Vec<u8>>>),
    Zstd(Zstd),
    Failed(CaptureError),
}

struct Zstd {
    decoder: Decoder<'static>,
    piece: Box<[u8]>,
    inside_a_frame: bool,
    /// Whether the decompressor has more output than fitted into the last piece.
    has_more: bool,
}

impl Decompressor {
    /// Creates a decompressor at the start of a file.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Creates a decompressor for the rest of an uncompressed file, from `offset` on.
    #[must_use]
    pub(crate) fn of_plain(offset: u64) -> Self {
        Self { kind: Kind::Plain, offset }
    }

    /// Whether the file is known to be uncompressed.
    #[must_use]
    pub(crate) fn is_plain(&self) -> bool {
        matches!(self.kind, Kind::Untold | Kind::Beginning(_) | Kind::Plain)
    }

    /// Feeds the next bytes of the file, and passes the decompressed bytes to `out`.
    ///
    /// # Errors
    /// [`CaptureError::Gzip`] and [`CaptureError::Zstd`] for damage, and errors of `out`. The first error is
    /// final: it is returned again.
    pub fn feed(&mut self, chunk: &[u8], out: &mut impl FnMut(&[u8]) -> Result<()>) -> Result<()> {
        let mut rest = chunk;
        while self.feed_piece(&mut rest, out)? {}
        Ok(())
    }

    /// Reads bytes from the start of `chunk` until one piece is passed on; returns whether another call with
    /// the rest would do more. A chunk must be finished before another one is begun.
    ///
    /// # Errors
    /// As [`feed`](Self::feed).
    pub(crate) fn feed_piece(
        &mut self,
        chunk: &mut &[u8],
        out: &mut impl FnMut(&[u8]) -> Result<()>,
    ) -> Result<bool> {
        let fed = self.feed_unless_failed(chunk, out);
        if let Err(error) = &fed {
            self.kind = Kind::Failed(error.clone());
        }
        fed
    }

    /// Ends the file.
    ///
    /// # Errors
    /// [`CaptureError::GzipEnd`] and [`CaptureError::ZstdEnd`] if it is truncated, else as
    /// [`feed`](Self::feed).
    pub fn finish(&mut self, out: &mut impl FnMut(&[u8]) -> Result<()>) -> Result<()> {
        match &mut self.kind {
            // Too short for any magic.
            Kind::Beginning(held) => out(&std::mem::take(held)),
            Kind::Gzip(decoder) => {
                let end = decoder.try_finish();
                hand_on(decoder.get_mut(), out)?;
                end.map_err(|_| CaptureError::GzipEnd { offset: self.offset })
            }
            Kind::Zstd(zstd) if zstd.inside_a_frame => {
                Err(CaptureError::ZstdEnd { offset: self.offset })
            }
            Kind::Untold | Kind::Plain | Kind::Zstd(_) => Ok(()),
            Kind::Failed(error) => Err(error.clone()),
        }
    }

    fn feed_unless_failed(
        &mut self,
        chunk: &mut &[u8],
        out: &mut impl FnMut(&[u8]) -> Result<()>,
    ) -> Result<bool> {
        match &mut self.kind {
            Kind::Untold => {
                self.kind = Kind::told_by(chunk)?;
                if matches!(self.kind, Kind::Beginning(_)) {
                    *chunk = &[];
                }
                Ok(!chunk.is_empty())
            }
            Kind::Beginning(held) => {
                // Few bytes, which cannot hold more than a piece.
                let mut beginning = std::mem::take(held);
                let (few, rest) = chunk.split_at(chunk.len().min(ZSTD_MAGIC.len()));
                beginning.extend_from_slice(few);
                self.kind = Kind::Untold;
                *chunk = rest;
                let mut few = beginning.as_slice();
                while self.feed_unless_failed(&mut few, out)? {}
                Ok(!chunk.is_empty())
            }
            Kind::Plain => {
                let (piece, rest) = chunk.split_at(chunk.len().min(PIECE_LEN));
                self.offset += piece.len() as u64;
                *chunk = rest;
                out(piece)?;
                Ok(!chunk.is_empty())
            }
            Kind::Gzip(decoder) if chunk.is_empty() => {
                // Data that this chunk completes must not wait for the next one: the capture may be growing.
                let flushed = decoder.flush();
                hand_on(decoder.get_mut(), out)?;
                flushed.map_err(|_| CaptureError::Gzip { offset: self.offset })?;
                Ok(false)
            }
            Kind::Gzip(decoder) => {
                let taken = decoder.write(chunk);
                hand_on(decoder.get_mut(), out)?;
                let taken = taken.map_err(|_| CaptureError::Gzip { offset: self.offset })?;
                self.offset += taken as u64;
                *chunk = chunk.get(taken..).unwrap_or_default();
                Ok(true)
            }
            Kind::Zstd(zstd) => zstd.feed_piece(chunk, &mut self.offset, out),
            Kind::Failed(error) => Err(error.clone()),
        }
    }
}

impl Kind {
    fn told_by(bytes: &[u8]) -> Result<Self> {
        let gzip = agrees(&GZIP_MAGIC, bytes);
        // A zstd file may begin with a frame that carries no data; pzstd writes such files.
        let skippable = match bytes {
            [first, rest @ ..] => {
                first & 0xf0 == ZSTD_SKIPPABLE[0] && agrees(&ZSTD_SKIPPABLE[1..], rest)
            }
            [] => true,
        };
        Ok(if !gzip && !skippable && !agrees(&ZSTD_MAGIC, bytes) {
            Self::Plain
        } else if bytes.len() < ZSTD_MAGIC.len() {
            Self::Beginning(bytes.to_vec())
        } else if gzip {
            Self::Gzip(Box::new(MultiGzDecoder::new(Vec::new())))
        } else {
            Self::Zstd(Zstd::new()?)
        })
    }
}

/// Whether the bytes so far match the magic number.
fn agrees(magic: &[u8], bytes: &[u8]) -> bool {
    magic.iter().zip(bytes).all(|(magic, byte)| magic == byte)
}

impl Zstd {
    fn new() -> Result<Self> {
        let refused = |_| CaptureError::Zstd { offset: 0 };
        let mut decoder = Decoder::new().map_err(refused)?;
        decoder.set_parameter(DParameter::WindowLogMax(MAX_WINDOW_LOG)).map_err(refused)?;
        let piece = vec![0; PIECE_LEN].into_boxed_slice();
        Ok(Self { decoder, piece, inside_a_frame: false, has_more: false })
    }

    fn feed_piece(
        &mut self,
        chunk: &mut &[u8],
        offset: &mut u64,
        out: &mut impl FnMut(&[u8]) -> Result<()>,
    ) -> Result<bool> {
        if chunk.is_empty() && !self.has_more {
            return Ok(false);
        }
        let done = self
            .decoder
            .run_on_buffers(chunk, &mut self.piece)
            .map_err(|_| CaptureError::Zstd { offset: *offset })?;
        if done.bytes_read == 0 && done.bytes_written == 0 && !chunk.is_empty() {
            return Err(CaptureError::Zstd { offset: *offset });
        }
        *offset += done.bytes_read as u64;
        *chunk = chunk.get(done.bytes_read..).unwrap_or_default();
        self.inside_a_frame = done.remaining != 0;
        self.has_more = self.inside_a_frame && done.bytes_written == self.piece.len();
        if let Some(piece @ [_, ..]) = self.piece.get(..done.bytes_written) {
            out(piece)?;
        }
        Ok(self.has_more || !chunk.is_empty())
    }
}

fn hand_on(plain: &mut Vec<u8>, out: &mut impl FnMut(&[u8]) -> Result<()>) -> Result<()> {
    if plain.is_empty() {
        return Ok(());
    }
    let handed_on = out(plain);
    plain.clear();
    handed_on
}

/// Maximum length of a piece of decompressed data: fits the private cache of a core. (flate2 returns 32 KiB at
/// a time.)
const PIECE_LEN: usize = 128 * 1024;

/// Maximum window of a zstd frame, 128 MiB: the default limit of zstd (`ZSTD_WINDOWLOG_LIMIT_DEFAULT`).
const MAX_WINDOW_LOG: u32 = 27;

/// Magic number and the only compression method of RFC 1952.
const GZIP_MAGIC: [u8; 3] = [0x1f, 0x8b, 8];
const ZSTD_MAGIC: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];
/// Magic number of skippable frames; the low half of the first byte is arbitrary.
const ZSTD_SKIPPABLE: [u8; 4] = [0x50, 0x2a, 0x4d, 0x18];

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn gzip(plain: &[u8]) -> Vec<u8> {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(plain).unwrap();
        encoder.finish().unwrap()
    }

    fn zstd(plain: &[u8]) -> Vec<u8> {
        zstd::encode_all(plain, 1).unwrap()
    }

    /// Encodes two members or frames.
    fn twice(encode: fn(&[u8]) -> Vec<u8>, plain: &[u8]) -> Vec<u8> {
        let (first, second) = plain.split_at(plain.len() / 3);
        [encode(first), encode(second)].concat()
    }

    fn decompressed(file: &[u8], chunk_len: usize) -> (Vec<u8>, Result<()>) {
        let mut plain = Vec::new();
        let mut out = |piece: &[u8]| {
            plain.extend_from_slice(piece);
            Ok(())
        };
        let mut decompressor = Decompressor::new();
        let fed = file.chunks(chunk_len).try_for_each(|chunk| decompressor.feed(chunk, &mut out));
        let end = fed.and_then(|()| decompressor.finish(&mut out));
        (plain, end)
    }

    proptest! {
        #[test]
        fn cutting_does_not_matter(
            plain in prop::collection::vec(any::<u8>(), 4..2000),
            repeated in 1_usize..200,
            chunk_len in 1_usize..5000,
        ) {
            let plain = plain.repeat(repeated);
            for file in [twice(gzip, &plain), twice(zstd, &plain)] {
                let (decompressed, end) = decompressed(&file, chunk_len);
                prop_assert!(decompressed == plain);
                prop_assert_eq!(end, Ok(()));
            }
        }

        #[test]
        fn garbage_behind_a_magic_is_an_error_and_never_a_panic(
            magic in prop_oneof![Just(&GZIP_MAGIC[..]), Just(&ZSTD_MAGIC[..]), Just(&[][..])],
            garbage in prop::collection::vec(any::<u8>(), 1..300),
            chunk_len in 1_usize..50,
        ) {
            let file = [magic, &garbage].concat();
            let (_, end) = decompressed(&file, chunk_len);
            prop_assert!(end.is_err() || magic.is_empty());
        }

        #[test]
        fn flipped_bit_is_an_error_or_harmless_and_never_a_panic(
            at in any::<prop::sample::Index>(),
            bit in 0..8,
        ) {
            let plain = b"first wins ".repeat(1000);
            for mut file in [twice(gzip, &plain), twice(zstd, &plain)] {
                let at = at.index(file.len());
                file[at] ^= 1_u8 << bit;
                let _ = decompressed(&file, 100);
            }
        }
    }

    #[test]
    fn file_that_is_cut_short_is_an_error() {
        let plain = b"to be or not to be".repeat(10);
        for file in [gzip(&plain), zstd(&plain)] {
            for len in 4..file.len() {
                assert!(decompressed(&file[..len], 7).1.is_err(), "{len} of {}", file.len());
            }
        }
    }

    #[test]
    fn message_completed_by_a_chunk_is_decoded_at_once() {
        let plain = b"packet".repeat(100_000);
        for file in [gzip(&plain), zstd(&plain)] {
            let mut len = 0;
            let mut out = |piece: &[u8]| {
                len += piece.len();
                Ok(())
            };
            Decompressor::new().feed(&file, &mut out).unwrap();
            assert_eq!(len, plain.len());
        }
    }

    #[test]
    fn bomb_comes_in_bounded_pieces() {
        let plain = vec![0; 64 << 20];
        for file in [gzip(&plain), zstd(&plain)] {
            assert!(file.len() < 1 << 20);
            let mut len = 0;
            let mut out = |piece: &[u8]| {
                assert!(piece.len() <= PIECE_LEN);
                len += piece.len();
                Ok(())
            };
            Decompressor::new().feed(&file, &mut out).unwrap();
            assert_eq!(len, plain.len());
        }
    }

    #[test]
    fn plain_file_is_not_copied() {
        let file = b"\xd4\xc3\xb2\xa1 and so on";
        let mut decompressor = Decompressor::new();
        let mut out = |piece: &[u8]| {
            assert!(std::ptr::eq(piece, file));
            Ok(())
        };
        decompressor.feed(file, &mut out).unwrap();
        decompressor.finish(&mut |_| unreachable!()).unwrap();
    }

    #[test]
    fn file_too_short_for_a_magic_is_plain() {
        for file in [&b""[..], b"\x1f", b"\x1f\x8b\x08", b"\x28\xb5\x2f", b"\x5a\x2a"] {
            assert_eq!(decompressed(file, 1), (file.to_vec(), Ok(())));
        }
    }

    #[test]
    fn skippable_frame_is_skipped() {
        let file = [&[0x53, 0x2a, 0x4d, 0x18, 2, 0, 0, 0, 9, 9][..], &zstd(b"data")].concat();
        assert_eq!(decompressed(&file, 3), (b"data".to_vec(), Ok(())));
    }

    #[test]
    fn first_error_is_the_last() {
        let mut decompressor = Decompressor::new();
        let error = decompressor.feed(b"plain", &mut |_| Err(CaptureError::Empty));
        assert_eq!(error, Err(CaptureError::Empty));
        let again = decompressor.feed(b"more", &mut |_| unreachable!());
        assert_eq!(again, Err(CaptureError::Empty));
        assert_eq!(decompressor.finish(&mut |_| unreachable!()), Err(CaptureError::Empty));
    }
}
