//! A report as a tree of text, and its lines.

use std::fmt;

/// How a piece of text stands to the two sides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mode {
    Unknown,
    Identical,
    Removed,
    Inserted,
}

/// Counts of what a list leaves out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Stats {
    pub(super) name: &'static str,
    pub(super) identical: usize,
    pub(super) removed: usize,
    pub(super) inserted: usize,
    pub(super) modified: usize,
}

impl Stats {
    pub(super) fn of(name: &'static str) -> Self {
        Self { name, ..Self::default() }
    }

    pub(super) fn different(&self) -> usize {
        self.removed + self.inserted + self.modified
    }

    pub(super) fn is_zero(&self) -> bool {
        self.different() + self.identical == 0
    }

    #[must_use]
    pub(super) fn plus(mut self, other: &Self) -> Self {
        self.identical += other.identical;
        self.removed += other.removed;
        self.inserted += other.inserted;
        self.modified += other.modified;
        self
    }
}

impl fmt::Display for Stats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let counts =
            [(self.identical, "identical"), (self.removed, "removed"), (self.inserted, "inserted"), (self.modified, "modified")];
        let parts: Vec<String> = counts.iter().filter(|(n, _)| *n > 0).map(|(n, label)| format!("{n} {label}")).collect();
        let total: usize = counts.iter().map(|(n, _)| n).sum();
        let name = match (self.name, total) {
            (name, 0 | 1) => name.to_owned(),
            ("entry", _) => "entries".to_owned(),
            (name, _) => format!("{name}s"),
        };
        match parts.split_last() {
            None => Ok(()),
            Some((last, rest)) if rest.len() > 1 => write!(f, "{}, and {last} {name}", rest.join(", ")),
            Some(_) => write!(f, "{} {name}", parts.join(" and ")),
        }
    }
}

/// What stands behind a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Comment {
    None,
    Stats(Stats),
    Words(String),
}

/// An item of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Record {
    pub(super) mode: Mode,
    pub(super) key: String,
    pub(super) value: Text,
    pub(super) comma: bool,
    pub(super) comment: Comment,
}

impl Record {
    pub(super) fn new(mode: Mode, key: impl Into<String>, value: Text) -> Self {
        Self { mode, key: key.into(), value, comma: true, comment: Comment::None }
    }

    /// A line of a text that is shown line by line.
    pub(super) fn line(mode: Mode, text: impl Into<String>) -> Self {
        Self { comma: false, ..Self::new(mode, "", Text::line(text)) }
    }
}

/// A tree of text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Text {
    Line(String),
    List(Vec<Record>),
    Wrap { prefix: String, inner: Box<Text>, suffix: String },
}

/// What stands for what is left out.
pub(super) const ELLIPSIS: &str = "...";

/// From which length on a removed or inserted list is shown line by line.
const LONG: usize = 80;

impl Text {
    pub(super) fn line(text: impl Into<String>) -> Self {
        Self::Line(text.into())
    }

    pub(super) fn nil() -> Self {
        Self::line("nil")
    }

    pub(super) fn wrap(prefix: impl Into<String>, inner: Self, suffix: impl Into<String>) -> Self {
        Self::Wrap { prefix: prefix.into(), inner: Box::new(inner), suffix: suffix.into() }
    }

    pub(super) fn braces(records: Vec<Record>) -> Self {
        Self::wrap("{", Self::List(records), "}")
    }

    /// The text in parentheses, unless it has some, or braces.
    pub(super) fn in_parentheses(self) -> Self {
        if let Self::Wrap { prefix, suffix, .. } = &self {
            if (prefix.starts_with('(') && suffix.ends_with(')')) || (prefix.starts_with('{') && suffix.ends_with('}')) {
                return self;
            }
        }
        Self::wrap("(", self, ")")
    }

    /// The length of the text in one line.
    pub(super) fn len(&self) -> usize {
        match self {
            Self::Line(line) => line.len(),
            Self::Wrap { prefix, inner, suffix } => prefix.len() + inner.len() + suffix.len(),
            Self::List(records) => {
                let keys: usize =
                    records.iter().map(|r| if r.key.is_empty() { 0 } else { r.key.len() + 2 } + r.value.len()).sum();
                keys + 2 * records.len().saturating_sub(1)
            }
        }
    }

    /// The lines of the tree.
    pub(super) fn into_string(self) -> String {
        let (_, text) = self.compact(0);
        let mut out = String::new();
        indent(&mut out, 0, 0);
        text.expand(&mut out, 0, 0);
        out.push('\n');
        out
    }

    /// The text in one line, and the tree with all that fits in one line in one.
    fn compact(self, mode: u8) -> (String, Self) {
        match self {
            Self::Line(line) => (line.clone(), Self::Line(line)),
            Self::Wrap { prefix, inner, suffix } => {
                let (line, inner) = inner.compact(mode);
                let line = format!("{prefix}{line}{suffix}");
                match inner {
                    Self::Line(_) => (line.clone(), Self::Line(line)),
                    inner => (line, Self::wrap(prefix, inner, suffix)),
                }
            }
            Self::List(records) => {
                let mut line = String::new();
                let mut many = false;
                let last = records.len().saturating_sub(1);
                let mut compacted = Vec::with_capacity(records.len());
                for (n, record) in records.into_iter().enumerate() {
                    many |= matches!(record.mode, Mode::Removed | Mode::Inserted) || record.comment != Comment::None;
                    if !record.key.is_empty() {
                        line.push_str(&record.key);
                        line.push_str(": ");
                    }
                    let (text, value) = record.value.compact(mode | bits(record.mode));
                    line.push_str(&text);
                    many |= !matches!(value, Self::Line(_));
                    if n < last {
                        line.push_str(", ");
                    }
                    compacted.push(Record { value, ..record });
                }
                many |= (mode == b'-' || mode == b'+') && line.len() > LONG;
                if many { (line, Self::List(compacted)) } else { (line.clone(), Self::Line(line)) }
            }
        }
    }

    fn expand(&self, out: &mut String, mode: u8, depth: usize) {
        match self {
            Self::Line(line) => out.push_str(line),
            Self::Wrap { prefix, inner, suffix } => {
                out.push_str(prefix);
                inner.expand(out, mode, depth);
                out.push_str(suffix);
            }
            Self::List(records) => {
                if let Some(last) = records.last() {
                    let simple = |r: &Record| {
                        r.mode == Mode::Unknown
                            && r.key.is_empty()
                            && matches!(r.value, Self::Line(_))
                            && r.comment == Comment::None
                    };
                    if simple(last) && records.iter().all(simple) {
                        batches(records, out, mode, depth);
                        return;
                    }
                }
                for record in records {
                    let mode = mode | bits(record.mode);
                    out.push('\n');
                    indent(out, mode, depth + 1);
                    if !record.key.is_empty() {
                        out.push_str(&record.key);
                        out.push_str(": ");
                    }
                    record.value.expand(out, mode, depth + 1);
                    if record.comma {
                        out.push(',');
                    }
                    match &record.comment {
                        Comment::None => {}
                        Comment::Stats(stats) => out.push_str(&format!(" // {stats}")),
                        Comment::Words(words) => out.push_str(&format!(" // {words}")),
                    }
                }
                out.push('\n');
                indent(out, mode, depth);
            }
        }
    }
}

/// Several short items a line.
fn batches(records: &[Record], out: &mut String, mode: u8, depth: usize) {
    let mut batch = String::new();
    let emit = |batch: &mut String, out: &mut String| {
        if !batch.is_empty() {
            out.push('\n');
            indent(out, mode, depth + 1);
            out.push_str(batch.trim_end_matches(' '));
            batch.clear();
        }
    };
    for record in records {
        if let Text::Line(line) = &record.value {
            if batch.len() + line.len() + 2 > LONG {
                emit(&mut batch, out);
            }
            batch.push_str(line);
            batch.push_str(", ");
        }
    }
    emit(&mut batch, out);
    out.push('\n');
    indent(out, mode, depth);
}

fn bits(mode: Mode) -> u8 {
    match mode {
        Mode::Unknown => 0,
        Mode::Identical => b' ',
        Mode::Removed => b'-',
        Mode::Inserted => b'+',
    }
}

fn indent(out: &mut String, mode: u8, depth: usize) {
    match mode {
        0 | b' ' => out.push_str("  "),
        b'-' => out.push_str("- "),
        b'+' => out.push_str("+ "),
        _ => {}
    }
    out.extend(std::iter::repeat_n('\t', depth));
}

/// Adds what stands for something left out, unless it stands there already.
pub(super) fn leave_out(records: &mut Vec<Record>, stats: Option<Stats>) {
    let stats = stats.filter(|stats| !stats.is_zero());
    match records.last_mut() {
        Some(last) if !last.comma && last.value == Text::line(ELLIPSIS) => {
            if let (Some(stats), Comment::Stats(sum)) = (stats, &last.comment) {
                last.comment = Comment::Stats(sum.plus(&stats));
            }
        }
        _ => {
            let comment = stats.map_or(Comment::None, Comment::Stats);
            records.push(Record { comma: false, comment, ..Record::new(Mode::Unknown, "", Text::line(ELLIPSIS)) });
        }
    }
}
