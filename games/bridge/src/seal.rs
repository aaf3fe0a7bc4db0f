//! Trust afterwards: the organiser commits to the deals before play, and after the session anyone can check that the
//! records are those deals. One number, the [`Seal`], stands for all boards and is printed on every sheet.
//!
//! Every board has a commitment of its own under the seal. So a record that was corrected after a misdeal is
//! reported as such, and the others still match.

use core::fmt;

use outis_crypto::challenger::{Nonces, Purpose};
use outis_crypto::codec::{Decode, Encode};
use outis_crypto::commit::{Commitment, Opening, Place};
use outis_crypto::context::{Seat as Place0, TableId};
use rand_core::CryptoRng;
use sha2::{Digest, Sha512};

use crate::card::Card;
use crate::record::Record;

const PURPOSE: &str = "bridge-board";

/// The commitment to a board and what opens it. The opening is a secret until play is over, so it is not printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sealed {
    commitment: Commitment,
    opening: Opening,
}

impl Sealed {
    /// Both parts as 128 hexadecimal digits, for the file that is published after play.
    pub fn to_hex(&self) -> String {
        hex(&[self.commitment.to_bytes(), self.opening.to_bytes()].concat())
    }

    /// Reads what [`Sealed::to_hex`] writes.
    pub fn parse(text: &str) -> Option<Self> {
        let bytes: [u8; 64] = unhex(text)?;
        let (commitment, opening) = bytes.split_at(32);
        let commitment = Commitment::from_bytes(commitment, &()).ok()?;
        Some(Self { commitment, opening: Opening::from_bytes(opening, &()).ok()? })
    }

    /// Whether a record is what was committed to.
    fn holds(&self, record: &Record) -> bool {
        self.commitment.opens(PURPOSE, &place(record), &content(record), &self.opening)
    }
}

/// One number for all boards of an evening: SHA-512, cut to 256 bits, over the commitments to all boards (BDG-15).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seal([u8; 32]);

impl Seal {
    /// Commits to every board and returns the seal of them all.
    pub fn put_on<'a>(
        records: impl IntoIterator<Item = &'a mut Record>,
        rng: &mut (impl CryptoRng + ?Sized),
    ) -> Option<Self> {
        let mut list = Vec::new();
        for record in records {
            // Hedged with the cards: they are the only secret of a club.
            let content = content(record);
            let rng = &mut Nonces::keyless(const { Purpose::new("sealed board") }, &0u8, [&content[..]], rng);
            let (commitment, opening) = Commitment::new(PURPOSE, &place(record), &content, rng);
            record.sealed = Some(Sealed { commitment, opening });
            list.push(record);
        }
        Self::of(list.into_iter().map(|record| &*record))
    }

    /// The seal of records; `None` unless all of them were committed to.
    pub fn of<'a>(records: impl IntoIterator<Item = &'a Record>) -> Option<Self> {
        let mut boards = Vec::new();
        for record in records {
            boards.push((record.board.number(), record.sealed?.commitment.to_bytes()));
        }
        // Records may come in a different order from the sheets.
        boards.sort_unstable();
        let mut state = Sha512::new();
        state.update(b"outis/1 bridge seal");
        state.update((boards.len() as u16).to_le_bytes());
        for (number, commitment) in &boards {
            state.update(number.to_le_bytes());
            state.update(commitment);
        }
        let mut short = [0; 32];
        short.copy_from_slice(&state.finalize()[..32]);
        (!boards.is_empty()).then_some(Self(short))
    }

    /// The numbers of the boards whose records are not what was committed to.
    pub fn broken(records: &[Record]) -> Vec<u16> {
        let broken = |r: &&Record| r.sealed.is_some_and(|sealed| !sealed.holds(r));
        records.iter().filter(broken).map(|r| r.board.number()).collect()
    }

    /// 64 hexadecimal digits; spaces and line ends between them do not matter, nor does what a QR reader puts before.
    pub fn parse(text: &str) -> Option<Self> {
        let text: String = text.chars().filter(|c| !c.is_whitespace()).collect();
        let digits = text.rsplit(':').next()?;
        unhex(digits).map(Self)
    }

    /// The text of the QR code: digits and capitals only, which makes the code small.
    pub fn qr_text(&self) -> String {
        format!("OUTIS-BRIDGE:{}", hex(&self.0).to_ascii_uppercase())
    }
}

impl fmt::Display for Seal {
    /// Eight groups of eight digits.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, group) in self.0.chunks(4).enumerate() {
            write!(f, "{}{}", if i > 0 { " " } else { "" }, hex(group))?;
        }
        Ok(())
    }
}

/// What was found when records were compared with a seal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// All records are what was committed to before play.
    Holds,
    /// The seal is the right one, but the records of these boards are not what was committed to.
    Changed(Vec<u16>),
    /// The file has commitments under another seal.
    OtherSeal(Seal),
    /// The file has no commitments for some boards.
    Unsealed(Vec<u16>),
}

/// Compares records with the seal that was published before play.
pub fn verify(records: &[Record], seal: &Seal) -> Verdict {
    match Seal::of(records) {
        None => Verdict::Unsealed(records.iter().filter(|r| r.sealed.is_none()).map(|r| r.board.number()).collect()),
        Some(other) if other != *seal => Verdict::OtherSeal(other),
        Some(_) => match Seal::broken(records) {
            list if list.is_empty() => Verdict::Holds,
            list => Verdict::Changed(list),
        },
    }
}

fn place(record: &Record) -> Place {
    Place { table: TableId([0; 32]), deal: record.board.number().into(), seat: Place0(0) }
}

/// The bytes under a commitment: board, dealer, vulnerability, and the owners of the sorted pack, four to a byte.
fn content(record: &Record) -> Vec<u8> {
    let mut bytes = record.board.number().to_le_bytes().to_vec();
    bytes.extend([record.dealer.index() as u8, record.vulnerability as u8]);
    let owners: Vec<u8> = Card::all().map(|c| record.deal.owner(c).index() as u8).collect();
    bytes.extend(owners.chunks(4).map(|four| four.iter().rev().fold(0, |byte, owner| byte << 2 | owner)));
    bytes
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}

pub(crate) fn unhex<const N: usize>(text: &str) -> Option<[u8; N]> {
    let digits: Vec<u8> = text.chars().map(|c| c.to_digit(16).map(|d| d as u8)).collect::<Option<_>>()?;
    let bytes: Vec<u8> = digits.chunks_exact(2).map(|pair| pair[0] << 4 | pair[1]).collect();
    if digits.len() == 2 * N { bytes.try_into().ok() } else { None }
}

#[cfg(test)]
mod tests {
    use rand_chacha::ChaCha20Rng;
    use rand_core::SeedableRng;

    use super::*;
    use crate::commands::deal;

    #[test]
    fn a_seal_holds_for_what_was_sealed_and_nothing_else() {
        let mut rng = ChaCha20Rng::seed_from_u64(1);
        let mut list = deal(6, 3, &mut rng).unwrap();
        assert_eq!(Seal::of(&list), None);
        let seal = Seal::put_on(&mut list, &mut rng).unwrap();
        assert_eq!(verify(&list, &seal), Verdict::Holds);
        list.reverse();
        assert_eq!(verify(&list, &seal), Verdict::Holds);
        assert_eq!(Seal::parse(&seal.to_string()), Some(seal));
        assert_eq!(Seal::parse(&seal.qr_text()), Some(seal));
        assert_eq!(Seal::parse(&seal.to_string()[1..]), None);

        let other = deal(1, 5, &mut rng).unwrap().remove(0);
        let mut changed = list.clone();
        let five = changed.iter_mut().find(|r| r.board.number() == 5).unwrap();
        five.deal = other.deal;
        assert_eq!(verify(&changed, &seal), Verdict::Changed(vec![5]));
        // Neither can the commitment be replaced together with the deal, nor a board be left out or moved.
        Seal::put_on([changed.iter_mut().find(|r| r.board.number() == 5).unwrap()], &mut rng).unwrap();
        assert!(matches!(verify(&changed, &seal), Verdict::OtherSeal(_)));
        assert!(matches!(verify(&list[1..], &seal), Verdict::OtherSeal(_)));
        let mut turned = list.clone();
        turned[0].dealer = turned[0].dealer.plus(1);
        assert_eq!(verify(&turned, &seal), Verdict::Changed(vec![8]));
        turned[0].sealed = None;
        assert_eq!(verify(&turned, &seal), Verdict::Unsealed(vec![8]));
    }

    #[test]
    fn the_same_deal_is_sealed_differently_each_time() {
        let mut rng = ChaCha20Rng::seed_from_u64(2);
        let mut list = deal(1, 1, &mut rng).unwrap();
        let one = Seal::put_on(&mut list, &mut rng);
        assert_ne!(one, Seal::put_on(&mut list, &mut rng));
        let sealed = list[0].sealed.unwrap();
        assert_eq!(Sealed::parse(&sealed.to_hex()), Some(sealed));
        assert!(!format!("{sealed:?}").contains(&sealed.to_hex()[64..]));
    }

    /// A machine that was put back to an earlier moment seals other cards with other openings (S-8): the opening of a board that
    /// was played tells nothing about one that was not.
    #[test]
    fn a_repeated_generator_repeats_no_opening() {
        let mut list = deal(2, 1, &mut ChaCha20Rng::seed_from_u64(3)).unwrap();
        let openings = list.iter_mut().map(|record| {
            Seal::put_on([&mut *record], &mut ChaCha20Rng::seed_from_u64(99)).unwrap();
            record.sealed.unwrap().to_hex()[64..].to_owned()
        });
        let openings: Vec<String> = openings.collect();
        assert_ne!(openings[0], openings[1]);
    }

    /// The known answer of `spec/games/bridge.md`.
    #[test]
    fn a_known_answer() {
        let text = "1 N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432";
        let mut record = crate::commands::read(text.as_bytes()).unwrap().remove(0);
        assert_eq!(hex(&content(&record)), "01000000000000545555a5aaaaeaffffff");
        let commitment = "b66b51920b261ddb82bfd02c4a207621ff95abd7ba005a05a48df04d6e04d470";
        record.sealed = Sealed::parse(&format!("{commitment}{}", "05".repeat(32)));
        let seal = Seal::parse("e5d03a2c927e46a2093e03c8cb98423e4508edabcd6f153a631a6fe453578e89").unwrap();
        assert_eq!(verify(&[record], &seal), Verdict::Holds);
    }
}
