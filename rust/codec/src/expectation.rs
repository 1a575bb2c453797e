//! Calls that resemble faults but are expected: methods that wait, run in the background or are rejected by
//! design.
//!
//! Each protocol has one table of them. A report must not call a long poll slow, or count a heartbeat as an
//! application's call.

/// Expected behaviour of the calls of one method.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Expectation {
    /// Cause of the duration of the method's calls.
    pub pace: Pace,
    /// Error classes that are a regular answer or the end of a race, and not a fault.
    pub refusals: &'static [&'static str],
}

/// Pace of a method: the cause of its calls and of their duration.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum Pace {
    /// Work of the server, requested by an application.
    #[default]
    Ordinary,
    /// Another client: a long poll, a lock, a barrier or a task. The reply may never arrive.
    Waits,
    /// A timer of the system: heartbeats, periodic reports, polling of one server by another.
    Background,
}

impl Pace {
    /// Name in tables; an ordinary pace has none.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Ordinary => "",
            Self::Waits => "waits",
            Self::Background => "background",
        }
    }
}

impl Expectation {
    /// Whether this error is expected by design.
    #[must_use]
    pub fn is_refusal(&self, error_class: &str) -> bool {
        self.refusals.contains(&error_class)
    }
}

/// Name of a method in the table `calls`, and its expected behaviour. Tables are sorted by name.
pub type Expected = (&'static str, Expectation);

/// Entry of a method whose calls wait.
pub(crate) const fn waits(method: &'static str) -> Expected {
    (method, Expectation { pace: Pace::Waits, refusals: &[] })
}

/// Entry of a method that a timer calls.
pub(crate) const fn background(method: &'static str) -> Expected {
    (method, Expectation { pace: Pace::Background, refusals: &[] })
}

/// Entry of a method whose calls may fail with these classes.
pub(crate) const fn refused(method: &'static str, refusals: &'static [&'static str]) -> Expected {
    (method, Expectation { pace: Pace::Ordinary, refusals })
}

/// Returns the expected behaviour of a method from a protocol's table.
#[must_use]
pub fn expectation(table: &'static [Expected], method: &str) -> Expectation {
    let found = table.binary_search_by(|(name, _)| (*name).cmp(method));
    found.map_or_else(|_| Expectation::default(), |at| table[at].1)
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// Checks that a table is sorted, and that it has exactly the entries for which `reasons` has a reason.
    pub(crate) fn check(table: &[Expected], reasons: &[(&str, &str)], known: &[String]) {
        assert!(table.is_sorted_by(|(one, _), (next, _)| one < next));
        for (method, expectation) in table {
            assert!(reasons.iter().any(|(name, _)| name == method), "no reason for {method}");
            assert!(known.iter().any(|name| name == method), "no method {method}");
            assert_ne!(*expectation, Expectation::default(), "{method}");
        }
        for (method, reason) in reasons {
            assert!(!reason.is_empty());
            assert!(table.iter().any(|(name, _)| name == method), "{method} is not in the table");
        }
    }
}
