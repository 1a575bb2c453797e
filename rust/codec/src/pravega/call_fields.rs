//! The fields of a message that its call is about.

use std::ops::Range;

use crate::{
    fixed::Uuid,
    visit::{Shape, Value, Visitor},
};

/// What of a message's fields its call is about.
#[derive(Clone, Debug, Default)]
pub(super) struct CallFields {
    pub(super) segment: Option<String>,
    pub(super) writer: Option<Uuid>,
    numbers: Vec<(&'static str, i64)>,
    pub(super) data: Option<Range<usize>>,
    /// Whether nothing stands behind what was read.
    pub(super) is_last: bool,
}

impl CallFields {
    pub(super) fn number(&self, name: &str) -> Option<i64> {
        self.numbers.iter().find(|(known, _)| *known == name).map(|(_, value)| *value)
    }

    /// The segment of a read, and where in it that begins.
    pub(super) fn read(&self) -> Option<(&str, i64)> {
        Some((self.segment.as_deref()?, self.number("offset")?))
    }

    fn take(&mut self, name: &str, at: Range<usize>, value: Value<'_>) {
        match value {
            Value::Bool(is_so) => {
                self.is_last |= is_so && matches!(name, "at_tail" | "end_of_segment");
            }
            Value::Bytes(_) if name == "data" => self.data = Some(at),
            Value::Int(value) | Value::Enum(value, _) => {
                if let Some(known) = NUMBERS.iter().find(|known| **known == name) {
                    self.numbers.push((known, value));
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
}

/// Shows a visitor all, and keeps the facts.
pub(super) struct Tee<'a, V> {
    pub(super) visitor: &'a mut V,
    pub(super) facts: CallFields,
}

impl<V: Visitor> Visitor for Tee<'_, V> {
    fn field(&mut self, name: &str, at: Range<usize>, value: Value<'_>) {
        self.facts.take(name, at.clone(), value);
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

const NUMBERS: [&str; 9] = [
    "request_id",
    "event_number",
    "last_event_number",
    "offset",
    "connection_offset",
    "block_length",
    "connection_offset_ack_level",
    "suggested_length",
    "part",
];
const SEGMENTS: [&str; 5] =
    ["segment", "segment_name", "target", "target_segment_id", "parent_segment"];
