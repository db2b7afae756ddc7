//! Many documents in one text, as the reader of manifests splits them (k8s.io/apimachinery `pkg/util/yaml/decoder.go`,
//! `NewYAMLOrJSONDecoder` of August 2026).
//!
//! A text whose first character is `{` is taken for a stream of JSON, until that fails; then what is left is taken for YAML, which
//! is cut at lines that begin with `---` before anything in it is read.

use std::borrow::Cow;

use super::error::{ErrorKind, Fault};
use super::json::{self, Broken};
use super::load::{self, Loaded};
use super::spot::Spots;

/// How far the reference looks for the first character.
const LOOK_AHEAD: usize = 4096;

/// What to do after a document that cannot be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum AfterError {
    /// Stop, as the reference does.
    Stop,
    /// Go on with the next document.
    GoOn,
}

/// A document, and the bytes of the text that it was read from.
#[derive(Debug)]
pub(super) struct Part<S> {
    pub(super) loaded: Loaded<S>,
    pub(super) start: usize,
    pub(super) end: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mode {
    Json { read: usize },
    Yaml,
    Done,
}

/// What stands between two separators.
enum Chunk<'t> {
    Text(usize, Cow<'t, str>),
    Separator { pending: Option<(usize, Cow<'t, str>)>, fault: Fault, at: usize },
}

/// A fault, and the offset that its own offset counts from.
pub(super) type Misread = (Fault, usize);

/// Every document of a text, in turn.
pub(super) struct Stream<'t> {
    text: &'t str,
    at: usize,
    mode: Mode,
    after_error: AfterError,
    pending: Option<Misread>,
}

impl<'t> Stream<'t> {
    pub(super) fn new(text: &'t str, after_error: AfterError) -> Self {
        let mut ahead = text.len().min(LOOK_AHEAD);
        while !text.is_char_boundary(ahead) {
            ahead -= 1;
        }
        let json = text.get(..ahead).is_some_and(|start| start.trim_start().starts_with('{'));
        let mode = if json { Mode::Json { read: 0 } } else { Mode::Yaml };
        Self { text, at: 0, mode, after_error, pending: None }
    }

    /// The next document; `None` after the last.
    pub(super) fn next<P: Spots>(&mut self) -> Option<Result<Part<P::Spot>, Misread>> {
        if let Some(misread) = self.pending.take() {
            return Some(Err(misread));
        }
        let next = match self.mode {
            Mode::Json { read } => self.next_json::<P>(read),
            Mode::Yaml => self.next_yaml::<P>(),
            Mode::Done => None,
        };
        if matches!(next, Some(Err(_))) && self.after_error == AfterError::Stop {
            self.mode = Mode::Done;
        }
        next
    }

    fn next_json<P: Spots>(&mut self, read: usize) -> Option<Result<Part<P::Spot>, Misread>> {
        let broken = match json::next_value(self.text, self.at) {
            Ok(None) => {
                self.mode = Mode::Done;
                return None;
            }
            Ok(Some((start, end))) => {
                self.at = end;
                self.mode = Mode::Json { read: read + 1 };
                let text = self.text.get(start..end).unwrap_or_default();
                let part = json::load::<P>(text).map(|loaded| Part { loaded, start, end });
                return Some(part.map_err(|fault| (fault, start)));
            }
            Err(broken) => broken,
        };
        let (message, at) = match broken {
            Broken::Ends => ("unexpected EOF".to_owned(), self.text.len()),
            // The reference names the place only as long as it takes the text for one that may yet turn out to be YAML.
            Broken::Syntax { message, at } if read > 1 => (message, at),
            Broken::Syntax { message, at } => (format!("json: offset {}: {message}", at + 1), at),
        };
        let misread = (Fault::at(ErrorKind::Json, message, 0), at);
        if read > 1 || !self.skip_to_yaml() {
            self.mode = Mode::Done;
            return Some(Err(misread));
        }
        self.mode = Mode::Yaml;
        let next = self.next_yaml::<P>()?;
        Some(next.map_err(|_| misread))
    }

    /// Over the blanks up to and with the first line break; whether the reference still sees anything after them, for which it wants
    /// four bytes.
    fn skip_to_yaml(&mut self) -> bool {
        loop {
            let rest = self.text.get(self.at..).unwrap_or_default();
            let Some(c) = rest.chars().next() else { return false };
            if rest.len() < 4 || c == '\u{fffd}' {
                return false;
            }
            if !c.is_whitespace() {
                return true;
            }
            self.at += c.len_utf8();
            if c == '\n' {
                return true;
            }
        }
    }

    fn next_yaml<P: Spots>(&mut self) -> Option<Result<Part<P::Spot>, Misread>> {
        match self.chunk()? {
            Chunk::Text(start, text) => Some(self.read::<P>(start, &text)),
            Chunk::Separator { pending, fault, at } => match pending {
                Some((start, text)) if self.after_error == AfterError::GoOn => {
                    self.pending = Some((fault, at));
                    Some(self.read::<P>(start, &text))
                }
                _ => Some(Err((fault, at))),
            },
        }
    }

    fn read<P: Spots>(&self, start: usize, text: &str) -> Result<Part<P::Spot>, Misread> {
        let end = (start + text.len()).min(self.text.len());
        match load::load::<P>(text) {
            Ok(loaded) => Ok(Part { loaded, start, end }),
            Err(fault) => {
                let message = format!("error converting YAML to JSON: {}", fault.message);
                Err((Fault { message, ..fault }, start))
            }
        }
    }

    /// What stands before the next separator. One that nothing stands before belongs to the document after it.
    fn chunk(&mut self) -> Option<Chunk<'t>> {
        let bytes = self.text.as_bytes();
        let start = self.at;
        while self.at < bytes.len() {
            let line_start = self.at;
            let rest = bytes.get(line_start..).unwrap_or_default();
            let line_end = memchr::memchr(b'\n', rest).map_or(bytes.len(), |end| line_start + end + 1);
            self.at = line_end;
            if !rest.starts_with(b"---") {
                continue;
            }
            let after = self.text.get(line_start + 3..line_end).unwrap_or_default().trim();
            let pending = (line_start > start).then(|| (start, self.with_line_end(start, line_start)));
            if !after.is_empty() && !after.starts_with('#') {
                let fault = Fault::at(ErrorKind::Separator, format!("invalid Yaml document separator: {after}"), 0);
                return Some(Chunk::Separator { pending, fault, at: line_start });
            }
            if let Some((start, text)) = pending {
                return Some(Chunk::Text(start, text));
            }
        }
        (self.at > start).then(|| Chunk::Text(start, self.with_line_end(start, bytes.len())))
    }

    /// The reference ends every line that it passes on, the last one too, and takes a carriage return off its end. Only where two
    /// stood there does that change what is read, and then places after it are a little off.
    fn with_line_end(&self, start: usize, end: usize) -> Cow<'t, str> {
        let text = self.text.get(start..end).unwrap_or_default();
        if memchr::memmem::find(text.as_bytes(), b"\r\r\n").is_some() {
            return Cow::Owned(text.replace("\r\n", "\n") + if text.ends_with('\n') { "" } else { "\n" });
        }
        if text.ends_with('\n') { Cow::Borrowed(text) } else { Cow::Owned(format!("{text}\n")) }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use crate::yaml::read_stream;

    /// The values of a text, and the error that it ends with.
    fn stream(text: &str) -> (Vec<Value>, Option<String>) {
        let mut values = Vec::new();
        let mut error = None;
        for document in read_stream(text) {
            match document {
                Ok(document) => values.push(document.value),
                Err(found) => error = Some(found.message),
            }
        }
        (values, error)
    }

    fn failed(message: &str) -> Option<String> {
        Some(message.to_owned())
    }

    #[test]
    fn cuts_at_separators_before_anything_else() {
        assert_eq!(stream(""), (vec![], None));
        assert_eq!(stream("\n"), (vec![json!(null)], None));
        assert_eq!(stream("---\n---\n---\n"), (vec![json!(null), json!(null)], None));
        assert_eq!(stream("--- # c\na: |\n x\n--- \nb: |+\n x"), (vec![json!({"a": "x\n"}), json!({"b": "x\n"})], None));
        assert_eq!(stream("a: 1\n----\n"), (vec![], failed("invalid Yaml document separator: -")));
        assert_eq!(stream("a: \"\n---\n\"\n").0, Vec::<Value>::new());
    }

    #[test]
    fn takes_json_for_json_until_it_fails() {
        assert_eq!(stream("{\"a\":1} [2] 3\n"), (vec![json!({"a": 1}), json!([2]), json!(3)], None));
        assert_eq!(stream("{\"a\":1}\n---\nb: 2\n"), (vec![json!({"a": 1}), json!({"b": 2})], None));
        assert_eq!(stream("{a: 1}\n---\nb: 2\n"), (vec![json!({"a": 1}), json!({"b": 2})], None));
        assert_eq!(stream("{\"a\": 1"), (vec![], failed("unexpected EOF")));
        assert_eq!(
            stream("{\"a\":1}{\"b\":2}\n---\nc: 3\n"),
            (vec![json!({"a": 1}), json!({"b": 2})], failed("invalid character '-' in numeric literal"))
        );
        assert_eq!(
            stream("{\"a\":1} x\n"),
            (vec![json!({"a": 1})], failed("json: offset 9: invalid character 'x' looking for beginning of value"))
        );
        assert_eq!(stream("{\"a\":\"\\ud83d\\u0041\\/\"}"), (vec![json!({"a": "\u{fffd}A/"})], None));
    }

    #[test]
    fn looks_for_json_only_so_far() {
        let far = format!("{}{{\"a\":1,\"b\":\"\\/\"}}", " ".repeat(5000));
        assert_eq!(stream(&far).1, failed("error converting YAML to JSON: yaml: found unknown escape character"));
    }
}
