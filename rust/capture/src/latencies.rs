//! How long calls took: a sketch of which any share's time can be asked.

use hdrhistogram::Histogram;

/// Times in microseconds, counted in bins that are at most a sixteenth of their times wide.
///
/// Sketches that are merged, in whatever order, are the sketch of all their times.
#[derive(Clone, Debug)]
pub struct Latencies(Histogram<u64>);

impl Default for Latencies {
    fn default() -> Self {
        let histogram = Histogram::new(SIGNIFICANT_DIGITS)
            .unwrap_or_else(|error| unreachable!("so many digits can be had: {error}"));
        Self(histogram)
    }
}

impl Latencies {
    /// Counts `calls` that took this long; those of less than no time took none.
    pub fn add(&mut self, micros: i64, calls: u64) {
        let micros = micros.clamp(0, LONGEST).cast_unsigned();
        self.0.record_n(micros, calls).unwrap_or_else(|error| unreachable!("it grows: {error}"));
    }

    /// Counts what `other` has counted.
    pub fn merge(&mut self, other: &Self) {
        self.0.add(&other.0).unwrap_or_else(|error| unreachable!("it grows: {error}"));
    }

    /// How many calls were counted.
    #[must_use]
    pub fn calls(&self) -> u64 {
        self.0.len()
    }

    /// The bins that are not empty: the longest time that falls into it, and its calls.
    pub fn bins(&self) -> impl Iterator<Item = (i64, u64)> {
        self.0
            .iter_recorded()
            .map(|bin| (bin.value_iterated_to().cast_signed(), bin.count_at_value()))
    }

    /// The time that a share of the calls did not exceed, or up to a sixteenth more; 0 without calls.
    #[must_use]
    pub fn quantile(&self, share: f64) -> i64 {
        self.0.value_at_quantile(share).cast_signed()
    }

    /// How many calls are in bins that reach beyond this time.
    #[must_use]
    pub fn above(&self, micros: i64) -> u64 {
        let micros = micros.max(-1);
        // Beyond its longest time the library counts the last bin.
        if self.quantile(1.0) <= micros {
            return 0;
        }
        self.0.count_between((micros + 1).cast_unsigned(), u64::MAX)
    }
}

/// One decimal digit that can be relied on: sixteen bins an octave, and each time below 32 its own.
const SIGNIFICANT_DIGITS: u8 = 1;
/// What the library's histograms grow to.
const LONGEST: i64 = i64::MAX / 2;

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn of(times: &[i64]) -> Latencies {
        let mut latencies = Latencies::default();
        for time in times {
            latencies.add(*time, 1);
        }
        latencies
    }

    fn bins(latencies: &Latencies) -> Vec<(i64, u64)> {
        latencies.bins().collect()
    }

    fn time() -> impl Strategy<Value = i64> {
        prop_oneof![0..100_i64, 0..10_000_000_i64, 0..=LONGEST]
    }

    #[test]
    fn short_times_are_told_exactly_and_no_time_is_too_long() {
        let latencies = of(&[31, i64::MIN, 7, i64::MAX]);
        let longest = latencies.quantile(1.0);
        assert_eq!(bins(&latencies), [(0, 1), (7, 1), (31, 1), (longest, 1)]);
        assert!(longest >= LONGEST);
    }

    #[test]
    fn nothing_has_no_times() {
        let nothing = Latencies::default();
        assert_eq!((nothing.calls(), nothing.quantile(0.5), nothing.above(-1)), (0, 0, 0));
    }

    proptest! {
        #[test]
        fn merging_does_not_matter(
            parts in prop::collection::vec(prop::collection::vec(time(), 0..20), 0..6),
        ) {
            let whole = of(&parts.concat());
            let (mut there, mut back) = (Latencies::default(), Latencies::default());
            for part in &parts {
                there.merge(&of(part));
            }
            for part in parts.iter().rev() {
                back.merge(&of(part));
            }
            prop_assert_eq!(bins(&there), bins(&whole));
            prop_assert_eq!(bins(&back), bins(&whole));
            prop_assert_eq!(there.calls(), whole.calls());
        }

        #[test]
        fn a_sketch_is_made_again_of_its_bins(times in prop::collection::vec(time(), 0..40)) {
            let (sketch, mut again) = (of(&times), Latencies::default());
            for (upper, calls) in sketch.bins() {
                again.add(upper, calls);
            }
            prop_assert_eq!(bins(&again), bins(&sketch));
        }

        #[test]
        fn a_quantile_is_at_most_a_sixteenth_more_than_the_time(
            mut times in prop::collection::vec(time(), 1..40),
            rank in 1..=40_usize,
        ) {
            let rank = rank.min(times.len());
            let sketch = of(&times);
            times.sort_unstable();
            let exact = times[rank - 1];
            // Halfway between two ranks: what is asked for is not a matter of rounding.
            #[expect(clippy::cast_precision_loss, reason = "there are forty at most")]
            let share = (rank as f64 - 0.5) / times.len() as f64;
            let found = sketch.quantile(share);
            prop_assert!(found >= exact && found - exact <= exact / 16, "{found} {exact}");
        }

        #[test]
        fn what_is_above_a_time_is_all_that_is_longer_and_not_what_is_much_shorter(
            times in prop::collection::vec(time(), 0..40),
            than in time(),
        ) {
            let above = of(&times).above(than);
            let count = |least: i64| times.iter().filter(|time| **time > least).count() as u64;
            prop_assert!((count(than)..=count(than - than / 16 - 1)).contains(&above));
        }
    }
}
