//! What kube-apiserver answers to a ClusterExtension or ClusterCatalog that is created: what it refuses, at which field and in
//! which words, what it drops, and what it fills in.
//!
//! [`Schema::validate`] follows the API server step by step: decode the metadata, prune what the schema does not know, drop nulls,
//! fill in defaults, drop `status`, check metadata, structure, and, where nothing stands in the way, the rules
//! (`x-kubernetes-validations`). [`Schema::transition_errors`] is what an update compares with the object before
//! (`self == oldSelf`). Left to others: admission.

mod fill;
mod gotext;
mod load;
mod metadata;
mod node;
mod prune;
mod rule;
mod served;
mod structure;
mod verdict;

pub use served::{Schema, Set};
pub use verdict::{Dropped, ErrorKind, SchemaError, Verdict, named};

#[cfg(test)]
mod tests;
