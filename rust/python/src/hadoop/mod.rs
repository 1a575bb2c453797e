//! What a Hadoop client needs: calls encoded, replies decoded, messages as dicts and as columns.

mod called;
mod calls;
mod column;
mod columns;
mod data;
mod given;
mod lists;
mod messages;
mod objects;
mod records;
mod replies;
mod requests;
mod sasl;
mod services;

pub(crate) use called::HadoopCalls;
pub(crate) use calls::HadoopCaller;
pub(crate) use data::{HadoopDataInput, HadoopDataOutput};
pub(crate) use given::{JavaClass, encode_invocation};
pub(crate) use lists::HadoopList;
pub(crate) use messages::{decode_message, encode_message, pick_field};
pub(crate) use objects::decode_object;
pub(crate) use records::HadoopRecord;
pub(crate) use replies::{HadoopAnswer, HadoopReplyDecoder, HadoopReplyTable};
pub(crate) use requests::{
    HadoopRequest, HadoopRequestDecoder, encode_old_version, encode_refusal,
};
pub(crate) use sasl::encode_sasl;
pub(crate) use services::{HadoopMethod, hadoop_messages, hadoop_methods, hadoop_protocols};
