//! The `olmplan` program: see [`olmplan::cli`].

use std::process::ExitCode;

fn main() -> ExitCode {
    olmplan::cli::main()
}
