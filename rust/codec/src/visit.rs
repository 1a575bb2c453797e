//! Visitor of the fields of a message: columns, JSON and the annotated hex dump share one walk over the bytes.

use std::{fmt, ops::Range};

use crate::{Cursor, Result};

/// Is shown every field of a message, in the order of its bytes where names allow it: within one
/// object or list a name comes once.
///
/// Ranges count from the start of the message. `()` looks at nothing and costs nothing.
pub trait Visitor {
    /// Whether anything is looked at: what nobody sees need not be put in order.
    const ENABLED: bool = true;

    /// A field and its value. An element of a list has the empty name.
    fn field(&mut self, name: &str, at: Range<usize>, value: Value<'_>);

    /// A field of an object whose name stands in a table.
    fn member(&mut self, key: &FieldName, at: Range<usize>, value: Value<'_>) {
        self.field(key.name(), at, value);
    }

    /// A field whose value is a secret: only who answers the caller's own calls looks at `value`.
    fn secret(&mut self, name: &str, at: Range<usize>, value: Value<'_>) {
        self.field(name, at, if value == Value::Null { Value::Null } else { Value::Hidden });
    }

    /// The bytes that are not shown as a field may hold a secret: the message has one, and could not be
    /// decoded, or stands in fragments.
    fn hide_rest(&mut self) {}

    /// As `enter`, of a name that stands in a table.
    fn enter_member(&mut self, key: &FieldName, shape: Shape) {
        self.enter(key.name(), shape);
    }

    /// Where what was shown so far ends, if what is shown behind it can be taken back: who can do that
    /// is shown a message before all of it was looked at.
    fn mark(&self) -> Option<usize> {
        None
    }

    /// Takes back what was shown behind a mark; what was entered since was left.
    fn rollback(&mut self, mark: usize) {
        let _ = mark;
    }

    /// Bytes that only hold the layout together: lengths, counts, markers.
    fn layout(&mut self, name: &str, at: Range<usize>, value: Value<'_>);

    /// The fields up to the matching `leave` belong to `name`.
    fn enter(&mut self, name: &str, shape: Shape);

    /// Ends what `enter` began.
    fn leave(&mut self);

    /// Reads the value called `name`, whose `class` only the visitor may know; `false` if it does not.
    ///
    /// # Errors
    /// What the visitor cannot read.
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

/// A field's name, and how it begins a member of a JSON object: made once, with the table.
#[derive(Clone, Copy, Eq, PartialEq)]
pub struct FieldName {
    name: &'static str,
    /// `,"name":`, and spaces up to the end.
    json: [u8; KEY_ROOM + 1],
}

impl FieldName {
    /// # Panics
    /// If the name is longer than [`KEY_ROOM`] allows: at compile time, if that makes the table.
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

    /// The name.
    #[must_use]
    #[inline]
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// The name quoted and its colon, perhaps behind a comma; and how many of the bytes that is.
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

/// Bytes of the longest name in a table, with its quotes and its colon, about.
pub const KEY_ROOM: usize = 48;

/// Structure of the fields between `enter` and `leave`.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Shape {
    /// By name.
    Object,
    /// By order.
    List,
}

/// Text that stands for a secret.
pub const HIDDEN: &str = "(hidden)";

/// A field's value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value<'a> {
    /// Java's null, or nothing.
    Null,
    /// True or false.
    Bool(bool),
    /// A signed number of any width.
    Int(i64),
    /// An unsigned number of any width.
    UInt(u64),
    /// A whole number that 64 bits do not hold, as JSON writes it.
    Digits(&'a str),
    /// A number with a fraction.
    Float(f64),
    /// A number that has a name.
    Enum(i64, &'static str),
    /// A name of the protocol's world: a class, a method, an interface.
    Name(&'a str),
    /// Text that a user chose.
    Text(&'a str),
    /// Text that a user chose, with a lone surrogate in it.
    Units(&'a [u16]),
    /// Text that a user chose, with secrets in it replaced: it is not what the bytes say.
    Masked(&'a str),
    /// Bytes that a user chose.
    Bytes(&'a [u8]),
    /// A UUID, in 16 bytes, big end first.
    Uuid([u8; 16]),
    /// A secret, which is not shown.
    Hidden,
}
