//! Arguments in, an answer out: the only place that prints.

mod args;
mod failure;
mod folder;
mod indexes;
mod output;
mod pipeline;
mod settings;
mod side;

use std::process::ExitCode;

/// Runs the program on this process's arguments.
pub fn main() -> ExitCode {
    ExitCode::from(2)
}
