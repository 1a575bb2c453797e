//! Jobs and directories of calls, for programs that count calls themselves, by the rules of the table `traffic`.

use std::borrow::Cow;

use arrow_array::{Array, LargeStringArray, StringArray};
use serde::Deserialize;

use crate::{
    protocol::Protocol,
    traffic::{
        directories::{directory_of, takes_directory},
        jobs::job_of,
    },
};

/// Returns the job of each text of the column `attributes`; null for those without a caller context.
#[must_use]
pub fn jobs_of(attributes: &StringArray) -> LargeStringArray {
    // A job may be longer than its context, so offsets of 32 bits may not suffice.
    attributes.iter().map(|text| job_of_attributes(text?)).collect()
}

/// Returns the directory of each call, at most `depth` levels below the root; null for those without a target.
///
/// # Panics
/// If the columns differ in length.
#[must_use]
pub fn directories_of(
    protocols: &StringArray,
    names: &StringArray,
    targets: &StringArray,
    depth: usize,
) -> StringArray {
    assert!(protocols.len() == targets.len() && names.len() == targets.len(), "one row per call");
    let calls = protocols.iter().zip(names).zip(targets);
    let directories = calls.map(|((protocol, name), target)| {
        let is_directory =
            takes_directory(protocol.and_then(Protocol::named), name.unwrap_or_default());
        directory_of(target?, is_directory, depth)
    });
    directories.collect()
}

/// Returns the job in a JSON object of attributes.
fn job_of_attributes(text: &str) -> Option<String> {
    let attributes: Attributes<'_> = serde_json::from_str(text).ok()?;
    let context = attributes.caller_context.filter(|context| !context.is_empty())?;
    Some(job_of(&context).into_owned())
}

/// What is read of the attributes of a call.
#[derive(Deserialize)]
struct Attributes<'a> {
    #[serde(borrow, default)]
    caller_context: Option<Cow<'a, str>>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jobs_are_those_of_the_contexts() {
        let attributes = StringArray::from(vec![
            Some(r#"{"caller_context":"mr_attempt_1700000000000_0042_m_000007_1","x":[1]}"#),
            Some(r#"{"x":{"caller_context":"no"},"caller_context":"a \"quoted\" one"}"#),
            Some(r#"{"caller_context":""}"#),
            Some(r#"{"x":1}"#),
            Some("not JSON"),
            None,
        ]);
        let expected = [
            Some("application_1700000000000_0042"),
            Some("a \"quoted\" one"),
            None,
            None,
            None,
            None,
        ];
        assert!(jobs_of(&attributes).iter().eq(expected));
    }

    #[test]
    fn directories_are_cut_at_the_depth() {
        let protocols = StringArray::from(vec!["hadoop", "hadoop", "pravega", "hadoop"]);
        let names = StringArray::from(vec!["getFileInfo", "getListing", "ReadSegment", "getStats"]);
        let targets =
            StringArray::from(vec![Some("/data/in/x"), Some("/data/in"), Some("scope/s/0"), None]);
        let found = |depth| directories_of(&protocols, &names, &targets, depth);
        assert!(found(2).iter().eq([Some("/data/in"), Some("/data/in"), Some("scope/s"), None]));
        assert!(found(1).iter().eq([Some("/data"), Some("/data"), Some("scope"), None]));
    }
}
