//! documents -> ClusterExtension, ClusterCatalog: typed views that keep unknown fields and places.

mod selector;

pub use selector::{
    LabelSelector, MalformedSelector, Requirement, Selector, SelectorError, SelectorOperator, SelectorRequirement,
};
