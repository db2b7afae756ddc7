//! The canonical text of a resource quantity: `1000m` is `1`, `1.5Gi` is `1536Mi`, `0.1` is `100m`.

use super::bignum::Natural;

/// What Go says of a text that is no quantity.
pub(super) const FORMAT_WRONG: &str =
    "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
const NUMERIC: &str = "unable to parse numeric part of quantity";
const SUFFIX: &str = "unable to parse quantity's suffix";

const LONGEST: usize = 1000;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Format {
    DecimalExponent,
    BinarySi,
    DecimalSi,
}

/// A text taken apart.
struct Parts<'a> {
    negative: bool,
    /// Digits before the point, without leading zeros; `0` where there are none.
    whole: &'a str,
    /// Digits after the point.
    fraction: &'a str,
    suffix: &'a str,
}

/// The text that Go writes for the quantity that it reads from `text`.
///
/// Follows apimachinery `pkg/api/resource/quantity.go` (v0.36): a number of up to 18 digits is kept as an int64 and a
/// power of ten, and keeps its text where that is canonical enough; all others are counted in nanos, rounded up.
///
/// # Errors
/// Go's words. A text of more than a thousand digits, which Go would labour at, is refused too.
pub(super) fn canonical(text: &str) -> Result<String, &'static str> {
    if text.is_empty() || text.len() > LONGEST {
        return Err(FORMAT_WRONG);
    }
    let parts = split(text)?;
    let (format, exponent) = interpret(parts.suffix).ok_or(SUFFIX)?;
    small(text, &parts, format, exponent).map_or_else(|| large(&parts, format, exponent), Ok)
}

fn split(text: &str) -> Result<Parts<'_>, &'static str> {
    let negative = text.starts_with('-');
    let rest = text.strip_prefix(['-', '+']).unwrap_or(text);
    let rest = rest.trim_start_matches('0');
    let (whole, rest) = digits(rest);
    let (fraction, suffix) = rest.strip_prefix('.').map_or(("", rest), digits);
    let rest = suffix.trim_start_matches(|c| "eEinumkKMGTP".contains(c));
    let rest = rest.strip_prefix(['-', '+']).unwrap_or(rest);
    let (_, rest) = digits(rest);
    if !rest.is_empty() {
        return Err(FORMAT_WRONG);
    }
    Ok(Parts { negative, whole: if whole.is_empty() { "0" } else { whole }, fraction, suffix })
}

fn digits(text: &str) -> (&str, &str) {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    text.split_at_checked(end).unwrap_or((text, ""))
}

/// The format and the exponent (of ten, or of two) that a suffix stands for.
fn interpret(suffix: &str) -> Option<(Format, i32)> {
    if let Some((_, exponent)) = DECIMAL.iter().find(|(name, _)| *name == suffix) {
        return Some((Format::DecimalSi, *exponent));
    }
    if let Some((_, exponent)) = BINARY.iter().find(|(name, _)| *name == suffix) {
        return Some((Format::BinarySi, *exponent));
    }
    let exponent = suffix.strip_prefix(['e', 'E']).filter(|exponent| !exponent.is_empty())?;
    // Go narrows the exponent to an int32 by dropping bits; out of that range nothing sensible is left to follow.
    let exponent: i64 = exponent.parse().ok()?;
    Some((Format::DecimalExponent, i32::try_from(exponent).ok()?))
}

const DECIMAL: [(&str, i32); 10] =
    [("n", -9), ("u", -6), ("m", -3), ("", 0), ("k", 3), ("M", 6), ("G", 9), ("T", 12), ("P", 15), ("E", 18)];
const BINARY: [(&str, i32); 6] = [("Ki", 10), ("Mi", 20), ("Gi", 30), ("Ti", 40), ("Pi", 50), ("Ei", 60)];

/// The suffix of a power; none where there is none for it.
fn suffix(format: Format, exponent: i32) -> String {
    let named = |table: &[(&str, i32)]| {
        table.iter().find(|(_, e)| *e == exponent).map(|(name, _)| (*name).to_owned()).unwrap_or_default()
    };
    match format {
        Format::DecimalSi => named(&DECIMAL),
        Format::BinarySi => named(&BINARY),
        Format::DecimalExponent if exponent == 0 => String::new(),
        Format::DecimalExponent => format!("e{exponent}"),
    }
}

/// A number of few digits; `None` where Go takes the other way.
fn small(text: &str, parts: &Parts<'_>, format: Format, exponent: i32) -> Option<String> {
    let count = i32::try_from(parts.whole.len() + parts.fraction.len()).ok()?;
    let places = i32::try_from(parts.fraction.len()).ok()?;
    let (precision, scale, factor) = match format {
        Format::DecimalExponent | Format::DecimalSi => (18 - count, exponent, 1_i64),
        Format::BinarySi if places == 0 => {
            let tens = exponent * 3 / 10;
            (15 - i32::try_from(parts.whole.len()).ok()? - tens - 1, 0, 1_i64.checked_shl(exponent.unsigned_abs())?)
        }
        Format::BinarySi => return None,
    };
    let scale = scale.checked_sub(places)?;
    if precision < 0 || scale < -9 {
        return None;
    }
    let digits = format!("{}{}", parts.whole, parts.fraction);
    let value: i64 = digits.parse().ok()?;
    let number = value.checked_mul(factor)?;
    let as_written = match format {
        Format::BinarySi => exponent % 10 == 0 && value & 7 != 0,
        Format::DecimalExponent | Format::DecimalSi => scale % 3 == 0 && !digits.ends_with("000") && !digits.starts_with('0'),
    };
    if as_written {
        return Some(text.to_owned());
    }
    Some(show(parts.negative, Natural::from_decimal(&number.to_string())?, scale, format))
}

/// A number of many digits, or with a fraction of a binary unit.
fn large(parts: &Parts<'_>, format: Format, exponent: i32) -> Result<String, &'static str> {
    let mut number = Natural::from_decimal(&format!("{}{}", parts.whole, parts.fraction)).ok_or(NUMERIC)?;
    let places = i32::try_from(parts.fraction.len()).map_err(|_| NUMERIC)?;
    let mut scale = -places;
    let mut format = format;
    if format == Format::BinarySi {
        for _ in 0..exponent {
            number.multiply(2);
        }
    } else {
        scale = scale.saturating_add(exponent);
    }
    to_nanos(&mut number, &mut scale);
    if format == Format::BinarySi {
        // A binary number is capped at the largest int64; below one it is shown as a decimal.
        let mut most = Natural::from_decimal("9223372036854775807").unwrap_or_default();
        for _ in scale..0 {
            most.multiply(10);
        }
        let one = Natural::from_decimal("1000000000").unwrap_or_default();
        if number > most {
            number = most;
        }
        if scale == -9 && number < one && !number.is_zero() {
            format = Format::DecimalSi;
        }
    }
    Ok(show(parts.negative, number, scale, format))
}

/// Rounds up to nanos where the number is finer.
fn to_nanos(number: &mut Natural, scale: &mut i32) {
    let mut inexact = false;
    while *scale < -9 && !number.is_zero() {
        inexact |= number.divide(10) != 0;
        *scale += 1;
    }
    if *scale < -9 {
        *scale = -9;
    }
    if inexact {
        number.add(1);
    }
    if *scale > -9 && *scale < 0 {
        // Kept as it is: the canonical form takes the zeros out again.
        while *scale > -9 {
            number.multiply(10);
            *scale -= 1;
        }
    }
}

/// Canonical form: no fraction, the largest suffix.
fn show(negative: bool, mut number: Natural, mut scale: i32, format: Format) -> String {
    if number.is_zero() {
        return "0".to_owned();
    }
    let sign = if negative { "-" } else { "" };
    if format == Format::BinarySi
        && let Some(whole) = whole(&number, scale)
        && whole >= Natural::from_decimal("1024").unwrap_or_default()
    {
        let mut whole = whole;
        let mut power = 0;
        loop {
            let mut quotient = whole.clone();
            if quotient.divide(1024) != 0 {
                break;
            }
            whole = quotient;
            power += 10;
        }
        return format!("{sign}{}{}", whole.text(10), suffix(Format::BinarySi, power));
    }
    let format = if format == Format::BinarySi { Format::DecimalSi } else { format };
    loop {
        let mut quotient = number.clone();
        if quotient.divide(10) != 0 {
            break;
        }
        number = quotient;
        scale += 1;
    }
    while scale % 3 != 0 {
        number.multiply(10);
        scale -= 1;
    }
    format!("{sign}{}{}", number.text(10), suffix(format, scale))
}

/// The number without its power of ten, where that is whole.
fn whole(number: &Natural, scale: i32) -> Option<Natural> {
    let mut out = number.clone();
    for _ in scale..0 {
        if out.divide(10) != 0 {
            return None;
        }
    }
    for _ in 0..scale {
        out.multiply(10);
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn is_canonical() {
        for (text, want) in [
            ("0", "0"),
            ("00", "0"),
            ("1", "1"),
            ("100m", "100m"),
            ("1000m", "1"),
            ("1500m", "1500m"),
            ("0.1", "100m"),
            ("1.5", "1500m"),
            ("1.500", "1.500"),
            ("1000", "1k"),
            ("1024", "1024"),
            ("1024Mi", "1Gi"),
            ("512Mi", "512Mi"),
            ("500Mi", "500Mi"),
            ("1.5Gi", "1536Mi"),
            ("0.5Gi", "512Mi"),
            ("0.5Mi", "512Ki"),
            ("0.1Ki", "102400m"),
            ("1Ki", "1Ki"),
            ("2Ki", "2Ki"),
            ("1e3", "1e3"),
            ("1E3", "1E3"),
            ("1000e0", "1e3"),
            ("12e6", "12e6"),
            ("120e5", "12e6"),
            ("1G", "1G"),
            ("2000M", "2G"),
            ("+5", "+5"),
            ("-1.5", "-1500m"),
            ("0.0000000001", "1n"),
            ("100000000000000000000", "100E"),
            ("123456789012345678901", "123456789012345678901"),
            ("16Ei", "9223372036854775807"),
            ("128974848", "128974848"),
            ("129e6", "129e6"),
            ("64Mi", "64Mi"),
            ("20m", "20m"),
            ("0.05", "50m"),
            ("4Gi", "4Gi"),
            ("4096Mi", "4Gi"),
            ("05", "05"),
            (".5", "500m"),
            ("1.", "1."),
        ] {
            assert_eq!(canonical(text).as_deref(), Ok(want), "{text}");
        }
    }

    #[test]
    fn refuses_what_go_refuses() {
        for text in ["", "abc", "1 Gi", "1g", "1.2.3", "true"] {
            assert!(canonical(text).is_err(), "{text}");
        }
        assert_eq!(canonical("1Gib"), Err(FORMAT_WRONG));
        assert_eq!(canonical("1iM"), Err(SUFFIX));
        assert_eq!(canonical("1mi"), Err(SUFFIX));
    }

    proptest::proptest! {
        #[test]
        fn canonical_text_stays_as_it_is(text in "[+-]?[0-9]{1,20}([.][0-9]{0,12})?(e-?[0-9]{1,2}|[numkMGTPE]|[KMGTPE]i|)") {
            let once = canonical(&text).unwrap();
            proptest::prop_assert_eq!(canonical(&once), Ok(once.clone()), "{}", text);
        }
    }

    #[test]
    fn huge_exponents_are_quick() {
        assert_eq!(canonical("1e-1000000000").as_deref(), Ok("1e-9"));
        assert_eq!(canonical("1e1000000000").as_deref(), Ok("10e999999999"));
        assert!(canonical("1e99999999999").is_err());
    }
}
