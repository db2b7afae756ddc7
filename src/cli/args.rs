//! The arguments. Parsing them does nothing.

use super::commands::formats;
use super::settings::env;
use clap::parser::ValueSource;
use clap::{Args, CommandFactory as _, FromArgMatches as _, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;

/// Parses this process's arguments. A variable that is set and empty counts as not set, as CI systems leave them.
pub(super) fn parse() -> Result<Cli, clap::Error> {
    let matches = without_empty(Cli::command()).try_get_matches()?;
    let mut cli = Cli::from_arg_matches(&matches)?;
    let takes = formats(&cli.command);
    // A variable is for all commands of a job; one that has no such format answers in text.
    if !takes.contains(&cli.global.format) && !given("format", &matches) {
        cli.global.format = Format::Text;
    }
    Ok(cli)
}

/// Whether an argument was given on the command line, before or after the commands.
fn given(id: &str, matches: &clap::ArgMatches) -> bool {
    let here = matches.try_contains_id(id).is_ok() && matches.value_source(id) == Some(ValueSource::CommandLine);
    here || matches.subcommand().is_some_and(|(_, below)| given(id, below))
}

fn without_empty(mut command: clap::Command) -> clap::Command {
    let empty = |arg: &clap::Arg| {
        arg.get_env().and_then(|name| name.to_str()).is_some_and(|name| env(name).is_some_and(|v| v.is_empty()))
    };
    let names: Vec<clap::Id> = command.get_arguments().filter(|a| empty(a)).map(|a| a.get_id().clone()).collect();
    for name in names {
        command = command.mut_arg(name, |arg| arg.env(None::<&'static str>));
    }
    let below: Vec<String> = command.get_subcommands().map(|c| c.get_name().to_owned()).collect();
    for name in below {
        command = command.mut_subcommand(name, without_empty);
    }
    command
}

/// Shows what OLM v1 will do once a GitOps change is merged.
#[derive(Debug, Parser)]
#[command(name = "olmplan", version, max_term_width = 100, propagate_version = true)]
#[command(
    after_help = "Exit codes: 0 nothing at or above --fail-on; 1 findings; 2 wrong usage or configuration; 3 could not complete."
)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
    /// What every command takes.
    #[command(flatten)]
    pub global: Global,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Lint, resolve, render, compare, check CRD upgrades; report
    Check(Check),
    /// Say what can be said from the YAML alone: no network, milliseconds
    Lint(Paths),
    /// Show which bundle each ClusterExtension gets, or why none
    Resolve(Resolve),
    /// Write the manifests that the controller would apply
    Render(Render),
    /// Show how the applied objects change against a revision or the lock
    Diff(Compare),
    /// Write olmplan.lock: what the tree resolves to now
    Lock(Lock),
    /// Fill the store with the images that the tree needs, so that --offline works
    Fetch(Compare),
    /// Compare CRDs: files, folders, or REV:PATH
    CrdDiff(CrdDiff),
    /// Look into a catalog
    #[command(subcommand)]
    Catalog(Catalog),
    /// List the rules
    Rules,
    /// Explain a rule
    Explain {
        /// The rule's name, as findings show it
        rule: String,
    },
}

/// What every command takes.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Options for every command")]
pub struct Global {
    /// How the answer is written
    #[arg(long, global = true, env = "OLMPLAN_FORMAT", value_enum, default_value_t = Format::Text)]
    pub format: Format,
    /// Write the answer to a file instead of stdout
    #[arg(long, short = 'o', global = true, env = "OLMPLAN_OUTPUT", value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// The controller's release: olm-1.11, ocp-4.20, ocp-4.20-preview, ... [default: olmplan.toml's, or olm-1.11]
    #[arg(long, global = true, env = "OLMPLAN_TARGET", value_name = "NAME")]
    pub target: Option<String>,
    /// Feature gates of the controller to set
    #[arg(long, global = true, env = "OLMPLAN_FEATURE_GATES", value_name = "NAME=BOOL,...")]
    pub feature_gates: Option<String>,
    /// Who makes certificates for webhooks [default: the target's]
    #[arg(long, global = true, env = "OLMPLAN_CERT_PROVIDER", value_enum)]
    pub cert_provider: Option<CertProvider>,
    /// The configuration file [default: olmplan.toml of the checked folder or the nearest parent]
    #[arg(long, global = true, env = "OLMPLAN_CONFIG", value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Reach no registry: use the store and mapped images alone
    #[arg(long, global = true, env = "OLMPLAN_OFFLINE", value_parser = clap::builder::BoolishValueParser::new())]
    pub offline: bool,
    /// Use the catalogs' digests from olmplan.lock, and fail where the tree no longer fits it
    #[arg(long, global = true, env = "OLMPLAN_LOCKED", value_parser = clap::builder::BoolishValueParser::new())]
    pub locked: bool,
    /// Where fetched images are kept [default: the user's cache folder]
    #[arg(long, global = true, env = "OLMPLAN_STORE", value_name = "DIR")]
    pub store: Option<PathBuf>,
    /// The platform whose images are read
    #[arg(long, global = true, env = "OLMPLAN_PLATFORM", default_value = "linux/amd64", value_name = "OS/ARCH")]
    pub platform: String,
    /// Say nothing on stderr but errors
    #[arg(long, short = 'q', global = true, env = "OLMPLAN_QUIET", value_parser = clap::builder::BoolishValueParser::new(), conflicts_with = "verbose")]
    pub quiet: bool,
    /// Say more on stderr
    #[arg(long, short = 'v', global = true, env = "OLMPLAN_VERBOSE", value_parser = clap::builder::BoolishValueParser::new())]
    pub verbose: bool,
    /// Colour the answer
    #[arg(long, global = true, env = "OLMPLAN_COLOR", value_enum, default_value_t = Color::Auto)]
    pub color: Color,
}

/// How the answer is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For a terminal
    Text,
    /// For programs; versioned
    Json,
    /// For a pull request's comment
    Markdown,
    /// YAML documents (render only)
    Yaml,
    /// Mermaid (catalog graph only)
    Mermaid,
    /// Graphviz (catalog graph only)
    Dot,
    /// A picture (catalog graph only)
    Svg,
}

/// When to colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Color {
    /// On a terminal, unless NO_COLOR is set
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// Who makes certificates for webhooks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum CertProvider {
    /// cert-manager
    CertManager,
    /// OpenShift's service CA
    Openshift,
    /// Nobody: bundles with webhooks are refused
    None,
}

/// What to read.
#[derive(Debug, Clone, Args)]
pub struct Paths {
    /// Folders or files to read; - is stdin
    #[arg(value_name = "PATH", default_value = ".")]
    pub paths: Vec<PathBuf>,
    /// The lowest level of finding that fails the run [default: olmplan.toml's, or error]
    #[arg(long, env = "OLMPLAN_FAIL_ON", value_enum)]
    pub fail_on: Option<FailOn>,
}

/// The lowest level that fails the run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum FailOn {
    /// Errors
    Error,
    /// Warnings and errors
    Warning,
    /// Any finding
    Note,
    /// Nothing
    Never,
}

/// What to compare.
#[derive(Debug, Clone, Args)]
pub struct Compare {
    /// What to read.
    #[command(flatten)]
    pub paths: Paths,
    /// The revision that is "before": origin/main, HEAD~1, a tag, a commit [default: olmplan.lock as it stands]
    #[arg(long, env = "OLMPLAN_BASE", value_name = "REV")]
    pub base: Option<String>,
    /// ClusterExtensions as read from a cluster: what is installed
    #[arg(long, env = "OLMPLAN_INSTALLED", value_name = "FILE")]
    pub installed: Option<PathBuf>,
    /// CustomResourceDefinitions as read from a cluster: what upgrades are checked against
    #[arg(long, env = "OLMPLAN_CLUSTER_CRDS", value_name = "FILE")]
    pub cluster_crds: Option<PathBuf>,
}

/// `check`.
#[derive(Debug, Clone, Args)]
pub struct Check {
    /// What to compare.
    #[command(flatten)]
    pub compare: Compare,
    /// Write the report in another format to a file besides; may be given several times
    #[arg(long, value_name = "FORMAT=FILE")]
    pub report: Vec<String>,
}

/// `resolve`.
#[derive(Debug, Clone, Args)]
pub struct Resolve {
    /// What to compare.
    #[command(flatten)]
    pub compare: Compare,
    /// Show each candidate's fate
    #[arg(long)]
    pub explain: bool,
}

/// `render`.
#[derive(Debug, Clone, Args)]
pub struct Render {
    /// What to compare.
    #[command(flatten)]
    pub compare: Compare,
    /// Write a file an object into this folder
    #[arg(long, env = "OLMPLAN_OUT", value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Render one bundle, without resolving: a folder, or an image reference
    #[arg(long, value_name = "DIR|REF", conflicts_with = "out")]
    pub bundle: Option<String>,
    /// With --bundle: the namespace to install into
    #[arg(long, value_name = "NS", requires = "bundle")]
    pub namespace: Option<String>,
    /// Leave out the labels that name the owner
    #[arg(long)]
    pub no_owner_labels: bool,
    /// Show the order in which the controller applies
    #[arg(long)]
    pub phases: bool,
}

/// `lock`.
#[derive(Debug, Clone, Args)]
pub struct Lock {
    /// What to compare.
    #[command(flatten)]
    pub compare: Compare,
    /// Write nothing; fail where the lock would change
    #[arg(long)]
    pub check: bool,
}

/// `crd-diff`.
#[derive(Debug, Clone, Args)]
pub struct CrdDiff {
    /// A file, a folder, or REV:PATH
    pub before: String,
    /// A file, a folder, or REV:PATH
    pub after: String,
    /// The policy: olm (the target's), strict (crdify's defaults), or a crdify configuration file
    #[arg(long, default_value = "olm", value_name = "olm|strict|FILE")]
    pub policy: String,
    /// With --format json or yaml: print what changes, good or bad, instead of the findings
    #[arg(long)]
    pub changes: bool,
    /// The lowest level of finding that fails the run
    #[arg(long, env = "OLMPLAN_FAIL_ON", value_enum, default_value_t = FailOn::Error)]
    pub fail_on: FailOn,
}

/// `catalog`.
#[derive(Debug, Clone, Subcommand)]
pub enum Catalog {
    /// The packages of a catalog
    List {
        /// A folder, an archive, an image reference, or a ClusterCatalog's name in the tree here
        catalog: String,
    },
    /// One package: channels, versions, edges, deprecations
    Show {
        /// A folder, an archive, an image reference, or a ClusterCatalog's name in the tree here
        catalog: String,
        /// The package
        package: String,
    },
    /// The author's verdict: is this a valid catalog?
    Validate {
        /// A folder, an archive, an image reference, or a ClusterCatalog's name in the tree here
        catalog: String,
    },
    /// The upgrade graph of a package
    Graph {
        /// A folder, an archive, an image reference, or a ClusterCatalog's name in the tree here
        catalog: String,
        /// The package
        package: String,
        /// One channel of it
        #[arg(long)]
        channel: Option<String>,
    },
}
