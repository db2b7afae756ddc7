//! Where documents begin and end, and their directives.

use super::event::{Event, Shape};
use super::machine::{Context, Outcome, Parser, State, empty, problem};
use crate::yaml::scan::Kind;

impl<'t> Parser<'t> {
    pub(super) fn document_start(&mut self, implicit: bool) -> Outcome<Event<'t>> {
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

    pub(super) fn document_content(&mut self) -> Outcome<Event<'t>> {
        let (shape, mark) = self.peek()?;
        if matches!(shape, Shape::Directive | Shape::DocumentStart | Shape::DocumentEnd | Shape::StreamEnd) {
            self.pop_state();
            return Ok(empty(mark));
        }
        self.node(Context::Block)
    }

    pub(super) fn document_end(&mut self) -> Outcome<Event<'t>> {
        let (shape, _) = self.peek()?;
        if shape == Shape::DocumentEnd {
            self.scanner.skip();
        }
        self.tags.clear();
        self.state = State::DocumentStart;
        Ok(Event::DocumentEnd)
    }

    /// The directives of a document, then the handles that every document knows.
    pub(super) fn process_directives(&mut self) -> Outcome<()> {
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
                    if self.tags.insert(handle, prefix).is_some() {
                        return Err(problem("found duplicate %TAG directive", mark));
                    }
                }
                _ => break,
            }
            self.scanner.skip();
        }
        for (handle, prefix) in [("!", "!"), ("!!", "tag:yaml.org,2002:")] {
            self.tags.entry(handle.to_owned()).or_insert_with(|| prefix.to_owned());
        }
        Ok(())
    }
}
