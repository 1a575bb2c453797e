//! How long calls took: a sketch of which any share's time can be asked.

use serde::{Deserialize, Serialize};

/// Times in microseconds, counted in bins that are at most a sixteenth of their times wide.
///
/// Sketches that are merged, in whatever order, are the sketch of all their times.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
pub struct Latencies {
    longest: u64,
    /// The longest time that falls into it, and its calls: in order, none of them empty.
    bins: Vec<(u64, u64)>,
}

/// What is no packed sketch.
#[derive(Debug, thiserror::Error)]
#[error("not a packed sketch of latencies: {0}")]
pub struct NotLatencies(#[from] postcard::Error);

impl Latencies {
    /// Counts `calls` that took this long; those of less than no time took none.
    pub fn add(&mut self, micros: i64, calls: u64) {
        if calls > 0 {
            let micros = micros.max(0).cast_unsigned();
            self.longest = self.longest.max(micros);
            self.count(micros, calls);
        }
    }

    /// Counts what `other` has counted.
    pub fn merge(&mut self, other: &Self) {
        self.longest = self.longest.max(other.longest);
        for (micros, calls) in other.bins.iter().filter(|(_, calls)| *calls > 0) {
            self.count(*micros, *calls);
        }
    }

    /// Writes the sketch into a few bytes.
    #[must_use]
    pub fn pack(&self) -> Vec<u8> {
        postcard::to_stdvec(self).unwrap_or_else(|error| unreachable!("memory grows: {error}"))
    }

    /// Reads what [`Self::pack`] wrote; whatever else can be read is a sketch, too.
    ///
    /// # Errors
    /// [`NotLatencies`] if it was not that.
    pub fn unpack(bytes: &[u8]) -> Result<Self, NotLatencies> {
        let read: Self = postcard::from_bytes(bytes)?;
        let are_bins = read.bins.is_sorted_by(|(first, _), (second, _)| first < second)
            && read
                .bins
                .iter()
                .all(|(upper, calls)| longest_of_bin(*upper) == *upper && *calls > 0);
        if are_bins {
            return Ok(read);
        }
        let mut made = Self::default();
        made.merge(&read);
        Ok(made)
    }

    /// How many calls were counted.
    #[must_use]
    pub fn calls(&self) -> u64 {
        self.bins.iter().fold(0, |sum, (_, calls)| sum.saturating_add(*calls))
    }

    /// The longest time, to the microsecond; 0 without calls.
    #[must_use]
    pub fn longest(&self) -> i64 {
        i64::try_from(self.longest).unwrap_or(i64::MAX)
    }

    /// The bins that are not empty: the longest time that falls into it, and its calls.
    pub fn bins(&self) -> impl Iterator<Item = (i64, u64)> {
        self.bins.iter().map(|(upper, calls)| (i64::try_from(*upper).unwrap_or(i64::MAX), *calls))
    }

    /// The time that a share of the calls did not exceed, or up to a sixteenth more; 0 without calls.
    #[must_use]
    pub fn quantile(&self, share: f64) -> i64 {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_precision_loss,
            clippy::cast_sign_loss,
            reason = "a share of so many calls is not exact, and one below nought is nought"
        )]
        let rank = (share * self.calls() as f64).ceil() as u64;
        let mut left = rank.max(1);
        for (upper, calls) in self.bins() {
            if left <= calls {
                return upper.min(self.longest());
            }
            left -= calls;
        }
        self.longest()
    }

    /// How many calls are in bins that reach beyond this time.
    #[must_use]
    pub fn above(&self, micros: i64) -> u64 {
        let beyond = self.bins().filter(|(upper, _)| *upper > micros);
        beyond.fold(0, |sum, (_, calls)| sum.saturating_add(calls))
    }

    fn count(&mut self, micros: u64, calls: u64) {
        let upper = longest_of_bin(micros);
        match self.bins.binary_search_by_key(&upper, |(upper, _)| *upper) {
            Ok(at) => self.bins[at].1 = self.bins[at].1.saturating_add(calls),
            Err(at) => self.bins.insert(at, (upper, calls)),
        }
    }
}

/// The longest time that is counted with this one: each below 32 for itself, sixteen bins an octave.
fn longest_of_bin(micros: u64) -> u64 {
    let below = (u64::BITS - micros.leading_zeros()).saturating_sub(BITS);
    micros | ((1 << below) - 1)
}

/// How many of a time's leading binary digits tell its bin: sixteen values of the four behind the first.
const BITS: u32 = 5;

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
        prop_oneof![0..100_i64, 0..10_000_000_i64, 0..=i64::MAX]
    }

    #[test]
    fn short_times_are_told_exactly_and_no_time_is_too_long() {
        let latencies = of(&[31, i64::MIN, 7, i64::MAX]);
        assert_eq!(bins(&latencies), [(0, 1), (7, 1), (31, 1), (i64::MAX, 1)]);
        assert_eq!((latencies.quantile(1.0), latencies.longest()), (i64::MAX, i64::MAX));
    }

    #[test]
    fn nothing_has_no_times() {
        let nothing = Latencies::default();
        assert_eq!((nothing.calls(), nothing.quantile(0.5), nothing.above(-1)), (0, 0, 0));
    }

    #[test]
    fn no_quantile_exceeds_the_longest_time() {
        assert_eq!(of(&[1_001, 1_001]).quantile(0.5), 1_001);
    }

    #[test]
    fn what_is_no_sketch_is_refused() {
        let packed = of(&[5, 1000]).pack();
        let error = Latencies::unpack(&packed[..packed.len() - 1]).unwrap_err();
        assert!(error.to_string().starts_with("not a packed sketch of latencies: "), "{error}");
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
        fn a_packed_sketch_is_the_same(times in prop::collection::vec(time(), 0..40)) {
            let sketch = of(&times);
            let again = Latencies::unpack(&sketch.pack()).unwrap();
            prop_assert_eq!((bins(&again), again.longest()), (bins(&sketch), sketch.longest()));
        }

        #[test]
        fn what_can_be_unpacked_has_bins_in_order_and_none_is_empty(
            packed in (any::<u64>(), prop::collection::vec(any::<(u64, u64)>(), 0..20)),
        ) {
            let sketch = Latencies::unpack(&postcard::to_stdvec(&packed).unwrap()).unwrap();
            prop_assert!(sketch.bins.is_sorted_by(|(first, _), (second, _)| first < second));
            prop_assert!(sketch.bins.iter().all(|(_, calls)| *calls > 0));
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
