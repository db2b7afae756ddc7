//! A finding with the text that it speaks of, under a caret.

use super::printable::{printable, printable_lines};
use crate::finding::{Finding, Label, Level};
use crate::place::Place;
use miette::{Diagnostic, GraphicalReportHandler, GraphicalTheme, LabeledSpan, Severity, SourceCode};
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

/// The texts of the files that findings name, by path.
pub type Sources = BTreeMap<String, Arc<str>>;

/// How text is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Style {
    /// Whether there are colours.
    pub color: bool,
    /// How many columns there are.
    pub width: usize,
}

/// Draws one finding.
pub fn draw(finding: &Finding, sources: &Sources, style: Style) -> String {
    let theme = if style.color { GraphicalTheme::unicode() } else { GraphicalTheme::unicode_nocolor() };
    let handler = GraphicalReportHandler::new_themed(theme).with_width(style.width).with_links(false).with_context_lines(1);
    let mut text = String::new();
    let shown = Shown::new(finding, sources);
    // Writing to a string does not fail.
    let _ = handler.render_report(&mut text, &shown);
    // The heading of a place says nothing that its mark does not.
    text.replace("Advice: \n", "")
}

#[derive(Debug)]
struct Shown<'a> {
    finding: &'a Finding,
    message: String,
    source: Option<Excerpt>,
    related: Vec<Elsewhere>,
    help: Option<String>,
}

impl<'a> Shown<'a> {
    fn new(finding: &'a Finding, sources: &Sources) -> Self {
        let own = finding.path.as_ref().and_then(|p| sources.get(p).map(|t| (p, t)));
        let source = own.zip(finding.place).map(|((path, text), place)| Excerpt::new(path, text, place));
        let mut related = Vec::new();
        let mut more = Vec::new();
        for label in &finding.labels {
            match sources.get(&label.name()) {
                Some(text) => related.push(Elsewhere::new(label, text)),
                None => more.push(label.to_string()),
            }
        }
        let help = finding.help.iter().cloned().chain(more).collect::<Vec<_>>().join("\n");
        let help = (!help.is_empty()).then(|| printable_lines(&help).into_owned());
        Self { finding, message: printable_lines(&finding.message).into_owned(), source, related, help }
    }
}

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Shown<'_> {}

impl Diagnostic for Shown<'_> {
    fn code<'b>(&'b self) -> Option<Box<dyn fmt::Display + 'b>> {
        let extension = self.finding.extension.as_ref().map(|e| format!(" ({})", printable(e))).unwrap_or_default();
        Some(Box::new(format!("{}[{}]{extension}", level_name(self.finding.level), self.finding.rule)))
    }

    fn severity(&self) -> Option<Severity> {
        Some(match self.finding.level {
            Level::Error => Severity::Error,
            Level::Warning => Severity::Warning,
            Level::Note => Severity::Advice,
        })
    }

    fn help<'b>(&'b self) -> Option<Box<dyn fmt::Display + 'b>> {
        self.help.as_ref().map(|h| Box::new(h) as Box<dyn fmt::Display>)
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        self.source.as_ref().map(|s| s as &dyn SourceCode)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        self.source.as_ref().map(|s| Box::new(std::iter::once(s.label())) as Box<dyn Iterator<Item = LabeledSpan>>)
    }

    fn related<'b>(&'b self) -> Option<Box<dyn Iterator<Item = &'b dyn Diagnostic> + 'b>> {
        (!self.related.is_empty())
            .then(|| Box::new(self.related.iter().map(|e| e as &dyn Diagnostic)) as Box<dyn Iterator<Item = &dyn Diagnostic>>)
    }
}

/// A label in another place.
#[derive(Debug)]
struct Elsewhere {
    text: String,
    source: Excerpt,
}

impl Elsewhere {
    fn new(label: &Label, text: &str) -> Self {
        Self { text: printable(&label.text).into_owned(), source: Excerpt::new(&label.name(), text, label.place) }
    }
}

impl fmt::Display for Elsewhere {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl std::error::Error for Elsewhere {}

impl Diagnostic for Elsewhere {
    fn severity(&self) -> Option<Severity> {
        Some(Severity::Advice)
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        Some(&self.source)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        Some(Box::new(std::iter::once(self.source.label())))
    }
}

/// The level's name, as every output writes it.
pub fn level_name(level: Level) -> &'static str {
    match level {
        Level::Error => "error",
        Level::Warning => "warning",
        Level::Note => "note",
    }
}

/// A place with the line before and the line after it, long lines cropped, nothing in it that a terminal would obey.
///
/// miette draws columns up to 65,535 and reads all of a text to find a line; neither is for a minified list of 20 MB.
#[derive(Debug)]
struct Excerpt {
    name: String,
    text: String,
    /// The line that the excerpt starts at, from 0.
    line: usize,
    /// What is marked, in the excerpt.
    span: (usize, usize),
    /// The line and column of the mark in the whole text, from 0.
    place: (usize, usize),
}

impl Excerpt {
    /// How many characters of a line are shown before the mark, and how many from there on.
    const AROUND: (usize, usize) = (40, 120);

    fn new(path: &str, text: &str, place: Place) -> Self {
        let number = usize::try_from(place.line.saturating_sub(1)).unwrap_or(usize::MAX);
        let start = line_start(text, number);
        let line = first_line(text.get(start..).unwrap_or_default());
        let first = usize::try_from(place.column.saturating_sub(1)).unwrap_or(usize::MAX);
        let last = if place.end_line == place.line {
            usize::try_from(place.end_column.saturating_sub(1)).unwrap_or(usize::MAX)
        } else {
            usize::MAX
        };
        let (shown, mark) = crop(line, first, last);
        let before = (number > 0).then(|| crop(last_line(text.get(..start.saturating_sub(1)).unwrap_or_default()), 0, 0).0);
        let after_start = start + line.len();
        let rest = text.get(after_start..).unwrap_or_default();
        let after = rest.strip_prefix("\r\n").or_else(|| rest.strip_prefix('\n')).filter(|r| !r.is_empty());
        let mut excerpt = String::new();
        if let Some(before) = &before {
            excerpt.push_str(before);
            excerpt.push('\n');
        }
        let offset = excerpt.len();
        excerpt.push_str(&shown);
        if let Some(after) = after {
            excerpt.push('\n');
            excerpt.push_str(&crop(first_line(after), 0, 0).0);
        }
        Self {
            name: printable(path).into_owned(),
            text: excerpt,
            line: number - usize::from(before.is_some()),
            span: (offset + mark.0, mark.1),
            place: (number, first),
        }
    }

    fn label(&self) -> LabeledSpan {
        LabeledSpan::new_primary_with_span(None, self.span)
    }
}

impl SourceCode for Excerpt {
    fn read_span<'a>(
        &'a self,
        span: &miette::SourceSpan,
        lines_before: usize,
        lines_after: usize,
    ) -> Result<Box<dyn miette::SpanContents<'a> + 'a>, miette::MietteError> {
        // The header asks for the mark alone, to tell its line and column; the drawing asks for the lines around it.
        let (span, (line, column)) = match (lines_before, lines_after) {
            (0, 0) => (*span, self.place),
            _ => (miette::SourceSpan::from((0, self.text.len())), (self.line, 0)),
        };
        let lines = self.text.lines().count();
        Ok(Box::new(miette::MietteSpanContents::new_named(self.name.clone(), self.text.as_bytes(), span, line, column, lines)))
    }
}

/// Where a line begins, by its number from 0; the end of the text where there is no such line.
fn line_start(text: &str, number: usize) -> usize {
    match number {
        0 => 0,
        n => memchr::memchr_iter(b'\n', text.as_bytes()).nth(n - 1).map_or(text.len(), |at| at + 1),
    }
}

fn first_line(text: &str) -> &str {
    text.split('\n').next().unwrap_or_default().trim_end_matches('\r')
}

fn last_line(text: &str) -> &str {
    text.rsplit('\n').next().unwrap_or_default().trim_end_matches('\r')
}

/// A line around the characters `first` to `last`, and where these are in it, in bytes.
fn crop(line: &str, first: usize, last: usize) -> (String, (usize, usize)) {
    let (left, right) = Excerpt::AROUND;
    let from = first.saturating_sub(left);
    let mut shown = String::new();
    let mut mark = (None, 0);
    if from > 0 {
        shown.push('…');
    }
    let mut count = from;
    for (n, c) in line.chars().enumerate().skip(from).take(left + right) {
        if n == first {
            mark.0 = Some(shown.len());
        }
        shown.push_str(&printable(c.encode_utf8(&mut [0; 4])));
        if n < last {
            mark.1 = shown.len();
        }
        count = n + 1;
    }
    let start = mark.0.unwrap_or(shown.len());
    let end = mark.1.max(start);
    if line.chars().nth(count).is_some() {
        shown.push('…');
    }
    (shown, (start, end.saturating_sub(start).max(usize::from(start < end))))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(line: u32, column: u32, end_line: u32, end_column: u32) -> Place {
        Place { line, column, end_line, end_column }
    }

    #[track_caller]
    fn marked(text: &str, place: Place) -> String {
        let excerpt = Excerpt::new("a", text, place);
        excerpt.text[excerpt.span.0..excerpt.span.0 + excerpt.span.1].to_owned()
    }

    #[test]
    fn the_mark_is_what_stands_at_the_place() {
        let text = "a: é1\r\nbcd: x\n";
        assert_eq!(marked(text, place(1, 4, 1, 6)), "é1");
        assert_eq!(marked(text, place(2, 1, 2, 4)), "bcd");
        assert_eq!(marked(text, place(1, 1, 2, 4)), "a: é1");
        assert_eq!(marked(text, place(9, 9, 9, 9)), "");
        let long = format!("{{\"a\": \"{}\", \"b\": 1}}", "x".repeat(100_000));
        let excerpt = Excerpt::new("a", &long, place(1, 100_011, 1, 100_014));
        assert_eq!(&excerpt.text[excerpt.span.0..excerpt.span.0 + excerpt.span.1], "\"b\"");
        assert!(excerpt.text.len() < 300 && excerpt.text.starts_with('…'), "{}", excerpt.text);
        assert_eq!(excerpt.place, (0, 100_010));
    }

    #[test]
    fn nothing_foreign_is_obeyed() {
        let mut finding = Finding::new("unknown-kind", Level::Error, "bad\u{1b}[31m");
        finding.path = Some("a\u{1b}.yaml".to_owned());
        finding.place = Some(place(1, 1, 1, 2));
        finding.extension = Some("x\n::error".to_owned());
        let sources = Sources::from([("a\u{1b}.yaml".to_owned(), "k\u{0}: \u{9b}31m\n".into())]);
        let shown = draw(&finding, &sources, Style { color: false, width: 80 });
        assert!(!shown.contains(|c: char| c.is_control() && c != '\n') && !shown.contains("\n::"), "{shown:?}");
    }

    #[test]
    fn the_text_stands_under_the_message() {
        let mut finding = Finding::new("unresolved-extension", Level::Error, "no bundles found");
        finding.path = Some("a.yaml".to_owned());
        finding.place = Some(place(2, 3, 2, 4));
        finding.help = Some("ask for less".to_owned());
        let sources = Sources::from([("a.yaml".to_owned(), "x: 1\ny: 2\n".into())]);
        let shown = draw(&finding, &sources, Style { color: false, width: 80 });
        assert!(
            shown.contains("error[unresolved-extension]") && shown.contains("a.yaml:2:3") && shown.contains("ask for less"),
            "{shown}"
        );
        assert!(!shown.contains('\u{1b}'), "{shown}");
    }
}
