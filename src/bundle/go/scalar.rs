//! Scalars on their way through Go: texts, bools, numbers, bytes.

use super::mismatch::Mismatch;
use super::normalize::Decoder;
use super::types::Shape;
use crate::go::base64;
use crate::go::json::kind as json_kind;
use crate::go::number::{self, GoNumber};
use serde_json::Value;

pub(super) fn string(value: &Value, shape: &Shape, decoder: Decoder) -> Result<(), Mismatch> {
    match (value, decoder) {
        (Value::String(_), _) => Ok(()),
        (Value::Number(number), Decoder::Converter) if matches!(number::read(number), GoNumber::Int(_)) => {
            // Go's reflection finds an integer convertible to a string; the converter does not do it.
            Err(Mismatch::plain(format!("cannot convert int64 to {}", shape.go_name())))
        }
        // The converter names the kind, a JSON decoder the type.
        (_, Decoder::Converter) => Err(unfit(value, "string", decoder)),
        _ => Err(unfit(value, &shape.go_name(), decoder)),
    }
}

pub(super) fn bool(value: &Value, decoder: Decoder) -> Result<(), Mismatch> {
    if value.is_boolean() { Ok(()) } else { Err(unfit(value, "bool", decoder)) }
}

pub(super) fn int(value: &mut Value, shape: &Shape, decoder: Decoder) -> Result<(), Mismatch> {
    let kind = if *shape == Shape::Int32 { "int32" } else { "int64" };
    let Value::Number(number) = value else { return Err(unfit(value, kind, decoder)) };
    let int = match (number::read(number), decoder) {
        (GoNumber::Int(int), _) => int,
        (GoNumber::Float(float), Decoder::Converter) if float.fract() == 0.0 => wrap(float),
        (GoNumber::Float(_), Decoder::Converter) => {
            return Err(Mismatch::plain(format!("cannot convert float64 to {kind}")));
        }
        (GoNumber::Float(float), _) => match number::from_float(float).as_i64() {
            Some(int) => int,
            None => return Err(Mismatch::json(format!("number {}", number::text(number)), kind)),
        },
    };
    let int = match (shape, i32::try_from(int)) {
        (Shape::Int32, Err(_)) if decoder != Decoder::Converter => {
            return Err(Mismatch::json(format!("number {}", number::text(number)), kind));
        }
        (Shape::Int32, Err(_)) => i64::from(low_bits(int)),
        _ => int,
    };
    *value = Value::from(int);
    Ok(())
}

/// The low 32 bits, as Go's conversion keeps them.
fn low_bits(int: i64) -> i32 {
    let [a, b, c, d, ..] = int.to_le_bytes();
    i32::from_le_bytes([a, b, c, d])
}

/// A float that Go converts to an int64; out of range, amd64 gives the smallest.
#[allow(clippy::cast_possible_truncation)]
fn wrap(float: f64) -> i64 {
    if float >= 9_223_372_036_854_775_808.0 { i64::MIN } else { float as i64 }
}

pub(super) fn float(value: &mut Value, decoder: Decoder) -> Result<(), Mismatch> {
    let Value::Number(number) = value else { return Err(unfit(value, "float64", decoder)) };
    *value = number::from_float(number.as_f64().unwrap_or_default());
    Ok(())
}

pub(super) fn bytes(value: &mut Value, decoder: Decoder) -> Result<(), Mismatch> {
    let Value::String(text) = value else {
        return Err(match decoder {
            Decoder::Converter => Mismatch::plain(format!("cannot restore slice from {}", go_kind(value))),
            Decoder::Json | Decoder::AnyCaseJson => Mismatch::json(json_kind(value), "[]uint8"),
        });
    };
    match base64::decode(text) {
        Ok(bytes) => {
            *text = base64::encode(&bytes);
            Ok(())
        }
        Err(error) => {
            let start = if decoder == Decoder::Converter { "error decoding from json: " } else { "" };
            Err(Mismatch::plain(format!("{start}{error}")))
        }
    }
}

/// A scalar's refusal.
fn unfit(value: &Value, kind: &str, decoder: Decoder) -> Mismatch {
    match decoder {
        Decoder::Converter => Mismatch::plain(format!("unrecognized type: {kind}")),
        Decoder::Json | Decoder::AnyCaseJson => Mismatch::json(json_kind(value), kind),
    }
}

/// The kind that Go's reflection says a decoded value has.
pub(super) fn go_kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "invalid",
        Value::Bool(_) => "bool",
        Value::Number(number) => match number::read(number) {
            GoNumber::Int(_) => "int64",
            GoNumber::Float(_) => "float64",
        },
        Value::String(_) => "string",
        Value::Array(_) => "slice",
        Value::Object(_) => "map",
    }
}
