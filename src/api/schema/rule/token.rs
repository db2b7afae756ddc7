//! CEL text -> [`Token`]s.

use std::iter::Peekable;
use std::str::Chars;

/// A word of CEL.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Token {
    Name(String),
    Text(String),
    Int(i64),
    Sign(&'static str),
}

const SIGNS: [&str; 14] = ["==", "!=", "<=", ">=", "&&", "||", "!", "?", ":", ".", ",", "(", ")", "<"];

pub(super) fn tokens(source: &str) -> Result<Vec<Token>, String> {
    let mut out = Vec::new();
    let mut chars = source.chars().peekable();
    while let Some(&c) = chars.peek() {
        if c.is_whitespace() {
            chars.next();
        } else if c.is_ascii_alphabetic() || c == '_' {
            out.push(Token::Name(take(&mut chars, |c| c.is_ascii_alphanumeric() || c == '_')));
        } else if c.is_ascii_digit() {
            let digits = take(&mut chars, |c| c.is_ascii_alphanumeric());
            out.push(Token::Int(digits.parse().map_err(|_| format!("unknown number {digits}"))?));
        } else if c == '"' || c == '\'' {
            chars.next();
            out.push(Token::Text(text(&mut chars, c)?));
        } else {
            chars.next();
            let two: String = [Some(c), chars.peek().copied()].into_iter().flatten().collect();
            let sign = SIGNS.into_iter().find(|s| *s == two || (s.len() == 1 && s.starts_with(c)));
            let sign = sign.ok_or_else(|| format!("unknown sign {c}"))?;
            if sign.len() == 2 {
                chars.next();
            }
            out.push(Token::Sign(sign));
        }
    }
    Ok(out)
}

fn take(chars: &mut Peekable<Chars<'_>>, wanted: fn(char) -> bool) -> String {
    let mut out = String::new();
    while let Some(c) = chars.next_if(|c| wanted(*c)) {
        out.push(c);
    }
    out
}

/// A text after its opening quote.
fn text(chars: &mut Peekable<Chars<'_>>, quote: char) -> Result<String, String> {
    let mut out = String::new();
    loop {
        match chars.next().ok_or("a text that does not end")? {
            c if c == quote => return Ok(out),
            '\\' => match chars.next().ok_or("a text that does not end")? {
                c @ ('\\' | '"' | '\'' | '`' | '?') => out.push(c),
                'n' => out.push('\n'),
                'r' => out.push('\r'),
                't' => out.push('\t'),
                c => return Err(format!("unknown escape \\{c}")),
            },
            c => out.push(c),
        }
    }
}
