//! The scanner: finds where values end, at the speed that a catalog of hundreds of megabytes needs, and checks them.
//!
//! It follows the state machine of encoding/json's `scanner.go` (Go 1.26) in what it accepts and in how it words a refusal. It
//! keeps no value: callers take ranges of the text.

use super::eight::{below_space, equal, first_byte};
use super::syntax::{Fault, Syntax};
use std::ops::Range;

/// How deep values may nest (`maxNestingDepth`).
const MAX_DEPTH: usize = 10_000;

const TRUE: [&str; 3] = ["in literal true (expecting 'r')", "in literal true (expecting 'u')", "in literal true (expecting 'e')"];
const FALSE: [&str; 4] = [
    "in literal false (expecting 'a')",
    "in literal false (expecting 'l')",
    "in literal false (expecting 's')",
    "in literal false (expecting 'e')",
];
const NULL: [&str; 3] = ["in literal null (expecting 'u')", "in literal null (expecting 'l')", "in literal null (expecting 'l')"];

#[derive(Clone, Copy, PartialEq, Eq)]
enum Open {
    Object,
    Array,
}

/// A position in a text.
#[derive(Debug)]
pub(in crate::catalog) struct Scanner<'a> {
    bytes: &'a [u8],
    pos: usize,
    /// The first number that is too large for a 64-bit float; encoding/json refuses it when it reads a value of any type.
    overflow: Option<Range<usize>>,
}

impl<'a> Scanner<'a> {
    /// At the byte `pos` of a text.
    pub fn at(bytes: &'a [u8], pos: usize) -> Self {
        Self { bytes, pos, overflow: None }
    }

    /// The position.
    pub fn pos(&self) -> usize {
        self.pos
    }

    /// A number met so far that does not fit a 64-bit float.
    pub fn overflow(&self) -> Option<&'a [u8]> {
        self.overflow.clone().and_then(|r| self.bytes.get(r))
    }

    /// The next byte.
    #[inline]
    pub fn peek(&self) -> Option<u8> {
        self.bytes.get(self.pos).copied()
    }

    /// Moves past white space.
    #[inline]
    pub fn space(&mut self) {
        loop {
            match self.peek() {
                Some(b' ') => {
                    self.pos += 1;
                    while let Some(eight) = self.eight() {
                        let other = eight ^ u64::from_le_bytes(*b"        ");
                        self.pos += first_byte(other);
                        if other != 0 {
                            break;
                        }
                    }
                }
                Some(b'\n' | b'\r' | b'\t') => self.pos += 1,
                _ => return,
            }
        }
    }

    /// The next eight bytes, the first one lowest.
    #[inline]
    fn eight(&self) -> Option<u64> {
        self.bytes.get(self.pos..).and_then(<[u8]>::first_chunk).map(|eight| u64::from_le_bytes(*eight))
    }

    /// Moves past an object that opens here, and gives each of its keys (with quotes) and values as it goes.
    pub fn object(&mut self, mut entry: impl FnMut(Range<usize>, Range<usize>)) -> Result<(), Syntax> {
        self.enter_object()?;
        let mut first = true;
        while let Some(key) = self.next_key(first)? {
            first = false;
            self.space();
            let start = self.pos;
            self.value(1)?;
            entry(key, start..self.pos);
        }
        Ok(())
    }

    /// Moves past the brace that opens an object.
    pub fn enter_object(&mut self) -> Result<(), Syntax> {
        match self.peek() {
            Some(b'{') => {
                self.pos += 1;
                Ok(())
            }
            other => Err(self.unexpected(other, "looking for beginning of value")),
        }
    }

    /// Within an object, before a key or the brace: moves past the key and its colon, or past the brace (`None`).
    pub fn next_key(&mut self, first: bool) -> Result<Option<Range<usize>>, Syntax> {
        self.space();
        match self.peek() {
            Some(b'}') => {
                self.pos += 1;
                return Ok(None);
            }
            Some(b',') if !first => {
                self.pos += 1;
                self.space();
            }
            _ if first => {}
            other => return Err(self.unexpected(other, "after object key:value pair")),
        }
        self.key().map(Some)
    }

    /// Within an array, before a value or the bracket: moves to the value (`true`), or past the bracket.
    pub fn next_element(&mut self, first: bool) -> Result<bool, Syntax> {
        self.space();
        match self.peek() {
            Some(b']') => {
                self.pos += 1;
                return Ok(false);
            }
            Some(b',') if !first => {
                self.pos += 1;
                self.space();
            }
            _ if first => {}
            other => return Err(self.unexpected(other, "after array element")),
        }
        Ok(true)
    }

    /// Moves past the bracket that opens an array.
    pub fn enter_array(&mut self) -> Result<(), Syntax> {
        match self.peek() {
            Some(b'[') => {
                self.pos += 1;
                Ok(())
            }
            other => Err(self.unexpected(other, "looking for beginning of value")),
        }
    }

    /// Moves past the value that begins here, of any depth, `outside` levels deep itself.
    pub fn value(&mut self, outside: usize) -> Result<(), Syntax> {
        let mut open: Vec<Open> = Vec::new();
        'value: loop {
            self.space();
            match self.peek() {
                Some(b'"') => self.string()?,
                Some(b'{') => {
                    self.push(&mut open, Open::Object, outside)?;
                    self.space();
                    if self.peek() == Some(b'}') {
                        self.pos += 1;
                        open.pop();
                    } else {
                        self.key()?;
                        continue 'value;
                    }
                }
                Some(b'[') => {
                    self.push(&mut open, Open::Array, outside)?;
                    self.space();
                    if self.peek() == Some(b']') {
                        self.pos += 1;
                        open.pop();
                    } else {
                        continue 'value;
                    }
                }
                Some(b'-' | b'0'..=b'9') => self.number()?,
                Some(b't') => self.literal("true", TRUE)?,
                Some(b'f') => self.literal("false", FALSE)?,
                Some(b'n') => self.literal("null", NULL)?,
                other => return Err(self.unexpected(other, "looking for beginning of value")),
            }
            loop {
                let Some(within) = open.last() else { return Ok(()) };
                self.space();
                match (within, self.peek()) {
                    (Open::Object, Some(b',')) => {
                        self.pos += 1;
                        self.space();
                        self.key()?;
                        continue 'value;
                    }
                    (Open::Array, Some(b',')) => {
                        self.pos += 1;
                        continue 'value;
                    }
                    (Open::Object, Some(b'}')) | (Open::Array, Some(b']')) => {
                        self.pos += 1;
                        open.pop();
                    }
                    (Open::Object, other) => return Err(self.unexpected(other, "after object key:value pair")),
                    (Open::Array, other) => return Err(self.unexpected(other, "after array element")),
                }
            }
        }
    }

    fn push(&mut self, open: &mut Vec<Open>, what: Open, outside: usize) -> Result<(), Syntax> {
        if open.len() + outside >= MAX_DEPTH {
            return Err(self.unexpected(self.peek(), "exceeded max depth"));
        }
        open.push(what);
        self.pos += 1;
        Ok(())
    }

    fn unexpected(&self, byte: Option<u8>, context: &'static str) -> Syntax {
        Syntax { at: self.pos, fault: byte.map_or(Fault::UnexpectedEnd, |b| Fault::Unexpected(b, context)) }
    }

    /// Moves past a key and its colon.
    fn key(&mut self) -> Result<Range<usize>, Syntax> {
        if self.peek() != Some(b'"') {
            return Err(self.unexpected(self.peek(), "looking for beginning of object key string"));
        }
        let start = self.pos;
        self.string()?;
        let range = start..self.pos;
        self.space();
        match self.peek() {
            Some(b':') => {
                self.pos += 1;
                Ok(range)
            }
            other => Err(self.unexpected(other, "after object key")),
        }
    }

    /// Moves past the string that begins here.
    #[inline]
    pub fn string(&mut self) -> Result<(), Syntax> {
        self.pos += 1;
        loop {
            while let Some(eight) = self.eight() {
                let special = below_space(eight) | equal(eight, b'"') | equal(eight, b'\\');
                self.pos += first_byte(special);
                if special != 0 {
                    break;
                }
            }
            match self.peek() {
                Some(b'"') => {
                    self.pos += 1;
                    return Ok(());
                }
                Some(b'\\') => self.escape()?,
                other @ (None | Some(0..=0x1f)) => return Err(self.unexpected(other, "in string literal")),
                // The last bytes of the text.
                Some(_) => self.pos += 1,
            }
        }
    }

    fn escape(&mut self) -> Result<(), Syntax> {
        self.pos += 1;
        match self.peek() {
            Some(b'b' | b'f' | b'n' | b'r' | b't' | b'\\' | b'/' | b'"') => self.pos += 1,
            Some(b'u') => {
                self.pos += 1;
                for _ in 0..4 {
                    match self.peek() {
                        Some(b) if b.is_ascii_hexdigit() => self.pos += 1,
                        other => return Err(self.unexpected(other, "in \\u hexadecimal character escape")),
                    }
                }
            }
            other => return Err(self.unexpected(other, "in string escape code")),
        }
        Ok(())
    }

    fn literal<const N: usize>(&mut self, word: &str, contexts: [&'static str; N]) -> Result<(), Syntax> {
        self.pos += 1;
        for (want, context) in word.bytes().skip(1).zip(contexts) {
            match self.peek() {
                Some(b) if b == want => self.pos += 1,
                other => return Err(self.unexpected(other, context)),
            }
        }
        Ok(())
    }

    fn digits(&mut self) {
        while matches!(self.peek(), Some(b'0'..=b'9')) {
            self.pos += 1;
        }
    }

    fn number(&mut self) -> Result<(), Syntax> {
        let start = self.pos;
        let mut exponent = false;
        if self.peek() == Some(b'-') {
            self.pos += 1;
        }
        match self.peek() {
            Some(b'0') => self.pos += 1,
            Some(b'1'..=b'9') => self.digits(),
            other => return Err(self.unexpected(other, "in numeric literal")),
        }
        if self.peek() == Some(b'.') {
            self.pos += 1;
            match self.peek() {
                Some(b'0'..=b'9') => self.digits(),
                other => return Err(self.unexpected(other, "after decimal point in numeric literal")),
            }
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            exponent = true;
            self.pos += 1;
            if matches!(self.peek(), Some(b'+' | b'-')) {
                self.pos += 1;
            }
            match self.peek() {
                Some(b'0'..=b'9') => self.digits(),
                other => return Err(self.unexpected(other, "in exponent of numeric literal")),
            }
        }
        if self.overflow.is_none() && (exponent || self.pos - start > 300) {
            let text = self.bytes.get(start..self.pos).and_then(|b| std::str::from_utf8(b).ok());
            if text.and_then(|t| t.parse::<f64>().ok()).is_none_or(f64::is_infinite) {
                self.overflow = Some(start..self.pos);
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The end of the value at the start of `text`.
    fn end(text: &[u8]) -> Result<usize, String> {
        let mut scanner = Scanner::at(text, 0);
        scanner.value(0).map(|()| scanner.pos()).map_err(|s| format!("{} {}", s.at, s.fault))
    }

    #[test]
    fn strings_end_at_their_quote() {
        for len in 0..40 {
            for (at, stop) in
                (0..=len).flat_map(|at| [(at, 0x1f), (at, b'\n'), (at, 0x7f), (at, 0x80), (at, 0xff), (at, b'!'), (at, b' ')])
            {
                let mut inner = vec![b'x'; len];
                if let Some(byte) = inner.get_mut(at) {
                    *byte = stop;
                }
                let text = [b"\"", &inner[..], b"\"rest\\"].concat();
                match stop < 0x20 && at < len {
                    true => assert!(end(&text).unwrap_err().starts_with(&format!("{} invalid character", at + 1))),
                    false => assert_eq!(end(&text), Ok(len + 2)),
                }
            }
            let escaped = [b"\"", &vec![b'x'; len][..], b"\\\"\""].concat();
            assert_eq!(end(&escaped), Ok(len + 4));
        }
    }

    #[test]
    fn space_is_passed() {
        for len in 0..40 {
            let text = format!("{}1", " ".repeat(len));
            assert_eq!(end(text.as_bytes()), Ok(len + 1));
            let text = format!("{}\n\t {}1", " ".repeat(len), " ".repeat(len));
            assert_eq!(end(text.as_bytes()), Ok(2 * len + 4));
        }
    }

    #[test]
    fn faults_are_worded_as_go_words_them() {
        for (text, want) in [
            ("[1,]", "3 invalid character ']' looking for beginning of value"),
            ("{\"a\":1,}", "7 invalid character '}' looking for beginning of object key string"),
            ("{\"a\" 1}", "5 invalid character '1' after object key"),
            ("{\"a\":1 2}", "7 invalid character '2' after object key:value pair"),
            ("[1 2]", "3 invalid character '2' after array element"),
            ("tru}", "3 invalid character '}' in literal true (expecting 'e')"),
            ("-x", "1 invalid character 'x' in numeric literal"),
            ("1.x", "2 invalid character 'x' after decimal point in numeric literal"),
            ("1ex", "2 invalid character 'x' in exponent of numeric literal"),
            (r#""\x""#, "2 invalid character 'x' in string escape code"),
            (r#""\u12g4""#, "5 invalid character 'g' in \\u hexadecimal character escape"),
            ("\"\n\"", "1 invalid character '\\n' in string literal"),
            ("[", "1 unexpected EOF"),
            ("é", "0 invalid character 'Ã' looking for beginning of value"),
        ] {
            assert_eq!(end(text.as_bytes()), Err(want.to_owned()), "{text}");
        }
    }
}
