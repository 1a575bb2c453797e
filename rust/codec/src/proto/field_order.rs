//! Order of the fields of a message.

use super::wire::field_within;
use crate::Cursor;

/// Order of a message's own fields.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Order {
    /// Those of one number stand together, and none before a lower number's.
    ByNumber,
    Scattered,
    /// One cannot be read.
    Broken,
}

/// Determines the order of the fields of a message.
pub(super) fn order_of(message: &Cursor<'_>, depth: usize) -> Order {
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
pub(super) fn scattered(cursor: &Cursor<'_>, depth: usize) -> Option<Vec<(u32, u32)>> {
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
