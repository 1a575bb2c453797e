//! Projection of protobuf messages: the values at selected paths, without the rest.

use super::{Field, FieldKind, Label, MAX_DEPTH, MessageType, Raw, single, wire::field_within};
use crate::{Cursor, DecodeError, Result, visit::Value};

/// Paths of single values in a message and its nested messages, each with a number: its slot.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Projection {
    of: &'static MessageType,
    steps: Vec<Step>,
    len: usize,
}

/// Field that is a selected value, or that contains one.
#[derive(Clone, Debug, Eq, PartialEq)]
struct Step {
    number: u32,
    kind: FieldKind,
    slots: Vec<usize>,
    inside: Vec<Step>,
}

impl Projection {
    /// Creates an empty projection of messages of the type `of`.
    #[must_use]
    pub fn new(of: &'static MessageType) -> Self {
        Self { of, steps: Vec::new(), len: 0 }
    }

    /// Adds the field at `path`, such as `fs.permission.perm`, under the next slot; returns its type. `None` if
    /// there is no such field, or if it or a field on the path is repeated.
    pub fn add(&mut self, path: &str) -> Option<FieldKind> {
        let mut kind = FieldKind::Message(self.of);
        let mut way: Vec<&Field> = Vec::new();
        for name in path.split('.') {
            let FieldKind::Message(message) = kind else { return None };
            let found = message.fields.iter().find(|field| field.name == name)?;
            if found.label == Label::Repeated || way.len() > MAX_DEPTH {
                return None;
            }
            way.push(found);
            kind = found.kind;
        }
        let (last, above) = way.split_last()?;
        let mut steps = &mut self.steps;
        for field in above {
            steps = &mut Step::towards(steps, field).inside;
        }
        Step::towards(steps, last).slots.push(self.len);
        self.len += 1;
        Some(kind)
    }

    /// Number of paths.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are no paths.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }
}

impl Step {
    /// Returns the step to a field, inserted in order of number if it is new.
    fn towards<'a>(steps: &'a mut Vec<Self>, field: &Field) -> &'a mut Self {
        let at = steps.partition_point(|step| step.number < field.number);
        if steps.get(at).is_none_or(|step| step.number != field.number) {
            let (number, kind) = (field.number, field.kind);
            steps.insert(at, Self { number, kind, slots: Vec::new(), inside: Vec::new() });
        }
        &mut steps[at]
    }
}

/// Path of a list of messages in a message and its nested messages.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct RepeatedFieldPath {
    numbers: Vec<u32>,
    of: &'static MessageType,
}

impl RepeatedFieldPath {
    /// Finds the list at `path` in messages of the type `of`, such as `dir_list.partial_listing`; `None` if
    /// there is none, or if a field on the path is repeated.
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

    /// Message type of the elements.
    #[must_use]
    pub fn message_type(&self) -> &'static MessageType {
        self.of
    }

    /// Calls `take` with each message of the list, in order; none is stored.
    ///
    /// # Errors
    /// As [`super::field`]; errors of `take`.
    pub fn each<'a, E: From<DecodeError>>(
        &self,
        message: Cursor<'a>,
        mut take: impl FnMut(Cursor<'a>) -> std::result::Result<(), E>,
    ) -> std::result::Result<(), E> {
        self.some(message, 0, usize::MAX, &mut take).map(|_| ())
    }

    /// Calls `take` with at most `most` messages of the list, from the offset `from` on; returns the offset at
    /// which to continue if there are more.
    ///
    /// # Errors
    /// As [`super::field`]; errors of `take`.
    pub fn some<'a, E: From<DecodeError>>(
        &self,
        message: Cursor<'a>,
        from: usize,
        most: usize,
        take: &mut impl FnMut(Cursor<'a>) -> std::result::Result<(), E>,
    ) -> std::result::Result<Option<usize>, E> {
        let mut left = most;
        each_at(message, &self.numbers, 0, from, &mut left, take)
    }
}

fn each_at<'a, E: From<DecodeError>>(
    mut message: Cursor<'a>,
    numbers: &[u32],
    depth: usize,
    from: usize,
    left: &mut usize,
    take: &mut impl FnMut(Cursor<'a>) -> std::result::Result<(), E>,
) -> std::result::Result<Option<usize>, E> {
    let Some((&wanted, inside)) = numbers.split_first() else {
        *left -= 1;
        return take(message).map(|()| None);
    };
    if inside.is_empty() && from > message.offset() {
        let before = from - message.offset();
        message.take(before.min(message.rest().len()), "messages before")?;
    }
    while !message.is_empty() {
        let start = message.offset();
        let (number, raw, _) = field_within(&mut message, depth)?;
        if let (true, Raw::Bytes(bytes, at)) = (number == wanted, raw) {
            if inside.is_empty() && *left == 0 {
                return Ok(Some(start));
            }
            let next = each_at(Cursor::at(bytes, at), inside, depth + 1, from, left, take)?;
            if next.is_some() {
                return Ok(next);
            }
        }
    }
    Ok(None)
}

/// Reads the values at `places` into the `values` of their slots. The value of a missing field is unchanged; of
/// a field that occurs more than once, the last value is used.
///
/// A selected message is returned as its bytes.
///
/// # Errors
/// As [`super::field`]; text that is not UTF-8.
pub fn pick<'a>(message: Cursor<'a>, places: &Projection, values: &mut [Value<'a>]) -> Result<()> {
    pick_each(message, places, |slot, kind, raw| {
        if let Some(value) = single(kind, raw)? {
            values[slot] = value;
        }
        Ok(())
    })
}

/// Calls `put` for each occurrence of a field at `places`, with its slot, its type and its raw value.
///
/// # Errors
/// As [`super::field`]; errors of `put`.
#[inline]
pub fn pick_each<'a>(
    message: Cursor<'a>,
    places: &Projection,
    mut put: impl FnMut(usize, FieldKind, Raw<'a>) -> Result<()>,
) -> Result<()> {
    pick_at(message, &places.steps, 0, &mut put)
}

fn pick_at<'a>(
    mut message: Cursor<'a>,
    steps: &[Step],
    depth: usize,
    put: &mut impl FnMut(usize, FieldKind, Raw<'a>) -> Result<()>,
) -> Result<()> {
    let mut next = 0;
    while !message.is_empty() {
        let (number, raw, _) = field_within(&mut message, depth)?;
        // Fields are mostly written in order of their numbers, so that the next step is near the previous one.
        while steps.get(next).is_some_and(|step| step.number < number) {
            next += 1;
        }
        let mut found = steps.get(next).filter(|step| step.number == number);
        if found.is_none() && next > 0 && steps[next - 1].number >= number {
            let at = steps.partition_point(|step| step.number < number);
            found = steps.get(at).filter(|step| step.number == number);
        }
        let Some(step) = found else { continue };
        for &slot in &step.slots {
            put(slot, step.kind, raw)?;
        }
        if !step.inside.is_empty()
            && let Raw::Bytes(bytes, at) = raw
        {
            pick_at(Cursor::at(bytes, at), &step.inside, depth + 1, put)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::DecodeErrorKind;

    static INNER: MessageType = MessageType::new(
        "Inner",
        &[
            Field::one(1, "id", FieldKind::SInt32),
            Field::one(2, "text", FieldKind::Text),
            Field::list(3, "list", FieldKind::Text),
        ],
    );
    static OUTER: MessageType = MessageType::new(
        "Outer",
        &[
            Field::one(1, "inner", FieldKind::Message(&INNER)),
            Field::one(2, "flag", FieldKind::Bool),
        ],
    );

    static LIST: MessageType = MessageType::new(
        "List",
        &[
            Field::one(1, "outer", FieldKind::Message(&OUTER)),
            Field::list(2, "inners", FieldKind::Message(&INNER)),
        ],
    );

    static LISTS: MessageType =
        MessageType::new("Lists", &[Field::one(1, "list", FieldKind::Message(&LIST))]);

    #[test]
    fn messages_of_a_list_are_found_in_their_order() {
        let place = RepeatedFieldPath::new(&LIST, "inners").unwrap();
        assert_eq!(place.message_type().name, "Inner");
        let found = |bytes| {
            let mut found = Vec::new();
            let end = place.each(Cursor::new(bytes), |cursor| {
                found.push(cursor.rest().to_vec());
                Ok::<_, DecodeError>(())
            });
            (found, end.is_ok())
        };
        let inners = [b"\x08\x01".to_vec(), Vec::new()];
        assert_eq!(found(b"\x12\x02\x08\x01\x0a\x00\x12\x00"), (inners.to_vec(), true));
        assert_eq!(found(b"\x12\x00\x12\x02\x08"), (vec![Vec::new()], false));
        for none in ["outer", "inners.list", "outer.flag", "nothing", ""] {
            assert_eq!(RepeatedFieldPath::new(&LIST, none), None, "{none}");
        }
    }

    #[test]
    fn some_messages_of_a_list_after_others_are_all_of_it() {
        let place = RepeatedFieldPath::new(&LISTS, "list.inners").unwrap();
        let list = b"\x12\x02\x08\x01\x0a\x00\x12\x00\x12\x02\x08\x03";
        let bytes = [b"\x0a\x0c", &list[..], b"\x0a\x00\x10\x07\x0a\x0c", &list[..]].concat();
        for most in 1..8 {
            let (mut found, mut from, mut parts) = (Vec::new(), Some(0), 0);
            while let Some(start) = from {
                from = place
                    .some(Cursor::new(&bytes), start, most, &mut |cursor| {
                        found.push(cursor.rest().to_vec());
                        Ok::<_, DecodeError>(())
                    })
                    .unwrap();
                parts += 1;
            }
            let inners = [b"\x08\x01".to_vec(), Vec::new(), b"\x08\x03".to_vec()];
            assert_eq!(
                (found, parts),
                ([&inners[..], &inners[..]].concat(), 6_usize.div_ceil(most)),
                "{most}"
            );
        }
    }

    fn picked<'a>(paths: &[&str], bytes: &'a [u8]) -> Result<Vec<Value<'a>>> {
        let mut places = Projection::new(&OUTER);
        for path in paths {
            places.add(path).unwrap();
        }
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
    fn last_of_a_value_counts_and_another_wire_type_does_not() {
        let seen = picked(&["flag"], b"\x10\x01\x10\x00\x12\x01a").unwrap();
        assert_eq!(seen, [Value::Bool(false)]);
    }

    #[test]
    fn fields_may_stand_in_any_order_and_among_others() {
        let bytes = b"\x10\x01\x2a\x01z\x0a\x07\x22\x00\x12\x01a\x08\x05";
        let seen = picked(&["inner.text", "flag", "inner.id", "flag"], bytes).unwrap();
        let flag = Value::Bool(true);
        assert_eq!(seen, [Value::Text("a"), flag, Value::Int(-3), flag]);
    }

    #[test]
    fn invalid_text_is_refused_with_its_offset() {
        let refused = picked(&["inner.text"], b"\x0a\x03\x12\x01\xff").unwrap_err();
        assert_eq!(refused, DecodeErrorKind::NotText { at: 0, encoding: "UTF-8" }.at("string", 4));
    }

    #[test]
    fn list_has_no_place() {
        for path in ["inner.list", "inner.nothing", "flag.id", ""] {
            assert_eq!(Projection::new(&OUTER).add(path), None);
        }
    }
}
