//! Hazelcast for Python: encoders of requests, decoders of messages and of many responses at once, and
//! conversion of values.

mod data;
mod data_column;
mod data_input;
mod data_output;
mod decoder;
mod entry_columns;
mod messages;
mod partitions;

pub(crate) use data::{
    HazelcastDataCodec, add_hashes, hazelcast_partition_id, hazelcast_partition_ids,
};
pub(crate) use data_input::HazelcastDataInput;
pub(crate) use data_output::HazelcastDataOutput;
pub(crate) use decoder::{HazelcastDecoder, HazelcastReplies};
pub(crate) use entry_columns::HazelcastEntryColumns;
pub(crate) use messages::HazelcastMessage;
pub(crate) use partitions::{HazelcastPackedList, hazelcast_pack, hazelcast_partition_list};
