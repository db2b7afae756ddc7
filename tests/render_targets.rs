//! What the targets make of the same bundle.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic)]

use olmplan::bundle::{self, Bundle};
use olmplan::render::{OwnerLabels, RenderError, RenderOptions, phases, render};
use olmplan::target::Target;
use serde_json::{Value, json};
use std::collections::BTreeMap;

fn bundle(modes: &[&str], spec: Value, others: &[Value]) -> Bundle {
    let mut spec = spec;
    spec["installModes"] = modes.iter().map(|mode| json!({"type": mode, "supported": true})).collect();
    let csv = json!({
        "apiVersion": "operators.coreos.com/v1alpha1",
        "kind": "ClusterServiceVersion",
        "metadata": {"name": "op.v1", "annotations": {"text": "{{ $labels.x }}"}},
        "spec": spec,
    });
    let mut files: BTreeMap<String, Vec<u8>> = BTreeMap::new();
    let annotations = "annotations: {operators.operatorframework.io.bundle.package.v1: op}";
    files.insert("metadata/annotations.yaml".into(), annotations.into());
    files.insert("manifests/csv.json".into(), csv.to_string().into());
    for (n, other) in others.iter().enumerate() {
        files.insert(format!("manifests/o{n}.json"), other.to_string().into());
    }
    bundle::read(&files).unwrap()
}

fn strategy() -> Value {
    json!({"install": {"strategy": "deployment", "spec": {
        "deployments": [{"name": "d", "spec": {
            "selector": {"matchLabels": {"app": "d"}},
            "template": {"spec": {
                "serviceAccountName": "pod-account",
                "containers": [{"name": "c", "volumeMounts": [{"name": "own", "mountPath": "/tmp/k8s-webhook-server/serving-certs"}]}],
                "volumes": [{"name": "own", "emptyDir": {}}],
            }},
        }}],
        "permissions": [{"serviceAccountName": "a", "rules": [{"verbs": ["get"], "apiGroups": [""], "resources": ["pods"]}]}],
    }}})
}

fn with_webhook() -> Value {
    let mut spec = strategy();
    spec["webhookdefinitions"] = json!([{
        "type": "ValidatingAdmissionWebhook", "generateName": "w.example.com", "deploymentName": "d", "containerPort": 443,
        "sideEffects": "None", "admissionReviewVersions": ["v1"],
    }]);
    spec
}

struct Ask<'a> {
    target: &'a str,
    gates: &'a str,
    config: Option<Value>,
    annotation: Option<&'a str>,
}

impl Default for Ask<'_> {
    fn default() -> Self {
        Self { target: "olm-1.11", gates: "", config: None, annotation: None }
    }
}

fn ask(bundle: &Bundle, ask: &Ask<'_>) -> Result<Vec<Value>, RenderError> {
    let mut target = Target::named(ask.target).unwrap();
    if !ask.gates.is_empty() {
        target.set_gates(ask.gates).unwrap();
    }
    let options = RenderOptions {
        extension: "e",
        install_namespace: "ns",
        config: ask.config.as_ref(),
        watch_namespace_annotation: ask.annotation,
        target: &target,
        owner_labels: OwnerLabels::LeaveOut,
    };
    render(bundle, &options)
}

fn on(target: &str) -> Ask<'_> {
    Ask { target, ..Ask::default() }
}

fn inline(value: Value) -> Option<Value> {
    Some(json!({"configType": "Inline", "inline": value}))
}

fn refusal(bundle: &Bundle, what: &Ask<'_>) -> RenderError {
    match ask(bundle, what) {
        Ok(objects) => panic!("{} objects", objects.len()),
        Err(error) => error,
    }
}

fn find<'a>(objects: &'a [Value], kind: &str) -> &'a Value {
    objects.iter().find(|object| object["kind"] == kind).unwrap()
}

#[test]
fn webhooks_come_with_1_3_and_are_on_from_1_6() {
    let bundle = bundle(&["AllNamespaces"], with_webhook(), &[]);
    for (target, words) in [
        ("olm-1.0", "webhookDefinitions are not supported"),
        ("olm-1.5", "unsupported bundle: webhookDefinitions are not supported"),
        ("ocp-4.20", "unsupported bundle: webhookDefinitions are not supported"),
    ] {
        let error = refusal(&bundle, &on(target));
        assert_eq!(error.to_string(), words, "{target}");
        let since = if target.starts_with("olm") { "olm-1.3" } else { "ocp-4.20" };
        assert_eq!(error.missing().unwrap().since.as_deref(), Some(since), "{target}");
    }
    for target in ["olm-1.6", "olm-1.11", "ocp-4.20-preview", "ocp-4.21"] {
        let objects = ask(&bundle, &on(target)).unwrap();
        let issuers = objects.iter().filter(|object| object["kind"] == "Issuer").count();
        assert_eq!(issuers, usize::from(target.starts_with("olm")), "{target}");
        assert_eq!(
            find(&objects, "ValidatingWebhookConfiguration")["webhooks"][0]["clientConfig"]["service"]["name"],
            "d-service"
        );
    }
    let early = ask(&bundle, &Ask { gates: "WebhookProviderCertManager=true", ..on("olm-1.3") }).unwrap();
    assert_eq!(find(&early, "Certificate")["spec"].get("renewBefore"), None);
    let names = |objects: &[Value]| -> Vec<String> {
        let volumes = &find(objects, "Deployment")["spec"]["template"]["spec"]["volumes"];
        volumes.as_array().unwrap().iter().map(|volume| volume["name"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(names(&early), ["own", "apiservice-cert", "webhook-cert"]);
    assert_eq!(names(&ask(&bundle, &on("olm-1.11")).unwrap()), ["webhook-cert", "apiservice-cert"]);
}

#[test]
fn bundles_that_cannot_watch_everything_are_refused_in_each_releases_words() {
    let own = bundle(&["OwnNamespace"], strategy(), &[]);
    let modes = "supported install modes [OwnNamespace] do not support targeting all namespaces";
    for (target, words) in [
        ("olm-1.0", modes.to_owned()),
        ("olm-1.2", modes.to_owned()),
        ("olm-1.5", format!("error rendering bundle: invalid option(s): invalid target namespaces []: {modes}")),
        ("olm-1.6", "unsupported bundle: bundle does not support AllNamespaces install mode".to_owned()),
        ("ocp-4.22", "unsupported bundle: bundle does not support AllNamespaces install mode".to_owned()),
    ] {
        let error = refusal(&own, &on(target));
        assert_eq!(error.to_string(), words);
        let since = if target.starts_with("olm") { "olm-1.2" } else { "ocp-4.19" };
        assert_eq!(error.missing().unwrap().since.as_deref(), Some(since));
    }
    // 1.8 has the gate on.
    assert_eq!(
        refusal(&own, &on("olm-1.8")).to_string(),
        "terminal error: invalid ClusterExtension configuration: invalid configuration: required field \"watchNamespace\" is missing"
    );
}

#[test]
fn the_namespace_to_watch_is_read_from_where_the_release_reads_it() {
    const GATE: &str = "SingleOwnNamespaceInstallSupport=true";
    let single = bundle(&["SingleNamespace"], strategy(), &[]);
    let watched = |objects: Vec<Value>| find(&objects, "Role")["metadata"]["namespace"].as_str().unwrap().to_owned();
    for target in ["olm-1.2", "olm-1.4", "olm-1.5", "ocp-4.20"] {
        let asked = Ask { target, gates: GATE, annotation: Some("other"), ..Ask::default() };
        assert_eq!(watched(ask(&single, &asked).unwrap()), "other", "{target}");
        let asked = Ask { annotation: Some("Bad"), ..asked };
        assert!(refusal(&single, &asked).to_string().starts_with("invalid watch namespace 'Bad': namespace must"), "{target}");
    }
    for target in ["olm-1.5", "olm-1.6", "olm-1.7", "olm-1.8", "olm-1.11"] {
        let asked = Ask { target, gates: GATE, config: inline(json!({"watchNamespace": "other"})), ..Ask::default() };
        assert_eq!(watched(ask(&single, &asked).unwrap()), "other", "{target}");
    }
    let own = |target| Ask { target, gates: GATE, config: inline(json!({"watchNamespace": "ns"})), ..Ask::default() };
    for (target, words) in [
        (
            "olm-1.6",
            "invalid bundle configuration: error unmarshalling registry+v1 configuration: invalid 'watchNamespace' \"ns\": must not \
             be install namespace (ns)",
        ),
        (
            "olm-1.7",
            "invalid ClusterExtension configuration: invalid configuration: 'ns' is not valid singleNamespaceInstallMode: invalid \
             value \"ns\": watchNamespace must be different from \"ns\" (the install namespace) because this operator uses \
             SingleNamespace install mode to watch a different namespace",
        ),
        (
            "olm-1.8",
            "terminal error: invalid ClusterExtension configuration: invalid configuration: invalid format for field \
             \"watchNamespace\": 'ns' is not valid singleNamespaceInstallMode: invalid value \"ns\": must be different from \"ns\" \
             (the install namespace) because this operator uses SingleNamespace install mode to watch a different namespace",
        ),
    ] {
        let error = refusal(&single, &own(target));
        assert_eq!(error.to_string(), words);
        let RenderError::Config { problems, .. } = error else { panic!("another error") };
        assert_eq!(problems[0].field.to_string(), "spec.config.inline.watchNamespace");
    }
}

#[test]
fn a_form_that_no_namespace_has_is_refused_with_each_reason() {
    let asked = Ask {
        gates: "SingleOwnNamespaceInstallSupport=true",
        config: inline(json!({"watchNamespace": "-".repeat(64), "typo": 1})),
        ..Ask::default()
    };
    let error = refusal(&bundle(&["SingleNamespace", "OwnNamespace"], strategy(), &[]), &asked);
    assert_eq!(
        error.to_string(),
        "terminal error: invalid ClusterExtension configuration: invalid configuration: multiple errors found:\n  \
         - validation failed\n  \
         - field \"watchNamespace\" must have maximum length of 63 (len=64)\n  \
         - field \"watchNamespace\" must match pattern \"^[a-z0-9]([-a-z0-9]*[a-z0-9])?$\"\n  \
         - unknown field \"typo\""
    );
    let RenderError::Config { problems, .. } = error else { panic!("another error") };
    assert_eq!(problems.last().unwrap().field.to_string(), "spec.config.inline.typo");
}

#[test]
fn deployment_config_needs_its_gate() {
    let bundle = bundle(&["AllNamespaces"], strategy(), &[]);
    let config = inline(json!({"deploymentConfig": {"volumes": [{"name": "own", "emptyDir": {}}], "affinity": {}}}));
    let error = refusal(&bundle, &Ask { config: config.clone(), ..Ask::default() });
    assert!(error.to_string().ends_with("unknown field \"deploymentConfig\""), "{error}");
    assert_eq!(error.missing().unwrap().since.as_deref(), Some("olm-1.9"));
    let volumes = |asked: &Ask<'_>| {
        let objects = ask(&bundle, asked).unwrap();
        find(&objects, "Deployment")["spec"]["template"]["spec"]["volumes"].as_array().unwrap().len()
    };
    assert_eq!(volumes(&Ask { gates: "DeploymentConfig=true", config: config.clone(), ..Ask::default() }), 1);
    assert_eq!(volumes(&Ask { config: config.clone(), ..on("olm-1.8") }), 2);
    // Before 1.9, a configuration is not looked at where the gate is off.
    assert_eq!(volumes(&Ask { config, ..on("olm-1.6") }), 1);
}

#[test]
fn a_deployment_config_that_go_cannot_read_is_placed() {
    let bundle = bundle(&["AllNamespaces"], strategy(), &[]);
    let config = inline(json!({"deploymentConfig": {"resources": {"limits": {"cpu": "lots"}}}}));
    let error = refusal(&bundle, &Ask { gates: "DeploymentConfig=true", config, ..Ask::default() });
    assert!(
        error
            .to_string()
            .starts_with("terminal error: invalid deploymentConfig: failed to unmarshal deploymentConfig: quantities")
    );
    let RenderError::DeploymentConfig { field, .. } = error else { panic!("another error") };
    assert_eq!(field.to_string(), "spec.config.inline.deploymentConfig.resources.limits.cpu");
    let config = inline(json!({"deploymentConfig": {"env": [{"value": 1}], "tolerations": "x"}}));
    let error = refusal(&bundle, &Ask { gates: "DeploymentConfig=true", config, ..Ask::default() });
    assert_eq!(
        error.to_string(),
        "terminal error: invalid ClusterExtension configuration: invalid configuration: multiple errors found:\n  \
         - validation failed\n  \
         - required field \"name\" is missing\n  \
         - invalid type for field \"deploymentConfig.env.0.value\": got number, want string\n  \
         - invalid type for field \"deploymentConfig.tolerations\": got string, want array"
    );
}

#[test]
fn a_deployment_config_is_read_as_go_reads_it() {
    const GATE: &str = "DeploymentConfig=true";
    let bundle = bundle(&["AllNamespaces"], selective(), &[]);
    let with = |config: Value| Ask { gates: GATE, config: inline(json!({"deploymentConfig": config})), ..Ask::default() };
    // An empty selector takes the deployment's away; none leaves it.
    let selector =
        |config| find(&ask(&bundle, &with(config)).unwrap(), "Deployment")["spec"]["template"]["spec"]["nodeSelector"].clone();
    assert_eq!(selector(json!({"nodeSelector": {}})), Value::Null);
    assert_eq!(selector(json!({"env": []})), json!({"own": "x"}));
    // Every number is a float on its way, and JSON is read as YAML.
    assert_eq!(
        refusal(&bundle, &with(json!({"tolerations": [{"tolerationSeconds": i64::MAX}]}))).to_string(),
        "terminal error: invalid deploymentConfig: failed to unmarshal deploymentConfig: json: cannot unmarshal number \
         9223372036854776000 into Go struct field Toleration.tolerations.tolerationSeconds of type int64"
    );
    assert_eq!(
        refusal(&bundle, &with(json!({"annotations": {"a": "\u{7f}"}}))).to_string(),
        "terminal error: invalid ClusterExtension configuration: invalid configuration: control characters are not allowed"
    );
    assert_eq!(
        refusal(&bundle, &with(json!({"affinity": {"nodeAffinity": null, "podAntiAffinity": null}}))).to_string(),
        "terminal error: invalid ClusterExtension configuration: invalid configuration: multiple errors found:\n  \
         - validation failed\n  - 'allOf' failed\n  - validation failed\n  - 'allOf' failed\n  - validation failed"
    );
}

fn selective() -> Value {
    let mut spec = strategy();
    spec["install"]["spec"]["deployments"][0]["spec"]["template"]["spec"]["nodeSelector"] = json!({"own": "x"});
    spec
}

#[test]
fn releases_before_1_8_fall_over_properties_that_find_no_annotations() {
    let csv = "{kind: ClusterServiceVersion, spec: {installModes: [{type: AllNamespaces, supported: true}]}}";
    let files = [
        ("metadata/annotations.yaml", "annotations: {operators.operatorframework.io.bundle.package.v1: op}"),
        ("metadata/properties.yaml", "properties: []"),
        ("manifests/csv.yaml", csv),
    ];
    let files: BTreeMap<String, Vec<u8>> = files.into_iter().map(|(path, text)| (path.to_owned(), text.into())).collect();
    let bundle = bundle::read(&files).unwrap();
    assert_eq!(refusal(&bundle, &on("ocp-4.21")).to_string(), "panic: assignment to entry in nil map [recovered]");
    assert!(ask(&bundle, &on("ocp-4.22")).is_ok() && ask(&bundle, &on("olm-1.8")).is_ok());
}

#[test]
fn the_first_releases_make_other_objects() {
    let bundle = bundle(&["AllNamespaces"], strategy(), &[]);
    let names = |target: &str| -> Vec<String> {
        let objects = ask(&bundle, &on(target)).unwrap();
        let accounts = objects.iter().filter(|object| object["kind"] == "ServiceAccount");
        accounts.map(|object| object["metadata"]["name"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(names("olm-1.2"), ["a", "pod-account"]);
    assert_eq!(names("olm-1.3"), ["a"]);
    for (target, rules, history, namespace) in [
        ("olm-1.2", 1, None, None),
        ("ocp-4.18", 1, None, None),
        ("ocp-4.19", 2, Some(1), None),
        ("olm-1.10", 2, Some(1), None),
        ("olm-1.11", 2, Some(1), Some("ns")),
    ] {
        let objects = ask(&bundle, &on(target)).unwrap();
        assert_eq!(find(&objects, "ClusterRole")["rules"].as_array().unwrap().len(), rules, "{target}");
        let spec = &find(&objects, "Deployment")["spec"];
        assert_eq!(spec.get("revisionHistoryLimit").and_then(Value::as_i64), history, "{target}");
        let annotations = &spec["template"]["metadata"]["annotations"];
        assert_eq!(annotations.get("olm.operatorNamespace").and_then(Value::as_str), namespace, "{target}");
        assert_eq!(annotations["text"], "{{ $labels.x }}");
    }
}

#[test]
fn kinds_that_bundles_may_not_hold_are_refused() {
    let bundle =
        bundle(&["AllNamespaces"], strategy(), &[json!({"kind": "Issuer", "apiVersion": "v1", "metadata": {"name": "i"}})]);
    for (target, words) in [
        ("olm-1.2", "bundle contains unsupported resource: Name: i, Kind: Issuer"),
        ("olm-1.5", "error rendering bundle: bundle contains unsupported resource: Name: i, Kind: Issuer"),
        ("olm-1.8", "bundle contains unsupported resource: Name: i, Kind: Issuer"),
        ("olm-1.9", "unsupported resource \"i\" with kind \"Issuer\""),
    ] {
        assert_eq!(refusal(&bundle, &on(target)).to_string(), words, "{target}");
    }
}

#[test]
fn objects_come_in_the_order_of_application_with_sorted_keys() {
    let bundle =
        bundle(&["AllNamespaces"], with_webhook(), &[json!({"metadata": {"name": "s"}, "apiVersion": "v1", "kind": "Secret"})]);
    let objects = ask(&bundle, &Ask::default()).unwrap();
    let in_phases: Vec<&Value> = phases(&objects).into_iter().flat_map(|(_, objects)| objects).collect();
    assert_eq!(in_phases, objects.iter().collect::<Vec<_>>());
    for object in &objects {
        let mut sorted = object.clone();
        sorted.sort_all_objects();
        assert_eq!(sorted.to_string(), object.to_string());
    }
}
