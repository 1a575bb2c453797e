//! Spare memory: what batches were made in, for the next ones.
//!
//! The first touch of a page from the system takes longer than to fill it, in a virtual machine many times.
//! So memory that a batch's last user lets go is kept: of the whole process at most [`MOST`] bytes, and what
//! was kept longest gives way.

use std::{any::Any, collections::VecDeque, mem, sync::Mutex};

/// Room for so many values: kept memory, if some fits.
#[must_use]
pub fn vec<T: Clone + Send + 'static>(capacity: usize) -> Vec<T> {
    take(capacity).unwrap_or_else(|| Vec::with_capacity(capacity))
}

/// Room for a text of so many bytes.
#[must_use]
pub fn string(capacity: usize) -> String {
    String::from_utf8(vec(capacity)).unwrap_or_default()
}

/// Makes room for `needed` more values.
#[inline]
pub fn reserve<T: Clone + Send + 'static>(values: &mut Vec<T>, needed: usize) {
    reserve_for(values, needed, needed);
}

/// Makes room for `needed` more values; where kept memory has it, for as many as are `expected`.
#[inline]
pub fn reserve_for<T: Clone + Send + 'static>(values: &mut Vec<T>, needed: usize, expected: usize) {
    if values.capacity() - values.len() < needed {
        grow(values, needed, expected);
    }
}

#[cold]
fn grow<T: Clone + Send + 'static>(values: &mut Vec<T>, needed: usize, expected: usize) {
    let least = values.len().saturating_add(needed).max(2 * values.capacity());
    let roomy = values.len().saturating_add(expected);
    let larger = if roomy > least { take(roomy).or_else(|| take(least)) } else { take(least) };
    let Some(mut larger) = larger else { return values.reserve(needed) };
    larger.extend_from_slice(values);
    keep(mem::replace(values, larger));
}

/// The values in no more than twice the memory that they need, to be held for who knows how long.
#[must_use]
pub fn fitting<T: Clone + Send + 'static>(values: Vec<T>) -> Vec<T> {
    if !is_kept(&values) || values.capacity() / 2 <= values.len() {
        return values;
    }
    let mut fitting = vec(values.len());
    fitting.extend_from_slice(&values);
    keep(values);
    fitting
}

/// Whether [`keep`] takes it: it is not too small, and not too large.
#[must_use]
pub fn is_kept<T>(values: &Vec<T>) -> bool {
    (LEAST..=LARGEST).contains(&size::<T>(values.capacity()))
}

/// Keeps memory that nobody uses any more, without what stands in it.
pub fn keep<T: Clone + Send + 'static>(values: Vec<T>) {
    if is_kept(&values) {
        // It is freed when the lock is.
        let mut gone = Vec::new();
        if let Ok(mut store) = STORE.try_lock() {
            store.keep(values, &mut gone);
        }
    }
}

fn take<T: Send + 'static>(capacity: usize) -> Option<Vec<T>> {
    if !(LEAST..=LARGEST).contains(&size::<T>(capacity)) {
        return None;
    }
    STORE.try_lock().ok()?.take(capacity)
}

const fn size<T>(count: usize) -> usize {
    count.saturating_mul(size_of::<T>())
}

/// Tried and never waited for: who holds it may be a thread that a fork left behind.
static STORE: Mutex<Store> = Mutex::new(Store { blocks: VecDeque::new(), bytes: 0 });

struct Store {
    /// What was kept longest is the first.
    blocks: VecDeque<Block>,
    /// Of all blocks.
    bytes: usize,
}

struct Block {
    bytes: usize,
    /// An empty `Vec`: of what, is part of how its memory goes back to the system.
    values: Box<dyn Any + Send>,
}

impl Store {
    fn keep<T: Send + 'static>(&mut self, mut values: Vec<T>, gone: &mut Vec<Block>) {
        values.clear();
        let bytes = size::<T>(values.capacity());
        while self.bytes + bytes > MOST
            && let Some(longest) = self.blocks.pop_front()
        {
            self.bytes -= longest.bytes;
            gone.push(longest);
        }
        self.bytes += bytes;
        self.blocks.push_back(Block { bytes, values: Box::new(values) });
    }

    /// The smallest that fits, and of these the one that was used last.
    fn take<T: Send + 'static>(&mut self, capacity: usize) -> Option<Vec<T>> {
        let least = size::<T>(capacity);
        let fits = least..=least.saturating_mul(ROOMIEST);
        let blocks = self.blocks.iter().enumerate().rev();
        let (index, _) = blocks
            .filter(|(_, it)| fits.contains(&it.bytes) && it.values.is::<Vec<T>>())
            .min_by_key(|(_, it)| it.bytes)?;
        let block = self.blocks.remove(index)?;
        self.bytes -= block.bytes;
        block.values.downcast().ok().map(|values| *values)
    }
}

/// Bytes that are kept of the whole process: a batch of a capture's calls, and the next. Ours.
pub const MOST: usize = 16 << 20;

/// Bytes of the smallest block that is kept: the system has smaller ones at hand. Ours.
const LEAST: usize = 32 << 10;

/// Bytes of the largest, so that one alone does not displace all others. Ours.
const LARGEST: usize = MOST / 2;

/// How many times as large as was asked for memory may be; what is handed out is [`fitting`]. Ours.
const ROOMIEST: usize = 8;

#[cfg(test)]
mod tests {
    use super::*;

    fn store() -> Store {
        Store { blocks: VecDeque::new(), bytes: 0 }
    }

    fn kept(store: &mut Store, values: Vec<impl Send + 'static>) -> Vec<usize> {
        let mut gone = Vec::new();
        store.keep(values, &mut gone);
        gone.iter().map(|block| block.bytes).collect()
    }

    #[test]
    fn no_more_than_the_most_is_kept_and_the_longest_kept_gives_way() {
        let mut store = store();
        for block in 0..8 {
            assert!(kept(&mut store, Vec::<u8>::with_capacity(MOST / 8 - block)).is_empty());
        }
        assert_eq!(kept(&mut store, Vec::<u8>::with_capacity(MOST / 4)), [MOST / 8, MOST / 8 - 1]);
        assert!(store.bytes <= MOST);
        assert_eq!(store.bytes, store.blocks.iter().map(|block| block.bytes).sum::<usize>());
    }

    #[test]
    fn memory_is_handed_out_to_one_at_a_time_and_empty() {
        let mut store = store();
        kept(&mut store, vec![7_u8; LEAST]);
        let taken = store.take::<u8>(LEAST).unwrap();
        assert_eq!((taken.len(), taken.capacity(), store.bytes), (0, LEAST, 0));
        assert_eq!(store.take::<u8>(LEAST), None);
    }

    #[test]
    fn memory_is_taken_that_fits() {
        let mut store = store();
        kept(&mut store, Vec::<u64>::with_capacity(2 * LEAST));
        for capacity in [LEAST, 2 * LEAST, 3 * LEAST] {
            kept(&mut store, Vec::<u8>::with_capacity(capacity));
        }
        assert_eq!(store.take::<i8>(LEAST), None);
        assert_eq!(store.take::<u8>(3 * LEAST + 1), None);
        assert_eq!(store.take::<u8>(3 * LEAST / ROOMIEST / 16), None);
        assert_eq!(store.take::<u8>(LEAST + 1).unwrap().capacity(), 2 * LEAST);
        assert_eq!(store.take::<u8>(LEAST + 1).unwrap().capacity(), 3 * LEAST);
        assert_eq!(store.take::<u8>(LEAST + 1), None);
    }

    #[test]
    fn values_stay_when_they_move_to_more_room_or_to_less() {
        for expected in [0, LEAST, LARGEST] {
            let mut values: Vec<u16> = (0..9999).collect();
            for needed in [0, 1, LEAST, 7 * LEAST] {
                reserve_for(&mut values, needed, expected);
                assert!(values.capacity() - values.len() >= needed);
                assert!(values.iter().copied().eq(0..9999));
            }
            let values = fitting(values);
            assert!(values.iter().copied().eq(0..9999));
            assert!(size::<u16>(values.capacity()) <= LEAST.max(ROOMIEST * size::<u16>(9999)));
        }
    }

    #[test]
    fn a_store_that_another_holds_is_not_waited_for() {
        let _held = STORE.lock();
        keep(Vec::<u8>::with_capacity(LEAST));
        assert_eq!(take::<u8>(LEAST), None);
        assert_eq!(vec::<u8>(LEAST).capacity(), LEAST);
    }

    #[test]
    fn what_is_too_small_or_too_large_is_not_kept() {
        let kept = [LEAST - 1, LEAST, LARGEST, LARGEST + 1].map(Vec::<u8>::with_capacity);
        assert_eq!(kept.each_ref().map(is_kept), [false, true, true, false]);
    }
}
