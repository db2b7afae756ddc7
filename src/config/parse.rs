//! The text of `olmplan.toml` -> [`Config`].

use super::model::{Cluster, Config, FailOn, Ignore, ImageMapping, Registry, RuleLevel, Waiver};
use super::table::{Error, Table, span};
use crate::finding::Level;
use crate::place::Span;
use std::collections::BTreeMap;
use toml::de::DeTable;

/// Reads the text of an `olmplan.toml`.
///
/// # Errors
/// Where the text is no TOML, or says something that has no meaning here; the first such thing, with its place.
pub fn parse(text: &str) -> Result<Config, Error> {
    let root = DeTable::parse(text).map_err(|e| Error::from_toml(&e))?;
    let at = span(&root.span());
    let mut root = Table::new(root.into_inner(), at, "");
    let config = Config {
        target: root.string("target")?,
        feature_gates: gates(&mut root)?,
        fail_on: root.spanned_string("fail-on")?.map(|(text, at)| fail_on(&text, at)).transpose()?,
        clusters: root.tables("cluster", "[[cluster]]")?.into_iter().map(cluster).collect::<Result<_, _>>()?,
        rules: root.table("rules", "[rules]")?.map(rules).transpose()?.unwrap_or_default(),
        ignores: root.tables("ignore", "[[ignore]]")?.into_iter().map(ignore).collect::<Result<_, _>>()?,
        waivers: root.tables("waiver", "[[waiver]]")?.into_iter().map(waiver).collect::<Result<_, _>>()?,
        images: root.tables("image", "[[image]]")?.into_iter().map(image).collect::<Result<_, _>>()?,
        registry: root.table("registry", "[registry]")?.map(registry).transpose()?.unwrap_or_default(),
    };
    root.finish()?;
    Ok(config)
}

/// `feature-gates` is a list in the file, and the flag's comma-separated text here.
fn gates(table: &mut Table<'_>) -> Result<Option<String>, Error> {
    let gates = table.strings("feature-gates")?;
    Ok((!gates.is_empty()).then(|| gates.join(",")))
}

fn level(text: &str, at: Span) -> Result<Level, Error> {
    match text {
        "error" => Ok(Level::Error),
        "warning" => Ok(Level::Warning),
        "note" => Ok(Level::Note),
        _ => Err(Error::new(format!("{text:?} is no level"), at).help("the levels are error, warning and note")),
    }
}

fn fail_on(text: &str, at: Span) -> Result<FailOn, Error> {
    match text {
        "never" => Ok(FailOn::Never),
        _ => level(text, at)
            .map(FailOn::From)
            .map_err(|_| Error::new(format!("{text:?} is nothing to fail on"), at).help("write error, warning, note or never")),
    }
}

fn cluster(mut table: Table<'_>) -> Result<Cluster, Error> {
    let cluster = Cluster {
        name: table.required("name")?,
        path: table.required("path")?,
        target: table.string("target")?,
        feature_gates: gates(&mut table)?,
        span: table.span,
    };
    table.finish()?;
    Ok(cluster)
}

fn rules(table: Table<'_>) -> Result<BTreeMap<String, RuleLevel>, Error> {
    let entry = |(rule, _, text, at): (String, Span, String, Span)| match text.as_str() {
        "off" => Ok((rule, RuleLevel::Off)),
        other => match level(other, at) {
            Ok(level) => Ok((rule, RuleLevel::At(level))),
            Err(error) => Err(error.help("a rule is off, note, warning or error")),
        },
    };
    table.entries()?.into_iter().map(entry).collect()
}

fn ignore(mut table: Table<'_>) -> Result<Ignore, Error> {
    let ignore = Ignore {
        rule: table.string("rule")?,
        extension: table.string("extension")?,
        path: table.string("path")?,
        reason: table.required("reason")?,
        expires: table.date("expires")?,
        span: table.span,
    };
    if ignore.rule.is_none() && ignore.extension.is_none() && ignore.path.is_none() {
        return Err(Error::new("this [[ignore]] would hide every finding", table.span).help("add rule, extension or path"));
    }
    table.finish()?;
    Ok(ignore)
}

fn waiver(mut table: Table<'_>) -> Result<Waiver, Error> {
    let waiver = Waiver {
        crd: table.required("crd")?,
        version: table.string("version")?,
        property: table.string("property")?,
        check: table.string("check")?,
        reason: table.required("reason")?,
        expires: table.date("expires")?,
        span: table.span,
    };
    table.finish()?;
    Ok(waiver)
}

fn image(mut table: Table<'_>) -> Result<ImageMapping, Error> {
    let image = ImageMapping { reference: table.required("ref")?, path: table.required("path")?, span: table.span };
    table.finish()?;
    Ok(image)
}

fn registry(mut table: Table<'_>) -> Result<Registry, Error> {
    let registry = Registry {
        insecure: table.strings("insecure")?,
        ca_file: table.string("ca-file")?,
        auth_file: table.string("auth-file")?,
    };
    table.finish()?;
    Ok(registry)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_is_optional() {
        assert_eq!(parse("").unwrap(), Config::default());
    }

    #[test]
    fn every_key_is_read() {
        let config = parse(
            r#"
            target = "ocp-4.20"
            feature-gates = ["DeploymentConfig=true"]
            fail-on = "warning"
            [[cluster]]
            name = "prod"
            path = "clusters/prod"
            [rules]
            duplicate-key = "off"
            dropped-field = "error"
            [[ignore]]
            rule = "dropped-field"
            path = "legacy"
            reason = "is being replaced"
            expires = 2027-01-31
            [[waiver]]
            crd = "weirs.water.example"
            check = "enum"
            reason = "no object uses the value"
            [[image]]
            ref = "registry.example/c:v1"
            path = "catalogs/c"
            [registry]
            insecure = ["registry.internal:5000"]
            "#,
        )
        .unwrap();
        assert_eq!(config.feature_gates.as_deref(), Some("DeploymentConfig=true"));
        assert_eq!(config.rules.get("dropped-field"), Some(&RuleLevel::At(Level::Error)));
        assert_eq!(config.ignores[0].expires.unwrap().to_string(), "2027-01-31");
        assert_eq!(config.registry.insecure, ["registry.internal:5000"]);
    }

    #[track_caller]
    fn refused(text: &str) -> (String, String, Option<String>) {
        let error = parse(text).unwrap_err();
        (error.message, text[error.span.start..error.span.end].to_owned(), error.help)
    }

    #[test]
    fn an_unknown_key_has_its_place_and_a_near_name() {
        let (message, at, help) = refused("tagret = \"olm-1.11\"");
        assert_eq!((message.as_str(), at.as_str()), ("unknown key \"tagret\"", "tagret"));
        assert_eq!(help.as_deref(), Some("did you mean \"target\"?"));
        let (message, at, _) = refused("[registry]\nca = \"x\"");
        assert_eq!((message.as_str(), at.as_str()), ("unknown key \"ca\" in [registry]", "ca"));
    }

    #[test]
    fn what_has_no_meaning_is_refused() {
        assert_eq!(refused("fail-on = \"fatal\"").1, "\"fatal\"");
        assert_eq!(refused("target = 4").0, "target should be a string, and here is an integer");
        assert_eq!(refused("[[ignore]]\nreason = \"x\"").0, "this [[ignore]] would hide every finding");
        assert_eq!(refused("[[waiver]]\ncrd = \"x\"").0, "[[waiver]] has no reason");
        assert_eq!(refused("[[ignore]]\nrule=\"a\"\nreason = \"x\"\nexpires = \"soon\"").0, "expires is no date");
        assert!(parse("a = ").is_err());
    }
}
