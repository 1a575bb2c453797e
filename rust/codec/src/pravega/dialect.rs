//! Dialects of Pravega's protocol: the commands by the types in their headers.

use serde::{Deserialize, Serialize};

use super::{
    COMMANDS, Command, CommandKind, FRAME_LIMIT, HEADER_LEN, MESSAGES, early::MESSAGE_COUNT,
};
use crate::{
    Cursor, DecodeErrorKind, Result,
    fragment::StreamAssembler,
    frame::{FrameDecoder, Framing},
};

/// The commands of one of the two protocols, by the types in their headers: today's by default.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
pub struct Dialect {
    /// Of the first proposal, in the order of [`MESSAGES`].
    early: Option<[i32; MESSAGE_COUNT]>,
}

/// A command whose fields nobody has looked at.
#[derive(Debug)]
pub struct Received<'a> {
    /// The type in its header.
    pub code: i32,
    /// What that is, if it is known.
    pub command: Option<&'static Command>,
    /// What stands behind its header.
    pub payload: &'a [u8],
}

/// Why types of messages do not make a dialect.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
pub enum DialectError {
    /// A name that no message has.
    #[error("there is no early message {0:?}")]
    NoMessage(String),
    /// Two messages of one type.
    #[error("{0} is the type of more than one message")]
    SameType(i32),
}

impl Dialect {
    /// Version 16, and the commands that version 17 adds.
    #[must_use]
    pub fn today() -> Self {
        Self::default()
    }

    /// The first proposal, with our numbers for its messages.
    #[must_use]
    pub fn proposed() -> Self {
        Self { early: Some(PROPOSED) }
    }

    /// The same; `types` are other numbers than ours for messages by their names.
    ///
    /// # Errors
    /// [`DialectError`] if a name is not one of the messages', or a number is that of two.
    pub fn early<'a>(
        types: impl IntoIterator<Item = (&'a str, i32)>,
    ) -> std::result::Result<Self, DialectError> {
        let mut codes = PROPOSED;
        for (name, code) in types {
            let named = MESSAGES.iter().position(|message| message.name == name);
            codes[named.ok_or_else(|| DialectError::NoMessage(name.to_owned()))?] = code;
        }
        match twice(codes) {
            Some(code) => Err(DialectError::SameType(code)),
            None => Ok(Self { early: Some(codes) }),
        }
    }

    /// Whether what was loaded can have been saved.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        self.early.and_then(twice).is_none()
    }

    /// Every command and its type, in the order of these.
    #[must_use]
    pub fn commands(&self) -> Vec<(i32, &'static Command)> {
        let Some(codes) = self.early else {
            return COMMANDS.iter().map(|command| (command.code, command)).collect();
        };
        let mut commands: Vec<_> = codes.into_iter().zip(MESSAGES).collect();
        commands.sort_by_key(|(code, _)| *code);
        commands
    }

    /// The command of that name, and its type.
    #[must_use]
    pub fn named(&self, name: &str) -> Option<(i32, &'static Command)> {
        let Some(codes) = self.early else {
            return super::named(name).map(|command| (command.code, command));
        };
        codes.into_iter().zip(MESSAGES).find(|(_, message)| message.name == name)
    }

    /// The command of that type.
    #[must_use]
    pub fn of_code(&self, code: i32) -> Option<&'static Command> {
        let Some(codes) = self.early else { return super::of_code(code) };
        codes.iter().position(|known| *known == code).map(|at| &MESSAGES[at])
    }

    /// Whether it is the first proposal.
    #[must_use]
    pub fn is_early(&self) -> bool {
        self.early.is_some()
    }
}

/// First type that more than one message has.
fn twice(mut codes: [i32; MESSAGE_COUNT]) -> Option<i32> {
    codes.sort_unstable();
    codes.windows(2).find(|pair| pair[0] == pair[1]).map(|pair| pair[0])
}

/// Cuts a stream into commands, and puts together those that came as `PartialMessage`s.
#[derive(Debug)]
pub struct CommandDecoder {
    dialect: Dialect,
    frames: FrameDecoder,
    parts: StreamAssembler,
}

impl CommandDecoder {
    /// Refuses commands of more than `limit` bytes, header included; a frame is never over
    /// [`FRAME_LIMIT`].
    #[must_use]
    pub fn new(dialect: Dialect, limit: usize) -> Self {
        let frame = limit.clamp(HEADER_LEN, FRAME_LIMIT) - HEADER_LEN;
        let frames = FrameDecoder::with(Framing::PRAVEGA, frame);
        Self { dialect, frames, parts: StreamAssembler::new(limit) }
    }

    /// Keeps bytes as they came off the transport, where they cannot stay.
    pub fn feed(&mut self, data: &[u8]) {
        self.frames.feed(data);
    }

    /// Takes the next whole command of what is kept and `chunk` behind it, or `None` until there is more.
    /// `chunk` loses what was taken of it. A command that is whole in there is not copied; only what is
    /// not is kept.
    ///
    /// # Errors
    /// Those of frames and fragments; [`DecodeErrorKind::Unexpected`] where the pieces of a message make no
    /// message, or make another piece. The stream cannot go on.
    pub fn next_command<'a, 'c: 'a>(
        &'a mut self,
        chunk: &mut &'c [u8],
    ) -> Result<Option<Received<'a>>> {
        loop {
            self.frames.complete(chunk)?;
            // The borrow checker does not see that the loop ends with a frame that was kept: its place is
            // taken instead.
            let (code, payload) = if self.frames.buffered() > 0 {
                let Some(frame) = self.frames.next_typed_frame()? else { return Ok(None) };
                (frame.kind, Err(frame.payload.len()))
            } else if let Some(frame) = self.frames.next_in(chunk)? {
                (frame.kind, Ok(frame.payload))
            } else {
                self.frames.feed(std::mem::take(chunk));
                return Ok(None);
            };
            let command = self.dialect.of_code(code);
            if !self.dialect.is_early()
                || command.is_none_or(|it| it.kind != CommandKind::PartialMessage)
            {
                let payload = payload.unwrap_or_else(|len| self.frames.last_taken(len));
                return Ok(Some(Received { code, command, payload }));
            }
            let payload = payload.unwrap_or_else(|len| self.frames.last_taken(len));
            let mut piece = Cursor::at(payload, HEADER_LEN);
            let flag = piece.byte("part")?;
            if self.parts.push_pravega(flag, piece.take_rest())?.is_some() {
                break;
            }
        }
        let message = self.parts.last_whole();
        let mut cursor = Cursor::new(message);
        let code = cursor.i32_be("type of a fragmented message")?;
        let length = cursor.u32_be("length of a fragmented message")?;
        let payload = cursor.take_rest();
        if payload.len() != length as usize {
            let expected = "the length of what its pieces make";
            let problem = DecodeErrorKind::Unexpected { value: length.into(), expected };
            return Err(problem.at("length of a fragmented message", 4));
        }
        let command = self.dialect.of_code(code);
        if command.is_some_and(|it| it.kind == CommandKind::PartialMessage) {
            let expected = "a message that is no piece of another";
            return Err(DecodeErrorKind::Unexpected { value: code.into(), expected }.at("type", 0));
        }
        Ok(Some(Received { code, command, payload }))
    }

    /// How long the frame is whose beginning `chunk` has, while nothing else waits: who puts it together
    /// himself has all of it in one place.
    #[must_use]
    pub fn unfinished(&self, chunk: &[u8]) -> Option<usize> {
        // An error is reported when the chunk is decoded.
        self.frames.needed_by(chunk).filter(|len| *len > chunk.len())
    }

    /// Number of bytes that wait for the rest of their frame or message.
    #[must_use]
    pub fn buffered(&self) -> usize {
        self.frames.buffered() + self.parts.buffered()
    }
}

/// Our numbers.
const PROPOSED: [i32; MESSAGE_COUNT] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];
