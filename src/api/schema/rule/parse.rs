//! CEL text -> [`Expression`]. The grammar is CEL's; the vocabulary is what the schemas use, and anything else is an error.

use super::pattern::Pattern;
use std::iter::Peekable;
use std::str::Chars;

/// An expression.
#[derive(Debug)]
pub(super) enum Expression {
    Text(String),
    Int(i64),
    Bool(bool),
    /// `self`.
    This,
    /// `oldSelf`.
    Old,
    /// `a.name`.
    Field(Box<Expression>, String),
    /// `has(a.name)`.
    Has(Box<Expression>, String),
    Not(Box<Expression>),
    Compare(Comparison, Box<Expression>, Box<Expression>),
    And(Box<Expression>, Box<Expression>),
    Or(Box<Expression>, Box<Expression>),
    /// `a ? b : c`.
    Choose(Box<Expression>, Box<Expression>, Box<Expression>),
    /// `a.matches(pattern)`.
    Matches(Box<Expression>, Pattern),
    /// `a.find(pattern)`: the first match, or the empty text.
    Find(Box<Expression>, Pattern),
    /// `a.substring(n)`: from the nth character on.
    Substring(Box<Expression>, usize),
    /// `a.size()`, in characters.
    Size(Box<Expression>),
}

/// A comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Comparison {
    Equal,
    NotEqual,
    AtMost,
    AtLeast,
}

impl Expression {
    /// Whether the rule compares an update with the object before.
    pub(super) fn reads_old_self(&self) -> bool {
        matches!(self, Self::Old) || self.operands().into_iter().any(Self::reads_old_self)
    }

    /// Why a pattern in it does not compile.
    #[cfg(test)]
    pub(super) fn broken_pattern(&self) -> Option<String> {
        let own = match self {
            Self::Matches(_, pattern) | Self::Find(_, pattern) => pattern.regex().err(),
            _ => None,
        };
        own.or_else(|| self.operands().into_iter().find_map(Self::broken_pattern))
    }

    fn operands(&self) -> Vec<&Self> {
        match self {
            Self::Text(_) | Self::Int(_) | Self::Bool(_) | Self::This | Self::Old => Vec::new(),
            Self::Field(a, _)
            | Self::Has(a, _)
            | Self::Not(a)
            | Self::Matches(a, _)
            | Self::Find(a, _)
            | Self::Substring(a, _)
            | Self::Size(a) => vec![a],
            Self::Compare(_, a, b) | Self::And(a, b) | Self::Or(a, b) => vec![a, b],
            Self::Choose(a, b, c) => vec![a, b, c],
        }
    }
}

pub(super) fn expression(source: &str) -> Result<Expression, String> {
    let mut parser = Parser { tokens: tokens(source)?.into_iter().peekable() };
    let out = parser.choice()?;
    match parser.tokens.next() {
        None => Ok(out),
        Some(token) => Err(format!("unexpected {token:?}")),
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Token {
    Name(String),
    Text(String),
    Int(i64),
    Sign(&'static str),
}

const SIGNS: [&str; 14] = ["==", "!=", "<=", ">=", "&&", "||", "!", "?", ":", ".", ",", "(", ")", "<"];

fn tokens(source: &str) -> Result<Vec<Token>, String> {
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

struct Parser {
    tokens: Peekable<std::vec::IntoIter<Token>>,
}

impl Parser {
    fn sign(&mut self, sign: &'static str) -> bool {
        self.tokens.next_if_eq(&Token::Sign(sign)).is_some()
    }

    fn expect(&mut self, sign: &'static str) -> Result<(), String> {
        if self.sign(sign) { Ok(()) } else { Err(format!("expected {sign}, found {:?}", self.tokens.peek())) }
    }

    fn choice(&mut self) -> Result<Expression, String> {
        let condition = self.or()?;
        if !self.sign("?") {
            return Ok(condition);
        }
        let yes = self.or()?;
        self.expect(":")?;
        let no = self.choice()?;
        Ok(Expression::Choose(Box::new(condition), Box::new(yes), Box::new(no)))
    }

    fn or(&mut self) -> Result<Expression, String> {
        let mut out = self.and()?;
        while self.sign("||") {
            out = Expression::Or(Box::new(out), Box::new(self.and()?));
        }
        Ok(out)
    }

    fn and(&mut self) -> Result<Expression, String> {
        let mut out = self.comparison()?;
        while self.sign("&&") {
            out = Expression::And(Box::new(out), Box::new(self.comparison()?));
        }
        Ok(out)
    }

    fn comparison(&mut self) -> Result<Expression, String> {
        let mut out = self.not()?;
        let signs =
            [("==", Comparison::Equal), ("!=", Comparison::NotEqual), ("<=", Comparison::AtMost), (">=", Comparison::AtLeast)];
        while let Some((_, comparison)) = signs.into_iter().find(|(sign, _)| self.sign(sign)) {
            out = Expression::Compare(comparison, Box::new(out), Box::new(self.not()?));
        }
        Ok(out)
    }

    fn not(&mut self) -> Result<Expression, String> {
        if self.sign("!") { Ok(Expression::Not(Box::new(self.member()?))) } else { self.member() }
    }

    fn member(&mut self) -> Result<Expression, String> {
        let mut out = self.primary()?;
        while self.sign(".") {
            let name = self.name()?;
            out = if self.sign("(") { self.call(out, &name)? } else { Expression::Field(Box::new(out), name) };
        }
        Ok(out)
    }

    /// A method, after its opening parenthesis.
    fn call(&mut self, on: Expression, name: &str) -> Result<Expression, String> {
        let argument = self.tokens.next_if(|t| matches!(t, Token::Text(_) | Token::Int(_)));
        self.expect(")")?;
        let on = Box::new(on);
        match (name, argument) {
            ("matches", Some(Token::Text(pattern))) => Ok(Expression::Matches(on, checked(pattern)?)),
            ("find", Some(Token::Text(pattern))) => Ok(Expression::Find(on, checked(pattern)?)),
            ("substring", Some(Token::Int(from))) => {
                Ok(Expression::Substring(on, usize::try_from(from).map_err(|_| "a negative position")?))
            }
            ("size", None) => Ok(Expression::Size(on)),
            (_, argument) => Err(format!("unknown method {name}({argument:?})")),
        }
    }

    fn primary(&mut self) -> Result<Expression, String> {
        match self.tokens.next() {
            Some(Token::Text(text)) => Ok(Expression::Text(text)),
            Some(Token::Int(int)) => Ok(Expression::Int(int)),
            Some(Token::Sign("(")) => {
                let out = self.choice()?;
                self.expect(")")?;
                Ok(out)
            }
            Some(Token::Name(name)) => match name.as_str() {
                "self" => Ok(Expression::This),
                "oldSelf" => Ok(Expression::Old),
                "true" => Ok(Expression::Bool(true)),
                "false" => Ok(Expression::Bool(false)),
                "has" => {
                    self.expect("(")?;
                    let argument = self.member()?;
                    self.expect(")")?;
                    match argument {
                        Expression::Field(on, name) => Ok(Expression::Has(on, name)),
                        _ => Err("has() of what is no field".to_owned()),
                    }
                }
                _ => Err(format!("unknown name {name}")),
            },
            other => Err(format!("unexpected {other:?}")),
        }
    }

    fn name(&mut self) -> Result<String, String> {
        match self.tokens.next() {
            Some(Token::Name(name)) => Ok(name),
            other => Err(format!("expected a name, found {other:?}")),
        }
    }
}

/// The pattern, once its text is known to be one. Compiling waits until it is used.
fn checked(source: String) -> Result<Pattern, String> {
    let pattern = Pattern::new(source);
    pattern.translates()?;
    Ok(pattern)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_understood_is_refused() {
        for source in
            ["size(self)", "self.all(x, x)", "self == ", "self.startsWith('a')", "has(self)", "'a", "self + 1", "self.x[0]"]
        {
            assert!(expression(source).is_err(), "{source}");
        }
    }

    #[test]
    fn finds_transition_rules() {
        assert!(expression("self == oldSelf").unwrap().reads_old_self());
        assert!(expression("self.a == 'x' ? true : !has(oldSelf.a)").unwrap().reads_old_self());
        assert!(!expression("self.a == 'oldSelf'").unwrap().reads_old_self());
    }
}
