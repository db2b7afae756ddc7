//! Where something stands: a [`Place`] in a text, and a [`FieldPath`] in an object.

use std::fmt;

/// A stretch of a text file, for people: lines and columns start at 1, columns count characters, the end is exclusive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// The first line.
    pub line: u32,
    /// The first column.
    pub column: u32,
    /// The line that the stretch ends on.
    pub end_line: u32,
    /// The column after the last character.
    pub end_column: u32,
}

/// A half-open range of bytes in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Span {
    /// The first byte.
    pub start: usize,
    /// The byte after the last.
    pub end: usize,
}

/// One step into an object.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Step {
    /// Into a mapping, by key.
    Key(String),
    /// Into a sequence, by position.
    Index(usize),
}

/// A path to a field, shown as Kubernetes shows it: `spec.source.catalog.channels[0]`.
///
/// A key that holds anything but letters, digits, `_`, `-` and `/` is shown in brackets: `metadata.labels[a.b/c]`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct FieldPath(pub Vec<Step>);

impl FieldPath {
    /// The path of the object itself.
    pub fn root() -> Self {
        Self::default()
    }

    /// A path of keys alone, from dotted text: `FieldPath::of("spec.source.catalog")`.
    pub fn of(dotted: &str) -> Self {
        Self(dotted.split('.').filter(|s| !s.is_empty()).map(|s| Step::Key(s.to_owned())).collect())
    }

    /// This path, one key further.
    #[must_use]
    pub fn key(&self, key: impl Into<String>) -> Self {
        let mut steps = self.0.clone();
        steps.push(Step::Key(key.into()));
        Self(steps)
    }

    /// This path, one position further.
    #[must_use]
    pub fn index(&self, index: usize) -> Self {
        let mut steps = self.0.clone();
        steps.push(Step::Index(index));
        Self(steps)
    }

    /// The path without its last step; `None` for the root.
    pub fn parent(&self) -> Option<Self> {
        let (_, rest) = self.0.split_last()?;
        Some(Self(rest.to_vec()))
    }
}

impl fmt::Display for FieldPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (n, step) in self.0.iter().enumerate() {
            match step {
                Step::Index(i) => write!(f, "[{i}]")?,
                Step::Key(k) if !k.is_empty() && k.chars().all(|c| c.is_ascii_alphanumeric() || "_-/".contains(c)) => {
                    if n > 0 {
                        f.write_str(".")?;
                    }
                    f.write_str(k)?;
                }
                Step::Key(k) => write!(f, "[{k}]")?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shows_as_kubernetes_does() {
        let path = FieldPath::of("spec.source.catalog.channels").index(2);
        assert_eq!(path.to_string(), "spec.source.catalog.channels[2]");
        assert_eq!(FieldPath::of("metadata.labels").key("a.b/c").to_string(), "metadata.labels[a.b/c]");
        assert_eq!(path.parent(), Some(FieldPath::of("spec.source.catalog.channels")));
    }
}
