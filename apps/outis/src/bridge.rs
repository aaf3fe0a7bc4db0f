//! `outis bridge`: dealing sheets, hand records, curtain cards, leak analysis. The library does the work; this module
//! adds files, threads, progress and the operating system's randomness.

pub mod bad_file;
pub mod evenings;
mod files;
mod toss;
pub mod work;

use std::io::Write;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use clap::{Args, Subcommand};
use outis_bridge::card::Suit;
use outis_bridge::commands::{self, Format, Print};
use outis_bridge::mistakes::Rates;
use outis_bridge::pdf::Paper;
use outis_bridge::record::Record;
use outis_bridge::seal::{Seal, Verdict};
use outis_bridge::sheet::{Mover, PileSizes, Scheme};
use outis_bridge::times::{self, Times};
use outis_bridge::words::Language;
use outis_game::words::{Arg, Text};
use rand::SeedableRng;
use rand::rngs::StdRng;

use self::files::{Outputs, read, read_bytes, refused_input};
use crate::exit::Failure;
use crate::random;
use crate::speech::Speech;

/// The stop flag of a command's work; only the end of the program stops it.
static NEVER: AtomicBool = AtomicBool::new(false);

/// The bridge tools.
#[derive(Debug, Subcommand)]
pub enum BridgeCommand {
    /// Print sheets by which two people deal boards without seeing the cards
    Sheets(SheetsArgs),
    /// Print hand records with makeable contracts and par
    Records(RecordsArgs),
    /// Print a card for each pocket, to check a hand before it is played
    Curtains(FilesArgs),
    /// Print slips by which players leave sorted packs for the next session
    Sorting(SortingArgs),
    /// Compute what a dealer could infer from a sheet, by scheme
    Leak(LeakArgs),
    /// Estimate how long dealing takes, or what a measured time means for each card
    Time(TimeArgs),
    /// Compare cards or a seal with the records, and explain how to repair a board
    Check(CheckArgs),
    /// Convert deals from one format to another
    Convert(FilesArgs),
    /// Draw random deals without sheets, alone or together with other clubs
    Deal(DealArgs),
}

/// How pages look.
#[derive(Args, Debug)]
pub struct Look {
    /// Title of every page
    #[arg(long, default_value = "", hide_default_value = true)]
    title: String,
    /// Paper size: a4 or letter
    #[arg(long, default_value = "a4", value_parser = |s: &str| Paper::parse(s).ok_or("a4 or letter"))]
    paper: Paper,
    /// Language of the pages: en or hu (default: from the environment)
    #[arg(long, default_value = usual().code(), hide_default_value = true, value_parser = language)]
    lang: Language,
}

/// Which boards are drawn.
#[derive(Args, Debug)]
pub struct Boards {
    /// Number of boards
    #[arg(long, value_name = "N", default_value_t = 24, value_parser = clap::value_parser!(u16).range(1..))]
    boards: u16,
    /// Number of the first board
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    from: u16,
    /// Use this seed, for tests only: anyone who knows it knows the deals
    #[arg(long)]
    seed: Option<u64>,
}

/// Options of `sheets`.
#[derive(Args, Debug)]
pub struct SheetsArgs {
    #[command(flatten)]
    boards: Boards,
    /// Use the deals in this file (PBN, LIN, plain hands, JSON; - for standard input)
    #[arg(long, value_name = "FILE")]
    given: Option<PathBuf>,
    /// How the numbers of cards in the piles are drawn: paper or least (weighted, so that they leak a little less)
    #[arg(long, value_name = "SIZES", default_value = "paper", value_parser = piles)]
    piles: PileSizes,
    /// Who moves the hands at the end, by another list: first (dealer), third (person) or nobody
    #[arg(long, value_name = "WHO", default_value = "first", value_parser = mover)]
    mover: Mover,
    /// The same as `--mover nobody`; a dealer can then infer a little
    #[arg(long, conflicts_with = "mover")]
    no_extra: bool,
    /// Print one sheet per deal, for a shuffled pack
    #[arg(long, conflicts_with_all = ["given", "mover", "no_extra", "piles"])]
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
    /// Omit the double-dummy analysis
    #[arg(long)]
    no_analysis: bool,
    /// Mark the records of these boards as invalid, e.g. 3,7
    #[arg(long, value_name = "BOARDS", value_delimiter = ',')]
    invalid: Vec<u16>,
    /// Swap two suits in the record of a board, e.g. 5:SH
    #[arg(long, value_name = "BOARD:SUITS", value_parser = swap)]
    swap_suits: Vec<(u16, Suit, Suit)>,
    /// Correct the records to match the cards played, from a file as for `check`
    #[arg(long, value_name = "FILE")]
    amend: Option<PathBuf>,
    /// Refuse records that do not match this seal from before play
    #[arg(long, value_parser = seal)]
    seal: Option<Seal>,
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

/// Options of `sorting`.
#[derive(Args, Debug)]
pub struct SortingArgs {
    /// Deals whose boards get a slip (default: the numbers below); - is standard input
    #[arg(conflicts_with_all = ["boards", "from"])]
    file: Option<PathBuf>,
    /// Number of boards
    #[arg(long, value_name = "N", default_value_t = 24, value_parser = clap::value_parser!(u16).range(1..))]
    boards: u16,
    /// Number of the first board
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    from: u16,
    #[command(flatten)]
    look: Look,
    #[command(flatten)]
    outputs: Outputs,
}

/// Options of `leak`.
#[derive(Args, Debug)]
pub struct LeakArgs {
    /// Number of deals per scheme
    #[arg(long, value_name = "N", default_value_t = 200_000, value_parser = clap::value_parser!(u32).range(1..))]
    deals: u32,
    /// Also search for what else a sheet tells about a hand, and list what tells most
    #[arg(long)]
    search: bool,
    /// Language of the plot: en or hu (default: from the environment)
    #[arg(long, default_value = usual().code(), hide_default_value = true, value_parser = language)]
    lang: Language,
    /// Use this seed, for tests only
    #[arg(long)]
    seed: Option<u64>,
    #[command(flatten)]
    outputs: Outputs,
}

/// Options of `time`. Seconds are those that one person needs for one board.
#[derive(Args, Debug)]
pub struct TimeArgs {
    /// Number of boards
    #[arg(long, value_name = "N", default_value_t = 24, value_parser = clap::value_parser!(u16).range(1..))]
    boards: u16,
    /// Number of pairs who deal
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u16).range(1..=1000))]
    pairs: u16,
    /// Seconds for a card
    #[arg(long, value_name = "SECONDS", default_value_t = Times::default().card, value_parser = seconds)]
    card: f64,
    /// Seconds for sorting the pack
    #[arg(long, value_name = "SECONDS", default_value_t = Times::default().sort, value_parser = seconds)]
    sort: f64,
    /// Seconds for stacking the piles
    #[arg(long, value_name = "SECONDS", default_value_t = Times::default().stack, value_parser = seconds)]
    stack: f64,
    /// Seconds for counting and shuffling the hands
    #[arg(long, value_name = "SECONDS", default_value_t = Times::default().count, value_parser = seconds)]
    count: f64,
    /// Seconds for putting the hands into the pockets
    #[arg(long, value_name = "SECONDS", default_value_t = Times::default().pocket, value_parser = seconds)]
    pocket: f64,
    /// Boards that are dealt again, in per cent
    #[arg(long, value_name = "PERCENT", default_value_t = 100.0 * Times::default().redeal, value_parser = seconds)]
    redeal: f64,
    /// Minutes that it took: also print the seconds for a card that this means
    #[arg(long, value_name = "MINUTES", value_parser = seconds)]
    measured: Option<f64>,
    /// Language of the table: en or hu (default: from the environment)
    #[arg(long, default_value = usual().code(), hide_default_value = true, value_parser = language)]
    lang: Language,
}

/// Options of `check`.
#[derive(Args, Debug)]
pub struct CheckArgs {
    /// File with the records
    #[arg(required_unless_present = "simulate")]
    records: Option<PathBuf>,
    /// File with the cards as found, one line per board
    ///
    /// Write the board's number and the hands from North on, such as `7 AK2.QJ.T987.6543 - - -`. A - stands for a hand
    /// that nobody has looked at.
    found: Option<PathBuf>,
    /// The seal from before play, as printed on the sheets
    #[arg(long, value_parser = seal)]
    seal: Option<Seal>,
    /// Language of the report: en or hu (default: from the environment)
    #[arg(long, default_value = usual().code(), hide_default_value = true, value_parser = language)]
    lang: Language,
    /// Instead, simulate this many boards with typical mistakes and their repair
    #[arg(
        long,
        value_name = "BOARDS",
        value_parser = clap::value_parser!(u32).range(1..),
        conflicts_with_all = ["records", "found", "seal"]
    )]
    simulate: Option<u32>,
    /// Mistakes per thousand boards, of five kinds
    ///
    /// In this order: suits sorted wrongly, a number skipped, two cards dealt as one, piles stacked wrongly, a card dealt
    /// to the wrong hand.
    #[arg(
        long,
        value_name = "N,N,N,N,N",
        value_delimiter = ',',
        value_parser = clap::value_parser!(u32).range(..=1000),
        requires = "simulate"
    )]
    rates: Vec<u32>,
    /// Use this seed, for tests only
    #[arg(long, requires = "simulate")]
    seed: Option<u64>,
}

/// Options of `deal`.
#[derive(Args, Debug)]
pub struct DealArgs {
    #[command(flatten)]
    boards: Boards,
    #[command(flatten)]
    joint: toss::JointArgs,
    #[command(flatten)]
    outputs: Outputs,
}

/// Runs a bridge command.
pub fn run(command: &BridgeCommand, out: &mut impl Write) -> Result<(), Failure> {
    match command {
        BridgeCommand::Sheets(args) => sheets(args, out),
        BridgeCommand::Records(args) => records(args, out),
        BridgeCommand::Curtains(args) => {
            let records = read(&args.file)?;
            args.outputs.write(out, |format| commands::curtains(&records, &args.look.print(), format))
        }
        BridgeCommand::Convert(args) => {
            let records = read(&args.file)?;
            args.outputs.write(out, |format| commands::convert(&records, &args.look.print(), plain_text(format)))
        }
        BridgeCommand::Sorting(args) => {
            let boards = match &args.file {
                Some(file) => read(file)?.iter().map(|record| record.board).collect(),
                None => commands::numbers(args.boards, args.from).map_err(Failure::usage)?,
            };
            args.outputs.write(out, |format| commands::sorting(&boards, &args.look.print(), format))
        }
        BridgeCommand::Leak(args) => {
            let speech = speech(args.lang);
            let watch = |done, all| work::progress(&part(&speech, "page.bridge.job.leak.text", done, all));
            let results = work::leak(args.deals, &mut randomness(args.seed)?, &NEVER, watch).unwrap_or_default();
            work::progress("");
            args.outputs.write(out, |format| commands::write_leak(&results, format, args.lang, args.search))
        }
        BridgeCommand::Time(args) => {
            let TimeArgs { card, sort, stack, count, pocket, redeal, .. } = *args;
            let times = Times { sort, card, stack, count, pocket, redeal: redeal / 100.0 };
            let said = times::report(&times, args.boards, args.pairs, args.measured, args.lang);
            Ok(out.write_all(said.as_bytes())?)
        }
        BridgeCommand::Check(args) => check(args, out),
        BridgeCommand::Deal(args) => {
            let records = match &args.joint.toss {
                Some(file) => match toss::step(file, &args.joint, &args.boards, out)? {
                    Some(records) => records,
                    None => return Ok(()),
                },
                None => args.boards.draw()?,
            };
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
    let mover = if args.no_extra { Mover::Nobody } else { args.mover };
    let scheme = Scheme { piles: args.piles, mover, ..Scheme::PAPER };
    let boards = commands::sheets(records, scheme, &mut rng);
    args.outputs.write(out, |format| commands::write_sheets(&boards, &print, format))?;
    if let (Some(seal), false) = (Seal::of(boards.iter().map(|(record, _)| record)), args.outputs.is_empty()) {
        let speech = args.look.speech();
        writeln!(out, "{}\n{seal}", speech.say(&Text::new("terminal.bridge.seal")))?;
        if !args.outputs.keeps_records() {
            writeln!(out, "{}", speech.say(&Text::new("terminal.bridge.unsaved")))?;
        }
    }
    Ok(())
}

fn records(args: &RecordsArgs, out: &mut impl Write) -> Result<(), Failure> {
    let mut records = read(&args.file)?;
    let speech = args.look.speech();
    if let Some(seal) = &args.seal {
        judge_seal(&records, seal, &speech)?;
    }
    // Renaming a suit renames its results too, so the analysis comes first; amended cards are analysed again.
    if !args.no_analysis {
        analyse(&mut records, &speech);
    }
    for (board, a, b) in &args.swap_suits {
        commands::swap_suits(&mut records, *board, *a, *b).map_err(Failure::usage)?;
    }
    if let Some(file) = &args.amend {
        let found = found(file)?;
        commands::amend(&mut records, &found).map_err(|refused| refused_input(file, &refused))?;
        if !args.no_analysis {
            analyse(&mut records, &speech);
        }
    }
    commands::invalidate(&mut records, &args.invalid).map_err(Failure::usage)?;
    args.outputs.write(out, |format| commands::records(&records, &args.look.print(), format))
}

/// Runs the double-dummy analysis and counts boards on the terminal.
fn analyse(records: &mut [Record], speech: &Speech) {
    work::analyse(records, &NEVER, |done, all| {
        work::progress(&part(speech, "page.bridge.job.analyse.text", done / 5, all / 5))
    });
    work::progress("");
}

/// How much of a computation is done.
fn part(speech: &Speech, id: &str, done: usize, all: usize) -> String {
    speech.say(&Text::new(id).with("done", done as i64).with("all", all as i64))
}

fn check(args: &CheckArgs, out: &mut impl Write) -> Result<(), Failure> {
    if let Some(boards) = args.simulate {
        let rates = match args.rates[..] {
            [] => Rates::default(),
            [suit_order, skipped, stuck, stacked, misdealt] => Rates { suit_order, skipped, stuck, stacked, misdealt },
            _ => return Err(Failure::usage("--rates needs five numbers, such as 30,40,40,20,40")),
        };
        let said = commands::check_people(boards, rates, Scheme::EXTRA, args.lang, &mut randomness(args.seed)?);
        return Ok(out.write_all(said.as_bytes())?);
    }
    let file = args.records.as_ref().ok_or_else(|| Failure::usage("give the file with the records"))?;
    if args.found.is_none() && args.seal.is_none() {
        return Err(Failure::usage("give the file with the cards as found, or --seal"));
    }
    let records = read(file)?;
    if let Some(seal) = &args.seal {
        writeln!(out, "{}", judge_seal(&records, seal, &speech(args.lang))?)?;
    }
    if let Some(file) = &args.found {
        let findings = commands::check(&records, &found(file)?).map_err(|refused| refused_input(file, &refused))?;
        out.write_all(commands::write_check(&findings, args.lang).as_bytes())?;
    }
    Ok(())
}

/// The message that the seal matches; otherwise, what is wrong with it.
fn judge_seal(records: &[Record], seal: &Seal, speech: &Speech) -> Result<String, Failure> {
    let say = |what: &str| Text::new(format!("terminal.bridge.seal.{what}"));
    let list = |boards: &[u16]| boards.iter().map(u16::to_string).collect::<Vec<_>>().join(", ");
    let wrong = match outis_bridge::seal::verify(records, seal) {
        Verdict::Holds => {
            return Ok(speech.say(&say("holds").with("n", i64::try_from(records.len()).unwrap_or(i64::MAX))));
        }
        Verdict::Changed(boards) => say("changed").with("boards", Arg::Plain(list(&boards))),
        Verdict::OtherSeal(other) => say("other").with("seal", Arg::Plain(other.to_string())),
        Verdict::Unsealed(boards) => say("unsealed").with("boards", Arg::Plain(list(&boards))),
    };
    Err(Failure::fault(speech.say(&wrong)))
}

fn found(file: &std::path::Path) -> Result<Vec<outis_bridge::formats::Found>, Failure> {
    commands::read_found(&read_bytes(file)?).map_err(|refused| refused_input(file, &refused))
}

/// A list of deals has no text form except plain hands.
fn plain_text(format: Format) -> Format {
    if format == Format::Text { Format::Plain } else { format }
}

/// The language of the environment.
fn usual() -> Language {
    match crate::speech::language() {
        outis_game::words::Language::En => Language::English,
        outis_game::words::Language::Hu => Language::Hungarian,
    }
}

fn language(code: &str) -> Result<Language, &'static str> {
    Language::parse(code).ok_or("en or hu")
}

/// A time, or a share in per cent: not negative, and no more than anyone would type.
fn seconds(text: &str) -> Result<f64, &'static str> {
    text.parse().ok().filter(|value| (0.0..=100_000.0).contains(value)).ok_or("a number from 0 to 100000")
}

fn mover(word: &str) -> Result<Mover, &'static str> {
    Mover::parse(word).ok_or("first, third or nobody")
}

fn piles(word: &str) -> Result<PileSizes, &'static str> {
    PileSizes::parse(word).ok_or("paper or least")
}

fn seal(text: &str) -> Result<Seal, &'static str> {
    Seal::parse(text).ok_or("a seal has 64 hexadecimal digits; put them in quotation marks if there are spaces")
}

/// Parses a board and two suits: `5:SH`.
fn swap(text: &str) -> Result<(u16, Suit, Suit), String> {
    let parsed = text.split_once(':').and_then(|(board, suits)| {
        let mut suits = suits.chars().map(Suit::parse);
        let (a, b) = (suits.next()??, suits.next()??);
        (suits.next().is_none() && a != b).then_some((board.parse().ok()?, a, b))
    });
    parsed.ok_or_else(|| "write board and two suits, such as 5:SH".to_owned())
}

impl Boards {
    fn draw(&self) -> Result<Vec<Record>, Failure> {
        commands::deal(self.boards, self.from, &mut randomness(self.seed)?).map_err(Failure::usage)
    }
}

fn speech(language: Language) -> Speech {
    Speech::of(match language {
        Language::English => outis_game::words::Language::En,
        Language::Hungarian => outis_game::words::Language::Hu,
    })
}

impl Look {
    /// The language of what is printed beside the pages: that of the pages.
    fn speech(&self) -> Speech {
        speech(self.lang)
    }

    fn print(&self) -> Print {
        Print { title: self.title.clone(), paper: self.paper, language: self.lang }
    }
}

/// A generator seeded by the operating system or, for tests, by `seed`.
fn randomness(seed: Option<u64>) -> Result<StdRng, Failure> {
    Ok(match seed {
        Some(seed) => StdRng::seed_from_u64(seed),
        None => random::rng(),
    })
}

#[cfg(test)]
mod tests;
