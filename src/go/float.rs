//! Floats as `strconv`, `fmt` and encoding/json write them: the shortest digits that read back as the same number.
//!
//! The packages differ in when there is an exponent, and in how many digits it has.

/// `strconv.FormatFloat(float, 'g', -1, 64)`, which is also `%v` and `%#v`: an exponent below 1e-04 and from 1e+06 on.
pub(crate) fn general(float: f64) -> String {
    if float.is_nan() {
        return "NaN".to_owned();
    }
    if float.is_infinite() {
        return if float > 0.0 { "+Inf".to_owned() } else { "-Inf".to_owned() };
    }
    lay_out(&format!("{float:e}"))
}

/// The same of a finite float of 32 bits, whose shortest digits are fewer: `strconv.FormatFloat(float, 'g', -1, 32)`.
pub(crate) fn general_32(float: f32) -> String {
    lay_out(&format!("{float:e}"))
}

/// The shortest digits of a number, as Rust's `{:e}` gives them, laid out as Go's `%g` does.
fn lay_out(scientific: &str) -> String {
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let (sign, mantissa) = match mantissa.strip_prefix('-') {
        Some(rest) => ("-", rest),
        None => ("", mantissa),
    };
    if !(-4..6).contains(&exponent) {
        let exponent_sign = if exponent < 0 { '-' } else { '+' };
        return format!("{sign}{mantissa}e{exponent_sign}{:02}", exponent.unsigned_abs());
    }
    let digits: String = mantissa.chars().filter(|&c| c != '.').collect();
    let count = usize::try_from(exponent.unsigned_abs()).unwrap_or(0);
    if exponent < 0 {
        return format!("{sign}0.{}{digits}", "0".repeat(count.saturating_sub(1)));
    }
    match digits.split_at_checked(count + 1) {
        Some((whole, "")) => format!("{sign}{whole}"),
        Some((whole, fraction)) => format!("{sign}{whole}.{fraction}"),
        None => format!("{sign}{digits}{}", "0".repeat(count + 1 - digits.len())),
    }
}

/// A finite float as encoding/json's `floatEncoder` writes it: an exponent below 1e-6, where it may have one digit, and from 1e21 on.
pub(crate) fn json(float: f64) -> String {
    let size = float.abs();
    if size == 0.0 || (1e-6..1e21).contains(&size) {
        return format!("{float}");
    }
    let text = format!("{float:e}");
    match text.split_once('e') {
        Some((digits, exponent)) if !exponent.starts_with('-') => format!("{digits}e+{exponent}"),
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writes_as_fmt_does() {
        let cases = [
            (0.0, "0"),
            (-0.0, "-0"),
            (0.5, "0.5"),
            (-0.25, "-0.25"),
            (120.5, "120.5"),
            (10000.0, "10000"),
            (1e6, "1e+06"),
            (-1e6, "-1e+06"),
            (1_234_567.5, "1.2345675e+06"),
            (4294967295.0, "4.294967295e+09"),
            (1e300, "1e+300"),
            (0.0001, "0.0001"),
            (0.00001, "1e-05"),
            (f64::NEG_INFINITY, "-Inf"),
            (f64::NAN, "NaN"),
        ];
        for (float, text) in cases {
            assert_eq!(general(float), text);
        }
        assert_eq!(general_32(1.234_567_9e20), "1.2345679e+20");
    }

    #[test]
    fn writes_as_json_does() {
        let cases = [
            (0.0, "0"),
            (-0.0, "-0"),
            (3.0, "3"),
            (1e20, "100000000000000000000"),
            (1e21, "1e+21"),
            (-1.5e300, "-1.5e+300"),
            (0.000_001, "0.000001"),
            (1.5e-7, "1.5e-7"),
            (1e-10, "1e-10"),
        ];
        for (float, text) in cases {
            assert_eq!(json(float), text);
        }
    }
}
