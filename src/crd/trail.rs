//! Ways to fields that share what they have in common: a large CRD can have many findings deep down.

use crate::place::{FieldPath, Step};
use std::sync::Arc;

/// The way to a field of a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Trail(Arc<Link>);

#[derive(Debug, PartialEq, Eq)]
struct Link {
    from: Option<Trail>,
    steps: Vec<Step>,
}

impl Trail {
    pub(crate) fn of(field: FieldPath) -> Self {
        Self(Arc::new(Link { from: None, steps: field.0 }))
    }

    /// The way some steps further.
    pub(crate) fn then(&self, steps: Vec<Step>) -> Self {
        Self(Arc::new(Link { from: Some(self.clone()), steps }))
    }

    /// All of its steps.
    pub(crate) fn field(&self) -> FieldPath {
        let mut links = vec![self];
        while let Some(from) = links.last().and_then(|link| link.0.from.as_ref()) {
            links.push(from);
        }
        FieldPath(links.into_iter().rev().flat_map(|link| link.0.steps.iter().cloned()).collect())
    }
}
