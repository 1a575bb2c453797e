//! Protobuf messages, read by tables of their fields: `tag: varint`, then a value by wire type.

use std::{fmt::Write, ops::Range};

mod pick;
mod record;
mod writer;

pub use pick::{ListPlace, Places, pick, pick_each};
pub use record::{Item, Record};
pub use writer::Writer;

use crate::{
    Cursor, Problem, Result,
    kernels::utf8,
    varint::{self, Base128},
    visit::{Key, Shape, Value, Visitor},
};

/// A message type: what its `.proto` file says.
#[derive(Debug, Eq, PartialEq)]
pub struct MessageType {
    /// As in the file.
    pub name: &'static str,
    /// In any order.
    pub fields: &'static [Field],
}

/// A field of a [`MessageType`].
#[derive(Debug, Eq, PartialEq)]
pub struct Field {
    /// The number on the wire.
    pub number: u32,
    /// The name, in snake case.
    pub name: &'static str,
    /// The name, as those take it who write many.
    pub key: Key,
    /// How its bytes are read.
    pub kind: FieldKind,
    /// How often it stands.
    pub label: Label,
}

/// How often a field stands in its message.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Label {
    /// At most once.
    Optional,
    /// Once: protobuf-java refuses a message without it.
    Required,
    /// Any number of times.
    Repeated,
}

/// How a field's bytes are read.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum FieldKind {
    /// `int32`: the low half of what stands there, so that five bytes will do for a negative.
    Int32,
    /// `int64`.
    Int64,
    /// `uint32`: the low half of what stands there.
    UInt32,
    /// `uint64`.
    UInt64,
    /// `sint32`: zigzag.
    SInt32,
    /// `sint64`: zigzag.
    SInt64,
    /// `float`.
    Float,
    /// `double`.
    Double,
    /// `bool`.
    Bool,
    /// An enumeration: its numbers and names.
    Enum(&'static [(i64, &'static str)]),
    /// `string` that a user chose.
    Text,
    /// `string` that names a thing of the protocol's world.
    Name,
    /// `bytes`.
    Bytes,
    /// `bytes` that hold a UUID when they are sixteen.
    Uuid,
    /// A message inside.
    Message(&'static MessageType),
}

impl MessageType {
    /// The field of that number.
    #[inline]
    fn field(&self, number: u32) -> Option<&'static Field> {
        // Most messages number their fields from 1 on, and leave out none.
        let likely = self.fields.get(number.wrapping_sub(1) as usize);
        likely
            .filter(|field| field.number == number)
            .or_else(|| self.fields.iter().find(|field| field.number == number))
    }
}

impl Field {
    /// A field that stands at most once.
    #[must_use]
    pub const fn one(number: u32, name: &'static str, kind: FieldKind) -> Self {
        Self { number, name, key: Key::of(name), kind, label: Label::Optional }
    }

    /// A field that stands once.
    #[must_use]
    pub const fn required(number: u32, name: &'static str, kind: FieldKind) -> Self {
        Self { number, name, key: Key::of(name), kind, label: Label::Required }
    }

    /// A field that is a list.
    #[must_use]
    pub const fn list(number: u32, name: &'static str, kind: FieldKind) -> Self {
        Self { number, name, key: Key::of(name), kind, label: Label::Repeated }
    }
}

/// A field as it stands on the wire.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Raw<'a> {
    /// Wire type 0.
    Varint(u64),
    /// Wire type 1.
    Fixed64(u64),
    /// Wire type 2, and the offset where its content begins.
    Bytes(&'a [u8], usize),
    /// Wire type 3 up to its type 4: the fields in between, and the offset where they begin. No
    /// message of Hadoop's has one.
    Group(&'a [u8], usize),
    /// Wire type 5.
    Fixed32(u32),
}

impl<'a> Raw<'a> {
    /// The content of a text or bytes field.
    #[must_use]
    pub fn bytes(self) -> Option<&'a [u8]> {
        if let Self::Bytes(bytes, _) = self { Some(bytes) } else { None }
    }

    /// The content of a text field.
    #[must_use]
    pub fn text(self) -> Option<&'a str> {
        text(self.bytes()?, 0).ok()
    }

    /// The number of a varint field.
    #[must_use]
    pub fn varint(self) -> Option<u64> {
        if let Self::Varint(value) = self { Some(value) } else { None }
    }
}

/// Reads one field: its number, its value, its bytes with tag and length.
///
/// # Errors
/// What the cursor says; a wire type that does not exist; groups that end where none began, or that
/// are nested too deep.
#[inline(always)]
#[expect(clippy::inline_always, reason = "for every field: what it returns stays in registers")]
pub fn field<'a>(cursor: &mut Cursor<'a>) -> Result<(u32, Raw<'a>, Range<usize>)> {
    field_within(cursor, 0)
}

/// Reads one field of a message that is in so many others.
#[inline(always)]
#[expect(clippy::inline_always, reason = "for every field: what it returns stays in registers")]
fn field_within<'a>(cursor: &mut Cursor<'a>, depth: usize) -> Result<(u32, Raw<'a>, Range<usize>)> {
    // Nearly every field: a number below 16, then a number or a length below 128.
    if let [tag @ 8..0x80, ref behind @ ..] = *cursor.rest() {
        let (number, start) = (u32::from(tag >> 3), cursor.offset());
        match (tag & 7, behind) {
            (0, behind) => {
                if let Ok((value, len)) = varint::decode(behind) {
                    cursor.skip(1 + len);
                    return Ok((number, Raw::Varint(value), start..cursor.offset()));
                }
            }
            (2, [len @ ..0x80, behind @ ..]) => {
                if let Some(bytes) = behind.get(..usize::from(*len)) {
                    cursor.skip(2 + bytes.len());
                    return Ok((number, Raw::Bytes(bytes, start + 2), start..cursor.offset()));
                }
            }
            _ => {}
        }
    } else if let [low @ 0x80..=0xff, high @ 1..0x80, ref behind @ ..] = *cursor.rest()
        && matches!(low & 7, 0)
        && let Ok((value, len)) = varint::decode(behind)
    {
        // Most of the others: a number of two bytes, then a number.
        let (number, start) = (u32::from(high) << 4 | u32::from(low & 0x7f) >> 3, cursor.offset());
        cursor.skip(2 + len);
        return Ok((number, Raw::Varint(value), start..cursor.offset()));
    }
    any_field(cursor, depth)
}

fn any_field<'a>(cursor: &mut Cursor<'a>, depth: usize) -> Result<(u32, Raw<'a>, Range<usize>)> {
    let start = cursor.offset();
    let (number, wire_type) = tag(cursor)?;
    let raw = raw(cursor, (number, wire_type), start, depth)?;
    Ok((number, raw, start..cursor.offset()))
}

/// Reads a field's number and its wire type.
fn tag(cursor: &mut Cursor<'_>) -> Result<(u32, u64)> {
    let start = cursor.offset();
    let tag = cursor.varint("tag")?;
    let number = u32::try_from(tag >> 3).ok().filter(|number| (1..=MAX_NUMBER).contains(number));
    let Some(number) = number else {
        let value = i64::try_from(tag >> 3).unwrap_or(i64::MAX);
        return Err(Problem::Unexpected { value, expected: "a field number" }.of("tag", start));
    };
    Ok((number, tag & 7))
}

/// Reads what is behind a tag that stands at `start`, in so many messages and groups.
fn raw<'a>(
    cursor: &mut Cursor<'a>,
    (number, wire_type): (u32, u64),
    start: usize,
    depth: usize,
) -> Result<Raw<'a>> {
    Ok(match wire_type {
        0 => Raw::Varint(cursor.varint("varint field")?),
        1 => Raw::Fixed64(cursor.u64_le("fixed64 field")?),
        2 => {
            let limit = cursor.rest().len();
            let len = cursor.len_varint(limit, "field length")?;
            let at = cursor.offset();
            Raw::Bytes(cursor.take(len, "field")?, at)
        }
        START_GROUP => {
            // CodedInputStream.readGroup, which counts the messages around it too.
            if depth >= MAX_DEPTH {
                return Err(Problem::TooDeep { limit: MAX_DEPTH }.of("group", start));
            }
            let at = cursor.offset();
            Raw::Group(group(cursor, number, depth)?, at)
        }
        5 => Raw::Fixed32(cursor.u32_le("fixed32 field")?),
        other => {
            let value = other.cast_signed();
            return Err(Problem::Unexpected { value, expected: "a wire type" }.of("tag", start));
        }
    })
}

/// Reads the fields of a group up to its end.
fn group<'a>(cursor: &mut Cursor<'a>, number: u32, depth: usize) -> Result<&'a [u8]> {
    let (content, begin) = (cursor.rest(), cursor.offset());
    loop {
        let end = cursor.offset();
        match tag(cursor)? {
            (ended, END_GROUP) if ended == number => return Ok(&content[..end - begin]),
            (other, END_GROUP) => {
                let expected = "the number of the group that ends";
                return Err(Problem::Unexpected { value: other.into(), expected }.of("tag", end));
            }
            inner => raw(cursor, inner, end, depth + 1)?,
        };
    }
}

/// Reads a whole message: shows its fields to `visitor`, hands each raw one to `take`.
///
/// No name is shown twice: a number that stands more than once is a list, wherever its elements
/// stand. Fields that the table does not have are shown under the message's name and their number,
/// as `RpcRequestHeaderProto.99`. `take` may be handed the first ones again, and then all of them.
///
/// # Errors
/// The first field that cannot be read. What came before it was shown.
pub fn message<'a, V: Visitor>(
    kind: &MessageType,
    cursor: Cursor<'a>,
    visitor: &mut V,
    mut take: impl FnMut(u32, Raw<'a>),
) -> Result<()> {
    if V::LOOKS {
        Show::new(visitor, Wrong::IsError).whole(Some(kind), cursor, Some(&mut take))
    } else {
        judged(Some(kind), cursor, 0, Wrong::IsError, &mut take)
    }
}

/// Reads a message that is only carried: of no known type, its fields go by number; and a field that
/// is not what the type says is shown as its bytes. `take` is as of [`message`].
///
/// # Errors
/// The first of its own fields that cannot be read; none of the messages inside.
pub fn carried_message<'a, V: Visitor>(
    kind: Option<&MessageType>,
    cursor: Cursor<'a>,
    visitor: &mut V,
    mut take: impl FnMut(u32, Raw<'a>),
) -> Result<()> {
    if V::LOOKS {
        Show::new(visitor, Wrong::IsShown).whole(kind, cursor, Some(&mut take))
    } else {
        judged(kind, cursor, 0, Wrong::IsShown, &mut take)
    }
}

/// What becomes of a field that is not what its type says.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Wrong {
    IsError,
    IsShown,
}

/// How a message's own fields follow each other.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Order {
    /// Those of one number stand together, and none before a lower number's.
    ByNumber,
    Scattered,
    /// One cannot be read.
    Broken,
}

/// Who is handed the raw fields of a message, but not of those inside.
type Take<'t, 'a> = Option<&'t mut dyn FnMut(u32, Raw<'a>)>;

/// Shows messages to who looks.
struct Show<'v, V> {
    visitor: &'v mut V,
    wrong: Wrong,
    /// Whether fields are shown as they come, though nobody knows yet that they are in order: if one is
    /// not, or cannot be read, that is an error, and all is taken back.
    trusts: bool,
}

impl<'v, V: Visitor> Show<'v, V> {
    fn new(visitor: &'v mut V, wrong: Wrong) -> Self {
        Self { visitor, wrong, trusts: false }
    }

    /// Shows a message that is in no other. Nearly all are in order, and read once if that is trusted.
    fn whole<'a>(
        &mut self,
        kind: Option<&MessageType>,
        cursor: Cursor<'a>,
        mut take: Take<'_, 'a>,
    ) -> Result<()> {
        if let Some(mark) = self.visitor.mark() {
            self.trusts = true;
            let read = self.in_order(kind, cursor.clone(), 0, &mut take);
            self.trusts = false;
            if read.is_ok() {
                return read;
            }
            // Only here: messages inside are not tried twice each, and those in them four times.
            self.visitor.take_back(mark);
        }
        self.message(kind, cursor, 0, take)
    }

    fn message<'a>(
        &mut self,
        kind: Option<&MessageType>,
        cursor: Cursor<'a>,
        depth: usize,
        take: Take<'_, 'a>,
    ) -> Result<()> {
        let order = order_of(&cursor, depth);
        self.fields(kind, cursor, order, depth, take)
    }

    /// Shows a message's fields: how each is shown may depend on those behind it.
    fn fields<'a>(
        &mut self,
        kind: Option<&MessageType>,
        cursor: Cursor<'a>,
        order: Order,
        depth: usize,
        mut take: Take<'_, 'a>,
    ) -> Result<()> {
        if depth > MAX_DEPTH {
            return Err(Problem::TooDeep { limit: MAX_DEPTH }.of("message", cursor.offset()));
        }
        if order == Order::ByNumber {
            return self.in_order(kind, cursor, depth, &mut take);
        }
        let Some(places) = scattered(&cursor, depth) else {
            return self.in_order(kind, cursor, depth, &mut take);
        };
        // What is wrong does not depend on who looks: it is told in the order of the bytes.
        let read = match take {
            Some(take) => judged(kind, cursor.clone(), depth, self.wrong, take),
            None => judged(kind, cursor.clone(), depth, self.wrong, &mut |_, _| {}),
        };
        self.by_number(kind, &cursor, &places, depth);
        read
    }

    fn in_order<'a>(
        &mut self,
        kind: Option<&MessageType>,
        cursor: Cursor<'a>,
        depth: usize,
        take: &mut Take<'_, 'a>,
    ) -> Result<()> {
        let mut list = OpenList::default();
        let read = self.one_by_one(kind, cursor, &mut list, depth, take);
        list.turn_to(None, "", self.visitor);
        read
    }

    fn one_by_one<'a>(
        &mut self,
        kind: Option<&MessageType>,
        mut cursor: Cursor<'a>,
        list: &mut OpenList,
        depth: usize,
        take: &mut Take<'_, 'a>,
    ) -> Result<()> {
        let mut previous = 0;
        while !cursor.is_empty() {
            if let Some(kind) = kind
                && list.number.is_none()
                && self.plain_field(kind, &mut cursor, &mut previous, depth, take)?
            {
                continue;
            }
            let one = field_within(&mut cursor, depth)?;
            self.follows(one.0, &mut previous, &cursor)?;
            if let Some(take) = take {
                hand(take, one.0, one.1);
            }
            self.any_field(kind, one, next_number(&cursor), list, depth)?;
        }
        Ok(())
    }

    /// Takes the number of the next field; an error if that was trusted to follow the one before.
    #[inline]
    fn follows(&self, number: u32, previous: &mut u32, cursor: &Cursor<'_>) -> Result<()> {
        if self.trusts && number < *previous {
            return Err(Problem::NotKnown.of("order", cursor.offset()));
        }
        *previous = number;
        Ok(())
    }

    /// Shows what nearly every field is: known, readable and alone. `false` if it is not.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "for every field: what was read stays in registers")]
    fn plain_field<'a>(
        &mut self,
        kind: &MessageType,
        cursor: &mut Cursor<'a>,
        previous: &mut u32,
        depth: usize,
        take: &mut Take<'_, 'a>,
    ) -> Result<bool> {
        let (number, wire_type, behind) = match *cursor.rest() {
            [tag @ 8..0x80, ref behind @ ..] => (u32::from(tag >> 3), tag & 7, behind),
            [low @ 0x80..=0xff, high @ 1..0x80, ref behind @ ..] => {
                (u32::from(high) << 4 | u32::from(low & 0x7f) >> 3, low & 7, behind)
            }
            _ => return Ok(false),
        };
        let Some(known) = kind.field(number) else { return Ok(false) };
        if known.label == Label::Repeated {
            return Ok(false);
        }
        let start = cursor.offset();
        let Ok((wire, len)) = varint::decode(behind) else { return Ok(false) };
        let behind = &behind[len..];
        let head = cursor.rest().len() - behind.len();
        match (wire_type, known.kind) {
            (0, kind) => {
                let raw = Raw::Varint(wire);
                let Some(value) = kind.number(raw) else { return Ok(false) };
                if next_in(behind) == Some(number) {
                    return Ok(false);
                }
                self.follows(number, previous, cursor)?;
                cursor.skip(head);
                if let Some(take) = take {
                    take(number, raw);
                }
                self.visitor.member(&known.key, start..cursor.offset(), value);
            }
            (2, kind) if !kind.is_number() => {
                let len = usize::try_from(wire).unwrap_or(usize::MAX);
                let Some((bytes, behind)) = behind.split_at_checked(len) else {
                    return Ok(false);
                };
                if next_in(behind) == Some(number) {
                    return Ok(false);
                }
                let content = start + head;
                let value = match kind {
                    FieldKind::Message(inner) if self.trusts && depth < MAX_DEPTH => {
                        self.follows(number, previous, cursor)?;
                        cursor.skip(head + bytes.len());
                        if let Some(take) = take {
                            take(number, Raw::Bytes(bytes, content));
                        }
                        let len = Value::UInt(bytes.len() as u64);
                        self.visitor.layout(inner.name, start..content, len);
                        self.visitor.enter_member(&known.key, Shape::Object);
                        let inside = Cursor::at(bytes, content);
                        let read = self.in_order(Some(inner), inside, depth + 1, &mut None);
                        self.visitor.leave();
                        return read.map(|()| true);
                    }
                    FieldKind::Bytes => Value::Bytes(bytes),
                    FieldKind::Uuid => uuid(bytes),
                    FieldKind::Text | FieldKind::Name => match text(bytes, content) {
                        Ok(text) if kind == FieldKind::Name => Value::Name(text),
                        Ok(text) => Value::Text(text),
                        Err(_) => return Ok(false),
                    },
                    _ => return Ok(false),
                };
                self.follows(number, previous, cursor)?;
                cursor.skip(head + bytes.len());
                if let Some(take) = take {
                    take(number, Raw::Bytes(bytes, content));
                }
                self.visitor.member(&known.key, start..cursor.offset(), value);
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Shows the fields at `places`, up to the first that cannot be shown.
    fn by_number(
        &mut self,
        kind: Option<&MessageType>,
        cursor: &Cursor<'_>,
        places: &[(u32, u32)],
        depth: usize,
    ) {
        let mut list = OpenList::default();
        for (i, &(_, place)) in places.iter().enumerate() {
            let mut cursor = cursor.clone();
            let read =
                cursor.take(place as usize, "field").and_then(|_| field_within(&mut cursor, depth));
            let next = places.get(i + 1).map(|(number, _)| *number);
            let shown = read.and_then(|one| self.any_field(kind, one, next, &mut list, depth));
            if shown.is_err() {
                break;
            }
        }
        list.turn_to(None, "", self.visitor);
    }

    /// Shows a field under its name; as an element, if it is one of a list, or stands beside another
    /// of its number.
    fn any_field(
        &mut self,
        kind: Option<&MessageType>,
        (number, raw, at): (u32, Raw<'_>, Range<usize>),
        next: Option<u32>,
        list: &mut OpenList,
        depth: usize,
    ) -> Result<()> {
        let known = kind.and_then(|kind| kind.field(number));
        let again = list.number == Some(number) || next == Some(number);
        let listed = again || known.is_some_and(|known| known.label == Label::Repeated);
        let mut unknown = UnknownName::default();
        let name = match (known, kind) {
            (Some(known), _) => known.name,
            (None, Some(kind)) => unknown.write(format_args!("{}.{number}", kind.name)),
            (None, None) => unknown.write(format_args!("{number}")),
        };
        list.turn_to(listed.then_some(number), name, self.visitor);
        self.value(known, if listed { "" } else { name }, raw, at, depth)
    }

    fn value(
        &mut self,
        known: Option<&Field>,
        name: &str,
        raw: Raw<'_>,
        at: Range<usize>,
        depth: usize,
    ) -> Result<()> {
        let wrong = self.wrong;
        let Some(&Field { kind, label, .. }) = known else {
            self.unknown_value(name, raw, at, depth);
            return Ok(());
        };
        if let Some(value) = kind.number(raw) {
            self.visitor.field(name, at, value);
            return Ok(());
        }
        match (kind, raw) {
            (FieldKind::Name | FieldKind::Text, Raw::Bytes(bytes, content)) => {
                match text(bytes, content) {
                    Ok(text) if kind == FieldKind::Name => {
                        self.visitor.field(name, at, Value::Name(text));
                    }
                    Ok(text) => self.visitor.field(name, at, Value::Text(text)),
                    Err(_) if wrong == Wrong::IsShown => {
                        self.visitor.field(name, at, Value::Bytes(bytes));
                    }
                    Err(error) => return Err(error),
                }
            }
            (FieldKind::Bytes, Raw::Bytes(bytes, _)) => {
                self.visitor.field(name, at, Value::Bytes(bytes));
            }
            (FieldKind::Uuid, Raw::Bytes(bytes, _)) => self.visitor.field(name, at, uuid(bytes)),
            (FieldKind::Message(inner), Raw::Bytes(bytes, content)) => {
                let inside = Cursor::at(bytes, content);
                if !V::LOOKS {
                    return judged(Some(inner), inside, depth + 1, wrong, &mut |_, _| {});
                }
                let order =
                    if self.trusts { Order::ByNumber } else { order_of(&inside, depth + 1) };
                let is_message = order != Order::Broken && (depth < MAX_DEPTH || bytes.is_empty());
                if wrong == Wrong::IsShown && !is_message {
                    self.visitor.field(name, at, Value::Bytes(bytes));
                    return Ok(());
                }
                self.visitor.layout(inner.name, at.start..content, Value::UInt(bytes.len() as u64));
                self.visitor.enter(name, Shape::Object);
                let read = self.fields(Some(inner), inside, order, depth + 1, None);
                self.visitor.leave();
                read?;
            }
            (_, Raw::Bytes(bytes, _)) if wrong == Wrong::IsShown && !is_packed(kind, bytes) => {
                self.visitor.field(name, at, Value::Bytes(bytes));
            }
            // `[packed = true]`: any number of elements, end to end.
            (_, Raw::Bytes(bytes, content)) if label == Label::Repeated => {
                let mut elements = Cursor::at(bytes, content);
                while !elements.is_empty() {
                    let start = elements.offset();
                    let element = kind.packed(&mut elements)?;
                    if let Some(value) = kind.number(element) {
                        self.visitor.field(name, start..elements.offset(), value);
                    }
                }
            }
            // protobuf keeps a known number with another wire type as an unknown field.
            (_, raw) => self.unknown_value(name, raw, at, depth),
        }
        Ok(())
    }

    fn unknown_value(&mut self, name: &str, raw: Raw<'_>, at: Range<usize>, depth: usize) {
        match raw {
            Raw::Varint(n) => self.visitor.field(name, at, Value::Int(n.cast_signed())),
            Raw::Fixed64(n) => self.visitor.field(name, at, Value::UInt(n)),
            Raw::Fixed32(n) => self.visitor.field(name, at, Value::UInt(n.into())),
            Raw::Bytes(bytes, content) => match std::str::from_utf8(bytes) {
                Ok(text) if looks_like_text(text, depth) => {
                    self.visitor.field(name, at, Value::Text(text));
                }
                _ if looks_like_message(bytes, depth) => {
                    self.visitor.layout(
                        "message length",
                        at.start..content,
                        Value::UInt(bytes.len() as u64),
                    );
                    self.visitor.enter(name, Shape::Object);
                    // It was read once just now.
                    let inside = Cursor::at(bytes, content);
                    let wrong = std::mem::replace(&mut self.wrong, Wrong::IsShown);
                    let _ = self.message(None, inside, depth + 1, None);
                    self.wrong = wrong;
                    self.visitor.leave();
                }
                _ => self.visitor.field(name, at, Value::Bytes(bytes)),
            },
            Raw::Group(bytes, _) => self.visitor.field(name, at, Value::Bytes(bytes)),
        }
    }
}

/// Reads a message that nobody looks at, for what is wrong with it: what `in_order` says, sooner.
#[inline]
fn judged<'a, F: FnMut(u32, Raw<'a>) + ?Sized>(
    kind: Option<&MessageType>,
    mut cursor: Cursor<'a>,
    depth: usize,
    wrong: Wrong,
    take: &mut F,
) -> Result<()> {
    if depth > MAX_DEPTH {
        return Err(Problem::TooDeep { limit: MAX_DEPTH }.of("message", cursor.offset()));
    }
    while !cursor.is_empty() {
        let (number, raw, at) = field_within(&mut cursor, depth)?;
        hand(take, number, raw);
        let Raw::Bytes(bytes, content) = raw else { continue };
        if wrong == Wrong::IsShown {
            continue;
        }
        let known = kind.and_then(|kind| kind.field(number));
        match known.map(|known| known.kind) {
            None | Some(FieldKind::Bytes | FieldKind::Uuid) => {}
            Some(FieldKind::Name | FieldKind::Text) => {
                text(bytes, content)?;
            }
            Some(_) => Show::new(&mut (), wrong).value(known, "", raw, at, depth)?,
        }
    }
    Ok(())
}

/// Hands over a field that a table may have: none has a group, whatever its number.
#[inline]
fn hand<'a, F: FnMut(u32, Raw<'a>) + ?Sized>(take: &mut F, number: u32, raw: Raw<'a>) {
    if !matches!(raw, Raw::Group(..)) {
        take(number, raw);
    }
}

/// The text that stands at offset `at`.
///
/// # Errors
/// [`Problem::NotText`].
pub fn text(bytes: &[u8], at: usize) -> Result<&str> {
    if bytes.len() <= SHORT_TEXT
        && let Some(text) = utf8::from_ascii(bytes)
    {
        return Ok(text);
    }
    simdutf8::basic::from_utf8(bytes).or_else(|_| {
        std::str::from_utf8(bytes).map_err(|error| {
            Problem::NotText { at: error.valid_up_to(), encoding: "UTF-8" }.of("string", at)
        })
    })
}

/// How the fields of a message follow each other.
fn order_of(message: &Cursor<'_>, depth: usize) -> Order {
    let (mut rest, mut last, mut order) = (message.rest(), 0, Order::ByNumber);
    while !rest.is_empty() {
        let (number, behind) = match *rest {
            // Nearly every field, as `field_within` reads it.
            [tag @ 8..0x80, ..0x80, ref behind @ ..] if matches!(tag & 7, 0) => {
                (u32::from(tag >> 3), behind)
            }
            [tag @ 8..0x80, len @ ..0x80, ref behind @ ..]
                if tag & 7 == 2 && usize::from(len) <= behind.len() =>
            {
                (u32::from(tag >> 3), &behind[usize::from(len)..])
            }
            _ => {
                let mut cursor = Cursor::new(rest);
                let Ok((number, ..)) = field_within(&mut cursor, depth) else {
                    return Order::Broken;
                };
                (number, cursor.rest())
            }
        };
        if number < last {
            order = Order::Scattered;
        }
        (rest, last) = (behind, number);
    }
    order
}

/// The number and the place of every field that can be read, in order of number, if they do not
/// stand so: fields of one number may then be apart.
fn scattered(cursor: &Cursor<'_>, depth: usize) -> Option<Vec<(u32, u32)>> {
    let mut ahead = cursor.clone();
    let mut last = 0;
    loop {
        if ahead.is_empty() {
            return None;
        }
        let (number, ..) = field_within(&mut ahead, depth).ok()?;
        if number < last {
            break;
        }
        last = number;
    }
    // Eight bytes a field, which takes two at least: bounded by the message's own length.
    let mut places = Vec::new();
    let mut ahead = cursor.clone();
    while !ahead.is_empty() {
        let place = u32::try_from(ahead.offset() - cursor.offset()).ok()?;
        let Ok((number, ..)) = field_within(&mut ahead, depth) else { break };
        places.push((number, place));
    }
    places.sort_unstable();
    Some(places)
}

/// The list whose elements are being shown, if any.
#[derive(Default)]
struct OpenList {
    number: Option<u32>,
}

impl OpenList {
    fn turn_to<V: Visitor>(&mut self, number: Option<u32>, name: &str, visitor: &mut V) {
        if self.number == number {
            return;
        }
        if self.number.is_some() {
            visitor.leave();
        }
        if number.is_some() {
            visitor.enter(name, Shape::List);
        }
        self.number = number;
    }
}

/// The name of a field that no table has, made without allocating.
struct UnknownName {
    text: [u8; UNKNOWN_NAME_LEN],
    len: usize,
}

impl Default for UnknownName {
    fn default() -> Self {
        Self { text: [0; UNKNOWN_NAME_LEN], len: 0 }
    }
}

impl UnknownName {
    fn write(&mut self, name: std::fmt::Arguments<'_>) -> &str {
        // Longer names than the tables here have are cut.
        let _ = Write::write_fmt(self, name);
        std::str::from_utf8(&self.text[..self.len]).unwrap_or_default()
    }
}

impl Write for UnknownName {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        let room = self.text.get_mut(self.len..self.len + text.len()).ok_or(std::fmt::Error)?;
        room.copy_from_slice(text.as_bytes());
        self.len += text.len();
        Ok(())
    }
}

fn next_number(cursor: &Cursor<'_>) -> Option<u32> {
    next_in(cursor.rest())
}

/// The number of the field that bytes begin with.
#[inline]
fn next_in(bytes: &[u8]) -> Option<u32> {
    if let [tag @ ..0x80, ..] = *bytes {
        return Some(u32::from(tag >> 3));
    }
    let (tag, _) = varint::decode(bytes).ok()?;
    u32::try_from(tag >> 3).ok()
}

/// Whether bytes are numbers of one kind, end to end.
fn is_packed(kind: FieldKind, bytes: &[u8]) -> bool {
    let mut elements = Cursor::new(bytes);
    while !elements.is_empty() && kind.packed(&mut elements).is_ok() {}
    elements.is_empty()
}

impl FieldKind {
    /// The value of a field that is a number, if it stands there as one of its kind does.
    #[must_use]
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "of a kind that is known it is no choice at all")]
    pub fn number(self, raw: Raw<'_>) -> Option<Value<'static>> {
        Some(match (self, raw) {
            (Self::Float, Raw::Fixed32(wire)) => Value::Float(f32::from_bits(wire).into()),
            (Self::Double, Raw::Fixed64(wire)) => Value::Float(f64::from_bits(wire)),
            (_, Raw::Varint(wire)) => match self {
                Self::Int32 => Value::Int(low_32_bits(wire).into()),
                Self::Int64 => Value::Int(wire.cast_signed()),
                Self::UInt32 => Value::UInt(low_32_bits(wire).cast_unsigned().into()),
                Self::UInt64 => Value::UInt(wire),
                Self::SInt32 => Value::Int(varint::ZigZag32::from_wire(wire).into()),
                Self::SInt64 => Value::Int(varint::unzigzag(wire)),
                Self::Bool => Value::Bool(wire != 0),
                Self::Enum(names) => named(names, wire.cast_signed()),
                _ => return None,
            },
            _ => return None,
        })
    }

    /// Whether its values are numbers.
    fn is_number(self) -> bool {
        !matches!(self, Self::Text | Self::Name | Self::Bytes | Self::Uuid | Self::Message(_))
    }

    /// Reads one of the numbers that stand end to end.
    fn packed(self, elements: &mut Cursor<'_>) -> Result<Raw<'static>> {
        Ok(match self {
            Self::Float => Raw::Fixed32(elements.u32_le("packed element")?),
            Self::Double => Raw::Fixed64(elements.u64_le("packed element")?),
            _ => Raw::Varint(elements.varint("packed element")?),
        })
    }
}

/// The value of a field that is no message; `None` if its wire type is another's.
#[inline]
fn single(kind: FieldKind, raw: Raw<'_>) -> Result<Option<Value<'_>>> {
    Ok(match (kind, raw) {
        (FieldKind::Text | FieldKind::Name, Raw::Bytes(bytes, at)) => {
            Some(Value::Text(text(bytes, at)?))
        }
        (FieldKind::Bytes | FieldKind::Uuid | FieldKind::Message(_), Raw::Bytes(bytes, _)) => {
            Some(Value::Bytes(bytes))
        }
        // protobuf keeps a known number with another wire type as an unknown field.
        (kind, raw) => kind.number(raw),
    })
}

/// The tags of fields 1 to 3 can be white space: few texts begin with that, many messages do.
fn looks_like_text(text: &str, depth: usize) -> bool {
    let controls = text.chars().any(|c| c.is_control() && !c.is_whitespace());
    let tagged =
        || text.starts_with(['\t', '\n', '\r']) && looks_like_message(text.as_bytes(), depth);
    !controls && !tagged()
}

fn looks_like_message(bytes: &[u8], depth: usize) -> bool {
    let mut cursor = Cursor::new(bytes);
    while depth < MAX_DEPTH && !cursor.is_empty() {
        if field(&mut cursor).is_err() {
            return false;
        }
    }
    !bytes.is_empty() && cursor.is_empty()
}

/// The name that an enumeration gives `number`, or the bare number.
#[must_use]
pub fn named(names: &[(i64, &'static str)], number: i64) -> Value<'static> {
    match names.iter().find(|(known, _)| *known == number) {
        Some(&(_, name)) => Value::Enum(number, name),
        None => Value::Int(number),
    }
}

fn uuid(bytes: &[u8]) -> Value<'_> {
    bytes.try_into().map_or(Value::Bytes(bytes), Value::Uuid)
}

/// An `int32` field's value: `CodedInputStream.readInt32` keeps the low half of what stands there.
#[must_use]
pub fn low_32_bits(value: u64) -> i32 {
    let [a, b, c, d, ..] = value.to_le_bytes();
    i32::from_le_bytes([a, b, c, d])
}

const START_GROUP: u64 = 3;
const END_GROUP: u64 = 4;
/// Longer ones are judged many bytes at once.
const SHORT_TEXT: usize = 64;
/// Ours: the name of any message in Hadoop's tables, and any number.
pub(crate) const UNKNOWN_NAME_LEN: usize = 64;
/// The largest field number that protobuf allows: 29 bits.
pub const MAX_NUMBER: u32 = (1 << 29) - 1;
/// protobuf-java's own default for messages in messages (`CodedInputStream`, recursion limit).
pub const MAX_DEPTH: usize = 100;

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[derive(Default)]
    struct Seen(Vec<String>);

    impl Visitor for Seen {
        fn field(&mut self, name: &str, at: Range<usize>, value: Value<'_>) {
            self.0.push(format!("{name} {at:?} {value:?}"));
        }
        fn layout(&mut self, _: &str, _: Range<usize>, _: Value<'_>) {}
        fn enter(&mut self, name: &str, shape: Shape) {
            self.0.push(format!("{name} {shape:?}"));
        }
        fn leave(&mut self) {
            self.0.push("leave".into());
        }
    }

    /// Sees the same, and takes back.
    #[derive(Default)]
    struct Trusting(Seen);

    impl Visitor for Trusting {
        fn field(&mut self, name: &str, at: Range<usize>, value: Value<'_>) {
            self.0.field(name, at, value);
        }
        fn layout(&mut self, _: &str, _: Range<usize>, _: Value<'_>) {}
        fn enter(&mut self, name: &str, shape: Shape) {
            self.0.enter(name, shape);
        }
        fn leave(&mut self) {
            self.0.leave();
        }
        fn mark(&self) -> Option<usize> {
            Some(self.0.0.len())
        }
        fn take_back(&mut self, mark: usize) {
            self.0.0.truncate(mark);
        }
    }

    fn seen(kind: Option<&MessageType>, bytes: &[u8]) -> Vec<String> {
        let mut seen = Seen::default();
        carried_message(kind, Cursor::new(bytes), &mut seen, |_, _| {}).unwrap();
        seen.0
    }

    static INNER: MessageType =
        MessageType { name: "Inner", fields: &[Field::one(1, "id", FieldKind::SInt32)] };
    static OUTER: MessageType = MessageType {
        name: "Outer",
        fields: &[
            Field::one(1, "inner", FieldKind::Message(&INNER)),
            Field::list(2, "names", FieldKind::Text),
        ],
    };

    #[test]
    fn a_table_names_fields_lists_and_messages() {
        let bytes = b"\x0a\x02\x08\x05\x12\x01a\x12\x01b\x18\x07";
        assert_eq!(
            seen(Some(&OUTER), bytes),
            [
                "inner Object",
                "id 2..4 Int(-3)",
                "leave",
                "names List",
                " 4..7 Text(\"a\")",
                " 7..10 Text(\"b\")",
                "leave",
                "Outer.3 10..12 Int(7)",
            ]
        );
    }

    #[test]
    fn without_a_table_fields_go_by_number() {
        let bytes = b"\x0a\x02\x08\x05\x12\x01a\x12\x01b";
        assert_eq!(
            seen(None, bytes),
            [
                "1 Object",
                "1 2..4 Int(5)",
                "leave",
                "2 List",
                " 4..7 Text(\"a\")",
                " 7..10 Text(\"b\")",
                "leave",
            ]
        );
    }

    #[test]
    fn a_number_that_stands_more_than_once_is_one_list_wherever_it_stands() {
        let bytes = b"\x12\x01a\x18\x07\x12\x01b\x0a\x02\x08\x05\x18\x08";
        assert_eq!(
            seen(Some(&OUTER), bytes),
            [
                "inner Object",
                "id 10..12 Int(-3)",
                "leave",
                "names List",
                " 0..3 Text(\"a\")",
                " 5..8 Text(\"b\")",
                "leave",
                "Outer.3 List",
                " 3..5 Int(7)",
                " 12..14 Int(8)",
                "leave",
            ]
        );
    }

    #[test]
    fn what_is_wrong_does_not_depend_on_who_looks() {
        // Field 3, then field 2 with text that is none, then field 1 with a tag that is none.
        let bytes = b"\x18\x07\x12\x01\xff\x0a\x02\x0f\x0f";
        let told = message(&OUTER, Cursor::new(bytes), &mut (), |_, _| {}).unwrap_err();
        assert_eq!(told, Problem::NotText { at: 0, encoding: "UTF-8" }.of("string", 4));
        let shown = message(&OUTER, Cursor::new(bytes), &mut Seen::default(), |_, _| {});
        assert_eq!(shown.unwrap_err(), told);
    }

    #[test]
    fn a_group_is_passed_over_up_to_its_own_end() {
        // Field 3 as a group of a number, a text and a group of its own number; then field 1.
        let bytes = b"\x1b\x08\x05\x12\x01a\x1b\x1c\x1c\x0a\x02\x08\x05";
        let inside = "Outer.3 0..9 Bytes([8, 5, 18, 1, 97, 27, 28])";
        let inner = ["inner Object", "id 11..13 Int(-3)", "leave"];
        assert_eq!(seen(Some(&OUTER), bytes), [&inner[..], &[inside]].concat());
        let known = b"\x0b\x0c\x13\x14";
        let names = ["inner 0..2 Bytes([])", "names List", " 2..4 Bytes([])", "leave"];
        assert_eq!(seen(Some(&OUTER), known), names);
        for (bytes, problem) in [
            (&b"\x1b\x08\x05"[..], Problem::Missing { missing: 1 }.of("tag", 3)),
            (b"\x1b\x08", Problem::Missing { missing: 1 }.of("varint field", 2)),
            (b"\x1b\x14", expected(2, "the number of the group that ends", 1)),
            (b"\x1c", expected(4, "a wire type", 0)),
            (b"\x1b\x07", expected(0, "a field number", 1)),
        ] {
            assert_eq!(field(&mut Cursor::new(bytes)).unwrap_err(), problem);
        }
    }

    fn expected(value: i64, expected: &'static str, at: usize) -> crate::DecodeError {
        Problem::Unexpected { value, expected }.of("tag", at)
    }

    #[test]
    fn groups_are_nested_as_deep_as_protobuf_java_allows() {
        let nested = |deep| [vec![0x1b; deep], vec![0x1c; deep]].concat();
        let deepest = nested(MAX_DEPTH);
        let (number, raw, at) = field(&mut Cursor::new(&deepest)).unwrap();
        assert_eq!((number, at), (3, 0..deepest.len()));
        assert_eq!(raw, Raw::Group(&deepest[1..deepest.len() - 1], 1));
        let refused = field(&mut Cursor::new(&nested(MAX_DEPTH + 1))).unwrap_err();
        assert_eq!(refused, Problem::TooDeep { limit: MAX_DEPTH }.of("group", MAX_DEPTH));
        assert!(field(&mut Cursor::new(&vec![0x1b; 1 << 20])).is_err());
    }

    #[test]
    fn a_group_counts_the_messages_that_it_is_in() {
        // A group of so many in the message of field 1.
        let inside = |deep: usize| {
            let groups = [vec![0x1b; deep], vec![0x1c; deep]].concat();
            let mut bytes = vec![0x0a];
            varint::encode(groups.len() as u64, &mut bytes);
            [bytes, groups].concat()
        };
        for (deep, read) in [(MAX_DEPTH - 1, true), (MAX_DEPTH, false)] {
            let bytes = inside(deep);
            let told = message(&OUTER, Cursor::new(&bytes), &mut (), |_, _| {});
            assert_eq!(told.is_ok(), read);
            let shown = message(&OUTER, Cursor::new(&bytes), &mut Seen::default(), |_, _| {});
            assert_eq!(shown, told);
            assert_eq!(Record::decode(&OUTER, Cursor::new(&bytes)).is_ok(), read);
        }
    }

    #[test]
    fn packed_elements_are_a_list_with_those_that_stand_alone() {
        static PACKED: MessageType =
            MessageType { name: "Packed", fields: &[Field::list(1, "on", FieldKind::Bool)] };
        let list = ["on List", " 2..3 Bool(true)", " 3..4 Bool(false)", " 4..6 Bool(true)"];
        assert_eq!(
            seen(Some(&PACKED), b"\x0a\x02\x01\x00\x08\x01"),
            [&list[..], &["leave"]].concat()
        );
        let torn = message(&PACKED, Cursor::new(b"\x0a\x01\x80"), &mut (), |_, _| {}).unwrap_err();
        assert_eq!(torn, Problem::Missing { missing: 1 }.of("packed element", 2));
    }

    #[test]
    fn numbers_with_a_fraction_take_four_bytes_or_eight() {
        static FRACTIONS: MessageType = MessageType {
            name: "Fractions",
            fields: &[
                Field::one(1, "half", FieldKind::Float),
                Field::list(2, "many", FieldKind::Double),
            ],
        };
        let mut bytes = Vec::new();
        let mut writer = Writer::new(&mut bytes);
        writer.fixed32(1, 0.5_f32.to_bits());
        writer.fixed64(2, 1.5_f64.to_bits());
        writer.bytes(2, &(-2.5_f64).to_le_bytes());
        assert_eq!(
            seen(Some(&FRACTIONS), &bytes),
            [
                "half 0..5 Float(0.5)",
                "many List",
                " 5..14 Float(1.5)",
                " 16..24 Float(-2.5)",
                "leave",
            ]
        );
        // As another wire type it is a field that the table does not have.
        assert_eq!(seen(Some(&FRACTIONS), b"\x08\x05"), ["half 0..2 Int(5)"]);
    }

    #[test]
    fn what_is_carried_and_not_what_its_type_says_is_shown_as_bytes() {
        let bytes = b"\x0a\x02\x0f\x0f\x12\x01\xff";
        assert_eq!(
            seen(Some(&OUTER), bytes),
            ["inner 0..4 Bytes([15, 15])", "names List", " 4..7 Bytes([255])", "leave"]
        );
        let torn = carried_message(Some(&OUTER), Cursor::new(b"\x0a\x05"), &mut (), |_, _| {})
            .unwrap_err();
        assert_eq!(torn, Problem::OverLimit { value: 5, limit: 1 }.of("field length", 1));
    }

    #[test]
    fn a_message_with_one_text_is_not_taken_for_text() {
        let mut bytes = vec![0x0a, 0x23, 0x0a, 0x21];
        bytes.extend_from_slice(&[b'x'; 33]);
        let text = format!("1 2..37 Text({:?})", "x".repeat(33));
        assert_eq!(seen(None, &bytes), ["1 Object", text.as_str(), "leave"]);
        assert_eq!(seen(None, b"\x0a\x05\nline"), ["1 0..7 Text(\"\\nline\")"]);
    }

    #[test]
    fn messages_nested_without_end_are_refused() {
        static LOOP: MessageType = MessageType {
            name: "Loop",
            fields: &[Field::one(1, "next", FieldKind::Message(&LOOP))],
        };
        let mut bytes = Vec::new();
        for _ in 0..200 {
            let mut outer = vec![0x0a];
            varint::encode(bytes.len() as u64, &mut outer);
            outer.extend_from_slice(&bytes);
            bytes = outer;
        }
        let refused = message(&LOOP, Cursor::new(&bytes), &mut (), |_, _| {}).unwrap_err();
        assert_eq!(refused.problem, Problem::TooDeep { limit: 100 });
    }

    /// Some fields of a message of fields, a few of them odd.
    fn fields() -> impl Strategy<Value = Vec<u8>> {
        let plain = prop::sample::select(vec![
            &b"\x08\x05"[..],
            b"\x10\x80\x01",
            b"\x1a\x02ab",
            b"\x22\x10 sixteen bytes. ",
            b"\x80\x01\x07",
            b"\x92\x01\x01z",
            b"\x3a\x01a\x3a\x01b",
            b"\x40\x07",
            b"\x1a\x01\xff",
            b"\x0f",
        ])
        .prop_map(<[u8]>::to_vec);
        let in_order = |mut parts: Vec<Vec<u8>>| {
            parts.sort();
            parts.concat()
        };
        let fields = prop::collection::vec(plain, 0..6);
        let leaf =
            prop_oneof![fields.clone().prop_map(in_order), fields.prop_map(|it| it.concat())];
        leaf.prop_recursive(4, 32, 3, |inner| {
            (prop::collection::vec((prop::sample::select(vec![0x2a, 0x32, 0x3a]), inner), 0..3))
                .prop_map(|parts| {
                    let mut bytes = b"\x08\x05".to_vec();
                    for (tag, part) in parts {
                        bytes.push(tag);
                        varint::encode(part.len() as u64, &mut bytes);
                        bytes.extend(part);
                    }
                    bytes
                })
        })
    }

    static NESTED: MessageType = MessageType {
        name: "Nested",
        fields: &[
            Field::one(1, "count", FieldKind::Int64),
            Field::one(2, "kind", FieldKind::Enum(&[(5, "FIVE")])),
            Field::one(3, "name", FieldKind::Text),
            Field::one(4, "id", FieldKind::Uuid),
            Field::one(5, "next", FieldKind::Message(&NESTED)),
            Field::list(6, "all", FieldKind::Message(&NESTED)),
            Field::list(7, "names", FieldKind::Name),
            Field::one(16, "flags", FieldKind::UInt32),
            Field::one(18, "bytes", FieldKind::Bytes),
        ],
    };

    proptest! {
        #[test]
        fn who_can_take_back_is_shown_the_same(bytes in fields()) {
            let mut handed = Vec::new();
            let (mut seen, mut trusting) = (Seen::default(), Trusting::default());
            let take = |number: u32, _: Raw<'_>| handed.push(number);
            let told = message(&NESTED, Cursor::new(&bytes), &mut seen, take);
            let all = std::mem::take(&mut handed);
            let take = |number: u32, _: Raw<'_>| handed.push(number);
            prop_assert_eq!(message(&NESTED, Cursor::new(&bytes), &mut trusting, take), told);
            prop_assert_eq!(&seen.0, &trusting.0.0);
            prop_assert!(handed.ends_with(&all));
            for kind in [None, Some(&NESTED)] {
                let told = carried_message(kind, Cursor::new(&bytes), &mut seen, |_, _| {});
                let found = carried_message(kind, Cursor::new(&bytes), &mut trusting, |_, _| {});
                prop_assert_eq!(found, told);
                prop_assert_eq!(&seen.0, &trusting.0.0);
            }
        }

        #[test]
        fn garbage_never_panics(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            let mut seen = Seen::default();
            let _ = message(&OUTER, Cursor::new(&bytes), &mut seen, |_, _| {});
            for kind in [None, Some(&OUTER)] {
                let shown = carried_message(kind, Cursor::new(&bytes), &mut seen, |_, _| {});
                prop_assert_eq!(carried_message(kind, Cursor::new(&bytes), &mut (), |_, _| {}), shown);
            }
        }
    }
}
