//! The index as bytes, to be kept between runs.
//!
//! A tag with the format's version, a checksum over the key and the tables, the length of the tables, the tables (files, packages
//! and documents, in little endian), then the essences of the documents, which have a checksum for each package in the tables.
//! Whatever does not add up is no index, and essences that do not add up are made again when their package is asked for.

use super::index::{Entry, Group, Index, Sum};
use super::stream::Form;
use sha2::{Digest, Sha256};

/// Changes with the format, and with what is read into an index.
const TAG: &[u8; 8] = b"OLMIDX03";
const CHECKSUM: usize = 32;
const HEAD: usize = TAG.len() + CHECKSUM + 8;

/// The index as bytes, under `key`.
pub(super) fn encode(index: &Index, key: &str) -> Vec<u8> {
    let mut body = Vec::with_capacity(index.entries.len() * 25 + 4096);
    let number = |body: &mut Vec<u8>, n: usize| body.extend((n as u64).to_le_bytes());
    let text = |body: &mut Vec<u8>, text: &str| {
        body.extend((text.len() as u64).to_le_bytes());
        body.extend(text.as_bytes());
    };
    number(&mut body, index.files.len());
    index.files.iter().for_each(|file| text(&mut body, file));
    number(&mut body, index.groups.len());
    for group in &index.groups {
        text(&mut body, &group.name);
        body.push(u8::from(group.named));
        number(&mut body, group.entries.start);
        number(&mut body, group.entries.end);
        number(&mut body, group.essences_at);
        body.extend(group.sum);
    }
    number(&mut body, index.entries.len());
    for entry in &index.entries {
        body.extend(entry.file.to_le_bytes());
        body.push(u8::from(entry.form == Form::Yaml));
        body.extend(entry.offset.to_le_bytes());
        body.extend(entry.len.to_le_bytes());
        body.extend(entry.essence.to_le_bytes());
    }
    let essences = index.bytes.get(index.essences_from..).unwrap_or_default();
    let mut bytes = Vec::with_capacity(HEAD + body.len() + essences.len());
    bytes.extend(TAG);
    bytes.extend(checksum(key, &body));
    number(&mut bytes, body.len());
    bytes.extend(body);
    bytes.extend(essences);
    bytes
}

fn checksum(key: &str, body: &[u8]) -> [u8; CHECKSUM] {
    let mut hash = Sha256::new();
    hash.update(TAG);
    hash.update((key.len() as u64).to_le_bytes());
    hash.update(key);
    hash.update(body);
    hash.finalize().into()
}

/// The index that `bytes` hold; `None` where they hold none, or that of another key.
pub(super) fn decode(bytes: Vec<u8>, key: &str) -> Option<Index> {
    let rest = bytes.strip_prefix(TAG)?;
    let (sum, rest) = rest.split_at_checked(CHECKSUM)?;
    let mut input = Input(rest);
    let len = input.number()?;
    let (body, essences) = input.0.split_at_checked(len)?;
    if checksum(key, body) != sum {
        return None;
    }
    let mut input = Input(body);
    let mut index = Index::default();
    for _ in 0..input.count(8)? {
        index.files.push(input.text()?);
    }
    for _ in 0..input.count(49)? {
        let name = input.text()?;
        let named = input.byte()? != 0;
        let entries = input.number()?..input.number()?;
        let essences_at = input.number()?;
        let sum: Sum = input.take()?;
        if index.groups.last().is_some_and(|last| last.name >= name || last.entries.end > entries.start) {
            return None;
        }
        index.groups.push(Group { name, entries, named, essences_at, sum });
    }
    let count = input.count(25)?;
    index.entries.reserve(count);
    for _ in 0..count {
        let file = u32::from_le_bytes(input.take()?);
        let form = if input.byte()? == 0 { Form::Json } else { Form::Yaml };
        let offset = u64::from_le_bytes(input.take()?);
        let len = u64::from_le_bytes(input.take()?);
        let essence = u32::from_le_bytes(input.take()?);
        index.entries.push(Entry { file, form, offset, len, essence });
    }
    let in_range = |g: &Group| g.entries.start <= g.entries.end && g.entries.end <= count;
    if !input.0.is_empty() || !index.groups.iter().all(in_range) {
        return None;
    }
    index.essences_from = bytes.len() - essences.len();
    index.bytes = bytes;
    Some(index)
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
