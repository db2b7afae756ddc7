//! Scalars in single and double quotes.

use std::borrow::Cow;

use crate::yaml::chars::{is_blank, width};

use super::Style;
use super::plain::Breaks;
use super::scanner::{Outcome, Scanner};

impl Scanner<'_> {
    /// A scalar between two of `quote`.
    pub(super) fn scan_quoted(&mut self, quote: u8) -> Outcome<()> {
        let start = self.cursor.mark();
        self.cursor.at += 1;
        let value = match self.quoted_as_written(quote) {
            Some(length) => {
                let from = self.cursor.at;
                self.cursor.skip_run(length);
                Cow::Borrowed(self.cursor.slice(from, from + length))
            }
            None => Cow::Owned(self.read_quoted(quote)?),
        };
        self.cursor.at += 1;
        self.push_scalar(value, Style::Quoted, start, self.cursor.mark());
        Ok(())
    }

    /// The bytes up to the closing quote, where all that stands between is meant as written: no escape, no line break.
    fn quoted_as_written(&self, quote: u8) -> Option<usize> {
        let rest = self.cursor.rest();
        let length =
            if quote == b'"' { memchr::memchr3(quote, b'\\', b'\n', rest) } else { memchr::memchr2(quote, b'\n', rest) }?;
        if rest.get(length) != Some(&quote) || (quote == b'\'' && rest.get(length + 1) == Some(&quote)) {
            return None;
        }
        let line = rest.get(..length)?;
        let mut from = 0;
        while let Some(found) = memchr::memchr3(b'\r', 0xc2, 0xe2, line.get(from..).unwrap_or_default()) {
            if self.cursor.is_break(from + found) {
                return None;
            }
            from += found + 1;
        }
        Some(length)
    }

    fn read_quoted(&mut self, quote: u8) -> Outcome<String> {
        let mut text = String::new();
        let mut breaks = Breaks::default();
        loop {
            self.needs(4)?;
            if self.cursor.is_document_indicator() {
                return Err(self.error("found unexpected document indicator"));
            }
            if self.cursor.peek(0) == 0 {
                return Err(self.error("found unexpected end of stream"));
            }
            let mut at_line_start = false;
            while !self.cursor.is_gap(0) {
                let byte = self.cursor.peek(0);
                if byte == quote {
                    if quote == b'\'' && self.cursor.peek(1) == quote {
                        text.push('\'');
                        self.cursor.at += 2;
                        continue;
                    }
                    break;
                }
                if byte == b'\\' && quote == b'"' {
                    if self.cursor.is_break(1) {
                        self.cursor.at += 1;
                        self.cursor.skip_line();
                        at_line_start = true;
                        break;
                    }
                    self.read_escape(&mut text)?;
                } else {
                    let from = self.cursor.at;
                    self.skip_quoted_run(quote);
                    text.push_str(self.cursor.slice(from, self.cursor.at));
                }
            }
            if self.cursor.peek(0) == quote {
                return Ok(text);
            }
            let blanks = self.cursor.at;
            let mut blanks_end = blanks;
            loop {
                if is_blank(self.cursor.peek(0)) {
                    self.cursor.at += 1;
                    if !at_line_start {
                        blanks_end = self.cursor.at;
                    }
                } else if self.cursor.is_break(0) {
                    self.cursor.read_line(if at_line_start { &mut breaks.more } else { &mut breaks.first });
                    at_line_start = true;
                } else {
                    break;
                }
            }
            if at_line_start {
                // An escaped line break leaves no first break behind: no space comes in its place.
                breaks.fold_into(&mut text);
            } else {
                text.push_str(self.cursor.slice(blanks, blanks_end));
            }
        }
    }

    /// Over characters that stand for themselves: at least one.
    fn skip_quoted_run(&mut self, quote: u8) {
        loop {
            let byte = self.cursor.peek(0);
            if byte >= 0x80 {
                if self.cursor.is_break(0) {
                    break;
                }
                self.cursor.skip_run(width(byte));
            } else if byte == quote || matches!(byte, b' ' | b'\t' | b'\r' | b'\n' | 0) || (byte == b'\\' && quote == b'"') {
                break;
            } else {
                self.cursor.at += 1;
            }
        }
    }

    fn read_escape(&mut self, text: &mut String) -> Outcome<()> {
        let digits = match self.cursor.peek(1) {
            b'x' => 2,
            b'u' => 4,
            b'U' => 8,
            code => {
                let Some(meant) = escape(code) else { return Err(self.error("found unknown escape character")) };
                text.push(meant);
                self.cursor.at += 2;
                return Ok(());
            }
        };
        self.cursor.at += 2;
        let mut value: u32 = 0;
        for ahead in 0..digits {
            let Some(digit) = char::from(self.cursor.peek(ahead)).to_digit(16) else {
                return Err(self.error_within(digits, "did not find expected hexdecimal number"));
            };
            value = (value << 4) | digit;
        }
        let Some(meant) = char::from_u32(value) else {
            return Err(self.error_within(digits, "found invalid Unicode character escape code"));
        };
        text.push(meant);
        self.cursor.at += digits;
        Ok(())
    }
}

/// What a backslash and one character mean. YAML 1.1 has no `\/`.
fn escape(code: u8) -> Option<char> {
    Some(match code {
        b'0' => '\0',
        b'a' => '\u{7}',
        b'b' => '\u{8}',
        b't' | b'\t' => '\t',
        b'n' => '\n',
        b'v' => '\u{b}',
        b'f' => '\u{c}',
        b'r' => '\r',
        b'e' => '\u{1b}',
        b' ' => ' ',
        b'"' => '"',
        b'\'' => '\'',
        b'\\' => '\\',
        b'N' => '\u{85}',
        b'_' => '\u{a0}',
        b'L' => '\u{2028}',
        b'P' => '\u{2029}',
        _ => return None,
    })
}
