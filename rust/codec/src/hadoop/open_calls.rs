use std::collections::{BTreeMap, HashMap, VecDeque};

/// Calls that wait for their reply, by their id on the wire.
///
/// The same id may be open more than once: replies then end the calls in their order.
#[derive(Debug, Default)]
pub(super) struct OpenCalls {
    next_token: u64,
    by_id: HashMap<i64, VecDeque<(u64, Engine)>>,
    ids: BTreeMap<u64, i64>,
}

/// What serialises a call's arguments and its result: `RpcKindProto`.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Engine {
    Writable,
    Protobuf,
}

impl OpenCalls {
    pub(super) fn open(&mut self, id: i64, engine: Engine) -> u64 {
        let token = self.next_token;
        self.next_token += 1;
        self.by_id.entry(id).or_default().push_back((token, engine));
        self.ids.insert(token, id);
        token
    }

    pub(super) fn is_open(&self, id: i64) -> bool {
        self.by_id.contains_key(&id)
    }

    pub(super) fn close(&mut self, id: i64) -> Option<(u64, Engine)> {
        let waiting = self.by_id.get_mut(&id)?;
        let closed = waiting.pop_front();
        if waiting.is_empty() {
            self.by_id.remove(&id);
        }
        if let Some((token, _)) = closed {
            self.ids.remove(&token);
        }
        closed
    }

    pub(super) fn forget(&mut self, token: u64) {
        let Some(id) = self.ids.remove(&token) else { return };
        if let Some(waiting) = self.by_id.get_mut(&id) {
            waiting.retain(|(open, _)| *open != token);
            if waiting.is_empty() {
                self.by_id.remove(&id);
            }
        }
    }

    pub(super) fn close_all(&mut self) {
        self.by_id.clear();
        self.ids.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_id_twice_is_two_calls_in_order() {
        let mut calls = OpenCalls::default();
        assert_eq!(calls.open(7, Engine::Writable), 0);
        assert_eq!(calls.open(7, Engine::Protobuf), 1);
        assert_eq!(calls.close(7), Some((0, Engine::Writable)));
        assert_eq!(calls.close(7), Some((1, Engine::Protobuf)));
        assert_eq!(calls.close(7), None);
    }

    #[test]
    fn a_forgotten_call_is_not_ended_by_the_next_ones_reply() {
        let mut calls = OpenCalls::default();
        let first = calls.open(7, Engine::Protobuf);
        let second = calls.open(7, Engine::Protobuf);
        calls.forget(first);
        assert_eq!(calls.close(7), Some((second, Engine::Protobuf)));
        assert!(calls.by_id.is_empty() && calls.ids.is_empty());
    }
}
