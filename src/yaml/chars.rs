//! The classes of bytes that the scanner of YAML 1.1 tells apart.

/// A class of byte, for the loops that run over plain text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Class {
    /// Any ASCII character that never ends a plain scalar.
    Word,
    /// A space or a tab.
    Blank,
    /// A line feed or a carriage return, or the end of the text.
    End,
    /// A colon.
    Colon,
    /// A character that ends a plain scalar inside `[]` and `{}`.
    Flow,
    /// Part of a character beyond ASCII.
    Wide,
}

const CLASSES: [Class; 256] = classes();

#[allow(clippy::indexing_slicing, reason = "a constant table, filled at compile time")]
const fn classes() -> [Class; 256] {
    let mut table = [Class::Word; 256];
    let mut byte = 0x80;
    while byte < 256 {
        table[byte] = Class::Wide;
        byte += 1;
    }
    table[b' ' as usize] = Class::Blank;
    table[b'\t' as usize] = Class::Blank;
    table[0] = Class::End;
    table[b'\n' as usize] = Class::End;
    table[b'\r' as usize] = Class::End;
    table[b':' as usize] = Class::Colon;
    table[b',' as usize] = Class::Flow;
    table[b'?' as usize] = Class::Flow;
    table[b'[' as usize] = Class::Flow;
    table[b']' as usize] = Class::Flow;
    table[b'{' as usize] = Class::Flow;
    table[b'}' as usize] = Class::Flow;
    table
}

/// The class of a byte.
#[allow(clippy::indexing_slicing, reason = "the table has a row for every byte")]
pub(super) fn class(byte: u8) -> Class {
    CLASSES[byte as usize]
}

/// A character of an anchor, a directive's name or a tag's handle.
pub(super) fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-'
}

/// A space or a tab.
pub(super) fn is_blank(byte: u8) -> bool {
    byte == b' ' || byte == b'\t'
}

/// A character that may stand in a tag.
pub(super) fn is_uri(byte: u8) -> bool {
    is_word(byte) || b";/?:@&=+$,.!~*'()[]%".contains(&byte)
}

/// The bytes that a character takes, from its first.
pub(super) fn width(first: u8) -> usize {
    match first {
        0..=0x7f => 1,
        0x80..=0xdf => 2,
        0xe0..=0xef => 3,
        _ => 4,
    }
}

/// The first character that YAML does not allow to stand in a text.
pub(super) fn first_control(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut from = 0;
    for chunk in bytes.chunks(64) {
        let suspicious = chunk.iter().fold(false, |found, &b| {
            found | ((b < 0x20) & (b != b'\n') & (b != b'\t') & (b != b'\r')) | (b == 0x7f) | (b == 0xc2) | (b == 0xef)
        });
        if suspicious {
            for (n, &b) in chunk.iter().enumerate() {
                let at = from + n;
                let next = |k: usize| bytes.get(at + k).copied().unwrap_or(0);
                let bad = match b {
                    b'\n' | b'\t' | b'\r' => false,
                    0..=0x1f | 0x7f => true,
                    0xc2 => next(1) < 0xa0 && next(1) != 0x85,
                    0xef => next(1) == 0xbf && next(2) > 0xbd,
                    _ => false,
                };
                if bad {
                    return Some(at);
                }
            }
        }
        from += chunk.len();
    }
    None
}

/// Where the piece of input begins that the reference has not yet read when it first meets the byte at `at`: it reads 512 bytes
/// at a time, and refuses a whole piece for one character in it (go-yaml v2.4.4 `readerc.go`).
pub(super) fn piece_start(text: &str, at: usize) -> usize {
    let mut start = 0;
    loop {
        let mut end = (start + 512).min(text.len());
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        if at < end || end <= start {
            return start;
        }
        start = end;
    }
}
