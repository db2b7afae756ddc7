//! An [`Expression`] of CEL, as far as the schemas use it.

use super::pattern::Pattern;

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
