//! Operation codes: `org.apache.hama.pipes.protocol.MessageType`, of 0.6.4 to 0.7.1.

use serde::{Deserialize, Serialize};

use crate::{DecodeError, DecodeErrorKind};

/// Operation of the protocol.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Op {
    /// Code of the operation.
    pub code: OpCode,
    /// Name of the operation in Java.
    pub name: &'static str,
    /// Number of lines after its first line.
    pub lines: usize,
    /// Format of the task's response.
    pub response: ResponseFormat,
}

/// Format of a task's response to an operation.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum ResponseFormat {
    /// No response.
    None,
    /// This number of lines.
    Lines(usize),
    /// A line with a count, and that number of lines.
    Counted,
    /// One byte without a line end: the response of the binary protocol.
    Byte,
    /// The first line of the operation, followed by `_SUCCESS`.
    Success,
}

/// Numbering of the operations.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
pub enum OpTable {
    /// Numbering since 0.6.2.
    #[default]
    Current,
    /// Numbering of 0.6.0 and 0.6.1, as in the protocol's document: LOG is 25, and is the last operation.
    Early,
}

/// Defines the operations: name of the code, name in Java, number of further lines, and format of the response.
/// The number on the wire, under [`OpTable::Current`], is the index.
macro_rules! operations {
    ($($code:ident $name:literal $lines:literal $response:expr,)*) => {
        /// Code of an operation.
        #[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, PartialOrd, Serialize)]
        #[repr(u8)]
        pub enum OpCode {
            $(
                #[doc = concat!("`", $name, "`.")]
                $code,
            )*
        }

        pub(super) static OPS: [Op; OPERATIONS] =
            [$(Op { code: OpCode::$code, name: $name, lines: $lines, response: $response }),*];
    };
}

const OPERATIONS: usize = 33;

operations! {
    Start "START" 1 ResponseFormat::None,
    SetBspJobConf "SET_BSPJOB_CONF" 1 ResponseFormat::None,
    SetInputTypes "SET_INPUT_TYPES" 0 ResponseFormat::None,
    RunSetup "RUN_SETUP" 0 ResponseFormat::None,
    RunBsp "RUN_BSP" 0 ResponseFormat::None,
    RunCleanup "RUN_CLEANUP" 0 ResponseFormat::None,
    ReadKeyValue "READ_KEYVALUE" 0 ResponseFormat::Lines(2),
    WriteKeyValue "WRITE_KEYVALUE" 2 ResponseFormat::None,
    GetMessage "GET_MSG" 0 ResponseFormat::Lines(1),
    GetMessageCount "GET_MSG_COUNT" 0 ResponseFormat::Lines(1),
    SendMessage "SEND_MSG" 2 ResponseFormat::None,
    Sync "SYNC" 0 ResponseFormat::Success,
    GetAllPeerName "GET_ALL_PEERNAME" 0 ResponseFormat::Counted,
    GetPeerName "GET_PEERNAME" 1 ResponseFormat::Lines(1),
    GetPeerIndex "GET_PEER_INDEX" 0 ResponseFormat::Lines(1),
    GetPeerCount "GET_PEER_COUNT" 0 ResponseFormat::Lines(1),
    GetSuperstepCount "GET_SUPERSTEP_COUNT" 0 ResponseFormat::Lines(1),
    ReopenInput "REOPEN_INPUT" 0 ResponseFormat::None,
    Clear "CLEAR" 0 ResponseFormat::Byte,
    Close "CLOSE" 0 ResponseFormat::None,
    Abort "ABORT" 0 ResponseFormat::None,
    Done "DONE" 0 ResponseFormat::None,
    TaskDone "TASK_DONE" 0 ResponseFormat::None,
    RegisterCounter "REGISTER_COUNTER" 0 ResponseFormat::None,
    IncrementCounter "INCREMENT_COUNTER" 0 ResponseFormat::None,
    SeqFileOpen "SEQFILE_OPEN" 0 ResponseFormat::None,
    SeqFileReadNext "SEQFILE_READNEXT" 0 ResponseFormat::None,
    SeqFileAppend "SEQFILE_APPEND" 0 ResponseFormat::None,
    SeqFileClose "SEQFILE_CLOSE" 0 ResponseFormat::None,
    PartitionRequest "PARTITION_REQUEST" 0 ResponseFormat::None,
    PartitionResponse "PARTITION_RESPONSE" 0 ResponseFormat::None,
    Log "LOG" 0 ResponseFormat::None,
    EndOfData "END_OF_DATA" 0 ResponseFormat::None,
}

impl OpCode {
    /// Number on the wire under [`OpTable::Current`].
    #[must_use]
    pub fn number(self) -> u8 {
        self as u8
    }

    /// Returns the operation.
    pub(super) fn op(self) -> Op {
        OPS[usize::from(self.number())]
    }
}

/// Number of [`OpCode::Log`] under [`OpTable::Early`].
const EARLY_LOG_CODE: u8 = 25;
/// Byte of [`ResponseFormat::Byte`]: `WritableUtils.writeVInt` of CLEAR's code.
pub(super) const CLEARED: u8 = 18;

impl OpTable {
    /// Returns the operation with this number.
    #[must_use]
    pub fn op(self, code: i32) -> Option<Op> {
        let found = OPS.get(usize::try_from(code).ok()?).copied();
        match self {
            Self::Current => found,
            Self::Early if code == i32::from(EARLY_LOG_CODE) => Some(OpCode::Log.op()),
            Self::Early => found.filter(|op| op.code.number() < EARLY_LOG_CODE),
        }
    }

    /// Returns the operation with this name.
    #[must_use]
    pub fn named(self, name: &str) -> Option<Op> {
        OPS.into_iter().find(|op| {
            let is_early = op.code.number() < EARLY_LOG_CODE || op.code == OpCode::Log;
            op.name == name && (self == Self::Current || is_early)
        })
    }

    /// Returns the operation's number on the wire.
    #[must_use]
    pub fn code(self, op: Op) -> u8 {
        if self == Self::Early && op.code == OpCode::Log {
            EARLY_LOG_CODE
        } else {
            op.code.number()
        }
    }
}

/// Content of a line that is not an argument.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Line {
    Blank,
    /// End of a step, with the range of its number, which Java ignores.
    Ack(usize, usize),
    /// Operation, with the offset of its text after the `=`.
    Op(Op, usize),
}

/// Parses a line as Java does (`StreamingProtocol.StreamingUplinkReaderThread.readCommand`): the characters
/// before the first `=`, without any `%`, are a number.
pub(super) fn parse(table: OpTable, line: &[u8]) -> Result<Line, DecodeError> {
    let (head, text) = match memchr::memchr(b'=', line) {
        Some(at) => (&line[..at], at + 1),
        None => (line, line.len()),
    };
    // No number is longer, and the first letters identify an acknowledgement.
    let mut bare = [0; MAX_HEAD];
    let mut len = 0;
    for &byte in head.iter().filter(|byte| **byte != b'%').take(MAX_HEAD) {
        bare[len] = byte;
        len += 1;
    }
    let bare = &bare[..len];
    if bare.starts_with(ACK) {
        let code = head.iter().position(|byte| *byte == b'_').map_or(head.len(), |at| at + 1);
        let end = memchr::memchr(b'%', &head[code..]).map_or(head.len(), |by| code + by);
        return Ok(Line::Ack(code, end));
    }
    if bare.is_empty() && line.is_empty() {
        return Ok(Line::Blank);
    }
    let code = std::str::from_utf8(bare).ok().and_then(|bare| bare.parse::<i32>().ok());
    let Some(code) = code else {
        return Err(DecodeErrorKind::NotANumber.at("operation", 0));
    };
    table.op(code).map(|op| Line::Op(op, text)).ok_or_else(|| {
        let expected = "the number of an operation";
        DecodeErrorKind::Unexpected { value: code.into(), expected }.at("operation", 0)
    })
}

const ACK: &[u8] = b"ACK_";
/// Maximum length of the number: the digits of an `int`, and its sign.
const MAX_HEAD: usize = 11;

#[cfg(test)]
mod tests {
    use super::*;

    const LOG: Op = Op { code: OpCode::Log, name: "LOG", lines: 0, response: ResponseFormat::None };

    #[test]
    fn numbers_stand_at_their_places() {
        for (code, op) in (0..).zip(OPS) {
            assert_eq!((op.code.number(), op.code.op()), (code, op));
            assert_eq!(OpTable::Current.op(code.into()), Some(op));
            assert_eq!(OpTable::Current.named(op.name), Some(op));
        }
        assert_eq!(OpTable::Current.op(33), None);
        assert_eq!(OpTable::Current.op(-1), None);
    }

    #[test]
    fn early_table_has_log_at_25_and_nothing_beyond() {
        assert_eq!(OpTable::Early.op(25), Some(LOG));
        assert_eq!(OpTable::Early.op(31), None);
        assert_eq!(OpTable::Early.code(LOG), 25);
        assert_eq!(OpTable::Early.named("SEQFILE_OPEN"), None);
        assert_eq!(OpTable::Early.named("LOG"), Some(LOG));
        assert_eq!(OpTable::Early.op(24), OpTable::Current.op(24));
    }

    #[test]
    fn lines_are_read_as_loosely_as_java_does() {
        let parsed = |line: &'static str| parse(OpTable::Current, line.as_bytes());
        assert_eq!(parsed("%31%=a=b"), Ok(Line::Op(LOG, 5)));
        assert_eq!(parsed("31"), Ok(Line::Op(LOG, 2)));
        assert_eq!(parsed("%%31=%"), Ok(Line::Op(LOG, 5)));
        assert_eq!(parsed("%ACK_3%="), Ok(Line::Ack(5, 6)));
        assert_eq!(parsed("ACK_"), Ok(Line::Ack(4, 4)));
        assert_eq!(parsed(""), Ok(Line::Blank));
        assert!(parsed("Traceback (most recent call last):").is_err());
        assert!(parsed("%33%=").is_err());
        assert!(parsed("%-1%=").is_err());
        assert!(parsed("%").is_err());
        assert!(parsed("99999999999999999999").is_err());
    }
}
