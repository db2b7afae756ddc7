//! What is installed, as an upgrade starts from it.

use super::predicates::From;
use super::{InstalledBundle, ReleaseSupport, Request};
use crate::go::quote;
use crate::target::Resolver;
use crate::version::{Release, Version, VersionError, VersionRelease};

/// What an upgrade starts from: the installed bundle, its version and release read as those of bundles are.
///
/// # Errors
/// Where its version is none.
pub(super) fn start(installed: &InstalledBundle, releases: ReleaseSupport) -> Result<From<'_>, VersionError> {
    let text = installed.version.as_str();
    let release = match (releases, &installed.release) {
        (ReleaseSupport::None, _) => VersionRelease { version: Version::parse(text)?, release: None },
        (ReleaseSupport::Legacy | ReleaseSupport::Explicit, None) => VersionRelease::legacy(text)?,
        (ReleaseSupport::Legacy | ReleaseSupport::Explicit, Some(release)) => VersionRelease::explicit(text, release)?,
        (_, None) => VersionRelease::legacy_with(text, Release::parse_any_length)?,
        (_, Some(release)) => VersionRelease::explicit_with(text, release, Release::parse_any_length)?,
    };
    Ok(From { name: &installed.name, version: Version::parse(text)?, release })
}

/// What the controller of a request makes of what is installed.
///
/// Follows `SuccessorsOf` of catalogmetadata/filter/successors.go of each release of operator-controller.
///
/// # Errors
/// Where its version is none, in the controller's words.
pub(super) fn read<'a>(installed: &'a InstalledBundle, request: &Request) -> Result<From<'a>, String> {
    let (name, version) = (quote(&installed.name), quote(&installed.version));
    if request.resolver < Resolver::V1_8 {
        let loose = request.masterminds.check_version(&installed.version);
        loose.map_err(|e| format!("parsing installed bundle {name} version {version}: {e}"))?;
    }
    start(installed, request.releases).map_err(|error| match (request.resolver, &installed.release) {
        (Resolver::V1_0 | Resolver::V1_2, _) => {
            format!("getting successorsPredicate: error parsing installed bundle version: {error}")
        }
        (Resolver::V1_8 | Resolver::V1_9 | Resolver::V1_11, None) => {
            format!("failed to get version and release of installed bundle: {error}")
        }
        (Resolver::V1_11, Some(_)) => format!("failed to parse installed bundle version and release: {error}"),
        (Resolver::V1_8 | Resolver::V1_9, Some(release)) => {
            match (Version::parse(&installed.version), Release::parse_any_length(release)) {
                (Err(e), _) => format!("failed to parse installed bundle version {version}: {e}"),
                (_, Err(e)) => format!("failed to parse installed bundle release {}: {e}", quote(release)),
                _ => error.to_string(),
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::target::Target;
    use crate::version::MastermindsRelease;

    fn fault(target: &str, version: &str, release: Option<&str>) -> String {
        let target = Target::named(target).unwrap();
        let installed =
            InstalledBundle { name: "p".to_owned(), version: version.to_owned(), release: release.map(str::to_owned) };
        let (resolver, masterminds) = (target.resolver(), MastermindsRelease::numbered(target.masterminds()));
        let request = Request { resolver, masterminds, releases: ReleaseSupport::of(&target), ..Request::default() };
        read(&installed, &request).map_or_else(|why| why, |from| from.release.to_string())
    }

    #[test]
    fn each_release_has_its_words() {
        let why = "No Major.Minor.Patch elements found";
        assert_eq!(fault("olm-1.3", "x", None), "parsing installed bundle \"p\" version \"x\": Invalid Semantic Version");
        assert_eq!(
            fault("ocp-4.20", "1.0", None),
            format!("getting successorsPredicate: error parsing installed bundle version: {why}")
        );
        assert_eq!(fault("ocp-4.22", "1.0", None), format!("failed to get version and release of installed bundle: {why}"));
        assert_eq!(fault("olm-1.9", "1.0", Some("1")), format!("failed to parse installed bundle version \"1.0\": {why}"));
        assert_eq!(
            fault("olm-1.9", "1.0.0", Some("01")),
            "failed to parse installed bundle release \"01\": invalid release \"01\": segment 0: Numeric PreRelease version must not \
             contain leading zeroes \"01\""
        );
        assert_eq!(
            fault("olm-1.11", "1.0", Some("1")),
            format!("failed to parse installed bundle version and release: error parsing version \"1.0\": {why}")
        );
    }
}
