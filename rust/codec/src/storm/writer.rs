//! Writer of a bolt: commands gathered for one write, and tuples to be acknowledged.

use ahash::{AHashMap, AHashSet};
use serde::Serialize;

use super::commands::{Emit, write_ack};

/// Commands of a bolt, gathered for one write, and the tuples that it has yet to ack or fail.
#[derive(Debug, Default)]
pub struct BoltWriter {
    out: Vec<u8>,
    pending: AHashSet<Box<str>>,
    streams: Streams,
}

/// Streams that a bolt may emit to.
#[derive(Debug, Default)]
enum Streams {
    /// Nobody listens yet.
    #[default]
    None,
    /// Storm does not say which there are.
    Any,
    /// By name, how many fields they have.
    Declared(AHashMap<Box<str>, usize>),
}

impl BoltWriter {
    /// Takes emits from now on, to these streams of so many fields; to any where Storm does not say.
    pub fn open(&mut self, streams: Option<impl IntoIterator<Item = (String, usize)>>) {
        self.streams = streams.map_or(Streams::Any, |streams| {
            Streams::Declared(streams.into_iter().map(|(name, len)| (name.into(), len)).collect())
        });
    }

    /// Notes that a tuple has come.
    pub fn expect(&mut self, id: &str) {
        self.pending.insert(id.into());
    }

    /// Whether a tuple is neither acked nor failed.
    #[must_use]
    pub fn is_pending(&self, id: &str) -> bool {
        self.pending.contains(id)
    }

    /// Notes that something is said of a tuple; whether nothing was before.
    pub fn end(&mut self, id: &str) -> bool {
        self.pending.remove(id)
    }

    /// Adds an emit of `len` values, if nothing about it is rare or wrong; says whether it did.
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

    /// Acks those of the tuples that are pending; returns how many.
    pub fn ack<T: AsRef<str>>(&mut self, ids: impl IntoIterator<Item = T>) -> usize {
        let pending = ids.into_iter().filter(|id| self.pending.remove(id.as_ref()));
        pending.map(|id| write_ack(id.as_ref(), &mut self.out)).count()
    }

    /// Adds whole messages.
    pub fn extend(&mut self, messages: &[u8]) {
        self.out.extend_from_slice(messages);
    }

    /// Bytes that wait.
    #[must_use]
    pub fn len(&self) -> usize {
        self.out.len()
    }

    /// Whether none waits.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.out.is_empty()
    }

    /// Shows what waits to `take`; it waits no more.
    pub fn take<T>(&mut self, take: impl FnOnce(&[u8]) -> T) -> T {
        let taken = take(&self.out);
        self.out.clear();
        taken
    }
}

/// The stream of an emit that names none (`Utils.DEFAULT_STREAM_ID`).
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
