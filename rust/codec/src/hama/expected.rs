//! Hama's operations that wait for other tasks.

use crate::expectation::{Expected, waits};

/// Expected behaviour, sorted by name.
pub static EXPECTED: &[Expected] = &[waits("SYNC")];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        expectation::tests::check,
        hama::{ResponseFormat, ops::OPS},
    };

    #[test]
    fn every_expectation_has_a_reason_and_every_operation_was_reviewed() {
        let asked = OPS.iter().filter(|op| op.response != ResponseFormat::None);
        let names: Vec<_> = asked.map(|op| op.name.to_owned()).collect();
        check(EXPECTED, &[("SYNC", "the barrier: until every task has come to it")], &names);
        // An operation that a later version adds must be judged: does it wait?
        assert_eq!(names.len(), JUDGED);
    }

    const JUDGED: usize = 10;
}
