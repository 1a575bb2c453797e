//! Bytes of one direction that wait for the rest of their message.

use jvmwire_codec::buffer_pool;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Buffer that grows at the end and is consumed at the start: at most one byte is moved per consumed byte.
#[derive(Debug, Default)]
pub(crate) struct Carry {
    bytes: Vec<u8>,
    /// Number of consumed bytes at the start.
    used: usize,
}

impl Carry {
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes[self.used..]
    }

    pub(crate) fn len(&self) -> usize {
        self.bytes.len() - self.used
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub(crate) fn extend(&mut self, bytes: &[u8]) {
        buffer_pool::reserve(&mut self.bytes, bytes.len());
        self.bytes.extend_from_slice(bytes);
    }

    pub(crate) fn drop_front(&mut self, len: usize) {
        self.used += len;
        if self.used >= self.len() {
            // Each of many streams may have had one long message.
            if self.bytes.capacity() > KEPT_ROOM.max(2 * self.len()) {
                self.move_to_less_room();
            } else {
                self.bytes.drain(..self.used);
            }
            self.used = 0;
        }
    }

    /// Returns the memory to the pool, for the next long message of any stream. If it were shrunk in place, the
    /// allocator would return its pages to the operating system, and each long message would wait for new ones.
    #[cold]
    fn move_to_less_room(&mut self) {
        let mut fitting = Vec::with_capacity(KEPT_ROOM.max(self.len()));
        fitting.extend_from_slice(self.bytes());
        buffer_pool::recycle(std::mem::replace(&mut self.bytes, fitting));
    }
}

/// Capacity that an empty buffer keeps, in bytes (chosen by jvmwire): most messages fit.
const KEPT_ROOM: usize = 16 << 10;

impl Serialize for Carry {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serde_bytes::serialize(self.bytes(), serializer)
    }
}

impl<'de> Deserialize<'de> for Carry {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Self { bytes: serde_bytes::deserialize(deserializer)?, used: 0 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn consumed_bytes_are_neither_shown_nor_saved() {
        let mut carry = Carry::default();
        carry.extend(b"abcdefgh");
        carry.drop_front(3);
        carry.extend(b"ij");
        assert_eq!((carry.bytes(), carry.len()), (&b"defghij"[..], 7));
        let saved = postcard::to_stdvec(&carry).unwrap();
        let loaded: Carry = postcard::from_bytes(&saved).unwrap();
        assert_eq!(loaded.bytes(), carry.bytes());
        carry.drop_front(7);
        assert!(carry.is_empty());
        assert_eq!(carry.bytes.len(), 0);
    }

    #[test]
    fn room_of_a_long_message_is_given_back() {
        let mut carry = Carry::default();
        carry.extend(&vec![7; 1 << 20]);
        carry.drop_front((1 << 20) - 3);
        assert_eq!((carry.bytes(), carry.bytes.capacity()), (&[7; 3][..], KEPT_ROOM));
    }
}
