//! The fields of a message that its call is about.

use std::ops::Range;

use crate::{
    fixed::Uuid,
    visit::{Shape, Value, Visitor},
};

/// Fields of a message that identify its call: the first of each name.
#[derive(Clone, Debug, Default)]
pub(super) struct CallFields {
    pub(super) segment: Option<String>,
    pub(super) writer: Option<Uuid>,
    pub(super) request_id: Option<i64>,
    pub(super) event_number: Option<i64>,
    pub(super) last_event_number: Option<i64>,
    pub(super) offset: Option<i64>,
    pub(super) connection_offset: Option<i64>,
    pub(super) block_length: Option<i64>,
    /// `connection_offset_ack_level`.
    pub(super) ack_level: Option<i64>,
    pub(super) suggested_length: Option<i64>,
    pub(super) part: Option<i64>,
    pub(super) data: Option<Range<usize>>,
    /// Whether nothing stands behind what was read.
    pub(super) is_last: bool,
}

impl CallFields {
    /// The segment of a read, and where in it that begins.
    pub(super) fn read(&self) -> Option<(&str, i64)> {
        Some((self.segment.as_deref()?, self.offset?))
    }

    fn accept(&mut self, name: &str, at: Range<usize>, value: Value<'_>) {
        match value {
            Value::Bool(is_so) => {
                self.is_last |= is_so && matches!(name, "at_tail" | "end_of_segment");
            }
            Value::Bytes(_) if name == "data" => self.data = Some(at),
            Value::Int(value) | Value::Enum(value, _) => {
                if let Some(number) = self.number(name) {
                    number.get_or_insert(value);
                }
            }
            Value::Text(text) if SEGMENTS.contains(&name) && self.segment.is_none() => {
                self.segment = Some(text.to_owned());
            }
            Value::Uuid(bytes) if matches!(name, "writer_id" | "connection_id") => {
                self.writer = Some(Uuid::from_be_bytes(bytes));
            }
            _ => {}
        }
    }

    fn number(&mut self, name: &str) -> Option<&mut Option<i64>> {
        Some(match name {
            "request_id" => &mut self.request_id,
            "event_number" => &mut self.event_number,
            "last_event_number" => &mut self.last_event_number,
            "offset" => &mut self.offset,
            "connection_offset" => &mut self.connection_offset,
            "block_length" => &mut self.block_length,
            "connection_offset_ack_level" => &mut self.ack_level,
            "suggested_length" => &mut self.suggested_length,
            "part" => &mut self.part,
            _ => return None,
        })
    }
}

/// Shows a visitor all, and keeps the facts.
pub(super) struct Tee<'a, V> {
    pub(super) visitor: &'a mut V,
    pub(super) fields: CallFields,
}

impl<V: Visitor> Visitor for Tee<'_, V> {
    fn field(&mut self, name: &str, at: Range<usize>, value: Value<'_>) {
        self.fields.accept(name, at.clone(), value);
        self.visitor.field(name, at, value);
    }

    fn secret(&mut self, name: &str, at: Range<usize>, value: Value<'_>) {
        self.visitor.secret(name, at, value);
    }

    fn hide_rest(&mut self) {
        self.visitor.hide_rest();
    }

    fn layout(&mut self, name: &str, at: Range<usize>, value: Value<'_>) {
        self.visitor.layout(name, at, value);
    }

    fn enter(&mut self, name: &str, shape: Shape) {
        self.visitor.enter(name, shape);
    }

    fn leave(&mut self) {
        self.visitor.leave();
    }
}

const SEGMENTS: [&str; 5] =
    ["segment", "segment_name", "target", "target_segment_id", "parent_segment"];
