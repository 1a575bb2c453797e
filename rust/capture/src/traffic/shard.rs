//! Part of the rows of merged traffic, with an index of their keys.

use std::{collections::HashMap, ops::Range};

use ahash::RandomState;
use hashbrown::{HashTable, hash_table::Entry};

use crate::{
    traffic::interner::OTHERS_NUMBER,
    traffic::latencies::{SketchError, add_packed},
    traffic::{Sums, WORDS, floor, folded},
};

/// Rows with distinct keys, in the order of their arrival.
#[derive(Debug, Default)]
pub(crate) struct Shard {
    hasher: RandomState,
    /// Index by the keys' buckets: rows of one bucket arrive together, and its index stays in the processor's
    /// cache.
    places: HashMap<(Width, Option<i64>), HashTable<Place>, RandomState>,
    rows: Vec<(Key, Counts)>,
    /// Latencies in their original form, concatenated.
    came: Vec<u8>,
}

/// Key of a row: the counted properties, and the bucket.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Key {
    pub(crate) words: [u32; WORDS],
    pub(crate) width: Width,
    pub(crate) bucket: Option<i64>,
}

impl Key {
    /// Returns the key under which calls and latencies are counted together with others: of any time, client
    /// and user; `also_names` selects any method and error class, too. `None` for aspects without a time line:
    /// repeats belong to one caller and one target.
    fn of_others(self, also_names: bool) -> Option<Self> {
        let [aspect, protocol, client, user, name, _, pace, status, error_class] = self.words;
        let is_call = client != 0 || user != 0 || status != 0;
        let (name, error_class) = if also_names || !is_call {
            (folded(name), folded(error_class))
        } else {
            (name, error_class)
        };
        let (client, user) = if is_call { (OTHERS_NUMBER, OTHERS_NUMBER) } else { (0, 0) };
        let words = [aspect, protocol, client, user, name, 0, pace, status, error_class];
        (self.width == Width::OfAll).then_some(Self { words, bucket: None, ..self })
    }

    /// Returns the key in buckets of this width, if it is on the time line.
    pub(crate) fn in_buckets_of(self, width: i64) -> Self {
        let bucket = match self.width {
            Width::OfAll => self.bucket.map(|bucket| floor(bucket, width)),
            Width::Own(_) => self.bucket,
        };
        Self { bucket, ..self }
    }
}

/// Width of a row's bucket.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub(crate) enum Width {
    OfAll,
    Own(Option<i64>),
}

/// Index of a key's row. It has the hash of the key's texts, so that the table grows without access to the
/// rows.
#[derive(Debug)]
struct Place {
    hash: u64,
    row: usize,
}

#[derive(Debug)]
struct Counts {
    sums: Sums,
    latencies: Option<Sketch>,
}

/// Packed latencies.
#[derive(Debug)]
enum Sketch {
    /// Range in the original latencies: most keys have one row.
    AsItCame(Range<usize>),
    Added(Vec<u8>),
}

impl Sketch {
    fn packed<'a>(&'a self, came: &'a [u8]) -> &'a [u8] {
        match self {
            Self::AsItCame(place) => &came[place.clone()],
            Self::Added(packed) => packed,
        }
    }
}

impl Shard {
    /// Whether a key has a row, or may get one within `limit`.
    pub(crate) fn has_room(&self, limit: usize, key: &Key) -> bool {
        self.rows.len() < limit || self.has(key)
    }

    /// Adds to a row of others: calls and latencies are counted together, and repeats are not reported.
    pub(crate) fn count_with_others(
        &mut self,
        limit: usize,
        key: Key,
        sums: Sums,
        latencies: Option<&[u8]>,
    ) -> Result<(), SketchError> {
        let folded =
            key.of_others(false).filter(|folded| self.has_room(limit + MAX_FOLDED_ROWS, folded));
        folded.or(key.of_others(true)).map_or(Ok(()), |key| self.count(key, sums, latencies))
    }

    fn has(&self, key: &Key) -> bool {
        let hash = self.hasher.hash_one(key.words);
        let is_there =
            |place: &Place| place.hash == hash && self.rows[place.row].0.words == key.words;
        let places = self.places.get(&(key.width, key.bucket));
        places.is_some_and(|places| places.find(hash, is_there).is_some())
    }

    /// Adds to the row of a key.
    pub(crate) fn count(
        &mut self,
        key: Key,
        sums: Sums,
        latencies: Option<&[u8]>,
    ) -> Result<(), SketchError> {
        let Self { hasher, places, rows, came } = self;
        let hash = hasher.hash_one(key.words);
        let is_there = |place: &Place| place.hash == hash && rows[place.row].0.words == key.words;
        let places = places.entry((key.width, key.bucket)).or_default();
        let mut come = |packed: &[u8]| {
            let before = came.len();
            came.extend_from_slice(packed);
            Sketch::AsItCame(before..came.len())
        };
        match places.entry(hash, is_there, |place| place.hash) {
            Entry::Occupied(place) => {
                let (_, counts) = &mut rows[place.get().row];
                counts.sums.add(&sums);
                counts.latencies = match (counts.latencies.take(), latencies) {
                    (Some(there), Some(packed)) => {
                        Some(Sketch::Added(add_packed(there.packed(came), packed)?))
                    }
                    (None, Some(packed)) => Some(come(packed)),
                    (there, None) => there,
                };
            }
            Entry::Vacant(place) => {
                place.insert(Place { hash, row: rows.len() });
                rows.push((key, Counts { sums, latencies: latencies.map(come) }));
            }
        }
        Ok(())
    }

    pub(crate) fn len(&self) -> usize {
        self.rows.len()
    }

    /// Iterates over the rows: keys, sums, and packed latencies.
    pub(crate) fn rows(&self) -> impl Iterator<Item = (&Key, Sums, Option<&[u8]>)> {
        self.rows.iter().map(|(key, Counts { sums, latencies })| {
            (key, *sums, latencies.as_ref().map(|sketch| sketch.packed(&self.came)))
        })
    }
}

/// Maximum number of rows of any client and user in a shard, in addition to its other rows, before methods are
/// counted together, too (chosen by jvmwire).
const MAX_FOLDED_ROWS: usize = 16 << 10;
