//! Directory of a call's target, at most a number of levels below the root.

use crate::protocol::Protocol;

/// Returns the directory that a call is counted in, at most `depth` levels below the root, at least one.
///
/// `is_directory` states that the target itself is a directory, or a structure, or a segment: of a file, its
/// parent is meant. `None` for the empty target.
pub(crate) fn directory_of(target: &str, is_directory: bool, depth: usize) -> Option<&str> {
    let path = target.trim_end_matches('/');
    if path.is_empty() {
        return target.get(..target.len().min(1)).filter(|root| !root.is_empty());
    }
    // A slash at the very start is that of the root.
    let (mut last, mut levels) = (0, 0);
    for (at, byte) in path.bytes().enumerate() {
        if byte == b'/' && at > 0 {
            (last, levels) = (at, levels + 1);
            if levels == depth {
                return path.get(..at);
            }
        }
    }
    match (is_directory, last) {
        (false, 0) if path.starts_with('/') => Some("/"),
        (true, _) | (false, 0) => Some(path),
        (false, last) => path.get(..last),
    }
}

/// Returns the directory above; `None` for the topmost one.
pub(crate) fn parent(directory: &str) -> Option<&str> {
    let at = directory.bytes().rposition(|byte| byte == b'/')?;
    match at {
        0 if directory.len() > 1 => Some("/"),
        0 => None,
        at => directory.get(..at),
    }
}

/// Whether the target of a method is counted as it is, as structures, segments and components are. Of Hadoop's
/// methods only some take a directory: for others, the last part of the path may be a file.
pub(crate) fn takes_directory(protocol: Option<Protocol>, method: &str) -> bool {
    let (_, method) = method.rsplit_once('.').unwrap_or(("", method));
    protocol != Some(Protocol::Hadoop) || DIRECTORY_METHODS.contains(&method)
}

/// Maximum number of levels of a directory in the table `traffic`.
pub(crate) const MAX_DEPTH: usize = 4;
/// Methods of `ClientProtocol` whose path is that of a directory.
const DIRECTORY_METHODS: [&str; 10] = [
    "getListing",
    "getBatchedListing",
    "getContentSummary",
    "getQuotaUsage",
    "setQuota",
    "allowSnapshot",
    "disallowSnapshot",
    "createSnapshot",
    "getSnapshotDiffReport",
    "getSnapshotDiffReportListing",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_is_counted_in_its_directory_and_a_directory_in_itself() {
        for (target, of_file, of_directory) in [
            ("/data/events/part-0", "/data/events", "/data/events/part-0"),
            ("/data/events/", "/data", "/data/events"),
            ("/a/b/c/d/e/f", "/a/b/c/d", "/a/b/c/d"),
            ("/a/b/c/d", "/a/b/c", "/a/b/c/d"),
            ("/x", "/", "/x"),
            ("/", "/", "/"),
            ("//", "/", "/"),
            ("orders", "orders", "orders"),
            ("scope/stream/0.#epoch.0", "scope/stream", "scope/stream/0.#epoch.0"),
            ("/\u{e4}/\u{f6}", "/\u{e4}", "/\u{e4}/\u{f6}"),
        ] {
            assert_eq!(directory_of(target, false, MAX_DEPTH), Some(of_file), "{target}");
            assert_eq!(directory_of(target, true, MAX_DEPTH), Some(of_directory), "{target}");
        }
        assert_eq!(directory_of("", true, MAX_DEPTH), None);
    }

    #[test]
    fn directories_lead_to_the_root() {
        let mut path = Some("/a/b/c/d");
        let mut above = Vec::new();
        while let Some(directory) = path {
            above.push(directory);
            path = parent(directory);
        }
        assert_eq!(above, ["/a/b/c/d", "/a/b/c", "/a/b", "/a", "/"]);
        assert_eq!(parent("scope/stream"), Some("scope"));
        assert_eq!(parent("orders"), None);
    }

    #[test]
    fn methods_of_directories_are_known_with_and_without_their_interface() {
        let hadoop = Some(Protocol::Hadoop);
        assert!(takes_directory(hadoop, "ClientProtocol.getListing"));
        assert!(takes_directory(hadoop, "getListing"));
        assert!(!takes_directory(hadoop, "ClientProtocol.getFileInfo"));
        assert!(takes_directory(Some(Protocol::Hazelcast), "Map.get"));
    }
}
