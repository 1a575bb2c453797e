//! Values of a column of any Arrow type.

use arrow_array::{
    Array, ArrayRef, BinaryArray, DictionaryArray, Int32Array, Int64Array, StringArray,
    TimestampMicrosecondArray,
    cast::AsArray,
    types::{Int32Type, Int64Type, TimestampMicrosecondType},
};
use arrow_schema::DataType;

/// Column of one of the types of these tables.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Column<'a> {
    Text(&'a StringArray),
    Word(&'a DictionaryArray<Int32Type>, &'a StringArray),
    Bytes(&'a BinaryArray),
    Int32(&'a Int32Array),
    Int64(&'a Int64Array),
    Time(&'a TimestampMicrosecondArray),
}

/// One value of a column; times are microseconds.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Cell<'a> {
    Null,
    Text(&'a str),
    Bytes(&'a [u8]),
    Int(i64),
}

impl<'a> Column<'a> {
    pub(crate) fn from_array(array: &'a ArrayRef) -> Self {
        match array.data_type() {
            DataType::Int32 => Self::Int32(array.as_primitive::<Int32Type>()),
            DataType::Int64 => Self::Int64(array.as_primitive::<Int64Type>()),
            DataType::Timestamp(..) => Self::Time(array.as_primitive::<TimestampMicrosecondType>()),
            DataType::Dictionary(..) => {
                let words = array.as_dictionary();
                Self::Word(words, words.values().as_string())
            }
            DataType::Binary => Self::Bytes(array.as_binary()),
            _ => Self::Text(array.as_string()),
        }
    }

    pub(crate) fn cell(self, row: usize) -> Cell<'a> {
        match self {
            Self::Text(array) if array.is_valid(row) => Cell::Text(array.value(row)),
            Self::Word(array, texts) => {
                let place = array.key(row).filter(|place| texts.is_valid(*place));
                place.map_or(Cell::Null, |place| Cell::Text(texts.value(place)))
            }
            Self::Bytes(array) if array.is_valid(row) => Cell::Bytes(array.value(row)),
            Self::Int32(array) if array.is_valid(row) => Cell::Int(array.value(row).into()),
            Self::Int64(array) if array.is_valid(row) => Cell::Int(array.value(row)),
            Self::Time(array) if array.is_valid(row) => Cell::Int(array.value(row)),
            _ => Cell::Null,
        }
    }
}
