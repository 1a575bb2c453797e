//! JSON as Storm and its components write it, with the range of every value.

use std::{borrow::Cow, ops::Range};

use crate::{
    DecodeError, DecodeErrorKind, Result,
    secrets::is_secret_name,
    visit::{HIDDEN, Value, Visitor},
};

/// Returns the offset of the end of the value at `at`; `NaN` and infinities are accepted, as Storm writes them.
pub(super) fn end_of_value(bytes: &[u8], at: usize) -> Result<usize> {
    skip(bytes, at, DEPTH_LIMIT)
}

/// Returns the ranges of the names and values of the members of the object at `object`.
pub(super) fn members(bytes: &[u8], object: usize) -> Result<Vec<(Range<usize>, Range<usize>)>> {
    let mut found = Vec::new();
    each(bytes, object, b'}', |at| {
        let name = text_at(bytes, at)?;
        let colon = space(bytes, name.end);
        if bytes.get(colon) != Some(&b':') {
            return Err(unexpected(bytes, colon));
        }
        let start = space(bytes, colon + 1);
        let end = skip(bytes, start, DEPTH_LIMIT)?;
        if found.len() == MEMBERS_LIMIT {
            let (value, limit) = (MEMBERS_LIMIT as u64 + 1, MEMBERS_LIMIT as u64);
            return Err(
                DecodeErrorKind::OverLimit { value, limit }.at("members of a message", name.start)
            );
        }
        found.push((name, start..end));
        Ok(end)
    })?;
    Ok(found)
}

/// Calls `one` with the range of each element of the list at `list`, in order, without allocation.
pub(super) fn each_element(
    bytes: &[u8],
    list: usize,
    mut one: impl FnMut(Range<usize>),
) -> Result<()> {
    each(bytes, list, b']', |at| {
        let end = skip(bytes, at, DEPTH_LIMIT)?;
        one(at..end);
        Ok(end)
    })?;
    Ok(())
}

/// Returns the text at `at`; `None` if the value is not a text, or if UTF-8 cannot represent it.
pub(super) fn text<'a>(bytes: &'a [u8], at: &Range<usize>) -> Option<Cow<'a, str>> {
    let value = &bytes[at.clone()];
    if value.first() != Some(&b'"') {
        return None;
    }
    match std::str::from_utf8(&value[1..value.len() - 1]) {
        Ok(plain) if !plain.contains('\\') => Some(Cow::Borrowed(plain)),
        _ => serde_json::from_slice::<String>(value).ok().map(Cow::Owned),
    }
}

/// Returns the text `value` in UTF-16: Python's `json` writes a lone surrogate like any other character.
fn units(value: &[u8]) -> Option<Vec<u16>> {
    let text = std::str::from_utf8(value.strip_prefix(b"\"")?.strip_suffix(b"\"")?).ok()?;
    let mut units = Vec::with_capacity(text.len());
    let mut rest = text.chars();
    while let Some(letter) = rest.next() {
        let letter = match letter {
            '\\' => match rest.next()? {
                'u' => {
                    let (digits, behind) = rest.as_str().split_at_checked(4)?;
                    if !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
                        return None;
                    }
                    units.push(u16::from_str_radix(digits, 16).ok()?);
                    rest = behind.chars();
                    continue;
                }
                'b' => '\u{8}',
                'f' => '\u{c}',
                'n' => '\n',
                'r' => '\r',
                't' => '\t',
                itself @ ('"' | '\\' | '/') => itself,
                _ => return None,
            },
            plain => plain,
        };
        units.extend_from_slice(letter.encode_utf16(&mut [0; 2]));
    }
    Some(units)
}

/// Shows a value; lists and objects are shown as their text.
pub(super) fn show<V: Visitor>(name: &str, bytes: &[u8], at: Range<usize>, visitor: &mut V) {
    let value = &bytes[at.clone()];
    if let Some(text) = text(bytes, &at) {
        return visitor.field(name, at, Value::Text(&text));
    }
    if let Some(units) = units(value) {
        return visitor.field(name, at, Value::Units(&units));
    }
    let Ok(word) = std::str::from_utf8(value) else {
        return visitor.field(name, at, Value::Bytes(value));
    };
    let shown = match word {
        "null" => Value::Null,
        "true" => Value::Bool(true),
        "false" => Value::Bool(false),
        "NaN" => Value::Float(f64::NAN),
        "Infinity" => Value::Float(f64::INFINITY),
        "-Infinity" => Value::Float(f64::NEG_INFINITY),
        _ => word
            .parse()
            .map(Value::Int)
            .or_else(|_| word.parse().map(Value::UInt))
            .ok()
            .or_else(|| is_whole(word).then_some(Value::Digits(word)))
            .or_else(|| {
                let has_fraction = word.bytes().any(|byte| matches!(byte, b'.' | b'e' | b'E'));
                word.parse().ok().filter(|_| has_fraction).map(Value::Float)
            })
            .unwrap_or(Value::Text(word)),
    };
    visitor.field(name, at, shown);
}

/// Shows a configuration as its text, with the values of secret names replaced.
pub(super) fn show_configuration<V: Visitor>(
    name: &str,
    bytes: &[u8],
    at: Range<usize>,
    visitor: &mut V,
) {
    if !V::ENABLED {
        return;
    }
    let secrets = secrets_in(bytes, at.clone());
    let Ok(text) = std::str::from_utf8(&bytes[at.clone()]) else {
        return visitor.secret(name, at.clone(), Value::Bytes(&bytes[at]));
    };
    if secrets.is_empty() {
        return show(name, bytes, at, visitor);
    }
    let (mut masked, mut done) = (String::with_capacity(text.len()), 0);
    for secret in secrets {
        masked.push_str(&text[done..secret.start - at.start]);
        masked.push('"');
        masked.push_str(HIDDEN);
        masked.push('"');
        done = secret.end - at.start;
    }
    masked.push_str(&text[done..]);
    visitor.field(name, at, Value::Masked(&masked));
}

/// Returns the ranges of the values of secret names, at any depth of `value`, in order. No byte is examined
/// twice.
fn secrets_in(bytes: &[u8], value: Range<usize>) -> Vec<Range<usize>> {
    let (mut found, mut at) = (Vec::new(), value.start);
    while let Some(by) = bytes[at..value.end].iter().position(|byte| *byte == b'"') {
        let Ok(string) = text_at(bytes, at + by) else { break };
        at = string.end;
        let colon = space(bytes, at);
        if bytes.get(colon) != Some(&b':') {
            continue;
        }
        at = space(bytes, colon + 1);
        // A name that UTF-8 cannot hold may be any.
        let is_secret = text(bytes, &string).is_none_or(|name| is_secret_name(&name));
        if is_secret && let Ok(end) = skip(bytes, at, DEPTH_LIMIT) {
            if bytes[at..end] != *b"null" {
                found.push(at..end);
            }
            at = end;
        }
    }
    found
}

/// Whether `word` is an integer in JSON, and for Python's `json`, too.
fn is_whole(word: &str) -> bool {
    let digits = word.strip_prefix('-').unwrap_or(word);
    (1..=DIGITS_LIMIT).contains(&digits.len())
        && digits.bytes().all(|byte| byte.is_ascii_digit())
        && (digits == "0" || !digits.starts_with('0'))
}

fn skip(bytes: &[u8], at: usize, depth: usize) -> Result<usize> {
    match bytes.get(at) {
        Some(b'"') => Ok(text_at(bytes, at)?.end),
        Some(open @ (b'{' | b'[')) => {
            if depth == 0 {
                return Err(DecodeErrorKind::TooDeep { limit: DEPTH_LIMIT }.at("message", at));
            }
            let is_object = *open == b'{';
            each(bytes, at, if is_object { b'}' } else { b']' }, |mut at| {
                if is_object {
                    at = space(bytes, text_at(bytes, at)?.end);
                    if bytes.get(at) != Some(&b':') {
                        return Err(unexpected(bytes, at));
                    }
                    at = space(bytes, at + 1);
                }
                skip(bytes, at, depth - 1)
            })
        }
        Some(_) => {
            let is_word = |byte: &&u8| byte.is_ascii_alphanumeric() || b"+-.".contains(byte);
            let len = bytes[at..].iter().take_while(is_word).count();
            if len == 0 { Err(unexpected(bytes, at)) } else { Ok(at + len) }
        }
        None => Err(unexpected(bytes, at)),
    }
}

/// Iterates over comma-separated elements up to the closing bracket; returns the offset of its end.
fn each(
    bytes: &[u8],
    open: usize,
    close: u8,
    mut one: impl FnMut(usize) -> Result<usize>,
) -> Result<usize> {
    let mut at = space(bytes, open + 1);
    if bytes.get(at) == Some(&close) {
        return Ok(at + 1);
    }
    loop {
        at = space(bytes, one(at)?);
        match bytes.get(at) {
            Some(b',') => at = space(bytes, at + 1),
            Some(byte) if *byte == close => return Ok(at + 1),
            _ => return Err(unexpected(bytes, at)),
        }
    }
}

/// Returns the range of the text at `at`, including its quotation marks.
fn text_at(bytes: &[u8], at: usize) -> Result<Range<usize>> {
    if bytes.get(at) != Some(&b'"') {
        return Err(unexpected(bytes, at));
    }
    let mut end = at + 1;
    while let Some(by) = memchr::memchr2(b'"', b'\\', &bytes[end..]) {
        end += by;
        if bytes[end] == b'"' {
            return Ok(at..end + 1);
        }
        end = (end + 2).min(bytes.len());
    }
    Err(unexpected(bytes, bytes.len()))
}

/// Returns the offset of the end of white space after `at`.
pub(super) fn space(bytes: &[u8], at: usize) -> usize {
    let rest = bytes.get(at..).unwrap_or_default();
    at + rest.iter().take_while(|byte| byte.is_ascii_whitespace()).count()
}

pub(super) fn unexpected(bytes: &[u8], at: usize) -> DecodeError {
    match bytes.get(at) {
        Some(&byte) => {
            DecodeErrorKind::Unexpected { value: byte.into(), expected: "what JSON has here" }
        }
        None => DecodeErrorKind::UnexpectedEof { missing: 1 },
    }
    .at("message", at)
}

/// Maximum depth in Storm's parser (`JSONParserBase.MAX_DEPTH`).
const DEPTH_LIMIT: usize = 400;

/// Maximum number of members of a message's object (chosen by jvmwire: Storm's messages have ten at most). Each
/// takes some 50 bytes of memory while its message is decoded.
const MEMBERS_LIMIT: usize = 1 << 16;

/// Maximum number of digits of an integer that Python parses (`sys.int_info.default_max_str_digits`).
const DIGITS_LIMIT: usize = 4300;
