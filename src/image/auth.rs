//! Credentials, as `docker login` and `podman login` keep them. None of them ever gets into a message.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use oci_client::secrets::RegistryAuth;
use serde::Deserialize;

use super::error::ErrorKind;
use super::reference::Reference;
use crate::go::base64;

/// What is known for a repository.
#[derive(Clone)]
pub(super) struct Credentials {
    pub(super) auth: RegistryAuth,
    /// Tells credentials apart without showing them: the file and the key in it.
    pub(super) origin: Option<(PathBuf, String)>,
    /// What a refusal should mention.
    pub(super) note: String,
}

impl Credentials {
    pub(super) fn anonymous(note: &str) -> Self {
        Self { auth: RegistryAuth::Anonymous, origin: None, note: note.to_owned() }
    }
}

#[derive(Default, Deserialize)]
struct AuthFile {
    #[serde(default)]
    auths: BTreeMap<String, AuthEntry>,
    #[serde(default, rename = "credHelpers")]
    helpers: BTreeMap<String, String>,
    #[serde(default, rename = "credsStore")]
    store: String,
}

#[derive(Default, Deserialize)]
struct AuthEntry {
    #[serde(default)]
    auth: String,
    #[serde(default)]
    username: String,
    #[serde(default)]
    password: String,
    #[serde(default)]
    identitytoken: String,
    #[serde(default)]
    registrytoken: String,
}

/// Finds the credentials for a repository in the first file that has some.
///
/// Follows containers/image v5, `pkg/docker/config/config.go` (`findCredentialsInFile`): the repository, each namespace above it, the
/// registry; then keys that are URLs. Credential helpers are programs, and not run: the registry is asked without credentials, and a
/// refusal says so.
pub(super) fn find(files: &[PathBuf], reference: &Reference) -> Result<Credentials, ErrorKind> {
    let mut note = String::from(" without credentials, of which none are known for it");
    for path in files {
        let Some(file) = read(path)? else { continue };
        if let Some(helper) = file.helpers.get(reference.domain()) {
            note = unsupported(path, &format!("names the credential helper {helper:?}"));
            break;
        }
        if let Some((key, entry)) = entry(&file, reference) {
            if let Some(auth) = credentials(path, key, entry)? {
                let note = format!(" with the credentials for {key} of {}", path.display());
                return Ok(Credentials { auth, origin: Some((path.clone(), key.clone())), note });
            }
            if !entry.identitytoken.is_empty() {
                note = unsupported(path, &format!("has an identity token for {key}"));
                break;
            }
        }
        if !file.store.is_empty() {
            note = unsupported(path, &format!("names the credential store {:?}", file.store));
        }
    }
    Ok(Credentials::anonymous(&note))
}

fn unsupported(path: &Path, what: &str) -> String {
    format!(" without credentials: {} {what}, which is not supported (a user name and a password or token are)", path.display())
}

fn read(path: &Path) -> Result<Option<AuthFile>, ErrorKind> {
    let bytes = match fs::read(path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(ErrorKind::io(path, error)),
    };
    // The parser's own message could quote a secret.
    serde_json::from_slice(&bytes).map(Some).map_err(|error| {
        let reason = format!("it is no file of credentials (line {}, column {})", error.line(), error.column());
        ErrorKind::io(path, std::io::Error::new(std::io::ErrorKind::InvalidData, reason))
    })
}

fn entry<'a>(file: &'a AuthFile, reference: &Reference) -> Option<(&'a String, &'a AuthEntry)> {
    let mut key = reference.name();
    loop {
        if let Some(found) = file.auths.get_key_value(&key) {
            return Some(found);
        }
        match key.rfind('/') {
            Some(end) => key.truncate(end),
            None => break,
        }
    }
    let registry = docker_hub(reference.domain());
    file.auths.iter().find(|(key, _)| {
        let bare = key.strip_prefix("http://").or_else(|| key.strip_prefix("https://"));
        let host = bare.map_or(key.as_str(), |bare| bare.split('/').next().unwrap_or_default());
        docker_hub(host) == registry
    })
}

fn docker_hub(registry: &str) -> &str {
    match registry {
        "registry-1.docker.io" | "docker.io" => "index.docker.io",
        other => other,
    }
}

fn credentials(path: &Path, key: &str, entry: &AuthEntry) -> Result<Option<RegistryAuth>, ErrorKind> {
    if !entry.registrytoken.is_empty() {
        return Ok(Some(RegistryAuth::Bearer(entry.registrytoken.clone())));
    }
    if !entry.identitytoken.is_empty() {
        return Ok(None);
    }
    if entry.auth.is_empty() {
        let given = !entry.username.is_empty() && !entry.password.is_empty();
        return Ok(given.then(|| RegistryAuth::Basic(entry.username.clone(), entry.password.clone())));
    }
    let wrong = || {
        let reason = format!("`auth` of {key} is not the base64 of user:password");
        ErrorKind::io(path, std::io::Error::new(std::io::ErrorKind::InvalidData, reason))
    };
    let bytes = base64::decode(&entry.auth).map_err(|_| wrong())?;
    let text = String::from_utf8(bytes).map_err(|_| wrong())?;
    let (user, password) = text.split_once(':').ok_or_else(wrong)?;
    Ok(Some(RegistryAuth::Basic(user.to_owned(), password.trim_matches('\0').to_owned())))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str, reference: &str) -> Result<Credentials, ErrorKind> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("config.json");
        fs::write(&path, text).unwrap();
        find(&[folder.path().join("missing.json"), path], &Reference::parse(reference).unwrap())
    }

    fn user(text: &str, reference: &str) -> Option<String> {
        match found(text, reference).unwrap().auth {
            RegistryAuth::Basic(user, password) => Some(format!("{user} {password}")),
            _ => None,
        }
    }

    #[test]
    fn the_nearest_key_counts() {
        let entry = |name: &str| format!(r#"{{"auth":"{}"}}"#, base64::encode(format!("{name}:secret:{name}").as_bytes()));
        let text = format!(
            r#"{{"auths":{{"quay.io":{},"quay.io/a":{},"quay.io/a/b":{},"https://index.docker.io/v1/":{},"localhost:5000":{{"username":"u","password":"p"}}}}}}"#,
            entry("q"),
            entry("a"),
            entry("b"),
            entry("d"),
        );
        assert_eq!(user(&text, "quay.io/x/y:1").unwrap(), "q secret:q");
        assert_eq!(user(&text, "quay.io/a/x:1").unwrap(), "a secret:a");
        assert_eq!(user(&text, "quay.io/a/b:1").unwrap(), "b secret:b");
        assert_eq!(user(&text, "busybox").unwrap(), "d secret:d");
        assert_eq!(user(&text, "localhost:5000/x").unwrap(), "u p");
        assert_eq!(user(&text, "ghcr.io/x"), None);
    }

    #[test]
    fn what_is_not_supported_is_said() {
        let note = |text: &str| found(text, "quay.io/a").unwrap().note;
        assert!(note(r#"{"credHelpers":{"quay.io":"pass"}}"#).contains(r#"credential helper "pass""#));
        assert!(note(r#"{"credsStore":"desktop"}"#).contains(r#"credential store "desktop""#));
        let note = note(r#"{"auths":{"quay.io":{"auth":"","identitytoken":"s3cret"}}}"#);
        assert!(note.contains("identity token") && !note.contains("s3cret"));
    }

    #[test]
    fn a_broken_file_does_not_show_its_secrets() {
        for text in [r#"{"auths":{"quay.io":{"auth":7531}}}"#, r#"{"auths":{"quay.io":{"auth":"7531!"}}}"#, r#"{"auths":"7531"}"#]
        {
            let message = found(text, "quay.io/a").map(|_| ()).unwrap_err().to_string();
            assert!(message.contains("config.json") && !message.contains("7531"), "{message}");
        }
    }
}
