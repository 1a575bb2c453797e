//! Fields of a message as one JSON object.

use std::{borrow::Cow, io::Write, ops::Range};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use jvmwire_codec::visit::{FieldName, HIDDEN, Shape, Value, Visitor};

use crate::{
    tables::json_text::{append, write_char, write_text},
    tables::redaction::Redaction,
};

/// Visitor that writes fields as JSON: bytes as `{"base64": ...}`, NaN and infinities as strings, UUIDs in text
/// form, lone surrogates as `\udXXX`.
#[derive(Debug)]
pub(crate) struct JsonFields {
    out: Vec<u8>,
    open: Vec<Shape>,
    /// Number of open objects and lists that are omitted.
    omitted: usize,
    /// Whether a field was omitted.
    is_cut: bool,
    limit: usize,
    redaction: Option<Redaction>,
}

impl JsonFields {
    /// Creates a visitor; with a redaction, values chosen by users (texts and bytes) are replaced.
    pub(crate) fn new(redaction: Option<Redaction>) -> Self {
        Self::with_limit(redaction, FIELDS_LIMIT)
    }

    fn with_limit(redaction: Option<Redaction>, limit: usize) -> Self {
        let (out, open) = (Vec::new(), Vec::new());
        let mut fields = Self { out, open, omitted: 0, is_cut: false, limit, redaction };
        fields.clear();
        fields
    }

    /// Whether fields were omitted, since those before them reached [`FIELDS_LIMIT`].
    pub(crate) fn is_cut(&self) -> bool {
        self.is_cut
    }

    /// Whether there is room for another field, of any length; records it if there is not.
    #[inline]
    fn has_room(&mut self) -> bool {
        if self.out.len() < self.limit {
            return true;
        }
        self.is_cut = true;
        false
    }

    /// Begins a new object.
    pub(crate) fn clear(&mut self) {
        self.out.clear();
        self.out.push(b'{');
        self.open.clear();
        self.open.push(Shape::Object);
        (self.omitted, self.is_cut) = (0, false);
    }

    /// Ends the object, including groups that an error left open.
    pub(crate) fn finish(&mut self) -> &[u8] {
        while let Some(shape) = self.open.pop() {
            self.out.push(closing(shape));
        }
        &self.out
    }

    /// Takes the object if it is so long that a copy would take much memory.
    pub(crate) fn take_long(&mut self) -> Option<Vec<u8>> {
        self.finish();
        (self.out.len() > LONG).then(|| std::mem::take(&mut self.out))
    }

    fn key(&mut self, name: &str) {
        let comma = !matches!(self.out.last(), Some(b'{' | b'['));
        if self.open.last() != Some(&Shape::Object) {
            if comma {
                self.out.push(b',');
            }
            return;
        }
        // Names are ours: words of letters, digits, underscores and full stops.
        if comma {
            self.out.push(b',');
        }
        self.out.push(b'"');
        append(&mut self.out, name.as_bytes());
        self.out.extend_from_slice(b"\":");
    }

    /// A key of an object.
    #[inline]
    fn table_key(&mut self, key: &FieldName) {
        let comma = !matches!(self.out.last(), Some(b'{'));
        let (text, len) = key.json(comma);
        let end = self.out.len() + len;
        // A constant number of bytes whatever the name.
        self.out.extend_from_slice(text);
        self.out.truncate(end);
    }

    /// Writes a field of an object. It is a separate function that does not know the key at compile time;
    /// otherwise the copy would become a call of memcpy.
    #[inline(never)]
    fn table_field(&mut self, key: &FieldName, value: Value<'_>) {
        if self.has_room() {
            self.table_key(key);
            self.value(value);
        }
    }

    #[inline]
    fn open(&mut self, shape: Shape) {
        self.out.push(match shape {
            Shape::Object => b'{',
            Shape::List => b'[',
        });
        self.open.push(shape);
    }

    fn int(&mut self, value: impl itoa::Integer + TryInto<u8> + Copy) {
        // Nearly every flag and count.
        if let Ok(digit @ 0..10) = value.try_into() {
            return self.out.push(b'0' + digit);
        }
        append(&mut self.out, itoa::Buffer::new().format(value).as_bytes());
    }

    fn text(&mut self, text: &str) {
        write_text(text, &mut self.out);
    }

    /// Writes text that needs no escapes in JSON.
    fn plain(&mut self, text: &str) {
        self.out.push(b'"');
        append(&mut self.out, text.as_bytes());
        self.out.push(b'"');
    }

    fn float(&mut self, value: f64) {
        if value.is_finite() {
            // Neither numbers nor strings fail, nor does a Vec.
            let _ = serde_json::to_writer(&mut self.out, &value);
        } else if value.is_nan() {
            self.text("NaN");
        } else {
            self.text(if value > 0.0 { "Infinity" } else { "-Infinity" });
        }
    }

    fn units(&mut self, units: &[u16]) {
        self.out.push(b'"');
        for unit in char::decode_utf16(units.iter().copied()) {
            match unit {
                Ok(letter) => write_char(letter, &mut self.out),
                Err(lone) => {
                    // A Vec does not fail.
                    let _ = write!(self.out, "\\u{:04x}", lone.unpaired_surrogate());
                }
            }
        }
        self.out.push(b'"');
    }

    fn base64(&mut self, bytes: &[u8]) {
        if bytes.is_empty() {
            return;
        }
        let start = self.out.len();
        self.out.resize(start + bytes.len().div_ceil(3) * 4, b'=');
        // It has just the room that it takes.
        let _ = STANDARD.encode_slice(bytes, &mut self.out[start..]);
    }

    #[inline(always)]
    #[expect(clippy::inline_always, reason = "for every field: a call costs as much as the rest")]
    fn value(&mut self, value: Value<'_>) {
        if self.redaction.is_some() {
            return self.redacted_value(value);
        }
        match value {
            Value::Bool(true) => self.out.extend_from_slice(b"true"),
            Value::Bool(false) => self.out.extend_from_slice(b"false"),
            Value::Int(value) => self.int(value),
            Value::UInt(value) => self.int(value),
            // Names in tables are words of letters, digits and underscores.
            Value::Enum(_, name) => self.plain(name),
            Value::Text(text) => self.text(text),
            value => self.rare_value(value),
        }
    }

    #[cold]
    fn redacted_value(&mut self, value: Value<'_>) {
        match self.redaction.and_then(|by| chosen(value).map(|chosen| by.replace(&chosen))) {
            Some(replaced) => self.plain(&replaced),
            None => self.rare_value(value),
        }
    }

    /// Writes a value of any kind.
    #[inline(never)]
    fn rare_value(&mut self, value: Value<'_>) {
        match value {
            Value::Null => self.out.extend_from_slice(b"null"),
            Value::Bool(true) => self.out.extend_from_slice(b"true"),
            Value::Bool(false) => self.out.extend_from_slice(b"false"),
            Value::Int(value) => self.int(value),
            Value::UInt(value) => self.int(value),
            Value::Digits(digits) => append(&mut self.out, digits.as_bytes()),
            Value::Float(value) => self.float(value),
            Value::Enum(_, name) => self.plain(name),
            Value::Name(text) | Value::Text(text) | Value::Masked(text) => self.text(text),
            Value::Hidden => self.plain(HIDDEN),
            Value::Units(units) => self.units(units),
            Value::Bytes(bytes) => {
                self.out.extend_from_slice(b"{\"base64\":\"");
                self.base64(bytes);
                self.out.extend_from_slice(b"\"}");
            }
            Value::Uuid(bytes) => {
                self.out.push(b'"');
                self.out.extend_from_slice(&uuid_text(bytes));
                self.out.push(b'"');
            }
        }
    }
}

impl Visitor for JsonFields {
    #[inline]
    fn field(&mut self, name: &str, _: Range<usize>, value: Value<'_>) {
        if self.has_room() {
            self.key(name);
            self.value(value);
        }
    }

    #[inline(always)]
    #[expect(clippy::inline_always, reason = "for every field: a call costs as much as the rest")]
    fn member(&mut self, key: &FieldName, _: Range<usize>, value: Value<'_>) {
        self.table_field(key, value);
    }

    fn enter_member(&mut self, key: &FieldName, shape: Shape) {
        if self.has_room() {
            self.table_key(key);
            self.open(shape);
        } else {
            self.omitted += 1;
        }
    }

    fn mark(&self) -> Option<usize> {
        Some(self.out.len())
    }

    fn rollback(&mut self, mark: usize) {
        self.out.truncate(mark);
    }

    fn layout(&mut self, _: &str, _: Range<usize>, _: Value<'_>) {}

    fn enter(&mut self, name: &str, shape: Shape) {
        if self.has_room() {
            self.key(name);
            self.open(shape);
        } else {
            self.omitted += 1;
        }
    }

    fn leave(&mut self) {
        if self.omitted > 0 {
            self.omitted -= 1;
            return;
        }
        // The outermost object ends in `finish`.
        if self.open.len() > 1
            && let Some(shape) = self.open.pop()
        {
            self.out.push(closing(shape));
        }
    }
}

/// Maximum size of the fields of one message as JSON; further fields are omitted (chosen by jvmwire). With one
/// more field, in which each byte of the longest message becomes six, and 500 objects to be closed, they fit
/// the 32-bit offsets of Arrow's strings.
pub(crate) const FIELDS_LIMIT: usize = 128 << 20;

/// Maximum size of fields that are copied into their batch (chosen by jvmwire); the batch takes ownership of
/// longer ones.
const LONG: usize = 1 << 20;

fn closing(shape: Shape) -> u8 {
    match shape {
        Shape::Object => b'}',
        Shape::List => b']',
    }
}

/// Returns the bytes of a value chosen by users; `None` for another value.
pub(crate) fn chosen(value: Value<'_>) -> Option<Cow<'_, [u8]>> {
    match value {
        Value::Text(text) | Value::Masked(text) => Some(text.as_bytes().into()),
        Value::Units(units) => Some(String::from_utf16_lossy(units).into_bytes().into()),
        Value::Bytes(bytes) => Some(bytes.into()),
        _ => None,
    }
}

/// Formats a UUID in the text form of RFC 9562.
pub(crate) fn uuid(bytes: [u8; 16]) -> String {
    uuid_text(bytes).map(char::from).into_iter().collect()
}

fn uuid_text(bytes: [u8; 16]) -> [u8; 36] {
    let (words, _) = bytes.as_chunks();
    let [first, second, third, fourth] = [0, 1, 2, 3].map(|at| hex(words[at]));
    let mut text = [b'-'; 36];
    text[..8].copy_from_slice(&first);
    text[9..13].copy_from_slice(&second[..4]);
    text[14..18].copy_from_slice(&second[4..]);
    text[19..23].copy_from_slice(&third[..4]);
    text[24..28].copy_from_slice(&third[4..]);
    text[28..].copy_from_slice(&fourth);
    text
}

/// Returns the hexadecimal digits of four bytes, computed in parallel.
fn hex(bytes: [u8; 4]) -> [u8; 8] {
    const ONES: u64 = u64::MAX / 0xff;
    let mut digits = u64::from(u32::from_be_bytes(bytes));
    digits = (digits | digits << 16) & 0x0000_ffff_0000_ffff;
    digits = (digits | digits << 8) & 0x00ff_00ff_00ff_00ff;
    digits = (digits | digits << 4) & (ONES * 0x0f);
    let letters = (digits + ONES * 6) >> 4 & ONES;
    (digits + ONES * u64::from(b'0') + letters * u64::from(b'a' - 10 - b'0')).to_be_bytes()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn uuid_text_is_its_digits_in_five_groups(bytes: [u8; 16]) {
            let digits = format!("{:032x}", u128::from_be_bytes(bytes));
            let groups = [0..8, 8..12, 12..16, 16..20, 20..32].map(|group| &digits[group]);
            prop_assert_eq!(uuid(bytes), groups.join("-"));
        }
    }

    #[test]
    fn fields_after_the_limit_are_omitted_and_open_objects_closed() {
        let mut json = JsonFields::with_limit(None, 12);
        json.enter("a", Shape::List);
        json.enter("", Shape::Object);
        json.field("b", 0..1, Value::UInt(7));
        json.leave();
        assert!(!json.is_cut());
        json.enter("", Shape::Object);
        json.enter("c", Shape::List);
        json.field("", 0..1, Value::UInt(8));
        json.leave();
        json.leave();
        json.leave();
        json.field("d", 1..2, Value::UInt(9));
        assert!(json.is_cut());
        assert_eq!(json.finish(), b"{\"a\":[{\"b\":7}]}");
        json.clear();
        assert!(!json.is_cut());
    }

    #[test]
    fn every_kind_of_value_has_its_json() {
        let mut json = JsonFields::new(None);
        json.field("null", 0..0, Value::Null);
        json.field("big", 0..0, Value::UInt(u64::MAX));
        json.field("bigger", 0..0, Value::Digits("-18446744073709551616"));
        json.field("nan", 0..0, Value::Float(f64::NAN));
        json.field("low", 0..0, Value::Float(f64::NEG_INFINITY));
        json.field("bytes", 0..0, Value::Bytes(b"\0\xff"));
        json.field("kind", 0..0, Value::Enum(2, "TWO"));
        json.field("id", 0..0, Value::Uuid(*b"0123456789abcdef"));
        json.field("lone", 0..0, Value::Units(&[0x61, 0xd83d, 0x22, 10]));
        json.enter("list", Shape::List);
        json.field("", 0..0, Value::Int(-1));
        json.enter("", Shape::Object);
        json.leave();
        json.leave();
        json.field("text", 0..0, Value::Text("a\"\n"));
        assert_eq!(
            std::str::from_utf8(json.finish()).unwrap(),
            concat!(
                r#"{"null":null,"big":18446744073709551615,"bigger":-18446744073709551616,"#,
                r#""nan":"NaN","low":"-Infinity","bytes":{"base64":"AP8="},"kind":"TWO","#,
                r#""id":"30313233-3435-3637-3839-616263646566","lone":"a\ud83d\"\u000a","#,
                r#""list":[-1,{}],"text":"a\"\n"}"#
            )
        );
    }

    #[test]
    fn member_is_a_field_by_its_name() {
        const KEY: FieldName = FieldName::new("snapshot_root");
        let (mut members, mut fields) = (JsonFields::new(None), JsonFields::new(None));
        for value in [Value::Int(-7), Value::Text("/a"), Value::Null] {
            members.member(&KEY, 0..1, value);
            fields.field("snapshot_root", 0..1, value);
            members.enter("inner", Shape::Object);
            fields.enter("inner", Shape::Object);
        }
        assert_eq!(members.finish(), fields.finish());
    }

    #[test]
    fn groups_left_open_by_an_error_are_closed() {
        let mut json = JsonFields::new(None);
        json.enter("request", Shape::Object);
        json.enter("1", Shape::List);
        assert_eq!(json.finish(), br#"{"request":{"1":[]}}"#);
    }

    #[test]
    fn redaction_keeps_names_and_numbers_and_replaces_user_data() {
        let redaction = Redaction::new([7; 16]);
        let mut json = JsonFields::new(Some(redaction));
        json.field("method", 0..4, Value::Name("ping"));
        json.field("src", 4..12, Value::Text("/secret"));
        json.field("again", 4..12, Value::Units(&"/secret".encode_utf16().collect::<Vec<_>>()));
        json.field("n", 12..13, Value::Int(1));
        let secret = redaction.replace(b"/secret");
        let expected = format!(r#"{{"method":"ping","src":"{secret}","again":"{secret}","n":1}}"#);
        assert_eq!(json.finish(), expected.as_bytes());
    }
}
