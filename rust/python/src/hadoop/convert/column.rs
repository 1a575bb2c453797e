//! Arrow columns of protobuf values.

use std::{borrow::Cow, sync::Arc};

use arrow_array::{
    ArrayRef, ArrowPrimitiveType, BinaryArray, BooleanArray, PrimitiveArray, StringArray,
    types::{Int32Type, Int64Type, TimestampMillisecondType, UInt32Type, UInt64Type},
};
use arrow_buffer::{BooleanBuffer, Buffer, NullBuffer, OffsetBuffer};
use jvmwire_capture::lent;
use jvmwire_codec::{
    DecodeError, TooLong, buffer_pool,
    hadoop::check_name,
    proto::{self, FieldKind, Raw},
    visit::Value,
};

use crate::error::PyCoreError;

/// Column of a known number of rows, filled in order; rows without a value are null.
pub(super) enum Column<'a> {
    Int32(Numbers<Int32Type>),
    SInt32(Numbers<Int32Type>),
    Int64(Numbers<Int64Type>),
    SInt64(Numbers<Int64Type>),
    UInt32(Numbers<UInt32Type>),
    UInt64(Numbers<UInt64Type>),
    /// Permission bits that `FsPermission` keeps of a number.
    Mode(Numbers<UInt32Type>),
    /// Flags that Hadoop 2 stores above the permission bits.
    Flags(Numbers<UInt32Type>),
    Bool(Bitmap, Validity),
    Enum(Names, Pieces<'a>),
    Text(Pieces<'a>),
    /// Bytes as UTF-8; malformed sequences are replaced.
    LossyUtf8(Pieces<'a, LossyUtf8>),
    Bytes(Pieces<'a>),
    /// Path of a child, from its name and the path of its directory.
    Child(Pieces<'a, ChildPaths<'a>>),
    /// Milliseconds since 1970, UTC.
    Timestamp(FieldKind, Numbers<TimestampMillisecondType>),
}

/// Numbers and names of an enumeration.
type Names = &'static [(i64, &'static str)];

impl<'a> Column<'a> {
    /// Creates a column of fields of a kind, if that kind can be converted so (see `Plan::new`). `parents` has
    /// the path of each directory, and the row at which its children end.
    pub(super) fn new(
        kind: FieldKind,
        shown: &str,
        rows: usize,
        parents: &'a [(&'a str, usize)],
    ) -> Option<Self> {
        Some(match (kind, shown) {
            (FieldKind::Int32, "") => Self::Int32(Numbers::new(rows)),
            (FieldKind::SInt32, "") => Self::SInt32(Numbers::new(rows)),
            (FieldKind::Int64, "") => Self::Int64(Numbers::new(rows)),
            (FieldKind::SInt64, "") => Self::SInt64(Numbers::new(rows)),
            (FieldKind::UInt32, "") => Self::UInt32(Numbers::new(rows)),
            (FieldKind::UInt64, "") => Self::UInt64(Numbers::new(rows)),
            (FieldKind::UInt32, "mode") => Self::Mode(Numbers::new(rows)),
            (FieldKind::UInt32, "flags") => Self::Flags(Numbers::new(rows)),
            (FieldKind::Bool, "") => Self::Bool(Bitmap::new(rows), Validity::new(rows)),
            (FieldKind::Enum(names), "") => Self::Enum(names, Pieces::new(rows, Verbatim)),
            (FieldKind::Text | FieldKind::Name, "") => Self::Text(Pieces::new(rows, Verbatim)),
            (FieldKind::Bytes, "text") => Self::LossyUtf8(Pieces::new(rows, LossyUtf8)),
            (FieldKind::Bytes | FieldKind::Uuid, "") => Self::Bytes(Pieces::new(rows, Verbatim)),
            (FieldKind::Bytes, "child") => Self::Child(Pieces::new(rows, ChildPaths(parents))),
            (FieldKind::UInt64 | FieldKind::Int64, "timestamp") => {
                Self::Timestamp(kind, Numbers::new(rows))
            }
            _ => return None,
        })
    }

    /// Stores the value of a row; a previous value of the row is replaced.
    #[inline]
    pub(super) fn put(&mut self, row: usize, raw: Raw<'a>) -> Result<(), DecodeError> {
        match (self, raw) {
            (Self::Text(to), Raw::Bytes(bytes, at)) => {
                if !bytes.is_ascii() {
                    proto::text(bytes, at)?;
                }
                to.put(row, Cow::Borrowed(bytes));
            }
            (Self::Bytes(to), Raw::Bytes(bytes, _)) => to.put(row, Cow::Borrowed(bytes)),
            (Self::Child(to), Raw::Bytes(name, at)) => {
                check_name(name, at)?;
                to.put(row, Cow::Borrowed(name));
            }
            (Self::LossyUtf8(to), Raw::Bytes(bytes, _)) => to.put(row, Cow::Borrowed(bytes)),
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
            (Self::Mode(to), raw) => to.put(row, FieldKind::UInt32.number(raw).map(permission)),
            (Self::Flags(to), raw) => to.put(row, FieldKind::UInt32.number(raw).map(flags)),
            (Self::Timestamp(kind, to), raw) => to.put(row, kind.number(raw).map(signed)),
            // protobuf keeps a known number with another wire type as an unknown field.
            (Self::Text(_) | Self::Bytes(_) | Self::Child(_) | Self::LossyUtf8(_), _) => {}
        }
        Ok(())
    }

    /// Fills rows without a number with the flags of another column.
    pub(super) fn fill_from(&mut self, other: Self) {
        if let (Self::UInt32(to), Self::Flags(from)) = (self, other) {
            to.fill_from(&from);
        }
    }

    /// Builds the array.
    pub(super) fn finish(self) -> Result<ArrayRef, PyCoreError> {
        Ok(match self {
            Self::Int32(from) | Self::SInt32(from) => Arc::new(from.finish()),
            Self::Int64(from) | Self::SInt64(from) => Arc::new(from.finish()),
            Self::UInt32(from) | Self::Mode(from) | Self::Flags(from) => Arc::new(from.finish()),
            Self::UInt64(from) => Arc::new(from.finish()),
            Self::Timestamp(_, from) => Arc::new(from.finish().with_timezone("UTC")),
            Self::Bool(values, valid) => {
                Arc::new(BooleanArray::new(values.finish(), valid.into_nulls()))
            }
            Self::Text(from) | Self::Enum(_, from) => from.into_text()?,
            Self::LossyUtf8(from) => from.into_text()?,
            Self::Child(from) => from.into_text()?,
            Self::Bytes(from) => {
                let (offsets, values, nulls) = from.finish()?;
                Arc::new(BinaryArray::try_new(offsets, values, nulls)?)
            }
        })
    }
}

/// Converts an unsigned 64-bit number to the number that Java reads: its `long` is signed, whatever type the
/// message declares.
#[expect(clippy::cast_possible_wrap, reason = "as Java's long")]
pub(super) const fn signed(value: Value<'_>) -> Value<'_> {
    match value {
        Value::UInt(number) => Value::Int(number as i64),
        value => value,
    }
}

/// Extracts the flags that Hadoop 2 stores above the permission bits: `FsPermissionExtension`.
const fn flags(value: Value<'_>) -> Value<'_> {
    match value {
        Value::UInt(number) => Value::UInt(number >> 12 & 7),
        value => value,
    }
}

/// Extracts the permission bits that `FsPermission` keeps; Hadoop 2 stores flags of the file above them.
pub(super) const fn permission(value: Value<'_>) -> Value<'_> {
    match value {
        Value::UInt(number) => Value::UInt(number & 0o1777),
        value => value,
    }
}

/// Numbers with their validity.
pub(super) struct Numbers<T: ArrowPrimitiveType> {
    values: Vec<T::Native>,
    valid: Validity,
}

impl<T: ArrowPrimitiveType> Numbers<T> {
    fn new(rows: usize) -> Self {
        let mut values = buffer_pool::take_vec(rows);
        values.resize(rows, T::Native::default());
        Self { values, valid: Validity::new(rows) }
    }

    /// Stores the number of a row; null if the column's type cannot represent it.
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

    /// Fills rows without a number with those of another column.
    fn fill_from(&mut self, other: &Self) {
        for (row, number) in other.values.iter().enumerate() {
            if !self.valid.has(row) && other.valid.has(row) {
                self.values[row] = *number;
                self.valid.set(row, true);
            }
        }
    }

    fn finish(self) -> PrimitiveArray<T> {
        PrimitiveArray::new(lent(self.values).into(), self.valid.into_nulls())
    }
}

/// Bits in Arrow's order.
pub(super) struct Bitmap {
    bytes: Vec<u8>,
    len: usize,
}

impl Bitmap {
    fn new(len: usize) -> Self {
        Self { bytes: vec![0; len.div_ceil(8)], len }
    }

    #[inline]
    fn set(&mut self, at: usize, on: bool) {
        let (byte, bit) = (&mut self.bytes[at / 8], at % 8);
        *byte = *byte & !(1 << bit) | u8::from(on) << bit;
    }

    #[inline]
    fn get(&self, at: usize) -> bool {
        self.bytes[at / 8] >> (at % 8) & 1 == 1
    }

    fn finish(self) -> BooleanBuffer {
        BooleanBuffer::new(lent(self.bytes), 0, self.len)
    }
}

/// Validity of rows: all rows before `filled` are valid until the first row is skipped.
pub(super) struct Validity {
    rows: usize,
    filled: usize,
    /// Bits of all rows, allocated when the first row is skipped.
    bits: Option<Bitmap>,
}

impl Validity {
    fn new(rows: usize) -> Self {
        Self { rows, filled: 0, bits: None }
    }

    #[inline]
    fn set(&mut self, row: usize, on: bool) {
        if self.bits.is_none() && on && row <= self.filled {
            self.filled = self.filled.max(row + 1);
            return;
        }
        self.bits().set(row, on);
    }

    fn has(&self, row: usize) -> bool {
        self.bits.as_ref().map_or(row < self.filled, |bits| bits.get(row))
    }

    #[cold]
    fn bits(&mut self) -> &mut Bitmap {
        let (rows, filled) = (self.rows, self.filled);
        self.bits.get_or_insert_with(|| {
            let mut bits = Bitmap::new(rows);
            (0..filled).for_each(|row| bits.set(row, true));
            bits
        })
    }

    /// Returns the null buffer, if any row is null.
    fn into_nulls(mut self) -> Option<NullBuffer> {
        if self.bits.is_none() && self.filled == self.rows {
            return None;
        }
        self.bits();
        let nulls = NullBuffer::new(self.bits?.finish());
        Some(nulls).filter(|nulls| nulls.null_count() > 0)
    }
}

/// Writer of the byte strings of a column.
pub(super) trait Write {
    /// Appends the byte string of a row.
    fn write(&mut self, row: usize, piece: &[u8], out: &mut Vec<u8>);
}

/// Concatenated byte strings with their validity.
pub(super) struct Pieces<'a, W = Verbatim> {
    /// Last row and its value, which is not written yet since a later value can replace it.
    last: Option<(usize, Cow<'a, [u8]>)>,
    /// Start offsets of the written rows, and the end offset of the last one.
    offsets: Vec<i32>,
    values: Vec<u8>,
    valid: Validity,
    write: W,
}

impl<'a, W: Write> Pieces<'a, W> {
    fn new(rows: usize, write: W) -> Self {
        let mut offsets = buffer_pool::take_vec(rows + 1);
        offsets.push(0);
        Self { last: None, offsets, values: Vec::new(), valid: Validity::new(rows), write }
    }

    #[inline]
    fn put(&mut self, row: usize, piece: Cow<'a, [u8]>) {
        if let Some((before, piece)) = self.last.replace((row, piece))
            && before != row
        {
            self.append(before, &piece);
        }
    }

    #[inline]
    fn append(&mut self, row: usize, piece: &[u8]) {
        self.fill_up(row);
        self.write.write(row, piece, &mut self.values);
        self.valid.set(row, true);
        self.fill_up(row + 1);
    }

    /// Adds empty rows before `row`; offsets that are too large are detected at the end, by the last one.
    #[inline]
    fn fill_up(&mut self, row: usize) {
        let end = i32::try_from(self.values.len()).unwrap_or(i32::MAX);
        while self.offsets.len() <= row {
            self.offsets.push(end);
        }
    }

    /// Builds the buffers of the Arrow array.
    fn finish(mut self) -> Result<(OffsetBuffer<i32>, Buffer, Option<NullBuffer>), TooLong> {
        if let Some((row, piece)) = self.last.take() {
            self.append(row, &piece);
        }
        self.fill_up(self.valid.rows);
        let (len, max) = (self.values.len(), i32::MAX as usize);
        if len > max {
            return Err(TooLong { len, max });
        }
        let offsets = OffsetBuffer::new(lent(self.offsets).into());
        Ok((offsets, lent(self.values), self.valid.into_nulls()))
    }

    fn into_text(self) -> Result<ArrayRef, PyCoreError> {
        let (offsets, values, nulls) = self.finish()?;
        Ok(Arc::new(StringArray::try_new(offsets, values, nulls)?))
    }
}

/// Writer that copies bytes unchanged.
pub(super) struct Verbatim;

impl Write for Verbatim {
    #[inline]
    fn write(&mut self, _: usize, piece: &[u8], out: &mut Vec<u8>) {
        out.extend_from_slice(piece);
    }
}

/// Writer of text as `DFSUtilClient.bytes2String` reads it: malformed UTF-8 is replaced.
pub(super) struct LossyUtf8;

impl Write for LossyUtf8 {
    #[inline]
    fn write(&mut self, _: usize, text: &[u8], out: &mut Vec<u8>) {
        if text.is_ascii() {
            out.extend_from_slice(text);
        } else {
            out.extend_from_slice(String::from_utf8_lossy(text).as_bytes());
        }
    }
}

/// Writer of the paths of children: the path of the row's parent and the child's name.
pub(super) struct ChildPaths<'a>(&'a [(&'a str, usize)]);

impl Write for ChildPaths<'_> {
    fn write(&mut self, row: usize, name: &[u8], out: &mut Vec<u8>) {
        while let [(_, end), behind @ ..] = self.0
            && row >= *end
        {
            self.0 = behind;
        }
        let parent = self.0.first().map_or("", |(parent, _)| parent);
        // A file that is listed has no name in itself.
        if name.is_empty() {
            out.extend_from_slice(parent.as_bytes());
            return;
        }
        out.extend_from_slice(parent.trim_end_matches('/').as_bytes());
        out.push(b'/');
        LossyUtf8.write(row, name, out);
    }
}
