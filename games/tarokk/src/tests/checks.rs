//! Every check on its own: accepted of a hand that has the cards, refused of one that does not, and an old proof refused of a
//! hand that has changed or in another place.

use outis_crypto::batch::Batch;
use outis_crypto::card::{Code, Codes, OwnCard};
use outis_crypto::challenger::Challenger;
use outis_crypto::context::{Context, Head, Seat, TableId};
use outis_crypto::deck::{CardOpening, create};
use outis_crypto::key::JointKey;
use outis_crypto::key::testing::table_of;
use outis_crypto::shuffle::Decks;
use outis_crypto::shuffle::recreate::Hands;
use outis_crypto::sigma::Invalid;
use outis_table::game::{Checks, Fault, Grade, Observer, Rules};
use rand_chacha::ChaCha20Rng;
use rand_core::SeedableRng;

use crate::cheats::fake;
use crate::protocol::claim::{Claim, Ledger, On, Rule, coloured, tarokks};
use crate::protocol::evidence::{Docket, Evidence, reshuffle};
use crate::protocol::fault::Cheated;
use crate::protocol::grade::{MakeProof, SetProof, ShuffleProof, Tools};
use crate::rules::announce::Token;
use crate::rules::auction::Call;
use crate::rules::cards::Card;
use crate::rules::cardset::CardSet;
use crate::rules::discard::AnnulmentReason;
use crate::rules::options::Options;
use crate::rules::seats::Player;
use crate::rules::table::Tarokk;

fn context(head: u8) -> Context {
    Context { table: TableId([1; 32]), deal: 0, seat: Seat(0), head: Head([head; 32]) }
}

fn cards(names: &str) -> Vec<Card> {
    names.split_whitespace().map(|name| Card::parse(name).expect("a card")).collect()
}

struct Room {
    tools: Tools,
    key: JointKey,
    rng: ChaCha20Rng,
}

impl Room {
    fn new(grade: Grade) -> Self {
        let mut rng = ChaCha20Rng::seed_from_u64(5);
        let (_, key) = table_of(4, &mut rng);
        Self { tools: Tools::new(grade, "tarokk"), key, rng }
    }

    fn hand(&mut self, names: &str) -> Vec<OwnCard> {
        let make = |card: Card| create(&self.key, &self.tools.faces, card.number().into(), &mut self.rng);
        cards(names).into_iter().map(make).collect::<Option<_>>().expect("codes")
    }

    fn prove(&mut self, claim: &Claim, hand: &[OwnCard]) -> Option<(Evidence, Vec<OwnCard>)> {
        let mut hand = hand.to_vec();
        let mut challenger = Challenger::new(&context(1));
        let evidence = claim.prove(&self.tools, &self.key, &mut hand, &mut challenger, &mut self.rng)?;
        Some((evidence, hand))
    }

    fn judge(&self, claim: &Claim, evidence: &Evidence, codes: &[Code], head: u8) -> Result<(), &'static str> {
        let (mut docket, mut challenger) = (Docket::default(), Challenger::new(&context(head)));
        docket.hear_claim(&self.tools, &self.key, claim, evidence, codes, &mut challenger);
        docket.settle(Checks::default()).map(|_| ()).map_err(|fault| fault.check())
    }
}

fn codes(hand: &[OwnCard]) -> Vec<Code> {
    hand.iter().map(|own| own.code).collect()
}

fn one(rule: Rule, name: &str, of: usize) -> Claim {
    let set = cards(name).into_iter().collect();
    Claim { on: On::Hand, of, pointed: 1, inside: (rule, set), rest: None, shuffle: true }
}

fn whole(rule: Rule, set: CardSet, of: usize) -> Claim {
    let inside = (rule, CardSet::EMPTY);
    Claim { on: On::Hand, of, pointed: 0, inside, rest: Some((rule, set)), shuffle: false }
}

/// A claim, a hand of which it is true, one of which it is not, and the check that says so.
fn table() -> Vec<(Claim, &'static str, &'static str, &'static str)> {
    const NINE: &str = "skiz XXI XX XIX XVIII XVII XVI XV XIV";
    const EIGHT: &str = "skiz XXI XX XIX XVIII XVII XVI XV H:K";
    const SEVEN: &str = "skiz XXI XX XIX XVIII XVII XVI S:K H:K";
    const PLAIN: &str = "II III IV V H:Q D:Q C:Q S:Q S:J";
    const COLOURED: &str = "H:K D:K C:K S:K H:Q D:Q C:Q S:Q S:J";
    let ledger = Ledger::dealt();
    let annul = |reason| ledger.annulment(Player::FIRST, reason);
    let suit = CardSet::ALL.of(crate::rules::cards::Suit::Hearts);
    let between: CardSet = cards("XX XIX").into_iter().collect();
    let call = Claim {
        pointed: 2,
        inside: (Rule::Call, between),
        rest: Some((Rule::Call, CardSet::ALL.without(between).without(cards("XVIII").into_iter().collect()))),
        ..one(Rule::Call, "XX", 9)
    };
    let eight = Claim {
        rest: Some((Rule::Eight, tarokks())),
        inside: (Rule::EightNotNine, coloured()),
        ..one(Rule::Eight, "XX", 9)
    };
    let few = Claim { pointed: 2, inside: (Rule::CountDue, coloured()), ..one(Rule::CountDue, "XX", 9) };
    vec![
        (one(Rule::Honour, "skiz XXI pagat", 9), NINE, PLAIN, "honour"),
        (one(Rule::Invit, "XIX", 9), NINE, PLAIN, "invit"),
        (one(Rule::Yield, "XX", 9), NINE, PLAIN, "yield"),
        (one(Rule::Yield, "skiz XXI", 9), NINE, PLAIN, "yield"),
        (annul(AnnulmentReason::FourKings), COLOURED, EIGHT, "annulment"),
        (annul(AnnulmentReason::NoTarokk), COLOURED, EIGHT, "annulment"),
        (annul(AnnulmentReason::OnlyXxi), "XXI H:K D:K C:K H:Q D:Q C:Q S:Q S:J", COLOURED, "annulment"),
        (
            annul(AnnulmentReason::OnlyPagat),
            "pagat H:K D:K C:K H:Q D:Q C:Q S:Q S:J",
            "II H:K D:K C:K H:Q D:Q C:Q S:Q S:J",
            "annulment",
        ),
        (annul(AnnulmentReason::XxiAndPagat), "XXI pagat H:K D:K C:K H:Q D:Q C:Q S:Q", EIGHT, "annulment"),
        (eight, EIGHT, SEVEN, "eight"),
        (eight, EIGHT, NINE, "eight-not-nine"),
        (whole(Rule::Nine, tarokks(), 9), NINE, EIGHT, "nine"),
        (few, SEVEN, EIGHT, "count-due"),
        (one(Rule::Partner, "XX", 9), NINE, PLAIN, "partner"),
        (whole(Rule::Opponent, CardSet::ALL.without(cards("XX").into_iter().collect()), 9), PLAIN, NINE, "opponent"),
        (
            whole(Rule::NoSuit, CardSet::ALL.without(suit), 8),
            "II III IV V D:Q C:Q S:Q S:J",
            "II III IV V H:Q C:Q S:Q S:J",
            "no-suit",
        ),
        (whole(Rule::NoTarokk, coloured().without(suit), 4), "D:Q C:Q S:Q S:J", "II C:Q S:Q S:J", "no-tarokk"),
        (whole(Rule::PagatKept, coloured(), 1), "D:Q", "II", "pagat-kept"),
        (ledger.trial(10, true), "skiz II III IV V H:Q D:Q C:Q S:Q S:J", "VI II III IV V H:Q D:Q C:Q S:Q S:J", "trial"),
        (
            ledger.trial(10, false),
            "VI II III IV V H:Q D:Q C:Q S:Q S:J",
            "skiz II III IV V H:Q D:Q C:Q S:Q S:J",
            "trial",
        ),
        (call, "XX XIX II III H:Q D:Q C:Q S:Q S:J", "XX XVIII II III H:Q D:Q C:Q S:Q S:J", "call"),
        (call, "XX XIX II III H:Q D:Q C:Q S:Q S:J", "XX XIX XVIII III H:Q D:Q C:Q S:Q S:J", "call"),
        (one(Rule::ForcedUltimo, "skiz XXI", 9), NINE, PLAIN, "forced-ultimo"),
    ]
}

fn assert_checks(grade: Grade, table: &[(Claim, &str, &str, &'static str)]) {
    let mut room = Room::new(grade);
    for (claim, good, bad, check) in table {
        let name = format!("{grade:?} {check}");
        let hand = room.hand(good);
        let (evidence, _) = room.prove(claim, &hand).unwrap_or_else(|| panic!("{name}: cannot be proved"));
        assert_eq!(room.judge(claim, &evidence, &codes(&hand), 1), Ok(()), "{name}");
        // The same proof in another place, and of the same hand after a shuffle.
        assert!(room.judge(claim, &evidence, &codes(&hand), 2).is_err(), "{name}: moved to another place");
        let mut changed = hand.clone();
        let mut challenger = Challenger::new(&context(1));
        reshuffle(&room.tools, &room.key, &mut changed, &mut challenger, &mut room.rng).expect("a shuffle");
        assert!(room.judge(claim, &evidence, &codes(&changed), 1).is_err(), "{name}: replayed on a changed hand");
        // A hand that is not so: an honest prover finds no proof, a liar's is refused by name.
        let other = room.hand(bad);
        let refused = match room.prove(claim, &other) {
            Some((evidence, _)) => room.judge(claim, &evidence, &codes(&other), 1),
            None => {
                let mut lied = other.clone();
                fake(&mut lied, claim, CardSet::EMPTY);
                match room.prove(claim, &lied) {
                    Some((evidence, _)) => room.judge(claim, &evidence, &codes(&other), 1),
                    None => Err(*check),
                }
            }
        };
        assert_eq!(refused, Err(*check), "{name}");
    }
}

#[test]
fn every_hardened_check_accepts_refuses_and_is_not_replayed() {
    assert_checks(Grade::Hardened, &table());
}

#[test]
fn classic_checks_accept_refuse_and_are_not_replayed() {
    // One of each shape: cut and choose is the same for all of them.
    let table = table();
    assert_checks(Grade::Classic, &[table[0], table[9], table[15]]);
}

/// Whether a proof is accepted on its own in the place of a log with this head.
fn accepts(head: u8, verify: impl FnOnce(&mut Challenger, &mut Batch) -> Result<(), Invalid>) -> bool {
    let (mut docket, mut challenger) = (Docket::default(), Challenger::new(&context(head)));
    docket.hear(Cheated::Kind, |batch| verify(&mut challenger, batch));
    docket.settle(Checks::default()).is_ok()
}

/// RC-4, RC-5: a shuffled hand, and a hand with the cards of the talon, hold the old cards, are bound to their place, and are no proof
/// about another hand.
#[test]
fn new_hands_accept_refuse_and_are_not_replayed() {
    let mut room = Room::new(Grade::Hardened);
    let hand = room.hand("skiz II III IV V H:Q D:Q C:Q S:Q");
    let (mut after, mut changed) = (hand.clone(), hand.clone());
    let make = |cards: &mut Vec<OwnCard>, room: &mut Room| {
        reshuffle(&room.tools, &room.key, cards, &mut Challenger::new(&context(1)), &mut room.rng).expect("a shuffle")
    };
    let (_, proof) = make(&mut after, &mut room);
    make(&mut changed, &mut room);
    let other = room.hand("XXI")[0].code;
    let with_other = |codes: &[Code]| [&[other][..], &codes[1..]].concat();
    let shuffles = |head, before: &[Code], after: &[Code]| {
        let decks = Decks { input: before, output: after };
        accepts(head, |c, batch| room.tools.verify_shuffle(&room.key, decks, &proof, c, batch))
    };
    assert!(shuffles(1, &codes(&hand), &codes(&after)));
    assert!(!shuffles(2, &codes(&hand), &codes(&after)), "in another place");
    assert!(!shuffles(1, &codes(&changed), &codes(&after)), "of a changed hand");
    assert!(!shuffles(1, &codes(&hand), &with_other(&codes(&after))), "with a card that was not there");

    let (secrets, own_key) = table_of(1, &mut room.rng);
    let drawn: Vec<Code> = ["X", "H:A"]
        .map(|name| create(&own_key, &room.tools.faces, cards(name)[0].number().into(), &mut room.rng).expect("a code"))
        .map(|own| own.code)
        .to_vec();
    let made = room.tools.make(&secrets[0], &room.key, &hand, &drawn, &mut Challenger::new(&context(1)), &mut room.rng);
    let (merged, proof) = made.expect("a hand");
    let merges = |head, held: &[Code], after: Vec<Code>| {
        let after = Codes(after);
        let hands = Hands { held, drawn: &drawn, created: &after };
        accepts(head, |c, batch| room.tools.verify_make(secrets[0].key(), &room.key, hands, &proof, c, batch))
    };
    assert!(merges(1, &codes(&hand), codes(&merged)));
    assert!(!merges(2, &codes(&hand), codes(&merged)), "in another place");
    assert!(!merges(1, &codes(&changed), codes(&merged)), "of a changed hand");
    assert!(!merges(1, &codes(&hand), with_other(&codes(&merged))), "with a card that was not there");
}

/// In the classic grade every drawn card has its fresh code and the proof that it is the same: with one fewer, a card could be any card.
#[test]
fn a_classic_hand_with_an_unproved_card_is_refused() {
    let mut room = Room::new(Grade::Classic);
    let hand = room.hand("skiz II");
    let (secrets, own_key) = table_of(1, &mut room.rng);
    let drawn =
        [create(&own_key, &room.tools.faces, cards("X")[0].number().into(), &mut room.rng).expect("a code").code];
    let made = room.tools.make(&secrets[0], &room.key, &hand, &drawn, &mut Challenger::new(&context(1)), &mut room.rng);
    let (merged, proof) = made.expect("a hand");
    let (held, created) = (codes(&hand), Codes(codes(&merged)));
    let accepts_with = |proof: &MakeProof| {
        let hands = Hands { held: &held, drawn: &drawn, created: &created };
        accepts(1, |c, batch| room.tools.verify_make(secrets[0].key(), &room.key, hands, proof, c, batch))
    };
    assert!(accepts_with(&proof));
    // The shuffle alone is proved: of the hand and a card that was not drawn.
    let MakeProof::Classic { made, same, .. } = proof else { panic!("it is classic") };
    let mut all = hand.clone();
    all.extend(room.hand("XXI"));
    let (before, mut after) = (codes(&all), all.clone());
    let (after_codes, ShuffleProof::Classic(shuffle)) =
        reshuffle(&room.tools, &room.key, &mut after, &mut Challenger::new(&context(1)), &mut room.rng)
            .expect("a shuffle")
    else {
        panic!("it is classic")
    };
    let lie = MakeProof::Classic { made: Codes(vec![before[2]]), same: Vec::new(), shuffle };
    let hands = Hands { held: &held, drawn: &drawn, created: &after_codes };
    assert!(!accepts(1, |c, batch| room.tools.verify_make(secrets[0].key(), &room.key, hands, &lie, c, batch)));
    assert_eq!((made.0.len(), same.len()), (1, 1));
}

/// What has to be shown is asked in the phase where it is due; elsewhere it is not that nothing has to be shown.
#[test]
fn no_claims_are_known_in_another_phase() {
    let ledger = Ledger::dealt();
    let public = Tarokk::initial_knowledge(&Options::default(), 4, Observer::Spectator).public;
    let (call, word) =
        (ledger.call(&public, Player::FIRST, Call::Pass), ledger.word(&public, Player::FIRST, Token::Pass));
    assert!(call.is_none() && word.is_none());
}

/// RC-6, RC-7: only cards that may be discarded are discarded. RC-8, RC-15a, RC-17: an opening is of one code.
#[test]
fn discards_and_openings_accept_refuse_and_are_not_replayed() {
    let mut room = Room::new(Grade::Hardened);
    let may = tarokks().filter(|card| !card.is_honour());
    let coloured = coloured().filter(|card| !card.is_king());
    for (set, good, bad, name) in [(may, "II V", "II skiz", "III"), (coloured, "H:Q S:10", "H:Q S:K", "S:Q")] {
        let laid = room.hand(good);
        let mut changed = laid.clone();
        let mut challenger = Challenger::new(&context(1));
        reshuffle(&room.tools, &room.key, &mut changed, &mut challenger, &mut room.rng).expect("a shuffle");
        let mut false_cards = room.hand(bad);
        assert!(room.tools.prove_set(&room.key, set, &false_cards, &mut challenger, &mut room.rng).is_none());
        false_cards[1].card = cards(name)[0].number().into();
        let mut prove = |cards: &[OwnCard]| {
            room.tools.prove_set(&room.key, set, cards, &mut Challenger::new(&context(1)), &mut room.rng)
        };
        let (proof, lie) = (prove(&laid).expect("a proof"), prove(&false_cards));
        let lies_in = |head, proof: &SetProof, codes: &[Code]| {
            accepts(head, |c, batch| room.tools.verify_set(&room.key, set, codes, proof, c, batch))
        };
        assert!(lies_in(1, &proof, &codes(&laid)), "{good}");
        assert!(!lies_in(2, &proof, &codes(&laid)), "{good} in another place");
        assert!(!lies_in(1, &proof, &codes(&changed)), "{good} of other codes");
        assert!(lie.is_none_or(|lie| !lies_in(1, &lie, &codes(&false_cards))), "{bad}");

        let opening = CardOpening::new(&laid[0]);
        assert!(opening.opens(&room.key, &room.tools.faces, &laid[0].code));
        assert!(changed.iter().all(|own| !opening.opens(&room.key, &room.tools.faces, &own.code)), "of other codes");
        let lie = CardOpening::new(&false_cards[1]);
        assert!(!lie.opens(&room.key, &room.tools.faces, &false_cards[1].code), "{bad}");
    }
}

/// After a check that pointed at a card and the shuffle behind it, how often the card is at each place, and how far that is from
/// chance: chi-square with 8 degrees of freedom.
fn places_after_pointing(runs: u32) -> ([u32; 9], f64) {
    let mut room = Room::new(Grade::Hardened);
    let hand = room.hand("skiz II III IV V H:Q D:Q C:Q S:Q");
    let claim = one(Rule::Honour, "skiz XXI pagat", 9);
    let mut counts = [0u32; 9];
    for _ in 0..runs {
        let (evidence, after) = room.prove(&claim, &hand).expect("a skíz");
        assert_eq!(evidence.pointed, [0]);
        let at = after.iter().position(|own| own.card == usize::from(Card::SKIZ.number())).expect("the skíz");
        counts[at] += 1;
        let old = codes(&hand);
        assert!(after.iter().all(|own| !old.contains(&own.code)), "no code is left of the old hand");
    }
    let expected = f64::from(runs) / 9.0;
    let chi = counts.iter().map(|n| (f64::from(*n) - expected).powi(2) / expected).sum();
    (counts, chi)
}

/// The 10⁻⁵ tail of chi-square with 8 degrees of freedom.
const TAIL: f64 = 37.3;

/// S-25: the card can be anywhere afterwards.
#[test]
fn a_card_that_was_pointed_at_is_anywhere_afterwards() {
    let (counts, chi) = places_after_pointing(900);
    assert!(chi < TAIL, "chi-square {chi}: {counts:?}");
}

#[test]
#[ignore = "minutes in debug; cargo test --release -p outis-tarokk -- --ignored --nocapture ten_thousand"]
fn ten_thousand_pointed_cards_are_anywhere_afterwards() {
    let (counts, chi) = places_after_pointing(10_000);
    println!("S-25: chi-square {chi:.2} (8 degrees of freedom): {counts:?}");
    assert!(chi < TAIL, "chi-square {chi}: {counts:?}");
}

/// The hand is in random order: the place that is pointed at must not tell how many cards of the set there are.
#[test]
fn any_card_of_the_set_may_be_the_one_that_is_pointed_at() {
    let mut room = Room::new(Grade::Hardened);
    let hand = room.hand("skiz II III IV XXI H:Q D:Q C:Q pagat");
    let claim = one(Rule::Honour, "skiz XXI pagat", 9);
    let mut counts = [0u32; 9];
    for _ in 0..90 {
        let (evidence, _) = room.prove(&claim, &hand).expect("three honours");
        counts[usize::from(evidence.pointed[0])] += 1;
    }
    let honours = [counts[0], counts[4], counts[8]];
    assert_eq!(honours.iter().sum::<u32>(), 90, "only honours: {counts:?}");
    // About thirty each; below twelve once in some ten thousand runs.
    assert!(honours.iter().all(|n| *n >= 12), "{counts:?}");
}

/// E3: what may be remembered, and what may not.
#[test]
fn the_ledger_remembers_only_what_stays_true() {
    let mut ledger = Ledger::dealt();
    ledger.honour = [true; 4];
    ledger.exchanged(CardSet::EMPTY);
    assert_eq!(ledger.upper, [CardSet::ALL; 4], "nothing about a hand survives the talon");
    let card = |name| Card::parse(name).expect("a card");
    ledger.opened(card("XX"));
    assert!(ledger.upper.iter().all(|upper| !upper.contains(card("XX"))), "an opened card is in no hand");
    ledger.holds(Player::FIRST, card("XIX"));
    assert!(ledger.upper[0].contains(card("XIX")) && !ledger.upper[1].contains(card("XIX")));
}

/// A machine that was put back makes the bit of another discard, or of the same in another entry: with the same randomness
/// the difference of two bits could be read off (K-3).
#[test]
fn bits_have_randomness_of_their_own_though_the_generator_repeats_itself() {
    use outis_crypto::card::Faces;
    use outis_crypto::challenger::Challenger;
    use outis_crypto::context::{Context, Head, TableId};
    use outis_crypto::deck::create;
    use outis_crypto::key::testing::table_of;
    use rand_chacha::ChaCha20Rng;
    use rand_core::SeedableRng;

    use crate::protocol::bits::Bit;
    use crate::rules::cards::Card;
    use crate::rules::cardset::CardSet;
    let (restored, pack) = (|| ChaCha20Rng::seed_from_u64(99), Faces::new("tarokk", 42));
    let (_, key) = table_of(2, &mut restored());
    let allowed: CardSet = Card::all().collect();
    let mut seen = Vec::new();
    for (head, card) in [(1, 3), (1, 40), (2, 3)] {
        let own = create(&key, &pack, card, &mut restored()).unwrap();
        let context = Context { table: TableId([1; 32]), deal: 0, seat: Seat(0), head: Head([head; 32]) };
        let mut challenger = Challenger::new(&context);
        let (bit, s) = Bit::make(&key, &pack, allowed, &own, &mut challenger, &mut restored()).unwrap();
        let tarokk = Card::all().find(|c| usize::from(c.number()) == card).unwrap().is_tarokk();
        assert_eq!(Bit::is_zero(&key, &bit.code, s.expose_secret()), !tarokk, "card {card}");
        assert!(!seen.contains(bit.code.c1.as_bytes()), "one randomness for two bits");
        seen.push(*bit.code.c1.as_bytes());
    }
}

/// Everything that others can see is the same, and so is the generator: the randomness of the seat's own card still makes a difference.
#[test]
fn the_randomness_of_a_bit_hangs_on_the_seats_secret() {
    use outis_crypto::card::Faces;
    use outis_crypto::challenger::Challenger;
    use outis_crypto::context::{Context, Head, TableId};
    use outis_crypto::deck::create;
    use outis_crypto::group::Scalar;
    use outis_crypto::key::testing::table_of;
    use outis_crypto::secret::SecretScalar;
    use rand_chacha::ChaCha20Rng;
    use rand_core::SeedableRng;

    use crate::protocol::bits::Bit;
    use crate::rules::cards::Card;
    use crate::rules::cardset::CardSet;
    let (restored, pack) = (|| ChaCha20Rng::seed_from_u64(99), Faces::new("tarokk", 42));
    let (_, key) = table_of(2, &mut restored());
    let allowed: CardSet = Card::all().collect();
    let context = Context { table: TableId([1; 32]), deal: 0, seat: Seat(0), head: Head([1; 32]) };
    let drawn = [1u64, 2].map(|secret| {
        let mut own = create(&key, &pack, 3, &mut restored()).unwrap();
        own.randomness = SecretScalar::new(Scalar::from(secret));
        let made = Bit::make(&key, &pack, allowed, &own, &mut Challenger::new(&context), &mut restored());
        *made.unwrap().1.expose_secret()
    });
    assert_ne!(drawn[0], drawn[1]);
}
