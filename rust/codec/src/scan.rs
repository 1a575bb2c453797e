//! State of earlier scans of the unread bytes of one direction.

use crate::{
    frame::Messages,
    hama::{ChildScan, LineCount},
};

/// State of earlier scans of the unread bytes of one direction, so that no byte is examined again
/// because more came.
///
/// It belongs to the bytes from the first unread one on: whoever drops bytes from the front calls
/// [`Scan::forget`], and [`Scan::reset`] once a message was decoded. It is a cache: with
/// [`Scan::default`] the same messages are found, after one more look at the unread bytes. States that
/// are saved are therefore without it.
#[derive(Debug, Default)]
pub struct Scan {
    /// Number of bytes that must be there before another look can find more.
    need: usize,
    /// What the protocols remember beyond that; most messages need none of it.
    places: Option<Box<ScanPlaces>>,
}

/// The places where looks at one direction go on.
#[derive(Debug, Default)]
pub(crate) struct ScanPlaces {
    /// Of a search for the next message.
    pub(crate) search: Search,
    /// Of Storm's search for the line `end`.
    pub(crate) messages: Messages,
    /// The same, of the first message alone, whose request may not have come.
    pub(crate) first_message: Messages,
    /// Of what a child of Hama says.
    pub(crate) child: ChildScan,
    /// Of the lines that a task of Hama writes.
    pub(crate) lines: LineCount,
    /// Of Hazelcast's fragments: where the next begins, and how many bytes of fields came before.
    pub(crate) fragments: (usize, usize),
    /// The request that the message at the front answers, once that was read.
    pub(crate) answers: Option<Answers>,
    /// Bytes of white space at the front.
    pub(crate) blanks: usize,
}

/// Where a search for the next message has got to.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Search {
    /// Before this no message begins.
    pub(crate) at: usize,
    /// Number of frames of a chain that begin there.
    pub(crate) frames: usize,
    /// Number of bytes that they take.
    pub(crate) len: usize,
    /// Number of bytes that must be there before the next frame can be judged.
    pub(crate) need: usize,
    /// Whether the search has ended, at `at`.
    pub(crate) is_found: bool,
}

/// The request that a message answers.
#[derive(Clone, Debug)]
pub(crate) enum Answers {
    /// None that could still come.
    Nothing,
    /// A call of Hadoop, by its id.
    Call(i64),
    /// All calls of a connection of Hadoop.
    AllCalls,
    /// One of Pravega's requests.
    Command(Box<crate::pravega::DecodedReply>),
    /// A message of Storm's, by its place in the order.
    Next,
    /// A tuple of Storm's by its id, and the first token that was not compared with it yet.
    Tuple(String, u64),
}

impl Scan {
    /// Whether the search for a message that has ended found more than one frame, or a beginning that needs
    /// none: one frame alone may be an accident.
    #[must_use]
    pub fn is_certain(&self) -> bool {
        self.places.as_ref().is_none_or(|places| places.search.frames != 1)
    }

    /// Number of bytes that the frames take that the search has found.
    #[must_use]
    pub fn found_len(&self) -> usize {
        self.places.as_ref().map_or(0, |places| places.search.len)
    }

    /// Whether fewer than the needed bytes are there, so that a look would find nothing new.
    #[inline]
    #[must_use]
    pub fn is_short(&self, bytes: &[u8]) -> bool {
        bytes.len() < self.need
    }

    /// Remembers that nothing can be found before `need` bytes are there.
    #[inline]
    pub(crate) fn wait_for(&mut self, need: usize) {
        self.need = need;
    }

    /// The places, made if there are none yet.
    pub(crate) fn places(&mut self) -> &mut ScanPlaces {
        self.places.get_or_insert_default()
    }

    /// The places, if a look has left any.
    #[inline]
    pub(crate) fn known(&mut self) -> Option<&mut ScanPlaces> {
        self.places.as_deref_mut()
    }

    /// Forgets all: other bytes stand at the front.
    #[inline]
    pub fn reset(&mut self) {
        self.need = 0;
        if self.places.is_some() {
            self.places = None;
        }
    }

    /// Takes note that so many bytes, which a search has passed, were dropped from the front.
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
