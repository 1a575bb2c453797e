//! Commands of a bolt or a spout: emit, ack, fail, sync, log.

use serde::Serialize;

/// Emit of a tuple.
#[derive(Debug, Serialize)]
#[serde(tag = "command", rename = "emit")]
pub struct Emit<'a, V, A = V> {
    /// Values of the tuple.
    pub tuple: V,
    /// Stream; none is the default stream.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stream: Option<&'a str>,
    /// For a spout: the id by which Storm acks or fails the tuple.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<V>,
    /// For a bolt: the tuples that fail if this one fails.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub anchors: Option<A>,
    /// Task of a direct emit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub task: Option<i64>,
    /// Whether Storm replies with the tasks that received the tuple.
    pub need_task_ids: bool,
}

impl<V: Serialize, A: Serialize> Emit<'_, V, A> {
    /// Encodes the message, including its `end`; `None` if a value cannot be serialized.
    #[must_use]
    pub fn encode(&self) -> Option<Vec<u8>> {
        let mut out = Vec::with_capacity(ROOM);
        self.write(&mut out).then_some(out)
    }

    /// Appends the message, or nothing if a value cannot be serialized; returns whether it did.
    pub(super) fn write(&self, out: &mut Vec<u8>) -> bool {
        let start = out.len();
        if serde_json::to_writer(&mut *out, self).is_err() {
            out.truncate(start);
            return false;
        }
        escape_delete(out, start);
        out.extend_from_slice(END);
        true
    }
}

/// Number of bytes that most emits take.
const ROOM: usize = 256;

/// Appends an ack of a tuple.
pub(super) fn write_ack(id: &str, out: &mut Vec<u8>) {
    let start = out.len();
    out.extend_from_slice(br#"{"command":"ack","id":"#);
    // A text does not fail, nor does a Vec.
    let _ = serde_json::to_writer(&mut *out, id);
    escape_delete(out, start);
    out.push(b'}');
    out.extend_from_slice(END);
}

/// Escapes U+007F in the texts after `start`: Storm's parser drops it (JSONParserString.readString).
fn escape_delete(json: &mut Vec<u8>, start: usize) {
    let Some(first) = memchr::memchr(DELETE, &json[start..]) else { return };
    let rest = json.split_off(start + first);
    for byte in rest {
        match byte {
            DELETE => json.extend_from_slice(br"\u007f"),
            _ => json.push(byte),
        }
    }
}

const DELETE: u8 = 0x7f;
const END: &[u8] = b"\nend\n";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn emit_omits_default_fields() {
        let least: Emit<'_, _> = Emit {
            tuple: [1],
            stream: None,
            id: None,
            anchors: None,
            task: None,
            need_task_ids: false,
        };
        let wire = br#"{"command":"emit","tuple":[1],"need_task_ids":false}"#;
        assert_eq!(least.encode().unwrap(), [wire, &b"\nend\n"[..]].concat());
        let most = Emit {
            tuple: [1],
            stream: Some("s"),
            id: Some([2]),
            anchors: Some([3]),
            task: Some(4),
            need_task_ids: true,
        };
        let wire = br#"{"command":"emit","tuple":[1],"stream":"s","id":[2],"anchors":[3],"task":4,"need_task_ids":true}"#;
        assert_eq!(most.encode().unwrap(), [wire, &b"\nend\n"[..]].concat());
    }

    #[test]
    fn surrogates_that_storm_loses_are_escaped_and_earlier_text_kept() {
        let mut out = b"\x7f".to_vec();
        write_ack("a\"\n\x7f\x7f", &mut out);
        assert_eq!(out, b"\x7f{\"command\":\"ack\",\"id\":\"a\\\"\\n\\u007f\\u007f\"}\nend\n",);
    }
}
