//! LRU table of connections, looked up by the addresses of both ends.

use std::collections::HashMap;
use std::hash::{Hash, Hasher};
use std::net::SocketAddr;

use ahash::RandomState;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// Addresses of both ends of a connection, the same for both directions, with the number of the virtual
/// network.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, Serialize)]
pub(crate) struct AddressPair(SocketAddr, SocketAddr, u32);

impl AddressPair {
    pub(crate) fn new(a: SocketAddr, b: SocketAddr, network: u32) -> Self {
        if a <= b { Self(a, b, network) } else { Self(b, a, network) }
    }

    /// Whether the pair has these ends, in any order.
    #[inline]
    fn is_of(&self, a: &SocketAddr, b: &SocketAddr, network: u32) -> bool {
        let Self(low, high, known) = self;
        let is_either =
            (is_same(low, a) && is_same(high, b)) || (is_same(low, b) && is_same(high, a));
        is_either && *known == network
    }
}

/// Compares the ports first, in which connections differ most.
#[inline]
fn is_same(one: &SocketAddr, other: &SocketAddr) -> bool {
    match (one, other) {
        (SocketAddr::V4(one), SocketAddr::V4(other)) => {
            one.port() == other.port() && one.ip().to_bits() == other.ip().to_bits()
        }
        (SocketAddr::V6(one), SocketAddr::V6(other)) => one == other,
        _ => false,
    }
}

impl Hash for AddressPair {
    /// Hashes whole words instead of fields.
    fn hash<H: Hasher>(&self, state: &mut H) {
        if self.2 != 0 {
            state.write_u32(self.2);
        }
        for end in [&self.0, &self.1] {
            match end {
                SocketAddr::V4(v4) => {
                    state.write_u64(u64::from(v4.ip().to_bits()) << 16 | u64::from(v4.port()));
                }
                SocketAddr::V6(v6) => {
                    state.write_u128(v6.ip().to_bits());
                    state.write_u16(v6.port());
                }
            }
        }
    }
}

/// States of connections, identified by a number that is valid until the connection is removed. Each entry is
/// in one of two lists, and moves in constant time.
#[derive(Debug)]
pub(crate) struct LruTable<T> {
    numbers: HashMap<AddressPair, u32, RandomState>,
    slots: Vec<Slot<T>>,
    free: Vec<u32>,
    lists: [List; 2],
}

/// List of an entry.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub(crate) enum EntryState {
    /// Open connections, the longest idle first.
    Open,
    /// Ended connections, in the order of their ends.
    Ended,
}

#[derive(Debug)]
struct Slot<T> {
    pair: AddressPair,
    standing: EntryState,
    before: Option<u32>,
    behind: Option<u32>,
    /// State of the connection; `None` if the slot is free.
    known: Option<T>,
}

#[derive(Clone, Copy, Debug, Default)]
struct List {
    first: Option<u32>,
    last: Option<u32>,
}

impl<T> Default for LruTable<T> {
    fn default() -> Self {
        Self {
            numbers: HashMap::default(),
            slots: Vec::new(),
            free: Vec::new(),
            lists: Default::default(),
        }
    }
}

impl<T> LruTable<T> {
    pub(crate) fn len(&self) -> usize {
        self.numbers.len()
    }

    /// Returns the number of a connection by its ends and its virtual network.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "most packets are of the latest connection")]
    pub(crate) fn number(&self, a: &SocketAddr, b: &SocketAddr, network: u32) -> Option<u32> {
        // One connection's packets often come in a row.
        if let Some(latest) = self.lists[EntryState::Open as usize].last
            && self.slots[latest as usize].pair.is_of(a, b, network)
        {
            return Some(latest);
        }
        self.search(a, b, network)
    }

    #[inline(never)]
    fn search(&self, a: &SocketAddr, b: &SocketAddr, network: u32) -> Option<u32> {
        self.numbers.get(&AddressPair::new(*a, *b, network)).copied()
    }

    pub(crate) fn get(&self, number: u32) -> Option<&T> {
        self.slots.get(number as usize)?.known.as_ref()
    }

    pub(crate) fn get_mut(&mut self, number: u32) -> Option<&mut T> {
        self.slots.get_mut(number as usize)?.known.as_mut()
    }

    /// Adds a connection, which must be new, at the end of a list.
    pub(crate) fn insert(&mut self, pair: AddressPair, standing: EntryState, known: T) -> u32 {
        let slot = Slot { pair, standing, before: None, behind: None, known: Some(known) };
        let number = if let Some(number) = self.free.pop() {
            self.slots[number as usize] = slot;
            number
        } else {
            self.slots.push(slot);
            // As many connections as a u32 counts do not fit into memory.
            u32::try_from(self.slots.len() - 1).unwrap_or(u32::MAX)
        };
        self.numbers.insert(pair, number);
        self.append(number, standing);
        number
    }

    /// Moves a connection to the end of a list.
    #[inline]
    pub(crate) fn put_last(&mut self, number: u32, standing: EntryState) {
        // One connection's packets often come in a row.
        if self.lists[standing as usize].last != Some(number) {
            self.move_last(number, standing);
        }
    }

    #[inline(never)]
    fn move_last(&mut self, number: u32, standing: EntryState) {
        self.unlink(number);
        self.append(number, standing);
    }

    pub(crate) fn remove(&mut self, number: u32) -> Option<T> {
        let known = self.slots.get_mut(number as usize)?.known.take()?;
        self.unlink(number);
        self.numbers.remove(&self.slots[number as usize].pair);
        self.free.push(number);
        Some(known)
    }

    /// Removes every connection.
    pub(crate) fn drain(&mut self) -> Vec<T> {
        let slots = std::mem::take(self).slots;
        slots.into_iter().filter_map(|slot| slot.known).collect()
    }

    pub(crate) fn first(&self, standing: EntryState) -> Option<u32> {
        self.lists[standing as usize].first
    }

    /// Iterates over the connections of a list, in order.
    pub(crate) fn list(&self, standing: EntryState) -> impl Iterator<Item = (u32, &T)> {
        let behind = |number: &u32| self.slots[*number as usize].behind;
        std::iter::successors(self.first(standing), behind)
            .filter_map(|number| Some((number, self.get(number)?)))
    }

    pub(crate) fn all_mut(&mut self) -> impl Iterator<Item = (&AddressPair, EntryState, &mut T)> {
        self.slots
            .iter_mut()
            .filter_map(|slot| Some((&slot.pair, slot.standing, slot.known.as_mut()?)))
    }

    pub(crate) fn values_mut(&mut self) -> impl Iterator<Item = &mut T> {
        self.slots.iter_mut().filter_map(|slot| slot.known.as_mut())
    }

    fn append(&mut self, number: u32, standing: EntryState) {
        let list = &mut self.lists[standing as usize];
        let before = list.last.replace(number);
        list.first.get_or_insert(number);
        if let Some(before) = before {
            self.slots[before as usize].behind = Some(number);
        }
        let slot = &mut self.slots[number as usize];
        (slot.standing, slot.before, slot.behind) = (standing, before, None);
    }

    fn unlink(&mut self, number: u32) {
        let Slot { standing, before, behind, .. } = self.slots[number as usize];
        let list = &mut self.lists[standing as usize];
        match before {
            Some(before) => self.slots[before as usize].behind = behind,
            None => list.first = behind,
        }
        match behind {
            Some(behind) => self.slots[behind as usize].before = before,
            None => self.lists[standing as usize].last = before,
        }
    }
}

impl<T: Serialize> Serialize for LruTable<T> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let in_order = |standing| {
            self.list(standing)
                .map(move |(number, known)| (self.slots[number as usize].pair, standing, known))
        };
        let all: Vec<_> = in_order(EntryState::Ended).chain(in_order(EntryState::Open)).collect();
        all.serialize(to)
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for LruTable<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let mut roster = Self::default();
        for (pair, standing, known) in Vec::<(AddressPair, EntryState, T)>::deserialize(from)? {
            if roster.number(&pair.0, &pair.1, pair.2).is_some() {
                return Err(de::Error::custom("a connection stands there twice"));
            }
            roster.insert(pair, standing, known);
        }
        Ok(roster)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::VecDeque;

    use proptest::prelude::*;

    use super::*;

    fn number_of<T>(roster: &LruTable<T>, AddressPair(a, b, network): AddressPair) -> Option<u32> {
        let number = roster.number(&a, &b, network);
        assert_eq!(number, roster.number(&b, &a, network));
        number
    }

    fn tuple(port: u16) -> AddressPair {
        AddressPair::new(([10, 0, 0, 1], port).into(), ([10, 0, 0, 2], 8020).into(), 0)
    }

    fn listed(roster: &LruTable<u16>, standing: EntryState) -> Vec<u16> {
        roster.list(standing).map(|(_, port)| *port).collect()
    }

    #[test]
    fn both_directions_are_of_one_connection() {
        let (a, b) = (([10, 0, 0, 1], 1).into(), ([10, 0, 0, 2], 2).into());
        assert_eq!(AddressPair::new(a, b, 7), AddressPair::new(b, a, 7));
        assert_ne!(AddressPair::new(a, b, 7), AddressPair::new(a, b, 8));
    }

    proptest! {
        #[test]
        fn lists_are_as_two_queues_would_be(steps in prop::collection::vec((0..4_u8, 0..6_u16), 0..60)) {
            let mut roster = LruTable::default();
            let mut queues = [VecDeque::new(), VecDeque::new()];
            for (step, port) in steps {
                let number = number_of(&roster, tuple(port));
                let was = queues.iter().any(|queue| queue.contains(&port));
                prop_assert_eq!(number.is_some(), was);
                for queue in &mut queues {
                    queue.retain(|it| *it != port);
                }
                let standing = if step == 1 { EntryState::Ended } else { EntryState::Open };
                match number {
                    Some(number) if step == 0 => prop_assert_eq!(roster.remove(number), Some(port)),
                    Some(number) => roster.put_last(number, standing),
                    None if step == 0 => {}
                    None => {
                        roster.insert(tuple(port), standing, port);
                    }
                }
                if step > 0 {
                    queues[standing as usize].push_back(port);
                }
                let bytes = postcard::to_stdvec(&roster).unwrap();
                let loaded: LruTable<u16> = postcard::from_bytes(&bytes).unwrap();
                for roster in [&roster, &loaded] {
                    for standing in [EntryState::Open, EntryState::Ended] {
                        let queue = Vec::from(queues[standing as usize].clone());
                        prop_assert_eq!(listed(roster, standing), queue);
                    }
                    prop_assert_eq!(roster.len(), queues[0].len() + queues[1].len());
                }
            }
        }
    }
}
