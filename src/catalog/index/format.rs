//! The index as bytes, to be kept between runs.
//!
//! A tag with the format's version, a checksum over the key and the head, the length of the head; the head: length and checksum of
//! what follows, which is the list of the files, and of each package the documents and their essences. Numbers are little endian.

use super::{Entry, Head, KeptIndex, PackagePart, Part, Section, Sum};
use crate::catalog::stream::Form;
use sha2::{Digest, Sha256};

/// Changes with the format, and with what is read into an index.
const TAG: &[u8; 8] = b"OLMIDX04";
const CHECKSUM: usize = 32;
const PREFIX: usize = TAG.len() + CHECKSUM + 8;

/// An index in the making.
#[derive(Debug)]
pub(super) struct Writer {
    head: Vec<u8>,
    sections: Vec<u8>,
}

fn number(body: &mut Vec<u8>, n: usize) {
    body.extend((n as u64).to_le_bytes());
}

fn text(body: &mut Vec<u8>, text: &str) {
    number(body, text.len());
    body.extend(text.as_bytes());
}

impl Writer {
    /// An index of a catalog of these files.
    pub fn new(files: &[String]) -> Self {
        let mut writer = Self { head: Vec::new(), sections: Vec::new() };
        number(&mut writer.sections, files.len());
        files.iter().for_each(|file| text(&mut writer.sections, file));
        writer.close(0);
        writer
    }

    /// Adds a package; they come in the order of their names.
    pub fn add<'a>(&mut self, name: &str, named: bool, entries: Vec<Entry>, essences: impl Iterator<Item = &'a [u8]>) {
        text(&mut self.head, name);
        self.head.push(u8::from(named));
        let start = self.sections.len();
        let bytes = &mut self.sections;
        number(bytes, entries.len());
        for entry in entries {
            bytes.extend(entry.file.to_le_bytes());
            bytes.push(u8::from(entry.form == Form::Yaml));
            bytes.extend(entry.offset.to_le_bytes());
            bytes.extend(entry.len.to_le_bytes());
            bytes.extend(entry.essence.to_le_bytes());
        }
        essences.for_each(|essence| bytes.extend(essence));
        self.close(start);
    }

    /// Ends the section that began at `start`.
    fn close(&mut self, start: usize) {
        number(&mut self.head, self.sections.len() - start);
        self.head.extend(sum(self.sections.get(start..).unwrap_or_default()));
    }

    /// The whole, under `key`.
    pub fn finish(self, key: &str) -> Vec<u8> {
        let Self { head, sections } = self;
        let mut bytes = Vec::with_capacity(PREFIX + head.len() + sections.len());
        bytes.extend(TAG);
        bytes.extend(checksum(key, &head));
        number(&mut bytes, head.len());
        bytes.extend(head);
        bytes.extend(sections);
        bytes
    }
}

fn checksum(key: &str, head: &[u8]) -> [u8; CHECKSUM] {
    let mut hash = Sha256::new();
    hash.update(TAG);
    hash.update((key.len() as u64).to_le_bytes());
    hash.update(key);
    hash.update(head);
    hash.finalize().into()
}

/// The checksum of a section.
pub(super) fn sum(section: &[u8]) -> Sum {
    let hash: [u8; 32] = Sha256::digest(section).into();
    hash.first_chunk().copied().unwrap_or_default()
}

/// The head of an index; `None` where it is none, or that of another key.
pub(super) fn head(kept: &dyn KeptIndex, key: &str) -> Option<Head> {
    let size = kept.size();
    let after_prefix = size.checked_sub(PREFIX as u64)?;
    let prefix = kept.read(0, PREFIX)?;
    let (expected, rest) = prefix.strip_prefix(TAG)?.split_at_checked(CHECKSUM)?;
    let len = Input(rest).number()?;
    let sections = after_prefix.checked_sub(len as u64)?;
    let bytes = kept.read(PREFIX as u64, len)?;
    if checksum(key, &bytes) != expected {
        return None;
    }
    let mut input = Input(&bytes);
    let mut at = size - sections;
    let mut section = |input: &mut Input<'_>| {
        let (offset, len, sum) = (at, input.number()?, input.take()?);
        at = at.checked_add(len as u64).filter(|end| *end <= size)?;
        Some(Section { offset, len, sum })
    };
    let files = section(&mut input)?;
    let mut packages: Vec<PackagePart> = Vec::new();
    while !input.0.is_empty() {
        let name = input.text()?;
        let named = input.byte()? != 0;
        if packages.last().is_some_and(|last| last.name >= name) {
            return None;
        }
        packages.push(PackagePart { name, named, section: section(&mut input)? });
    }
    (at == size).then_some(Head { files, packages })
}

/// The list of the files.
pub(super) fn files(bytes: &[u8]) -> Option<Vec<String>> {
    let mut input = Input(bytes);
    (0..input.count(8)?).map(|_| input.text()).collect()
}

/// What there is of a package.
pub(super) fn part(bytes: Vec<u8>) -> Option<Part> {
    let mut input = Input(&bytes);
    let count = input.count(25)?;
    let mut entries = Vec::with_capacity(count);
    let mut essences = 0_u64;
    for _ in 0..count {
        let file = u32::from_le_bytes(input.take()?);
        let form = if input.byte()? == 0 { Form::Json } else { Form::Yaml };
        let offset = u64::from_le_bytes(input.take()?);
        let len = u64::from_le_bytes(input.take()?);
        let essence = u32::from_le_bytes(input.take()?);
        essences += u64::from(essence);
        entries.push(Entry { file, form, offset, len, essence });
    }
    let essences_from = bytes.len() - input.0.len();
    (essences == input.0.len() as u64).then_some(Part { entries, bytes, essences_from })
}

struct Input<'a>(&'a [u8]);

impl Input<'_> {
    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (head, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(*head)
    }

    fn byte(&mut self) -> Option<u8> {
        self.take::<1>().map(|[b]| b)
    }

    fn number(&mut self) -> Option<usize> {
        usize::try_from(u64::from_le_bytes(self.take()?)).ok()
    }

    /// A count of things that take at least `size` bytes each: no more than there can be.
    fn count(&mut self, size: usize) -> Option<usize> {
        let count = self.number()?;
        (count <= self.0.len() / size).then_some(count)
    }

    fn text(&mut self) -> Option<String> {
        let len = self.number()?;
        let (head, rest) = self.0.split_at_checked(len)?;
        self.0 = rest;
        String::from_utf8(head.to_vec()).ok()
    }
}
