//! Pravega for Python: commands as dicts, appends, and the events of a segment.

#![expect(clippy::needless_pass_by_value, reason = "PyO3 hands over what it converted")]

mod appended;
mod commands;
mod events;
mod prepared_blocks;
mod routing;
mod values;

pub(crate) use appended::PravegaDataAppended;
pub(crate) use commands::{PravegaDecoder, PravegaDialect};
pub(crate) use events::{
    PravegaAppendAssembler, PravegaBlockEncoder, PravegaEventSplitter, PravegaEvents,
};
pub(crate) use routing::{pravega_positions, pravega_split, pravega_table_position};
