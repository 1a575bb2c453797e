//! Visits the fields of a message in order, with or without a table.

use std::{fmt::Write, ops::Range};

use super::{
    Field, FieldKind, Label, MAX_DEPTH, MessageType, bit,
    field_order::{Order, order_of, scattered},
    sound::{fits, is_packed, is_sound},
    text, uuid,
    wire::{Raw, field, field_within, next_in, next_number},
};
use crate::{
    Cursor, DecodeErrorKind, Result, varint,
    visit::{Shape, Value, Visitor},
};

/// Decodes a whole message: shows its fields to `visitor`, and calls `take` with each raw field.
///
/// No name is shown twice: a number that occurs more than once is shown as a list, wherever its elements are.
/// Fields that the table does not have are shown under the message's name and their number, as
/// `RpcRequestHeaderProto.99`. `take` may be called with the first fields again, and then with all of them.
///
/// # Errors
/// The first field that is malformed. The fields before it were shown.
pub fn message<'a, V: Visitor>(
    kind: &MessageType,
    cursor: Cursor<'a>,
    visitor: &mut V,
    mut take: impl FnMut(u32, Raw<'a>),
) -> Result<()> {
    if V::ENABLED {
        Show::new(visitor, VisitError::IsError).whole(Some(kind), cursor, Some(&mut take))
    } else {
        judged(Some(kind), cursor, 0, VisitError::IsError, &mut take)
    }
}

/// Decodes a message that is only transported. Without a known type, its fields are named by number, and a
/// field that does not match its type is shown as bytes. If the type leads to a secret, unknown fields are
/// hidden, and all fields of a damaged message are hidden. `kind_of_unknown` returns the type of a nested
/// message that no table has, if its bytes identify it. `take` is as in [`message`].
///
/// # Errors
/// The first direct field that is malformed; errors in nested messages are not returned.
pub fn carried_message<'a, V: Visitor>(
    kind: Option<&MessageType>,
    kind_of_unknown: KindOfUnknown,
    cursor: Cursor<'a>,
    visitor: &mut V,
    mut take: impl FnMut(u32, Raw<'a>),
) -> Result<()> {
    if V::ENABLED {
        let mut show = Show { kind_of_unknown, ..Show::new(visitor, VisitError::IsShown) };
        show.whole(kind, cursor, Some(&mut take))
    } else {
        judged(kind, cursor, 0, VisitError::IsShown, &mut take)
    }
}

/// Error of a field that does not match its type.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum VisitError {
    IsError,
    IsShown,
}

/// Identifies the type of a message by its bytes alone.
type KindOfUnknown = fn(&[u8]) -> Option<&'static MessageType>;

/// Receiver of the raw fields of a message, without those of nested messages.
type Take<'t, 'a> = Option<&'t mut dyn FnMut(u32, Raw<'a>)>;

/// Walk over a message that shows its fields to a visitor.
struct Show<'v, V> {
    visitor: &'v mut V,
    wrong: VisitError,
    /// Whether fields are shown as they occur, before it is known that they are in order: if one is out of
    /// order or malformed, that is an error, and the visitor is rolled back.
    trusts: bool,
    hides: Hides,
    kind_of_unknown: KindOfUnknown,
}

/// The fields of a message that are hidden in addition to those that the table lists as secrets.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Hides {
    /// None: the type of the message does not lead to a secret.
    Nothing,
    /// Fields that the table does not have: a secret whose tag is damaged is such a field.
    Unknown,
    /// All: the message leads to a secret and is damaged, so any field may contain a secret.
    Everything,
}

impl<'v, V: Visitor> Show<'v, V> {
    fn new(visitor: &'v mut V, wrong: VisitError) -> Self {
        Self { visitor, wrong, trusts: false, hides: Hides::Nothing, kind_of_unknown: |_| None }
    }

    /// Shows an outermost message. Nearly all are in order, and are decoded in one pass on that assumption.
    fn whole<'a>(
        &mut self,
        kind: Option<&MessageType>,
        cursor: Cursor<'a>,
        mut take: Take<'_, 'a>,
    ) -> Result<()> {
        let leads_to_secret = kind.is_some_and(MessageType::leads_to_secret);
        if leads_to_secret {
            self.hides = Hides::Unknown;
        }
        if let Some(mark) = self.visitor.mark() {
            self.trusts = true;
            let read = self.in_order(kind, cursor.clone(), 0, &mut take);
            self.trusts = false;
            if read.is_ok() {
                return read;
            }
            // Only here: messages inside are not tried twice each, and those in them four times.
            self.visitor.rollback(mark);
        }
        if let Some(kind) = kind
            && leads_to_secret
            && !is_sound(kind, cursor.clone(), 0)
        {
            self.hides = Hides::Everything;
            // Hidden values are not read, but the first error in them must still be returned.
            let read = match take {
                Some(take) => judged(Some(kind), cursor.clone(), 0, self.wrong, take),
                None => judged(Some(kind), cursor.clone(), 0, self.wrong, &mut |_, _| {}),
            };
            let shown = self.message(Some(kind), cursor, 0, None);
            self.visitor.hide_rest();
            return read.and(shown);
        }
        let read = self.message(kind, cursor, 0, take);
        if read.is_err() && leads_to_secret {
            self.visitor.hide_rest();
        }
        read
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

    /// Shows a message's fields; how a field is shown may depend on those after it.
    fn fields<'a>(
        &mut self,
        kind: Option<&MessageType>,
        cursor: Cursor<'a>,
        order: Order,
        depth: usize,
        mut take: Take<'_, 'a>,
    ) -> Result<()> {
        if depth > MAX_DEPTH {
            return Err(
                DecodeErrorKind::TooDeep { limit: MAX_DEPTH }.at("message", cursor.offset())
            );
        }
        if order == Order::ByNumber {
            return self.in_order(kind, cursor, depth, &mut take);
        }
        let Some(places) = scattered(&cursor, depth) else {
            return self.in_order(kind, cursor, depth, &mut take);
        };
        // The error does not depend on the visitor: it is reported in the order of the bytes.
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
        let (all, mut previous) = (cursor.clone(), 0);
        let plain = kind.filter(|_| self.hides != Hides::Everything);
        let secrets = plain.map_or(0, |kind| kind.secrets);
        while !cursor.is_empty() {
            if let Some(kind) = plain
                && list.number.is_none()
                && self.plain_field(kind, secrets, &mut cursor, &mut previous, depth, take)?
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
        // Nothing is needed of a message without secrets in it.
        if self.trusts
            && self.hides != Hides::Nothing
            && let Some(kind) = kind
            && !has_fields(all, kind.needed(), depth)
        {
            return Err(DecodeErrorKind::Unsupported.at("required field", cursor.offset()));
        }
        Ok(())
    }

    /// Checks the number of the next field; an error if the fields were assumed to be in order and it is not.
    #[inline]
    fn follows(&self, number: u32, previous: &mut u32, cursor: &Cursor<'_>) -> Result<()> {
        if self.trusts && number < *previous {
            return Err(DecodeErrorKind::Unsupported.at("order", cursor.offset()));
        }
        *previous = number;
        Ok(())
    }

    /// Shows a field in the most frequent case: known, well-formed and the only one of its number. Returns
    /// `false` in other cases.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "for every field: what was read stays in registers")]
    fn plain_field<'a>(
        &mut self,
        kind: &MessageType,
        secrets: u64,
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
        let is_secret = secrets != 0 && secrets & bit(number) != 0;
        if known.label == Label::Repeated || is_secret {
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

    /// Shows a field under its name; as an element, if the field is repeated or another one has the same
    /// number.
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
        if self.trusts
            && self.hides == Hides::Unknown
            && let Some(known) = known
            && !(fits(known, raw, depth) && (!again || known.label == Label::Repeated))
        {
            return Err(DecodeErrorKind::Unsupported.at("field", at.start));
        }
        let mut unknown = UnknownName::default();
        let name = match (known, kind) {
            (Some(known), _) => known.name,
            (None, Some(kind)) => unknown.write(format_args!("{}.{number}", kind.name)),
            (None, None) => unknown.write(format_args!("{number}")),
        };
        list.turn_to(listed.then_some(number), name, self.visitor);
        let name = if listed { "" } else { name };
        if self.hides_field(kind, known, number) {
            self.visitor.secret(name, at, raw.bytes().map_or(Value::Hidden, Value::Bytes));
            return Ok(());
        }
        self.value(known, name, raw, at, depth)
    }

    fn hides_field(&self, kind: Option<&MessageType>, known: Option<&Field>, number: u32) -> bool {
        kind.is_some_and(|kind| kind.hides(number))
            || match self.hides {
                Hides::Nothing => false,
                // Numbers too: after a wrong length they are pieces of a secret.
                Hides::Unknown => known.is_none(),
                Hides::Everything => true,
            }
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
                    Err(_) if wrong == VisitError::IsShown => {
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
                if !V::ENABLED {
                    return judged(Some(inner), inside, depth + 1, wrong, &mut |_, _| {});
                }
                let order =
                    if self.trusts { Order::ByNumber } else { order_of(&inside, depth + 1) };
                let is_message = order != Order::Broken && (depth < MAX_DEPTH || bytes.is_empty());
                if wrong == VisitError::IsShown && !is_message {
                    self.visitor.field(name, at, Value::Bytes(bytes));
                    return Ok(());
                }
                self.visitor.layout(inner.name, at.start..content, Value::UInt(bytes.len() as u64));
                self.visitor.enter(name, Shape::Object);
                let read = self.fields(Some(inner), inside, order, depth + 1, None);
                self.visitor.leave();
                read?;
            }
            (_, Raw::Bytes(bytes, _))
                if wrong == VisitError::IsShown && !is_packed(kind, bytes) =>
            {
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
                    let wrong = std::mem::replace(&mut self.wrong, VisitError::IsShown);
                    let kind = (self.kind_of_unknown)(bytes);
                    let _ = self.message(kind, inside, depth + 1, None);
                    self.wrong = wrong;
                    self.visitor.leave();
                }
                _ => self.visitor.field(name, at, Value::Bytes(bytes)),
            },
            Raw::Group(bytes, _) => self.visitor.field(name, at, Value::Bytes(bytes)),
        }
    }
}

/// Whether a message has the fields of a set of [`bit`]s. Nested messages are not decoded.
fn has_fields(mut message: Cursor<'_>, mut missing: u64, depth: usize) -> bool {
    while missing != 0
        && let Ok((number, ..)) = field_within(&mut message, depth)
    {
        missing &= !bit(number);
    }
    missing == 0
}

/// Validates a message for which no visitor is enabled: the same checks as `in_order`, faster.
#[inline]
fn judged<'a, F: FnMut(u32, Raw<'a>) + ?Sized>(
    kind: Option<&MessageType>,
    mut cursor: Cursor<'a>,
    depth: usize,
    wrong: VisitError,
    take: &mut F,
) -> Result<()> {
    if depth > MAX_DEPTH {
        return Err(DecodeErrorKind::TooDeep { limit: MAX_DEPTH }.at("message", cursor.offset()));
    }
    while !cursor.is_empty() {
        let (number, raw, at) = field_within(&mut cursor, depth)?;
        hand(take, number, raw);
        let Raw::Bytes(bytes, content) = raw else { continue };
        if wrong == VisitError::IsShown {
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

/// Calls `take` with a field that a table may have; groups are left out, since no table has them.
#[inline]
fn hand<'a, F: FnMut(u32, Raw<'a>) + ?Sized>(take: &mut F, number: u32, raw: Raw<'a>) {
    if !matches!(raw, Raw::Group(..)) {
        take(number, raw);
    }
}

/// List whose elements are being shown, if any.
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

/// Name of a field that no table has, formatted without allocation.
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

/// Whether a text is more likely text than a message: the tags of fields 1 to 3 can be white space, with which
/// few texts and many messages begin.
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

/// Number of bytes of a name (chosen by jvmwire): that of any message in Hadoop's tables, and any number.
pub(crate) const UNKNOWN_NAME_LEN: usize = 64;
