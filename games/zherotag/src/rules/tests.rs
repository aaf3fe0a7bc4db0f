use super::*;

const SMALL: Options = Options { grid: 4, limit: 0, clock: 0, replay: true, sealed: true };

fn named(name: &str) -> Direction {
    Direction::ALL.into_iter().find(|d| d.name() == name).unwrap()
}

fn play(options: &Options, moves: &[&str]) -> FullState {
    let mut state = ZheroTag::start(options, 2);
    for (n, name) in (0u16..).zip(moves) {
        ZheroTag::apply(&mut state, mover(n), &named(name)).unwrap();
    }
    state
}

fn seat(state: &FullState, seat: u8) -> Knowledge {
    ZheroTag::observe(state, Observer::Seat(Seat(seat)))
}

#[test]
fn a_king_that_steps_next_to_the_other_can_be_captured() {
    // (0,0) and (3,3): one step each, and they stand side by side after the second.
    let mut state = play(&SMALL, &["se", "nw"]);
    let (a, b) = (seat(&state, 0), seat(&state, 1));
    assert_eq!((a.sees(), b.sees()), (Some(Cell::new(2, 2)), Some(Cell::new(1, 1))), "both learn it");
    assert_eq!((a.sights.clone(), ZheroTag::legal(&b)), (vec![None, Some(Cell::new(2, 2))], vec![]));
    ZheroTag::apply(&mut state, Seat(0), &named("se")).unwrap();
    let (a, b) = (seat(&state, 0), seat(&state, 1));
    assert_eq!((a.end(), scores(a.end())), (Some(End::Captured(Seat(0))), vec![1, -1]));
    assert_eq!((a.at(), b.at()), (Some(Cell::new(2, 2)), Some(Cell::new(2, 2))));
    assert!(ZheroTag::legal(&a).is_empty() && ZheroTag::legal(&b).is_empty());
    assert_eq!(ZheroTag::apply(&mut state, Seat(1), &named("n")), Err(Illegal::Turn), "the game is over");
    assert_eq!(b.paths, Some([a.path, b.path.clone()]), "both paths are shown");
}

#[test]
fn a_king_must_move_and_stays_on_the_grid() {
    let mut state = play(&SMALL, &[]);
    for outside in ["nw", "n", "ne", "w", "sw"] {
        assert_eq!(ZheroTag::apply(&mut state, Seat(0), &named(outside)), Err(Illegal::Outside));
    }
    assert_eq!(ZheroTag::apply(&mut state, Seat(1), &named("n")), Err(Illegal::Turn));
    let legal = ZheroTag::legal(&seat(&state, 0));
    assert_eq!(legal, [named("e"), named("s"), named("se")], "three steps from a corner, and none that stays");
}

#[test]
fn the_limit_of_moves_makes_a_draw() {
    let options = Options { limit: 3, ..SMALL };
    let mut state = play(&options, &["e", "w", "w"]);
    assert_eq!((seat(&state, 0).end(), scores(seat(&state, 0).end())), (Some(End::Draw), vec![0, 0]));
    assert_eq!(ZheroTag::apply(&mut state, Seat(1), &named("n")), Err(Illegal::Turn));
    let state = play(&options, &["se", "nw", "se"]);
    assert_eq!(seat(&state, 1).end(), Some(End::Captured(Seat(0))), "a capture with the last move counts");
    let endless = Options { limit: 0, ..SMALL };
    assert_eq!(end(&endless, MOST_MOVES - 1, false), None);
    assert_eq!(end(&endless, MOST_MOVES, false), Some(End::Draw), "counters end somewhere, and so do tables");
}

#[test]
fn a_spectator_sees_that_somebody_moves_and_nothing_else() {
    let spectator = |moves: &[&str]| ZheroTag::observe(&play(&SMALL, moves), Observer::Spectator);
    assert_eq!(spectator(&["e", "w", "s"]), spectator(&["se", "nw", "s"]));
    assert!(spectator(&["e", "w", "s"]).paths.is_none());
}

#[test]
fn what_is_last_known_of_the_other_grows_old() {
    let k = seat(&play(&SMALL, &["e", "w"]), 0);
    assert_eq!((k.sees(), k.last_known()), (None, Some((Cell::new(3, 3), 0))), "where it started");
    let k = seat(&play(&SMALL, &["se", "nw", "w", "se"]), 0);
    assert_eq!((k.sees(), k.last_known()), (None, Some((Cell::new(2, 2), 2))));
}

#[test]
fn events_rebuild_what_the_truth_tells() {
    let options = Options { replay: false, sealed: false, ..SMALL };
    let state = play(&options, &["se", "nw", "se"]);
    for me in 0..2 {
        let mut k = ZheroTag::initial_knowledge(&options, 2, Observer::Seat(Seat(me)));
        let mine = [Event::Went(Cell::new(1, 1)), Event::Went(Cell::new(2, 2))][usize::from(me)].clone();
        let seen = Cell::new(2 - i16::from(me), 2 - i16::from(me));
        let (first, second) = if me == 0 { (Some(mine), None) } else { (None, Some(mine)) };
        let events = [Some(Event::Moved), first, Some(Event::Looked(None)), Some(Event::Moved), second];
        let rest = [Some(Event::Looked(Some(seen))), Some(Event::Captured(named("se")))];
        for event in events.into_iter().chain(rest).flatten() {
            k = ZheroTag::learn(k, &event).unwrap();
        }
        assert_eq!(k, seat(&state, me));
        assert!(ZheroTag::learn(k, &Event::Moved).is_err());
    }
}

#[test]
fn options_are_bounded() {
    for (bytes, fits) in
        [([4, 0, 0, 0], true), ([64, 255, 255, 1], true), ([3, 0, 0, 0], false), ([65, 0, 0, 0], false)]
    {
        let read = Options::from_bytes(&bytes, &());
        assert_eq!(read.is_ok(), fits);
        assert!(read.is_err() || read.unwrap().to_bytes() == bytes);
    }
    assert!(Options::from_bytes(&[6, 0, 0, 3], &()).is_err());
    for paths in 0..3 {
        assert_eq!(Options::from_bytes(&[6, 0, 0, paths], &()).unwrap().to_bytes(), [6, 0, 0, paths]);
    }
}
