//! What a value of JSON holds.

use serde_json::{Number, Value};

use crate::place::Step;
use crate::yaml::error::Fault;
use crate::yaml::go::quote;
use crate::yaml::load::{Duplicate, Loaded, MAX_DUPLICATES};
use crate::yaml::mapping::Mapping;
use crate::yaml::spot::{Bytes, KeyKind, Spots};
use crate::yaml::tree::{MAX_DEPTH, too_deep};

/// The value of a text that [`next_value`](super::next_value) found to be one.
pub(in crate::yaml) fn load<P: Spots>(text: &str) -> Result<Loaded<P::Spot>, Fault> {
    let mut reader =
        Reader::<P> { text, at: 0, depth: 0, path: Vec::new(), duplicates: Vec::new(), spots: std::marker::PhantomData };
    let (value, spot) = reader.value()?;
    Ok(Loaded { value, spot, duplicates: reader.duplicates })
}

struct Reader<'t, P> {
    text: &'t str,
    at: usize,
    depth: usize,
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

    /// Over `,` and blanks; whether the closing bracket follows.
    fn at_close(&mut self, bracket: u8) -> bool {
        self.skip_blanks();
        if self.peek() == b',' {
            self.at += 1;
            self.skip_blanks();
        }
        self.peek() == bracket || self.peek() == 0
    }

    fn enter(&mut self) -> Result<(), Fault> {
        self.depth += 1;
        if self.depth > MAX_DEPTH { Err(too_deep(self.offset())) } else { Ok(()) }
    }

    fn value(&mut self) -> Result<(Value, P::Spot), Fault> {
        self.skip_blanks();
        let start = self.offset();
        match self.peek() {
            b'{' => {
                self.enter()?;
                self.at += 1;
                let (value, spots) = self.object()?.finish();
                self.at += 1;
                self.depth -= 1;
                Ok((value, P::branch((start, self.offset()), spots)))
            }
            b'[' => {
                self.enter()?;
                self.at += 1;
                let mut list = Vec::new();
                let mut spots = Vec::new();
                while !self.at_close(b']') {
                    if P::TRACKED {
                        self.path.push(Step::Index(list.len()));
                    }
                    let (value, spot) = self.value()?;
                    self.path.pop();
                    list.push(value);
                    spots.push(spot);
                }
                self.at += 1;
                self.depth -= 1;
                Ok((Value::Array(list), P::branch((start, self.offset()), spots)))
            }
            b'"' => {
                let text = self.string();
                Ok((Value::String(text), P::leaf((start, self.offset()))))
            }
            _ => {
                let from = self.at;
                while !matches!(self.peek(), b',' | b']' | b'}' | b' ' | b'\t' | b'\r' | b'\n' | 0) {
                    self.at += 1;
                }
                let word = self.text.get(from..self.at).unwrap_or_default();
                Ok((scalar(word), P::leaf((start, self.offset()))))
            }
        }
    }

    fn object(&mut self) -> Result<Mapping<P>, Fault> {
        let mut into = Mapping::<P>::with_capacity(0);
        while !self.at_close(b'}') {
            let start = self.offset();
            let key = self.string();
            let span: Bytes = (start, self.offset());
            self.skip_blanks();
            self.at += 1;
            if P::TRACKED {
                self.path.push(Step::Key(key.clone()));
            }
            let (value, spot) = self.value()?;
            if let Some((first, _)) = into.set(key, value, P::keyed(spot, span, KeyKind::Text))
                && self.duplicates.len() < MAX_DUPLICATES
            {
                let key = match self.path.last() {
                    Some(Step::Key(key)) => quote(key),
                    _ => String::new(),
                };
                let message = format!("duplicate field {key}");
                self.duplicates.push(Duplicate { path: self.path.clone(), first, again: span, message });
            }
            self.path.pop();
        }
        Ok(into)
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
        word => match word.parse::<Number>() {
            Ok(number) => Value::Number(number),
            Err(_) => Value::String(word.to_owned()),
        },
    }
}
