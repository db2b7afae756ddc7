//! Arguments in, an answer out: the only place that prints.

mod args;
mod commands;
mod crds;
mod failure;
mod folder;
mod indexes;
mod output;
mod pipeline;
mod settings;
mod side;

use crate::report;
use args::{Cli, Command, Format};
use clap::Parser as _;
use failure::{Failure, Fault};
use settings::Stream;
use std::io::Write as _;
use std::process::ExitCode;

/// What a command came to.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Answer {
    /// What goes to stdout, or to `--output`.
    text: String,
    /// What goes to stderr besides, a line each.
    notes: Vec<String>,
    /// How it ended.
    end: End,
}

/// How a command ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    /// Nothing at or above the level that fails the run.
    Clean,
    /// Findings.
    Findings,
    /// Something could not be completed; the rest was.
    Incomplete,
}

impl Answer {
    fn clean(text: String) -> Self {
        Self { text, notes: Vec::new(), end: End::Clean }
    }
}

/// Runs the program on this process's arguments.
pub fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            let code = if error.use_stderr() { 2 } else { 0 };
            let _ = error.print();
            return ExitCode::from(code);
        }
    };
    let ended = run(&cli).and_then(|answer| {
        output::answer(&answer.text, cli.global.output.as_deref())
            .map_err(|e| Failure::io(cli.global.output.as_deref().unwrap_or("stdout".as_ref()), &e))?;
        if !cli.global.quiet {
            answer.notes.iter().for_each(|note| say(&report::printable(note)));
        }
        Ok(answer.end)
    });
    match ended {
        Ok(End::Clean) => ExitCode::SUCCESS,
        Ok(End::Findings) => ExitCode::from(1),
        Ok(End::Incomplete) => ExitCode::from(3),
        Err(failure) => {
            say(failure.text(settings::style(&cli.global, Stream::Stderr)).trim_end());
            ExitCode::from(match failure.fault {
                Fault::Usage => 2,
                Fault::Incomplete => 3,
            })
        }
    }
}

fn run(cli: &Cli) -> Result<Answer, Failure> {
    let global = &cli.global;
    let takes = commands::formats(&cli.command);
    if !takes.contains(&global.format) {
        let names: Vec<_> = takes.iter().map(|f| f.name()).collect();
        return Err(Failure::usage(format!("--format {}: this command has {}", global.format.name(), names.join(", "))));
    }
    match &cli.command {
        Command::Check(arguments) => commands::check::run(global, arguments),
        Command::Lint(arguments) => commands::lint::run(global, arguments),
        Command::Resolve(arguments) => commands::resolve::run(global, arguments),
        Command::Render(arguments) => commands::render::run(global, arguments),
        Command::Diff(arguments) => commands::diff::run(global, arguments),
        Command::Lock(arguments) => commands::lock::run(global, arguments),
        Command::Fetch(arguments) => commands::fetch::run(global, arguments),
        Command::CrdDiff(arguments) => commands::crd_diff::run(global, arguments),
        Command::Catalog(arguments) => commands::catalog::run(global, arguments),
        Command::Rules => Ok(commands::rules::list(global)),
        Command::Explain { rule } => commands::rules::explain(rule),
    }
}

/// A line on stderr. Nobody reading it is no reason to stop.
fn say(line: &str) {
    let _ = writeln!(std::io::stderr(), "{line}");
}

impl Format {
    fn name(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Json => "json",
            Self::Markdown => "markdown",
            Self::Yaml => "yaml",
            Self::Mermaid => "mermaid",
            Self::Dot => "dot",
            Self::Svg => "svg",
        }
    }
}
