use super::{Field, FieldKind, Label, MAX_DEPTH, MessageType, Raw, field, single};
use crate::{Cursor, Problem, Result, visit::Value};

/// Where a single value stands in a message of messages.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Place {
    numbers: Vec<u32>,
    kind: FieldKind,
}

impl Place {
    /// Finds the field that `path` names in messages of the type `of`, as `fs.permission.perm`;
    /// `None` if there is none, or if it or one on the way to it is a list.
    #[must_use]
    pub fn new(of: &'static MessageType, path: &str) -> Option<Self> {
        let mut kind = FieldKind::Message(of);
        let mut numbers = Vec::new();
        for name in path.split('.') {
            let FieldKind::Message(message) = kind else { return None };
            let found: &Field = message.fields.iter().find(|field| field.name == name)?;
            if found.label == Label::Repeated {
                return None;
            }
            numbers.push(found.number);
            kind = found.kind;
        }
        Some(Self { numbers, kind })
    }

    /// How the value is read.
    #[must_use]
    pub fn kind(&self) -> FieldKind {
        self.kind
    }
}

/// Where a list of messages stands in a message of messages.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct ListPlace {
    numbers: Vec<u32>,
    of: &'static MessageType,
}

impl ListPlace {
    /// Finds the list that `path` names in messages of the type `of`, as
    /// `dir_list.partial_listing`; `None` if there is none, or if one on the way to it is a list.
    #[must_use]
    pub fn new(of: &'static MessageType, path: &str) -> Option<Self> {
        let mut message = of;
        let mut numbers = Vec::new();
        let mut names = path.split('.').peekable();
        while let Some(name) = names.next() {
            let found: &Field = message.fields.iter().find(|field| field.name == name)?;
            let FieldKind::Message(inner) = found.kind else { return None };
            if (found.label == Label::Repeated) == names.peek().is_some() {
                return None;
            }
            numbers.push(found.number);
            message = inner;
        }
        Some(Self { numbers, of: message })
    }

    /// What the messages of the list are.
    #[must_use]
    pub fn of(&self) -> &'static MessageType {
        self.of
    }

    /// Finds the messages of the list.
    ///
    /// # Errors
    /// As [`super::field`].
    pub fn find<'a>(&self, message: Cursor<'a>) -> Result<Vec<Cursor<'a>>> {
        let mut found = vec![message];
        for &wanted in &self.numbers {
            let mut inside = Vec::new();
            for mut message in found {
                while !message.is_empty() {
                    let (number, raw, _) = field(&mut message)?;
                    if let (true, Raw::Bytes(bytes, at)) = (number == wanted, raw) {
                        inside.push(Cursor::at(bytes, at));
                    }
                }
            }
            found = inside;
        }
        Ok(found)
    }
}

/// Reads the values at `places` into `values`, of which there are as many; what does not stand in
/// the message stays as it is, and of what stands more than once the last counts.
///
/// A message that a place leads to is its bytes.
///
/// # Errors
/// As [`super::field`]; text that is not UTF-8.
pub fn pick<'a>(message: Cursor<'a>, places: &[Place], values: &mut [Value<'a>]) -> Result<()> {
    pick_at(message, 0, &[], places, values)
}

/// Reads those of `places` that begin with the numbers of the message that is read.
fn pick_at<'a>(
    mut message: Cursor<'a>,
    depth: usize,
    within: &[u32],
    places: &[Place],
    values: &mut [Value<'a>],
) -> Result<()> {
    if depth > MAX_DEPTH {
        return Err(Problem::TooDeep { limit: MAX_DEPTH }.of("message", message.offset()));
    }
    while !message.is_empty() {
        let (number, raw, _) = field(&mut message)?;
        let mut entered = false;
        for (place, value) in places.iter().zip(values.iter_mut()) {
            let Some(&[found, ref rest @ ..]) = place.numbers.strip_prefix(within) else {
                continue;
            };
            if found != number {
                continue;
            }
            if rest.is_empty() {
                if let Some(read) = single(place.kind, raw)? {
                    *value = read;
                }
            } else {
                entered = true;
            }
        }
        if let (true, Raw::Bytes(bytes, at)) = (entered, raw) {
            let within = [within, &[number]].concat();
            pick_at(Cursor::at(bytes, at), depth + 1, &within, places, values)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    static INNER: MessageType = MessageType {
        name: "Inner",
        fields: &[
            Field::one(1, "id", FieldKind::SInt32),
            Field::one(2, "text", FieldKind::Text),
            Field::list(3, "list", FieldKind::Text),
        ],
    };
    static OUTER: MessageType = MessageType {
        name: "Outer",
        fields: &[
            Field::one(1, "inner", FieldKind::Message(&INNER)),
            Field::one(2, "flag", FieldKind::Bool),
        ],
    };

    static LIST: MessageType = MessageType {
        name: "List",
        fields: &[
            Field::one(1, "outer", FieldKind::Message(&OUTER)),
            Field::list(2, "inners", FieldKind::Message(&INNER)),
        ],
    };

    #[test]
    fn the_messages_of_a_list_are_found_in_their_order() {
        let place = ListPlace::new(&LIST, "inners").unwrap();
        assert_eq!(place.of().name, "Inner");
        let found = place.find(Cursor::new(b"\x12\x02\x08\x01\x0a\x00\x12\x00")).unwrap();
        let found: Vec<_> = found.into_iter().map(|cursor| cursor.rest().to_vec()).collect();
        assert_eq!(found, [b"\x08\x01".to_vec(), Vec::new()]);
        assert!(place.find(Cursor::new(b"\x12\x02\x08")).is_err());
        for none in ["outer", "inners.list", "outer.flag", "nothing", ""] {
            assert_eq!(ListPlace::new(&LIST, none), None, "{none}");
        }
    }

    fn picked<'a>(paths: &[&str], bytes: &'a [u8]) -> Result<Vec<Value<'a>>> {
        let places: Vec<_> = paths.iter().map(|path| Place::new(&OUTER, path).unwrap()).collect();
        let mut values = vec![Value::Null; places.len()];
        pick(Cursor::new(bytes), &places, &mut values)?;
        Ok(values)
    }

    #[test]
    fn values_are_picked_from_messages_in_messages() {
        let bytes = b"\x0a\x02\x08\x05\x10\x01\x0a\x03\x12\x01a";
        let seen = picked(&["flag", "inner.id", "inner.text", "inner"], bytes).unwrap();
        let inner = Value::Bytes(b"\x12\x01a");
        assert_eq!(seen, [Value::Bool(true), Value::Int(-3), Value::Text("a"), inner]);
        assert_eq!(picked(&["inner.id"], b"").unwrap(), [Value::Null]);
    }

    #[test]
    fn the_last_of_a_value_counts_and_another_wire_type_does_not() {
        let seen = picked(&["flag"], b"\x10\x01\x10\x00\x12\x01a").unwrap();
        assert_eq!(seen, [Value::Bool(false)]);
    }

    #[test]
    fn text_that_is_none_is_refused_where_it_stands() {
        let refused = picked(&["inner.text"], b"\x0a\x03\x12\x01\xff").unwrap_err();
        assert_eq!(refused, Problem::NotText { at: 0, encoding: "UTF-8" }.of("string", 4));
    }

    #[test]
    fn a_list_has_no_place() {
        for path in ["inner.list", "inner.nothing", "flag.id", ""] {
            assert_eq!(Place::new(&OUTER, path), None);
        }
    }
}
