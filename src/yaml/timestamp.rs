//! Which texts are timestamps to go-yaml v2.4.4: four layouts of Go's `time.Parse`. They matter only under `!!timestamp`.

/// Whether `!!timestamp` fits the text.
pub(super) fn is_timestamp(text: &str) -> bool {
    read(text.as_bytes()).is_some()
}

fn read(text: &[u8]) -> Option<()> {
    let (year, rest) = digits(text, 4, 4)?;
    let rest = literal(rest, b'-')?;
    let (month, rest) = digits(rest, 1, 2)?;
    let rest = literal(rest, b'-')?;
    let (day, rest) = digits(rest, 1, 2)?;
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match month {
        2 if leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => return None,
    };
    if day < 1 || day > days {
        return None;
    }
    if rest.is_empty() {
        return Some(());
    }
    let (separator, rest) = rest.split_first()?;
    let (hour, rest) = digits(rest, 1, 2)?;
    let rest = literal(rest, b':')?;
    let (minute, rest) = digits(rest, 1, 2)?;
    let rest = literal(rest, b':')?;
    let (second, rest) = digits(rest, 1, 2)?;
    if hour > 23 || minute > 59 || second > 59 {
        return None;
    }
    let rest = fraction(rest);
    match separator {
        b'T' | b't' => zone(rest),
        b' ' => rest.is_empty().then_some(()),
        _ => None,
    }
}

/// As many digits as there are, between `least` and `most`.
fn digits(text: &[u8], least: usize, most: usize) -> Option<(u32, &[u8])> {
    let count = text.iter().take(most).take_while(|b| b.is_ascii_digit()).count();
    if count < least {
        return None;
    }
    let (number, rest) = text.split_at(count);
    Some((number.iter().fold(0, |value, digit| value * 10 + u32::from(digit - b'0')), rest))
}

fn literal(text: &[u8], byte: u8) -> Option<&[u8]> {
    text.strip_prefix(&[byte])
}

/// Seconds may have a fraction, after a point or a comma, whether the layout has one or not.
fn fraction(text: &[u8]) -> &[u8] {
    match text.split_first() {
        Some((b'.' | b',', rest)) => {
            let count = rest.iter().take_while(|b| b.is_ascii_digit()).count();
            if count == 0 { text } else { rest.get(count..).unwrap_or_default() }
        }
        _ => text,
    }
}

fn zone(text: &[u8]) -> Option<()> {
    match text.split_first()? {
        (b'Z', rest) => rest.is_empty().then_some(()),
        (b'+' | b'-', rest) => {
            let (hour, rest) = digits(rest, 2, 2)?;
            let (minute, rest) = digits(literal(rest, b':')?, 2, 2)?;
            (rest.is_empty() && hour <= 24 && minute <= 60).then_some(())
        }
        _ => None,
    }
}
