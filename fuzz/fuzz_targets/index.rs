//! A kept index that was forged: its checksums are right, and nothing that it says can be relied on.
#![no_main]

use libfuzzer_sys::arbitrary::{self, Arbitrary};
use libfuzzer_sys::fuzz_target;
use olmplan::catalog::{Catalog, Files, IndexCache, KeptIndex, Memory};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;

#[derive(Debug, Arbitrary)]
struct Forged {
    files: Vec<String>,
    packages: BTreeMap<String, Package>,
    /// What follows the list of packages.
    rest: Vec<u8>,
}

#[derive(Debug, Arbitrary)]
struct Package {
    named: u8,
    entries: Vec<Entry>,
    /// What follows the essences.
    rest: Vec<u8>,
}

#[derive(Debug, Arbitrary)]
struct Entry {
    /// The right file, document and length, or whatever follows.
    right: bool,
    file: u32,
    form: u8,
    offset: u64,
    len: u64,
    essence: Essence,
}

#[derive(Debug, Arbitrary)]
enum Essence {
    None,
    Any(Vec<u8>),
    Package(String),
    Channel(String, Vec<(String, String, Vec<String>, String)>),
    Bundle(String, String, String, Vec<(String, i8)>),
    Deprecations(Vec<(bool, String, String)>),
}

impl Essence {
    fn bytes(&self) -> Vec<u8> {
        let strings = |all: &[String]| all.iter().map(|s| format!("{s:?}")).collect::<Vec<_>>().join(",");
        match self {
            Self::None => Vec::new(),
            Self::Any(bytes) => bytes.clone(),
            Self::Package(channel) => format!("[\"p\",{channel:?}]").into_bytes(),
            Self::Channel(name, entries) => {
                let entry =
                    |(a, b, c, d): &(String, String, Vec<String>, String)| format!("[{a:?},{b:?},[{}],{d:?}]", strings(c));
                let entries: Vec<String> = entries.iter().map(entry).collect();
                format!("[\"c\",{name:?},[{}]]", entries.join(",")).into_bytes()
            }
            Self::Bundle(name, package, image, properties) => {
                let properties: Vec<String> = properties.iter().map(|(kind, value)| format!("[{kind:?},{value}]")).collect();
                format!("[\"b\",{name:?},{package:?},{image:?},[{}]]", properties.join(",")).into_bytes()
            }
            Self::Deprecations(entries) => {
                let entries: Vec<String> =
                    entries.iter().map(|(p, a, b)| format!("[{:?},{a:?},{b:?}]", if *p { "p" } else { "b" })).collect();
                format!("[\"d\",[{}]]", entries.join(",")).into_bytes()
            }
        }
    }
}

const TAG: &[u8] = b"OLMIDX03";
const TEXT: &str = "{\"schema\":\"olm.package\",\"name\":\"a\"}{\"schema\":\"olm.channel\",\"package\":\"a\",\"entries\":1}";

fn text(bytes: &mut Vec<u8>, text: &str) {
    bytes.extend((text.len() as u64).to_le_bytes());
    bytes.extend(text.as_bytes());
}

impl Forged {
    fn bytes(&self, key: &str) -> Vec<u8> {
        let (mut head, mut sections): (Vec<u8>, Vec<u8>) = (Vec::new(), Vec::new());
        let mut close = |head: &mut Vec<u8>, section: &[u8]| {
            head.extend((section.len() as u64).to_le_bytes());
            head.extend(&Sha256::digest(section)[..16]);
            sections.extend(section);
        };
        let mut section = (self.files.len() as u64 + 1).to_le_bytes().to_vec();
        text(&mut section, "c.json");
        self.files.iter().for_each(|file| text(&mut section, file));
        close(&mut head, &section);
        for (name, package) in &self.packages {
            text(&mut head, name);
            head.push(package.named);
            let mut section = (package.entries.len() as u64).to_le_bytes().to_vec();
            let essences: Vec<Vec<u8>> = package.entries.iter().map(|e| e.essence.bytes()).collect();
            for (entry, essence) in package.entries.iter().zip(&essences) {
                let (file, offset, len) = if entry.right { (0, 0, 35) } else { (entry.file, entry.offset, entry.len) };
                section.extend(file.to_le_bytes());
                section.push(entry.form);
                section.extend(offset.to_le_bytes());
                section.extend(len.to_le_bytes());
                section.extend((essence.len() as u32).to_le_bytes());
            }
            essences.iter().for_each(|essence| section.extend(essence));
            section.extend(&package.rest);
            close(&mut head, &section);
        }
        head.extend(&self.rest);
        let mut hash = Sha256::new();
        hash.update(TAG);
        hash.update((key.len() as u64).to_le_bytes());
        hash.update(key);
        hash.update(&head);
        let mut bytes = TAG.to_vec();
        bytes.extend(hash.finalize());
        bytes.extend((head.len() as u64).to_le_bytes());
        bytes.extend(head);
        bytes.extend(sections);
        bytes
    }
}

struct Cache(Vec<u8>);

impl IndexCache for Cache {
    fn get(&self, _: &str) -> Option<Box<dyn KeptIndex>> {
        Some(Box::new(self.0.clone()))
    }

    fn put(&self, _: &str, _: &[u8]) {}
}

fuzz_target!(|forged: Forged| {
    let files: Memory = [("c.json", TEXT)].into_iter().collect();
    let key = files.identity().expect("files in memory have one");
    let catalog = Catalog::open(files, Some(&Cache(forged.bytes(&key)))).expect("the files are a catalog");
    let names: Vec<String> = catalog.package_names().into_iter().map(str::to_owned).collect();
    for name in names.iter().map(String::as_str).chain(["a"]) {
        let _ = catalog.package(name);
    }
});
