//! What a seat must prove for what it does, from what is public alone: the checks RC-1 to RC-23 as data.
//!
//! Prover, verifier and decoder all read the same list of [`Claim`]s, so none of them can forget one, and the size of a step
//! follows from public information.

use core::fmt;

use crate::rules::announce::{Announcing, Target, Token};
use crate::rules::auction::{Call, Promise};
use crate::rules::cards::Card;
use crate::rules::cardset::CardSet;
use crate::rules::discard::AnnulmentReason;
use crate::rules::figures::{Figure, Side};
use crate::rules::seats::Player;
use crate::rules::state::{Exchanged, Phase, Plays, Public, Spoken};

/// The rule that a check enforces; its name is the name of the check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// RC-1: a bidder holds an honour.
    Honour,
    /// RC-2: a jump shows the XIX or the XVIII.
    Invit,
    /// RC-3: a player who yields holds the XX and a big honour.
    Yield,
    /// RC-4, E6: a hand is shuffled after a check that pointed at cards.
    Reshuffle,
    /// F5, E1: a hand holds the cards that were drawn.
    Hand,
    /// RC-5, E2: a hand holds its cards and those of the talon.
    Talon,
    /// RC-6: a discarded tarokk may be discarded.
    TarokkDiscard,
    /// RC-7: a discarded coloured card is no king.
    ColouredDiscard,
    /// RC-6 and RC-7 at a table of five (E4): a discarded card may be discarded, and its bit says whether it is a tarokk.
    DiscardBit,
    /// RC-8: the declarer shows its discarded tarokks.
    ShownDiscard,
    /// RC-9: the hand gives a right to annul.
    Annulment,
    /// RC-10: eight cards are tarokks.
    Eight,
    /// RC-23: the ninth card is none.
    EightNotNine,
    /// RC-11: nine tarokks.
    Nine,
    /// RC-12: pagát ultimo without a number means fewer than eight tarokks.
    CountDue,
    /// RC-13: a player who announces for the declarer's side holds the called tarokk.
    Partner,
    /// RC-14: a player who announces for the opponents does not.
    Opponent,
    /// RC-15b: no card of the suit that was led.
    NoSuit,
    /// RC-15c: and no tarokk.
    NoTarokk,
    /// RC-15d: the pagát goes as the last card that the rules allow.
    PagatKept,
    /// RC-17: the discards are opened.
    Open,
    /// RC-18: the trial bidder shows an honour, or that it has none.
    Trial,
    /// RC-19: a player who calls below the XX holds all between, and not the called one.
    Call,
    /// RC-20: the pagát is not led while another card is in hand.
    PagatLed,
    /// RC-21: a player who discarded the called tarokk says kontra to the game.
    ForcedKontra,
    /// RC-22: an invit with the pagát alone obliges to pagát ultimo.
    ForcedUltimo,
}

impl Rule {
    /// Short stable name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Honour => "honour",
            Self::Invit => "invit",
            Self::Yield => "yield",
            Self::Reshuffle => "reshuffle",
            Self::Hand => "hand",
            Self::Talon => "talon",
            Self::TarokkDiscard => "tarokk-discard",
            Self::ColouredDiscard => "coloured-discard",
            Self::DiscardBit => "discard-bit",
            Self::ShownDiscard => "shown-discard",
            Self::Annulment => "annulment",
            Self::Eight => "eight",
            Self::EightNotNine => "eight-not-nine",
            Self::Nine => "nine",
            Self::CountDue => "count-due",
            Self::Partner => "partner",
            Self::Opponent => "opponent",
            Self::NoSuit => "no-suit",
            Self::NoTarokk => "no-tarokk",
            Self::PagatKept => "pagat-kept",
            Self::Open => "open",
            Self::Trial => "trial",
            Self::Call => "call",
            Self::PagatLed => "pagat-led",
            Self::ForcedKontra => "forced-kontra",
            Self::ForcedUltimo => "forced-ultimo",
        }
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Honour => "a bid without an honour",
            Self::Invit => "a jump without the card that it promises",
            Self::Yield => "a game yielded without the XX and the skíz or the XXI",
            Self::Reshuffle => "the hand is not the one before, shuffled",
            Self::Hand => "the hand does not hold the cards that were dealt",
            Self::Talon => "the hand does not hold its cards and those of the talon",
            Self::TarokkDiscard => "a discarded tarokk that may not be discarded, or is not a tarokk",
            Self::ColouredDiscard => "a discarded card that is a king, or not coloured",
            Self::DiscardBit => "a discarded card that may not be discarded, or is not what it is counted as",
            Self::ShownDiscard => "a shown card that is not the discarded one",
            Self::Annulment => "no right to annul the deal",
            Self::Eight => "not eight tarokks",
            Self::EightNotNine => "the ninth card is a tarokk too",
            Self::Nine => "not nine tarokks",
            Self::CountDue => "pagát ultimo with eight or nine tarokks that were not announced",
            Self::Partner => "spoke for the declarer's side without the called tarokk",
            Self::Opponent => "spoke for the opponents with the called tarokk",
            Self::NoSuit => "the suit that was led is in the hand",
            Self::NoTarokk => "a tarokk is in the hand",
            Self::PagatKept => "the pagát was given up although another card could be played",
            Self::Open => "the opened cards are not those that were discarded",
            Self::Trial => "the trial bid: an honour that is not there, or one that is denied",
            Self::Call => "the called tarokk is not the highest that is missing",
            Self::PagatLed => "the pagát was led before the last trick",
            Self::ForcedKontra => "the called tarokk was discarded, and there was no kontra to the game",
            Self::ForcedUltimo => "an invit with only the pagát, and no pagát ultimo",
        })
    }
}

/// Which codes a claim is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum On {
    /// The hand as it is; after a play, without the played card.
    Hand,
    /// The hand as it was before the talon.
    Dealt,
}

/// What is to be shown of some codes: the prover points at a number of them, which lie in one set; the others lie in another
/// set, or nothing is said of them. If it pointed and the hand lives on, the hand is shuffled (E6).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Claim {
    /// Which codes.
    pub on: On,
    /// How many there are.
    pub of: usize,
    /// How many are pointed at.
    pub pointed: usize,
    /// Where those lie, and the rule that says so.
    pub inside: (Rule, CardSet),
    /// Where the others lie.
    pub rest: Option<(Rule, CardSet)>,
    /// Whether the hand is shuffled afterwards.
    pub shuffle: bool,
}

/// What is remembered of a deal's proofs (RC-16, E3). Everything here is public.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ledger {
    /// For every hand a set in which it is known to lie. It only shrinks, but for the talon.
    pub upper: [CardSet; 4],
    /// Cards in hand.
    pub holding: [usize; 4],
    /// The players who have shown an honour in this auction.
    pub honour: [bool; 4],
    /// The players who have shown that they have fewer than eight tarokks.
    pub few: [bool; 4],
    /// Whether the game had kontra when a player ended their first turn.
    pub kontra: [bool; 4],
}

/// The tarokks.
pub fn tarokks() -> CardSet {
    CardSet::ALL.tarokks()
}

/// The coloured cards.
pub fn coloured() -> CardSet {
    CardSet::ALL.without(tarokks())
}

/// The tarokks that a player may discard (TK-47).
pub fn laid_tarokks(signalled: Option<Card>) -> CardSet {
    tarokks().filter(|card| !card.is_honour() && Some(card) != signalled)
}

/// The coloured cards that may be discarded (TK-47).
pub fn laid_coloured() -> CardSet {
    coloured().filter(|card| !card.is_king())
}

fn one(card: Card) -> CardSet {
    CardSet::from([card])
}

impl Ledger {
    /// Everyone has nine cards of which nothing is known.
    pub fn dealt() -> Self {
        Self { upper: [CardSet::ALL; 4], holding: [9; 4], ..Self::default() }
    }

    /// The hands after the exchange: nothing is known but that shown cards are not in them (E3).
    pub fn exchanged(&mut self, shown: CardSet) {
        self.upper = [CardSet::ALL.without(shown); 4];
        self.holding = [9; 4];
    }

    /// A card was opened: it is in no hand.
    pub fn opened(&mut self, card: Card) {
        for upper in &mut self.upper {
            *upper = upper.without(one(card));
        }
    }

    /// A player showed that it holds a card: nobody else does.
    pub fn holds(&mut self, who: Player, card: Card) {
        for player in Player::ALL.into_iter().filter(|player| *player != who) {
            let upper = &mut self.upper[player.index()];
            *upper = upper.without(one(card));
        }
    }

    /// Points at cards of the hand.
    fn point(&self, who: Player, pointed: usize, rule: Rule, set: CardSet) -> Claim {
        let of = self.holding[who.index()];
        Claim { on: On::Hand, of, pointed, inside: (rule, set), rest: None, shuffle: true }
    }

    /// The whole hand lies in a set; nothing if that is known (RC-16).
    fn whole(&self, who: Player, rule: Rule, set: CardSet) -> Option<Claim> {
        let (of, upper) = (self.holding[who.index()], self.upper[who.index()]);
        let within = upper.without(upper.without(set));
        let claim = Claim {
            on: On::Hand,
            of,
            pointed: 0,
            inside: (rule, CardSet::EMPTY),
            rest: Some((rule, within)),
            shuffle: false,
        };
        (of > 0 && !upper.is_within(set)).then_some(claim)
    }

    /// What a call in the auction claims (RC-1 to RC-3). `None` if no call is due: then it is not that nothing has to be shown.
    pub fn call(&self, public: &Public, who: Player, call: Call) -> Option<Vec<Claim>> {
        let Phase::AwaitingCall(auction) = &public.phase else { return None };
        let mut claims = Vec::new();
        let first_three_passed = auction.calls().len() == 3 && auction.calls().iter().all(|(_, c)| *c == Call::Pass);
        if matches!(call, Call::Bid(_)) && !first_three_passed && !self.honour[who.index()] {
            claims.push(self.point(who, 1, Rule::Honour, CardSet::ALL.filter(Card::is_honour)));
        }
        match auction.promise(who, call) {
            Promise::Nothing => {}
            Promise::Invit(card) => claims.push(self.point(who, 1, Rule::Invit, one(card))),
            Promise::Yield => {
                claims.push(self.point(who, 1, Rule::Yield, one(Card::XX)));
                claims.push(self.point(who, 1, Rule::Yield, CardSet::ALL.filter(Card::is_big_honour)));
            }
        }
        Some(claims)
    }

    /// What is remembered of a call.
    pub fn called(&mut self, claims: &[Claim], who: Player) {
        self.honour[who.index()] |= claims.iter().any(|claim| claim.inside.0 == Rule::Honour);
    }

    /// What the trial bidder claims after the talon (RC-18): an honour in its merged hand of this many cards, or none.
    pub fn trial(&self, of: usize, honour: bool) -> Claim {
        let honours = CardSet::ALL.filter(Card::is_honour);
        if honour {
            return Claim { on: On::Hand, of, pointed: 1, inside: (Rule::Trial, honours), rest: None, shuffle: true };
        }
        let others = Some((Rule::Trial, CardSet::ALL.without(honours)));
        Claim { on: On::Hand, of, pointed: 0, inside: (Rule::Trial, CardSet::EMPTY), rest: others, shuffle: false }
    }

    /// What a player who annuls for some reason claims (RC-9). The deal is over then: nothing is shuffled.
    pub fn annulment(&self, who: Player, reason: AnnulmentReason) -> Claim {
        let only = |cards: CardSet| (cards.len(), cards, Some((Rule::Annulment, coloured())));
        let (pointed, set, rest) = match reason {
            AnnulmentReason::FourKings => (4, CardSet::ALL.filter(Card::is_king), None),
            AnnulmentReason::OnlyXxi => only(one(Card::XXI)),
            AnnulmentReason::OnlyPagat => only(one(Card::PAGAT)),
            AnnulmentReason::NoTarokk => only(CardSet::EMPTY),
            AnnulmentReason::XxiAndPagat => only(CardSet::from([Card::XXI, Card::PAGAT])),
        };
        let of = self.holding[who.index()];
        Claim { on: On::Hand, of, pointed, inside: (Rule::Annulment, set), rest, shuffle: false }
    }

    /// What a word claims (RC-10 to RC-14, RC-19, RC-22). `None` if no word is due.
    pub fn word(&self, public: &Public, who: Player, token: Token) -> Option<Vec<Claim>> {
        let Phase::AwaitingWord(exchanged, announcing) = &public.phase else { return None };
        Some(match token {
            Token::Count(9) => self.whole(who, Rule::Nine, tarokks()).into_iter().collect(),
            Token::Count(_) => {
                let rest = Some((Rule::Eight, tarokks()));
                vec![Claim { rest, ..self.point(who, 1, Rule::EightNotNine, coloured()) }]
            }
            Token::Call(card) => self.partner_call(exchanged, who, card),
            Token::Announce(_) | Token::Kontra(..) => self.speech(announcing, who, token),
            Token::Pass => self.silence(public, exchanged, announcing, who),
        })
    }

    /// RC-19: without another reason, a player who calls below the XX holds everything between.
    fn partner_call(&self, exchanged: &Exchanged, who: Player, called: Card) -> Vec<Claim> {
        let free = exchanged.contract.must_call().is_some() || exchanged.laid.by_others > 0;
        if called == Card::XX || free {
            return Vec::new();
        }
        let between = tarokks().filter(|card| card > called && card <= Card::XX);
        let upper = self.upper[who.index()].without(one(called)).without(between);
        let rest = Some((Rule::Call, upper));
        vec![Claim { rest, ..self.point(who, between.len(), Rule::Call, between) }]
    }

    /// RC-13 and RC-14: a player who announces or says kontra shows their side, if there is any doubt about it; RC-12: one who
    /// speaks of pagát ultimo has announced their number, or has fewer than eight.
    fn speech(&self, announcing: &Announcing, who: Player, token: Token) -> Vec<Claim> {
        let mut claims = Vec::new();
        if let (None, Some(side), Some(called)) =
            (announcing.certain_side(who), announcing.side_of(who, token), announcing.called())
        {
            match side {
                Side::Declarer => claims.push(self.point(who, 1, Rule::Partner, one(called))),
                Side::Opponents => {
                    claims.extend(self.whole(who, Rule::Opponent, CardSet::ALL.without(one(called))));
                }
            }
        }
        let ultimo = matches!(
            token,
            Token::Announce(Figure::PagatUltimo) | Token::Kontra(1, Target::Figure(Figure::PagatUltimo))
        );
        if ultimo && announcing.count(who).is_none() && !self.few[who.index()] {
            claims.push(self.point(who, 2, Rule::CountDue, coloured()));
        }
        claims
    }

    /// RC-22: an inviter that ends its first turn without pagát ultimo was dealt a big honour.
    fn silence(&self, public: &Public, exchanged: &Exchanged, announcing: &Announcing, who: Player) -> Vec<Claim> {
        let contract = &exchanged.contract;
        let invit = if public.options.pagat_invit_always_binds { contract.invit } else { contract.accepted() };
        let bound = invit.is_some_and(|invit| invit.by == who)
            && announcing.is_first_turn(who)
            && !announcing.has_announced(Side::Declarer, Figure::PagatUltimo);
        let big = CardSet::ALL.filter(Card::is_big_honour);
        let claim =
            Claim { on: On::Dealt, of: 9, pointed: 1, inside: (Rule::ForcedUltimo, big), rest: None, shuffle: false };
        bound.then_some(claim).into_iter().collect()
    }

    /// What is remembered of a word: the state before it and its claims.
    pub fn said(&mut self, announcing: &Announcing, claims: &[Claim], who: Player, token: Token) {
        let i = who.index();
        for claim in claims {
            self.few[i] |= claim.inside.0 == Rule::CountDue;
            match (claim.inside.0, announcing.called()) {
                (Rule::Partner, Some(called)) => self.holds(who, called),
                (Rule::Call, _) => claim.inside.1.iter().for_each(|card| self.holds(who, card)),
                _ => {}
            }
            if let (0, Some((_, set))) = (claim.pointed, claim.rest) {
                self.upper[i] = set;
            }
        }
        if token == Token::Pass && announcing.is_first_turn(who) {
            self.kontra[i] = announcing.game_kontra() > 0;
        }
        if let (Token::Call(called), Some((Rule::Call, _))) = (token, claims.first().map(|claim| claim.inside)) {
            self.upper[i] = self.upper[i].without(one(called));
        }
    }

    /// What a card that was played claims of the cards that are left (RC-15a to RC-15d). `self` is the ledger after the card
    /// was opened.
    pub fn play(&self, spoken: &Spoken, plays: &Plays, who: Player, card: Card) -> Vec<Claim> {
        let Some(led) = plays.led() else { return Vec::new() };
        let suit = led.suit().map_or(CardSet::EMPTY, |suit| CardSet::ALL.of(suit));
        // The pagát of a side that is known to have announced pagát ultimo goes as the last card that could.
        let keep = card == Card::PAGAT
            && spoken
                .certain_side(plays, who)
                .is_some_and(|side| spoken.announcing.has_announced(side, Figure::PagatUltimo));
        let without = |set: CardSet| CardSet::ALL.without(set);
        let claim = match card.suit() {
            _ if keep => self.whole(who, Rule::PagatKept, without(suit.union(tarokks()))),
            played if played == led.suit() => None,
            None => self.whole(who, Rule::NoSuit, without(suit)),
            Some(_) => self.whole(who, Rule::NoTarokk, without(suit.union(tarokks()))),
        };
        claim.into_iter().collect()
    }

    /// What is remembered of a card that was played.
    pub fn played(&mut self, claims: &[Claim], who: Player) {
        if let Some((_, set)) = claims.first().and_then(|claim| claim.rest) {
            self.upper[who.index()] = set;
        }
    }
}
