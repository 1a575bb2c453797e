//! Replacement of texts and bytes by redaction.

use std::{fmt, hash::Hasher};

use siphasher::sip::SipHasher24;

/// Replacement of values chosen by users: equal values have equal replacements, computed with a key without
/// which a value cannot be guessed from its replacement.
#[derive(Clone, Copy)]
pub struct Redaction {
    key: [u8; KEY_LEN],
}

impl Redaction {
    /// Creates a redaction with this key.
    #[must_use]
    pub fn new(key: [u8; KEY_LEN]) -> Self {
        Self { key }
    }

    /// Returns the replacement text of these bytes: their number and a keyed hash.
    pub(crate) fn replace(self, bytes: &[u8]) -> String {
        let mut hasher = SipHasher24::new_with_key(&self.key);
        hasher.write(bytes);
        format!("<{} bytes: {:016x}>", bytes.len(), hasher.finish())
    }
}

impl fmt::Debug for Redaction {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("Redaction")
    }
}

const KEY_LEN: usize = 16;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn same_goes_by_the_same_and_other_things_and_keys_by_others() {
        let (one, other) = (Redaction::new([7; KEY_LEN]), Redaction::new([8; KEY_LEN]));
        assert_eq!(one.replace(b"alice"), one.replace(b"alice"));
        assert!(one.replace(b"alice").starts_with("<5 bytes: "));
        assert_ne!(one.replace(b"alice"), one.replace(b"clara"));
        assert_ne!(one.replace(b"alice"), other.replace(b"alice"));
    }

    #[test]
    fn key_is_not_shown() {
        assert_eq!(format!("{:?}", Redaction::new([7; KEY_LEN])), "Redaction");
    }
}
