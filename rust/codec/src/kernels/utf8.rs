//! UTF-8 judged without a branch: an automaton that a shift takes from state to state.

use crate::Level;

/// The text, if it is UTF-8.
pub(crate) fn from_utf8(bytes: &[u8], level: Level) -> Option<&str> {
    let good = match level.at_most_available() {
        // Miri refuses the pointers behind the end that it prefetches from, and never reads.
        #[cfg(all(target_arch = "x86_64", not(miri)))]
        Level::Avx512 | Level::Avx2 => return simdutf8::basic::from_utf8(bytes).ok(),
        // SAFETY: the processor has the level's features.
        #[cfg(target_arch = "x86_64")]
        Level::Bmi2 => unsafe { is_utf8_bmi2(bytes) },
        _ => is_utf8(bytes),
    };
    // SAFETY: it was seen that it is.
    good.then(|| unsafe { std::str::from_utf8_unchecked(bytes) })
}

/// The text, if it is ASCII as most are: of short ones sooner told than that they are UTF-8.
#[inline]
pub(crate) fn from_ascii(bytes: &[u8]) -> Option<&str> {
    // SAFETY: ASCII is UTF-8.
    bytes.is_ascii().then(|| unsafe { std::str::from_utf8_unchecked(bytes) })
}

/// The same with shifts of one cycle.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "bmi1,bmi2,lzcnt,popcnt")]
fn is_utf8_bmi2(bytes: &[u8]) -> bool {
    is_utf8(bytes)
}

/// Four parts at once, as each byte of a part waits for the one before it.
#[inline(always)]
fn is_utf8(bytes: &[u8]) -> bool {
    let (front, back) = bytes.split_at(character(bytes, bytes.len() / 2));
    let (a, b) = front.split_at(character(front, front.len() / 2));
    let (c, d) = back.split_at(character(back, back.len() / 2));
    let together = a.len().min(b.len()).min(c.len()).min(d.len());
    let mut states = [GOOD; 4];
    for (((a, b), c), d) in
        a[..together].iter().zip(&b[..together]).zip(&c[..together]).zip(&d[..together])
    {
        states =
            [next(states[0], *a), next(states[1], *b), next(states[2], *c), next(states[3], *d)];
    }
    [a, b, c, d].iter().zip(states).all(|(part, state)| {
        part[together..].iter().fold(state, |state, byte| next(state, *byte)) & 63 == GOOD
    })
}

/// Where the character begins that `at` is in; any place where there are only ends of characters.
fn character(bytes: &[u8], at: usize) -> usize {
    (at.saturating_sub(3)..=at)
        .rev()
        .find(|at| bytes.get(*at).is_none_or(|byte| byte & 0xc0 != 0x80))
        .unwrap_or(at)
}

/// The state after a byte: its lowest six bits are where it stands in the next byte's word.
#[inline(always)]
fn next(state: u64, byte: u8) -> u64 {
    STATES[usize::from(byte)] >> (state & 63)
}

/// Between characters.
const GOOD: u64 = 0;
/// In what is not UTF-8.
const BAD: u64 = 6;
/// So many bytes follow, from 80 to BF.
const ONE: u64 = 12;
const TWO: u64 = 18;
const THREE: u64 = 24;
/// After a first byte whose second may not be any.
const AFTER_E0: u64 = 30;
const AFTER_ED: u64 = 36;
const AFTER_F0: u64 = 42;
const AFTER_F4: u64 = 48;

/// For each byte, the state it leads to from each state.
const STATES: [u64; 256] = {
    let mut states = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let first = match byte {
            0x00..=0x7f => GOOD,
            0xc2..=0xdf => ONE,
            0xe0 => AFTER_E0,
            0xed => AFTER_ED,
            0xe1..=0xef => TWO,
            0xf0 => AFTER_F0,
            0xf1..=0xf3 => THREE,
            0xf4 => AFTER_F4,
            _ => BAD,
        };
        let from_to = [
            (GOOD, first),
            (BAD, BAD),
            (ONE, if matches!(byte, 0x80..=0xbf) { GOOD } else { BAD }),
            (TWO, if matches!(byte, 0x80..=0xbf) { ONE } else { BAD }),
            (THREE, if matches!(byte, 0x80..=0xbf) { TWO } else { BAD }),
            (AFTER_E0, if matches!(byte, 0xa0..=0xbf) { ONE } else { BAD }),
            (AFTER_ED, if matches!(byte, 0x80..=0x9f) { ONE } else { BAD }),
            (AFTER_F0, if matches!(byte, 0x90..=0xbf) { TWO } else { BAD }),
            (AFTER_F4, if matches!(byte, 0x80..=0x8f) { TWO } else { BAD }),
        ];
        let mut index = 0;
        while index < from_to.len() {
            let (from, to) = from_to[index];
            states[byte] |= to << from;
            index += 1;
        }
        byte += 1;
    }
    states
};

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
        fn every_level_judges_as_the_standard_library(
            pieces in prop::collection::vec(piece(), 0..60),
            clean: bool,
        ) {
            let pieces = pieces.into_iter().filter(|it| !clean || std::str::from_utf8(it).is_ok());
            let bytes = pieces.collect::<Vec<_>>().concat();
            for &level in Level::available() {
                prop_assert_eq!(from_utf8(&bytes, level), std::str::from_utf8(&bytes).ok());
            }
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

    #[test]
    fn of_all_forms_of_up_to_three_bytes_the_same_are_good() {
        let firsts = if cfg!(miri) { 0xe0..=0xe0 } else { 0..=u8::MAX };
        for first in firsts {
            for second in 0..=u8::MAX {
                for third in [0x00, 0x7f, 0x80, 0xbf, 0xc0, 0xff] {
                    let bytes = [first, second, third, b'.'];
                    for len in 1..=bytes.len() {
                        let bytes = &bytes[..len];
                        assert_eq!(
                            is_utf8(bytes),
                            std::str::from_utf8(bytes).is_ok(),
                            "{bytes:x?}"
                        );
                    }
                }
            }
        }
    }
}
