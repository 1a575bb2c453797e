use super::{Field, FieldKind, Label, MAX_DEPTH, MessageType, Raw, single, wire::field_within};
use crate::{Cursor, Problem, Result, visit::Value};

/// A message as protobuf understands it: of a single field the last counts, parts of a message
/// inside are one, and what the table does not have, or has with another wire type, is left out.
#[derive(Clone, Debug, PartialEq)]
pub struct Record<'a> {
    kind: &'static MessageType,
    offset: usize,
    /// What came of each field, by the field's index in the table, ascending: an empty message takes
    /// no memory of its own, however many fields it could have.
    items: Vec<(usize, Item<'a>)>,
}

/// What stands in a field.
#[derive(Clone, Debug, PartialEq)]
pub enum Item<'a> {
    /// A number, a text, bytes.
    Value(Value<'a>),
    /// A message.
    Record(Record<'a>),
    /// Any number of either.
    List(Vec<Item<'a>>),
}

impl<'a> Record<'a> {
    /// Decodes a message that has all that it must have.
    ///
    /// # Errors
    /// As [`super::field`]; text that is not UTF-8; [`Problem::Absent`] with the name of a required field.
    pub fn decode(kind: &'static MessageType, message: Cursor<'a>) -> Result<Self> {
        let mut record = Self::new(kind, message.offset());
        record.read(message, 0)?;
        record.check()?;
        Ok(record)
    }

    /// The fields that stand in the message, in the table's order.
    pub fn fields(&self) -> impl Iterator<Item = (&'static Field, &Item<'a>)> {
        self.items.iter().map(|(index, item)| (&self.kind.fields[*index], item))
    }

    fn new(kind: &'static MessageType, offset: usize) -> Self {
        Self { kind, offset, items: Vec::new() }
    }

    fn read(&mut self, mut message: Cursor<'a>, depth: usize) -> Result<()> {
        if depth > MAX_DEPTH {
            return Err(Problem::TooDeep { limit: MAX_DEPTH }.of("message", message.offset()));
        }
        while !message.is_empty() {
            let (number, raw, _) = field_within(&mut message, depth)?;
            let known = self.kind.fields.iter().position(|field| field.number == number);
            if let Some(index) = known {
                self.put(index, raw, depth)?;
            }
        }
        Ok(())
    }

    fn put(&mut self, index: usize, raw: Raw<'a>, depth: usize) -> Result<()> {
        let known = &self.kind.fields[index];
        // Fields mostly come in the table's order.
        let place = self.items.partition_point(|(known, _)| *known < index);
        let begun = self.items.get_mut(place).filter(|(known, _)| *known == index);
        let begun = begun.map(|(_, item)| item);
        let packed = known.label == Label::Repeated && known.kind.is_number();
        let item = match (known.kind, raw) {
            (FieldKind::Message(inner), Raw::Bytes(bytes, at)) => {
                let inside = Cursor::at(bytes, at);
                if known.label != Label::Repeated
                    && let Some(Item::Record(begun)) = begun
                {
                    return begun.read(inside, depth + 1);
                }
                let mut record = Record::new(inner, at);
                record.read(inside, depth + 1)?;
                Item::Record(record)
            }
            (kind, Raw::Bytes(bytes, at)) if packed => {
                let mut elements = Cursor::at(bytes, at);
                let mut values = Vec::new();
                while !elements.is_empty() {
                    let element = kind.packed(&mut elements)?;
                    values.extend(kind.number(element).map(Item::Value));
                }
                match begun {
                    Some(Item::List(list)) => list.append(&mut values),
                    _ if values.is_empty() => {}
                    _ => self.items.insert(place, (index, Item::List(values))),
                }
                return Ok(());
            }
            (kind, raw) => match single(kind, raw)? {
                Some(value) => Item::Value(value),
                None => return Ok(()),
            },
        };
        match (begun, known.label == Label::Repeated) {
            (Some(Item::List(list)), true) => list.push(item),
            (Some(begun), _) => *begun = item,
            (None, true) => self.items.insert(place, (index, Item::List(vec![item]))),
            (None, false) => self.items.insert(place, (index, item)),
        }
        Ok(())
    }

    /// Judges whether all is there that must be: of a message in parts, once all parts were read.
    fn check(&self) -> Result<()> {
        let mut items = self.items.iter().peekable();
        for (index, field) in self.kind.fields.iter().enumerate() {
            let item = items.next_if(|(known, _)| *known == index).map(|(_, item)| item);
            match item {
                None if field.label == Label::Required => {
                    return Err(Problem::Absent.of(field.name, self.offset));
                }
                Some(Item::Record(record)) => record.check()?,
                Some(Item::List(items)) => {
                    for item in items {
                        if let Item::Record(record) = item {
                            record.check()?;
                        }
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    static INNER: MessageType = MessageType::new(
        "Inner",
        &[Field::required(1, "id", FieldKind::SInt32), Field::one(2, "text", FieldKind::Text)],
    );
    static OUTER: MessageType = MessageType::new(
        "Outer",
        &[
            Field::one(1, "inner", FieldKind::Message(&INNER)),
            Field::required(2, "flag", FieldKind::Bool),
            Field::list(3, "numbers", FieldKind::UInt32),
        ],
    );

    fn record(bytes: &[u8]) -> Result<Record<'_>> {
        Record::decode(&OUTER, Cursor::new(bytes))
    }

    fn items<'a>(record: &'a Record<'_>) -> Vec<(&'static str, &'a Item<'a>)> {
        record.fields().map(|(field, item)| (field.name, item)).collect()
    }

    #[test]
    fn the_last_of_a_value_counts_and_parts_of_a_message_are_one() {
        let seen = record(b"\x10\x01\x0a\x02\x08\x05\x10\x00\x0a\x03\x12\x01a").unwrap();
        let [("inner", Item::Record(inner)), ("flag", flag)] = items(&seen)[..] else {
            panic!("{seen:?}")
        };
        assert_eq!(flag, &Item::Value(Value::Bool(false)));
        let (id, text) = (Item::Value(Value::Int(-3)), Item::Value(Value::Text("a")));
        assert_eq!(items(inner), [("id", &id), ("text", &text)]);
    }

    #[test]
    fn a_list_is_packed_or_not_or_both() {
        let seen = record(b"\x10\x01\x1a\x02\x05\x06\x18\x07").unwrap();
        let numbers = [5, 6, 7].map(|n| Item::Value(Value::UInt(n))).to_vec();
        assert_eq!(items(&seen)[1], ("numbers", &Item::List(numbers)));
        let torn = record(b"\x10\x01\x1a\x01\x80").unwrap_err();
        assert_eq!(torn, Problem::Missing { missing: 1 }.of("packed element", 4));
    }

    #[test]
    fn fields_come_in_the_tables_order_and_empty_messages_keep_nothing() {
        let seen = record(b"\x18\x07\x10\x01\x0a\x02\x08\x05").unwrap();
        let names: Vec<_> = items(&seen).into_iter().map(|(name, _)| name).collect();
        assert_eq!(names, ["inner", "flag", "numbers"]);
        let mut empty = Record::new(&OUTER, 0);
        empty.read(Cursor::new(b"\x1a\x00"), 0).unwrap();
        assert_eq!(empty.items.capacity(), 0);
    }

    #[test]
    fn another_number_or_wire_type_is_left_out() {
        let seen = record(b"\x10\x01\x12\x01a\x0d\0\0\0\0\x20\x01").unwrap();
        assert_eq!(items(&seen), [("flag", &Item::Value(Value::Bool(true)))]);
    }

    #[test]
    fn a_message_without_what_it_must_have_is_told_by_the_fields_name() {
        assert_eq!(record(b"").unwrap_err(), Problem::Absent.of("flag", 0));
        assert_eq!(record(b"\x12\x00").unwrap_err(), Problem::Absent.of("flag", 0));
        assert_eq!(record(b"\x10\x01\x0a\x00").unwrap_err(), Problem::Absent.of("id", 4));
    }

    proptest! {
        #[test]
        fn garbage_never_panics(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            let _ = record(&bytes);
        }
    }
}
