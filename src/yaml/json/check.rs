//! Where a value ends in a stream of JSON, and what is wrong with it, in Go's words.

use crate::go::quote;

/// How deep the reference lets JSON nest.
const MAX_LEVELS: usize = 10_000;

/// What is wrong with a stream of JSON.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Broken {
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

/// Where the one value of a text begins and ends.
pub(crate) fn only_value(text: &str) -> Result<(usize, usize), Broken> {
    let (start, end) = next_value(text, 0)?.ok_or(Broken::Ends)?;
    let mut check = Check { bytes: text.as_bytes(), at: end };
    check.skip_blanks();
    match check.peek() {
        Some(_) => Err(check.broken("after top-level value")),
        None => Ok((start, end)),
    }
}

/// Where the value that begins at or after `from` begins and ends; `None` where only blanks are left.
pub(crate) fn next_value(text: &str, from: usize) -> Result<Option<(usize, usize)>, Broken> {
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
