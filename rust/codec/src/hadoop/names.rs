//! Names of files that a server sends and a client joins to the path of a directory.

use crate::{
    Cursor,
    error::{DecodeErrorKind, Result},
    proto::{self, Raw},
};

/// Checks a name that is joined to a path; the empty name refers to the path itself.
///
/// # Errors
/// [`DecodeErrorKind::NotAName`] if it is `.` or `..`, or contains `/` or NUL: no file in HDFS has such a name.
#[inline]
pub fn check_name(name: &[u8], at: usize) -> Result<()> {
    if matches!(name, b"." | b"..") || has_slash_or_nul(name) {
        return Err(DecodeErrorKind::NotAName.at("name", at));
    }
    Ok(())
}

#[inline]
fn has_slash_or_nul(name: &[u8]) -> bool {
    const ONES: u64 = u64::MAX / 0xff;
    // Not 0 if one of eight bytes is 0. (`haszero` of Bit Twiddling Hacks)
    let zero = |word: u64| word.wrapping_sub(ONES) & !word & (ONES * 0x80);
    let found = |bytes: [u8; 8]| {
        let word = u64::from_ne_bytes(bytes);
        zero(word) | zero(word ^ (ONES * u64::from(b'/')))
    };
    let Some(last) = name.last_chunk() else {
        return name.iter().any(|byte| matches!(byte, b'/' | b'\0'));
    };
    // The last eight may be looked at twice.
    let (words, _) = name.as_chunks();
    words.iter().fold(found(*last), |any, word| any | found(*word)) != 0
}

/// Returns the name in an entry of a listing, its field `number`, without decoding the fields after it.
///
/// # Errors
/// As [`proto::field`].
#[inline]
pub fn entry_name(mut entry: Cursor<'_>, number: u32) -> Result<&[u8]> {
    while !entry.is_empty() {
        match proto::field(&mut entry)? {
            (found, Raw::Bytes(name, _), _) if found == number => return Ok(name),
            _ => {}
        }
    }
    Ok(b"")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn name_that_leads_elsewhere_is_refused() {
        for wrong in [&b"."[..], b"..", b"/", b"/abs", b"a/b", b"../../etc/passwd", b"a\0b", b"\0"]
        {
            let error = check_name(wrong, 7).unwrap_err();
            assert_eq!((error.problem, error.offset), (DecodeErrorKind::NotAName, 7));
        }
        for at in 0..20 {
            for byte in *b"/\0" {
                let mut name = [b'\x2e' + 0x80 * u8::from(at % 2 == 0); 20];
                name[at] = byte;
                check_name(&name, 0).unwrap_err();
                check_name(&name[..=at], 0).unwrap_err();
            }
        }
        check_name(&[0x01, 0x2e, 0x30, 0x80, 0xaf, 0xff, 0x2e, 0x30, 0x01], 0).unwrap();
        for right in [&b""[..], b"...", b".a", b"a..", b"a\\b", b"\xff\xfe", b" "] {
            check_name(right, 0).unwrap();
        }
    }

    #[test]
    fn name_is_found_among_other_fields() {
        let entry = b"\x08\x01\x12\x02ab\x18\x07";
        assert_eq!(entry_name(Cursor::new(entry), 2).unwrap(), b"ab");
        assert_eq!(entry_name(Cursor::new(b"\x18\x07\x12\x01c"), 2).unwrap(), b"c");
        assert_eq!(entry_name(Cursor::new(b"\x18\x07"), 2).unwrap(), b"");
        entry_name(Cursor::new(b"\x12\x05a"), 2).unwrap_err();
    }
}
