//! Properties of Java's texts: every path gives the result of Java's loops.

use proptest::prelude::*;

use super::*;
use crate::frame::ByteOrder;

const ENCODINGS: [Encoding; 3] = [Encoding::ModifiedUtf8, Encoding::Cesu8, Encoding::Utf8];

const FORMATS: [StringFormat; 7] = [
    StringFormat::JAVA_UTF,
    StringFormat::HADOOP_UTF8,
    StringFormat::HADOOP_TEXT,
    StringFormat::HAZELCAST,
    StringFormat::HAZELCAST_DATA,
    StringFormat::new(Encoding::Utf8, Length::IntUnits(ByteOrder::Little)),
    StringFormat::new(Encoding::ModifiedUtf8, Length::IntBytes(ByteOrder::Big)).or_null(),
];

/// Factor of the size of inputs, smaller under Miri, which is slow.
const FEW: usize = if cfg!(miri) { 1 } else { 10 };

/// Generates text of one script or many, short enough that changes often make it fail,
/// and long enough to be cut into chunks.
fn text() -> impl Strategy<Value = String> {
    let c = prop_oneof![
        8 => prop::char::range('a', 'z'),
        2 => prop::char::range('\u{a0}', '\u{4ff}'),
        2 => prop::char::range('\u{4e00}', '\u{9fff}'),
        1 => prop::char::range('\u{d000}', '\u{d7ff}'),
        2 => prop::char::range('\u{1f600}', '\u{1f63f}'),
        1 => any::<char>(),
        1 => Just('\0'),
    ];
    (prop::collection::vec(c, 0..6 * FEW), prop_oneof![8 => Just(1), 1 => 1..20 * FEW])
        .prop_map(|(text, times)| text.into_iter().collect::<String>().repeat(times))
}

/// Generates text with some bytes changed, inserted or removed.
fn hostile() -> impl Strategy<Value = Vec<u8>> {
    let interesting = prop_oneof![
        prop::sample::select(b"\0\xc0\x80\xc1\xed\xa0\xb0\xf0\xe0\xff".to_vec()),
        any::<u8>()
    ];
    let change = (any::<prop::sample::Index>(), 0..3_usize, interesting);
    (text(), prop::sample::select(&ENCODINGS), prop::collection::vec(change, 0..4)).prop_map(
        |(text, encoding, changes)| {
            let mut wire = Vec::new();
            encode_into(&text, encoding, &mut wire, SimdLevel::current());
            for (at, kind, byte) in changes {
                let at = at.index(wire.len() + 1);
                match kind {
                    0 => wire.insert(at, byte),
                    1 => wire.truncate(at),
                    _ => {
                        if let Some(old) = wire.get_mut(at) {
                            *old = byte;
                        }
                    }
                }
            }
            wire
        },
    )
}

/// Encodes by Java's definition, through UTF-16.
fn encoded(text: &str, encoding: Encoding) -> Vec<u8> {
    let mut out = Vec::new();
    let units: Vec<u16> = text.encode_utf16().collect();
    code_units::encode(&units, encoding, &mut out).unwrap();
    out
}

fn strictly(bytes: &[u8], encoding: Encoding) -> Result<String, DecodeErrorKind> {
    let mut text = String::new();
    code_units::decode_strict(bytes, encoding, &mut text).map(|()| text)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if cfg!(miri) { 4 } else { 256 }))]
    #[test]
    fn decode_undoes_encode(text in text()) {
        for encoding in ENCODINGS {
            let wire = encoded(&text, encoding);
            for &level in SimdLevel::available() {
                let mut out = b"before".to_vec();
                encode_into(&text, encoding, &mut out, level);
                prop_assert_eq!(&out[6..], &wire, "{:?} {:?}", encoding, level);
            }
            prop_assert_eq!(as_utf8(&text, encoding).is_some(), wire == text.as_bytes());
            prop_assert!(!may_be_utf8(&wire, encoding) || wire == text.as_bytes());
            let decoded = decode_strict(&wire, encoding).unwrap();
            prop_assert_eq!(decoded.as_ref(), text.as_str());
        }
    }

    #[test]
    fn parts_are_text_where_the_whole_is(wire in hostile(), len in 7..80_usize) {
        let parts: Vec<_> = parts(&wire, len).collect();
        prop_assert!(parts.iter().all(|part| (1..=len).contains(&part.len())));
        prop_assert_eq!(parts.concat(), wire.as_slice());
        for encoding in [Encoding::ModifiedUtf8, Encoding::Cesu8] {
            let decoded: Result<String, _> = parts.iter().map(|part| strictly(part, encoding)).collect();
            prop_assert_eq!(decoded.ok(), strictly(&wire, encoding).ok());
        }
    }

    #[test]
    fn short_text_has_the_characters_of_the_loop(wire in hostile(), len in 0..=SHORT + 1) {
        let wire = &wire[..len.min(wire.len())];
        for encoding in [Encoding::ModifiedUtf8, Encoding::Cesu8] {
            let expected = strictly(wire, encoding).ok();
            let mut expected: Option<Vec<u32>> = expected.map(|text| text.chars().map(u32::from).collect());
            let latin: Option<Vec<u8>> = expected.as_ref().and_then(|all| all.iter().map(|it| u8::try_from(*it).ok()).collect());
            let expected = expected.as_mut().map(|all| match (latin.as_deref(), all.iter().max()) {
                (Some(latin), _) => Characters::Latin1(latin),
                (None, Some(0x1_0000..)) => Characters::Ucs4(all),
                (None, _) => Characters::Ucs2(all),
            });
            for &level in SimdLevel::available() {
                let mut room = CharBuffer::<SHORT>::new();
                let characters = room.decode(wire, encoding, level);
                let expected = expected.as_ref().filter(|_| wire.len() <= SHORT);
                prop_assert_eq!(characters.as_ref(), expected, "{:?}", level);
            }
        }
    }

    #[test]
    fn every_level_decodes_as_the_loop_over_units(wire in hostile(), skip in 0..4_usize) {
        let wire = &wire[skip.min(wire.len())..];
        for encoding in ENCODINGS {
            let expected = strictly(wire, encoding);
            prop_assert_eq!(&decode_strict(wire, encoding).map(Cow::into_owned), &expected);
            for &level in SimdLevel::available() {
                let mut text = "before".to_owned();
                let result = decode_into(wire, encoding, &mut text, level).map(|()| text[6..].to_owned());
                prop_assert_eq!(&result, &expected, "{:?} {:?}", encoding, level);
                prop_assert!(result.is_ok() || text == "before");
            }
        }
    }

    #[test]
    fn lossless_decoding_round_trips(units in prop::collection::vec(prop_oneof![any::<u16>(), 0xd700..0xe000_u16], 0..40)) {
        for encoding in [Encoding::ModifiedUtf8, Encoding::Cesu8] {
            let mut wire = Vec::new();
            code_units::encode(&units, encoding, &mut wire).unwrap();
            let text = decode(&wire, encoding).unwrap();
            let seen = match &text {
                JavaText::Str(text) => text.encode_utf16().collect(),
                JavaText::Units(units) => units.clone(),
            };
            prop_assert_eq!(&seen, &units);
            let mut back = Vec::new();
            text.encode_into(encoding, &mut back).unwrap();
            prop_assert_eq!(back, wire);
        }
    }

    #[test]
    fn many_strings_are_as_one_by_one(pieces in prop::collection::vec(hostile(), 0..3 * FEW), clean: bool) {
        for encoding in ENCODINGS {
            let mut wire = Vec::new();
            let mut places = Vec::new();
            for piece in &pieces {
                if clean && strictly(piece, encoding).is_err() {
                    continue;
                }
                wire.push(0xff);
                places.push(wire.len()..wire.len() + piece.len());
                wire.extend_from_slice(piece);
            }
            let one_by_one: crate::Result<Vec<String>> = places
                .iter()
                .map(|place| strictly(&wire[place.clone()], encoding).map_err(|it| it.at("text", place.start)))
                .collect();
            for &level in SimdLevel::available() {
                let mut strings = Strings::new();
                let result = decode_many(&wire, &places, encoding, &mut strings, level)
                    .map(|()| strings.iter().map(str::to_owned).collect());
                prop_assert_eq!(&result, &one_by_one, "{:?} {:?}", encoding, level);
                prop_assert!(result.is_ok() || strings.is_empty());
            }
        }
    }

    #[test]
    fn strings_behind_their_length_come_back(texts in prop::collection::vec(text(), 0..2 * FEW)) {
        let mut strings = Strings::new();
        for text in texts.iter().filter(|text| text.len() < 20_000) {
            strings.values.push_str(text);
            strings.offsets.push(i32::try_from(strings.values.len()).unwrap());
        }
        for format in FORMATS {
            let mut wire = Vec::new();
            encode_many(strings.iter().map(Some), format, &mut wire).unwrap();
            let mut places = TextOffsets::default();
            prop_assert_eq!(format.scan(&wire, 1 << 20, &mut places), Ok(wire.len()));
            let mut decoded = Strings::new();
            decode_many(&wire, &places.texts, format.encoding, &mut decoded, SimdLevel::current()).unwrap();
            prop_assert_eq!(&decoded, &strings);
            let cut = wire.len() / 2;
            let mut front = TextOffsets::default();
            let taken = format.scan(&wire[..cut], 1 << 20, &mut front).unwrap();
            prop_assert!(taken <= cut && places.texts.starts_with(&front.texts));
            if let Some(first) = strings.iter().next() {
                let (text, len) = format.decode(&wire, 1 << 20).unwrap().unwrap();
                prop_assert_eq!(text, Some(JavaText::Str(first.into())));
                for cut in (0..len).rev().take(50) {
                    prop_assert_eq!(format.decode(&wire[..cut], 1 << 20), Ok(None));
                }
            }
        }
    }
}

proptest! {
    #[test]
    fn column_is_the_same_however_it_is_cut_and_at_every_level(
        texts in prop::collection::vec(prop::option::weighted(0.8, hostile()), 0..20),
        step in 1..40_usize, lossless: bool, cut in 0..3_usize,
    ) {
        for format in FORMATS {
            let mut wire = Vec::new();
            for text in &texts {
                let encoding = format.encoding;
                let text = text.as_ref().map(|bytes| decode_strict(bytes, encoding).unwrap_or_else(|_| "\u{1f600}".into()));
                if text.is_some() || !format.encode_null(&mut wire) {
                    format.encode(&text.unwrap_or_default(), &mut wire).unwrap();
                }
            }
            wire.truncate(wire.len() - cut.min(wire.len()));
            if let Some(last) = wire.last_mut() {
                *last ^= u8::from(cut == 2) << 7;
            }
            let (column, end) = one_by_one(&wire, format, lossless);
            for &level in SimdLevel::available() {
                let mut decoded = Column::new(lossless);
                let taken = format.decode_all(&wire, 1 << 20, &mut decoded, level);
                prop_assert_eq!(taken.clone(), end.clone());
                prop_assert_eq!(&decoded, &column);
                let mut decoder = StringDecoder::new(format, 1 << 20);
                let mut fed = Column::new(lossless);
                let result = wire.chunks(step).try_for_each(|chunk| decoder.feed(chunk, &mut fed, level));
                prop_assert_eq!(result.as_ref().map(|()| wire.len() - decoder.buffered()), end.as_ref().copied());
                prop_assert_eq!(result.is_ok() && decoder.finish().is_ok(), taken == Ok(wire.len()));
                prop_assert_eq!(&fed, &column);
            }
        }
    }

    #[test]
    fn text_with_lone_surrogates_comes_back(units in prop::collection::vec(prop_oneof![any::<u16>(), 0xd700..0xe000_u16], 0..40)) {
        for encoding in [Encoding::ModifiedUtf8, Encoding::Cesu8] {
            let mut wire = Vec::new();
            code_units::encode(&units, encoding, &mut wire).unwrap();
            let mut text = Vec::new();
            decode_wtf8(&wire, encoding, &mut text).unwrap();
            let mut back = Vec::new();
            encode_wtf8(&text, encoding, &mut back).unwrap();
            prop_assert_eq!(&back, &wire);
            let format = StringFormat::new(encoding, Length::IntUnits(ByteOrder::Big));
            let mut string = Vec::new();
            format.encode_wtf8(&text, &mut string).unwrap();
            prop_assert_eq!(&string[..4], &u32::try_from(units.len()).unwrap().to_be_bytes());
            prop_assert_eq!(&string[4..], &wire);
        }
    }

    #[test]
    fn invalid_text_is_not_encoded(bytes in hostile()) {
        let mut out = b"before".to_vec();
        let result = encode_wtf8(&bytes, Encoding::Utf8, &mut out);
        prop_assert_eq!(result.is_ok(), std::str::from_utf8(&bytes).is_ok());
        prop_assert_eq!(&out[6..], if result.is_ok() { &bytes[..] } else { b"" });
    }
}

/// Decodes with a loop over `StringFormat::front`.
fn one_by_one(wire: &[u8], format: StringFormat, lossless: bool) -> (Column, crate::Result<usize>) {
    let mut column = Column::new(lossless);
    let mut at = 0;
    let end = loop {
        let (text, len) = match format.front(&wire[at..], 1 << 20) {
            Ok(TextPrefix::Whole { text, end }) => (text, end),
            Ok(TextPrefix::Incomplete(_)) => break Ok(at),
            Err(error) => break Err(error.moved(at)),
        };
        if text.is_none() {
            column.nulls.push(column.texts.len());
        }
        let text = text.unwrap_or(len..len);
        let bytes = &wire[at + text.start..at + text.end];
        let result = match &mut column.texts {
            Texts::Strict(texts) => strictly(bytes, format.encoding).map(|text| {
                texts.values.push_str(&text);
                texts.offsets.push(i32::try_from(texts.values.len()).unwrap());
            }),
            Texts::Lossless(texts) => {
                let mut text = Vec::new();
                decode_wtf8(bytes, format.encoding, &mut text).map(|()| texts.push(&text).unwrap())
            }
        };
        if let Err(problem) = result {
            break Err(problem.at("text", at + text.start));
        }
        at += len;
    };
    (column, end)
}

/// Positions at which kernels that process 64 bytes together may go wrong.
#[test]
fn utf8_form_validity_is_the_same_at_every_place_and_level() {
    let high = b"\xed\xa0\xbd".as_slice();
    let low = b"\xed\xb8\x80".as_slice();
    let whole = [b"\xc0\x80", b"\xed\x9f\xbf".as_slice(), b"\xe0\xa0\x80", b"\xc4\x80"];
    let wrong =
        [b"\xc0", b"\xc0\x81".as_slice(), b"\xc1\x80", b"\xe0\x9f\x80", b"\xf0\x9f\x98\x80"];
    let pairs =
        [high, low, &[high, low].concat(), &[high, high, low].concat(), &[low, high].concat()]
            .map(<[u8]>::to_vec);
    let forms = whole.iter().chain(&wrong).map(|form| form.to_vec()).chain(pairs);
    for form in forms.step_by(if cfg!(miri) { 3 } else { 1 }) {
        for (filler, before) in [
            (b"a".as_slice(), 50..70),
            (b"\xc3\xa9", 25..35),
            (b"\xe4\xb8\x80", 16..24),
            (b"\xed\xa0\xbd\xed\xb8\x80", 8..12),
            (b"\xc0\x80\xed\xa0\xbd\xed\xb8\x80a", 6..9),
        ] {
            for before in before.step_by(if cfg!(miri) { 20 } else { 1 }) {
                for &after in if cfg!(miri) { [0, 70].as_slice() } else { &[0, 1, 2, 70] } {
                    let mut wire = [&filler.repeat(before), form.as_slice()].concat();
                    wire.resize(wire.len() + after, b'b');
                    every_level_agrees(&wire);
                    wire.pop();
                    every_level_agrees(&wire);
                }
            }
        }
    }
}

fn every_level_agrees(wire: &[u8]) {
    for encoding in ENCODINGS {
        let expected = strictly(wire, encoding);
        for &level in SimdLevel::available() {
            if let Ok(text) = &expected {
                let mut again = Vec::new();
                encode_into(text, encoding, &mut again, level);
                assert_eq!(again, encoded(text, encoding), "{encoding:?} {level:?}");
            }
            let mut text = String::new();
            let result = decode_into(wire, encoding, &mut text, level).map(|()| text);
            assert_eq!(result, expected, "{encoding:?} {level:?} {wire:x?}");
            let mut strings = Strings::new();
            let pieces = [0..wire.len(), 0..wire.len()];
            let many = decode_many(wire, &pieces, encoding, &mut strings, level);
            let both = many.map(|()| strings.iter().map(str::to_owned).collect::<Vec<_>>());
            let expected = expected.clone().map(|text| vec![text.clone(), text]);
            assert_eq!(both, expected.map_err(|problem| problem.at("text", 0)));
        }
    }
}

#[test]
fn long_string_in_small_pieces_is_not_looked_at_again_and_again() {
    let format = StringFormat::HAZELCAST_DATA;
    let characters = if cfg!(miri) { 1 << 10 } else { 1 << 20 };
    let text = "\u{20ac}".repeat(characters);
    let mut wire = Vec::new();
    format.encode(&text, &mut wire).unwrap();
    let mut decoder = StringDecoder::new(format, characters);
    let mut column = Column::new(false);
    let mut needed = Vec::new();
    for chunk in wire.chunks(64) {
        decoder.feed(chunk, &mut column, SimdLevel::current()).unwrap();
        needed.push(decoder.needed);
    }
    needed.dedup();
    assert!(needed.len() < 50, "{}", needed.len());
    assert_eq!(column.texts.len(), 1);
}

#[test]
fn text_length_is_checked_before_the_text_arrives() {
    for format in FORMATS {
        let judged = |length: i32| {
            let wire = match format.length {
                Length::U16Bytes => return None,
                Length::IntBytes(ByteOrder::Big) | Length::IntUnits(ByteOrder::Big) => {
                    length.to_be_bytes().to_vec()
                }
                Length::IntBytes(_) | Length::IntUnits(_) => length.to_le_bytes().to_vec(),
                Length::VIntBytes => {
                    let mut wire = Vec::new();
                    crate::varint::encode_vlong(length.into(), &mut wire);
                    wire
                }
            };
            Some(format.front(&wire, 100).map_err(|error| error.problem))
        };
        for (length, expected) in [
            (-2, Err(DecodeErrorKind::Negative { value: -2 })),
            (100, Ok(TextPrefix::Incomplete(100))),
            (101, Err(DecodeErrorKind::OverLimit { value: 101, limit: 100 })),
            (i32::MAX, Err(DecodeErrorKind::OverLimit { value: 0x7fff_ffff, limit: 100 })),
        ] {
            assert_eq!(judged(length).unwrap_or(expected.clone()), expected, "{format:?}");
        }
        assert!(matches!(judged(0), None | Some(Ok(TextPrefix::Whole { .. }))));
        let null = judged(-1);
        assert!(match null {
            Some(Ok(TextPrefix::Whole { text: None, .. })) => format.nullable,
            Some(Err(DecodeErrorKind::Negative { value: -1 })) | None => !format.nullable,
            _ => false,
        });
    }
    let over = DecodeErrorKind::OverLimit { value: 101, limit: 100 };
    assert_eq!(StringFormat::JAVA_UTF.front(&[0, 101], 100), Err(over.at("text length", 0)));
}

#[test]
fn nul_and_supplementary_characters_are_javas() {
    for (encoding, nul) in [(Encoding::ModifiedUtf8, &[0xc0, 0x80][..]), (Encoding::Cesu8, &[0])] {
        let mut wire = Vec::new();
        encode("\0\u{1f600}", encoding, &mut wire).unwrap();
        assert_eq!(wire[2..], [nul, b"\xed\xa0\xbd\xed\xb8\x80"].concat());
    }
}

#[test]
fn lone_surrogate_is_kept_on_request_and_refused_by_default() {
    let bytes = b"a\xc3\xa9\xed\xa0\xbdb";
    let units = vec![0x61, 0xe9, 0xd83d, 0x62];
    assert_eq!(decode(bytes, Encoding::ModifiedUtf8), Ok(JavaText::Units(units.clone())));
    let refused = DecodeErrorKind::LoneSurrogate { at: 3 };
    assert_eq!(decode_strict(bytes, Encoding::ModifiedUtf8), Err(refused.clone()));
    let utf8 = JavaText::Units(units).encode_into(Encoding::Utf8, &mut Vec::new());
    assert_eq!(utf8, Err(refused));
}

#[test]
fn two_strings_that_only_together_are_text_are_refused() {
    let wire = b"\xc3\xa9";
    let result =
        decode_many(wire, &[0..1, 1..2], Encoding::Utf8, &mut Strings::new(), SimdLevel::current());
    assert_eq!(result, Err(DecodeErrorKind::NotText { at: 0, encoding: "UTF-8" }.at("text", 0)));
}

#[test]
fn text_that_a_u16_cannot_measure_is_refused() {
    let text = "\u{20ac}".repeat(21846);
    let refused = encode(&text, Encoding::Cesu8, &mut Vec::new());
    assert_eq!(refused, Err(TooLong { len: 65538, max: 65535 }));
}
