//! Open calls of a Hadoop connection: the request of each reply.

use std::collections::{HashMap, VecDeque, hash_map::Entry};

use ahash::RandomState;
use serde::{Deserialize, Serialize};

use super::Method;
use crate::message::{EarlyReplies, MAX_OPEN_CALLS, is_strictly_increasing_below};

/// Calls that wait for their reply, by their id on the wire.
///
/// The same id may be open more than once: replies then end the calls in their order. Beyond
/// [`MAX_OPEN_CALLS`] the oldest is forgotten.
#[derive(Debug, Default, Deserialize, Serialize)]
pub(super) struct OpenCalls {
    next_token: u64,
    open: usize,
    by_id: HashMap<i64, Waiting, RandomState>,
    /// The calls' tokens and ids, oldest first. Those that were closed go when most are: a call costs
    /// no search here.
    order: VecDeque<(u64, i64)>,
    overtaken: EarlyReplies,
}

/// The calls of one id, oldest first: nearly always one.
#[derive(Debug, Deserialize, Serialize)]
struct Waiting {
    first: OpenCall,
    others: VecDeque<OpenCall>,
}

/// What the request said, and the reply does not.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
pub(super) struct OpenCall {
    pub(super) token: u64,
    pub(super) engine: Engine,
    /// If it is one that we have a table of.
    pub(super) method: Option<&'static Method>,
}

/// What serialises a call's arguments and its result: `RpcKindProto`.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub enum Engine {
    /// `WritableRpcEngine`.
    Writable,
    /// `ProtobufRpcEngine2`, and the one before it.
    Protobuf,
}

impl OpenCalls {
    pub(super) fn open(&mut self, id: i64, engine: Engine, method: Option<&'static Method>) -> u64 {
        let token = self.next_token();
        let call = OpenCall { token, engine, method };
        match self.by_id.entry(id) {
            Entry::Occupied(waiting) => waiting.into_mut().others.push_back(call),
            Entry::Vacant(place) => {
                place.insert(Waiting { first: call, others: VecDeque::new() });
            }
        }
        self.open += 1;
        self.order.push_back((token, id));
        while self.open > MAX_OPEN_CALLS
            && let Some((token, id)) = self.order.pop_front()
        {
            if self.is_waiting(token, id) {
                self.close(id);
            }
        }
        if self.order.len() > 2 * self.open + SLACK {
            let mut order = std::mem::take(&mut self.order);
            order.retain(|&(token, id)| self.is_waiting(token, id));
            self.order = order;
        }
        token
    }

    /// Numbers a call that was answered before it was seen.
    pub(super) fn overtake(&mut self, id: i64) -> u64 {
        let token = self.next_token();
        self.overtaken.push(token, id);
        token
    }

    /// Takes the number of a call that was answered before it is seen.
    pub(super) fn take_overtaken(&mut self, id: i64) -> Option<u64> {
        self.overtaken.take(&id, self.next_token)
    }

    fn next_token(&mut self) -> u64 {
        self.next_token += 1;
        self.next_token - 1
    }

    pub(super) fn is_open(&self, id: i64) -> bool {
        self.by_id.contains_key(&id)
    }

    /// Takes the oldest call of that id.
    pub(super) fn close(&mut self, id: i64) -> Option<OpenCall> {
        let Entry::Occupied(mut waiting) = self.by_id.entry(id) else { return None };
        self.open -= 1;
        Some(match waiting.get_mut().others.pop_front() {
            Some(next) => std::mem::replace(&mut waiting.get_mut().first, next),
            None => waiting.remove().first,
        })
    }

    pub(super) fn close_all(&mut self) {
        self.by_id.clear();
        self.order.clear();
        self.overtaken.clear();
        self.open = 0;
    }

    /// How many bytes the calls take, about.
    pub(super) fn held(&self) -> usize {
        let numbered = self.order.len() + self.overtaken.ids().count();
        self.open * size_of::<(i64, Waiting)>() + numbered * size_of::<(u64, i64)>()
    }

    /// The next call's token, if what was loaded can have been saved: of the calls in order, those from
    /// their id's first on are open, and no others.
    pub(super) fn validate(&self) -> Option<u64> {
        let next = self.next_token;
        let is_in_order = |id: i64, call: &OpenCall| {
            self.order.binary_search(&(call.token, id)).is_ok() && call.token < next
        };
        let are_in_order = self.by_id.iter().all(|(id, waiting)| {
            let calls = || std::iter::once(&waiting.first).chain(&waiting.others);
            calls().all(|call| is_in_order(*id, call))
                && calls().is_sorted_by_key(|call| call.token)
        });
        let open = self.by_id.values().map(|waiting| 1 + waiting.others.len()).sum::<usize>();
        let in_order = self.order.iter().filter(|(token, id)| self.is_waiting(*token, *id)).count();
        let is_sound =
            is_strictly_increasing_below(self.order.iter().map(|(token, _)| *token), next)
                && are_in_order
                && [self.open, in_order] == [open; 2]
                && open <= MAX_OPEN_CALLS
                && self.overtaken.is_sound(next);
        is_sound.then_some(next)
    }

    /// Whether the call is open: tokens ascend, so that none is that is older than its id's first.
    fn is_waiting(&self, token: u64, id: i64) -> bool {
        self.by_id.get(&id).is_some_and(|waiting| waiting.first.token <= token)
    }
}

/// How many calls that were closed may be kept in order beside as many as are open.
const SLACK: usize = 64;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::message::MAX_OVERTAKEN;

    fn closed(calls: &mut OpenCalls, id: i64) -> Option<(u64, Engine)> {
        calls.close(id).map(|call| (call.token, call.engine))
    }

    #[test]
    fn the_same_id_twice_is_two_calls_in_order() {
        let mut calls = OpenCalls::default();
        assert_eq!(calls.open(7, Engine::Writable, None), 0);
        assert_eq!(calls.open(7, Engine::Protobuf, None), 1);
        assert_eq!(closed(&mut calls, 7), Some((0, Engine::Writable)));
        assert_eq!(closed(&mut calls, 7), Some((1, Engine::Protobuf)));
        assert_eq!(closed(&mut calls, 7), None);
    }

    #[test]
    fn a_call_that_was_answered_before_it_is_seen_is_known_for_a_while() {
        let mut calls = OpenCalls::default();
        let tokens = [7, 8].map(|id| calls.overtake(id));
        assert_eq!(calls.take_overtaken(8), Some(tokens[1]));
        assert_eq!(calls.take_overtaken(8), None);
        for id in 100..100 + MAX_OVERTAKEN.cast_signed() {
            calls.open(id, Engine::Protobuf, None);
        }
        assert_eq!(calls.take_overtaken(7), None);
    }

    #[test]
    fn what_was_closed_takes_no_room() {
        let mut calls = OpenCalls::default();
        calls.open(-1, Engine::Writable, None);
        for id in 0..1000 {
            calls.open(id, Engine::Protobuf, None);
            calls.close(id);
        }
        assert!(calls.order.len() <= 2 + SLACK);
        assert_eq!(closed(&mut calls, -1), Some((0, Engine::Writable)));
    }

    #[test]
    fn beyond_the_limit_the_oldest_call_is_forgotten() {
        let mut calls = OpenCalls::default();
        let first = calls.open(7, Engine::Protobuf, None);
        for _ in 1..MAX_OPEN_CALLS {
            calls.open(8, Engine::Protobuf, None);
        }
        let second = calls.open(7, Engine::Writable, None);
        assert_eq!(calls.open, MAX_OPEN_CALLS);
        assert!(second > first);
        assert_eq!(closed(&mut calls, 7), Some((second, Engine::Writable)));
        assert_eq!(closed(&mut calls, 7), None);
        calls.close_all();
        assert!(calls.by_id.is_empty() && calls.order.is_empty());
    }

    #[test]
    fn what_was_saved_and_cannot_be_is_told() {
        let saved = || {
            let mut calls = OpenCalls::default();
            for id in [7, 8, 7, 9] {
                calls.open(id, Engine::Protobuf, None);
            }
            calls.close(9);
            calls.overtake(10);
            calls
        };
        assert_eq!(saved().validate(), Some(5));
        let forged: [fn(&mut OpenCalls); 9] = [
            |it| it.open = 0,
            |it| it.next_token = u64::MAX,
            |it| it.next_token = 4,
            |it| it.order.truncate(2),
            |it| it.order.swap(0, 1),
            |it| it.order[3].1 = 7,
            |it| it.order[0].0 = u64::MAX,
            |it| it.overtaken.push(9, 11),
            |it| drop(it.by_id.remove(&7)),
        ];
        for forge in forged {
            let mut calls = saved();
            forge(&mut calls);
            assert_eq!(calls.validate(), None);
        }
    }
}
