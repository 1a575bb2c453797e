use crate::{
    Result,
    frame::{MessageDecoder, Packed},
};

/// Cuts a stream into messages and hands out all that are whole as one JSON array: whoever parses it
/// parses once, however many came.
#[derive(Debug)]
pub struct BatchDecoder {
    messages: MessageDecoder,
    batch: Packed,
}

/// Whole messages, as one JSON array of them.
#[derive(Debug, Default, Eq, PartialEq)]
pub struct Batch {
    /// The array.
    pub json: Vec<u8>,
    /// How many messages are in it.
    pub count: usize,
    /// Whether a number in it may be an integer that 64 bits do not hold: many parsers make a
    /// fraction of such.
    pub wide: bool,
}

impl BatchDecoder {
    /// Refuses messages of more than `limit` bytes.
    #[must_use]
    pub fn new(limit: usize) -> Self {
        Self { messages: MessageDecoder::new(limit), batch: Packed::new() }
    }

    /// Appends bytes as they came off the transport.
    pub fn feed(&mut self, data: &[u8]) {
        self.messages.feed(data);
    }

    /// Takes all whole messages; a message of white space only is none.
    ///
    /// # Errors
    /// As [`MessageDecoder::next_batch`], once all messages before what is wrong are taken.
    pub fn next_batch(&mut self) -> Result<Batch> {
        self.batch.clear();
        self.messages.next_batch(&mut self.batch)?;
        let mut json = Vec::with_capacity(self.batch.values.len() + self.batch.len() + 2);
        json.push(b'[');
        let mut count = 0;
        for message in self.batch.iter().filter(|message| !message.trim_ascii().is_empty()) {
            if count > 0 {
                json.push(b',');
            }
            json.extend_from_slice(message);
            count += 1;
        }
        json.push(b']');
        Ok(Batch { wide: has_wide_integer(&json), json, count })
    }

    /// The messages of the latest batch, each by itself.
    pub fn latest(&self) -> impl Iterator<Item = &[u8]> {
        self.batch.iter().filter(|message| !message.trim_ascii().is_empty())
    }

    /// How many bytes wait for the end of their message.
    #[must_use]
    pub fn buffered(&self) -> usize {
        self.messages.buffered()
    }
}

/// Whether digits stand somewhere that are no text's first, no fraction's, and more than an `i64` or
/// a `u64` has. Within a text they may be taken for a number: that costs time, no more.
fn has_wide_integer(json: &[u8]) -> bool {
    // Each run of so many digits has one at a multiple of its length.
    let mut at = SHORTEST - 1;
    while at < json.len() {
        if !json[at].is_ascii_digit() {
            at += SHORTEST;
            continue;
        }
        let start = json[..at].iter().rposition(|byte| !byte.is_ascii_digit()).map_or(0, |i| i + 1);
        let len = json[at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        let (before, digits) = (&json[..start], &json[start..at + len]);
        let most = match before {
            [.., b'"' | b'.'] | [.., b'"', b'-'] => None,
            [.., b'-'] => Some(LEAST_I64),
            _ => Some(MOST_U64),
        };
        if let Some(most) = most
            && (digits.len(), digits) > (most.len(), most)
        {
            return true;
        }
        at += len + SHORTEST - 1;
    }
    false
}

/// Digits of the shorter of the two.
const SHORTEST: usize = LEAST_I64.len();
/// Of `i64::MIN`, without its sign.
const LEAST_I64: &[u8] = b"9223372036854775808";
/// Of `u64::MAX`.
const MOST_U64: &[u8] = b"18446744073709551615";

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn batch_of(wire: &[u8]) -> Batch {
        let mut decoder = BatchDecoder::new(1 << 20);
        decoder.feed(wire);
        decoder.next_batch().unwrap()
    }

    #[test]
    fn whole_messages_are_one_array() {
        let batch = batch_of(b"{\r\n \"a\": 1}\r\nend\r\n[1]\nend\n\nend\n{\"to");
        assert_eq!(batch.json, b"[{\r\n \"a\": 1},[1]]");
        assert_eq!((batch.count, batch.wide), (2, false));
        assert_eq!(batch_of(b"").json, b"[]");
    }

    #[test]
    fn integers_that_64_bits_do_not_hold_are_told() {
        for (number, wide) in [
            ("18446744073709551615", false),
            ("18446744073709551616", true),
            ("-9223372036854775808", false),
            ("-9223372036854775809", true),
            ("123456789012345678901234567890", true),
            ("1.23456789012345678901234567890", false),
            ("\"123456789012345678901234567890\"", false),
            ("\"-6955786537413359385\"", false),
        ] {
            for indent in 0..40 {
                let wire = format!("[{}{number}, 1]\nend\n", " ".repeat(indent));
                assert_eq!(batch_of(wire.as_bytes()).wide, wide, "{number} after {indent}");
            }
        }
    }

    proptest! {
        #[test]
        fn no_wide_integer_is_overlooked(numbers in prop::collection::vec(any::<i128>(), 1..9)) {
            let wide = numbers.iter().any(|&n| n > u64::MAX.into() || n < i64::MIN.into());
            let wire = format!("{numbers:?}\nend\n");
            prop_assert_eq!(batch_of(wire.as_bytes()).wide, wide);
        }
    }
}
