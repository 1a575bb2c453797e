//! `WritableRpcEngine`: calls and replies as Hadoop's `Writable`s.
//!
//! Invocation: `rpcVersion: i64`, protocol and method as `UTF8`, `clientVersion: i64`, `clientMethodsHash:
//! i32`, `n: i32`, then n `ObjectWritable`s. Reply: one `ObjectWritable`, which is a declared class as `UTF8`,
//! followed by the bytes of that class.

mod java;
mod write;

use std::borrow::Cow;

pub use java::{JavaType, Layout, Primitive};
pub use write::{EncodeError, Object, encode_invocation, encode_object, encode_writable};

use crate::{
    Cursor, DecodeErrorKind, Result,
    secrets::is_secret_name,
    text::{self, Encoding, JavaText},
    visit::{Shape, Value, Visitor},
};

/// Header of an invocation: the method that it calls.
#[derive(Clone, Debug, Default)]
pub struct Invocation<'a> {
    /// Protocol that declares the method.
    pub protocol: Cow<'a, str>,
    /// Name of the method.
    pub method: Cow<'a, str>,
    /// Version of the engine: [`RPC_VERSION`] in current Hadoop.
    pub rpc_version: i64,
    /// Version of the protocol.
    pub client_version: i64,
    /// `ProtocolSignature.getFingerprint` of the client's interface; servers ignore it.
    pub client_methods_hash: i32,
}

/// Decodes `WritableRpcEngine.Invocation`; the fields before an error are in `call`.
///
/// # Errors
/// The first field that is malformed.
pub fn invocation<'a, V: Visitor>(
    cursor: &mut Cursor<'a>,
    visitor: &mut V,
    call: &mut Invocation<'a>,
) -> Result<()> {
    call.rpc_version = i64_field(cursor, "rpc_version", visitor)?;
    call.protocol = name_field(cursor, "protocol", visitor)?;
    call.method = name_field(cursor, "method", visitor)?;
    call.client_version = i64_field(cursor, "client_version", visitor)?;
    let at = cursor.offset();
    let hash = cursor.i32_be("client_methods_hash")?;
    call.client_methods_hash = hash;
    visitor.field("client_methods_hash", at..cursor.offset(), Value::Int(hash.into()));
    let at = cursor.offset();
    let count = cursor.len_i32(MAX_PARAMETERS, "parameters")?;
    visitor.layout("number of parameters", at..cursor.offset(), Value::UInt(count as u64));
    visitor.enter("parameters", Shape::List);
    for _ in 0..count {
        object(cursor, "", visitor)?;
    }
    visitor.leave();
    Ok(())
}

/// Decodes an `ObjectWritable`.
///
/// # Errors
/// The first field that is malformed.
pub fn object<V: Visitor>(cursor: &mut Cursor<'_>, name: &str, visitor: &mut V) -> Result<()> {
    object_at(cursor, name, visitor, 0)
}

fn object_at<V: Visitor>(
    cursor: &mut Cursor<'_>,
    name: &str,
    visitor: &mut V,
    depth: usize,
) -> Result<()> {
    if depth > MAX_DEPTH {
        return Err(
            DecodeErrorKind::TooDeep { limit: MAX_DEPTH }.at("ObjectWritable", cursor.offset())
        );
    }
    visitor.enter(name, Shape::Object);
    let class = name_field(cursor, "class", visitor)?;
    value_of(cursor, &class, visitor, depth)?;
    visitor.leave();
    Ok(())
}

/// Decodes the part of an `ObjectWritable` after the declared class, as `ObjectWritable.readObject` does.
fn value_of<V: Visitor>(
    cursor: &mut Cursor<'_>,
    class: &str,
    visitor: &mut V,
    depth: usize,
) -> Result<()> {
    let at = cursor.offset();
    match class {
        java::VOID => visitor.field("value", at..at, Value::Null),
        java::STRING => text_field(cursor, "value", visitor)?,
        java::COMPACT_ARRAY => compact_array(cursor, visitor)?,
        _ if class.starts_with('[') => {
            let count = cursor.len_i32(cursor.rest().len(), "array length")?;
            visitor.layout("array length", at..cursor.offset(), Value::UInt(count as u64));
            visitor.enter("value", Shape::List);
            for _ in 0..count {
                object_at(cursor, "", visitor, depth + 1)?;
            }
            visitor.leave();
        }
        _ => match Primitive::from_name(class) {
            Some(primitive) => {
                let value = primitive.read(cursor)?;
                visitor.field("value", at..cursor.offset(), value);
            }
            None => enum_or_writable(cursor, visitor, depth)?,
        },
    }
    Ok(())
}

/// Decodes `ArrayPrimitiveWritable`: the component's name, the count, then big-endian values without types.
fn compact_array<V: Visitor>(cursor: &mut Cursor<'_>, visitor: &mut V) -> Result<()> {
    let component = name_field(cursor, "component", visitor)?;
    let at = cursor.offset();
    let count = cursor.len_i32(cursor.rest().len(), "array length")?;
    visitor.layout("array length", at..cursor.offset(), Value::UInt(count as u64));
    let at = cursor.offset();
    if component == Primitive::Byte.name() {
        let bytes = cursor.take(count, "array")?;
        visitor.field("value", at..cursor.offset(), Value::Bytes(bytes));
        return Ok(());
    }
    visitor.enter("value", Shape::List);
    if count > 0 {
        let Some(component) = Primitive::from_name(&component) else {
            return Err(DecodeErrorKind::Unsupported.at("component type", at));
        };
        for _ in 0..count {
            let at = cursor.offset();
            let value = component.read(cursor)?;
            visitor.field("", at..cursor.offset(), value);
        }
    }
    visitor.leave();
    Ok(())
}

/// Decodes a value whose declared class is not built in: an enumeration's constant, or the class of the
/// instance and the bytes of its `readFields`. Class names contain a dot; Java does not allow one in a
/// constant's name.
fn enum_or_writable<V: Visitor>(
    cursor: &mut Cursor<'_>,
    visitor: &mut V,
    depth: usize,
) -> Result<()> {
    let mut ahead = cursor.clone();
    let instance = utf8(&mut ahead, "instance class")?;
    if !matches!(&instance, JavaText::Str(name) if name.contains('.')) {
        return text_field(cursor, "value", visitor);
    }
    let instance = name_field(cursor, "instance_class", visitor)?;
    if instance == java::NULL_INSTANCE {
        // NullInstance.write: the declared class once more.
        name_field(cursor, "declared_class", visitor)?;
        visitor.field("value", cursor.offset()..cursor.offset(), Value::Null);
        return Ok(());
    }
    writable(cursor, &instance, "value", visitor, depth)
}

/// Decodes the fields of a `Writable` by its class.
///
/// # Errors
/// The first field that is malformed; a class that is unknown to Hadoop and to the visitor.
pub fn writable<V: Visitor>(
    cursor: &mut Cursor<'_>,
    class: &str,
    name: &str,
    visitor: &mut V,
    depth: usize,
) -> Result<()> {
    let at = cursor.offset();
    let value = match Layout::from_class(class) {
        Some(Layout::Primitive(primitive)) => primitive.read(cursor)?,
        Some(Layout::VLong) => Value::Int(cursor.vlong("vlong")?),
        Some(Layout::Nothing) => Value::Null,
        Some(Layout::Digest) => Value::Bytes(cursor.take(16, "MD5 digest")?),
        Some(Layout::Bytes) => {
            let count = cursor.len_i32(cursor.rest().len(), "bytes length")?;
            visitor.layout("bytes length", at..cursor.offset(), Value::UInt(count as u64));
            Value::Bytes(cursor.take(count, "bytes")?)
        }
        Some(Layout::Text) => return plain_text(cursor, name, visitor),
        Some(Layout::Map) => return map(cursor, name, visitor, depth),
        Some(Layout::Signature) => return signature(cursor, name, visitor),
        None => {
            if visitor.foreign(class, name, cursor)? {
                return Ok(());
            }
            return opaque(class, cursor, visitor);
        }
    };
    visitor.field(name, at..cursor.offset(), value);
    Ok(())
}

/// Decodes `Text`: the length as a `VInt`, then UTF-8.
fn plain_text<V: Visitor>(cursor: &mut Cursor<'_>, name: &str, visitor: &mut V) -> Result<()> {
    let at = cursor.offset();
    let value = cursor.vlong("text length")?;
    let len = crate::primitives::checked_len(value, cursor.rest().len())
        .map_err(|problem| problem.at("text length", at))?;
    visitor.layout("text length", at..cursor.offset(), Value::UInt(len as u64));
    let at = cursor.offset();
    let bytes = cursor.take(len, "text")?;
    let text = std::str::from_utf8(bytes).map_err(|error| {
        DecodeErrorKind::NotText { at: error.valid_up_to(), encoding: "UTF-8" }.at("text", at)
    })?;
    visitor.field(name, at..cursor.offset(), Value::Text(text));
    Ok(())
}

/// Decodes `MapWritable`: the classes that it defines, the count, then class id and value, for key and value.
fn map<V: Visitor>(
    cursor: &mut Cursor<'_>,
    name: &str,
    visitor: &mut V,
    depth: usize,
) -> Result<()> {
    if depth > MAX_DEPTH {
        return Err(
            DecodeErrorKind::TooDeep { limit: MAX_DEPTH }.at("MapWritable", cursor.offset())
        );
    }
    let at = cursor.offset();
    let brought = cursor.byte("new classes")?;
    visitor.layout("new classes", at..cursor.offset(), Value::UInt(brought.into()));
    let mut classes = Vec::new();
    for _ in 0..brought {
        let at = cursor.offset();
        let id = cursor.i8_be("class id")?;
        let class = utf(cursor, "class of id", Encoding::ModifiedUtf8)?;
        let JavaText::Str(class) = class else {
            return Err(DecodeErrorKind::Unsupported.at("class of id", at));
        };
        visitor.layout("class of id", at..cursor.offset(), Value::Name(&class));
        classes.push((id, class));
    }
    let at = cursor.offset();
    let stated = cursor.i32_be("entries")?;
    // MapWritable.readFields: below 0 there is nothing to read.
    let count = crate::primitives::checked_len(stated.max(0).into(), cursor.rest().len())
        .map_err(|problem| problem.at("entries", at))?;
    visitor.layout("entries", at..cursor.offset(), Value::Int(stated.into()));
    visitor.enter(name, Shape::List);
    for _ in 0..count {
        visitor.enter("", Shape::Object);
        for part in ["key", "value"] {
            let at = cursor.offset();
            let id = cursor.i8_be("class id")?;
            let known = KNOWN_CLASSES.iter().find(|(known, _)| *known == id);
            let brought = || classes.iter().find(|(known, _)| *known == id);
            let Some(class) =
                known.map(|(_, class)| *class).or_else(|| brought().map(|(_, class)| &**class))
            else {
                return Err(DecodeErrorKind::Unsupported.at("class id", at));
            };
            visitor.layout("class id", at..cursor.offset(), Value::Name(class));
            writable(cursor, class, part, visitor, depth + 1)?;
        }
        visitor.leave();
    }
    visitor.leave();
    Ok(())
}

/// Decodes `ProtocolSignature`: `version: i64`, whether methods follow, their count and hashes.
fn signature<V: Visitor>(cursor: &mut Cursor<'_>, name: &str, visitor: &mut V) -> Result<()> {
    visitor.enter(name, Shape::Object);
    i64_field(cursor, "version", visitor)?;
    let at = cursor.offset();
    if cursor.byte("has methods")? != 0 {
        visitor.layout("has methods", at..cursor.offset(), Value::Bool(true));
        let at = cursor.offset();
        let count = cursor.len_i32(cursor.rest().len(), "number of methods")?;
        visitor.layout("number of methods", at..cursor.offset(), Value::UInt(count as u64));
        visitor.enter("methods", Shape::List);
        for _ in 0..count {
            let at = cursor.offset();
            let hash = cursor.i32_be("method hash")?;
            visitor.field("", at..cursor.offset(), Value::Int(hash.into()));
        }
        visitor.leave();
    } else {
        visitor.layout("has methods", at..cursor.offset(), Value::Bool(false));
    }
    visitor.leave();
    Ok(())
}

/// Decodes a user's `Writable`, whose layout and length are unknown: all remaining bytes.
fn opaque<V: Visitor>(class: &str, cursor: &mut Cursor<'_>, visitor: &mut V) -> Result<()> {
    let at = cursor.offset();
    let bytes = cursor.take_rest();
    // `org.apache.hadoop.security.token.Token`, `Credentials`, `JobTokenIdentifier`.
    let is_secret = class.starts_with(SECURITY_PACKAGE) || is_secret_name(class);
    if is_secret {
        visitor.secret("value", at..cursor.offset(), Value::Bytes(bytes));
    } else {
        visitor.field("value", at..cursor.offset(), Value::Bytes(bytes));
    }
    Err(DecodeErrorKind::Unsupported.at("Writable", at))
}

fn i64_field<V: Visitor>(
    cursor: &mut Cursor<'_>,
    name: &'static str,
    visitor: &mut V,
) -> Result<i64> {
    let at = cursor.offset();
    let value = cursor.i64_be(name)?;
    visitor.field(name, at..cursor.offset(), Value::Int(value));
    Ok(value)
}

fn utf8<'a>(cursor: &mut Cursor<'a>, what: &'static str) -> Result<JavaText<'a>> {
    utf(cursor, what, Encoding::Cesu8)
}

fn utf<'a>(
    cursor: &mut Cursor<'a>,
    what: &'static str,
    encoding: Encoding,
) -> Result<JavaText<'a>> {
    let len = cursor.u16_be(what)?;
    let at = cursor.offset();
    let bytes = cursor.take(len.into(), what)?;
    text::decode(bytes, encoding).map_err(|problem| problem.at(what, at))
}

/// Decodes a text that a user chose.
fn text_field<V: Visitor>(
    cursor: &mut Cursor<'_>,
    name: &'static str,
    visitor: &mut V,
) -> Result<()> {
    let at = cursor.offset();
    let text = utf8(cursor, name)?;
    show_length(at, cursor.offset(), visitor);
    let value = match &text {
        JavaText::Str(text) => Value::Text(text),
        JavaText::Units(units) => Value::Units(units),
    };
    visitor.field(name, at + 2..cursor.offset(), value);
    Ok(())
}

/// Decodes the name of a class or a method.
fn name_field<'a, V: Visitor>(
    cursor: &mut Cursor<'a>,
    name: &'static str,
    visitor: &mut V,
) -> Result<Cow<'a, str>> {
    let at = cursor.offset();
    let JavaText::Str(text) = utf8(cursor, name)? else {
        return Err(DecodeErrorKind::Unsupported.at(name, at));
    };
    show_length(at, cursor.offset(), visitor);
    visitor.field(name, at + 2..cursor.offset(), Value::Name(&text));
    Ok(text)
}

fn show_length<V: Visitor>(start: usize, end: usize, visitor: &mut V) {
    visitor.layout("string length", start..start + 2, Value::UInt((end - start - 2) as u64));
}

/// Package of the classes of tokens and credentials.
const SECURITY_PACKAGE: &str = "org.apache.hadoop.security.";
/// Maximum number of parameters of a Java method: 255 (Java Virtual Machine Specification 4.3.3).
const MAX_PARAMETERS: usize = 255;
/// Maximum depth of nested arrays and maps (chosen by jvmwire): more than programs use.
const MAX_DEPTH: usize = 64;

/// `WritableRpcEngine.writableRpcVersion`.
pub const RPC_VERSION: i64 = 2;

/// `AbstractMapWritable`: the classes that every map knows.
const KNOWN_CLASSES: &[(i8, &str)] = &[
    (-126, "org.apache.hadoop.io.BooleanWritable"),
    (-125, "org.apache.hadoop.io.BytesWritable"),
    (-124, "org.apache.hadoop.io.FloatWritable"),
    (-123, "org.apache.hadoop.io.IntWritable"),
    (-122, "org.apache.hadoop.io.LongWritable"),
    (-121, "org.apache.hadoop.io.MapWritable"),
    (-120, "org.apache.hadoop.io.MD5Hash"),
    (-119, "org.apache.hadoop.io.NullWritable"),
    (-117, "org.apache.hadoop.io.SortedMapWritable"),
    (-116, "org.apache.hadoop.io.Text"),
    (-114, "org.apache.hadoop.io.VIntWritable"),
    (-113, "org.apache.hadoop.io.VLongWritable"),
];

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn utf8_of(name: &str) -> Vec<u8> {
        let mut out = Vec::new();
        text::encode(name, Encoding::Cesu8, &mut out).unwrap();
        out
    }

    #[test]
    fn value_is_read_to_its_last_byte_and_not_further() {
        for (class, value) in [
            ("long", &[0; 8][..]),
            ("java.lang.String", b"\0\x01x"),
            ("[I", b"\0\0\0\x01\0\x03int\0\0\0\x05"),
            ("void", b""),
            ("some.Enum", b"\0\x03RED"),
        ] {
            let whole = [&utf8_of(class), value, b"more"].concat();
            let mut cursor = Cursor::new(&whole);
            object(&mut cursor, "", &mut ()).unwrap();
            assert_eq!(cursor.rest(), b"more");
            for len in 0..whole.len() - 4 {
                let cut = object(&mut Cursor::new(&whole[..len]), "", &mut ());
                // A truncated constant is an error too, since it states its length.
                assert!(cut.is_err(), "{class} {len}");
            }
        }
    }

    #[test]
    fn fields_of_an_invocation_before_an_error_are_kept() {
        let bytes = [&[0; 8][..], &utf8_of("a.P"), &utf8_of("m")].concat();
        let mut called = Invocation::default();
        invocation(&mut Cursor::new(&bytes), &mut (), &mut called).unwrap_err();
        assert_eq!((&*called.protocol, &*called.method), ("a.P", "m"));
    }

    #[test]
    fn nesting_ends_at_a_depth() {
        let nested = [&utf8_of("[I")[..], &[0, 0, 0, 1]].concat().repeat(MAX_DEPTH + 2);
        let error = object(&mut Cursor::new(&nested), "", &mut ()).unwrap_err();
        assert_eq!(error.problem, DecodeErrorKind::TooDeep { limit: MAX_DEPTH });
    }

    proptest! {
        #[test]
        fn garbage_never_panics(
            class in prop::sample::select(vec![
                "int",
                "[I",
                "org.apache.hadoop.io.ArrayPrimitiveWritable$Internal",
                "org.apache.hadoop.io.MapWritable",
                "org.apache.hadoop.io.Text",
            ]),
            bytes in prop::collection::vec(any::<u8>(), 0..120),
        ) {
            let class = utf8_of(class);
            for whole in [[&class[..], &bytes].concat(), [&class[..], &class, &bytes].concat()] {
                let _ = object(&mut Cursor::new(&whole), "", &mut ());
            }
            let _ = invocation(&mut Cursor::new(&bytes), &mut (), &mut Invocation::default());
        }
    }
}
