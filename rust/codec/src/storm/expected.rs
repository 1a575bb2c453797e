//! Requests to a component that a timer of Storm sends.

use crate::expectation::{Expected, background};

/// Expected behaviour, sorted by name.
pub static EXPECTED: &[Expected] = &[background("heartbeat")];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expectation::tests::check;

    /// All calls of a conversation; `next` must return at once, and a `tuple` is work.
    const CALLS: [&str; 8] =
        ["ack", "activate", "deactivate", "emit", "fail", "heartbeat", "next", "tuple"];

    #[test]
    fn every_expectation_has_a_reason() {
        check(EXPECTED, &[("heartbeat", "a bolt, every second")], &CALLS.map(str::to_owned));
    }
}
