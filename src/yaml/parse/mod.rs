//! Tokens -> events, by the grammar of YAML 1.1 as libyaml and go-yaml v2.4.4 (`parserc.go`) apply it.
//!
//! A machine with a stack of states instead of recursion, so that the depth of a text is bounded by memory alone.

mod block;
mod document;
mod event;
mod flow;
mod machine;

pub(super) use event::Event;
pub(super) use machine::Parser;
