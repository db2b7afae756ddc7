//! Versions and both languages of ranges: a version on the first line, a range on the rest.
#![no_main]

use libfuzzer_sys::fuzz_target;
use olmplan::version::{BlangRange, MastermindsRange, Release, Version, VersionRelease};

fuzz_target!(|text: &str| {
    let (version, range) = text.split_once('\n').unwrap_or((text, text));
    let _ = Release::parse(range);
    let legacy = VersionRelease::legacy(version);
    let explicit = VersionRelease::explicit(version, range);
    if let (Ok(one), Ok(other)) = (legacy, explicit) {
        assert_eq!(one.precedence(&other), other.precedence(&one).reverse());
        let _ = one.legacy_text();
    }
    let masterminds = MastermindsRange::parse(range);
    let blang = BlangRange::parse(range);
    if let Ok(version) = Version::parse(version) {
        assert_eq!(version.precedence(&version), std::cmp::Ordering::Equal);
        let _ = masterminds.map(|range| (range.contains(&version), range.contains_with_prereleases(&version)));
        let _ = blang.map(|range| range.contains(&version));
    }
});
