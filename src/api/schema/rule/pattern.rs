//! A regular expression in Go's dialect (RE2), run by the regex crate.
//!
//! The two agree but for the classes: `\d`, `\s`, `\w` and `\b` are ASCII in RE2, Unicode in the regex crate; they are rewritten.

use regex::Regex;
use std::sync::OnceLock;

/// A regular expression, compiled when it is first used.
#[derive(Debug)]
pub(super) struct Pattern {
    source: String,
    compiled: OnceLock<Result<Regex, String>>,
}

impl Pattern {
    pub(super) fn new(source: String) -> Self {
        Self { source, compiled: OnceLock::new() }
    }

    /// Whether the text is understood; cheap, unlike compiling it.
    pub(super) fn translates(&self) -> Result<(), String> {
        translate(&self.source).map(drop)
    }

    pub(super) fn regex(&self) -> Result<&Regex, String> {
        let compile = || translate(&self.source).and_then(|text| Regex::new(&text).map_err(|e| e.to_string()));
        self.compiled.get_or_init(compile).as_ref().map_err(Clone::clone)
    }
}

/// RE2's text -> the regex crate's. What is not known to mean the same in both is refused.
fn translate(source: &str) -> Result<String, String> {
    let mut out = String::with_capacity(source.len());
    let mut class = false;
    let mut chars = source.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\\' => {
                let escaped = chars.next().ok_or("a pattern ends in a backslash")?;
                match (escaped, class) {
                    ('d', false) => out.push_str("[0-9]"),
                    ('d', true) => out.push_str("0-9"),
                    ('s', false) => out.push_str(r"[\t\n\x0c\r ]"),
                    ('s', true) => out.push_str(r"\t\n\x0c\r "),
                    ('w', false) => out.push_str("[0-9A-Za-z_]"),
                    ('w', true) => out.push_str("0-9A-Za-z_"),
                    ('b', false) => out.push_str(r"(?-u:\b)"),
                    (c, _) if c.is_ascii_punctuation() => out.extend(['\\', c]),
                    (c, _) => return Err(format!("unknown escape \\{c} in pattern {source}")),
                }
            }
            // The regex crate reads a bracket, and a doubled &, - or ~, inside a class as its own syntax; RE2 does not.
            '[' if class => out.push_str("\\["),
            '&' | '~' if class => out.extend(['\\', c]),
            '-' if class && chars.peek() == Some(&'-') => return Err(format!("a doubled dash in pattern {source}")),
            '[' => {
                class = true;
                out.push(c);
                if chars.next_if_eq(&'^').is_some() {
                    out.push('^');
                }
                if chars.next_if_eq(&']').is_some() {
                    out.push_str("\\]");
                }
            }
            ']' if class => {
                class = false;
                out.push(c);
            }
            ']' => out.push_str("\\]"),
            _ => out.push(c),
        }
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_are_ascii() {
        let matches = |pattern: &str, text: &str| Pattern::new(pattern.to_owned()).regex().unwrap().is_match(text);
        assert!(matches(r"^\d+$", "12") && !matches(r"^\d+$", "١"));
        assert!(matches(r"^\w$", "a") && !matches(r"^\w$", "ä"));
        assert!(matches(r"^[\w.-]+$", "a.-_") && !matches(r"^[\w.-]+$", "ä"));
        assert!(matches(r"^\s$", " ") && !matches(r"^\s$", "\u{a0}") && !matches(r"^\s$", "\u{b}"));
        assert!(matches(r"^a\b", "aä") && !matches(r"^a\b", "ab"));
    }

    #[test]
    fn a_stray_bracket_is_itself() {
        let pattern = Pattern::new(r"^(x|\*])$".to_owned());
        assert!(pattern.regex().unwrap().is_match("*]"));
    }

    #[test]
    fn what_is_not_known_is_refused() {
        for pattern in [r"\pL", r"\z", r"\Q.\E", "[a--b]", "\\"] {
            assert!(Pattern::new(pattern.to_owned()).regex().is_err(), "{pattern}");
        }
    }
}
