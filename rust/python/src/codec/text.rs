//! Text in Java's encodings, with and without a length prefix.

use std::ops::Range;

use arrow_array::{Array as _, BinaryArray, cast::AsArray};
use arrow_buffer::{BooleanBufferBuilder, NullBuffer};
use arrow_schema::DataType;
use jvmwire_codec::{
    DecodeError, DecodeErrorKind, SimdLevel,
    frame::{BinaryColumn, ByteOrder},
    text::{
        self, Column, Encoding, Length, StringDecoder, TextError, TextPrefix, Texts, encode_many,
        encode_many_wtf8,
    },
};
use pyo3::{
    Borrowed, IntoPyObjectExt, intern,
    prelude::*,
    types::{PyBytes, PyString},
};

use super::{
    Array, Decoder, Limit, byte_order_name, byte_order_named, decoder::Incremental,
    make_of_part_at, written,
};
use crate::{
    decode::not_one_of,
    error::PyCoreError,
    ffi::{
        ArrowInput, BytesInput, FastResult, joined, method, method_at, ok_or_discard,
        str_from_characters, strings, value_and_offset,
    },
};

/// Encoding of text without a length prefix.
///
/// Args:
///     encoding: `modified-utf-8`, `cesu-8` or `utf-8`.
///     lossless: Whether lone surrogates are kept; False (the default) refuses them. If true,
///         columns are binary arrays of WTF-8 instead of string arrays.
///
/// Raises:
///     `ValueError`: the encoding is unknown.
#[pyclass(module = "jvmwire._core", frozen)]
pub(crate) struct Text {
    encoding: Encoding,
    lossless: bool,
}

const ENCODINGS: [(&str, Encoding); 3] = [
    ("modified-utf-8", Encoding::ModifiedUtf8),
    ("cesu-8", Encoding::Cesu8),
    ("utf-8", Encoding::Utf8),
];

#[pymethods]
impl Text {
    #[new]
    #[pyo3(signature = (encoding, /, *, lossless=false))]
    fn new(encoding: &str, lossless: bool) -> Result<Self, PyCoreError> {
        Ok(Self { encoding: encoding_named(encoding)?, lossless })
    }

    /// Name of the encoding.
    #[getter]
    fn encoding(&self) -> &'static str {
        name_of(self.encoding)
    }

    /// Whether lone surrogates are kept.
    #[getter]
    fn lossless(&self) -> bool {
        self.lossless
    }

    #[classattr]
    fn encode(py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
        method(py, "encode", "text", "Encodes one text.", Self::encode_one)
    }

    #[classattr]
    fn decode(py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
        method(py, "decode", "data", "Decodes the text that the bytes are.", Self::decode_one)
    }

    /// Encodes a column of texts; nulls stay null.
    ///
    /// Args:
    ///     texts: An Arrow array of type string, or binary (WTF-8) if lossless.
    ///
    /// Returns:
    ///     A binary array.
    ///
    /// Raises:
    ///     `TypeError`: the array has another type.
    #[pyo3(signature = (texts, /))]
    fn encode_all(&self, py: Python<'_>, texts: ArrowInput) -> PyResult<Array> {
        let texts = texts.texts(self.lossless)?;
        let encoded = py.detach(|| {
            let mut encoded = BinaryColumn::new();
            let mut one = Vec::new();
            for (index, text) in texts.bytes().enumerate() {
                one.clear();
                let result = text::encode_wtf8(text.unwrap_or_default(), self.encoding, &mut one);
                result
                    .map_err(TextError::from)
                    .and_then(|()| Ok(encoded.push(&one)?))
                    .map_err(|error| PyCoreError::from(error).at(index))?;
            }
            Ok::<_, PyCoreError>(encoded)
        });
        Ok(Array::binary_or_null(encoded?, texts.nulls().cloned()))
    }

    /// Decodes a binary column of texts; nulls stay null.
    ///
    /// Args:
    ///     texts: An Arrow array of type binary.
    ///
    /// Returns:
    ///     A string array, or a binary array of WTF-8 if lossless.
    ///
    /// Raises:
    ///     `DecodeError`: a text is malformed.
    ///     `TypeError`: the array has another type.
    #[pyo3(signature = (texts, /))]
    fn decode_all(&self, py: Python<'_>, texts: ArrowInput) -> PyResult<Array> {
        let texts = texts.binary_or_null()?;
        let decoded = py.detach(|| {
            let mut column = Column::new(self.lossless);
            let bytes = texts.value_data();
            let places: Vec<Range<usize>> =
                (0..texts.len()).map(|index| place(texts, index)).collect();
            column.texts.decode(bytes, &places, self.encoding, SimdLevel::current())?;
            Ok::<_, DecodeError>(column.texts)
        });
        Ok(array_of(decoded.map_err(PyCoreError::from)?, texts.nulls().cloned()))
    }
}

impl Text {
    fn encode_one<'py>(&self, text: Borrowed<'_, 'py, PyAny>) -> FastResult<'py> {
        let (py, text) = (text.py(), text.cast::<PyString>().map_err(PyErr::from)?);
        let mut out = Vec::new();
        match utf8_of(&text, self.lossless)? {
            Utf8::Strict(text) => match text::as_utf8(text, self.encoding) {
                Some(text) => return Ok(PyBytes::new(py, text).into_any()),
                None => text::encode_into(text, self.encoding, &mut out, SimdLevel::current()),
            },
            Utf8::Lossless(text) => {
                text::encode_wtf8(text.as_bytes(), self.encoding, &mut out)
                    .map_err(|problem| PyCoreError::from(TextError::from(problem)))?;
            }
        }
        Ok(PyBytes::new(py, &out).into_any())
    }

    fn decode_one<'py>(&self, data: Borrowed<'_, 'py, PyAny>) -> FastResult<'py> {
        let py = data.py();
        let data: BytesInput<'_, '_> = data.extract()?;
        data.read(|data| text_of(py, data, self.encoding, self.lossless, 0))
    }
}

/// Range of a value's bytes; a null has no bytes, whatever its offsets are.
fn place(values: &BinaryArray, index: usize) -> Range<usize> {
    let at = |index: usize| usize::try_from(values.value_offsets()[index]).unwrap_or_default();
    if values.is_null(index) { at(index)..at(index) } else { at(index)..at(index + 1) }
}

/// Format of a text with a length prefix.
///
/// Args:
///     encoding: `modified-utf-8`, `cesu-8` or `utf-8`.
///     length: The prefix: bytes as `uint16` or `int32` or Hadoop's `vint`, or `utf16-units`, an
///         int32 that counts UTF-16 units.
///     `byte_order`: The byte order of an int32, `big` (the default) or `little`.
///     nullable: Whether the format has a null; False by default, and required for `uint16`.
///     lossless: Whether lone surrogates are kept; False (the default) refuses them. If true,
///         columns are binary arrays of WTF-8 instead of string arrays.
///     limit: Maximum of the length, `MESSAGE_LIMIT` by default.
///
/// Raises:
///     `ValueError`: an argument is unknown, or a `uint16` is little-endian or nullable.
#[pyclass(module = "jvmwire._core", frozen, generic)]
#[derive(Clone, Copy)]
pub(crate) struct StringFormat {
    format: text::StringFormat,
    lossless: bool,
    limit: usize,
}

impl StringFormat {
    pub(crate) const JAVA_UTF: Self = Self::strict(text::StringFormat::JAVA_UTF);
    pub(crate) const HADOOP_UTF8: Self = Self::strict(text::StringFormat::HADOOP_UTF8);
    pub(crate) const HADOOP_TEXT: Self = Self::strict(text::StringFormat::HADOOP_TEXT);
    pub(crate) const HAZELCAST_STRING: Self = Self::strict(text::StringFormat::HAZELCAST);
    pub(crate) const HAZELCAST_DATA_STRING: Self = Self::strict(text::StringFormat::HAZELCAST_DATA);

    const fn strict(format: text::StringFormat) -> Self {
        Self { format, lossless: false, limit: Limit::MESSAGE.0 }
    }

    fn encode_one<'py>(&self, text: Borrowed<'_, 'py, PyAny>) -> FastResult<'py> {
        let py = text.py();
        let text = (!text.is_none()).then(|| text.cast::<PyString>()).transpose();
        let text = text.map_err(PyErr::from)?;
        let mut out = Vec::new();
        let encoded = match text.as_deref().map(|it| utf8_of(it, self.lossless)).transpose()? {
            Some(Utf8::Strict(text)) => self.format.encode(text, &mut out).map_err(TextError::from),
            Some(Utf8::Lossless(text)) => self.format.encode_wtf8(text.as_bytes(), &mut out),
            None => self.format.encode_null(&mut out).then_some(()).ok_or(TextError::Null),
        };
        encoded.map_err(PyCoreError::from)?;
        Ok(PyBytes::new(py, &out).into_any())
    }

    fn decode_one<'py>(
        &self,
        data: Borrowed<'_, 'py, PyAny>,
        offset: Option<Borrowed<'_, 'py, PyAny>>,
    ) -> FastResult<'py> {
        let py = data.py();
        let find = |bytes: &[u8], at| {
            let whole = self.whole(bytes).map_err(|error| PyCoreError::from(error.moved(at)));
            let (text, end) = whole?;
            let start = text.as_ref().map(|text| text.start);
            Ok(((start, end), text.unwrap_or_default()))
        };
        make_of_part_at(data, offset, find, |(start, end), text, at| {
            let text = start
                .map(|start| text_of(py, text, self.format.encoding, self.lossless, at + start));
            value_and_offset(&text.transpose()?.into_bound_py_any(py)?, at + end)
        })
    }

    /// Decodes the complete string at the start of `bytes`; returns its range and the offset of its end.
    fn whole(&self, bytes: &[u8]) -> Result<(Option<Range<usize>>, usize), DecodeError> {
        match self.format.front(bytes, self.limit)? {
            TextPrefix::Whole { text, end } => Ok((text, end)),
            TextPrefix::Incomplete(missing) => {
                Err(DecodeErrorKind::UnexpectedEof { missing }.at("string", 0))
            }
        }
    }
}

#[pymethods]
impl StringFormat {
    #[new]
    #[pyo3(signature = (encoding, length, /, *, byte_order="big", nullable=false, lossless=false, limit=Limit::MESSAGE))]
    fn new(
        encoding: &str,
        length: &str,
        byte_order: &str,
        nullable: bool,
        lossless: bool,
        limit: Limit,
    ) -> Result<Self, PyCoreError> {
        let encoding = encoding_named(encoding)?;
        let order = byte_order_named(byte_order)?;
        let length = match length {
            "uint16" => Length::U16Bytes,
            "int32" => Length::IntBytes(order),
            "utf16-units" => Length::IntUnits(order),
            "vint" => Length::VIntBytes,
            _ => {
                let known = ["uint16", "int32", "utf16-units", "vint"];
                return Err(not_one_of("length", length, &known));
            }
        };
        if length == Length::U16Bytes && (nullable || order == ByteOrder::Little) {
            let text = "a length of uint16 is big-endian, and none of them is null";
            return Err(PyCoreError::Argument(text.to_owned()));
        }
        let format = text::StringFormat { nullable, ..text::StringFormat::new(encoding, length) };
        Ok(Self { format, lossless, limit: limit.0 })
    }

    /// Name of the encoding.
    #[getter]
    fn encoding(&self) -> &'static str {
        name_of(self.format.encoding)
    }

    /// Name of the length prefix.
    #[getter]
    fn length(&self) -> &'static str {
        match self.format.length {
            Length::U16Bytes => "uint16",
            Length::IntBytes(_) => "int32",
            Length::IntUnits(_) => "utf16-units",
            Length::VIntBytes => "vint",
        }
    }

    /// Byte order of the length, `big` or `little`.
    #[getter]
    fn byte_order(&self) -> &'static str {
        byte_order_name(match self.format.length {
            Length::IntBytes(order) | Length::IntUnits(order) => order,
            Length::U16Bytes | Length::VIntBytes => ByteOrder::Big,
        })
    }

    /// Whether the format has a null.
    #[getter]
    fn nullable(&self) -> bool {
        self.format.nullable
    }

    /// Whether lone surrogates are kept.
    #[getter]
    fn lossless(&self) -> bool {
        self.lossless
    }

    /// Maximum of the length.
    #[getter]
    fn limit(&self) -> usize {
        self.limit
    }

    #[classattr]
    fn encode(py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
        method(py, "encode", "text", "Encodes one text.", Self::encode_one)
    }

    #[classattr]
    fn decode(py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
        method_at(
            py,
            "decode",
            "Decodes one text; returns it and the offset of its end.",
            Self::decode_one,
        )
    }

    /// Encodes a column of texts, one after the other.
    ///
    /// Args:
    ///     texts: An Arrow array of type string, or binary (WTF-8) if lossless.
    ///
    /// Returns:
    ///     The bytes of all texts.
    ///
    /// Raises:
    ///     `ValueError`: a text is too long, or is null and the format has no null.
    ///     `TypeError`: the array has another type.
    #[pyo3(signature = (texts, /))]
    fn encode_all<'py>(&self, py: Python<'py>, texts: ArrowInput) -> PyResult<Bound<'py, PyBytes>> {
        let texts = texts.texts(self.lossless)?;
        written(py, texts.room(), |wire| {
            let encoded = match &texts {
                TextArray::Strict(texts) => encode_many(texts.iter(), self.format, wire),
                TextArray::Lossless(texts) => encode_many_wtf8(texts.iter(), self.format, wire),
            };
            encoded.map_err(|(index, error)| PyCoreError::from(error).at(index))
        })
    }

    /// Decodes bytes that consist of complete texts.
    ///
    /// Args:
    ///     data: The bytes, read in place if no other thread can write to them.
    ///
    /// Returns:
    ///     A string array, or a binary array of WTF-8 if lossless.
    ///
    /// Raises:
    ///     `DecodeError`: a text is malformed, or the last one is incomplete.
    #[pyo3(signature = (data, /))]
    fn decode_all(&self, py: Python<'_>, data: BytesInput<'_, '_>) -> Result<Array, PyCoreError> {
        let column = data.read_detached(py, |data| {
            let mut column = Column::new(self.lossless);
            let taken =
                self.format.decode_all(data, self.limit, &mut column, SimdLevel::current())?;
            if taken < data.len() {
                self.whole(&data[taken..]).map_err(|error| error.moved(taken))?;
            }
            Ok::<_, DecodeError>(column)
        })?;
        Ok(column_of(column))
    }

    /// Returns a new incremental decoder of this format.
    fn decoder(&self) -> Decoder {
        let decoder = StringDecoder::new(self.format, self.limit);
        Decoder::new(Strings { decoder, lossless: self.lossless })
    }
}

struct Strings {
    decoder: StringDecoder,
    lossless: bool,
}

impl Incremental for Strings {
    fn feed(&mut self, data: &[u8]) -> (Array, Result<(), DecodeError>) {
        let mut column = Column::new(self.lossless);
        let fed = self.decoder.feed(data, &mut column, SimdLevel::current());
        (column_of(column), fed)
    }

    fn buffered(&self) -> usize {
        self.decoder.buffered()
    }

    fn finish(&self) -> Result<(), DecodeError> {
        self.decoder.finish()
    }
}

fn encoding_named(name: &str) -> Result<Encoding, PyCoreError> {
    let known = ENCODINGS.into_iter().find(|(known, _)| *known == name);
    known
        .map(|(_, encoding)| encoding)
        .ok_or_else(|| not_one_of("encoding", name, &ENCODINGS.map(|(name, _)| name)))
}

fn name_of(encoding: Encoding) -> &'static str {
    match encoding {
        Encoding::ModifiedUtf8 => "modified-utf-8",
        Encoding::Cesu8 => "cesu-8",
        Encoding::Utf8 => "utf-8",
    }
}

/// UTF-8 bytes of a `str`.
pub(crate) enum Utf8<'a> {
    Strict(&'a str),
    /// WTF-8 bytes, with lone surrogates.
    Lossless(Bound<'a, PyBytes>),
}

pub(crate) fn utf8_of<'a>(text: &'a Bound<'_, PyString>, lossless: bool) -> PyResult<Utf8<'a>> {
    match text.to_str() {
        Ok(text) => Ok(Utf8::Strict(text)),
        Err(error) if lossless => {
            ok_or_discard::<()>(Err(error));
            let py = text.py();
            let encoded = text.call_method1(intern!(py, "encode"), ("utf-8", SURROGATEPASS))?;
            Ok(Utf8::Lossless(encoded.cast_into()?))
        }
        Err(error) => Err(error),
    }
}

/// Decodes `bytes`, which begin at offset `at`, as a `str`.
#[inline]
pub(crate) fn text_of<'py>(
    py: Python<'py>,
    bytes: &[u8],
    encoding: Encoding,
    lossless: bool,
    at: usize,
) -> FastResult<'py> {
    // To have no more room than most need, and no room for errors, leaves a call's frame small.
    if bytes.len() <= FEW
        && let Some(text) = text_in_buffer::<FEW>(py, bytes, encoding)
    {
        return Ok(text.into_any());
    }
    Ok(any_text_of(py, bytes, encoding, lossless, at)?.into_any())
}

/// Decodes text of any length and content as a `str`.
#[inline(never)]
fn any_text_of<'py>(
    py: Python<'py>,
    bytes: &[u8],
    encoding: Encoding,
    lossless: bool,
    at: usize,
) -> PyResult<Bound<'py, PyString>> {
    if bytes.len() > FEW
        && let Some(text) = text_in_buffer::<{ text::SHORT }>(py, bytes, encoding)
    {
        return Ok(text);
    }
    let ascii = bytes[..bytes.len().min(FRONT)].is_ascii();
    // Python's own decoder validates and copies at once; rejected input is validated again below. If it makes as
    // many characters as there are bytes, these are ASCII, and nobody else need look at them.
    let by_python = || {
        if !ascii && !text::may_be_utf8(bytes, encoding) {
            return None;
        }
        let text = ok_or_discard(PyString::from_bytes(py, bytes))?;
        let same = !ascii || text.len().ok()? == bytes.len() || text::may_be_utf8(bytes, encoding);
        same.then_some(text)
    };
    let in_parts = || text_in_parts(py, bytes, encoding);
    // One character after the other, Python's decoder is the faster one.
    let at_once = encoding != Encoding::Utf8 && SimdLevel::current() >= SimdLevel::Avx512;
    let text = if ascii || !at_once {
        by_python().or_else(in_parts)
    } else {
        in_parts().or_else(by_python)
    };
    if let Some(text) = text {
        return Ok(text);
    }
    let mut text = String::new();
    match text::decode_into(bytes, encoding, &mut text, SimdLevel::current()) {
        Ok(()) => Ok(PyString::new(py, &text)),
        Err(DecodeErrorKind::LoneSurrogate { .. }) if lossless => {
            let mut text = Vec::new();
            text::decode_wtf8(bytes, encoding, &mut text)
                .map_err(|problem| PyCoreError::from(problem.at("text", at)))?;
            let text = PyBytes::new(py, &text);
            PyString::from_encoded_object(&text, Some(c"utf-8"), Some(c"surrogatepass"))
        }
        Err(problem) => Err(PyCoreError::from(problem.at("text", at)).into()),
    }
}

/// Number of ASCII bytes at the start of a text after which the rest is expected to be ASCII, too.
const FRONT: usize = 1 << 10;

/// Maximum number of bytes of most short texts.
const FEW: usize = 64;

/// Decodes up to `LEN` bytes of text in one of Java's encodings as a `str`, if the text is valid Unicode.
/// Python's decoder allocates for ASCII first, and again for each wider kind of character that it finds.
#[inline]
fn text_in_buffer<'py, const LEN: usize>(
    py: Python<'py>,
    bytes: &[u8],
    encoding: Encoding,
) -> Option<Bound<'py, PyString>> {
    str_from_characters(
        py,
        text::CharBuffer::<LEN>::new().decode(bytes, encoding, SimdLevel::current())?,
    )
}

/// Decodes text of any length in parts, so that the characters of a part are still in the cache when Python
/// copies them.
#[inline(never)]
fn text_in_parts<'py>(
    py: Python<'py>,
    bytes: &[u8],
    encoding: Encoding,
) -> Option<Bound<'py, PyString>> {
    let mut room = Box::new(text::CharBuffer::<PART>::new());
    let mut whole = None;
    for part in text::parts(bytes, PART) {
        let part = str_from_characters(py, room.decode(part, encoding, SimdLevel::current())?)?;
        whole = Some(match whole {
            None => part,
            Some(front) => joined(front, &part)?,
        });
    }
    whole
}

/// Number of bytes of a part: the memory for its characters stays below the size that `malloc` requests from
/// the operating system each time.
const PART: usize = 16 << 10;

const SURROGATEPASS: &str = "surrogatepass";

/// Maximum number of bytes of a length prefix other than `VInt`.
const LONGEST_LENGTH: usize = 4;

/// Array of texts from an Arrow producer.
enum TextArray<'a> {
    Strict(&'a arrow_array::StringArray),
    Lossless(&'a BinaryArray),
}

impl ArrowInput {
    fn texts(&self, lossless: bool) -> PyResult<TextArray<'_>> {
        if lossless && let Some(texts) = self.0.as_binary_opt() {
            return Ok(TextArray::Lossless(texts));
        }
        Ok(TextArray::Strict(self.expect_type(&DataType::Utf8, self.0.as_string_opt())?))
    }
}

impl TextArray<'_> {
    fn bytes(&self) -> Box<dyn Iterator<Item = Option<&[u8]>> + '_> {
        match self {
            Self::Strict(texts) => Box::new(texts.iter().map(|text| text.map(str::as_bytes))),
            Self::Lossless(texts) => Box::new(texts.iter()),
        }
    }

    /// Number of bytes of the texts with their length prefixes, if the encoding has the same bytes as UTF-8.
    fn room(&self) -> usize {
        let offsets = match self {
            Self::Strict(texts) => texts.value_offsets(),
            Self::Lossless(texts) => texts.value_offsets(),
        };
        let [first, .., last] = offsets else { return 0 };
        let bytes = usize::try_from(last - first).unwrap_or_default();
        bytes + LONGEST_LENGTH * (offsets.len() - 1)
    }

    fn nulls(&self) -> Option<&NullBuffer> {
        match self {
            Self::Strict(texts) => texts.nulls(),
            Self::Lossless(texts) => texts.nulls(),
        }
    }
}

fn column_of(column: Column) -> Array {
    let mut nulls = None;
    if !column.nulls.is_empty() {
        let len = column.texts.len();
        let mut valid = BooleanBufferBuilder::new(len);
        valid.append_n(len, true);
        column.nulls.iter().for_each(|index| valid.set_bit(*index, false));
        nulls = Some(NullBuffer::new(valid.finish()));
    }
    array_of(column.texts, nulls)
}

fn array_of(texts: Texts, nulls: Option<NullBuffer>) -> Array {
    match texts {
        Texts::Strict(texts) => Array::new(strings(texts.offsets, texts.values, nulls)),
        Texts::Lossless(texts) => Array::binary_or_null(texts, nulls),
    }
}
