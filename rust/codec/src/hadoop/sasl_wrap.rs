//! SASL wraps, as far as they can be read without keys: for `DIGEST-MD5` (RFC 2831), `bytes, HMAC[10], 00 01,
//! number: i32`; in the tokens of Kerberos (RFC 4121), `05 04, flags, ff, checksum length: u16, rotation: u16,
//! number: i64, bytes, checksum`.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::{MESSAGE_LIMIT, resync};
use crate::{frame::LENGTH_LEN, message::Side};

/// Negotiated security layer, as far as it was captured.
#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize)]
pub(super) struct SaslContext {
    /// Whether the mechanism was DIGEST-MD5, and its quality of protection.
    digest: Option<Qop>,
}

/// Quality of protection of wrapped bytes.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub(super) enum Qop {
    /// Signed, not encrypted.
    Integrity,
    /// Encrypted.
    Privacy,
}

impl Qop {
    /// Name in `hadoop.rpc.protection`.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Integrity => "integrity",
            Self::Privacy => "privacy",
        }
    }
}

impl SaslContext {
    /// Records a token of the client's mechanism.
    pub(super) fn hear(&mut self, token: &[u8]) {
        let says = |words: &[u8]| token.windows(words.len()).any(|window| window == words);
        // Other mechanisms state it in their wrapped messages. Longer tokens contain no response of DIGEST-MD5.
        if token.len() > RESPONSE_LIMIT {
            return;
        }
        if says(b"qop=auth-int") || says(b"qop=\"auth-int\"") {
            self.digest = Some(Qop::Integrity);
        } else if says(b"qop=auth-conf") || says(b"qop=\"auth-conf\"") {
            self.digest = Some(Qop::Privacy);
        }
    }

    /// Returns the protection of a wrap of `side`, if it is known, and the range of its readable bytes.
    pub(super) fn open(self, token: &[u8], side: Side) -> (Option<Qop>, Option<Range<usize>>) {
        let trailer = token.len().checked_sub(TRAILER_LEN);
        match (self.digest, trailer) {
            (None, _) if token.starts_with(KERBEROS) => of_kerberos(token),
            (Some(Qop::Integrity), Some(end)) => (Some(Qop::Integrity), Some(0..end)),
            // The negotiation was not seen.
            (None, Some(end)) if token[end + HMAC_LEN..].starts_with(FORMAT) => {
                if begins_frame(&token[..end], side) {
                    (Some(Qop::Integrity), Some(0..end))
                } else {
                    (None, None)
                }
            }
            (quality, _) => (quality, None),
        }
    }
}

fn of_kerberos(token: &[u8]) -> (Option<Qop>, Option<Range<usize>>) {
    let Some((&[_, _, flags, _, checksum0, checksum1, rotation0, rotation1], rest)) =
        token.split_first_chunk()
    else {
        return (None, None);
    };
    if flags & SEALED != 0 {
        return (Some(Qop::Privacy), None);
    }
    let checksum = usize::from(u16::from_be_bytes([checksum0, checksum1]));
    // After a rotation to the right, the end of the checksum precedes the bytes; a longer one splits them.
    let rotation = usize::from(u16::from_be_bytes([rotation0, rotation1]));
    let inside = rest.len().checked_sub(NUMBER_LEN + checksum).filter(|_| rotation <= checksum);
    let start = token.len() - rest.len() + NUMBER_LEN + rotation;
    (Some(Qop::Integrity), inside.map(|len| start..start + len))
}

/// Whether the bytes can begin a frame of `side`.
fn begins_frame(bytes: &[u8], side: Side) -> bool {
    let Some((length, body)) = bytes.split_first_chunk::<LENGTH_LEN>() else { return false };
    let len = usize::try_from(i32::from_be_bytes(*length)).unwrap_or(usize::MAX);
    (1..=MESSAGE_LIMIT).contains(&len) && resync::writer_of(body) == side
}

/// Maximum number of bytes of a response of DIGEST-MD5: RFC 2831, section 2.1.2.
const RESPONSE_LIMIT: usize = 4096;
const HMAC_LEN: usize = 10;
/// Version after the HMAC of DIGEST-MD5.
const FORMAT: &[u8] = &[0, 1];
const TRAILER_LEN: usize = HMAC_LEN + 2 + 4;
/// `TOK_ID` of a wrap.
const KERBEROS: &[u8] = &[5, 4];
/// Flag of encrypted bytes.
const SEALED: u8 = 2;
const NUMBER_LEN: usize = 8;

#[cfg(test)]
mod tests {
    use super::*;

    fn digest(words: &[u8]) -> SaslContext {
        let mut agreement = SaslContext::default();
        agreement.hear(words);
        agreement
    }

    #[test]
    fn digest_md5_wrap_ends_sixteen_bytes_before_the_end() {
        let token = b"bytes, then the HMAC\0\x01\0\0\0\0";
        let sealed = Some(Qop::Integrity);
        let of = |words| digest(words).open(token, Side::Client);
        assert_eq!(of(b"..,qop=auth-int"), (sealed, Some(0..10)));
        assert_eq!(of(b"..,qop=\"auth-conf\",cipher=rc4"), (Some(Qop::Privacy), None));
        // Not seen, and no frame.
        assert_eq!(of(b""), (None, None));
        assert_eq!(digest(b"qop=auth-int").open(b"short", Side::Client), (sealed, None));
    }

    #[test]
    fn kerberos_wrap_surrounds_its_checksum() {
        let token = |flags, checksum, rotation, rest: &[u8]| {
            let head = [5, 4, flags, 0xff, 0, checksum, 0, rotation, 0, 0, 0, 0, 0, 0, 0, 7];
            SaslContext::default().open(&[&head, rest].concat(), Side::Server)
        };
        let sealed = Some(Qop::Integrity);
        assert_eq!(token(1, 3, 0, b"abcdeSUM"), (sealed, Some(16..21)));
        assert_eq!(token(1, 3, 3, b"SUMabcde"), (sealed, Some(19..24)));
        assert_eq!(token(1, 3, 1, b"MabcdeSU"), (sealed, Some(17..22)));
        assert_eq!(token(1, 3, 4, b"eSUMabcd"), (sealed, None));
        assert_eq!(token(1, 9, 0, b"abcdeSUM"), (sealed, None));
        assert_eq!(token(3, 0, 0, b"in cipher"), (Some(Qop::Privacy), None));
        assert_eq!(SaslContext::default().open(b"\x05\x04", Side::Client), (None, None));
    }
}
