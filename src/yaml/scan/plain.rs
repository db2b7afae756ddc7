//! Scalars without quotes.

use std::borrow::Cow;

use crate::yaml::chars::{Class, class, is_blank, width};

use super::Style;
use super::scanner::{Outcome, Scanner};

/// The line breaks between two lines of a scalar, and what they fold to.
#[derive(Debug, Default)]
pub(super) struct Breaks {
    /// The first break.
    pub(super) first: String,
    /// The breaks after it.
    pub(super) more: String,
}

impl Breaks {
    /// One line break becomes a space, several become one less; the two Unicode separators stay.
    pub(super) fn fold_into(&mut self, text: &mut String) {
        if self.first.starts_with('\n') {
            if self.more.is_empty() {
                text.push(' ');
            } else {
                text.push_str(&self.more);
            }
        } else {
            text.push_str(&self.first);
            text.push_str(&self.more);
        }
        self.first.clear();
        self.more.clear();
    }
}

impl Scanner<'_> {
    pub(super) fn scan_plain(&mut self) -> Outcome<()> {
        let start = self.cursor.mark();
        let from = self.cursor.at;
        let mut end = start;
        let mut to = from;
        // Only a scalar of several lines differs from what is written.
        let mut folded: Option<String> = None;
        let mut breaks = Breaks::default();
        let mut at_line_start = false;
        let indent = self.indent + 1;
        let flow = self.flow_level() > 0;
        loop {
            self.needs(4)?;
            if self.cursor.is_document_indicator() || self.cursor.peek(0) == b'#' {
                break;
            }
            let run = self.cursor.at;
            self.skip_plain_run(flow);
            if self.cursor.at > run {
                if at_line_start {
                    let text = folded.get_or_insert_with(|| self.cursor.slice(from, to).to_owned());
                    breaks.fold_into(text);
                    at_line_start = false;
                } else if let Some(text) = &mut folded {
                    text.push_str(self.cursor.slice(to, run));
                }
                if let Some(text) = &mut folded {
                    text.push_str(self.cursor.slice(run, self.cursor.at));
                }
                to = self.cursor.at;
                end = self.cursor.mark();
            }
            if !is_blank(self.cursor.peek(0)) && !self.cursor.is_break(0) {
                break;
            }
            loop {
                self.cursor.skip_spaces(usize::MAX);
                if self.cursor.peek(0) == b'\t' {
                    if at_line_start && self.cursor.column() < indent {
                        return Err(self.error("found a tab character that violates indentation"));
                    }
                    self.cursor.at += 1;
                } else if self.cursor.is_break(0) {
                    self.cursor.read_line(if at_line_start { &mut breaks.more } else { &mut breaks.first });
                    at_line_start = true;
                } else {
                    break;
                }
            }
            if !flow && self.cursor.column() < indent {
                break;
            }
        }
        let value = match folded {
            Some(text) => Cow::Owned(text),
            None => Cow::Borrowed(self.cursor.slice(from, to)),
        };
        self.push_scalar(value, Style::Plain, start, end);
        if at_line_start {
            self.key_allowed = true;
        }
        Ok(())
    }

    /// Over the characters up to the last before a line break, a comment, or an indicator that ends a plain scalar. Blanks inside a
    /// line are part of the text.
    fn skip_plain_run(&mut self, flow: bool) {
        let rest = self.cursor.rest();
        let mut at = 0;
        let mut end = 0;
        let mut wide = 0;
        loop {
            let ahead = rest.get(at..).unwrap_or_default();
            let words = ahead.iter().position(|&byte| class(byte) != Class::Word).unwrap_or(ahead.len());
            if words > 0 {
                at += words;
                end = at;
            }
            let byte = rest.get(at).copied().unwrap_or(0);
            match class(byte) {
                Class::Word | Class::End => break,
                Class::Blank => {
                    while rest.get(at).copied().is_some_and(is_blank) {
                        at += 1;
                    }
                    if rest.get(at) == Some(&b'#') {
                        break;
                    }
                    continue;
                }
                Class::Colon if self.cursor.is_gap(at + 1) => break,
                Class::Flow if flow => break,
                Class::Wide if self.cursor.is_break(at) => break,
                Class::Colon | Class::Flow => at += 1,
                Class::Wide => {
                    at += width(byte);
                    wide += width(byte) - 1;
                }
            }
            end = at;
        }
        self.cursor.skip_known(end, wide);
    }
}
