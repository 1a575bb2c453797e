//! The protocol as it was first proposed: ten messages, and no numbers for their types.
//!
//! The numbers are ours, and [`Dialect`](super::Dialect) takes others.

use super::layout::{
    Command, Field,
    FieldKind::{I32, I64, Part, Rest, TailAndEnd, Utf, Uuid},
    Role::{self, Append, Both, Reply, Request},
    field,
};

/// In the order of the document.
pub static MESSAGES: &[Command] = &[
    message(0, "PartialMessage", Both, &[field("part", Part), field("data", Rest)]),
    message(1, "KeepAlive", Both, &[field("data", Rest)]),
    message(
        2,
        "ReadSegment",
        Request,
        &[field("segment", Utf), field("offset", I64), field("suggested_length", I32)],
    ),
    message(
        3,
        "SegmentRead",
        Reply,
        &[
            field("segment", Utf),
            field("offset", I64),
            // The document has two booleans of one bit each.
            field("at", TailAndEnd),
            field("data", Rest),
        ],
    ),
    message(4, "SetupAppend", Request, &[field("connection_id", Uuid), field("segment", Utf)]),
    message(
        5,
        "AppendSetup",
        Reply,
        &[
            field("segment", Utf),
            field("connection_id", Uuid),
            field("connection_offset_ack_level", I64),
        ],
    ),
    message(
        6,
        "BeginAppendBlock",
        Append,
        &[field("connection_id", Uuid), field("connection_offset", I64), field("length", I32)],
    ),
    message(
        7,
        "EndAppendBlock",
        Append,
        &[
            field("connection_id", Uuid),
            field("connection_offset", I64),
            field("block_length", I32),
        ],
    ),
    message(8, "Event", Append, &[field("data", Rest)]),
    message(
        9,
        "DataAppended",
        Reply,
        &[field("connection_id", Uuid), field("connection_offset_ack_level", I64)],
    ),
];

/// Number of messages.
pub(super) const MESSAGE_COUNT: usize = 10;

const fn message(code: i32, name: &'static str, role: Role, fields: &'static [Field]) -> Command {
    Command::new(code, name, role, fields)
}
