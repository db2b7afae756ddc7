//! The machine: its states, and the nodes that every state reads.

use std::borrow::Cow;
use std::collections::HashMap;

use super::event::{Event, Shape, shape};
use crate::yaml::error::{ErrorKind, Fault};
use crate::yaml::scan::{Kind, Mark, Scanner, Style};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum State {
    StreamStart,
    ImplicitDocumentStart,
    DocumentStart,
    DocumentContent,
    DocumentEnd,
    BlockNode,
    BlockSequenceFirst,
    BlockSequence,
    IndentlessSequence,
    BlockMappingFirst,
    BlockMappingKey,
    BlockMappingValue,
    FlowSequenceFirst,
    FlowSequence,
    FlowSequencePairKey,
    FlowSequencePairValue,
    FlowSequencePairEnd,
    FlowMappingFirst,
    FlowMappingKey,
    FlowMappingValue,
    FlowMappingEmptyValue,
    End,
}

/// Where a node stands, which decides what it may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Context {
    /// Inside `[]` or `{}`.
    Flow,
    Block,
    /// A value or key of a block mapping: a sequence there need not be indented.
    BlockOrIndentless,
}

pub(super) type Outcome<T> = Result<T, Fault>;

/// Text -> events.
#[derive(Debug)]
pub(in crate::yaml) struct Parser<'t> {
    pub(super) scanner: Scanner<'t>,
    pub(super) state: State,
    pub(super) states: Vec<State>,
    /// Handles and what they stand for, in the document that is read.
    pub(super) tags: HashMap<String, String>,
}

impl<'t> Parser<'t> {
    /// A parser of one text, which must be shorter than 2 GiB.
    pub(in crate::yaml) fn new(text: &'t str) -> Self {
        Self { scanner: Scanner::new(text), state: State::StreamStart, states: Vec::new(), tags: HashMap::new() }
    }

    /// The next event; `StreamEnd` for ever after the last.
    pub(in crate::yaml) fn next(&mut self) -> Outcome<Event<'t>> {
        match self.state {
            State::StreamStart => {
                self.scanner.peek()?;
                self.scanner.skip();
                self.state = State::ImplicitDocumentStart;
                Ok(Event::StreamStart)
            }
            State::ImplicitDocumentStart => self.document_start(true),
            State::DocumentStart => self.document_start(false),
            State::DocumentContent => self.document_content(),
            State::DocumentEnd => self.document_end(),
            State::BlockNode => self.node(Context::Block),
            State::BlockSequenceFirst => {
                self.scanner.skip();
                self.block_sequence()
            }
            State::BlockSequence => self.block_sequence(),
            State::IndentlessSequence => self.indentless_sequence(),
            State::BlockMappingFirst => {
                self.scanner.skip();
                self.block_mapping_key()
            }
            State::BlockMappingKey => self.block_mapping_key(),
            State::BlockMappingValue => self.block_mapping_value(),
            State::FlowSequenceFirst => {
                self.scanner.skip();
                self.flow_sequence(true)
            }
            State::FlowSequence => self.flow_sequence(false),
            State::FlowSequencePairKey => self.flow_sequence_pair_key(),
            State::FlowSequencePairValue => self.flow_sequence_pair_value(),
            State::FlowSequencePairEnd => {
                self.peek()?;
                self.state = State::FlowSequence;
                Ok(Event::MappingEnd { end: None })
            }
            State::FlowMappingFirst => {
                self.scanner.skip();
                self.flow_mapping_key(true)
            }
            State::FlowMappingKey => self.flow_mapping_key(false),
            State::FlowMappingValue => self.flow_mapping_value(),
            State::FlowMappingEmptyValue => {
                let (_, mark) = self.peek()?;
                self.state = State::FlowMappingKey;
                Ok(empty(mark))
            }
            State::End => Ok(Event::StreamEnd),
        }
    }

    /// The next token's shape and start.
    pub(super) fn peek(&mut self) -> Outcome<(Shape, Mark)> {
        let token = self.scanner.peek()?;
        Ok((shape(&token.kind), token.start))
    }

    /// Take the peeked token; the shape and start of the one after, and the end of the one taken.
    pub(super) fn skip_and_peek(&mut self) -> Outcome<(Shape, Mark, Mark)> {
        let end = self.scanner.peek()?.end;
        self.scanner.skip();
        let (shape, mark) = self.peek()?;
        Ok((shape, mark, end))
    }

    pub(super) fn pop_state(&mut self) {
        self.state = self.states.pop().unwrap_or(State::End);
    }

    pub(super) fn node(&mut self, context: Context) -> Outcome<Event<'t>> {
        let token = self.scanner.peek()?;
        if let Kind::Alias(name) = token.kind {
            let event = Event::Alias { name, start: token.start.offset, end: token.end.offset, line: token.start.line };
            self.pop_state();
            self.scanner.skip();
            return Ok(event);
        }
        let start = token.start;
        let (anchor, tag, end) = match token.kind {
            Kind::Anchor(_) | Kind::Tag(_) => self.properties()?,
            _ => (None, None, None),
        };
        let properties = anchor.is_some() || tag.is_some();

        let token = self.scanner.peek()?;
        let end = end.unwrap_or(token.start);
        let (shape, mark) = (shape(&token.kind), token.start);
        let start = if properties { start } else { mark };
        match shape {
            Shape::BlockEntry if context == Context::BlockOrIndentless => {
                self.state = State::IndentlessSequence;
                Ok(Event::SequenceStart { anchor, start: start.offset, line: start.line })
            }
            Shape::Scalar => {
                let end = token.end;
                let (value, style) = match &mut token.kind {
                    Kind::Scalar(value, style) => (std::mem::take(value), *style),
                    _ => (Cow::Borrowed(""), Style::Plain),
                };
                let implicit = tag.as_deref().map_or(style == Style::Plain, |tag| tag == "!");
                self.pop_state();
                self.scanner.skip();
                Ok(Event::Scalar { value, tag, implicit, anchor, start: start.offset, end: end.offset, line: start.line })
            }
            Shape::FlowSequenceStart => {
                self.state = State::FlowSequenceFirst;
                Ok(Event::SequenceStart { anchor, start: start.offset, line: start.line })
            }
            Shape::FlowMappingStart => {
                self.state = State::FlowMappingFirst;
                Ok(Event::MappingStart { anchor, start: start.offset, line: start.line })
            }
            Shape::BlockSequenceStart if context != Context::Flow => {
                self.state = State::BlockSequenceFirst;
                Ok(Event::SequenceStart { anchor, start: start.offset, line: start.line })
            }
            Shape::BlockMappingStart if context != Context::Flow => {
                self.state = State::BlockMappingFirst;
                Ok(Event::MappingStart { anchor, start: start.offset, line: start.line })
            }
            _ if properties => {
                self.pop_state();
                Ok(Event::Scalar {
                    value: Cow::Borrowed(""),
                    implicit: tag.is_none(),
                    tag,
                    anchor,
                    start: start.offset,
                    end: end.offset,
                    line: start.line,
                })
            }
            _ => Err(problem("did not find expected node content", mark)),
        }
    }

    /// An anchor and a tag, in either order, and where they end.
    #[allow(clippy::type_complexity, reason = "the three belong together for one caller")]
    fn properties(&mut self) -> Outcome<(Option<&'t str>, Option<Box<str>>, Option<Mark>)> {
        let mut anchor = None;
        let mut tag: Option<(String, String, Mark)> = None;
        let mut end = None;
        loop {
            let token = self.scanner.peek()?;
            match &mut token.kind {
                Kind::Anchor(name) if anchor.is_none() => anchor = Some(*name),
                Kind::Tag(parts) if tag.is_none() => {
                    let (handle, suffix) = std::mem::take(&mut **parts);
                    tag = Some((handle, suffix, token.start));
                }
                _ => break,
            }
            end = Some(token.end);
            self.scanner.skip();
        }
        let tag = match tag {
            None => None,
            Some((handle, suffix, _)) if handle.is_empty() => Some(suffix),
            Some((handle, suffix, mark)) => match self.tags.get(&handle) {
                Some(prefix) => Some(format!("{prefix}{suffix}")),
                None => return Err(problem("found undefined tag handle", mark)),
            },
        };
        Ok((anchor, tag.map(String::into_boxed_str), end))
    }
}

/// A node that is not written: null, where it would stand.
pub(super) fn empty<'t>(mark: Mark) -> Event<'t> {
    Event::Scalar {
        value: Cow::Borrowed(""),
        tag: None,
        implicit: true,
        anchor: None,
        start: mark.offset,
        end: mark.offset,
        line: mark.line,
    }
}

/// An error at a token. The reference counts its line from 0 and leaves a 0 out.
pub(super) fn problem(text: &str, mark: Mark) -> Fault {
    let message = if mark.line == 0 { format!("yaml: {text}") } else { format!("yaml: line {}: {text}", mark.line) };
    Fault::at(ErrorKind::Syntax, message, mark.offset)
}
