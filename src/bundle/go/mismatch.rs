//! Why a value does not fit a Go type: a [`Mismatch`].

use crate::place::{FieldPath, Step};
use std::fmt;

/// A value that Go refuses to decode, with Go's words and the way to it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub struct Mismatch {
    words: Words,
    /// The way to the value, innermost step first.
    path: Vec<Step>,
    /// Whether a JSON decoder stops at once: it does where a type's own decoder refuses. A wrong type it keeps in mind, and goes on.
    stops: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Words {
    /// Said as they are.
    Plain(String),
    /// encoding/json's `UnmarshalTypeError`, which names the struct and the fields on the way.
    Json { value: String, kind: String, owner: Option<&'static str>, fields: Vec<&'static str> },
}

impl Mismatch {
    /// A refusal in these words.
    pub fn plain(words: impl Into<String>) -> Self {
        Self { words: Words::Plain(words.into()), path: Vec::new(), stops: false }
    }

    /// encoding/json's refusal of a `value` (`number`, `string`, ...) for a type.
    pub fn json(value: impl Into<String>, kind: impl Into<String>) -> Self {
        let words = Words::Json { value: value.into(), kind: kind.into(), owner: None, fields: Vec::new() };
        Self { words, path: Vec::new(), stops: false }
    }

    /// Where the value stands, from the value that was decoded.
    pub fn path(&self) -> FieldPath {
        FieldPath(self.path.iter().rev().cloned().collect())
    }

    /// The same, found below a key or position.
    #[must_use]
    pub fn below(mut self, step: Step) -> Self {
        self.path.push(step);
        self
    }

    /// The same, found below a field of the struct `owner`.
    #[must_use]
    pub fn below_field(mut self, struct_name: &'static str, field: &'static str) -> Self {
        if let Words::Json { owner, fields, .. } = &mut self.words {
            owner.get_or_insert(struct_name);
            fields.push(field);
        }
        self.below(Step::Key(field.to_owned()))
    }

    /// The same, found in a list or a map whose type has that name of its own, where it is the list or map itself that does not fit.
    #[must_use]
    pub(super) fn of_type(mut self, name: &str) -> Self {
        if let (Words::Json { kind, .. }, true) = (&mut self.words, self.path.is_empty()) {
            name.clone_into(kind);
        }
        self
    }

    /// The same, where the innermost field stands in a struct that is embedded in the field's.
    #[must_use]
    pub(crate) fn within(mut self, embedded: &'static str) -> Self {
        if let Words::Json { fields, .. } = &mut self.words {
            fields.insert(1.min(fields.len()), embedded);
        }
        self
    }

    /// Whether a JSON decoder gives this refusal and not the one that it met first.
    pub(super) fn overrules(&self, first: &Self) -> bool {
        self.stops && !first.stops
    }

    /// Whether a JSON decoder looks no further.
    pub(crate) fn stops(&self) -> bool {
        self.stops
    }

    /// The same, across a type that decodes itself: what is outside speaks of its own structs only.
    #[must_use]
    pub fn across(mut self) -> Self {
        self.stops = true;
        if let Words::Json { owner, fields, .. } = &mut self.words {
            *owner = None;
            fields.clear();
        }
        self
    }
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.words {
            Words::Plain(words) => f.write_str(words),
            Words::Json { value, kind, owner: Some(owner), fields } => {
                let fields: Vec<&str> = fields.iter().rev().copied().collect();
                write!(f, "json: cannot unmarshal {value} into Go struct field {owner}.{} of type {kind}", fields.join("."))
            }
            Words::Json { value, kind, owner: None, .. } => {
                write!(f, "json: cannot unmarshal {value} into Go value of type {kind}")
            }
        }
    }
}
