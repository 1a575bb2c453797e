//! Pravega's segment store, today's protocol and the one it began with: `type: i32`, `length: u32`,
//! both big-endian, then so many bytes.

mod append;
mod append_block;
mod block;
mod call_fields;
mod calls;
mod commands;
mod conversation;
mod dialect;
mod early;
mod encode;
mod expected;
mod layout;
mod prepared_blocks;
mod routing;
mod visit_fields;

pub use append::{
    AppendAssembler, Batch, BlockSizes, EVENT_LIMIT, EventQueue, EventSplitter, LARGE_EVENT_LIMIT,
    Size, offsets_of,
};
pub use block::BlockEncoder;
pub use commands::COMMANDS;
pub(crate) use conversation::DecodedReply;
pub use conversation::{Connection, PORTS};
pub use dialect::{CommandDecoder, Dialect, DialectError, Received};
pub use early::MESSAGES;
pub use encode::{FieldSource, encode};
pub use expected::EXPECTED;
pub use layout::{Command, CommandKind, Field, FieldKind, Presence, Role};
pub use prepared_blocks::PreparedBlocks;
pub use routing::{position, table_position};
pub use visit_fields::visit_fields;

/// The command of that type.
#[must_use]
pub fn of_code(code: i32) -> Option<&'static Command> {
    let place = usize::try_from(code.checked_sub(LOWEST_CODE)?).ok()?;
    COMMANDS.get(usize::from(*PLACES.get(place)?))
}

/// The lowest type that the table of places has.
const LOWEST_CODE: i32 = -128;
/// Where in [`COMMANDS`] the command of each type from the lowest on stands; beyond its end for others.
static PLACES: [u8; 256] = {
    let mut places = [u8::MAX; 256];
    let mut at = 0;
    assert!(COMMANDS.len() < u8::MAX as usize);
    while at < COMMANDS.len() {
        #[expect(
            clippy::cast_sign_loss,
            clippy::cast_possible_truncation,
            reason = "a type out of range does not compile"
        )]
        {
            places[(COMMANDS[at].code - LOWEST_CODE) as usize] = at as u8;
        }
        at += 1;
    }
    places
};

/// The command of that name.
#[must_use]
pub fn named(name: &str) -> Option<&'static Command> {
    COMMANDS.iter().find(|command| command.name == name)
}

/// Bytes of a frame's header.
pub const HEADER_LEN: usize = 8;

/// Largest frame, header included: `WireCommands.MAX_WIRECOMMAND_SIZE`.
pub const FRAME_LIMIT: usize = 0x00ff_ffff;

#[cfg(test)]
mod tests;
