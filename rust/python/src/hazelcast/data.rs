//! Codec of Hazelcast's `Data`.

#![expect(clippy::needless_pass_by_value, reason = "PyO3 hands over what it converted")]

use std::mem::take;

use jvmwire_codec::{
    DecodeError, TooLong,
    frame::{BinaryColumn, ByteOrder},
    hazelcast::data::{self, Input, Output, judge_depth, type_id, type_of},
    text::{Encoding, TextError},
};
use pyo3::{
    Borrowed, PyTraverseError, PyVisit,
    exceptions::{PyTypeError, PyValueError},
    intern,
    prelude::*,
    types::{PyBool, PyBytes, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple, PyType},
};

use super::{
    HazelcastDataInput, HazelcastDataOutput, HazelcastEntryColumns,
    data_column::{DataInput, datas_of, packed_column},
};
use crate::{
    codec::{Array, Utf8, byte_order_named, text_of, utf8_of},
    decode::not_one_of,
    error::PyCoreError,
    ffi::{ArrowInput, FastResult, function, int},
};

/// Codec of values in Hazelcast's `Data`; types that it does not know are read and written by Python callables.
#[pyclass(module = "jvmwire._core", frozen)]
pub(crate) struct HazelcastDataCodec {
    pub(super) order: ByteOrder,
    int_type: Option<i32>,
    /// Class of values that are already a `Data`.
    opaque: Py<PyType>,
    /// Per type id, the class that wraps a decoded value, where types are preserved.
    kinds: Py<PyDict>,
    readers: Py<PyDict>,
    find_reader: Py<PyAny>,
    writers: Py<PyDict>,
    find_writer: Py<PyAny>,
}

#[pymethods]
impl HazelcastDataCodec {
    #[new]
    #[pyo3(signature = (*, byte_order, default_int_type, opaque, kinds, readers, find_reader, writers, find_writer))]
    #[expect(clippy::too_many_arguments, reason = "all by name, from one place")]
    fn new(
        byte_order: &str,
        default_int_type: &str,
        opaque: Py<PyType>,
        kinds: Py<PyDict>,
        readers: Py<PyDict>,
        find_reader: Py<PyAny>,
        writers: Py<PyDict>,
        find_writer: Py<PyAny>,
    ) -> Result<Self, PyCoreError> {
        let order = byte_order_named(byte_order)?;
        let int_type = match default_int_type {
            "fitting" => None,
            "byte" => Some(type_id::BYTE),
            "short" => Some(type_id::SHORT),
            "integer" => Some(type_id::INTEGER),
            "long" => Some(type_id::LONG),
            "big_integer" => Some(type_id::BIG_INTEGER),
            _ => {
                let known = ["fitting", "byte", "short", "integer", "long", "big_integer"];
                return Err(not_one_of("default int type", default_int_type, &known));
            }
        };
        Ok(Self { order, int_type, opaque, kinds, readers, find_reader, writers, find_writer })
    }

    /// Encodes a value as a `Data`.
    #[pyo3(signature = (value, /, *, partition_hash=0))]
    fn to_data<'py>(
        slf: &Bound<'py, Self>,
        value: &Bound<'py, PyAny>,
        partition_hash: i32,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let mut writing = Writing::new(slf);
        writing.data(value, partition_hash)
    }

    /// Encodes values, one `Data` per value.
    #[pyo3(signature = (values, /))]
    fn to_data_all<'py>(
        slf: &Bound<'py, Self>,
        values: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyList>> {
        let py = slf.py();
        let mut writing = Writing::new(slf);
        let list = PyList::empty(py);
        for value in values.try_iter()? {
            list.append(writing.data(&value?, 0)?)?;
        }
        Ok(list)
    }

    /// Decodes a `Data` to a value; None is a null.
    #[pyo3(signature = (data, /))]
    fn to_object<'py>(
        slf: &Bound<'py, Self>,
        data: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        object_of(slf, data)
    }

    /// Decodes each `Data` to a value.
    #[pyo3(signature = (datas, /))]
    fn to_object_all<'py>(
        slf: &Bound<'py, Self>,
        datas: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyList>> {
        let list = PyList::empty(slf.py());
        for data in datas.try_iter()? {
            list.append(object_of(slf, &data?)?)?;
        }
        Ok(list)
    }

    /// Decodes values of one type into an Arrow array.
    #[pyo3(signature = (datas, /))]
    fn read_column(&self, py: Python<'_>, datas: DataInput<'_>) -> PyResult<Array> {
        datas.column(py, self.order)
    }

    /// Takes the gathered values as objects, and empties `columns`.
    #[pyo3(signature = (columns, /))]
    fn take_values<'py>(
        slf: &Bound<'py, Self>,
        columns: &Bound<'py, HazelcastEntryColumns>,
    ) -> PyResult<Bound<'py, PyList>> {
        let values = take(&mut columns.borrow_mut().values);
        let list = PyList::empty(slf.py());
        for value in values.iter() {
            list.append(gathered_object(slf, value)?)?;
        }
        Ok(list)
    }

    /// Takes the gathered keys and values as pairs of objects, and empties `columns`.
    #[pyo3(signature = (columns, /))]
    fn take_entries<'py>(
        slf: &Bound<'py, Self>,
        columns: &Bound<'py, HazelcastEntryColumns>,
    ) -> PyResult<Bound<'py, PyList>> {
        let (keys, values) = taken(columns);
        let list = PyList::empty(slf.py());
        for (key, value) in keys.iter().zip(values.iter()) {
            list.append((gathered_object(slf, key)?, gathered_object(slf, value)?))?;
        }
        Ok(list)
    }

    /// Takes the gathered keys and values as two Arrow arrays, and empties `columns`.
    #[pyo3(signature = (columns, /))]
    fn read_columns(
        &self,
        py: Python<'_>,
        columns: &Bound<'_, HazelcastEntryColumns>,
    ) -> PyResult<(Array, Array)> {
        let (keys, values) = taken(columns);
        Ok((packed_column(py, &keys, self.order)?, packed_column(py, &values, self.order)?))
    }

    /// Encodes each value of an Arrow array as a `Data`; nulls stay null.
    #[pyo3(signature = (values, /))]
    fn write_column(&self, py: Python<'_>, values: ArrowInput) -> PyResult<Array> {
        datas_of(py, &values, self.order)
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.opaque)?;
        visit.call(&self.kinds)?;
        visit.call(&self.readers)?;
        visit.call(&self.find_reader)?;
        visit.call(&self.writers)?;
        visit.call(&self.find_writer)
    }
}

/// Adds the functions that are called once per key or value.
pub(crate) fn add_hashes(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let help = "Returns the hash that selects the partition of a `Data`.";
    function(module, "hazelcast_partition_hash", "data", help, partition_hash)?;
    let help = "Returns the 64-bit hash that distinguishes values where they are only counted.";
    function(module, "hazelcast_hash64", "data", help, hash64)
}

fn partition_hash<'py>(data: Borrowed<'_, 'py, PyAny>) -> FastResult<'py> {
    let bytes = data.extract().map_err(PyErr::from)?;
    int(data.py(), data::partition_hash(bytes).map_err(PyCoreError::from)?)
}

fn hash64<'py>(data: Borrowed<'_, 'py, PyAny>) -> FastResult<'py> {
    let bytes = data.extract().map_err(PyErr::from)?;
    int(data.py(), data::hash64(bytes).map_err(PyCoreError::from)?)
}

/// Returns the partition that a hash selects.
#[pyfunction]
#[pyo3(signature = (partition_hash, partition_count, /))]
pub(crate) fn hazelcast_partition_id(partition_hash: i32, partition_count: i32) -> PyResult<i32> {
    Ok(data::partition_id(partition_hash, counted(partition_count)?))
}

/// Returns the partition of each `Data`.
#[pyfunction]
#[pyo3(signature = (datas, partition_count, /))]
pub(crate) fn hazelcast_partition_ids(
    py: Python<'_>,
    datas: DataInput<'_>,
    partition_count: i32,
) -> PyResult<Array> {
    datas.partition_ids(py, counted(partition_count)?)
}

pub(super) fn counted(partition_count: i32) -> PyResult<i32> {
    if partition_count > 0 {
        return Ok(partition_count);
    }
    Err(PyValueError::new_err(format!("{partition_count} partitions")))
}

/// Decodes `data` to a value; `None` is a null.
fn object_of<'py>(
    codec: &Bound<'py, HazelcastDataCodec>,
    data: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = codec.py();
    if data.is_none() {
        return Ok(data.clone());
    }
    let held;
    let data = if let Ok(data) = data.cast::<PyBytes>() {
        data
    } else {
        held = data.extract::<crate::ffi::BytesInput<'_, '_>>()?.to_bytes(py)?;
        &held
    };
    object_in(codec, data.as_bytes(), Some(data))
}

/// Decodes a gathered `Data` to a value; an empty one is a null.
fn gathered_object<'py>(
    codec: &Bound<'py, HazelcastDataCodec>,
    bytes: &[u8],
) -> PyResult<Bound<'py, PyAny>> {
    if bytes.is_empty() {
        return Ok(codec.py().None().into_bound(codec.py()));
    }
    object_in(codec, bytes, None)
}

fn taken(columns: &Bound<'_, HazelcastEntryColumns>) -> (BinaryColumn, BinaryColumn) {
    let mut columns = columns.borrow_mut();
    (take(&mut columns.keys), take(&mut columns.values))
}

fn object_in<'py>(
    codec: &Bound<'py, HazelcastDataCodec>,
    bytes: &[u8],
    data: Option<&Bound<'py, PyBytes>>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = codec.py();
    let type_id = type_of(bytes).map_err(PyCoreError::from)?;
    let input = Input::new(bytes, codec.get().order);
    let mut reading = Reading { codec, bytes, data: data.cloned(), input, depth: 0 };
    match reading.value(type_id) {
        Err(error) if error.is_instance_of::<UnknownType>(py) => {
            codec.get().opaque.bind(py).call1((reading.held(),))
        }
        read => read,
    }
}

/// Decoder of one value.
pub(super) struct Reading<'a, 'py> {
    pub(super) codec: &'a Bound<'py, HazelcastDataCodec>,
    pub(super) bytes: &'a [u8],
    /// The same bytes as a Python object, made when Python first needs them.
    pub(super) data: Option<Bound<'py, PyBytes>>,
    pub(super) input: Input<'a>,
    pub(super) depth: usize,
}

impl<'py> Reading<'_, 'py> {
    /// Decodes a value that begins with its type id.
    pub(super) fn object(&mut self) -> PyResult<Bound<'py, PyAny>> {
        let type_id = map_decode_error(self.input.i32())?;
        self.depth += 1;
        map_decode_error(judge_depth(self.depth, self.input.position()))?;
        let value = self.value(type_id);
        self.depth -= 1;
        value
    }

    fn value(&mut self, kind: i32) -> PyResult<Bound<'py, PyAny>> {
        let py = self.codec.py();
        Ok(match kind {
            type_id::NULL => py.None().into_bound(py),
            type_id::BYTE => {
                let value = map_decode_error(self.input.i8())?.into_pyobject(py)?.into_any();
                self.kept(kind, value)?
            }
            type_id::BOOLEAN => {
                PyBool::new(py, map_decode_error(self.input.i8())? != 0).to_owned().into_any()
            }
            type_id::SHORT => {
                let value = map_decode_error(self.input.i16())?.into_pyobject(py)?.into_any();
                self.kept(kind, value)?
            }
            type_id::INTEGER => {
                let value = map_decode_error(self.input.i32())?.into_pyobject(py)?.into_any();
                self.kept(kind, value)?
            }
            type_id::LONG => {
                let value = map_decode_error(self.input.i64())?.into_pyobject(py)?.into_any();
                self.kept(kind, value)?
            }
            type_id::FLOAT => {
                let value = PyFloat::new(py, map_decode_error(self.input.f32())?.into()).into_any();
                self.kept(kind, value)?
            }
            type_id::DOUBLE => PyFloat::new(py, map_decode_error(self.input.f64())?).into_any(),
            type_id::STRING => self.text()?,
            type_id::BYTE_ARRAY => self.byte_array()?,
            type_id::ARRAY_LIST => self.list()?,
            _ => self.foreign(kind)?,
        })
    }

    pub(super) fn text(&mut self) -> PyResult<Bound<'py, PyAny>> {
        let py = self.codec.py();
        Ok(match map_decode_error(self.input.text())? {
            Some((text, at)) => {
                text_of(py, text, Encoding::Cesu8, true, at).map_err(|error| *error)?
            }
            None => py.None().into_bound(py),
        })
    }

    pub(super) fn byte_array(&mut self) -> PyResult<Bound<'py, PyAny>> {
        let py = self.codec.py();
        Ok(match map_decode_error(self.input.array(1))? {
            Some(bytes) => PyBytes::new(py, bytes).into_any(),
            None => py.None().into_bound(py),
        })
    }

    /// Decodes a list that begins with its length; each element takes at least a type id.
    pub(super) fn list(&mut self) -> PyResult<Bound<'py, PyAny>> {
        let py = self.codec.py();
        let Some(count) = map_decode_error(self.input.count(4))? else {
            return Ok(py.None().into_bound(py));
        };
        let list = PyList::empty(py);
        for _ in 0..count {
            list.append(self.object()?)?;
        }
        Ok(list.into_any())
    }

    fn held(&mut self) -> Bound<'py, PyBytes> {
        let (py, bytes) = (self.codec.py(), self.bytes);
        self.data.get_or_insert_with(|| PyBytes::new(py, bytes)).clone()
    }

    fn kept(&self, kind: i32, value: Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let kinds = self.codec.get().kinds.bind(self.codec.py());
        if kinds.is_empty() {
            return Ok(value);
        }
        match kinds.get_item(kind)? {
            Some(kind) => kind.call1((value,)),
            None => Ok(value),
        }
    }

    /// Decodes a value with a Python callable.
    fn foreign(&mut self, kind: i32) -> PyResult<Bound<'py, PyAny>> {
        let py = self.codec.py();
        let codec = self.codec.get();
        let reader = match codec.readers.bind(py).get_item(kind)? {
            Some(reader) => reader,
            None => codec.find_reader.bind(py).call1((kind,))?,
        };
        if reader.is_none() {
            // Its end is unknown.
            return Err(UnknownType::new_err((kind,)));
        }
        let input = HazelcastDataInput::new(
            self.codec.clone().unbind(),
            self.held().unbind(),
            self.input.position(),
            self.depth,
        );
        let input = Bound::new(py, input)?;
        let value = reader.call1((&input,))?;
        let position = input.borrow().position();
        self.input = Input::at(self.bytes, position, codec.order);
        Ok(value)
    }
}

pyo3::import_exception!(jvmwire.hazelcast.serialization._data, UnknownType);

/// Encoder of one value.
pub(super) struct Writing<'a, 'py> {
    pub(super) codec: &'a Bound<'py, HazelcastDataCodec>,
    pub(super) output: Output,
    pub(super) depth: usize,
}

impl<'a, 'py> Writing<'a, 'py> {
    fn new(codec: &'a Bound<'py, HazelcastDataCodec>) -> Self {
        Self { codec, output: Output::data(0, 0, codec.get().order), depth: 0 }
    }

    /// Makes a `Data`.
    fn data(
        &mut self,
        object: &Bound<'py, PyAny>,
        partition_hash: i32,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let py = object.py();
        let opaque = self.codec.get().opaque.bind(py);
        if object.get_type().is(opaque) {
            return Ok(object.cast::<PyBytes>()?.clone());
        }
        self.output.restart(partition_hash, type_id::NULL);
        self.depth = 0;
        self.value(object, true)?;
        Ok(PyBytes::new(py, self.output.bytes()))
    }

    /// Encodes a value with its type id.
    pub(super) fn object(&mut self, object: &Bound<'py, PyAny>) -> PyResult<()> {
        self.depth += 1;
        judge_nesting(self.depth)?;
        self.value(object, false)?;
        self.depth -= 1;
        Ok(())
    }

    /// Writes the type id of the value that follows; in the header it is always big-endian.
    fn begin(&mut self, kind: i32, in_header: bool) {
        if in_header {
            self.output.retype(kind);
        } else {
            self.output.i32(kind);
        }
    }

    fn value(&mut self, object: &Bound<'py, PyAny>, in_header: bool) -> PyResult<()> {
        if let Ok(text) = object.cast_exact::<PyString>() {
            self.begin(type_id::STRING, in_header);
            return self.text(text);
        }
        if let Ok(number) = object.cast_exact::<PyInt>() {
            return self.int(number, in_header);
        }
        if let Ok(number) = object.cast_exact::<PyFloat>() {
            self.begin(type_id::DOUBLE, in_header);
            self.output.f64(number.value());
            return Ok(());
        }
        if let Ok(bytes) = object.cast_exact::<PyBytes>() {
            self.begin(type_id::BYTE_ARRAY, in_header);
            return map_length_error(self.output.byte_array(Some(bytes.as_bytes())));
        }
        if object.is_none() {
            self.begin(type_id::NULL, in_header);
            return Ok(());
        }
        if let Ok(flag) = object.cast_exact::<PyBool>() {
            self.begin(type_id::BOOLEAN, in_header);
            self.output.i8(flag.is_true().into());
            return Ok(());
        }
        if let Ok(list) = object.cast_exact::<PyList>() {
            self.begin(type_id::ARRAY_LIST, in_header);
            return self.list(list);
        }
        self.foreign(object, in_header)
    }

    pub(super) fn text(&mut self, text: &Bound<'py, PyString>) -> PyResult<()> {
        match utf8_of(text, true)? {
            Utf8::Strict(text) => map_length_error(self.output.string(Some(text))),
            Utf8::Lossless(text) => {
                let written: Result<(), TextError> = self.output.string_wtf8(text.as_bytes());
                Ok(written.map_err(PyCoreError::from)?)
            }
        }
    }

    pub(super) fn list(&mut self, list: &Bound<'py, PyList>) -> PyResult<()> {
        map_length_error(self.output.count(Some(list.len())))?;
        for object in list {
            self.object(&object)?;
        }
        Ok(())
    }

    fn int(&mut self, number: &Bound<'py, PyInt>, in_header: bool) -> PyResult<()> {
        let value = number.extract::<i64>().ok();
        let wide = || match value {
            Some(value) if i32::try_from(value).is_ok() => type_id::INTEGER,
            Some(_) => type_id::LONG,
            None => type_id::BIG_INTEGER,
        };
        let kind = self.codec.get().int_type.unwrap_or_else(wide);
        self.begin(kind, in_header);
        match (kind, value) {
            (type_id::BYTE, Some(value)) => self.output.i8(fitting(value, "a byte")?),
            (type_id::SHORT, Some(value)) => self.output.i16(fitting(value, "a short")?),
            (type_id::INTEGER, Some(value)) => self.output.i32(fitting(value, "an int")?),
            (type_id::LONG, Some(value)) => self.output.i64(value),
            (type_id::BIG_INTEGER, _) => self.big_integer(number)?,
            _ => return Err(PyValueError::new_err(format!("{number} does not fit 64 bits"))),
        }
        Ok(())
    }

    /// Writes the shortest two's complement that holds the sign, as `BigInteger.toByteArray`.
    pub(super) fn big_integer(&mut self, number: &Bound<'py, PyInt>) -> PyResult<()> {
        let py = number.py();
        let magnitude = if number.lt(0)? {
            number.call_method0("__invert__")?
        } else {
            number.clone().into_any()
        };
        let bits: usize = magnitude.call_method0(intern!(py, "bit_length"))?.extract()?;
        let how = PyDict::new(py);
        how.set_item(intern!(py, "signed"), true)?;
        let bytes =
            number.call_method(intern!(py, "to_bytes"), (bits / 8 + 1, "big"), Some(&how))?;
        map_length_error(self.output.byte_array(Some(bytes.cast::<PyBytes>()?.as_bytes())))
    }

    /// Encodes a value with a Python callable, which may return another value to encode instead.
    fn foreign(&mut self, object: &Bound<'py, PyAny>, in_header: bool) -> PyResult<()> {
        let py = object.py();
        let codec = self.codec.get();
        let class = object.get_type();
        let writer = match codec.writers.bind(py).get_item(&class)? {
            Some(writer) => writer,
            None => codec.find_writer.bind(py).call1((object,))?,
        };
        let Ok(found) = writer.cast::<PyTuple>() else {
            let other = writer.call1((object,))?;
            if other.get_type().is(&class) {
                let name = class.name()?;
                return Err(PyTypeError::new_err(format!("{name} cannot be made simpler")));
            }
            return self.value(&other, in_header);
        };
        let (kind, writer): (i32, Bound<'py, PyAny>) = found.extract()?;
        self.begin(kind, in_header);
        let output = std::mem::replace(&mut self.output, Output::new(codec.order));
        let output = HazelcastDataOutput::new(self.codec.clone().unbind(), output, self.depth);
        let output = Bound::new(py, output)?;
        let written = writer.call1((&output, object));
        self.output = output.borrow_mut().take();
        written.map(drop)
    }
}

/// Rejects values that are nested deeper than other implementations can read, or that contain themselves.
pub(super) fn judge_nesting(depth: usize) -> PyResult<()> {
    if depth > data::MAX_DEPTH {
        let text = format!("objects are nested deeper than {} levels", data::MAX_DEPTH);
        return Err(PyValueError::new_err(text));
    }
    Ok(())
}

fn fitting<T: TryFrom<i64>>(value: i64, what: &str) -> PyResult<T> {
    T::try_from(value).map_err(|_| PyValueError::new_err(format!("{value} does not fit {what}")))
}

pub(super) fn map_decode_error<T>(result: Result<T, DecodeError>) -> PyResult<T> {
    Ok(result.map_err(PyCoreError::from)?)
}

pub(super) fn map_length_error<T>(result: Result<T, TooLong>) -> PyResult<T> {
    Ok(result.map_err(PyCoreError::from)?)
}
