//! Decoder of a bolt's input: many tuples at a time, with their values as one JSON array.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::{
    Result,
    frame::{BinaryColumn, MessageDecoder},
};

/// Incremental decoder of a stream of messages, which returns all complete ones as one JSON array, or one array
/// of the tuples' values: the caller parses once per batch, however many messages it has.
#[derive(Debug)]
pub struct BatchDecoder {
    messages: MessageDecoder,
    batch: BinaryColumn,
}

/// JSON array of the messages of a batch.
#[derive(Debug, Eq, PartialEq)]
pub struct Array {
    /// The array, encoded.
    pub json: Vec<u8>,
    /// Whether a number in it may be an integer of more than 64 bits, which many parsers convert to a
    /// floating-point number.
    pub wide: bool,
}

impl Array {
    fn join<'a>(texts: impl Iterator<Item = &'a [u8]>, room: usize) -> Self {
        let mut json = Vec::with_capacity(room + 2);
        for text in texts {
            json.push(if json.is_empty() { b'[' } else { b',' });
            json.extend_from_slice(text);
        }
        if json.is_empty() {
            json.push(b'[');
        }
        json.push(b']');
        Self { wide: has_wide_integer(&json), json }
    }
}

/// Tuples of a bolt.
#[derive(Debug, Eq, PartialEq)]
pub struct Tuples<'a> {
    /// Tuples without their values.
    pub heads: Vec<Head<'a>>,
    /// Values of the tuples: an array of arrays.
    pub values: Vec<u8>,
}

/// Tuple without its values.
#[derive(Debug, Eq, PartialEq)]
pub struct Head<'a> {
    /// Id of the tuple.
    pub id: Cow<'a, str>,
    /// Component that emitted it; none for Storm's heartbeats.
    pub component: Option<Cow<'a, str>>,
    /// Stream on which it was emitted.
    pub stream: Cow<'a, str>,
    /// Task of the component.
    pub task: i64,
}

/// Tuple as Storm encodes it.
#[derive(Deserialize)]
struct Wire<'a> {
    #[serde(borrow)]
    id: Cow<'a, str>,
    // It may be null, but it must be there.
    #[serde(borrow, deserialize_with = "Option::deserialize")]
    comp: Option<Cow<'a, str>>,
    #[serde(borrow)]
    stream: Cow<'a, str>,
    task: i64,
    #[serde(borrow)]
    tuple: &'a RawValue,
}

impl BatchDecoder {
    /// Creates a decoder that rejects messages of more than `limit` bytes.
    #[must_use]
    pub fn new(limit: usize) -> Self {
        Self { messages: MessageDecoder::new(limit), batch: BinaryColumn::new() }
    }

    /// Appends bytes from the transport.
    pub fn feed(&mut self, data: &[u8]) {
        self.messages.feed(data);
    }

    /// Takes all complete messages as the current batch, and returns their number. A message of only white
    /// space is not counted.
    ///
    /// # Errors
    /// As [`MessageDecoder::next_batch`], after all messages before the malformed one are taken.
    pub fn next_batch(&mut self) -> Result<usize> {
        self.batch.clear();
        self.messages.next_batch(&mut self.batch)?;
        Ok(self.batch().count())
    }

    /// Iterates over the messages of the batch.
    pub fn batch(&self) -> impl Iterator<Item = &[u8]> {
        self.batch.iter().filter(|message| !message.trim_ascii().is_empty())
    }

    /// Returns the batch as one array.
    #[must_use]
    pub fn array(&self) -> Array {
        Array::join(self.batch(), self.batch.values.len() + self.batch.len())
    }

    /// Returns the batch as tuples; `None` if a message is not a tuple, or contains values that many parsers
    /// reject or change: then each message must be parsed by itself.
    #[must_use]
    pub fn tuples(&self) -> Option<Tuples<'_>> {
        let wires = self.batch().map(serde_json::from_slice::<Wire<'_>>);
        let mut heads = Vec::with_capacity(self.batch.len());
        let mut values = Vec::with_capacity(self.batch.len());
        for wire in wires {
            let Wire { id, comp, stream, task, tuple } = wire.ok()?;
            if !tuple.get().starts_with('[') {
                return None;
            }
            values.push(tuple.get().as_bytes());
            heads.push(Head { id, component: comp, stream, task });
        }
        let values = Array::join(values.into_iter(), self.batch.values.len());
        (!values.wide).then_some(Tuples { heads, values: values.json })
    }

    /// Number of bytes that wait for the end of their message.
    #[must_use]
    pub fn buffered(&self) -> usize {
        self.messages.buffered()
    }
}

/// Whether there are digits, outside of texts and fractions, that exceed the range of `i64` or `u64`. Digits
/// inside a text may be mistaken for a number: that costs only time.
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

/// Number of digits of the shorter of the two limits.
const SHORTEST: usize = LEAST_I64.len();
/// Digits of `i64::MIN`, without its sign.
const LEAST_I64: &[u8] = b"9223372036854775808";
/// Digits of `u64::MAX`.
const MOST_U64: &[u8] = b"18446744073709551615";

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn decoder_of(wire: &[u8]) -> BatchDecoder {
        let mut decoder = BatchDecoder::new(1 << 20);
        decoder.feed(wire);
        decoder.next_batch().unwrap();
        decoder
    }

    #[test]
    fn whole_messages_are_one_array() {
        let decoder = decoder_of(b"{\r\n \"a\": 1}\r\nend\r\n[1]\nend\n\nend\n{\"to");
        let array = Array { json: b"[{\r\n \"a\": 1},[1]]".to_vec(), wide: false };
        assert_eq!((decoder.array(), decoder.batch().count()), (array, 2));
        assert_eq!(decoder_of(b"").array().json, b"[]");
    }

    #[test]
    fn tuples_are_heads_and_an_array_of_values() {
        let wire = br#"{"comp":"a\u0062","tuple":[1, "x"],"task":4,"stream":"s","id":"7"}
end
{"id":"8","task":-1,"more":{},"comp":null,"stream":"__heartbeat","tuple":[]}
end
"#;
        let decoder = decoder_of(wire);
        let tuples = decoder.tuples().unwrap();
        let head =
            |id: &'static str, component: Option<&'static str>, stream: &'static str, task| {
                let component = component.map(Cow::from);
                Head { id: id.into(), component, stream: stream.into(), task }
            };
        let heads = [head("7", Some("ab"), "s", 4), head("8", None, "__heartbeat", -1)];
        assert_eq!(tuples.heads, heads);
        assert_eq!(tuples.values, br#"[[1, "x"],[]]"#);
    }

    #[test]
    fn other_messages_than_tuples_are_not_taken() {
        for message in [
            "[5, 6]",
            r#"{"id":"7","stream":"s","task":1,"tuple":[]}"#,
            r#"{"id":7,"comp":"c","stream":"s","task":1,"tuple":[]}"#,
            r#"{"id":"7","comp":"c","stream":"s","task":1,"tuple":{}}"#,
            r#"{"id":"7","comp":"c","stream":"s","task":1,"tuple":[NaN]}"#,
            r#"{"id":"7","comp":"c","stream":"s","task":1,"tuple":[18446744073709551616]}"#,
        ] {
            assert_eq!(
                decoder_of(format!("{message}\nend\n").as_bytes()).tuples(),
                None,
                "{message}"
            );
        }
    }

    #[test]
    fn integers_wider_than_64_bits_are_detected() {
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
                let array = decoder_of(wire.as_bytes()).array();
                assert_eq!(array.wide, wide, "{number} after {indent}");
            }
        }
    }

    proptest! {
        #[test]
        fn no_wide_integer_is_overlooked(numbers in prop::collection::vec(any::<i128>(), 1..9)) {
            let wide = numbers.iter().any(|&n| n > u64::MAX.into() || n < i64::MIN.into());
            let wire = format!("{numbers:?}\nend\n");
            prop_assert_eq!(decoder_of(wire.as_bytes()).array().wide, wide);
        }
    }
}
