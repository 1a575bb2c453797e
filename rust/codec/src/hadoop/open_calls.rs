use std::collections::{BTreeMap, HashMap, VecDeque};

use serde::{Deserialize, Serialize};

use super::Method;
use crate::message::MAX_OPEN_CALLS;

/// Calls that wait for their reply, by their id on the wire.
///
/// The same id may be open more than once: replies then end the calls in their order. Beyond
/// [`MAX_OPEN_CALLS`] the oldest is forgotten.
#[derive(Debug, Default, Deserialize, Serialize)]
pub(super) struct OpenCalls {
    next_token: u64,
    by_id: HashMap<i64, VecDeque<OpenCall>>,
    ids: BTreeMap<u64, i64>,
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
        let token = self.next_token;
        self.next_token += 1;
        self.by_id.entry(id).or_default().push_back(OpenCall { token, engine, method });
        self.ids.insert(token, id);
        if self.ids.len() > MAX_OPEN_CALLS
            && let Some((_, oldest)) = self.ids.pop_first()
        {
            self.take_first(oldest);
        }
        token
    }

    pub(super) fn is_open(&self, id: i64) -> bool {
        self.by_id.contains_key(&id)
    }

    pub(super) fn close(&mut self, id: i64) -> Option<OpenCall> {
        let closed = self.take_first(id);
        if let Some(call) = closed {
            self.ids.remove(&call.token);
        }
        closed
    }

    /// Takes the oldest call of that id.
    fn take_first(&mut self, id: i64) -> Option<OpenCall> {
        let waiting = self.by_id.get_mut(&id)?;
        let first = waiting.pop_front();
        if waiting.is_empty() {
            self.by_id.remove(&id);
        }
        first
    }

    pub(super) fn close_all(&mut self) {
        self.by_id.clear();
        self.ids.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
    fn beyond_the_limit_the_oldest_call_is_forgotten() {
        let mut calls = OpenCalls::default();
        let first = calls.open(7, Engine::Protobuf, None);
        for _ in 1..MAX_OPEN_CALLS {
            calls.open(8, Engine::Protobuf, None);
        }
        let second = calls.open(7, Engine::Writable, None);
        assert_eq!(calls.ids.len(), MAX_OPEN_CALLS);
        assert!(second > first);
        assert_eq!(closed(&mut calls, 7), Some((second, Engine::Writable)));
        assert_eq!(closed(&mut calls, 7), None);
        calls.close_all();
        assert!(calls.by_id.is_empty() && calls.ids.is_empty());
    }
}
