//! Decoder of both directions of a captured child's streams.

use std::{borrow::Cow, mem::take, ops::Range};

use serde::{Deserialize, Serialize};

use super::{
    LINE_LIMIT, MAX_LINES, Op, OpCode, OpTable, ResponseFormat,
    ops::{self, CLEARED, Line},
    reader::{ChildMessage, ChildScan, LineCount, OpPrefix, SaidScan, said},
    responses::{
        DecodeResult, SYNCED, count, decode_response, decode_unrequested, line_at, number,
        task_line, text,
    },
};
use crate::{
    DecodeErrorKind, Result,
    cost::examined,
    frame::Input,
    message::{CallEvent, Decoded, Kind, Message, ProtocolDecoder, Request, Side},
    pending_calls::PendingCalls,
    resync::{self, Start},
    scan::{Scan, Search},
    secrets::is_secret_name,
    visit::{Shape, Value, Visitor},
};

/// Decoder of one child and its task.
#[derive(Debug, Default, Deserialize, Serialize)]
pub struct Connection {
    table: OpTable,
    /// Next operation that the task itself writes.
    next: Phase,
    /// Number of steps that the child has acknowledged; `None` if no bytes of the child were captured.
    acknowledged: Option<usize>,
    /// Operations that wait for a response; the oldest is answered first.
    open: PendingCalls<(), PendingQuestion>,
    user: Option<String>,
}

/// Operation that waits for its response.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
struct PendingQuestion {
    code: OpCode,
    /// Number of steps that the child had acknowledged before it.
    acknowledged: usize,
}

/// Operations of the task, in their order.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
enum Phase {
    #[default]
    Start,
    Configuration,
    Setup,
    Bsp,
    Cleanup,
    Over,
}

impl Phase {
    fn code(self) -> Option<i32> {
        Some(match self {
            Self::Start => 0,
            Self::Configuration => 1,
            Self::Setup => 3,
            Self::Bsp => 4,
            Self::Cleanup => 5,
            Self::Over => return None,
        })
    }

    fn after(self) -> Self {
        match self {
            Self::Start => Self::Configuration,
            Self::Configuration => Self::Setup,
            Self::Setup => Self::Bsp,
            Self::Bsp => Self::Cleanup,
            Self::Cleanup | Self::Over => Self::Over,
        }
    }

    /// Number of acknowledgements that precede it.
    fn waits_for(self) -> usize {
        match self {
            Self::Start | Self::Configuration => 0,
            Self::Setup => 1,
            Self::Bsp => 2,
            Self::Cleanup => 3,
            Self::Over => usize::MAX,
        }
    }
}

impl Connection {
    /// Whether `bytes`, the first of a task, begin a conversation; `None` if there are too few.
    #[must_use]
    pub fn probe(bytes: &[u8]) -> Option<bool> {
        let len = bytes.len().min(OPENING.len());
        if bytes[..len] != OPENING[..len] {
            return Some(false);
        }
        (len == OPENING.len()).then_some(true)
    }

    fn child<'a, V: Visitor>(
        &mut self,
        bytes: &'a [u8],
        input: Input,
        scan: &mut Scan,
        visitor: &mut V,
    ) -> DecodeResult<'a> {
        let mut child = scan.known().map_or_else(Default::default, |it| take(&mut it.child));
        let mut at = child.blanks;
        loop {
            match said(self.table, &bytes[at..], input, LINE_LIMIT, &mut child.said)
                .map_err(|error| error.moved(at))?
            {
                OpPrefix::Incomplete => {
                    scan.places().child = child;
                    return Ok(None);
                }
                OpPrefix::Blank(len) => {
                    at += len;
                    child = ChildScan { blanks: at, ..ChildScan::default() };
                    if at > BLANK_LIMIT {
                        let (value, limit) = (at as u64, BLANK_LIMIT as u64);
                        return Err(DecodeErrorKind::OverLimit { value, limit }.at("blanks", 0));
                    }
                }
                OpPrefix::ChildMessage(said, len) => {
                    let moved = |range: &Range<usize>| range.start + at..range.end + at;
                    let message = match &said {
                        ChildMessage::Ack(step) => self.ack(bytes, moved(step), visitor),
                        ChildMessage::Op(op, text, lines) => {
                            let lines: Vec<_> = lines.iter().map(moved).collect();
                            self.operation(*op, bytes, moved(text), &lines, visitor)
                        }
                    };
                    return Ok(Some((message, at + len)));
                }
            }
        }
    }

    fn ack<'a, V: Visitor>(
        &mut self,
        bytes: &[u8],
        step: Range<usize>,
        visitor: &mut V,
    ) -> Message<'a> {
        let acknowledged = self.acknowledged.unwrap_or_default();
        self.acknowledged = Some(acknowledged.saturating_add(1));
        let mut message = Message::new(Side::Client, "ACK", Kind::Control);
        let code = number(&bytes[step.clone()]).and_then(|code| i32::try_from(code).ok());
        if let Some(op) = code.and_then(|code| self.table.op(code)) {
            visitor.field("operation", step, Value::Enum(op.code.number().into(), op.name));
        } else {
            message.error = Some(DecodeErrorKind::NotANumber.at("operation", step.start));
            visitor.field("operation", step.clone(), text(&bytes[step]));
        }
        message
    }

    fn operation<'a, V: Visitor>(
        &mut self,
        op: Op,
        bytes: &'a [u8],
        own: Range<usize>,
        lines: &[Range<usize>],
        visitor: &mut V,
    ) -> Message<'a> {
        self.acknowledged.get_or_insert(0);
        let mut message = Message::new(Side::Client, op.name, Kind::Control);
        match (op.code, lines) {
            (OpCode::WriteKeyValue, [key, value]) => {
                message.kind = Kind::Event;
                visitor.field("key", key.clone(), text(&bytes[key.clone()]));
                visitor.field("value", value.clone(), text(&bytes[value.clone()]));
            }
            (OpCode::SendMessage, [peer, sent]) => {
                message.kind = Kind::Event;
                visitor.field("peer_name", peer.clone(), text(&bytes[peer.clone()]));
                visitor.field("message", sent.clone(), text(&bytes[sent.clone()]));
            }
            (OpCode::GetPeerName, [index]) => {
                message.error = count("index", index, bytes, visitor).err();
            }
            (OpCode::Log, _) => {
                message.kind = Kind::Event;
                visitor.field("text", own.clone(), text(&bytes[own]));
            }
            (OpCode::ReopenInput, _) => message.kind = Kind::Event,
            _ => {}
        }
        if op.response != ResponseFormat::None {
            let acknowledged = self.acknowledged.unwrap_or_default();
            let token = self.open.open((), PendingQuestion { code: op.code, acknowledged });
            message.kind = Kind::Request;
            message.id = Some(token.cast_signed());
            let target = lines.first().map(|line| String::from_utf8_lossy(&bytes[line.clone()]));
            message.call = CallEvent::Request(Request {
                token,
                interface: Cow::Borrowed(""),
                method: Cow::Borrowed(op.name),
                target,
                retry: None,
                caller_context: None,
            });
        }
        message
    }

    fn task<'a, V: Visitor>(
        &mut self,
        bytes: &[u8],
        end: bool,
        scan: &mut Scan,
        visitor: &mut V,
    ) -> DecodeResult<'a> {
        if let Some(places) = scan.known()
            && !end
            && !self.has_lines(bytes, &mut places.lines)
        {
            return Ok(None);
        }
        let decoded = self.task_message(bytes, visitor)?;
        if decoded.is_none() {
            scan.places().lines.count(bytes);
        }
        Ok(decoded)
    }

    /// Whether the task's bytes have as many lines as the message at their start needs, or a line that is too
    /// long.
    fn has_lines(&self, bytes: &[u8], lines: &mut LineCount) -> bool {
        lines.count(bytes);
        let counted = |lines: &mut LineCount, from, before: usize| match lines.number(bytes, from) {
            Some(count) => before + 1 + count,
            None => 0,
        };
        let needed = if let Some(op) = self.answered() {
            match op.response {
                ResponseFormat::None | ResponseFormat::Byte => 0,
                ResponseFormat::Success => 1,
                ResponseFormat::Lines(count) => count,
                ResponseFormat::Counted if lines.len() == 0 => 1,
                ResponseFormat::Counted => counted(lines, 0, 0),
            }
        } else if bytes.first() == Some(&CLEARED) {
            0
        } else if self.next == Phase::Start && bytes.starts_with(&OPENING[..OPENING_LINE]) {
            2
        } else if self.next == Phase::Configuration && bytes.starts_with(CONFIGURATION) {
            if bytes.len() > LINE_LIMIT {
                0
            } else if lines.len() < 2 {
                2
            } else {
                counted(lines, CONFIGURATION.len(), 1)
            }
        } else {
            1
        };
        lines.is_over() || lines.len() >= needed
    }

    /// Returns the operation that is answered next: operations of a step are answered after the step has begun.
    fn answered(&self) -> Option<Op> {
        let (_, asked) = self.open.first(&())?;
        if asked.acknowledged >= self.next.waits_for() {
            return None;
        }
        Some(asked.code.op())
    }

    fn task_message<'a, V: Visitor>(&mut self, bytes: &[u8], visitor: &mut V) -> DecodeResult<'a> {
        if let Some(op) = self.answered() {
            let answered = decode_response(op, bytes, visitor)?;
            return Ok(answered.map(|(mut message, len)| {
                let token = self.open.close(&()).map(|(token, _)| token);
                message.id = token.map(u64::cast_signed);
                if let CallEvent::Reply(reply) = &mut message.call {
                    reply.token = token;
                }
                (message, len)
            }));
        }
        let due = self.acknowledged.is_none_or(|seen| seen >= self.next.waits_for());
        if due && let Some(code) = self.next.code() {
            let Some((line, len)) = task_line(bytes)? else { return Ok(None) };
            if is_op(&bytes[line], code) {
                return self.stage(bytes, len, visitor);
            }
            if self.next == Phase::Setup {
                // A value of the configuration that is more than one line.
                // Its name is unknown: it may belong to a password.
                visitor.secret("leftover", 0..len - 1, text(&bytes[..len - 1]));
                return Ok(Some((
                    Message::new(Side::Server, "SET_BSPJOB_CONF", Kind::Control),
                    len,
                )));
            }
        }
        decode_unrequested(bytes, visitor)
    }

    fn stage<'a, V: Visitor>(
        &mut self,
        bytes: &[u8],
        first: usize,
        visitor: &mut V,
    ) -> DecodeResult<'a> {
        let name = match self.next {
            Phase::Start => "START",
            Phase::Configuration => "SET_BSPJOB_CONF",
            Phase::Setup => "RUN_SETUP",
            Phase::Bsp => "RUN_BSP",
            Phase::Cleanup | Phase::Over => "RUN_CLEANUP",
        };
        let mut message = Message::new(Side::Server, name, Kind::Control);
        let mut len = first;
        match self.next {
            Phase::Start => {
                let Some((line, next)) = line_at(bytes, len)? else { return Ok(None) };
                message.error = count("protocol", &line, bytes, visitor).err();
                len = next;
            }
            Phase::Configuration => match self.configuration(bytes, len, visitor)? {
                Some(next) => len = next,
                None => return Ok(None),
            },
            _ => {}
        }
        self.next = self.next.after();
        Ok(Some((message, len)))
    }

    fn configuration<V: Visitor>(
        &mut self,
        bytes: &[u8],
        from: usize,
        visitor: &mut V,
    ) -> Result<Option<usize>> {
        let Some((line, mut at, lines)) = lines_of(bytes, from)? else { return Ok(None) };
        let mut values = Vec::new();
        let within = &bytes[..bytes.len().min(LINE_LIMIT)];
        for _ in 0..lines {
            let Some((line, next)) = line_at(within, at)? else {
                if bytes.len() > within.len() {
                    let limit = LINE_LIMIT as u64;
                    let problem = DecodeErrorKind::OverLimit { value: limit + 1, limit };
                    return Err(problem.at("configuration", 0));
                }
                return Ok(None);
            };
            values.push(line);
            at = next;
        }
        visitor.field("count", line, Value::UInt(lines as u64));
        visitor.enter("configuration", Shape::List);
        let mut follows_secret = false;
        for pair in values.chunks(2) {
            visitor.enter("", Shape::Object);
            let key = &bytes[pair[0].clone()];
            show_line("key", pair[0].clone(), bytes, follows_secret, visitor);
            let is_secret = names_secret(key);
            if let Some(value) = pair.get(1) {
                show_line("value", value.clone(), bytes, is_secret, visitor);
                // After a value of two lines, all names are read as values.
                follows_secret = !is_secret && names_secret(&bytes[value.clone()]);
                if key == USER {
                    self.user = Some(String::from_utf8_lossy(&bytes[value.clone()]).into_owned());
                }
            }
            visitor.leave();
        }
        visitor.leave();
        Ok(Some(at))
    }

    /// Returns the writer of the bytes at the start, if it is unknown which side wrote them.
    fn writer(&self, bytes: &[u8], scan: &mut Scan) -> Result<Option<Side>> {
        if bytes[0] == CLEARED {
            return Ok(Some(Side::Server));
        }
        if let Some(places) = scan.known() {
            if places.lines.writer.is_some() {
                return Ok(places.lines.writer);
            }
            places.lines.count(bytes);
            if places.lines.len() == 0 && !places.lines.is_over() {
                return Ok(None);
            }
        }
        let Some((line, _)) = task_line(bytes)? else {
            scan.places().lines.count(bytes);
            return Ok(None);
        };
        let line = &bytes[line];
        let of_task = [0, 1, 3, 4, 5].into_iter().any(|code| is_op(line, code));
        let of_child = is_strict(self.table, line) && line != SYNCED;
        let writer = Some(if of_child && !of_task { Side::Client } else { Side::Server });
        if let Some(places) = scan.known() {
            places.lines.writer = writer;
        }
        Ok(writer)
    }
}

/// Shows a line of the configuration.
fn show_line<V: Visitor>(
    name: &str,
    at: Range<usize>,
    bytes: &[u8],
    is_secret: bool,
    visitor: &mut V,
) {
    let value = text(&bytes[at.clone()]);
    if is_secret {
        visitor.secret(name, at, value);
    } else {
        visitor.field(name, at, value);
    }
}

/// Whether the line after this one is a secret.
fn names_secret(line: &[u8]) -> bool {
    is_secret_name(&String::from_utf8_lossy(line))
}

impl ProtocolDecoder for Connection {
    fn decode<'a, V: Visitor>(
        &mut self,
        side: Option<Side>,
        bytes: &'a [u8],
        end: bool,
        scan: &mut Scan,
        visitor: &mut V,
    ) -> Decoded<'a> {
        let input = if end { Input::Ended } else { Input::Open };
        let side = match side.map_or_else(|| self.writer(bytes, scan), |side| Ok(Some(side))) {
            Ok(Some(side)) => side,
            Ok(None) => return Decoded::Incomplete,
            Err(error) => return Decoded::Malformed(error),
        };
        let decoded = match side {
            Side::Client => self.child(bytes, input, scan, visitor),
            Side::Server => self.task(bytes, end, scan, visitor),
        };
        match decoded {
            Ok(Some((message, len))) => Decoded::Message(message, len),
            Ok(None) => Decoded::Incomplete,
            Err(error) => Decoded::Malformed(error),
        }
    }

    fn resync(
        &self,
        side: Option<Side>,
        bytes: &[u8],
        end: bool,
        scan: &mut Scan,
    ) -> std::result::Result<usize, usize> {
        let known = self.acknowledged.is_some() || self.next != Phase::Start;
        let places = scan.places();
        let (search, said) = (&mut places.search, &mut places.child.said);
        if search.is_found {
            return Ok(search.at);
        }
        // The content of lines with values does not identify them.
        let is_any_line = known && side == Some(Side::Server);
        while search.at < bytes.len() {
            let rest = &bytes[search.at..];
            let begins = match side {
                _ if is_any_line => Some(may_be_line(rest, end)),
                Some(Side::Server) => Self::probe(rest),
                _ => resync::follow(bytes, end, search, |_| Start::After(0), &mut |_, rest| {
                    front(self.table, rest, end, said)
                }),
            };
            match begins {
                Some(true) => {
                    search.is_found = true;
                    return Ok(search.at);
                }
                Some(false) => {
                    *said = SaidScan::default();
                    let next = if is_any_line {
                        memchr::memchr(b'\n', rest)
                    } else {
                        // No other line is an operation.
                        memchr::memmem::find(rest, b"\n%")
                    };
                    examined(next.unwrap_or(rest.len()));
                    let at = next.map_or(bytes.len(), |by| search.at + by + 1);
                    *search = Search { at, ..Search::default() };
                }
                None => return Err(search.at),
            }
        }
        Err(search.at)
    }

    fn awaits_peer(&self, side: Side, bytes: &[u8], _: &mut Scan) -> bool {
        if side == Side::Client {
            return false;
        }
        let due = self.acknowledged.unwrap_or_default() >= self.next.waits_for();
        !bytes.is_empty() && !self.open.is_open(&()) && !due
    }

    fn user(&self) -> Option<&str> {
        self.user.as_deref()
    }

    fn held(&self) -> usize {
        self.user.as_ref().map_or(0, String::len) + self.open.held()
    }

    fn validate(&self) -> Option<u64> {
        let steps = self.acknowledged.unwrap_or_default();
        let can_be_asked = |asked: &PendingQuestion| {
            asked.code.op().response != ResponseFormat::None && asked.acknowledged <= steps
        };
        let asked = || self.open.iter().map(|((), asked)| asked);
        let are_sound =
            asked().all(can_be_asked) && asked().is_sorted_by_key(|asked| asked.acknowledged);
        self.open.validate().filter(|_| are_sound)
    }
}

/// Returns the range of the count of the configuration's lines, the offset of its first line, and the count.
fn lines_of(bytes: &[u8], from: usize) -> Result<Option<(Range<usize>, usize, usize)>> {
    let Some((line, first)) = line_at(bytes, from)? else { return Ok(None) };
    let lines = number(&bytes[line.clone()]).and_then(|count| usize::try_from(count).ok());
    let Some(lines) = lines else {
        return Err(DecodeErrorKind::NotANumber.at("count", line.start));
    };
    if lines > MAX_LINES {
        let problem = DecodeErrorKind::OverLimit { value: lines as u64, limit: MAX_LINES as u64 };
        return Err(problem.at("count", line.start));
    }
    Ok(Some((line, first, lines)))
}

/// Whether `bytes` can begin a line of values: it ends within the limit, or can still end.
fn may_be_line(bytes: &[u8], end: bool) -> bool {
    let within = &bytes[..bytes.len().min(LINE_LIMIT + 1)];
    let line = memchr::memchr(b'\n', within);
    examined(line.unwrap_or(within.len()));
    line.is_some() || bytes.first() == Some(&CLEARED) || (!end && bytes.len() <= LINE_LIMIT)
}

/// Decodes the operation at the start, in the form that the protocol's document defines. `scan` is the progress
/// for these bytes, and is updated to that for the bytes after them.
fn front(table: OpTable, bytes: &[u8], end: bool, scan: &mut SaidScan) -> resync::FrameProbe {
    let input = if end { Input::Ended } else { Input::Open };
    if bytes.first().is_some_and(|first| *first != b'%') {
        return resync::FrameProbe::NoFrame;
    }
    if scan.is_new() {
        let mut lines = scan.lines;
        match lines.next_line(bytes, input, LINE_LIMIT) {
            Ok(Some(line)) if is_strict(table, &bytes[..line.end]) => {}
            Ok(None) => {
                scan.lines = lines;
                return resync::FrameProbe::TooShort(bytes.len() + 1);
            }
            Ok(Some(_)) | Err(_) => return resync::FrameProbe::NoFrame,
        }
    }
    match said(table, bytes, input, LINE_LIMIT, scan) {
        Ok(OpPrefix::ChildMessage(_, len)) => resync::FrameProbe::Frame(len),
        Ok(OpPrefix::Incomplete) => resync::FrameProbe::TooShort(bytes.len() + 1),
        Ok(OpPrefix::Blank(_)) | Err(_) => resync::FrameProbe::NoFrame,
    }
}

/// Whether a line is an operation or an acknowledgement in the form that the protocol's document defines.
fn is_strict(table: OpTable, line: &[u8]) -> bool {
    let Some(rest) = line.strip_prefix(b"%") else { return false };
    let Some(end) = memchr::memchr(b'%', rest) else { return false };
    let (head, rest) = rest.split_at(end);
    let digits = head.strip_prefix(b"ACK_").unwrap_or(head);
    let is_number = !digits.is_empty() && digits.iter().all(u8::is_ascii_digit);
    is_number
        && rest.starts_with(b"%=")
        && ops::parse(table, line) != Ok(Line::Blank)
        && ops::parse(table, line).is_ok()
}

fn is_op(line: &[u8], code: i32) -> bool {
    line == format!("%{code}%=").as_bytes()
}

/// Maximum number of bytes of empty lines before a line of a child (chosen by jvmwire).
const BLANK_LIMIT: usize = 1 << 12;

/// First bytes of a task, the same for every job.
const OPENING: &[u8] = b"%0%=\n0\n%1%=\n";
/// Length of the first line of [`OPENING`].
const OPENING_LINE: usize = 5;
/// First line of the configuration.
const CONFIGURATION: &[u8] = b"%1%=\n";
/// Key of the user's name, set by `BSPJob.setUser`.
const USER: &[u8] = b"user.name";

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const TASK: &[u8] =
        b"%0%=\n0\n%1%=\n4\nuser.name\nbob\na\nb\n%3%=\n%4%=\nk\nv\n\x123\n%11%=_SUCCESS\n%5%=\n";
    const CHILD: &[u8] = b"%ACK_0%=\n%ACK_3%=\n%6%=\n%18%=\n%15%=\n%11%=\n%31%=hi\n%7%=\nk\nv\n%ACK_4%=\n%ACK_5%=\n%22%=\n%21%=\n";

    #[test]
    fn hama_child_line_after_many_blanks_is_not_waited_for() {
        let next = |said: &str, blanks| {
            let wire = "\n".repeat(blanks) + said;
            let client = Some(Side::Client);
            match Connection::default().decode(
                client,
                wire.as_bytes(),
                false,
                &mut Scan::default(),
                &mut (),
            ) {
                Decoded::Incomplete => None,
                Decoded::Message(_, len) => Some(Ok(len == wire.len())),
                Decoded::Malformed(error) => Some(Err(error.to_string())),
            }
        };
        assert_eq!(next("", BLANK_LIMIT), None);
        assert_eq!(next("%ACK_0%=\n", BLANK_LIMIT), Some(Ok(true)));
        let refused = next("", BLANK_LIMIT + 1);
        assert!(matches!(refused, Some(Err(_))));
        assert_eq!(next("%ACK_0%=\n", 9 * BLANK_LIMIT), refused);
    }

    #[test]
    fn configuration_is_read_once_all_its_lines_have_come() {
        let mut connection = Connection { next: Phase::Configuration, ..Connection::default() };
        let lines = 1000;
        let wire = format!("%1%=\n{lines}\n{}", "key or value\n".repeat(lines)).into_bytes();
        let (server, mut scan) = (Some(Side::Server), Scan::default());
        for len in (1..wire.len()).step_by(7) {
            let decoded = connection.decode(server, &wire[..len], false, &mut scan, &mut ());
            assert_eq!(decoded, Decoded::Incomplete, "{len}");
        }
        assert_eq!(scan.places().lines.len(), lines + 1);
        let decoded = connection.decode(server, &wire, false, &mut scan, &mut ());
        let Decoded::Message(message, len) = decoded else { panic!("{decoded:?}") };
        assert_eq!((message.name, len), ("SET_BSPJOB_CONF", wire.len()));
    }

    #[test]
    fn configuration_over_the_limit_is_refused_however_it_is_cut() {
        let line = [&vec![b'v'; LINE_LIMIT - 100][..], b"\n"].concat();
        let wire = [b"%1%=\n3\n", &line[..], &line, &line].concat();
        for len in [LINE_LIMIT + 1, LINE_LIMIT + 200, wire.len()] {
            let mut connection = Connection { next: Phase::Configuration, ..Connection::default() };
            let (server, mut scan) = (Some(Side::Server), Scan::default());
            connection.decode(server, &wire[..LINE_LIMIT], false, &mut scan, &mut ());
            let decoded = connection.decode(server, &wire[..len], false, &mut scan, &mut ());
            let Decoded::Malformed(error) = decoded else { panic!("{decoded:?}") };
            assert_eq!((error.what, error.offset), ("configuration", 0));
        }
    }

    /// Undecoded bytes of one side.
    #[derive(Default)]
    struct Wire(Vec<u8>, Scan);

    impl Wire {
        /// Feeds bytes, and reports what is complete or malformed now.
        fn feed(
            &mut self,
            connection: &mut Connection,
            side: Option<Side>,
            bytes: &[u8],
            remembers: bool,
        ) -> Vec<(&'static str, usize)> {
            self.0.extend_from_slice(bytes);
            let mut told = Vec::new();
            while !self.0.is_empty() {
                if !remembers {
                    self.1.reset();
                }
                let (name, len) =
                    match connection.decode(side, &self.0, false, &mut self.1, &mut ()) {
                        Decoded::Message(message, len) => (message.name, len),
                        Decoded::Malformed(error) => (error.what, 1),
                        Decoded::Incomplete => break,
                    };
                told.push((name, len));
                self.0.drain(..len);
                self.1.reset();
            }
            told
        }
    }

    proptest! {
        #[test]
        fn header_cache_changes_no_message(
            parts in prop::collection::vec(
                (any::<bool>(), prop::sample::select(vec![
                    "%0%=\n0\n", "%1%=\n4\na\nb\nc\nd\n", "%1%=\n2\nk\nv\n", "%3%=\n", "%4%=\n", "%5%=\n",
                    "%ACK_0%=\n", "%ACK_3%=\n", "%ACK_4%=\n", "%6%=\n", "%10%=\r\npeer\r\nmessage\r\n",
                    "%12%=\n", "%18%=\n", "%11%=\n", "%11%=_SUCCESS\n", "\x12", "2\na\nb\n", "key\nvalue\n", "7\n",
                    "\r", "\n", "12", "%",
                ])),
                0..30,
            ),
            seen_from_start in any::<bool>(),
            both in any::<bool>(),
            size in 1..9_usize,
        ) {
            let parts: Vec<_> = if seen_from_start {
                [(false, "%0%=\n0\n"), (false, "%1%=\n4\n")].into_iter().chain(parts).collect()
            } else {
                parts
            };
            let told = |remembers| {
                let (mut connection, mut wires) = (Connection::default(), <[Wire; 2]>::default());
                let mut told = Vec::new();
                for (is_child, part) in &parts {
                    let side = if *is_child { Side::Client } else { Side::Server };
                    let (place, judged) = if both { (0, None) } else { (side as usize, Some(side)) };
                    for piece in part.as_bytes().chunks(size) {
                        told.push(wires[place].feed(&mut connection, judged, piece, remembers));
                    }
                }
                told
            };
            prop_assert_eq!(told(true), told(false));
        }
    }

    fn names(connection: &mut Connection, side: Option<Side>, bytes: &[u8]) -> Vec<&'static str> {
        let (mut at, mut names) = (0, Vec::new());
        while at < bytes.len() {
            match connection.decode(side, &bytes[at..], true, &mut Scan::default(), &mut ()) {
                Decoded::Message(message, len) => {
                    assert_eq!(message.error, None, "{}", message.name);
                    names.push(message.name);
                    at += len;
                }
                other => panic!("{other:?} at {at}"),
            }
        }
        names
    }

    #[test]
    fn child_writes_operations_and_acknowledgements() {
        let mut connection = Connection::default();
        let expected = [
            "ACK",
            "ACK",
            "READ_KEYVALUE",
            "CLEAR",
            "GET_PEER_COUNT",
            "SYNC",
            "LOG",
            "WRITE_KEYVALUE",
            "ACK",
            "ACK",
            "TASK_DONE",
            "DONE",
        ];
        assert_eq!(names(&mut connection, Some(Side::Client), CHILD), expected);
        assert_eq!(connection.open.iter().count(), 4);
    }

    #[test]
    fn task_replies_are_decoded_by_the_operations_of_the_child() {
        let mut connection = Connection::default();
        names(&mut connection, Some(Side::Client), CHILD);
        connection.open.close_all();
        connection.acknowledged = None;
        assert_eq!(
            names(&mut connection, Some(Side::Server), &TASK[..TASK.len() - 26]),
            ["START", "SET_BSPJOB_CONF", "RUN_SETUP", "RUN_BSP"]
        );
        assert_eq!(connection.user(), Some("bob"));
        names(&mut connection, Some(Side::Client), CHILD);
        let rest = &TASK[TASK.len() - 26..];
        assert_eq!(
            names(&mut connection, Some(Side::Server), rest),
            ["REPLY", "CLEAR", "REPLY", "SYNC", "RUN_CLEANUP"]
        );
    }

    #[test]
    fn task_alone_is_lines() {
        let mut connection = Connection::default();
        assert_eq!(
            names(&mut connection, Some(Side::Server), TASK),
            [
                "START",
                "SET_BSPJOB_CONF",
                "RUN_SETUP",
                "RUN_BSP",
                "REPLY",
                "REPLY",
                "CLEAR",
                "REPLY",
                "SYNC",
                "RUN_CLEANUP",
            ]
        );
    }

    #[test]
    fn configuration_lines_follow_a_long_value() {
        let wire = b"%0%=\n0\n%1%=\n2\nkey\none\ntwo\n%4%=\n%3%=\n";
        let mut connection = Connection::default();
        assert_eq!(
            names(&mut connection, Some(Side::Server), wire),
            ["START", "SET_BSPJOB_CONF", "SET_BSPJOB_CONF", "SET_BSPJOB_CONF", "RUN_SETUP"]
        );
    }

    #[test]
    fn hama_is_detected_by_the_first_line_of_the_task() {
        assert_eq!(Connection::probe(TASK), Some(true));
        assert_eq!(Connection::probe(b"%0%"), None);
        assert_eq!(Connection::probe(b"%0%=\n1\n"), Some(false));
    }

    #[test]
    fn after_damage_a_child_is_followed_from_where_three_operations_chain() {
        let connection = Connection::default();
        let damaged = [b"rest of a value\n7\nk\n", CHILD].concat();
        assert_eq!(
            connection.resync(Some(Side::Client), &damaged, false, &mut Scan::default()),
            Ok(20)
        );
        assert_eq!(
            connection.resync(
                Some(Side::Client),
                b"HTTP/1.1 200\r\n\r\n",
                true,
                &mut Scan::default()
            ),
            Err(16)
        );
        assert_eq!(
            connection.resync(
                Some(Side::Server),
                b"any\ntext\nat all\n",
                true,
                &mut Scan::default()
            ),
            Err(16)
        );
    }

    #[test]
    fn validate_rejects_unknown_pending_requests() {
        let saved = || {
            let mut connection = Connection::default();
            names(&mut connection, Some(Side::Client), CHILD);
            connection
        };
        assert_eq!(saved().validate(), Some(4));
        let forged: [fn(&mut Connection); 4] = [
            |it| it.open.replace(0, PendingQuestion { code: OpCode::Log, acknowledged: 0 }),
            |it| it.open.replace(3, PendingQuestion { code: OpCode::Sync, acknowledged: 9 }),
            |it| it.open.replace(0, PendingQuestion { code: OpCode::Sync, acknowledged: 3 }),
            |it| it.acknowledged = None,
        ];
        for forge in forged {
            let mut connection = saved();
            forge(&mut connection);
            assert_eq!(connection.validate(), None);
        }
    }
}
