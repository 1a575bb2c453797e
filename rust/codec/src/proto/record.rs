//! Protobuf messages decoded into fields by name.

use super::{Field, FieldKind, Label, MAX_DEPTH, MessageType, Raw, single, wire::field_within};
use crate::{Cursor, DecodeErrorKind, Result, visit::Value};

/// Message with protobuf's semantics: the last value of a single field is used, parts of a nested message are
/// merged, and fields that are unknown or have another wire type are ignored.
#[derive(Clone, Debug, PartialEq)]
pub struct Record<'a> {
    kind: &'static MessageType,
    offset: usize,
    /// Decoded fields, by their index in the table, in increasing order.
    items: Vec<(usize, Item<'a>)>,
}

/// Content of a field.
#[derive(Clone, Debug, PartialEq)]
pub enum Item<'a> {
    /// Number, text or bytes.
    Value(Value<'a>),
    /// Nested message.
    Record(Record<'a>),
    /// Values of a repeated field.
    List(Vec<Item<'a>>),
}

impl<'a> Record<'a> {
    /// Decodes a message, which must have all required fields.
    ///
    /// # Errors
    /// As [`super::field`]; text that is not UTF-8; [`DecodeErrorKind::MissingField`] with the name of a
    /// required field.
    pub fn decode(kind: &'static MessageType, message: Cursor<'a>) -> Result<Self> {
        let mut record = Self::new(kind, &message);
        record.read(message, 0)?;
        record.check()?;
        Ok(record)
    }

    /// Iterates over the fields of the message, in the table's order.
    pub fn fields(&self) -> impl Iterator<Item = (&'static Field, &Item<'a>)> {
        self.items.iter().filter_map(|(index, item)| Some((self.kind.fields.get(*index)?, item)))
    }

    fn new(kind: &'static MessageType, message: &Cursor<'a>) -> Self {
        // A message may have many fields and hold none: there are no more than have room in its bytes.
        let most = kind.fields.len().min(message.rest().len() / SHORTEST_FIELD);
        Self { kind, offset: message.offset(), items: Vec::with_capacity(most) }
    }

    fn place(&self, index: usize) -> std::result::Result<usize, usize> {
        // Writers keep the table's order.
        match self.items.last() {
            Some((last, _)) if *last >= index => {
                self.items.binary_search_by_key(&index, |(known, _)| *known)
            }
            _ => Err(self.items.len()),
        }
    }

    /// Stores the value of a single field: the last one is used.
    fn set(&mut self, index: usize, item: Item<'a>) {
        match self.place(index) {
            Ok(place) => self.items[place].1 = item,
            Err(place) => self.items.insert(place, (index, item)),
        }
    }

    /// Appends to the values of a repeated field.
    fn append(&mut self, index: usize, item: Item<'a>) {
        match self.place(index) {
            Ok(place) => match &mut self.items[place].1 {
                Item::List(list) => list.push(item),
                other => *other = Item::List(vec![item]),
            },
            Err(place) => self.items.insert(place, (index, Item::List(vec![item]))),
        }
    }

    fn read(&mut self, mut message: Cursor<'a>, depth: usize) -> Result<()> {
        if depth > MAX_DEPTH {
            return Err(
                DecodeErrorKind::TooDeep { limit: MAX_DEPTH }.at("message", message.offset())
            );
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
        let packed = known.label == Label::Repeated && known.kind.is_number();
        let item = match (known.kind, raw) {
            (FieldKind::Message(inner), Raw::Bytes(bytes, at)) => {
                let inside = Cursor::at(bytes, at);
                if known.label != Label::Repeated
                    && let Ok(place) = self.place(index)
                    && let Item::Record(begun) = &mut self.items[place].1
                {
                    return begun.read(inside, depth + 1);
                }
                let mut record = Record::new(inner, &inside);
                record.read(inside, depth + 1)?;
                if known.label == Label::Repeated {
                    // The element is complete: without a required field it is rejected before it is kept.
                    record.check()?;
                }
                Item::Record(record)
            }
            (kind, Raw::Bytes(bytes, at)) if packed => {
                let mut elements = Cursor::at(bytes, at);
                while !elements.is_empty() {
                    let element = kind.packed(&mut elements)?;
                    if let Some(value) = kind.number(element) {
                        self.append(index, Item::Value(value));
                    }
                }
                return Ok(());
            }
            (kind, raw) => match single(kind, raw)? {
                Some(value) => Item::Value(value),
                None => return Ok(()),
            },
        };
        if known.label == Label::Repeated {
            self.append(index, item);
        } else {
            self.set(index, item);
        }
        Ok(())
    }

    /// Checks that all required fields are present.
    fn check(&self) -> Result<()> {
        let mut items = self.items.iter().peekable();
        for (index, field) in self.kind.fields.iter().enumerate() {
            // Elements of lists were checked when they were added.
            match items.next_if(|(known, _)| *known == index) {
                Some((_, Item::Record(record))) => record.check()?,
                None if field.label == Label::Required => {
                    return Err(DecodeErrorKind::MissingField.at(field.name, self.offset));
                }
                _ => {}
            }
        }
        Ok(())
    }
}

/// Minimum number of bytes of a field: a tag and a value.
const SHORTEST_FIELD: usize = 2;

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

    static LIST: MessageType =
        MessageType::new("List", &[Field::list(1, "all", FieldKind::Message(&OUTER))]);
    static FREE: MessageType =
        MessageType::new("Free", &[Field::list(1, "all", FieldKind::Message(&LIST))]);

    fn record(bytes: &[u8]) -> Result<Record<'_>> {
        Record::decode(&OUTER, Cursor::new(bytes))
    }

    fn items<'a>(record: &'a Record<'_>) -> Vec<(&'static str, &'a Item<'a>)> {
        record.fields().map(|(field, item)| (field.name, item)).collect()
    }

    #[test]
    fn last_of_a_value_counts_and_parts_of_a_message_are_one() {
        let seen = record(b"\x10\x01\x0a\x02\x08\x05\x10\x00\x0a\x03\x12\x01a").unwrap();
        let [("inner", Item::Record(inner)), ("flag", flag)] = items(&seen)[..] else {
            panic!("{seen:?}")
        };
        assert_eq!(flag, &Item::Value(Value::Bool(false)));
        let (id, text) = (Item::Value(Value::Int(-3)), Item::Value(Value::Text("a")));
        assert_eq!(items(inner), [("id", &id), ("text", &text)]);
    }

    #[test]
    fn list_is_packed_or_not_or_both() {
        let seen = record(b"\x10\x01\x1a\x02\x05\x06\x18\x07").unwrap();
        let numbers = [5, 6, 7].map(|n| Item::Value(Value::UInt(n))).to_vec();
        assert_eq!(items(&seen)[1], ("numbers", &Item::List(numbers)));
        let torn = record(b"\x10\x01\x1a\x01\x80").unwrap_err();
        assert_eq!(torn, DecodeErrorKind::UnexpectedEof { missing: 1 }.at("packed element", 4));
    }

    #[test]
    fn another_number_or_wire_type_is_left_out() {
        let seen = record(b"\x10\x01\x12\x01a\x0d\0\0\0\0\x20\x01").unwrap();
        assert_eq!(items(&seen), [("flag", &Item::Value(Value::Bool(true)))]);
    }

    #[test]
    fn message_without_required_field_is_refused_by_field_name() {
        assert_eq!(record(b"").unwrap_err(), DecodeErrorKind::MissingField.at("flag", 0));
        assert_eq!(record(b"\x12\x00").unwrap_err(), DecodeErrorKind::MissingField.at("flag", 0));
        assert_eq!(
            record(b"\x10\x01\x0a\x00").unwrap_err(),
            DecodeErrorKind::MissingField.at("id", 4)
        );
    }

    #[test]
    fn fields_are_in_the_tables_order_and_empty_messages_hold_nothing() {
        let seen = record(b"\x18\x07\x10\x01\x0a\x02\x08\x05\x18\x08").unwrap();
        let names: Vec<_> = items(&seen).into_iter().map(|(name, _)| name).collect();
        assert_eq!(names, ["inner", "flag", "numbers"]);
        let many = b"\x0a\x00".repeat(1000);
        let seen = Record::decode(&FREE, Cursor::new(&many)).unwrap();
        let Some((_, Item::List(all))) = seen.fields().next() else { panic!("{seen:?}") };
        let held = |item: &Item<'_>| matches!(item, Item::Record(it) if it.items.capacity() == 0);
        assert!(all.len() == 1000 && all.iter().all(held));
        let lacking = Record::decode(&LIST, Cursor::new(&many)).unwrap_err();
        assert_eq!(lacking, DecodeErrorKind::MissingField.at("flag", 2));
    }

    proptest! {
        #[test]
        fn garbage_never_panics(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            let _ = record(&bytes);
        }
    }
}
