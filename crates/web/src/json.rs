//! Typed values out of JSON that was read, in less code than serde_json's own.
//!
//! Model. What serde derives for a type is compiled once for each way to read it: a structure from a map by the names
//! in it, and from a list of its fields in order, which is a third of the code. [`Value`] offers both, and drives have a
//! hundred fields. [`Json`] takes structures from objects alone, as documents and calls have them, but hands their members
//! over as a list in the order of the fields. Otherwise it takes and refuses what `Value` does, in the same words, but for
//! members that a structure of the report does not know, which it passes over, and for an absent `Option`, which must be a
//! `#[serde(default)]`. What is read often is a function that is called, not a copy in each place: a document is read once.

use serde::de::value::{MapAccessDeserializer, MapDeserializer, SeqDeserializer};
use serde::de::{
    DeserializeOwned, DeserializeSeed, Deserializer, Error as _, Expected, IntoDeserializer, SeqAccess,
    Unexpected, Visitor,
};
use serde::{Serialize, forward_to_deserialize_any};
use serde_json::ser::{Formatter, Serializer};
use serde_json::{Map, Number, Value};
use std::fmt::Display;
use std::io::Write;

/// A value as `T`.
pub(crate) fn read<T: DeserializeOwned>(found: &Value) -> Result<T, Error> {
    T::deserialize(Json(found))
}

/// What is wrong, in one word of memory: each value that is read may hand one back.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
#[expect(clippy::box_collection, reason = "a text alone takes three words")]
pub(crate) struct Error(Box<String>);

impl serde::de::Error for Error {
    #[cold]
    #[inline(never)]
    fn custom<T: Display>(said: T) -> Error {
        Error(Box::new(said.to_string()))
    }

    #[cold]
    fn invalid_type(found: Unexpected<'_>, expected: &dyn Expected) -> Error {
        let found = if found == Unexpected::Unit { Unexpected::Other("null") } else { found };
        Error::custom(format_args!("invalid type: {found}, expected {expected}"))
    }
}

/// The structure whose unknown members are slips: people write calls of it.
const TYPED: &str = "Options";

/// A value as text.
pub(crate) fn write(value: impl Serialize) -> Result<String, String> {
    let mut text = Vec::new();
    let written = value.serialize(&mut Serializer::with_formatter(&mut text, Plain));
    written.map_err(|error| error.to_string())?;
    String::from_utf8(text).map_err(|error| error.to_string())
}

/// Numbers as Rust writes them, with the fewest digits that read back as the same. The tables of serde_json's faster way, which
/// its errors call, too, are 16 kB.
struct Plain;

impl Formatter for Plain {
    fn write_f64<W: ?Sized + Write>(&mut self, to: &mut W, value: f64) -> std::io::Result<()> {
        write!(to, "{value:?}")
    }
}

struct Json<'a>(&'a Value);

impl<'de> IntoDeserializer<'de, Error> for Json<'de> {
    type Deserializer = Json<'de>;

    fn into_deserializer(self) -> Json<'de> {
        self
    }
}

impl<'de> Json<'de> {
    #[inline(never)]
    fn string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.0 {
            Value::String(text) => visitor.visit_borrowed_str(text),
            other => Err(unexpected(other, &visitor)),
        }
    }

    #[inline(never)]
    fn number<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.0 {
            Value::Number(number) => visit_number(number, visitor),
            other => Err(unexpected(other, &visitor)),
        }
    }
}

macro_rules! numbers {
    ($($name:ident)*) => {
        $(fn $name<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
            self.number(visitor)
        })*
    };
}

impl<'de> Deserializer<'de> for Json<'de> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.0 {
            Value::Null => visitor.visit_unit(),
            Value::Bool(found) => visitor.visit_bool(*found),
            Value::Number(number) => visit_number(number, visitor),
            Value::String(text) => visitor.visit_borrowed_str(text),
            Value::Array(items) => visit_items(items, visitor),
            Value::Object(members) => visitor.visit_map(entries(members)),
        }
    }

    numbers! {
        deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64 deserialize_i8 deserialize_i16 deserialize_i32
        deserialize_i64 deserialize_f32 deserialize_f64
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.0 {
            Value::Bool(found) => visitor.visit_bool(*found),
            other => Err(unexpected(other, &visitor)),
        }
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.string(visitor)
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.string(visitor)
    }

    fn deserialize_identifier<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.string(visitor)
    }

    #[inline(never)]
    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        if self.0.is_null() { visitor.visit_none() } else { visitor.visit_some(self) }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        visitor.visit_newtype_struct(self)
    }

    #[inline(never)]
    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.0 {
            Value::Array(items) => visit_items(items, visitor),
            other => Err(unexpected(other, &visitor)),
        }
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, Error> {
        self.deserialize_seq(visitor)
    }

    #[inline(never)]
    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.0 {
            Value::Object(members) => visitor.visit_map(entries(members)),
            other => Err(unexpected(other, &visitor)),
        }
    }

    #[inline(never)]
    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        names: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        let Value::Object(members) = self.0 else { return Err(unexpected(self.0, &visitor)) };
        if name == TYPED {
            let slip = members.keys().find(|member| !names.contains(&member.as_str()));
            slip.map_or(Ok(()), |member| Err(Error::unknown_field(member, names)))?;
        }
        let mut fields = Fields { members, names: names.iter(), absent: None };
        let found = visitor.visit_seq(&mut fields);
        found.map_err(|error| fields.absent.map_or(error, Error::missing_field))
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        match self.0 {
            Value::String(name) => visitor.visit_enum(name.as_str().into_deserializer()),
            Value::Object(members) if members.len() == 1 => {
                visitor.visit_enum(MapAccessDeserializer::new(entries(members)))
            }
            Value::Object(_) => Err(Error::invalid_value(Unexpected::Map, &"map with a single key")),
            other => Err(unexpected(other, &"string or map")),
        }
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_unit()
    }

    forward_to_deserialize_any! { i128 u128 char bytes byte_buf unit unit_struct tuple_struct }
}

/// The members of an object in the order in which a structure has its fields.
struct Fields<'de> {
    members: &'de Map<String, Value>,
    names: std::slice::Iter<'static, &'static str>,
    /// The field that was looked for last, where there is no such member: an error then is of its absence.
    absent: Option<&'static str>,
}

impl<'de> SeqAccess<'de> for Fields<'de> {
    type Error = Error;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Error> {
        let Some(name) = self.names.next() else { return Ok(None) };
        let found = self.members.get(*name);
        self.absent = if found.is_some() { None } else { Some(name) };
        found.map(|found| seed.deserialize(Json(found))).transpose()
    }
}

fn visit_number<'de, V: Visitor<'de>>(number: &Number, visitor: V) -> Result<V::Value, Error> {
    match (number.as_u64(), number.as_i64()) {
        (Some(found), _) => visitor.visit_u64(found),
        (None, Some(found)) => visitor.visit_i64(found),
        (None, None) => visitor.visit_f64(number.as_f64().unwrap_or(f64::NAN)),
    }
}

fn visit_items<'de, V: Visitor<'de>>(items: &'de [Value], visitor: V) -> Result<V::Value, Error> {
    let mut rest = SeqDeserializer::new(items.iter().map(Json as fn(&'de Value) -> Json<'de>));
    let found = visitor.visit_seq(&mut rest)?;
    rest.end()?;
    Ok(found)
}

type Entry<'de> = fn((&'de String, &'de Value)) -> (&'de str, Json<'de>);

fn entries<'de>(
    members: &'de Map<String, Value>,
) -> MapDeserializer<'de, std::iter::Map<serde_json::map::Iter<'de>, Entry<'de>>, Error> {
    let entry: Entry<'de> = |(name, found)| (name.as_str(), Json(found));
    MapDeserializer::new(members.iter().map(entry))
}

#[cold]
fn unexpected(found: &Value, expected: &dyn Expected) -> Error {
    let kind = match found {
        Value::Null => Unexpected::Unit,
        Value::Bool(found) => Unexpected::Bool(*found),
        Value::Number(number) => match (number.as_u64(), number.as_i64()) {
            (Some(found), _) => Unexpected::Unsigned(found),
            (None, Some(found)) => Unexpected::Signed(found),
            (None, None) => Unexpected::Float(number.as_f64().unwrap_or(f64::NAN)),
        },
        Value::String(text) => Unexpected::Str(text),
        Value::Array(_) => Unexpected::Seq,
        Value::Object(_) => Unexpected::Map,
    };
    Error::invalid_type(kind, expected)
}
