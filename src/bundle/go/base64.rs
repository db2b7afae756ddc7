//! Standard base64, as Go's `[]byte` fields are written: padded, line breaks ignored.

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// The bytes that the text stands for; else the position of the byte that Go finds illegal.
pub(super) fn decode(text: &str) -> Result<Vec<u8>, usize> {
    let mut out = Vec::with_capacity(text.len() / 4 * 3);
    let mut digits = text.bytes().enumerate().filter(|(_, byte)| !matches!(byte, b'\r' | b'\n'));
    loop {
        let mut bits = 0_u32;
        let mut count = 0;
        let mut padding = 0;
        let mut end = text.len();
        while count + padding < 4 {
            let Some((position, byte)) = digits.next() else { break };
            end = position;
            if byte == b'=' && count >= 2 {
                padding += 1;
                continue;
            }
            let digit = value_of(byte).filter(|_| padding == 0).ok_or(position)?;
            bits = bits << 6 | digit;
            count += 1;
        }
        match (count, padding) {
            (0, 0) => return Ok(out),
            (4, 0) => out.extend(bits.to_be_bytes().into_iter().skip(1)),
            (3, 1) => out.extend((bits << 6).to_be_bytes().into_iter().skip(1).take(2)),
            (2, 2) => out.extend((bits << 12).to_be_bytes().into_iter().skip(1).take(1)),
            _ => return Err(if end == text.len() { end } else { end + 1 }),
        }
        if padding > 0 {
            return digits.next().map_or(Ok(out), |(position, _)| Err(position));
        }
    }
}

/// The text of the bytes.
pub(super) fn encode(bytes: &[u8]) -> String {
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

fn value_of(byte: u8) -> Option<u32> {
    let value = match byte {
        b'A'..=b'Z' => byte - b'A',
        b'a'..=b'z' => byte - b'a' + 26,
        b'0'..=b'9' => byte - b'0' + 52,
        b'+' => 62,
        b'/' => 63,
        _ => return None,
    };
    Some(u32::from(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn round_trips_and_names_the_illegal_byte() {
        for text in ["", "QQ==", "QUI=", "QUJD", "QUJDRA=="] {
            assert_eq!(encode(&decode(text).unwrap()), text);
        }
        assert_eq!(encode(&decode("QU\nJD\n").unwrap()), "QUJD");
        assert_eq!(decode("*"), Err(0));
        assert_eq!(decode("QU*D"), Err(2));
        assert_eq!(decode("QQ==Q"), Err(4));
    }
}
