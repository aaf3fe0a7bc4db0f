//! The logs in `spec/vectors/log`: `outis verify` reaches the verdict recorded there, and the same seeds still produce
//! the same bytes. Run with `OUTIS_WRITE_VECTORS=1` to write them again after a deliberate change of the format.

use std::path::{Path, PathBuf};
use std::process::Command;

use outis_matching_pennies::protocol::Hand;
use outis_matching_pennies::rules::Options;
use outis_table::Seat;
use outis_table::cheat::Cheats;
use outis_table::codec::Encode;
use outis_table::export;
use outis_testkit::World;
use outis_testkit::cheat::Wire;
use serde_json::{Value, json};

const OPTIONS: Options = Options { throws: 3, clock: 60 };

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../spec/vectors/log")
}

fn world() -> World<Hand> {
    World::<Hand>::new(&OPTIONS, 2, 1)
}

/// Every vector: name, bytes, exit code, and the expected verdict.
fn vectors() -> Vec<(&'static str, Vec<u8>, i32, Value)> {
    let first = |mut logs: Vec<Vec<u8>>| logs.remove(0);
    let wire = |wire| first(world().wire(Seat(1), wire, 1).play().logs);
    let finished = first(world().play().logs);
    let mut altered = finished.clone();
    let middle = altered.len() / 2;
    altered[middle] ^= 1;
    let (offer, records) = export::read(&finished).unwrap();
    let mut records: Vec<_> = records.map(Result::unwrap).collect();
    let mut early = export::header(&offer);
    records[..records.len() / 2].iter().for_each(|record| record.encode(&mut early));
    let mut unsigned = export::header(&offer);
    records[..records.len() - 1].iter().for_each(|record| record.encode(&mut unsigned));
    records.rotate_right(1);
    let mut reordered = export::header(&offer);
    records.iter().for_each(|record| record.encode(&mut reordered));
    let tamper = Hand::cheats()[0].tamper;
    let fault = |round: u32, check: &str| json!({ "verdict": "fault", "blames": 1, "round": round, "check": check });
    vec![
        ("cut", finished[..finished.len() - 10].to_vec(), 2, json!({ "verdict": "unreadable" })),
        ("altered", altered, 1, json!({ "verdict": "forged", "blames": null, "check": "signature" })),
        ("reordered", reordered, 1, json!({ "verdict": "forged", "blames": null, "check": "order" })),
        ("finished", finished, 0, json!({ "verdict": "finished", "valid": true, "closed": true, "unsigned": [] })),
        ("unsigned", unsigned, 0, json!({ "verdict": "finished", "valid": true, "closed": false, "unsigned": [1] })),
        ("early", early, 5, json!({ "verdict": "unfinished", "valid": true, "closed": false, "claims": [] })),
        ("silence", wire(Wire::Omit), 6, json!({ "verdict": "claimed", "claims": [{ "by": 0, "silent": [1] }] })),
        ("switched", first(world().tamper(Seat(1), tamper).play().logs), 1, fault(2, "opening")),
        ("equivocation", wire(Wire::Equivocate), 1, fault(1, "equivocation")),
        ("rubbish", wire(Wire::Rubbish), 1, fault(1, "malformed")),
    ]
}

#[test]
fn the_verdicts_are_those_of_the_specification() {
    for (name, bytes, exit, expected) in vectors() {
        let file = folder().join(format!("{name}.log"));
        if std::env::var_os("OUTIS_WRITE_VECTORS").is_some() {
            std::fs::write(&file, &bytes).unwrap();
        }
        assert!(std::fs::read(&file).unwrap() == bytes, "{name}: the seed makes other bytes than are in the file");
        let run = Command::new(env!("CARGO_BIN_EXE_outis")).arg("verify").arg(&file).arg("--json").output().unwrap();
        assert_eq!(run.status.code(), Some(exit), "{name}: {}", String::from_utf8_lossy(&run.stdout));
        let said: Value = serde_json::from_slice(&run.stdout).unwrap();
        for (key, value) in expected.as_object().unwrap() {
            assert_eq!(&said[0][key], value, "{name}: {key} in {said}");
        }
    }
}

/// A log written before nonces were drawn as they are now, and before entries could be signed early.
#[test]
fn logs_of_earlier_versions_still_verify() {
    let file = folder().join("earlier.log");
    let run = Command::new(env!("CARGO_BIN_EXE_outis")).arg("verify").arg(&file).arg("--json").output().unwrap();
    assert_eq!(run.status.code(), Some(0));
    let said: Value = serde_json::from_slice(&run.stdout).unwrap();
    assert_eq!((&said[0]["verdict"], &said[0]["scores"]), (&json!("finished"), &json!([0, 3])));
}

/// One seat claims that the other was silent, and the other's log denies it. A reader of both logs learns who signed
/// what.
#[test]
fn a_claim_is_denied_by_the_other_seats_log() {
    let world = World::<Hand>::new(&OPTIONS, 2, 1).wire(Seat(1), Wire::Omit, 1);
    let files: Vec<_> = (0..2).map(|seat| folder_of_tests().join(format!("denied-{seat}.log"))).collect();
    for (file, log) in files.iter().zip(world.play().logs) {
        std::fs::write(file, log).unwrap();
    }
    let verify = |files: &[PathBuf], code: i32| -> Value {
        let run = Command::new(env!("CARGO_BIN_EXE_outis")).arg("verify").args(files).arg("--json").output().unwrap();
        assert_eq!(run.status.code(), Some(code), "{}", String::from_utf8_lossy(&run.stderr));
        serde_json::from_slice(&run.stdout).unwrap()
    };
    assert_eq!(verify(&files[..1], 6)[0]["denied"], json!([]), "one log alone says nothing against itself");
    let both = verify(&files, 7);
    let denied = json!([{ "by": 0, "seats": [1], "file": files[1].display().to_string() }]);
    assert_eq!(both[0]["denied"], denied, "{both}");
    assert_eq!(both[1]["denied"], json!([]), "{both}");
}

/// The worst of several files decides, in the order that the help states. A missing file counts neither as an invalid
/// log nor as an invalid command.
#[test]
fn with_several_files_the_worst_decides() {
    let code = |names: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_outis"));
        command.arg("verify").args(names.iter().map(|name| folder().join(format!("{name}.log"))));
        command.output().unwrap().status.code()
    };
    let worst = [("altered", 1), ("missing", 4), ("cut", 2), ("silence", 6), ("early", 5), ("finished", 0)];
    for (i, (worse, exit)) in worst.iter().enumerate() {
        assert_eq!(code(&[worse]), Some(*exit), "{worse}");
        for (better, _) in &worst[i..] {
            // In these logs of the same table, the seat that is claimed to be silent has signed entries: one statement
            // against another.
            let exit = if *worse == "silence" && better != worse { 7 } else { *exit };
            assert_eq!(code(&[better, worse]), Some(exit), "{better} {worse}");
        }
    }
    // `outis show` reports such a log too, and ends with the same code.
    for (name, exit) in worst {
        let run =
            Command::new(env!("CARGO_BIN_EXE_outis")).arg("show").arg(folder().join(format!("{name}.log"))).output();
        let run = run.unwrap();
        assert_eq!((run.status.code(), run.stderr.is_empty()), (Some(exit), exit == 0), "{name}");
    }
    let help = Command::new(env!("CARGO_BIN_EXE_outis")).args(["verify", "--help"]).output().unwrap();
    let help = String::from_utf8(help.stdout).unwrap();
    assert!(help.contains("1, 4, 2, 7, 6, 5, 0") && help.contains("Exit codes"), "{help}");
}

/// People read the verdict in their language; scripts get the same exit code and the same JSON.
#[test]
fn the_verdict_is_told_in_the_language_of_the_environment() {
    let run = |locale: &str, more: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_outis"));
        command.env("LC_ALL", locale).arg("verify").args(more);
        let names =
            ["altered", "missing", "cut", "rubbish", "silence", "early", "finished", "equivocation", "unsigned"];
        let done = command.args(names.map(|name| folder().join(format!("{name}.log")))).output().unwrap();
        (done.status.code(), String::from_utf8(done.stdout).unwrap(), String::from_utf8(done.stderr).unwrap())
    };
    let (english, hungarian) = (run("C", &[]), run("hu_HU.UTF-8", &[]));
    assert_eq!(english.0, hungarian.0);
    let (json, same) = (run("C", &["--json"]), run("hu_HU.UTF-8", &["--json"]));
    assert_eq!((json.0, &json.1), (same.0, &same.1), "scripts read no language");
    let expected = [
        ("The log has been altered.", "A naplót megváltoztatták."),
        ("there is no such file or folder", "nincs ilyen fájl vagy mappa"),
        ("this log is damaged or incomplete", "ez a napló sérült vagy hiányos"),
        ("According to seat 1, seat 2 did not respond.", "1. hely szerint nem válaszolt: 2. hely."),
        ("Next to act: seat", "Következett volna: "),
        ("Valid, complete.", "Szabályos, befejezett játszma."),
        ("A player broke the rules.", "Valaki szabályt szegett."),
        ("failed check: equivocation", "sikertelen ellenőrzés: equivocation"),
        ("The result is not signed by seat", "Nem írta alá az eredményt: "),
        ("Scores: ", "Eredmény: "),
        ("grade: Hardened", "fokozat: Megerősített"),
    ];
    for (en, hu) in expected {
        assert!(english.1.contains(en), "{en} is not in:\n{}", english.1);
        assert!(hungarian.1.contains(hu) && !hungarian.1.contains(en), "{hu} is not in:\n{}", hungarian.1);
    }
    for told in [&english.1, &hungarian.1] {
        assert!(!told.contains('{') && !told.contains("terminal.") && !told.contains("page."), "{told}");
    }
    assert!(hungarian.2.contains("Szabálytalan vagy megváltoztatott napló: "), "{}", hungarian.2);
}

fn folder_of_tests() -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR"))
}
