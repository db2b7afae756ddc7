//! The putting together of a catalog, which refuses what does not fit.

use super::Problem;
use super::image;
use super::load::{BundleRead, Config, Origin, Placed};
use super::model::{Bundle, Channel, Detail, Package};
use crate::catalog::decode::{ChannelBlob, DeprecationsBlob, PackageBlob};
use crate::go::quote;
use crate::version::{Release, Version};
use std::collections::{BTreeMap, BTreeSet};

type Packages = BTreeMap<String, Package>;

/// Puts a catalog together.
///
/// Follows `ConvertToModel` of operator-registry v1.73.0 alpha/declcfg/declcfg_to_model.go.
///
/// # Errors
/// The first thing that does not fit.
pub(super) fn convert(config: Config) -> Result<Packages, Problem> {
    let mut packages = Packages::new();
    for package in config.packages {
        at(add_package(&mut packages, &package), &package.origin)?;
    }
    // Upstream keeps the entries of a package's last channel alone, so that only they must have a bundle here.
    let mut entries: BTreeMap<String, (BTreeSet<String>, Origin)> = BTreeMap::new();
    for channel in config.channels {
        let names = channel.blob.entries.iter().map(|entry| entry.name.clone()).collect();
        at(add_channel(&mut packages, &channel), &channel.origin)?;
        entries.insert(channel.blob.package, (names, channel.origin));
    }
    let mut bundles: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for bundle in config.bundles {
        at(add_bundle(&mut packages, &mut bundles, &bundle), &bundle.origin)?;
        if let Some((entries, _)) = entries.get_mut(&bundle.blob.package) {
            entries.remove(&bundle.blob.name);
        }
    }
    for (package, (entries, origin)) in &entries {
        if !entries.is_empty() {
            let names: Vec<&str> = entries.iter().map(String::as_str).collect();
            let package = quote(package);
            let message = format!("no olm.bundle blobs found in package {package} for olm.channel entries [{}]", names.join(" "));
            return at(Err(message), origin);
        }
    }
    for package in packages.values_mut().filter(|p| !p.default_channel.is_empty()) {
        package.channels.entry(package.default_channel.clone()).or_default();
    }
    let mut deprecated = BTreeSet::new();
    for (n, deprecations) in config.deprecations.iter().enumerate() {
        let fits = add_deprecations(&mut packages, &bundles, &mut deprecated, n, deprecations);
        at(fits, &deprecations.origin)?;
    }
    Ok(packages)
}

fn at<T>(result: Result<T, String>, origin: &Origin) -> Result<T, Problem> {
    result.map_err(|message| Problem { path: Some(origin.path.to_string()), document: Some(origin.document), message })
}

fn add_package(packages: &mut Packages, Placed { blob, origin }: &Placed<PackageBlob>) -> Result<(), String> {
    let name = &blob.name;
    if name.is_empty() {
        return Err("config contains package with no name".to_owned());
    }
    if packages.contains_key(name) {
        return Err(format!("duplicate package {}", quote(name)));
    }
    let faults = label_faults(name);
    if !faults.is_empty() {
        return Err(format!("invalid package name {}: [{}]", quote(name), faults.join(" ")));
    }
    let package = Package {
        name: name.clone(),
        origin: origin.clone(),
        default_channel: blob.default_channel.clone(),
        channels: BTreeMap::new(),
        deprecation: None,
    };
    packages.insert(name.clone(), package);
    Ok(())
}

/// Follows `IsDNS1123Label` of k8s.io/apimachinery v0.36 pkg/util/validation/validation.go.
fn label_faults(name: &str) -> Vec<&'static str> {
    let mut faults = Vec::new();
    if name.len() > 63 {
        faults.push("must be no more than 63 characters");
    }
    let inner = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-';
    let edge = |b: Option<&u8>| b.is_some_and(|b| inner(*b) && *b != b'-');
    let is_label = |text: &str| {
        let bytes = text.as_bytes();
        edge(bytes.first()) && edge(bytes.last()) && bytes.iter().all(|b| inner(*b))
    };
    if !is_label(name) {
        faults.push(if name.split('.').all(is_label) {
            "must not contain dots"
        } else {
            "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end \
             with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is \
             '[a-z0-9]([-a-z0-9]*[a-z0-9])?')"
        });
    }
    faults
}

fn add_channel(packages: &mut Packages, Placed { blob, origin }: &Placed<ChannelBlob>) -> Result<(), String> {
    let (package_name, name) = (quote(&blob.package), quote(&blob.name));
    let package = packages.get_mut(&blob.package).ok_or_else(|| format!("unknown package {package_name} for channel {name}"))?;
    if blob.name.is_empty() {
        return Err(format!("package {package_name} contains channel with no name"));
    }
    if package.channels.contains_key(&blob.name) {
        return Err(format!("package {package_name} has duplicate channel {name}"));
    }
    let mut channel = Channel { origin: Some(origin.clone()), ..Channel::default() };
    for entry in &blob.entries {
        let bundle = Bundle {
            replaces: entry.replaces.clone(),
            skips: entry.skips.clone(),
            skip_range: entry.skip_range.clone(),
            ..Bundle::default()
        };
        if channel.bundles.insert(entry.name.clone(), bundle).is_some() {
            let entry = quote(&entry.name);
            return Err(format!("invalid package {package_name}, channel {name}: duplicate entry {entry}"));
        }
    }
    package.channels.insert(blob.name.clone(), channel);
    Ok(())
}

fn add_bundle(
    packages: &mut Packages,
    seen: &mut BTreeMap<String, BTreeSet<String>>,
    Placed { blob, origin }: &Placed<BundleRead>,
) -> Result<(), String> {
    let (package_name, name) = (quote(&blob.package), quote(&blob.name));
    if blob.package.is_empty() {
        return Err(format!("package name must be set for bundle {name}"));
    }
    let package = packages.get_mut(&blob.package).ok_or_else(|| format!("unknown package {package_name} for bundle {name}"))?;
    if !seen.entry(blob.package.clone()).or_default().insert(blob.name.clone()) {
        return Err(format!("package {package_name} has duplicate bundle {name}"));
    }
    let properties = blob.properties.as_ref().map_err(|fault| format!("parse properties for bundle {name}: {fault}"))?;
    let [property] = properties.as_slice() else {
        let count = properties.len();
        return Err(format!("package {package_name} bundle {name} must have exactly 1 \"olm.package\" property, found {count}"));
    };
    if blob.package != property.name {
        let found = quote(&property.name);
        return Err(format!("package {package_name} does not match \"olm.package\" property {found}"));
    }
    check_image(&blob.image, || format!("package {package_name} bundle {name} image"))?;
    for (n, related) in blob.related_images.iter().enumerate() {
        check_image(&related.image, || format!("package {package_name} bundle {name} relatedImages[{n}].image"))?;
    }
    let version = Version::parse(&property.version)
        .map_err(|fault| format!("error parsing bundle {name} version {}: {fault}", quote(&property.version)))?;
    let release = match property.release.as_str() {
        "" => None,
        text => Some(
            Release::parse(text)
                .map_err(|fault| format!("error parsing bundle {name} release version {}: {fault}", quote(text)))?,
        ),
    };
    let detail = Detail {
        origin: origin.clone(),
        image: blob.image.clone(),
        objects: blob.objects,
        properties: properties.clone(),
        version,
        release,
    };
    let mut found = false;
    for channel in package.channels.values_mut() {
        if let Some(bundle) = channel.bundles.get_mut(&blob.name) {
            bundle.detail = Some(detail.clone());
            found = true;
        }
    }
    match found {
        true => Ok(()),
        false => Err(format!("package {package_name}, bundle {name} not found in any channel entries")),
    }
}

fn check_image(image: &str, what: impl Fn() -> String) -> Result<(), String> {
    if image.is_empty() {
        return Ok(());
    }
    image::check(image).map_err(|fault| format!("{}: invalid image pull spec {}: {fault}", what(), quote(image)))
}

fn add_deprecations(
    packages: &mut Packages,
    bundles: &BTreeMap<String, BTreeSet<String>>,
    deprecated: &mut BTreeSet<String>,
    position: usize,
    Placed { blob, .. }: &Placed<DeprecationsBlob>,
) -> Result<(), String> {
    let package_name = quote(&blob.package);
    if blob.package.is_empty() {
        return Err(format!("package name must be set for deprecation item {position}"));
    }
    let package = packages
        .get_mut(&blob.package)
        .ok_or_else(|| format!("cannot apply deprecations to an unknown package {package_name}"))?;
    if !deprecated.insert(blob.package.clone()) {
        return Err(format!("expected a maximum of one deprecation per package: {package_name}"));
    }
    let mut references = BTreeSet::new();
    for (n, entry) in blob.entries.iter().flatten().enumerate() {
        let (schema, name) = (quote(&entry.schema), quote(&entry.name));
        let reference = || format!("declcfg.PackageScopedReference{{Schema:{schema}, Name:{name}}}");
        if entry.schema.is_empty() {
            return Err(format!("schema must be set for deprecation entry [{n}] for package {package_name}"));
        }
        if !references.insert((&entry.schema, &entry.name)) {
            return Err(format!("duplicate deprecation entry {} for package {package_name}", reference()));
        }
        match entry.schema.as_str() {
            "olm.bundle" => {
                if !bundles.get(&blob.package).is_some_and(|names| names.contains(&entry.name)) {
                    return Err(format!("cannot deprecate bundle {name} for package {package_name}: bundle not found"));
                }
                for bundle in package.channels.values_mut().filter_map(|c| c.bundles.get_mut(&entry.name)) {
                    bundle.deprecation = Some(entry.message.clone());
                }
            }
            "olm.channel" => {
                let channel = package
                    .channels
                    .get_mut(&entry.name)
                    .ok_or_else(|| format!("cannot deprecate channel {name} for package {package_name}: channel not found"))?;
                channel.deprecation = Some(entry.message.clone());
            }
            "olm.package" if !entry.name.is_empty() => {
                return Err(format!("package name must be empty for deprecated package {package_name} (specified {name})"));
            }
            "olm.package" => package.deprecation = Some(entry.message.clone()),
            _ => {
                return Err(format!(
                    "cannot deprecate object {} referenced by entry {n} for package {package_name}: object schema unknown",
                    reference()
                ));
            }
        }
    }
    Ok(())
}
