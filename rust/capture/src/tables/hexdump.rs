//! Messages as annotated hex: every byte range, its field, its value.

use std::{fmt::Write, ops::Range};

use jvmwire_codec::{
    message::Side,
    visit::{HIDDEN, Shape, Value, Visitor},
};

use crate::{
    tables::json::{chosen, uuid},
    tables::redaction::Redaction,
    tables::{MessageRow, NO_STREAM},
};

/// Collects what it is shown, and prints it beside the bytes.
#[derive(Debug, Default)]
pub(crate) struct Annotations {
    notes: Vec<Note>,
    path: Vec<String>,
    redaction: Option<Redaction>,
    /// Whether bytes that no note is about may be a secret.
    hides_rest: bool,
}

#[derive(Debug)]
struct Note {
    at: Range<usize>,
    name: String,
    value: String,
    /// Whether only the value is printed, and none of the bytes.
    hides_bytes: bool,
}

impl Annotations {
    /// With a redaction, what users chose is replaced.
    pub(crate) fn new(redaction: Option<Redaction>) -> Self {
        Self { redaction, ..Self::default() }
    }

    pub(crate) fn clear(&mut self) {
        self.notes.clear();
        self.path.clear();
        self.hides_rest = false;
    }

    /// Appends the bytes of a message with what was noted of them.
    pub(crate) fn print(&mut self, bytes: &[u8], out: &mut String) {
        self.notes.sort_by_key(|note| (note.at.start, note.at.end));
        let mut done = 0;
        for note in &self.notes {
            if note.at.start > done {
                self.print_rest(bytes, done..note.at.start, out);
            }
            let _ = writeln!(out, "// {}", note.name);
            if note.hides_bytes {
                let _ = writeln!(out, "// = {}", note.value);
            } else {
                print_bytes(bytes, note.at.start.max(done)..note.at.end, &note.value, out);
            }
            done = done.max(note.at.end);
        }
        if done < bytes.len() {
            out.push_str("// not decoded\n");
            self.print_rest(bytes, done..bytes.len(), out);
        }
    }

    /// Prints bytes that no note is about.
    fn print_rest(&self, bytes: &[u8], at: Range<usize>, out: &mut String) {
        let at = at.start..at.end.min(bytes.len());
        if self.hides_rest {
            let _ = writeln!(out, "// = {}", hidden(&at));
        } else if let Some(redaction) = self.redaction {
            let _ = writeln!(out, "// = {}", redaction.of(&bytes[at]));
        } else {
            print_bytes(bytes, at, "", out);
        }
    }

    fn note(&mut self, name: &str, at: Range<usize>, value: Value<'_>) {
        // Elements of lists have no name.
        let names = self.path.iter().map(String::as_str).chain([name]);
        let path = names.filter(|name| !name.is_empty()).collect::<Vec<_>>().join(".");
        let replaced = self.redaction.zip(chosen(value)).map(|(by, chosen)| by.of(&chosen));
        let hides_bytes = replaced.is_some() || matches!(value, Value::Hidden | Value::Masked(_));
        let value = match value {
            Value::Hidden => hidden(&at),
            value => replaced.unwrap_or_else(|| in_words(value)),
        };
        // A name may be a key that a peer wrote.
        let name = path.replace('_', " ").escape_debug().to_string();
        self.notes.push(Note { at, name, value, hides_bytes });
    }
}

impl Visitor for Annotations {
    fn field(&mut self, name: &str, at: Range<usize>, value: Value<'_>) {
        self.note(name, at, value);
    }

    fn layout(&mut self, name: &str, at: Range<usize>, value: Value<'_>) {
        self.note(name, at, value);
    }

    fn hide_rest(&mut self) {
        self.hides_rest = true;
    }

    fn enter(&mut self, name: &str, _: Shape) {
        self.path.push(name.to_owned());
    }

    fn leave(&mut self) {
        self.path.pop();
    }
}

/// The line above a message's bytes; it says the stream's number if there may be others.
pub(crate) fn heading(
    side: Side,
    offset: u64,
    len: usize,
    name: &str,
    stream: Option<i64>,
    out: &mut String,
) {
    let (side, of) = (side.name(), of_stream(stream));
    // A method's name is what the client wrote.
    let name = name.escape_debug();
    let _ = writeln!(out, "// ---- {name}: {side} wrote {len} bytes at offset {offset}{of}");
}

/// The line for bytes that are no message: of a stream, or of the file itself.
pub(crate) fn undecoded(row: &MessageRow<'_>, stream: Option<i64>, out: &mut String) {
    let (offset, len) = (row.offset.unwrap_or_default(), row.length.unwrap_or_default());
    if row.stream == Some(NO_STREAM) {
        let _ = writeln!(out, "// ---- {len} bytes of the capture at offset {offset}");
        return;
    }
    let (side, of) = (row.side.unwrap_or_default(), of_stream(stream));
    let _ = writeln!(out, "// ---- {len} bytes of the {side} at offset {offset}{of}");
}

fn of_stream(stream: Option<i64>) -> String {
    stream.map_or_else(String::new, |stream| format!(" of stream {stream}"))
}

fn print_bytes(bytes: &[u8], at: Range<usize>, value: &str, out: &mut String) {
    let shown = bytes.get(at).unwrap_or_default();
    let lines = shown.chunks(BYTES_A_LINE).map(|line| {
        let bytes: Vec<String> = line.iter().map(|byte| format!("0x{byte:02x},")).collect();
        bytes.join(" ")
    });
    out.push_str(&lines.collect::<Vec<_>>().join("\n"));
    if !value.is_empty() {
        let _ = write!(out, "{}// = {value}", if shown.is_empty() { "" } else { " " });
    }
    out.push('\n');
}

/// What is said of a secret: how many bytes it takes.
fn hidden(at: &Range<usize>) -> String {
    format!("{HIDDEN}, {} bytes", at.len())
}

fn in_words(value: Value<'_>) -> String {
    match value {
        Value::Null => "null".into(),
        Value::Bool(value) => value.to_string(),
        Value::Int(value) => value.to_string(),
        Value::UInt(value) => value.to_string(),
        Value::Digits(digits) => digits.to_owned(),
        Value::Float(value) => value.to_string(),
        Value::Enum(number, name) => format!("{number}, {name}"),
        Value::Name(text) | Value::Text(text) | Value::Masked(text) => format!("{text:?}"),
        Value::Hidden => HIDDEN.into(),
        Value::Units(units) => format!("{:?}", String::from_utf16_lossy(units)),
        Value::Bytes(bytes) => format!("{} bytes", bytes.len()),
        Value::Uuid(bytes) => uuid(bytes),
    }
}

/// As in the documents that show such dumps.
const BYTES_A_LINE: usize = 10;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_is_printed_once_under_its_field() {
        let mut notes = Annotations::default();
        notes.layout("frame length", 0..2, Value::UInt(3));
        notes.enter("user_info", Shape::Object);
        notes.field("name", 3..5, Value::Text("ab"));
        notes.leave();
        let mut out = String::new();
        notes.print(b"\x00\x03\x0aabz", &mut out);
        assert_eq!(
            out,
            "// frame length\n0x00, 0x03, // = 3\n0x0a,\n// user info.name\n0x61, 0x62, // = \"ab\"\n\
             // not decoded\n0x7a,\n"
        );
    }
}
