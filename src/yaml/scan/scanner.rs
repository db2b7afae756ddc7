//! The queue of tokens, and which token begins with which character.

use std::collections::VecDeque;

use crate::yaml::chars::{self, is_blank};
use crate::yaml::error::{ErrorKind, Fault};

use super::cursor::Cursor;
use super::indent::SimpleKey;
use super::{Kind, Mark, Style, Token};

/// What a step of scanning comes to.
pub(in crate::yaml) type Outcome<T> = Result<T, Fault>;

/// Text -> tokens.
#[derive(Debug)]
pub(in crate::yaml) struct Scanner<'t> {
    pub(super) cursor: Cursor<'t>,
    tokens: VecDeque<Token<'t>>,
    /// The tokens that the parser has taken.
    pub(super) parsed: usize,
    started: bool,
    ready: bool,
    pub(super) indent: i32,
    pub(super) indents: Vec<i32>,
    /// A key without `?` may begin at the next character.
    pub(super) key_allowed: bool,
    /// For the block context and each open `[`, `{`.
    pub(super) keys: Vec<SimpleKey>,
    /// Token numbers, rising, and the level in `keys` whose key may begin there.
    pub(super) keys_by_token: VecDeque<(usize, usize)>,
    /// The text was cut short before a character that is not allowed, at this offset.
    cut: Option<u32>,
    /// The text begins with a second byte order mark; the reference then takes the first character of every line for one, as far as
    /// its first piece of input reaches.
    second_bom: bool,
}

impl<'t> Scanner<'t> {
    /// A scanner of one text, which must be shorter than 2 GiB.
    #[allow(clippy::cast_possible_truncation, reason = "the length is the caller's to check")]
    pub(in crate::yaml) fn new(text: &'t str) -> Self {
        let control = chars::first_control(text);
        let text = match control {
            Some(at) => text.get(..chars::piece_start(text, at)).unwrap_or_default(),
            None => text,
        };
        let mut cursor = Cursor::new(text);
        if text.starts_with('\u{feff}') {
            cursor.at = '\u{feff}'.len_utf8();
            cursor.start_here();
        }
        Self {
            cursor,
            tokens: VecDeque::with_capacity(16),
            parsed: 0,
            started: false,
            ready: false,
            indent: -1,
            indents: Vec::new(),
            key_allowed: true,
            keys: vec![SimpleKey::default()],
            keys_by_token: VecDeque::new(),
            cut: control.map(|at| at as u32),
            second_bom: text.starts_with("\u{feff}\u{feff}"),
        }
    }

    /// The next token, without taking it.
    pub(in crate::yaml) fn peek(&mut self) -> Outcome<&mut Token<'t>> {
        if !self.ready {
            self.fetch_more()?;
        }
        match self.tokens.front_mut() {
            Some(token) => Ok(token),
            None => {
                Err(Fault { message: "yaml: unexpected end".to_owned(), offset: None, kind: ErrorKind::Syntax, strict: None })
            }
        }
    }

    /// Take the token that was peeked at.
    pub(in crate::yaml) fn skip(&mut self) {
        self.ready = false;
        self.parsed += 1;
        self.tokens.pop_front();
    }

    /// An error at the place that is scanned, about one of the next two characters.
    pub(super) fn error(&self, problem: impl Into<String>) -> Fault {
        self.error_within(2, problem)
    }

    /// An error at the place that is scanned, about one of the next `characters`.
    pub(super) fn error_within(&self, characters: usize, problem: impl Into<String>) -> Fault {
        self.needs(characters).err().unwrap_or_else(|| self.error_before(problem))
    }

    /// Refuse to look at as many characters where one that is not allowed may be among them.
    pub(super) fn needs(&self, characters: usize) -> Outcome<()> {
        if self.cut.is_some() && self.cursor.at + characters > self.cursor.len() { Err(self.control_error()) } else { Ok(()) }
    }

    /// An error at the place that is scanned, about what stands before it.
    pub(super) fn error_before(&self, problem: impl Into<String>) -> Fault {
        let mark = self.cursor.mark();
        let problem = problem.into();
        let message =
            if mark.line == 0 { format!("yaml: {problem}") } else { format!("yaml: line {}: {problem}", mark.line + 1) };
        Fault::at(ErrorKind::Syntax, message, mark.offset)
    }

    fn control_error(&self) -> Fault {
        Fault {
            message: "yaml: control characters are not allowed".to_owned(),
            offset: self.cut,
            kind: ErrorKind::Syntax,
            strict: None,
        }
    }

    /// The number of the token that is added next.
    pub(super) fn next_token_number(&self) -> usize {
        self.parsed + self.tokens.len()
    }

    pub(super) fn push(&mut self, kind: Kind<'t>, start: Mark, end: Mark) {
        self.tokens.push_back(Token { kind, start, end });
    }

    /// Put a token before the one with that number; at the end where there is none, or where it has been taken already.
    pub(super) fn insert(&mut self, number: Option<usize>, token: Token<'t>) {
        match number.and_then(|number| number.checked_sub(self.parsed)) {
            Some(at) if at <= self.tokens.len() => self.tokens.insert(at, token),
            _ => self.tokens.push_back(token),
        }
    }

    /// Scan until the token at the head of the queue can no longer turn out to begin a key.
    fn fetch_more(&mut self) -> Outcome<()> {
        loop {
            if !self.tokens.is_empty() {
                match self.key_at_head() {
                    None => break,
                    Some(level) => {
                        if !self.is_key_valid(level)? {
                            break;
                        }
                    }
                }
            }
            self.fetch_next()?;
            // A token that runs up to the cut could not be told to end there.
            self.needs(1)?;
        }
        self.ready = true;
        Ok(())
    }

    fn fetch_next(&mut self) -> Outcome<()> {
        if !self.started {
            self.started = true;
            let mark = self.cursor.mark();
            self.push(Kind::StreamStart, mark, mark);
            return Ok(());
        }
        self.skip_to_token();
        self.unroll_indent(self.cursor.column());
        self.needs(4)?;
        let flow = self.flow_level() > 0;
        let column = self.cursor.column();
        match self.cursor.peek(0) {
            0 => self.fetch_stream_end(),
            b'%' if column == 0 => self.fetch_directive(),
            b'-' if self.cursor.is_document_indicator() => self.fetch_document_indicator(Kind::DocumentStart),
            b'.' if self.cursor.is_document_indicator() => self.fetch_document_indicator(Kind::DocumentEnd),
            b'[' => self.fetch_flow_start(Kind::FlowSequenceStart),
            b'{' => self.fetch_flow_start(Kind::FlowMappingStart),
            b']' => self.fetch_flow_end(Kind::FlowSequenceEnd),
            b'}' => self.fetch_flow_end(Kind::FlowMappingEnd),
            b',' => self.fetch_flow_entry(),
            b'-' if self.cursor.is_gap(1) => self.fetch_block_entry(),
            b'?' if flow || self.cursor.is_gap(1) => self.fetch_key(),
            b':' if flow || self.cursor.is_gap(1) => self.fetch_value(),
            b'*' => self.fetch_anchor(Kind::Alias),
            b'&' => self.fetch_anchor(Kind::Anchor),
            b'!' => self.fetch_tag(),
            b'|' if !flow => self.fetch_block_scalar(super::block::Fold::Keep),
            b'>' if !flow => self.fetch_block_scalar(super::block::Fold::Join),
            b'\'' => self.fetch_quoted(b'\''),
            b'"' => self.fetch_quoted(b'"'),
            b'-' | b'?' | b':' => self.fetch_plain(),
            b'#' | b'|' | b'>' | b'%' | b'@' | b'`' => Err(self.error("found character that cannot start any token")),
            first if is_blank(first) || self.cursor.is_break(0) => Err(self.error("found character that cannot start any token")),
            _ => self.fetch_plain(),
        }
    }

    /// Over blanks, comments and line breaks. A tab is no blank where a key may begin.
    fn skip_to_token(&mut self) {
        loop {
            if self.second_bom && self.cursor.column() == 0 && self.cursor.at < 512 && self.cursor.peek(0) != 0 {
                self.cursor.skip();
            }
            let tabs = self.flow_level() > 0 || !self.key_allowed;
            self.cursor.skip_spaces(usize::MAX);
            while tabs && self.cursor.peek(0) == b'\t' {
                self.cursor.at += 1;
                self.cursor.skip_spaces(usize::MAX);
            }
            if self.cursor.peek(0) == b'#' {
                self.cursor.skip_to_line_end();
            }
            if !self.cursor.is_break(0) {
                break;
            }
            self.cursor.skip_line();
            if self.flow_level() == 0 {
                self.key_allowed = true;
            }
        }
    }

    fn fetch_stream_end(&mut self) -> Outcome<()> {
        self.cursor.end_line();
        self.unroll_indent(-1);
        self.remove_key()?;
        self.key_allowed = false;
        let mark = self.cursor.mark();
        self.push(Kind::StreamEnd, mark, mark);
        Ok(())
    }

    fn fetch_document_indicator(&mut self, kind: Kind<'t>) -> Outcome<()> {
        self.unroll_indent(-1);
        self.remove_key()?;
        self.key_allowed = false;
        let start = self.cursor.mark();
        self.cursor.at += 3;
        self.push(kind, start, self.cursor.mark());
        Ok(())
    }

    /// An indicator of one character.
    fn push_indicator(&mut self, kind: Kind<'t>) {
        let start = self.cursor.mark();
        self.cursor.at += 1;
        self.push(kind, start, self.cursor.mark());
    }

    fn fetch_flow_start(&mut self, kind: Kind<'t>) -> Outcome<()> {
        self.save_key()?;
        self.enter_flow()?;
        self.key_allowed = true;
        self.push_indicator(kind);
        Ok(())
    }

    fn fetch_flow_end(&mut self, kind: Kind<'t>) -> Outcome<()> {
        self.remove_key()?;
        self.leave_flow();
        self.key_allowed = false;
        self.push_indicator(kind);
        Ok(())
    }

    fn fetch_flow_entry(&mut self) -> Outcome<()> {
        self.remove_key()?;
        self.key_allowed = true;
        self.push_indicator(Kind::FlowEntry);
        Ok(())
    }

    fn fetch_block_entry(&mut self) -> Outcome<()> {
        if self.flow_level() == 0 {
            if !self.key_allowed {
                return Err(self.error("block sequence entries are not allowed in this context"));
            }
            let mark = self.cursor.mark();
            self.roll_indent(mark.column, None, Kind::BlockSequenceStart, mark)?;
        }
        self.remove_key()?;
        self.key_allowed = true;
        self.push_indicator(Kind::BlockEntry);
        Ok(())
    }

    fn fetch_key(&mut self) -> Outcome<()> {
        if self.flow_level() == 0 {
            if !self.key_allowed {
                return Err(self.error("mapping keys are not allowed in this context"));
            }
            let mark = self.cursor.mark();
            self.roll_indent(mark.column, None, Kind::BlockMappingStart, mark)?;
        }
        self.remove_key()?;
        self.key_allowed = self.flow_level() == 0;
        self.push_indicator(Kind::Key);
        Ok(())
    }

    fn fetch_value(&mut self) -> Outcome<()> {
        let level = self.flow_level();
        if self.is_key_valid(level)? {
            let key = self.keys.get(level).copied().unwrap_or_default();
            self.insert(Some(key.token), Token { kind: Kind::Key, start: key.mark, end: key.mark });
            self.roll_indent(key.mark.column, Some(key.token), Kind::BlockMappingStart, key.mark)?;
            if let Some(key) = self.keys.get_mut(level) {
                key.possible = false;
            }
            self.forget_key(key.token);
            self.key_allowed = false;
        } else {
            if level == 0 {
                if !self.key_allowed {
                    return Err(self.error("mapping values are not allowed in this context"));
                }
                let mark = self.cursor.mark();
                self.roll_indent(mark.column, None, Kind::BlockMappingStart, mark)?;
            }
            self.key_allowed = level == 0;
        }
        self.push_indicator(Kind::Value);
        Ok(())
    }

    fn fetch_plain(&mut self) -> Outcome<()> {
        self.save_key()?;
        self.key_allowed = false;
        self.scan_plain()
    }

    fn fetch_quoted(&mut self, quote: u8) -> Outcome<()> {
        self.save_key()?;
        self.key_allowed = false;
        self.scan_quoted(quote)
    }

    pub(super) fn push_scalar(&mut self, value: std::borrow::Cow<'t, str>, style: Style, start: Mark, end: Mark) {
        self.push(Kind::Scalar(value, style), start, end);
    }
}
