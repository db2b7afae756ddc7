//! How comparisons are written: what separates them, and what belongs to a version.

/// What a comparison asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Operator {
    Equal,
    NotEqual,
    Greater,
    Less,
    GreaterEqual,
    LessEqual,
    Tilde,
    Caret,
}

/// A comparison as it is written.
pub(super) struct Token<'a> {
    pub(super) operator: Operator,
    pub(super) numbers: [Option<&'a str>; 3],
    pub(super) pre: &'a str,
    pub(super) text: &'a str,
}

/// Splits a group at white space and commas; `None` where it has not the shape of a group.
pub(super) fn split_group(text: &str) -> Option<Vec<Token<'_>>> {
    let mut tokens = Vec::new();
    let mut rest = text.trim_start_matches(is_space);
    loop {
        let (operator, after) = split_operator(rest);
        let written = split_version(after.trim_start_matches(is_space))?;
        tokens.push(Token { operator, numbers: written.numbers, pre: written.pre, text: written.text });
        let trimmed = written.rest.trim_start_matches(is_space);
        rest = match trimmed.strip_prefix(',') {
            _ if trimmed.is_empty() => return Some(tokens),
            Some(after_comma) => after_comma.trim_start_matches(is_space),
            None if trimmed.len() < written.rest.len() => trimmed,
            None => return None,
        };
    }
}

fn split_operator(text: &str) -> (Operator, &str) {
    const OPERATORS: [(&str, Operator); 11] = [
        ("!=", Operator::NotEqual),
        (">=", Operator::GreaterEqual),
        ("=>", Operator::GreaterEqual),
        ("<=", Operator::LessEqual),
        ("=<", Operator::LessEqual),
        ("~>", Operator::Tilde),
        ("=", Operator::Equal),
        (">", Operator::Greater),
        ("<", Operator::Less),
        ("~", Operator::Tilde),
        ("^", Operator::Caret),
    ];
    OPERATORS
        .iter()
        .find_map(|(written, operator)| text.strip_prefix(written).map(|rest| (*operator, rest)))
        .unwrap_or((Operator::Equal, text))
}

/// A version as it is written, at the start of a text.
pub(super) struct Written<'a> {
    pub(super) numbers: [Option<&'a str>; 3],
    pub(super) pre: &'a str,
    pub(super) text: &'a str,
    pub(super) rest: &'a str,
}

/// Reads as much of a version as there is: an optional `v`, up to three numbers or wildcards, a prerelease, build metadata.
/// A number may hold any mix of digits, wildcards and `|`; whether that makes a number is asked later.
pub(super) fn split_version(text: &str) -> Option<Written<'_>> {
    let (first, mut rest) = split_while(text.strip_prefix('v').unwrap_or(text), is_number_char)?;
    let mut numbers = [Some(first), None, None];
    for number in numbers.iter_mut().skip(1) {
        let Some((next, after)) = rest.strip_prefix('.').and_then(|after| split_while(after, is_number_char)) else { break };
        *number = Some(next);
        rest = after;
    }
    let mut pre = "";
    if let Some((identifiers, after)) = rest.strip_prefix('-').and_then(split_identifiers) {
        (pre, rest) = (identifiers, after);
    }
    if let Some((_, after)) = rest.strip_prefix('+').and_then(split_identifiers) {
        rest = after;
    }
    let text = text.get(..text.len() - rest.len())?;
    Some(Written { numbers, pre, text, rest })
}

/// Identifiers joined with dots; a dot that no identifier follows is left.
fn split_identifiers(text: &str) -> Option<(&str, &str)> {
    let is_char = |b: u8| b.is_ascii_alphanumeric() || b == b'-';
    let (_, mut rest) = split_while(text, is_char)?;
    while let Some((_, after)) = rest.strip_prefix('.').and_then(|after| split_while(after, is_char)) {
        rest = after;
    }
    Some((text.get(..text.len() - rest.len())?, rest))
}

/// The longest start of `text` that holds nothing but such (ASCII) bytes, and the rest; `None` where that is empty.
fn split_while(text: &str, is_part: impl Fn(u8) -> bool) -> Option<(&str, &str)> {
    let length = text.bytes().take_while(|b| is_part(*b)).count();
    if length == 0 { None } else { text.split_at_checked(length) }
}

pub(super) fn is_digits(text: &str) -> bool {
    text.bytes().all(|b| b.is_ascii_digit())
}

/// Whether a text is a number of more than one digit that begins with a zero.
pub(super) fn has_leading_zero(text: &str) -> bool {
    text.len() > 1 && text.starts_with('0') && is_digits(text)
}

fn is_number_char(b: u8) -> bool {
    b.is_ascii_digit() || matches!(b, b'x' | b'X' | b'*' | b'|')
}

/// White space as the `\s` of Go's regular expressions has it.
pub(super) fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | '\x0c' | '\r')
}
