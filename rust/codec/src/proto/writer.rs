//! Writer of protobuf fields.

use crate::varint;

/// Encoder of the fields of a message, in the order of the calls.
#[derive(Debug)]
pub struct Writer<'a> {
    out: &'a mut Vec<u8>,
}

impl<'a> Writer<'a> {
    /// Starts a message at the end of `out`.
    pub fn new(out: &'a mut Vec<u8>) -> Self {
        Self { out }
    }

    /// Appends a field of wire type 0.
    pub fn varint(&mut self, number: u32, wire: u64) {
        self.tag(number, 0);
        varint::encode(wire, self.out);
    }

    /// Appends a field of wire type 5.
    pub fn fixed32(&mut self, number: u32, wire: u32) {
        self.tag(number, 5);
        self.out.extend_from_slice(&wire.to_le_bytes());
    }

    /// Appends a field of wire type 1.
    pub fn fixed64(&mut self, number: u32, wire: u64) {
        self.tag(number, 1);
        self.out.extend_from_slice(&wire.to_le_bytes());
    }

    /// Appends encoded fields.
    pub fn fields(&mut self, written: &[u8]) {
        self.out.extend_from_slice(written);
    }

    /// Appends a text or bytes field.
    pub fn bytes(&mut self, number: u32, content: &[u8]) {
        self.tag(number, 2);
        varint::encode(content.len() as u64, self.out);
        self.out.extend_from_slice(content);
    }

    /// Appends a nested message, whose fields `write` appends.
    ///
    /// # Errors
    /// Errors of `write`; a part of the field was appended then.
    pub fn message<E>(
        &mut self,
        number: u32,
        write: impl FnOnce(&mut Writer<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        self.tag(number, 2);
        Self::delimited(self.out, write)
    }

    /// Appends a message with a varint length prefix: `writeDelimitedTo`.
    ///
    /// # Errors
    /// Errors of `write`; a part of the message was appended then.
    pub fn delimited<E>(
        out: &mut Vec<u8>,
        write: impl FnOnce(&mut Writer<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        let start = out.len();
        // Most messages are short: their length takes the one byte kept for it.
        out.push(0);
        write(&mut Writer::new(out))?;
        let len = out.len() - start - 1;
        if let Ok(len @ ..0x80) = u8::try_from(len) {
            out[start] = len;
        } else {
            let mut length = Vec::with_capacity(varint::MAX_LEN);
            varint::encode(len as u64, &mut length);
            out.splice(start..=start, length);
        }
        Ok(())
    }

    fn tag(&mut self, number: u32, wire_type: u64) {
        varint::encode(u64::from(number) << 3 | wire_type, self.out);
    }
}
