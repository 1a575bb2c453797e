use serde::Serialize;

/// Sends values on.
#[derive(Debug, Serialize)]
#[serde(tag = "command", rename = "emit")]
pub struct Emit<'a, V> {
    /// The values.
    pub tuple: V,
    /// Where to; none is the default stream.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stream: Option<&'a str>,
    /// Of a spout: what Storm acks or fails it by.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<V>,
    /// Of a bolt: the tuples that fail if this one does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub anchors: Option<V>,
    /// Of a direct emit, as Storm wants it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub task: Option<i64>,
    /// Whether Storm answers with the tasks that it went to.
    pub need_task_ids: bool,
}

impl<V: Serialize> Emit<'_, V> {
    /// The message, its `end` included; `None` if a value does not serialize.
    #[must_use]
    pub fn encode(&self) -> Option<Vec<u8>> {
        let mut out = Vec::with_capacity(ROOM);
        serde_json::to_writer(&mut out, self).ok()?;
        out.extend_from_slice(b"\nend\n");
        Some(escape_delete(out))
    }
}

/// What most emits take.
const ROOM: usize = 256;

/// Says that tuples are done with: one message each, their `end` included.
#[must_use]
pub fn encode_acks<T: AsRef<str>>(ids: &[T]) -> Vec<u8> {
    let room = ids.iter().map(|id| id.as_ref().len() + BEFORE.len() + AFTER.len() + 2).sum();
    let mut out = Vec::with_capacity(room);
    for id in ids {
        out.extend_from_slice(BEFORE);
        // A text does not fail, nor does a Vec.
        let _ = serde_json::to_writer(&mut out, id.as_ref());
        out.extend_from_slice(AFTER);
    }
    escape_delete(out)
}

/// JSON in which no text holds U+007F as it is: Storm's parser loses it (JSONParserString.readString).
fn escape_delete(json: Vec<u8>) -> Vec<u8> {
    if !json.contains(&DELETE) {
        return json;
    }
    let mut out = Vec::with_capacity(json.len() + ROOM);
    for byte in json {
        match byte {
            DELETE => out.extend_from_slice(br"\u007f"),
            _ => out.push(byte),
        }
    }
    out
}

const DELETE: u8 = 0x7f;

const BEFORE: &[u8] = br#"{"command":"ack","id":"#;
const AFTER: &[u8] = b"}\nend\n";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_emit_says_no_more_than_it_must() {
        let least = Emit {
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
    fn each_tuple_has_a_message() {
        assert_eq!(
            encode_acks(&["-7", "a\"\n\x7f"]),
            b"{\"command\":\"ack\",\"id\":\"-7\"}\nend\n{\"command\":\"ack\",\"id\":\"a\\\"\\n\\u007f\"}\nend\n",
        );
    }
}
