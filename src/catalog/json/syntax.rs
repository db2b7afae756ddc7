//! Why a text is no JSON, in encoding/json's words.

use std::fmt;

/// Text that is no JSON.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::catalog) struct Syntax {
    /// The byte it stands at.
    pub at: usize,
    /// What is wrong.
    pub fault: Fault,
}

/// What is wrong with a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::catalog) enum Fault {
    /// It ends within a value.
    UnexpectedEnd,
    /// A byte stands where it may not.
    Unexpected(u8, &'static str),
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnexpectedEnd => f.write_str("unexpected EOF"),
            Self::Unexpected(byte, context) => {
                f.write_str("invalid character ")?;
                match byte {
                    b'\'' => f.write_str(r"'\''")?,
                    b'"' => f.write_str("'\"'")?,
                    b'\\' => f.write_str(r"'\\'")?,
                    b'\n' => f.write_str(r"'\n'")?,
                    b'\r' => f.write_str(r"'\r'")?,
                    b'\t' => f.write_str(r"'\t'")?,
                    0x07 => f.write_str(r"'\a'")?,
                    0x08 => f.write_str(r"'\b'")?,
                    0x0b => f.write_str(r"'\v'")?,
                    0x0c => f.write_str(r"'\f'")?,
                    0..=0x1f | 0x7f => write!(f, "'\\x{byte:02x}'")?,
                    0x80..=0xa0 | 0xad => write!(f, "'\\u{byte:04x}'")?,
                    _ => write!(f, "'{}'", char::from(*byte))?,
                }
                write!(f, " {context}")
            }
        }
    }
}
