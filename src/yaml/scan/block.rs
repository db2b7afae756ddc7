//! Block scalars: `|` and `>`.

use std::borrow::Cow;

use crate::yaml::chars::is_blank;

use super::Style;
use super::scanner::{Outcome, Scanner};

/// What becomes of a line break inside a block scalar.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fold {
    /// `|`: it stays.
    Keep,
    /// `>`: it becomes a space.
    Join,
}

/// What becomes of the line breaks at the end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Chomp {
    Strip,
    Clip,
    Keep,
}

impl Scanner<'_> {
    pub(super) fn fetch_block_scalar(&mut self, fold: Fold) -> Outcome<()> {
        self.remove_key()?;
        self.key_allowed = true;
        let start = self.cursor.mark();
        self.cursor.at += 1;
        let (chomp, increment) = self.scan_block_header()?;
        let mut end = self.cursor.mark();
        let mut indent = if increment > 0 { self.indent.max(0) + increment } else { 0 };

        let mut text = String::new();
        let mut first = String::new();
        let mut more = String::new();
        self.scan_block_breaks(&mut indent, &mut more, &mut end)?;
        let mut after_blank = false;
        while self.cursor.column() == indent && self.cursor.peek(0) != 0 {
            // A line that begins with a blank is not joined, neither to the one before nor to the one after.
            let blank = is_blank(self.cursor.peek(0));
            if fold == Fold::Join && !after_blank && !blank && first.starts_with('\n') {
                if more.is_empty() {
                    text.push(' ');
                }
            } else {
                text.push_str(&first);
            }
            first.clear();
            text.push_str(&more);
            more.clear();
            after_blank = blank;

            let from = self.cursor.at;
            self.cursor.skip_to_line_end();
            text.push_str(self.cursor.slice(from, self.cursor.at));
            self.cursor.read_line(&mut first);
            self.scan_block_breaks(&mut indent, &mut more, &mut end)?;
        }
        if chomp != Chomp::Strip {
            text.push_str(&first);
        }
        if chomp == Chomp::Keep {
            text.push_str(&more);
        }
        self.push_scalar(Cow::Owned(text), Style::Quoted, start, end);
        Ok(())
    }

    /// What follows `|` or `>` on its line: `+`, `-`, a number, in either order.
    fn scan_block_header(&mut self) -> Outcome<(Chomp, i32)> {
        let mut chomp = self.scan_chomp();
        let mut increment = 0;
        if self.cursor.peek(0).is_ascii_digit() {
            if self.cursor.peek(0) == b'0' {
                return Err(self.error("found an indentation indicator equal to 0"));
            }
            increment = i32::from(self.cursor.peek(0) - b'0');
            self.cursor.at += 1;
            if chomp.is_none() {
                chomp = self.scan_chomp();
            }
        }
        self.cursor.skip_blanks();
        if self.cursor.peek(0) == b'#' {
            self.cursor.skip_to_line_end();
        }
        if !self.cursor.is_line_end(0) {
            return Err(self.error("did not find expected comment or line break"));
        }
        self.cursor.skip_line();
        Ok((chomp.unwrap_or(Chomp::Clip), increment))
    }

    fn scan_chomp(&mut self) -> Option<Chomp> {
        let chomp = match self.cursor.peek(0) {
            b'+' => Chomp::Keep,
            b'-' => Chomp::Strip,
            _ => return None,
        };
        self.cursor.at += 1;
        Some(chomp)
    }

    /// Over indentation and empty lines. The first line that is not empty sets the indentation, where it was not given; yet a longer
    /// empty line before it counts too.
    fn scan_block_breaks(&mut self, indent: &mut i32, breaks: &mut String, end: &mut super::Mark) -> Outcome<()> {
        *end = self.cursor.mark();
        let mut widest = 0;
        loop {
            let most = if *indent == 0 { i32::MAX } else { *indent - self.cursor.column() };
            self.cursor.skip_spaces(usize::try_from(most).unwrap_or(0));
            let column = self.cursor.column();
            widest = widest.max(column);
            if (*indent == 0 || column < *indent) && self.cursor.peek(0) == b'\t' {
                return Err(self.error("found a tab character where an indentation space is expected"));
            }
            if !self.cursor.is_break(0) {
                break;
            }
            self.cursor.read_line(breaks);
            *end = self.cursor.mark();
        }
        if *indent == 0 {
            *indent = widest.max(self.indent + 1).max(1);
        }
        Ok(())
    }
}
