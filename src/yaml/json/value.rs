//! What a value of JSON holds.

use serde_json::{Number, Value};

use crate::go::quote;
use crate::place::Step;
use crate::yaml::error::Fault;
use crate::yaml::load::{Duplicate, Loaded, MAX_DUPLICATES};
use crate::yaml::mapping::Mapping;
use crate::yaml::spot::{Bytes, KeyKind, Spots};
use crate::yaml::tree::{MAX_DEPTH, too_deep};

/// The value of a text that [`next_value`](super::next_value) found to be one.
pub(in crate::yaml) fn load<P: Spots>(text: &str) -> Result<Loaded<P::Spot>, Fault> {
    let mut reader = Reader::<P> { text, at: 0, path: Vec::new(), duplicates: Vec::new(), spots: std::marker::PhantomData };
    let (value, spot) = reader.value()?;
    Ok(Loaded { value, spot, duplicates: reader.duplicates })
}

/// An array or object that is being read.
enum Open<P: Spots> {
    Array {
        list: Vec<Value>,
        spots: Vec<P::Spot>,
        start: u32,
    },
    Object {
        into: Mapping<P>,
        /// The key whose value comes next, and its place.
        key: String,
        span: Bytes,
        start: u32,
    },
}

/// Reads with a stack of its own, so that depth costs memory and not the stack of the thread.
struct Reader<'t, P> {
    text: &'t str,
    at: usize,
    path: Vec<Step>,
    duplicates: Vec<Duplicate>,
    spots: std::marker::PhantomData<P>,
}

impl<P: Spots> Reader<'_, P> {
    fn peek(&self) -> u8 {
        self.text.as_bytes().get(self.at).copied().unwrap_or(0)
    }

    fn skip_blanks(&mut self) {
        while matches!(self.peek(), b' ' | b'\t' | b'\r' | b'\n') {
            self.at += 1;
        }
    }

    fn offset(&self) -> u32 {
        u32::try_from(self.at).unwrap_or(u32::MAX)
    }

    /// The value that comes next, and all in it.
    fn value(&mut self) -> Result<(Value, P::Spot), Fault> {
        let mut open: Vec<Open<P>> = Vec::new();
        loop {
            self.skip_blanks();
            let start = self.offset();
            let (mut value, mut spot) = match self.peek() {
                bracket @ (b'{' | b'[') => {
                    if open.len() >= MAX_DEPTH {
                        return Err(too_deep(start));
                    }
                    self.at += 1;
                    let (list, into) = (Vec::new(), Mapping::with_capacity(0));
                    let mut opened = match bracket {
                        b'{' => Open::Object { into, key: String::new(), span: (start, start), start },
                        _ => Open::Array { list, spots: Vec::new(), start },
                    };
                    if self.goes_on(&mut opened) {
                        open.push(opened);
                        continue;
                    }
                    self.close(opened)
                }
                b'"' => (Value::String(self.string()), P::leaf((start, self.offset()))),
                _ => (self.word(), P::leaf((start, self.offset()))),
            };
            loop {
                let Some(mut opened) = open.pop() else { return Ok((value, spot)) };
                self.take(&mut opened, value, spot);
                if self.goes_on(&mut opened) {
                    open.push(opened);
                    break;
                }
                (value, spot) = self.close(opened);
            }
        }
    }

    /// Over `,`, blanks and the next key; whether there is a further item.
    fn goes_on(&mut self, open: &mut Open<P>) -> bool {
        self.skip_blanks();
        if self.peek() == b',' {
            self.at += 1;
            self.skip_blanks();
        }
        if matches!(self.peek(), b']' | b'}' | 0) {
            return false;
        }
        match open {
            Open::Array { list, .. } => {
                if P::TRACKED {
                    self.path.push(Step::Index(list.len()));
                }
            }
            Open::Object { key, span, .. } => {
                let start = self.offset();
                *key = self.string();
                *span = (start, self.offset());
                self.skip_blanks();
                self.at += 1;
                if P::TRACKED {
                    self.path.push(Step::Key(key.clone()));
                }
            }
        }
        true
    }

    /// Put a value where it belongs.
    fn take(&mut self, open: &mut Open<P>, value: Value, spot: P::Spot) {
        match open {
            Open::Array { list, spots, .. } => {
                list.push(value);
                spots.push(spot);
            }
            Open::Object { into, key, span, .. } => {
                let earlier = into.set(std::mem::take(key), value, P::keyed(spot, *span, KeyKind::Text));
                if let Some((first, _)) = earlier
                    && let Some(Step::Key(key)) = self.path.last()
                    && self.duplicates.len() < MAX_DUPLICATES
                {
                    let message = format!("duplicate field {}", quote(key));
                    self.duplicates.push(Duplicate { path: self.path.clone(), first, again: *span, message });
                }
            }
        }
        self.path.pop();
    }

    /// Over the closing bracket.
    fn close(&mut self, open: Open<P>) -> (Value, P::Spot) {
        self.at += 1;
        match open {
            Open::Array { list, spots, start } => (Value::Array(list), P::branch((start, self.offset()), spots)),
            Open::Object { into, start, .. } => {
                let (value, spots) = into.finish();
                (value, P::branch((start, self.offset()), spots))
            }
        }
    }

    /// A number, `true`, `false` or `null`.
    fn word(&mut self) -> Value {
        let from = self.at;
        while !matches!(self.peek(), b',' | b']' | b'}' | b' ' | b'\t' | b'\r' | b'\n' | 0) {
            self.at += 1;
        }
        scalar(self.text.get(from..self.at).unwrap_or_default())
    }

    /// A text in quotes. Half a surrogate pair becomes a replacement character, as in Go.
    fn string(&mut self) -> String {
        self.at += 1;
        let mut text = String::new();
        loop {
            let rest = self.text.as_bytes().get(self.at..).unwrap_or_default();
            let run = memchr::memchr2(b'"', b'\\', rest).unwrap_or(rest.len());
            text.push_str(self.text.get(self.at..self.at + run).unwrap_or_default());
            self.at += run;
            if self.peek() != b'\\' {
                self.at += 1;
                return text;
            }
            let code = self.text.as_bytes().get(self.at + 1).copied().unwrap_or(0);
            self.at += 2;
            match code {
                b'b' => text.push('\u{8}'),
                b'f' => text.push('\u{c}'),
                b'n' => text.push('\n'),
                b'r' => text.push('\r'),
                b't' => text.push('\t'),
                b'u' => {
                    let unit = self.unit();
                    self.at += 4;
                    text.push(self.surrogates(unit));
                }
                code => text.push(char::from(code)),
            }
        }
    }

    /// The four digits that come next.
    fn unit(&self) -> u32 {
        self.text.get(self.at..self.at + 4).and_then(|digits| u32::from_str_radix(digits, 16).ok()).unwrap_or(0xfffd)
    }

    fn surrogates(&mut self, unit: u32) -> char {
        if let Some(c) = char::from_u32(unit) {
            return c;
        }
        let rest = self.text.get(self.at..).unwrap_or_default();
        if unit < 0xdc00 && rest.starts_with(r"\u") {
            self.at += 2;
            let low = self.unit();
            if (0xdc00..0xe000).contains(&low) {
                self.at += 4;
                return char::from_u32(0x1_0000 + ((unit - 0xd800) << 10) + (low - 0xdc00)).unwrap_or('\u{fffd}');
            }
            self.at -= 2;
        }
        '\u{fffd}'
    }
}

/// A number or a word. A number too large for any type stays text, as the reader of YAML keeps it.
fn scalar(word: &str) -> Value {
    match word {
        "true" => Value::Bool(true),
        "false" => Value::Bool(false),
        "null" => Value::Null,
        "-0" => Value::from(0),
        word => match word.parse::<Number>() {
            Ok(number) => Value::Number(number),
            Err(_) => Value::String(word.to_owned()),
        },
    }
}
