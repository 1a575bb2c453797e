//! Decoding of one connection: bytes of both sides into messages, messages into calls.

pub(crate) mod arrivals;
pub(crate) mod calls;
pub(crate) mod carry;
pub(crate) mod detect;
pub(crate) mod neighbour;
pub(crate) mod nested;
pub(crate) mod table;

use std::borrow::Cow;

use jvmwire_codec::{
    Scan,
    message::{
        CallEvent, Decoded, Message, NestedRange, Outcome, ProtocolDecoder, Reply, Request, Side,
        Status,
    },
};
use serde::{Deserialize, Serialize};

use crate::{
    limits::MAX_COUNTER,
    output::{GapReason, Origin, Output},
    protocol::{AnyDecoder, Assumed},
    stream::arrivals::Arrivals,
    stream::calls::{Calls, Ended, Place},
    stream::carry::Carry,
    stream::detect::{
        Detected, Detection, ENOUGH_TO_TELL, EXAMINED_BESIDE, UNDECIDED_LIMIT, is_tls,
    },
    stream::neighbour::neighbour,
    stream::nested::{NestedStream, Piece},
    tables::pending_call::OpenCall,
    tables::redaction::Redaction,
    tables::{CallRow, MessageRow},
};

#[derive(Debug, Deserialize, Serialize)]
pub(crate) struct Stream {
    pub(crate) number: i64,
    /// Address and port of both sides, if they are known.
    pub(crate) client: Option<String>,
    pub(crate) server: Option<String>,
    pub(crate) messages: i64,
    pub(crate) errors: i64,
    mode: Mode,
    /// Directions, by the side that was assumed to be the client at the first packet.
    directions: [Direction; 2],
    /// Whether that assumption was wrong.
    swapped: bool,
    spoken: ProtocolState,
    /// Number of bytes of the other side that may be examined again to detect the protocol.
    allowance: u64,
    /// Reason for bytes of a known protocol that is not decoded.
    neighbour: Option<GapReason>,
    calls: Calls,
    /// Value of [`held`](Self::held) when it was last counted.
    #[serde(skip)]
    counted: usize,
}

/// Origin of a stream's bytes.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub(crate) enum Mode {
    /// Captured connection, from its first byte on.
    FromStart,
    /// Captured connection whose start is missing.
    Midway,
    /// Raw dump of one direction.
    Dump,
    /// Raw dump of messages of both sides.
    DumpOfAny,
    /// Raw dumps of both directions: a reply waits for its request.
    DumpOfBoth,
}

/// Protocol of a stream, as far as it is detected.
#[derive(Debug, Deserialize, Serialize)]
enum ProtocolState {
    Undecided,
    Known(AnyDecoder),
    /// Bytes are only counted, for this reason.
    Opaque(GapReason),
}

/// State of one direction of a stream.
#[derive(Debug, Default, Deserialize, Serialize)]
struct Direction {
    /// Undecoded bytes.
    carry: Carry,
    /// Offset of `carry` in the direction's bytes.
    offset: u64,
    /// Progress of earlier scans of the bytes from that offset on.
    #[serde(skip)]
    scan: (u64, Scan),
    /// Progress of the protocol detection from that offset on.
    #[serde(skip)]
    detection: Option<(u64, Box<Detection>)>,
    /// Start and reason of the current search for a message boundary.
    search: Option<Search>,
    /// Times of the bytes from that offset on.
    arrivals: Arrivals,
    ended: bool,
    /// Bytes of the nested stream in its messages.
    carried: NestedStream,
    /// Whether bytes were not decoded because the output was full.
    #[serde(skip)]
    is_stalled: bool,
    /// Whether bytes of the nested stream were not decoded because the output was full, and whether it ends
    /// with the latest piece.
    #[serde(skip)]
    stalled_carried: Option<bool>,
}

#[derive(Debug, Deserialize, Serialize)]
struct Search {
    from: u64,
    why: GapReason,
    error: Option<String>,
}

impl Stream {
    pub(crate) fn new(number: i64, mode: Mode, assumed: Option<Assumed>) -> Self {
        let spoken =
            assumed.map_or(ProtocolState::Undecided, |known| ProtocolState::Known(known.decoder()));
        let mut stream = Self {
            number,
            client: None,
            server: None,
            messages: 0,
            errors: 0,
            mode,
            directions: Default::default(),
            swapped: false,
            spoken,
            allowance: 0,
            neighbour: None,
            calls: Calls::default(),
            counted: 0,
        };
        if mode == Mode::Midway {
            for direction in &mut stream.directions {
                direction.search(GapReason::BeforeFirstMessage, None);
            }
        }
        stream
    }

    pub(crate) fn protocol(&self) -> &'static str {
        match self.spoken {
            ProtocolState::Known(ref decoder) => decoder.protocol().name(),
            ProtocolState::Opaque(why) => why.protocol(),
            ProtocolState::Undecided => "unknown",
        }
    }

    /// Whether the connection's first packet was assigned to the wrong sides.
    pub(crate) fn is_turned_round(&self) -> bool {
        self.swapped
    }

    /// Whether a loaded state can have been saved.
    pub(crate) fn is_sound(&self) -> bool {
        let next_token = match &self.spoken {
            ProtocolState::Known(decoder) => decoder.validate(),
            ProtocolState::Undecided | ProtocolState::Opaque(_) => Some(MAX_COUNTER),
        };
        let counts = [self.number, self.messages, self.errors];
        matches!(self.mode, Mode::FromStart | Mode::Midway)
            && next_token.is_some_and(|next| self.calls.is_sound(next))
            && counts
                .into_iter()
                .all(|count| u64::try_from(count).is_ok_and(|it| it <= MAX_COUNTER))
            && self.directions.iter().all(Direction::is_sound)
    }

    /// Number of bytes that the stream keeps: incomplete messages, open calls, and state of the protocol's
    /// decoder.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "counted for every packet")]
    pub(crate) fn held(&self) -> usize {
        let remembered = match &self.spoken {
            ProtocolState::Known(decoder) => decoder.held(),
            ProtocolState::Undecided | ProtocolState::Opaque(_) => 0,
        };
        let [client, server] = &self.directions;
        client.held() + server.held() + self.calls.held() + remembered
    }

    /// Counts the kept bytes again, and returns the previous number and the current one.
    pub(crate) fn recount(&mut self) -> (usize, usize) {
        let held = self.held();
        (std::mem::replace(&mut self.counted, held), held)
    }

    pub(crate) fn held_of(&self, side: Side) -> usize {
        self.direction(side).waiting()
    }

    fn direction(&self, side: Side) -> &Direction {
        &self.directions[side as usize]
    }

    fn direction_mut(&mut self, side: Side) -> &mut Direction {
        &mut self.directions[side as usize]
    }

    /// Replaces values chosen by users in the open calls.
    pub(crate) fn redact(&mut self, redaction: Redaction) {
        self.calls.redact(redaction);
    }

    /// Feeds the next bytes of `side`. Returns whether all decodable bytes were decoded: if not, the output is
    /// full, and [`go_on`](Self::go_on) decodes the rest.
    pub(crate) fn data(
        &mut self,
        side: Side,
        bytes: &[u8],
        ts: Option<i64>,
        out: &mut Output,
    ) -> bool {
        if matches!(self.spoken, ProtocolState::Undecided) {
            let more = EXAMINED_BESIDE * bytes.len() as u64;
            self.allowance = self.allowance.saturating_add(more);
        }
        let direction = self.direction_mut(side);
        let end = direction.offset + direction.carry.len() as u64;
        direction.arrivals.push(ts, direction.offset, end);
        if direction.carry.is_empty() {
            let used = self.decode(side, bytes, out);
            self.direction_mut(side).carry.extend(&bytes[used..]);
        } else {
            self.direction_mut(side).carry.extend(bytes);
            self.decode_carry(side, out);
        }
        self.decode_what_waited(side, out);
        !self.is_stalled()
    }

    /// Decodes bytes that were left when the output was full; the last writer was `side`. Returns whether all
    /// of them were decoded.
    pub(crate) fn go_on(&mut self, side: Side, out: &mut Output) -> bool {
        for side in [side.peer(), side] {
            if std::mem::take(&mut self.direction_mut(side).is_stalled) {
                self.decode_carry(side, out);
                self.decode_what_waited(side, out);
            }
        }
        !self.is_stalled()
    }

    fn is_stalled(&self) -> bool {
        self.directions.iter().any(|direction| direction.is_stalled)
    }

    /// Decodes both sides alternately: a message of one side can be awaited by the next message of the other,
    /// and so on. If the output is full, the side whose turn it is continues first.
    fn decode_what_waited(&mut self, mut side: Side, out: &mut Output) {
        if self.mode != Mode::DumpOfBoth {
            return;
        }
        while !self.is_stalled() {
            side = side.peer();
            let before = self.direction(side).offset;
            self.decode_carry(side, out);
            if self.direction(side).offset == before {
                return;
            }
        }
    }

    fn decode_carry(&mut self, side: Side, out: &mut Output) {
        let mut carry = std::mem::take(&mut self.direction_mut(side).carry);
        let used = self.decode(side, carry.bytes(), out);
        carry.drop_front(used);
        self.direction_mut(side).carry = carry;
    }

    /// Records that the next bytes of `side` are missing, and the reason. Returns false if the output is full:
    /// then it must be called again.
    pub(crate) fn lost(
        &mut self,
        side: Side,
        bytes: u64,
        why: GapReason,
        out: &mut Output,
    ) -> bool {
        if matches!(self.spoken, ProtocolState::Undecided) {
            // The bytes that identify the protocol at the start may be lost.
            self.mode = Mode::Midway;
            for direction in &mut self.directions {
                direction.search.get_or_insert_with(|| {
                    Search::new(direction.offset, GapReason::BeforeFirstMessage)
                });
            }
        }
        if !self.end_of(side, out) {
            return false;
        }
        self.direction_mut(side).ended = false;
        if matches!(self.spoken, ProtocolState::Opaque(_)) {
            self.direction_mut(side).offset += bytes;
            return true;
        }
        // The protocol is still undecided: the earlier bytes do not identify it.
        let direction = self.direction_mut(side);
        direction.offset += direction.carry.len() as u64;
        direction.carry = Carry::default();
        self.end_search(side, out);
        let from = self.direction(side).offset;
        self.gap(side, from, bytes, why, None, out);
        let direction = self.direction_mut(side);
        direction.offset += bytes;
        direction.search(GapReason::BeforeFirstMessage, None);
        true
    }

    /// Ends one direction: incomplete bytes are decoded as they are. Returns false if the output is full: then
    /// it must be called again.
    pub(crate) fn end_of(&mut self, side: Side, out: &mut Output) -> bool {
        let direction = self.direction_mut(side);
        (direction.ended, direction.is_stalled) = (true, false);
        self.decode_carry(side, out);
        if self.is_stalled() && !self.go_on(side, out) {
            return false;
        }
        let offset = self.direction(side).offset;
        self.give_up_carried(side, GapReason::CutShort, offset, out);
        self.decode_what_waited(side, out);
        !self.is_stalled()
    }

    /// Ends the stream: open calls are lost. Returns false if the output is full: then it must be called again.
    pub(crate) fn end(&mut self, out: &mut Output) -> bool {
        if !self.end_of(Side::Client, out) || !self.end_of(Side::Server, out) {
            return false;
        }
        if matches!(self.spoken, ProtocolState::Undecided) {
            self.give_up(self.neighbour.unwrap_or(GapReason::UnknownProtocol), out);
        }
        if let ProtocolState::Opaque(why) = self.spoken {
            for side in [Side::Client, Side::Server] {
                let direction = self.direction_mut(side);
                let (from, len) = direction.search.take().map_or((direction.offset, 0), |search| {
                    (search.from, direction.offset - search.from)
                });
                if len > 0 {
                    self.gap(side, from, len, why, None, out);
                }
            }
        }
        let lost = Outcome { status: Status::Lost, error_class: None };
        while !out.is_full() {
            let Some(call) = self.calls.take_oldest() else { return true };
            self.close_call(call, &lost, None, out);
        }
        self.calls.is_empty()
    }

    /// Adds a row which states that what later messages depend on was dropped: replies to the open calls, the
    /// rest of fragmented messages and the user are unknown if the connection continues.
    pub(crate) fn report_eviction(&mut self, ts: Option<i64>, out: &mut Output) {
        if !matches!(self.spoken, ProtocolState::Known(_)) {
            return;
        }
        self.errors += 1;
        let why = GapReason::ConnectionEvicted.reason();
        let row = MessageRow {
            protocol: Some(self.protocol()),
            stream: Some(self.number),
            side: Some("any"),
            offset: Some(0),
            length: Some(0),
            ts,
            error: Some(why),
            ..MessageRow::default()
        };
        out.undecoded(&row, why);
    }

    /// Drops the bytes that are held for one incomplete message.
    pub(crate) fn evict(&mut self) {
        for side in [Side::Client, Side::Server] {
            let direction = self.direction_mut(side);
            // The nested bytes are part of messages that have rows.
            direction.carried.give_up();
            let len = std::mem::take(&mut direction.carry).len() as u64;
            if len > 0 {
                let from = direction.offset;
                direction.offset += len;
                direction.search.get_or_insert_with(|| Search::new(from, GapReason::Evicted));
            }
        }
    }

    /// Decodes from the start of `bytes`, which begin where `side`'s carry would; returns the number of
    /// processed bytes.
    fn decode(&mut self, side: Side, bytes: &[u8], out: &mut Output) -> usize {
        if matches!(self.spoken, ProtocolState::Undecided)
            && let Err(useless) = self.decide(side, bytes, out)
        {
            let direction = self.direction_mut(side);
            let before = direction.offset;
            direction.offset += useless as u64;
            // After a gap, the state of the detection belongs to other bytes.
            if let Some((offset, detection)) = &mut direction.detection
                && *offset == before
            {
                *offset = direction.offset;
                detection.forget(useless);
            }
            return useless;
        }
        // No valid length of a frame begins with the bytes of TLS.
        if matches!(self.spoken, ProtocolState::Known(_))
            && self.direction(side).offset == 0
            && is_tls(bytes)
        {
            self.give_up(GapReason::Encrypted, out);
        }
        if let ProtocolState::Opaque(_) = self.spoken {
            let direction = self.direction_mut(side);
            direction
                .search
                .get_or_insert_with(|| Search::new(direction.offset, GapReason::UnknownProtocol));
            direction.offset += bytes.len() as u64;
            return bytes.len();
        }
        if let Some(ends) = self.direction_mut(side).stalled_carried.take() {
            let direction = self.direction_mut(side);
            let (rest, end) = (direction.carried.rest(), direction.offset);
            self.decode_carried(side, rest, (end, ends), out);
        }
        let mut at = 0;
        let has_stalled = loop {
            let is_stalled = self.direction(side).stalled_carried.is_some();
            if is_stalled || out.is_full() && at < bytes.len() {
                break true;
            }
            let Some(used) = self.decode_one(side, &bytes[at..], out) else { break false };
            at += used;
        };
        if has_stalled {
            self.direction_mut(side).is_stalled = true;
            return at;
        }
        if self.direction(side).ended && !self.waits(side, &bytes[at..]) {
            let direction = self.direction_mut(side);
            if at < bytes.len() {
                direction
                    .search
                    .get_or_insert_with(|| Search::new(direction.offset, GapReason::CutShort));
                direction.offset += (bytes.len() - at) as u64;
                at = bytes.len();
            }
            self.end_search(side, out);
        }
        at
    }

    /// Whether the next message of `side` must wait for the other side's dump.
    fn waits(&mut self, side: Side, bytes: &[u8]) -> bool {
        if self.mode != Mode::DumpOfBoth || bytes.is_empty() || self.direction(side.peer()).ended {
            return false;
        }
        let ProtocolState::Known(decoder) = &self.spoken else { return false };
        let direction = &mut self.directions[side as usize];
        // An incomplete message waits for its own bytes.
        let ended = direction.ended;
        let scan = direction.scan();
        (ended || !scan.is_short(bytes)) && decoder.awaits_peer(side, bytes, scan)
    }

    /// Decodes one message, or searches for the next boundary; returns the number of processed bytes, or `None`
    /// if more must arrive.
    fn decode_one(&mut self, side: Side, rest: &[u8], out: &mut Output) -> Option<usize> {
        if rest.is_empty() || self.waits(side, rest) {
            return None;
        }
        let judged = (self.mode != Mode::DumpOfAny).then_some(self.writer(side));
        let direction = &mut self.directions[side as usize];
        let ProtocolState::Known(decoder) = &mut self.spoken else { return None };
        if direction.search.is_some() {
            let ended = direction.ended;
            let scan = direction.scan();
            let found = decoder.resync(judged, rest, ended, scan);
            let (Ok(skipped) | Err(skipped)) = found;
            if found.is_ok() {
                scan.reset();
            } else {
                scan.forget(skipped);
            }
            direction.offset += skipped as u64;
            direction.scan.0 = direction.offset;
            if found.is_ok() {
                self.end_search(side, out);
            }
            return (found.is_ok() || skipped > 0).then_some(skipped);
        }
        let ended = direction.ended;
        let used =
            match out.decode(decoder, judged, rest, direction.scan(), Origin::Stream { ended }) {
                Decoded::Incomplete if direction.ended => {
                    // The length exceeds the remaining bytes: either a message was cut short,
                    // or this is not a message and others follow. If a message can begin only here,
                    // or certainly does, it was cut short.
                    let found = decoder.resync(judged, rest, false, &mut Scan::default());
                    if matches!(found, Ok(0) | Err(0)) {
                        return None;
                    }
                    direction.search(GapReason::CutShort, None);
                    1
                }
                Decoded::Incomplete => return None,
                // By reference, since moving a large message is expensive.
                Decoded::Message(ref message, len) => {
                    self.message(message, &rest[..len], side, out);
                    len
                }
                Decoded::Malformed(error) => {
                    direction.search(GapReason::Damaged, Some(error.to_string()));
                    decoder.damaged(rest)
                }
            };
        self.direction_mut(side).offset += used as u64;
        Some(used)
    }

    fn end_search(&mut self, side: Side, out: &mut Output) {
        let direction = self.direction_mut(side);
        let Some(search) = direction.search.take() else { return };
        let len = direction.offset - search.from;
        if len > 0 {
            self.gap(side, search.from, len, search.why, search.error.as_deref(), out);
        }
    }

    /// Detects the protocol, or returns the number of `bytes` that need not be examined again.
    fn decide(&mut self, side: Side, bytes: &[u8], out: &mut Output) -> Result<(), usize> {
        let direction = &mut self.directions[side as usize];
        let (ended, passed) = (direction.ended, direction.searched());
        if passed == 0 && is_tls(bytes) {
            self.give_up(GapReason::Encrypted, out);
            return Ok(());
        }
        if bytes.len() < ENOUGH_TO_TELL && !ended {
            return Err(0);
        }
        if passed == 0 && direction.offset == 0 {
            self.neighbour =
                self.neighbour.or_else(|| neighbour(bytes, self.mode == Mode::FromStart));
        }
        let other = std::mem::take(&mut self.direction_mut(side.peer()).carry);
        let direction = &mut self.directions[side as usize];
        let enough = passed + bytes.len() as u64 > UNDECIDED_LIMIT;
        let all = ended || enough;
        let detection = direction.detection();
        let found = if self.mode == Mode::FromStart {
            detection.detect_from_start(side, bytes, all)
        } else {
            let other = (other.bytes(), &mut self.allowance);
            detection.detect_midstream(side, bytes, other, ended, all)
        };
        self.direction_mut(side.peer()).carry = other;
        match found {
            Detected::Found(protocol, writer) => {
                for direction in &mut self.directions {
                    direction.detection = None;
                }
                if writer != side {
                    self.swap_sides();
                }
                self.spoken = ProtocolState::Known(AnyDecoder::new(protocol));
                self.decode_carry(side.peer(), out);
            }
            Detected::Undecided { useless } if !enough => return Err(useless),
            Detected::Undecided { .. } | Detected::Unknown => {
                self.give_up(self.neighbour.unwrap_or(GapReason::UnknownProtocol), out);
            }
        }
        Ok(())
    }

    /// Swaps client and server: in a stream whose start was not captured, only the content identifies them.
    fn swap_sides(&mut self) {
        std::mem::swap(&mut self.client, &mut self.server);
        self.swapped = true;
    }

    fn writer(&self, side: Side) -> Side {
        if self.swapped { side.peer() } else { side }
    }

    fn give_up(&mut self, why: GapReason, out: &mut Output) {
        self.spoken = ProtocolState::Opaque(why);
        for direction in &mut self.directions {
            (direction.scan, direction.detection) = Default::default();
        }
        for side in [Side::Client, Side::Server] {
            self.decode_carry(side, out);
        }
    }

    fn message(&mut self, message: &Message<'_>, bytes: &[u8], side: Side, out: &mut Output) {
        let offset = self.direction(side).offset;
        let end = offset + bytes.len() as u64;
        let ts = self.direction(side).arrivals.latest(offset, end);
        self.found(message, bytes, (offset, None, ts), out);
        if let Some(NestedRange { range, begins, ends }) = &message.carries {
            if *begins {
                self.give_up_carried(side, GapReason::CutShort, offset, out);
            }
            let piece = Piece { parent: offset, offset: offset + range.start as u64 };
            let carried = self.direction_mut(side).carried.append(piece, &bytes[range.clone()]);
            self.decode_carried(side, carried, (end, *ends), out);
        }
    }

    /// Decodes messages inside a message that ends at `end`; `ends` states that the last of them ends there,
    /// too.
    fn decode_carried(
        &mut self,
        side: Side,
        bytes: Vec<u8>,
        (end, ends): (u64, bool),
        out: &mut Output,
    ) {
        let judged = (self.mode != Mode::DumpOfAny).then_some(self.writer(side));
        let mut at = 0;
        while at < bytes.len() {
            if at > 0 && out.is_full() {
                let direction = self.direction_mut(side);
                direction.stalled_carried = Some(ends);
                direction.carried.keep(bytes, at);
                return;
            }
            let ProtocolState::Known(decoder) = &mut self.spoken else { return };
            let Direction { carried, arrivals, .. } = &mut self.directions[side as usize];
            let place = carried.place(at);
            let ts = arrivals.latest(place.parent, end);
            match out.decode(decoder, judged, &bytes[at..], &mut carried.scan, Origin::Nested) {
                Decoded::Incomplete => break,
                Decoded::Message(message, len) => {
                    let place = (place.offset, Some(place.parent), ts);
                    self.found(&message, &bytes[at..at + len], place, out);
                    self.direction_mut(side).carried.scan.reset();
                    at += len;
                }
                // The next piece is decoded again from its start.
                Decoded::Malformed(error) => {
                    let len = (bytes.len() - at) as u64;
                    let (why, error) = (GapReason::Damaged, error.to_string());
                    self.gap_at(
                        side,
                        (place.offset, Some(place.parent), ts),
                        len,
                        why,
                        Some(&error),
                        out,
                    );
                    at = bytes.len();
                }
            }
        }
        self.direction_mut(side).carried.keep(bytes, at);
        if ends {
            self.give_up_carried(side, GapReason::CutShort, end, out);
        }
    }

    /// Drops the nested stream in messages up to `end`.
    fn give_up_carried(&mut self, side: Side, why: GapReason, end: u64, out: &mut Output) {
        let direction = self.direction_mut(side);
        if let Some((piece, len)) = direction.carried.give_up() {
            let ts = direction.arrivals.latest(piece.parent, end);
            self.gap_at(side, (piece.offset, Some(piece.parent), ts), len as u64, why, None, out);
        }
    }

    /// Adds the row of a message at an offset, optionally with the offset of the message around it, and with a
    /// time.
    fn found(
        &mut self,
        message: &Message<'_>,
        bytes: &[u8],
        (offset, parent, ts): (u64, Option<u64>, Option<i64>),
        out: &mut Output,
    ) {
        let offset = offset.cast_signed();
        self.messages += 1;
        self.errors += i64::from(message.error.is_some());
        if out.looks_at_messages() || message.error.is_some() {
            let mut digits = itoa::Buffer::new();
            let id = message.id.filter(|_| out.wants_messages()).map(|id| digits.format(id));
            let error = message.error.as_ref().map(ToString::to_string);
            out.message(
                &MessageRow {
                    protocol: Some(self.protocol()),
                    stream: Some(self.number),
                    side: Some(message.side.name()),
                    offset: Some(offset),
                    length: Some(bytes.len().cast_signed() as i64),
                    ts,
                    name: Some(message.name),
                    kind: Some(message.kind.name()),
                    id,
                    parent: parent.map(u64::cast_signed),
                    error: error.as_deref(),
                    ..MessageRow::default()
                },
                message.side,
                bytes,
            );
        }
        if !out.wants_calls() {
            return;
        }
        let place = Place { offset, len: bytes.len().cast_signed() as i64, ts };
        match &message.call {
            CallEvent::None => {}
            CallEvent::Request(request) => self.request(request, message.id, place, out),
            CallEvent::Reply(reply) => self.reply(reply, place, out),
            CallEvent::Replies(replies) => {
                for reply in replies {
                    self.reply(reply, place, out);
                }
            }
            CallEvent::AllEnded(outcome) => {
                for call in self.calls.take_all() {
                    self.close_call(call, outcome, Some(&place), out);
                }
            }
        }
    }

    fn request(&mut self, request: &Request<'_>, id: Option<i64>, place: Place, out: &mut Output) {
        let mut call = out.take_spare_call();
        call.set(request, out.redaction);
        call.id = id;
        (call.request_offset, call.request_bytes, call.start) = (place.offset, place.len, place.ts);
        if let Some(Ended { call, outcome, reply }) = self.calls.open(request.token, call) {
            self.close_call(call, &outcome, reply.as_ref(), out);
        }
    }

    fn reply(&mut self, reply: &Reply<'_>, place: Place, out: &mut Output) {
        if let Some(call) = self.calls.answered(reply, place) {
            self.close_call(call, &reply.outcome, Some(&place), out);
        }
    }

    fn close_call(
        &self,
        call: Box<OpenCall>,
        outcome: &Outcome<'_>,
        reply: Option<&Place>,
        out: &mut Output,
    ) {
        if out.wants_call_rows() {
            self.call_row(&call, outcome, reply, out);
        }
        out.keep_spare_call(call);
    }

    fn call_row(
        &self,
        call: &OpenCall,
        outcome: &Outcome<'_>,
        reply: Option<&Place>,
        out: &mut Output,
    ) {
        let mut digits = itoa::Buffer::new();
        let user = match &self.spoken {
            ProtocolState::Known(decoder) => decoder.user(),
            _ => None,
        };
        let hidden = out.redaction.zip(user).map(|(by, user)| by.replace(user.as_bytes()));
        let mut attributes = std::mem::take(&mut out.attributes);
        let caller_context = call.caller_context();
        // Counts have none of these.
        let (id, shown_context) =
            if out.wants_whole_calls() { (call.id, caller_context) } else { (None, None) };
        let latency = reply.and_then(|reply| reply.ts).zip(call.start);
        let row = CallRow {
            protocol: Some(self.protocol()),
            stream: Some(self.number),
            client: self.client.as_deref(),
            server: self.server.as_deref(),
            id: id.map(|id| digits.format(id)),
            user: hidden.as_deref().or(user),
            name: Some(call.name()),
            target: call.target(),
            request_offset: Some(call.request_offset),
            reply_offset: reply.map(|reply| reply.offset),
            request_bytes: Some(call.request_bytes),
            reply_bytes: reply.map(|reply| reply.len),
            start: call.start,
            // The latency of a reply that was captured before its request is unknown.
            latency_us: latency.map(|(end, start)| end.saturating_sub(start).max(0)),
            status: Some(outcome.status.name()),
            error_class: outcome.error_class.as_deref(),
            retry: call.retry,
            attributes: shown_context.map(|context| attributes.json(context)),
        };
        out.call(&row, caller_context);
        out.attributes = attributes;
    }

    /// Adds a row for bytes outside of messages.
    fn gap(
        &mut self,
        side: Side,
        offset: u64,
        length: u64,
        why: GapReason,
        error: Option<&str>,
        out: &mut Output,
    ) {
        let ts = self.direction(side).arrivals.latest(offset, offset.saturating_add(length));
        self.gap_at(side, (offset, None, ts), length, why, error, out);
    }

    fn gap_at(
        &mut self,
        side: Side,
        (offset, parent, ts): (u64, Option<u64>, Option<i64>),
        length: u64,
        why: GapReason,
        error: Option<&str>,
        out: &mut Output,
    ) {
        self.errors += 1;
        let error = match error {
            Some(error) => Cow::Owned(format!("{}: {error}", why.reason())),
            None => Cow::Borrowed(why.reason()),
        };
        let row = MessageRow {
            protocol: Some(self.protocol()),
            stream: Some(self.number),
            side: Some(self.writer(side).name()),
            offset: Some(offset.cast_signed()),
            length: Some(length.cast_signed()),
            ts,
            parent: parent.map(u64::cast_signed),
            error: Some(&error),
            ..MessageRow::default()
        };
        out.undecoded(&row, why.reason());
    }
}

impl Direction {
    /// Number of bytes that wait for the rest of their message.
    fn waiting(&self) -> usize {
        self.carry.len() + self.carried.len()
    }

    /// Number of bytes that wait, and of the times of their packets.
    #[inline]
    fn held(&self) -> usize {
        self.waiting() + self.arrivals.held()
    }

    /// Scan state of the next bytes.
    fn scan(&mut self) -> &mut Scan {
        if self.scan.0 != self.offset {
            self.scan.0 = self.offset;
            self.scan.1.reset();
        }
        &mut self.scan.1
    }

    fn detection(&mut self) -> &mut Detection {
        let offset = self.offset;
        let known = self.detection.take().filter(|(of, _)| *of == offset);
        &mut self.detection.insert(known.unwrap_or_else(|| (offset, Box::default()))).1
    }

    /// Whether searches and nested streams begin before the next bytes.
    fn is_sound(&self) -> bool {
        self.offset <= MAX_COUNTER
            && self.search.as_ref().is_none_or(|search| search.from <= self.offset)
            && self.carried.is_before(self.offset)
            && self.arrivals.is_sound()
    }

    /// Number of bytes that were searched and in which no message begins.
    fn searched(&self) -> u64 {
        self.search.as_ref().map_or(0, |search| self.offset - search.from)
    }

    fn search(&mut self, why: GapReason, error: Option<String>) {
        self.search = Some(Search { from: self.offset, why, error });
    }
}

impl Search {
    fn new(from: u64, why: GapReason) -> Self {
        Self { from, why, error: None }
    }
}

#[cfg(test)]
mod tests {
    use jvmwire_codec::pending_calls::MAX_OVERTAKEN;
    use proptest::prelude::*;

    use super::*;
    use crate::{Protocol, Table, output::OutputOptions, write_jsonl};

    const SEED: &[u8] = include_bytes!("../../../../tests/vectors/hadoop/seed/client-call.bin");
    const SEED_REPLY: &[u8] = include_bytes!("../../../../tests/vectors/hadoop/seed/reply.bin");

    fn output() -> Output {
        Output::new(&OutputOptions {
            messages: true,
            fields: true,
            calls: true,
            ..OutputOptions::default()
        })
    }

    /// Returns the rows of a table, one line each.
    fn lines(out: &mut Output, wanted: Table) -> Vec<String> {
        out.flush();
        let mut text = Vec::new();
        while let Some((table, batch)) = out.next_batch() {
            if table == wanted {
                write_jsonl(&batch, &mut text);
            }
        }
        String::from_utf8(text).unwrap().lines().map(str::to_owned).collect()
    }

    /// Returns the rows of `stream` for a sequence of chunks, and for its end.
    fn messages(mut stream: Stream, turns: &[(Side, &[u8])]) -> Vec<String> {
        let mut out = output();
        for (side, bytes) in turns {
            stream.data(*side, bytes, Some(1), &mut out);
        }
        stream.end(&mut out);
        let waiting = [Side::Client, Side::Server].map(|side| stream.held_of(side));
        assert_eq!(waiting, [0, 0]);
        lines(&mut out, Table::Messages)
    }

    fn reply(id: u8) -> Vec<u8> {
        vec![0, 0, 0, 7, 6, 8, id, 16, 0, 24, 9]
    }

    #[test]
    fn stream_from_its_start_is_detected_by_its_client() {
        let stream = Stream::new(0, Mode::FromStart, None);
        let rows = messages(stream, &[(Side::Client, SEED), (Side::Server, SEED_REPLY)]);
        assert_eq!(rows.len(), 4);
        assert!(rows.iter().all(|row| row.contains(r#""protocol":"hadoop""#)));
        assert!(rows.iter().all(|row| row.ends_with(r#""error":null}"#)));
    }

    #[test]
    fn stream_whose_server_writes_first_waits_for_the_client() {
        let stream = Stream::new(0, Mode::FromStart, None);
        let rows = messages(stream, &[(Side::Server, SEED_REPLY), (Side::Client, SEED)]);
        assert_eq!(rows.len(), 4);
        let mut alone = Stream::new(0, Mode::FromStart, None);
        alone.data(Side::Server, SEED_REPLY, None, &mut output());
        assert_eq!((alone.protocol(), alone.held()), ("unknown", SEED_REPLY.len()));
    }

    #[test]
    fn few_bytes_after_a_hole_are_searched_anew() {
        let mut out = output();
        let mut stream = Stream::new(0, Mode::Midway, None);
        // Its last line may yet be one of Hama's.
        stream.data(Side::Server, b"no message ends\n%1%=an\n", Some(1), &mut out);
        assert!(stream.lost(Side::Server, 1, GapReason::NotCaptured, &mut out));
        for few in [b"abc", &b"d"[..]] {
            stream.data(Side::Server, few, Some(2), &mut out);
        }
        assert_eq!(stream.protocol(), "unknown");
    }

    #[test]
    fn unknown_protocol_is_one_row_per_side_and_is_not_held() {
        let mut stream = Stream::new(0, Mode::FromStart, None);
        let mut out = output();
        stream.data(Side::Server, b"220 hello\r\n", None, &mut out);
        stream.data(Side::Client, b"EHLO there\r\n", None, &mut out);
        assert_eq!((stream.protocol(), stream.held()), ("unknown", 0));
        stream.end(&mut out);
        assert_eq!(stream.errors, 2);
        let rows = lines(&mut out, Table::Messages);
        assert!(rows.iter().all(|row| row.contains("no protocol known here")));
    }

    #[test]
    fn hole_while_nothing_is_known_yet_keeps_offsets_right() {
        let mut stream = Stream::new(0, Mode::FromStart, None);
        let mut out = output();
        stream.data(Side::Client, &SEED[..2], None, &mut out);
        stream.lost(Side::Client, 5, GapReason::NotCaptured, &mut out);
        stream.data(Side::Client, &SEED[7..], None, &mut out);
        stream.end(&mut out);
        let rows = lines(&mut out, Table::Messages);
        let places: Vec<(u64, u64)> = rows.iter().map(|row| place(row)).collect();
        assert_eq!(places, [(0, 2), (2, 5), (7, 54), (61, 67)]);
    }

    #[test]
    fn line_that_does_not_end_is_one_row_at_the_end() {
        let stream = Stream::new(0, Mode::Dump, Some(Protocol::Hama.into()));
        let wire = b"%0%=\n0\n%1%=\n0\n%3%=\nthis line does not end";
        let rows = messages(stream, &[(Side::Server, wire)]);
        let places: Vec<(u64, u64)> = rows.iter().map(|row| place(row)).collect();
        assert_eq!(places, [(0, 7), (7, 7), (14, 5), (19, 22)]);
    }

    #[test]
    fn lines_that_are_counted_and_do_not_all_come_are_one_row() {
        let stream = Stream::new(0, Mode::Dump, Some(Protocol::Hama.into()));
        let wire = b"%0%=\n0\n%1%=\n9\nuser.name\nbob\n%1%=\n9\n";
        let rows = messages(stream, &[(Side::Server, wire)]);
        let places: Vec<(u64, u64)> = rows.iter().map(|row| place(row)).collect();
        assert_eq!(places, [(0, 7), (7, 28)]);
    }

    #[test]
    fn message_of_the_other_side_after_white_space_is_one_row() {
        let stream = Stream::new(0, Mode::Dump, Some(Protocol::Storm.into()));
        let wire = [&b"\n".repeat(50)[..], b"{\"pid\":1}\nend\n[1]\nend\n"].concat();
        let rows = messages(stream, &[(Side::Server, &wire)]);
        let places: Vec<(u64, u64)> = rows.iter().map(|row| place(row)).collect();
        assert_eq!(places, [(0, 64), (64, 8)]);
    }

    #[test]
    fn answer_that_is_no_count_is_one_row() {
        let mut stream = Stream::new(0, Mode::DumpOfBoth, Some(Protocol::Hama.into()));
        let mut out = output();
        stream.data(Side::Client, b"%ACK_0%=\n%12%=\n%16%=\n", None, &mut out);
        stream.data(Side::Server, b"%0%=\n0\n%1%=\n0\n%3%=\nno count\n7\n", None, &mut out);
        stream.end(&mut out);
        let rows = lines(&mut out, Table::Messages);
        let wrong: Vec<_> = rows.iter().filter(|row| !row.ends_with(r#""error":null}"#)).collect();
        assert_eq!(wrong.len(), 1, "{rows:#?}");
        assert_eq!(place(wrong[0]), (19, 9));
    }

    #[test]
    fn evicted_stream_is_a_row() {
        let mut stream = Stream::new(0, Mode::Dump, Some(Protocol::Hadoop.into()));
        let mut out = output();
        stream.data(Side::Client, &SEED[..50], None, &mut out);
        assert_eq!(stream.held(), 43);
        stream.evict();
        assert_eq!(stream.held(), 0);
        stream.data(Side::Client, &SEED[50..], None, &mut out);
        stream.end(&mut out);
        let rows = lines(&mut out, Table::Messages);
        let places: Vec<(u64, u64)> = rows.iter().map(|row| place(row)).collect();
        assert_eq!(places, [(0, 7), (7, 54), (61, 67)]);
        assert!(rows[1].contains("given up to stay within the memory limit"));
    }

    #[test]
    fn reply_in_a_dump_waits_for_its_call_but_not_for_ever() {
        let mut stream = Stream::new(0, Mode::DumpOfBoth, Some(Protocol::Hadoop.into()));
        let mut out = output();
        stream.data(Side::Server, SEED_REPLY, None, &mut out);
        stream.data(Side::Server, &reply(9), None, &mut out);
        assert_eq!(stream.held_of(Side::Server), SEED_REPLY.len() + 11);
        stream.data(Side::Client, SEED, None, &mut out);
        assert_eq!(stream.held_of(Side::Server), 11);
        stream.end(&mut out);
        let calls = lines(&mut out, Table::Calls);
        assert_eq!(calls.len(), 1);
        assert!(calls[0].contains(r#""name":"ping.ping""#));
        assert!(calls[0].contains(r#""status":"ok""#));
    }

    #[test]
    fn reply_that_was_captured_before_its_request_ends_its_call() {
        let mut stream = Stream::new(0, Mode::FromStart, None);
        let mut out = output();
        stream.data(Side::Client, &SEED[..61], Some(1), &mut out);
        stream.data(Side::Server, SEED_REPLY, Some(5), &mut out);
        stream.data(Side::Client, &SEED[61..], Some(7), &mut out);
        assert_eq!(stream.calls.early(), 0);
        stream.end(&mut out);
        let calls = lines(&mut out, Table::Calls);
        assert_eq!(calls.len(), 1);
        let row: serde_json::Value = serde_json::from_str(&calls[0]).unwrap();
        assert_eq!((&row["name"], &row["status"]), (&"ping.ping".into(), &"ok".into()));
        assert_eq!((&row["request_offset"], &row["reply_offset"]), (&61.into(), &0.into()));
        assert_eq!(row["latency_us"], 0);
    }

    #[test]
    fn messages_from_before_the_protocol_is_detected_have_the_times_of_their_own_packets() {
        let mut stream = Stream::new(0, Mode::Midway, None);
        let mut out = output();
        let call = &SEED[61..];
        let (begin, rest) = call.split_at(20);
        for (ts, bytes) in
            [(1, &b"damaged"[..]), (2, call), (3, begin), (4, rest), (5, call), (6, call)]
        {
            stream.data(Side::Client, bytes, Some(ts), &mut out);
        }
        stream.end(&mut out);
        let rows = lines(&mut out, Table::Messages).into_iter().map(|row| {
            let row: serde_json::Value = serde_json::from_str(&row).unwrap();
            (row["ts"].as_i64().unwrap(), row["error"].is_null())
        });
        assert_eq!(
            rows.collect::<Vec<_>>(),
            [(1, false), (2, true), (4, true), (5, true), (6, true)]
        );
    }

    #[test]
    fn replies_without_requests_are_forgotten() {
        let mut stream = Stream::new(0, Mode::Dump, Some(Protocol::Hadoop.into()));
        let mut out = output();
        for n in (0..100).cycle().take(1000) {
            stream.data(Side::Server, &reply(n), None, &mut out);
        }
        assert!(stream.calls.early() as u64 <= MAX_OVERTAKEN + 1);
        stream.end(&mut out);
        assert!(lines(&mut out, Table::Calls).is_empty());
    }

    fn place(row: &str) -> (u64, u64) {
        let row: serde_json::Value = serde_json::from_str(row).unwrap();
        (row["offset"].as_u64().unwrap(), row["length"].as_u64().unwrap())
    }

    proptest! {
        #[test]
        fn cutting_does_not_matter(
            parts in prop::collection::vec(
                prop_oneof![
                    Just(SEED.to_vec()),
                    Just(SEED[7..61].to_vec()),
                    Just(SEED[61..].to_vec()),
                    Just(SEED_REPLY.to_vec()),
                    (0..5_u8).prop_map(reply),
                    prop::collection::vec(any::<u8>(), 0..20),
                ],
                0..8,
            ),
            size in 1..40_usize,
            mode in prop::sample::select(vec![Mode::Dump, Mode::DumpOfAny, Mode::Midway]),
            side in prop::sample::select(vec![Side::Client, Side::Server]),
        ) {
            let bytes = parts.concat();
            let assumed = (mode != Mode::Midway).then_some(Protocol::Hadoop.into());
            let pieces: Vec<(Side, &[u8])> =
                bytes.chunks(size).map(|piece| (side, piece)).collect();
            let cut = messages(Stream::new(0, mode, assumed), &pieces);
            let whole = messages(Stream::new(0, mode, assumed), &[(side, &bytes)]);
            prop_assert_eq!(&cut, &whole);
            let mut at = 0;
            for row in &whole {
                let (offset, length) = place(row);
                prop_assert_eq!(offset, at);
                at += length;
            }
            prop_assert_eq!(at, bytes.len() as u64);
        }
    }
}
