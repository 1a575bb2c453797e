//! Java's names of types, and the layouts of Hadoop's built-in `Writable`s.

use crate::{Cursor, Result, visit::Value};

/// Java type, with the name that `Class.getName` returns.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum JavaType {
    /// `void`.
    Void,
    /// A primitive type.
    Primitive(Primitive),
    /// `java.lang.String`.
    String,
    /// Array, with the type of its elements.
    Array(Box<JavaType>),
    /// Another class: an enumeration, or a `Writable`.
    Class(String),
}

/// A primitive type.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Primitive {
    /// One byte.
    Boolean,
    /// One byte.
    Byte,
    /// UTF-16 code unit.
    Char,
    /// Two bytes.
    Short,
    /// Four bytes.
    Int,
    /// Eight bytes.
    Long,
    /// Four bytes.
    Float,
    /// Eight bytes.
    Double,
}

/// Layout of the bytes that the `write` of one of Hadoop's built-in `Writable`s produces.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Layout {
    /// A Java primitive.
    Primitive(Primitive),
    /// A `VInt` or `VLong`.
    VLong,
    /// No bytes: there is a single instance.
    Nothing,
    /// Sixteen bytes.
    Digest,
    /// Bytes after their count, an `int`.
    Bytes,
    /// UTF-8 after its length, a `VInt`.
    Text,
    /// Keys and values, each a `Writable`.
    Map,
    /// A version, and hashes of methods.
    Signature,
}

impl JavaType {
    /// Returns the type with this name; `None` if there is none.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Some(match name {
            "" => return None,
            VOID => Self::Void,
            STRING => Self::String,
            _ => match (Primitive::from_name(name), name.strip_prefix('[')) {
                (Some(primitive), _) => Self::Primitive(primitive),
                (None, Some(component)) => Self::Array(Box::new(Self::component(component)?)),
                (None, None) => Self::Class(name.into()),
            },
        })
    }

    /// Parses the element type in the name of an array.
    fn component(name: &str) -> Option<Self> {
        if let Some(class) = name.strip_prefix('L').and_then(|class| class.strip_suffix(';')) {
            return match Self::from_name(class)? {
                kind @ (Self::String | Self::Class(_)) => Some(kind),
                _ => None,
            };
        }
        if name.starts_with('[') {
            return Self::from_name(name);
        }
        let found = PRIMITIVES.iter().find(|(_, _, letter)| name == *letter);
        found.map(|(primitive, ..)| Self::Primitive(*primitive))
    }

    /// Returns the name as `Class.getName` does.
    #[must_use]
    pub fn name(&self) -> String {
        match self {
            Self::Void => VOID.into(),
            Self::Primitive(primitive) => primitive.name().into(),
            Self::String => STRING.into(),
            Self::Class(name) => name.clone(),
            Self::Array(component) => match &**component {
                Self::Primitive(primitive) => format!("[{}", primitive.row().2),
                Self::Array(_) => format!("[{}", component.name()),
                other => format!("[L{};", other.name()),
            },
        }
    }
}

impl Primitive {
    /// Returns the primitive type with this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        // All are short, which most names of classes are not.
        if name.len() > LONGEST {
            return None;
        }
        PRIMITIVES.iter().find(|(_, known, _)| *known == name).map(|(primitive, ..)| *primitive)
    }

    /// Name in Java.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.row().1
    }

    fn row(self) -> (Self, &'static str, &'static str) {
        PRIMITIVES[self as usize]
    }

    pub(super) fn read(self, cursor: &mut Cursor<'_>) -> Result<Value<'static>> {
        Ok(match self {
            // DataInput.readBoolean: every byte but 0 is true.
            Self::Boolean => Value::Bool(cursor.byte("boolean")? != 0),
            Self::Byte => Value::Int(cursor.i8_be("byte")?.into()),
            Self::Char => Value::UInt(cursor.u16_be("char")?.into()),
            Self::Short => Value::Int(cursor.i16_be("short")?.into()),
            Self::Int => Value::Int(cursor.i32_be("int")?.into()),
            Self::Long => Value::Int(cursor.i64_be("long")?),
            Self::Float => Value::Float(cursor.f32_be("float")?.into()),
            Self::Double => Value::Float(cursor.f64_be("double")?),
        })
    }
}

impl Layout {
    /// Returns the layout of `class`, if it is built into Hadoop.
    #[must_use]
    pub fn from_class(class: &str) -> Option<Self> {
        let kind = class.strip_prefix("org.apache.hadoop.")?;
        LAYOUTS.iter().find(|(known, _)| *known == kind).map(|(_, layout)| *layout)
    }
}

pub(super) const VOID: &str = "void";
pub(super) const STRING: &str = "java.lang.String";
pub(super) const COMPACT_ARRAY: &str = "org.apache.hadoop.io.ArrayPrimitiveWritable$Internal";
pub(super) const NULL_INSTANCE: &str = "org.apache.hadoop.io.ObjectWritable$NullInstance";
pub(super) const WRITABLE: &str = "org.apache.hadoop.io.Writable";

/// Per [`Primitive`], in its order: the name, and the letter in names of arrays.
const PRIMITIVES: [(Primitive, &str, &str); 8] = [
    (Primitive::Boolean, "boolean", "Z"),
    (Primitive::Byte, "byte", "B"),
    (Primitive::Char, "char", "C"),
    (Primitive::Short, "short", "S"),
    (Primitive::Int, "int", "I"),
    (Primitive::Long, "long", "J"),
    (Primitive::Float, "float", "F"),
    (Primitive::Double, "double", "D"),
];
/// Maximum length of the names.
const LONGEST: usize = "boolean".len();

/// Layouts by class, without the prefix `org.apache.hadoop.`.
const LAYOUTS: &[(&str, Layout)] = &[
    ("io.Text", Layout::Text),
    ("io.IntWritable", Layout::Primitive(Primitive::Int)),
    ("io.LongWritable", Layout::Primitive(Primitive::Long)),
    ("io.BooleanWritable", Layout::Primitive(Primitive::Boolean)),
    ("io.ByteWritable", Layout::Primitive(Primitive::Byte)),
    ("io.ShortWritable", Layout::Primitive(Primitive::Short)),
    ("io.FloatWritable", Layout::Primitive(Primitive::Float)),
    ("io.DoubleWritable", Layout::Primitive(Primitive::Double)),
    ("io.VIntWritable", Layout::VLong),
    ("io.VLongWritable", Layout::VLong),
    ("io.BytesWritable", Layout::Bytes),
    ("io.NullWritable", Layout::Nothing),
    ("io.MD5Hash", Layout::Digest),
    ("io.MapWritable", Layout::Map),
    ("io.SortedMapWritable", Layout::Map),
    ("ipc.ProtocolSignature", Layout::Signature),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn java_type_has_its_java_name() {
        for name in [
            "void",
            "boolean",
            "byte",
            "char",
            "short",
            "int",
            "long",
            "float",
            "double",
            "java.lang.String",
            "org.apache.hadoop.io.Text",
            "test.Outer$Kind",
            "[I",
            "[Z",
            "[[J",
            "[Ljava.lang.String;",
            "[[Lorg.apache.hadoop.io.Writable;",
        ] {
            let kind = JavaType::from_name(name).unwrap();
            assert_eq!(kind.name(), name);
            assert_eq!(JavaType::from_name(&format!("[{name}")).is_some(), name.starts_with('['));
        }
    }

    #[test]
    fn unknown_java_type_name_is_none() {
        for name in ["", "[", "[Q", "[int", "[Lint;", "[L;", "[Lvoid;", "[L[I;", "[V", "[LText"] {
            assert_eq!(JavaType::from_name(name), None, "{name}");
        }
    }

    #[test]
    fn primitive_is_in_its_own_row() {
        for (primitive, name, _) in PRIMITIVES {
            assert_eq!((Primitive::from_name(name), primitive.name()), (Some(primitive), name));
        }
    }
}
