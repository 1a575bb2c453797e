//! Output of decoded messages, calls and streams: the requested tables.

use std::{
    collections::{BTreeMap, VecDeque},
    sync::Arc,
};

use arrow_array::RecordBatch;
use jvmwire_codec::{
    Scan,
    message::{Decoded, ProtocolDecoder, Side},
    visit::Visitor,
};
use serde::{Deserialize, Serialize};

use crate::{
    limits::READY_LIMIT,
    tables::call_filter::CallFilter,
    tables::hexdump::{self, Annotations, Explanation},
    tables::json::JsonFields,
    tables::pending_call::{Attributes, OpenCall},
    tables::redaction::Redaction,
    tables::{CallRow, Calls, MessageRow, Messages, Omitted, Rows, StreamRow, Streams, Table},
    traffic::Traffic,
};

/// Selection of the tables and texts that a decoder produces.
#[derive(Clone, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is one independent choice of the user's")]
pub struct OutputOptions {
    /// The table `messages`.
    pub messages: bool,
    /// Column `fields` of the table `messages`, which costs more than all others.
    pub fields: bool,
    /// The table `calls`.
    pub calls: bool,
    /// The table `streams`.
    pub streams: bool,
    /// The table `traffic`.
    pub traffic: bool,
    /// Condition on the calls that are counted in the table `traffic`; `None` counts all.
    pub counted: Option<Arc<CallFilter>>,
    /// Data required to save the state and decode the rest elsewhere, whatever tables are requested there.
    pub state: bool,
    /// Annotated hex dump, as text.
    pub explanation: bool,
    /// Replacement of values chosen by users (paths, names, payloads); `None` keeps them.
    pub redaction: Option<Redaction>,
}

/// Reason why bytes of a stream are not part of a message.
#[derive(Clone, Copy, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
pub(crate) enum GapReason {
    Encrypted,
    UnknownProtocol,
    NotCaptured,
    BeforeFirstMessage,
    Damaged,
    CutShort,
    LongFields,
    LongText,
    Evicted,
    ConnectionEvicted,
    DamagedCapture,
    OneSided,
    Http,
    Http2,
    HdfsData,
    HazelcastMember,
    Ssh,
    ZooKeeper,
}

impl GapReason {
    pub(crate) fn reason(self) -> &'static str {
        match self {
            Self::Encrypted => "encrypted with TLS",
            Self::UnknownProtocol => "no protocol known here",
            Self::NotCaptured => "not captured",
            Self::BeforeFirstMessage => "before the first message boundary",
            Self::Damaged => "not what the protocol allows",
            Self::CutShort => "the stream ends inside a message",
            Self::LongFields => "more than 128 MiB of fields in one message",
            Self::LongText => "texts that are too long for a table",
            Self::Evicted => "given up to stay within the memory limit",
            Self::ConnectionEvicted => "connection given up to stay within the memory limit",
            Self::DamagedCapture => "the capture file is damaged",
            Self::OneSided => "not captured: only the other direction was",
            Self::Http => "HTTP, which is not decoded here",
            Self::Http2 => "HTTP/2, which is not decoded here",
            Self::HdfsData => "HDFS data transfer, which is not decoded here",
            Self::HazelcastMember => {
                "the protocol of Hazelcast's members, which is not decoded here"
            }
            Self::Ssh => "encrypted with SSH",
            Self::ZooKeeper => "ZooKeeper, which is not decoded here",
        }
    }

    /// Name of the protocol in tables, for bytes that are not decoded for this reason.
    pub(crate) fn protocol(self) -> &'static str {
        match self {
            Self::Encrypted => "tls",
            Self::Http => "http",
            Self::Http2 => "http2",
            Self::HdfsData => "hdfs-data-transfer",
            Self::HazelcastMember => "hazelcast-member",
            Self::Ssh => "ssh",
            Self::ZooKeeper => "zookeeper",
            _ => "unknown",
        }
    }
}

#[derive(Debug)]
pub(crate) struct Output {
    messages: Option<Messages>,
    calls: Option<Calls>,
    streams: Option<Streams>,
    traffic: Option<Traffic>,
    counted: Option<Arc<CallFilter>>,
    looker: FieldSink,
    text: String,
    /// Long messages that are explained when `text` is taken, each with the text before it.
    explanations: VecDeque<(String, Explanation<Vec<u8>>)>,
    /// Number of bytes of these messages.
    explanation_bytes: usize,
    /// Number of ready bytes at which decoding stops.
    limit: usize,
    /// Whether an explanation was written before.
    explained: bool,
    /// Whether explanations contain the number of their stream.
    names_streams: bool,
    ready: VecDeque<(Table, RecordBatch)>,
    /// Number of bytes of memory that `ready` takes.
    ready_bytes: usize,
    /// Status of the current stream's calls without a reply.
    pub(crate) unanswered: UnansweredAs,
    undecoded: BTreeMap<&'static str, (u64, u64)>,
    /// Ended calls, whose memory is reused.
    #[expect(clippy::vec_box, reason = "they come from streams and go to streams as they are")]
    spare_calls: Vec<Box<OpenCall>>,
    /// Cache of the attributes of earlier calls.
    pub(crate) attributes: Attributes,
    pub(crate) keeps_state: bool,
    pub(crate) redaction: Option<Redaction>,
}

/// Visitor of a message's fields while it is decoded.
#[derive(Debug)]
enum FieldSink {
    None,
    Json(JsonFields),
    Explanation(Annotations),
}

/// Source of the bytes that a message is decoded from.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Origin {
    /// Bytes of a side, which may have ended.
    Stream { ended: bool },
    /// Bytes of a nested stream.
    Nested,
}

impl Origin {
    fn decode<'a>(
        self,
        decoder: &mut impl ProtocolDecoder,
        side: Option<Side>,
        bytes: &'a [u8],
        scan: &mut Scan,
        visitor: &mut impl Visitor,
    ) -> Decoded<'a> {
        match self {
            Self::Stream { ended } => decoder.decode(side, bytes, ended, scan, visitor),
            Self::Nested => decoder.decode_carried(side, bytes, scan, visitor),
        }
    }
}

impl Output {
    /// Creates an output that is full at [`READY_LIMIT`] bytes. An output that keeps state is never full:
    /// between two records no input waits.
    pub(crate) fn new(wanted: &OutputOptions) -> Self {
        let looker = if wanted.explanation {
            FieldSink::Explanation(Annotations::new(wanted.redaction))
        } else if wanted.messages && wanted.fields {
            FieldSink::Json(JsonFields::new(wanted.redaction))
        } else {
            FieldSink::None
        };
        Self {
            messages: wanted.messages.then(Messages::default),
            calls: wanted.calls.then(Calls::default),
            streams: wanted.streams.then(Streams::default),
            traffic: wanted.traffic.then(Traffic::default),
            counted: wanted.counted.clone(),
            looker,
            text: String::new(),
            explanations: VecDeque::new(),
            explanation_bytes: 0,
            limit: if wanted.state { usize::MAX } else { READY_LIMIT },
            explained: false,
            names_streams: false,
            ready: VecDeque::new(),
            ready_bytes: 0,
            undecoded: BTreeMap::new(),
            unanswered: UnansweredAs::default(),
            spare_calls: Vec::new(),
            attributes: Attributes::new(),
            keeps_state: wanted.state,
            redaction: wanted.redaction,
        }
    }

    /// Creates an output whose explanations contain the number of their stream.
    pub(crate) fn of_many_streams(wanted: &OutputOptions) -> Self {
        Self { names_streams: true, ..Self::new(wanted) }
    }

    /// Whether the ready output must be taken before more is decoded.
    #[inline]
    pub(crate) fn is_full(&self) -> bool {
        self.ready_bytes() >= self.limit
    }

    /// Number of bytes that are kept until the end: the counts of traffic.
    pub(crate) fn kept(&self) -> usize {
        self.traffic.as_ref().map_or(0, Traffic::held)
    }

    /// Whether the table of messages is requested.
    pub(crate) fn wants_messages(&self) -> bool {
        self.messages.is_some()
    }

    /// Whether messages are rows, are counted, or are explained.
    pub(crate) fn looks_at_messages(&self) -> bool {
        self.wants_messages()
            || self.traffic.is_some()
            || matches!(self.looker, FieldSink::Explanation(_))
    }

    /// Returns a call to be filled, with the memory of an ended one if possible.
    #[expect(clippy::unnecessary_box_returns, reason = "streams keep them boxed")]
    pub(crate) fn take_spare_call(&mut self) -> Box<OpenCall> {
        self.spare_calls.pop().unwrap_or_default()
    }

    /// Keeps an ended call for its memory.
    pub(crate) fn keep_spare_call(&mut self, call: Box<OpenCall>) {
        if self.spare_calls.len() < SPARE_CALLS && call.size() <= SPARE_CALL_SIZE {
            self.spare_calls.push(call);
        }
    }

    /// Whether every column of calls is needed: calls are rows, or a condition is tested on them.
    pub(crate) fn wants_whole_calls(&self) -> bool {
        self.calls.is_some() || self.counted.is_some()
    }

    /// Whether calls are counted or are rows.
    pub(crate) fn wants_call_rows(&self) -> bool {
        self.calls.is_some() || self.traffic.is_some()
    }

    /// Whether requests and replies must be joined.
    pub(crate) fn wants_calls(&self) -> bool {
        self.wants_call_rows() || self.keeps_state
    }

    /// Decodes the message at the start of `bytes` with the decoder of the stream, and records its fields.
    pub(crate) fn decode<'a>(
        &mut self,
        decoder: &mut impl ProtocolDecoder,
        side: Option<Side>,
        bytes: &'a [u8],
        scan: &mut Scan,
        origin: Origin,
    ) -> Decoded<'a> {
        match &mut self.looker {
            FieldSink::None => origin.decode(decoder, side, bytes, scan, &mut ()),
            FieldSink::Json(json) => {
                json.clear();
                origin.decode(decoder, side, bytes, scan, json)
            }
            FieldSink::Explanation(notes) => {
                notes.clear();
                origin.decode(decoder, side, bytes, scan, notes)
            }
        }
    }

    /// Adds the row of the message that was decoded last.
    pub(crate) fn message(&mut self, row: &MessageRow<'_>, side: Side, bytes: &[u8]) {
        if let Some(traffic) = &mut self.traffic {
            traffic.message(row.protocol.unwrap_or_default(), row.ts);
        }
        if row.error.is_some() {
            self.tally(GapReason::Damaged.reason(), 1, bytes.len() as u64);
        }
        if let FieldSink::Explanation(notes) = &mut self.looker {
            let offset = row.offset.unwrap_or_default().cast_unsigned();
            if std::mem::replace(&mut self.explained, true) {
                self.text.push('\n');
            }
            let name = row.name.unwrap_or("?");
            let stream = row.stream.filter(|_| self.names_streams);
            hexdump::heading(side, offset, bytes.len(), name, stream, &mut self.text);
            if bytes.len() <= EXPLAINED_AT_ONCE {
                notes.take(bytes).print(usize::MAX, &mut self.text);
            } else {
                let explanation = notes.take(bytes.to_vec());
                self.explanation_bytes += explanation.held();
                self.explanations.push_back((std::mem::take(&mut self.text), explanation));
            }
            self.explain_error(row.error);
        }
        if self.messages.is_none() {
            return;
        }
        let is_cut = matches!(&self.looker, FieldSink::Json(json) if json.is_cut());
        if is_cut {
            self.tally(GapReason::LongFields.reason(), 1, bytes.len() as u64);
        }
        let error = row.error.or(is_cut.then(|| GapReason::LongFields.reason()));
        if let FieldSink::Json(json) = &mut self.looker
            && let Some(fields) = json.take_long()
        {
            // It is the first of a batch, so that it moves there.
            self.flush_messages();
            if let Some(messages) = &mut self.messages {
                messages.push(&MessageRow { fields: Some(b""), error, ..*row });
                messages.fill_fields(fields);
            }
            self.flush_messages();
            return;
        }
        let Some(messages) = &mut self.messages else { return };
        let fields =
            if let FieldSink::Json(json) = &mut self.looker { Some(json.finish()) } else { None };
        messages.push(&MessageRow { fields, error, ..*row });
        if let Some(batch) = messages.take_full() {
            self.make_ready(Table::Messages, batch);
        }
    }

    /// Makes a batch of the rows of messages so far.
    fn flush_messages(&mut self) {
        if let Some(messages) = self.messages.as_mut().filter(|messages| messages.len() > 0) {
            let batch = messages.take();
            self.make_ready(Table::Messages, batch);
        }
    }

    /// Adds a row for bytes outside of messages.
    pub(crate) fn undecoded(&mut self, row: &MessageRow<'_>, reason: &'static str) {
        self.tally(reason, 1, row.length.unwrap_or_default().cast_unsigned());
        if matches!(self.looker, FieldSink::Explanation(_)) {
            if std::mem::replace(&mut self.explained, true) {
                self.text.push('\n');
            }
            let stream = row.stream.filter(|_| self.names_streams);
            hexdump::undecoded(row, stream, &mut self.text);
            self.explain_error(row.error);
        }
        if let Some(messages) = &mut self.messages {
            messages.push(row);
            if let Some(batch) = messages.take_full() {
                self.make_ready(Table::Messages, batch);
            }
        }
    }

    fn tally(&mut self, reason: &'static str, pieces: u64, bytes: u64) {
        let (rows, total) = self.undecoded.entry(reason).or_default();
        *rows += pieces;
        *total += bytes;
    }

    /// Bytes that could not be decoded: the reason, the number of pieces, and the number of bytes.
    pub(crate) fn undecoded_by_reason(&self) -> Vec<(&'static str, u64, u64)> {
        self.undecoded.iter().map(|(reason, (rows, bytes))| (*reason, *rows, *bytes)).collect()
    }

    fn explain_error(&mut self, error: Option<&str>) {
        if let Some(error) = error {
            self.text.push_str("// error: ");
            self.text.push_str(error);
            self.text.push('\n');
        }
    }

    #[inline]
    pub(crate) fn call(&mut self, row: &CallRow<'_>, caller_context: Option<&str>) {
        if let Some(traffic) = &mut self.traffic
            && self.counted.as_ref().is_none_or(|filter| filter.is_met(row))
        {
            // A copy, so that a row of the table alone need not stand in memory.
            let counted = *row;
            traffic.call(&counted, caller_context, self.unanswered == UnansweredAs::Open);
        }
        if let Some(calls) = &mut self.calls {
            calls.push(row);
            if let Some(batch) = calls.take_full() {
                self.make_ready(Table::Calls, batch);
            }
        }
    }

    pub(crate) fn stream(&mut self, row: &StreamRow<'_>, seen_from_start: bool) {
        if let Some(traffic) = &mut self.traffic {
            traffic.stream(row, seen_from_start);
        }
        if let Some(streams) = &mut self.streams {
            streams.push(row);
            if let Some(batch) = streams.take_full() {
                self.make_ready(Table::Streams, batch);
            }
        }
    }

    /// Makes batches of all rows so far, full or not.
    pub(crate) fn flush(&mut self) {
        let tables: [(Table, Option<&mut dyn Rows>); 3] = [
            (Table::Messages, self.messages.as_mut().map(|rows| rows as &mut dyn Rows)),
            (Table::Calls, self.calls.as_mut().map(|rows| rows as &mut dyn Rows)),
            (Table::Streams, self.streams.as_mut().map(|rows| rows as &mut dyn Rows)),
        ];
        let full = tables.map(|(table, rows)| {
            rows.filter(|rows| rows.len() > 0).map(|rows| (table, rows.take()))
        });
        for (table, batch) in full.into_iter().flatten() {
            self.make_ready(table, batch);
        }
    }

    fn make_ready(&mut self, table: Table, (batch, omitted): (RecordBatch, Omitted)) {
        if omitted.texts > 0 {
            self.tally(GapReason::LongText.reason(), omitted.texts, omitted.bytes);
        }
        self.ready_bytes += batch.get_array_memory_size();
        self.ready.push_back((table, batch));
    }

    /// Number of bytes of ready rows and texts.
    pub(crate) fn ready_bytes(&self) -> usize {
        self.ready_bytes + self.text.len() + self.explanation_bytes
    }

    /// Ends every table: no further rows are added.
    pub(crate) fn finish(&mut self) {
        self.flush();
        if let Some(traffic) = self.traffic.take() {
            let batch = traffic.into_batch(&self.undecoded_by_reason());
            self.make_ready(Table::Traffic, (batch, Omitted::default()));
        }
    }

    pub(crate) fn next_batch(&mut self) -> Option<(Table, RecordBatch)> {
        let (table, batch) = self.ready.pop_front()?;
        self.ready_bytes -= batch.get_array_memory_size();
        Some((table, batch))
    }

    /// Takes the explanation, for a long message in pieces.
    pub(crate) fn take_text(&mut self) -> String {
        while let Some((text, explanation)) = self.explanations.front_mut() {
            let mut text = std::mem::take(text);
            let (goes_on, held) = (explanation.print(TEXT_PIECE, &mut text), explanation.held());
            if !goes_on {
                self.explanation_bytes -= held;
                self.explanations.pop_front();
            }
            if !text.is_empty() {
                return text;
            }
        }
        std::mem::take(&mut self.text)
    }
}

/// Status of calls without a reply at the end of a stream.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(crate) enum UnansweredAs {
    /// The connection ended, and no reply can follow.
    #[default]
    Lost,
    /// The connection may continue.
    Open,
}

/// Maximum size of a message that is explained while it is decoded: longer ones are explained when their text
/// is taken, in pieces (both chosen by jvmwire).
const EXPLAINED_AT_ONCE: usize = 128 << 10;
const TEXT_PIECE: usize = 1 << 20;
/// Number of ended calls that are kept for their memory: about the number that clients have in flight at a
/// time.
const SPARE_CALLS: usize = 256;
/// Maximum number of bytes of texts of a kept call.
const SPARE_CALL_SIZE: usize = 4 << 10;
