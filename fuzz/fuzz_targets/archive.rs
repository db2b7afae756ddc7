//! An archive of an image, OCI or Docker.
#![no_main]

use libfuzzer_sys::fuzz_target;
use olmplan::image::{Images, Kind, Reach, Settings};

fuzz_target!(|bytes: &[u8]| {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("image.tar");
    std::fs::write(&path, bytes).expect("a file");
    let mut settings = Settings::new(folder.path().join("store"));
    settings.reach = Reach::Offline;
    let images = Images::new(settings).expect("settings");
    for kind in [Kind::Catalog, Kind::Bundle] {
        if let Ok(content) = images.open_path(&path, kind) {
            for entry in content.list() {
                let _ = content.read(&entry.path);
            }
        }
    }
});
