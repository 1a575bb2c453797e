//! Python objects from Java's `Writable` values.

use jvmwire_codec::{
    Cursor, DecodeError, DecodeErrorKind,
    hadoop::{Invocation, JavaType, Layout, Primitive, invocation, object, writable},
    visit::{Shape, Value, Visitor},
};
use pyo3::{
    exceptions::PyException,
    prelude::*,
    types::{PyBytes, PyDict, PyList},
};

use crate::hadoop::data::HadoopDataInput;
use crate::{
    error::{DecodeError as PyDecodeError, PyCoreError},
    value::{to_python, units},
};

/// Header of an invocation: protocol, method, versions and parameter classes.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub(in crate::hadoop) struct InvocationHeader {
    pub(in crate::hadoop) protocol: String,
    pub(in crate::hadoop) method: String,
    pub(in crate::hadoop) engine_version: i64,
    /// Version of the protocol.
    pub(in crate::hadoop) version: i64,
    /// Classes of the parameters.
    pub(in crate::hadoop) classes: Vec<String>,
}

/// Decodes an `ObjectWritable` that takes all of `data`.
///
/// `classes` maps names of Java classes to Python classes. Returns the value's Java class and the value.
#[pyfunction]
#[pyo3(signature = (data, classes, /))]
pub(crate) fn decode_object<'py>(
    data: &Bound<'py, PyBytes>,
    classes: &Bound<'py, PyDict>,
) -> Result<(String, Bound<'py, PyAny>), PyCoreError> {
    let mut cursor = Cursor::new(data.as_bytes());
    let mut builder = Builder::new(data, classes);
    let read = object(&mut cursor, "", &mut builder);
    let (class, value) = builder.finish(read)?;
    ended(&cursor)?;
    Ok((class, value))
}

/// Decodes the invocation of a `WritableRpcEngine` call; bytes after the parameters are ignored, as in Java.
pub(in crate::hadoop) fn decode_invocation<'py>(
    data: &Bound<'py, PyBytes>,
    classes: &Bound<'py, PyDict>,
) -> Result<(InvocationHeader, Bound<'py, PyList>), PyCoreError> {
    let mut builder = Builder::new(data, classes);
    let mut called = Invocation::default();
    let read = invocation(&mut Cursor::new(data.as_bytes()), &mut builder, &mut called);
    builder.failed(read)?;
    let (classes, values): (Vec<_>, Vec<_>) = builder.done.into_iter().unzip();
    let called = InvocationHeader {
        protocol: called.protocol.into_owned(),
        method: called.method.into_owned(),
        engine_version: called.rpc_version,
        version: called.client_version,
        classes,
    };
    Ok((called, PyList::new(data.py(), values)?))
}

/// Decodes the fields of a `Writable` of the given class from the start of the bytes that a user's class has
/// not read yet.
pub(in crate::hadoop) fn decode_writable<'py>(
    data: &Bound<'py, PyBytes>,
    at: usize,
    class: &str,
    classes: &Bound<'py, PyDict>,
    depth: usize,
) -> Result<(Bound<'py, PyAny>, usize), PyCoreError> {
    let mut cursor = Cursor::at(&data.as_bytes()[at..], at);
    let mut builder = Builder { depth, ..Builder::new(data, classes) };
    builder.stack.push(Node::Entry { class: class.to_owned(), parts: Vec::new() });
    let read = writable(&mut cursor, class, "value", &mut builder, depth);
    builder.failed(read)?;
    match builder.stack.pop() {
        Some(Node::Entry { mut parts, .. }) if parts.len() == 1 => {
            Ok((parts.remove(0), cursor.offset()))
        }
        _ => Err(DecodeErrorKind::Unsupported.at("Writable", at).into()),
    }
}

fn ended(cursor: &Cursor<'_>) -> Result<(), DecodeError> {
    if cursor.is_empty() {
        return Ok(());
    }
    let value = i64::try_from(cursor.rest().len()).unwrap_or(i64::MAX);
    Err(DecodeErrorKind::Unexpected { value, expected: "0 trailing bytes" }
        .at("trailing", cursor.offset()))
}

/// Builder of Python values, as the visitor of a decoded value.
struct Builder<'py, 'a> {
    data: &'a Bound<'py, PyBytes>,
    classes: &'a Bound<'py, PyDict>,
    stack: Vec<Node<'py>>,
    /// Completed outermost values, each with its class.
    done: Vec<(String, Bound<'py, PyAny>)>,
    /// First error that Python raised.
    error: Option<PyErr>,
    depth: usize,
}

enum Node<'py> {
    Object {
        class: String,
        /// Declared class of a null.
        declared: Option<String>,
        instance: Option<String>,
        component: Option<Primitive>,
        value: Option<Bound<'py, PyAny>>,
    },
    List {
        items: Vec<Bound<'py, PyAny>>,
        of: Option<Primitive>,
    },
    Map(Vec<(Bound<'py, PyAny>, Bound<'py, PyAny>)>),
    /// Part of a map: the class of the next key or value.
    Entry {
        class: String,
        parts: Vec<Bound<'py, PyAny>>,
    },
    Signature {
        version: i64,
        methods: Option<Bound<'py, PyAny>>,
    },
}

impl<'py, 'a> Builder<'py, 'a> {
    fn new(data: &'a Bound<'py, PyBytes>, classes: &'a Bound<'py, PyDict>) -> Self {
        Self { data, classes, stack: Vec::new(), done: Vec::new(), error: None, depth: 0 }
    }

    fn py(&self) -> Python<'py> {
        self.data.py()
    }

    fn failed(&mut self, read: Result<(), DecodeError>) -> Result<(), PyCoreError> {
        match self.error.take() {
            Some(error) => Err(error.into()),
            None => Ok(read?),
        }
    }

    fn finish(
        mut self,
        read: Result<(), DecodeError>,
    ) -> Result<(String, Bound<'py, PyAny>), PyCoreError> {
        self.failed(read)?;
        Ok(self.done.pop().expect("what was read was shown"))
    }

    /// Returns the object; if there is an error, keeps the first one and returns `None`.
    fn keep(&mut self, made: PyResult<Bound<'py, PyAny>>) -> Bound<'py, PyAny> {
        made.unwrap_or_else(|error| {
            self.error.get_or_insert(error);
            self.py().None().into_bound(self.py())
        })
    }

    fn known(&self, class: &str) -> PyResult<Bound<'py, PyAny>> {
        self.classes.get_item(class)?.ok_or_else(|| {
            let message = format!("the class {class:?} is not known here");
            PyCoreError::Decode { message, what: "class", offset: None, value: None }.into()
        })
    }

    /// Checks a class as `ObjectWritable.loadClass` does: the class of a null must exist. Which classes the
    /// Java runtime has is unknown here.
    fn loaded(&self, name: &str, class: Option<&JavaType>) -> PyResult<()> {
        match class {
            Some(JavaType::Array(of)) => self.loaded(name, Some(of)),
            Some(JavaType::Class(class)) if class.starts_with("java.") || class == WRITABLE => {
                Ok(())
            }
            Some(JavaType::Class(class)) => self.known(class).map(|_| ()),
            Some(_) => Ok(()),
            None => self.known(name).map(|_| ()),
        }
    }

    /// Decode error for an exception of a user's class, caused by the peer's bytes.
    fn unreadable(&self, class: &str, error: PyErr) -> PyErr {
        let py = self.py();
        if !error.is_instance_of::<PyException>(py) || error.is_instance_of::<PyDecodeError>(py) {
            return error;
        }
        let message = format!("{class} cannot be read: {error}");
        let wrong: PyErr =
            PyCoreError::Decode { message, what: "Writable", offset: None, value: None }.into();
        wrong.set_cause(py, Some(error));
        wrong
    }

    /// Adds a decoded part to the current node; a value of one of Hadoop's own `Writable`s is not wrapped in
    /// its class yet.
    fn put(&mut self, made: Bound<'py, PyAny>) {
        match self.stack.last_mut() {
            Some(Node::Object { value, .. }) => *value = Some(made),
            Some(Node::List { items, .. }) => items.push(made),
            Some(Node::Entry { parts, .. }) => parts.push(made),
            Some(Node::Signature { methods, .. }) => *methods = Some(made),
            Some(Node::Map(_)) | None => {}
        }
    }

    /// Wraps a value in the Python class of a Hadoop `Writable`.
    fn wrapped(&self, class: &str, value: Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let known = self.known(class)?;
        if Layout::from_class(class) == Some(Layout::Nothing) {
            known.call0()
        } else {
            known.call1((value,))
        }
    }

    /// Passes on a value whose `Writable` is the top node.
    fn put_writable(&mut self, value: Bound<'py, PyAny>) {
        let class = match self.stack.last() {
            Some(Node::Entry { class, .. }) => Some(class),
            Some(Node::Object { instance, .. }) => instance.as_ref(),
            _ => None,
        };
        let made = match class {
            Some(class) => self.wrapped(class, value),
            None => Ok(value),
        };
        let made = self.keep(made);
        self.put(made);
    }

    /// Returns the value of a completed object, and its class.
    fn object(&self, node: Node<'py>) -> PyResult<(String, Bound<'py, PyAny>)> {
        let Node::Object { class, declared, instance, component, value } = node else {
            return Ok((String::new(), self.py().None().into_bound(self.py())));
        };
        let value = value.unwrap_or_else(|| self.py().None().into_bound(self.py()));
        if let Some(declared) = declared {
            self.loaded(&declared, JavaType::from_name(&declared).as_ref())?;
            return Ok((declared, value));
        }
        if let Some(component) = component {
            return Ok((JavaType::Array(Box::new(JavaType::Primitive(component))).name(), value));
        }
        if instance.is_some() {
            return Ok((class, value));
        }
        Ok(match JavaType::from_name(&class) {
            // A name that no type has is refused as a class that is not known.
            Some(JavaType::Class(_)) | None => {
                let constant = self.known(&class)?.get_item(&value).map_err(|_| {
                    let message = format!("{class} has no constant {value}");
                    PyErr::from(PyCoreError::Decode {
                        message,
                        what: "constant",
                        offset: None,
                        value: None,
                    })
                });
                (class, constant?)
            }
            _ => (class, value),
        })
    }

    fn list(
        &self,
        items: Vec<Bound<'py, PyAny>>,
        of: Option<Primitive>,
    ) -> PyResult<Bound<'py, PyAny>> {
        if of == Some(Primitive::Byte) {
            let bytes: PyResult<Vec<u8>> =
                items.iter().map(|item| Ok(item.extract::<i8>()?.cast_unsigned())).collect();
            return Ok(PyBytes::new(self.py(), &bytes?).into_any());
        }
        Ok(PyList::new(self.py(), items)?.into_any())
    }

    fn value(&self, value: Value<'_>) -> PyResult<Bound<'py, PyAny>> {
        let py = self.py();
        match value {
            // A char: a unit of UTF-16.
            Value::UInt(value) => {
                Ok(units(py, &[u16::try_from(value).unwrap_or_default()])?.into_any())
            }
            value => to_python(py, value),
        }
    }
}

impl Visitor for Builder<'_, '_> {
    fn field(&mut self, name: &str, _: std::ops::Range<usize>, shown: Value<'_>) {
        match (self.stack.last_mut(), name, shown) {
            (Some(Node::Object { class, .. }), "class", Value::Name(text)) => {
                text.clone_into(class);
            }
            (Some(Node::Object { instance, .. }), "instance_class", Value::Name(text)) => {
                *instance = Some(text.to_owned());
            }
            (Some(Node::Object { declared, .. }), "declared_class", Value::Name(text)) => {
                *declared = Some(text.to_owned());
            }
            (Some(Node::Object { component, .. }), "component", Value::Name(text)) => {
                *component = Primitive::from_name(text);
            }
            (Some(Node::Signature { version, .. }), "version", Value::Int(value)) => {
                *version = value;
            }
            (Some(Node::Object { declared: Some(_), .. }), _, _) => {}
            (Some(Node::Object { instance: Some(_), .. } | Node::Entry { .. }), ..) => {
                let value = self.value(shown);
                let value = self.keep(value);
                self.put_writable(value);
            }
            (Some(Node::Object { .. } | Node::List { .. }), ..) => {
                let value = self.value(shown);
                let value = self.keep(value);
                self.put(value);
            }
            _ => {}
        }
    }

    fn secret(&mut self, name: &str, at: std::ops::Range<usize>, value: Value<'_>) {
        // It is the answer to the caller's own call.
        self.field(name, at, value);
    }

    fn layout(&mut self, name: &str, _: std::ops::Range<usize>, shown: Value<'_>) {
        if let (Some(Node::Entry { class, .. }), "class id", Value::Name(text)) =
            (self.stack.last_mut(), name, shown)
        {
            text.clone_into(class);
        }
    }

    fn enter(&mut self, name: &str, shape: Shape) {
        let node = match (self.stack.last(), shape) {
            (None, Shape::List) => return, // the parameters: each is outermost
            (Some(Node::Map(_)), Shape::Object) => {
                Node::Entry { class: String::new(), parts: Vec::with_capacity(2) }
            }
            (Some(Node::Object { .. } | Node::Entry { .. }), Shape::Object) => {
                Node::Signature { version: 0, methods: None }
            }
            (_, Shape::Object) => Node::Object {
                class: String::new(),
                declared: None,
                instance: None,
                component: None,
                value: None,
            },
            (Some(Node::Object { instance: Some(_), .. } | Node::Entry { .. }), Shape::List) => {
                Node::Map(Vec::new())
            }
            (Some(Node::Object { class, component, .. }), Shape::List) => {
                let of = match JavaType::from_name(class) {
                    Some(JavaType::Array(inner)) => match *inner {
                        JavaType::Primitive(primitive) => Some(primitive),
                        _ => None,
                    },
                    _ => *component,
                };
                Node::List { items: Vec::new(), of }
            }
            (_, Shape::List) => Node::List { items: Vec::new(), of: None },
        };
        let _ = name;
        self.stack.push(node);
    }

    fn leave(&mut self) {
        match self.stack.pop() {
            None => {}
            Some(Node::List { items, of }) => {
                let made = self.list(items, of);
                let made = self.keep(made);
                self.put(made);
            }
            Some(Node::Entry { mut parts, .. }) => {
                if let (Some(value), Some(key), Some(Node::Map(entries))) =
                    (parts.pop(), parts.pop(), self.stack.last_mut())
                {
                    entries.push((key, value));
                }
            }
            Some(Node::Map(entries)) => {
                let dict = PyDict::new(self.py());
                for (key, value) in entries {
                    if let Err(error) = dict.set_item(key, value) {
                        self.error.get_or_insert(error);
                    }
                }
                self.put_writable(dict.into_any());
            }
            Some(Node::Signature { version, methods }) => {
                let made = self
                    .known("org.apache.hadoop.ipc.ProtocolSignature")
                    .and_then(|class| class.call1((version, methods)));
                let made = self.keep(made);
                self.put(made);
            }
            Some(node @ Node::Object { .. }) => {
                let made = self.object(node).unwrap_or_else(|error| {
                    self.error.get_or_insert(error);
                    (String::new(), self.py().None().into_bound(self.py()))
                });
                if self.stack.is_empty() { self.done.push(made) } else { self.put(made.1) }
            }
        }
    }

    fn foreign(
        &mut self,
        class: &str,
        _: &str,
        cursor: &mut Cursor<'_>,
    ) -> Result<bool, DecodeError> {
        let at = cursor.offset();
        let known = match self.known(class) {
            Ok(known) => known,
            Err(error) => {
                self.error.get_or_insert(error);
                return Ok(false);
            }
        };
        // An enumeration is a known type too, but not a message.
        let Ok(reads) = known.getattr("read") else { return Ok(false) };
        let depth = self.depth + self.stack.len();
        let input = HadoopDataInput::new(self.data, at, self.classes, depth);
        let read = Bound::new(self.py(), input).and_then(|input| {
            let value = reads.call1((&input,))?;
            let end = input.borrow().position();
            Ok((value, end))
        });
        match read {
            Ok((value, end)) => {
                cursor.take(end - at, "Writable")?;
                self.put(value);
                Ok(true)
            }
            Err(error) => {
                self.error.get_or_insert(self.unreadable(class, error));
                Ok(false)
            }
        }
    }
}

/// Interface as which a user's class may be declared.
const WRITABLE: &str = "org.apache.hadoop.io.Writable";
