//! Messages as annotated hex dumps: every byte range with its field and its value.

use std::{
    fmt::Write as _,
    fs::File,
    io::{self, BufReader, BufWriter, Read, Seek, Write},
    ops::Range,
    vec,
};

use jvmwire_codec::{
    message::Side,
    visit::{HIDDEN, Shape, Value, Visitor},
};

use crate::{
    tables::json::{chosen, uuid},
    tables::redaction::Redaction,
    tables::{MessageRow, NO_STREAM, front},
};

/// Visitor that collects fields as notes and prints each next to its bytes.
///
/// At most [`NOTES_LIMIT`] notes are kept in memory; those of a message with more are written to a compressed
/// temporary file.
#[derive(Debug, Default)]
pub(crate) struct Annotations {
    notes: Vec<Note>,
    /// Number of bytes of the notes' texts.
    noted: usize,
    spilled: Option<Spilled>,
    path: Vec<String>,
    redaction: Option<Redaction>,
    /// Whether bytes without a note may contain a secret.
    hides_rest: bool,
}

#[derive(Debug, Default, PartialEq)]
struct Note {
    at: Range<usize>,
    name: String,
    value: String,
    /// Whether only the value is printed, and not the bytes.
    hides_bytes: bool,
}

impl Annotations {
    /// Creates a visitor; with a redaction, values chosen by users are replaced.
    pub(crate) fn new(redaction: Option<Redaction>) -> Self {
        Self { redaction, ..Self::default() }
    }

    pub(crate) fn clear(&mut self) {
        self.notes.clear();
        self.noted = 0;
        self.spilled = None;
        self.path.clear();
        self.hides_rest = false;
    }

    /// Takes the notes of a message, to be printed next to its bytes.
    pub(crate) fn take<B: AsRef<[u8]>>(&mut self, bytes: B) -> Explanation<B> {
        let mut notes = std::mem::take(&mut self.notes);
        notes.sort_by_key(|note| (note.at.start, note.at.end));
        self.noted = 0;
        let (spilled, failure) = match self.spilled.take().map(Spilled::read) {
            None => (None, None),
            Some(Ok(spilled)) => (Some(spilled), None),
            Some(Err(error)) => (None, Some(error)),
        };
        Explanation {
            bytes,
            spilled,
            notes: notes.into_iter(),
            next: None,
            failure,
            done: 0,
            run: None,
            redaction: self.redaction,
            hides_rest: self.hides_rest,
        }
    }

    fn note(&mut self, name: &str, at: Range<usize>, value: Value<'_>) {
        // Elements of lists have no name.
        let names = self.path.iter().map(String::as_str).chain([name]);
        let path = names.filter(|name| !name.is_empty()).collect::<Vec<_>>().join(".");
        let replaced = self.redaction.zip(chosen(value)).map(|(by, chosen)| by.replace(&chosen));
        let hides_bytes = replaced.is_some() || matches!(value, Value::Hidden | Value::Masked(_));
        let value = match value {
            Value::Hidden => hidden(&at),
            value => replaced.unwrap_or_else(|| in_words(value)),
        };
        // A name may be a key that a peer wrote.
        let name =
            cut(&path, NAME_LIMIT, str::to_owned).replace('_', " ").escape_debug().to_string();
        self.noted += name.len() + value.len();
        self.notes.push(Note { at, name, value, hides_bytes });
        if self.notes.len() >= NOTES_LIMIT || self.noted >= TEXTS_LIMIT {
            self.spill();
        }
    }

    /// Writes the notes to the temporary file, each batch in order.
    fn spill(&mut self) {
        self.notes.sort_by_key(|note| (note.at.start, note.at.end));
        let spilled = self.spilled.get_or_insert_with(Spilled::new);
        for note in self.notes.drain(..) {
            spilled.push(&note);
        }
        self.noted = 0;
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

/// Notes in a temporary file. Once it cannot be written, further notes are dropped, and the error is kept.
#[derive(Debug)]
struct Spilled {
    file: io::Result<Encoder>,
}

/// Writer of the file.
struct Encoder(zstd::Encoder<'static, BufWriter<File>>);

impl std::fmt::Debug for Encoder {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str("Encoder")
    }
}

impl Spilled {
    fn new() -> Self {
        let file = tempfile::tempfile();
        let file = file.and_then(|file| zstd::Encoder::new(BufWriter::new(file), FASTEST));
        Self { file: file.map(Encoder) }
    }

    fn push(&mut self, note: &Note) {
        let written = match &mut self.file {
            Ok(Encoder(file)) => note.write(file),
            Err(_) => Ok(()),
        };
        if let Err(error) = written {
            self.file = Err(error);
        }
    }

    fn read(self) -> io::Result<SpilledNotes> {
        let buffered = self.file?.0.finish()?;
        let mut file = buffered.into_inner().map_err(io::IntoInnerError::into_error)?;
        file.rewind()?;
        Ok(SpilledNotes(zstd::Decoder::new(file)?))
    }
}

/// Reader of the notes in a temporary file.
struct SpilledNotes(zstd::Decoder<'static, BufReader<File>>);

impl std::fmt::Debug for SpilledNotes {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str("SpilledNotes")
    }
}

impl Note {
    fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let numbers = [self.at.start, self.at.end, self.name.len(), self.value.len()];
        out.write_all(&[1 + u8::from(self.hides_bytes)])?;
        for number in numbers {
            out.write_all(&(number as u64).to_le_bytes())?;
        }
        out.write_all(self.name.as_bytes())?;
        out.write_all(self.value.as_bytes())
    }

    /// Reads the next note; `None` after the last.
    fn read(input: &mut impl Read) -> io::Result<Option<Self>> {
        let mut flag = [0];
        if input.read(&mut flag)? == 0 {
            return Ok(None);
        }
        let mut number = || -> io::Result<usize> {
            let mut number = [0; size_of::<u64>()];
            input.read_exact(&mut number)?;
            usize::try_from(u64::from_le_bytes(number)).map_err(io::Error::other)
        };
        let [start, end, name, value] = [number()?, number()?, number()?, number()?];
        let mut text = |len: usize| -> io::Result<String> {
            let mut text = vec![0; len];
            input.read_exact(&mut text)?;
            String::from_utf8(text).map_err(io::Error::other)
        };
        let [name, value] = [text(name)?, text(value)?];
        Ok(Some(Self { at: start..end, name, value, hides_bytes: flag[0] == 2 }))
    }
}

/// Bytes of a message with its notes, printed in pieces.
#[derive(Debug)]
pub(crate) struct Explanation<B> {
    bytes: B,
    /// Notes in a temporary file, which come first.
    spilled: Option<SpilledNotes>,
    notes: vec::IntoIter<Note>,
    next: Option<Note>,
    /// Reason why notes are missing.
    failure: Option<io::Error>,
    /// Number of bytes that are printed, or will be with `run`.
    done: usize,
    run: Option<Run>,
    redaction: Option<Redaction>,
    hides_rest: bool,
}

/// Bytes that are being printed, and the text after the last one.
#[derive(Debug)]
struct Run {
    at: Range<usize>,
    value: String,
    is_begun: bool,
}

impl Explanation<Vec<u8>> {
    /// Number of bytes of memory of the explanation.
    pub(crate) fn held(&self) -> usize {
        self.bytes.len()
    }
}

impl<B: AsRef<[u8]>> Explanation<B> {
    /// Appends text until `out` is about `limit` long; returns whether more follows.
    pub(crate) fn print(&mut self, limit: usize, out: &mut String) -> bool {
        loop {
            if let Some(run) = &mut self.run {
                if !run.print(self.bytes.as_ref(), limit, out) {
                    return true;
                }
                self.run = None;
            }
            if out.len() >= limit {
                return true;
            }
            let Some(note) = self.next_note() else {
                if let Some(error) = self.failure.take() {
                    let directory = std::env::temp_dir();
                    let directory = directory.display();
                    let _ = writeln!(out, "// fields are left out: a file in {directory}: {error}");
                }
                let len = self.bytes.as_ref().len();
                if self.done >= len {
                    return false;
                }
                out.push_str("// not decoded\n");
                self.print_rest(self.done..len, out);
                continue;
            };
            if note.at.start > self.done {
                self.print_rest(self.done..note.at.start, out);
                self.next = Some(note);
                continue;
            }
            let _ = writeln!(out, "// {}", note.name);
            let from = note.at.start.max(self.done);
            self.done = self.done.max(note.at.end);
            if note.hides_bytes {
                let _ = writeln!(out, "// = {}", note.value);
            } else {
                self.run = Some(Run { at: from..note.at.end, value: note.value, is_begun: false });
            }
        }
    }

    fn next_note(&mut self) -> Option<Note> {
        if let Some(note) = self.next.take() {
            return Some(note);
        }
        if let Some(spilled) = &mut self.spilled {
            match Note::read(&mut spilled.0) {
                Ok(Some(note)) => return Some(note),
                Ok(None) => {}
                Err(error) => self.failure = Some(error),
            }
            self.spilled = None;
        }
        self.notes.next()
    }

    /// Prints bytes without a note.
    fn print_rest(&mut self, at: Range<usize>, out: &mut String) {
        let bytes = self.bytes.as_ref();
        self.done = at.end;
        let at = at.start..at.end.min(bytes.len());
        if self.hides_rest {
            let _ = writeln!(out, "// = {}", hidden(&at));
        } else if let Some(redaction) = self.redaction {
            let _ = writeln!(out, "// = {}", redaction.replace(&bytes[at]));
        } else {
            self.run = Some(Run { at, value: String::new(), is_begun: false });
        }
    }
}

impl Run {
    /// Appends lines of bytes; returns whether they are the last.
    fn print(&mut self, bytes: &[u8], limit: usize, out: &mut String) -> bool {
        let shown = bytes.get(self.at.clone()).unwrap_or_default();
        for line in shown.chunks(BYTES_A_LINE) {
            if out.len() >= limit {
                return false;
            }
            if self.is_begun {
                out.push('\n');
            }
            self.is_begun = true;
            for (number, byte) in line.iter().enumerate() {
                let separator = if number == 0 { "" } else { " " };
                let _ = write!(out, "{separator}0x{byte:02x},");
            }
            self.at.start += line.len();
        }
        if !self.value.is_empty() {
            let _ = write!(out, "{}// = {}", if self.is_begun { " " } else { "" }, self.value);
        }
        out.push('\n');
        true
    }
}

/// Formats a text, or the start of one that is longer than `limit` with its length.
fn cut(text: &str, limit: usize, words: impl Fn(&str) -> String) -> String {
    if text.len() <= limit {
        return words(text);
    }
    let begin = words(front(text, limit));
    format!("{begin}... ({} bytes)", text.len())
}

/// Appends the line above a message's bytes; it has the stream's number if there may be several.
pub(crate) fn heading(
    side: Side,
    offset: u64,
    len: usize,
    name: &str,
    stream: Option<i64>,
    out: &mut String,
) {
    let (side, of) = (side.name(), of_stream(stream));
    // The client chooses the name of the method.
    let name = name.escape_debug();
    let _ = writeln!(out, "// ---- {name}: {side} wrote {len} bytes at offset {offset}{of}");
}

/// Appends the line for bytes outside of messages: of a stream, or of the file.
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

/// Replacement text of a secret: its number of bytes.
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
        Value::Name(text) | Value::Text(text) | Value::Masked(text) => {
            cut(text, VALUE_LIMIT, |text| format!("{text:?}"))
        }
        Value::Hidden => HIDDEN.into(),
        Value::Units(units) => {
            let text = String::from_utf16_lossy(units);
            cut(&text, VALUE_LIMIT, |text| format!("{text:?}"))
        }
        Value::Bytes(bytes) => format!("{} bytes", bytes.len()),
        Value::Uuid(bytes) => uuid(bytes),
    }
}

/// Number of bytes per line, as in the documents that contain such dumps.
const BYTES_A_LINE: usize = 10;

/// Maximum number of a message's notes in memory (chosen by jvmwire), and of bytes of their texts.
const NOTES_LIMIT: usize = 1 << 16;
const TEXTS_LIMIT: usize = 8 << 20;

/// Maximum number of bytes of a value, and of a name, that are printed next to the bytes (chosen by jvmwire):
/// the bytes themselves are all printed.
const VALUE_LIMIT: usize = 64 << 10;
const NAME_LIMIT: usize = 4 << 10;

/// The fastest level: notes of one message are similar.
const FASTEST: i32 = 1;

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
        assert!(!notes.take(b"\x00\x03\x0aabz").print(usize::MAX, &mut out));
        assert_eq!(
            out,
            "// frame length\n0x00, 0x03, // = 3\n0x0a,\n// user info.name\n0x61, 0x62, // = \"ab\"\n\
             // not decoded\n0x7a,\n"
        );
    }

    fn explained(notes: &mut Annotations, bytes: &[u8], limit: usize) -> (String, usize) {
        let (mut all, mut longest) = (String::new(), 0);
        let mut explanation = notes.take(bytes);
        loop {
            let mut piece = String::new();
            let goes_on = explanation.print(limit, &mut piece);
            longest = longest.max(piece.len());
            all += &piece;
            if !goes_on {
                return (all, longest);
            }
        }
    }

    #[test]
    fn pieces_of_an_explanation_are_the_whole_and_short() {
        let bytes: Vec<u8> = (0..=255).cycle().take(5000).collect();
        let noted = || {
            let mut notes = Annotations::default();
            notes.layout("frame length", 0..2, Value::UInt(3));
            notes.field("a text", 2..4000, Value::Text("long"));
            notes.field("inside", 100..200, Value::Bool(true));
            notes.field("nowhere", 4100..4100, Value::Null);
            notes.field("hidden", 4200..4300, Value::Hidden);
            notes
        };
        let (whole, _) = explained(&mut noted(), &bytes, usize::MAX);
        for limit in [1, 100, 1000] {
            let (pieces, longest) = explained(&mut noted(), &bytes, limit);
            assert!(pieces == whole && longest <= limit + 100, "{limit}: {longest}");
        }
        assert_eq!(whole.matches("0x").count(), bytes.len() - 100);
    }

    #[test]
    fn notes_of_a_long_message_wait_in_a_file() {
        let bytes = vec![7; 2 * NOTES_LIMIT + 10];
        let mut notes = Annotations::default();
        for at in 0..bytes.len() {
            notes.field("a_number", at..at + 1, Value::UInt(7));
            assert!(notes.notes.len() < NOTES_LIMIT);
        }
        assert!(notes.spilled.is_some());
        let (whole, _) = explained(&mut notes, &bytes, 1 << 16);
        let lines = whole.lines().collect::<Vec<_>>();
        assert_eq!(lines.len(), 2 * bytes.len());
        assert!(lines.chunks(2).all(|it| it == ["// a number", "0x07, // = 7"]));
        notes.clear();
        assert!(notes.spilled.is_none());
    }

    #[test]
    fn long_values_and_names_are_cut_and_say_how_long_they_are() {
        let text = "\u{1}".repeat(VALUE_LIMIT + 1);
        let mut notes = Annotations::default();
        notes.field(&"n".repeat(NAME_LIMIT + 1), 0..1, Value::Text(&text));
        let (whole, _) = explained(&mut notes, b"x", usize::MAX);
        assert!(whole.ends_with(&format!("... ({} bytes)\n", text.len())));
        assert!(
            whole.starts_with("// n")
                && whole.contains(&format!("... ({} bytes)\n", NAME_LIMIT + 1))
        );
    }
}
