//! Deals that nobody chose: several clubs toss a coin with the toolkit and draw the boards from it.
//!
//! The toss is one public text that goes round twice, by mail or a shared folder. The first time every club adds its
//! commitment, the second time it reveals. Then all clubs have the same deals, uniform if one club was honest, and anyone
//! with the text can repeat the computation. Texts of several clubs can simply be put together, one after the other.

use core::fmt;
use std::collections::BTreeMap;

use outis_crypto::codec::{Decode, Encode};
use outis_crypto::coin::{AwaitingCommitments, AwaitingReveals, CoinRefused, Contribution, Reveal, Toss};
use outis_crypto::commit::Commitment;
use outis_crypto::context::{Seat, SeatSet, TableId};
use rand_chacha::ChaCha20Rng;
use rand_core::{CryptoRng, SeedableRng};
use sha2::{Digest, Sha512};

use crate::commands::{self, Refused};
use crate::formats::{BadFile, BadToss};
use crate::record::Record;
use crate::seal::{hex, unhex};

const PURPOSE: &str = "bridge-deals";
const HEAD: &str = "outis bridge toss 1";

/// What a club keeps to itself between its commitment and its reveal. It does not print itself.
pub struct Secret([u8; 32]);

impl Secret {
    /// A fresh one.
    #[expect(clippy::disallowed_methods, reason = "a club's secret is drawn once")]
    pub fn new(rng: &mut (impl CryptoRng + ?Sized)) -> Self {
        let mut bytes = [0; 32];
        rng.fill_bytes(&mut bytes);
        Self(bytes)
    }

    /// 64 hexadecimal digits, for a file that nobody else reads.
    pub fn to_hex(&self) -> String {
        hex(&self.0)
    }

    /// Reads what [`Secret::to_hex`] writes.
    pub fn parse(text: &str) -> Option<Self> {
        unhex(text.trim()).map(Self)
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(<secret>)")
    }
}

/// What is agreed before anyone commits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Agreed {
    /// The event in words; a new event needs new words.
    pub about: String,
    /// How many clubs, 2 to 16, numbered from 1.
    pub clubs: u8,
    /// How many boards.
    pub boards: u16,
    /// The number of the first.
    pub from: u16,
}

/// The public text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Joint {
    agreed: Agreed,
    commitments: BTreeMap<u8, Commitment>,
    reveals: BTreeMap<u8, Reveal>,
}

/// What a club did, or what everyone waits for.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Step {
    /// The club's commitment was added.
    Committed,
    /// The club has revealed.
    Revealed,
    /// The commitments of these clubs are missing.
    AwaitCommitments(Vec<u8>),
    /// The reveals of these clubs are missing.
    AwaitReveals(Vec<u8>),
    /// The toss is over: there are deals.
    Over,
}

/// Why a step was refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TossRefused {
    /// A single club would choose the deals.
    #[error("a toss needs 2 to 16 clubs")]
    Clubs,
    /// There is no such club.
    #[error("clubs are numbered from 1 to {0}")]
    NoClub(u8),
    /// The secret is not the one behind the club's commitment.
    #[error("this key did not make the commitment of club {0}")]
    OtherKey(u8),
    /// What a club revealed is not what it committed to.
    #[error("club {0} did not reveal what it had committed to")]
    False(u8),
    /// The toss is not over.
    #[error("the toss is not complete")]
    NotOver,
    /// There are no such boards.
    #[error(transparent)]
    Boards(#[from] Refused),
}

impl Joint {
    /// A toss to which nobody has committed yet.
    pub fn new(agreed: Agreed) -> Result<Self, TossRefused> {
        commands::numbers(agreed.boards, agreed.from)?;
        if !(2..=16).contains(&agreed.clubs) {
            return Err(TossRefused::Clubs);
        }
        let about: String = agreed.about.chars().map(|c| if c.is_control() { ' ' } else { c }).take(200).collect();
        let about = about.split_whitespace().collect::<Vec<_>>().join(" ");
        Ok(Self { agreed: Agreed { about, ..agreed }, commitments: BTreeMap::new(), reveals: BTreeMap::new() })
    }

    /// What was agreed.
    pub fn agreed(&self) -> &Agreed {
        &self.agreed
    }

    /// Does what the club has to do next, if there is something, and says what happens next.
    pub fn step(&mut self, club: u8, secret: &Secret) -> Result<Step, TossRefused> {
        if club == 0 || club > self.agreed.clubs {
            return Err(TossRefused::NoClub(self.agreed.clubs));
        }
        let (contribution, commitment) = self.contribution(club, secret);
        match self.commitments.get(&club) {
            None => {
                self.commitments.insert(club, commitment);
                return Ok(Step::Committed);
            }
            Some(known) if *known != commitment => return Err(TossRefused::OtherKey(club)),
            Some(_) => {}
        }
        if self.reveals.contains_key(&club) {
            return self.state();
        }
        let Ok(table) = self.committed() else { return self.state() };
        let reveal = contribution.reveal(&table).map_err(|_| TossRefused::OtherKey(club))?;
        self.reveals.insert(club, reveal);
        self.state()?;
        Ok(Step::Revealed)
    }

    /// How far the toss is.
    pub fn state(&self) -> Result<Step, TossRefused> {
        let mut table = match self.committed() {
            Ok(table) => table,
            Err(waiting) => return Ok(Step::AwaitCommitments(numbers(&waiting.missing()))),
        };
        self.reveal_into(&mut table)?;
        let missing = numbers(&table.missing());
        Ok(if missing.is_empty() { Step::Over } else { Step::AwaitReveals(missing) })
    }

    /// The deals, once all clubs have revealed.
    #[expect(clippy::disallowed_methods, reason = "from the coin that all clubs made, for everyone to repeat")]
    pub fn deals(&self) -> Result<Vec<Record>, TossRefused> {
        let mut table = self.committed().map_err(|_| TossRefused::NotOver)?;
        self.reveal_into(&mut table)?;
        let coin = table.all_in().map_err(|_| TossRefused::NotOver)?;
        let mut seed = [0u8; 32];
        for (i, bit) in coin.bits(256).into_iter().enumerate() {
            seed[i / 8] |= u8::from(bit) << (i % 8);
        }
        Ok(commands::deal(self.agreed.boards, self.agreed.from, &mut ChaCha20Rng::from_seed(seed))?)
    }

    fn toss(&self) -> Toss {
        let Agreed { about, clubs, boards, from } = &self.agreed;
        let digest = |name: &[u8], rest: &[u8]| {
            let mut state = Sha512::new();
            state.update(b"outis/1 bridge toss ");
            state.update(name);
            state.update(rest);
            let mut short = [0; 32];
            short.copy_from_slice(&state.finalize()[..32]);
            short
        };
        let subject = digest(b"boards", &[boards.to_le_bytes(), from.to_le_bytes()].concat());
        let list: Vec<Seat> = (1..=*clubs).map(Seat).collect();
        // The list has no number twice.
        let seats = SeatSet::new(&list).unwrap_or_else(|_| unreachable!("numbers from 1 on are different"));
        Toss { purpose: PURPOSE, table: TableId(digest(b"about ", about.as_bytes())), deal: 0, subject, seats }
    }

    /// A club's part, the same every time it is made from the same secret.
    #[expect(clippy::disallowed_methods, reason = "from the club's own secret, to be made again")]
    fn contribution(&self, club: u8, secret: &Secret) -> (Contribution, Commitment) {
        self.toss().contribute_again(Seat(club), &mut ChaCha20Rng::from_seed(secret.0))
    }

    #[expect(clippy::result_large_err, reason = "the error is the phase itself, given back")]
    fn committed(&self) -> Result<AwaitingReveals, AwaitingCommitments> {
        let mut table =
            AwaitingCommitments::new(self.toss()).unwrap_or_else(|_| unreachable!("the number of clubs was checked"));
        for (club, commitment) in &self.commitments {
            // Numbers were checked when they were read, and a map has each of them once.
            let _ = table.accept(Seat(*club), *commitment);
        }
        table.all_in()
    }

    fn reveal_into(&self, table: &mut AwaitingReveals) -> Result<(), TossRefused> {
        for (club, reveal) in &self.reveals {
            table.accept(Seat(*club), reveal).map_err(|refused| match refused {
                CoinRefused::FalseOpening(seat) => TossRefused::False(seat.0),
                _ => TossRefused::NoClub(self.agreed.clubs),
            })?;
        }
        Ok(())
    }

    /// Reads the public text. Lines may be there several times and in any order; two different ones of a club are
    /// refused.
    pub fn read(text: &str) -> Result<Self, BadFile> {
        let (mut about, mut clubs, mut boards) = (None, None, None);
        let mut parts: Vec<(usize, bool, u8, &str)> = Vec::new();
        for (line, content) in (1..).zip(text.lines().map(str::trim)) {
            let bad = |reason: BadToss| BadFile::new(line, 0, reason);
            let (word, rest) = content.split_once(' ').unwrap_or((content, ""));
            match word {
                _ if content.is_empty() || content.starts_with('#') || content == HEAD => {}
                "about" => set(&mut about, rest.to_owned()).map_err(bad)?,
                "clubs" => {
                    let n: u8 = rest.parse().map_err(|_| bad(BadToss::Clubs))?;
                    set(&mut clubs, n).map_err(bad)?;
                }
                "boards" => {
                    let numbers =
                        rest.split_once(" from ").and_then(|(n, from)| Some((n.parse().ok()?, from.parse().ok()?)));
                    set(&mut boards, numbers.ok_or_else(|| bad(BadToss::Boards))?).map_err(bad)?;
                }
                "commitment" | "reveal" => {
                    let part = rest.split_once(' ').and_then(|(n, digits)| Some((n.parse().ok()?, digits.trim())));
                    let (club, digits) = part.ok_or_else(|| bad(BadToss::Part))?;
                    parts.push((line, word == "reveal", club, digits));
                }
                _ => return Err(bad(BadToss::Line)),
            }
        }
        let (Some(about), Some(clubs), Some((boards, from))) = (about, clubs, boards) else {
            return Err(BadFile::new(0, 0, BadToss::Needs));
        };
        let mut joint = Self::new(Agreed { about, clubs, boards, from }).map_err(|refused| {
            let reason = if refused == TossRefused::Clubs { BadToss::Clubs } else { BadToss::NoBoards };
            BadFile::new(0, 0, reason)
        })?;
        for (line, reveal, club, digits) in parts {
            let bad = |reason: BadToss| BadFile::new(line, 0, reason);
            if club == 0 || club > clubs {
                return Err(bad(BadToss::NoClub));
            }
            let same = if reveal {
                let bytes: [u8; 64] = unhex(digits).ok_or_else(|| bad(BadToss::Reveal))?;
                let new = Reveal::from_bytes(&bytes, &()).map_err(|_| bad(BadToss::Reveal))?;
                *joint.reveals.entry(club).or_insert(new) == new
            } else {
                let bytes: [u8; 32] = unhex(digits).ok_or_else(|| bad(BadToss::Commitment))?;
                let new = Commitment::from_bytes(&bytes, &()).map_err(|_| bad(BadToss::Commitment))?;
                *joint.commitments.entry(club).or_insert(new) == new
            };
            if !same {
                return Err(bad(BadToss::Changed));
            }
        }
        Ok(joint)
    }
}

impl fmt::Display for Joint {
    /// The public text.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Agreed { about, clubs, boards, from } = &self.agreed;
        writeln!(f, "{HEAD}\nabout {about}\nclubs {clubs}\nboards {boards} from {from}")?;
        for (club, commitment) in &self.commitments {
            writeln!(f, "commitment {club} {}", hex(&commitment.to_bytes()))?;
        }
        for (club, reveal) in &self.reveals {
            writeln!(f, "reveal {club} {}", hex(&reveal.to_bytes()))?;
        }
        Ok(())
    }
}

fn set<T: PartialEq>(slot: &mut Option<T>, value: T) -> Result<(), BadToss> {
    match slot {
        Some(known) if *known != value => Err(BadToss::Differs),
        _ => {
            *slot = Some(value);
            Ok(())
        }
    }
}

fn numbers(seats: &[Seat]) -> Vec<u8> {
    seats.iter().map(|seat| seat.0).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn agreed() -> Agreed {
        Agreed { about: "Spring  pairs".to_owned(), clubs: 3, boards: 5, from: 7 }
    }

    fn secrets() -> [Secret; 3] {
        [1, 2, 3].map(|i| Secret([i; 32]))
    }

    /// A club that committed with an earlier version can still reveal: its part is made from its secret again.
    #[test]
    fn a_part_is_the_same_in_every_version() {
        let joint = Joint::new(agreed()).unwrap();
        let (_, commitment) = joint.contribution(2, &Secret([2; 32]));
        assert_eq!(hex(&commitment.to_bytes()), "f6cf2f8e2bd00685b72ad99070770f9807bbaef2d18e5ebefddbd0e24d5d8260");
    }

    #[test]
    fn three_clubs_by_mail() {
        let mut text = Joint::new(agreed()).unwrap().to_string();
        let keys = secrets();
        for (round, said) in [Step::Committed, Step::Revealed].into_iter().enumerate() {
            for (club, key) in (1..).zip(&keys) {
                let mut joint = Joint::read(&text).unwrap();
                assert_eq!(joint.deals(), Err(TossRefused::NotOver));
                assert_eq!(joint.step(club, key), Ok(said.clone()));
                // A second call changes nothing before the others have spoken.
                if club < 3 {
                    let before = joint.clone();
                    let waiting = joint.step(club, key).unwrap();
                    let missing: Vec<u8> = (club + 1..=3).collect();
                    let expected =
                        if round == 0 { Step::AwaitCommitments(missing) } else { Step::AwaitReveals(missing) };
                    assert_eq!((waiting, &before), (expected, &joint));
                }
                // What others wrote is kept, whatever the order in which texts are put together.
                text = format!("{joint}{text}");
            }
        }
        let joint = Joint::read(&text).unwrap();
        assert_eq!(joint.state(), Ok(Step::Over));
        let deals = joint.deals().unwrap();
        assert_eq!((deals.len(), deals[0].board.number()), (5, 7));
        assert_eq!(Joint::read(&joint.to_string()).unwrap().deals().unwrap(), deals);
    }

    #[test]
    fn every_club_and_the_agreement_change_the_deals() {
        let play = |agreed: Agreed, keys: &[Secret]| {
            let mut joint = Joint::new(agreed).unwrap();
            for _ in 0..2 {
                (1..).zip(keys).for_each(|(club, key)| drop(joint.step(club, key).unwrap()));
            }
            joint.deals().unwrap()
        };
        let usual = play(agreed(), &secrets());
        for i in 0..3 {
            let mut keys = secrets();
            keys[i] = Secret([9; 32]);
            assert_ne!(play(agreed(), &keys)[0].deal, usual[0].deal);
        }
        assert_ne!(play(Agreed { about: "Autumn pairs".to_owned(), ..agreed() }, &secrets())[0].deal, usual[0].deal);
        assert_ne!(play(Agreed { boards: 6, ..agreed() }, &secrets())[0].deal, usual[0].deal);
    }

    #[test]
    fn false_steps_are_refused_and_named() {
        let keys = secrets();
        let mut joint = Joint::new(agreed()).unwrap();
        assert_eq!(joint.step(4, &keys[0]), Err(TossRefused::NoClub(3)));
        (1..).zip(&keys).for_each(|(club, key)| drop(joint.step(club, key).unwrap()));
        assert_eq!(joint.step(1, &keys[1]), Err(TossRefused::OtherKey(1)));
        joint.step(1, &keys[0]).unwrap();
        let text = joint.to_string();
        // Club 2 puts in what club 1 revealed.
        let stolen = text.replace("reveal 1", "reveal 2");
        assert_eq!(Joint::read(&stolen).unwrap().state(), Err(TossRefused::False(2)));
        let twice = format!("{text}commitment 1 {}\n", "00".repeat(32));
        assert_eq!(Joint::read(&twice).unwrap_err().to_string(), "line 9: this club has already given something else");
        for (bad, line) in [("clubs x", 10), ("reveal 4 00", 10), ("hello", 10), ("boards 5", 10), ("reveal 2 zz", 10)]
        {
            let text = format!("{text}\n{bad}\n");
            assert_eq!(Joint::read(&text).unwrap_err().line, line, "{bad}");
        }
        assert_eq!(Joint::new(Agreed { clubs: 1, ..agreed() }), Err(TossRefused::Clubs));
        assert!(matches!(Joint::new(Agreed { from: 30_000, ..agreed() }), Err(TossRefused::Boards(_))));
    }
}
