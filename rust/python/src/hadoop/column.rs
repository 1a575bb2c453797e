use std::{borrow::Cow, sync::Arc};

use arrow_array::{
    ArrayRef, ArrowPrimitiveType, BinaryArray, BooleanArray, PrimitiveArray, StringArray,
    types::{Int32Type, Int64Type, TimestampMillisecondType, UInt32Type, UInt64Type},
};
use arrow_buffer::{BooleanBuffer, Buffer, NullBuffer, OffsetBuffer};
use jvmwire_codec::{
    DecodeError, TooLong,
    proto::{self, FieldKind, Raw},
    visit::Value,
};

use crate::error::PyCoreError;

/// A column of a known number of rows, all of them null until a value is put there.
pub(super) enum Column<'a> {
    Int32(Numbers<Int32Type>),
    SInt32(Numbers<Int32Type>),
    Int64(Numbers<Int64Type>),
    SInt64(Numbers<Int64Type>),
    UInt32(Numbers<UInt32Type>),
    UInt64(Numbers<UInt64Type>),
    Bool(Bits, Bits),
    Enum(Names, Pieces<'a>),
    Text(Pieces<'a>),
    /// Bytes that are UTF-8; what is not is replaced.
    Replaced(Pieces<'a>),
    Bytes(Pieces<'a>),
    /// What a name in a directory is the path of.
    Child(Pieces<'a>),
    /// Milliseconds since 1970, UTC.
    Timestamp(FieldKind, Numbers<TimestampMillisecondType>),
}

/// Of an enumeration.
type Names = &'static [(i64, &'static str)];

impl<'a> Column<'a> {
    /// Begins a column of fields of a kind, if such can be shown so: see `Plan::new`.
    pub(super) fn new(kind: FieldKind, shown: &str, rows: usize) -> Option<Self> {
        Some(match (kind, shown) {
            (FieldKind::Int32, "") => Self::Int32(Numbers::new(rows)),
            (FieldKind::SInt32, "") => Self::SInt32(Numbers::new(rows)),
            (FieldKind::Int64, "") => Self::Int64(Numbers::new(rows)),
            (FieldKind::SInt64, "") => Self::SInt64(Numbers::new(rows)),
            (FieldKind::UInt32, "") => Self::UInt32(Numbers::new(rows)),
            (FieldKind::UInt64, "") => Self::UInt64(Numbers::new(rows)),
            (FieldKind::Bool, "") => Self::Bool(Bits::new(rows), Bits::new(rows)),
            (FieldKind::Enum(names), "") => Self::Enum(names, Pieces::new(rows)),
            (FieldKind::Text | FieldKind::Name, "") => Self::Text(Pieces::new(rows)),
            (FieldKind::Bytes, "text") => Self::Replaced(Pieces::new(rows)),
            (FieldKind::Bytes | FieldKind::Uuid, "") => Self::Bytes(Pieces::new(rows)),
            (FieldKind::Bytes, "child") => Self::Child(Pieces::new(rows)),
            (FieldKind::UInt64 | FieldKind::Int64, "timestamp") => {
                Self::Timestamp(kind, Numbers::new(rows))
            }
            _ => return None,
        })
    }

    /// Puts a value into a row, in the place of one that may be there.
    #[inline]
    pub(super) fn put(&mut self, row: usize, raw: Raw<'a>) -> Result<(), DecodeError> {
        match (self, raw) {
            (Self::Text(to), Raw::Bytes(bytes, at)) => {
                if !bytes.is_ascii() {
                    proto::text(bytes, at)?;
                }
                to.put(row, Cow::Borrowed(bytes));
            }
            (Self::Bytes(to) | Self::Child(to) | Self::Replaced(to), Raw::Bytes(bytes, _)) => {
                to.put(row, Cow::Borrowed(bytes));
            }
            (Self::Enum(names, to), raw) => match FieldKind::Enum(names).number(raw) {
                Some(Value::Enum(_, name)) => to.put(row, Cow::Borrowed(name.as_bytes())),
                // A number that the enumeration has no name for.
                Some(Value::Int(number)) => {
                    to.put(row, Cow::Owned(number.to_string().into_bytes()));
                }
                _ => {}
            },
            (Self::Bool(to, valid), raw) => {
                if let Some(value) = FieldKind::Bool.number(raw) {
                    to.set(row, value == Value::Bool(true));
                    valid.set(row, true);
                }
            }
            (Self::Int32(to), raw) => to.put(row, FieldKind::Int32.number(raw)),
            (Self::SInt32(to), raw) => to.put(row, FieldKind::SInt32.number(raw)),
            (Self::Int64(to), raw) => to.put(row, FieldKind::Int64.number(raw)),
            (Self::SInt64(to), raw) => to.put(row, FieldKind::SInt64.number(raw)),
            (Self::UInt32(to), raw) => to.put(row, FieldKind::UInt32.number(raw)),
            (Self::UInt64(to), raw) => to.put(row, FieldKind::UInt64.number(raw)),
            (Self::Timestamp(kind, to), raw) => to.put(row, kind.number(raw)),
            // protobuf keeps a known number with another wire type as an unknown field.
            (Self::Text(_) | Self::Bytes(_) | Self::Child(_) | Self::Replaced(_), _) => {}
        }
        Ok(())
    }

    /// Makes the array. What the rows are in is in `parents`: each, and the row where it ends.
    pub(super) fn finish(self, parents: &[(&str, usize)]) -> Result<ArrayRef, PyCoreError> {
        Ok(match self {
            Self::Int32(from) | Self::SInt32(from) => Arc::new(from.finish()),
            Self::Int64(from) | Self::SInt64(from) => Arc::new(from.finish()),
            Self::UInt32(from) => Arc::new(from.finish()),
            Self::UInt64(from) => Arc::new(from.finish()),
            Self::Timestamp(_, from) => Arc::new(from.finish().with_timezone("UTC")),
            Self::Bool(values, valid) => {
                Arc::new(BooleanArray::new(values.finish(), valid.into_nulls()))
            }
            Self::Text(from) | Self::Enum(_, from) => {
                let (offsets, values, nulls) = from.finish(as_it_is)?;
                Arc::new(StringArray::try_new(offsets, values, nulls)?)
            }
            Self::Replaced(from) => {
                let (offsets, values, nulls) = from.finish(replaced)?;
                Arc::new(StringArray::try_new(offsets, values, nulls)?)
            }
            Self::Bytes(from) => {
                let (offsets, values, nulls) = from.finish(as_it_is)?;
                Arc::new(BinaryArray::try_new(offsets, values, nulls)?)
            }
            Self::Child(from) => {
                let (offsets, values, nulls) = from.finish(children(parents))?;
                Arc::new(StringArray::try_new(offsets, values, nulls)?)
            }
        })
    }
}

/// Numbers, and which of them are there.
pub(super) struct Numbers<T: ArrowPrimitiveType> {
    values: Vec<T::Native>,
    valid: Bits,
}

impl<T: ArrowPrimitiveType> Numbers<T> {
    fn new(rows: usize) -> Self {
        Self { values: vec![T::Native::default(); rows], valid: Bits::new(rows) }
    }

    /// Puts a number there; null, if the column has no room for it.
    #[inline]
    fn put(&mut self, row: usize, value: Option<Value<'_>>)
    where
        T::Native: TryFrom<i64> + TryFrom<u64>,
    {
        let number = match value {
            Some(Value::Int(number)) => T::Native::try_from(number).ok(),
            Some(Value::UInt(number)) => T::Native::try_from(number).ok(),
            _ => return,
        };
        self.values[row] = number.unwrap_or_default();
        self.valid.set(row, number.is_some());
    }

    fn finish(self) -> PrimitiveArray<T> {
        PrimitiveArray::new(self.values.into(), self.valid.into_nulls())
    }
}

/// Bits, as Arrow has them.
pub(super) struct Bits {
    bytes: Vec<u8>,
    len: usize,
}

impl Bits {
    fn new(len: usize) -> Self {
        Self { bytes: vec![0; len.div_ceil(8)], len }
    }

    #[inline]
    fn set(&mut self, at: usize, on: bool) {
        let (byte, bit) = (&mut self.bytes[at / 8], at % 8);
        *byte = *byte & !(1 << bit) | u8::from(on) << bit;
    }

    fn get(&self, at: usize) -> bool {
        self.bytes[at / 8] & 1 << (at % 8) != 0
    }

    fn finish(self) -> BooleanBuffer {
        BooleanBuffer::new(Buffer::from_vec(self.bytes), 0, self.len)
    }

    /// What is null, if anything is.
    fn into_nulls(self) -> Option<NullBuffer> {
        Some(NullBuffer::new(self.finish())).filter(|nulls| nulls.null_count() > 0)
    }
}

/// Byte strings that are put together at the end, and which of them are there.
pub(super) struct Pieces<'a> {
    pieces: Vec<Cow<'a, [u8]>>,
    valid: Bits,
}

impl<'a> Pieces<'a> {
    fn new(rows: usize) -> Self {
        Self { pieces: vec![Cow::Borrowed(&[]); rows], valid: Bits::new(rows) }
    }

    #[inline]
    fn put(&mut self, row: usize, piece: Cow<'a, [u8]>) {
        self.pieces[row] = piece;
        self.valid.set(row, true);
    }

    /// Appends with `write` each that is there, of its row, to what Arrow holds.
    fn finish(
        self,
        mut write: impl FnMut(usize, &[u8], &mut Vec<u8>),
    ) -> Result<(OffsetBuffer<i32>, Buffer, Option<NullBuffer>), TooLong> {
        let mut values = Vec::with_capacity(self.pieces.iter().map(|piece| piece.len()).sum());
        let mut offsets = Vec::with_capacity(self.pieces.len() + 1);
        offsets.push(0);
        for (row, piece) in self.pieces.iter().enumerate() {
            if self.valid.get(row) {
                write(row, piece, &mut values);
            }
            let too_long = |_| TooLong { len: values.len(), max: i32::MAX as usize };
            offsets.push(i32::try_from(values.len()).map_err(too_long)?);
        }
        let offsets = OffsetBuffer::new(offsets.into());
        Ok((offsets, Buffer::from_vec(values), self.valid.into_nulls()))
    }
}

fn as_it_is(_: usize, piece: &[u8], out: &mut Vec<u8>) {
    out.extend_from_slice(piece);
}

/// Writes the path of a name: in the parent of its row.
fn children(parents: &[(&str, usize)]) -> impl FnMut(usize, &[u8], &mut Vec<u8>) {
    let mut rest = parents;
    move |row, name, out| {
        while let [(_, end), behind @ ..] = rest
            && row >= *end
        {
            rest = behind;
        }
        let parent = rest.first().map_or("", |(parent, _)| parent);
        // A file that is listed has no name in itself.
        if name.is_empty() {
            out.extend_from_slice(parent.as_bytes());
            return;
        }
        out.extend_from_slice(parent.trim_end_matches('/').as_bytes());
        out.push(b'/');
        replaced(row, name, out);
    }
}

/// Writes a text as `DFSUtilClient.bytes2String` reads it: what is not UTF-8 is replaced.
fn replaced(_: usize, text: &[u8], out: &mut Vec<u8>) {
    if text.is_ascii() {
        out.extend_from_slice(text);
    } else {
        out.extend_from_slice(String::from_utf8_lossy(text).as_bytes());
    }
}
