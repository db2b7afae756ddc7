//! CEL text -> [`Expression`]. The grammar is CEL's; the vocabulary is what the schemas use, and anything else is an error.

use super::expression::{Comparison, Expression};
use super::pattern::Pattern;
use super::token::{Token, tokens};
use std::iter::Peekable;

pub(super) fn expression(source: &str) -> Result<Expression, String> {
    let mut parser = Parser { tokens: tokens(source)?.into_iter().peekable() };
    let out = parser.choice()?;
    match parser.tokens.next() {
        None => Ok(out),
        Some(token) => Err(format!("unexpected {token:?}")),
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
