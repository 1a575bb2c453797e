//! Call that waits for its reply, with the columns of its row that the request determines.

use jvmwire_codec::{message::Request, pending_calls::PendingCall};
use serde::{Deserialize, Serialize};

use crate::{tables::json_text::write_text, tables::redaction::Redaction};

/// Cache of the JSON of properties that have no column. Connections alternate, and the calls of each nearly
/// always have the same properties.
#[derive(Debug, Default)]
pub(crate) struct Attributes {
    cached: Box<[CachedAttributes]>,
}

#[derive(Clone, Debug, Default)]
struct CachedAttributes {
    caller_context: String,
    json: String,
}

impl Attributes {
    pub(crate) fn new() -> Self {
        Self { cached: vec![CachedAttributes::default(); PLACES].into() }
    }

    /// Returns the properties as a JSON object.
    pub(crate) fn json(&mut self, caller_context: &str) -> &str {
        let cached = &mut self.cached[place(caller_context)];
        if cached.json.is_empty() || cached.caller_context != caller_context {
            caller_context.clone_into(&mut cached.caller_context);
            let mut json = br#"{"caller_context":"#.to_vec();
            write_text(caller_context, &mut json);
            json.push(b'}');
            // A string is always JSON, and that is UTF-8.
            cached.json = String::from_utf8(json).unwrap_or_default();
        }
        &cached.json
    }
}

/// Returns the index of a caller context in the cache: all long ones share one entry, so that at most one is
/// kept.
fn place(caller_context: &str) -> usize {
    let (len, last) = (caller_context.len(), caller_context.bytes().next_back());
    if len > LONG { 0 } else { 1 + (len + usize::from(last.unwrap_or_default())) % (PLACES - 1) }
}

/// Number of cached caller contexts.
const PLACES: usize = 32;

/// Maximum number of bytes of a caller context that is not long.
const LONG: usize = 512;

/// Call whose texts are in one buffer, which is reused for further calls.
#[derive(Debug, Default, Deserialize, Serialize)]
pub(crate) struct OpenCall {
    texts: String,
    name_len: usize,
    target_len: Option<usize>,
    caller_context_len: Option<usize>,
    pub(crate) id: Option<i64>,
    pub(crate) retry: Option<i32>,
    pub(crate) request_offset: i64,
    pub(crate) request_bytes: i64,
    pub(crate) start: Option<i64>,
}

impl OpenCall {
    /// Sets the properties of the request; a redaction replaces values chosen by users.
    pub(crate) fn set(&mut self, request: &Request<'_>, redaction: Option<Redaction>) {
        self.retry = request.retry;
        self.texts.clear();
        // At once: many calls can wait, each in memory of its own.
        let texts = [Some(&*request.interface), Some(&*request.method)]
            .into_iter()
            .chain([request.target.as_deref(), request.caller_context.as_deref()]);
        self.texts.reserve(1 + texts.flatten().map(str::len).sum::<usize>());
        // `ClientProtocol.getFileInfo`, or the known part of it.
        match (&*request.interface, &*request.method) {
            ("", "") => self.texts.push_str("unknown"),
            ("", name) | (name, "") => self.texts.push_str(name),
            (interface, method) => {
                self.texts.push_str(interface);
                self.texts.push('.');
                self.texts.push_str(method);
            }
        }
        self.name_len = self.texts.len();
        self.target_len = self.append(request.target.as_deref(), redaction);
        self.caller_context_len = self.append(request.caller_context.as_deref(), redaction);
    }

    /// Replaces values chosen by users.
    pub(crate) fn redact(&mut self, redaction: Redaction) {
        let [name, target, context] = [Some(self.name()), self.target(), self.caller_context()]
            .map(|text| text.map(str::to_owned));
        self.texts = name.unwrap_or_default();
        self.target_len = self.append(target.as_deref(), Some(redaction));
        self.caller_context_len = self.append(context.as_deref(), Some(redaction));
    }

    /// Whether a loaded state can have been saved: the lengths of its texts match the buffer.
    pub(crate) fn is_sound(&self) -> bool {
        let lengths = [Some(self.name_len), self.target_len, self.caller_context_len];
        let mut end = Some(0_usize);
        lengths.into_iter().flatten().all(|len| {
            end = end.and_then(|end| end.checked_add(len));
            end.is_some_and(|end| self.texts.is_char_boundary(end))
        }) && end == Some(self.texts.len())
    }

    /// Number of bytes of memory of its texts.
    pub(crate) fn size(&self) -> usize {
        self.texts.capacity()
    }

    pub(crate) fn name(&self) -> &str {
        self.text(0, self.name_len)
    }

    pub(crate) fn target(&self) -> Option<&str> {
        Some(self.text(self.name_len, self.target_len?))
    }

    pub(crate) fn caller_context(&self) -> Option<&str> {
        let start = self.name_len + self.target_len.unwrap_or_default();
        Some(self.text(start, self.caller_context_len?))
    }

    fn append(&mut self, text: Option<&str>, redaction: Option<Redaction>) -> Option<usize> {
        let start = self.texts.len();
        let text = text?;
        match redaction {
            Some(redaction) => self.texts.push_str(&redaction.replace(text.as_bytes())),
            None => self.texts.push_str(text),
        }
        Some(self.texts.len() - start)
    }

    fn text(&self, start: usize, len: usize) -> &str {
        &self.texts[start..start + len]
    }
}

impl PendingCall for Box<OpenCall> {
    fn held(&self) -> usize {
        self.texts.len() + size_of::<OpenCall>() + size_of::<(u64, Option<Self>)>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request<'a>(interface: &'a str, method: &'a str) -> Request<'a> {
        Request {
            token: 1,
            interface: interface.into(),
            method: method.into(),
            target: Some("/a".into()),
            retry: None,
            caller_context: None,
        }
    }

    #[test]
    fn attributes_are_those_of_the_call_whatever_was_kept() {
        let mut attributes = Attributes::new();
        let long = "l".repeat(LONG + 1);
        let other = "o".repeat(LONG + 1);
        // "abc" and "\u{1}bc" share a place, as the long ones do; "" has one, too.
        let contexts = ["abc", "\u{1}bc", "", &long, &other, "a \"job\""];
        for context in contexts.iter().chain(&contexts).chain(contexts.iter().rev()) {
            let json: serde_json::Value = serde_json::from_str(attributes.json(context)).unwrap();
            assert_eq!(json, serde_json::json!({ "caller_context": context }));
        }
        assert_eq!(attributes.cached.iter().filter(|it| it.json.len() > LONG).count(), 1);
    }

    #[test]
    fn call_name_has_the_parts_that_are_known() {
        let mut call = OpenCall::default();
        for (interface, method, name) in [
            ("ClientProtocol", "mkdirs", "ClientProtocol.mkdirs"),
            ("", "mkdirs", "mkdirs"),
            ("ping", "", "ping"),
            ("", "", "unknown"),
        ] {
            call.set(&request(interface, method), None);
            assert_eq!((call.name(), call.target()), (name, Some("/a")));
            assert_eq!(call.caller_context(), None);
        }
    }

    #[test]
    fn user_data_is_redacted_now_or_later() {
        let asked = Request { caller_context: Some("a job".into()), ..request("P", "m") };
        let (mut now, mut later) = (OpenCall::default(), OpenCall::default());
        let redaction = Redaction::new([7; 16]);
        now.set(&asked, Some(redaction));
        later.set(&asked, None);
        assert_eq!((later.target(), later.caller_context()), (Some("/a"), Some("a job")));
        later.redact(redaction);
        for call in [now, later] {
            assert_eq!((call.name(), call.target()), ("P.m", Some(&*redaction.replace(b"/a"))));
            assert_eq!(call.caller_context(), Some(&*redaction.replace(b"a job")));
        }
    }

    #[test]
    fn load_rejects_inconsistent_state() {
        let mut call = OpenCall::default();
        assert!(call.is_sound());
        call.set(&Request { target: Some("/\u{e4}".into()), ..request("P", "m") }, None);
        assert!(call.is_sound());
        for (name_len, target_len, context_len) in [
            (3, Some(2), None),
            (3, Some(3), Some(1)),
            (4, Some(2), Some(0)),
            (usize::MAX, Some(7), None),
        ] {
            (call.name_len, call.target_len, call.caller_context_len) =
                (name_len, target_len, context_len);
            assert_eq!(call.is_sound(), name_len == 4);
        }
        call.texts.push('b');
        (call.name_len, call.target_len) = (5, Some(2));
        assert!(!call.is_sound());
    }
}
