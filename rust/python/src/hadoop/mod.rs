//! What a Hadoop client needs: calls encoded, replies decoded, messages as dicts and as columns.

mod calls;
mod columns;
mod messages;
mod replies;

pub(crate) use calls::HadoopCaller;
pub(crate) use messages::{decode_message, encode_message};
pub(crate) use replies::{HadoopAnswer, HadoopReplyDecoder, HadoopReplyTable};
