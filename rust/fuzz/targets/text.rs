//! Java's texts: every level decodes what the loop does, many are one by one, in pieces too, decoding
//! undoes encoding, and a hostile length is refused.

#![no_main]

use std::ops::Range;

use jvmwire_codec::{
    DecodeError, DecodeErrorKind, SimdLevel,
    frame::ByteOrder,
    text::{
        CharBuffer, Characters, Column, Encoding, JavaText, Length, SHORT, StringDecoder,
        StringFormat, Strings, TextOffsets, TextPrefix, Texts, decode, decode_into, decode_many,
        decode_strict, decode_wtf8, encode_into, encode_many, parts,
    },
    varint,
};
use libfuzzer_sys::fuzz_target;

/// Small, so that inputs reach it.
const LIMIT: usize = 200;

const FORMATS: [StringFormat; 7] = [
    StringFormat::JAVA_UTF,
    StringFormat::HADOOP_UTF8,
    StringFormat::HADOOP_TEXT,
    StringFormat::HAZELCAST,
    StringFormat::HAZELCAST_DATA,
    StringFormat::new(Encoding::Cesu8, Length::IntUnits(ByteOrder::Little)),
    StringFormat::new(Encoding::ModifiedUtf8, Length::IntBytes(ByteOrder::Big)).or_null(),
];

fuzz_target!(|data: &[u8]| {
    let [times, step, piece @ ..] = data else { return };
    // Kernels look at blocks and chunks: an input of a few bytes gets there by repetition.
    let long = piece.repeat(if *times < 0x80 { 1 } else { usize::from(*times - 0x7f) * 4 });
    let step = usize::from(*step).max(1);
    for encoding in [Encoding::ModifiedUtf8, Encoding::Cesu8, Encoding::Utf8] {
        one(&long, encoding);
        let ends = (0..long.len()).step_by(step).skip(1).chain([long.len()]);
        let places: Vec<_> =
            ends.scan(0, |at, end| Some(std::mem::replace(at, end)..end)).collect();
        many(&long, &places, encoding);
    }
    for format in FORMATS {
        behind_lengths(piece, format);
        for lossless in [false, true] {
            in_pieces(piece, step, format, lossless);
        }
    }
});

fn one(bytes: &[u8], encoding: Encoding) {
    let strict = decode_strict(bytes, encoding);
    for &level in SimdLevel::available() {
        let mut text = "before".to_owned();
        let result = decode_into(bytes, encoding, &mut text, level);
        assert_eq!(result.as_ref().err(), strict.as_ref().err(), "{encoding:?} {level:?}");
        assert_eq!(text[6..], **strict.as_ref().unwrap_or(&"".into()), "{encoding:?} {level:?}");
    }
    let mut again = Vec::new();
    if let Ok(text) = &strict {
        for &level in SimdLevel::available() {
            again.clear();
            encode_into(text, encoding, &mut again, level);
            // One unit after the other, as Java's loop does it.
            let mut units = Vec::new();
            let by_units = JavaText::Units(text.encode_utf16().collect());
            assert_eq!(by_units.encode_into(encoding, &mut units), Ok(()));
            assert_eq!(again, units, "{encoding:?} {level:?}");
        }
        assert!(again.len() <= bytes.len() * 2);
        assert_eq!(decode_strict(&again, encoding).as_ref(), Ok(text));
    }
    match decode(bytes, encoding) {
        Ok(text) => {
            again.clear();
            assert_eq!(text.encode_into(encoding, &mut again), Ok(()));
            assert_eq!(decode(&again, encoding), Ok(text));
        }
        Err(_) => assert!(strict.is_err()),
    }
    if encoding != Encoding::Utf8 {
        let good = parts(bytes, SHORT).filter(|part| as_characters(part, encoding)).count();
        assert_eq!(good == parts(bytes, SHORT).count(), strict.is_ok());
    }
}

/// Whether they are text; then the characters are those of the loop.
fn as_characters(bytes: &[u8], encoding: Encoding) -> bool {
    let expected = decode_strict(bytes, encoding).ok();
    let expected = expected.map(|text| text.chars().map(u32::from).collect::<Vec<_>>());
    let highest = expected.as_ref().map(|all| all.iter().max().copied().unwrap_or_default());
    for &level in SimdLevel::available() {
        let mut room = CharBuffer::<SHORT>::new();
        let characters = room.decode(bytes, encoding, level);
        let (seen, range) = match characters {
            None => (None, 0..=u32::MAX),
            Some(Characters::Latin1(all)) => {
                (Some(all.iter().map(|it| (*it).into()).collect()), 0..=0xff)
            }
            Some(Characters::Ucs2(all)) => (Some(all.to_vec()), 0x100..=0xffff),
            Some(Characters::Ucs4(all)) => (Some(all.to_vec()), 0x1_0000..=0x10_ffff),
        };
        assert_eq!(seen, expected);
        assert!(highest.is_none_or(|highest| range.contains(&highest)));
    }
    highest.is_some()
}

/// The columns of a stream are the one of the whole, wherever it is cut; each string is what it is by
/// itself.
fn in_pieces(bytes: &[u8], step: usize, format: StringFormat, lossless: bool) {
    let whole = fed(bytes, bytes.len().max(1), format, lossless);
    let (column, error) = &whole;
    assert_eq!(fed(bytes, step, format, lossless), whole, "{format:?} in steps of {step}");
    assert!(
        column.nulls.is_sorted() && column.nulls.last().is_none_or(|at| *at < column.texts.len())
    );
    let mut places = TextOffsets::default();
    let scanned = format.scan(bytes, LIMIT, &mut places);
    assert!(column.texts.len() <= places.texts.len());
    let texts: Vec<&[u8]> = match &column.texts {
        Texts::Strict(texts) => texts.iter().map(str::as_bytes).collect(),
        Texts::Lossless(texts) => texts.iter().collect(),
    };
    for (text, place) in texts.into_iter().zip(&places.texts) {
        let mut alone = Vec::new();
        decode_wtf8(&bytes[place.clone()], format.encoding, &mut alone).expect("it was text");
        assert_eq!(text, alone);
    }
    if error.is_none() {
        assert_eq!((column.texts.len(), scanned.is_ok()), (places.texts.len(), true));
        assert!(column.nulls == places.nulls);
    }
}

/// What a decoder makes of `bytes` in steps, up to what is wrong.
fn fed(
    bytes: &[u8],
    step: usize,
    format: StringFormat,
    lossless: bool,
) -> (Column, Option<DecodeError>) {
    let mut decoder = StringDecoder::new(format, LIMIT);
    let mut column = Column::new(lossless);
    for chunk in bytes.chunks(step) {
        if let Err(error) = decoder.feed(chunk, &mut column, SimdLevel::current()) {
            return (column, Some(error));
        }
    }
    (column, None)
}

fn many(bytes: &[u8], places: &[Range<usize>], encoding: Encoding) {
    let one_by_one: Result<Vec<_>, DecodeError> = places
        .iter()
        .map(|place| {
            let text = decode_strict(&bytes[place.clone()], encoding);
            text.map_err(|problem| problem.at("text", place.start))
        })
        .collect();
    for &level in SimdLevel::available() {
        let mut strings = Strings::new();
        let result = decode_many(bytes, places, encoding, &mut strings, level);
        assert_eq!(result.as_ref().err(), one_by_one.as_ref().err(), "{encoding:?} {level:?}");
        assert!(strings.iter().eq(one_by_one.iter().flatten()), "{encoding:?} {level:?}");
    }
}

fn behind_lengths(bytes: &[u8], format: StringFormat) {
    let mut found = TextOffsets::default();
    let Ok(consumed) = format.scan(bytes, LIMIT, &mut found) else { return };
    let Some(texts) = decoded(bytes, &found, format) else { return };
    let mut again = Vec::new();
    encode_many(texts.iter().map(Option::as_deref), format, &mut again).expect("it was that long");
    found = TextOffsets::default();
    assert_eq!(format.scan(&again, LIMIT * 2, &mut found), Ok(again.len()));
    assert_eq!(decoded(&again, &found, format), Some(texts));
    if let Ok(TextPrefix::Whole { end, .. }) = format.front(&again, LIMIT * 2) {
        for cut in 0..end {
            let front = format.front(&again[..cut], LIMIT * 2);
            assert!(matches!(front, Ok(TextPrefix::Incomplete(_))), "{format:?} {front:?}");
        }
    }
    for length in [-1, 0, 200, 201, i32::MAX] {
        hostile(bytes[..consumed].to_vec(), format, length);
    }
}

/// What stands at `places`, if it is text.
fn decoded(
    bytes: &[u8],
    places: &TextOffsets,
    format: StringFormat,
) -> Option<Vec<Option<String>>> {
    let mut strings = Strings::new();
    decode_many(bytes, &places.texts, format.encoding, &mut strings, SimdLevel::current()).ok()?;
    let texts = strings.iter().enumerate();
    Some(texts.map(|(at, text)| (!places.nulls.contains(&at)).then(|| text.to_owned())).collect())
}

/// Behind whole strings stands a length of `length`.
fn hostile(mut wire: Vec<u8>, format: StringFormat, length: i32) {
    let at = wire.len();
    match format.length {
        Length::U16Bytes => {
            let Ok(length) = u16::try_from(length) else { return };
            wire.extend(length.to_be_bytes());
        }
        Length::IntBytes(ByteOrder::Big) | Length::IntUnits(ByteOrder::Big) => {
            wire.extend(length.to_be_bytes());
        }
        Length::IntBytes(_) | Length::IntUnits(_) => wire.extend(length.to_le_bytes()),
        Length::VIntBytes => varint::encode_vlong(length.into(), &mut wire),
    }
    let scanned = format.scan(&wire, LIMIT, &mut TextOffsets::default());
    let problem = match length {
        -1 if format.nullable => return assert_eq!(scanned, Ok(wire.len())),
        0 => return assert_eq!(scanned, Ok(wire.len())),
        200 => return assert_eq!(scanned, Ok(at)),
        ..0 => DecodeErrorKind::Negative { value: length.into() },
        _ => {
            DecodeErrorKind::OverLimit { value: length.unsigned_abs().into(), limit: LIMIT as u64 }
        }
    };
    assert_eq!(scanned, Err(problem.at("text length", at)));
}
