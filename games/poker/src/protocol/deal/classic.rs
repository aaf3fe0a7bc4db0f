//! The document's own dealing: two seats, cut and choose by both, draws that differ for the two.
//!
//! First is the seat with the button. Six rounds make the deck, two deal the first cards, three turn up a street (PO-15 to PO-20).

use std::sync::Arc;

use outis_crypto::batch::Batch;
use outis_crypto::challenger::{Challenger, Source};
use outis_crypto::group::Element;
use outis_crypto::sra::classic::{
    self, Deck, FirstDeck, Offered, Revealed, Role, SecondDeck, State, Where, open_first, open_second, shuffle_first,
    shuffle_second,
};
use outis_table::game::Checks;
use outis_table::seats::Seats;
use outis_table::{Context, Seat, TableId};

use super::{Checked, Dealer, Kind, Said, Secret, Shown, Task, Turn};
use crate::protocol::referee::Cheated;
use crate::rules::cards::PACK;

/// A deck of two seats, by cut and choose.
#[derive(Clone, Debug)]
pub struct Classic {
    at: Where,
    first: Seat,
    second: Seat,
    decks: usize,
    pub(crate) stage: Stage,
    task: Task,
}

/// How far the deck is.
#[derive(Clone, Debug)]
pub(crate) enum Stage {
    FirstDecks,
    SecondKeeps(Offered<FirstDeck>),
    FirstOpens(Offered<FirstDeck>, usize),
    SecondDecks(Kept),
    FirstKeeps(Kept, Offered<SecondDeck>),
    SecondOpens(Kept, Offered<SecondDeck>, usize),
    /// Made; the numbers of the decks that stayed closed, first's and second's; what is due of the task.
    Made {
        deck: Deck,
        kept: (usize, usize),
        due: Due,
    },
}

/// The first deck that stayed closed, and its number.
#[derive(Clone, Debug)]
pub(crate) struct Kept {
    pub(crate) deck: Arc<FirstDeck>,
    number: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Due {
    Nothing,
    Draw,
    Answer,
    TurnUp,
}

impl Classic {
    /// Before the first deck. `first` has the button.
    pub fn new(table: &TableId, deal: u32, playing: Seats, first: Seat, decks: usize) -> Option<Self> {
        let second = playing.iter().find(|seat| *seat != first)?;
        let at = Where { table: *table, deal };
        Some(Self { at, first, second, decks, stage: Stage::FirstDecks, task: Vec::new() })
    }

    fn role(&self, seat: Seat) -> Role {
        if seat == self.first { Role::First } else { Role::Second }
    }

    /// Places that first asks for: its own, or those for all.
    pub(crate) fn asked(&self) -> Vec<usize> {
        self.task.iter().filter(|(_, owner)| *owner != Some(self.second)).map(|(place, _)| *place).collect()
    }

    /// Places that first deals to second.
    pub(crate) fn dealt(&self) -> Vec<usize> {
        self.task.iter().filter(|(_, owner)| *owner == Some(self.second)).map(|(place, _)| *place).collect()
    }

    fn for_all(&self) -> bool {
        self.task.iter().any(|(_, owner)| owner.is_none())
    }

    pub(crate) fn deck(&self) -> Option<&Deck> {
        match &self.stage {
            Stage::Made { deck, .. } => Some(deck),
            _ => None,
        }
    }

    pub(crate) fn kept(&self) -> Option<(usize, usize)> {
        match &self.stage {
            Stage::Made { kept, .. } => Some(*kept),
            _ => None,
        }
    }

    fn due(&self) -> Option<(Seat, &'static str, bool, Kind)> {
        let (n, open) = (self.decks, self.decks - 1);
        Some(match &self.stage {
            Stage::FirstDecks => (self.first, "decks", false, Kind::FirstDecks(n)),
            Stage::SecondKeeps(_) => (self.second, "keep", false, Kind::Keep(n)),
            Stage::FirstOpens(..) => (self.first, "unlock", true, Kind::FirstOpening(open)),
            Stage::SecondDecks(_) => (self.second, "decks", false, Kind::SecondDecks(n)),
            Stage::FirstKeeps(..) => (self.first, "keep", false, Kind::Keep(n)),
            Stage::SecondOpens(..) => (self.second, "unlock", true, Kind::SecondOpening(open)),
            Stage::Made { due, .. } => match due {
                Due::Nothing => return None,
                Due::Draw => {
                    let kind = Kind::Draw { asked: self.asked().len(), dealt: self.dealt().len() };
                    (self.first, "draw", true, kind)
                }
                Due::Answer => (self.second, "answer", true, Kind::Answer(self.asked().len())),
                Due::TurnUp => (self.first, "turn-up", true, Kind::TurnUp(self.asked().len())),
            },
        })
    }
}

impl Dealer for Classic {
    fn turn(&self) -> Option<Turn> {
        self.due().map(|(seat, what, releases, _)| Turn { speakers: Seats::one(seat), what, releases })
    }

    fn kind(&self, seat: Seat) -> Kind {
        self.due().filter(|(due, ..)| *due == seat).map_or(Kind::Nothing, |(.., kind)| kind)
    }

    fn judge(
        &self,
        context: &Context,
        said: &Said,
        vouched: bool,
        spent: &[Element],
        checks: Checks,
    ) -> Result<Checked, Cheated> {
        match (&self.stage, said) {
            (Stage::FirstDecks, Said::FirstDecks(offered)) => {
                let mut keys: Vec<Element> = offered.0.iter().map(|deck| deck.key).collect();
                let fresh = keys.iter().all(|key| !spent.contains(key));
                keys.sort_unstable();
                checks.demand(fresh && keys.windows(2).all(|two| two[0] != two[1]), Cheated::OldKey)?;
                checks.demand(offered.is_distinct(), Cheated::Decks)?;
                Ok(Checked::FirstDecks(offered.clone()))
            }
            (Stage::SecondDecks(_), Said::SecondDecks(offered)) => {
                checks.demand(offered.is_distinct(), Cheated::Decks)?;
                Ok(Checked::SecondDecks(offered.clone()))
            }
            (Stage::SecondKeeps(_) | Stage::FirstKeeps(..), Said::Keep(kept)) => Ok(Checked::Keep(usize::from(*kept))),
            (Stage::FirstOpens(offered, kept), Said::FirstOpening(opening)) => {
                checks.demand(vouched || offered.is_opened(&self.at, *kept, opening), Cheated::Decks)?;
                Ok(Checked::Opened)
            }
            (Stage::SecondOpens(first, offered, kept), Said::SecondOpening(opening)) => {
                let opened = vouched || offered.is_opened(&self.at, &first.deck, *kept, opening);
                checks.demand(opened, Cheated::Decks)?;
                Ok(Checked::Opened)
            }
            (Stage::Made { deck, due: Due::Draw, .. }, Said::Draw(draw)) => {
                let (asked, dealt) = (self.asked(), self.dealt());
                checks.demand(deck.asks(&asked, draw), Cheated::Card)?;
                if vouched || dealt.is_empty() {
                    return Ok(Checked::Draw(deck.dangerously_trust_draw(&dealt, draw)));
                }
                let (mut challenger, mut batch) = (Challenger::new(context), Batch::new());
                let proved = deck.accept_draw(&dealt, draw, &mut challenger, &mut batch);
                let pending = proved.map_err(|_| Cheated::Card)?;
                let accepted = checks.settle(batch, Cheated::Card)?.release(pending).ok_or(Cheated::Card)?;
                Ok(Checked::Draw(accepted))
            }
            (Stage::Made { deck, due: Due::Answer, .. }, Said::Answer(answer)) => {
                let links = deck.links(answer).ok_or(Cheated::Card)?;
                checks.demand(deck.is_answer(&self.asked(), answer, &links), Cheated::Card)?;
                Ok(Checked::Links(links))
            }
            (Stage::Made { deck, due: Due::TurnUp, .. }, Said::TurnUp(cards)) => {
                let (places, shown) = (self.asked(), Revealed::First(cards.clone()));
                checks.demand(deck.is_revealed(&places, &shown), Cheated::Show)?;
                let up: Vec<u32> = (0..PACK).filter_map(|place| deck.face_up(place)).collect();
                let cards = shown.cards();
                let fresh = |(at, card): (usize, &u32)| !up.contains(card) && !cards[..at].contains(card);
                checks.demand(cards.iter().enumerate().all(fresh) && in_pack(&cards), Cheated::Decks)?;
                Ok(Checked::Up(cards))
            }
            _ => Err(Cheated::Kind),
        }
    }

    fn advance(&mut self, round: Vec<(Seat, Checked)>) -> Result<Vec<Element>, (Seat, Cheated)> {
        let [(seat, checked)] = <[_; 1]>::try_from(round).map_err(|_| (self.first, Cheated::Kind))?;
        let (stage, keys) = self.after(checked).ok_or((seat, Cheated::Kind))?;
        self.stage = stage;
        Ok(keys)
    }

    fn ask(&mut self, task: Task) -> Result<(), Cheated> {
        let (first, second) = (self.first, self.second);
        let Stage::Made { deck, due, .. } = &mut self.stage else { return Err(Cheated::Kind) };
        let mut assigned = deck.clone();
        for (place, owner) in &task {
            let state = match owner {
                None => State::Up,
                Some(seat) if *seat == first => State::For(Role::First),
                Some(seat) if *seat == second => State::For(Role::Second),
                Some(_) => return Err(Cheated::Kind),
            };
            assigned.assign(&[*place], state).ok_or(Cheated::Kind)?;
        }
        *deck = assigned;
        *due = if task.is_empty() { Due::Nothing } else { Due::Draw };
        self.task = task;
        Ok(())
    }

    fn face_up(&self, place: usize) -> Option<usize> {
        self.deck()?.face_up(place).map(|card| card as usize).filter(|card| *card < PACK)
    }

    fn discard(&mut self, seat: Seat, places: &[usize]) -> Result<(), Cheated> {
        let role = self.role(seat);
        let Stage::Made { deck, .. } = &mut self.stage else { return Err(Cheated::Kind) };
        deck.discard(role, places).ok_or(Cheated::Kind)
    }

    fn judge_shown(
        &self,
        context: &Context,
        places: &[usize],
        shown: &Shown,
        _vouched: bool,
        checks: Checks,
    ) -> Result<Vec<usize>, Cheated> {
        let (Shown::Classic(revealed), Some(deck)) = (shown, self.deck()) else { return Err(Cheated::Kind) };
        let fits = matches!(
            (revealed, self.role(context.seat)),
            (Revealed::First(_), Role::First) | (Revealed::Second(_), Role::Second)
        );
        checks.demand(fits && deck.is_revealed(places, revealed), Cheated::Show)?;
        let cards = revealed.cards();
        // A number that is no card: of first's hand its deck is false, and second cannot have opened such a box.
        let none = if self.role(context.seat) == Role::First { Cheated::Decks } else { Cheated::Show };
        if in_pack(&cards) { Ok(cards.into_iter().map(|card| card as usize).collect()) } else { Err(none) }
    }

    fn make(&self, secret: Option<&Secret>, context: &Context, rng: &mut dyn Source) -> Option<(Said, Option<Secret>)> {
        let said = match (&self.stage, secret) {
            (Stage::FirstDecks, _) => {
                let (keys, offered) = shuffle_first(context, PACK, self.decks, rng);
                return Some((Said::FirstDecks(offered), Some(Secret::First(keys))));
            }
            (Stage::SecondDecks(first), _) => {
                let (secrets, offered) = shuffle_second(context, &first.deck, self.decks, rng)?;
                return Some((Said::SecondDecks(offered), Some(Secret::Second(secrets))));
            }
            (Stage::SecondKeeps(offered), _) => Said::Keep(classic::choose(context, offered, rng) as u8),
            (Stage::FirstKeeps(_, offered), _) => Said::Keep(classic::choose(context, offered, rng) as u8),
            (Stage::FirstOpens(_, kept), Some(Secret::First(keys))) => Said::FirstOpening(open_first(keys, *kept)?),
            (Stage::SecondOpens(_, _, kept), Some(Secret::Second(secrets))) => {
                Said::SecondOpening(Box::new(open_second(secrets, *kept)?))
            }
            (Stage::Made { deck, kept, due: Due::Draw }, Some(Secret::First(keys))) => {
                let mut challenger = Challenger::new(context);
                let draw = deck.draw(keys.get(kept.0)?, &self.asked(), &self.dealt(), &mut challenger, rng)?;
                Said::Draw(Box::new(draw))
            }
            (Stage::Made { deck, kept, due: Due::Answer }, Some(Secret::Second(secrets))) => {
                Said::Answer(deck.answer(secrets.get(kept.1)?, &self.asked())?)
            }
            (Stage::Made { deck, kept, due: Due::TurnUp }, Some(Secret::First(keys))) => {
                Said::TurnUp(deck.reveal_first(keys.get(kept.0)?, &self.asked())?)
            }
            _ => return None,
        };
        Some((said, None))
    }

    fn show(&self, secret: &Secret, _: &Context, places: &[usize], _: &mut dyn Source) -> Option<Shown> {
        let (deck, kept) = (self.deck()?, self.kept()?);
        Some(Shown::Classic(match secret {
            Secret::First(keys) => Revealed::First(deck.reveal_first(keys.get(kept.0)?, places)?),
            Secret::Second(secrets) => deck.reveal_second(secrets.get(kept.1)?, places)?,
            Secret::Key { .. } => return None,
        }))
    }

    fn look(&self, secret: &Secret, _: Seat, place: usize) -> Option<usize> {
        let (deck, kept) = (self.deck()?, self.kept()?);
        let card = match secret {
            Secret::First(keys) => deck.look_first(keys.get(kept.0)?, place)?,
            Secret::Second(secrets) => deck.look_second(secrets.get(kept.1)?, place)?,
            Secret::Key { .. } => return None,
        };
        Some(card as usize).filter(|card| *card < PACK)
    }

    fn pledged(&self) -> Seats {
        match self.stage {
            Stage::SecondKeeps(_) | Stage::FirstOpens(..) => Seats::one(self.first),
            Stage::FirstKeeps(..) | Stage::SecondOpens(..) => Seats::one(self.second),
            Stage::FirstDecks | Stage::SecondDecks(_) | Stage::Made { .. } => Seats::NONE,
        }
    }

    fn is_secret_of(&self, secret: &Secret, seat: Seat) -> bool {
        let decks = match (secret, self.role(seat)) {
            (Secret::First(keys), Role::First) => keys.len(),
            (Secret::Second(secrets), Role::Second) => secrets.len(),
            _ => return false,
        };
        decks == self.decks
    }

    fn maker(&self) -> Option<Seat> {
        Some(self.first)
    }
}

impl Classic {
    /// Where a judged step leads, and the keys that came with it.
    fn after(&self, checked: Checked) -> Option<(Stage, Vec<Element>)> {
        let stage = match (&self.stage, checked) {
            (Stage::FirstDecks, Checked::FirstDecks(offered)) => {
                let keys = offered.0.iter().map(|deck| deck.key).collect();
                return Some((Stage::SecondKeeps(offered), keys));
            }
            (Stage::SecondKeeps(offered), Checked::Keep(kept)) => Stage::FirstOpens(offered.clone(), kept),
            (Stage::FirstOpens(offered, kept), Checked::Opened) => {
                Stage::SecondDecks(Kept { deck: offered.kept(*kept)?, number: *kept })
            }
            (Stage::SecondDecks(first), Checked::SecondDecks(offered)) => Stage::FirstKeeps(first.clone(), offered),
            (Stage::FirstKeeps(first, offered), Checked::Keep(kept)) => {
                Stage::SecondOpens(first.clone(), offered.clone(), kept)
            }
            (Stage::SecondOpens(first, offered, kept), Checked::Opened) => Stage::Made {
                deck: Deck::new(self.at, first.deck.clone(), offered.kept(*kept)?)?,
                kept: (first.number, *kept),
                due: Due::Nothing,
            },
            (Stage::Made { deck, kept, .. }, checked) => {
                let (mut deck, asked) = (deck.clone(), self.asked());
                let due = match checked {
                    Checked::Draw(draw) => {
                        deck.deal(draw)?;
                        if asked.is_empty() { Due::Nothing } else { Due::Answer }
                    }
                    Checked::Links(links) => {
                        deck.link(&asked, &links)?;
                        if self.for_all() { Due::TurnUp } else { Due::Nothing }
                    }
                    Checked::Up(cards) => {
                        deck.turn_up(&asked, &cards)?;
                        Due::Nothing
                    }
                    _ => return None,
                };
                Stage::Made { deck, kept: *kept, due }
            }
            _ => return None,
        };
        Some((stage, Vec::new()))
    }
}

fn in_pack(cards: &[u32]) -> bool {
    cards.iter().all(|card| (*card as usize) < PACK)
}
