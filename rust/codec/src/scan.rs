//! State of earlier scans of the unread bytes of one direction.

use crate::{
    frame::Messages,
    hama::{ChildScan, LineCount},
};

/// State of earlier scans of the unread bytes of one direction, so that no byte is examined again because more
/// arrived.
///
/// It belongs to the bytes from the first unread one on: a caller that removes bytes from the start calls
/// [`Scan::forget`], and [`Scan::reset`] after a message was decoded. It is a cache: with [`Scan::default`] the
/// same messages are found, after one more scan of the unread bytes. Saved states therefore do not include it.
#[derive(Debug, Default)]
pub struct Scan {
    /// Number of bytes that must be available before another scan can find more.
    need: usize,
    /// Progress of the protocols' scans; most messages do not need it.
    places: Option<Box<ScanPlaces>>,
}

/// Offsets at which the scans of one direction continue.
#[derive(Debug, Default)]
pub(crate) struct ScanPlaces {
    /// Progress of the search for the next message.
    pub(crate) search: Search,
    /// Progress of Storm's search for the line `end`.
    pub(crate) messages: Messages,
    /// Progress of the same search for the first message alone, whose request may be missing.
    pub(crate) first_message: Messages,
    /// Progress of the scan of a Hama child's messages.
    pub(crate) child: ChildScan,
    /// Progress of the scan of a Hama task's lines.
    pub(crate) lines: LineCount,
    /// Progress in Hazelcast's fragments: the offset of the next one, and the number of bytes of fields before
    /// it.
    pub(crate) fragments: (usize, usize),
    /// Request that the message at the start answers, once its header was decoded.
    pub(crate) answers: Option<Answers>,
    /// Number of bytes of white space at the start.
    pub(crate) blanks: usize,
}

/// Progress of a search for the next message.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Search {
    /// Offset before which no message begins.
    pub(crate) at: usize,
    /// Number of consecutive frames found at that offset.
    pub(crate) frames: usize,
    /// Number of bytes of these frames.
    pub(crate) len: usize,
    /// Number of bytes that must be available before the next frame can be examined.
    pub(crate) need: usize,
    /// Whether the search has ended, at `at`.
    pub(crate) is_found: bool,
}

/// Request that a message answers.
#[derive(Clone, Debug)]
pub(crate) enum Answers {
    /// No request that could still follow.
    Nothing,
    /// Hadoop call with this id.
    Call(i64),
    /// All calls of a Hadoop connection.
    AllCalls,
    /// Request of Pravega.
    Command(Box<crate::pravega::DecodedReply>),
    /// Message of Storm, matched by order.
    Next,
    /// Tuple of Storm by its id, and the first token that was not compared with it yet.
    Tuple(String, u64),
}

impl Scan {
    /// Whether a finished search found more than one frame, or a start that needs no second frame: a single
    /// frame may be a coincidence.
    #[must_use]
    pub fn is_certain(&self) -> bool {
        self.places.as_ref().is_none_or(|places| places.search.frames != 1)
    }

    /// Number of bytes of the frames that the search has found.
    #[must_use]
    pub fn found_len(&self) -> usize {
        self.places.as_ref().map_or(0, |places| places.search.len)
    }

    /// Whether fewer than the needed bytes are available, so that a scan would find nothing new.
    #[inline]
    #[must_use]
    pub fn is_short(&self, bytes: &[u8]) -> bool {
        bytes.len() < self.need
    }

    /// Records that nothing can be found before `need` bytes are available.
    #[inline]
    pub(crate) fn wait_for(&mut self, need: usize) {
        self.need = need;
    }

    /// Returns the offsets, created on first use.
    pub(crate) fn places(&mut self) -> &mut ScanPlaces {
        self.places.get_or_insert_default()
    }

    /// Returns the offsets, if a scan has stored any.
    #[inline]
    pub(crate) fn known(&mut self) -> Option<&mut ScanPlaces> {
        self.places.as_deref_mut()
    }

    /// Resets the state for other bytes at the start.
    #[inline]
    pub fn reset(&mut self) {
        self.need = 0;
        if self.places.is_some() {
            self.places = None;
        }
    }

    /// Adjusts the offsets after `len` bytes, which a search has passed, were removed from the start.
    pub fn forget(&mut self, len: usize) {
        if len == 0 {
            return;
        }
        self.need = 0;
        let Some(places) = &mut self.places else { return };
        let Search { at, need, .. } = &mut places.search;
        *at = at.saturating_sub(len);
        *need = need.saturating_sub(len);
        places.messages.shift(len);
        (places.first_message, places.answers) = (Messages::default(), None);
        (places.lines, places.fragments, places.blanks) = Default::default();
    }
}
