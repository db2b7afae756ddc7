//! What the scanner hands to the parser.

use std::borrow::Cow;

/// A position in the text that is scanned.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(in crate::yaml) struct Mark {
    /// In bytes, from 0.
    pub(in crate::yaml) offset: u32,
    /// In line breaks of YAML 1.1, from 0.
    pub(in crate::yaml) line: u32,
    /// In characters, from 0.
    pub(in crate::yaml) column: i32,
}

/// How a scalar was written, as far as that changes what it means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::yaml) enum Style {
    /// Without quotes: its text decides its type.
    Plain,
    /// In quotes or as a block: it is text.
    Quoted,
}

/// What a token is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::yaml) enum Kind<'t> {
    StreamStart,
    StreamEnd,
    Version {
        major: u8,
        minor: u8,
    },
    /// A handle, and what it stands for.
    TagDirective(Box<(String, String)>),
    DocumentStart,
    DocumentEnd,
    BlockSequenceStart,
    BlockMappingStart,
    BlockEnd,
    FlowSequenceStart,
    FlowSequenceEnd,
    FlowMappingStart,
    FlowMappingEnd,
    BlockEntry,
    FlowEntry,
    Key,
    Value,
    Alias(&'t str),
    Anchor(&'t str),
    /// A handle, and what follows it.
    Tag(Box<(String, String)>),
    Scalar(Cow<'t, str>, Style),
}

/// A token and the stretch it covers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::yaml) struct Token<'t> {
    pub(in crate::yaml) kind: Kind<'t>,
    pub(in crate::yaml) start: Mark,
    pub(in crate::yaml) end: Mark,
}
