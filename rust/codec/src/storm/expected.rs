//! Requests that Storm sends to a component by a timer.

use crate::expectation::{Expected, background};

/// In order of name.
pub static EXPECTED: &[Expected] = &[background("heartbeat")];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expectation::tests::check;

    /// All calls that a conversation has; `next` must return at once, and a `tuple` is work.
    const CALLS: [&str; 8] =
        ["ack", "activate", "deactivate", "emit", "fail", "heartbeat", "next", "tuple"];

    #[test]
    fn every_expectation_has_a_reason() {
        check(EXPECTED, &[("heartbeat", "a bolt, every second")], &CALLS.map(str::to_owned));
    }
}
