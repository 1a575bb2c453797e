//! UTF-8 validation by `simdutf8` on every target; it selects its instructions itself, regardless of the level.

/// Returns the text, if the bytes are UTF-8.
#[inline]
pub(crate) fn from_utf8(bytes: &[u8]) -> Option<&str> {
    if cfg!(miri) {
        // `simdutf8` does the same without SIMD; Miri rejects the addresses past the end of `bytes`
        // that its AVX2 code prefetches and never reads.
        std::str::from_utf8(bytes).ok()
    } else {
        simdutf8::basic::from_utf8(bytes).ok()
    }
}

/// Returns the text, if the bytes are ASCII, as most are: for short text this check is faster than validation
/// of UTF-8.
#[inline]
pub(crate) fn from_ascii(bytes: &[u8]) -> Option<&str> {
    // SAFETY: `is_ascii` holds, and ASCII is UTF-8.
    bytes.is_ascii().then(|| unsafe { std::str::from_utf8_unchecked(bytes) })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn piece() -> impl Strategy<Value = Vec<u8>> {
        prop_oneof![
            4 => any::<char>().prop_map(|c| c.to_string().into_bytes()),
            4 => prop::char::range('a', '\u{7ff}').prop_map(|c| c.to_string().into_bytes()),
            1 => prop::collection::vec(any::<u8>(), 0..3),
            1 => prop::collection::vec(0x80..0xc0_u8, 0..6),
        ]
    }

    proptest! {
        #[test]
        #[cfg_attr(miri, ignore = "it would compare the standard library with itself")]
        fn utf8_validates_as_in_std(
            pieces in prop::collection::vec(piece(), 0..60),
            clean: bool,
        ) {
            let pieces = pieces.into_iter().filter(|it| !clean || std::str::from_utf8(it).is_ok());
            let bytes = pieces.collect::<Vec<_>>().concat();
            prop_assert_eq!(from_utf8(&bytes), std::str::from_utf8(&bytes).ok());
        }

        #[test]
        fn ascii_is_the_text_that_the_standard_library_sees(
            text in "[ -~]{0,80}",
            piece in piece(),
        ) {
            let bytes = [text.as_bytes(), &piece].concat();
            let expected = std::str::from_utf8(&bytes).ok();
            let expected = expected.filter(|text| text.is_ascii());
            prop_assert_eq!(from_ascii(&bytes), expected);
        }
    }

    /// Long enough for the vector code of `simdutf8`, which uses a loop below 64 bytes.
    #[test]
    #[cfg_attr(miri, ignore = "it would compare the standard library with itself")]
    fn all_forms_of_up_to_three_bytes_validate_as_in_std() {
        let mut bytes = [b'.'; 80];
        for first in 0..=u8::MAX {
            for second in 0..=u8::MAX {
                for third in [0x00, 0x7f, 0x80, 0xbf, 0xc0, 0xff] {
                    bytes[61..64].copy_from_slice(&[first, second, third]);
                    for len in [62, 63, 64, 80] {
                        let expected = std::str::from_utf8(&bytes[..len]).ok();
                        assert_eq!(from_utf8(&bytes[..len]), expected, "{:x?}", &bytes[61..len]);
                    }
                }
            }
        }
    }
}
