//! Payloads of many frames, concatenated in one buffer.

use std::ops::Range;

use super::Framing;
use crate::{Result, SimdLevel, TooLong, buffer_pool, kernels};

/// Concatenated values of variable length: Arrow's variable-size layout.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct VariableColumn<V> {
    /// Start offset of each value and the end of the last: one more than there are values.
    pub offsets: Vec<i32>,
    /// Concatenated bytes or text.
    pub values: V,
}

/// Byte strings in the layout of Arrow's `Binary`.
pub type BinaryColumn = VariableColumn<Vec<u8>>;

impl<V: Default> Default for VariableColumn<V> {
    fn default() -> Self {
        Self { offsets: vec![0], values: V::default() }
    }
}

impl<V: Default> VariableColumn<V> {
    /// Creates an empty column.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Number of elements.
    #[must_use]
    pub fn len(&self) -> usize {
        self.offsets.len() - 1
    }

    /// Whether the column is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Range of each value in `values`.
    pub(crate) fn ranges(&self) -> impl Iterator<Item = Range<usize>> + Clone {
        self.offsets.windows(2).map(|at| match *at {
            [start, end] => start.cast_unsigned() as usize..end.cast_unsigned() as usize,
            _ => 0..0,
        })
    }
}

impl BinaryColumn {
    /// Iterates over the values.
    pub fn iter(&self) -> impl Iterator<Item = &[u8]> + Clone {
        self.ranges().map(|range| &self.values[range])
    }

    /// Appends a value.
    ///
    /// # Errors
    /// [`TooLong`] if the offsets would exceed 31 bits; nothing is appended.
    #[inline]
    pub fn push(&mut self, value: &[u8]) -> std::result::Result<(), TooLong> {
        let end = self.values.len() + value.len();
        let Ok(offset) = i32::try_from(end) else {
            return Err(TooLong { len: end, max: i32::MAX as usize });
        };
        self.values.extend_from_slice(value);
        self.offsets.push(offset);
        Ok(())
    }

    /// Removes all values, and keeps the capacity.
    pub fn clear(&mut self) {
        self.offsets.truncate(1);
        self.values.clear();
    }
}

/// Types and payloads of many frames.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Frames {
    /// Type of each frame; empty if the framing has no types.
    pub kinds: Vec<i32>,
    /// Payload of each frame.
    pub payloads: BinaryColumn,
}

impl Frames {
    /// Removes all frames, and keeps the capacity.
    pub fn clear(&mut self) {
        self.kinds.clear();
        self.payloads.clear();
    }
}

/// Concatenates pieces of `bytes` and returns their number: all of them, unless their offsets would exceed 31
/// bits, or a piece is outside of `bytes`.
pub fn compact(bytes: &[u8], pieces: &[Range<usize>], out: &mut BinaryColumn) -> usize {
    let before = out.len();
    buffer_pool::reserve(&mut out.offsets, pieces.len());
    for group in pieces.chunks(GROUP) {
        let mut total = out.values.len();
        let count = group.iter().take_while(|piece| {
            let end = bytes.get((*piece).clone()).and_then(|piece| total.checked_add(piece.len()));
            let Some((end, offset)) = end.and_then(|end| Some((end, i32::try_from(end).ok()?)))
            else {
                return false;
            };
            total = end;
            out.offsets.push(offset);
            true
        });
        let count = count.count();
        kernels::copy::pieces(bytes, &group[..count], &mut out.values);
        if count < group.len() {
            break;
        }
    }
    out.len() - before
}

/// Number of pieces that are checked and copied together: they are still in the first-level cache when they are
/// copied.
const GROUP: usize = 64;

/// Appends pieces of `bytes` while there are more and 31-bit offsets have room for one of `limit` bytes.
pub(super) fn take_all(
    out: &mut BinaryColumn,
    bytes: &[u8],
    limit: usize,
    mut next: impl FnMut() -> Result<Option<Range<usize>>>,
) {
    while i32::try_from(out.values.len().saturating_add(limit)).is_ok()
        && let Ok(Some(piece)) = next()
        && out.push(&bytes[piece]).is_ok()
    {}
}

/// Finds all complete frames in `bytes` and concatenates their payloads in one pass; returns the number of
/// bytes of the frames. Stops where offsets would exceed 31 bits.
///
/// # Errors
/// As [`Framing::header`], with the offset in `bytes`; the frames before it are in `out`.
pub fn scan_compact(
    bytes: &[u8],
    framing: Framing,
    limit: usize,
    out: &mut Frames,
    level: SimdLevel,
) -> Result<usize> {
    buffer_pool::reserve(&mut out.payloads.values, bytes.len());
    kernels::frame::pack(bytes, framing, limit, out, level)
}
