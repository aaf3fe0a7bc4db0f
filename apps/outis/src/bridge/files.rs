//! Files of `outis bridge`: read whole, written whole or not at all.

use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use outis_bridge::commands::{self, Format, Refused};
use outis_bridge::record::Record;
use outis_game::words::Text;

use super::bad_file;
use crate::exit::{Exit, Failure};
use crate::trouble::{Said, in_file, of_file};

/// Where results go: any number of files at once; text to standard output if there is none.
#[derive(Args, Debug, Default)]
pub struct Outputs {
    /// Write PDF pages
    #[arg(long, value_name = "FILE")]
    pub pdf: Option<PathBuf>,
    /// Write plain text
    #[arg(long, value_name = "FILE")]
    pub text: Option<PathBuf>,
    /// Write JSON
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// Write Portable Bridge Notation
    #[arg(long, value_name = "FILE")]
    pub pbn: Option<PathBuf>,
    /// Write LIN
    #[arg(long, value_name = "FILE")]
    pub lin: Option<PathBuf>,
    /// Write a web page (HTML)
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    /// Write a plot (SVG)
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
}

impl Outputs {
    /// Whether no file is named.
    pub fn is_empty(&self) -> bool {
        self.files().is_empty()
    }

    /// Whether a file is named that keeps the deals together with what opens their seal.
    pub fn keeps_records(&self) -> bool {
        self.json.is_some() || self.pbn.is_some()
    }

    fn files(&self) -> Vec<(&Path, Format)> {
        let Self { pdf, text, json, pbn, lin, html, svg } = self;
        let all = [
            (pdf, Format::Pdf),
            (text, Format::Text),
            (json, Format::Json),
            (pbn, Format::Pbn),
            (lin, Format::Lin),
            (html, Format::Html),
            (svg, Format::Svg),
        ];
        all.into_iter().filter_map(|(file, format)| Some((file.as_deref()?, format))).collect()
    }

    /// Produces everything before it touches the first file, then replaces each file in one step.
    pub fn write(
        &self,
        out: &mut impl Write,
        mut make: impl FnMut(Format) -> Result<Vec<u8>, Refused>,
    ) -> Result<(), Failure> {
        if self.is_empty() {
            return Ok(out.write_all(&make(Format::Text).map_err(Failure::usage)?)?);
        }
        let mut made = Vec::new();
        for (file, format) in self.files() {
            made.push((file, make(format).map_err(Failure::usage)?));
        }
        made.iter().try_for_each(|(file, bytes)| put(file, bytes))
    }
}

/// Writes a temporary file and renames it, so that no reader ever sees half of the file.
pub fn put(file: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let name = |error: io::Error| Said(of_file(file, &error));
    // Devices and pipes can only be written to, not replaced.
    if file.exists() && !file.is_file() {
        return Ok(std::fs::write(file, bytes).map_err(name)?);
    }
    let mut partial = file.as_os_str().to_owned();
    partial.push(format!(".{}.partial", std::process::id()));
    let partial = PathBuf::from(partial);
    let written = std::fs::write(&partial, bytes).and_then(|()| std::fs::rename(&partial, file));
    if written.is_err() {
        let _ = std::fs::remove_file(&partial);
    }
    Ok(written.map_err(name)?)
}

/// Largest file of deals that is read.
const MAX_FILE: u64 = 64 << 20;

/// The bytes of a file, or of standard input for `-`.
pub fn read_bytes(file: &Path) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    if file == Path::new("-") {
        io::stdin().lock().take(MAX_FILE).read_to_end(&mut bytes)?;
    } else {
        let read = std::fs::File::open(file).and_then(|open| open.take(MAX_FILE).read_to_end(&mut bytes));
        read.map_err(|error| Said(of_file(file, &error)))?;
    }
    Ok(bytes)
}

/// The deals in a file.
pub fn read(file: &Path) -> Result<Vec<Record>, Failure> {
    commands::read(&read_bytes(file)?).map_err(|refused| refused_input(file, &refused))
}

/// The failure for input in the wrong format.
pub fn unreadable(file: &Path, why: Text) -> Failure {
    Failure { exit: Exit::Unreadable, error: Said(in_file(file, why)).into() }
}

/// The failure for a command that refuses its input or its command line.
pub fn refused_input(file: &Path, refused: &Refused) -> Failure {
    match bad_file::of_input(refused) {
        Some(why) => unreadable(file, why),
        None => Failure::usage(refused.to_string()),
    }
}
