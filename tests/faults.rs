//! Faults that were found by trying to break it: each stays mended.
#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stdout
)]

mod support;

use std::path::Path;
use support::demo::Demo;
use support::{has_program, olmplan, parts};

fn count(folder: &Path) -> usize {
    walkdir::WalkDir::new(folder)
        .into_iter()
        .filter(|e| e.as_ref().unwrap().path().extension().is_some_and(|x| x == "yaml"))
        .count()
}

#[test]
fn a_catalog_that_cannot_be_read_takes_no_manifest_away() {
    let demo = Demo::new();
    demo.run(&["render", ".", "--out", "out"]);
    let written = count(&demo.tree().join("out"));
    assert!(written > 10, "{written}");
    std::fs::rename(demo.tree().join("images/catalogs/orchard"), demo.tree().join("away")).unwrap();
    assert_eq!(demo.run(&["render", ".", "--out", "out"]).0, 3);
    assert_eq!(count(&demo.tree().join("out")), written);
    std::fs::rename(demo.tree().join("away"), demo.tree().join("images/catalogs/orchard")).unwrap();
    // Nor does a manifest that does not parse.
    demo.write("extensions/kettle.yaml", "apiVersion: olm.operatorframework.io/v1\nkind: [\n");
    demo.run(&["render", ".", "--out", "out"]);
    assert_eq!(count(&demo.tree().join("out")), written);
    // An extension that is gone takes its own with it.
    std::fs::remove_file(demo.tree().join("extensions/kettle.yaml")).unwrap();
    demo.run(&["render", ".", "--out", "out"]);
    assert!(count(&demo.tree().join("out")) < written && !demo.tree().join("out/kettle").exists());
}

#[test]
fn an_upgrade_whose_before_cannot_be_read_does_not_pass() {
    let demo = Demo::new();
    std::fs::remove_dir_all(demo.tree().join("images/weir-0.4.0")).unwrap();
    std::fs::remove_file(demo.tree().join("extensions/millstone.yaml")).unwrap();
    let (code, stdout, _) = demo.run(&["check", "."]);
    assert_eq!(code, 3, "{stdout}");
    assert!(stdout.contains("error[unchecked-crds]") && stdout.contains("weir       unknown"), "{stdout}");
}

#[test]
fn what_was_not_read_is_not_gone() {
    let demo = Demo::new();
    let own = |name: &str, status: &str| (name.to_owned(), status.to_owned());
    assert_eq!(demo.statuses(&["extensions/lantern.yaml", "catalogs.yaml"]), [own("lantern", "upgrade")]);
    let lantern = demo.read("extensions/lantern.yaml");
    demo.write("extensions/lantern.yaml", &format!("{lantern}  bad: [\n"));
    let statuses = demo.statuses(&["."]);
    assert!(statuses.contains(&own("lantern", "unknown")) && !statuses.iter().any(|(_, s)| s == "removed"), "{statuses:?}");
}

#[test]
fn a_lock_of_a_part_keeps_the_rest() {
    let demo = Demo::new();
    demo.run(&["lock", "."]);
    let whole = demo.read("olmplan.lock");
    let (code, _, stderr) = demo.run(&["lock", "extensions/kettle.yaml", "catalogs.yaml"]);
    assert_eq!(code, 0, "{stderr}");
    assert_eq!(demo.read("olmplan.lock"), whole);
}

#[test]
fn every_command_holds_to_the_lock() {
    let demo = Demo::new();
    std::fs::remove_file(demo.tree().join("extensions/millstone.yaml")).unwrap();
    demo.run(&["lock", "."]);
    for command in ["check", "resolve", "render", "diff", "fetch"] {
        let (code, stdout, stderr) = demo.run(&[command, ".", "--locked"]);
        assert_eq!(code, 0, "{command}: {stdout}{stderr}");
    }
    demo.write("olmplan.lock", &demo.read("olmplan.lock").replace("quarry:v1", "quarry:v2"));
    for command in ["check", "resolve", "render", "diff", "fetch"] {
        let (code, stdout, stderr) = demo.run(&[command, ".", "--locked"]);
        assert_eq!(code, 1, "{command}: {stdout}{stderr}");
        assert!(format!("{stdout}{stderr}").contains("no longer fits the lock"), "{command}: {stdout}{stderr}");
    }
}

#[test]
fn an_extension_that_is_moved_is_still_an_upgrade() {
    if !has_program("git") {
        return;
    }
    let demo = Demo::new();
    std::fs::remove_file(demo.tree().join("olmplan.lock")).unwrap();
    let weir = demo.read("extensions/weir.yaml");
    demo.write("extensions/weir.yaml", &weir.replace("0.x", "0.4.0"));
    demo.commit();
    std::fs::remove_file(demo.tree().join("extensions/weir.yaml")).unwrap();
    demo.write("extensions/moved.yaml", &weir);
    let statuses = demo.statuses(&["extensions/moved.yaml", "catalogs.yaml", "--base", "HEAD"]);
    assert_eq!(statuses, [("weir".to_owned(), "unsafe".to_owned())]);
}

#[test]
fn a_cluster_without_a_folder_is_an_error() {
    let demo = Demo::new();
    let config = demo.read("olmplan.toml");
    for (clusters, words) in [
        ("[[cluster]]\nname = \"a\"\npath = \"nosuch\"\n", "has no folder"),
        ("[[cluster]]\nname = \"a\"\npath = \"../..\"\n", "has no folder"),
        ("[[cluster]]\nname = \"a\"\npath = \"extensions\"\n[[cluster]]\nname = \"a\"\npath = \"images\"\n", "two clusters"),
        ("[[cluster]]\nname = \"a\"\npath = \"images\"\n[[cluster]]\nname = \"b\"\npath = \"images/weir-0.4.0\"\n", "in common"),
        ("[[image]]\nref = \"NOT A REF\"\npath = \"x\"\n", "no image reference"),
    ] {
        demo.write("olmplan.toml", &format!("{config}\n{clusters}"));
        let (code, _, stderr) = demo.run(&["check", "."]);
        assert!(code == 2 && stderr.contains(words) && stderr.contains("olmplan.toml:"), "{clusters}: {code} {stderr}");
    }
}

#[test]
fn nothing_foreign_reaches_the_terminal() {
    let demo = Demo::new();
    let catalog = demo.read("images/catalogs/orchard/lantern/catalog.yaml");
    let name = "lantern\\u001b[31m\\n::error title=x::y";
    demo.write("images/catalogs/orchard/lantern/catalog.yaml", &catalog.replace("lantern.v1.3.1", &format!("\"{name}\"")));
    demo.write(
        "extensions/x.yaml",
        "apiVersion: olm.operatorframework.io/v1\nkind: \"A\\e[31m\\n::error::x\"\nmetadata: {name: \"a\\e]8;;x\"}\n",
    );
    for arguments in
        [&["check", "."][..], &["resolve", ".", "--explain"], &["lint", "."], &["diff", "."], &["render", ".", "--phases"]]
    {
        let (_, stdout, stderr) = demo.run(arguments);
        for text in [stdout, stderr] {
            assert!(!text.contains(|c: char| c.is_control() && c != '\n'), "{arguments:?}: {text:?}");
            assert!(!text.lines().any(|l| l.trim_start().starts_with("::")), "{arguments:?}: {text}");
        }
    }
    // It was there to be shown.
    let (_, stdout, _) = demo.run(&["resolve", ".", "--explain"]);
    assert!(stdout.contains("lantern\u{fffd}[31m ::error"), "{stdout}");
}

#[test]
fn a_long_line_is_cropped_around_what_it_is_about() {
    let demo = Demo::new();
    let text = format!(
        "{{\"apiVersion\":\"olm.operatorframework.io/v1\",\"kind\":\"ClusterExtension\",\"metadata\":{{\"name\":\"a\"}},\"junk\":\"{}\",\"spec\":{{}}}}",
        "x".repeat(70_000)
    );
    demo.write("long.json", &text);
    let (code, stdout, stderr) = demo.run(&["lint", "long.json"]);
    assert_eq!(code, 1, "{stderr}");
    assert!(stdout.len() < 3_000 && stdout.contains("long.json:1:70105"), "{stdout}");
}

#[test]
fn a_file_that_is_no_utf8_is_refused() {
    let demo = Demo::new();
    let mut bytes = b"# caf\xe9\n".to_vec();
    bytes.extend(demo.read("extensions/kettle.yaml").into_bytes());
    std::fs::write(demo.tree().join("extensions/kettle.yaml"), bytes).unwrap();
    let (code, stdout, _) = demo.run(&["lint", "."]);
    assert!(code == 1 && stdout.contains("no UTF-8") && stdout.contains("kettle.yaml:1:6"), "{stdout}");
}

#[test]
fn templates_of_a_chart_are_passed_over_however_they_are_named() {
    let demo = Demo::new();
    std::fs::create_dir_all(demo.tree().join("chart/templates")).unwrap();
    demo.write("chart/Chart.yaml", "name: c\n");
    demo.write(
        "chart/templates/e.yaml",
        "apiVersion: olm.operatorframework.io/v1\nkind: ClusterExtension\nmetadata: {name: {{ .x }}}\n",
    );
    for path in ["chart", "chart/templates", "chart/templates/e.yaml"] {
        let (code, stdout, stderr) = demo.run(&["lint", path]);
        assert_eq!(code, 0, "{path}: {stdout}{stderr}");
    }
}

#[test]
fn an_empty_variable_is_not_set() {
    let demo = Demo::new();
    let run = |variables: &[(&str, &str)]| {
        let mut command = olmplan(demo.home(), &demo.tree());
        parts(&command.args(["lint", "."]).envs(variables.iter().copied()).output().unwrap())
    };
    let (code, _, stderr) =
        run(&[("OLMPLAN_TARGET", ""), ("OLMPLAN_FORMAT", ""), ("OLMPLAN_FAIL_ON", ""), ("OLMPLAN_OFFLINE", "")]);
    assert_eq!(code, 0, "{stderr}");
    assert_eq!(run(&[("OLMPLAN_OFFLINE", "1"), ("OLMPLAN_QUIET", "yes")]).0, 0);
    assert_eq!(run(&[("OLMPLAN_TARGET", "olm-9.9")]).0, 2);
}

#[test]
fn a_format_for_the_whole_job_does_not_stop_the_commands_that_have_another() {
    let demo = Demo::new();
    let run = |arguments: &[&str]| {
        let mut command = olmplan(demo.home(), &demo.tree());
        parts(&command.args(arguments).env("OLMPLAN_FORMAT", "markdown").output().unwrap())
    };
    assert!(run(&["lint", "."]).1.starts_with("### olmplan lint"));
    assert!(run(&["resolve", "."]).1.contains("EXTENSION"));
    assert_eq!(run(&["lock", ".", "--check"]).0, 1);
    // What is asked for outright is not given up quietly, wherever it stands.
    assert_eq!((run(&["resolve", ".", "--format", "markdown"]).0, run(&["--format", "markdown", "resolve", "."]).0), (2, 2));
}

#[test]
fn findings_never_fail_where_the_configuration_says_so() {
    let demo = Demo::new();
    demo.write("olmplan.toml", &format!("fail-on = \"never\"\n{}", demo.read("olmplan.toml")));
    assert_eq!(demo.run(&["check", "."]).0, 0);
    assert_eq!(demo.run(&["check", ".", "--fail-on", "error"]).0, 1);
}

#[test]
fn a_dump_that_failed_is_no_cluster_without_anything() {
    let demo = Demo::new();
    for (text, flag) in [
        ("", "--installed"),
        ("kind: Foo\n", "--installed"),
        ("foo: [\n", "--installed"),
        ("", "--cluster-crds"),
        ("kind: Foo\n", "--cluster-crds"),
        ("kind: CustomResourceDefinition\nfoo: [\n", "--cluster-crds"),
    ] {
        demo.write("dump.yaml", text);
        let (code, stdout, _) = demo.run(&["check", ".", flag, "dump.yaml"]);
        assert_eq!((code, stdout.as_str()), (2, ""), "{flag} {text:?}");
    }
    demo.write("dump.yaml", "apiVersion: v1\nkind: List\nitems: []\n");
    assert_eq!(demo.run(&["check", ".", "--installed", "dump.yaml"]).0, 0);
}

#[test]
fn a_catalog_that_nothing_selects_is_looked_into_for_a_way_out() {
    let demo = Demo::new();
    std::fs::remove_file(demo.tree().join("olmplan.lock")).unwrap();
    for name in ["lantern", "millstone", "weir"] {
        std::fs::remove_file(demo.tree().join(format!("extensions/{name}.yaml"))).unwrap();
    }
    let kettle = demo.read("extensions/kettle.yaml");
    let selector = "      selector:\n        matchLabels:\n          support: nope\n";
    demo.write("extensions/kettle.yaml", &format!("{kettle}{selector}"));
    let (_, stdout, _) = demo.run(&["resolve", "."]);
    assert!(stdout.contains("catalog orchard has the package, but the selector asks for support=nope"), "{stdout}");
    demo.write("extensions/kettle.yaml", &format!("{}{selector}", kettle.replace("packageName: kettle", "packageName: ketle")));
    let (_, stdout, _) = demo.run(&["resolve", "."]);
    assert!(stdout.contains("there is a package named kettle"), "{stdout}");
}

#[test]
fn what_the_cluster_has_must_not_change_under_an_update() {
    let demo = Demo::new();
    let live = demo.read("extensions/weir.yaml").replace("namespace: weir-system", "namespace: elsewhere");
    let file = demo.home().join("live.yaml");
    std::fs::write(&file, live).unwrap();
    let (code, stdout, stderr) = demo.run(&["check", ".", "--installed", file.to_str().unwrap()]);
    assert_eq!(code, 1, "{stderr}");
    assert!(stdout.contains("weir       refused") && stdout.contains("namespace is immutable"), "{stdout}");
}
