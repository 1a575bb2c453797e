//! Java's ways to write text as bytes, each by its name. They differ in NUL, in supplementary
//! characters, and in what the length before them counts.

use std::borrow::Cow;

use crate::{Problem, TooLong};

/// How one UTF-16 unit becomes bytes.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Encoding {
    /// `DataOutput.writeUTF`: U+0000 is C0 80, supplementary characters are two surrogates of three
    /// bytes each.
    ModifiedUtf8,
    /// `org.apache.hadoop.io.UTF8`: the same, but U+0000 is one zero byte.
    HadoopUtf8,
}

impl Encoding {
    fn name(self) -> &'static str {
        match self {
            Self::ModifiedUtf8 => "modified UTF-8",
            Self::HadoopUtf8 => "Hadoop's UTF8",
        }
    }
}

/// Text as Java holds it: with or without lone surrogates.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum JavaText<'a> {
    /// Text that Unicode allows.
    Str(Cow<'a, str>),
    /// UTF-16 with a surrogate that stands alone.
    Units(Vec<u16>),
}

/// Decodes text, or names the first byte that is not in `encoding`.
///
/// As `DataInputStream.readUTF`, takes a raw NUL, overlong forms and lone surrogates.
///
/// # Errors
/// [`Problem::NotText`].
pub fn decode(bytes: &[u8], encoding: Encoding) -> Result<JavaText<'_>, Problem> {
    if bytes.is_ascii() {
        // ASCII is UTF-8: nothing can be lost here.
        return Ok(JavaText::Str(String::from_utf8_lossy(bytes)));
    }
    let units = units(bytes, encoding)?;
    match String::from_utf16(&units) {
        Ok(text) => Ok(JavaText::Str(Cow::Owned(text))),
        Err(_) => Ok(JavaText::Units(units)),
    }
}

/// Decodes text that Unicode allows; a lone surrogate is an error that says where it begins.
///
/// # Errors
/// [`Problem::NotText`], [`Problem::LoneSurrogate`].
pub fn decode_strict(bytes: &[u8], encoding: Encoding) -> Result<Cow<'_, str>, Problem> {
    match decode(bytes, encoding)? {
        JavaText::Str(text) => Ok(text),
        JavaText::Units(units) => {
            let good: usize = char::decode_utf16(units.iter().copied())
                .map_while(Result::ok)
                .map(char::len_utf16)
                .sum();
            Err(Problem::LoneSurrogate { at: byte_of_unit(bytes, good) })
        }
    }
}

fn byte_of_unit(bytes: &[u8], unit: usize) -> usize {
    // Every byte but a continuation begins a unit.
    let mut starts = bytes.iter().enumerate().filter(|(_, byte)| **byte & 0xc0 != 0x80);
    starts.nth(unit).map_or(bytes.len(), |(at, _)| at)
}

fn units(bytes: &[u8], encoding: Encoding) -> Result<Vec<u16>, Problem> {
    let mut units = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(&first) = bytes.get(at) {
        let continued = |i: usize| {
            bytes
                .get(at + i)
                .filter(|byte| **byte & 0xc0 == 0x80)
                .map(|byte| u16::from(byte & 0x3f))
        };
        let unit = match first {
            0x00..=0x7f => Some((u16::from(first), 1)),
            0xc0..=0xdf => continued(1).map(|low| (u16::from(first & 0x1f) << 6 | low, 2)),
            0xe0..=0xef => continued(1)
                .zip(continued(2))
                .map(|(mid, low)| (u16::from(first & 0x0f) << 12 | mid << 6 | low, 3)),
            _ => None,
        };
        let Some((unit, len)) = unit else {
            return Err(Problem::NotText { at, encoding: encoding.name() });
        };
        units.push(unit);
        at += len;
    }
    Ok(units)
}

/// Appends `text` in `encoding`, behind its length in bytes as a big-endian `u16`.
///
/// # Errors
/// [`TooLong`] if it takes more than 65,535 bytes. Java's `UTF8` cuts such text silently; we do not.
pub fn encode(text: &str, encoding: Encoding, out: &mut Vec<u8>) -> Result<(), TooLong> {
    let len = text.chars().map(|c| encoded_len(c, encoding)).sum();
    let Ok(short) = u16::try_from(len) else {
        return Err(TooLong { len, max: u16::MAX.into() });
    };
    out.extend_from_slice(&short.to_be_bytes());
    for c in text.chars() {
        match c {
            '\0' if encoding == Encoding::ModifiedUtf8 => out.extend_from_slice(&[0xc0, 0x80]),
            '\u{10000}'.. => {
                for half in c.encode_utf16(&mut [0; 2]) {
                    let [high, low] = half.to_be_bytes();
                    out.push(0xe0 | high >> 4);
                    out.push(0x80 | (high & 0x0f) << 2 | low >> 6);
                    out.push(0x80 | low & 0x3f);
                }
            }
            _ => out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
        }
    }
    Ok(())
}

fn encoded_len(c: char, encoding: Encoding) -> usize {
    match c {
        '\0' if encoding == Encoding::ModifiedUtf8 => 2,
        '\u{10000}'.. => 6,
        _ => c.len_utf8(),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const BOTH: [Encoding; 2] = [Encoding::ModifiedUtf8, Encoding::HadoopUtf8];

    proptest! {
        #[test]
        fn decode_undoes_encode(text in any::<String>()) {
            for encoding in BOTH {
                let mut wire = Vec::new();
                encode(&text, encoding, &mut wire).unwrap();
                let decoded = decode_strict(&wire[2..], encoding).unwrap();
                prop_assert_eq!(decoded.as_ref(), text.as_str());
            }
        }

        #[test]
        fn garbage_is_text_or_an_error_that_points_into_it(
            bytes in prop::collection::vec(any::<u8>(), 0..64),
        ) {
            for encoding in BOTH {
                match decode_strict(&bytes, encoding) {
                    Ok(_) => {}
                    Err(Problem::NotText { at, .. } | Problem::LoneSurrogate { at }) => {
                        prop_assert!(at < bytes.len());
                    }
                    Err(other) => panic!("{other}"),
                }
            }
        }
    }

    #[test]
    fn nul_and_supplementary_characters_are_javas() {
        for (encoding, nul) in
            [(Encoding::ModifiedUtf8, &[0xc0, 0x80][..]), (Encoding::HadoopUtf8, &[0])]
        {
            let mut wire = Vec::new();
            encode("\0\u{1f600}", encoding, &mut wire).unwrap();
            assert_eq!(wire[2..], [nul, b"\xed\xa0\xbd\xed\xb8\x80"].concat());
        }
    }

    #[test]
    fn a_lone_surrogate_is_kept_on_request_and_refused_by_default() {
        let bytes = b"a\xc3\xa9\xed\xa0\xbdb";
        let units = vec![0x61, 0xe9, 0xd83d, 0x62];
        assert_eq!(decode(bytes, Encoding::ModifiedUtf8), Ok(JavaText::Units(units)));
        let refused = decode_strict(bytes, Encoding::ModifiedUtf8);
        assert_eq!(refused, Err(Problem::LoneSurrogate { at: 3 }));
    }

    #[test]
    fn text_that_a_u16_cannot_measure_is_refused() {
        let text = "\u{20ac}".repeat(21846);
        let refused = encode(&text, Encoding::HadoopUtf8, &mut Vec::new());
        assert_eq!(refused, Err(TooLong { len: 65538, max: 65535 }));
    }
}
