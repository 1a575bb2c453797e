//! Order of the fields of a message.

use super::wire::field_within;
use crate::Cursor;

/// Order of the direct fields of a message.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Order {
    /// Fields of one number are contiguous, and no field precedes one of a lower number.
    ByNumber,
    Scattered,
    /// A field is malformed.
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

/// Returns the number and the offset of every readable field, sorted by number, if the fields are not in that
/// order; fields of one number may then be apart.
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
