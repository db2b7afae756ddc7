//! A text, and where its lines begin.

use std::sync::{Arc, OnceLock};

use crate::place::Place;

use super::spot::Bytes;

/// A text of which places are asked for.
#[derive(Debug)]
pub(super) struct Source {
    text: Arc<str>,
    lines: OnceLock<Box<[usize]>>,
}

impl Source {
    pub(super) fn new(text: impl Into<Arc<str>>) -> Self {
        Self { text: text.into(), lines: OnceLock::new() }
    }

    /// The place of a stretch that begins `base` bytes into the text, without the blanks at its end.
    pub(super) fn place(&self, base: usize, span: Bytes) -> Place {
        let at = |offset: u32| self.boundary(base + usize::try_from(offset).unwrap_or(usize::MAX));
        let (start, end) = (at(span.0), at(span.1));
        let shown = self.text.get(start..end).unwrap_or_default().trim_end_matches([' ', '\t', '\r', '\n']);
        let (line, column) = self.position(start);
        let (end_line, end_column) = self.position(start + shown.len());
        Place { line, column, end_line, end_column }
    }

    fn boundary(&self, offset: usize) -> usize {
        let mut offset = offset.min(self.text.len());
        while !self.text.is_char_boundary(offset) {
            offset -= 1;
        }
        offset
    }

    fn position(&self, offset: usize) -> (u32, u32) {
        let lines = self.lines.get_or_init(|| {
            std::iter::once(0).chain(memchr::memchr_iter(b'\n', self.text.as_bytes()).map(|at| at + 1)).collect()
        });
        let line = lines.partition_point(|&start| start <= offset);
        let start = line.checked_sub(1).and_then(|line| lines.get(line)).copied().unwrap_or(0);
        let column = self.text.get(start..offset).unwrap_or_default().chars().count() + 1;
        let narrow = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        (narrow(line), narrow(column))
    }
}
