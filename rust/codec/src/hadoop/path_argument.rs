//! The path in the argument of a call, which becomes the target of the call.

use std::{collections::HashMap, ptr, sync::LazyLock};

use super::{Method, services};
use crate::proto::{FieldKind, Label};

/// Number of the argument's field that is a path, if the method takes one.
pub(super) fn path(method: &'static Method) -> Option<u32> {
    /// Field numbers by the address of the method.
    static PATHS: LazyLock<HashMap<usize, u32, ahash::RandomState>> = LazyLock::new(|| {
        let methods = services().iter().flat_map(|service| service.methods);
        methods.filter_map(|method| Some((ptr::from_ref(method).addr(), named(method)?))).collect()
    });
    PATHS.get(&ptr::from_ref(method).addr()).copied()
}

fn named(method: &Method) -> Option<u32> {
    if method.name == LOCAL_FILE {
        return None;
    }
    let fields = method.request.fields;
    let of_name = |name: &&str| {
        fields.iter().find(|field| {
            field.name == *name && field.kind == FieldKind::Text && field.label != Label::Repeated
        })
    };
    Some(NAMES.iter().find_map(of_name)?.number)
}

/// Method whose file name refers to the log directory of the `NameNode`.
const LOCAL_FILE: &str = "metaSave";
/// Names of path fields in `.proto` files. The link comes first, since the target of a link is a path, too.
const NAMES: &[&str] = &["link", "src", "path", "snapshot_root", "trg", "filename"];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Cursor,
        hadoop::{frames::text_field, service},
    };

    fn path_of<'a>(method: &str, argument: &'a [u8]) -> Option<&'a str> {
        let service = service("org.apache.hadoop.hdfs.protocol.ClientProtocol").unwrap();
        text_field(Cursor::new(argument), path(service.method(method).unwrap())?)
    }

    #[test]
    fn path_goes_by_one_of_a_few_names() {
        assert_eq!(path_of("getFileInfo", b"\x0a\x04/a/b"), Some("/a/b"));
        assert_eq!(path_of("abandonBlock", b"\x0a\x00\x12\x02/a\x1a\x01h"), Some("/a"));
        assert_eq!(path_of("createSymlink", b"\x0a\x05/data\x12\x02/l"), Some("/l"));
        assert_eq!(path_of("getServerDefaults", b"\x0a\x04/a/b"), None);
        assert_eq!(path_of("renewLease", b"\x0a\x04name"), None);
        assert_eq!(path_of("metaSave", b"\x0a\x04name"), None);
        assert_eq!(path_of("getFileInfo", b""), None);
    }
}
