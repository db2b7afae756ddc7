//! Floating-point numbers as Go writes them.

use std::fmt::Write as _;

/// The shortest decimal digits of a positive finite number, and the exponent of the first.
fn digits(value: f64) -> (String, i32) {
    let scientific = format!("{value:e}");
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    (mantissa.replace('.', ""), exponent.parse().unwrap_or(0))
}

fn scientific(digits: &str, exponent: i32, least: usize) -> String {
    let mut text = String::with_capacity(digits.len() + 6);
    let (first, rest) = digits.split_at_checked(1).unwrap_or((digits, ""));
    text.push_str(first);
    if !rest.is_empty() {
        text.push('.');
        text.push_str(rest);
    }
    let sign = if exponent < 0 { '-' } else { '+' };
    let _ = write!(text, "e{sign}{:0least$}", exponent.unsigned_abs());
    text
}

/// As `%v` writes it: an exponent below 1e-04 and from 1e+06 on.
pub(crate) fn float_g(value: f64) -> String {
    if value == 0.0 || !value.is_finite() {
        return format!("{value}");
    }
    let sign = if value < 0.0 { "-" } else { "" };
    let (digits, exponent) = digits(value.abs());
    if !(-4..6).contains(&exponent) {
        return format!("{sign}{}", scientific(&digits, exponent, 2));
    }
    format!("{value}")
}

/// As encoding/json writes it: an exponent below 1e-6 and from 1e21 on.
pub(crate) fn float_json(value: f64) -> String {
    if value == 0.0 || !value.is_finite() {
        return "0".to_owned();
    }
    let sign = if value < 0.0 { "-" } else { "" };
    let (digits, exponent) = digits(value.abs());
    if !(-6..21).contains(&exponent) {
        return format!("{sign}{}", scientific(&digits, exponent, if exponent < 0 { 1 } else { 2 }));
    }
    format!("{value}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writes_as_go_does() {
        let cases =
            [(0.0, "0"), (0.5, "0.5"), (10000.0, "10000"), (1e6, "1e+06"), (-1e6, "-1e+06"), (4294967295.0, "4.294967295e+09")];
        for (value, text) in cases {
            assert_eq!(float_g(value), text);
        }
        assert_eq!(float_g(0.00001), "1e-05");
        assert_eq!(float_g(0.0001), "0.0001");
        assert_eq!(float_json(1e20), "100000000000000000000");
        assert_eq!(float_json(1.5e-7), "1.5e-7");
        assert_eq!(float_json(1e21), "1e+21");
    }
}
