//! Writer of a bolt's commands, buffered for one write, and of its pending tuples.

use ahash::{AHashMap, AHashSet};
use serde::Serialize;

use super::commands::{Emit, write_ack};

/// Writer of a bolt's commands, buffered for one write, with the tuples that are not acked or failed yet.
#[derive(Debug, Default)]
pub struct BoltWriter {
    out: Vec<u8>,
    pending: AHashSet<Box<str>>,
    streams: Streams,
}

/// Streams that a bolt may emit to.
#[derive(Debug, Default)]
enum Streams {
    /// No emits are accepted yet.
    #[default]
    None,
    /// Storm does not send the list of streams.
    Any,
    /// Number of fields of each stream, by name.
    Declared(AHashMap<Box<str>, usize>),
}

impl BoltWriter {
    /// Accepts emits from now on: to these streams with their numbers of fields, or to any if Storm does not
    /// send them.
    pub fn open(&mut self, streams: Option<impl IntoIterator<Item = (String, usize)>>) {
        self.streams = streams.map_or(Streams::Any, |streams| {
            Streams::Declared(streams.into_iter().map(|(name, len)| (name.into(), len)).collect())
        });
    }

    /// Records a tuple as received.
    pub fn expect(&mut self, id: &str) {
        self.pending.insert(id.into());
    }

    /// Whether a tuple is neither acked nor failed.
    #[must_use]
    pub fn is_pending(&self, id: &str) -> bool {
        self.pending.contains(id)
    }

    /// Records a tuple as acked or failed; returns whether it was pending.
    pub fn end(&mut self, id: &str) -> bool {
        self.pending.remove(id)
    }

    /// Adds an emit of `len` values, unless a value or the emit is unusual or invalid; returns whether it did.
    pub fn emit<V: Serialize>(
        &mut self,
        values: V,
        len: usize,
        stream: Option<&str>,
        anchors: &[&str],
    ) -> bool {
        let fits = match &self.streams {
            Streams::None => false,
            Streams::Any => true,
            Streams::Declared(fields) => fields.get(stream.unwrap_or(DEFAULT)) == Some(&len),
        };
        if !fits || !anchors.iter().all(|id| self.is_pending(id)) {
            return false;
        }
        let anchors = (!anchors.is_empty()).then_some(anchors);
        let emit =
            Emit { tuple: values, stream, id: None, anchors, task: None, need_task_ids: false };
        emit.write(&mut self.out)
    }

    /// Acks the pending ones of these tuples; returns their number.
    pub fn ack<T: AsRef<str>>(&mut self, ids: impl IntoIterator<Item = T>) -> usize {
        let pending = ids.into_iter().filter(|id| self.pending.remove(id.as_ref()));
        pending.map(|id| write_ack(id.as_ref(), &mut self.out)).count()
    }

    /// Adds complete, encoded messages.
    pub fn extend(&mut self, messages: &[u8]) {
        self.out.extend_from_slice(messages);
    }

    /// Number of buffered bytes.
    #[must_use]
    pub fn len(&self) -> usize {
        self.out.len()
    }

    /// Whether no bytes are buffered.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.out.is_empty()
    }

    /// Calls `take` with the buffered bytes, and clears the buffer.
    pub fn take<T>(&mut self, take: impl FnOnce(&[u8]) -> T) -> T {
        let taken = take(&self.out);
        self.out.clear();
        taken
    }
}

/// Stream of an emit without a stream (`Utils.DEFAULT_STREAM_ID`).
const DEFAULT: &str = "default";

#[cfg(test)]
mod tests {
    use super::*;

    fn opened() -> BoltWriter {
        let mut writer = BoltWriter::default();
        writer.open(Some([("default".to_owned(), 2), ("side".to_owned(), 1)]));
        writer.expect("7");
        writer
    }

    fn taken(writer: &mut BoltWriter) -> String {
        writer.take(|said| String::from_utf8(said.to_vec()).unwrap())
    }

    #[test]
    fn text_that_fits_is_emitted() {
        let mut writer = opened();
        assert!(writer.emit([1, 2], 2, None, &["7"]));
        assert!(writer.emit(["\x7f"], 1, Some("side"), &[]));
        let said = concat!(
            r#"{"command":"emit","tuple":[1,2],"anchors":["7"],"need_task_ids":false}"#,
            "\nend\n",
            r#"{"command":"emit","tuple":["\u007f"],"stream":"side","need_task_ids":false}"#,
            "\nend\n",
        );
        assert_eq!((writer.len(), taken(&mut writer)), (said.len(), said.into()));
        assert!(writer.is_empty());
    }

    #[test]
    fn rare_or_invalid_values_append_no_json() {
        assert!(!BoltWriter::default().emit([1], 1, None, &[]));
        let mut writer = opened();
        assert!(!writer.emit([1], 1, None, &[]));
        assert!(!writer.emit([1], 1, Some("elsewhere"), &[]));
        assert!(!writer.emit([1, 2], 2, None, &["7", "8"]));
        // JSON has no such key.
        assert!(!writer.emit([std::collections::HashMap::from([([1], 2)])], 1, Some("side"), &[]));
        assert_eq!(taken(&mut writer), "");
        writer.open(None::<[(String, usize); 0]>);
        assert!(writer.emit([1], 1, Some("elsewhere"), &[]));
    }

    #[test]
    fn tuple_is_ended_once() {
        let mut writer = opened();
        writer.expect("a\"");
        assert!(writer.end("7"));
        assert!(!writer.end("7"));
        assert_eq!(writer.ack(["7", "a\"", "a\""]), 1);
        assert_eq!(taken(&mut writer), "{\"command\":\"ack\",\"id\":\"a\\\"\"}\nend\n");
        assert!(!writer.is_pending("a\""));
    }
}
