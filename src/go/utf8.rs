//! Bytes that ought to be UTF-8, as `unicode/utf8` reads them.

/// `bytes` as text, each byte that is no part of a character as U+FFFD (`utf8.DecodeRune`).
pub(crate) fn replace_invalid(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len());
    push_replaced(&mut out, bytes);
    out
}

/// The same, behind what there is.
pub(crate) fn push_replaced(out: &mut String, bytes: &[u8]) {
    for chunk in bytes.utf8_chunks() {
        out.push_str(chunk.valid());
        out.extend(chunk.invalid().iter().map(|_| char::REPLACEMENT_CHARACTER));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replaces_byte_by_byte() {
        assert_eq!(replace_invalid(b"a\xe2\x82!\xff"), "a\u{fffd}\u{fffd}!\u{fffd}");
        assert_eq!(replace_invalid(b"\xed\xa0\x80\xf0\x9f"), "\u{fffd}".repeat(5));
        assert_eq!(replace_invalid("é\u{fffd}".as_bytes()), "é\u{fffd}");
    }
}
