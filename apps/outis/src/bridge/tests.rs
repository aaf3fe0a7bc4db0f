use std::path::Path;

use clap::Parser;

use super::*;
use crate::exit::Exit;

/// `outis bridge …` as a person types it.
#[derive(Parser)]
struct Typed {
    #[command(subcommand)]
    command: BridgeCommand,
}

fn outis(line: &str, folder: &Path) -> Result<String, Failure> {
    let words: Vec<String> =
        line.split(' ').map(|word| word.replace('@', &format!("{}/", folder.display())).replace('_', " ")).collect();
    let typed = Typed::try_parse_from(core::iter::once("bridge".to_owned()).chain(words)).map_err(Failure::usage)?;
    let mut out = Vec::new();
    run(&typed.command, &mut out)?;
    Ok(String::from_utf8(out).expect("text"))
}

fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("outis-bridge-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}

#[test]
fn text_goes_to_standard_output_when_no_file_is_named() {
    let out = outis("deal --boards 2 --from 5 --seed 1", Path::new("")).unwrap();
    assert_eq!(commands::read(out.as_bytes()).expect("plain hands").len(), 2);
}

#[test]
fn an_evening_is_timed() {
    let said = outis("time --lang en", Path::new("")).unwrap();
    assert!(said.ends_with("15.0 min\n"), "{said}");
    let said = outis("time --boards 24 --pairs 3 --measured 25 --lang hu", Path::new("")).unwrap();
    assert!(said.ends_with("3,1 s\n"), "{said}");
    for bad in ["time --card -1", "time --card NaN", "time --pairs 0", "time --measured inf"] {
        assert_eq!(outis(bad, Path::new("")).map_err(|f| f.exit), Err(Exit::Usage), "{bad}");
    }
}

#[test]
fn a_third_person_gets_a_sheet_if_asked_for() {
    let sheets = |more: &str| outis(&format!("sheets --boards 4 --seed 1 --lang en{more}"), Path::new("")).unwrap();
    let third = sheets(" --mover third");
    assert_eq!(third.matches("Sheet for person C").count(), 1);
    assert!(!sheets("").contains("person C"));
    assert_eq!(sheets(" --mover nobody"), sheets(" --no-extra"));
    // What the two dealers get is said by the file, too, and read again.
    let at = folder("third");
    outis("sheets --boards 4 --seed 1 --mover third --json @e.json", &at).unwrap();
    let text = std::fs::read_to_string(at.join("e.json")).unwrap();
    let read = |text: &str| outis_bridge::formats::json::read(text).unwrap();
    assert!(read(&text).iter().all(|(_, sheets)| sheets.as_ref().unwrap().third()));
    // A file from before has no such field: the first dealer moves the hands.
    let old = text.replace(",\"mover\":\"third\"", "");
    assert!(old != text && read(&old).iter().all(|(_, sheets)| !sheets.as_ref().unwrap().third()));
}

#[test]
fn pile_sizes_are_the_papers_or_leak_least() {
    let sizes = |more: &str| {
        let at = folder("piles");
        outis(&format!("sheets --boards 200 --seed 1 {more}--json @e.json"), &at).unwrap();
        let boards = outis_bridge::formats::json::read(&std::fs::read_to_string(at.join("e.json")).unwrap()).unwrap();
        let sizes = boards.iter().map(|(_, sheets)| sheets.as_ref().unwrap().pile_sizes().map(usize::from));
        sizes.collect::<std::collections::BTreeSet<_>>()
    };
    let weighted = PileSizes::Least.choices();
    assert!(sizes("--piles least ").iter().all(|drawn| weighted.contains(drawn)));
    assert!(!sizes("").iter().all(|drawn| weighted.contains(drawn)));
    let refused = outis("sheets --piles equal", Path::new(""));
    assert_eq!(refused.map_err(|f| f.exit), Err(Exit::Usage));
}

#[test]
fn boards_that_do_not_exist_are_a_usage_error() {
    let refused = outis("deal --boards 1 --from 0 --seed 1", Path::new(""));
    assert_eq!(refused.map_err(|f| f.exit), Err(Exit::Usage));
}

#[test]
fn an_evening_with_a_seal() {
    let at = folder("seal");
    let said = outis("sheets --boards 4 --seed 1 --json @e.json --pbn @e.pbn --pdf @e.pdf", &at).unwrap();
    assert!(said.starts_with("Seal, to be published before play:\n"), "{said}");
    let hungarian = outis("sheets --boards 1 --seed 1 --lang hu --pdf @h.pdf", &at).unwrap();
    assert!(hungarian.starts_with("Pecsét; ") && hungarian.contains("nincsenek elmentve"), "{hungarian}");
    let seal = said.lines().nth(1).unwrap().replace(' ', "_");
    for file in ["e.json", "e.pbn"] {
        let said = outis(&format!("check @{file} --seal {seal}"), &at).unwrap();
        assert!(said.starts_with("The seal matches: all 4 records"), "{said}");
        let hungarian = outis(&format!("check @{file} --seal {seal} --lang hu"), &at).unwrap();
        assert!(hungarian.starts_with("A pecsét egyezik: mindegyik leírás (4)"), "{hungarian}");
    }
    // Adding results and records keeps the seal valid; changing deals does not.
    outis(&format!("records @e.json --no-analysis --seal {seal} --pbn @r.pbn --html @r.html"), &at).unwrap();
    outis(&format!("check @r.pbn --seal {seal}"), &at).unwrap();
    outis("records @e.pbn --no-analysis --swap-suits 3:SH --pbn @x.pbn", &at).unwrap();
    let refused = outis(&format!("check @x.pbn --seal {seal}"), &at).unwrap_err();
    assert_eq!(refused.exit, Exit::Fault);
    assert!(refused.to_string().contains("fixed before play: 3."), "{refused}");
    let refused = outis(&format!("check @x.pbn --seal {seal} --lang hu"), &at).unwrap_err();
    assert!(refused.to_string().ends_with("rögzítettek: 3."), "{refused}");
    let refused = outis(&format!("records @x.pbn --no-analysis --seal {seal} --pdf @never.pdf"), &at).unwrap_err();
    assert_eq!(refused.exit, Exit::Fault);
    assert!(!at.join("never.pdf").exists());
    std::fs::remove_dir_all(at).unwrap();
}

#[test]
fn nothing_is_half_written() {
    let at = folder("half");
    std::fs::write(at.join("deals.txt"), "1 N:AK.. x").unwrap();
    let refused = outis("sheets --given @deals.txt --pdf @s.pdf --json @s.json", &at).unwrap_err();
    assert_eq!(refused.exit, Exit::Unreadable);
    assert!(
        refused.to_string().ends_with("deals.txt: line 1, column 9: a hand needs four holdings with dots between them"),
        "{refused}"
    );
    // Curtain cards cannot be drawn as a plot, so the PDF is not written either.
    outis("deal --boards 1 --seed 1 --pbn @one.pbn", &at).unwrap();
    assert_eq!(outis("curtains @one.pbn --pdf @c.pdf --svg @c.svg", &at).unwrap_err().exit, Exit::Usage);
    assert!(outis("convert @one.pbn --lin @missing/one.lin", &at).is_err());
    let mut names: Vec<_> = std::fs::read_dir(&at).unwrap().map(|f| f.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["deals.txt", "one.pbn"]);
    std::fs::remove_dir_all(at).unwrap();
}

#[test]
fn two_clubs_draw_together() {
    let at = folder("toss");
    let new = "--toss @t.txt --clubs 2 --about Spring_pairs --boards 3 --from 4";
    let first = |club: u8, rest: &str| outis(&format!("deal --club {club} --key @{club}.key {rest}"), &at);
    // Messages are in the language of the environment.
    let says = |id: &str, name: &'static str, arg: &str| {
        format!("{}\n", Speech::new().say(&Text::new(id).with(name, crate::speech::plain(arg))))
    };
    let file = at.join("t.txt").display().to_string();
    assert_eq!(first(1, new).unwrap(), says("terminal.toss.sealed", "file", &file));
    assert_eq!(first(1, "--toss @t.txt").unwrap(), says("terminal.toss.wait.sealed", "clubs", "2"));
    assert_eq!(first(2, "--toss @t.txt").unwrap(), says("terminal.toss.sealed", "file", &file));
    let other = outis("deal --club 2 --key @1.key --toss @t.txt", &at).unwrap_err();
    assert_eq!(other.exit, Exit::Usage);
    let hungarian = Speech::of(outis_game::words::Language::Hu).say(&crate::trouble::text(&*other.error).unwrap());
    assert!(hungarian.starts_with("2. klub: "), "{hungarian}");
    assert_eq!(first(2, "--toss @t.txt").unwrap(), says("terminal.toss.opened", "file", &file));
    let deals = first(1, "--toss @t.txt").unwrap();
    assert_eq!(commands::read(deals.as_bytes()).unwrap()[0].board.number(), 4);
    // Anyone with the public file gets the same deals.
    assert_eq!(outis("deal --toss @t.txt", &at).unwrap(), deals);
    assert_eq!(outis("deal --toss @none.txt", &at).unwrap_err().exit, Exit::Usage);
    std::fs::remove_dir_all(at).unwrap();
}

#[test]
fn wrong_counts_are_said_in_both_languages() {
    let at = folder("counts");
    std::fs::write(at.join("r.txt"), "7 AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432").unwrap();
    std::fs::write(at.join("f.txt"), "7 AKQJT9876543... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432").unwrap();
    let said = outis("check @r.txt @f.txt", &at).unwrap();
    assert!(said.contains("North has 12 cards") && said.contains("♠2 is in no hand"), "{said}");
    let said = outis("check @r.txt @f.txt --lang hu", &at).unwrap();
    assert!(said.contains("Észak: 12 lap"), "{said}");
    assert!(outis("check --simulate 20 --rates 0,0,0,0,0", &at).unwrap().contains("20  100.0%  as recorded"));
    assert_eq!(outis("check @r.txt", &at).unwrap_err().exit, Exit::Usage);
    std::fs::remove_dir_all(at).unwrap();
}
