//! `outis bridge`: dealing sheets, hand records, curtain cards, leak analysis. The library does it; here are files,
//! threads, progress and the operating system's randomness.

use std::io::{self, IsTerminal, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use clap::{Args, Subcommand};
use outis_bridge::commands::{self, Format, Print};
use outis_bridge::mistakes::Rates;
use outis_bridge::pdf::Paper;
use outis_bridge::record::Record;
use outis_bridge::sheet::Scheme;
use outis_bridge::words::Language;
use rand::SeedableRng;
use rand::rngs::StdRng;

use crate::exit::{Exit, Failure};

/// The bridge tools.
#[derive(Debug, Subcommand)]
pub enum BridgeCommand {
    /// Sheets by which two people deal boards that neither of them sees
    Sheets(SheetsArgs),
    /// Hand records with makeable contracts and par
    Records(RecordsArgs),
    /// A card for each pocket, to check a hand before it is played
    Curtains(FilesArgs),
    /// What the dealer of a sheet could infer, by scheme
    Leak(LeakArgs),
    /// Compares the cards on the table with the records and says how to mend each board
    Check(CheckArgs),
    /// Deals from one format to another
    Convert(FilesArgs),
    /// Random deals, without sheets
    Deal(DealArgs),
}

/// Where results go: any number of files at once; text to standard output if there is none.
#[derive(Args, Debug, Default)]
pub struct Outputs {
    /// Write pages to print
    #[arg(long, value_name = "FILE")]
    pdf: Option<PathBuf>,
    /// Write plain text
    #[arg(long, value_name = "FILE")]
    text: Option<PathBuf>,
    /// Write JSON
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Write Portable Bridge Notation
    #[arg(long, value_name = "FILE")]
    pbn: Option<PathBuf>,
    /// Write LIN
    #[arg(long, value_name = "FILE")]
    lin: Option<PathBuf>,
    /// Write a web page
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Write a plot
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
}

/// How pages look.
#[derive(Args, Debug)]
pub struct Look {
    /// A title for every page
    #[arg(long, default_value = "")]
    title: String,
    /// a4 or letter
    #[arg(long, default_value = "a4", value_parser = |s: &str| Paper::parse(s).ok_or("a4 or letter"))]
    paper: Paper,
    /// en or hu
    #[arg(long, default_value = "en", value_parser = |s: &str| Language::parse(s).ok_or("en or hu"))]
    lang: Language,
}

/// Which boards are drawn.
#[derive(Args, Debug)]
pub struct Boards {
    /// How many boards
    #[arg(long, default_value_t = 24)]
    boards: u16,
    /// The number of the first
    #[arg(long, default_value_t = 1)]
    from: u16,
    /// For tests only: the same seed gives the same deals, and whoever knows it knows them
    #[arg(long)]
    seed: Option<u64>,
}

/// Options of `sheets`.
#[derive(Args, Debug)]
pub struct SheetsArgs {
    #[command(flatten)]
    boards: Boards,
    /// Sheets for the deals in this file (PBN, LIN, plain hands, JSON) instead of random ones; - is standard input
    #[arg(long, value_name = "FILE")]
    given: Option<PathBuf>,
    /// Leave out the third step, which moves the finished hands: the scheme of the paper, with its leak
    #[arg(long)]
    no_extra: bool,
    /// One sheet per deal, for a shuffled pack
    #[arg(long, conflicts_with_all = ["given", "no_extra"])]
    single: bool,
    #[command(flatten)]
    look: Look,
    #[command(flatten)]
    outputs: Outputs,
}

/// Options of `records`.
#[derive(Args, Debug)]
pub struct RecordsArgs {
    /// Deals (PBN, LIN, plain hands, JSON); - is standard input
    file: PathBuf,
    /// Leave out the double-dummy analysis
    #[arg(long)]
    no_analysis: bool,
    #[command(flatten)]
    look: Look,
    #[command(flatten)]
    outputs: Outputs,
}

/// Options of `curtains` and `convert`.
#[derive(Args, Debug)]
pub struct FilesArgs {
    /// Deals (PBN, LIN, plain hands, JSON); - is standard input
    file: PathBuf,
    #[command(flatten)]
    look: Look,
    #[command(flatten)]
    outputs: Outputs,
}

/// Options of `leak`.
#[derive(Args, Debug)]
pub struct LeakArgs {
    /// How many deals of each scheme
    #[arg(long, default_value_t = 200_000)]
    deals: u32,
    /// For tests only
    #[arg(long)]
    seed: Option<u64>,
    #[command(flatten)]
    outputs: Outputs,
}

/// Options of `check`.
#[derive(Args, Debug)]
pub struct CheckArgs {
    /// The records
    #[arg(required_unless_present = "simulate")]
    records: Option<PathBuf>,
    /// The cards as they were found on the table
    #[arg(required_unless_present = "simulate")]
    found: Option<PathBuf>,
    /// Instead, deal this many boards with the mistakes that people make, and see which cure finds what
    #[arg(long, value_name = "BOARDS")]
    simulate: Option<u32>,
    /// For tests only
    #[arg(long, requires = "simulate")]
    seed: Option<u64>,
}

/// Options of `deal`.
#[derive(Args, Debug)]
pub struct DealArgs {
    #[command(flatten)]
    boards: Boards,
    #[command(flatten)]
    outputs: Outputs,
}

/// Carries out a bridge command.
pub fn run(command: &BridgeCommand, out: &mut impl Write) -> Result<(), Failure> {
    match command {
        BridgeCommand::Sheets(args) => sheets(args, out),
        BridgeCommand::Records(args) => {
            let mut records = read(&args.file)?;
            if !args.no_analysis {
                analyse(&mut records);
            }
            args.outputs.write(out, |format| commands::records(&records, &args.look.print(), format))
        }
        BridgeCommand::Curtains(args) => {
            let records = read(&args.file)?;
            args.outputs.write(out, |format| commands::curtains(&records, &args.look.print(), format))
        }
        BridgeCommand::Convert(args) => {
            let records = read(&args.file)?;
            args.outputs.write(out, |format| commands::convert(&records, &args.look.print(), plain_text(format)))
        }
        BridgeCommand::Leak(args) => {
            let results = commands::leak(args.deals, &mut randomness(args.seed)?);
            args.outputs.write(out, |format| commands::write_leak(&results, format))
        }
        BridgeCommand::Check(args) => check(args, out),
        BridgeCommand::Deal(args) => {
            let records = args.boards.draw()?;
            let print = Print::default();
            args.outputs.write(out, |format| commands::convert(&records, &print, plain_text(format)))
        }
    }
}

fn sheets(args: &SheetsArgs, out: &mut impl Write) -> Result<(), Failure> {
    let (mut rng, print) = (randomness(args.boards.seed)?, args.look.print());
    if args.single {
        return args.outputs.write(out, |format| commands::single(args.boards.boards, &print, format, &mut rng));
    }
    let records = match &args.given {
        Some(file) => read(file)?,
        None => commands::deal(args.boards.boards, args.boards.from, &mut rng).map_err(Failure::usage)?,
    };
    let scheme = if args.no_extra { Scheme::PAPER } else { Scheme::EXTRA };
    let boards = commands::sheets(records, scheme, &mut rng);
    args.outputs.write(out, |format| commands::write_sheets(&boards, &print, format))
}

fn check(args: &CheckArgs, out: &mut impl Write) -> Result<(), Failure> {
    let said = match (args.simulate, &args.records, &args.found) {
        (Some(boards), _, _) => {
            commands::check_people(boards, Rates::default(), Scheme::EXTRA, &mut randomness(args.seed)?)
        }
        (None, Some(records), Some(found)) => commands::check(&read(records)?, &read(found)?).map_err(unreadable)?,
        _ => return Err(Failure::usage("check needs the records and the cards that were found")),
    };
    Ok(out.write_all(said.as_bytes())?)
}

/// A list of deals has no text form but the plain one.
fn plain_text(format: Format) -> Format {
    if format == Format::Text { Format::Plain } else { format }
}

impl Boards {
    fn draw(&self) -> Result<Vec<Record>, Failure> {
        commands::deal(self.boards, self.from, &mut randomness(self.seed)?).map_err(Failure::usage)
    }
}

impl Look {
    fn print(&self) -> Print {
        Print { title: self.title.clone(), paper: self.paper, language: self.lang }
    }
}

impl Outputs {
    fn write(
        &self,
        out: &mut impl Write,
        mut make: impl FnMut(Format) -> Result<Vec<u8>, commands::Refused>,
    ) -> Result<(), Failure> {
        let Self { pdf, text, json, pbn, lin, html, svg } = self;
        let files = [
            (pdf, Format::Pdf),
            (text, Format::Text),
            (json, Format::Json),
            (pbn, Format::Pbn),
            (lin, Format::Lin),
            (html, Format::Html),
            (svg, Format::Svg),
        ];
        let mut written = 0;
        for (file, format) in files.into_iter().filter_map(|(file, format)| Some((file.as_ref()?, format))) {
            let bytes = make(format).map_err(Failure::usage)?;
            std::fs::write(file, bytes).map_err(|error| format!("{}: {error}", file.display()))?;
            written += 1;
        }
        if written == 0 {
            out.write_all(&make(Format::Text).map_err(Failure::usage)?)?;
        }
        Ok(())
    }
}

/// The operating system's randomness, stretched; or, for tests, a seed.
fn randomness(seed: Option<u64>) -> Result<StdRng, Failure> {
    Ok(match seed {
        Some(seed) => StdRng::seed_from_u64(seed),
        None => StdRng::try_from_rng(&mut rand::rngs::SysRng)?,
    })
}

/// Largest file of deals that is read.
const MAX_FILE: u64 = 64 << 20;

fn read(file: &Path) -> Result<Vec<Record>, Failure> {
    let mut bytes = Vec::new();
    if file == Path::new("-") {
        io::stdin().lock().take(MAX_FILE).read_to_end(&mut bytes)?;
    } else {
        let open = std::fs::File::open(file).map_err(|error| format!("{}: {error}", file.display()))?;
        open.take(MAX_FILE).read_to_end(&mut bytes)?;
    }
    commands::read(&bytes).map_err(|error| unreadable(format!("{}: {error}", file.display())))
}

fn unreadable(error: impl Into<Box<dyn std::error::Error>>) -> Failure {
    Failure { exit: Exit::Unreadable, error: error.into() }
}

/// Double dummy for all boards, on all cores, with a count on the terminal.
fn analyse(records: &mut [Record]) {
    let workers = std::thread::available_parallelism().map_or(1, usize::from).min(records.len().max(1));
    let (done, all, watched) = (AtomicUsize::new(0), records.len(), io::stderr().is_terminal());
    let share = records.len().div_ceil(workers).max(1);
    std::thread::scope(|scope| {
        for part in records.chunks_mut(share) {
            scope.spawn(|| {
                for record in part {
                    record.analyse();
                    let done = done.fetch_add(1, Ordering::Relaxed) + 1;
                    if watched {
                        eprint!("\rdouble dummy: {done} of {all} boards");
                    }
                }
            });
        }
    });
    if watched {
        eprintln!();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_goes_to_standard_output_when_no_file_is_named() {
        let boards = Boards { boards: 2, from: 5, seed: Some(1) };
        let command = BridgeCommand::Deal(DealArgs { boards, outputs: Outputs::default() });
        let mut out = Vec::new();
        run(&command, &mut out).expect("two deals");
        assert_eq!(commands::read(&out).expect("plain hands").len(), 2);
    }

    #[test]
    fn boards_that_do_not_exist_are_a_usage_error() {
        let boards = Boards { boards: 1, from: 0, seed: Some(1) };
        let refused = run(&BridgeCommand::Deal(DealArgs { boards, outputs: Outputs::default() }), &mut Vec::new());
        assert_eq!(refused.map_err(|f| f.exit), Err(Exit::Usage));
    }
}
