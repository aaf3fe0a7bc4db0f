//! Everything public at a table: what is expected, and what a completed round changes. How a step is judged is in
//! `judge.rs`.

use std::sync::Arc;

use outis_crypto::card::{Code, Codes};
use outis_crypto::deck::open_deck;
use outis_crypto::group::Element;
use outis_crypto::key::JointKey;
use outis_table::Seat;
use outis_table::entry::Authentic;
use outis_table::game::{
    Checks, Expectation, Expects, Grade, Millis, Observer, Referee, Rules, Setting, pick, round_clock,
};
use outis_table::keys::{Ceremony, KeyChecked, spent};
use outis_table::seats::Seats;

use super::bits::{open_sum, sum};
use super::claim::{Claim, Rule};
use super::deal::{Deal, Shared, hand_of, strip, talon_of};
use super::fault::Cheated;
use super::grade::Tools;
use super::step::{Due, Kind, Step, View};
use crate::rules::announce::Token;
use crate::rules::auction::Call;
use crate::rules::cards::Card;
use crate::rules::cardset::CardSet;
use crate::rules::discard::AnnulmentReason;
use crate::rules::ending::Ending;
use crate::rules::knowledge::Knowledge;
use crate::rules::learn::{Event, learn};
use crate::rules::options::Options;
use crate::rules::seats::Player;
use crate::rules::state::{Laid, Phase, Public};
use crate::rules::table::Tarokk;
use crate::rules::talon::split;

/// A judged step.
#[derive(Clone, Debug)]
pub enum Checked {
    /// A commitment to a key, or a key that was proved.
    Key(KeyChecked),
    /// A deck that was proved.
    Shuffled(Codes),
    /// Shares that were proved.
    Shared(Shared),
    /// A hand that was proved.
    Handed(Codes),
    /// *Skíz oszt, nem oszt*.
    Ended,
    /// A call, what it claimed, and the hand afterwards.
    Called(Call, Vec<Claim>, Vec<Code>),
    /// Whether the trial bidder has an honour, and its hand with the talon.
    Tried(bool, Vec<Code>),
    /// The hand and what was discarded.
    Discarded(Vec<Code>, Vec<Code>),
    /// What was told of a discard.
    Told(Box<ToldOf>),
    /// A share of the sum.
    Summed(Element),
    /// Whether a player annuls, and for which reason.
    Answered(Option<AnnulmentReason>),
    /// A word, what it claimed, and the hand afterwards.
    Said(Token, Vec<Claim>, Vec<Code>),
    /// A card, its place, and what it claimed.
    Played(u8, Card, Vec<Claim>),
    /// A late claim.
    Claimed(bool),
    /// Opened discards.
    Opened(CardSet),
}

/// What a player told of its discard.
#[derive(Clone, Debug)]
pub struct ToldOf {
    /// Discards that stay closed.
    pub closed: Vec<Code>,
    /// Number of tarokks, where that is told.
    pub tarokks: usize,
    /// Shown tarokks.
    pub shown: CardSet,
    /// Bits.
    pub bits: Vec<Code>,
    /// The hand, if it was shuffled.
    pub hand: Option<Vec<Code>>,
}

/// What the table waits for, with what it has so far.
#[derive(Clone, Debug)]
pub(crate) enum Awaiting {
    Keys(Ceremony),
    Shuffle(Arc<JointKey>, Codes, u8),
    Shares(Arc<JointKey>, Codes),
    Hands(Arc<JointKey>, Codes, [Vec<Code>; 4]),
    Game(Box<Deal>),
}

/// Everything public at a table of tarokk.
#[derive(Clone, Debug)]
pub struct Table {
    pub(crate) tools: Tools,
    pub(crate) known: Knowledge,
    pub(crate) awaiting: Awaiting,
    pub(crate) spent: Vec<Element>,
}

impl Referee for Table {
    const GAME: &'static str = "tarokk";
    type Rules = Tarokk;
    type Step = Step;
    type Shape = Kind;
    type Checked = Checked;
    type Fault = Cheated;

    fn open(setting: &Setting<Options>) -> Result<Self, &'static str> {
        let grade = Grade::of(&setting.parameters).ok_or("the parameters name no grade of tarokk")?;
        let known = Tarokk::initial_knowledge(&setting.options, setting.seats, Observer::Spectator);
        Ok(Self {
            tools: Tools::new(grade, Self::GAME),
            awaiting: Awaiting::Keys(Ceremony::new(players(&known.public))),
            known,
            spent: Vec::new(),
        })
    }

    fn expects(&self) -> Expects {
        if self.public().phase == Phase::Over {
            return Expects::Over;
        }
        let players = || players(self.public());
        let awaited = || self.public().awaited_seats().into_iter().map(Seat).collect::<Seats>();
        let (what, speakers, by_hand, releases) = match &self.awaiting {
            Awaiting::Keys(keys) => (keys.what(), keys.seats(), false, false),
            Awaiting::Shuffle(_, _, next) => ("shuffle", Seats::one(self.shuffler(*next)), false, false),
            Awaiting::Shares(..) => ("draw", players(), false, true),
            Awaiting::Hands(..) => ("hand", players(), false, false),
            Awaiting::Game(deal) => match (self.due(deal), self.public().contract()) {
                (None, Some(_)) if deal.all_told => ("sum", players(), false, true),
                (None, _) => ("talon", players(), false, true),
                (Some(Due::Trial), Some(contract)) => ("trial", Seats::one(self.seat(contract.declarer)), false, false),
                (Some(Due::Tell), _) => ("tell", players(), false, false),
                (Some(Due::Open), _) => ("open", players(), false, false),
                (Some(Due::Call), _) => ("call", awaited(), true, false),
                (Some(Due::Discard), _) => ("discard", awaited(), true, false),
                (Some(Due::Annul), _) => ("annul", awaited(), true, false),
                (Some(Due::Word), _) => ("word", awaited(), true, false),
                (Some(Due::Play), _) => ("play", awaited(), true, false),
                (Some(Due::Claim | Due::Trial), _) => ("claim", awaited(), true, false),
            },
        };
        // Also for those who do not like their cards (E10).
        let clock = round_clock(self.public().options.clock.into(), by_hand);
        Expects::Round(Expectation { speakers, what, by_hand, releases, clock, runs_on: false })
    }

    fn deal(&self) -> u32 {
        self.public().results.len() as u32
    }

    fn shape(&self, seat: Seat) -> Kind {
        let tools = || self.tools.clone();
        match &self.awaiting {
            Awaiting::Keys(keys) => Kind::Key(keys.kind()),
            Awaiting::Shuffle(..) => Kind::Shuffle(tools()),
            Awaiting::Hands(..) => Kind::Hand(tools()),
            _ => match (self.player(seat), self.shared_codes(), &self.awaiting) {
                (Some(me), Some(codes), _) => {
                    let others = Player::ALL.into_iter().filter(|player| *player != me);
                    Kind::Draw(others.map(|player| codes[player.index()].len()).filter(|n| *n > 0).collect())
                }
                (Some(me), None, Awaiting::Game(deal)) => {
                    self.view(deal, me).map_or(Kind::Sum, |view| Kind::Game(Box::new(view)))
                }
                _ => Kind::Nothing,
            },
        }
    }

    fn judge(&self, said: &Authentic<Step>, checks: Checks) -> Result<Checked, Cheated> {
        super::judge::judge(self, said, checks)
    }

    fn advance(&mut self, round: Vec<(Seat, Checked)>) -> Result<Vec<Event>, (Seat, Cheated)> {
        let first = round.first().map(|(seat, _)| *seat).expect("a round is over when somebody has spoken in it");
        let before = self.clone();
        self.take(round).map_err(|Blame(seat, fault)| {
            *self = before;
            (seat.unwrap_or(first), fault)
        })
    }

    fn shortest_clock(&self) -> Option<Millis> {
        round_clock(self.public().options.clock.into(), true)
    }

    fn scores(&self) -> Vec<i64> {
        self.public().scores.clone()
    }

    fn forfeit(&self, culprits: Seats) -> Vec<i64> {
        super::forfeit::forfeit(self, culprits)
    }
}

impl Table {
    /// What everyone knows.
    pub fn public(&self) -> &Public {
        &self.known.public
    }

    /// What a deal begins with.
    fn new_keys(&self) -> Awaiting {
        Awaiting::Keys(Ceremony::new(players(self.public())))
    }

    /// The seat of a player of this deal.
    pub(crate) fn seat(&self, player: Player) -> Seat {
        Seat(self.public().seating.seat(player))
    }

    /// The player at a seat.
    pub(crate) fn player(&self, seat: Seat) -> Option<Player> {
        self.public().seating.player(seat.0)
    }

    /// Who shuffles: the seats from the dealer's right on, the dealer last.
    pub(crate) fn shuffler(&self, turn: u8) -> Seat {
        let seating = self.public().seating;
        Seat((seating.dealer() + 1 + turn) % seating.seats())
    }

    /// The codes that are drawn in this round, by player; `None` if this is no such round.
    pub(crate) fn shared_codes(&self) -> Option<[Vec<Code>; 4]> {
        match (&self.awaiting, self.public().contract()) {
            (Awaiting::Shares(_, deck), _) => Some(Player::ALL.map(|player| hand_of(&deck.0, player))),
            (Awaiting::Game(deal), Some(contract)) if deal.drawn.is_none() => Some(talon_of(&deal.talon, contract)),
            _ => None,
        }
    }

    /// The bits that are added up.
    pub(crate) fn sum(&self) -> Option<Code> {
        let Awaiting::Game(deal) = &self.awaiting else { return None };
        sum(&deal.bits.concat())
    }

    /// What a deal waits for, unless it is shares of the talon or of the sum.
    pub(crate) fn due(&self, deal: &Deal) -> Option<Due> {
        Some(match &self.public().phase {
            Phase::AwaitingCall(_) => Due::Call,
            Phase::AwaitingDiscards(..) if deal.drawn.is_none() || deal.all_told => return None,
            Phase::AwaitingDiscards(contract, _) if contract.trial && !deal.tried => Due::Trial,
            Phase::AwaitingDiscards(_, [true, true, true, true]) => Due::Tell,
            Phase::AwaitingDiscards(..) => Due::Discard,
            Phase::AwaitingAnnulment(..) => Due::Annul,
            Phase::AwaitingWord(..) => Due::Word,
            Phase::AwaitingCard(..) => Due::Play,
            Phase::AwaitingClaims(_, _, answers) if answers.contains(&None) => Due::Claim,
            Phase::AwaitingClaims(..) | Phase::AwaitingDeal | Phase::Over => Due::Open,
        })
    }

    /// What a player's next step must fit.
    pub(crate) fn view(&self, deal: &Deal, who: Player) -> Option<View> {
        let i = who.index();
        let taken = self.public().contract().map_or(0, |contract| split(contract.declarer, contract.bid)[i]);
        Some(View {
            due: self.due(deal)?,
            who,
            tools: self.tools.clone(),
            public: self.public().clone(),
            ledger: deal.ledger.clone(),
            taken,
            merged: deal.merged[i],
            closed: deal.laid[i].len(),
        })
    }

    fn note(&mut self, event: Event, events: &mut Vec<Event>) -> Result<(), Cheated> {
        self.known = learn(self.known.clone(), &event).map_err(Cheated::Illegal)?;
        events.push(event);
        Ok(())
    }

    fn take(&mut self, round: Vec<(Seat, Checked)>) -> Result<Vec<Event>, Blame> {
        let mut events = Vec::new();
        let deals = self.deal();
        let anew = self.new_keys();
        self.awaiting = match core::mem::replace(&mut self.awaiting, anew) {
            Awaiting::Keys(mut keys) => {
                let key = keys.advance(round, |c| if let Checked::Key(checked) = c { Some(checked) } else { None });
                match key.map_err(|(seat, fault)| Blame(Some(seat), fault))? {
                    None => Awaiting::Keys(keys),
                    Some(key) => {
                        self.spent.extend(spent(&key));
                        let deck = open_deck(&key, &self.tools.faces);
                        Awaiting::Shuffle(Arc::new(key), deck, 0)
                    }
                }
            }
            Awaiting::Shuffle(key, _, turn) => {
                let decks =
                    pick(round, |checked| if let Checked::Shuffled(deck) = checked { Some(deck) } else { None });
                let deck = decks.map_err(other)?.pop().ok_or(Cheated::Kind)?;
                match turn + 1 {
                    turn if turn < self.public().seating.seats() => Awaiting::Shuffle(key, deck, turn),
                    _ => Awaiting::Shares(key, deck),
                }
            }
            Awaiting::Shares(key, deck) => {
                let hands = Player::ALL.map(|player| hand_of(&deck.0, player));
                let shares = shared(round)?;
                let drawn = strip(&key, |player| self.seat(player), &hands, &shares).ok_or(Cheated::Share)?;
                Awaiting::Hands(key, deck, drawn)
            }
            Awaiting::Hands(key, deck, _) => {
                let mut hands = [const { Vec::new() }; 4];
                for (seat, checked) in round {
                    let (Some(player), Checked::Handed(codes)) = (self.player(seat), checked) else {
                        return Err(other(seat));
                    };
                    hands[player.index()] = codes.0;
                }
                self.note(Event::Dealt, &mut events)?;
                Awaiting::Game(Box::new(Deal::new(key, &deck.0, hands)))
            }
            Awaiting::Game(mut deal) => {
                self.take_game(&mut deal, round, &mut events)?;
                if self.deal() > deals { self.new_keys() } else { Awaiting::Game(deal) }
            }
        };
        Ok(events)
    }

    fn take_game(
        &mut self,
        deal: &mut Deal,
        round: Vec<(Seat, Checked)>,
        events: &mut Vec<Event>,
    ) -> Result<(), Blame> {
        if let (None, Some(contract), true) = (&deal.drawn, self.public().contract().copied(), is_shares(&round)) {
            let codes = talon_of(&deal.talon, &contract);
            let left = strip(&deal.key, |player| self.seat(player), &codes, &shared(round)?).ok_or(Cheated::Share)?;
            // Consumed (E7): from now on there is only what was drawn.
            deal.talon.clear();
            deal.dealt = deal.hands.clone();
            deal.drawn = Some(left);
            return Ok(());
        }
        if round.iter().any(|(_, checked)| matches!(checked, Checked::Summed(_))) {
            let shares = pick(round, |checked| if let Checked::Summed(share) = checked { Some(share) } else { None });
            let (shares, bits) = (shares.map_err(other)?, deal.bits.concat());
            let by_others = sum(&bits).and_then(|sum| open_sum(&sum, &shares, bits.len())).ok_or(Cheated::Share)?;
            let laid = Laid { shown: deal.shown, by_others, by_player: None };
            return self.tell(deal, laid, events).map_err(Blame::from);
        }
        let (mut laid, mut opens) = ([CardSet::EMPTY; 4], false);
        for (seat, checked) in round {
            let player = self.player(seat).ok_or(Cheated::Kind)?;
            let i = player.index();
            match checked {
                Checked::Ended if self.public().ending == Ending::Open => self.note(Event::EndSaid, events)?,
                // Another has just said it.
                Checked::Ended => {}
                Checked::Called(call, claims, hand) => {
                    deal.ledger.called(&claims, player);
                    deal.hands[i] = hand;
                    self.note(Event::Called(player, call), events)?;
                }
                Checked::Tried(true, hand) => {
                    deal.hands[i] = hand;
                    deal.merged[i] = true;
                    deal.tried = true;
                }
                Checked::Tried(false, _) => self.note(Event::TrialFailed, events)?,
                Checked::Discarded(hand, away) => {
                    deal.hands[i] = hand;
                    deal.laid[i] = away;
                    deal.merged[i] = true;
                    self.note(Event::Discarded(player), events)?;
                }
                Checked::Told(told) => {
                    deal.laid[i] = told.closed;
                    deal.told[i] = told.tarokks;
                    deal.bits[i] = told.bits;
                    deal.shown = deal.shown.union(told.shown);
                    deal.hands[i] = told.hand.unwrap_or(core::mem::take(&mut deal.hands[i]));
                    deal.all_told = true;
                }
                Checked::Answered(answer) => self.note(Event::Answered(player, answer), events)?,
                Checked::Said(token, claims, hand) => {
                    if let Phase::AwaitingWord(_, announcing) = &self.known.public.phase {
                        deal.ledger.said(announcing, &claims, player, token);
                    }
                    deal.hands[i] = hand;
                    self.note(Event::Said(player, token), events)?;
                }
                Checked::Played(at, card, claims) => {
                    if usize::from(at) >= deal.hands[i].len() {
                        return Err(Blame(Some(seat), Cheated::Card));
                    }
                    deal.hands[i].remove(at.into());
                    deal.ledger.opened(card);
                    deal.ledger.holding[i] = deal.hands[i].len();
                    deal.ledger.played(&claims, player);
                    self.note(Event::Played(player, card), events)?;
                }
                Checked::Claimed(claim) => self.note(Event::Claimed(player, claim), events)?,
                Checked::Opened(cards) => {
                    laid[i] = cards;
                    opens = true;
                }
                _ => return Err(other(seat)),
            }
        }
        if opens {
            self.all_there(deal, &laid)?;
            let declarer = self.public().contract().map(|contract| contract.declarer.index());
            if let Some(declarer) = declarer {
                laid[declarer] = laid[declarer].union(deal.shown);
            }
            self.note(Event::Opened(laid), events)?;
        } else if deal.all_told
            && let Phase::AwaitingDiscards(contract, _) = &self.public().phase
            && self.public().seating.seats() == 4
        {
            let others = Player::ALL.into_iter().filter(|player| *player != contract.declarer);
            let by_others = others.map(|player| deal.told[player.index()]).sum();
            self.tell(deal, Laid { shown: deal.shown, by_others, by_player: Some(deal.told) }, events)?;
        } else if deal.all_told
            && let Phase::AwaitingDiscards(contract, _) = &self.public().phase
            && sum(&deal.bits.concat()).is_none()
        {
            // Only if all who told bits chose them together: none of them is innocent.
            let teller = contract.declarer.after(1);
            return Err(Blame(Some(self.seat(teller)), Cheated::Rule(Rule::DiscardBit)));
        }
        Ok(())
    }

    /// When all discards are open there is every card of the pack (RC-17). The proofs see to that; if it is not so, a player who opened
    /// what another has opened before is named.
    fn all_there(&self, deal: &Deal, laid: &[CardSet; 4]) -> Result<(), Blame> {
        let Phase::AwaitingClaims(_, plays, _) = &self.public().phase else { return Err(Cheated::Kind.into()) };
        let mut seen = plays.all().iter().map(|(_, card)| *card).collect::<CardSet>().union(deal.shown);
        for player in Player::ALL {
            if laid[player.index()].iter().any(|card| !seen.insert(card)) {
                return Err(Blame(Some(self.seat(player)), Cheated::Rule(Rule::Open)));
            }
        }
        Ok(())
    }

    fn tell(&mut self, deal: &mut Deal, laid: Laid, events: &mut Vec<Event>) -> Result<(), Cheated> {
        deal.exchanged(&self.public().contract().copied().ok_or(Cheated::Kind)?);
        self.note(Event::Told(laid), events)
    }
}

/// The seats of the players of this deal.
fn players(public: &Public) -> Seats {
    Player::ALL.into_iter().map(|player| Seat(public.seating.seat(player))).collect()
}

/// A fault that a whole round shows, and the seat at fault, if that is not the first that acted.
struct Blame(Option<Seat>, Cheated);

impl From<Cheated> for Blame {
    fn from(fault: Cheated) -> Self {
        Self(None, fault)
    }
}

fn is_shares(round: &[(Seat, Checked)]) -> bool {
    round.iter().all(|(_, checked)| matches!(checked, Checked::Shared(_)))
}

fn shared(round: Vec<(Seat, Checked)>) -> Result<Shared, Blame> {
    let shares = pick(round, |checked| if let Checked::Shared(shares) = checked { Some(shares) } else { None });
    shares.map(|shares| shares.concat()).map_err(other)
}

/// The seat that sent something other than what the round is for.
fn other(seat: Seat) -> Blame {
    Blame(Some(seat), Cheated::Kind)
}
