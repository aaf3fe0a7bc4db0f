//! A session in a lobby, with whole programs: a correspondence game of dark chess between two players who are never
//! online together, and a table of tarokk for four. The lobby is killed in between. It takes a while, so it is run by
//! hand:
//! `cargo test --release -p outis --test evening -- --ignored --nocapture`.

mod common;

use std::path::Path;
use std::time::Instant;

use common::place::{Place, finish, on_page};
use common::{Outis, outis, scratch};
use serde_json::json;

#[test]
#[ignore = "takes many minutes"]
fn dark_chess_by_letters_and_an_evening_of_tarokk() {
    let data = scratch("evening-lobby");
    let mut place = Place::open(&data);
    let text = place.text.clone();
    let [anna, bela, cili, denes, looker] =
        ["anna", "bela", "cili", "denes", "looker"].map(|who| scratch(&format!("evening-{who}")));

    // Dark chess: the seat request and its answer are messages too.
    place.run(&anna, &["host", "dark-chess", "--days", "3", "--name", "Anna", "--shelve"]);
    let open = place.json(&looker, &["lobby", "tables", "--json"]);
    let name = open[0]["table"].as_str().unwrap()[..12].to_owned();
    let said = place.run(&bela, &["join", "--table", &name, "--name", "Béla", "--shelve"]);
    assert!(said.contains("seat requested: Dark chess, host Anna"), "{said}");
    let began = Instant::now();
    let visit = |place: &Place, profile: &Path| place.run(profile, &["letters", "--bot", "1", "--shelve"]);
    // Each player is informed once, at the visit when the game ends for them.
    let (mut visits, mut over) = (0, [false; 2]);
    loop {
        for (over, profile) in over.iter_mut().zip([&anna, &bela]) {
            *over |= visit(&place, profile).contains("ended:");
        }
        visits += 1;
        if visits == 5 {
            place.kill();
            place = Place::open(&data);
            assert_eq!(place.text, text, "people have its address in their settings");
        }
        if over == [true, true] {
            break;
        }
        assert!(visits < 400, "it does not end");
    }
    println!("dark chess: {visits} visits of each, {} s", began.elapsed().as_secs());

    // Tarokk: a private table for four.
    let began = Instant::now();
    let code = ["--code", "tuesday evening", "--bot", "1", "--shelve"];
    let host = ["host", "tarokk", "--name", "Anna", "--set", "deals=1"];
    let host = place.outis(&anna, &[&host[..], &code].concat()).spawn().unwrap();
    let join = |profile, name| place.outis(profile, &[&["join", "--name", name][..], &code].concat()).spawn().unwrap();
    let guests = [join(&bela, "Béla"), join(&cili, "Cili"), join(&denes, "Dénes")];
    for child in std::iter::once(host).chain(guests) {
        let (done, said) = finish(child);
        assert!(done && said.contains(&common::words("terminal.published", &[])), "{said}");
    }
    println!("tarokk: {} s", began.elapsed().as_secs());
    place.kill();
    let place = Place::open(&data);

    let verified = |shelf: &serde_json::Value| {
        let good = |game: &serde_json::Value| game["verdicts"][0]["outcome"] == "finished";
        shelf.as_array().is_some_and(|games| games.len() == 2 && games.iter().all(good))
    };
    let shelf = place.until(&looker, &["lobby", "shelf", "--json"], verified);
    let mut command = outis();
    command.args(["--lobby", &place.text]);
    let page = Outis::start_by(command, &looker);
    for game in shelf.as_array().unwrap() {
        let began = Instant::now();
        let checked = on_page(&page, "check", &json!({ "log": game["log"] }));
        assert_eq!((&checked["agrees"], &checked["finding"]["verdict"]), (&true.into(), &"finished".into()));
        println!("{} checked on the page: {:.1} s", game["game"], began.elapsed().as_secs_f32());
    }
}
