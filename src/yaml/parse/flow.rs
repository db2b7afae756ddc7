//! Collections in brackets.

use super::event::{Event, Shape};
use super::machine::{Context, Outcome, Parser, State, empty, problem};

impl<'t> Parser<'t> {
    pub(super) fn flow_sequence(&mut self, first: bool) -> Outcome<Event<'t>> {
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
    pub(super) fn flow_sequence_pair_key(&mut self) -> Outcome<Event<'t>> {
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

    pub(super) fn flow_sequence_pair_value(&mut self) -> Outcome<Event<'t>> {
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

    pub(super) fn flow_mapping_key(&mut self, first: bool) -> Outcome<Event<'t>> {
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

    pub(super) fn flow_mapping_value(&mut self) -> Outcome<Event<'t>> {
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
