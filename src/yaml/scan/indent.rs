//! Indentation, the levels of `[]` and `{}`, and the keys that might have begun: what the scanner remembers.

use super::scanner::{Outcome, Scanner};
use super::{Kind, Mark, Token};

/// How far indentation and `[`, `{` may nest in the reference.
const MAX_LEVELS: usize = 10_000;
/// How far a key without `?` may reach, in characters.
const MAX_KEY: i32 = 1024;

/// A place where a key without `?` may have begun.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct SimpleKey {
    pub(super) possible: bool,
    /// Nothing but a key can stand there: the text is wrong if no `:` follows.
    required: bool,
    /// Which token, counted from the first of the text, begins it.
    pub(super) token: usize,
    pub(super) mark: Mark,
}

impl Scanner<'_> {
    /// Whether a key that began earlier may still end here.
    pub(super) fn is_key_valid(&mut self, level: usize) -> Outcome<bool> {
        let Some(key) = self.keys.get(level).copied() else { return Ok(false) };
        if !key.possible {
            return Ok(false);
        }
        let now = self.cursor.mark();
        if key.mark.line < now.line || key.mark.column + MAX_KEY < now.column {
            if key.required {
                return Err(self.error_before("could not find expected ':'"));
            }
            if let Some(key) = self.keys.get_mut(level) {
                key.possible = false;
            }
            return Ok(false);
        }
        Ok(true)
    }

    /// Remember that a key may begin here.
    pub(super) fn save_key(&mut self) -> Outcome<()> {
        if self.key_allowed {
            let mark = self.cursor.mark();
            let required = self.flow_level() == 0 && self.indent == mark.column;
            let token = self.next_token_number();
            self.remove_key()?;
            let level = self.flow_level();
            if let Some(key) = self.keys.last_mut() {
                *key = SimpleKey { possible: true, required, token, mark };
            }
            match self.keys_by_token.back_mut() {
                Some((number, of)) if *number == token => *of = level,
                _ => self.keys_by_token.push_back((token, level)),
            }
        }
        Ok(())
    }

    /// Give up the key that may have begun at this level.
    pub(super) fn remove_key(&mut self) -> Outcome<()> {
        let Some(key) = self.keys.last().copied() else { return Ok(()) };
        if key.possible {
            if key.required {
                return Err(self.error_before("could not find expected ':'"));
            }
            if let Some(key) = self.keys.last_mut() {
                key.possible = false;
            }
            self.forget_key(key.token);
        }
        Ok(())
    }

    /// No key begins at this token any more, as far as the queue is concerned.
    pub(super) fn forget_key(&mut self, token: usize) {
        if let Ok(found) = self.keys_by_token.binary_search_by_key(&token, |&(number, _)| number) {
            self.keys_by_token.remove(found);
        }
    }

    /// The level whose key may begin at the token at the head of the queue.
    pub(super) fn key_at_head(&mut self) -> Option<usize> {
        while let Some(&(number, level)) = self.keys_by_token.front() {
            if number >= self.parsed {
                return (number == self.parsed).then_some(level);
            }
            self.keys_by_token.pop_front();
        }
        None
    }

    /// How many `[` and `{` are open.
    pub(super) fn flow_level(&self) -> usize {
        self.keys.len().saturating_sub(1)
    }

    pub(super) fn enter_flow(&mut self) -> Outcome<()> {
        self.keys.push(SimpleKey { token: self.next_token_number(), mark: self.cursor.mark(), ..SimpleKey::default() });
        if self.flow_level() > MAX_LEVELS {
            return Err(self.error(format!("exceeded max depth of {MAX_LEVELS}")));
        }
        Ok(())
    }

    /// Leave a level. The key that stands for it is forgotten by the number of its token, which, where nothing was remembered
    /// inside, is the number of the opening bracket itself: `[]: x` is no key to the reference for that reason.
    pub(super) fn leave_flow(&mut self) {
        if self.flow_level() > 0
            && let Some(key) = self.keys.pop()
        {
            self.forget_key(key.token);
        }
    }

    /// Open a block collection at `column`, if that is further in than where we are. `number` is the token to put its start before.
    pub(super) fn roll_indent(&mut self, column: i32, number: Option<usize>, kind: Kind<'static>, mark: Mark) -> Outcome<()> {
        if self.flow_level() == 0 && self.indent < column {
            self.indents.push(self.indent);
            self.indent = column;
            if self.indents.len() > MAX_LEVELS {
                return Err(self.error(format!("exceeded max depth of {MAX_LEVELS}")));
            }
            self.insert(number, Token { kind, start: mark, end: mark });
        }
        Ok(())
    }

    /// Close the block collections that are further in than `column`.
    pub(super) fn unroll_indent(&mut self, column: i32) {
        if self.flow_level() == 0 {
            while self.indent > column {
                let mark = self.cursor.mark();
                self.push(Kind::BlockEnd, mark, mark);
                self.indent = self.indents.pop().unwrap_or(-1);
            }
        }
    }
}
