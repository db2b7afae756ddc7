//! The answer's own types: [`Verdict`], [`SchemaError`], [`Dropped`]; and [`At`], a place in an object while it is walked.

use crate::place::{FieldPath, Step};

/// What the API server answers to an object.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Verdict {
    /// Why it refuses the object; empty where it takes it.
    pub errors: Vec<SchemaError>,
    /// The fields that it drops without a word, sorted.
    pub dropped: Vec<Dropped>,
    /// What it also says without naming a field: rules that were not looked at, a number that its format does not hold.
    pub unplaced: Vec<String>,
}

/// A kind of refusal; the names are those of Kubernetes' field errors.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ErrorKind {
    /// A field that must be there is not.
    Required,
    /// A value that breaks a bound, a pattern or a rule.
    Invalid,
    /// A value that is none of those allowed.
    NotSupported,
    /// A field that must not be there.
    Forbidden,
    /// Too many characters, or bytes.
    TooLong,
    /// Too many items.
    TooMany,
    /// A value of the wrong type.
    TypeInvalid,
    /// The object cannot be read at all; `message` is then the whole answer.
    Malformed,
    /// The schema could not be applied; a fault that is not the object's.
    Internal,
}

impl ErrorKind {
    /// The name that the API server's answer has in `causes[].reason`; `Malformed` has none there.
    pub fn name(self) -> &'static str {
        match self {
            Self::Required => "FieldValueRequired",
            Self::Invalid => "FieldValueInvalid",
            Self::NotSupported => "FieldValueNotSupported",
            Self::Forbidden => "FieldValueForbidden",
            Self::TooLong => "FieldValueTooLong",
            Self::TooMany => "FieldValueTooMany",
            Self::TypeInvalid => "FieldValueTypeInvalid",
            Self::Malformed => "Malformed",
            Self::Internal => "InternalError",
        }
    }

    /// Whether the API server does not look at rules once there is such an error.
    ///
    /// Follows apiextensions-apiserver v0.36.2 `pkg/registry/customresource/strategy.go` (`hasBlockingErr`).
    pub(super) fn hides_rules(self) -> bool {
        matches!(self, Self::Required | Self::NotSupported | Self::TooLong | Self::TooMany | Self::TypeInvalid)
    }
}

/// One reason to refuse an object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SchemaError {
    /// The field as the API server names it: `metadata.labels` where it is one of the labels.
    pub field: String,
    /// The node that it is about, as near as can be told: the label. Where that is not there, the path it would have.
    pub path: FieldPath,
    /// What kind of refusal.
    pub kind: ErrorKind,
    /// The API server's words, without the field.
    pub message: String,
}

impl SchemaError {
    pub(super) fn at(at: &At<'_>, kind: ErrorKind, message: String) -> Self {
        Self { field: at.field(), path: at.path(), kind, message }
    }

    /// "Invalid value", with the value as it is shown.
    pub(super) fn invalid(at: &At<'_>, value: &str, detail: &str) -> Self {
        Self::at(at, ErrorKind::Invalid, format!("Invalid value: {value}: {detail}"))
    }
}

/// A field as the API server names it, as a path that shows in the same letters: every point begins a key.
pub fn named(field: &str) -> FieldPath {
    let mut steps = Vec::new();
    for part in field.split('.').filter(|part| !part.is_empty()) {
        let key_end = part.find('[').filter(|_| part.ends_with(']')).unwrap_or(part.len());
        let (key, rest) = part.split_at_checked(key_end).unwrap_or((part, ""));
        let indexes: Option<Vec<usize>> =
            rest.split_terminator(']').map(|i| i.strip_prefix('[').and_then(|i| i.parse().ok())).collect();
        match indexes {
            Some(indexes) if !key.is_empty() => {
                steps.push(Step::Key(key.to_owned()));
                steps.extend(indexes.into_iter().map(Step::Index));
            }
            _ => steps.push(Step::Key(part.to_owned())),
        }
    }
    FieldPath(steps)
}

/// A field that the API server drops.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Dropped {
    /// The field as the API server names it.
    pub field: String,
    /// The node.
    pub path: FieldPath,
}

/// A place in an object while it is walked: cheap to extend, spelled out only where there is something to say.
#[derive(Debug, Clone, Copy)]
pub(super) struct At<'a> {
    parent: Option<&'a At<'a>>,
    step: Part<'a>,
}

#[derive(Debug, Clone, Copy)]
enum Part<'a> {
    Root,
    Key(&'a str),
    Index(usize),
}

impl<'a> At<'a> {
    pub(super) const ROOT: At<'static> = At { parent: None, step: Part::Root };

    pub(super) fn key<'b>(&'b self, key: &'b str) -> At<'b> {
        At { parent: Some(self), step: Part::Key(key) }
    }

    pub(super) fn index<'b>(&'b self, index: usize) -> At<'b> {
        At { parent: Some(self), step: Part::Index(index) }
    }

    fn parts(&self) -> Vec<Part<'a>> {
        let mut parts = Vec::new();
        let mut here = *self;
        while let Some(parent) = here.parent {
            parts.push(here.step);
            here = *parent;
        }
        parts.reverse();
        parts
    }

    /// The field as the API server names it: a key after a point, whatever it holds.
    pub(super) fn field(&self) -> String {
        let mut out = String::new();
        for part in self.parts() {
            match part {
                Part::Root => {}
                Part::Index(index) => out.push_str(&format!("[{index}]")),
                Part::Key(key) => {
                    if !out.is_empty() {
                        out.push('.');
                    }
                    out.push_str(key);
                }
            }
        }
        out
    }

    pub(super) fn path(&self) -> FieldPath {
        let step = |part| match part {
            Part::Root => None,
            Part::Key(key) => Some(Step::Key(str::to_owned(key))),
            Part::Index(index) => Some(Step::Index(index)),
        };
        FieldPath(self.parts().into_iter().filter_map(step).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_show_as_they_are() {
        for field in ["spec", "spec.source.catalog.channels[0]", "a.b[0][12].c", "spec.matchLabels.a.b/c"] {
            assert_eq!(named(field).to_string(), field);
        }
        assert_eq!(named("a[0]"), FieldPath::of("a").index(0));
        assert_eq!(named(""), FieldPath::root());
        assert_eq!(named("a[x]"), FieldPath::root().key("a[x]"));
        let at = At::ROOT.key("a");
        assert_eq!((at.index(2).field(), at.index(2).path()), ("a[2]".to_owned(), FieldPath::of("a").index(2)));
    }
}
