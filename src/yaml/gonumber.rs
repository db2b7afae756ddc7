//! Numbers as go-yaml reads them with Go's `strconv`, and as keys of JSON.

use super::scalar::Scalar;
use crate::go::float::general_32;

/// A whole number with its base in front, without `_`: `strconv.ParseInt(text, 0, 64)`, then `ParseUint`, then the binary numbers
/// that go-yaml reads for itself.
pub(super) fn parse_int(text: &str) -> Option<Scalar<'static>> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    if let Some(whole) = magnitude(digits) {
        if let Some(whole) = signed(whole, negative) {
            return Some(Scalar::Int(whole));
        }
        if !negative && !text.starts_with('+') {
            return Some(Scalar::Uint(whole));
        }
    }
    if let Some(rest) = text.strip_prefix("0b") {
        let (negative, digits) = match rest.strip_prefix('-') {
            Some(digits) => (true, digits),
            None => (false, rest.strip_prefix('+').unwrap_or(rest)),
        };
        return signed(in_base(digits, 2)?, negative).map(Scalar::Int);
    }
    None
}

fn signed(whole: u64, negative: bool) -> Option<i64> {
    if negative { 0i64.checked_sub_unsigned(whole) } else { i64::try_from(whole).ok() }
}

/// Digits after their base: `0x`, `0b`, `0o` or `0`.
fn magnitude(text: &str) -> Option<u64> {
    let bytes = text.as_bytes();
    match (bytes.first()?, bytes.get(1).map(u8::to_ascii_lowercase)) {
        (b'0', None) => Some(0),
        (b'0', Some(b'x')) if bytes.len() > 2 => in_base(text.get(2..)?, 16),
        (b'0', Some(b'o')) if bytes.len() > 2 => in_base(text.get(2..)?, 8),
        (b'0', Some(b'b')) if bytes.len() > 2 => in_base(text.get(2..)?, 2),
        (b'0', Some(_)) => in_base(text.get(1..)?, 8),
        _ => in_base(text, 10),
    }
}

fn in_base(digits: &str, base: u32) -> Option<u64> {
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_alphanumeric()) {
        return None;
    }
    u64::from_str_radix(digits, base).ok()
}

/// A decimal number, with a point or an exponent or without; not one too large to hold.
pub(super) fn parse_float(text: &str) -> Option<f64> {
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    let (mantissa, exponent) = split_exponent(unsigned)?;
    let (whole, fraction) = match mantissa.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (mantissa, None),
    };
    let digits = |part: &str| part.bytes().all(|b| b.is_ascii_digit());
    if !digits(whole) || !fraction.is_none_or(digits) || !exponent.is_none_or(is_exponent) {
        return None;
    }
    if whole.is_empty() && fraction.is_none_or(str::is_empty) {
        return None;
    }
    text.parse().ok().filter(|float: &f64| float.is_finite())
}

/// A number that begins with a point, where `_` may stand between two digits.
pub(super) fn parse_dot_float(text: &str) -> Option<f64> {
    if text.contains('_') {
        let bytes = text.as_bytes();
        let digit = |at: Option<usize>| at.and_then(|at| bytes.get(at)).is_some_and(u8::is_ascii_digit);
        let apart = (0..bytes.len()).filter(|&at| bytes.get(at) == Some(&b'_'));
        for at in apart {
            if !digit(at.checked_sub(1)) || !digit(Some(at + 1)) {
                return None;
            }
        }
        return parse_float(&text.replace('_', ""));
    }
    parse_float(text)
}

fn split_exponent(text: &str) -> Option<(&str, Option<&str>)> {
    Some(match text.find(['e', 'E']) {
        Some(at) => (text.get(..at)?, Some(text.get(at + 1..)?)),
        None => (text, None),
    })
}

fn is_exponent(text: &str) -> bool {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit())
}

/// A float as `strconv.FormatFloat(float, 'g', -1, 32)` writes it, which is how a key that is a number becomes text.
#[allow(clippy::cast_possible_truncation, reason = "the reference rounds to 32 bits too")]
pub(super) fn float_key(float: f64) -> String {
    let short = float as f32;
    if short.is_nan() {
        return ".nan".to_owned();
    }
    if short.is_infinite() {
        return if short > 0.0 { ".inf".to_owned() } else { "-.inf".to_owned() };
    }
    general_32(short)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writes_keys_as_go_does() {
        let keys = [
            (1000.0, "1000"),
            (1e6, "1e+06"),
            (1.5e-5, "1.5e-05"),
            (0.0001, "0.0001"),
            (123_456_789_012_345_678_901.0, "1.2345679e+20"),
            (-0.25, "-0.25"),
            (120.5, "120.5"),
            (1e300, ".inf"),
        ];
        for (float, key) in keys {
            assert_eq!(float_key(float), key);
        }
    }
}
