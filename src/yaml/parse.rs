//! Tokens -> events, by the grammar of YAML 1.1 as libyaml and go-yaml v2.4.4 (`parserc.go`) apply it.
//!
//! A machine with a stack of states instead of recursion, so that the depth of a text is bounded by memory alone.

use std::borrow::Cow;

use super::error::{ErrorKind, Fault};
use super::event::{Event, Shape, shape};
use super::scan::{Kind, Mark, Scanner, Style};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
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
enum Context {
    /// Inside `[]` or `{}`.
    Flow,
    Block,
    /// A value or key of a block mapping: a sequence there need not be indented.
    BlockOrIndentless,
}

type Outcome<T> = Result<T, Fault>;

/// Text -> events.
#[derive(Debug)]
pub(super) struct Parser<'t> {
    scanner: Scanner<'t>,
    state: State,
    states: Vec<State>,
    /// Handles and what they stand for, in the document that is read.
    tags: Vec<(String, String)>,
}

impl<'t> Parser<'t> {
    /// A parser of one text, which must be shorter than 2 GiB.
    pub(super) fn new(text: &'t str) -> Self {
        Self { scanner: Scanner::new(text), state: State::StreamStart, states: Vec::new(), tags: Vec::new() }
    }

    /// The next event; `StreamEnd` for ever after the last.
    pub(super) fn next(&mut self) -> Outcome<Event<'t>> {
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
    fn peek(&mut self) -> Outcome<(Shape, Mark)> {
        let token = self.scanner.peek()?;
        Ok((shape(&token.kind), token.start))
    }

    /// Take the peeked token; the shape and start of the one after, and the end of the one taken.
    fn skip_and_peek(&mut self) -> Outcome<(Shape, Mark, Mark)> {
        let end = self.scanner.peek()?.end;
        self.scanner.skip();
        let (shape, mark) = self.peek()?;
        Ok((shape, mark, end))
    }

    fn pop_state(&mut self) {
        self.state = self.states.pop().unwrap_or(State::End);
    }

    fn document_start(&mut self, implicit: bool) -> Outcome<Event<'t>> {
        let (mut shape, _) = self.peek()?;
        if !implicit {
            while shape == Shape::DocumentEnd {
                (shape, _, _) = self.skip_and_peek()?;
            }
        }
        if shape == Shape::StreamEnd {
            self.scanner.skip();
            self.state = State::End;
            return Ok(Event::StreamEnd);
        }
        if implicit && !matches!(shape, Shape::Directive | Shape::DocumentStart) {
            self.process_directives()?;
            self.states.push(State::DocumentEnd);
            self.state = State::BlockNode;
            return Ok(Event::DocumentStart);
        }
        self.process_directives()?;
        let (shape, mark) = self.peek()?;
        if shape != Shape::DocumentStart {
            return Err(problem("did not find expected <document start>", mark));
        }
        self.states.push(State::DocumentEnd);
        self.state = State::DocumentContent;
        self.scanner.skip();
        Ok(Event::DocumentStart)
    }

    fn document_content(&mut self) -> Outcome<Event<'t>> {
        let (shape, mark) = self.peek()?;
        if matches!(shape, Shape::Directive | Shape::DocumentStart | Shape::DocumentEnd | Shape::StreamEnd) {
            self.pop_state();
            return Ok(empty(mark));
        }
        self.node(Context::Block)
    }

    fn document_end(&mut self) -> Outcome<Event<'t>> {
        let (shape, _) = self.peek()?;
        if shape == Shape::DocumentEnd {
            self.scanner.skip();
        }
        self.tags.clear();
        self.state = State::DocumentStart;
        Ok(Event::DocumentEnd)
    }

    /// The directives of a document, then the handles that every document knows.
    fn process_directives(&mut self) -> Outcome<()> {
        let mut version = false;
        loop {
            let token = self.scanner.peek()?;
            let mark = token.start;
            match &mut token.kind {
                Kind::Version { major, minor } => {
                    if version {
                        return Err(problem("found duplicate %YAML directive", mark));
                    }
                    if (*major, *minor) != (1, 1) {
                        return Err(problem("found incompatible YAML document", mark));
                    }
                    version = true;
                }
                Kind::TagDirective(directive) => {
                    let (handle, prefix) = std::mem::take(&mut **directive);
                    if self.tags.iter().any(|(known, _)| *known == handle) {
                        return Err(problem("found duplicate %TAG directive", mark));
                    }
                    self.tags.push((handle, prefix));
                }
                _ => break,
            }
            self.scanner.skip();
        }
        for (handle, prefix) in [("!", "!"), ("!!", "tag:yaml.org,2002:")] {
            if !self.tags.iter().any(|(known, _)| known == handle) {
                self.tags.push((handle.to_owned(), prefix.to_owned()));
            }
        }
        Ok(())
    }

    fn node(&mut self, context: Context) -> Outcome<Event<'t>> {
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
            Some((handle, suffix, mark)) => match self.tags.iter().find(|(known, _)| *known == handle) {
                Some((_, prefix)) => Some(format!("{prefix}{suffix}")),
                None => return Err(problem("found undefined tag handle", mark)),
            },
        };
        Ok((anchor, tag.map(String::into_boxed_str), end))
    }

    fn block_sequence(&mut self) -> Outcome<Event<'t>> {
        let (shape, mark) = self.peek()?;
        match shape {
            Shape::BlockEntry => {
                let (shape, _, end) = self.skip_and_peek()?;
                if matches!(shape, Shape::BlockEntry | Shape::BlockEnd) {
                    self.state = State::BlockSequence;
                    return Ok(empty(end));
                }
                self.states.push(State::BlockSequence);
                self.node(Context::Block)
            }
            Shape::BlockEnd => {
                self.pop_state();
                self.scanner.skip();
                Ok(Event::SequenceEnd { end: None })
            }
            _ => Err(problem("did not find expected '-' indicator", mark)),
        }
    }

    fn indentless_sequence(&mut self) -> Outcome<Event<'t>> {
        let (shape, _) = self.peek()?;
        if shape != Shape::BlockEntry {
            self.pop_state();
            return Ok(Event::SequenceEnd { end: None });
        }
        let (shape, _, end) = self.skip_and_peek()?;
        if matches!(shape, Shape::BlockEntry | Shape::Key | Shape::Value | Shape::BlockEnd) {
            self.state = State::IndentlessSequence;
            return Ok(empty(end));
        }
        self.states.push(State::IndentlessSequence);
        self.node(Context::Block)
    }

    fn block_mapping_key(&mut self) -> Outcome<Event<'t>> {
        let (shape, mark) = self.peek()?;
        match shape {
            Shape::Key => {
                let (shape, _, end) = self.skip_and_peek()?;
                if matches!(shape, Shape::Key | Shape::Value | Shape::BlockEnd) {
                    self.state = State::BlockMappingValue;
                    return Ok(empty(end));
                }
                self.states.push(State::BlockMappingValue);
                self.node(Context::BlockOrIndentless)
            }
            Shape::BlockEnd => {
                self.pop_state();
                self.scanner.skip();
                Ok(Event::MappingEnd { end: None })
            }
            _ => Err(problem("did not find expected key", mark)),
        }
    }

    fn block_mapping_value(&mut self) -> Outcome<Event<'t>> {
        let (shape, mark) = self.peek()?;
        if shape != Shape::Value {
            self.state = State::BlockMappingKey;
            return Ok(empty(mark));
        }
        let (shape, _, end) = self.skip_and_peek()?;
        if matches!(shape, Shape::Key | Shape::Value | Shape::BlockEnd) {
            self.state = State::BlockMappingKey;
            return Ok(empty(end));
        }
        self.states.push(State::BlockMappingKey);
        self.node(Context::BlockOrIndentless)
    }

    fn flow_sequence(&mut self, first: bool) -> Outcome<Event<'t>> {
        let (mut shape, mut mark) = self.peek()?;
        if shape != Shape::FlowSequenceEnd {
            if !first {
                if shape != Shape::FlowEntry {
                    return Err(problem("did not find expected ',' or ']'", mark));
                }
                (shape, mark, _) = self.skip_and_peek()?;
            }
            if shape == Shape::Key {
                self.state = State::FlowSequencePairKey;
                self.scanner.skip();
                return Ok(Event::MappingStart { anchor: None, start: mark.offset, line: mark.line });
            }
            if shape != Shape::FlowSequenceEnd {
                self.states.push(State::FlowSequence);
                return self.node(Context::Flow);
            }
        }
        let end = self.scanner.peek()?.end;
        self.pop_state();
        self.scanner.skip();
        Ok(Event::SequenceEnd { end: Some(end.offset) })
    }

    /// The key of a pair inside `[]`. Where it is missing, the reference takes the token that stands in its place for granted and
    /// drops it.
    fn flow_sequence_pair_key(&mut self) -> Outcome<Event<'t>> {
        let (shape, _) = self.peek()?;
        if !matches!(shape, Shape::Value | Shape::FlowEntry | Shape::FlowSequenceEnd) {
            self.states.push(State::FlowSequencePairValue);
            return self.node(Context::Flow);
        }
        let end = self.scanner.peek()?.end;
        self.scanner.skip();
        self.state = State::FlowSequencePairValue;
        Ok(empty(end))
    }

    fn flow_sequence_pair_value(&mut self) -> Outcome<Event<'t>> {
        let (shape, mark) = self.peek()?;
        if shape == Shape::Value {
            let (shape, _, _) = self.skip_and_peek()?;
            if !matches!(shape, Shape::FlowEntry | Shape::FlowSequenceEnd) {
                self.states.push(State::FlowSequencePairEnd);
                return self.node(Context::Flow);
            }
        }
        self.state = State::FlowSequencePairEnd;
        Ok(empty(mark))
    }

    fn flow_mapping_key(&mut self, first: bool) -> Outcome<Event<'t>> {
        let (mut shape, mut mark) = self.peek()?;
        if shape != Shape::FlowMappingEnd {
            if !first {
                if shape != Shape::FlowEntry {
                    return Err(problem("did not find expected ',' or '}'", mark));
                }
                (shape, _, _) = self.skip_and_peek()?;
            }
            if shape == Shape::Key {
                (shape, mark, _) = self.skip_and_peek()?;
                if !matches!(shape, Shape::Value | Shape::FlowEntry | Shape::FlowMappingEnd) {
                    self.states.push(State::FlowMappingValue);
                    return self.node(Context::Flow);
                }
                self.state = State::FlowMappingValue;
                return Ok(empty(mark));
            }
            if shape != Shape::FlowMappingEnd {
                self.states.push(State::FlowMappingEmptyValue);
                return self.node(Context::Flow);
            }
        }
        let end = self.scanner.peek()?.end;
        self.pop_state();
        self.scanner.skip();
        Ok(Event::MappingEnd { end: Some(end.offset) })
    }

    fn flow_mapping_value(&mut self) -> Outcome<Event<'t>> {
        let (shape, mut mark) = self.peek()?;
        if shape == Shape::Value {
            let (shape, after, _) = self.skip_and_peek()?;
            if !matches!(shape, Shape::FlowEntry | Shape::FlowMappingEnd) {
                self.states.push(State::FlowMappingKey);
                return self.node(Context::Flow);
            }
            mark = after;
        }
        self.state = State::FlowMappingKey;
        Ok(empty(mark))
    }
}

/// A node that is not written: null, where it would stand.
fn empty<'t>(mark: Mark) -> Event<'t> {
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
fn problem(text: &str, mark: Mark) -> Fault {
    let message = if mark.line == 0 { format!("yaml: {text}") } else { format!("yaml: line {}: {text}", mark.line) };
    Fault::at(ErrorKind::Syntax, message, mark.offset)
}
