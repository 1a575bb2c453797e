//! Description of commands and their fields, which both the decoder and the encoder read.

use crate::proto::is_same_name;

/// A command: `type: i32`, `length: i32`, then the fields, all big-endian.
#[derive(Debug)]
pub struct Command {
    /// The type in its header.
    pub code: i32,
    /// Its name in Java.
    pub name: &'static str,
    /// What it means for calls and for messages inside it.
    pub kind: CommandKind,
    /// Who says it.
    pub role: Role,
    /// In the order in which they are written.
    pub fields: &'static [Field],
}

/// Defines the commands that mean more than their role says, by their names in Java.
macro_rules! command_kinds {
    ($($name:ident)*) => {
        /// Effect of a command on calls and on messages inside it, in either protocol.
        #[derive(Clone, Copy, Debug, Eq, PartialEq)]
        pub enum CommandKind {
            $(
                #[doc = concat!("`", stringify!($name), "`.")]
                $name,
            )*
            /// No more than its role says.
            Plain,
        }

        impl CommandKind {
            /// The kind of the command of that name.
            const fn of_name(name: &str) -> Self {
                $(if is_same_name(name, stringify!($name)) {
                    return Self::$name;
                })*
                Self::Plain
            }
        }
    };
}

command_kinds! {
    SetupAppend AppendSetup AppendBlock AppendBlockEnd ConditionalAppend ConditionalBlockEnd EndAppendBlock
    DataAppended ConditionalCheckFailed InvalidEventNumber ReadSegment SegmentRead Event PartialMessage
}

/// Side that writes a command.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Role {
    /// The client; it is answered.
    Request,
    /// The server.
    Reply,
    /// Either.
    Both,
    /// The client, as a piece of an append.
    Append,
}

/// One field.
#[derive(Debug)]
pub struct Field {
    /// Its name in Java, in snake case.
    pub name: &'static str,
    /// How it is written.
    pub kind: FieldKind,
    /// Whether older peers end the command before it.
    pub presence: Presence,
    /// Whether it is a secret, which no output shows; it is text.
    pub is_secret: bool,
}

/// Whether a field stands there.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Presence {
    /// Always.
    Always,
    /// If enough bytes are left for its fixed part; older peers end before it.
    IfWhole,
    /// If any bytes are left; older peers end before it.
    IfAny,
}

/// Wire format of a field.
#[derive(Clone, Copy, Debug)]
pub enum FieldKind {
    /// A byte; `DataInput.readBoolean` takes every one but 0 for true.
    Bool,
    /// One byte.
    I8,
    /// Four bytes.
    I32,
    /// Eight bytes.
    I64,
    /// Two longs, the most significant first.
    Uuid,
    /// `DataOutput.writeUTF`: a `u16` that counts bytes, and modified UTF-8.
    Utf,
    /// An `int` that counts, and bytes.
    Bytes,
    /// The same, of what a segment holds: they may be very many.
    Stored,
    /// All that is left of the frame.
    Rest,
    /// All that is left of the frame, which says nothing: its length counts.
    Padding,
    /// The header of an `Event`, then its bytes.
    Event,
    /// A table's key, `key` and `version`. Its size, its length, bytes, a version: an empty key ends
    /// behind its length, and `WireCommands.TableKey` reads it back without a version.
    Key,
    /// A table's value: its size, its length, bytes.
    Value,
    /// An `int` that counts, and so many elements of these fields.
    List(&'static [Field]),
    /// An `int` that counts, and so many elements of this one kind.
    Each(&'static FieldKind),
    /// Early: one byte, which piece of a message a `PartialMessage` is.
    Part,
    /// Early: one byte of two flags, at the tail and at the end of the segment.
    TailAndEnd,
}

impl Command {
    /// A command whose name says its kind.
    pub(super) const fn new(
        code: i32,
        name: &'static str,
        role: Role,
        fields: &'static [Field],
    ) -> Self {
        Self { code, name, kind: CommandKind::of_name(name), role, fields }
    }

    /// Whether it stands in a table's column `kind` as one that is answered.
    #[must_use]
    pub fn is_request(&self) -> bool {
        matches!(self.role, Role::Request | Role::Append)
    }

    /// Whether a field of it is a secret.
    #[must_use]
    pub fn has_secret(&self) -> bool {
        self.fields.iter().any(|field| field.is_secret)
    }

    /// The field that has what a segment holds.
    #[must_use]
    pub fn stored(&self) -> Option<&'static str> {
        let stored = |field: &&Field| matches!(field.kind, FieldKind::Stored);
        self.fields.iter().find(stored).map(|field| field.name)
    }
}

impl Field {
    /// Whether older peers end the command before it.
    #[must_use]
    pub fn is_optional(&self) -> bool {
        self.presence != Presence::Always
    }

    /// Names of its values for encoders and visitors.
    #[must_use]
    pub fn names(&'static self) -> &'static [&'static str] {
        match self.kind {
            FieldKind::TailAndEnd => &["at_tail", "end_of_segment"],
            _ => std::slice::from_ref(&self.name),
        }
    }
}

/// A field that always stands there.
pub(super) const fn field(name: &'static str, kind: FieldKind) -> Field {
    Field { name, kind, presence: Presence::Always, is_secret: is_secret(name) }
}

/// A field before which older peers end the command.
pub(super) const fn optional(name: &'static str, kind: FieldKind) -> Field {
    Field { name, kind, presence: Presence::IfWhole, is_secret: is_secret(name) }
}

/// The same, but any byte left says that it is there.
pub(super) const fn optional_if_any(name: &'static str, kind: FieldKind) -> Field {
    Field { name, kind, presence: Presence::IfAny, is_secret: is_secret(name) }
}

/// Whether a field of that name is a secret: a delegation token is a JWT, good for whoever has it.
///
/// Reviewed by hand: `continuation_token` is the place at which a listing goes on, and the keys of
/// tables are what users store.
const fn is_secret(name: &str) -> bool {
    is_same_name(name, "delegation_token")
}
