//! Decoder of both directions of a captured component's streams.

use std::{borrow::Cow, ops::Range};

use serde::{Deserialize, Serialize};

use super::{
    CREDENTIALS_STREAM, HEARTBEAT_STREAM, MESSAGE_LIMIT,
    json::{
        each_element, end_of_value, members, show, show_configuration, space, text, unexpected,
    },
};
use crate::{
    DecodeErrorKind, Result,
    cost::examined,
    frame::{Input, Messages},
    message::{
        CallEvent, Decoded, Kind, Message, Outcome, ProtocolDecoder, Reply, Request, Side, Status,
    },
    pending_calls::{CallKey, PendingCalls},
    scan::{Answers, Scan},
    visit::{Shape, Value, Visitor},
};

/// Decoder of one component and its Storm worker.
#[derive(Debug, Default, Deserialize, Serialize)]
pub struct Connection {
    /// Whether the component is a spout, once that is known.
    is_spout: Option<bool>,
    calls: PendingCalls<Awaited>,
}

/// Event that ends a call.
#[derive(Clone, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
enum Awaited {
    /// Ack or fail of the tuple with this id.
    TupleEnd(String),
    /// Sync: the reply to requests to a spout, and to heartbeats.
    Sync,
    /// Ids of the tasks that received an emit.
    TaskIds,
}

impl CallKey for Awaited {
    fn heap_bytes(&self) -> usize {
        match self {
            Self::TupleEnd(id) => id.len(),
            Self::Sync | Self::TaskIds => 0,
        }
    }
}

/// Fields of a message, by name.
struct Fields<'a> {
    bytes: &'a [u8],
    fields: Vec<(Cow<'a, str>, Range<usize>)>,
}

impl<'a> Fields<'a> {
    fn at(&self, name: &str) -> Option<Range<usize>> {
        self.fields.iter().find(|(known, _)| known == name).map(|(_, at)| at.clone())
    }

    fn text(&self, name: &str) -> Option<Cow<'a, str>> {
        text(self.bytes, &self.at(name)?)
    }

    fn is(&self, name: &str, word: &[u8]) -> bool {
        self.at(name).is_some_and(|at| self.bytes[at] == *word)
    }

    fn show<V: Visitor>(&self, visitor: &mut V, names: &[(&str, &str)]) {
        for (name, shown) in names {
            if let Some(at) = self.at(name) {
                show(shown, self.bytes, at, visitor);
            }
        }
    }

    fn show_list<V: Visitor>(&self, visitor: &mut V, name: &str, shown: &str) -> Result<()> {
        let Some(at) = self.at(name) else { return Ok(()) };
        if self.bytes[at.start] == b'[' {
            show_elements(self.bytes, at.start, shown, visitor)
        } else {
            show(shown, self.bytes, at, visitor);
            Ok(())
        }
    }
}

fn show_elements<V: Visitor>(bytes: &[u8], at: usize, name: &str, visitor: &mut V) -> Result<()> {
    visitor.enter(name, Shape::List);
    each_element(bytes, at, |element| show("", bytes, element, visitor))?;
    visitor.leave();
    Ok(())
}

impl Connection {
    /// Whether `bytes`, the first of Storm, begin a conversation; `None` if there are too few. `scan` stores
    /// the number of bytes of white space before it.
    #[must_use]
    pub fn probe(bytes: &[u8], scan: &mut Scan) -> Option<bool> {
        let known = scan.known().map_or(0, |places| places.blanks);
        let blanks = space(bytes, known);
        examined(blanks - known + 1);
        if blanks == bytes.len() {
            scan.places().blanks = blanks;
        }
        let front = &bytes[blanks..];
        let Some((b'{', rest)) = front.split_first() else {
            return (!front.is_empty()).then_some(false);
        };
        let name = &rest[space(rest, 0)..];
        let mut known = [&b"\"pidDir\""[..], b"\"context\"", b"\"conf\""].into_iter();
        if known.clone().any(|it| name.starts_with(it)) {
            return Some(true);
        }
        if known.any(|it| it.starts_with(name)) { None } else { Some(false) }
    }

    fn message<'a, V: Visitor>(
        &mut self,
        side: Option<Side>,
        bytes: &'a [u8],
        payload: Range<usize>,
        visitor: &mut V,
    ) -> Result<Message<'a>> {
        let start = space(bytes, payload.start);
        let text = &bytes[..payload.end];
        let end = end_of_value(text, start)?;
        let rest = space(text, end);
        if rest < text.len() {
            return Err(unexpected(text, rest));
        }
        match bytes[start] {
            b'[' => {
                show_elements(text, start, "task_ids", visitor)?;
                let token = self.close(&Awaited::TaskIds);
                Ok(reply(Side::Server, "task_ids", token, Status::Ok))
            }
            b'{' => {
                let fields = members(text, start)?.into_iter();
                let fields = fields
                    .map(|(name, at)| (super::json::text(text, &name).unwrap_or_default(), at))
                    .collect();
                let said = Fields { bytes: text, fields };
                if let Some(command) = said.text("command") {
                    self.command(side, &command, &said, visitor, start)
                } else {
                    self.other(&said, visitor, start)
                }
            }
            _ => Err(unexpected(text, start)),
        }
    }

    fn command<'a, V: Visitor>(
        &mut self,
        side: Option<Side>,
        command: &str,
        said: &Fields<'_>,
        visitor: &mut V,
        start: usize,
    ) -> Result<Message<'a>> {
        let of_storm = match side {
            Some(side) => side == Side::Server,
            None => self.is_spout == Some(true),
        };
        Ok(match command {
            "next" | "activate" | "deactivate" => {
                self.is_spout = Some(true);
                let name = match command {
                    "next" => "next",
                    "activate" => "activate",
                    _ => "deactivate",
                };
                self.asked(name)
            }
            "ack" | "fail" if of_storm => {
                said.show(visitor, &[("id", "id")]);
                let name = if command == "ack" { "ack" } else { "fail" };
                let mut message = self.asked(name);
                if let CallEvent::Request(request) = &mut message.call {
                    let id = said.at("id").map(|at| {
                        let raw = String::from_utf8_lossy(&said.bytes[at.clone()]).into_owned();
                        text(said.bytes, &at).map_or(raw, Cow::into_owned)
                    });
                    request.target = id.map(Cow::Owned);
                }
                message
            }
            "ack" | "fail" => {
                said.show(visitor, &[("id", "id")]);
                let id = said.text("id").unwrap_or_default();
                let number = id.parse().ok();
                let token = self.close(&Awaited::TupleEnd(id.into_owned()));
                let (name, status) =
                    if command == "ack" { ("ack", Status::Ok) } else { ("fail", Status::Error) };
                Message { id: number, ..reply(Side::Client, name, token, status) }
            }
            "sync" => {
                let token = self.close(&Awaited::Sync);
                reply(Side::Client, "sync", token, Status::Ok)
            }
            "emit" => {
                said.show(visitor, &[("id", "id"), ("stream", "stream"), ("task", "task")]);
                said.show_list(visitor, "anchors", "anchors")?;
                said.show_list(visitor, "tuple", "tuple")?;
                said.show(visitor, &[("need_task_ids", "need_task_ids")]);
                self.emit(said)
            }
            "log" => {
                said.show(visitor, &[("level", "level"), ("msg", "msg")]);
                event("log")
            }
            "error" => {
                said.show(visitor, &[("msg", "msg")]);
                event("error")
            }
            "metrics" => {
                said.show(visitor, &[("name", "name"), ("params", "params")]);
                event("metrics")
            }
            _ => return Err(DecodeErrorKind::Unsupported.at("command", start)),
        })
    }

    fn emit<'a>(&mut self, said: &Fields<'_>) -> Message<'a> {
        // ShellBolt.handleEmit: without the field, ids are wanted; direct emits have none.
        let direct = said.at("task").is_some() && !said.is("task", b"null");
        if direct || said.is("need_task_ids", b"false") {
            return event("emit");
        }
        let token = self.calls.open(Awaited::TaskIds, ());
        let mut message = request(Side::Client, "emit", token);
        if let CallEvent::Request(request) = &mut message.call {
            request.target = said.text("stream").map(|name| name.into_owned().into());
        }
        message
    }

    fn other<'a, V: Visitor>(
        &mut self,
        said: &Fields<'_>,
        visitor: &mut V,
        start: usize,
    ) -> Result<Message<'a>> {
        if said.at("tuple").is_some() {
            self.is_spout = Some(false);
            let stream = said.text("stream").unwrap_or_default();
            said.show(visitor, &[("id", "id"), ("comp", "comp"), ("stream", "stream")]);
            said.show(visitor, &[("task", "task")]);
            if stream == HEARTBEAT_STREAM {
                return Ok(self.asked("heartbeat"));
            }
            if stream == CREDENTIALS_STREAM {
                if let Some(at) = said.at("tuple") {
                    visitor.secret("tuple", at.clone(), Value::Bytes(&said.bytes[at]));
                }
            } else {
                said.show_list(visitor, "tuple", "tuple")?;
            }
            let id = said.text("id").unwrap_or_default().into_owned();
            let number = id.parse().ok();
            let awaited = Awaited::TupleEnd(id);
            // A tuple of the same id takes the place of the former.
            self.calls.close(&awaited);
            let mut message = request(Side::Server, "tuple", self.calls.open(awaited, ()));
            message.id = number;
            if let CallEvent::Request(request) = &mut message.call {
                let component = said.text("comp").unwrap_or_default();
                request.target = Some(Cow::Owned(format!("{component}/{stream}")));
            }
            return Ok(message);
        }
        if said.at("pid").is_some() {
            said.show(visitor, &[("pid", "pid")]);
            return Ok(Message::new(Side::Client, "pid", Kind::Control));
        }
        if said.at("context").is_some() && said.at("conf").is_some() {
            // Its other members are as unknown as those of a configuration.
            visitor.hide_rest();
            said.show(visitor, &[("pidDir", "pid_dir")]);
            for name in ["context", "conf"] {
                if let Some(at) = said.at(name) {
                    show_configuration(name, said.bytes, at, visitor);
                }
            }
            return Ok(Message::new(Side::Server, "handshake", Kind::Control));
        }
        Err(DecodeErrorKind::Unsupported.at("message", start))
    }

    /// Opens the call of a request of Storm that a sync answers, and returns the message.
    fn asked<'a>(&mut self, name: &'static str) -> Message<'a> {
        request(Side::Server, name, self.calls.open(Awaited::Sync, ()))
    }

    /// Closes the oldest call that waits for this event, and returns its token.
    fn close(&mut self, awaited: &Awaited) -> Option<u64> {
        self.calls.close(awaited).map(|(token, ())| token)
    }
}

impl Connection {
    /// Whether the request that a message of `side` answers is not decoded yet.
    fn is_to_come(&self, side: Side, answers: &mut Answers) -> bool {
        match answers {
            Answers::Next if side == Side::Server => !self.calls.is_open(&Awaited::TaskIds),
            Answers::Next => !self.calls.is_open(&Awaited::Sync),
            Answers::Tuple(id, compared) => {
                // Each tuple is compared once: its id may be long, and many begin alike.
                let is_it = |key: &Awaited| matches!(key, Awaited::TupleEnd(other) if other == id);
                let is_open = match *compared {
                    0 => self.calls.is_open(&Awaited::TupleEnd(id.clone())),
                    from => self.calls.keys_since(from).any(is_it),
                };
                *compared = self.calls.next_token();
                !is_open
            }
            _ => false,
        }
    }
}

/// Returns the request that a complete message of `side` answers.
fn answers_of(side: Side, bytes: &[u8], payload: &Range<usize>) -> Answers {
    let start = space(bytes, payload.start);
    if side == Side::Server {
        return if bytes[start] == b'[' { Answers::Next } else { Answers::Nothing };
    }
    let text_of = &bytes[..payload.end];
    let Ok(fields) = members(text_of, start) else { return Answers::Nothing };
    let field = |wanted: &str| {
        let found = fields.iter().find(|(name, _)| text(text_of, name).as_deref() == Some(wanted));
        found.and_then(|(_, at)| text(text_of, at))
    };
    match field("command").as_deref() {
        Some("sync") => Answers::Next,
        Some("ack" | "fail") => {
            field("id").map_or(Answers::Nothing, |id| Answers::Tuple(id.into_owned(), 0))
        }
        _ => Answers::Nothing,
    }
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
        let mut messages = scan.known().map_or_else(Messages::default, |places| places.messages);
        // Blank messages at the front belong to the next that is not.
        let mut skipped = messages.start;
        loop {
            let payload = match messages.next_message(bytes, input, MESSAGE_LIMIT) {
                Ok(Some(payload)) => payload,
                Ok(None) => {
                    scan.places().messages = messages;
                    return Decoded::Incomplete;
                }
                Err(error) => return Decoded::Malformed(error),
            };
            let len = messages.start;
            let is_last = end && len == bytes.len();
            if bytes[payload.clone()].trim_ascii().is_empty() && !is_last {
                skipped = len;
                if skipped > BLANK_LIMIT {
                    let (value, limit) = (skipped as u64, BLANK_LIMIT as u64);
                    return Decoded::Malformed(
                        DecodeErrorKind::OverLimit { value, limit }.at("blanks", 0),
                    );
                }
                continue;
            }
            return match self.message(side, bytes, payload, visitor) {
                Ok(message) if side.is_some_and(|side| side != message.side) => {
                    Decoded::Malformed(DecodeErrorKind::Unsupported.at(message.name, skipped))
                }
                Ok(message) => Decoded::Message(message, len),
                Err(error) => Decoded::Malformed(error),
            };
        }
    }

    fn resync(
        &self,
        _side: Option<Side>,
        bytes: &[u8],
        end: bool,
        scan: &mut Scan,
    ) -> std::result::Result<usize, usize> {
        let places = scan.places();
        let (messages, search) = (&mut places.messages, &mut places.search);
        if search.is_found {
            return Ok(search.at);
        }
        // A message begins after the line that ends another, and is JSON.
        loop {
            let at = messages.start;
            let input = if end { Input::Ended } else { Input::Open };
            match messages.next_message(bytes, input, MESSAGE_LIMIT) {
                Ok(Some(payload)) => {
                    let text = &bytes[..payload.end];
                    examined(payload.len());
                    let start = space(text, payload.start);
                    let whole = end_of_value(text, start).map(|end| space(text, end));
                    if matches!(bytes.get(start), Some(b'{' | b'[')) && whole == Ok(text.len()) {
                        (search.at, search.is_found) = (at, true);
                        return Ok(at);
                    }
                }
                Ok(None) if !end => {
                    search.at = at;
                    return Err(at);
                }
                Ok(None) | Err(_) => {
                    messages.skip_to(bytes.len());
                    search.at = bytes.len();
                    return Err(bytes.len());
                }
            }
        }
    }

    fn damaged(&self, bytes: &[u8]) -> usize {
        // With less white space before it, it would be the same message.
        bytes.len().min(space(bytes, 0) + 1)
    }

    fn awaits_peer(&self, side: Side, bytes: &[u8], scan: &mut Scan) -> bool {
        if let Some(places) = scan.known()
            && let Some(answers) = &mut places.answers
        {
            return self.is_to_come(side, answers);
        }
        let mut messages =
            scan.known().map_or_else(Messages::default, |places| places.first_message);
        let Ok(payload) = messages.next_message(bytes, Input::Open, MESSAGE_LIMIT) else {
            return false;
        };
        let Some(payload) = payload else {
            scan.places().first_message = messages;
            return false;
        };
        let mut answers = answers_of(side, bytes, &payload);
        let awaits_peer = self.is_to_come(side, &mut answers);
        scan.places().answers = Some(answers);
        awaits_peer
    }

    fn user(&self) -> Option<&str> {
        None
    }

    fn held(&self) -> usize {
        self.calls.held()
    }

    fn validate(&self) -> Option<u64> {
        self.calls.validate()
    }
}

fn event<'a>(name: &'static str) -> Message<'a> {
    Message::new(Side::Client, name, Kind::Event)
}

fn request<'a>(side: Side, name: &'static str, token: u64) -> Message<'a> {
    let call = CallEvent::Request(Request {
        token,
        interface: Cow::Borrowed(""),
        method: Cow::Borrowed(name),
        target: None,
        retry: None,
        caller_context: None,
    });
    Message { call, ..Message::new(side, name, Kind::Request) }
}

fn reply<'a>(side: Side, name: &'static str, token: Option<u64>, status: Status) -> Message<'a> {
    let outcome = Outcome { status, error_class: None };
    let call = CallEvent::Reply(Reply { token, outcome });
    Message { call, ..Message::new(side, name, Kind::Reply) }
}

/// Maximum number of bytes of empty messages before another message (chosen by jvmwire).
const BLANK_LIMIT: usize = 1 << 14;

#[cfg(test)]
mod tests {
    use super::*;

    fn all(connection: &mut Connection, side: Option<Side>, wire: &str) -> Vec<Message<'static>> {
        let (mut at, mut found) = (0, Vec::new());
        while at < wire.len() {
            match connection.decode(
                side,
                &wire.as_bytes()[at..],
                true,
                &mut Scan::default(),
                &mut (),
            ) {
                Decoded::Message(message, len) => {
                    found.push(owned(&message));
                    at += len;
                }
                other => panic!("{other:?} at {at}"),
            }
        }
        found
    }

    fn owned(message: &Message<'_>) -> Message<'static> {
        let &Message { side, name, kind, id, .. } = message;
        Message { id, ..Message::new(side, name, kind) }
    }

    /// Visitor that counts the fields, and stores the range of the last one.
    #[derive(Default)]
    struct Count(usize, Range<usize>);

    impl Visitor for Count {
        fn field(&mut self, _: &str, at: Range<usize>, _: Value<'_>) {
            (self.0, self.1) = (self.0 + 1, at);
        }
        fn layout(&mut self, _: &str, _: Range<usize>, _: Value<'_>) {}
        fn enter(&mut self, _: &str, _: Shape) {}
        fn leave(&mut self) {}
    }

    #[test]
    fn elements_of_a_long_list_are_shown_one_by_one() {
        let elements = if cfg!(miri) { 100 } else { 200_000 };
        let wire = format!("[{}0]\nend\n", "1,".repeat(elements));
        let mut count = Count::default();
        let side = Some(Side::Server);
        let decoded = Connection::default().decode(
            side,
            wire.as_bytes(),
            true,
            &mut Scan::default(),
            &mut count,
        );
        assert!(matches!(decoded, Decoded::Message(_, len) if len == wire.len()));
        assert_eq!((count.0, count.1), (elements + 1, 2 * elements + 1..2 * elements + 2));
    }

    #[test]
    fn members_of_a_message_have_a_limit() {
        if cfg!(miri) {
            return;
        }
        let limit = 1 << 16;
        let decoded = |members: usize| {
            let wire = format!(r#"{{"command":"sync"{}}}"#, r#","":0"#.repeat(members)) + "\nend\n";
            let side = Some(Side::Client);
            let mut scan = Scan::default();
            match Connection::default().decode(side, wire.as_bytes(), true, &mut scan, &mut ()) {
                Decoded::Message(message, len) => Ok((message.name, len == wire.len())),
                Decoded::Malformed(error) => Err((error.what, error.problem.value())),
                Decoded::Incomplete => panic!("it is whole"),
            }
        };
        assert_eq!(decoded(limit - 1), Ok(("sync", true)));
        assert_eq!(decoded(limit), Err(("members of a message", Some(limit as i128 + 1))));
    }

    fn names(connection: &mut Connection, side: Option<Side>, wire: &str) -> Vec<&'static str> {
        all(connection, side, wire).iter().map(|message| message.name).collect()
    }

    const STORM: &str = r#"{"pidDir":"p","context":{"taskid":3},"conf":{"a":NaN}}
end
{"comp":null,"tuple":[],"task":-1,"stream":"__heartbeat","id":"1"}
end
{"comp":"c","tuple":["end",{"a":[1]}],"task":4,"stream":"s","id":"-7"}
end
[5, 6]
end
"#;
    const BOLT: &str = r#"{"pid":42}
end
{"command":"sync"}
end

end
{"command":"emit","tuple":[1],"anchors":["-7"]}
end
{"command":"ack","id":"-7"}
end
"#;

    #[test]
    fn both_sides_are_detected() {
        let mut connection = Connection::default();
        assert_eq!(
            names(&mut connection, Some(Side::Server), STORM),
            ["handshake", "heartbeat", "tuple", "task_ids"]
        );
        let tuple = Awaited::TupleEnd("-7".to_owned());
        assert!(connection.calls.is_open(&Awaited::Sync) && connection.calls.is_open(&tuple));
        assert_eq!(
            names(&mut connection, Some(Side::Client), BOLT),
            ["pid", "sync", "emit", "ack"]
        );
        assert!(!connection.calls.is_open(&Awaited::Sync) && !connection.calls.is_open(&tuple));
    }

    #[test]
    fn message_is_found_once_its_end_has_come_however_it_was_cut() {
        for wire in
            ["{\"pid\":\n7}\nend\n", "{\"pid\":7}\r\nend\r\n", "end\n\nend\n{\"pid\":7}\rend\r{"]
        {
            let wire = wire.as_bytes();
            for size in 1..wire.len() {
                let (mut connection, mut scan) = (Connection::default(), Scan::default());
                let mut found = None;
                for len in (1..wire.len()).step_by(size).chain([wire.len()]) {
                    let decoded = connection.decode(None, &wire[..len], false, &mut scan, &mut ());
                    let fresh = Connection::default().decode(
                        None,
                        &wire[..len],
                        false,
                        &mut Scan::default(),
                        &mut (),
                    );
                    assert_eq!(decoded, fresh);
                    if let Decoded::Message(message, len) = decoded {
                        found = Some((message.name, len));
                        break;
                    }
                }
                assert_eq!(found.map(|(name, _)| name), Some("pid"));
            }
        }
    }

    #[test]
    fn storm_message_after_many_blanks_is_not_waited_for() {
        let next = |wire: &str, blanks| {
            let wire = "end\n".repeat(blanks) + wire;
            let decoded = Connection::default().decode(
                None,
                wire.as_bytes(),
                false,
                &mut Scan::default(),
                &mut (),
            );
            match decoded {
                Decoded::Incomplete => None,
                Decoded::Message(_, len) => Some(Ok(len == wire.len())),
                Decoded::Malformed(error) => Some(Err(error.to_string())),
            }
        };
        let most = BLANK_LIMIT / 4;
        assert_eq!(next("", most), None);
        assert_eq!(next("{\"pid\":1}\nend\n", most), Some(Ok(true)));
        let refused = next("", most + 1);
        assert!(matches!(refused, Some(Err(_))));
        assert_eq!(next("{\"pid\":1}\nend\n", 9 * most), refused);
    }

    #[test]
    fn equal_messages_of_both_sides_are_detected_by_the_component_kind() {
        let ack = "{\"command\":\"ack\",\"id\":\"1\"}\nend\n";
        let mut of_bolt = Connection::default();
        assert_eq!(all(&mut of_bolt, None, ack)[0].side, Side::Client);
        let mut of_spout = Connection::default();
        names(&mut of_spout, None, "{\"command\":\"next\"}\nend\n");
        assert_eq!(all(&mut of_spout, None, ack)[0].side, Side::Server);
    }

    #[test]
    fn reply_awaits_its_request() {
        let mut connection = Connection::default();
        let ack = &BOLT.as_bytes()[BOLT.find("{\"command\":\"ack").unwrap()..];
        assert!(connection.awaits_peer(Side::Client, ack, &mut Scan::default()));
        assert!(connection.awaits_peer(Side::Client, &BOLT.as_bytes()[15..], &mut Scan::default()));
        assert!(connection.awaits_peer(Side::Server, b"[1]\nend\n", &mut Scan::default()));
        names(&mut connection, Some(Side::Server), STORM);
        assert!(!connection.awaits_peer(Side::Client, ack, &mut Scan::default()));
        assert!(!connection.awaits_peer(
            Side::Client,
            &BOLT.as_bytes()[15..],
            &mut Scan::default()
        ));
    }

    #[test]
    fn storm_is_detected_by_its_first_message() {
        assert_eq!(Connection::probe(STORM.as_bytes(), &mut Scan::default()), Some(true));
        assert_eq!(Connection::probe(b" {\r\n \"conf\": {", &mut Scan::default()), Some(true));
        assert_eq!(Connection::probe(b"{\"con", &mut Scan::default()), None);
        assert_eq!(Connection::probe(b"", &mut Scan::default()), None);
        assert_eq!(Connection::probe(b"{\"comp\"", &mut Scan::default()), Some(false));
        assert_eq!(Connection::probe(b"GET", &mut Scan::default()), Some(false));
    }

    #[test]
    fn after_damage_the_next_whole_message_is_found() {
        let connection = Connection::default();
        let damaged = format!("\"x\"]}}\nend\nnoise\nend\n{BOLT}");
        assert_eq!(
            connection.resync(None, damaged.as_bytes(), false, &mut Scan::default()),
            Ok(20)
        );
        assert_eq!(connection.resync(None, b"no\nlines", false, &mut Scan::default()), Err(0));
        assert_eq!(connection.resync(None, b"no\nlines", true, &mut Scan::default()), Err(8));
    }

    #[test]
    fn other_json_is_malformed_for_storm() {
        for wire in
            ["5\nend\n", "{}\nend\n", "{\"command\":\"x\"}\nend\n", "[1] 2\nend\n", "{\"a\nend\n"]
        {
            let decoded = Connection::default().decode(
                None,
                wire.as_bytes(),
                true,
                &mut Scan::default(),
                &mut (),
            );
            assert!(matches!(decoded, Decoded::Malformed(_)), "{wire}");
        }
        let deep = format!("{}\nend\n", "[".repeat(500));
        let decoded = Connection::default().decode(
            None,
            deep.as_bytes(),
            true,
            &mut Scan::default(),
            &mut (),
        );
        assert!(matches!(decoded, Decoded::Malformed(_)));
    }
}
