//! A layer as it streams in: hashed as stored and unpacked, hashed as unpacked, and used, on a thread each.

use std::io::{self, BufReader, Read};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

use super::decompress::decompressed;
use super::digest::{Digest, Hasher};
use super::error::ErrorKind;
use super::source::Blob;

/// Small enough that what one thread writes is still in the cache when the other reads it.
const CHUNK: usize = 64 << 10;
const CHUNKS_AHEAD: usize = 4;

/// Streams a layer to `consume` as a tar archive.
///
/// What `consume` made of it counts only if this returns `Ok`: both digests are known only at the end. A wrong digest or a missing
/// end is reported as such, even where it made the bytes undecipherable first.
pub(super) fn stream<T: Send>(
    what: &str,
    blob: Blob,
    diff_id: Option<&Digest>,
    unpacked_limit: u64,
    consume: impl FnOnce(&mut dyn Read) -> Result<T, ErrorKind>,
) -> Result<(T, u64), ErrorKind> {
    let mut stored = Stored::new(what, blob);
    let (chunks, incoming) = sync_channel(CHUNKS_AHEAD);
    let (give_back, spare) = sync_channel(2 * CHUNKS_AHEAD + 3);
    let (unpacking, hashed, consumed) = thread::scope(|scope| {
        let producer = scope.spawn(move || {
            let outcome = inflate(what, &mut stored, &chunks, &spare);
            drop(chunks);
            stored.finish().and(outcome)
        });
        let (incoming, hasher) = match diff_id {
            None => (incoming, None),
            Some(expected) => {
                let (onward, hashed) = sync_channel(CHUNKS_AHEAD);
                (hashed, Some(scope.spawn(move || hash(what, expected, &incoming, &onward))))
            }
        };
        let mut unpacked = Unpacked::new(incoming, give_back, unpacked_limit);
        let consumed = consume(&mut unpacked).and_then(|value| Ok((value, unpacked.finish(what)?)));
        let limit = unpacked.passed_limit;
        drop(unpacked);
        let unpacking = producer.join().unwrap_or_else(|_| Err(ErrorKind::malformed(what, "it cannot be unpacked")));
        let hashed = hasher.map_or(Ok(Ok(())), thread::ScopedJoinHandle::join);
        let hashed = hashed.unwrap_or_else(|_| Err(ErrorKind::malformed(what, "it cannot be hashed")));
        let consumed = match limit {
            true => Err(ErrorKind::TooLarge { what: "the bytes of the unpacked layers".to_owned(), limit: unpacked_limit }),
            false => consumed,
        };
        (unpacking, hashed, consumed)
    });
    unpacking?;
    hashed?;
    consumed
}

/// Unpacks into chunks.
fn inflate(what: &str, stored: &mut Stored, chunks: &SyncSender<Vec<u8>>, spare: &Receiver<Vec<u8>>) -> Result<(), ErrorKind> {
    let failed = |error| ErrorKind::from_read(what, error);
    let mut reader = decompressed(BufReader::with_capacity(CHUNK, stored)).map_err(failed)?;
    loop {
        let mut chunk = spare.try_recv().unwrap_or_else(|_| vec![0; CHUNK]);
        chunk.resize(CHUNK, 0);
        let mut filled = 0;
        while let Some(rest) = chunk.get_mut(filled..).filter(|rest| !rest.is_empty()) {
            match reader.read(rest) {
                Ok(0) => break,
                Ok(read) => filled += read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(failed(error)),
            }
        }
        if filled == 0 {
            return Ok(());
        }
        chunk.truncate(filled);
        if chunks.send(chunk).is_err() {
            // Whoever takes them has given up, and says why.
            return Ok(());
        }
    }
}

/// Hands chunks on, and checks the digest of what they amount to.
fn hash(what: &str, expected: &Digest, incoming: &Receiver<Vec<u8>>, onward: &SyncSender<Vec<u8>>) -> Result<(), ErrorKind> {
    let mut hasher = expected.hasher();
    while let Ok(chunk) = incoming.recv() {
        hasher.update(&chunk);
        if onward.send(chunk).is_err() {
            return Ok(());
        }
    }
    let actual = hasher.finish();
    if actual == *expected {
        return Ok(());
    }
    Err(ErrorKind::DigestMismatch { what: format!("{what}, unpacked,"), expected: expected.clone(), actual })
}

/// The bytes as stored: hashed and counted on their way.
struct Stored {
    what: String,
    blob: Blob,
    hasher: Option<Hasher>,
    count: u64,
    fault: Option<ErrorKind>,
}

impl Stored {
    fn new(what: &str, blob: Blob) -> Self {
        let hasher = blob.expected.as_ref().map(|(digest, _)| digest.hasher());
        Self { what: what.to_owned(), blob, hasher, count: 0, fault: None }
    }

    /// Reads what is left, and tells whether all of it is what it has to be.
    fn finish(mut self) -> Result<(), ErrorKind> {
        let mut rest = vec![0; 64 << 10];
        while self.fault.is_none() {
            match self.read(&mut rest) {
                Ok(0) => break,
                Ok(_) => {}
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(_) => break,
            }
        }
        if let Some(fault) = self.fault {
            return Err(fault);
        }
        let (Some(hasher), Some((expected, size))) = (self.hasher, self.blob.expected) else { return Ok(()) };
        if self.count < size {
            return Err(ErrorKind::Truncated { what: self.what, expected: size, actual: self.count });
        }
        let actual = hasher.finish();
        if actual == expected { Ok(()) } else { Err(ErrorKind::DigestMismatch { what: self.what, expected, actual }) }
    }
}

impl Read for Stored {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.fault.is_some() {
            return Err(io::ErrorKind::Other.into());
        }
        let read = match self.blob.reader.read(buffer) {
            Err(error) if error.kind() != io::ErrorKind::Interrupted => {
                self.fault = Some(ErrorKind::from_read(&self.what, error));
                return Err(io::ErrorKind::Other.into());
            }
            other => other?,
        };
        self.count += read as u64;
        if let Some((_, size)) = self.blob.expected.as_ref().filter(|(_, size)| self.count > *size) {
            let reason = format!("it has more than the {size} bytes that the manifest says");
            self.fault = Some(ErrorKind::malformed(&self.what, reason));
            return Err(io::ErrorKind::Other.into());
        }
        if let (Some(hasher), Some(bytes)) = (&mut self.hasher, buffer.get(..read)) {
            hasher.update(bytes);
        }
        Ok(read)
    }
}

/// The unpacked bytes, as the other thread gives them.
struct Unpacked {
    incoming: Receiver<Vec<u8>>,
    give_back: SyncSender<Vec<u8>>,
    chunk: Vec<u8>,
    position: usize,
    count: u64,
    limit: u64,
    passed_limit: bool,
}

impl Unpacked {
    fn new(incoming: Receiver<Vec<u8>>, give_back: SyncSender<Vec<u8>>, limit: u64) -> Self {
        Self { incoming, give_back, chunk: Vec::new(), position: 0, count: 0, limit, passed_limit: false }
    }

    /// Reads what follows the archive, and gives the number of all unpacked bytes.
    fn finish(&mut self, what: &str) -> Result<u64, ErrorKind> {
        while self.refill().map_err(|error| ErrorKind::from_read(what, error))? {
            self.position = self.chunk.len();
        }
        Ok(self.count)
    }

    fn refill(&mut self) -> io::Result<bool> {
        if self.position < self.chunk.len() {
            return Ok(true);
        }
        let _ = self.give_back.try_send(std::mem::take(&mut self.chunk));
        self.position = 0;
        let Ok(chunk) = self.incoming.recv() else { return Ok(false) };
        self.count += chunk.len() as u64;
        if self.count > self.limit {
            self.passed_limit = true;
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        self.chunk = chunk;
        Ok(true)
    }
}

impl Read for Unpacked {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if !self.refill()? {
            return Ok(0);
        }
        let mut rest = self.chunk.get(self.position..).unwrap_or_default();
        let read = rest.read(buffer)?;
        self.position += read;
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::Compression;
    use flate2::write::GzEncoder;
    use std::io::Write;

    fn gzip(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    fn blob(bytes: &[u8], expected: Option<(Digest, u64)>) -> Blob {
        Blob { reader: Box::new(io::Cursor::new(bytes.to_vec())), expected }
    }

    fn run(
        bytes: &[u8],
        expected: Option<(Digest, u64)>,
        diff_id: Option<&Digest>,
        limit: u64,
    ) -> Result<(Vec<u8>, u64), ErrorKind> {
        stream("the layer", blob(bytes, expected), diff_id, limit, |reader| {
            let mut out = Vec::new();
            reader.read_to_end(&mut out).map_err(|error| ErrorKind::from_read("the layer", error))?;
            Ok(out)
        })
    }

    #[test]
    fn checks_both_digests() {
        let text = b"text ".repeat(200_000);
        let packed = gzip(&text);
        let expected = || Some((Digest::sha256(&packed), packed.len() as u64));
        let diff_id = Digest::sha256(&text);
        assert_eq!(run(&packed, expected(), Some(&diff_id), u64::MAX).unwrap(), (text.clone(), text.len() as u64));
        let other = Digest::sha256(b"other");
        assert!(matches!(run(&packed, expected(), Some(&other), u64::MAX), Err(ErrorKind::DigestMismatch { .. })));
        let wrong = Some((other, packed.len() as u64));
        assert!(matches!(run(&packed, wrong, Some(&diff_id), u64::MAX), Err(ErrorKind::DigestMismatch { .. })));
    }

    #[test]
    fn tells_damage_from_a_cut_from_nonsense() {
        let packed = gzip(&b"text ".repeat(200_000));
        let expected = || Some((Digest::sha256(&packed), packed.len() as u64));
        let mut damaged = packed.clone();
        damaged[packed.len() / 2] ^= 0xff;
        assert!(matches!(run(&damaged, expected(), None, u64::MAX), Err(ErrorKind::DigestMismatch { .. })));
        let text = Digest::sha256(&b"text ".repeat(200_000));
        let cut = packed.get(..packed.len() / 2).unwrap();
        assert!(matches!(run(cut, expected(), None, u64::MAX), Err(ErrorKind::Truncated { .. })));
        let honest = Some((Digest::sha256(cut), cut.len() as u64));
        assert!(matches!(run(cut, honest.clone(), None, u64::MAX), Err(ErrorKind::Malformed { .. })));
        // What there is of it has another digest, but that is not what is wrong.
        assert!(matches!(run(cut, honest, Some(&text), u64::MAX), Err(ErrorKind::Malformed { .. })));
        let longer = [packed.as_slice(), &[0; 9]].concat();
        assert!(run(&longer, expected(), None, u64::MAX).unwrap_err().to_string().contains("more than"));
    }

    #[test]
    fn a_bomb_is_stopped() {
        let packed = gzip(&vec![0; 50 << 20]);
        assert!(packed.len() < 1 << 20);
        let error = run(&packed, Some((Digest::sha256(&packed), packed.len() as u64)), None, 1 << 20).unwrap_err();
        assert!(matches!(error, ErrorKind::TooLarge { limit, .. } if limit == 1 << 20));
    }

    #[test]
    fn a_consumer_that_stops_early_does_not_hide_a_wrong_digest() {
        let packed = gzip(&vec![7; 20 << 20]);
        let wrong = Some((Digest::sha256(b"x"), packed.len() as u64));
        let result = stream("the layer", blob(&packed, wrong), None, u64::MAX, |_| -> Result<(), _> {
            Err(ErrorKind::malformed("the layer", "nonsense"))
        });
        assert!(matches!(result, Err(ErrorKind::DigestMismatch { .. })));
    }
}
