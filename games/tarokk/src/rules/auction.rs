//! The auction (*licitálás*): TK-37 to TK-41, TK-43 to TK-45.

use core::fmt;

use super::cards::Card;
use super::cardset::CardSet;
use super::illegal::Illegal;
use super::options::Options;
use super::seats::Player;

/// The four bids in rising order (TK-37). The name is the number of talon cards that the bidder takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Bid {
    /// *Három*, worth 1.
    Three,
    /// *Kettő*, worth 2.
    Two,
    /// *Egy*, worth 3.
    One,
    /// *Szóló*, worth 4.
    Solo,
}

/// What can be said in the auction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Call {
    /// A bid.
    Bid(Bid),
    /// *Tartom*: take over another player's bid (TK-40).
    Hold,
    /// *Passz*. Final (TK-38).
    Pass,
}

/// An invit: a jump that promises a tarokk (TK-44).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Invit {
    /// Who jumped.
    pub by: Player,
    /// The XIX or the XVIII.
    pub card: Card,
}

/// How an auction ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// All four passed (TK-42).
    ThrownIn,
    /// Someone plays.
    Won(Contract),
}

/// What the auction settled. Everything here is public.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Contract {
    /// The last bidder (*felvevő*).
    pub declarer: Player,
    /// What it bid or held.
    pub bid: Bid,
    /// The invit of this auction, accepted or not.
    pub invit: Option<Invit>,
    /// Who yielded the game (TK-45).
    pub yielded_by: Option<Player>,
    /// Whether the declarer bid after three passes and must show an honour after the talon (TK-43).
    pub trial: bool,
}

/// An auction in progress. Everything here is public.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Auction {
    options: Options,
    calls: Vec<(Player, Call)>,
    standing: Option<(Player, Bid)>,
    held: bool,
    has_bid: [bool; 4],
    passed: [bool; 4],
    invit: Option<Invit>,
    yielded_by: Option<Player>,
    trial: bool,
    turn: Player,
}

/// What a call promises beside its face. Promises bind: a player who does not hold the cards may not make the call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Promise {
    /// Nothing.
    Nothing,
    /// This tarokk (TK-44).
    Invit(Card),
    /// The XX and a big honour (TK-45).
    Yield,
}

impl Bid {
    /// All bids, lowest first.
    pub const ALL: [Self; 4] = [Self::Three, Self::Two, Self::One, Self::Solo];

    /// What the plain game pays (TK-37).
    pub fn value(self) -> i64 {
        self as i64 + 1
    }

    /// Name in the notation.
    pub fn name(self) -> &'static str {
        ["three", "two", "one", "solo"][self as usize]
    }

    /// Reads the notation.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|bid| bid.name() == name)
    }
}

impl Call {
    /// Everything that can be said.
    pub const ALL: [Self; 6] =
        [Self::Pass, Self::Hold, Self::Bid(Bid::Three), Self::Bid(Bid::Two), Self::Bid(Bid::One), Self::Bid(Bid::Solo)];

    /// Reads the notation.
    pub fn parse(name: &str) -> Option<Self> {
        match name {
            "pass" => Some(Self::Pass),
            "hold" => Some(Self::Hold),
            _ => Bid::parse(name).map(Self::Bid),
        }
    }
}

impl fmt::Display for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Bid(bid) => bid.name(),
            Self::Hold => "hold",
            Self::Pass => "pass",
        })
    }
}

impl Contract {
    /// The invit that the declarer accepted by winning the auction over it (TK-44).
    pub fn accepted(&self) -> Option<Invit> {
        self.invit.filter(|invit| invit.by != self.declarer)
    }

    /// The tarokk that the declarer is obliged to call (TK-50).
    pub fn must_call(&self) -> Option<Card> {
        self.accepted().map(|invit| invit.card).or(self.yielded_by.map(|_| Card::XX))
    }

    /// The player whom the auction has shown to be the declarer's partner.
    pub fn known_partner(&self) -> Option<Player> {
        self.accepted().map(|invit| invit.by).or(self.yielded_by)
    }

    /// The card that a player signalled and may not discard (TK-47).
    pub fn signalled(&self, player: Player) -> Option<Card> {
        match self.invit {
            Some(invit) if invit.by == player => Some(invit.card),
            _ => (self.yielded_by == Some(player)).then_some(Card::XX),
        }
    }

    /// Whether a player who was dealt this hand must announce pagát ultimo at its first turn: an inviter whose only honour was
    /// the pagát (TK-44). What the talon brought does not count.
    pub fn must_announce_ultimo(&self, player: Player, dealt: CardSet, options: &Options) -> bool {
        let invit = if options.pagat_invit_always_binds { self.invit } else { self.accepted() };
        invit.is_some_and(|invit| invit.by == player) && dealt.contains(Card::PAGAT) && !dealt.has_big_honour()
    }
}

impl Auction {
    /// An auction that the player to the dealer's right begins (TK-37).
    pub fn new(options: Options) -> Self {
        Self {
            options,
            calls: Vec::new(),
            standing: None,
            held: false,
            has_bid: [false; 4],
            passed: [false; 4],
            invit: None,
            yielded_by: None,
            trial: false,
            turn: Player::FIRST,
        }
    }

    /// What was said.
    pub fn calls(&self) -> &[(Player, Call)] {
        &self.calls
    }

    /// Whose turn it is; nobody's when the auction is over.
    pub fn turn(&self) -> Option<Player> {
        self.outcome().is_none().then_some(self.turn)
    }

    /// The result, once three players in a row have passed or nobody can continue (TK-41).
    pub fn outcome(&self) -> Option<Outcome> {
        let Some((declarer, bid)) = self.standing else {
            return (self.passed == [true; 4]).then_some(Outcome::ThrownIn);
        };
        let can_go_on = |player: Player| {
            let i = player.index();
            player != declarer && !self.passed[i] && (bid < Bid::Solo || (self.has_bid[i] && !self.held))
        };
        if Player::ALL.into_iter().any(can_go_on) {
            return None;
        }
        let contract = Contract { declarer, bid, invit: self.invit, yielded_by: self.yielded_by, trial: self.trial };
        Some(Outcome::Won(contract))
    }

    /// Whether a player with this hand may say something now.
    pub fn check(&self, who: Player, hand: CardSet, call: Call) -> Result<(), Illegal> {
        match self.turn() {
            None => return Err(Illegal::Now),
            Some(turn) if turn != who => return Err(Illegal::Turn(turn)),
            Some(_) => {}
        }
        match call {
            Call::Pass => {}
            Call::Hold => self.can_hold(who)?,
            Call::Bid(bid) if self.standing.is_some_and(|(_, standing)| bid <= standing) => {
                return Err(Illegal::TooLow);
            }
            Call::Bid(_) if !hand.has_honour() && !self.is_after_three_passes() => return Err(Illegal::NoHonour),
            Call::Bid(_) => {}
        }
        match self.promise(who, call) {
            Promise::Invit(card) if !hand.contains(card) => Err(Illegal::InvitWithout(card)),
            Promise::Yield if !(hand.contains(Card::XX) && hand.has_big_honour()) => Err(Illegal::YieldWithout),
            _ => Ok(()),
        }
    }

    /// Takes in a call that was checked by [`Auction::check`], or proved by its player.
    pub fn say(&mut self, who: Player, call: Call) {
        match self.promise(who, call) {
            Promise::Nothing => {}
            Promise::Invit(card) => self.invit = Some(Invit { by: who, card }),
            Promise::Yield => self.yielded_by = Some(who),
        }
        match call {
            Call::Pass => self.passed[who.index()] = true,
            Call::Hold => {
                self.standing = self.standing.map(|(_, bid)| (who, bid));
                self.held = true;
            }
            Call::Bid(bid) => {
                self.trial = self.is_after_three_passes();
                self.standing = Some((who, bid));
                self.held = false;
                self.has_bid[who.index()] = true;
            }
        }
        self.calls.push((who, call));
        self.turn = (1..4).map(|places| who.after(places)).find(|next| !self.passed[next.index()]).unwrap_or(who);
    }

    /// Whether the first three passed and the fourth is to speak (TK-43).
    fn is_after_three_passes(&self) -> bool {
        self.calls.len() == 3 && self.standing.is_none()
    }

    /// TK-40: a player who has bid may hold another player's higher bid, and every bid can be held once.
    fn can_hold(&self, who: Player) -> Result<(), Illegal> {
        match self.standing {
            Some((by, _)) if by == who => Err(Illegal::CannotHold),
            None => Err(Illegal::CannotHold),
            _ if !self.has_bid[who.index()] => Err(Illegal::CannotHold),
            _ if self.held => Err(Illegal::HeldAlready),
            _ => Ok(()),
        }
    }

    /// What a call would promise now, to be shown before it is made (TK-44, TK-45). A jump by one step over the next regular bid shows the XIX, by two steps the XVIII; only the first jump
    /// of an auction, and never the fourth player's after three passes.
    pub fn promise(&self, who: Player, call: Call) -> Promise {
        match call {
            Call::Hold => Promise::Nothing,
            Call::Pass if self.options.yielded_game && self.would_yield(who) => Promise::Yield,
            Call::Pass => Promise::Nothing,
            Call::Bid(_) if self.invit.is_some() || self.is_after_three_passes() => Promise::Nothing,
            Call::Bid(bid) => {
                let holdable = self.options.jump_counts_hold && self.can_hold(who).is_ok();
                let regular = match self.standing {
                    None => 0,
                    Some((_, standing)) => standing as u8 + u8::from(!holdable),
                };
                match (bid as u8).saturating_sub(regular) {
                    1 => Promise::Invit(Card::XIX),
                    2 => Promise::Invit(Card::XVIII),
                    _ => Promise::Nothing,
                }
            }
        }
    }

    /// TK-45: three by this player, two by another, passes by the rest, and nothing else was said.
    fn would_yield(&self, who: Player) -> bool {
        let mut bids = self.calls.iter().filter(|(_, call)| *call != Call::Pass);
        let first = bids.next() == Some(&(who, Call::Bid(Bid::Three)));
        let second = bids.next().is_some_and(|(_, call)| *call == Call::Bid(Bid::Two));
        first && second && bids.next().is_none()
    }
}
