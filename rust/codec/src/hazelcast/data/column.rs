//! Columns of Hazelcast's `Data` values of one type.

use thiserror::Error;

use super::{Input, Output, type_id, type_of};
use crate::{
    DecodeError, DecodeErrorKind, SimdLevel, TooLong,
    frame::{BinaryColumn, ByteOrder},
    kernels::utf8::from_ascii,
    text::{self, Encoding, Strings},
};

/// Column of values of one type, or of types that can be widened to one.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the names are Java's types")]
pub enum Column {
    /// This number of nulls and no other values.
    Null(usize),
    Boolean(Vec<bool>),
    Byte(Vec<i8>),
    Short(Vec<i16>),
    Integer(Vec<i32>),
    Long(Vec<i64>),
    Float(Vec<f32>),
    Double(Vec<f64>),
    /// Strings and JSON documents.
    String(Strings),
    ByteArray(BinaryColumn),
    /// Milliseconds since 1970, UTC.
    Date(Vec<i64>),
}

/// Error of values that do not form a column.
#[derive(Clone, Debug, Eq, Error, PartialEq)]
pub enum ColumnError {
    /// A value is malformed.
    #[error("value {index}: {error}")]
    Decode {
        /// Index of the value.
        index: usize,
        /// Error of the value.
        error: DecodeError,
    },
    /// A value has a type without a column, or another type than the values before it.
    #[error("value {index} is of type {found}, which does not go into {column}")]
    Mixed {
        /// Index of the value.
        index: usize,
        /// Type id of the value.
        found: i32,
        /// Type of the column of the values before it.
        column: &'static str,
    },
    /// The values together exceed the range of Arrow's offsets.
    #[error(transparent)]
    TooLong(#[from] TooLong),
}

/// Type of a column; integers are widened to the widest one that occurs, and so are floating-point numbers.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Kind {
    Null,
    Boolean,
    /// Integer of this number of bits.
    Whole(u8),
    /// Floating-point number of this number of bits.
    Real(u8),
    String,
    ByteArray,
    Date,
}

impl Kind {
    fn from_type_id(type_id: i32) -> Option<Self> {
        Some(match type_id {
            type_id::NULL => Self::Null,
            type_id::BOOLEAN => Self::Boolean,
            type_id::BYTE => Self::Whole(8),
            type_id::SHORT => Self::Whole(16),
            type_id::INTEGER => Self::Whole(32),
            type_id::LONG => Self::Whole(64),
            type_id::FLOAT => Self::Real(32),
            type_id::DOUBLE => Self::Real(64),
            type_id::STRING | type_id::JSON => Self::String,
            type_id::BYTE_ARRAY => Self::ByteArray,
            type_id::DATE => Self::Date,
            _ => return None,
        })
    }

    fn with(self, other: Self) -> Option<Self> {
        match (self, other) {
            (Self::Null, kind) | (kind, Self::Null) => Some(kind),
            (Self::Whole(a), Self::Whole(b)) => Some(Self::Whole(a.max(b))),
            (Self::Real(a), Self::Real(b)) => Some(Self::Real(a.max(b))),
            _ => (self == other).then_some(self),
        }
    }

    const fn name(self) -> &'static str {
        match self {
            Self::Null => "a column",
            Self::Boolean => "a column of booleans",
            Self::Whole(_) => "a column of whole numbers",
            Self::Real(_) => "a column of floating-point numbers",
            Self::String => "a column of strings",
            Self::ByteArray => "a column of byte arrays",
            Self::Date => "a column of dates",
        }
    }
}

/// Value of a column.
enum Cell<'a> {
    Null,
    Whole(i64),
    Real(f64),
    Text(&'a [u8], usize),
    Bytes(&'a [u8]),
}

fn cell(data: &[u8], order: ByteOrder) -> Result<Cell<'_>, DecodeError> {
    let mut input = Input::new(data, order);
    Ok(match type_of(data)? {
        type_id::BOOLEAN => Cell::Whole((input.i8()? != 0).into()),
        type_id::BYTE => Cell::Whole(input.i8()?.into()),
        type_id::SHORT => Cell::Whole(input.i16()?.into()),
        type_id::INTEGER => Cell::Whole(input.i32()?.into()),
        type_id::LONG | type_id::DATE => Cell::Whole(input.i64()?),
        type_id::FLOAT => Cell::Real(input.f32()?.into()),
        type_id::DOUBLE => Cell::Real(input.f64()?),
        type_id::STRING | type_id::JSON => match input.text()? {
            Some((text, at)) => Cell::Text(text, at),
            None => Cell::Null,
        },
        type_id::BYTE_ARRAY => input.array(1)?.map_or(Cell::Null, Cell::Bytes),
        _ => Cell::Null,
    })
}

impl Column {
    /// Decodes many `Data` into a column, and returns which values are not null; `None` among them is a null.
    ///
    /// # Errors
    /// [`ColumnError`].
    pub fn read<'a>(
        datas: impl Iterator<Item = Option<&'a [u8]>> + Clone,
        order: ByteOrder,
    ) -> Result<(Self, Vec<bool>), ColumnError> {
        let (mut kind, mut last, mut count) = (Kind::Null, type_id::NULL, 0);
        for (index, data) in datas.clone().enumerate() {
            count += 1;
            let found = type_of(data.unwrap_or_default())
                .map_err(|error| ColumnError::Decode { index, error })?;
            if found == last {
                continue;
            }
            last = found;
            kind = Kind::from_type_id(found)
                .and_then(|other| kind.with(other))
                .ok_or(ColumnError::Mixed { index, found, column: kind.name() })?;
        }
        let mut column = Self::new(kind);
        let mut valid = Vec::with_capacity(count);
        for (index, data) in datas.enumerate() {
            let data = data.unwrap_or_default();
            if column.push_usual(data, order) {
                valid.push(true);
                continue;
            }
            let cell = cell(data, order).map_err(|error| ColumnError::Decode { index, error })?;
            valid.push(!matches!(cell, Cell::Null));
            column.push(index, &cell)?;
        }
        Ok((column, valid))
    }

    /// Appends a value of exactly the column's type, which is the most frequent case; a text only if it is
    /// ASCII, in which every code unit is one byte. Returns whether it did.
    #[inline]
    fn push_usual(&mut self, data: &[u8], order: ByteOrder) -> bool {
        let Some((&[_, _, _, _, t0, t1, t2, t3], payload)) = data.split_first_chunk() else {
            return false;
        };
        let of = i32::from_be_bytes([t0, t1, t2, t3]);
        match self {
            Self::Integer(values) if of == type_id::INTEGER => {
                payload.first_chunk().map(|it| values.push(int(*it, order))).is_some()
            }
            Self::Long(values) if of == type_id::LONG => {
                payload.first_chunk().map(|it| values.push(long(*it, order))).is_some()
            }
            Self::Double(values) if of == type_id::DOUBLE => {
                let bits = payload.first_chunk().map(|it| long(*it, order).cast_unsigned());
                bits.map(|bits| values.push(f64::from_bits(bits))).is_some()
            }
            Self::String(texts) if of == type_id::STRING => {
                let text = payload
                    .split_first_chunk()
                    .and_then(|(len, rest)| rest.get(..usize::try_from(int(*len, order)).ok()?));
                let Some(text) = text.and_then(from_ascii) else { return false };
                let Ok(end) = i32::try_from(texts.values.len() + text.len()) else { return false };
                texts.values.push_str(text);
                texts.offsets.push(end);
                true
            }
            _ => false,
        }
    }

    fn new(kind: Kind) -> Self {
        match kind {
            Kind::Null => Self::Null(0),
            Kind::Boolean => Self::Boolean(Vec::new()),
            Kind::Whole(8) => Self::Byte(Vec::new()),
            Kind::Whole(16) => Self::Short(Vec::new()),
            Kind::Whole(32) => Self::Integer(Vec::new()),
            Kind::Whole(_) => Self::Long(Vec::new()),
            Kind::Real(32) => Self::Float(Vec::new()),
            Kind::Real(_) => Self::Double(Vec::new()),
            Kind::String => Self::String(Strings::new()),
            Kind::ByteArray => Self::ByteArray(BinaryColumn::new()),
            Kind::Date => Self::Date(Vec::new()),
        }
    }

    /// Appends a null, or a value of a type that fits the column.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "the column is as wide as its widest value"
    )]
    fn push(&mut self, index: usize, cell: &Cell<'_>) -> Result<(), ColumnError> {
        let (whole, real) = match *cell {
            Cell::Whole(whole) => (whole, 0.0),
            Cell::Real(real) => (0, real),
            Cell::Null | Cell::Text(..) | Cell::Bytes(_) => (0, 0.0),
        };
        match self {
            Self::Null(count) => *count += 1,
            Self::Boolean(values) => values.push(whole != 0),
            Self::Byte(values) => values.push(whole as i8),
            Self::Short(values) => values.push(whole as i16),
            Self::Integer(values) => values.push(whole as i32),
            Self::Long(values) | Self::Date(values) => values.push(whole),
            Self::Float(values) => values.push(real as f32),
            Self::Double(values) => values.push(real),
            Self::ByteArray(values) => {
                values.push(if let Cell::Bytes(bytes) = cell { bytes } else { &[] })?;
            }
            Self::String(texts) => {
                if let Cell::Text(text, at) = *cell {
                    let decoded = text::decode_into(
                        text,
                        Encoding::Cesu8,
                        &mut texts.values,
                        SimdLevel::current(),
                    );
                    decoded.map_err(|problem: DecodeErrorKind| {
                        let error = problem.at("text", at);
                        ColumnError::Decode { index, error }
                    })?;
                }
                let len = texts.values.len();
                let max = i32::MAX as usize;
                texts.offsets.push(i32::try_from(len).map_err(|_| TooLong { len, max })?);
            }
        }
        Ok(())
    }

    /// Encodes a `Data` for each value; `valid` marks the values that are not null, and nulls take no bytes.
    ///
    /// # Errors
    /// [`TooLong`] if they exceed the range of Arrow's offsets.
    pub fn write(&self, valid: &[bool], order: ByteOrder) -> Result<BinaryColumn, TooLong> {
        let mut packed = BinaryColumn::new();
        let mut output = Output::data(0, 0, order);
        for (index, valid) in valid.iter().enumerate() {
            if !valid {
                packed.push(&[])?;
                continue;
            }
            self.write_one(index, &mut output)?;
            packed.push(output.bytes())?;
        }
        Ok(packed)
    }

    fn write_one(&self, index: usize, output: &mut Output) -> Result<(), TooLong> {
        macro_rules! number {
            ($kind:ident, $put:ident, $values:ident) => {{
                output.restart(0, type_id::$kind);
                output.$put($values[index]);
            }};
        }
        match self {
            Self::Null(_) => output.restart(0, type_id::NULL),
            Self::Boolean(values) => {
                output.restart(0, type_id::BOOLEAN);
                output.i8(values[index].into());
            }
            Self::Byte(values) => number!(BYTE, i8, values),
            Self::Short(values) => number!(SHORT, i16, values),
            Self::Integer(values) => number!(INTEGER, i32, values),
            Self::Long(values) => number!(LONG, i64, values),
            Self::Date(values) => number!(DATE, i64, values),
            Self::Float(values) => number!(FLOAT, f32, values),
            Self::Double(values) => number!(DOUBLE, f64, values),
            Self::String(texts) => {
                output.restart(0, type_id::STRING);
                output.string(Some(&texts.values[range(&texts.offsets, index)]))?;
            }
            Self::ByteArray(values) => {
                output.restart(0, type_id::BYTE_ARRAY);
                output.byte_array(Some(&values.values[range(&values.offsets, index)]))?;
            }
        }
        Ok(())
    }
}

fn int(bytes: [u8; 4], order: ByteOrder) -> i32 {
    match order {
        ByteOrder::Big => i32::from_be_bytes(bytes),
        ByteOrder::Little => i32::from_le_bytes(bytes),
    }
}

fn long(bytes: [u8; 8], order: ByteOrder) -> i64 {
    match order {
        ByteOrder::Big => i64::from_be_bytes(bytes),
        ByteOrder::Little => i64::from_le_bytes(bytes),
    }
}

fn range(offsets: &[i32], index: usize) -> std::ops::Range<usize> {
    let at = |index: usize| usize::try_from(offsets[index]).unwrap_or_default();
    at(index)..at(index + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn datas(columns: &[Column]) -> Vec<Vec<u8>> {
        let mut datas = Vec::new();
        for column in columns {
            let packed = column.write(&[true], ByteOrder::Big).unwrap();
            datas.push(packed.values);
        }
        datas
    }

    fn read(columns: &[Column]) -> Result<(Column, Vec<bool>), ColumnError> {
        let datas = datas(columns);
        Column::read(datas.iter().map(|data| Some(data.as_slice())), ByteOrder::Big)
    }

    #[test]
    fn whole_numbers_widen_to_the_widest() {
        let read = read(&[Column::Byte(vec![-1]), Column::Long(vec![1 << 40])]);
        assert_eq!(read, Ok((Column::Long(vec![-1, 1 << 40]), vec![true, true])));
    }

    #[test]
    fn numbers_and_texts_are_no_column() {
        let mut texts = Strings::new();
        texts.values.push('a');
        texts.offsets.push(1);
        let mixed = read(&[Column::Byte(vec![-1]), Column::String(texts)]);
        let column = "a column of whole numbers";
        assert_eq!(mixed, Err(ColumnError::Mixed { index: 1, found: type_id::STRING, column }));
    }

    #[test]
    fn texts_are_read_alike_whether_ascii_or_not() {
        for order in [ByteOrder::Big, ByteOrder::Little] {
            let mut texts = Strings::new();
            for text in ["plain", "", "na\u{ef}ve", "\u{1f600}", "\0"] {
                texts.values.push_str(text);
                texts.offsets.push(texts.values.len().try_into().unwrap());
            }
            let column = Column::String(texts);
            let packed = column.write(&[true; 5], order).unwrap();
            let read = Column::read(packed.iter().map(Some), order);
            assert_eq!(read, Ok((column, vec![true; 5])));
        }
    }

    #[test]
    fn numbers_are_read_in_either_order() {
        let columns =
            [Column::Integer(vec![-2]), Column::Long(vec![-3]), Column::Double(vec![0.1])];
        for order in [ByteOrder::Big, ByteOrder::Little] {
            for column in &columns {
                let packed = column.write(&[true], order).unwrap();
                let read = Column::read(packed.iter().map(Some), order);
                assert_eq!(read, Ok((column.clone(), vec![true])));
            }
        }
    }

    #[test]
    fn value_that_is_cut_off_is_missing() {
        for column in [Column::Integer(vec![-2]), Column::Long(vec![-3]), {
            let values = "plain".to_owned();
            Column::String(Strings { offsets: vec![0, 5], values })
        }] {
            let data = datas(&[column]).remove(0);
            let read = Column::read([Some(&data[..data.len() - 1])].into_iter(), ByteOrder::Big);
            assert!(matches!(read, Err(ColumnError::Decode { index: 0, .. })), "{read:?}");
        }
    }

    #[test]
    fn missing_value_is_null() {
        let double = datas(&[Column::Double(vec![1.5])]);
        let given = [None, Some(double[0].as_slice()), Some(&[])];
        let read = Column::read(given.into_iter(), ByteOrder::Big);
        assert_eq!(read, Ok((Column::Double(vec![0.0, 1.5, 0.0]), vec![false, true, false])));
    }
}
