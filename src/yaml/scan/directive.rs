//! `%YAML` and `%TAG`.

use crate::yaml::chars::{is_blank, is_word};

use super::Kind;
use super::scanner::{Outcome, Scanner};

impl<'t> Scanner<'t> {
    pub(super) fn fetch_directive(&mut self) -> Outcome<()> {
        self.unroll_indent(-1);
        self.remove_key()?;
        self.key_allowed = false;
        let start = self.cursor.mark();
        self.cursor.at += 1;
        let kind = match self.scan_directive_name()? {
            "YAML" => self.scan_version()?,
            "TAG" => self.scan_tag_directive()?,
            _ => return Err(self.error("found unknown directive name")),
        };
        let end = self.cursor.mark();
        self.cursor.skip_blanks();
        if self.cursor.peek(0) == b'#' {
            self.cursor.skip_to_line_end();
        }
        if !self.cursor.is_line_end(0) {
            return Err(self.error("did not find expected comment or line break"));
        }
        self.cursor.skip_line();
        self.push(kind, start, end);
        Ok(())
    }

    fn scan_directive_name(&mut self) -> Outcome<&'t str> {
        let name = self.scan_word();
        if name.is_empty() {
            return Err(self.error("could not find expected directive name"));
        }
        if !self.cursor.is_gap(0) {
            return Err(self.error("found unexpected non-alphabetical character"));
        }
        Ok(name)
    }

    /// Letters, digits, `_` and `-`.
    pub(super) fn scan_word(&mut self) -> &'t str {
        let from = self.cursor.at;
        while is_word(self.cursor.peek(0)) {
            self.cursor.at += 1;
        }
        self.cursor.slice(from, self.cursor.at)
    }

    fn scan_version(&mut self) -> Outcome<Kind<'t>> {
        self.cursor.skip_blanks();
        let major = self.scan_version_number()?;
        if self.cursor.peek(0) != b'.' {
            return Err(self.error("did not find expected digit or '.' character"));
        }
        self.cursor.at += 1;
        let minor = self.scan_version_number()?;
        Ok(Kind::Version { major, minor })
    }

    fn scan_version_number(&mut self) -> Outcome<u8> {
        let mut value = 0;
        let mut digits = 0;
        while self.cursor.peek(0).is_ascii_digit() {
            digits += 1;
            if digits > 2 {
                return Err(self.error("found extremely long version number"));
            }
            value = value * 10 + (self.cursor.peek(0) - b'0');
            self.cursor.at += 1;
        }
        if digits == 0 {
            return Err(self.error("did not find expected version number"));
        }
        Ok(value)
    }

    fn scan_tag_directive(&mut self) -> Outcome<Kind<'t>> {
        self.cursor.skip_blanks();
        let handle = self.scan_tag_handle()?;
        if handle != "!" && !handle.ends_with('!') {
            return Err(self.error("did not find expected '!'"));
        }
        if !is_blank(self.cursor.peek(0)) {
            return Err(self.error("did not find expected whitespace"));
        }
        let handle = handle.to_owned();
        self.cursor.skip_blanks();
        let prefix = self.scan_tag_uri("")?;
        if !self.cursor.is_gap(0) {
            return Err(self.error("did not find expected whitespace or line break"));
        }
        Ok(Kind::TagDirective(Box::new((handle, prefix))))
    }
}
