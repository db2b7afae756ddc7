//! Foreign text made fit for a terminal or a log.

use std::borrow::Cow;

/// The text without control characters: no colours, no links, no cursor movements of somebody else's, and no line of its own
/// (a runner takes a line that begins with `::` for a command).
pub fn printable(text: &str) -> Cow<'_, str> {
    clean(text, false)
}

/// The same, with its line ends.
pub(super) fn printable_lines(text: &str) -> Cow<'_, str> {
    clean(text, true)
}

fn clean(text: &str, lines: bool) -> Cow<'_, str> {
    let bad = |c: char| {
        (c.is_control() && !(lines && c == '\n'))
            || matches!(c, '\u{2028}' | '\u{2029}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    if !text.contains(bad) {
        return Cow::Borrowed(text);
    }
    let replace = |c: char| match c {
        '\n' | '\t' if bad(c) => ' ',
        c if bad(c) => '\u{fffd}',
        c => c,
    };
    Cow::Owned(text.chars().map(replace).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_do_not_get_through() {
        assert_eq!(printable("a\u{1b}[31mb\n::error x\u{9b}"), "a\u{fffd}[31mb ::error x\u{fffd}");
        assert_eq!(printable_lines("a\nb\r"), "a\nb\u{fffd}");
        assert!(matches!(printable("naïve"), Cow::Borrowed(_)));
    }
}
