//! Declaration of a table: each column once, with its type.

use arrow_array::{
    ArrayRef,
    types::{Int32Type, Int64Type, TimestampMicrosecondType},
};
use arrow_schema::DataType;

use super::{
    Cell,
    column::{Numbers, Omitted, Texts},
    timestamp,
};

/// Type of a column: the value of a row, the builder, and the array.
pub(crate) trait ColumnType {
    /// Value of a row.
    type Value<'a>: Copy;
    /// Builder of the column.
    type Builder: Default;
    const NULLABLE: bool = false;

    fn data_type() -> DataType;

    fn push(builder: &mut Self::Builder, value: Option<Self::Value<'_>>);

    /// Returns a value as a condition compares it.
    fn cell(value: Self::Value<'_>) -> Cell<'_>;

    /// Takes the rows; those without a value are null if the column is `nullable`.
    fn take(builder: &mut Self::Builder, nullable: bool) -> ArrayRef;

    /// Takes the record of values that did not fit.
    fn take_omitted(_builder: &mut Self::Builder) -> Omitted {
        Omitted::default()
    }
}

/// A column of text.
pub(crate) enum Text {}
/// A column of JSON, as text.
pub(crate) enum Json {}
/// Column of 32-bit integers.
pub(crate) enum Int32 {}
/// Column of 64-bit integers.
pub(crate) enum Int64 {}
/// Column of times, in microseconds since 1970, UTC.
pub(crate) enum Timestamp {}

impl ColumnType for Text {
    type Value<'a> = &'a str;
    type Builder = Texts;

    fn data_type() -> DataType {
        DataType::Utf8
    }

    #[inline]
    fn push(builder: &mut Texts, value: Option<&str>) {
        builder.push(value);
    }

    fn cell(value: Self::Value<'_>) -> Cell<'_> {
        Cell::Text(value)
    }

    fn take(builder: &mut Texts, nullable: bool) -> ArrayRef {
        builder.take(nullable)
    }

    fn take_omitted(builder: &mut Texts) -> Omitted {
        builder.take_omitted()
    }
}

impl ColumnType for Json {
    type Value<'a> = &'a [u8];
    type Builder = Texts;

    fn data_type() -> DataType {
        DataType::Utf8
    }

    #[inline]
    fn push(builder: &mut Texts, value: Option<&[u8]>) {
        builder.push(value);
    }

    fn cell(value: Self::Value<'_>) -> Cell<'_> {
        Cell::Bytes(value)
    }

    fn take(builder: &mut Texts, nullable: bool) -> ArrayRef {
        builder.take(nullable)
    }

    fn take_omitted(builder: &mut Texts) -> Omitted {
        builder.take_omitted()
    }
}

macro_rules! number {
    ($name:ident, $arrow:ty, $value:ty, $data_type:expr) => {
        impl ColumnType for $name {
            type Value<'a> = $value;
            type Builder = Numbers<$arrow>;

            fn data_type() -> DataType {
                $data_type
            }

            #[inline]
            fn push(builder: &mut Self::Builder, value: Option<$value>) {
                builder.push(value);
            }

            fn cell(value: Self::Value<'_>) -> Cell<'_> {
                Cell::Int(value.into())
            }

            fn take(builder: &mut Self::Builder, _: bool) -> ArrayRef {
                builder.take(&Self::data_type())
            }
        }
    };
}

number!(Int32, Int32Type, i32, DataType::Int32);
number!(Int64, Int64Type, i64, DataType::Int64);
number!(Timestamp, TimestampMicrosecondType, i64, timestamp());

/// Column that may be null.
impl<T: ColumnType> ColumnType for Option<T> {
    type Value<'a> = T::Value<'a>;
    type Builder = T::Builder;
    const NULLABLE: bool = true;

    fn data_type() -> DataType {
        T::data_type()
    }

    #[inline]
    fn push(builder: &mut Self::Builder, value: Option<Self::Value<'_>>) {
        T::push(builder, value);
    }

    fn cell(value: Self::Value<'_>) -> Cell<'_> {
        T::cell(value)
    }

    fn take(builder: &mut Self::Builder, nullable: bool) -> ArrayRef {
        T::take(builder, nullable)
    }

    fn take_omitted(builder: &mut Self::Builder) -> Omitted {
        T::take_omitted(builder)
    }
}

/// A row whose values a condition can be tested on before it is in a table.
pub(crate) trait Row {
    /// Calls `see` with the values of the row, in the order of the columns.
    fn with_cells<T>(&self, see: impl FnOnce(&[Cell<'_>]) -> T) -> T;
}

/// Declares a table: the struct of a row, whose fields are `Option`s, the builder of rows into a batch, and
/// `schema`. A batch is complete as soon as the texts of the columns in `full_by` are long enough.
macro_rules! table {
    (
        $(#[$about_row:meta])*
        row $Row:ident;
        $(#[$about_rows:meta])*
        rows $Rows:ident, full_by [$($text:ident),*];
        $($(#[$about:meta])* $column:ident: $type:ty,)+
    ) => {
        $(#[$about_row])*
        #[derive(Clone, Copy, Debug, Default)]
        pub(crate) struct $Row<'a> {
            $(
                $(#[$about])*
                pub(crate) $column: Option<<$type as $crate::tables::table::ColumnType>::Value<'a>>,
            )+
        }

        impl $crate::tables::table::Row for $Row<'_> {
            fn with_cells<T>(&self, see: impl FnOnce(&[$crate::tables::Cell<'_>]) -> T) -> T {
                use $crate::tables::table::ColumnType;
                see(&[$(
                    self.$column.map_or($crate::tables::Cell::Null, <$type as ColumnType>::cell),
                )+])
            }
        }

        $(#[$about_rows])*
        #[derive(Debug, Default)]
        pub(crate) struct $Rows {
            $($column: <$type as $crate::tables::table::ColumnType>::Builder,)+
            rows: usize,
        }

        impl $Rows {
            pub(crate) fn push(&mut self, row: &$Row<'_>) {
                $(<$type as $crate::tables::table::ColumnType>::push(&mut self.$column, row.$column);)+
                self.rows += 1;
            }
        }

        impl $crate::tables::Rows for $Rows {
            fn len(&self) -> usize {
                self.rows
            }

            fn text_bytes(&self) -> usize {
                0 $(+ self.$text.len())*
            }

            fn take(&mut self) -> (arrow_array::RecordBatch, $crate::tables::Omitted) {
                use $crate::tables::table::ColumnType;
                self.rows = 0;
                let columns = vec![
                    $(<$type as ColumnType>::take(&mut self.$column, <$type as ColumnType>::NULLABLE),)+
                ];
                let mut omitted = $crate::tables::Omitted::default();
                $(omitted.add(<$type as ColumnType>::take_omitted(&mut self.$column));)+
                ($crate::tables::batch(schema(), columns), omitted)
            }
        }

        pub(super) fn schema() -> arrow_schema::SchemaRef {
            static SCHEMA: std::sync::LazyLock<arrow_schema::SchemaRef> =
                std::sync::LazyLock::new(|| {
                    $crate::tables::schema_of(&[$((
                        stringify!($column),
                        <$type as $crate::tables::table::ColumnType>::data_type(),
                        <$type as $crate::tables::table::ColumnType>::NULLABLE,
                    ),)+])
                });
            SCHEMA.clone()
        }
    };
}
pub(crate) use table;
