//! Base 64 as `base64.StdEncoding` reads and writes it: line breaks are passed over, padding must be there, spare bits may be set.

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Text that is no base 64, with the byte where it stops to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("illegal base64 data at input byte {0}")]
pub(crate) struct Base64Error(pub usize);

/// The bytes that `text` stands for.
///
/// # Errors
/// Where the text is no base 64.
pub(crate) fn decode(text: &str) -> Result<Vec<u8>, Base64Error> {
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

/// The text of the bytes.
pub(crate) fn encode(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let mut three = [0_u8; 3];
        three.iter_mut().zip(chunk).for_each(|(to, from)| *to = *from);
        let bits = u32::from_be_bytes([0, three[0], three[1], three[2]]);
        for place in 0..4 {
            let digit = bits >> (18 - 6 * place) & 63;
            let byte = ALPHABET.get(usize::try_from(digit).unwrap_or(0)).copied().unwrap_or(b'A');
            out.push(if place <= chunk.len() { char::from(byte) } else { '=' });
        }
    }
    out
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
        assert_eq!(decode("QUI"), Err(Base64Error(0)));
        assert_eq!(decode("QQ=Q"), Err(Base64Error(2)));
        assert_eq!(decode("QQ==Q"), Err(Base64Error(4)));
        assert_eq!(decode("QU\nJD\n"), Ok(b"ABC".to_vec()));
    }

    #[test]
    fn comes_back() {
        for text in ["", "QQ==", "QUI=", "QUJD", "QUJDRA=="] {
            assert_eq!(encode(&decode(text).unwrap()), text);
        }
    }
}
