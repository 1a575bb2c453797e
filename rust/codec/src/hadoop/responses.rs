//! Encoder of a server: replies, error responses, and responses to clients of another version.

use super::{VERSION, preamble::PING, tables::response};
use crate::{TooLong, frame::LENGTH_LEN, proto::Writer, varint};

/// Fields of a request's header that its reply repeats.
#[derive(Clone, Copy, Debug)]
pub struct AnsweredCall<'a> {
    /// Id of the request; -1 if it was unreadable, or if there was no request.
    pub call_id: i32,
    /// Retry count of the request; -1 if there was no request.
    pub retry_count: i32,
    /// Id of the client; empty in replies to messages other than calls.
    pub client_id: &'a [u8],
    /// Last state id of the server, if it has one.
    pub state_id: Option<i64>,
}

/// Error reply to a request.
#[derive(Clone, Copy, Debug)]
pub struct ErrorResponse<'a> {
    /// Whether the server closes the connection after it.
    pub fatal: bool,
    /// Java class of the exception.
    pub class: &'a str,
    /// Message, followed by the stack trace if it is included.
    pub message: &'a str,
    /// `RpcErrorCodeProto`.
    pub code: u64,
}

/// Appends a reply; `write` appends its result: an `ObjectWritable`, or a delimited message.
///
/// # Errors
/// The error of `write`; [`TooLong`] if the frame exceeds the limit. `out` is unchanged after an error.
pub fn encode_success<E: From<TooLong>>(
    answered: AnsweredCall<'_>,
    out: &mut Vec<u8>,
    write: impl FnOnce(&mut Vec<u8>) -> Result<(), E>,
) -> Result<(), E> {
    framed(i32::MAX as usize, out, |out| {
        header(answered, None, out)?;
        write(out)
    })
}

/// Appends an error reply.
///
/// # Errors
/// [`TooLong`] if it does not fit into a frame. `out` is unchanged after an error.
pub fn encode_refusal(
    answered: AnsweredCall<'_>,
    refusal: ErrorResponse<'_>,
    out: &mut Vec<u8>,
) -> Result<(), TooLong> {
    framed(i32::MAX as usize, out, |out| header(answered, Some(refusal), out))
}

/// Appends the reply to a client of the versions 2 to 8. Older versions have no such reply, later ones
/// understand [`encode_refusal`].
///
/// # Errors
/// [`TooLong`] if the texts are too long.
pub fn encode_old_version(
    version: i8,
    class: &str,
    message: &str,
    out: &mut Vec<u8>,
) -> Result<(), TooLong> {
    // Server.setupBadVersionResponse: the id and the status of a call, -1 each, or call 0 failed.
    match version {
        3..=8 => out.extend_from_slice(&[PING, PING].concat()),
        2 => out.extend_from_slice(&[0, 0, 0, 0, 1]),
        _ => return Ok(()),
    }
    for text in [class, message] {
        crate::frame::encode(text.as_bytes(), out)?;
    }
    Ok(())
}

fn header<E>(
    answered: AnsweredCall<'_>,
    refusal: Option<ErrorResponse<'_>>,
    out: &mut Vec<u8>,
) -> Result<(), E> {
    Writer::delimited(out, |header| {
        let status = match refusal {
            None => 0,
            Some(ErrorResponse { fatal: false, .. }) => 1,
            Some(ErrorResponse { fatal: true, .. }) => 2,
        };
        header.varint(response::CALL_ID, answered.call_id.cast_unsigned().into());
        header.varint(response::STATUS, status);
        header.varint(response::VERSION, VERSION.into());
        if let Some(refusal) = refusal {
            header.bytes(response::EXCEPTION, refusal.class.as_bytes());
            header.bytes(response::ERROR_MSG, refusal.message.as_bytes());
            header.varint(response::ERROR_DETAIL, refusal.code);
        }
        header.bytes(response::CLIENT_ID, answered.client_id);
        header.varint(response::RETRY_COUNT, varint::zigzag(answered.retry_count.into()));
        if let Some(state_id) = answered.state_id {
            header.varint(response::STATE_ID, state_id.cast_unsigned());
        }
        Ok(())
    })
}

/// Appends the output of `write` with a length prefix; `out` is unchanged after an error.
pub(super) fn framed<E: From<TooLong>>(
    limit: usize,
    out: &mut Vec<u8>,
    write: impl FnOnce(&mut Vec<u8>) -> Result<(), E>,
) -> Result<(), E> {
    let start = out.len();
    out.extend_from_slice(&[0; LENGTH_LEN]);
    let body = start + LENGTH_LEN;
    let written = write(out).and_then(|()| {
        let len = out.len() - body;
        match i32::try_from(len) {
            Ok(length) if len <= limit => Ok(length),
            _ => Err(TooLong { len, max: limit }.into()),
        }
    });
    match written {
        Ok(length) => {
            out[start..body].copy_from_slice(&length.to_be_bytes());
            Ok(())
        }
        Err(error) => {
            out.truncate(start);
            Err(error)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hadoop::{Engine, REPLY_LIMIT, ReplyDecoder, Response};

    const ID: [u8; 16] = [7; 16];
    /// Example of the document "Hadoop RPC walkthrough".
    const SEED: &[u8] = include_bytes!("../../../../tests/vectors/hadoop/seed/reply.bin");

    fn answered(call_id: i32) -> AnsweredCall<'static> {
        AnsweredCall { call_id, retry_count: 0, client_id: &ID, state_id: None }
    }

    #[test]
    fn reply_is_as_the_seed_has_it() {
        let client_id = &SEED[13..29];
        let mut out = Vec::new();
        encode_success::<TooLong>(AnsweredCall { client_id, ..answered(0) }, &mut out, |out| {
            out.extend_from_slice(b"\0\x10java.lang.String\0\x04pong");
            Ok(())
        })
        .unwrap();
        assert_eq!(out, SEED);
    }

    #[test]
    fn replies_of_a_server_are_decoded_by_a_client() {
        let mut out = Vec::new();
        encode_success::<TooLong>(answered(5), &mut out, |out| {
            out.extend_from_slice(b"\x02xy");
            Ok(())
        })
        .unwrap();
        let refusal = ErrorResponse { fatal: false, class: "a.B", message: "why", code: 1 };
        encode_refusal(answered(6), refusal, &mut out).unwrap();
        let nobody = AnsweredCall { client_id: b"", call_id: -1, ..answered(0) };
        encode_refusal(nobody, ErrorResponse { fatal: true, code: 15, ..refusal }, &mut out)
            .unwrap();
        let mut decoder = ReplyDecoder::new(ID, REPLY_LIMIT, Engine::Protobuf);
        decoder.feed(&out);
        let next = decoder.next_response().unwrap();
        assert_eq!(next, Some(Response::Success { call_id: 5, payload: b"xy" }));
        let next = decoder.next_response().unwrap();
        assert!(matches!(next, Some(Response::Error { call_id: 6, .. })), "{next:?}");
        let Ok(Some(Response::Fatal(failure))) = decoder.next_response() else { panic!() };
        assert_eq!((failure.class, failure.message, failure.code), ("a.B", "why", 15));
    }

    #[test]
    fn old_client_gets_a_reply_of_its_version() {
        for (version, head) in [(8, &[0xff; 8][..]), (3, &[0xff; 8]), (2, &[0, 0, 0, 0, 1])] {
            let mut out = Vec::new();
            encode_old_version(version, "a.B", "no", &mut out).unwrap();
            assert_eq!(out, [head, b"\0\0\0\x03a.B\0\0\0\x02no"].concat());
        }
        for version in [1, 0, -1, 9] {
            let mut out = Vec::new();
            encode_old_version(version, "a.B", "no", &mut out).unwrap();
            assert_eq!(out, b"");
        }
    }

    #[test]
    fn failed_encoding_leaves_no_bytes() {
        let mut out = vec![1];
        let refused = encode_success(answered(1), &mut out, |out| {
            out.push(2);
            Err(TooLong { len: 3, max: 2 })
        });
        assert_eq!((refused, out), (Err(TooLong { len: 3, max: 2 }), vec![1]));
    }
}
