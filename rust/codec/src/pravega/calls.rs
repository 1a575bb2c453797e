//! Pairing of replies with requests, also where a reply was captured before its request.

use std::{
    borrow::Cow,
    collections::{HashMap, VecDeque},
};

use ahash::RandomState;
use serde::{Deserialize, Serialize};

use super::{Command, CommandKind, Role, call_fields::CallFields};
use crate::{
    fixed::Uuid,
    message::{CallEvent, Outcome, Reply, Request, Status},
    pending_calls::{
        CallKey, MAX_OPEN_CALLS, MAX_OVERTAKEN, PendingCalls, is_strictly_increasing_below,
    },
};

/// The calls of one connection.
#[derive(Debug, Default, Deserialize, Serialize)]
pub(super) struct Calls {
    /// By what the reply will say; calls whose replies were seen first, with their number as well.
    pending: PendingCalls<Awaited, Range, (Awaited, i64)>,
    /// By the request id of a writer's appends: who it is.
    writers: HashMap<i64, Uuid, RandomState>,
    /// By who appends: the segment that its last set-up was for.
    segments: HashMap<Uuid, String, RandomState>,
    /// By who appends: how far what was seen of it goes.
    reached: HashMap<Uuid, i64, RandomState>,
    /// Of reads in the first proposal that were not seen yet.
    pieces: VecDeque<Piece>,
    /// Number of bytes that the states of writers take.
    held: usize,
}

/// Key by which a reply names its call.
#[derive(Clone, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
enum Awaited {
    /// The request id.
    Request(i64),
    /// The writer: of all that it appends.
    Append(Uuid),
    /// In the first proposal, the connection id of a set-up.
    Setup(Uuid),
    /// In the first proposal, the segment that is read.
    Read(String),
}

impl CallKey for Awaited {
    fn heap_bytes(&self) -> usize {
        match self {
            Self::Read(segment) => segment.len(),
            Self::Request(_) | Self::Append(_) | Self::Setup(_) => 0,
        }
    }
}

/// Range that a pending call waits for.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
struct Range {
    /// Of a read in the first proposal, where its next piece begins.
    from: i64,
    /// What an acknowledgement, or the pieces of a read, must reach.
    end: i64,
}

/// What a `SegmentRead` of the first proposal gave.
#[derive(Debug, Deserialize, Serialize)]
struct Piece {
    segment: String,
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
        fields: &CallFields,
    ) -> CallEvent<'a> {
        if is_early { self.early(command, fields) } else { self.today(command, fields) }
    }

    /// The next call's token, if what was loaded can have been saved.
    pub(super) fn validate(&self) -> Option<u64> {
        let next = self.pending.validate()?;
        let known = [self.writers.len(), self.segments.len(), self.reached.len()];
        let is_sound = known.iter().all(|len| *len <= MAX_OPEN_CALLS)
            && is_strictly_increasing_below(self.pieces.iter().map(|piece| piece.token), next)
            && self.pieces.len() as u64 <= MAX_OVERTAKEN
            && self.counted() == Some(self.held);
        is_sound.then_some(next)
    }

    /// Approximate number of bytes that all that is kept takes.
    pub(super) fn held(&self) -> usize {
        let pieces = self.pieces.iter().map(|piece| size_of::<Piece>() + piece.segment.len());
        self.held + self.pending.held() + pieces.sum::<usize>()
    }

    /// Recomputed value of `held`.
    fn counted(&self) -> Option<usize> {
        let segments = self.segments.values().map(|segment| entry(segment.len()));
        let others = std::iter::repeat_n(entry(0), self.writers.len() + self.reached.len());
        segments.chain(others).try_fold(0_usize, usize::checked_add)
    }

    /// Whether a reply may answer what was not seen yet.
    pub(super) fn awaits_peer(
        &self,
        is_early: bool,
        command: &Command,
        fields: &CallFields,
    ) -> bool {
        let writer = fields.writer;
        match command.kind {
            CommandKind::SegmentRead if is_early => {
                fields.read().is_some_and(|(segment, start)| self.read_of(segment, start).is_none())
            }
            CommandKind::AppendSetup if is_early => {
                writer.is_some_and(|writer| !self.pending.is_open(&Awaited::Setup(writer)))
            }
            CommandKind::DataAppended => writer.is_some_and(|writer| {
                let reached = if is_early { fields.ack_level } else { fields.event_number };
                self.is_behind(writer, reached.unwrap_or(i64::MIN))
            }),
            _ if is_early || command.role != Role::Reply => false,
            _ => fields.request_id.is_some_and(|id| {
                !self.writers.contains_key(&id) && !self.pending.is_open(&Awaited::Request(id))
            }),
        }
    }

    fn today<'a>(&mut self, command: &'static Command, fields: &CallFields) -> CallEvent<'a> {
        let request = fields.request_id;
        let name = command.name;
        match (command.kind, fields.writer, request) {
            (CommandKind::SetupAppend, Some(writer), Some(id)) => {
                self.set_up(writer, fields);
                if self.writers.len() < MAX_OPEN_CALLS && self.writers.insert(id, writer).is_none()
                {
                    self.held += entry(0);
                }
                self.open(Awaited::Request(id), 0, name, fields)
            }
            (
                CommandKind::AppendBlockEnd
                | CommandKind::ConditionalAppend
                | CommandKind::ConditionalBlockEnd,
                Some(writer),
                _,
            ) => {
                let number = fields.last_event_number.or(fields.event_number);
                let number = number.unwrap_or_default();
                self.reach(writer, number);
                self.open(Awaited::Append(writer), number, name, fields)
            }
            (CommandKind::DataAppended, Some(writer), _) => {
                self.acknowledge(writer, fields.event_number.unwrap_or(i64::MIN))
            }
            (
                CommandKind::ConditionalCheckFailed | CommandKind::InvalidEventNumber,
                Some(writer),
                _,
            ) => self.close(&Awaited::Append(writer), outcome_of(command)),
            (_, _, Some(id)) if command.role == Role::Request => {
                self.open(Awaited::Request(id), 0, name, fields)
            }
            (_, _, Some(id)) if command.role == Role::Reply => {
                let (key, outcome) = (Awaited::Request(id), outcome_of(command));
                match self.writers.get(&id) {
                    _ if self.pending.is_open(&key) => self.close(&key, outcome),
                    Some(writer) => self.close(&Awaited::Append(*writer), outcome),
                    None => CallEvent::Reply(self.ahead(key, 0, outcome)),
                }
            }
            _ => CallEvent::None,
        }
    }

    /// Of reads by their segment and range, of appends by connection id and how far they go.
    fn early<'a>(&mut self, command: &'static Command, fields: &CallFields) -> CallEvent<'a> {
        let name = command.name;
        match command.kind {
            CommandKind::ReadSegment => fields.read().map(|(segment, start)| {
                let len = fields.suggested_length.unwrap_or_default();
                self.open_read(segment, start, start.saturating_add(len), name)
            }),
            CommandKind::SegmentRead => fields.read().and_then(|(segment, start)| {
                let token = self.piece(segment, start, fields)?;
                Some(CallEvent::Reply(Reply { token: Some(token), outcome: OK }))
            }),
            CommandKind::SetupAppend => fields.writer.map(|writer| {
                self.set_up(writer, fields);
                self.open(Awaited::Setup(writer), 0, name, fields)
            }),
            CommandKind::AppendSetup => fields.writer.map(|writer| {
                self.reach(writer, fields.ack_level.unwrap_or(0));
                let key = Awaited::Setup(writer);
                if self.pending.is_open(&key) {
                    self.close(&key, OK)
                } else {
                    CallEvent::Reply(self.ahead(key, 0, OK))
                }
            }),
            CommandKind::EndAppendBlock => fields.writer.map(|writer| {
                let start = fields.connection_offset.unwrap_or_default();
                let len = fields.block_length.unwrap_or_default();
                let end = start.saturating_add(len);
                self.reach(writer, end);
                self.open(Awaited::Append(writer), end, name, fields)
            }),
            CommandKind::DataAppended => fields.writer.map(|writer| {
                let level = fields.ack_level.unwrap_or(i64::MIN);
                self.acknowledge(writer, level)
            }),
            _ => None,
        }
        .unwrap_or(CallEvent::None)
    }

    /// Opens a call that waits under `key`, for `number` if there are several.
    fn open<'a>(
        &mut self,
        key: Awaited,
        number: i64,
        name: &'static str,
        fields: &CallFields,
    ) -> CallEvent<'a> {
        let of_writer = match &key {
            Awaited::Append(writer) => self.segments.get(writer),
            _ => None,
        };
        let target = fields.segment.as_ref().or(of_writer).cloned();
        let awaited = (key, number);
        let token = self.pending.take_early(&awaited);
        let token = token
            .unwrap_or_else(|| self.pending.open(awaited.0, Range { from: number, end: number }));
        request(token, name, target)
    }

    fn close<'a>(&mut self, key: &Awaited, outcome: Outcome<'a>) -> CallEvent<'a> {
        let token = self.pending.close(key).map(|(token, _)| token);
        CallEvent::Reply(Reply { token, outcome })
    }

    /// Answers the call to come that will wait under `key` for `number`.
    fn ahead<'a>(&mut self, key: Awaited, number: i64, outcome: Outcome<'a>) -> Reply<'a> {
        Reply { token: Some(self.pending.answer_early((key, number))), outcome }
    }

    /// An acknowledgement ends all that it reaches.
    fn acknowledge<'a>(&mut self, writer: Uuid, number: i64) -> CallEvent<'a> {
        let (key, mut replies) = (Awaited::Append(writer), Vec::new());
        while let Some((token, _)) = self.pending.first(&key).filter(|(_, it)| it.end <= number) {
            self.pending.close(&key);
            replies.push(Reply { token: Some(token), outcome: OK });
        }
        if self.is_behind(writer, number) {
            replies.push(self.ahead(key, number, OK));
        }
        CallEvent::Replies(replies)
    }

    /// Notes what a writer appends to from now on.
    fn set_up(&mut self, writer: Uuid, fields: &CallFields) {
        if let Some(segment) = &fields.segment
            && (self.segments.len() < MAX_OPEN_CALLS || self.segments.contains_key(&writer))
        {
            self.held += entry(segment.len());
            if let Some(before) = self.segments.insert(writer, segment.clone()) {
                self.held -= entry(before.len());
            }
        }
    }

    /// Notes how far what was seen of a writer goes.
    fn reach(&mut self, writer: Uuid, number: i64) {
        if let Some(reached) = self.reached.get_mut(&writer) {
            *reached = number.max(*reached);
        } else if self.reached.len() < MAX_OPEN_CALLS {
            self.held += entry(0);
            self.reached.insert(writer, number);
        }
    }

    /// Whether `number` is behind what was seen of a writer, as far as that is known.
    fn is_behind(&self, writer: Uuid, number: i64) -> bool {
        match self.reached.get(&writer) {
            Some(reached) => *reached < number,
            None => self.reached.len() < MAX_OPEN_CALLS,
        }
    }

    /// The pending read of a segment that a piece at `start` belongs to: its token and range.
    fn read_of(&self, segment: &str, start: i64) -> Option<(u64, Range)> {
        let key = Awaited::Read(segment.to_owned());
        let reads = || self.pending.under(&key).map(|(token, read)| (token, *read));
        // The read that continues at `start`; if pieces were lost, one that requested these bytes.
        let next = reads().find(|(_, read)| read.from == start);
        next.or_else(|| reads().find(|(_, read)| (read.from..read.end).contains(&start)))
    }

    /// Takes a piece; gives the read that it is the last one of, or may be, if that is to come.
    fn piece(&mut self, segment: &str, start: i64, fields: &CallFields) -> Option<u64> {
        let len = fields.data.as_ref().map_or(0, ExactSizeIterator::len);
        let end = start.saturating_add(len.cast_signed() as i64);
        if let Some((token, read)) = self.read_of(segment, start) {
            if fields.is_last || end >= read.end {
                self.pending.close_token(token);
                return Some(token);
            }
            self.pending.replace(token, Range { from: end, ..read });
            return None;
        }
        // At a tail, readers repeat the same request: an empty reply may answer any read.
        if len == 0 {
            return None;
        }
        let token = self.pending.new_token();
        if self.pieces.len() as u64 >= MAX_OVERTAKEN {
            self.pieces.pop_front();
        }
        let (segment, is_last) = (segment.to_owned(), fields.is_last);
        self.pieces.push_back(Piece { segment, token, from: start, end, is_last });
        Some(token)
    }

    /// Opens a read of the first proposal, of which pieces may have come.
    fn open_read<'a>(
        &mut self,
        segment: &str,
        start: i64,
        end: i64,
        name: &'static str,
    ) -> CallEvent<'a> {
        let (mut from, target) = (start, Some(segment.to_owned()));
        let is_next = |piece: &Piece, from| piece.from == from && piece.segment == segment;
        while let Some(at) = self.pieces.iter().position(|piece| is_next(piece, from))
            && let Some(piece) = self.pieces.remove(at)
        {
            from = piece.end;
            if piece.is_last || from >= end {
                return request(piece.token, name, target);
            }
        }
        let token = self.pending.open(Awaited::Read(segment.to_owned()), Range { from, end });
        request(token, name, target)
    }
}

/// Approximate number of bytes of memory that an entry with a text of that length takes.
fn entry(text_len: usize) -> usize {
    2 * size_of::<(Uuid, String)>() + text_len
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
    fn validate_rejects_inconsistent_state() {
        let saved = || {
            let mut calls = Calls::default();
            let writer = Uuid(7);
            let fields = CallFields { segment: Some("s".to_owned()), ..CallFields::default() };
            calls.set_up(writer, &fields);
            calls.reach(writer, 1);
            calls.open(Awaited::Append(writer), 1, "AppendBlockEnd", &CallFields::default());
            calls.ahead(Awaited::Request(2), 0, OK);
            let token = calls.pending.new_token();
            let (from, end, is_last) = (0, 1, false);
            calls.pieces.push_back(Piece { segment: "s".into(), token, from, end, is_last });
            calls
        };
        assert_eq!(saved().validate(), Some(3));
        let forged: [fn(&mut Calls); 4] = [
            |it| it.pieces[0].token = 3,
            |it| it.pieces[0].token = u64::MAX,
            |it| it.held += 1,
            |it| it.reached.extend([(Uuid(8), 0)]),
        ];
        for forge in forged {
            let mut calls = saved();
            forge(&mut calls);
            assert_eq!(calls.validate(), None);
        }
    }
}
