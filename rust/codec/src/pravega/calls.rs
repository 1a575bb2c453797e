//! Which request a reply answers, also where it was captured before its request.

use std::{
    borrow::Cow,
    collections::{BTreeMap, HashMap, VecDeque},
};

use serde::{Deserialize, Serialize};

use super::{Command, Role, call_keys::CallFields};
use crate::message::{
    CallEvent, EarlyReplies, MAX_OPEN_CALLS, MAX_OVERTAKEN, Outcome, Reply, Request, Status,
    is_strictly_increasing_below,
};

/// The calls of one connection.
#[derive(Debug, Default, Deserialize, Serialize)]
pub(super) struct Calls {
    next_token: u64,
    /// What waits for its reply, in order, by what the reply will say.
    waiting: HashMap<String, VecDeque<Waiting>>,
    tokens: BTreeMap<u64, String>,
    /// By the request id of a writer's appends: who it is.
    writers: HashMap<i64, String>,
    /// By who appends: the segment that its last set-up was for.
    segments: HashMap<String, String>,
    /// By who appends: how far what was seen of it goes.
    reached: HashMap<String, i64>,
    /// What was answered and not seen yet, by what it will wait for.
    overtaken: EarlyReplies<(String, i64)>,
    /// Of reads in the first proposal that were not seen yet.
    pieces: VecDeque<Piece>,
    /// How many bytes take what waits and what is known of writers.
    held: usize,
}

#[derive(Debug, Deserialize, Serialize)]
struct Waiting {
    token: u64,
    /// Of a read in the first proposal, where its next piece begins.
    from: i64,
    /// What an acknowledgement, or the pieces of a read, must reach.
    number: i64,
}

/// What a `SegmentRead` of the first proposal gave.
#[derive(Debug, Deserialize, Serialize)]
struct Piece {
    key: String,
    token: u64,
    from: i64,
    end: i64,
    is_last: bool,
}

const OK: Outcome<'static> = Outcome { status: Status::Ok, error_class: None };

impl Calls {
    /// Takes a message of either side.
    pub(super) fn call<'a>(
        &mut self,
        is_early: bool,
        command: &'static Command,
        facts: &CallFields,
    ) -> CallEvent<'a> {
        if is_early { self.early(command, facts) } else { self.today(command, facts) }
    }

    /// The next call's token, if what was loaded can have been saved.
    pub(super) fn validate(&self) -> Option<u64> {
        let next = self.next_token;
        let are_waiting = self.waiting.iter().all(|(key, queue)| {
            let tokens = || queue.iter().map(|waiting| waiting.token);
            is_strictly_increasing_below(tokens(), next)
                && tokens().all(|token| self.tokens.get(&token) == Some(key))
                && !queue.is_empty()
        });
        let known =
            [self.writers.len(), self.segments.len(), self.reached.len(), self.tokens.len()];
        let is_sound = are_waiting
            && self.waiting.values().map(VecDeque::len).sum::<usize>() == self.tokens.len()
            && known.iter().all(|len| *len <= MAX_OPEN_CALLS)
            && self.overtaken.is_sound(next)
            && is_strictly_increasing_below(self.pieces.iter().map(|piece| piece.token), next)
            && self.pieces.len() as u64 <= MAX_OVERTAKEN
            && self.counted() == Some(self.held);
        is_sound.then_some(next)
    }

    /// How many bytes all that is kept takes, about.
    pub(super) fn held(&self) -> usize {
        let overtaken = self.overtaken.ids().map(|(key, _)| entry(&[key]));
        let pieces = self.pieces.iter().map(|piece| entry(&[&piece.key]));
        self.held + overtaken.chain(pieces).sum::<usize>()
    }

    /// What `held` must be.
    fn counted(&self) -> Option<usize> {
        let waiting = self.tokens.values().map(|key| entry(&[key, key]));
        let writers = self.writers.values().map(|writer| entry(&[writer]));
        let segments = self.segments.iter().map(|(writer, segment)| entry(&[writer, segment]));
        let reached = self.reached.keys().map(|writer| entry(&[writer]));
        let mut entries = waiting.chain(writers).chain(segments).chain(reached);
        entries.try_fold(0_usize, usize::checked_add)
    }

    /// Whether a reply may answer what was not seen yet.
    pub(super) fn awaits_peer(
        &self,
        is_early: bool,
        command: &Command,
        facts: &CallFields,
    ) -> bool {
        let writer = facts.writer.as_ref();
        match command.name {
            "SegmentRead" if is_early => {
                facts.read().is_some_and(|(key, start)| self.read_of(&key, start).is_none())
            }
            "AppendSetup" if is_early => {
                writer.is_some_and(|writer| !self.waiting.contains_key(&format!("setup {writer}")))
            }
            "DataAppended" => writer.is_some_and(|writer| {
                let level = if is_early { "connection_offset_ack_level" } else { "event_number" };
                let number = facts.number(level).unwrap_or(i64::MIN);
                self.is_behind(&format!("append {writer}"), number)
            }),
            _ if is_early || command.role != Role::Reply => false,
            _ => facts.number("request_id").is_some_and(|id| {
                !self.writers.contains_key(&id)
                    && !self.waiting.contains_key(&format!("request {id}"))
            }),
        }
    }

    fn today<'a>(&mut self, command: &'static Command, facts: &CallFields) -> CallEvent<'a> {
        let writer = facts.writer.as_ref().map(|writer| format!("append {writer}"));
        let request = facts.number("request_id");
        let name = command.name;
        match (name, writer, request) {
            ("SetupAppend", Some(writer), Some(id)) => {
                self.set_up(&writer, facts);
                if self.writers.len() < MAX_OPEN_CALLS {
                    self.held += entry(&[&writer]);
                    if let Some(before) = self.writers.insert(id, writer) {
                        self.held -= entry(&[&before]);
                    }
                }
                self.open(format!("request {id}"), 0, name, facts)
            }
            ("AppendBlockEnd" | "ConditionalAppend" | "ConditionalBlockEnd", Some(writer), _) => {
                let number = facts.number("last_event_number").or(facts.number("event_number"));
                let number = number.unwrap_or_default();
                self.reach(&writer, number);
                self.open(writer, number, name, facts)
            }
            ("DataAppended", Some(writer), _) => {
                self.acknowledge(writer, facts.number("event_number").unwrap_or(i64::MIN))
            }
            ("ConditionalCheckFailed" | "InvalidEventNumber", Some(writer), _) => {
                self.close(&writer, outcome_of(command))
            }
            (_, _, Some(id)) if command.role == Role::Request => {
                self.open(format!("request {id}"), 0, name, facts)
            }
            (_, _, Some(id)) if command.role == Role::Reply => {
                let key = format!("request {id}");
                match self.writers.get(&id).cloned() {
                    _ if self.waiting.contains_key(&key) => self.close(&key, outcome_of(command)),
                    Some(writer) => self.close(&writer, outcome_of(command)),
                    None => CallEvent::Reply(self.ahead(key, 0, outcome_of(command))),
                }
            }
            _ => CallEvent::None,
        }
    }

    /// Of reads by their segment and range, of appends by connection id and how far they go.
    fn early<'a>(&mut self, command: &'static Command, facts: &CallFields) -> CallEvent<'a> {
        let by = |what: &str| facts.writer.as_ref().map(|writer| format!("{what} {writer}"));
        let name = command.name;
        match name {
            "ReadSegment" => facts.read().map(|(key, start)| {
                let len = facts.number("suggested_length").unwrap_or_default();
                self.open_read(key, start, start.saturating_add(len), name, facts)
            }),
            "SegmentRead" => facts.read().and_then(|(key, start)| {
                let token = self.piece(key, start, facts)?;
                Some(CallEvent::Reply(Reply { token: Some(token), outcome: OK }))
            }),
            "SetupAppend" => by("setup").map(|key| {
                if let Some(writer) = by("append") {
                    self.set_up(&writer, facts);
                }
                self.open(key, 0, name, facts)
            }),
            "AppendSetup" => by("setup").map(|key| {
                if let Some(writer) = by("append") {
                    self.reach(&writer, facts.number("connection_offset_ack_level").unwrap_or(0));
                }
                if self.waiting.contains_key(&key) {
                    self.close(&key, OK)
                } else {
                    CallEvent::Reply(self.ahead(key, 0, OK))
                }
            }),
            "EndAppendBlock" => by("append").map(|key| {
                let start = facts.number("connection_offset").unwrap_or_default();
                let len = facts.number("block_length").unwrap_or_default();
                let end = start.saturating_add(len);
                self.reach(&key, end);
                self.open(key, end, name, facts)
            }),
            "DataAppended" => by("append").map(|key| {
                let level = facts.number("connection_offset_ack_level").unwrap_or(i64::MIN);
                self.acknowledge(key, level)
            }),
            _ => None,
        }
        .unwrap_or(CallEvent::None)
    }

    fn new_token(&mut self) -> u64 {
        self.next_token += 1;
        self.next_token - 1
    }

    /// Opens a call that waits under `key`, for `number` if there are several.
    fn open<'a>(
        &mut self,
        key: String,
        number: i64,
        name: &'static str,
        facts: &CallFields,
    ) -> CallEvent<'a> {
        let target = facts.segment.as_ref().or_else(|| self.segments.get(&key)).cloned();
        let awaited = (key, number);
        if let Some(token) = self.overtaken.take(&awaited, self.next_token) {
            return request(token, name, target);
        }
        self.wait(awaited.0, number, number, name, target)
    }

    fn wait<'a>(
        &mut self,
        key: String,
        from: i64,
        number: i64,
        name: &'static str,
        target: Option<String>,
    ) -> CallEvent<'a> {
        let token = self.new_token();
        self.held += entry(&[&key, &key]);
        self.tokens.insert(token, key.clone());
        self.waiting.entry(key).or_default().push_back(Waiting { token, from, number });
        if self.tokens.len() > MAX_OPEN_CALLS
            && let Some(oldest) = self.tokens.values().next().cloned()
        {
            self.take(&oldest, 0);
        }
        request(token, name, target)
    }

    /// Takes the one that waits under `key` behind `at` others.
    fn take(&mut self, key: &str, at: usize) -> Option<u64> {
        let queue = self.waiting.get_mut(key)?;
        let token = queue.remove(at)?.token;
        if queue.is_empty() {
            self.waiting.remove(key);
        }
        if let Some(key) = self.tokens.remove(&token) {
            self.held -= entry(&[&key, &key]);
        }
        Some(token)
    }

    fn close<'a>(&mut self, key: &str, outcome: Outcome<'a>) -> CallEvent<'a> {
        let token = self.take(key, 0);
        CallEvent::Reply(Reply { token, outcome })
    }

    /// Answers the call to come that will wait under `key` for `number`.
    fn ahead<'a>(&mut self, key: String, number: i64, outcome: Outcome<'a>) -> Reply<'a> {
        let token = self.new_token();
        self.overtaken.push(token, (key, number));
        Reply { token: Some(token), outcome }
    }

    /// An acknowledgement ends all that it reaches.
    fn acknowledge<'a>(&mut self, key: String, number: i64) -> CallEvent<'a> {
        let mut replies = Vec::new();
        let first = |calls: &Self| calls.waiting.get(&key)?.front().map(|first| first.number);
        while first(self).is_some_and(|first| first <= number) {
            replies.push(Reply { token: self.take(&key, 0), outcome: OK });
        }
        if self.is_behind(&key, number) {
            replies.push(self.ahead(key, number, OK));
        }
        CallEvent::Replies(replies)
    }

    /// Notes what a writer appends to from now on.
    fn set_up(&mut self, writer: &str, facts: &CallFields) {
        if let Some(segment) = &facts.segment
            && (self.segments.len() < MAX_OPEN_CALLS || self.segments.contains_key(writer))
        {
            self.held += entry(&[writer, segment]);
            if let Some(before) = self.segments.insert(writer.to_owned(), segment.clone()) {
                self.held -= entry(&[writer, &before]);
            }
        }
    }

    /// Notes how far what was seen of `key` goes.
    fn reach(&mut self, key: &str, number: i64) {
        if let Some(reached) = self.reached.get_mut(key) {
            *reached = number.max(*reached);
        } else if self.reached.len() < MAX_OPEN_CALLS {
            self.held += entry(&[key]);
            self.reached.insert(key.to_owned(), number);
        }
    }

    /// Whether `number` is behind what was seen of `key`, as far as that is known.
    fn is_behind(&self, key: &str, number: i64) -> bool {
        match self.reached.get(key) {
            Some(reached) => *reached < number,
            None => self.reached.len() < MAX_OPEN_CALLS,
        }
    }

    /// Which of the reads of `key` that wait a piece at `start` is of.
    fn read_of(&self, key: &str, start: i64) -> Option<usize> {
        let queue = self.waiting.get(key)?;
        // The one whose next piece it is; else, pieces being lost, one that asked for such bytes.
        let next = queue.iter().position(|read| read.from == start);
        let asked = || queue.iter().position(|read| (read.from..read.number).contains(&start));
        next.or_else(asked)
    }

    /// Takes a piece; gives the read that it is the last one of, or may be, if that is to come.
    fn piece(&mut self, key: String, start: i64, facts: &CallFields) -> Option<u64> {
        let len = facts.data.as_ref().map_or(0, ExactSizeIterator::len);
        let end = start.saturating_add(len.cast_signed() as i64);
        if let Some(at) = self.read_of(&key, start) {
            let read = self.waiting.get_mut(&key)?.get_mut(at)?;
            read.from = end;
            let is_over = facts.is_last || read.from >= read.number;
            return if is_over { self.take(&key, at) } else { None };
        }
        // Who finds nothing at a tail asks for the same again: such an answer may be of any read.
        if len == 0 {
            return None;
        }
        let token = self.new_token();
        if self.pieces.len() as u64 >= MAX_OVERTAKEN {
            self.pieces.pop_front();
        }
        self.pieces.push_back(Piece { key, token, from: start, end, is_last: facts.is_last });
        Some(token)
    }

    /// Opens a read of the first proposal, of which pieces may have come.
    fn open_read<'a>(
        &mut self,
        key: String,
        start: i64,
        end: i64,
        name: &'static str,
        facts: &CallFields,
    ) -> CallEvent<'a> {
        let mut from = start;
        while let Some(at) =
            self.pieces.iter().position(|piece| piece.from == from && piece.key == key)
            && let Some(piece) = self.pieces.remove(at)
        {
            from = piece.end;
            if piece.is_last || from >= end {
                return request(piece.token, name, facts.segment.clone());
            }
        }
        self.wait(key, from, end, name, facts.segment.clone())
    }
}

/// How many bytes of memory an entry with these texts takes, about.
fn entry(texts: &[&str]) -> usize {
    texts.iter().map(|text| text.len()).sum::<usize>() + 2 * size_of::<(String, String)>()
}

fn request<'a>(token: u64, name: &'static str, target: Option<String>) -> CallEvent<'a> {
    CallEvent::Request(Request {
        token,
        interface: Cow::Borrowed(""),
        method: Cow::Borrowed(name),
        target: target.map(Cow::Owned),
        retry: None,
        caller_context: None,
    })
}

fn outcome_of(command: &'static Command) -> Outcome<'static> {
    match command.code {
        8 | 50..=57 | 60 | 61 | 80..=82 => {
            Outcome { status: Status::Error, error_class: Some(Cow::Borrowed(command.name)) }
        }
        _ => OK,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_saved_and_cannot_be_is_told() {
        let saved = || {
            let mut calls = Calls::default();
            for key in ["append w", "request 1", "append w"] {
                calls.wait(key.to_owned(), 0, 1, "AppendBlockEnd", None);
            }
            calls.ahead("request 2".to_owned(), 0, OK);
            let token = calls.new_token();
            calls.pieces.push_back(Piece {
                key: "s".into(),
                token,
                from: 0,
                end: 1,
                is_last: false,
            });
            calls
        };
        assert_eq!(saved().validate(), Some(5));
        let forged: [fn(&mut Calls); 8] = [
            |it| it.next_token = u64::MAX,
            |it| it.next_token = 4,
            |it| drop(it.waiting.insert("request 3".into(), VecDeque::new())),
            |it| drop(it.waiting.remove("append w")),
            |it| drop(it.tokens.insert(1, "append w".into())),
            |it| drop(it.tokens.insert(u64::MAX, "append w".into())),
            |it| it.overtaken.push(9, ("request 4".into(), 0)),
            |it| it.pieces[0].token = u64::MAX,
        ];
        for forge in forged {
            let mut calls = saved();
            forge(&mut calls);
            assert_eq!(calls.validate(), None);
        }
    }
}
