//! Counts by a text of which there may be any number, such as jobs and directories: a space-saving sketch.
//!
//! Counts are exact up to the limits. Beyond them, the least frequent texts are counted under the text above,
//! or under [`OTHERS`], so that sums stay exact, and the sketch states how many calls of any one text may be
//! counted elsewhere. Merged sketches below the limits are equal in any order; beyond, their errors add up.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, HashMap},
    hash::{Hash, Hasher},
};

use ahash::RandomState;
use hashbrown::{HashTable, hash_table::Entry};

use crate::traffic::{
    Sums, floor,
    interner::{OTHERS, OTHERS_NUMBER, shortened},
};

/// Limits of a sketch: half of each is kept when one is exceeded.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// Number of texts.
    pub(crate) texts: usize,
    /// Number of bytes of the texts.
    pub(crate) text_bytes: usize,
    /// Number of rows; at least sixteen per text.
    pub(crate) rows: usize,
}

impl Limits {
    /// Maximum number of bytes of memory.
    pub(crate) const fn bytes(self) -> usize {
        self.texts * TEXT_SIZE + self.text_bytes + self.rows * ROW_SIZE
    }
}

/// Calls by text and by detail.
#[derive(Debug)]
pub(crate) struct SpaceSaving {
    limits: Limits,
    /// Returns the text above, in which a text without a row of its own is counted.
    above: fn(&str) -> Option<&str>,
    hasher: RandomState,
    places: HashTable<u32>,
    texts: Vec<Counted>,
    text_bytes: usize,
    /// Place of the latest text.
    latest: u32,
    rows: HashMap<RowKey, Sums, RandomState>,
    /// Maximum number of calls of a text without a row.
    undercount: u64,
    /// The same of the merged sketches, which knew nothing of each other.
    merged_undercount: u64,
}

/// Text with the number of its calls.
#[derive(Debug)]
struct Counted {
    text: Box<str>,
    hash: u64,
    calls: u64,
    /// Maximum number of its calls that were counted elsewhere, before it had a row.
    missing: u64,
}

impl Counted {
    /// Maximum number of its calls.
    fn most(&self) -> u64 {
        self.calls.saturating_add(self.missing)
    }
}

/// Properties by which the calls of a text are counted, as numbers of texts.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub(crate) struct Detail {
    pub(crate) bucket: Option<i64>,
    pub(crate) user: u32,
    pub(crate) name: u32,
    pub(crate) status: u32,
}

impl Detail {
    /// Returns the detail with fewer properties: without the user, the time, and the method.
    fn coarse(self, step: usize) -> Self {
        let Self { bucket, user, name, status } = self;
        Self {
            bucket: bucket.filter(|_| step < 2),
            user: if step < 1 { user } else { OTHERS_NUMBER },
            name: if step < 3 { name } else { OTHERS_NUMBER },
            status,
        }
    }
}

#[derive(Clone, Copy, Debug, Eq, PartialEq)]
struct RowKey {
    place: u32,
    detail: Detail,
}

impl Hash for RowKey {
    /// Hashes two numbers at a time.
    fn hash<H: Hasher>(&self, state: &mut H) {
        let Self { place, detail: Detail { bucket, user, name, status } } = *self;
        state.write_i64(bucket.unwrap_or(i64::MIN));
        state.write_u64(u64::from(place) << 32 | u64::from(user));
        state.write_u64(u64::from(name) << 32 | u64::from(status));
    }
}

/// Rows of a text.
type Rows = BTreeMap<Detail, Sums>;

impl SpaceSaving {
    pub(crate) fn new(limits: Limits, above: fn(&str) -> Option<&str>) -> Self {
        Self {
            limits,
            above,
            hasher: RandomState::default(),
            places: HashTable::new(),
            texts: Vec::new(),
            text_bytes: 0,
            latest: 0,
            rows: HashMap::default(),
            undercount: 0,
            merged_undercount: 0,
        }
    }

    /// Counts calls of a text.
    pub(crate) fn add(&mut self, text: &str, detail: Detail, sums: &Sums) {
        let place = match self.texts.get(self.latest as usize) {
            Some(latest) if *latest.text == *text => self.latest,
            _ => self.place(text),
        };
        self.latest = place;
        let counted = &mut self.texts[place as usize];
        counted.calls = counted.calls.saturating_add(sums.calls);
        let key = RowKey { place, detail };
        match self.rows.get_mut(&key) {
            Some(known) => known.add(sums),
            None => self.add_row(key, sums),
        }
    }

    #[inline(never)]
    fn add_row(&mut self, key: RowKey, sums: &Sums) {
        self.rows.insert(key, *sums);
        let Limits { texts, text_bytes, rows } = self.limits;
        if self.texts.len() > texts || self.text_bytes > text_bytes || self.rows.len() > rows {
            self.make_room();
        }
    }

    /// States that a merged sketch counts this many calls of a text elsewhere.
    pub(crate) fn add_undercount(&mut self, undercount: u64) {
        self.merged_undercount = self.merged_undercount.saturating_add(undercount);
    }

    /// Maximum number of calls of one text that are counted elsewhere.
    pub(crate) fn undercount(&self) -> u64 {
        self.merged_undercount.saturating_add(self.undercount)
    }

    /// Number of bytes of memory.
    pub(crate) fn held(&self) -> usize {
        self.texts.len() * TEXT_SIZE + self.text_bytes + self.rows.len() * ROW_SIZE
    }

    /// Widens the buckets.
    pub(crate) fn widen_to(&mut self, width: i64) {
        for (mut key, sums) in std::mem::take(&mut self.rows) {
            key.detail.bucket = key.detail.bucket.map(|bucket| floor(bucket, width));
            self.rows.entry(key).or_default().add(&sums);
        }
    }

    /// Takes the rows, in the order of the texts.
    pub(crate) fn take_rows(&mut self) -> Vec<(Box<str>, Detail, Sums)> {
        let mut rows: Vec<_> = self.rows.drain().collect();
        let texts = std::mem::take(&mut self.texts);
        self.places.clear();
        self.text_bytes = 0;
        rows.sort_unstable_by(|(one, _), (other, _)| {
            let text = |key: &RowKey| &texts[key.place as usize].text;
            text(one).cmp(text(other)).then_with(|| one.detail.cmp(&other.detail))
        });
        rows.into_iter()
            .map(|(key, sums)| (texts[key.place as usize].text.clone(), key.detail, sums))
            .collect()
    }

    fn place(&mut self, text: &str) -> u32 {
        let text = &*shortened(text);
        let Self { hasher, places, texts, .. } = self;
        let hash = hasher.hash_one(text);
        let is_same = |place: &u32| *texts[*place as usize].text == *text;
        match places.entry(hash, is_same, |place| texts[*place as usize].hash) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(vacant) => {
                // The limits are far below what a u32 counts.
                let place = u32::try_from(texts.len()).unwrap_or(u32::MAX);
                vacant.insert(place);
                let missing = self.undercount;
                texts.push(Counted { text: text.into(), hash, calls: 0, missing });
                self.text_bytes += text.len();
                place
            }
        }
    }

    /// Keeps the most frequent texts, and counts the others in the texts above them.
    #[inline(never)]
    fn make_room(&mut self) {
        let before = std::mem::take(&mut self.texts);
        let mut of_texts: Vec<Rows> = before.iter().map(|_| Rows::new()).collect();
        for (RowKey { place, detail }, sums) in self.rows.drain() {
            of_texts[place as usize].insert(detail, sums);
        }
        let mut kept: HashMap<Box<str>, (Counted, Rows), RandomState> = before
            .into_iter()
            .zip(of_texts)
            .map(|(counted, rows)| (counted.text.clone(), (counted, rows)))
            .collect();
        let mut folded = HashMap::default();
        let missing = self.undercount;
        for round in 0..=MAX_ROUNDS {
            let last = round == MAX_ROUNDS;
            if !self.fold_least(&mut kept, &mut folded, missing, last) {
                break;
            }
        }
        self.places.clear();
        self.text_bytes = 0;
        self.latest = 0;
        let mut ranked: Vec<_> = kept.into_values().collect();
        rank(&mut ranked);
        let mut room = (self.limits.rows / 2).saturating_sub(ranked.len() * ROWS_OF_COARSEST);
        for (counted, rows) in ranked {
            let place = u32::try_from(self.texts.len()).unwrap_or(u32::MAX);
            self.text_bytes += counted.text.len();
            self.places
                .insert_unique(counted.hash, place, |place| self.texts[*place as usize].hash);
            self.texts.push(counted);
            let rows = coarsened(rows, room / 8);
            room -= if rows.len() > ROWS_OF_COARSEST { rows.len() } else { 0 };
            let rows = rows.into_iter();
            self.rows.extend(rows.map(|(detail, sums)| (RowKey { place, detail }, sums)));
        }
        self.rows.shrink_to_fit();
    }

    /// Counts the least frequent texts in those above; returns whether there were too many texts.
    ///
    /// `folded` has the most calls of each text that was counted above before, since there is no room; of any
    /// other text without a row, `missing` is the most.
    fn fold_least(
        &mut self,
        kept: &mut HashMap<Box<str>, (Counted, Rows), RandomState>,
        folded: &mut HashMap<Box<str>, u64, RandomState>,
        missing: u64,
        is_last: bool,
    ) -> bool {
        let mut ranked: Vec<_> = std::mem::take(kept).into_values().collect();
        rank(&mut ranked);
        let mut bytes = 0;
        let fit = ranked.iter().take(self.limits.texts / 2).take_while(|(counted, _)| {
            bytes += counted.text.len();
            bytes <= self.limits.text_bytes / 2
        });
        let least = ranked.split_off(fit.count());
        let has_more = !least.is_empty();
        kept.extend(ranked.into_iter().map(|each| (each.0.text.clone(), each)));
        for (counted, _) in least.iter().filter(|(counted, _)| *counted.text != *OTHERS) {
            self.undercount = self.undercount.max(counted.most());
            folded.insert(counted.text.clone(), counted.most());
        }
        if is_last {
            // They pass by the texts above them.
            let passed = least.iter().fold(0, |sum: u64, (it, _)| sum.saturating_add(it.calls));
            self.undercount = self.undercount.saturating_add(passed);
        }
        for (counted, rows) in least {
            let above = (self.above)(&counted.text).filter(|_| !is_last).unwrap_or(OTHERS);
            let hash = self.hasher.hash_one(above);
            // One of those that were counted above may be above another one.
            let missing = folded.get(above).copied().unwrap_or_default().max(missing);
            let fresh = || (Counted { text: above.into(), hash, calls: 0, missing }, Rows::new());
            let (of, all) = kept.entry(above.into()).or_insert_with(fresh);
            of.calls = of.calls.saturating_add(counted.calls);
            for (detail, sums) in rows {
                all.entry(detail.coarse(2)).or_default().add(&sums);
            }
        }
        has_more
    }
}

/// Sorts texts: that of the others first, then the most frequent ones.
fn rank(texts: &mut [(Counted, Rows)]) {
    texts.sort_by(|(one, _), (other, _)| {
        let key = |it: &Counted| (*it.text != *OTHERS, Reverse(it.most()));
        key(one).cmp(&key(other)).then_with(|| one.text.cmp(&other.text))
    });
}

/// Returns the rows in as much detail as there is room for.
fn coarsened(rows: Rows, room: usize) -> Rows {
    let mut all = rows;
    for step in 1..=3 {
        if all.len() <= room.max(ROWS_OF_COARSEST) {
            break;
        }
        let mut coarse = Rows::new();
        for (detail, sums) in all {
            coarse.entry(detail.coarse(step)).or_default().add(&sums);
        }
        all = coarse;
    }
    all
}

/// Number of rows of a text in the coarsest form: one per status.
const ROWS_OF_COARSEST: usize = 8;
/// Number of times that texts are counted in those above, before they are counted under [`OTHERS`].
const MAX_ROUNDS: usize = 64;
/// Number of bytes of a text's counts and its place in the index.
const TEXT_SIZE: usize = size_of::<Counted>() + 2 * size_of::<u32>();
/// Number of bytes of a row.
const ROW_SIZE: usize = size_of::<(RowKey, Sums)>();

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::traffic::directories::parent;

    const SMALL: Limits = Limits { texts: 16, text_bytes: 1 << 10, rows: 512 };

    fn one_call(user: u32) -> (Detail, Sums) {
        let detail = Detail { bucket: Some(0), user, name: 7, status: 9 };
        (detail, Sums { calls: 1, ..Sums::default() })
    }

    fn count<'a>(texts: impl IntoIterator<Item = &'a str>) -> SpaceSaving {
        let mut sketch = SpaceSaving::new(SMALL, parent);
        for text in texts {
            let (detail, sums) = one_call(5);
            sketch.add(text, detail, &sums);
            assert!(sketch.held() <= SMALL.bytes() + ROW_SIZE + TEXT_SIZE + text.len());
        }
        sketch
    }

    fn merged(parts: Vec<SpaceSaving>) -> SpaceSaving {
        let mut whole = SpaceSaving::new(SMALL, parent);
        for mut part in parts {
            whole.add_undercount(part.undercount());
            for (text, detail, sums) in part.take_rows() {
                whole.add(&text, detail, &sums);
            }
        }
        whole
    }

    fn by_text(mut sketch: SpaceSaving) -> BTreeMap<Box<str>, u64> {
        let mut all = BTreeMap::new();
        for (text, _, sums) in sketch.take_rows() {
            *all.entry(text).or_default() += sums.calls;
        }
        all
    }

    #[test]
    fn rare_texts_are_counted_above_and_frequent_ones_stay() {
        let often = (0..2000).map(|_| "/data/events".to_owned());
        let rare = (0..2000).map(|n| format!("/tmp/{n}/x"));
        let texts: Vec<_> = often.zip(rare).flat_map(|(one, other)| [one, other]).collect();
        let sketch = count(texts.iter().map(|text| &**text));
        assert!((1..=4 * 4000 / 9).contains(&sketch.undercount()), "{}", sketch.undercount());
        let all = by_text(sketch);
        assert_eq!(all["/data/events"], 2000);
        assert_eq!(all.values().sum::<u64>(), 4000);
        assert!(all["/tmp"] > 1900, "{all:?}");
    }

    #[test]
    fn details_are_given_up_before_texts() {
        let mut sketch = SpaceSaving::new(SMALL, parent);
        for user in 0..100_000 {
            let (detail, sums) = one_call(user);
            sketch.add(if user % 2 == 0 { "/a" } else { "/b" }, detail, &sums);
            assert!(sketch.held() <= SMALL.bytes() + ROW_SIZE);
        }
        assert_eq!(sketch.undercount(), 0);
        let all = by_text(sketch);
        assert_eq!((all["/a"], all["/b"]), (50_000, 50_000));
    }

    #[test]
    fn long_texts_stay_within_the_limit() {
        let long = "x".repeat(1 << 20);
        let texts: Vec<_> = (0..20).map(|n| format!("/{n}{long}/{n}")).collect();
        let all = by_text(count(texts.iter().map(|text| &**text)));
        assert_eq!(all.values().sum::<u64>(), 20);
    }

    proptest! {
        #[test]
        fn parts_below_the_limits_are_equal_in_any_order(
            texts in prop::collection::vec("/[ab](/[ab])?", 0..60),
            cut in 0..60_usize,
        ) {
            let texts: Vec<_> = texts.iter().map(|text| &**text).collect();
            let (one, other) = texts.split_at(cut.min(texts.len()));
            let whole = by_text(count(texts.iter().copied()));
            let parts = |parts: [&[&str]; 2]| {
                let parts = parts.map(|part| count(part.iter().copied()));
                let whole = merged(parts.into());
                (whole.undercount(), by_text(whole))
            };
            prop_assert_eq!(&parts([one, other]), &(0, whole.clone()));
            prop_assert_eq!(&parts([other, one]), &(0, whole));
        }

        #[test]
        fn counts_beyond_the_limits_are_wrong_by_no_more_than_is_stated(
            texts in prop::collection::vec("/[a-h](/[a-h]){0,2}", 0..400),
            cut in 0..400_usize,
        ) {
            let texts: Vec<_> = texts.iter().map(|text| &**text).collect();
            let (one, other) = texts.split_at(cut.min(texts.len()));
            let parts = [one, other].map(|part| count(part.iter().copied()));
            for sketch in [count(texts.iter().copied()), merged(parts.into())] {
                let undercount = sketch.undercount();
                let all = by_text(sketch);
                prop_assert_eq!(all.values().sum::<u64>(), texts.len() as u64);
                for text in &texts {
                    let below = format!("{text}/");
                    let is_in = |it: &str| it == *text || it.starts_with(&below);
                    let truth = texts.iter().filter(|it| is_in(it)).count() as u64;
                    let said: u64 =
                        all.iter().filter(|(it, _)| is_in(it)).map(|(_, calls)| calls).sum();
                    prop_assert!(said <= truth && truth <= said + undercount, "{text}");
                }
            }
        }
    }
}
