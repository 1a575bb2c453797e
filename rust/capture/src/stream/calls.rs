//! Matching of replies with the rows of their requests.

use std::{borrow::Cow, collections::VecDeque};

use jvmwire_codec::{
    message::{Outcome, Reply, Status},
    pending_calls::{CallTable, MAX_OVERTAKEN, is_strictly_increasing_below},
};
use serde::{Deserialize, Serialize};

use crate::{tables::pending_call::OpenCall, tables::redaction::Redaction};

/// Calls of one connection: the open ones, and replies that precede their requests.
#[derive(Debug, Default, Deserialize, Serialize)]
pub(crate) struct Calls {
    open: CallTable<Box<OpenCall>>,
    /// Latest such replies, in order of their tokens.
    early: VecDeque<EarlyReply>,
}

/// Ended call with its outcome, and the position of its reply, if it has one.
pub(crate) struct Ended {
    pub(crate) call: Box<OpenCall>,
    pub(crate) outcome: Outcome<'static>,
    pub(crate) reply: Option<Place>,
}

/// Reply whose request may still follow.
#[derive(Debug, Deserialize, Serialize)]
struct EarlyReply {
    token: u64,
    place: Place,
    status: Status,
    error_class: Option<String>,
}

/// Position of a message.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
pub(crate) struct Place {
    pub(crate) offset: i64,
    pub(crate) len: i64,
    pub(crate) ts: Option<i64>,
}

impl Calls {
    /// Whether a loaded state can have been saved: its calls have tokens below that of the `next`.
    pub(crate) fn is_sound(&self, next: u64) -> bool {
        self.open.is_sound(next)
            && self.open.iter().all(|(_, call)| call.is_sound())
            && is_strictly_increasing_below(self.early.iter().map(|early| early.token), next)
    }

    /// Opens a call. Returns the call that ends: this one, if its reply has arrived, or the oldest one, if
    /// there are too many.
    pub(crate) fn open(&mut self, token: u64, call: Box<OpenCall>) -> Option<Ended> {
        if let Some(EarlyReply { place, status, error_class, .. }) = self.take_early(token) {
            let outcome = Outcome { status, error_class: error_class.map(Cow::Owned) };
            return Some(Ended { call, outcome, reply: Some(place) });
        }
        // The protocol's decoder has dropped the oldest call too.
        let (_, call) = self.open.push(token, call)?;
        let outcome = Outcome { status: Status::Lost, error_class: None };
        Some(Ended { call, outcome, reply: None })
    }

    /// Removes and returns the call that is answered. If there is none, the reply is kept for some time.
    pub(crate) fn answered(&mut self, reply: &Reply<'_>, place: Place) -> Option<Box<OpenCall>> {
        let token = reply.token?;
        if let Some(call) = self.open.take(token) {
            return Some(call);
        }
        while self.early.front().is_some_and(|early| early.token + MAX_OVERTAKEN < token) {
            self.early.pop_front();
        }
        // A call that was given up long ago has an older token.
        if self.early.back().is_none_or(|early| early.token < token) {
            self.early.push_back(EarlyReply {
                token,
                place,
                status: reply.outcome.status,
                error_class: reply.outcome.error_class.as_deref().map(str::to_owned),
            });
        }
        None
    }

    /// Removes and returns all open calls, the oldest first.
    pub(crate) fn take_all(&mut self) -> impl Iterator<Item = Box<OpenCall>> + use<> {
        self.open.take_all()
    }

    /// Removes and returns the oldest open call.
    pub(crate) fn take_oldest(&mut self) -> Option<Box<OpenCall>> {
        self.open.take_oldest().map(|(_, call)| call)
    }

    /// Whether no call is open.
    pub(crate) fn is_empty(&self) -> bool {
        self.open.is_empty()
    }

    /// Number of bytes of open calls and early replies.
    #[inline]
    pub(crate) fn held(&self) -> usize {
        if self.early.is_empty() {
            return self.open.held();
        }
        let early = self.early.iter().map(|early| {
            size_of::<EarlyReply>() + early.error_class.as_ref().map_or(0, String::len)
        });
        self.open.held() + early.sum::<usize>()
    }

    /// Replaces values chosen by users in the open calls.
    pub(crate) fn redact(&mut self, redaction: Redaction) {
        self.open.update(|call| call.redact(redaction));
    }

    /// Number of replies that wait for their requests.
    #[cfg(test)]
    pub(crate) fn early(&self) -> usize {
        self.early.len()
    }

    /// Removes and returns the reply that preceded its request.
    fn take_early(&mut self, token: u64) -> Option<EarlyReply> {
        // Nearly always there is none; tokens ascend.
        let at = self.early.binary_search_by_key(&token, |early| early.token).ok()?;
        self.early.remove(at)
    }
}
