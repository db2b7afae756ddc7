//! Moving over the text, one character, line or run at a time.

use crate::yaml::chars::{is_blank, width};

use super::Mark;

/// A place in the text, with what is needed to tell its line and column.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cursor<'t> {
    text: &'t str,
    bytes: &'t [u8],
    /// The byte that comes next.
    pub(super) at: usize,
    line: u32,
    line_start: usize,
    /// The bytes of this line, up to here, that continue a character.
    wide: usize,
}

impl<'t> Cursor<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Self { text, bytes: text.as_bytes(), at: 0, line: 0, line_start: 0, wide: 0 }
    }

    /// The length of the text.
    pub(super) fn len(&self) -> usize {
        self.bytes.len()
    }

    /// The byte `ahead` of the next; 0 beyond the end (no text that is scanned holds one).
    #[inline]
    pub(super) fn peek(&self, ahead: usize) -> u8 {
        self.bytes.get(self.at + ahead).copied().unwrap_or(0)
    }

    /// The text from here on.
    pub(super) fn rest(&self) -> &'t [u8] {
        self.bytes.get(self.at..).unwrap_or_default()
    }

    /// A piece of the text.
    pub(super) fn slice(&self, from: usize, to: usize) -> &'t str {
        self.text.get(from..to).unwrap_or_default()
    }

    #[allow(clippy::cast_possible_truncation, reason = "a text is refused when it is longer than 2 GiB")]
    pub(super) fn column(&self) -> i32 {
        (self.at - self.line_start - self.wide) as i32
    }

    #[allow(clippy::cast_possible_truncation, reason = "a text is refused when it is longer than 2 GiB")]
    pub(super) fn mark(&self) -> Mark {
        Mark { offset: self.at as u32, line: self.line, column: self.column() }
    }

    /// The bytes of the line break that stands `ahead`; 0 where none does. Carriage return and line feed count apart here.
    #[inline]
    pub(super) fn break_width(&self, ahead: usize) -> usize {
        match self.peek(ahead) {
            b'\n' | b'\r' => 1,
            0xc2 if self.peek(ahead + 1) == 0x85 => 2,
            0xe2 if self.peek(ahead + 1) == 0x80 && matches!(self.peek(ahead + 2), 0xa8 | 0xa9) => 3,
            _ => 0,
        }
    }

    #[inline]
    pub(super) fn is_break(&self, ahead: usize) -> bool {
        self.break_width(ahead) > 0
    }

    /// A line break, or the end.
    #[inline]
    pub(super) fn is_line_end(&self, ahead: usize) -> bool {
        self.peek(ahead) == 0 || self.is_break(ahead)
    }

    /// A space, a tab, a line break, or the end.
    #[inline]
    pub(super) fn is_gap(&self, ahead: usize) -> bool {
        is_blank(self.peek(ahead)) || self.is_line_end(ahead)
    }

    /// `---` or `...` at the start of a line.
    pub(super) fn is_document_indicator(&self) -> bool {
        self.column() == 0 && (self.rest().starts_with(b"---") || self.rest().starts_with(b"...")) && self.is_gap(3)
    }

    /// Over one character.
    #[inline]
    pub(super) fn skip(&mut self) {
        let width = width(self.peek(0));
        self.at += width;
        self.wide += width - 1;
    }

    /// Over `bytes` bytes of whole characters, none of them a line break.
    pub(super) fn skip_run(&mut self, bytes: usize) {
        let run = self.bytes.get(self.at..self.at + bytes).unwrap_or_default();
        self.wide += run.iter().filter(|&&b| b & 0xc0 == 0x80).count();
        self.at += bytes;
    }

    /// Over `bytes` bytes of whole characters, none of them a line break, `wide` of which continue a character.
    pub(super) fn skip_known(&mut self, bytes: usize, wide: usize) {
        self.at += bytes;
        self.wide += wide;
    }

    /// Over spaces, `most` at most.
    #[inline]
    pub(super) fn skip_spaces(&mut self, most: usize) {
        let ahead = self.rest();
        let ahead = ahead.get(..most).unwrap_or(ahead);
        self.at += ahead.iter().position(|&byte| byte != b' ').unwrap_or(ahead.len());
    }

    /// Over spaces and tabs.
    pub(super) fn skip_blanks(&mut self) {
        while is_blank(self.peek(0)) {
            self.at += 1;
        }
    }

    /// Over the rest of the line.
    pub(super) fn skip_to_line_end(&mut self) {
        let length = self.line_length();
        self.skip_run(length);
    }

    /// The bytes before the end of this line. Looks no further than twice that far, whatever ends the lines of the text.
    pub(super) fn line_length(&self) -> usize {
        let rest = self.rest();
        let mut from = 0;
        let mut window = 64;
        while from < rest.len() {
            let piece = rest.get(from..(from + window).min(rest.len())).unwrap_or_default();
            let end = memchr::memchr2(b'\n', b'\r', piece);
            let line = piece.get(..end.unwrap_or(piece.len())).unwrap_or_default();
            if let Some(found) = memchr::memchr2_iter(0xc2, 0xe2, line).find(|&at| self.is_break(from + at)) {
                return from + found;
            }
            if let Some(end) = end {
                return from + end;
            }
            from += piece.len();
            window *= 2;
        }
        rest.len()
    }

    /// Over one line break, if one stands here.
    #[inline]
    pub(super) fn skip_line(&mut self) {
        let width = if self.peek(0) == b'\r' && self.peek(1) == b'\n' { 2 } else { self.break_width(0) };
        if width > 0 {
            self.at += width;
            self.line += 1;
            self.line_start = self.at;
            self.wide = 0;
        }
    }

    /// Over one line break, keeping what it means: a line feed, or one of the two separators that stay themselves.
    pub(super) fn read_line(&mut self, into: &mut String) {
        match self.break_width(0) {
            0 => {}
            3 => into.push_str(self.slice(self.at, self.at + 3)),
            _ => into.push('\n'),
        }
        self.skip_line();
    }

    /// The end of the text ends a line.
    pub(super) fn end_line(&mut self) {
        if self.column() != 0 {
            self.line += 1;
            self.line_start = self.at;
            self.wide = 0;
        }
    }

    /// Begin here: what stands before is no part of the text.
    pub(super) fn start_here(&mut self) {
        self.line_start = self.at;
        self.wide = 0;
    }
}
