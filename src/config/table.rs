//! One table of a TOML file: its keys are taken one by one, and what is left over is unknown.

use super::model::Date;
use crate::nearest::nearest;
use crate::place::Span;
use std::borrow::Cow;
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// A file that is not as it should be.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Error {
    /// What is wrong.
    pub message: String,
    /// Where in the text.
    pub span: Span,
    /// What to do.
    pub help: Option<String>,
}

impl Error {
    pub(crate) fn new(message: impl Into<String>, span: Span) -> Self {
        Self { message: message.into(), span, help: None }
    }

    pub(crate) fn from_toml(error: &toml::de::Error) -> Self {
        Self::new(error.message().to_owned(), span(&error.span().unwrap_or_default()))
    }

    #[must_use]
    pub(crate) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}

pub(crate) fn span(range: &Range<usize>) -> Span {
    Span { start: range.start, end: range.end }
}

/// A table being read. Finish it, so that unknown keys are found.
pub(crate) struct Table<'a> {
    fields: Cow<'a, DeTable<'a>>,
    known: Vec<&'static str>,
    /// Where the table stands.
    pub(crate) span: Span,
    /// What it is called in messages: `[registry]`.
    name: &'static str,
}

impl<'a> Table<'a> {
    pub(crate) fn new(fields: DeTable<'a>, at: Span, name: &'static str) -> Self {
        Self { fields: Cow::Owned(fields), known: Vec::new(), span: at, name }
    }

    fn take(&mut self, key: &'static str) -> Option<&Spanned<DeValue<'a>>> {
        self.known.push(key);
        self.fields.get(key)
    }

    /// A string, and where it stands.
    pub(crate) fn spanned_string(&mut self, key: &'static str) -> Result<Option<(String, Span)>, Error> {
        let Some(value) = self.take(key) else { return Ok(None) };
        let at = span(&value.span());
        match value.get_ref() {
            DeValue::String(text) => Ok(Some((text.to_string(), at))),
            other => Err(wrong_type(key, "a string", other, at)),
        }
    }

    pub(crate) fn string(&mut self, key: &'static str) -> Result<Option<String>, Error> {
        Ok(self.spanned_string(key)?.map(|(text, _)| text))
    }

    /// A string that must be there and say something.
    pub(crate) fn required(&mut self, key: &'static str) -> Result<String, Error> {
        match self.spanned_string(key)? {
            Some((text, at)) if text.trim().is_empty() => Err(Error::new(format!("{key} is empty"), at)),
            Some((text, _)) => Ok(text),
            None => Err(Error::new(format!("{} has no {key}", self.name), self.span).help(format!("add {key} = \"...\""))),
        }
    }

    pub(crate) fn strings(&mut self, key: &'static str) -> Result<Vec<String>, Error> {
        let Some(value) = self.take(key) else { return Ok(Vec::new()) };
        let at = span(&value.span());
        let DeValue::Array(items) = value.get_ref() else {
            return Err(wrong_type(key, "a list of strings", value.get_ref(), at));
        };
        let item = |item: &Spanned<DeValue<'a>>| match item.get_ref() {
            DeValue::String(text) => Ok(text.to_string()),
            other => Err(wrong_type(key, "a list of strings", other, span(&item.span()))),
        };
        items.iter().map(item).collect()
    }

    pub(crate) fn date(&mut self, key: &'static str) -> Result<Option<Date>, Error> {
        let Some(value) = self.take(key) else { return Ok(None) };
        let at = span(&value.span());
        let no_date = || Error::new(format!("{key} is no date"), at).help("write it as 2027-01-31");
        let date = match value.get_ref() {
            DeValue::Datetime(when) => when.date,
            DeValue::String(text) => text.parse::<toml::value::Datetime>().ok().and_then(|d| d.date),
            _ => None,
        };
        let date = date.ok_or_else(no_date)?;
        Ok(Some(Date { year: date.year, month: date.month, day: date.day }))
    }

    /// A table below this one.
    pub(crate) fn table(&mut self, key: &'static str, name: &'static str) -> Result<Option<Self>, Error> {
        let Some(value) = self.take(key) else { return Ok(None) };
        let at = span(&value.span());
        match value.get_ref() {
            DeValue::Table(fields) => Ok(Some(Table::new(fields.clone(), at, name))),
            other => Err(wrong_type(key, "a table", other, at)),
        }
    }

    /// The tables of an array of tables.
    pub(crate) fn tables(&mut self, key: &'static str, name: &'static str) -> Result<Vec<Self>, Error> {
        let Some(value) = self.take(key) else { return Ok(Vec::new()) };
        let at = span(&value.span());
        let DeValue::Array(items) = value.get_ref() else {
            return Err(wrong_type(key, "an array of tables", value.get_ref(), at).help(format!("write {name}")));
        };
        let item = |item: &Spanned<DeValue<'a>>| match item.get_ref() {
            DeValue::Table(fields) => Ok(Table::new(fields.clone(), span(&item.span()), name)),
            other => Err(wrong_type(key, "an array of tables", other, span(&item.span()))),
        };
        items.iter().map(item).collect()
    }

    /// Every key with its string, where the keys are the user's own: `[rules]`.
    pub(crate) fn entries(&self) -> Result<Vec<(String, Span, String, Span)>, Error> {
        let entry = |(key, value): (&Spanned<Cow<'a, str>>, &Spanned<DeValue<'a>>)| match value.get_ref() {
            DeValue::String(text) => Ok((key.get_ref().to_string(), span(&key.span()), text.to_string(), span(&value.span()))),
            other => Err(wrong_type(key.get_ref(), "a string", other, span(&value.span()))),
        };
        self.fields.iter().map(entry).collect()
    }

    /// Says so where a key was not taken.
    pub(crate) fn finish(self) -> Result<(), Error> {
        for key in self.fields.keys() {
            if !self.known.contains(&key.get_ref().as_ref()) {
                let place = if self.name.is_empty() { String::new() } else { format!(" in {}", self.name) };
                let error = Error::new(format!("unknown key {:?}{place}", key.get_ref()), span(&key.span()));
                return Err(match nearest(key.get_ref(), self.known.iter().copied()) {
                    Some(near) => error.help(format!("did you mean {near:?}?")),
                    None => error.help(format!("the keys here are {}", self.known.join(", "))),
                });
            }
        }
        Ok(())
    }
}

fn wrong_type(key: &str, wanted: &str, got: &DeValue<'_>, at: Span) -> Error {
    Error::new(format!("{key} should be {wanted}, and here is {} {}", article(got.type_str()), got.type_str()), at)
}

fn article(noun: &str) -> &'static str {
    if noun.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" }
}
