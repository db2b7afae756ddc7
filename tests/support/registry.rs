//! A real registry on loopback (Debian's `docker-registry`), and the conformance cases, for the tests that need them.

#![allow(dead_code, clippy::disallowed_methods, clippy::unwrap_used, clippy::panic)]

use olmplan::image::{Reference, Settings};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

/// A registry on a free port of loopback, with a folder of its own.
pub struct Registry {
    child: Child,
    /// `127.0.0.1:PORT`.
    pub host: String,
    /// Its own folder: `storage/` in it has the blobs.
    pub folder: PathBuf,
}

impl Registry {
    /// Starts one over a folder; `extra` goes into its configuration.
    pub fn start(folder: &Path, http: &str, extra: &str) -> Self {
        for _ in 0..5 {
            let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
            let host = format!("127.0.0.1:{port}");
            let config = folder.join(format!("config-{port}.yml"));
            let storage = folder.join("storage");
            let text = format!(
                "version: 0.1\nlog: {{level: error}}\nstorage: {{filesystem: {{rootdirectory: {storage:?}}}}}\nhttp:\n  addr: {host}\n{http}\n{extra}\n"
            );
            std::fs::write(&config, text).unwrap();
            let mut child = Command::new("docker-registry")
                .arg("serve")
                .arg(&config)
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()
                .unwrap();
            for _ in 0..200 {
                if TcpStream::connect(&host).is_ok() {
                    return Self { child, host, folder: folder.to_owned() };
                }
                if child.try_wait().unwrap().is_some() {
                    break;
                }
                thread::sleep(Duration::from_millis(25));
            }
            let _ = child.kill();
            let _ = child.wait();
        }
        panic!("docker-registry does not start");
    }

    /// Settings with a store beside it, quick to try again.
    pub fn settings(&self) -> Settings {
        let mut settings = Settings::new(self.folder.join("store"));
        settings.backoff = Duration::from_millis(5);
        settings
    }

    /// A reference into it.
    pub fn reference(&self, rest: &str) -> Reference {
        Reference::parse(&format!("{}/{rest}", self.host)).unwrap()
    }
}

impl Drop for Registry {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Whether a program is there; a run that has to be complete insists on it.
pub fn has(program: &str) -> bool {
    let found = Command::new(program).arg("--help").stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok();
    assert!(found || std::env::var_os("CI").is_none_or(|ci| ci != "true"), "{program} is not installed");
    if !found {
        println!("skipped: {program} is not installed");
    }
    found
}

/// A part of the conformance cases; `None` where they are not there, which a complete run does not take.
pub fn conformance(part: &str) -> Option<PathBuf> {
    let root = std::env::var_os("OLMPLAN_CONFORMANCE")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/conformance"), PathBuf::from);
    let folder = root.join(part);
    if folder.is_dir() {
        return Some(folder);
    }
    assert!(std::env::var_os("CI").is_none_or(|ci| ci != "true"), "{} is missing", folder.display());
    println!("skipped: {} is missing", folder.display());
    None
}
