//! A text, and where its lines begin.

use std::sync::{Arc, OnceLock};

use crate::place::Place;

use super::spot::Bytes;

/// A text of which places are asked for.
#[derive(Debug)]
pub(super) struct Source {
    text: Arc<str>,
    lines: OnceLock<Box<[usize]>>,
    /// How many characters begin before each block of the text: a minified file is one line of megabytes.
    blocks: OnceLock<Box<[usize]>>,
}

/// How many bytes a block has.
const BLOCK: usize = 1 << 10;

impl Source {
    pub(super) fn new(text: impl Into<Arc<str>>) -> Self {
        Self { text: text.into(), lines: OnceLock::new(), blocks: OnceLock::new() }
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
        let column = self.characters(offset).saturating_sub(self.characters(start)) + 1;
        let narrow = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        (narrow(line), narrow(column))
    }

    /// How many characters begin before an offset.
    fn characters(&self, offset: usize) -> usize {
        let begun = |bytes: &[u8]| bytes.iter().filter(|byte| **byte & 0xC0 != 0x80).count();
        let blocks = self.blocks.get_or_init(|| {
            let count = |before: &mut usize, block: &[u8]| {
                let here = *before;
                *before += begun(block);
                Some(here)
            };
            self.text.as_bytes().chunks(BLOCK).scan(0, count).collect()
        });
        let block = offset / BLOCK;
        let (Some(before), Some(rest)) = (blocks.get(block), self.text.as_bytes().get(block * BLOCK..offset)) else {
            return begun(self.text.as_bytes().get(..offset).unwrap_or_default());
        };
        before + begun(rest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_characters_however_long_the_line() {
        let line = "ä1€".repeat(1_000);
        let source = Source::new(format!("{line}\n{line}"));
        for (at, _) in line.char_indices().step_by(7) {
            let offset = line.len() + 1 + at;
            let column = line.get(..at).unwrap().chars().count() + 1;
            assert_eq!(source.position(offset), (2, u32::try_from(column).unwrap()));
        }
        assert_eq!(source.position(2 * line.len() + 1), (2, 3_001));
        // A text that ends with a block.
        let full = Source::new("x".repeat(BLOCK));
        assert_eq!(full.position(BLOCK), (1, u32::try_from(BLOCK).unwrap() + 1));
    }
}
