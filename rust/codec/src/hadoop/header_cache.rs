//! Cache of the headers of earlier frames: on one connection they differ only in the call's id, and a
//! connection calls few different methods repeatedly.

use std::ops::Range;

use super::{
    Dialect, ResolvedMethod,
    frames::{RequestHeader, ResponseHeader},
    tables::{request, response},
};
use crate::{Cursor, message::Status, proto, varint};

/// Decoded headers of recent frames, so that the same bytes are not decoded again.
#[derive(Debug, Default)]
pub(super) struct HeaderCache {
    request: Cached<CachedRequest>,
    response: Cached<HeaderTemplate>,
    calls: Vec<(Box<[u8]>, ResolvedMethod)>,
    /// Index of the cached call that is evicted next.
    oldest: usize,
}

impl HeaderCache {
    /// Decodes a request header that equals the last one except for the call id; also returns the dialect, if
    /// the header determines it.
    pub(super) fn request<'a>(
        &mut self,
        header: &Cursor<'a>,
        dialect: Option<Dialect>,
    ) -> Option<(RequestHeader<'a>, Option<Dialect>)> {
        let bytes = header.rest();
        let known = self.request.value.as_ref()?;
        let (wire, tail) = known.alike.read(bytes)?;
        let dialect = dialect.or_else(|| Dialect::of_first(wire));
        let of_tail = |at: &Range<usize>| tail.get(at.clone());
        let context = known.caller_context.as_ref().and_then(of_tail);
        let header = RequestHeader {
            call_id: dialect.unwrap_or_default().call_id(wire),
            client_id: known.client_id.as_ref().and_then(of_tail),
            caller_context: context.and_then(|text| proto::text(text, 0).ok()),
            rpc_kind: known.rpc_kind,
            rpc_op: known.rpc_op,
            retry_count: known.retry_count,
            state_id: known.state_id,
        };
        self.request.misses = 0;
        Some((header, dialect))
    }

    /// Stores a request's header with its decoded form.
    pub(super) fn learn_request(&mut self, bytes: &[u8], read: &RequestHeader<'_>) {
        self.request.learn(|| {
            let alike = HeaderTemplate::from_header(bytes, request::CALL_ID)?;
            let start = bytes.len() - alike.tail.len();
            Some(CachedRequest {
                client_id: place(bytes, start, read.client_id)?,
                caller_context: place(bytes, start, read.caller_context.map(str::as_bytes))?,
                alike,
                rpc_kind: read.rpc_kind,
                rpc_op: read.rpc_op,
                retry_count: read.retry_count,
                state_id: read.state_id,
            })
        });
    }

    /// Decodes the call id of a response header that equals the last header of a success.
    pub(super) fn success(&mut self, header: &Cursor<'_>) -> Option<i64> {
        let (wire, _) = self.response.value.as_ref()?.read(header.rest())?;
        self.response.misses = 0;
        Some(proto::low_32_bits(wire).into())
    }

    /// Stores a response's header if it is that of a success.
    pub(super) fn learn_response(&mut self, bytes: &[u8], read: &ResponseHeader<'_>) {
        if read.status == Status::Ok && read.exception_class_name.is_none() {
            self.response.learn(|| HeaderTemplate::from_header(bytes, response::CALL_ID));
        }
    }

    /// Returns the method of a call whose header is cached.
    pub(super) fn call(&self, header: &[u8]) -> Option<ResolvedMethod> {
        self.calls.iter().find(|(known, _)| **known == *header).map(|(_, called)| *called)
    }

    /// Stores the header of a call with its method.
    pub(super) fn learn_call(&mut self, header: &[u8], called: ResolvedMethod) {
        if header.len() > LONGEST {
            return;
        }
        let call = (header.into(), called);
        if self.calls.len() < CALLS {
            // Most connections call one method, and there can be many of them.
            self.calls.reserve_exact(1);
            self.calls.push(call);
        } else {
            self.calls[self.oldest % CALLS] = call;
            self.oldest = (self.oldest + 1) % CALLS;
        }
    }
}

/// Cached value, stored again only as long as this is useful.
#[derive(Debug)]
struct Cached<T> {
    value: Option<T>,
    /// Number of consecutive times that a value was stored and not reused.
    misses: u8,
}

impl<T> Default for Cached<T> {
    fn default() -> Self {
        Self { value: None, misses: 0 }
    }
}

impl<T> Cached<T> {
    fn learn(&mut self, value: impl FnOnce() -> Option<T>) {
        if self.misses < MAX_MISSES {
            self.misses += 1;
            self.value = value();
        }
    }
}

/// Header in which only the call's id varies.
#[derive(Debug)]
struct HeaderTemplate {
    /// Bytes before the id, including its tag.
    front: Box<[u8]>,
    tail: Box<[u8]>,
}

impl HeaderTemplate {
    /// Creates a template; `None` if the id does not occur exactly once after a tag of one byte, or if the
    /// header is too long to be cached.
    fn from_header(bytes: &[u8], id: u32) -> Option<Self> {
        let mut header = Cursor::new(bytes);
        let mut found = None;
        while !header.is_empty() {
            let (number, _, at) = proto::field(&mut header).ok()?;
            if number == id && found.replace(at).is_some() {
                return None;
            }
        }
        let at = found.filter(|_| bytes.len() <= LONGEST)?;
        let (front, tail) = (&bytes[..=at.start], &bytes[at.end..]);
        Some(Self { front: front.into(), tail: tail.into() })
    }

    /// Returns the id on the wire, and the bytes after it.
    #[inline]
    fn read<'a>(&self, bytes: &'a [u8]) -> Option<(u64, &'a [u8])> {
        let rest = bytes.strip_prefix(&*self.front)?;
        let (wire, len) = varint::decode(rest).ok()?;
        let tail = &rest[len..];
        (*tail == *self.tail).then_some((wire, tail))
    }
}

#[derive(Debug)]
struct CachedRequest {
    alike: HeaderTemplate,
    /// Range of the client id in the tail.
    client_id: Option<Range<usize>>,
    caller_context: Option<Range<usize>>,
    rpc_kind: Option<u64>,
    rpc_op: Option<u64>,
    retry_count: Option<i32>,
    state_id: Option<i64>,
}

/// Range of a part of `bytes`, relative to `start`; `None` if it begins before.
#[expect(clippy::option_option, reason = "what is not there has no place, and that is known")]
fn place(bytes: &[u8], start: usize, part: Option<&[u8]>) -> Option<Option<Range<usize>>> {
    let Some(part) = part else { return Some(None) };
    let at = part.as_ptr().addr().checked_sub(bytes.as_ptr().addr())?.checked_sub(start)?;
    Some(Some(at..at + part.len()))
}

/// Maximum length of a cached header (chosen by jvmwire). Headers with tokens are longer, and vary.
const LONGEST: usize = 512;
/// Number of cached requests (chosen by jvmwire): the number of methods that a connection typically calls at a
/// time.
const CALLS: usize = 4;
/// Maximum number of consecutive misses after which a header is no longer stored: servers that send a state id
/// change it in each header.
const MAX_MISSES: u8 = 16;

#[cfg(test)]
mod tests {
    use super::*;

    /// Encodes a header as a client of Hadoop 3 does: kind, operation, call id, client id, retries, context.
    fn header(id: &[u8], context: &[u8]) -> Vec<u8> {
        let inside = [&[0x0a, u8::try_from(context.len()).unwrap()], context].concat();
        let length = u8::try_from(inside.len()).unwrap();
        let client = [&[0x22, 16][..], &[7; 16], &[0x28, 2]].concat();
        [&[8, 2, 16, 0, 0x18][..], id, &client, &[0x3a, length], &inside].concat()
    }

    fn read(bytes: &[u8]) -> RequestHeader<'_> {
        RequestHeader::decode(Cursor::new(bytes), Some(Dialect::Current), &mut ()).unwrap().0
    }

    #[test]
    fn header_that_is_alike_is_read_as_any_other() {
        let first = header(&[2], b"a job");
        let mut familiar = HeaderCache::default();
        let told = |familiar: &mut HeaderCache, bytes: &[u8]| {
            let told = familiar.request(&Cursor::new(bytes), Some(Dialect::Current));
            told.map(|(header, _)| format!("{header:?}"))
        };
        assert_eq!(told(&mut familiar, &first), None);
        familiar.learn_request(&first, &read(&first));
        for id in [&[2][..], &[0x80, 1], &[0xfe, 0xff, 3]] {
            let alike = header(id, b"a job");
            assert_eq!(told(&mut familiar, &alike), Some(format!("{:?}", read(&alike))));
        }
        for other in [&header(&[2], b"b job")[..], &header(&[2], b"a jo"), &first[..9], b""] {
            assert_eq!(told(&mut familiar, other), None);
        }
    }

    #[test]
    fn header_with_fields_before_the_id_or_repeated_id_is_not_cached() {
        let client_first = [&[0x22, 16][..], &[7; 16], &[8, 2, 0x18, 4]].concat();
        let twice = [&header(&[2], b"")[..], &[0x18, 4]].concat();
        for bytes in [client_first, twice] {
            let mut familiar = HeaderCache::default();
            familiar.learn_request(&bytes, &read(&bytes));
            assert!(familiar.request(&Cursor::new(&bytes), None).is_none());
        }
    }

    #[test]
    fn header_cache_stops_learning_after_misses() {
        let mut known = Cached::default();
        for number in 0..MAX_MISSES + 5 {
            known.learn(|| Some(number));
        }
        assert_eq!(known.value, Some(MAX_MISSES - 1));
    }
}
