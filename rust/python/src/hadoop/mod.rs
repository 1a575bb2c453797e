//! Hadoop RPC for Python: encoders of calls, decoders of replies, messages as dicts and as columns.

mod calls;
mod convert;
mod data;
mod received_calls;
mod replies;
mod requests;
mod sasl;
mod services;

pub(crate) use calls::HadoopCaller;
pub(crate) use convert::{
    arguments::{JavaClass, encode_invocation},
    lists::HadoopList,
    messages::{decode_message, encode_message, pick_field},
    objects::decode_object,
    records::HadoopRecord,
};
pub(crate) use data::{HadoopDataInput, HadoopDataOutput};
pub(crate) use received_calls::HadoopCalls;
pub(crate) use replies::{HadoopReplyDecoder, HadoopReplyTable, HadoopResponse};
pub(crate) use requests::{
    HadoopRequest, HadoopRequestDecoder, encode_old_version, encode_refusal,
};
pub(crate) use sasl::encode_sasl;
pub(crate) use services::{HadoopMethod, hadoop_messages, hadoop_methods, hadoop_protocols};
