//! The calls of one connection that wait for their replies.

use std::collections::VecDeque;

use jvmwire_codec::message::is_strictly_increasing_below;
use serde::{Deserialize, Serialize};

use crate::{tables::pending_call::OpenCall, tables::redaction::Redaction};

/// Calls by their tokens, which ascend: the oldest first.
///
/// Most calls end in about the order in which they began, so that a place is found at once. One that
/// ends before older ones leaves its place empty until most places are.
#[derive(Debug, Default, Deserialize, Serialize)]
pub(crate) struct OpenCalls {
    places: VecDeque<(u64, Option<Box<OpenCall>>)>,
    open: usize,
    /// How many bytes the calls take.
    held: usize,
}

impl OpenCalls {
    pub(crate) fn len(&self) -> usize {
        self.open
    }

    /// Adds a call: nearly always the youngest, but one may have been numbered when its reply came.
    pub(crate) fn push(&mut self, token: u64, call: Box<OpenCall>) {
        if self.places.len() > 2 * self.open + SLACK {
            self.places.retain(|(_, call)| call.is_some());
        }
        let at = match self.places.back() {
            Some((last, _)) if token < *last => self.places.partition_point(|(it, _)| *it < token),
            _ => self.places.len(),
        };
        self.held += call.held();
        self.places.insert(at, (token, Some(call)));
        self.open += 1;
    }

    /// Whether what was loaded can have been saved: its calls have tokens below that of the `next`.
    pub(crate) fn is_sound(&self, next: u64) -> bool {
        let mut calls = self.places.iter().filter_map(|(_, call)| call.as_deref());
        is_strictly_increasing_below(self.places.iter().map(|(token, _)| *token), next)
            && self.places.front().is_none_or(|(_, call)| call.is_some())
            && calls.clone().count() == self.open
            && calls.clone().map(OpenCall::held).sum::<usize>() == self.held
            && calls.all(OpenCall::is_sound)
    }

    /// Takes the call of that token.
    pub(crate) fn take(&mut self, token: u64) -> Option<Box<OpenCall>> {
        let at = self.place(token)?;
        let call = self.places.get_mut(at)?.1.take()?;
        self.open = self.open.saturating_sub(1);
        self.held = self.held.saturating_sub(call.held());
        while let Some((_, None)) = self.places.front() {
            self.places.pop_front();
        }
        Some(call)
    }

    /// Takes the oldest call.
    pub(crate) fn take_oldest(&mut self) -> Option<Box<OpenCall>> {
        // No place before the first call's is empty.
        let token = self.places.front()?.0;
        self.take(token)
    }

    /// Takes all calls, the oldest first.
    pub(crate) fn take_all(&mut self) -> impl Iterator<Item = Box<OpenCall>> + use<> {
        (self.open, self.held) = (0, 0);
        std::mem::take(&mut self.places).into_iter().filter_map(|(_, call)| call)
    }

    /// How many bytes the calls take.
    pub(crate) fn held(&self) -> usize {
        self.held
    }

    /// Replaces in all calls what users chose.
    pub(crate) fn redact(&mut self, redaction: Redaction) {
        let calls = self.places.iter_mut().filter_map(|(_, call)| call.as_deref_mut());
        self.held = calls
            .map(|call| {
                call.redact(redaction);
                call.held()
            })
            .sum();
    }

    fn place(&self, token: u64) -> Option<usize> {
        let (first, _) = self.places.front()?;
        let likely = usize::try_from(token.checked_sub(*first)?).ok()?;
        if self.places.get(likely).is_some_and(|(known, _)| *known == token) {
            return Some(likely);
        }
        self.places.binary_search_by_key(&token, |(known, _)| *known).ok()
    }
}

/// How many empty places there may be beside as many as there are calls.
const SLACK: usize = 64;

#[cfg(test)]
mod tests {
    use super::*;

    fn call(id: i64) -> OpenCall {
        let mut call = OpenCall::default();
        call.id = Some(id);
        call
    }

    fn opened(tokens: impl IntoIterator<Item = u64>) -> OpenCalls {
        let mut calls = OpenCalls::default();
        for token in tokens {
            calls.push(token, call(token.cast_signed()).into());
        }
        calls
    }

    fn id(call: Option<Box<OpenCall>>) -> Option<i64> {
        call?.id
    }

    #[test]
    fn a_call_is_found_by_its_token_in_whatever_order_calls_end() {
        let mut calls = opened([3, 4, 6, 9]);
        assert_eq!(
            [6, 6, 5, 3, 9, 2].map(|token| id(calls.take(token))),
            [Some(6), None, None, Some(3), Some(9), None]
        );
        assert_eq!((calls.len(), id(calls.take_oldest()), calls.len()), (1, Some(4), 0));
        assert_eq!(id(calls.take_oldest()), None);
    }

    #[test]
    fn a_call_that_was_numbered_early_stands_where_its_token_says() {
        let mut calls = opened([3, 7, 9, 5]);
        assert!(calls.is_sound(10) && !calls.is_sound(9));
        assert_eq!([5, 7, 9].map(|token| id(calls.take(token))), [Some(5), Some(7), Some(9)]);
    }

    #[test]
    fn all_calls_are_taken_the_oldest_first() {
        let mut calls = opened(0..5);
        calls.take(2);
        let taken: Vec<_> = calls.take_all().filter_map(|call| call.id).collect();
        assert_eq!((taken, calls.len()), (vec![0, 1, 3, 4], 0));
    }

    #[test]
    fn what_ended_takes_no_room_beside_a_call_that_does_not() {
        let mut calls = opened([0]);
        for token in 1..10_000 {
            calls.push(token, call(0).into());
            calls.take(token);
        }
        assert!(calls.places.len() <= SLACK + 3);
        assert_eq!(id(calls.take(0)), Some(0));
        assert!(calls.places.is_empty());
    }
}
