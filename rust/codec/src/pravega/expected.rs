//! Pravega's commands that wait for events, or that are refused where nothing is wrong.

use crate::expectation::{Expected, refused, waits};

const LOOKUP: &[&str] = &["NoSuchSegment"];
const TABLE_LOOKUP: &[&str] = &["NoSuchSegment", "TableKeyDoesNotExist"];
const RACE: &[&str] = &["TableKeyBadVersion", "TableKeyDoesNotExist"];
const CONDITION: &[&str] = &["ConditionalCheckFailed"];
const CREATED: &[&str] = &["SegmentAlreadyExists"];
const SEALED: &[&str] = &["SegmentIsSealed"];

/// In order of name. The first proposal has no other commands than these, and none of their refusals.
pub static EXPECTED: &[Expected] = &[
    refused("AppendBlockEnd", SEALED),
    refused("ConditionalAppend", CONDITION),
    refused("ConditionalBlockEnd", CONDITION),
    refused("CreateSegment", CREATED),
    refused("CreateTableSegment", CREATED),
    refused("DeleteSegment", LOOKUP),
    refused("DeleteTableSegment", LOOKUP),
    refused("GetSegmentAttribute", LOOKUP),
    refused("GetStreamSegmentInfo", LOOKUP),
    refused("GetTableSegmentInfo", LOOKUP),
    waits("ReadSegment"),
    refused("ReadTable", TABLE_LOOKUP),
    refused("ReadTableEntries", TABLE_LOOKUP),
    refused("ReadTableEntriesDelta", TABLE_LOOKUP),
    refused("ReadTableKeys", TABLE_LOOKUP),
    refused("RemoveTableKeys", RACE),
    refused("SetupAppend", SEALED),
    refused("UpdateTableEntries", RACE),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{expectation::tests::check, pravega::commands::COMMANDS};

    const REASONS: &[(&str, &str)] = &[
        ("AppendBlockEnd", "scaling seals segments: the writer goes on with the successors"),
        ("ConditionalAppend", "compare and set: another writer was first"),
        ("ConditionalBlockEnd", "compare and set: another writer was first"),
        ("CreateSegment", "the controller repeats its steps, and takes this for done"),
        ("CreateTableSegment", "the controller repeats its steps, and takes this for done"),
        ("DeleteSegment", "the controller repeats its steps, and takes this for done"),
        ("DeleteTableSegment", "the controller repeats its steps, and takes this for done"),
        ("GetSegmentAttribute", "how a client asks whether a segment is there"),
        ("GetStreamSegmentInfo", "how a client asks whether a segment is there"),
        ("GetTableSegmentInfo", "how a controller asks whether a table is there"),
        (
            "ReadSegment",
            "a read at the tail waits up to 2 s for events, or until the reader leaves",
        ),
        ("ReadTable", "how a controller looks up what is not there"),
        ("ReadTableEntries", "how a controller looks up what is not there"),
        ("ReadTableEntriesDelta", "how a controller looks up what is not there"),
        ("ReadTableKeys", "how a controller looks up what is not there"),
        ("RemoveTableKeys", "optimistic: another controller was first"),
        ("SetupAppend", "scaling seals segments: the writer goes on with the successors"),
        ("UpdateTableEntries", "optimistic: another controller was first"),
    ];

    #[test]
    fn every_expectation_has_a_reason_and_every_command_was_reviewed() {
        let names: Vec<_> = COMMANDS.iter().map(|command| command.name.to_owned()).collect();
        check(EXPECTED, REASONS, &names);
        for (_, expectation) in EXPECTED {
            for refusal in expectation.refusals {
                assert!(names.iter().any(|name| name == refusal), "no reply {refusal}");
            }
        }
        // A command that a later version adds must be judged: does it wait, or look something up?
        assert_eq!(names.len(), JUDGED);
    }

    const JUDGED: usize = 70;
}
