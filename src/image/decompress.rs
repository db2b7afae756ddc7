//! A layer's bytes, unpacked. How they are packed is told by their beginning, as a cluster does, not by the media type.

use std::io::{self, BufRead, Cursor, Read};

use flate2::bufread::MultiGzDecoder;
use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

use super::error::ErrorKind;

/// As much as the decoder takes that a cluster uses; tools that compress hard (`zstd:chunked`) ask for 32 MiB. Bounds the memory.
const MAX_WINDOW: u64 = 64 << 20;
const LONGEST_MAGIC: u64 = 6;

/// The unpacked bytes of a gzip or zstd stream, or the bytes themselves if they are neither.
///
/// Follows containers/image v5, `pkg/compression/compression.go` (`DetectCompressionFormat`), but for bzip2 and xz, which are refused.
pub(super) fn decompressed<'a>(mut source: impl BufRead + 'a) -> io::Result<Box<dyn Read + 'a>> {
    let mut head = Vec::new();
    source.by_ref().take(LONGEST_MAGIC).read_to_end(&mut head)?;
    let unsupported = |name: &str| {
        ErrorKind::Unsupported(format!("a layer is packed with {name}, which is not supported: push it with gzip or zstd"))
    };
    let gzip = head.starts_with(&[0x1f, 0x8b, 0x08]);
    let zstd = head.starts_with(&[0x28, 0xb5, 0x2f, 0xfd]);
    if head.starts_with(b"BZh") {
        return Err(unsupported("bzip2").into());
    }
    if head.starts_with(&[0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00]) {
        return Err(unsupported("xz").into());
    }
    let whole = Cursor::new(head).chain(source);
    Ok(if gzip {
        Box::new(MultiGzDecoder::new(whole))
    } else if zstd {
        let mut decoder = FrameDecoder::new();
        decoder.set_max_window_size(MAX_WINDOW);
        Box::new(Zstd { source: whole, decoder, in_frame: false })
    } else {
        Box::new(whole)
    })
}

/// All frames of a zstd stream, one after the other.
struct Zstd<R> {
    source: R,
    decoder: FrameDecoder,
    in_frame: bool,
}

impl<R: BufRead> Zstd<R> {
    /// Whether there is another frame to decode; skippable frames are skipped.
    fn next_frame(&mut self) -> io::Result<bool> {
        while !self.source.fill_buf()?.is_empty() {
            match self.decoder.init(&mut self.source) {
                Ok(()) => return Ok(true),
                Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame { length, .. })) => {
                    io::copy(&mut self.source.by_ref().take(u64::from(length)), &mut io::sink())?;
                }
                Err(error) => return Err(io::Error::new(io::ErrorKind::InvalidData, error)),
            }
        }
        Ok(false)
    }
}

impl<R: BufRead> Read for Zstd<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while !buffer.is_empty() {
            if !self.in_frame {
                if !self.next_frame()? {
                    return Ok(0);
                }
                self.in_frame = true;
            }
            if self.decoder.can_collect() == 0 && !self.decoder.is_finished() {
                self.decoder
                    .decode_blocks(&mut self.source, BlockDecodingStrategy::UptoBytes(buffer.len()))
                    .map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))?;
            }
            let read = self.decoder.read(buffer)?;
            if read > 0 {
                return Ok(read);
            }
            if self.decoder.is_finished() {
                self.in_frame = false;
            }
        }
        Ok(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::Compression;
    use flate2::write::GzEncoder;
    use std::io::{BufReader, Write};

    fn unpacked(bytes: &[u8]) -> io::Result<Vec<u8>> {
        let mut out = Vec::new();
        decompressed(BufReader::with_capacity(3, bytes))?.read_to_end(&mut out)?;
        Ok(out)
    }

    fn gzip(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    fn zstd(bytes: &[u8]) -> Vec<u8> {
        ruzstd::encoding::compress_to_vec(bytes, ruzstd::encoding::CompressionLevel::Fastest)
    }

    #[test]
    fn unpacks_by_the_first_bytes() {
        let text: Vec<u8> = (0..300_000_u32).flat_map(|n| (n / 7).to_le_bytes()).collect();
        assert_eq!(unpacked(&text).unwrap(), text);
        assert_eq!(unpacked(&gzip(&text)).unwrap(), text);
        assert_eq!(unpacked(&zstd(&text)).unwrap(), text);
        assert_eq!(unpacked(b"").unwrap(), b"");
        assert_eq!(unpacked(b"abc").unwrap(), b"abc");
    }

    #[test]
    fn unpacks_what_is_made_of_several_parts() {
        assert_eq!(unpacked(&[gzip(b"one "), gzip(b"two")].concat()).unwrap(), b"one two");
        let skippable = [&[0x50, 0x2a, 0x4d, 0x18, 4, 0, 0, 0][..], b"skip"].concat();
        assert_eq!(
            unpacked(&[zstd(b"one "), skippable.clone(), zstd(b""), zstd(b"two"), skippable].concat()).unwrap(),
            b"one two"
        );
    }

    #[test]
    fn a_cut_or_broken_stream_is_an_error() {
        let text = b"some text that is long enough to be cut ".repeat(50);
        for whole in [gzip(&text), zstd(&text)] {
            assert!(unpacked(whole.get(..whole.len() - 9).unwrap()).is_err());
            assert!(unpacked(&[whole.as_slice(), b"trailing"].concat()).is_err());
        }
        assert!(unpacked(b"BZh9").unwrap_err().to_string().contains("bzip2"));
    }
}
