//! Characters and lists as Go sees and writes them.

/// Whether Go's `unicode.IsPrint` holds.
pub(crate) fn is_print(c: char) -> bool {
    // Rust escapes the same characters, where they do not stand first.
    if c.is_ascii() { (' '..='~').contains(&c) } else { !format!("a{c}").escape_debug().any(|shown| shown == '\\') }
}

/// Whether Go's `unicode.IsSpace` holds.
pub(crate) fn is_space(c: char) -> bool {
    c.is_whitespace()
}

/// A list as `%v` writes it.
pub(crate) fn list<S: AsRef<str>>(items: &[S]) -> String {
    let items: Vec<&str> = items.iter().map(AsRef::as_ref).collect();
    format!("[{}]", items.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tells_what_prints() {
        assert!(['a', ' ', 'é', '\u{301}', '世', '\u{fffd}'].into_iter().all(is_print));
        assert!(!['\n', '\u{7f}', '\u{a0}', '\u{200b}', '\u{e0001}'].into_iter().any(is_print));
        assert_eq!(list(&["a", "b"]), "[a b]");
    }
}
