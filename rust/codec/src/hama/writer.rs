//! Encoder of the operations that a child writes.

use std::{error::Error, fmt};

use super::{
    Op, OpTable,
    ops::OpCode,
    values::{self, Escaping},
};

/// Writer of operations as lines, buffered for one write.
#[derive(Clone, Debug, Default)]
pub struct OpWriter {
    table: OpTable,
    escaping: Escaping,
    out: Vec<u8>,
}

/// Error of an operation that cannot be encoded.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum EncodeError {
    /// Wrong number of arguments.
    Arguments {
        /// Name of the operation.
        op: &'static str,
        /// Number of arguments that it takes.
        takes: usize,
    },
    /// An argument contains a line end.
    LineEnd {
        /// Name of the operation.
        op: &'static str,
        /// Index of the argument.
        argument: usize,
        /// Offset in the argument.
        at: usize,
    },
}

impl fmt::Display for EncodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Arguments { op, takes } => write!(f, "{op} takes {takes} arguments"),
            Self::LineEnd { op, argument, at } => write!(
                f,
                "{op}: argument {argument} has a line end at {at}: values are lines; \
                 switch escaping on in all peers, or encode the value"
            ),
        }
    }
}

impl Error for EncodeError {}

impl OpWriter {
    /// Creates a writer for a numbering of operations.
    #[must_use]
    pub fn new(table: OpTable, escaping: Escaping) -> Self {
        Self { table, escaping, out: Vec::new() }
    }

    /// Returns the operation with this name.
    #[must_use]
    pub fn named(&self, name: &str) -> Option<Op> {
        self.table.named(name)
    }

    /// Adds an operation and its arguments; nothing is added after an error.
    ///
    /// # Errors
    /// [`EncodeError`].
    pub fn add(&mut self, op: Op, arguments: &[&str]) -> Result<(), EncodeError> {
        if arguments.len() != op.lines {
            return Err(EncodeError::Arguments { op: op.name, takes: op.lines });
        }
        let before = self.out.len();
        self.head(op);
        self.out.push(b'\n');
        for (argument, value) in arguments.iter().enumerate() {
            if let Err(at) = values::write(value.as_bytes(), self.escaping, &mut self.out) {
                self.out.truncate(before);
                return Err(EncodeError::LineEnd { op: op.name, argument, at });
            }
            self.out.push(b'\n');
        }
        Ok(())
    }

    /// Adds a LOG for each line of `text`.
    pub fn log(&mut self, text: &str) {
        let text = text.strip_suffix('\n').unwrap_or(text);
        for line in text.split(['\n', '\r']) {
            self.head(OpCode::Log.op());
            self.out.extend_from_slice(line.as_bytes());
            self.out.push(b'\n');
        }
    }

    /// Adds operations that another writer has encoded.
    pub fn extend(&mut self, operations: &[u8]) {
        self.out.extend_from_slice(operations);
    }

    /// Adds the acknowledgement that a step has ended.
    pub fn acknowledge(&mut self, op: Op) {
        self.out.extend_from_slice(format!("%ACK_{}%=\n", self.table.code(op)).as_bytes());
    }

    fn head(&mut self, op: Op) {
        let code = self.table.code(op);
        self.out.push(b'%');
        if code >= 10 {
            self.out.push(b'0' + code / 10);
        }
        self.out.extend_from_slice(&[b'0' + code % 10, b'%', b'=']);
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

    /// Takes the buffered bytes.
    pub fn take(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn op(name: &str) -> Op {
        OpTable::Current.named(name).unwrap()
    }

    #[test]
    fn operations_are_written_as_the_document_shows() {
        let mut writer = OpWriter::default();
        writer.acknowledge(op("START"));
        writer.add(op("SEND_MSG"), &["local:1", "h\u{e9}llo"]).unwrap();
        writer.add(op("SYNC"), &[]).unwrap();
        writer.log("one\r\ntwo\n");
        assert_eq!(
            String::from_utf8(writer.take()).unwrap(),
            "%ACK_0%=\n%10%=\nlocal:1\nh\u{e9}llo\n%11%=\n%31%=one\n%31%=\n%31%=two\n"
        );
        assert!(writer.is_empty());
    }

    #[test]
    fn value_with_a_line_end_is_refused_and_nothing_is_written() {
        let mut writer = OpWriter::default();
        for value in ["a\nb", "a\rb"] {
            let refused = writer.add(op("WRITE_KEYVALUE"), &["key", value]);
            let expected = EncodeError::LineEnd { op: "WRITE_KEYVALUE", argument: 1, at: 1 };
            assert_eq!(refused, Err(expected));
        }
        let refused = writer.add(op("SYNC"), &["too many"]);
        assert_eq!(refused, Err(EncodeError::Arguments { op: "SYNC", takes: 0 }));
        assert!(writer.is_empty());
    }

    #[test]
    fn early_log_is_25_and_only_there() {
        let mut early = OpWriter::new(OpTable::Early, Escaping::Off);
        early.log("hello");
        assert_eq!(early.take(), b"%25%=hello\n");
        let mut current = OpWriter::default();
        current.log("hello");
        assert_eq!(current.take(), b"%31%=hello\n");
    }
}
