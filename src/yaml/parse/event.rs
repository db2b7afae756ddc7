//! What the parser hands on, and how it tells tokens apart.

use std::borrow::Cow;

use crate::yaml::scan::Kind;

/// What happens next in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::yaml) enum Event<'t> {
    StreamStart,
    StreamEnd,
    DocumentStart,
    DocumentEnd,
    Alias {
        name: &'t str,
        start: u32,
        end: u32,
        line: u32,
    },
    Scalar {
        value: Cow<'t, str>,
        /// In full; `None` where none was given.
        tag: Option<Box<str>>,
        /// The text may be read as another type than text.
        implicit: bool,
        anchor: Option<&'t str>,
        start: u32,
        end: u32,
        line: u32,
    },
    SequenceStart {
        anchor: Option<&'t str>,
        start: u32,
        line: u32,
    },
    SequenceEnd {
        /// Where it was closed; a block collection ends with what it holds.
        end: Option<u32>,
    },
    MappingStart {
        anchor: Option<&'t str>,
        start: u32,
        line: u32,
    },
    MappingEnd {
        end: Option<u32>,
    },
}

/// What a token is, without what it holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    Alias,
    Anchor,
    Tag,
    Scalar,
    FlowSequenceStart,
    FlowSequenceEnd,
    FlowMappingStart,
    FlowMappingEnd,
    FlowEntry,
    BlockSequenceStart,
    BlockMappingStart,
    BlockEntry,
    BlockEnd,
    Key,
    Value,
    DocumentStart,
    DocumentEnd,
    Directive,
    StreamStart,
    StreamEnd,
}

/// What a token is.
pub(super) fn shape(kind: &Kind<'_>) -> Shape {
    match kind {
        Kind::StreamStart => Shape::StreamStart,
        Kind::StreamEnd => Shape::StreamEnd,
        Kind::Version { .. } | Kind::TagDirective(_) => Shape::Directive,
        Kind::DocumentStart => Shape::DocumentStart,
        Kind::DocumentEnd => Shape::DocumentEnd,
        Kind::BlockSequenceStart => Shape::BlockSequenceStart,
        Kind::BlockMappingStart => Shape::BlockMappingStart,
        Kind::BlockEnd => Shape::BlockEnd,
        Kind::FlowSequenceStart => Shape::FlowSequenceStart,
        Kind::FlowSequenceEnd => Shape::FlowSequenceEnd,
        Kind::FlowMappingStart => Shape::FlowMappingStart,
        Kind::FlowMappingEnd => Shape::FlowMappingEnd,
        Kind::BlockEntry => Shape::BlockEntry,
        Kind::FlowEntry => Shape::FlowEntry,
        Kind::Key => Shape::Key,
        Kind::Value => Shape::Value,
        Kind::Alias(_) => Shape::Alias,
        Kind::Anchor(_) => Shape::Anchor,
        Kind::Tag(_) => Shape::Tag,
        Kind::Scalar(..) => Shape::Scalar,
    }
}
