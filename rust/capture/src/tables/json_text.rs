//! Texts as JSON strings that a terminal does not interpret as commands.
//!
//! In addition to the characters that JSON requires, DEL, the C1 controls, and the characters that set the
//! direction of text or end a line are written as `\uXXXX`.

use std::io::Write;

/// Appends `text` as a JSON string.
#[inline]
pub(crate) fn write_text(text: &str, out: &mut Vec<u8>) {
    if is_plain(text.as_bytes()) {
        out.push(b'"');
        append(out, text.as_bytes());
        return out.push(b'"');
    }
    write_escaped(text, out);
}

/// Appends one character of a JSON string.
pub(crate) fn write_char(letter: char, out: &mut Vec<u8>) {
    match letter {
        '"' => out.extend_from_slice(b"\\\""),
        '\\' => out.extend_from_slice(b"\\\\"),
        // A Vec does not fail.
        _ if is_control(letter) => drop(write!(out, "\\u{:04x}", u32::from(letter))),
        _ => out.extend_from_slice(letter.encode_utf8(&mut [0; 4]).as_bytes()),
    }
}

fn write_escaped(text: &str, out: &mut Vec<u8>) {
    out.push(b'"');
    let (mut done, mut at) = (0, 0);
    while let Some(found) = find_odd(text.as_bytes(), at) {
        at = found + 1;
        // Characters to escape are one of these bytes or begin with one; most letters do not.
        if !matches!(text.as_bytes()[found], ..0x80 | 0xc2 | 0xd8 | 0xe2) {
            continue;
        }
        let Some(letter) = text.get(found..).and_then(|rest| rest.chars().next()) else { continue };
        if !is_control(letter) && !matches!(letter, '"' | '\\') {
            continue;
        }
        out.extend_from_slice(&text.as_bytes()[done..found]);
        done = found + letter.len_utf8();
        match letter {
            '\n' => out.extend_from_slice(b"\\n"),
            '\r' => out.extend_from_slice(b"\\r"),
            '\t' => out.extend_from_slice(b"\\t"),
            _ => write_char(letter, out),
        }
    }
    out.extend_from_slice(&text.as_bytes()[done..]);
    out.push(b'"');
}

fn is_control(letter: char) -> bool {
    matches!(
        letter,
        ..' ' | '\x7f'..='\u{9f}'
            | '\u{61c}'
            | '\u{200e}'
            | '\u{200f}'
            | '\u{2028}'..='\u{202e}'
            | '\u{2066}'..='\u{2069}'
    )
}

/// Whether text needs no escapes in JSON: ASCII without quotes, backslashes and control characters.
fn is_plain(text: &[u8]) -> bool {
    let Some(last) = text.last_chunk() else { return odd(repeated(text)) == 0 };
    // The last eight may be looked at twice.
    let (words, _) = text.as_chunks();
    words.iter().fold(odd(*last), |any, word| any | odd(*word)) == 0
}

/// Returns the bytes of a text of fewer than eight, some of them twice.
fn repeated(text: &[u8]) -> [u8; 8] {
    if let (Some(&[a, b, c, d]), Some(&[e, f, g, h])) = (text.first_chunk(), text.last_chunk()) {
        return [a, b, c, d, e, f, g, h];
    }
    match *text {
        [a, b, c] => [a, b, c, a, b, c, a, b],
        [a, b] => [a, b, a, b, a, b, a, b],
        [a] => [a; 8],
        _ => [b' '; 8],
    }
}

/// Returns the offset of the first byte from `at` on that needs an escape in JSON.
fn find_odd(text: &[u8], mut at: usize) -> Option<usize> {
    while let Some(word) = text.get(at..).and_then(<[u8]>::first_chunk) {
        let odd = odd(*word);
        if odd != 0 {
            // A false positive of `odd` only follows a true one.
            return Some(at + odd.trailing_zeros() as usize / 8);
        }
        at += word.len();
    }
    let rest = text.get(at..)?;
    rest.iter().position(|byte| is_odd(*byte)).map(|place| at + place)
}

fn is_odd(byte: u8) -> bool {
    matches!(byte, ..b' ' | b'"' | b'\\' | 0x7f..)
}

/// Returns a nonzero value if one of eight bytes needs an escape in JSON: the lowest bit set is in the first
/// such byte.
fn odd(bytes: [u8; 8]) -> u64 {
    const ONES: u64 = u64::MAX / 0xff;
    let word = u64::from_le_bytes(bytes);
    // Smaller bytes borrow from their highest bit. (`haszero` and `hasless` of Bit Twiddling Hacks)
    let below = |word: u64, limit: u64| word.wrapping_sub(limit) & !word;
    let equal = |byte: u64| below(word ^ (ONES * byte), ONES);
    // A byte that is not ASCII has its highest bit set, as has DEL and one.
    (below(word, ONES * 0x20) | equal(0x22) | equal(0x5c) | word | word.wrapping_add(ONES))
        & (ONES * 0x80)
}

/// Appends a text that is usually short: its first bytes, then its last ones, some of them twice. With a
/// constant number of bytes, this needs no call.
#[inline]
pub(crate) fn append(out: &mut Vec<u8>, text: &[u8]) {
    fn halves<const N: usize>(out: &mut Vec<u8>, text: &[u8]) {
        if let (Some(first), Some(last)) = (text.first_chunk::<N>(), text.last_chunk::<N>()) {
            let start = out.len();
            out.extend_from_slice(first);
            out.truncate(start + text.len() - N);
            out.extend_from_slice(last);
        }
    }
    match text.len() {
        1 => out.push(text[0]),
        2..4 => halves::<2>(out, text),
        4..8 => halves::<4>(out, text),
        8..16 => halves::<8>(out, text),
        16..=32 => halves::<16>(out, text),
        _ => out.extend_from_slice(text),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn written(text: &str) -> String {
        let mut out = Vec::new();
        write_text(text, &mut out);
        String::from_utf8(out).unwrap()
    }

    proptest! {
        #[test]
        fn text_parses_to_itself_and_shows_no_control_character(
            text in prop_oneof![
                ".{0,40}",
                "[a-z/]{0,40}",
                "[a-z]{0,20}[\"\\\\\x00-\x1f\x7f][a-zé]{0,20}",
                "[a-zé\u{80}-\u{9f}\u{200b}-\u{206f}\u{61c}]{0,20}",
                "\\PC{0,20}[\x7f\u{202e}\u{2066}]\\PC{0,20}",
            ],
        ) {
            let shown = written(&text);
            prop_assert!(!shown.chars().any(is_control), "{}", shown.escape_debug());
            prop_assert_eq!(serde_json::from_str::<String>(&shown).unwrap(), text);
        }

        #[test]
        fn plain_text_equals_the_string_of_serde_json(text in "[ -~a-zé\u{4e00}-\u{9fff}]{0,40}") {
            prop_assert_eq!(written(&text), serde_json::to_string(&text).unwrap());
        }
    }

    #[test]
    fn character_is_escaped_wherever_it_stands() {
        for letter in ['"', '\\', '\n', '\x1b', '\x7f', '\u{9b}', '\u{202e}'] {
            for (before, after) in (0..20).flat_map(|one| (0..20).map(move |other| (one, other))) {
                for other in ["a", "é"] {
                    let text =
                        format!("{}{letter}{}{letter}", "a".repeat(before), other.repeat(after));
                    let shown = written(&text);
                    assert!(!shown.chars().any(is_control), "{}", shown.escape_debug());
                    assert_eq!(serde_json::from_str::<String>(&shown).unwrap(), text);
                }
            }
        }
    }

    #[test]
    fn each_character_that_a_terminal_obeys_is_escaped() {
        for letter in ('\0'..=char::MAX).filter(|letter| is_control(*letter)) {
            for around in ["", "a", "abcdefgh", "é"] {
                let shown = written(&format!("{around}{letter}{around}"));
                assert!(!shown.contains(letter), "{}", shown.escape_debug());
            }
        }
        assert_eq!(written("a\x7fb\u{9b}\u{202e}\u{2028}é"), r#""a\u007fb\u009b\u202e\u2028é""#);
    }
}
