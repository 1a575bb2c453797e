//! Texts that come again and again, as numbers; and columns of them, each text once.

use std::{collections::HashMap, sync::Arc};

use ahash::RandomState;
use arrow_array::{
    ArrayRef, DictionaryArray, StringArray,
    builder::{ArrayBuilder, Int32Builder, StringBuilder},
    cast::AsArray,
    types::Int32Type,
};
use arrow_schema::DataType;

/// Each text once, by number; 0 is the empty one.
#[derive(Debug, Default)]
pub(crate) struct Words {
    numbers: HashMap<String, u32, RandomState>,
    texts: Vec<String>,
}

impl Words {
    pub(crate) fn number(&mut self, text: &str) -> u32 {
        if text.is_empty() {
            return 0;
        }
        if let Some(number) = self.numbers.get(text) {
            return *number;
        }
        self.texts.push(text.to_owned());
        // More texts than a u32 counts do not fit into memory.
        let number = u32::try_from(self.texts.len()).unwrap_or(0);
        self.numbers.insert(text.to_owned(), number);
        number
    }

    pub(crate) fn text(&self, number: u32) -> Option<&str> {
        self.texts.get((number as usize).checked_sub(1)?).map(String::as_str)
    }
}

/// A growing column of words: the empty one is no value.
#[derive(Debug, Default)]
pub(crate) struct WordColumn {
    rows: Int32Builder,
    /// Where a word is in the column's texts, by number.
    places: Vec<Option<i32>>,
    texts: StringBuilder,
}

impl WordColumn {
    pub(crate) fn with_capacity(rows: usize) -> Self {
        Self { rows: Int32Builder::with_capacity(rows), ..Self::default() }
    }

    pub(crate) fn push(&mut self, number: u32, words: &Words) {
        let known = self.places.get(number as usize).copied().flatten();
        let place = known.or_else(|| {
            let place = i32::try_from(self.texts.len()).ok()?;
            self.texts.append_value(words.text(number)?);
            let known = self.places.len().max(number as usize + 1);
            self.places.resize(known, None);
            self.places[number as usize] = Some(place);
            Some(place)
        });
        self.rows.append_option(place);
    }

    pub(crate) fn finish(mut self) -> ArrayRef {
        Arc::new(DictionaryArray::new(self.rows.finish(), Arc::new(self.texts.finish())))
    }
}

/// A given column of words, by their numbers.
pub(crate) struct GivenWords<'a> {
    rows: &'a DictionaryArray<Int32Type>,
    numbers: Vec<u32>,
}

impl<'a> GivenWords<'a> {
    /// A column of [`word_type`], whose words `words` then has.
    pub(crate) fn of(column: &'a ArrayRef, words: &mut Words) -> Self {
        let rows = column.as_dictionary();
        let texts: &StringArray = rows.values().as_string();
        let number = |text: Option<&str>| words.number(text.unwrap_or_default());
        Self { rows, numbers: texts.iter().map(number).collect() }
    }

    #[inline]
    pub(crate) fn number(&self, row: usize) -> u32 {
        self.rows.key(row).map_or(0, |place| self.numbers[place])
    }
}

/// The type of columns of words.
pub(crate) fn word_type() -> DataType {
    DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8))
}

#[cfg(test)]
mod tests {
    use arrow_array::Array;

    use super::*;

    #[test]
    fn a_column_has_each_of_its_words_once_and_nothing_for_the_empty_one() {
        let texts = ["b", "", "a", "b", "", "b"];
        let mut words = Words::default();
        let mut column = WordColumn::default();
        for text in texts {
            words.number("another column's");
            let number = words.number(text);
            column.push(number, &words);
        }
        let column = column.finish();
        assert_eq!(column.data_type(), &word_type());
        assert_eq!(column.null_count(), 2);
        assert_eq!(column.as_dictionary::<Int32Type>().values().len(), 2);
        let mut words = Words::default();
        words.number("whose numbers are others");
        let given = GivenWords::of(&column, &mut words);
        let texts_given = (0..column.len()).map(|row| words.text(given.number(row)).unwrap_or(""));
        assert!(texts_given.eq(texts));
    }
}
