//! Whole processes: `olmplan resolve .` over the large catalog, beside what a process and its bytes cost in the same run.
//!
//! The catalog is what the `grow.py` of the folder `OLMPLAN_BENCH` (`../shared/bench` where that is not set) makes of
//! `OLMPLAN_BENCH_MB` megabytes (200). Needs Python with PyYAML; says so and ends where something is missing.
//! `OLMPLAN_BENCH_BIN` names another program to measure than the one that was just built.
#![allow(clippy::disallowed_methods, clippy::print_stdout, clippy::unwrap_used, clippy::indexing_slicing, missing_docs)]

#[path = "../tests/support/oci.rs"]
mod oci;

use flate2::bufread::MultiGzDecoder;
use sha2::{Digest, Sha256};
use std::fs::File;
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const CATALOG: &str = "apiVersion: olm.operatorframework.io/v1\nkind: ClusterCatalog\nmetadata:\n  name: NAME\nspec:\n  priority: PRIORITY\n  source:\n    \
                       type: Image\n    image:\n      ref: registry.example/NAME:v1\n---\n";
const EXTENSION: &str = "apiVersion: olm.operatorframework.io/v1\nkind: ClusterExtension\nmetadata:\n  name: NAME\nspec:\n  \
                         namespace: ns\n  serviceAccount:\n    name: installer\n  source:\n    sourceType: Catalog\n    catalog:\n      \
                         packageName: PACKAGE\n---\n";

/// A tree to resolve, with images from disk. Every catalog has every package; the last one counts most.
struct Tree {
    folder: PathBuf,
    store: PathBuf,
}

impl Tree {
    fn new(folder: PathBuf, images: &[(String, PathBuf)], extensions: &[String]) -> Self {
        std::fs::create_dir_all(&folder).unwrap();
        let config =
            |(name, path): &(String, PathBuf)| format!("[[image]]\nref = \"registry.example/{name}:v1\"\npath = {path:?}\n");
        std::fs::write(folder.join("olmplan.toml"), images.iter().map(config).collect::<String>()).unwrap();
        let catalog =
            |(n, (name, _)): (usize, &(String, PathBuf))| CATALOG.replace("NAME", name).replace("PRIORITY", &n.to_string());
        let catalogs: String = images.iter().enumerate().map(catalog).collect();
        let extension = |(n, package): (usize, &String)| EXTENSION.replace("NAME", &format!("e{n}")).replace("PACKAGE", package);
        let extensions: String = extensions.iter().enumerate().map(extension).collect();
        std::fs::write(folder.join("all.yaml"), catalogs + &extensions).unwrap();
        let store = folder.with_extension("store");
        Self { folder, store }
    }

    fn resolve(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        command
            .args(["resolve", "."])
            .current_dir(&self.folder)
            .env("OLMPLAN_STORE", &self.store)
            .env("OLMPLAN_FAIL_ON", "never");
        command
    }

    /// Like the first time.
    fn forget(&self) {
        let _ = std::fs::remove_dir_all(&self.store);
    }
}

/// The middle one of some times of `run`; each is prepared for first.
fn median(runs: usize, mut prepare: impl FnMut(), mut run: impl FnMut()) -> Duration {
    let mut times: Vec<Duration> = (0..runs + runs.min(3))
        .map(|_| {
            prepare();
            let start = Instant::now();
            run();
            start.elapsed()
        })
        .skip(runs.min(3))
        .collect();
    times.sort();
    times[times.len() / 2]
}

fn quietly(mut command: Command) {
    let status = command.stdout(Stdio::null()).stderr(Stdio::null()).status().unwrap();
    assert!(status.success(), "{command:?}: {status}");
}

/// The most memory that a process had, in MiB, as its parent is told. Anything started by Python has a few at least.
fn peak(command: &Command) -> Option<f64> {
    let script = "import resource, subprocess, sys\nsubprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, check=True)\n\
                  print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)";
    let mut python = Command::new("python3");
    python.args(["-c", script]).arg(command.get_program()).args(command.get_args());
    python.current_dir(command.get_current_dir()?).envs(command.get_envs().filter_map(|(k, v)| Some((k, v?))));
    let output = python.output().ok().filter(|o| o.status.success())?;
    let kib: f64 = String::from_utf8_lossy(&output.stdout).trim().parse().ok()?;
    Some(kib / 1024.0)
}

fn files(root: &Path) -> Vec<PathBuf> {
    let entries = walkdir::WalkDir::new(root).into_iter().map(Result::unwrap);
    entries.filter(|e| e.file_type().is_file()).map(walkdir::DirEntry::into_path).collect()
}

fn copy(from: &Path, to: &Path) {
    for file in files(from) {
        let target = to.join(file.strip_prefix(from).unwrap());
        std::fs::create_dir_all(target.parent().unwrap()).unwrap();
        std::fs::copy(&file, target).unwrap();
    }
}

/// Reads and hashes; what an inflating reader reads is hashed as well.
struct Hashing<R>(R, Sha256);

impl<R: Read> Read for Hashing<R> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let read = self.0.read(buffer)?;
        self.1.update(&buffer[..read]);
        Ok(read)
    }
}

fn drain(reader: &mut impl Read) {
    let mut buffer = vec![0; 256 << 10];
    while reader.read(&mut buffer).unwrap() > 0 {}
}

fn row(what: &str, time: Duration, memory: Option<f64>, references: &[(&str, Duration)]) {
    let memory = memory.map_or_else(|| "-".to_owned(), |m| format!("{m:.0} MiB"));
    let ratio = |(name, reference): &(&str, Duration)| format!("{:.2} x {name}", time.as_secs_f64() / reference.as_secs_f64());
    let ratios: Vec<String> = references.iter().map(ratio).collect();
    println!("{what:<58} {:>9.1} ms {memory:>9}  {}", time.as_secs_f64() * 1e3, ratios.join(", "));
}

fn main() {
    let bench = std::env::var_os("OLMPLAN_BENCH")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/bench"), PathBuf::from);
    let grow = bench.join("grow.py");
    if !grow.is_file() {
        println!("skipped: there is no {}; OLMPLAN_BENCH names the folder of one", grow.display());
        return;
    }
    let place = tempfile::tempdir().unwrap();
    let catalog = place.path().join("catalog");
    let megabytes = std::env::var("OLMPLAN_BENCH_MB").unwrap_or_else(|_| "200".to_owned());
    let made = Command::new("python3").arg(&grow).arg(&catalog).args([&megabytes, "json"]).stderr(Stdio::null()).status();
    if !made.is_ok_and(|status| status.success()) {
        println!("skipped: {} needs Python 3 with PyYAML", grow.display());
        return;
    }
    let program =
        std::env::var_os("OLMPLAN_BENCH_BIN").map_or_else(|| PathBuf::from(env!("CARGO_BIN_EXE_olmplan")), PathBuf::from);
    let all = files(&catalog);
    let bytes: u64 = all.iter().map(|f| f.metadata().unwrap().len()).sum();
    println!("{} MB of JSON in {} files; median of 5 runs, of 50 where the catalog is known\n", bytes / 1_000_000, all.len());

    let version = median(
        50,
        || (),
        || {
            quietly({
                let mut command = Command::new(&program);
                command.arg("--version");
                command
            })
        },
    );
    let listing =
        median(50, || (), || assert_eq!(files(&catalog).iter().map(|f| f.metadata().unwrap().len()).sum::<u64>(), bytes));
    let reading = median(5, || (), || all.iter().for_each(|file| drain(&mut File::open(file).unwrap())));
    let hashing = median(
        5,
        || (),
        || {
            let mut hash = Sha256::new();
            for file in &all {
                let mut reader = Hashing(File::open(file).unwrap(), hash);
                drain(&mut reader);
                hash = reader.1;
            }
        },
    );
    row("reference: olmplan --version", version, None, &[]);
    row("reference: the lengths of the catalog's files", listing, None, &[]);
    row("reference: read the catalog", reading, None, &[]);
    row("reference: read and hash the catalog", hashing, None, &[]);

    let mut packages: Vec<String> =
        std::fs::read_dir(&catalog).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
    packages.sort();
    let middle = packages[packages.len() / 2].clone();
    let one = Tree::new(place.path().join("one"), &[("c0".into(), catalog.clone())], std::slice::from_ref(&middle));
    let first = median(5, || one.forget(), || quietly(one.resolve(&program)));
    one.forget();
    row(
        "one extension, the catalog for the first time",
        first,
        peak(&one.resolve(&program)),
        &[("read", reading), ("read and hash", hashing)],
    );
    let again = median(50, || (), || quietly(one.resolve(&program)));
    row("one extension, the catalog again", again, peak(&one.resolve(&program)), &[("--version", version), ("lengths", listing)]);

    let layer = oci::folder_layer(oci::Packing::Gzip, &catalog, "configs");
    let image = oci::image(&[(oci::CATALOG_LABEL, "/configs")], vec![layer]);
    let layout = place.path().join("layout");
    oci::write_layout(&layout, &[("v1", &image)]);
    let blob = layout.join("blobs").join(image.layers[0].blob.digest.replace(':', "/"));
    drop(image);
    let inflating = median(
        5,
        || (),
        || {
            let mut source = Hashing(File::open(&blob).unwrap(), Sha256::new());
            drain(&mut Hashing(MultiGzDecoder::new(BufReader::with_capacity(256 << 10, &mut source)), Sha256::new()));
        },
    );
    row("reference: read, inflate and hash the layer", inflating, None, &[]);
    let packed = Tree::new(place.path().join("packed"), &[("c0".into(), layout)], std::slice::from_ref(&middle));
    let first = median(5, || packed.forget(), || quietly(packed.resolve(&program)));
    packed.forget();
    row(
        "one extension, a gzip layer for the first time",
        first,
        peak(&packed.resolve(&program)),
        &[("inflate and hash", inflating)],
    );
    let again = median(50, || (), || quietly(packed.resolve(&program)));
    row("one extension, the layer again", again, peak(&packed.resolve(&program)), &[("--version", version)]);

    let images: Vec<(String, PathBuf)> = (0..4).map(|n| (format!("c{n}"), place.path().join(format!("copy{n}")))).collect();
    images.iter().for_each(|(_, path)| copy(&catalog, path));
    let step = (packages.len() / 50).max(1);
    let extensions: Vec<String> = packages.iter().step_by(step).take(50).cloned().collect();
    let fifty = Tree::new(place.path().join("fifty"), &images, &extensions);
    let first = median(3, || fifty.forget(), || quietly(fifty.resolve(&program)));
    fifty.forget();
    row("50 extensions, 4 catalogs for the first time", first, peak(&fifty.resolve(&program)), &[("read", reading)]);
    let again = median(50, || (), || quietly(fifty.resolve(&program)));
    row(
        "50 extensions, 4 catalogs again",
        again,
        peak(&fifty.resolve(&program)),
        &[("--version", version), ("lengths", listing)],
    );
}
