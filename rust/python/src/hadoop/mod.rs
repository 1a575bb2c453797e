//! What a Hadoop client needs: calls encoded, replies decoded, messages as dicts and as columns.

mod calls;
mod columns;
mod lists;
mod messages;
mod replies;
mod sasl;
mod services;

pub(crate) use calls::HadoopCaller;
pub(crate) use lists::HadoopList;
pub(crate) use messages::{decode_message, encode_message, pick_field};
pub(crate) use replies::{HadoopAnswer, HadoopReplyDecoder, HadoopReplyTable};
pub(crate) use sasl::encode_sasl;
pub(crate) use services::{HadoopMethod, hadoop_methods, hadoop_protocols};
