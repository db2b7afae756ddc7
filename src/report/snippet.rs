//! A finding with the text that it speaks of, under a caret.

use crate::finding::{Finding, Label, Level};
use crate::place::Place;
use miette::{Diagnostic, GraphicalReportHandler, GraphicalTheme, LabeledSpan, NamedSource, Severity, SourceCode};
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
    text
}

#[derive(Debug)]
struct Shown<'a> {
    finding: &'a Finding,
    source: Option<NamedSource<Arc<str>>>,
    labels: Vec<LabeledSpan>,
    related: Vec<Elsewhere>,
    help: Option<String>,
}

impl<'a> Shown<'a> {
    fn new(finding: &'a Finding, sources: &Sources) -> Self {
        let text = finding.path.as_ref().and_then(|p| sources.get(p).map(|t| (p, t)));
        let mut labels = Vec::new();
        let mut related = Vec::new();
        let mut more = Vec::new();
        if let (Some((_, text)), Some(place)) = (text, finding.place) {
            labels.push(LabeledSpan::new_primary_with_span(None, span(text, place)));
        }
        for label in &finding.labels {
            match (text, sources.get(&label.path)) {
                (Some((path, text)), _) if *path == label.path => {
                    labels.push(LabeledSpan::new_with_span(Some(label.text.clone()), span(text, label.place)));
                }
                (_, Some(text)) => related.push(Elsewhere::new(label, text)),
                _ => more.push(format!("{}:{}: {}", label.path, label.place.line, label.text)),
            }
        }
        let help = finding.help.iter().cloned().chain(more).collect::<Vec<_>>().join("\n");
        let source = text.map(|(path, text)| NamedSource::new(path, Arc::clone(text)));
        Self { finding, source, labels, related, help: (!help.is_empty()).then_some(help) }
    }
}

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.finding.message)
    }
}

impl std::error::Error for Shown<'_> {}

impl Diagnostic for Shown<'_> {
    fn code<'b>(&'b self) -> Option<Box<dyn fmt::Display + 'b>> {
        let extension = self.finding.extension.as_ref().map(|e| format!(" ({e})")).unwrap_or_default();
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
        self.source.as_ref().filter(|_| !self.labels.is_empty()).map(|s| s as &dyn SourceCode)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        (!self.labels.is_empty()).then(|| Box::new(self.labels.iter().cloned()) as Box<dyn Iterator<Item = LabeledSpan>>)
    }

    fn related<'b>(&'b self) -> Option<Box<dyn Iterator<Item = &'b dyn Diagnostic> + 'b>> {
        (!self.related.is_empty())
            .then(|| Box::new(self.related.iter().map(|e| e as &dyn Diagnostic)) as Box<dyn Iterator<Item = &dyn Diagnostic>>)
    }
}

/// A label in another file.
#[derive(Debug)]
struct Elsewhere {
    text: String,
    source: NamedSource<Arc<str>>,
    label: LabeledSpan,
}

impl Elsewhere {
    fn new(label: &Label, text: &Arc<str>) -> Self {
        Self {
            text: label.text.clone(),
            source: NamedSource::new(&label.path, Arc::clone(text)),
            label: LabeledSpan::new_primary_with_span(None, span(text, label.place)),
        }
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
        Some(Box::new(std::iter::once(self.label.clone())))
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

/// The bytes of a place. Only its first line is marked: a caret under a whole block helps nobody.
fn span(text: &str, place: Place) -> (usize, usize) {
    let line = usize::try_from(place.line.saturating_sub(1)).unwrap_or(usize::MAX);
    let start_of_line: usize = text.split_inclusive('\n').take(line).map(str::len).sum();
    let rest = text.get(start_of_line..).unwrap_or_default();
    let line_text = rest.split(['\n', '\r']).next().unwrap_or_default();
    let column = |c: u32| {
        let n = usize::try_from(c.saturating_sub(1)).unwrap_or(usize::MAX);
        line_text.char_indices().nth(n).map_or(line_text.len(), |(at, _)| at)
    };
    let start = column(place.column);
    let end = if place.end_line == place.line { column(place.end_column) } else { line_text.trim_end().len() };
    (start_of_line + start, end.saturating_sub(start).max(1).min(rest.len().saturating_sub(start)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(line: u32, column: u32, end_line: u32, end_column: u32) -> Place {
        Place { line, column, end_line, end_column }
    }

    #[test]
    fn places_become_bytes() {
        let text = "a: é1\r\nbcd: x\n";
        assert_eq!(span(text, place(1, 4, 1, 6)), (3, 3));
        assert_eq!(span(text, place(2, 1, 2, 4)), (8, 3));
        assert_eq!(span(text, place(1, 1, 2, 4)), (0, 6));
        assert_eq!(span(text, place(9, 9, 9, 9)), (text.len(), 0));
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
