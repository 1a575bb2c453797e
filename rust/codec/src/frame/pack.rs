//! Payloads of many frames, copied end to end into one buffer.

use std::ops::Range;

use super::Framing;
use crate::{Result, SimdLevel, TooLong, buffer_pool, kernels};

/// Many values of any length end to end: Arrow's layout of variable-size values.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct VariableColumn<V> {
    /// Where each begins and the last ends: one more than there are.
    pub offsets: Vec<i32>,
    /// Their bytes, or their text.
    pub values: V,
}

/// Many byte strings, as Arrow's `Binary` holds them.
pub type BinaryColumn = VariableColumn<Vec<u8>>;

impl<V: Default> Default for VariableColumn<V> {
    fn default() -> Self {
        Self { offsets: vec![0], values: V::default() }
    }
}

impl<V: Default> VariableColumn<V> {
    /// Starts with none.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Number of elements.
    #[must_use]
    pub fn len(&self) -> usize {
        self.offsets.len() - 1
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Where each is in `values`.
    pub(crate) fn ranges(&self) -> impl Iterator<Item = Range<usize>> + Clone {
        self.offsets.windows(2).map(|at| match *at {
            [start, end] => start.cast_unsigned() as usize..end.cast_unsigned() as usize,
            _ => 0..0,
        })
    }
}

impl BinaryColumn {
    /// One after the other.
    pub fn iter(&self) -> impl Iterator<Item = &[u8]> + Clone {
        self.ranges().map(|range| &self.values[range])
    }

    /// Appends one.
    ///
    /// # Errors
    /// [`TooLong`] if offsets would leave 31 bits; nothing is appended.
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

    /// Forgets all, and keeps the room.
    pub fn clear(&mut self) {
        self.offsets.truncate(1);
        self.values.clear();
    }
}

/// Many frames.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Frames {
    /// The type of each; empty where the framing has none.
    pub kinds: Vec<i32>,
    /// What is framed.
    pub payloads: BinaryColumn,
}

impl Frames {
    /// Forgets all, and keeps the room.
    pub fn clear(&mut self) {
        self.kinds.clear();
        self.payloads.clear();
    }
}

/// Copies pieces of `bytes` end to end and returns how many: all of them, unless their offsets
/// would leave 31 bits, or one does not lie in `bytes`.
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

/// Pieces that are judged and copied together: the first cache still has them when they are copied.
const GROUP: usize = 64;

/// Appends pieces of `bytes` for as long as there are more and 31 bits of offsets have room for one of
/// `limit` bytes.
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

/// Finds all whole frames in `bytes` and copies their payloads end to end, in one go; returns how many
/// bytes they take. Stops where offsets would leave 31 bits.
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
