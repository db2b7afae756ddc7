//! The first and the second use of a catalog image, beside reading, inflating and hashing the same bytes.
//!
//! `OLMPLAN_BENCH_CATALOG` names a folder to make the catalog of; without it, some text is made up.
#![allow(clippy::disallowed_methods, reason = "benchmarks make the files that they open")]
#![allow(clippy::unwrap_used, clippy::indexing_slicing, missing_docs, reason = "a benchmark that cannot start has to fail")]

#[path = "../tests/support/oci.rs"]
mod oci;

use std::fs::File;
use std::hint::black_box;
use std::io::{BufReader, Read};
use std::path::Path;
use std::time::Duration;

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use flate2::bufread::MultiGzDecoder;
use olmplan::image::{Images, Kind, Settings};
use sha2::{Digest, Sha256};

fn layer() -> oci::Layer {
    if let Some(path) = std::env::var_os("OLMPLAN_BENCH_CATALOG") {
        return oci::folder_layer(oci::Packing::Gzip, Path::new(&path), "configs");
    }
    let mut text = String::new();
    let mut number = 1_u64;
    while text.len() < 64 << 20 {
        number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        text.push_str(&format!(
            "{{\"schema\":\"olm.bundle\",\"package\":\"package-{}\",\"image\":\"quay.io/test/bundle@sha256:{number:x}{number:x}\",\"properties\":[{{\"type\":\"olm.package\",\"value\":{{\"version\":\"1.{}.0\"}}}}]}}\n",
            number % 400,
            number % 90
        ));
    }
    oci::layer(oci::Packing::Gzip, &[("configs/catalog.json", oci::Item::File(text.into_bytes()))])
}

/// Reads, inflates and hashes, compressed and not: what cannot be done without.
fn plain(path: &Path) -> usize {
    struct Hashing<R>(R, Sha256);
    impl<R: Read> Read for Hashing<R> {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            let read = self.0.read(buffer)?;
            self.1.update(&buffer[..read]);
            Ok(read)
        }
    }
    let mut source = Hashing(File::open(path).unwrap(), Sha256::new());
    let mut unpacked = Hashing(MultiGzDecoder::new(BufReader::with_capacity(256 << 10, &mut source)), Sha256::new());
    let mut buffer = vec![0; 256 << 10];
    let mut total = 0;
    loop {
        match unpacked.read(&mut buffer).unwrap() {
            0 => break,
            read => total += read,
        }
    }
    let inner = unpacked.1.finalize();
    black_box((inner, source.1.finalize()));
    total
}

fn benchmark(c: &mut Criterion) {
    let folder = tempfile::tempdir().unwrap();
    let layer = layer();
    let size = layer.tar.bytes.len() as u64;
    let image = oci::image(&[(oci::CATALOG_LABEL, "/configs")], vec![layer]);
    let layout = folder.path().join("layout");
    oci::write_layout(&layout, &[("v1", &image)]);
    let blob = layout.join("blobs").join(image.layers[0].blob.digest.replace(':', "/"));
    drop(image);

    let mut group = c.benchmark_group("image");
    group.sample_size(10).measurement_time(Duration::from_secs(10)).throughput(Throughput::Bytes(size));
    group.bench_function("read, inflate and hash", |b| b.iter(|| plain(&blob)));
    group.bench_function("open, first", |b| {
        b.iter_batched(
            || tempfile::tempdir_in(folder.path()).unwrap(),
            |store| {
                let content = Images::new(Settings::new(store.path())).unwrap().open_path(&layout, Kind::Catalog).unwrap();
                assert!(content.list().len() > 1);
                store
            },
            BatchSize::PerIteration,
        );
    });
    let store = folder.path().join("store");
    group.bench_function("open, again", |b| {
        b.iter(|| Images::new(Settings::new(&store)).unwrap().open_path(&layout, Kind::Catalog).unwrap().list().len());
    });
    group.finish();
}

criterion_group!(benches, benchmark);
criterion_main!(benches);
