//! Package `time`, as apimachinery uses it: RFC 3339 in, RFC 3339 in UTC and to the second out.

use std::fmt::Write as _;

/// The text of Go's zero time, which is encoded as null.
pub(crate) const ZERO: &str = "0001-01-01T00:00:00Z";

const LAYOUT: &str = "2006-01-02T15:04:05Z07:00";

/// The time in UTC, to the second.
///
/// Follows apimachinery `pkg/apis/meta/v1/time.go` and Go's `time.Parse`.
///
/// # Errors
/// Go's words.
pub(crate) fn rewrite(text: &str) -> Result<String, String> {
    let mut rest = Rest { whole: text, rest: text };
    let year = rest.number(4, "2006", "year", 0..=9999)?;
    rest.literal("-")?;
    let month = rest.number(2, "01", "month", 1..=12)?;
    rest.literal("-")?;
    let day = rest.number(2, "02", "day", 0..=31)?;
    rest.literal("T")?;
    let hour = rest.number(rest.hour_width(), "15", "hour", 0..=23)?;
    rest.literal(":")?;
    let minute = rest.number(2, "04", "minute", 0..=59)?;
    rest.literal(":")?;
    let second = rest.number(2, "05", "second", 0..=59)?;
    rest.fraction();
    let offset = rest.offset()?;
    if !rest.rest.is_empty() {
        return Err(format!("parsing time {}: extra text: {}", quoted(text), quoted(rest.rest)));
    }
    if day < 1 || day > month_length(year, month) {
        return Err(format!("parsing time {}: day out of range", quoted(text)));
    }
    let seconds = days(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second - offset;
    Ok(format(seconds))
}

struct Rest<'a> {
    whole: &'a str,
    rest: &'a str,
}

impl Rest<'_> {
    fn cannot(&self, element: &str) -> String {
        let layout = quoted(LAYOUT);
        format!("parsing time {} as {layout}: cannot parse {} as {}", quoted(self.whole), quoted(self.rest), quoted(element))
    }

    fn number(&mut self, width: usize, element: &str, name: &str, range: std::ops::RangeInclusive<i64>) -> Result<i64, String> {
        let (head, rest) = self.rest.split_at_checked(width).ok_or_else(|| self.cannot(element))?;
        if !head.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(self.cannot(element));
        }
        let number = head.parse().map_err(|_| self.cannot(element))?;
        if !range.contains(&number) {
            return Err(format!("parsing time {}: {name} out of range", quoted(self.whole)));
        }
        self.rest = rest;
        Ok(number)
    }

    /// The layout asks for two digits; of an hour alone Go is content with one.
    fn hour_width(&self) -> usize {
        match self.rest.as_bytes() {
            [first, second, ..] if first.is_ascii_digit() && !second.is_ascii_digit() => 1,
            [digit] if digit.is_ascii_digit() => 1,
            _ => 2,
        }
    }

    fn literal(&mut self, text: &str) -> Result<(), String> {
        self.rest = self.rest.strip_prefix(text).ok_or_else(|| self.cannot(text))?;
        Ok(())
    }

    /// Go takes a fraction of a second though the layout has none.
    fn fraction(&mut self) {
        if let Some(rest) = self.rest.strip_prefix(['.', ','])
            && rest.starts_with(|c: char| c.is_ascii_digit())
        {
            self.rest = rest.trim_start_matches(|c: char| c.is_ascii_digit());
        }
    }

    /// The seconds east of UTC.
    fn offset(&mut self) -> Result<i64, String> {
        if let Some(rest) = self.rest.strip_prefix('Z') {
            self.rest = rest;
            return Ok(0);
        }
        let error = self.cannot("Z07:00");
        let (head, rest) = self.rest.split_at_checked(6).ok_or_else(|| error.clone())?;
        let sign = match head.as_bytes().first() {
            Some(b'+') => 1,
            Some(b'-') => -1,
            _ => return Err(error),
        };
        let number = |from: usize| head.get(from..from + 2).and_then(|text| text.parse::<u8>().ok()).map(i64::from);
        let (Some(hours), Some(":"), Some(minutes)) = (number(1), head.get(3..4), number(4)) else { return Err(error) };
        if hours > 24 || minutes > 60 {
            let name = if hours > 24 { "time zone offset hour" } else { "time zone offset minute" };
            return Err(format!("parsing time {}: {name} out of range", quoted(self.whole)));
        }
        self.rest = rest;
        Ok(sign * (hours * 3600 + minutes * 60))
    }
}

/// The package's own quotes (`format.go`, `quote`): bytes beyond ASCII and controls are escaped one by one, `strconv` would not.
fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            ' '..='\x7f' => out.push(c),
            _ => {
                for byte in c.encode_utf8(&mut [0; 4]).bytes() {
                    // Writing to a String cannot fail.
                    let _ = write!(out, "\\x{byte:02x}");
                }
            }
        }
    }
    out.push('"');
    out
}

fn leap(year: i64) -> bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
}

fn month_length(year: i64, month: i64) -> i64 {
    match month {
        2 if leap(year) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Days since 0000-03-01 of the proleptic Gregorian calendar, counted in years that begin with March.
fn days(year: i64, month: i64, day: i64) -> i64 {
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    year * 365 + year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400) + (month * 153 + 2) / 5 + day - 1
}

fn format(seconds: i64) -> String {
    let (day, rest) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
    // The year before the day at the earliest; walk up to the right one.
    let mut year = day.div_euclid(366);
    while days(year + 1, 3, 1) <= day {
        year += 1;
    }
    let of_year = day - days(year, 3, 1);
    let month = (of_year * 5 + 2) / 153;
    let of_month = of_year - (month * 153 + 2) / 5 + 1;
    let (year, month) = if month < 10 { (year, month + 3) } else { (year + 1, month - 9) };
    format!("{year:04}-{month:02}-{of_month:02}T{:02}:{:02}:{:02}Z", rest / 3600, rest / 60 % 60, rest % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comes_out_in_utc() {
        for (text, want) in [
            ("2024-02-29T23:59:59Z", "2024-02-29T23:59:59Z"),
            ("2020-01-01T01:30:00.123+02:00", "2019-12-31T23:30:00Z"),
            ("1999-12-31T23:59:59-00:01", "2000-01-01T00:00:59Z"),
            ("2020-01-01T1:30:00Z", "2020-01-01T01:30:00Z"),
            ("0001-01-01T00:00:00Z", ZERO),
            ("9999-03-01T00:00:00Z", "9999-03-01T00:00:00Z"),
        ] {
            assert_eq!(rewrite(text).as_deref(), Ok(want), "{text}");
        }
    }

    #[test]
    fn refuses_in_gos_words() {
        assert_eq!(rewrite("2020").unwrap_err(), r#"parsing time "2020" as "2006-01-02T15:04:05Z07:00": cannot parse "" as "-""#);
        assert_eq!(
            rewrite("2020-01-01").unwrap_err(),
            r#"parsing time "2020-01-01" as "2006-01-02T15:04:05Z07:00": cannot parse "" as "T""#
        );
        assert_eq!(rewrite("2021-02-29T00:00:00Z").unwrap_err(), r#"parsing time "2021-02-29T00:00:00Z": day out of range"#);
        assert_eq!(rewrite("2021-13-01T00:00:00Z").unwrap_err(), r#"parsing time "2021-13-01T00:00:00Z": month out of range"#);
        assert_eq!(
            rewrite("é\n\"").unwrap_err(),
            r#"parsing time "\xc3\xa9\x0a\"" as "2006-01-02T15:04:05Z07:00": cannot parse "\xc3\xa9\x0a\"" as "2006""#
        );
    }
}
