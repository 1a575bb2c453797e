//! Tests and properties of protobuf messages decoded by tables.

use std::ops::Range;

use proptest::prelude::*;

use super::*;
use crate::visit::{Shape, Visitor};

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

/// Visitor that records the same fields, and supports rollback.
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
    fn rollback(&mut self, mark: usize) {
        self.0.0.truncate(mark);
    }
}

fn seen(kind: Option<&MessageType>, bytes: &[u8]) -> Vec<String> {
    let mut seen = Seen::default();
    carried_message(kind, |_| None, Cursor::new(bytes), &mut seen, |_, _| {}).unwrap();
    seen.0
}

static INNER: MessageType = MessageType::new("Inner", &[Field::one(1, "id", FieldKind::SInt32)]);
static OUTER: MessageType = MessageType::new(
    "Outer",
    &[Field::one(1, "inner", FieldKind::Message(&INNER)), Field::list(2, "names", FieldKind::Text)],
);

#[test]
fn table_names_fields_lists_and_messages() {
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
fn number_that_stands_more_than_once_is_one_list_wherever_it_stands() {
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
fn decode_errors_do_not_depend_on_the_visitor() {
    // Field 3, then field 2 with text that is none, then field 1 with a tag that is none.
    let bytes = b"\x18\x07\x12\x01\xff\x0a\x02\x0f\x0f";
    let told = message(&OUTER, Cursor::new(bytes), &mut (), |_, _| {}).unwrap_err();
    assert_eq!(told, DecodeErrorKind::NotText { at: 0, encoding: "UTF-8" }.at("string", 4));
    let shown = message(&OUTER, Cursor::new(bytes), &mut Seen::default(), |_, _| {});
    assert_eq!(shown.unwrap_err(), told);
}

#[test]
fn group_is_passed_over_up_to_its_own_end() {
    // Field 3 as a group of a number, a text and a group of its own number; then field 1.
    let bytes = b"\x1b\x08\x05\x12\x01a\x1b\x1c\x1c\x0a\x02\x08\x05";
    let inside = "Outer.3 0..9 Bytes([8, 5, 18, 1, 97, 27, 28])";
    let inner = ["inner Object", "id 11..13 Int(-3)", "leave"];
    assert_eq!(seen(Some(&OUTER), bytes), [&inner[..], &[inside]].concat());
    let known = b"\x0b\x0c\x13\x14";
    let names = ["inner 0..2 Bytes([])", "names List", " 2..4 Bytes([])", "leave"];
    assert_eq!(seen(Some(&OUTER), known), names);
    for (bytes, problem) in [
        (&b"\x1b\x08\x05"[..], DecodeErrorKind::UnexpectedEof { missing: 1 }.at("tag", 3)),
        (b"\x1b\x08", DecodeErrorKind::UnexpectedEof { missing: 1 }.at("varint field", 2)),
        (b"\x1b\x14", expected(2, "the number of the group that ends", 1)),
        (b"\x1c", expected(4, "a wire type", 0)),
        (b"\x1b\x07", expected(0, "a field number", 1)),
    ] {
        assert_eq!(field(&mut Cursor::new(bytes)).unwrap_err(), problem);
    }
}

fn expected(value: i64, expected: &'static str, at: usize) -> crate::DecodeError {
    DecodeErrorKind::Unexpected { value, expected }.at("tag", at)
}

#[test]
fn groups_are_nested_as_deep_as_protobuf_java_allows() {
    let nested = |deep| [vec![0x1b; deep], vec![0x1c; deep]].concat();
    let deepest = nested(MAX_DEPTH);
    let (number, raw, at) = field(&mut Cursor::new(&deepest)).unwrap();
    assert_eq!((number, at), (3, 0..deepest.len()));
    assert_eq!(raw, Raw::Group(&deepest[1..deepest.len() - 1], 1));
    let refused = field(&mut Cursor::new(&nested(MAX_DEPTH + 1))).unwrap_err();
    assert_eq!(refused, DecodeErrorKind::TooDeep { limit: MAX_DEPTH }.at("group", MAX_DEPTH));
    assert!(field(&mut Cursor::new(&vec![0x1b; 1 << 20])).is_err());
}

#[test]
fn group_counts_the_messages_that_it_is_in() {
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
        MessageType::new("Packed", &[Field::list(1, "on", FieldKind::Bool)]);
    let list = ["on List", " 2..3 Bool(true)", " 3..4 Bool(false)", " 4..6 Bool(true)"];
    assert_eq!(seen(Some(&PACKED), b"\x0a\x02\x01\x00\x08\x01"), [&list[..], &["leave"]].concat());
    let torn = message(&PACKED, Cursor::new(b"\x0a\x01\x80"), &mut (), |_, _| {}).unwrap_err();
    assert_eq!(torn, DecodeErrorKind::UnexpectedEof { missing: 1 }.at("packed element", 2));
}

#[test]
fn numbers_with_a_fraction_take_four_bytes_or_eight() {
    static FRACTIONS: MessageType = MessageType::new(
        "Fractions",
        &[Field::one(1, "half", FieldKind::Float), Field::list(2, "many", FieldKind::Double)],
    );
    let mut bytes = Vec::new();
    let mut writer = Writer::new(&mut bytes);
    writer.fixed32(1, 0.5_f32.to_bits());
    writer.fixed64(2, 1.5_f64.to_bits());
    writer.bytes(2, &(-2.5_f64).to_le_bytes());
    assert_eq!(
        seen(Some(&FRACTIONS), &bytes),
        ["half 0..5 Float(0.5)", "many List", " 5..14 Float(1.5)", " 16..24 Float(-2.5)", "leave",]
    );
    // As another wire type it is a field that the table does not have.
    assert_eq!(seen(Some(&FRACTIONS), b"\x08\x05"), ["half 0..2 Int(5)"]);
}

#[test]
fn nested_message_of_another_type_is_shown_as_bytes() {
    let bytes = b"\x0a\x02\x0f\x0f\x12\x01\xff";
    assert_eq!(
        seen(Some(&OUTER), bytes),
        ["inner 0..4 Bytes([15, 15])", "names List", " 4..7 Bytes([255])", "leave"]
    );
    let torn =
        carried_message(Some(&OUTER), |_| None, Cursor::new(b"\x0a\x05"), &mut (), |_, _| {})
            .unwrap_err();
    assert_eq!(torn, DecodeErrorKind::OverLimit { value: 5, limit: 1 }.at("field length", 1));
}

#[test]
fn message_with_one_text_is_not_taken_for_text() {
    let mut bytes = vec![0x0a, 0x23, 0x0a, 0x21];
    bytes.extend_from_slice(&[b'x'; 33]);
    let text = format!("1 2..37 Text({:?})", "x".repeat(33));
    assert_eq!(seen(None, &bytes), ["1 Object", text.as_str(), "leave"]);
    assert_eq!(seen(None, b"\x0a\x05\nline"), ["1 0..7 Text(\"\\nline\")"]);
}

#[test]
fn messages_nested_without_end_are_refused() {
    static LOOP: MessageType =
        MessageType::new("Loop", &[Field::one(1, "next", FieldKind::Message(&LOOP))]);
    let mut bytes = Vec::new();
    for _ in 0..200 {
        let mut outer = vec![0x0a];
        varint::encode(bytes.len() as u64, &mut outer);
        outer.extend_from_slice(&bytes);
        bytes = outer;
    }
    let refused = message(&LOOP, Cursor::new(&bytes), &mut (), |_, _| {}).unwrap_err();
    assert_eq!(refused.problem, DecodeErrorKind::TooDeep { limit: 100 });
}

/// Generates fields of a message of fields, a few of them malformed.
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
    let leaf = prop_oneof![fields.clone().prop_map(in_order), fields.prop_map(|it| it.concat())];
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

static NESTED: MessageType = MessageType::new(
    "Nested",
    &[
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
);

static TOKEN: MessageType = MessageType::with_secrets(
    "Token",
    &[
        Field::required(1, "id", FieldKind::Bytes),
        Field::required(2, "password", FieldKind::Bytes),
        Field::required(3, "kind", FieldKind::Text),
    ],
    &["id", "password"],
);
static HOLDER: MessageType = MessageType::new(
    "Holder",
    &[
        Field::one(1, "count", FieldKind::Int64),
        Field::one(2, "token", FieldKind::Message(&TOKEN)),
        Field::list(3, "names", FieldKind::Text),
        Field::one(5, "next", FieldKind::Message(&HOLDER)),
    ],
);

#[test]
fn unknown_fields_of_messages_that_lead_to_a_secret_are_hidden() {
    let token = b"\x12\x0b\x0a\x01i\x12\x01p\x1a\x01k\x48\x07";
    let inside = [
        "token Object",
        "id 2..5 Hidden",
        "password 5..8 Hidden",
        "kind 8..11 Text(\"k\")",
        "Token.9 11..13 Hidden",
        "leave",
    ];
    assert_eq!(seen(Some(&HOLDER), token), inside);
    // So are those of a message that has no secret itself, but a message with one.
    let unknown = b"\x48\x07\x52\x01x\x5b\x5c";
    let shown = ["Holder.9 0..2 Hidden", "Holder.10 2..5 Hidden", "Holder.11 5..7 Hidden"];
    assert_eq!(seen(Some(&HOLDER), unknown), shown);
}

#[test]
fn all_fields_of_a_damaged_message_with_a_secret_are_hidden() {
    let damaged: [&[u8]; 7] = [
        b"\x12\x09\x1a\x01i\x12\x01p\x1a\x01k\x1a\x01n", // the id as a kind
        b"\x12\x06\x0a\x01i\x12\x01p\x1a\x01n",          // no kind
        b"\x12\x09\x0a\x01i\x10\x01\x18\x1a\x01k\x1a\x01n", // a number for a password
        b"\x12\x08\x0a\x01i\x12\x01p\x1a\x01\x1a\x01n",  // a length too short
        b"\x0a\x01i\x1a\x01n",                           // bytes for a number
        b"\x08\x01\x08\x01\x1a\x01n",                    // twice what stands once
        b"\x13\x14\x1a\x01n",                            // a group for a message
    ];
    for bytes in damaged {
        let shown = seen(Some(&HOLDER), bytes);
        assert!(shown.iter().all(|one| !one.contains('"') && !one.contains("Bytes")), "{shown:?}");
        assert!(shown.iter().any(|one| one.ends_with("Hidden")), "{shown:?}");
        let mut trusting = Trusting::default();
        carried_message(Some(&HOLDER), |_| None, Cursor::new(bytes), &mut trusting, |_, _| {})
            .unwrap();
        assert_eq!(trusting.0.0, shown);
    }
}

proptest! {
    #[test]
    fn visitor_with_rollback_sees_the_same_fields(bytes in fields()) {
        let mut handed = Vec::new();
        let (mut seen, mut trusting) = (Seen::default(), Trusting::default());
        let take = |number: u32, _: Raw<'_>| handed.push(number);
        let told = message(&NESTED, Cursor::new(&bytes), &mut seen, take);
        let all = std::mem::take(&mut handed);
        let take = |number: u32, _: Raw<'_>| handed.push(number);
        prop_assert_eq!(message(&NESTED, Cursor::new(&bytes), &mut trusting, take), told);
        prop_assert_eq!(&seen.0, &trusting.0.0);
        prop_assert!(handed.ends_with(&all));
        for kind in [None, Some(&NESTED), Some(&HOLDER), Some(&TOKEN)] {
            let told = carried_message(kind, |_| None, Cursor::new(&bytes), &mut seen, |_, _| {});
            let found = carried_message(kind, |_| None, Cursor::new(&bytes), &mut trusting, |_, _| {});
            prop_assert_eq!(found, told);
            prop_assert_eq!(&seen.0, &trusting.0.0);
        }
    }

    #[test]
    fn garbage_never_panics(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let mut seen = Seen::default();
        let _ = message(&OUTER, Cursor::new(&bytes), &mut seen, |_, _| {});
        for kind in [None, Some(&OUTER), Some(&HOLDER)] {
            let shown = carried_message(kind, |_| None, Cursor::new(&bytes), &mut seen, |_, _| {});
            prop_assert_eq!(carried_message(kind, |_| None, Cursor::new(&bytes), &mut (), |_, _| {}), shown);
        }
    }
}
