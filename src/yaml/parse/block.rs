//! Collections by indentation.

use super::event::{Event, Shape};
use super::machine::{Context, Outcome, Parser, State, empty, problem};

impl<'t> Parser<'t> {
    pub(super) fn block_sequence(&mut self) -> Outcome<Event<'t>> {
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

    pub(super) fn indentless_sequence(&mut self) -> Outcome<Event<'t>> {
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

    pub(super) fn block_mapping_key(&mut self) -> Outcome<Event<'t>> {
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

    pub(super) fn block_mapping_value(&mut self) -> Outcome<Event<'t>> {
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
}
