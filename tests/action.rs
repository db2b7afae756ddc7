//! `action.yml` and `.pre-commit-hooks.yaml`, run as their runners would run them.
#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests start programs, make files and look at the environment"
)]

mod support;

use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use support::{copy, git, has_program, parts};

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// What the runner knows while it runs a composite action.
struct Runner {
    temp: tempfile::TempDir,
    work: PathBuf,
    inputs: BTreeMap<String, String>,
    outputs: BTreeMap<String, String>,
}

impl Runner {
    fn new(work: PathBuf, inputs: &[(&str, &str)]) -> Self {
        let mut runner = Self { temp: tempfile::tempdir().unwrap(), work, inputs: BTreeMap::new(), outputs: BTreeMap::new() };
        runner.inputs = inputs.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect();
        runner
    }

    /// The value of a text with expressions. One that is not known here is an error, not an empty text.
    fn expand(&self, text: &str) -> String {
        let mut out = String::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once("${{") {
            let (expression, after) = after.split_once("}}").expect("an expression ends");
            out.push_str(before);
            out.push_str(&self.value(expression.trim()));
            rest = after;
        }
        out + rest
    }

    fn value(&self, expression: &str) -> String {
        if expression == "github.action_path" {
            return root().to_string_lossy().into_owned();
        }
        if expression == "github.event.pull_request.base.sha" {
            return String::new();
        }
        if let Some(name) = expression.strip_prefix("inputs.") {
            return self.inputs.get(name).cloned().unwrap_or_else(|| panic!("no input {name}"));
        }
        let output = expression.strip_prefix("steps.").map(|e| e.replace(".outputs.", "."));
        self.outputs.get(&output.unwrap_or_default()).cloned().unwrap_or_else(|| panic!("no value for {expression}"))
    }

    /// Runs the steps until one fails; gives the last one's output and the step summary.
    fn run(mut self) -> (Output, String) {
        let text = std::fs::read_to_string(root().join("action.yml")).unwrap();
        let action = olmplan::yaml::read(&text).unwrap();
        for (name, input) in action["inputs"].as_object().unwrap() {
            let default = self.expand(input["default"].as_str().unwrap());
            self.inputs.entry(name.clone()).or_insert(default);
        }
        assert_eq!(action["runs"]["using"], "composite");
        let summary = self.temp.path().join("summary");
        let mut last = None;
        for step in action["runs"]["steps"].as_array().unwrap() {
            let id = step["id"].as_str().unwrap();
            let output_file = self.temp.path().join(format!("output-{id}"));
            let script = self.temp.path().join(format!("{id}.sh"));
            let run = step["run"].as_str().unwrap();
            assert!(!run.contains("${{"), "expressions belong into env, where they cannot become code");
            std::fs::write(&script, run).unwrap();
            let mut command = Command::new(step["shell"].as_str().unwrap());
            command.args(["--noprofile", "--norc", "-eo", "pipefail"]).arg(&script).current_dir(&self.work).env_clear();
            command.env("PATH", std::env::var_os("PATH").unwrap()).env("HOME", self.temp.path()).env("CI", "true");
            command.env("GITHUB_OUTPUT", &output_file).env("GITHUB_STEP_SUMMARY", &summary).env("RUNNER_TEMP", self.temp.path());
            for (name, value) in step["env"].as_object().unwrap() {
                command.env(name, self.expand(value.as_str().unwrap()));
            }
            let output = command.output().unwrap();
            for line in std::fs::read_to_string(&output_file).unwrap_or_default().lines() {
                let (key, value) = line.split_once('=').unwrap();
                self.outputs.insert(format!("{id}.{key}"), value.to_owned());
            }
            let ok = output.status.success();
            last = Some(output);
            if !ok {
                break;
            }
        }
        for (name, output) in action["outputs"].as_object().unwrap() {
            let value = self.expand(output["value"].as_str().unwrap());
            assert!(!value.is_empty(), "the output {name} is empty");
        }
        (last.unwrap(), std::fs::read_to_string(&summary).unwrap_or_default())
    }
}

fn binary() -> &'static str {
    env!("CARGO_BIN_EXE_olmplan")
}

#[test]
fn the_action_writes_the_summary_and_fails_by_exit_code() {
    if !has_program("bash") {
        return;
    }
    let (output, summary) = Runner::new(root(), &[("path", "testdata/demo"), ("binary", binary())]).run();
    let (code, stdout, stderr) = parts(&output);
    assert_eq!(code, 1, "{stdout}{stderr}");
    assert!(stdout.contains("millstone"), "{stdout}");
    assert!(summary.starts_with("### olmplan: 1 blocked, 1 unsafe, 1 upgrade, 1 new"), "{summary}");
}

#[test]
fn the_action_compares_with_the_base_and_passes() {
    if !has_program("bash") || !has_program("git") {
        return;
    }
    let work = tempfile::tempdir().unwrap();
    let tree = work.path().join("a folder");
    copy(&root().join("testdata/demo"), &tree);
    for name in ["millstone", "weir"] {
        std::fs::remove_file(tree.join(format!("extensions/{name}.yaml"))).unwrap();
    }
    let lock = std::fs::read_to_string(tree.join("olmplan.lock")).unwrap();
    std::fs::write(tree.join("olmplan.lock"), lock.split("\n[[extension]]\nname = \"millstone\"").next().unwrap()).unwrap();
    git(work.path(), &["init", "--quiet"]);
    git(work.path(), &["add", "--all"]);
    git(work.path(), &["commit", "--quiet", "-m", "before"]);
    let inputs = [("path", "a folder\n"), ("base", "HEAD"), ("fail-on", "warning"), ("offline", "true"), ("binary", binary())];
    // The input is split at spaces, so this names two folders that are not there.
    let (output, _) = Runner::new(work.path().to_owned(), &inputs).run();
    assert_eq!(parts(&output).0, 2);
    std::fs::rename(&tree, work.path().join("tree")).unwrap();
    git(work.path(), &["add", "--all"]);
    git(work.path(), &["commit", "--quiet", "-m", "renamed"]);
    let inputs = [("path", "tree\n"), ("base", "HEAD"), ("fail-on", "warning"), ("offline", "true"), ("binary", binary())];
    let (output, summary) = Runner::new(work.path().to_owned(), &inputs).run();
    let (code, stdout, stderr) = parts(&output);
    assert_eq!(code, 0, "{stdout}{stderr}");
    assert!(summary.contains("compared with HEAD"), "{summary}");
}

#[test]
fn the_hook_lints_the_files_that_it_is_given() {
    let text = std::fs::read_to_string(root().join(".pre-commit-hooks.yaml")).unwrap();
    let hooks: Value = olmplan::yaml::read(&text).unwrap();
    let entry = hooks[0]["entry"].as_str().unwrap();
    let mut words = entry.split_whitespace();
    assert_eq!(words.next(), Some("olmplan"));
    let arguments: Vec<&str> = words.collect();
    let work = tempfile::tempdir().unwrap();
    let good = std::fs::read_to_string(root().join("testdata/demo/extensions/kettle.yaml")).unwrap();
    std::fs::write(work.path().join("good.yaml"), &good).unwrap();
    std::fs::write(work.path().join("bad.yaml"), good.replace("packageName", "pakageName")).unwrap();
    std::fs::write(work.path().join("other.json"), "{}").unwrap();
    let run = |files: &[&str]| {
        let mut command = support::olmplan(work.path(), Path::new(work.path()));
        parts(&command.args(&arguments).args(files).output().unwrap())
    };
    assert_eq!(run(&["good.yaml", "other.json"]).0, 0);
    let (code, stdout, _) = run(&["good.yaml", "bad.yaml"]);
    assert_eq!(code, 1);
    assert!(stdout.contains("bad.yaml:") && stdout.contains("pakageName"), "{stdout}");
}
