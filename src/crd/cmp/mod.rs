//! The difference of two schemas in the words of go-cmp, which crdify uses for what no check understands.
//!
//! The words matter twice: operator-controller shows a digest of them, and crdify takes a change of served versions for known
//! exactly where the words are the same, with all that go-cmp leaves out of them: equal fields at a distance, the ends of long values.
//! Where go-cmp tosses a coin (the direction in which it searches lists first), this goes forward.
//!
//! Follows go-cmp v0.7.0 cmp/report*.go, as far as the types of a schema need it.

mod digest;
mod dump;
mod edit;
mod node;
mod print;
mod report;
mod slices;
mod text;
mod value;
mod words;

pub(crate) use digest::digest;
pub(crate) use words::{Work, diff, dumped, is_cut};
