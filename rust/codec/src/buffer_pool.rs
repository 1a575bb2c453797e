//! Process-wide pool of large allocations for batches.
//!
//! The first access to a page from the operating system takes longer than filling it, in a virtual machine many
//! times longer. The pool therefore keeps the memory that a batch's last user releases: at most
//! [`MAX_POOL_BYTES`] bytes in the whole process. The blocks that were kept longest are evicted first.

use std::{any::Any, collections::VecDeque, mem, sync::Mutex};

/// Allocates memory for `capacity` values, from the pool if a block fits.
#[must_use]
pub fn take_vec<T: Clone + Send + 'static>(capacity: usize) -> Vec<T> {
    take(capacity).unwrap_or_else(|| Vec::with_capacity(capacity))
}

/// Allocates memory for a text of `capacity` bytes, from the pool if a block fits.
#[must_use]
pub fn take_string(capacity: usize) -> String {
    String::from_utf8(take_vec(capacity)).unwrap_or_default()
}

/// Reserves memory for `needed` more values.
#[inline]
pub fn reserve<T: Clone + Send + 'static>(values: &mut Vec<T>, needed: usize) {
    reserve_for(values, needed, needed);
}

/// Reserves memory for `needed` more values; if a pooled block is large enough, for as many as are `expected`.
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
    recycle(mem::replace(values, larger));
}

/// Returns the values in at most twice the memory that they need, for values that are kept for an unknown time.
#[must_use]
pub fn shrink<T: Clone + Send + 'static>(values: Vec<T>) -> Vec<T> {
    if !is_poolable(&values) || values.capacity() / 2 <= values.len() {
        return values;
    }
    let mut fitting = take_vec(values.len());
    fitting.extend_from_slice(&values);
    recycle(values);
    fitting
}

/// Whether [`recycle`] keeps this memory: it is neither too small nor too large.
#[must_use]
pub fn is_poolable<T>(values: &Vec<T>) -> bool {
    (MIN_BLOCK..=MAX_BLOCK).contains(&size::<T>(values.capacity()))
}

/// Returns unused memory to the pool, without its contents.
pub fn recycle<T: Clone + Send + 'static>(values: Vec<T>) {
    if is_poolable(&values) {
        // It is freed when the lock is.
        let mut gone = Vec::new();
        if let Ok(mut store) = STORE.try_lock() {
            store.recycle(values, &mut gone);
        }
    }
}

fn take<T: Send + 'static>(capacity: usize) -> Option<Vec<T>> {
    if !(MIN_BLOCK..=MAX_BLOCK).contains(&size::<T>(capacity)) {
        return None;
    }
    STORE.try_lock().ok()?.take(capacity)
}

const fn size<T>(count: usize) -> usize {
    count.saturating_mul(size_of::<T>())
}

/// Pool of the process. It is locked with `try_lock` only: a fork can leave it locked by a thread that no
/// longer exists.
static STORE: Mutex<Store> = Mutex::new(Store { blocks: VecDeque::new(), bytes: 0 });

struct Store {
    /// Blocks in the order in which they were returned; the oldest is first.
    blocks: VecDeque<Block>,
    /// Number of bytes of all blocks.
    bytes: usize,
}

struct Block {
    bytes: usize,
    /// An empty `Vec` of the original element type, which determines the layout with which its memory is freed.
    values: Box<dyn Any + Send>,
}

impl Store {
    fn recycle<T: Send + 'static>(&mut self, mut values: Vec<T>, gone: &mut Vec<Block>) {
        values.clear();
        let bytes = size::<T>(values.capacity());
        while self.bytes + bytes > MAX_POOL_BYTES
            && let Some(longest) = self.blocks.pop_front()
        {
            self.bytes -= longest.bytes;
            gone.push(longest);
        }
        self.bytes += bytes;
        self.blocks.push_back(Block { bytes, values: Box::new(values) });
    }

    /// Takes the smallest block that fits; of equal ones, the one used last.
    fn take<T: Send + 'static>(&mut self, capacity: usize) -> Option<Vec<T>> {
        let least = size::<T>(capacity);
        let fits = least..=least.saturating_mul(MAX_SLACK);
        let blocks = self.blocks.iter().enumerate().rev();
        let (index, _) = blocks
            .filter(|(_, it)| fits.contains(&it.bytes) && it.values.is::<Vec<T>>())
            .min_by_key(|(_, it)| it.bytes)?;
        let block = self.blocks.remove(index)?;
        self.bytes -= block.bytes;
        block.values.downcast().ok().map(|values| *values)
    }
}

/// Maximum number of bytes that the pool keeps in the whole process (chosen by jvmwire): one batch of a
/// capture's calls, and the next.
pub const MAX_POOL_BYTES: usize = 16 << 20;

/// Minimum number of bytes of a pooled block (chosen by jvmwire): the allocator caches smaller ones.
const MIN_BLOCK: usize = 32 << 10;

/// Maximum number of bytes of a pooled block (chosen by jvmwire): one block must not evict all others.
const MAX_BLOCK: usize = MAX_POOL_BYTES / 2;

/// Maximum ratio of the allocated size to the requested size; see [`fitting`]. (Chosen by jvmwire.)
const MAX_SLACK: usize = 8;

#[cfg(test)]
mod tests {
    use super::*;

    fn store() -> Store {
        Store { blocks: VecDeque::new(), bytes: 0 }
    }

    fn kept(store: &mut Store, values: Vec<impl Send + 'static>) -> Vec<usize> {
        let mut gone = Vec::new();
        store.recycle(values, &mut gone);
        gone.iter().map(|block| block.bytes).collect()
    }

    #[test]
    fn no_more_than_the_most_is_kept_and_the_longest_kept_gives_way() {
        let mut store = store();
        for block in 0..8 {
            assert!(
                kept(&mut store, Vec::<u8>::with_capacity(MAX_POOL_BYTES / 8 - block)).is_empty()
            );
        }
        assert_eq!(
            kept(&mut store, Vec::<u8>::with_capacity(MAX_POOL_BYTES / 4)),
            [MAX_POOL_BYTES / 8, MAX_POOL_BYTES / 8 - 1]
        );
        assert!(store.bytes <= MAX_POOL_BYTES);
        assert_eq!(store.bytes, store.blocks.iter().map(|block| block.bytes).sum::<usize>());
    }

    #[test]
    fn memory_is_handed_out_to_one_at_a_time_and_empty() {
        let mut store = store();
        kept(&mut store, vec![7_u8; MIN_BLOCK]);
        let taken = store.take::<u8>(MIN_BLOCK).unwrap();
        assert_eq!((taken.len(), taken.capacity(), store.bytes), (0, MIN_BLOCK, 0));
        assert_eq!(store.take::<u8>(MIN_BLOCK), None);
    }

    #[test]
    fn memory_is_taken_that_fits() {
        let mut store = store();
        kept(&mut store, Vec::<u64>::with_capacity(2 * MIN_BLOCK));
        for capacity in [MIN_BLOCK, 2 * MIN_BLOCK, 3 * MIN_BLOCK] {
            kept(&mut store, Vec::<u8>::with_capacity(capacity));
        }
        assert_eq!(store.take::<i8>(MIN_BLOCK), None);
        assert_eq!(store.take::<u8>(3 * MIN_BLOCK + 1), None);
        assert_eq!(store.take::<u8>(3 * MIN_BLOCK / MAX_SLACK / 16), None);
        assert_eq!(store.take::<u8>(MIN_BLOCK + 1).unwrap().capacity(), 2 * MIN_BLOCK);
        assert_eq!(store.take::<u8>(MIN_BLOCK + 1).unwrap().capacity(), 3 * MIN_BLOCK);
        assert_eq!(store.take::<u8>(MIN_BLOCK + 1), None);
    }

    #[test]
    fn values_stay_when_they_move_to_more_room_or_to_less() {
        for expected in [0, MIN_BLOCK, MAX_BLOCK] {
            let mut values: Vec<u16> = (0..9999).collect();
            for needed in [0, 1, MIN_BLOCK, 7 * MIN_BLOCK] {
                reserve_for(&mut values, needed, expected);
                assert!(values.capacity() - values.len() >= needed);
                assert!(values.iter().copied().eq(0..9999));
            }
            let values = shrink(values);
            assert!(values.iter().copied().eq(0..9999));
            assert!(size::<u16>(values.capacity()) <= MIN_BLOCK.max(MAX_SLACK * size::<u16>(9999)));
        }
    }

    #[test]
    fn store_that_another_holds_is_not_waited_for() {
        let _held = STORE.lock();
        recycle(Vec::<u8>::with_capacity(MIN_BLOCK));
        assert_eq!(take::<u8>(MIN_BLOCK), None);
        assert_eq!(take_vec::<u8>(MIN_BLOCK).capacity(), MIN_BLOCK);
    }

    #[test]
    fn pool_keeps_no_small_or_large_blocks() {
        let kept =
            [MIN_BLOCK - 1, MIN_BLOCK, MAX_BLOCK, MAX_BLOCK + 1].map(Vec::<u8>::with_capacity);
        assert_eq!(kept.each_ref().map(is_poolable), [false, true, true, false]);
    }
}
