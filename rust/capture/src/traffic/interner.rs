//! Interner of repeated texts, and dictionary columns of them.

use std::{borrow::Cow, hash::Hasher, sync::Arc};

use ahash::RandomState;
use arrow_array::{
    Array, ArrayRef, DictionaryArray, StringArray,
    builder::{ArrayBuilder, Int32Builder, StringBuilder},
    cast::AsArray,
    types::Int32Type,
};
use hashbrown::{HashTable, hash_table::Entry};
use siphasher::sip::SipHasher24;

use crate::tables::front;

/// Interned texts by number; 0 is the empty text, and 1 replaces all texts without a separate number.
#[derive(Debug)]
pub(crate) struct Interner {
    hasher: RandomState,
    numbers: HashTable<u32>,
    texts: Vec<Box<str>>,
    /// Number of bytes of the texts and their index.
    held: usize,
    /// Number of bytes beyond which texts of peers get no separate number.
    limit: usize,
}

impl Default for Interner {
    fn default() -> Self {
        Self::with_limit(WORDS_LIMIT)
    }
}

impl Interner {
    /// Creates an interner that numbers texts of peers while all texts take fewer bytes than `limit`.
    pub(crate) fn with_limit(limit: usize) -> Self {
        let (hasher, numbers) = (RandomState::default(), HashTable::new());
        let mut words = Self { hasher, numbers, texts: Vec::new(), held: 0, limit };
        let number = words.number(OTHERS);
        debug_assert_eq!(number, OTHERS_NUMBER);
        words
    }

    /// Returns the number of a text from a small set.
    pub(crate) fn number(&mut self, text: &str) -> u32 {
        self.find(text, usize::MAX)
    }

    /// Returns the number of a text from a peer: that of [`OTHERS`] if there is no room for another one. A long
    /// text is first abbreviated by [`shortened`].
    pub(crate) fn number_of_peer(&mut self, text: &str) -> u32 {
        let limit = self.limit;
        self.find(&shortened(text), limit)
    }

    fn find(&mut self, text: &str, limit: usize) -> u32 {
        if text.is_empty() {
            return 0;
        }
        let Self { hasher, numbers, texts, held, .. } = self;
        let at = |number: u32| texts.get((number as usize).wrapping_sub(1)).map(|it| &**it);
        let hash = hasher.hash_one(text);
        let rehash = |number: &u32| hasher.hash_one(at(*number).unwrap_or_default());
        match numbers.entry(hash, |number| at(*number) == Some(text), rehash) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(place) => {
                if *held >= limit {
                    return OTHERS_NUMBER;
                }
                // More texts than a u32 counts do not fit into memory.
                let number = u32::try_from(texts.len() + 1).unwrap_or(0);
                place.insert(number);
                *held += text.len() + WORD_SIZE;
                texts.push(text.into());
                number
            }
        }
    }

    pub(crate) fn text(&self, number: u32) -> Option<&str> {
        self.texts.get((number as usize).checked_sub(1)?).map(|it| &**it)
    }

    /// Number of bytes of memory of the texts.
    pub(crate) fn held(&self) -> usize {
        self.held
    }
}

/// Abbreviates a text that is longer than [`TEXT_LIMIT`]: its start, its length, and a hash that distinguishes
/// it from other texts and is the same in every process.
pub(crate) fn shortened(text: &str) -> Cow<'_, str> {
    if text.len() <= TEXT_LIMIT {
        return Cow::Borrowed(text);
    }
    let mut hasher = SipHasher24::new();
    hasher.write(text.as_bytes());
    let begin = front(text, SHOWN_OF_LONG);
    Cow::Owned(format!("{begin}... <{} bytes: {:016x}>", text.len(), hasher.finish()))
}

/// Replacement text of everything that is counted together.
pub(crate) const OTHERS: &str = "(others)";
/// Number of [`OTHERS`].
pub(crate) const OTHERS_NUMBER: u32 = 1;
/// Maximum number of bytes of the texts of one decoder's `traffic`, before further texts are counted together
/// (chosen by jvmwire: 100,000 methods, users and addresses).
pub(crate) const WORDS_LIMIT: usize = 16 << 20;
/// Maximum number of bytes of a name, a user, an address or a target that is kept unchanged (chosen by
/// jvmwire).
pub(crate) const TEXT_LIMIT: usize = 1024;
/// Number of bytes of a longer text that are kept.
const SHOWN_OF_LONG: usize = 256;
/// Number of bytes of a text in addition to its length.
const WORD_SIZE: usize = size_of::<Box<str>>() + 2 * size_of::<u32>();

/// Builder of a dictionary column of text; the empty text is null.
#[derive(Debug, Default)]
pub(crate) struct DictionaryBuilder {
    rows: Int32Builder,
    /// Index of each text in the column's dictionary, by its number.
    places: Vec<Option<i32>>,
    texts: StringBuilder,
}

impl DictionaryBuilder {
    pub(crate) fn with_capacity(rows: usize) -> Self {
        Self { rows: Int32Builder::with_capacity(rows), ..Self::default() }
    }

    pub(crate) fn push(&mut self, number: u32, words: &Interner) {
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

/// Dictionary column of text from an input, by the numbers of the texts.
pub(crate) struct InputDictionary<'a> {
    rows: &'a DictionaryArray<Int32Type>,
    numbers: Vec<u32>,
}

impl<'a> InputDictionary<'a> {
    /// Converts a column of [`dictionary_type`](crate::tables::traffic::dictionary_type). Its texts are added
    /// to `words`, if there is room; for texts defined by jvmwire, and not by peers, there always is.
    pub(crate) fn from_column(
        column: &'a ArrayRef,
        are_of_peers: bool,
        words: &mut Interner,
    ) -> Self {
        let rows = column.as_dictionary();
        let texts: &StringArray = rows.values().as_string();
        let mut number = |text: &str| {
            if are_of_peers { words.number_of_peer(text) } else { words.number(text) }
        };
        let number = |text: Option<&str>| number(text.unwrap_or_default());
        Self { rows, numbers: texts.iter().map(number).collect() }
    }

    /// Converts a column of texts from peers, of which only those of some rows get a number.
    pub(crate) fn of_some_rows(
        column: &'a ArrayRef,
        is_numbered: impl Fn(usize) -> bool,
        words: &mut Interner,
    ) -> Self {
        let rows = column.as_dictionary();
        let texts: &StringArray = rows.values().as_string();
        let mut has_number = vec![false; texts.len()];
        for row in (0..rows.len()).filter(|row| is_numbered(*row)) {
            if let Some(place) = rows.key(row) {
                has_number[place] = true;
            }
        }
        let number = |(text, has_number): (Option<&str>, bool)| {
            text.filter(|_| has_number).map_or(0, |text| words.number_of_peer(text))
        };
        Self { rows, numbers: texts.iter().zip(has_number).map(number).collect() }
    }

    /// Text of a row; empty if it has none.
    pub(crate) fn text(&self, row: usize) -> &'a str {
        let texts: &StringArray = self.rows.values().as_string();
        let place = self.rows.key(row).filter(|place| texts.is_valid(*place));
        place.map_or("", |place| texts.value(place))
    }

    #[inline]
    pub(crate) fn number(&self, row: usize) -> u32 {
        self.rows.key(row).map_or(0, |place| self.numbers[place])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::traffic::dictionary_type;

    #[test]
    fn texts_of_peers_beyond_the_limit_are_counted_together() {
        let mut words = Interner::with_limit(1000);
        let numbers: Vec<_> = (0..100).map(|n| words.number_of_peer(&format!("{n}"))).collect();
        assert!(words.held() < 1100 && numbers[99] == OTHERS_NUMBER && numbers[0] != OTHERS_NUMBER);
        assert_eq!(words.number_of_peer("0"), numbers[0]);
        assert_eq!(words.text(OTHERS_NUMBER), Some(OTHERS));
        let ours = words.number("calls");
        assert_eq!(words.number_of_peer("calls"), ours);
        assert_eq!(words.text(ours), Some("calls"));
    }

    #[test]
    fn long_texts_are_shortened_and_stay_distinct() {
        let [one, other] = ["a", "b"].map(|end| "\u{e4}".repeat(4000) + end);
        let [one, other] = [&one, &other].map(|text| shortened(text));
        assert!(one != other && one.len() < 300, "{one}");
        assert_eq!(shortened(&one), one);
        assert_eq!(shortened(&"x".repeat(TEXT_LIMIT)), "x".repeat(TEXT_LIMIT));
    }

    #[test]
    fn column_has_each_of_its_words_once_and_nothing_for_the_empty_one() {
        let texts = ["b", "", "a", "b", "", "b"];
        let mut words = Interner::default();
        let mut column = DictionaryBuilder::default();
        for text in texts {
            words.number("another column's");
            let number = words.number(text);
            column.push(number, &words);
        }
        let column = column.finish();
        assert_eq!(column.data_type(), &dictionary_type());
        assert_eq!(column.null_count(), 2);
        assert_eq!(column.as_dictionary::<Int32Type>().values().len(), 2);
        let mut words = Interner::default();
        words.number("whose numbers are others");
        let given = InputDictionary::from_column(&column, true, &mut words);
        let texts_given = (0..column.len()).map(|row| words.text(given.number(row)).unwrap_or(""));
        assert!(texts_given.eq(texts));
    }
}
