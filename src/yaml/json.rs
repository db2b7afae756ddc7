//! JSON as Go's `encoding/json` decodes a stream of it: where a value ends, what is wrong with it, and what it holds.

use serde_json::map::Entry;
use serde_json::{Map, Number, Value};
use std::collections::HashMap;

use super::error::Fault;
use super::go::quote;
use super::load::{Duplicate, Loaded, MAX_DUPLICATES};
use super::spot::{Bytes, KeyKind, Spots};
use super::tree::{MAX_DEPTH, too_deep};
use crate::place::Step;

/// How deep the reference lets JSON nest.
const MAX_LEVELS: usize = 10_000;

/// What is wrong with a stream of JSON.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Broken {
    /// A character that cannot stand at this byte.
    Syntax { message: String, at: usize },
    /// The text ends inside a value.
    Ends,
}

/// What is expected next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Expect {
    Value,
    ValueOrEnd,
    Key,
    KeyOrEnd,
    Colon,
    CommaOrEnd,
}

/// Where the value that begins at or after `from` begins and ends; `None` where only blanks are left.
pub(super) fn next_value(text: &str, from: usize) -> Result<Option<(usize, usize)>, Broken> {
    let mut check = Check { bytes: text.as_bytes(), at: from };
    check.skip_blanks();
    if check.at >= check.bytes.len() {
        return Ok(None);
    }
    let start = check.at;
    check.value()?;
    Ok(Some((start, check.at)))
}

struct Check<'t> {
    bytes: &'t [u8],
    at: usize,
}

impl Check<'_> {
    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn skip_blanks(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\r' | b'\n')) {
            self.at += 1;
        }
    }

    fn broken(&self, context: &str) -> Broken {
        let Some(byte) = self.peek() else { return Broken::Ends };
        let shown = match byte {
            b'\'' => r"'\''".to_owned(),
            b'"' => "'\"'".to_owned(),
            byte => {
                let quoted = quote(char::from(byte).encode_utf8(&mut [0; 4]));
                format!("'{}'", quoted.trim_matches('"'))
            }
        };
        Broken::Syntax { message: format!("invalid character {shown} {context}"), at: self.at }
    }

    fn value(&mut self) -> Result<(), Broken> {
        // For each level: whether it is an object.
        let mut open: Vec<bool> = Vec::new();
        let mut expect = Expect::Value;
        loop {
            self.skip_blanks();
            let byte = self.peek();
            match expect {
                Expect::ValueOrEnd if byte == Some(b']') => {
                    self.at += 1;
                    open.pop();
                    expect = Expect::CommaOrEnd;
                }
                Expect::Value | Expect::ValueOrEnd => match byte {
                    Some(opening @ (b'{' | b'[')) => {
                        if open.len() >= MAX_LEVELS {
                            return Err(self.broken("exceeded max depth"));
                        }
                        self.at += 1;
                        open.push(opening == b'{');
                        expect = if opening == b'{' { Expect::KeyOrEnd } else { Expect::ValueOrEnd };
                        continue;
                    }
                    Some(b'"') => {
                        self.string()?;
                        expect = Expect::CommaOrEnd;
                    }
                    Some(b'-' | b'0'..=b'9') => {
                        self.number()?;
                        expect = Expect::CommaOrEnd;
                    }
                    Some(first @ (b't' | b'f' | b'n')) => {
                        self.literal(match first {
                            b't' => "true",
                            b'f' => "false",
                            _ => "null",
                        })?;
                        expect = Expect::CommaOrEnd;
                    }
                    _ => return Err(self.broken("looking for beginning of value")),
                },
                Expect::KeyOrEnd if byte == Some(b'}') => {
                    self.at += 1;
                    open.pop();
                    expect = Expect::CommaOrEnd;
                }
                Expect::Key | Expect::KeyOrEnd => {
                    if byte != Some(b'"') {
                        return Err(self.broken("looking for beginning of object key string"));
                    }
                    self.string()?;
                    expect = Expect::Colon;
                    continue;
                }
                Expect::Colon => {
                    if byte != Some(b':') {
                        return Err(self.broken("after object key"));
                    }
                    self.at += 1;
                    expect = Expect::Value;
                    continue;
                }
                Expect::CommaOrEnd => {
                    let object = open.last() == Some(&true);
                    match byte {
                        Some(b',') => {
                            self.at += 1;
                            expect = if object { Expect::Key } else { Expect::Value };
                            continue;
                        }
                        Some(b'}') if object => {
                            self.at += 1;
                            open.pop();
                        }
                        Some(b']') if !object => {
                            self.at += 1;
                            open.pop();
                        }
                        _ if object => return Err(self.broken("after object key:value pair")),
                        _ => return Err(self.broken("after array element")),
                    }
                }
            }
            if open.is_empty() {
                return Ok(());
            }
        }
    }

    fn string(&mut self) -> Result<(), Broken> {
        self.at += 1;
        loop {
            match self.peek() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(());
                }
                Some(b'\\') => {
                    self.at += 1;
                    match self.peek() {
                        Some(b'b' | b'f' | b'n' | b'r' | b't' | b'\\' | b'/' | b'"') => self.at += 1,
                        Some(b'u') => {
                            self.at += 1;
                            for _ in 0..4 {
                                if !self.peek().is_some_and(|b| b.is_ascii_hexdigit()) {
                                    return Err(self.broken(r"in \u hexadecimal character escape"));
                                }
                                self.at += 1;
                            }
                        }
                        _ => return Err(self.broken("in string escape code")),
                    }
                }
                Some(0..=0x1f) | None => return Err(self.broken("in string literal")),
                Some(_) => self.at += 1,
            }
        }
    }

    fn number(&mut self) -> Result<(), Broken> {
        if self.peek() == Some(b'-') {
            self.at += 1;
        }
        match self.peek() {
            Some(b'0') => self.at += 1,
            Some(b'1'..=b'9') => self.digits(),
            _ => return Err(self.broken("in numeric literal")),
        }
        if self.peek() == Some(b'.') {
            self.at += 1;
            if !self.peek().is_some_and(|b| b.is_ascii_digit()) {
                return Err(self.broken("after decimal point in numeric literal"));
            }
            self.digits();
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            self.at += 1;
            if matches!(self.peek(), Some(b'+' | b'-')) {
                self.at += 1;
            }
            if !self.peek().is_some_and(|b| b.is_ascii_digit()) {
                return Err(self.broken("in exponent of numeric literal"));
            }
            self.digits();
        }
        Ok(())
    }

    fn digits(&mut self) {
        while self.peek().is_some_and(|b| b.is_ascii_digit()) {
            self.at += 1;
        }
    }

    fn literal(&mut self, word: &str) -> Result<(), Broken> {
        for expected in word.chars() {
            if self.peek().map(char::from) != Some(expected) {
                return Err(self.broken(&format!("in literal {word} (expecting '{expected}')")));
            }
            self.at += 1;
        }
        Ok(())
    }
}

/// The value of a text that [`next_value`] found to be one.
pub(super) fn load<P: Spots>(text: &str) -> Result<Loaded<P::Spot>, Fault> {
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
                let (map, spots) = self.object()?;
                self.at += 1;
                self.depth -= 1;
                Ok((Value::Object(map), P::branch((start, self.offset()), spots)))
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

    fn object(&mut self) -> Result<(Map<String, Value>, Vec<P::Spot>), Fault> {
        let mut map = Map::new();
        let mut spots: Vec<P::Spot> = Vec::new();
        let mut index: HashMap<String, usize> = HashMap::new();
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
            let spot = P::keyed(spot, span, KeyKind::Text);
            match map.entry(key) {
                Entry::Vacant(entry) => {
                    if !index.is_empty() {
                        index.insert(entry.key().clone(), spots.len());
                    }
                    entry.insert(value);
                    spots.push(spot);
                }
                Entry::Occupied(mut entry) => {
                    entry.insert(value);
                    if P::TRACKED {
                        let key = entry.key().clone();
                        if index.is_empty() {
                            index = map.keys().cloned().enumerate().map(|(at, key)| (key, at)).collect();
                        }
                        if let Some(place) = index.get(&key).and_then(|&at| spots.get_mut(at)) {
                            if let Some((first, _)) = P::key(place)
                                && self.duplicates.len() < MAX_DUPLICATES
                            {
                                let message = format!("duplicate field {}", quote(&key));
                                self.duplicates.push(Duplicate { path: self.path.clone(), first, again: span, message });
                            }
                            *place = spot;
                        }
                    }
                }
            }
            self.path.pop();
        }
        Ok((map, spots))
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
