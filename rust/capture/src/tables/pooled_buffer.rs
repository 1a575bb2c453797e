//! Arrow buffers whose memory returns to the pool when their last user drops them.

use std::mem;

use arrow_buffer::{ArrowNativeType, Buffer, ToByteSlice as _};
use bytes::Bytes;
use jvmwire_codec::buffer_pool;

/// Creates an Arrow buffer of these values, whose memory returns to the pool when its last user drops it.
#[must_use]
pub fn lent<T: ArrowNativeType>(values: Vec<T>) -> Buffer {
    let values = buffer_pool::shrink(values);
    if buffer_pool::is_poolable(&values) {
        Bytes::from_owner(PooledBuffer(values)).into()
    } else {
        values.into()
    }
}

struct PooledBuffer<T: ArrowNativeType>(Vec<T>);

impl<T: ArrowNativeType> AsRef<[u8]> for PooledBuffer<T> {
    fn as_ref(&self) -> &[u8] {
        self.0[..].to_byte_slice()
    }
}

impl<T: ArrowNativeType> Drop for PooledBuffer<T> {
    fn drop(&mut self) {
        buffer_pool::recycle(mem::take(&mut self.0));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn held_buffers_stay_while_more_are_handed_out() {
        let mut held = Vec::new();
        for number in 0..200_u32 {
            let buffer = lent(vec![number; 10_000 + number as usize]);
            held.push((number, buffer.clone()));
            if number % 3 == 0 {
                held.swap_remove(number as usize % held.len());
            }
            let mut other = buffer_pool::take_vec(9_000);
            other.resize(10_000, u32::MAX);
            buffer_pool::recycle(other);
        }
        assert!(held.len() > 100);
        for (number, buffer) in held {
            let values = buffer.typed_data::<u32>();
            assert_eq!(values.len(), 10_000 + number as usize);
            assert!(values.iter().all(|value| *value == number));
        }
    }

    #[test]
    fn last_owner_returns_the_memory_on_any_thread() {
        const COUNT: usize = 123_457;
        let mut came_back = false;
        // Another test's thread may be at the store at the same time: then memory goes to the system, or
        // stays there until a later round.
        for round in 1..=100 {
            // The capacity identifies this memory.
            let capacity = COUNT + round;
            let mut values = Vec::with_capacity(capacity);
            values.resize(COUNT, 1_u64);
            let place = values.as_ptr();
            let buffer = lent(values);
            assert_eq!(buffer.as_ptr(), place.cast());
            let slice = buffer.slice(8);
            drop(buffer);
            assert_ne!(buffer_pool::take_vec::<u64>(COUNT).capacity(), capacity);
            std::thread::spawn(move || drop(slice)).join().unwrap();
            came_back |= buffer_pool::take_vec::<u64>(COUNT).capacity() == capacity;
        }
        assert!(came_back);
    }

    #[test]
    fn few_values_in_a_large_buffer_are_copied_to_a_small_one() {
        let mut values = Vec::with_capacity(1 << 20);
        values.extend(0..1000_i64);
        let buffer = lent(values);
        assert_eq!(buffer.typed_data::<i64>(), (0..1000).collect::<Vec<_>>());
        assert!(buffer.capacity() < 1 << 16);
    }
}
