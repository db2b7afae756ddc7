//! Anchors, aliases and tags.

use crate::yaml::chars::{is_uri, width};

use super::Kind;
use super::scanner::{Outcome, Scanner};

impl<'t> Scanner<'t> {
    /// `&name` or `*name`.
    pub(super) fn fetch_anchor(&mut self, kind: fn(&'t str) -> Kind<'t>) -> Outcome<()> {
        self.save_key()?;
        self.key_allowed = false;
        let start = self.cursor.mark();
        self.cursor.at += 1;
        let name = self.scan_word();
        let ended = self.cursor.is_gap(0) || b"?:,]}%@`".contains(&self.cursor.peek(0));
        if name.is_empty() || !ended {
            return Err(self.error("did not find expected alphabetic or numeric character"));
        }
        self.push(kind(name), start, self.cursor.mark());
        Ok(())
    }

    /// `!suffix`, `!handle!suffix`, `!<tag>` or `!`.
    pub(super) fn fetch_tag(&mut self) -> Outcome<()> {
        self.save_key()?;
        self.key_allowed = false;
        let start = self.cursor.mark();
        let (handle, suffix) = if self.cursor.peek(1) == b'<' {
            self.cursor.at += 2;
            let suffix = self.scan_tag_uri("")?;
            if self.cursor.peek(0) != b'>' {
                return Err(self.error("did not find the expected '>'"));
            }
            self.cursor.at += 1;
            (String::new(), suffix)
        } else {
            let handle = self.scan_tag_handle()?;
            if handle.len() > 1 && handle.ends_with('!') {
                (handle.to_owned(), self.scan_tag_uri("")?)
            } else {
                let suffix = self.scan_tag_uri(handle)?;
                if suffix.is_empty() { (suffix, "!".to_owned()) } else { ("!".to_owned(), suffix) }
            }
        };
        if !self.cursor.is_gap(0) {
            return Err(self.error("did not find expected whitespace or line break"));
        }
        self.push(Kind::Tag(Box::new((handle, suffix))), start, self.cursor.mark());
        Ok(())
    }

    /// `!`, `!word` or `!word!`.
    pub(super) fn scan_tag_handle(&mut self) -> Outcome<&'t str> {
        if self.cursor.peek(0) != b'!' {
            return Err(self.error("did not find expected '!'"));
        }
        let from = self.cursor.at;
        self.cursor.at += 1;
        self.scan_word();
        if self.cursor.peek(0) == b'!' {
            self.cursor.at += 1;
        }
        Ok(self.cursor.slice(from, self.cursor.at))
    }

    /// The rest of a tag, after `head`, which turned out to be no handle; its `!` is not kept.
    pub(super) fn scan_tag_uri(&mut self, head: &str) -> Outcome<String> {
        let mut uri = head.strip_prefix('!').unwrap_or(head).as_bytes().to_vec();
        let mut found = !head.is_empty();
        while is_uri(self.cursor.peek(0)) {
            if self.cursor.peek(0) == b'%' {
                self.scan_uri_escape(&mut uri)?;
            } else {
                uri.push(self.cursor.peek(0));
                self.cursor.at += 1;
            }
            found = true;
        }
        if !found {
            return Err(self.error("did not find expected tag URI"));
        }
        Ok(String::from_utf8_lossy(&uri).into_owned())
    }

    /// One character as `%` and two digits a byte.
    fn scan_uri_escape(&mut self, uri: &mut Vec<u8>) -> Outcome<()> {
        let mut left = 1;
        let mut first = true;
        while left > 0 {
            let high = char::from(self.cursor.peek(1)).to_digit(16);
            let low = char::from(self.cursor.peek(2)).to_digit(16);
            let (b'%', Some(high), Some(low)) = (self.cursor.peek(0), high, low) else {
                return Err(self.error("did not find URI escaped octet"));
            };
            let octet = u8::try_from((high << 4) | low).unwrap_or(0);
            if first {
                if octet & 0xc0 == 0x80 || octet >= 0xf8 {
                    return Err(self.error("found an incorrect leading UTF-8 octet"));
                }
                left = width(octet);
                first = false;
            } else if octet & 0xc0 != 0x80 {
                return Err(self.error("found an incorrect trailing UTF-8 octet"));
            }
            uri.push(octet);
            self.cursor.at += 3;
            left -= 1;
        }
        Ok(())
    }
}
