//! Calls that look like trouble and are not: methods that wait, run in the background or are refused by design.
//!
//! Each protocol keeps one table beside its methods. A report must neither call a long poll slow nor a
//! heartbeat a caller.

/// Expected behaviour of the calls of one method.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Expectation {
    /// What the time of the method's calls depends on.
    pub pace: Pace,
    /// Classes of errors that answer a question or end a race, and report no fault.
    pub refusals: &'static [&'static str],
}

/// Pace of a method: the cause of its calls, and of their duration.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum Pace {
    /// The server's work, on request of an application.
    #[default]
    Ordinary,
    /// Another client: a long poll, a lock, a barrier or a task. The reply may never come.
    Waits,
    /// A timer of the system itself: heartbeats, periodic reports, polling of one server by another.
    Background,
}

impl Pace {
    /// The name in tables; an ordinary pace has none.
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
    /// Whether this error is a refusal by design.
    #[must_use]
    pub fn is_refusal(&self, error_class: &str) -> bool {
        self.refusals.contains(&error_class)
    }
}

/// A method by its name in the table `calls`, and what is normal for it. Tables are in order of name.
pub type Expected = (&'static str, Expectation);

/// The method's calls wait.
pub(crate) const fn waits(method: &'static str) -> Expected {
    (method, Expectation { pace: Pace::Waits, refusals: &[] })
}

/// The method's calls are made by a timer.
pub(crate) const fn background(method: &'static str) -> Expected {
    (method, Expectation { pace: Pace::Background, refusals: &[] })
}

/// The method's calls may be refused with these classes.
pub(crate) const fn refused(method: &'static str, refusals: &'static [&'static str]) -> Expected {
    (method, Expectation { pace: Pace::Ordinary, refusals })
}

/// Expected behaviour of the method of that name in a protocol's table.
#[must_use]
pub fn expectation(table: &'static [Expected], method: &str) -> Expectation {
    let found = table.binary_search_by(|(name, _)| (*name).cmp(method));
    found.map_or_else(|_| Expectation::default(), |at| table[at].1)
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// Checks that a table is in order, and that it says of each method what `reasons` give a reason for.
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
