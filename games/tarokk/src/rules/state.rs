//! What everyone at the table knows, phase by phase.

use super::announce::{Announcing, Token};
use super::auction::{Auction, Bid, Call, Contract};
use super::cards::Card;
use super::cardset::CardSet;
use super::discard::AnnulmentReason;
use super::ending::Ending;
use super::facts::{Facts, Sides, Trick};
use super::figures::Side;
use super::options::Options;
use super::play::winner;
use super::rounds::DoubleRounds;
use super::seats::{Player, Seating};
use super::settle::{Count, Item};
use outis_table::codec::Encode;

/// What a person may do. An announcement is one token, not a whole turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// In the auction.
    Call(Call),
    /// Discards as many cards as were taken from the talon.
    Discard(CardSet),
    /// Annuls the deal, or plays on.
    Annul(bool),
    /// In the announcements.
    Say(Token),
    /// Plays a card.
    Play(Card),
    /// After play: claims the payment for an unannounced number of tarokks from the partner, or leaves it.
    Claim(bool),
    /// *Skíz oszt, nem oszt*, at any time.
    EndTable,
}

/// Only for what is drawn for the step: it is on no wire and in no log.
impl Encode for Action {
    fn encode(&self, out: &mut Vec<u8>) {
        match self {
            Self::Call(call) => out.extend([0, Call::ALL.iter().position(|known| known == call).unwrap_or(0xff) as u8]),
            Self::Discard(cards) => {
                out.push(1);
                out.extend(cards.iter().map(Card::number));
            }
            Self::Annul(annuls) => out.extend([2, u8::from(*annuls)]),
            Self::Say(Token::Call(card)) => out.extend([3, card.number()]),
            Self::Say(token) => out.extend([4, Token::all().position(|known| known == *token).unwrap_or(0xff) as u8]),
            Self::Play(card) => out.extend([5, card.number()]),
            Self::Claim(claims) => out.extend([6, u8::from(*claims)]),
            Self::EndTable => out.push(7),
        }
    }
}

/// The public state of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Public {
    /// The options.
    pub options: Options,
    /// Seats and dealer.
    pub seating: Seating,
    /// The double rounds that are running.
    pub rounds: DoubleRounds,
    /// How far the end is.
    pub ending: Ending,
    /// Points by seat; they sum to zero.
    pub scores: Vec<i64>,
    /// What is going on.
    pub phase: Phase,
    /// The finished auction of the deal that is going on.
    pub calls: Vec<(Player, Call)>,
    /// The deals so far.
    pub results: Vec<DealResult>,
}

/// What is going on, named by what it waits for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Phase {
    /// The next order of the pack.
    AwaitingDeal,
    /// A call in the auction.
    AwaitingCall(Auction),
    /// Discards of those who have not discarded theirs.
    AwaitingDiscards(Contract, [bool; 4]),
    /// An answer of everyone: annul or play on (TK-49).
    AwaitingAnnulment(Exchanged, [Option<Option<AnnulmentReason>>; 4]),
    /// A word in the announcements.
    AwaitingWord(Exchanged, Announcing),
    /// A card.
    AwaitingCard(Spoken, Plays),
    /// Claims of those who hold eight or nine tarokks and did not say so (TK-53).
    AwaitingClaims(Spoken, Plays, [Option<bool>; 4]),
    /// Nothing: the table is over.
    Over,
}

/// After the exchange.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exchanged {
    /// The contract.
    pub contract: Contract,
    /// The discarded tarokks as far as they are public.
    pub laid: Laid,
}

/// The discarded tarokks (TK-48). With four, everyone tells its own number; with five, only the sum of the three others is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Laid {
    /// The declarer's, which lie open until the first lead.
    pub shown: CardSet,
    /// Number of tarokks that the other three discarded together.
    pub by_others: usize,
    /// Number by player; not known with five.
    pub by_player: Option<[usize; 4]>,
}

/// After the announcements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spoken {
    /// The contract.
    pub contract: Contract,
    /// The discarded tarokks as far as they are public.
    pub laid: Laid,
    /// What was said.
    pub announcing: Announcing,
}

/// The cards played, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plays(Vec<(Player, Card)>);

/// How a deal ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DealResult {
    /// Seats and dealer of the deal.
    pub seating: Seating,
    /// The factor of double rounds.
    pub multiplier: i64,
    /// The auction.
    pub calls: Vec<(Player, Call)>,
    /// What happened.
    pub outcome: Outcome,
    /// What every seat won or lost.
    pub payments: Vec<i64>,
}

/// What happened in a deal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// All passed (TK-42).
    ThrownIn,
    /// Someone annulled it (TK-49): the reasons by player.
    Annulled([Option<AnnulmentReason>; 4]),
    /// A trial bid found no honour (TK-43).
    FailedTrial(Player, Bid),
    /// It was played.
    Played(Box<Played>),
}

/// A deal that was played; all its cards are open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Played {
    /// The contract.
    pub contract: Contract,
    /// Who was with whom.
    pub sides: Sides,
    /// The announcements.
    pub announcing: Announcing,
    /// The tricks.
    pub tricks: [Trick; 9],
    /// The discards by player.
    pub discards: [CardSet; 4],
    /// What the settlement is made from.
    pub facts: Facts,
    /// The lines of the account.
    pub items: Vec<Item>,
    /// The paid numbers of tarokks.
    pub counts: Vec<Count>,
}

impl Outcome {
    /// Whether the deal was paid: only then the deal passes on, and a running double round gets shorter.
    pub fn is_paid(&self) -> bool {
        matches!(self, Self::FailedTrial(..) | Self::Played(_))
    }
}

impl Plays {
    /// All plays in order.
    pub fn all(&self) -> &[(Player, Card)] {
        &self.0
    }

    /// The cards of the trick in progress.
    pub fn on_table(&self) -> &[(Player, Card)] {
        &self.0[self.0.len() / 4 * 4..]
    }

    /// The card that was led to the trick in progress.
    pub fn led(&self) -> Option<Card> {
        self.on_table().first().map(|(_, card)| *card)
    }

    /// The finished tricks.
    pub fn tricks(&self) -> Vec<Trick> {
        let trick = |plays: &[(Player, Card)]| Trick { leader: plays[0].0, cards: [0, 1, 2, 3].map(|i| plays[i].1) };
        self.0.chunks_exact(4).map(trick).collect()
    }

    /// Whose turn it is: the player to the dealer's right leads first, then the winner of each trick (TK-55).
    pub fn turn(&self) -> Player {
        if let Some((last, _)) = self.on_table().last() {
            return last.after(1);
        }
        let Some(at) = self.0.len().checked_sub(4) else { return Player::FIRST };
        let cards: Vec<Card> = self.0[at..].iter().map(|(_, card)| *card).collect();
        self.0[at].0.after(winner(&cards))
    }

    /// The cards that a player has played.
    pub fn of(&self, player: Player) -> CardSet {
        self.0.iter().filter(|(who, _)| *who == player).map(|(_, card)| *card).collect()
    }

    /// Adds a card that was checked.
    pub fn push(&mut self, player: Player, card: Card) {
        self.0.push((player, card));
    }
}

impl Spoken {
    /// The side of a player as far as there is no doubt about it: when the called tarokk has been played there is none.
    pub fn certain_side(&self, plays: &Plays, who: Player) -> Option<Side> {
        let declarer = self.contract.declarer;
        match plays.all().iter().find(|(_, card)| Some(*card) == self.announcing.called()) {
            Some((holder, _)) if who == declarer || who == *holder => Some(Side::Declarer),
            Some(_) => Some(Side::Opponents),
            None => self.announcing.certain_side(who),
        }
    }

    /// Whether a player may claim its number of tarokks after play (TK-53): it has eight or nine, has not said so, and there
    /// is someone to pay, which a declarer who played alone has not (TD-22).
    pub fn may_claim(&self, plays: &Plays, who: Player) -> bool {
        let declarer = self.contract.declarer;
        let called = |(player, card): &(Player, Card)| *player != declarer && Some(*card) == self.announcing.called();
        let alone = who == declarer && !plays.all().iter().any(called);
        !alone && self.announcing.count(who).is_none() && plays.of(who).tarokks().len() >= 8
    }
}

impl Public {
    /// The contract, once there is one.
    pub fn contract(&self) -> Option<&Contract> {
        match &self.phase {
            Phase::AwaitingDeal | Phase::AwaitingCall(_) | Phase::Over => None,
            Phase::AwaitingDiscards(contract, _) => Some(contract),
            Phase::AwaitingAnnulment(exchanged, _) | Phase::AwaitingWord(exchanged, _) => Some(&exchanged.contract),
            Phase::AwaitingCard(spoken, _) | Phase::AwaitingClaims(spoken, _, _) => Some(&spoken.contract),
        }
    }

    /// The players who may act now.
    pub fn awaited(&self) -> Vec<Player> {
        fn open<T>(answers: &[Option<T>; 4]) -> Vec<Player> {
            Player::ALL.into_iter().filter(|player| answers[player.index()].is_none()).collect()
        }
        match &self.phase {
            Phase::AwaitingDeal | Phase::Over => Vec::new(),
            Phase::AwaitingCall(auction) => auction.turn().into_iter().collect(),
            Phase::AwaitingDiscards(_, done) => {
                Player::ALL.into_iter().filter(|player| !done[player.index()]).collect()
            }
            Phase::AwaitingAnnulment(_, answers) => open(answers),
            Phase::AwaitingClaims(_, _, answers) => open(answers),
            Phase::AwaitingWord(_, announcing) => announcing.turn().into_iter().collect(),
            Phase::AwaitingCard(_, plays) => vec![plays.turn()],
        }
    }
}
