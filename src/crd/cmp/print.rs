//! One Go value -> text.

use super::dump::dump;
use super::report::{Context, Options, TypeMode};
use super::text::{Comment, ELLIPSIS, Mode, Record, Text, leave_out};
use super::value::{Kind, Type, Value};
use crate::go::{float, is_print, is_space, quote};

impl Options {
    /// The text with its type before it, where the options ask for it.
    pub(super) fn typed(self, of: &Type, text: Text) -> Text {
        match self.type_mode {
            TypeMode::Elide => return text,
            TypeMode::Auto => {
                let composite = matches!(of.kind(), Kind::Struct | Kind::Slice | Kind::Map);
                if !composite || text == Text::nil() || self.mode == Mode::Identical {
                    return text;
                }
            }
            TypeMode::Emit => {}
        }
        let name = if of.kind() == Kind::Pointer { format!("({})", of.name()) } else { of.name() };
        Text::wrap(name, text.in_parentheses(), "")
    }

    /// How many items of a value are shown: 0, 4, 8, 16 ...
    fn most(self, all: usize) -> usize {
        if self.limited { ((1usize << self.level()) >> 1) << 2 } else { all }
    }

    /// A value.
    pub(super) fn value<'a>(self, of: &'static Type, value: &Value<'a>, parent: Option<Kind>, context: &Context<'a, '_>) -> Text {
        if !context.budget.spend(1) {
            return Text::nil();
        }
        if let (false, Value::Pointer(Some(to))) = (self.avoid_stringer, value)
            && let Value::Struct(inner) = &**to
        {
            return self.string("s", &dump(inner, context.schemas, context.addresses));
        }
        let inner = Self { verbosity: self.verbosity - i32::from(self.limited), ..self };
        let text = match value {
            Value::Bool(flag) => Text::line(flag.to_string()),
            Value::Int(number) => Text::line(number.to_string()),
            Value::Float(number) => Text::line(float::general(*number)),
            Value::Byte(byte) if parent == Some(Kind::Slice) => Text::line(format!("{byte:#04x}")),
            Value::Byte(byte) => Text::line(byte.to_string()),
            Value::Text(text) => self.string("", text),
            Value::Nil | Value::Pointer(None) => Text::nil(),
            Value::Pointer(Some(to)) => return Text::wrap("&", self.value(of.element(), to, Some(Kind::Pointer), context), ""),
            Value::Bytes(bytes) => match std::str::from_utf8(bytes) {
                Ok(text) if !text.is_empty() && ends_printable(text) => self.string("", text),
                _ => {
                    let bytes: Vec<Value<'_>> = bytes.iter().map(|byte| Value::Byte(*byte)).collect();
                    self.list(of, &bytes, inner, context)
                }
            },
            Value::List(items) => self.list(of, items, inner, context),
            Value::Struct(structure) => {
                let mut records = Vec::new();
                for field in structure.fields(context.schemas) {
                    if field.value.is_zero() {
                        continue;
                    }
                    if records.len() == self.most(usize::MAX) {
                        leave_out(&mut records, None);
                        break;
                    }
                    let text = inner.with_type(TypeMode::Auto).value(field.of, &field.value, Some(Kind::Struct), context);
                    records.push(Record::new(Mode::Unknown, field.name, text));
                }
                Text::braces(records)
            }
            Value::Map(entries) => {
                let mut records = Vec::new();
                for (name, item) in entries {
                    if records.len() == self.most(entries.len()) {
                        leave_out(&mut records, None);
                        break;
                    }
                    let text = inner.with_type(TypeMode::Elide).value(of.element(), item, Some(Kind::Map), context);
                    records.push(Record::new(Mode::Unknown, map_key(name), text));
                }
                Text::braces(records)
            }
        };
        self.typed(of, text)
    }

    fn list<'a>(self, of: &'static Type, items: &[Value<'a>], inner: Self, context: &Context<'a, '_>) -> Text {
        let mut records = Vec::new();
        for item in items {
            if records.len() == self.most(items.len()) {
                leave_out(&mut records, None);
                break;
            }
            records.push(Record::new(
                Mode::Unknown,
                "",
                inner.with_type(TypeMode::Elide).value(of.element(), item, Some(Kind::Slice), context),
            ));
        }
        Text::braces(records)
    }

    /// A string: quoted and cut short, or line by line between triple quotes where it has several lines and is removed or inserted.
    pub(super) fn string(self, prefix: &str, text: &str) -> Text {
        let (longest, most_lines) = if self.limited {
            ((1usize << self.level()) << 5, (1usize << self.level()) << 2)
        } else {
            (text.len(), text.matches('\n').count() + 1)
        };
        if matches!(self.mode, Mode::Removed | Mode::Inserted) {
            let lines: Vec<&str> = text.strip_suffix('\n').unwrap_or(text).split('\n').map(without_returns).collect();
            let plain = |line: &&str| {
                let start = line.strip_prefix(prefix).unwrap_or(line);
                !start.starts_with("\"\"\"")
                    && !line.starts_with(ELLIPSIS)
                    && ends_with(line, |c| is_print(c) || c == '\t')
                    && line.len() <= longest
            };
            if lines.len() >= 4 && lines.iter().all(plain) {
                let fence = || Record::line(self.mode, format!("{prefix}\"\"\""));
                let mut records = vec![fence()];
                for (n, line) in lines.iter().enumerate() {
                    let rest = lines.len() - n;
                    if n + 1 == most_lines && rest > 1 {
                        let comment = Comment::Words(format!("{rest} elided lines"));
                        records.push(Record { comment, ..Record::line(self.mode, ELLIPSIS) });
                        break;
                    }
                    records.push(Record::line(self.mode, *line));
                }
                records.push(fence());
                return Text::wrap("(", Text::List(records), ")");
            }
        }
        if text.len() > longest + ELLIPSIS.len() {
            let shown = text.as_bytes().get(..longest).unwrap_or_default();
            return Text::line(format!("{prefix}{}{ELLIPSIS}", quoted_bytes(shown)));
        }
        Text::line(format!("{prefix}{}", quoted(text)))
    }
}

/// A line without the carriage return at its end and at its start.
pub(super) fn without_returns(line: &str) -> &str {
    let line = line.strip_suffix('\r').unwrap_or(line);
    line.strip_prefix('\r').unwrap_or(line)
}

/// Whether all characters hold, at both ends inward: what Go's TrimFunc would leave nothing of.
pub(super) fn ends_with(text: &str, holds: impl Fn(char) -> bool) -> bool {
    text.chars().all(holds)
}

fn ends_printable(text: &str) -> bool {
    ends_with(text, |c| is_print(c) || is_space(c))
}

/// A string in double quotes, or in backquotes where that spares escapes.
pub(super) fn quoted(text: &str) -> String {
    let plain = quote(text);
    if plain.len() == text.len() + 2 {
        return plain;
    }
    let raw = text.chars().all(|c| c != '`' && c != '\n' && (is_print(c) || c == '\t'));
    if raw { format!("`{text}`") } else { plain }
}

/// The same, of bytes that may end within a character.
pub(super) fn quoted_bytes(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => quoted(text),
        Err(_) => {
            let mut out = String::from("\"");
            for chunk in bytes.utf8_chunks() {
                let text = quote(chunk.valid());
                out.push_str(text.strip_prefix('"').and_then(|t| t.strip_suffix('"')).unwrap_or_default());
                for byte in chunk.invalid() {
                    out.push_str(&format!("\\x{byte:02x}"));
                }
            }
            out.push('"');
            out
        }
    }
}

/// The key of a map as the report has it: with a verbosity of its own.
pub(super) fn map_key(name: &str) -> String {
    let options =
        Options { mode: Mode::Identical, type_mode: TypeMode::Elide, avoid_stringer: false, verbosity: 6, limited: true };
    match options.string("", name) {
        Text::Line(line) => line.trim().to_owned(),
        other => other.into_string(),
    }
}
