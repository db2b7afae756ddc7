//! The scanner: finds where values end, at the speed that a catalog of hundreds of megabytes needs, and checks them.
//!
//! It follows the state machine of encoding/json's `scanner.go` (Go 1.26) in what it accepts and in how it words a refusal. It
//! keeps no value: callers take ranges of the text.

use std::fmt;
use std::ops::Range;

/// How deep values may nest (`maxNestingDepth`).
const MAX_DEPTH: usize = 10_000;

const TRUE: [&str; 3] =
    ["in literal true (expecting 'r')", "in literal true (expecting 'u')", "in literal true (expecting 'e')"];
const FALSE: [&str; 4] = [
    "in literal false (expecting 'a')",
    "in literal false (expecting 'l')",
    "in literal false (expecting 's')",
    "in literal false (expecting 'e')",
];
const NULL: [&str; 3] =
    ["in literal null (expecting 'u')", "in literal null (expecting 'l')", "in literal null (expecting 'l')"];

/// Text that is no JSON.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::catalog) struct Syntax {
    /// The byte it stands at.
    pub at: usize,
    /// What is wrong.
    pub fault: Fault,
}

/// What is wrong with a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::catalog) enum Fault {
    /// It ends within a value.
    UnexpectedEnd,
    /// A byte stands where it may not.
    Unexpected(u8, &'static str),
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnexpectedEnd => f.write_str("unexpected EOF"),
            Self::Unexpected(byte, context) => {
                f.write_str("invalid character ")?;
                match byte {
                    b'\'' => f.write_str(r"'\''")?,
                    b'"' => f.write_str("'\"'")?,
                    b'\\' => f.write_str(r"'\\'")?,
                    b'\n' => f.write_str(r"'\n'")?,
                    b'\r' => f.write_str(r"'\r'")?,
                    b'\t' => f.write_str(r"'\t'")?,
                    0x07 => f.write_str(r"'\a'")?,
                    0x08 => f.write_str(r"'\b'")?,
                    0x0b => f.write_str(r"'\v'")?,
                    0x0c => f.write_str(r"'\f'")?,
                    0..=0x1f | 0x7f => write!(f, "'\\x{byte:02x}'")?,
                    0x80..=0xa0 | 0xad => write!(f, "'\\u{byte:04x}'")?,
                    _ => write!(f, "'{}'", char::from(*byte))?,
                }
                write!(f, " {context}")
            }
        }
    }
}

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
                    while self.bytes.get(self.pos..).and_then(<[u8]>::first_chunk) == Some(b"        ") {
                        self.pos += 8;
                    }
                }
                Some(b'\n' | b'\r' | b'\t') => self.pos += 1,
                _ => return,
            }
        }
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
    pub fn string(&mut self) -> Result<(), Syntax> {
        self.pos += 1;
        loop {
            while let Some(chunk) = self.bytes.get(self.pos..).and_then(<[u8]>::first_chunk::<16>) {
                if chunk.iter().fold(false, |hit, &b| hit | (b < 0x20) | (b == b'"') | (b == b'\\')) {
                    break;
                }
                self.pos += 16;
            }
            match self.peek() {
                Some(b'"') => {
                    self.pos += 1;
                    return Ok(());
                }
                Some(b'\\') => self.escape()?,
                other @ (None | Some(0..=0x1f)) => return Err(self.unexpected(other, "in string literal")),
                Some(_) => {
                    // At most sixteen bytes to the next byte that counts.
                    self.pos += 1;
                    while let Some(b) = self.peek() {
                        if b < 0x20 || b == b'"' || b == b'\\' {
                            break;
                        }
                        self.pos += 1;
                    }
                }
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
