//! One seat: its key for the deal, and the cards and randomness behind its codes.

use outis_crypto::card::{Code, Codes, OwnCard};
use outis_crypto::challenger::{Challenger, Source};
use outis_crypto::codec::{Decode, DecodeError, Encode, Malformed, Reader};
use outis_crypto::deck::{CardOpening, share};
use outis_crypto::group::{Element, Scalar};
use outis_crypto::key::SeatSecret;
use outis_crypto::secret::SecretScalar;
use outis_crypto::shuffle::{Decks, reencrypt};
use outis_table::game::{Made, Observer, Player, Refused, Rules, take_in};
use outis_table::keys::{KeyKind, OwnKey};
use outis_table::{Context, Seat};

use super::bits::{Bit, SumShare};
use super::claim::{Claim, On};
use super::deal::Deal;
use super::evidence::{Evidence, divide, reshuffle};
use super::fault::Cheated;
use super::grade::SetProof;
use super::judge::drawers;
use super::referee::{Awaiting, Table};
use super::step::{Due, Step, Tell, View};
use crate::rules::cards::Card;
use crate::rules::cardset::CardSet;
use crate::rules::discard::annulment;
use crate::rules::illegal::Illegal;
use crate::rules::knowledge::{Knowledge, check};
use crate::rules::learn::Event;
use crate::rules::state::{Action, Phase};
use crate::rules::table::Tarokk;

/// A card and the randomness of its code.
pub type Own = (u8, SecretScalar);

/// One seat with its secrets.
#[derive(Clone, Debug)]
pub struct Hand {
    seat: Seat,
    pub(crate) key: Option<OwnKey>,
    /// The hand, in the order of its codes.
    pub(crate) own: Vec<Own>,
    /// The hand as it was before the talon.
    pub(crate) dealt: Vec<Own>,
    /// What was discarded.
    pub(crate) laid: Vec<Own>,
    /// The randomness of the discards' bits.
    pub(crate) bits: Vec<SecretScalar>,
    knowledge: Knowledge,
}

/// What survives a crash, beside the log.
#[derive(Clone, Debug, Default)]
pub struct Memo {
    /// The key of the deal.
    pub key: Option<OwnKey>,
    /// The hand after the step.
    pub hand: Option<Vec<Own>>,
    /// What was discarded.
    pub laid: Option<Vec<Own>>,
    /// The randomness of bits.
    pub bits: Option<Vec<SecretScalar>>,
}

pub(crate) type MadeStep = Made<Step, Memo>;

/// The secrets of some cards, in order.
pub(crate) fn secrets(cards: &[OwnCard]) -> Vec<Own> {
    cards.iter().map(|own| (own.card as u8, own.randomness.clone())).collect()
}

/// Cards with their codes.
pub(crate) fn own_cards(own: &[Own], codes: &[Code]) -> Vec<OwnCard> {
    let card =
        |((card, r), code): (&Own, &Code)| OwnCard { code: *code, card: usize::from(*card), randomness: r.clone() };
    own.iter().zip(codes).map(card).collect()
}

impl Player for Hand {
    type Referee = Table;
    type Memo = Memo;

    fn sit(table: &Table, seat: Seat) -> Self {
        let public = table.public();
        let knowledge = Tarokk::initial_knowledge(&public.options, public.seating.seats(), Observer::Seat(seat));
        let (own, dealt, laid, bits) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Self { seat, key: None, own, dealt, laid, bits, knowledge }
    }

    fn act(
        &self,
        table: &Table,
        context: &Context,
        action: &Action,
        rng: &mut impl Source,
    ) -> Result<MadeStep, Illegal> {
        let Knowledge { public, cards, .. } = &self.knowledge;
        if !public.awaited_seats().contains(&self.seat.0) {
            return Err(Illegal::Now);
        }
        check(public, self.seat.0, cards.as_ref(), action)?;
        self.make(table, context, action, rng).ok_or(Illegal::Now)
    }

    fn due(&self, table: &Table, context: &Context, rng: &mut impl Source) -> Option<MadeStep> {
        let mut challenger = Challenger::new(context);
        let plain = |step| Some(Made { step, memo: Memo::default() });
        match (&table.awaiting, &self.key) {
            (Awaiting::Keys(keys), own) => {
                let (step, key) = keys.make(own.as_ref(), context, rng)?;
                Some(Made { step: Step::Key(step), memo: Memo { key, ..Memo::default() } })
            }
            (Awaiting::Shuffle(key, deck, _), _) => {
                let (after, order) = reencrypt::shuffle(key, &deck.0, rng)?;
                let decks = Decks { input: &deck.0, output: &after.0 };
                let proof = table.tools.prove_shuffle(key, decks, &order, &mut challenger, rng)?;
                plain(Step::Shuffle(after, proof))
            }
            (Awaiting::Hands(key, _, drawn), Some(OwnKey { secret, .. })) => {
                let drawn = &drawn[table.player(self.seat)?.index()];
                let (hand, proof) = table.tools.make(secret, key, &[], drawn, &mut challenger, rng)?;
                let codes = Codes(hand.iter().map(|own| own.code).collect());
                let memo = Memo { hand: Some(secrets(&hand)), ..Memo::default() };
                Some(Made { step: Step::Hand(codes, proof), memo })
            }
            (Awaiting::Shares(..), Some(OwnKey { secret, .. })) => {
                plain(self.draw(table, secret, &mut challenger, rng)?)
            }
            (Awaiting::Game(deal), Some(OwnKey { secret, .. })) => match table.due(deal) {
                None if table.shared_codes().is_some() => plain(self.draw(table, secret, &mut challenger, rng)?),
                None => plain(Step::Sum(SumShare::make(secret, &table.sum()?, &mut challenger, rng)?)),
                Some(Due::Trial) => self.trial(table, deal, &mut challenger, rng),
                Some(Due::Tell) => self.tell(table, deal, &mut challenger, rng),
                Some(Due::Open) => {
                    let laid = &deal.laid[table.player(self.seat)?.index()];
                    let closed: Vec<Own> =
                        self.laid.iter().filter(|(card, _)| !is_in(*card, deal.shown)).cloned().collect();
                    plain(Step::Open(own_cards(&closed, laid).iter().map(CardOpening::new).collect()))
                }
                _ => None,
            },
            _ => None,
        }
    }

    fn remember(&mut self, memo: Memo) {
        let Memo { key, hand, laid, bits } = memo;
        self.key = key.or(self.key.take());
        self.own = hand.unwrap_or(core::mem::take(&mut self.own));
        self.laid = laid.unwrap_or(core::mem::take(&mut self.laid));
        self.bits = bits.unwrap_or(core::mem::take(&mut self.bits));
    }

    fn learn(&mut self, table: &Table, public: &[Event]) -> Result<(), Refused<Cheated>> {
        let me = self.knowledge.public.seating.player(self.seat.0);
        for event in public {
            if let (Event::Discarded(who), true) = (event, self.knowledge.cards.is_some())
                && me == Some(*who)
            {
                let laid = self.laid.iter().filter_map(|(card, _)| Card::from_number(*card)).collect();
                self.note(&Event::LaidAway(laid))?;
            }
            self.note(event)?;
            match event {
                Event::Dealt if me.is_some() => {
                    let hand = self.own.iter().filter_map(|(card, _)| Card::from_number(*card)).collect();
                    self.note(&Event::Drew(hand))?;
                }
                Event::Played(who, played) if me == Some(*who) => {
                    self.own.retain(|(card, _)| *card != played.number());
                }
                _ => {}
            }
        }
        self.take_up(table, me.map(|player| player.index()))?;
        if matches!(&table.awaiting, Awaiting::Keys(keys) if keys.kind() == KeyKind::Commit) {
            // The deal is over: its secrets are wiped.
            self.key = None;
            self.own = Vec::new();
            self.dealt = Vec::new();
            self.laid = Vec::new();
            self.bits = Vec::new();
        }
        Ok(())
    }

    fn knowledge(&self) -> &Knowledge {
        &self.knowledge
    }
}

fn is_in(card: u8, set: CardSet) -> bool {
    Card::from_number(card).is_some_and(|card| set.contains(card))
}

impl Hand {
    /// This seat.
    pub(crate) fn seat(&self) -> Seat {
        self.seat
    }

    fn note(&mut self, event: &Event) -> Result<(), Refused<Cheated>> {
        take_in::<Tarokk, _>(&mut self.knowledge, event)
    }

    /// When the talon was shared: looks at what it brought, once.
    fn take_up(&mut self, table: &Table, me: Option<usize>) -> Result<(), Refused<Cheated>> {
        let (Awaiting::Game(deal), Some(me), Some(OwnKey { secret, .. })) = (&table.awaiting, me, &self.key) else {
            return Ok(());
        };
        let (Some(drawn), true, Phase::AwaitingDiscards(..)) =
            (&deal.drawn, self.dealt.is_empty(), &table.public().phase)
        else {
            return Ok(());
        };
        self.dealt = self.own.clone();
        if drawn[me].is_empty() {
            return Ok(());
        }
        let look = |code: &Code| {
            let face = Element::new(code.c2.point() - code.c1.point() * secret.secret().expose_secret())?;
            table.tools.faces.find(&face).and_then(|card| Card::from_number(card as u8))
        };
        let taken: Option<CardSet> = drawn[me].iter().map(look).collect();
        self.note(&Event::Took(taken.ok_or(Refused::Local("a card of the talon does not open"))?))
    }

    /// Shares of what the other players draw.
    fn draw(
        &self,
        table: &Table,
        secret: &SeatSecret,
        challenger: &mut Challenger,
        rng: &mut impl Source,
    ) -> Option<Step> {
        let codes = table.shared_codes()?;
        let drawers = drawers(table.player(self.seat)?, &codes).into_iter();
        let shares = drawers.map(|drawer| share(secret, &codes[drawer.index()], challenger, rng));
        Some(Step::Draw(shares.collect::<Option<_>>()?))
    }

    /// The cards in hand, with their codes.
    pub(crate) fn cards(&self, table: &Table) -> Option<Vec<OwnCard>> {
        let Awaiting::Game(deal) = &table.awaiting else { return None };
        Some(own_cards(&self.own, &deal.hands[table.player(self.seat)?.index()]))
    }

    /// Makes the step of an action that the rules allow, or that a cheat wants to pass as allowed.
    pub(crate) fn make(
        &self,
        table: &Table,
        context: &Context,
        action: &Action,
        rng: &mut impl Source,
    ) -> Option<MadeStep> {
        self.make_with(self.cards(table)?, table, context, action, rng)
    }

    /// The same with given cards.
    pub(crate) fn make_with(
        &self,
        mut hand: Vec<OwnCard>,
        table: &Table,
        context: &Context,
        action: &Action,
        rng: &mut impl Source,
    ) -> Option<MadeStep> {
        let Awaiting::Game(deal) = &table.awaiting else { return None };
        let (me, challenger) = (table.player(self.seat)?, &mut Challenger::new(context));
        let view = table.view(deal, me)?;
        let step = match *action {
            Action::EndTable => Step::End,
            Action::Call(call) => {
                let claims = view.ledger.call(&view.public, me, call)?;
                Step::Call(call, self.prove(table, deal, &claims, &mut hand, challenger, rng)?)
            }
            Action::Discard(cards) => {
                let made = if view.merged { None } else { Some(self.merge(table, deal, &mut hand, challenger, rng)?) };
                let places: Vec<u8> =
                    (0u8..).zip(&hand).filter(|(_, own)| is_in(own.card as u8, cards)).map(|(at, _)| at).collect();
                let (laid, kept) = divide(&hand, &places);
                let memo = Memo { hand: Some(secrets(&kept)), laid: Some(secrets(&laid)), ..Memo::default() };
                return Some(Made { step: Step::Discard(made, places), memo });
            }
            Action::Annul(false) => Step::Annul(None),
            Action::Annul(true) => {
                let cards = self.knowledge.cards?;
                let reason = annulment(cards.kept, cards.discard).ok()?;
                let claim = view.ledger.annulment(me, reason);
                let evidence = claim.prove(&table.tools, &deal.key, &mut hand, challenger, rng)?;
                let zeros = self.bits.iter().map(|s| *s.expose_secret()).take(view.zeros(reason)).collect();
                Step::Annul(Some((reason, evidence, zeros)))
            }
            Action::Say(token) => {
                let claims = view.ledger.word(&view.public, me, token)?;
                Step::Word(token, self.prove(table, deal, &claims, &mut hand, challenger, rng)?)
            }
            Action::Play(card) => {
                let at = hand.iter().position(|own| own.card == usize::from(card.number()))?;
                let opening = CardOpening::new(&hand.remove(at));
                let evidence = self.prove(table, deal, &view.play(card)?, &mut hand, challenger, rng)?;
                return Some(Made { step: Step::Play(at as u8, opening, evidence), memo: Memo::default() });
            }
            Action::Claim(claim) => Step::Claim(claim),
        };
        Some(Made { step, memo: Memo { hand: Some(secrets(&hand)), ..Memo::default() } })
    }

    /// Proves claims about the hand one after the other, and leaves it as it is then.
    pub(crate) fn prove(
        &self,
        table: &Table,
        deal: &Deal,
        claims: &[Claim],
        hand: &mut Vec<OwnCard>,
        challenger: &mut Challenger,
        rng: &mut impl Source,
    ) -> Option<Vec<Evidence>> {
        let me = table.player(self.seat)?.index();
        let mut evidence = Vec::new();
        for claim in claims {
            evidence.push(match claim.on {
                On::Hand => claim.prove(&table.tools, &deal.key, hand, challenger, rng)?,
                On::Dealt => {
                    let mut dealt = own_cards(&self.dealt, &deal.dealt[me]);
                    claim.prove(&table.tools, &deal.key, &mut dealt, challenger, rng)?
                }
            });
        }
        Some(evidence)
    }

    /// Hand and talon as one hand (E2).
    pub(crate) fn merge(
        &self,
        table: &Table,
        deal: &Deal,
        hand: &mut Vec<OwnCard>,
        challenger: &mut Challenger,
        rng: &mut impl Source,
    ) -> Option<(Codes, super::grade::MakeProof)> {
        let drawn = &deal.drawn.as_ref()?[table.player(self.seat)?.index()];
        let OwnKey { secret, .. } = self.key.as_ref()?;
        let (merged, proof) = table.tools.make(secret, &deal.key, hand, drawn, challenger, rng)?;
        *hand = merged;
        Some((Codes(hand.iter().map(|own| own.code).collect()), proof))
    }

    fn trial(
        &self,
        table: &Table,
        deal: &Deal,
        challenger: &mut Challenger,
        rng: &mut impl Source,
    ) -> Option<MadeStep> {
        let mut hand = self.cards(table)?;
        let (codes, proof) = self.merge(table, deal, &mut hand, challenger, rng)?;
        let honour = hand.iter().any(|own| Card::from_number(own.card as u8).is_some_and(Card::is_honour));
        let claim = deal.ledger.trial(hand.len(), honour);
        let evidence = claim.prove(&table.tools, &deal.key, &mut hand, challenger, rng)?;
        let memo = Memo { hand: Some(secrets(&hand)), ..Memo::default() };
        Some(Made { step: Step::Trial(honour, codes, proof, evidence), memo })
    }

    fn tell(&self, table: &Table, deal: &Deal, challenger: &mut Challenger, rng: &mut impl Source) -> Option<MadeStep> {
        let me = table.player(self.seat)?;
        let view = table.view(deal, me)?;
        let laid = own_cards(&self.laid, &deal.laid[me.index()]);
        self.tell_of(&laid, table, deal, &view, challenger, rng)
    }

    /// Tells of some discards.
    pub(crate) fn tell_of(
        &self,
        laid: &[OwnCard],
        table: &Table,
        deal: &Deal,
        view: &View,
        challenger: &mut Challenger,
        rng: &mut impl Source,
    ) -> Option<MadeStep> {
        let (tools, key) = (&table.tools, &*deal.key);
        let [tarokks, coloured] = view.allowed();
        if view.tells_bits() {
            let allowed = tarokks.union(coloured);
            let made = laid.iter().map(|own| Bit::make(key, &tools.faces, allowed, own, challenger, rng));
            let (bits, randomness) = made.collect::<Option<Vec<_>>>()?.into_iter().unzip();
            let memo = Memo { bits: Some(randomness), ..Memo::default() };
            return Some(Made { step: Step::Tell(Tell::Bits(bits)), memo });
        }
        let is_tarokk = |own: &OwnCard| is_in(own.card as u8, super::claim::tarokks());
        let places: Vec<u8> = (0u8..).zip(laid).filter(|(_, own)| is_tarokk(own)).map(|(at, _)| at).collect();
        let (pointed, others) = divide(laid, &places);
        let (mut shown, mut inside) = (Vec::new(), SetProof::Nothing);
        if view.is_declarer() {
            shown = pointed.iter().map(CardOpening::new).collect();
        } else {
            inside = tools.prove_set(key, tarokks, &pointed, challenger, rng).unwrap_or(SetProof::Nothing);
        }
        // What cannot be shown is left out; the rules have let no honest seat come to that.
        let rest = tools.prove_set(key, coloured, &others, challenger, rng).unwrap_or(SetProof::Nothing);
        let (mut shuffled, mut memo) = (None, Memo::default());
        if view.taken == 0 {
            let mut hand = self.cards(table)?;
            shuffled = Some(reshuffle(tools, key, &mut hand, challenger, rng)?);
            memo.hand = Some(secrets(&hand));
        }
        let tell = Tell::Counted { tarokks: places, shown, inside, rest, shuffled };
        Some(Made { step: Step::Tell(tell), memo })
    }
}

impl Encode for Memo {
    fn encode(&self, out: &mut Vec<u8>) {
        let Self { key, hand, laid, bits } = self;
        let lists = [hand, laid].map(|list| list.as_ref().map_or(0, Vec::len));
        // With room for all: a vector that grows leaves copies behind.
        out.reserve_exact(6 + OwnKey::BYTES + 33 * (lists[0] + lists[1]) + 32 * bits.as_ref().map_or(0, Vec::len));
        out.push(
            u8::from(key.is_some())
                | u8::from(hand.is_some()) << 1
                | u8::from(laid.is_some()) << 2
                | u8::from(bits.is_some()) << 3,
        );
        if let Some(own) = key {
            own.encode(out);
        }
        for list in [hand, laid].into_iter().flatten() {
            out.push(list.len() as u8);
            for (card, r) in list {
                out.push(*card);
                r.expose_secret().encode(out);
            }
        }
        if let Some(bits) = bits {
            out.push(bits.len() as u8);
            bits.iter().for_each(|s| s.expose_secret().encode(out));
        }
    }
}

impl Decode for Memo {
    type Shape = ();
    fn read(reader: &mut Reader<'_>, (): &()) -> Result<Self, DecodeError> {
        let present = reader.u8("memo")?;
        if present >= 16 {
            return Err(reader.error("memo", Malformed::Tag(present)));
        }
        let has = |i: u8| present >> i & 1 == 1;
        let key = if has(0) { Some(OwnKey::read(reader, &())?) } else { None };
        let list = |reader: &mut Reader<'_>| {
            let n = usize::from(reader.u8("memo.cards")?);
            reader.list("memo.cards", n, 33, |reader| {
                Ok((reader.u8("memo.card")?, SecretScalar::new(reader.scalar("memo.randomness")?)))
            })
        };
        let hand = if has(1) { Some(list(reader)?) } else { None };
        let laid = if has(2) { Some(list(reader)?) } else { None };
        let bits = match has(3) {
            true => {
                let n = usize::from(reader.u8("memo.bits")?);
                let scalars: Vec<Scalar> = reader.scalars("memo.bits", n)?;
                Some(scalars.into_iter().map(SecretScalar::new).collect())
            }
            false => None,
        };
        Ok(Self { key, hand, laid, bits })
    }
}
