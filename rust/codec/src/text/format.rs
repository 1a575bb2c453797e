use super::{Encoding, JavaText, bulk, decode, units};
use crate::{
    Result, TooLong,
    cursor::checked_len,
    frame::{ByteOrder, Scan},
    varint,
};

/// What stands before a text.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Length {
    /// Its bytes, as a big-endian `u16`.
    U16Bytes,
    /// Its bytes, as an `int`.
    IntBytes(ByteOrder),
    /// Its UTF-16 units, as an `int`.
    IntUnits(ByteOrder),
    /// Its bytes, as Hadoop's `VInt`.
    VIntBytes,
}

/// A way to write a string: what is before it and how its characters become bytes.
///
/// ```
/// use jvmwire_codec::text::StringFormat;
///
/// let mut wire = Vec::new();
/// StringFormat::HAZELCAST_DATA.encode("\u{1f600}", &mut wire).unwrap();
/// assert_eq!(wire, b"\0\0\0\x02\xed\xa0\xbd\xed\xb8\x80");
/// ```
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct StringFormat {
    /// How its characters become bytes.
    pub encoding: Encoding,
    /// What is before it.
    pub length: Length,
}

impl StringFormat {
    /// `DataOutput.writeUTF`.
    pub const JAVA_UTF: Self = Self { encoding: Encoding::ModifiedUtf8, length: Length::U16Bytes };
    /// `org.apache.hadoop.io.UTF8`.
    pub const HADOOP_UTF8: Self = Self { encoding: Encoding::HadoopUtf8, length: Length::U16Bytes };
    /// `org.apache.hadoop.io.Text`.
    pub const HADOOP_TEXT: Self = Self { encoding: Encoding::Utf8, length: Length::VIntBytes };
    /// A string parameter of a Hazelcast message.
    pub const HAZELCAST: Self =
        Self { encoding: Encoding::Utf8, length: Length::IntBytes(ByteOrder::Little) };
    /// A string in Hazelcast's `Data`.
    pub const HAZELCAST_DATA: Self =
        Self { encoding: Encoding::HadoopUtf8, length: Length::IntUnits(ByteOrder::Big) };

    /// Looks for a string at the front of `bytes`: the bytes of its length and where its text ends, or
    /// `None` if it is not whole. What its length states may be `limit` at most.
    ///
    /// # Errors
    /// [`crate::Problem::Negative`], `OverLimit`; `NotText` where units have to be
    /// counted and there are none.
    #[inline]
    pub fn front(self, bytes: &[u8], limit: usize) -> Result<Option<(usize, usize)>> {
        let stated = match self.length {
            Length::U16Bytes => {
                bytes.first_chunk().map(|length| (u16::from_be_bytes(*length).into(), 2))
            }
            Length::IntBytes(order) | Length::IntUnits(order) => {
                bytes.first_chunk().map(|length| {
                    let length = match order {
                        ByteOrder::Big => i32::from_be_bytes(*length),
                        ByteOrder::Little => i32::from_le_bytes(*length),
                    };
                    (length.into(), 4)
                })
            }
            Length::VIntBytes => varint::decode_vlong(bytes).ok(),
        };
        let Some((stated, start)) = stated else { return Ok(None) };
        let len = checked_len(stated, limit).map_err(|problem| problem.of("text length", 0))?;
        let rest = &bytes[start..];
        let end = if let Length::IntUnits(_) = self.length {
            units::end_of(rest, len, self.encoding).map_err(|problem| problem.of("text", start))?
        } else {
            (len <= rest.len()).then_some(len)
        };
        Ok(end.map(|end| (start, start + end)))
    }

    /// Decodes the string at the front of `bytes` and loses nothing: its text and how many bytes it
    /// takes, or `None` if it is not whole.
    ///
    /// # Errors
    /// As [`StringFormat::front`] and [`decode`].
    pub fn decode(self, bytes: &[u8], limit: usize) -> Result<Option<(JavaText<'_>, usize)>> {
        let Some((start, end)) = self.front(bytes, limit)? else { return Ok(None) };
        let text = decode(&bytes[start..end], self.encoding);
        Ok(Some((text.map_err(|problem| problem.of("text", start))?, end)))
    }

    /// Finds all whole strings in `bytes`, one after the other; [`super::decode_many`] decodes them.
    ///
    /// # Errors
    /// As [`StringFormat::front`], with the offset in `bytes`.
    pub fn scan(self, bytes: &[u8], limit: usize) -> Result<Scan> {
        let mut scan = Scan::default();
        loop {
            let at = scan.consumed;
            let front = self.front(&bytes[at..], limit);
            let Some((start, end)) = front.map_err(|error| error.moved(at))? else {
                return Ok(scan);
            };
            scan.payloads.push(at + start..at + end);
            scan.consumed = at + end;
        }
    }

    /// Appends `text` to `out`, behind its length.
    ///
    /// # Errors
    /// [`TooLong`] if the length has no room for it; nothing is appended.
    pub fn encode(self, text: &str, out: &mut Vec<u8>) -> std::result::Result<(), TooLong> {
        let before = out.len();
        let result = self.try_encode(text, out);
        if result.is_err() {
            out.truncate(before);
        }
        result
    }

    fn try_encode(self, text: &str, out: &mut Vec<u8>) -> std::result::Result<(), TooLong> {
        let int =
            |len: usize| i32::try_from(len).map_err(|_| TooLong { len, max: i32::MAX as usize });
        let before = out.len();
        match self.length {
            Length::U16Bytes => {
                out.extend_from_slice(&[0; 2]);
                bulk::encode_into(text, self.encoding, out);
                let len = out.len() - before - 2;
                let max = u16::MAX.into();
                let length = u16::try_from(len).map_err(|_| TooLong { len, max })?;
                out[before..before + 2].copy_from_slice(&length.to_be_bytes());
            }
            Length::IntBytes(order) | Length::IntUnits(order) => {
                out.extend_from_slice(&[0; 4]);
                bulk::encode_into(text, self.encoding, out);
                let length = int(match self.length {
                    Length::IntUnits(_) => text.encode_utf16().count(),
                    _ => out.len() - before - 4,
                })?;
                out[before..before + 4].copy_from_slice(&match order {
                    ByteOrder::Big => length.to_be_bytes(),
                    ByteOrder::Little => length.to_le_bytes(),
                });
            }
            Length::VIntBytes => {
                // How many bytes the length takes is known when the text is encoded.
                let mut encoded = Vec::new();
                bulk::encode_into(text, self.encoding, &mut encoded);
                varint::encode_vlong(int(encoded.len())?.into(), out);
                out.extend_from_slice(&encoded);
            }
        }
        Ok(())
    }
}
