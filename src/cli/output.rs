//! stdout and files: where the answer goes. A broken pipe is not an error.

use std::io::{self, Write};
use std::path::Path;

/// Writes the answer to `file`, or to stdout.
///
/// # Errors
/// Where it cannot be written; not where nobody reads it any more.
pub(crate) fn answer(text: &str, file: Option<&Path>) -> io::Result<()> {
    match file {
        Some(path) => replace(path, text.as_bytes()),
        None => {
            let mut stdout = io::stdout().lock();
            let written = stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush());
            match written {
                Err(e) if e.kind() == io::ErrorKind::BrokenPipe => Ok(()),
                other => other,
            }
        }
    }
}

/// Writes a file beside its place and renames it there, so that nobody sees half of it.
///
/// # Errors
/// Where the folder or the file cannot be written.
pub(crate) fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    // A device or a pipe (/dev/stdout) is written to, not replaced.
    let special = std::fs::metadata(path).is_ok_and(|m| !m.is_file());
    if special {
        return std::fs::OpenOptions::new().write(true).open(path)?.write_all(bytes);
    }
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut file = tempfile::Builder::new().prefix(".olmplan-").tempfile_in(folder)?;
    file.write_all(bytes)?;
    let mode = permissions(path);
    if let Some(mode) = mode {
        file.as_file().set_permissions(mode)?;
    }
    file.persist(path).map_err(|e| e.error)?;
    Ok(())
}

/// The permissions that the file had, or those that any new file has.
#[cfg(unix)]
fn permissions(path: &Path) -> Option<std::fs::Permissions> {
    use std::os::unix::fs::PermissionsExt as _;
    let existing = std::fs::metadata(path).ok().map(|m| m.permissions());
    Some(existing.unwrap_or_else(|| std::fs::Permissions::from_mode(0o644)))
}

#[cfg(not(unix))]
fn permissions(_: &Path) -> Option<std::fs::Permissions> {
    None
}
