//! Manifests -> findings, and the rules' documentation.

use super::*;
use crate::api::Manifest;
use crate::finding::{Finding, Level};
use crate::place::FieldPath;
use crate::target::Target;
use std::sync::Arc;

fn lint(files: &[(&str, &str)], target: &str) -> Vec<Finding> {
    lint_for(files, &Target::named(target).unwrap())
}

fn lint_for(files: &[(&str, &str)], target: &Target) -> Vec<Finding> {
    let (mut manifests, mut broken) = (Vec::new(), Vec::new());
    for (path, text) in files {
        let text: Arc<str> = Arc::from(*text);
        let (found, errors) = Manifest::read(path, &text);
        manifests.extend(found);
        broken.extend(errors.into_iter().map(|error| Broken { path: (*path).to_owned(), text: text.clone(), error }));
    }
    run(&Input::new(&manifests, &broken, target))
}

fn rules_of(text: &str) -> Vec<&'static str> {
    let mut names: Vec<_> = lint(&[("a.yaml", text)], "olm-1.11").iter().map(|f| f.rule).collect();
    names.dedup();
    names
}

/// A finding in one line, for comparison.
fn shown(finding: &Finding) -> String {
    let field = finding.field.as_ref().map(ToString::to_string).unwrap_or_default();
    format!("{} {field}: {} [{}]", finding.rule, finding.message, finding.help.as_deref().unwrap_or_default())
}

const EXTENSION: &str = "\
apiVersion: olm.operatorframework.io/v1
kind: ClusterExtension
metadata:
  name: argocd
spec:
  namespace: argocd
  serviceAccount:
    name: installer
  source:
    sourceType: Catalog
    catalog:
      packageName: argocd-operator
";

#[test]
fn names_are_unique_and_in_kebab_case() {
    let names: Vec<_> = all().iter().map(|rule| rule.name).collect();
    let mut once = names.clone();
    once.dedup();
    assert_eq!(names, once);
    for name in names {
        let words: Vec<_> = name.split('-').collect();
        assert!(words.iter().all(|w| !w.is_empty() && w.bytes().all(|b| b.is_ascii_lowercase())), "{name}");
        assert_eq!(named(name).map(|rule| rule.name), Some(name));
    }
    assert!(named("no-such-rule").is_none());
}

#[test]
fn registries_are_sorted() {
    let plan_rules = plan_rules::ALL.map(|(rule, _)| rule);
    for registry in [&rules::ALL[..], &plan_rules, &config_rules::ALL] {
        assert!(registry.is_sorted_by_key(|rule| rule.name), "{registry:?}");
    }
}

#[test]
fn every_rule_says_what_why_and_what_to_do() {
    for rule in all() {
        let Doc { finds, why, fix, .. } = &rule.doc;
        for text in [finds, why, fix] {
            assert!(text.ends_with('.') && !text.contains('!') && !text.contains("  "), "{}: {text}", rule.name);
        }
    }
}

#[test]
fn examples_of_manifest_rules_hold() {
    for rule in rules::ALL {
        assert_eq!(rules_of(rule.doc.bad), [rule.name], "the bad example");
        assert_eq!(rules_of(rule.doc.good), Vec::<&str>::new(), "the good example of {}", rule.name);
    }
}

/// What a plan rule finds takes more than a manifest; of its examples, nothing but that must be wrong.
#[test]
fn other_examples_have_no_other_faults() {
    let mut target = Target::named("olm-1.11").unwrap();
    target.set_gates("DeploymentConfig=true").unwrap();
    for (rule, _) in plan_rules::ALL {
        for example in [rule.doc.bad, rule.doc.good] {
            assert_eq!(lint_for(&[("a.yaml", example)], &target), Vec::new(), "{}", rule.name);
        }
    }
    for rule in config_rules::ALL {
        for example in [rule.doc.bad, rule.doc.good] {
            assert!(example.starts_with("# olmplan.toml"), "{}", rule.name);
            assert!(crate::config::parse(example).is_ok(), "{}", rule.name);
        }
    }
}

/// `docs/rules/*.md` is what the registry prints. With `UPDATE_DOCS=1` in the environment this test writes the pages instead.
#[test]
#[allow(clippy::disallowed_methods)]
fn pages_are_what_the_rules_say() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/rules");
    let update = std::env::var("UPDATE_DOCS").is_ok_and(|v| v == "1");
    if update {
        std::fs::create_dir_all(&folder).unwrap();
    }
    let mut pages = Vec::new();
    for rule in all() {
        let page = folder.join(format!("{}.md", rule.name));
        if update {
            std::fs::write(&page, rule.markdown()).unwrap();
        }
        let found = std::fs::read_to_string(&page).unwrap_or_default();
        assert!(found == rule.markdown(), "{} is out of date; run with UPDATE_DOCS=1", page.display());
        pages.push(page);
    }
    for entry in std::fs::read_dir(&folder).unwrap() {
        let path = entry.unwrap().path();
        assert!(pages.contains(&path), "{} is no rule's page", path.display());
    }
}

#[test]
fn a_good_manifest_has_no_findings() {
    for target in Target::names() {
        assert_eq!(lint(&[("a.yaml", EXTENSION)], &target), Vec::new(), "{target}");
    }
}

#[test]
fn invalid_object_says_what_to_do() {
    let text = EXTENSION.replace("argocd-operator", "5").replace("Catalog", "catalog").replace("  namespace: argocd\n", "");
    let findings: Vec<_> = lint(&[("a.yaml", &text)], "olm-1.11").iter().map(shown).collect();
    assert_eq!(
        findings,
        [
            "invalid-object spec.namespace: the API server refuses spec.namespace: Required value [add `spec.namespace`]",
            "invalid-object spec.source.sourceType: the API server refuses spec.source.sourceType: Unsupported value: \"catalog\": \
             supported values: \"Catalog\" [did you mean `Catalog`?]",
            "invalid-object spec.source.catalog.packageName: the API server refuses spec.source.catalog.packageName: Invalid value: \
             \"integer\": spec.source.catalog.packageName in body must be of type string: \"integer\" [put the value in quotes: \"5\"]",
        ]
    );
}

#[test]
fn an_earlier_api_version_says_what_changed() {
    let text = EXTENSION.replace("io/v1", "io/v1alpha1");
    let findings = lint(&[("a.yaml", &text)], "olm-1.11");
    assert_eq!(findings.len(), 1);
    assert_eq!(findings[0].field, Some(FieldPath::of("apiVersion")));
    assert!(findings[0].help.as_ref().unwrap().starts_with("write `apiVersion: olm.operatorframework.io/v1`; "));
}

#[test]
fn dropped_field_knows_where_it_belongs() {
    let help = |line: &str, target: &str| {
        let text = format!("{EXTENSION}{line}\n");
        let findings = lint(&[("a.yaml", &text)], target);
        assert_eq!(findings.len(), 1, "{findings:?}");
        assert_eq!(findings[0].rule, "dropped-field");
        findings[0].help.clone().unwrap()
    };
    assert_eq!(help("      channel: [a]", "olm-1.11"), "did you mean `channels`?");
    assert_eq!(help("  packageName: a", "olm-1.11"), "did you mean `spec.source.catalog.packageName`?");
    assert_eq!(
        help("      zzz: 1", "olm-1.11"),
        "remove it; the fields of `spec.source.catalog` are channels, packageName, selector, upgradeConstraintPolicy, version"
    );
    assert_eq!(
        help("  config: {}", "olm-1.11"),
        "olm-1.11 has the field only where the feature gate SingleOwnNamespaceInstallSupport or DeploymentConfig is on; where the cluster runs with it, say so: --feature-gates NAME=true"
    );
    assert_eq!(help("  config: {}", "olm-1.2"), "operator-controller 1.8 has the field; set the target to what the cluster runs");
    assert_eq!(
        help("  progressDeadlineMinutes: 10", "olm-1.2"),
        "operator-controller 1.8 has the field where feature gates are on; set the target to what the cluster runs"
    );
}

#[test]
fn what_is_dropped_from_status_is_a_note() {
    let text = format!("{EXTENSION}status:\n  activeRevisions: []\n");
    let findings = lint(&[("a.yaml", &text)], "olm-1.11");
    assert_eq!(findings.iter().map(|f| (f.rule, f.level)).collect::<Vec<_>>(), [("dropped-field", Level::Note)]);
}

#[test]
fn findings_have_places() {
    let text = EXTENSION.replace("  name: installer", "  name: installer\n    namespace: x").replace("io/v1", "io/v2");
    let text = format!("# twice\n{text}      packageName: other\n");
    let places: Vec<_> = lint(&[("a.yaml", &text)], "olm-1.11")
        .iter()
        .map(|f| (f.rule, f.place.map(|p| (p.line, p.column, p.end_line, p.end_column)), f.extension.clone()))
        .collect();
    assert_eq!(
        places,
        [
            ("invalid-object", Some((2, 13, 2, 40)), Some("argocd".to_owned())),
            ("dropped-field", Some((10, 5, 10, 14)), Some("argocd".to_owned())),
            ("duplicate-key", Some((15, 7, 15, 18)), Some("argocd".to_owned())),
        ]
    );
}

#[test]
fn a_break_hides_what_comes_after_it_and_not_what_came_before() {
    let text = format!("{}---\na: [\n", EXTENSION.replace("Catalog\n", "catalog\n"));
    let rules: Vec<_> = lint(&[("a.yaml", &text)], "olm-1.11").iter().map(|f| f.rule).collect();
    assert_eq!(rules, ["invalid-object", "invalid-manifest"]);
}

#[test]
fn keys_that_stand_twice_in_others_objects_are_not_ours() {
    let text = format!("a: 1\na: 2\n---\n{EXTENSION}");
    assert_eq!(lint(&[("a.yaml", &text)], "olm-1.11"), Vec::new());
    let item = EXTENSION.replace('\n', "\n  ");
    let list = |extra: &str| format!("kind: List\nitems:\n- kind: ConfigMap\n  data: {{a: 1, a: 2}}\n- {item}{extra}\n");
    assert_eq!(lint(&[("a.yaml", &list(""))], "olm-1.11"), Vec::new());
    let findings = lint(&[("a.yaml", &list("metadata: {name: b}"))], "olm-1.11");
    let findings: Vec<_> = findings.iter().map(|f| (f.rule, f.extension.as_deref())).collect();
    assert_eq!(findings, [("duplicate-key", Some("b"))]);
}

#[test]
fn fields_are_named_as_the_api_server_does_and_placed_better() {
    let text = EXTENSION.replace("  name: argocd\n", "  name: argocd\n  labels:\n    a.b/c: not ok\n");
    let findings = lint(&[("a.yaml", &text)], "olm-1.11");
    assert_eq!(findings.len(), 1);
    assert_eq!(findings[0].field.as_ref().unwrap().to_string(), "metadata.labels");
    assert_eq!(findings[0].place.map(|p| (p.line, p.column)), Some((6, 12)));
    let findings = lint(&[("a.yaml", &format!("{EXTENSION}  a.b: 1\n"))], "olm-1.11");
    assert_eq!(findings[0].field.as_ref().unwrap().to_string(), "spec.a.b");
    assert_eq!(findings[0].place.map(|p| (p.line, p.column)), Some((13, 3)));
}

#[test]
fn findings_in_lists_have_their_whole_path() {
    let list = serde_json::json!({"apiVersion": "olm.operatorframework.io/v1", "kind": "ClusterCatalogList", "items": [
        {"metadata": {"name": "a"}, "spec": {"source": {"type": "Git"}}},
    ]});
    let findings = lint(&[("a.json", &list.to_string())], "olm-1.11");
    assert_eq!(findings.len(), 1);
    assert_eq!(findings[0].field.as_ref().unwrap().to_string(), "items[0].spec.source.type");
    assert_eq!(findings[0].extension, None);
}

#[test]
fn two_of_a_name_may_be_of_two_kinds() {
    let catalog = "apiVersion: olm.operatorframework.io/v1\nkind: ClusterCatalog\nmetadata: {name: argocd}\nspec:\n  source:\n    type: Image\n    image: {ref: 'quay.io/o/c:v1'}\n";
    assert_eq!(lint(&[("a.yaml", EXTENSION), ("b.yaml", catalog)], "olm-1.11"), Vec::new());
    let findings = lint(&[("b.yaml", EXTENSION), ("a.yaml", EXTENSION)], "olm-1.11");
    assert_eq!(findings.len(), 1);
    assert_eq!(findings[0].path.as_deref(), Some("b.yaml"));
    assert_eq!(findings[0].message, "there is another ClusterExtension of the name argocd in a.yaml");
}

#[test]
fn files_of_others_are_passed_over() {
    assert_eq!(lint(&[("values.yaml", "{{ .Values.x }}: [\n")], "olm-1.11"), Vec::new());
    assert_eq!(rules_of("apiVersion: example.com/v1\nkind: ClusterExtension\n"), Vec::<&str>::new());
    assert_eq!(rules_of("kind: ClusterExtension\n"), ["unknown-api-group"]);
    assert_eq!(rules_of("apiVersion: olm.operatorframework.io/v1\nkind: ClusterExtensionRevision\n"), Vec::<&str>::new());
    assert_eq!(rules_of("apiVersion: olm.operatorframework.io/v1\n"), ["unknown-kind"]);
}
