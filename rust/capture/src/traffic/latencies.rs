//! Sketch of the durations of calls, with the duration at any quantile.

use hdrhistogram::Histogram;
use serde::{Deserialize, Serialize};

/// Sketch of durations in microseconds, counted in bins whose width is at most a sixteenth of the duration.
///
/// Merged sketches, in any order, are equal to the sketch of all durations.
#[derive(Clone, Debug)]
pub struct Latencies {
    histogram: Histogram<u64>,
    longest: i64,
}

/// The bytes are not a packed sketch.
#[derive(Debug, thiserror::Error)]
#[error("not a packed sketch of latencies: {0}")]
pub struct SketchError(#[from] postcard::Error);

/// A sketch as it is packed.
#[derive(Deserialize, Serialize)]
struct PackedRow {
    longest: i64,
    /// Duration of each bin that is not empty, and its number of calls.
    bins: Vec<(i64, u64)>,
}

/// Merges two packed sketches, with the same result as merging the sketches and packing the result.
///
/// # Errors
/// [`SketchError`] if one was not packed by [`Latencies::pack`].
pub(crate) fn add_packed(one: &[u8], other: &[u8]) -> Result<Vec<u8>, SketchError> {
    let (one, other): (PackedRow, PackedRow) =
        (postcard::from_bytes(one)?, postcard::from_bytes(other)?);
    let mut bins = one.bins;
    bins.extend(other.bins);
    bins.sort_by_key(|(micros, _)| *micros);
    bins.dedup_by(|(micros, calls), (bin, all)| {
        let is_of_bin = micros == bin;
        *all = all.saturating_add(if is_of_bin { *calls } else { 0 });
        is_of_bin
    });
    Ok(packed(&PackedRow { longest: one.longest.max(other.longest), bins }))
}

fn packed(sketch: &PackedRow) -> Vec<u8> {
    postcard::to_stdvec(sketch).unwrap_or_else(|error| unreachable!("memory grows: {error}"))
}

impl Default for Latencies {
    fn default() -> Self {
        let histogram = Histogram::new(SIGNIFICANT_DIGITS)
            .unwrap_or_else(|error| unreachable!("so many digits can be had: {error}"));
        Self { histogram, longest: 0 }
    }
}

impl Latencies {
    /// Counts `calls` with this duration; a negative duration counts as 0.
    pub fn add(&mut self, micros: i64, calls: u64) {
        if calls > 0 {
            self.longest = self.longest.max(micros.min(LONGEST));
            self.count(micros, calls);
        }
    }

    /// Adds the counts of `other`.
    pub fn merge(&mut self, other: &Self) {
        self.longest = self.longest.max(other.longest);
        for (micros, calls) in other.bins() {
            self.count(micros, calls);
        }
    }

    /// Encodes the sketch in a few bytes.
    #[must_use]
    pub fn pack(&self) -> Vec<u8> {
        packed(&PackedRow { longest: self.longest, bins: self.bins().collect() })
    }

    /// Adds the counts of a sketch that [`Self::pack`] wrote; other bytes that can be decoded are accepted,
    /// too.
    ///
    /// # Errors
    /// [`SketchError`] if the bytes cannot be decoded; nothing was added then.
    pub fn merge_packed(&mut self, bytes: &[u8]) -> Result<(), SketchError> {
        let packed: PackedRow = postcard::from_bytes(bytes)?;
        self.longest = self.longest.max(packed.longest.min(LONGEST));
        // The longest first: the histogram grows but once.
        for (micros, calls) in packed.bins.into_iter().rev() {
            self.count(micros, calls);
        }
        Ok(())
    }

    /// Number of bytes of memory of the sketch: a few hundred, and up to eight thousand for long durations.
    #[must_use]
    pub(crate) fn held(&self) -> usize {
        size_of::<Self>() + self.histogram.distinct_values() * size_of::<u64>()
    }

    /// Number of calls.
    #[must_use]
    pub fn calls(&self) -> u64 {
        self.histogram.len()
    }

    /// Longest duration, exact to the microsecond; 0 without calls.
    #[must_use]
    pub fn longest(&self) -> i64 {
        self.longest
    }

    /// Iterates over the bins that are not empty: the longest duration of the bin, and its number of calls.
    pub fn bins(&self) -> impl Iterator<Item = (i64, u64)> {
        self.histogram
            .iter_recorded()
            .map(|bin| (bin.value_iterated_to().cast_signed(), bin.count_at_value()))
    }

    /// Duration that a share of the calls did not exceed, or up to a sixteenth more; 0 without calls.
    #[must_use]
    pub fn quantile(&self, share: f64) -> i64 {
        self.histogram.value_at_quantile(share).cast_signed().min(self.longest)
    }

    /// Number of calls in bins that extend beyond this duration.
    #[must_use]
    pub fn above(&self, micros: i64) -> u64 {
        let micros = micros.max(-1);
        // Beyond its longest time the library counts the last bin.
        if self.histogram.max().cast_signed() <= micros {
            return 0;
        }
        self.histogram.count_between((micros + 1).cast_unsigned(), u64::MAX)
    }

    fn count(&mut self, micros: i64, calls: u64) {
        // The library adds up all calls, and sees no overflow.
        let calls = calls.min(u64::MAX - self.calls());
        let micros = micros.clamp(0, LONGEST).cast_unsigned();
        let counted = self.histogram.record_n(micros, calls);
        counted.unwrap_or_else(|error| unreachable!("it grows: {error}"));
    }
}

/// One significant decimal digit: sixteen bins per octave, and a separate bin for each duration below 32.
const SIGNIFICANT_DIGITS: u8 = 1;
/// Maximum value of the library's histograms.
const LONGEST: i64 = i64::MAX / 2;

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn sketch(times: &[i64]) -> Latencies {
        let mut latencies = Latencies::default();
        for time in times {
            latencies.add(*time, 1);
        }
        latencies
    }

    fn unpacked(packed: &[u8]) -> Result<Latencies, SketchError> {
        let mut latencies = Latencies::default();
        latencies.merge_packed(packed).map(|()| latencies)
    }

    fn bins(latencies: &Latencies) -> Vec<(i64, u64)> {
        latencies.bins().collect()
    }

    fn time() -> impl Strategy<Value = i64> {
        prop_oneof![0..100_i64, 0..10_000_000_i64, 0..=LONGEST]
    }

    #[test]
    fn short_times_are_exact_and_no_time_is_too_long() {
        let latencies = sketch(&[31, i64::MIN, 7, i64::MAX]);
        assert_eq!(bins(&latencies)[..3], [(0, 1), (7, 1), (31, 1)]);
        assert_eq!((latencies.quantile(1.0), latencies.longest()), (LONGEST, LONGEST));
    }

    #[test]
    fn nothing_has_no_times() {
        let nothing = Latencies::default();
        assert_eq!((nothing.calls(), nothing.quantile(0.5), nothing.above(-1)), (0, 0, 0));
    }

    #[test]
    fn no_quantile_exceeds_the_longest_time() {
        assert_eq!(sketch(&[1_001, 1_001]).quantile(0.5), 1_001);
    }

    #[test]
    fn invalid_sketch_is_refused() {
        let packed = sketch(&[5, 1000]).pack();
        let error = unpacked(&packed[..packed.len() - 1]).unwrap_err();
        assert!(error.to_string().starts_with("not a packed sketch of latencies: "), "{error}");
    }

    proptest! {
        #[test]
        fn merging_does_not_matter(
            parts in prop::collection::vec(prop::collection::vec(time(), 0..20), 0..6),
        ) {
            let whole = sketch(&parts.concat());
            let (mut there, mut back) = (Latencies::default(), Latencies::default());
            for part in &parts {
                there.merge(&sketch(part));
            }
            for part in parts.iter().rev() {
                back.merge(&sketch(part));
            }
            prop_assert_eq!(bins(&there), bins(&whole));
            prop_assert_eq!(bins(&back), bins(&whole));
            prop_assert_eq!(there.calls(), whole.calls());
        }

        #[test]
        fn packed_sketches_add_up_to_the_merged_sketch(
            one in prop::collection::vec(time(), 0..40),
            other in prop::collection::vec(time(), 0..40),
        ) {
            let whole = sketch(&[&one[..], &other].concat());
            prop_assert_eq!(add_packed(&sketch(&one).pack(), &sketch(&other).pack()).unwrap(), whole.pack());
        }

        #[test]
        fn packed_sketch_is_the_same(times in prop::collection::vec(time(), 0..40)) {
            let sketch = sketch(&times);
            let again = unpacked(&sketch.pack()).unwrap();
            prop_assert_eq!((bins(&again), again.longest()), (bins(&sketch), sketch.longest()));
        }

        #[test]
        fn unpacked_sketch_has_ordered_nonempty_bins(
            longest in any::<i64>(),
            packed in prop::collection::vec(any::<(i64, u64)>(), 0..20),
        ) {
            let packed = PackedRow { longest, bins: packed };
            let sketch = unpacked(&postcard::to_stdvec(&packed).unwrap()).unwrap();
            let bins = bins(&sketch);
            prop_assert!(bins.is_sorted_by(|(first, _), (second, _)| first < second));
            prop_assert!(bins.iter().all(|(_, calls)| *calls > 0));
            prop_assert!(sketch.quantile(1.0) <= sketch.longest());
        }

        #[test]
        fn quantile_is_at_most_a_sixteenth_more_than_the_time(
            mut times in prop::collection::vec(time(), 1..40),
            rank in 1..=40_usize,
        ) {
            let rank = rank.min(times.len());
            let sketch = sketch(&times);
            times.sort_unstable();
            let exact = times[rank - 1];
            // Halfway between two ranks, so that rounding does not choose the rank.
            #[expect(clippy::cast_precision_loss, reason = "there are forty at most")]
            let share = (rank as f64 - 0.5) / times.len() as f64;
            let found = sketch.quantile(share);
            prop_assert!(found >= exact && found - exact <= exact / 16, "{found} {exact}");
        }

        #[test]
        fn sketch_counts_longer_times_above_and_no_much_shorter_ones(
            times in prop::collection::vec(time(), 0..40),
            than in time(),
        ) {
            let above = sketch(&times).above(than);
            let count = |least: i64| times.iter().filter(|time| **time > least).count() as u64;
            prop_assert!((count(than)..=count(than - than / 16 - 1)).contains(&above));
        }
    }
}
