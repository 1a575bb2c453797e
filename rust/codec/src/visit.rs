//! Visitor of the fields of a message: columns, JSON and the annotated hex dump share one walk over the bytes.

use std::{fmt, ops::Range};

use crate::{Cursor, Result};

/// Visitor of every field of a message, in the order of the bytes as far as names allow: within one object or
/// list, a name is visited once.
///
/// Ranges count from the start of the message. `()` is a visitor that does nothing at no cost.
pub trait Visitor {
    /// Whether the visitor uses the fields: otherwise they need not be put in order.
    const ENABLED: bool = true;

    /// Receives a field and its value. An element of a list has the empty name.
    fn field(&mut self, name: &str, at: Range<usize>, value: Value<'_>);

    /// Receives a field of an object whose name is in a table.
    fn member(&mut self, key: &FieldName, at: Range<usize>, value: Value<'_>) {
        self.field(key.name(), at, value);
    }

    /// Receives a field whose value is a secret. Only a visitor that serves the caller's own calls may use
    /// `value`.
    fn secret(&mut self, name: &str, at: Range<usize>, value: Value<'_>) {
        self.field(name, at, if value == Value::Null { Value::Null } else { Value::Hidden });
    }

    /// The bytes that are not shown as a field may contain a secret: the message has one, and could not be
    /// decoded, or is fragmented.
    fn hide_rest(&mut self) {}

    /// As `enter`, for a name that is in a table.
    fn enter_member(&mut self, key: &FieldName, shape: Shape) {
        self.enter(key.name(), shape);
    }

    /// Returns a mark at the current position, if the visitor can roll back: such a visitor is shown a message
    /// before all of it was validated.
    fn mark(&self) -> Option<usize> {
        None
    }

    /// Removes the fields after a mark; groups entered since then have been left.
    fn rollback(&mut self, mark: usize) {
        let _ = mark;
    }

    /// Receives bytes that belong only to the layout: lengths, counts, markers.
    fn layout(&mut self, name: &str, at: Range<usize>, value: Value<'_>);

    /// Begins a group: the fields up to the matching `leave` belong to `name`.
    fn enter(&mut self, name: &str, shape: Shape);

    /// Ends the group of the last `enter`.
    fn leave(&mut self);

    /// Reads the value called `name`, whose `class` only the visitor may know; `false` if it does not.
    ///
    /// # Errors
    /// A value that the visitor cannot read.
    fn foreign(&mut self, class: &str, name: &str, cursor: &mut Cursor<'_>) -> Result<bool> {
        let _ = (class, name, cursor);
        Ok(false)
    }
}

impl Visitor for () {
    const ENABLED: bool = false;

    fn field(&mut self, _: &str, _: Range<usize>, _: Value<'_>) {}
    fn layout(&mut self, _: &str, _: Range<usize>, _: Value<'_>) {}
    fn enter(&mut self, _: &str, _: Shape) {}
    fn leave(&mut self) {}
}

/// Name of a field, with the prefix of a JSON member, prepared when the table is compiled.
#[derive(Clone, Copy, Eq, PartialEq)]
pub struct FieldName {
    name: &'static str,
    /// `,"name":`, padded with spaces.
    json: [u8; KEY_ROOM + 1],
}

impl FieldName {
    /// Creates a name.
    ///
    /// # Panics
    /// If the name is longer than [`KEY_ROOM`] allows: at compile time, if the table is a constant.
    #[must_use]
    pub const fn new(name: &'static str) -> Self {
        let (mut json, bytes, mut i) = ([b' '; KEY_ROOM + 1], name.as_bytes(), 0);
        assert!(bytes.len() + 3 <= KEY_ROOM, "the name is too long");
        (json[0], json[1]) = (b',', b'"');
        while i < bytes.len() {
            json[2 + i] = bytes[i];
            i += 1;
        }
        (json[2 + i], json[3 + i]) = (b'"', b':');
        Self { name, json }
    }

    /// Returns the name.
    #[must_use]
    #[inline]
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Returns the quoted name and its colon, optionally after a comma; and their number of bytes.
    #[must_use]
    #[inline]
    pub fn json(&self, comma: bool) -> (&[u8; KEY_ROOM], usize) {
        let ([_, behind @ ..], [all @ .., _]) = (&self.json, &self.json);
        if comma { (all, self.name.len() + 4) } else { (behind, self.name.len() + 3) }
    }
}

impl fmt::Debug for FieldName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.name.fmt(f)
    }
}

/// Maximum number of bytes of a name in a table, with its quotes and its colon, approximately.
pub const KEY_ROOM: usize = 48;

/// Structure of the fields between `enter` and `leave`.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Shape {
    /// Fields by name.
    Object,
    /// Elements in order.
    List,
}

/// Replacement text of a secret.
pub const HIDDEN: &str = "(hidden)";

/// Value of a field.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value<'a> {
    /// Java's null, or a missing value.
    Null,
    /// True or false.
    Bool(bool),
    /// A signed number of any width.
    Int(i64),
    /// An unsigned number of any width.
    UInt(u64),
    /// Integer of more than 64 bits, as JSON writes it.
    Digits(&'a str),
    /// Floating-point number.
    Float(f64),
    /// Number that has a name.
    Enum(i64, &'static str),
    /// Name of the protocol: a class, a method, an interface.
    Name(&'a str),
    /// Text chosen by a user.
    Text(&'a str),
    /// Text chosen by a user, with a lone surrogate.
    Units(&'a [u16]),
    /// Text chosen by a user, with secrets replaced: it differs from the bytes.
    Masked(&'a str),
    /// Bytes chosen by a user.
    Bytes(&'a [u8]),
    /// UUID, in 16 bytes, big-endian.
    Uuid([u8; 16]),
    /// Secret, which is not shown.
    Hidden,
}
