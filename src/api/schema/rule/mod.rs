//! The rules of a schema (`x-kubernetes-validations`): CEL, as much of it as these schemas use.
//!
//! A rule that is not understood fails the schema's loading, and with it a test. A transition rule (one that reads `oldSelf`)
//! compares an update with the object before, and is run where there is one.

mod check;
mod eval;
mod expression;
mod parse;
mod pattern;
mod token;

#[cfg(test)]
pub(super) use check::broken;
pub(super) use check::{Rule, check};
