//! Every trick with a move at the position where it has its chance, without the game before it: refused by the check that is
//! named. And with one constraint taken out of the charter some trick passes: each is needed.

use outis_crypto::batch::Batch;
use outis_crypto::challenger::Challenger;
use outis_crypto::disclosure::Prepared;
use outis_crypto::encrypted_number::{Cipher, Form, Known};
use outis_crypto::group::random_scalar;
use outis_crypto::key::testing::table_of;
use outis_crypto::key::{JointKey, SeatSecret};
use outis_crypto::selection::Pair;
use outis_crypto::shuffle::CommitmentKey;
use outis_table::{Context, Head, Seat, TableId};
use rand_chacha::ChaCha20Rng;
use rand_core::{Rng, SeedableRng};

use crate::cheats::tricks::{Scene, TRICKS, Trick};
use crate::protocol::charter::{Charter, Plan};
use crate::protocol::layout::{New, values};
use crate::protocol::turn::{MoveInputs, Sight};
use crate::rules::board::{Color, Piece, Square};
use crate::rules::moves::Move;
use crate::rules::position::Position;
use crate::rules::side::{Wing, king_home};
use crate::rules::tickets::{TICKETS, tickets};

/// A position under a joint key, and the view of who is to move.
pub(super) struct Lab {
    pub key: JointKey,
    pub secrets: Vec<SeatSecret>,
    commitments: CommitmentKey,
    pub position: Position,
    /// The honest move at the end of the script.
    pub last: Move,
    own: Vec<Known>,
    pub state: Vec<Cipher>,
    pub view: Vec<Pair>,
    rng: ChaCha20Rng,
}

fn challenger() -> Challenger {
    Challenger::new(&Context { table: TableId([1; 32]), deal: 0, seat: Seat(0), head: Head([2; 32]) })
}

impl Lab {
    /// Plays all of a script but its last move.
    pub(super) fn new(script: &str) -> Self {
        let mut rng = ChaCha20Rng::seed_from_u64(1);
        let (secrets, key) = table_of(2, &mut rng);
        let mut words: Vec<&str> = script.split_ascii_whitespace().collect();
        let last = words.pop().expect("a move");
        let mut position = Position::start();
        let find = |position: &Position, word: &str| {
            let found = position.moves().into_iter().find(|mv| mv.to_string() == word);
            found.unwrap_or_else(|| panic!("{word} is not legal in {position}"))
        };
        for word in words {
            let mv = find(&position, word);
            position.play(&mv);
        }
        let last = find(&position, last);
        let mover = position.turn;
        let mut known = |color| {
            let number = |value| Known::new(value, random_scalar(&mut rng));
            values(position.side(color)).into_iter().map(number).collect::<Vec<_>>()
        };
        let (own, other) = (known(mover), known(mover.other()));
        let encrypt = |known: &[Known]| known.iter().map(|known| known.cipher(&key)).collect::<Vec<_>>();
        let (state, theirs) = (encrypt(&own), encrypt(&other));
        let [mine, issuer] = [0, 1].map(|i| &secrets[(mover.index() + i) % 2]);
        let charter = Charter::of(mover);
        let sight = Sight { charter: &charter, issuer: issuer.key(), viewer: mine.key(), states: (&state, &theirs) };
        let prepared = Prepared::new(issuer, mine.key(), TICKETS, &1u32, &mut rng).expect("prepared");
        let view = sight.issue(issuer, prepared, &mut challenger(), &mut rng).expect("a view");
        let view = view.answers().iter().map(Pair::from).collect();
        Self { key, secrets, commitments: CommitmentKey::new(96), position, last, own, state, view, rng }
    }

    fn mover(&self) -> Color {
        self.position.turn
    }

    /// The honest plan.
    pub(super) fn plan(&self, charter: &Charter) -> Plan {
        let color = self.mover();
        let heard = self.last.announcement(color, &self.position.view(color));
        Plan::of(charter, self.position.side(color), &self.last, heard).expect("listed")
    }

    /// Proves a plan and says whether selection and cases hold, each by itself.
    pub(super) fn verdict(&self, charter: &Charter, plan: &Plan) -> [bool; 2] {
        let mut rng = self.rng.clone();
        let secret = &self.secrets[self.mover().index()];
        let inputs = MoveInputs {
            key: &self.key,
            commitments: &self.commitments,
            charter,
            mover: secret.key(),
            view: &self.view,
            state: &self.state,
        };
        let fresh: Vec<Known> = plan.values.iter().map(|value| Known::new(*value, random_scalar(&mut rng))).collect();
        let moved = inputs.make(plan, secret, &self.own, &fresh, &mut challenger(), &mut rng).expect("a proof");
        let mut batch = Batch::new();
        let (selected, kept) = inputs.check(&moved, &mut challenger(), &mut batch);
        assert!(selected.is_ok() && kept.is_ok(), "well formed");
        let refuted = batch.settle().err().map_or(Vec::new(), |refuted| refuted.claims);
        [0, 1].map(|proof| refuted.iter().all(|claim| claim.index != proof))
    }

    fn tricked(&self, charter: &Charter, trick: &Trick) -> [bool; 2] {
        let side = self.position.side(self.mover());
        let mut scene = Scene { color: self.mover(), side, charter, plan: self.plan(charter) };
        assert!((trick.doctor)(&mut scene), "{}: no chance", trick.name);
        assert_ne!(scene.plan, self.plan(charter), "{}: honest", trick.name);
        self.verdict(charter, &scene.plan)
    }
}

fn trick(name: &str) -> &'static Trick {
    TRICKS.iter().find(|trick| trick.name == name).expect("a trick")
}

#[test]
fn every_trick_is_refused_by_its_check() {
    let charter = Charter::of(Color::White);
    let mut scripts: Vec<&str> = TRICKS.iter().map(|trick| trick.script).collect();
    scripts.sort_unstable();
    scripts.dedup();
    for script in scripts {
        let lab = Lab::new(script);
        assert_eq!(lab.verdict(&charter, &lab.plan(&charter)), [true; 2], "the honest move of {script:?}");
        for trick in TRICKS.iter().filter(|trick| trick.script == script) {
            let expected = match trick.check {
                "selection" => [false, true],
                _ => [true, false],
            };
            assert_eq!(lab.tricked(&charter, trick), expected, "{}", trick.name);
        }
    }
}

impl Lab {
    /// The twin without cryptography: whether the selected entry is open and has these columns, and whether every case has
    /// an alternative that holds, by the numbers themselves.
    fn plainly(&self, charter: &Charter, plan: &Plan) -> [bool; 2] {
        let (own, other) = (self.position.side(self.mover()), self.position.side(self.mover().other()));
        let numbers: Vec<i64> = values(own).into_iter().chain(plan.values.iter().copied()).map(i64::from).collect();
        let value = |form: &Form| {
            let terms = form.terms.iter().map(|(factor, at)| i64::from(*factor) * numbers[*at as usize]);
            i64::from(form.constant) + terms.sum::<i64>()
        };
        let choices = charter.choices(plan.heard);
        let selected = choices.get(plan.entry as usize).is_some_and(|(entry, _)| {
            let ticket = &tickets(self.mover())[entry.answer as usize];
            let wanted =
                |k: u32| entry.values.iter().find(|(column, _)| *column == k).map_or(0, |(_, v)| i64::from(*v));
            let open = ticket.condition(own, other) == 0 && u32::from(ticket.content(other)) == entry.message;
            open && (0..).zip(&charter.columns).all(|(k, column)| value(column) == wanted(k))
        });
        let holds = |alternative: &Vec<Form>| alternative.iter().all(|form| value(form) == 0);
        [selected, charter.cases.iter().all(|case| case.iter().any(holds))]
    }
}

/// Whatever a plan says, right or wrong, the proofs are accepted exactly if its plain twin says that it is in order.
#[test]
fn proofs_agree_with_the_plain_numbers() {
    let charter = Charter::of(Color::White);
    let lab = Lab::new("e2e4 d7d5 e4d5");
    let honest = lab.plan(&charter);
    let entries = charter.choices(honest.heard).len() as u32;
    let mut rng = ChaCha20Rng::seed_from_u64(9);
    let mut verdicts = std::collections::BTreeSet::new();
    for round in 0..12 {
        let mut plan = honest.clone();
        let mut draw = |below: usize| (rng.next_u64() % below as u64) as usize;
        match round % 4 {
            0 => {}
            1 => plan.entry = draw(entries as usize) as u32,
            2 => plan.values[draw(152)] ^= 1,
            _ => plan.values[152 + draw(384)] ^= 1,
        }
        let verdict = lab.verdict(&charter, &plan);
        assert_eq!(verdict, lab.plainly(&charter, &plan), "{round}");
        verdicts.insert(verdict);
    }
    assert!(verdicts.len() >= 3, "{verdicts:?}");
    let scene = Lab::new("e2e4");
    for trick in TRICKS.iter().filter(|trick| trick.script == "e2e4") {
        let side = scene.position.side(scene.mover());
        let mut played = Scene { color: scene.mover(), side, charter: &charter, plan: scene.plan(&charter) };
        assert!((trick.doctor)(&mut played), "{}", trick.name);
        assert_ne!(scene.plainly(&charter, &played.plan), [true; 2], "{}", trick.name);
    }
}

/// A constraint that is taken out, and the trick that then passes.
type Mutation = (&'static str, fn(&mut Charter), &'static str);

fn blank(charter: &mut Charter, columns: core::ops::Range<usize>) {
    columns.for_each(|at| charter.columns[at] = Form::constant(0));
}

/// Takes out of one alternative of a square the forms that name any of these numbers.
fn forgive(charter: &mut Charter, square: &str, alternative: usize, wanted: impl Fn(u32) -> bool) {
    let square: Square = square.parse().expect("a square");
    let forms = &mut charter.cases[square.index()][alternative];
    let before = forms.len();
    forms.retain(|form| !form.terms.iter().any(|(_, at)| wanted(*at)));
    assert!(forms.len() < before && !forms.is_empty());
}

fn new_piece(at: u32) -> bool {
    at >= New::Piece(Square::at(0, 0), Piece::Pawn).at()
}

fn moved(at: u32) -> bool {
    (New::Moved(Piece::Pawn).at()..=New::Moved(Piece::King).at()).contains(&at)
}

const MUTATIONS: &[Mutation] = &[
    ("from", |c| blank(c, 0..64), "borrowed-ticket"),
    ("to", |c| blank(c, 64..128), "other-target"),
    ("what changes on the way", |c| blank(c, 128..134), "self-promotion"),
    ("castling", |c| blank(c, 134..136), "castle-on-the-side"),
    ("double step", |c| blank(c, 136..144), "silent-double-step"),
    ("unchanged: the new content", |c| forgive(c, "h5", 0, new_piece), "new-queen"),
    ("unchanged: nothing leaves", |c| forgive(c, "g1", 0, |at| at == New::From(square("g1")).at()), "duplicate"),
    ("unchanged: nothing arrives", |c| forgive(c, "e4", 0, |at| at == New::To(square("e4")).at()), "vanish"),
    ("left: it is what moves", |c| forgive(c, "e2", 1, moved), "disguise"),
    ("left: nothing stays", |c| forgive(c, "g1", 1, new_piece), "duplicate"),
    ("arrived: it is what moves", |c| forgive(c, "e4", 2, new_piece), "other-piece"),
    ("corner, unchanged: no castling", |c| forgive(c, "h1", 0, |at| at == New::Castles(Wing::King).at()), "twin-rook"),
    ("corner, castling: nothing stays", |c| forgive(c, "h1", 3, new_piece), "twin-rook"),
    ("castling: a rook arrives", |c| forgive(c, "f1", 3, new_piece), "castled-queen"),
    (
        "right: the king stays",
        |c| c.cases[64][0].retain(|form| form.terms[0].1 != New::From(king_home(Color::White)).at()),
        "kept-right",
    ),
    (
        "right: the rook stays",
        |c| c.cases[64][0].retain(|form| form.terms[0].1 != New::From(square("h1")).at()),
        "kept-right-rook",
    ),
    ("right: lost with the king", |c| drop(c.cases[64][1].remove(0)), "kept-right"),
    ("right: lost with the rook", |c| drop(c.cases[64][2].remove(0)), "kept-right-rook"),
    ("right: as before", |c| drop(c.cases[64][0].remove(0)), "regained-right"),
    ("right, far: lost with the king", |c| drop(c.cases[65][1].remove(0)), "kept-right-far"),
    ("left: it has left", |c| forgive(c, "a2", 1, |at| at == New::From(square("a2")).at()), "lost-pawn"),
    ("arrived: it has arrived", |c| forgive(c, "h5", 2, |at| at == New::To(square("h5")).at()), "second-arrival"),
    ("corner, castling: it castles", |c| forgive(c, "h1", 3, |at| at == New::Castles(Wing::King).at()), "hidden-rook"),
    ("beside the king, unchanged", |c| forgive(c, "f1", 0, |at| at == New::Castles(Wing::King).at()), "lost-rook"),
    ("far corner, unchanged", |c| forgive(c, "a1", 0, |at| at == New::Castles(Wing::Queen).at()), "twin-rook-far"),
];

fn square(name: &str) -> Square {
    name.parse().expect("a square")
}

#[test]
fn every_constraint_is_needed() {
    for (what, mutate, name) in MUTATIONS {
        let (mut charter, trick) = (Charter::of(Color::White), trick(name));
        mutate(&mut charter);
        let lab = Lab::new(trick.script);
        assert_eq!(lab.tricked(&charter, trick), [true; 2], "{name} without {what:?}");
    }
}

/// An answer of an earlier view, or of the other's, allows nothing.
#[test]
fn only_the_latest_view_counts() {
    let charter = Charter::of(Color::White);
    let (lab, other) = (Lab::new("e2e4"), Lab::new("e2e4 d7d5 e4d5"));
    let plan = lab.plan(&charter);
    let stale = Lab { view: other.view, ..lab };
    // The proof is made and checked over answers that are open for the same keys, but of another position.
    assert_eq!(stale.verdict(&charter, &plan), [false, true], "e2e4 with what was seen when e4 was taken");
}
