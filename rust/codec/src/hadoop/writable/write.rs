//! Encoder of `ObjectWritable`, `WritableRpcEngine.Invocation` and Hadoop's built-in `Writable`s.

use std::borrow::Cow;

use thiserror::Error;

use super::{
    JavaType, KNOWN_CLASSES, Layout, MAX_DEPTH, Primitive, RPC_VERSION,
    java::{COMPACT_ARRAY, NULL_INSTANCE, WRITABLE},
};
use crate::{
    TooLong,
    text::{self, Encoding, TextError},
    varint,
    visit::Value,
};

/// Value of the caller, with accessors for the parts that its Java type needs.
pub trait Object: Sized {
    /// Error of a value that does not match its type.
    type Error: From<EncodeError>;

    /// Whether the value is Java's null.
    fn is_null(&self) -> bool;

    /// Returns the number, in the range of `kind`.
    ///
    /// # Errors
    /// The number is out of the range of its type.
    fn number(&self, kind: Primitive) -> Result<Value<'static>, Self::Error>;

    /// Returns the bytes.
    ///
    /// # Errors
    /// The value is not bytes.
    fn bytes(&self) -> Result<Cow<'_, [u8]>, Self::Error>;

    /// Appends the text, without a length.
    ///
    /// # Errors
    /// The value is not text that `encoding` can represent.
    fn write_text(&self, encoding: Encoding, out: &mut Vec<u8>) -> Result<(), Self::Error>;

    /// Returns the elements of an array.
    ///
    /// # Errors
    /// The value is not an array.
    fn elements(&self) -> Result<Vec<Self>, Self::Error>;

    /// Returns the keys and values of a map.
    ///
    /// # Errors
    /// The value is not a map.
    fn entries(&self) -> Result<Vec<(Self, Self)>, Self::Error>;

    /// Returns the name of the constant, if the value is one of an enumeration.
    ///
    /// # Errors
    /// The error of the caller's value.
    fn constant(&self) -> Result<Option<String>, Self::Error>;

    /// Returns the Java class of a `Writable`.
    ///
    /// # Errors
    /// The value is not a `Writable`.
    fn class(&self) -> Result<String, Self::Error>;

    /// Returns the content of one of Hadoop's built-in `Writable`s.
    ///
    /// # Errors
    /// The value has no content.
    fn content(&self) -> Result<Self, Self::Error>;

    /// Returns the version and the hashes of methods of a `ProtocolSignature`.
    ///
    /// # Errors
    /// The value is not a `ProtocolSignature`.
    fn signature(&self) -> Result<(i64, Option<Vec<i32>>), Self::Error>;

    /// Appends the bytes of a user's `Writable`.
    ///
    /// # Errors
    /// The error of the user's code.
    fn write_fields(&self, out: &mut Vec<u8>) -> Result<(), Self::Error>;
}

/// Error of a value that cannot be encoded.
#[derive(Clone, Debug, Eq, Error, PartialEq)]
#[non_exhaustive]
pub enum EncodeError {
    /// Null for a primitive.
    #[error("{} has no null", .0.name())]
    Null(Primitive),
    /// A result of a `void` method.
    #[error("void has no value")]
    Void,
    /// More elements than an `int` can count.
    #[error("{0} elements are more than Java can count")]
    TooMany(usize),
    /// A map that defines more classes than a `byte` can count.
    #[error("a map brings 127 classes along at most")]
    TooManyClasses,
    /// A digest of another length.
    #[error("a digest of MD5 is 16 bytes, not {0}")]
    Digest(usize),
    /// Values are nested deeper than readers accept.
    #[error("nested deeper than {limit} levels")]
    TooDeep {
        /// Maximum depth of readers.
        limit: usize,
    },
    /// Text that does not fit the format.
    #[error(transparent)]
    Text(#[from] TextError),
}

impl From<TooLong> for EncodeError {
    fn from(error: TooLong) -> Self {
        Self::Text(error.into())
    }
}

/// Encoding of arrays of primitives.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Arrays {
    /// `ArrayPrimitiveWritable`: in requests.
    Compact,
    /// Each element with its type: in replies.
    ElementWise,
}

/// Appends `WritableRpcEngine.Invocation`.
///
/// # Errors
/// The error of a parameter.
pub fn encode_invocation<O: Object>(
    call: &super::Invocation<'_>,
    parameters: &[(&JavaType, O)],
    out: &mut Vec<u8>,
) -> Result<(), O::Error> {
    out.extend_from_slice(&RPC_VERSION.to_be_bytes());
    write_name(&call.protocol, out)?;
    write_name(&call.method, out)?;
    out.extend_from_slice(&call.client_version.to_be_bytes());
    out.extend_from_slice(&call.client_methods_hash.to_be_bytes());
    write_count(parameters.len(), out)?;
    for (declared, parameter) in parameters {
        write_object(declared, parameter, Arrays::Compact, out, 0)?;
    }
    Ok(())
}

/// Appends an `ObjectWritable` as replies contain it.
///
/// # Errors
/// The error of the value.
pub fn encode_object<O: Object>(
    declared: &JavaType,
    object: &O,
    out: &mut Vec<u8>,
) -> Result<(), O::Error> {
    write_object(declared, object, Arrays::ElementWise, out, 0)
}

fn write_object<O: Object>(
    declared: &JavaType,
    object: &O,
    arrays: Arrays,
    out: &mut Vec<u8>,
    depth: usize,
) -> Result<(), O::Error> {
    if depth > MAX_DEPTH {
        return Err(EncodeError::TooDeep { limit: MAX_DEPTH }.into());
    }
    if object.is_null() {
        if let JavaType::Primitive(primitive) = declared {
            return Err(EncodeError::Null(*primitive).into());
        }
        for name in [WRITABLE, NULL_INSTANCE, &declared.name()] {
            write_name(name, out)?;
        }
        return Ok(());
    }
    match declared {
        JavaType::Void => return Err(EncodeError::Void.into()),
        JavaType::Array(component) => write_array(declared, component, object, arrays, out, depth)?,
        JavaType::String => {
            write_name(super::java::STRING, out)?;
            write_behind_length(out, |out| object.write_text(Encoding::Cesu8, out))?;
        }
        JavaType::Primitive(primitive) => {
            write_name(primitive.name(), out)?;
            write_number(*primitive, object, out)?;
        }
        JavaType::Class(class) => {
            write_name(class, out)?;
            if let Some(constant) = object.constant()? {
                write_name(&constant, out)?;
            } else {
                let class = object.class()?;
                write_name(&class, out)?;
                write_writable(object, &class, out, depth)?;
            }
        }
    }
    Ok(())
}

fn write_array<O: Object>(
    declared: &JavaType,
    component: &JavaType,
    object: &O,
    arrays: Arrays,
    out: &mut Vec<u8>,
    depth: usize,
) -> Result<(), O::Error> {
    let primitive = match component {
        JavaType::Primitive(primitive) => Some(*primitive),
        _ => None,
    };
    match (primitive, arrays) {
        (Some(primitive), Arrays::Compact) => {
            write_name(COMPACT_ARRAY, out)?;
            write_name(primitive.name(), out)?;
        }
        _ => write_name(&declared.name(), out)?,
    }
    if primitive == Some(Primitive::Byte) {
        let bytes = object.bytes()?;
        write_count(bytes.len(), out)?;
        match arrays {
            Arrays::Compact => out.extend_from_slice(&bytes),
            Arrays::ElementWise => {
                let mut element = Vec::new();
                write_name(Primitive::Byte.name(), &mut element)?;
                out.reserve(bytes.len() * (element.len() + 1));
                for byte in &*bytes {
                    out.extend_from_slice(&element);
                    out.push(*byte);
                }
            }
        }
        return Ok(());
    }
    let elements = object.elements()?;
    write_count(elements.len(), out)?;
    for element in &elements {
        match (primitive, arrays) {
            (Some(primitive), Arrays::Compact) => write_number(primitive, element, out)?,
            _ => write_object(component, element, arrays, out, depth + 1)?,
        }
    }
    Ok(())
}

fn write_number<O: Object>(kind: Primitive, object: &O, out: &mut Vec<u8>) -> Result<(), O::Error> {
    if object.is_null() {
        return Err(EncodeError::Null(kind).into());
    }
    // The caller checks the range, so that only copies of the sign are cut off here.
    match (kind, object.number(kind)?) {
        (_, Value::Bool(value)) => out.push(value.into()),
        (Primitive::Byte, Value::Int(value)) => out.extend_from_slice(&value.to_be_bytes()[7..]),
        (Primitive::Short, Value::Int(value)) => out.extend_from_slice(&value.to_be_bytes()[6..]),
        (Primitive::Char, Value::UInt(value)) => out.extend_from_slice(&value.to_be_bytes()[6..]),
        (Primitive::Int, Value::Int(value)) => out.extend_from_slice(&value.to_be_bytes()[4..]),
        (_, Value::Int(value)) => out.extend_from_slice(&value.to_be_bytes()),
        #[expect(clippy::cast_possible_truncation, reason = "a float is what the caller wants")]
        (Primitive::Float, Value::Float(value)) => {
            out.extend_from_slice(&(value as f32).to_be_bytes());
        }
        (_, Value::Float(value)) => out.extend_from_slice(&value.to_be_bytes()),
        (kind, _) => return Err(EncodeError::Null(kind).into()),
    }
    Ok(())
}

/// Appends the fields of a `Writable`, without its class.
///
/// # Errors
/// The error of the value.
pub fn encode_writable<O: Object>(object: &O, out: &mut Vec<u8>) -> Result<(), O::Error> {
    write_writable(object, &object.class()?, out, 0)
}

fn write_writable<O: Object>(
    object: &O,
    class: &str,
    out: &mut Vec<u8>,
    depth: usize,
) -> Result<(), O::Error> {
    match Layout::from_class(class) {
        Some(Layout::Primitive(primitive)) => write_number(primitive, &object.content()?, out)?,
        Some(Layout::VLong) => {
            let kind =
                if class.ends_with("VIntWritable") { Primitive::Int } else { Primitive::Long };
            if let Value::Int(value) = object.content()?.number(kind)? {
                varint::encode_vlong(value, out);
            }
        }
        Some(Layout::Nothing) => {}
        Some(Layout::Digest) => {
            let content = object.content()?;
            let bytes = content.bytes()?;
            if bytes.len() != 16 {
                return Err(EncodeError::Digest(bytes.len()).into());
            }
            out.extend_from_slice(&bytes);
        }
        Some(Layout::Bytes) => {
            let content = object.content()?;
            let bytes = content.bytes()?;
            write_count(bytes.len(), out)?;
            out.extend_from_slice(&bytes);
        }
        Some(Layout::Text) => {
            let mut text = Vec::new();
            object.content()?.write_text(Encoding::Utf8, &mut text)?;
            let len = i32::try_from(text.len()).map_err(|_| EncodeError::TooMany(text.len()))?;
            varint::encode_vlong(len.into(), out);
            out.extend_from_slice(&text);
        }
        Some(Layout::Map) => write_map(&object.content()?.entries()?, out, depth)?,
        Some(Layout::Signature) => {
            let (version, methods) = object.signature()?;
            out.extend_from_slice(&version.to_be_bytes());
            out.push(methods.is_some().into());
            if let Some(methods) = methods {
                write_count(methods.len(), out)?;
                for method in methods {
                    out.extend_from_slice(&method.to_be_bytes());
                }
            }
        }
        None => object.write_fields(out)?,
    }
    Ok(())
}

/// Appends `MapWritable`: classes that not every map knows are numbered from 1 in the order of their use.
fn write_map<O: Object>(
    entries: &[(O, O)],
    out: &mut Vec<u8>,
    depth: usize,
) -> Result<(), O::Error> {
    if depth >= MAX_DEPTH {
        return Err(EncodeError::TooDeep { limit: MAX_DEPTH }.into());
    }
    let mut brought: Vec<String> = Vec::new();
    let mut parts = Vec::with_capacity(entries.len() * 2);
    for part in entries.iter().flat_map(|(key, value)| [key, value]) {
        let class = part.class()?;
        let known = KNOWN_CLASSES.iter().find(|(_, known)| *known == class);
        let id = if let Some((id, _)) = known {
            *id
        } else {
            let at = brought.iter().position(|known| *known == class).unwrap_or_else(|| {
                brought.push(class.clone());
                brought.len() - 1
            });
            i8::try_from(at + 1).map_err(|_| EncodeError::TooManyClasses)?
        };
        parts.push((id, part, class));
    }
    #[expect(clippy::cast_possible_truncation, reason = "an id of each was a positive i8")]
    out.push(brought.len() as u8);
    for (at, class) in (1..).zip(&brought) {
        out.push(at);
        text::encode(class, Encoding::ModifiedUtf8, out).map_err(EncodeError::from)?;
    }
    write_count(entries.len(), out)?;
    for (id, part, class) in parts {
        out.extend_from_slice(&id.to_be_bytes());
        write_writable(part, &class, out, depth + 1)?;
    }
    Ok(())
}

fn write_name(name: &str, out: &mut Vec<u8>) -> Result<(), EncodeError> {
    Ok(text::encode(name, Encoding::Cesu8, out)?)
}

/// Appends a string as `UTF8.writeString`, which silently truncates a string that is too long; here that is an
/// error.
fn write_behind_length<E: From<EncodeError>>(
    out: &mut Vec<u8>,
    write: impl FnOnce(&mut Vec<u8>) -> Result<(), E>,
) -> Result<(), E> {
    let start = out.len();
    out.extend_from_slice(&[0; 2]);
    write(out)?;
    let len = out.len() - start - 2;
    let max = u16::MAX.into();
    let length = u16::try_from(len).map_err(|_| EncodeError::from(TooLong { len, max }))?;
    out[start..start + 2].copy_from_slice(&length.to_be_bytes());
    Ok(())
}

fn write_count(count: usize, out: &mut Vec<u8>) -> Result<(), EncodeError> {
    let count = i32::try_from(count).map_err(|_| EncodeError::TooMany(count))?;
    out.extend_from_slice(&count.to_be_bytes());
    Ok(())
}
