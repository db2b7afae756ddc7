//! Base 64 as Go's `base64.StdEncoding` reads it: line breaks are passed over, padding must be there, spare bits may be set.

/// Text that is no base 64, with the byte where it stops to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("illegal base64 data at input byte {0}")]
pub(in crate::catalog) struct Base64Error(pub usize);

/// The bytes that `text` stands for.
pub(in crate::catalog) fn decode(text: &str) -> Result<Vec<u8>, Base64Error> {
    let mut out = Vec::with_capacity(text.len() / 4 * 3);
    let mut input = text.bytes().enumerate().filter(|(_, b)| !matches!(b, b'\r' | b'\n'));
    loop {
        let mut group = 0u32;
        for n in 0..4u32 {
            let Some((at, byte)) = input.next() else {
                return match n {
                    0 => Ok(out),
                    // Go reports how far it had come: the start of what is left over.
                    _ => Err(Base64Error(text.len() - usize::try_from(n).unwrap_or(0))),
                };
            };
            match (byte, value(byte)) {
                (_, Some(v)) => group = group << 6 | v,
                (b'=', None) if n >= 2 => {
                    if n == 2 {
                        match input.next() {
                            Some((_, b'=')) => {}
                            Some((at, _)) => return Err(Base64Error(at.saturating_sub(1))),
                            None => return Err(Base64Error(text.len())),
                        }
                    }
                    if let Some((at, _)) = input.next() {
                        return Err(Base64Error(at));
                    }
                    group <<= 6 * (4 - n);
                    let [_, a, b, _] = group.to_be_bytes();
                    out.push(a);
                    if n == 3 {
                        out.push(b);
                    }
                    return Ok(out);
                }
                _ => return Err(Base64Error(at)),
            }
        }
        let [_, a, b, c] = group.to_be_bytes();
        out.extend([a, b, c]);
    }
}

fn value(byte: u8) -> Option<u32> {
    let v = match byte {
        b'A'..=b'Z' => byte - b'A',
        b'a'..=b'z' => byte - b'a' + 26,
        b'0'..=b'9' => byte - b'0' + 52,
        b'+' => 62,
        b'/' => 63,
        _ => return None,
    };
    Some(u32::from(v))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_as_go_does() {
        assert_eq!(decode(""), Ok(vec![]));
        assert_eq!(decode("aGVs\r\nbG8="), Ok(b"hello".to_vec()));
        assert_eq!(decode("aGVsbA=="), Ok(b"hell".to_vec()));
        assert_eq!(decode("aGVsbB=="), Ok(b"hell".to_vec()));
        assert_eq!(decode("***"), Err(Base64Error(0)));
        assert_eq!(decode("aGVsbG8"), Err(Base64Error(4)));
        assert_eq!(decode("aGVsbG8=x"), Err(Base64Error(8)));
        assert_eq!(decode("a==="), Err(Base64Error(1)));
    }
}
