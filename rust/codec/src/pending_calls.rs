//! Calls of one connection that wait for their replies.
//!
//! `CallTable` stores calls by their tokens, which number them; `PendingCalls` numbers the calls, and finds them
//! by the keys that their replies will contain: few calls by a search, many by an index. Only open calls are
//! saved: all other state is derived from them.

use std::{
    collections::{HashMap, VecDeque, hash_map::Entry},
    hash::Hash,
};

use ahash::RandomState;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Maximum number of calls of one connection that wait for replies; beyond it the oldest is dropped (chosen by
/// jvmwire: Hadoop's servers queue a hundred calls per handler). Their bytes are counted by `held`.
pub const MAX_OPEN_CALLS: usize = 1 << 16;

/// Maximum number of calls by which a reply can precede its request in a capture and still be matched with it
/// (chosen by jvmwire: such captures are out of order by a few packets).
pub const MAX_OVERTAKEN: u64 = 64;

/// Whether loaded tokens are strictly increasing, and below that of the next call.
#[must_use]
pub fn is_strictly_increasing_below(tokens: impl IntoIterator<Item = u64>, next: u64) -> bool {
    let mut free = 0;
    next <= MAX_TOKEN
        && tokens.into_iter().all(|token| {
            let is_above = (free..next).contains(&token);
            free = token.saturating_add(1);
            is_above
        })
}

/// More calls than any connection has: a loaded token below it can be incremented without overflow.
const MAX_TOKEN: u64 = 1 << 62;

/// State of a call that waits for its reply.
pub trait PendingCall {
    /// Number of bytes of memory of the state, including the struct itself.
    fn held(&self) -> usize;
}

/// Calls by their tokens, in increasing order: the oldest first, at most [`MAX_OPEN_CALLS`].
///
/// Most calls end in about the order in which they began, so that an entry is found in constant time. A call
/// that ends before older ones leaves its entry empty; empty entries are removed when they are the majority.
#[derive(Debug)]
pub struct CallTable<C> {
    places: VecDeque<(u64, Option<C>)>,
    open: usize,
    /// Number of bytes of the calls.
    held: usize,
}

impl<C> Default for CallTable<C> {
    fn default() -> Self {
        Self { places: VecDeque::new(), open: 0, held: 0 }
    }
}

impl<C: PendingCall> CallTable<C> {
    /// Number of open calls.
    #[inline]
    #[must_use]
    pub fn len(&self) -> usize {
        self.open
    }

    /// Whether no call is open.
    #[inline]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.open == 0
    }

    /// Number of bytes of the calls.
    #[inline]
    #[must_use]
    pub fn held(&self) -> usize {
        self.held
    }

    /// Adds a call: nearly always the youngest, except for one that was numbered when its reply arrived.
    /// Returns the oldest call if there are too many.
    #[inline]
    pub fn push(&mut self, token: u64, call: C) -> Option<(u64, C)> {
        if self.places.len() > 2 * self.open + SLACK {
            self.places.retain(|(_, call)| call.is_some());
        }
        self.held += call.held();
        self.open += 1;
        match self.places.back() {
            Some((last, _)) if token < *last => {
                let at = self.places.partition_point(|(known, _)| *known < token);
                self.places.insert(at, (token, Some(call)));
            }
            _ => self.places.push_back((token, Some(call))),
        }
        if self.open > MAX_OPEN_CALLS { self.take_oldest() } else { None }
    }

    /// Removes and returns the call with this token.
    #[inline]
    pub fn take(&mut self, token: u64) -> Option<C> {
        let call = match self.places.front() {
            Some((first, _)) if *first == token => self.places.pop_front()?.1?,
            _ => self.places.get_mut(self.place(token)?)?.1.take()?,
        };
        self.open = self.open.saturating_sub(1);
        self.held = self.held.saturating_sub(call.held());
        while let Some((_, None)) = self.places.front() {
            self.places.pop_front();
        }
        Some(call)
    }

    /// Removes and returns the oldest call and its token.
    pub fn take_oldest(&mut self) -> Option<(u64, C)> {
        // No entry before the first call is empty.
        let token = self.places.front()?.0;
        self.take(token).map(|call| (token, call))
    }

    /// Removes and returns all calls, the oldest first.
    pub fn take_all(&mut self) -> impl Iterator<Item = C> + use<C> {
        std::mem::take(self).places.into_iter().filter_map(|(_, call)| call)
    }

    /// Returns the call with this token.
    #[must_use]
    pub fn get(&self, token: u64) -> Option<&C> {
        self.places[self.place(token)?].1.as_ref()
    }

    /// Calls `change` with each call.
    pub fn update(&mut self, mut change: impl FnMut(&mut C)) {
        let calls = self.places.iter_mut().filter_map(|(_, call)| call.as_mut());
        self.held = calls
            .map(|call| {
                change(call);
                call.held()
            })
            .sum();
    }

    /// Iterates over all calls with their tokens, the oldest first.
    pub fn iter(&self) -> impl Iterator<Item = (u64, &C)> {
        self.places.iter().filter_map(|(token, call)| Some((*token, call.as_ref()?)))
    }

    /// Iterates over the calls from a token on.
    fn since(&self, token: u64) -> impl Iterator<Item = (u64, &C)> {
        let from = self.places.partition_point(|(known, _)| *known < token);
        self.places.range(from..).filter_map(|(token, call)| Some((*token, call.as_ref()?)))
    }

    /// Whether a loaded state can have been saved: tokens are increasing, and below that of the `next` call.
    #[must_use]
    pub fn is_sound(&self, next: u64) -> bool {
        self.open <= MAX_OPEN_CALLS
            && is_strictly_increasing_below(self.places.iter().map(|(token, _)| *token), next)
    }

    #[inline]
    fn place(&self, token: u64) -> Option<usize> {
        let (first, _) = self.places.front()?;
        let likely = usize::try_from(token.checked_sub(*first)?).ok()?;
        if self.places.get(likely).is_some_and(|(known, _)| *known == token) {
            return Some(likely);
        }
        self.places.binary_search_by_key(&token, |(known, _)| *known).ok()
    }
}

impl<C: PendingCall + Serialize> Serialize for CallTable<C> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        // The number of elements must be known before them.
        serializer.collect_seq(self.iter().collect::<Vec<_>>())
    }
}

impl<'de, C: PendingCall + Deserialize<'de>> Deserialize<'de> for CallTable<C> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let calls = Vec::<(u64, C)>::deserialize(deserializer)?;
        let held = calls.iter().map(|(_, call)| call.held()).sum();
        let open = calls.len();
        let places = calls.into_iter().map(|(token, call)| (token, Some(call))).collect();
        Ok(Self { places, open, held })
    }
}

/// Maximum number of empty entries in excess of the number of calls.
const SLACK: usize = 16;

/// Key by which a reply identifies its call.
pub(crate) trait CallKey: Clone + Eq + Hash {
    /// Number of open calls up to which a call is searched for by comparing the keys of all: none, unless keys
    /// are compared in constant time.
    const SEARCHED: usize = 0;

    /// Number of heap bytes of the key, in addition to its size.
    fn heap_bytes(&self) -> usize {
        0
    }
}

impl CallKey for () {
    const SEARCHED: usize = MAX_SEARCHED;
}

impl CallKey for i64 {
    const SEARCHED: usize = MAX_SEARCHED;
}

/// Number of open calls up to which an index would cost more than it saves (chosen by jvmwire): most
/// connections never have more, and there can be many connections.
const MAX_SEARCHED: usize = 32;

impl<K: CallKey> CallKey for (K, i64) {
    fn heap_bytes(&self) -> usize {
        self.0.heap_bytes()
    }
}

/// Calls of one connection that wait for their replies, by the keys that the replies will contain.
///
/// Several calls can wait under one key: the oldest is answered first, unless a protocol selects another.
#[expect(clippy::box_collection, reason = "a pointer takes less memory than an empty map")]
#[derive(Debug, Deserialize, Serialize)]
#[serde(from = "Saved<K, C, E>")]
#[serde(bound(
    serialize = "K: Serialize, C: Serialize, E: Serialize",
    deserialize = "K: Deserialize<'de>, C: Deserialize<'de>, E: Deserialize<'de>"
))]
pub(crate) struct PendingCalls<K: CallKey, C = (), E: CallKey = K> {
    next_token: u64,
    calls: CallTable<Keyed<K, C>>,
    early: EarlyReplies<E>,
    /// Index of all open calls, from the time when there were more than [`CallKey::SEARCHED`] until none is
    /// left; else empty.
    #[serde(skip_serializing)]
    by_key: Option<Box<HashMap<K, Tokens, RandomState>>>,
}

/// Saved form of the pending calls.
#[derive(Deserialize)]
#[serde(bound(deserialize = "K: Deserialize<'de>, C: Deserialize<'de>, E: Deserialize<'de>"))]
struct Saved<K: CallKey, C, E> {
    next_token: u64,
    calls: CallTable<Keyed<K, C>>,
    early: EarlyReplies<E>,
}

/// Call with its key.
#[derive(Debug, Deserialize, Serialize)]
struct Keyed<K, C> {
    key: K,
    call: C,
}

impl<K: CallKey, C> PendingCall for Keyed<K, C> {
    /// Number of bytes in both tables, which may be half empty; one of them has a byte more for each entry.
    #[inline]
    fn held(&self) -> usize {
        let (place, entry) = (size_of::<(u64, Option<Self>)>(), size_of::<(K, Tokens)>() + 1);
        2 * (place + entry + self.key.heap_bytes())
    }
}

/// Tokens of the calls under one key, in increasing order: nearly always one, so that the others are in memory
/// of their own.
#[expect(clippy::box_collection, reason = "a pointer takes less memory than an empty deque")]
#[derive(Debug)]
struct Tokens {
    first: u64,
    others: Option<Box<VecDeque<u64>>>,
}

impl Tokens {
    fn iter(&self) -> impl Iterator<Item = &u64> {
        std::iter::once(&self.first).chain(self.others.iter().flat_map(|others| others.iter()))
    }

    /// Removes the first token; returns false if it was the only one.
    #[inline]
    fn drop_first(&mut self) -> bool {
        let next = self.others.as_mut().and_then(|others| others.pop_front());
        next.is_some_and(|next| {
            self.first = next;
            true
        })
    }
}

impl<K: CallKey, C, E: CallKey> Default for PendingCalls<K, C, E> {
    fn default() -> Self {
        let (calls, early) = (CallTable::default(), EarlyReplies::default());
        Self { next_token: 0, calls, early, by_key: None }
    }
}

impl<K: CallKey, C, E: CallKey> From<Saved<K, C, E>> for PendingCalls<K, C, E> {
    fn from(Saved { next_token, calls, early }: Saved<K, C, E>) -> Self {
        let mut loaded = Self { next_token, calls, early, by_key: None };
        if loaded.calls.len() > K::SEARCHED {
            loaded.index();
        }
        loaded
    }
}

/// Adds the youngest call under `key` to the index.
#[inline]
fn link<K: CallKey>(by_key: &mut HashMap<K, Tokens, RandomState>, key: K, token: u64) {
    match by_key.entry(key) {
        Entry::Occupied(tokens) => {
            tokens.into_mut().others.get_or_insert_default().push_back(token);
        }
        Entry::Vacant(place) => {
            place.insert(Tokens { first: token, others: None });
        }
    }
}

impl<K: CallKey, C, E: CallKey> PendingCalls<K, C, E> {
    /// Returns a token for a call that is never added.
    #[inline]
    pub(crate) fn new_token(&mut self) -> u64 {
        self.next_token += 1;
        self.next_token - 1
    }

    /// Token of the next call.
    pub(crate) fn next_token(&self) -> u64 {
        self.next_token
    }

    /// Adds a call and returns its token. If there are too many, the oldest is dropped.
    #[inline]
    pub(crate) fn open(&mut self, key: K, call: C) -> u64 {
        let token = self.new_token();
        if self.is_indexed() || self.calls.len() >= K::SEARCHED {
            if !self.is_indexed() {
                self.index();
            }
            link(self.by_key.get_or_insert_default(), key.clone(), token);
        }
        if let Some((oldest, Keyed { key, .. })) = self.calls.push(token, Keyed { key, call }) {
            self.unlink(key, oldest);
        }
        token
    }

    /// Whether all open calls are in the index.
    #[inline]
    fn is_indexed(&self) -> bool {
        self.by_key.as_ref().is_some_and(|by_key| !by_key.is_empty())
    }

    #[cold]
    fn index(&mut self) {
        let by_key = self.by_key.get_or_insert_default();
        for (token, Keyed { key, .. }) in self.calls.iter() {
            link(by_key, key.clone(), token);
        }
    }

    /// Whether a call waits under `key`.
    #[inline]
    pub(crate) fn is_open(&self, key: &K) -> bool {
        self.first(key).is_some()
    }

    /// Returns the oldest call under `key`.
    pub(crate) fn first(&self, key: &K) -> Option<(u64, &C)> {
        self.under(key).next()
    }

    /// Iterates over the calls under `key`, the oldest first.
    pub(crate) fn under(&self, key: &K) -> impl Iterator<Item = (u64, &C)> {
        let tokens = self.by_key.as_ref().and_then(|by_key| by_key.get(key));
        let tokens = tokens.into_iter().flat_map(Tokens::iter);
        let indexed = tokens.filter_map(|token| Some((*token, &self.calls.get(*token)?.call)));
        let searched = (!self.is_indexed()).then(|| {
            let of_key = self.calls.iter().filter(move |(_, known)| known.key == *key);
            of_key.map(|(token, known)| (token, &known.call))
        });
        indexed.chain(searched.into_iter().flatten())
    }

    /// Iterates over the keys of the calls from a token on.
    pub(crate) fn keys_since(&self, token: u64) -> impl Iterator<Item = &K> {
        self.calls.since(token).map(|(_, call)| &call.key)
    }

    /// Removes and returns the oldest call under `key`.
    #[inline]
    pub(crate) fn close(&mut self, key: &K) -> Option<(u64, C)> {
        let Some(by_key) = self.by_key.as_mut().filter(|by_key| !by_key.is_empty()) else {
            let (token, _) = self.calls.iter().find(|(_, known)| known.key == *key)?;
            return self.calls.take(token).map(|it| (token, it.call));
        };
        // A copied key needs only one search, and most keys are numbers.
        let Entry::Occupied(mut entry) = by_key.entry(key.clone()) else { return None };
        let token = entry.get().first;
        if !entry.get_mut().drop_first() {
            entry.remove();
        }
        self.calls.take(token).map(|it| (token, it.call))
    }

    /// Removes and returns the call with this token.
    pub(crate) fn close_token(&mut self, token: u64) -> Option<C> {
        let Keyed { key, call } = self.calls.take(token)?;
        self.unlink(key, token);
        Some(call)
    }

    /// Replaces the call with this token.
    pub(crate) fn replace(&mut self, token: u64, call: C) {
        if let Some(at) = self.calls.place(token)
            && let Some(known) = &mut self.calls.places[at].1
        {
            known.call = call;
        }
    }

    /// Removes all calls and early replies.
    pub(crate) fn close_all(&mut self) {
        self.calls = CallTable::default();
        self.by_key = None;
        self.early = EarlyReplies::default();
    }

    /// Approximate number of bytes of memory, at least the number of bytes in a saved state.
    #[inline]
    pub(crate) fn held(&self) -> usize {
        self.calls.held() + self.early.held()
    }

    /// Validates a loaded state, and returns the next call's token if it can have been saved.
    pub(crate) fn validate(&self) -> Option<u64> {
        let next = self.next_token;
        let is_sound = self.calls.is_sound(next) && self.early.is_sound(next);
        is_sound.then_some(next)
    }

    /// Iterates over all open calls, the oldest first.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&K, &C)> {
        self.calls.iter().map(|(_, it)| (&it.key, &it.call))
    }

    fn unlink(&mut self, key: K, token: u64) {
        let Some(by_key) = &mut self.by_key else { return };
        let Entry::Occupied(mut entry) = by_key.entry(key) else { return };
        let tokens = entry.get_mut();
        if tokens.first == token {
            if !tokens.drop_first() {
                entry.remove();
            }
        } else if let Some(others) = &mut tokens.others
            && let Ok(at) = others.binary_search(&token)
        {
            others.remove(at);
        }
    }

    /// Returns a token for a call whose reply precedes its request.
    pub(crate) fn answer_early(&mut self, id: E) -> u64 {
        let token = self.new_token();
        self.early.push(token, id);
        token
    }

    /// Removes and returns the token of a call whose reply preceded its request.
    #[inline]
    pub(crate) fn take_early(&mut self, id: &E) -> Option<u64> {
        self.early.take(id, self.next_token)
    }
}

/// Calls whose replies were captured before their requests.
///
/// A capture from several queues of a network card has the packets of each side in order, but the two sides
/// only nearly in order relative to each other.
#[derive(Debug, Deserialize, Serialize)]
struct EarlyReplies<E> {
    /// Tokens of the calls with their ids on the wire: the oldest first.
    calls: VecDeque<(u64, E)>,
}

impl<E> Default for EarlyReplies<E> {
    fn default() -> Self {
        Self { calls: VecDeque::new() }
    }
}

impl<E: CallKey> EarlyReplies<E> {
    #[inline]
    fn held(&self) -> usize {
        self.calls.iter().map(|(_, id)| size_of::<(u64, E)>() + id.heap_bytes()).sum()
    }

    fn is_sound(&self, next: u64) -> bool {
        is_strictly_increasing_below(self.calls.iter().map(|(token, _)| *token), next)
    }

    fn forget_before(&mut self, next: u64) {
        while self.calls.front().is_some_and(|(token, _)| token + MAX_OVERTAKEN < next) {
            self.calls.pop_front();
        }
    }

    /// Adds the call of a reply.
    fn push(&mut self, token: u64, id: E) {
        self.forget_before(token);
        self.calls.push_back((token, id));
    }

    /// Removes and returns the token of a request whose reply came first; `next` is that of another call.
    #[inline]
    fn take(&mut self, id: &E, next: u64) -> Option<u64> {
        if self.calls.is_empty() {
            return None;
        }
        self.forget_before(next);
        let at = self.calls.iter().position(|(_, known)| known == id)?;
        self.calls.remove(at).map(|(token, _)| token)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::{Value, from_value, json, to_value};

    use super::*;

    type Calls = PendingCalls<i64, char>;

    fn opened(calls: impl IntoIterator<Item = (i64, char)>) -> Calls {
        let mut pending = Calls::default();
        for (token, (key, call)) in (0..).zip(calls) {
            assert_eq!(pending.open(key, call), token);
        }
        pending
    }

    #[test]
    fn calls_under_one_key_close_in_the_order_in_which_they_were_opened() {
        let mut calls = opened([(7, 'a'), (8, 'b'), (7, 'c')]);
        assert_eq!(calls.first(&7), Some((0, &'a')));
        assert_eq!(calls.under(&7).map(|(token, _)| token).collect::<Vec<_>>(), [0, 2]);
        assert_eq!([7, 7, 7].map(|key| calls.close(&key)), [Some((0, 'a')), Some((2, 'c')), None]);
        assert!(calls.is_open(&8) && !calls.is_open(&7));
    }

    #[test]
    fn beyond_the_limit_the_oldest_call_is_forgotten() {
        let mut calls = opened([(7, 'a')]);
        for _ in 1..MAX_OPEN_CALLS {
            calls.open(8, 'b');
        }
        let last = calls.open(7, 'c');
        assert_eq!(calls.calls.len(), MAX_OPEN_CALLS);
        assert_eq!([7, 7].map(|key| calls.close(&key)), [Some((last, 'c')), None]);
        calls.close_all();
        assert_eq!((calls.calls.len(), calls.held(), calls.is_indexed()), (0, 0, false));
    }

    #[test]
    fn early_reply_is_known_for_a_while() {
        let mut calls = Calls::default();
        let tokens = [7, 8].map(|id| calls.answer_early(id));
        assert_eq!(calls.take_early(&8), Some(tokens[1]));
        assert_eq!(calls.take_early(&8), None);
        for id in 0..MAX_OVERTAKEN.cast_signed() {
            calls.open(id, 'a');
        }
        assert_eq!(calls.take_early(&7), None);
    }

    #[test]
    fn closed_calls_take_few_places_beside_one_that_stays_open() {
        let mut calls = opened([(-1, 'a')]);
        let held = calls.held();
        for id in 0..10_000 {
            calls.open(id, 'b');
            calls.close(&id);
        }
        assert!(calls.calls.places.len() <= SLACK + 3);
        assert_eq!((calls.calls.len(), calls.held()), (1, held));
        assert_eq!(calls.close(&-1), Some((0, 'a')));
        assert!(calls.calls.places.is_empty() && !calls.is_indexed());
    }

    #[test]
    fn few_calls_take_no_memory_for_an_index() {
        let mut calls = Calls::default();
        let ids = 0..i64::try_from(MAX_SEARCHED).unwrap();
        ids.clone().for_each(|id| _ = calls.open(id, 'a'));
        assert_eq!(calls.calls.len(), MAX_SEARCHED);
        assert!(calls.by_key.is_none());
        calls.open(-1, 'b');
        assert_eq!(calls.by_key.as_ref().unwrap().len(), calls.calls.len());
        assert!(ids.chain([-1]).all(|id| calls.close(&id).is_some()));
        assert!(!calls.is_indexed());
        let mut calls = PendingCalls::<(Word, i64), ()>::default();
        calls.open((Word, 1), ());
        assert!(calls.is_indexed());
    }

    /// Key that is not compared in constant time.
    #[derive(Clone, Eq, Hash, PartialEq)]
    struct Word;

    impl CallKey for Word {}

    #[test]
    fn held_covers_the_memory_of_both_tables() {
        let mut calls = Calls::default();
        for count in 1..2_000 {
            calls.open(count, 'a');
            let places =
                calls.calls.places.capacity() * size_of::<(u64, Option<Keyed<i64, char>>)>();
            // The table has an eighth more entries than its capacity, and a byte for each.
            let room = calls.by_key.as_ref().map_or(0, |by_key| by_key.capacity());
            let entries = room * 8 / 7 * (size_of::<(i64, Tokens)>() + 1);
            assert!(count < 8 || calls.held() >= places + entries, "{count} calls");
        }
    }

    #[test]
    fn call_numbered_by_an_early_reply_keeps_the_order_of_tokens() {
        let mut calls = CallTable::default();
        for token in [3, 7, 9, 5] {
            calls.push(token, Keyed { key: token.cast_signed(), call: () });
        }
        assert!(calls.is_sound(10) && !calls.is_sound(9));
        let mut taken = |token| calls.take(token).map(|it| it.key);
        assert_eq!([6, 5, 3, 3].map(&mut taken), [None, Some(5), Some(3), None]);
        assert_eq!(calls.take_oldest().map(|(token, _)| token), Some(7));
        assert_eq!(calls.take_all().map(|it| it.key).collect::<Vec<_>>(), [9]);
        assert_eq!((calls.len(), calls.held()), (0, 0));
    }

    #[test]
    fn validate_rejects_tokens_that_cannot_be() {
        let mut calls = opened([(7, 'a'), (8, 'b'), (7, 'c')]);
        calls.close(&8);
        calls.answer_early(10);
        let saved = to_value(&calls).unwrap();
        let validated = |saved: Value| from_value::<Calls>(saved).unwrap().validate();
        assert_eq!(validated(saved.clone()), Some(4));
        for (path, value) in [
            ("/next_token", json!(u64::MAX)),
            ("/next_token", json!(3)),
            ("/calls/0/0", json!(2)),
            ("/calls/0/0", json!(3)),
            ("/calls/1/0", json!(4)),
            ("/calls/1/0", json!(u64::MAX)),
            ("/early/calls/0/0", json!(4)),
        ] {
            let mut forged = saved.clone();
            *forged.pointer_mut(path).unwrap() = value;
            assert_eq!(validated(forged), None, "{path}");
        }
        let too_many: Vec<_> =
            (0..=MAX_OPEN_CALLS).map(|at| json!([at, { "key": 1, "call": "a" }])).collect();
        let mut forged = saved;
        (forged["calls"], forged["next_token"]) = (json!(too_many), json!(1 << 20));
        assert_eq!(validated(forged), None);
    }

    #[derive(Clone, Debug)]
    enum Act {
        Open(i64),
        Close(i64),
        CloseAt(usize),
        Reload,
    }

    proptest! {
        #[test]
        fn pending_calls_are_those_of_a_plain_list(
            // Few calls are searched for, many are in an index.
            first in prop_oneof![Just(0), 0..2 * MAX_SEARCHED],
            acts in prop::collection::vec(
                prop_oneof![
                    4 => (0..6_i64).prop_map(Act::Open),
                    3 => (0..6_i64).prop_map(Act::Close),
                    1 => (0..9_usize).prop_map(Act::CloseAt),
                    1 => Just(Act::Reload),
                ],
                0..300,
            ),
        ) {
            let (mut calls, mut plain) = (Calls::default(), Vec::new());
            let opened = (0..first).map(|at| Act::Open(i64::try_from(at % 6).unwrap()));
            for act in opened.chain(acts) {
                match act {
                    Act::Open(key) => {
                        let call = ['a', 'b', 'c', 'd'][plain.len() % 4];
                        plain.push((calls.open(key, call), key, call));
                    }
                    Act::Close(key) => {
                        let at = plain.iter().position(|(_, known, _)| *known == key);
                        let expected = at.map(|at| plain.remove(at)).map(|(token, _, call)| (token, call));
                        prop_assert_eq!(calls.first(&key).map(|(token, call)| (token, *call)), expected);
                        prop_assert_eq!(calls.close(&key), expected);
                    }
                    Act::CloseAt(at) if at < plain.len() => {
                        let (token, _, call) = plain.remove(at);
                        prop_assert_eq!(calls.close_token(token), Some(call));
                        prop_assert_eq!(calls.close_token(token), None);
                    }
                    Act::CloseAt(_) => {}
                    Act::Reload => {
                        let held = calls.held();
                        calls = from_value(to_value(&calls).unwrap()).unwrap();
                        prop_assert_eq!(calls.held(), held);
                    }
                }
                prop_assert_eq!(calls.validate(), Some(calls.next_token()));
                let open: Vec<_> = calls.iter().collect();
                prop_assert_eq!(open, plain.iter().map(|(_, key, call)| (key, call)).collect::<Vec<_>>());
                for key in 0..6 {
                    let under: Vec<_> = calls.under(&key).map(|(token, _)| token).collect();
                    let of_key = plain.iter().filter(|(_, known, _)| *known == key);
                    prop_assert_eq!(under, of_key.map(|(token, ..)| *token).collect::<Vec<_>>());
                }
            }
        }
    }
}
