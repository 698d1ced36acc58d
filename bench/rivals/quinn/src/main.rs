//! quinn doing what the benchmarks do with links: see the text of --help in options.rs.

mod client;
mod measure;
mod options;
mod pattern;
mod service;
mod setup;
mod store;

use std::process::ExitCode;

use options::{Options, Role, HELP};
use pattern::Pattern;

pub type Error = Box<dyn std::error::Error + Send + Sync>;

fn run(options: Options) -> Result<(), Error> {
    let pattern = match &options.mix {
        Some(file) => Pattern::mix(file)?,
        None => Pattern::uniform(options.size),
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    match options.role {
        Role::Service => runtime.block_on(service::run(options, pattern)),
        _ => runtime.block_on(client::run(options, pattern)),
    }
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let done = match Options::parse(&arguments) {
        Ok(None) => {
            print!("{HELP}");
            Ok(())
        }
        Ok(Some(options)) => run(options),
        Err(error) => Err(error),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("rival-quinn: {error}");
            ExitCode::FAILURE
        }
    }
}
