//! Outis: card and board games without a dealer or a server you have to trust.

mod app;
mod bench;
mod bridge;
mod cheat;
mod cli;
mod date;
mod demo;
mod exit;
mod figures;
mod lab;
mod log_file;
mod machine;
mod meeting;
mod play;
mod random;
mod rules;
#[cfg(test)]
mod scratch;
mod seats;
mod selfplay;
mod show;
mod speech;
mod stopwatch;
mod tournament;
mod trouble;
mod verify;
mod web;
mod words;

use std::io::{self, Write};
use std::process::ExitCode;

use crate::cli::{Cli, Command};
use crate::exit::{Exit, Failure};

fn main() -> ExitCode {
    let cli = match Cli::read() {
        Ok(cli) => cli,
        Err(error) => {
            let exit = if error.use_stderr() { Exit::Usage } else { Exit::Success };
            let _ = error.print();
            return exit.into();
        }
    };
    let mut out = io::stdout().lock();
    let done = match cli.command {
        None => app::run(&cli.page, &cli.node, &mut out),
        Some(Command::Host(args)) => app::host(&args, &cli.node, &mut out),
        Some(Command::Letters(args)) => app::letters(&args, &cli.node, &mut out),
        Some(Command::Join(args)) => app::join(&args, &cli.node, &mut out),
        Some(Command::Relay(args)) => app::relay(&args, &cli.node, &mut out),
        Some(Command::Lobby(args)) => meeting::command::run(&args, &cli.node, &mut out),
        Some(Command::Tournament(args)) => tournament::run(&args, &mut out),
        Some(Command::Story) => demo::run(&mut out),
        Some(Command::Bench(args)) => bench::run(&args, &mut out),
        Some(Command::Figures(args)) => figures::run(&args, &mut out),
        Some(Command::Lab(args)) => lab::run(&args, &mut io::stdin().lock(), &mut out),
        Some(Command::Play(args)) => play::run(&args, &mut io::stdin().lock(), &mut out),
        Some(Command::Selfplay(args)) => selfplay::run(&args, &mut out),
        Some(Command::Verify(args)) => verify::run(&args, &mut out),
        Some(Command::Show(args)) => show::run(&args, &cli.node, &mut out),
        Some(Command::Cheat(args)) => cheat::run(&args, &mut out),
        Some(Command::Bridge(command)) => bridge::run(&command, &mut out),
        Some(Command::Rules(args)) => rules::run(&args, &mut out),
    };
    match done.and_then(|()| Ok(out.flush()?)) {
        Ok(()) => Exit::Success.into(),
        // The reader of the output has closed the pipe.
        Err(Failure { error, .. }) if is_broken_pipe(error.as_ref()) => Exit::Success.into(),
        Err(Failure { exit, error }) => {
            let text = trouble::text(error.as_ref()).map(|text| speech::Speech::new().say(&text));
            eprintln!("outis: {}", text.unwrap_or_else(|| error.to_string()));
            exit.into()
        }
    }
}

fn is_broken_pipe(error: &(dyn std::error::Error + 'static)) -> bool {
    error.downcast_ref::<io::Error>().is_some_and(|e| e.kind() == io::ErrorKind::BrokenPipe)
}
