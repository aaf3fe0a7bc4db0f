//! The proof of a [`Claim`], and the docket on which the claims of one entry are checked together.

use outis_crypto::batch::{Batch, Settled};
use outis_crypto::card::{Code, Codes, OwnCard};
use outis_crypto::challenger::{Challenger, Purpose, Source};
use outis_crypto::codec::{Decode, DecodeError, Encode, Malformed, Reader};
use outis_crypto::deck::shuffle_hand;
use outis_crypto::key::JointKey;
use outis_crypto::permutation::Permutation;
use outis_crypto::shuffle::Decks;
use outis_crypto::sigma::Invalid;
use outis_table::game::Checks;

use super::claim::Claim;
use super::claim::Rule;
use super::fault::Cheated;
use super::grade::{SetProof, ShuffleProof, Tools};
use crate::rules::cards::Card;
use crate::rules::cardset::CardSet;

/// What shows a claim.
#[derive(Clone, Debug)]
pub struct Evidence {
    /// Which codes are pointed at, in ascending order.
    pub pointed: Vec<u8>,
    /// Where they lie.
    pub inside: SetProof,
    /// Where the others lie.
    pub rest: SetProof,
    /// The hand, shuffled.
    pub shuffled: Option<(Codes, ShuffleProof)>,
}

impl Claim {
    fn rest_of(&self) -> usize {
        if self.rest.is_some() { self.of.saturating_sub(self.pointed) } else { 0 }
    }

    fn rest_set(&self) -> CardSet {
        self.rest.map_or(CardSet::EMPTY, |(_, set)| set)
    }

    /// Reads the evidence of this claim.
    pub fn read(&self, tools: &Tools, reader: &mut Reader<'_>) -> Result<Evidence, DecodeError> {
        let pointed = read_places(reader, "claim.pointed", self.pointed, self.of)?;
        let inside = tools.read_set(reader, self.pointed, self.inside.1.len())?;
        let rest = tools.read_set(reader, self.rest_of(), self.rest_set().len())?;
        let shuffled = match self.shuffle {
            true => Some((Codes::read(reader, &self.of)?, tools.read_shuffle(reader, self.of)?)),
            false => None,
        };
        Ok(Evidence { pointed, inside, rest, shuffled })
    }

    /// Proves it of some cards, and leaves them shuffled if the claim asks for it. `None` if it is not so.
    pub fn prove(
        &self,
        tools: &Tools,
        key: &JointKey,
        cards: &mut Vec<OwnCard>,
        challenger: &mut Challenger,
        rng: &mut impl Source,
    ) -> Option<Evidence> {
        let pointed = self.places_to_point_at(cards, challenger, rng);
        (pointed.len() == self.pointed && cards.len() == self.of).then_some(())?;
        let (inside, others) = divide(cards, &pointed);
        let inside = tools.prove_set(key, self.inside.1, &inside, challenger, rng)?;
        let rest = match self.rest {
            Some((_, set)) => tools.prove_set(key, set, &others, challenger, rng)?,
            None => SetProof::Nothing,
        };
        let shuffled = match self.shuffle {
            true => Some(reshuffle(tools, key, cards, challenger, rng)?),
            false => None,
        };
        Some(Evidence { pointed, inside, rest, shuffled })
    }

    /// Which codes to point at: any of those that lie inside, drawn by lot. The hand is in random order, so that a rule which
    /// prefers one of them, such as the first, would tell by its place how many there are.
    fn places_to_point_at(&self, cards: &[OwnCard], challenger: &Challenger, rng: &mut impl Source) -> Vec<u8> {
        let codes: Vec<Code> = cards.iter().map(|own| own.code).collect();
        let secrets = cards.iter().map(|own| &own.randomness);
        let mut source = challenger.draw(const { Purpose::new("pointed places") }, &codes, secrets, rng);
        let order = Permutation::random(cards.len(), &mut source);
        let lies_inside = |place: &&u32| {
            let card = cards.get(**place as usize).and_then(|own| Card::from_number(own.card as u8));
            card.is_some_and(|card| self.inside.1.contains(card))
        };
        let drawn = order.expose_secret().iter().filter(lies_inside).take(self.pointed);
        let mut places: Vec<u8> = drawn.map(|place| *place as u8).collect();
        places.sort_unstable();
        places
    }
}

/// Shuffles one's own hand and proves it (RC-4).
pub fn reshuffle(
    tools: &Tools,
    key: &JointKey,
    cards: &mut Vec<OwnCard>,
    challenger: &mut Challenger,
    rng: &mut impl Source,
) -> Option<(Codes, ShuffleProof)> {
    let before: Vec<Code> = cards.iter().map(|own| own.code).collect();
    let (after, secret) = shuffle_hand(key, cards, rng)?;
    let codes = Codes(after.iter().map(|own| own.code).collect());
    let decks = Decks { input: &before, output: &codes.0 };
    let proof = tools.prove_shuffle(key, decks, &secret, challenger, rng)?;
    *cards = after;
    Some((codes, proof))
}

/// The items at some places, and the others.
pub fn divide<T: Clone>(items: &[T], places: &[u8]) -> (Vec<T>, Vec<T>) {
    let (inside, others): (Vec<_>, Vec<_>) = (0u8..).zip(items).partition(|(i, _)| places.contains(i));
    let strip = |items: Vec<(u8, &T)>| items.into_iter().map(|(_, item)| item.clone()).collect();
    (strip(inside), strip(others))
}

/// Reads `n` places below `of`, in ascending order.
pub fn read_places(reader: &mut Reader<'_>, field: &'static str, n: usize, of: usize) -> Result<Vec<u8>, DecodeError> {
    let mut places: Vec<u8> = Vec::with_capacity(n.min(of));
    for i in 0..n {
        let place = reader.u8(field)?;
        if usize::from(place) >= of {
            let fault = Malformed::Count { got: place.into(), min: 0, max: of.saturating_sub(1) as u64 };
            return Err(reader.error(field, fault));
        }
        if places.last().is_some_and(|last| *last >= place) {
            return Err(reader.error(field, Malformed::Repeated(i)));
        }
        places.push(place);
    }
    Ok(places)
}

impl Encode for Evidence {
    fn encode(&self, out: &mut Vec<u8>) {
        let Self { pointed, inside, rest, shuffled } = self;
        out.extend_from_slice(pointed);
        inside.encode(out);
        rest.encode(out);
        if let Some((codes, proof)) = shuffled {
            codes.encode(out);
            proof.encode(out);
        }
    }
}

/// The proofs of one entry, checked together; each has the fault that it excludes.
#[derive(Default)]
pub struct Docket {
    batch: Batch,
    faults: Vec<Cheated>,
    /// The first thing that needs no equation to be wrong. What comes after it is not heard.
    invalid: Option<Cheated>,
}

impl Docket {
    /// Takes in a proof: `verify` adds its claims to the batch.
    pub fn hear(&mut self, fault: Cheated, verify: impl FnOnce(&mut Batch) -> Result<(), Invalid>) {
        if self.invalid.is_some() {
            return;
        }
        let before = self.batch.len();
        if verify(&mut self.batch).is_err() {
            self.refuse(fault);
        }
        self.faults.extend((before..self.batch.len()).map(|_| fault));
    }

    /// Takes in what nothing speaks for.
    pub fn refuse(&mut self, fault: Cheated) {
        self.invalid.get_or_insert(fault);
    }

    /// Takes in a claim about some codes with its evidence; returns the codes as they are afterwards.
    pub fn hear_claim(
        &mut self,
        tools: &Tools,
        key: &JointKey,
        claim: &Claim,
        evidence: &Evidence,
        codes: &[Code],
        challenger: &mut Challenger,
    ) -> Vec<Code> {
        let (inside, others) = divide(codes, &evidence.pointed);
        // The decoder has seen to that; a claim about fewer codes would say less.
        if inside.len() != claim.pointed || codes.len() != claim.of || evidence.shuffled.is_some() != claim.shuffle {
            self.refuse(Cheated::Rule(claim.inside.0));
        }
        let mut set = |(rule, set): (Rule, CardSet), codes: &[Code], proof: &SetProof| {
            if !codes.is_empty() {
                self.hear(Cheated::Rule(rule), |batch| tools.verify_set(key, set, codes, proof, challenger, batch));
            }
        };
        set(claim.inside, &inside, &evidence.inside);
        if let Some(rest) = claim.rest {
            set(rest, &others, &evidence.rest);
        }
        match &evidence.shuffled {
            Some((after, proof)) => {
                self.hear(Cheated::Rule(Rule::Reshuffle), |batch| {
                    tools.verify_shuffle(key, Decks { input: codes, output: &after.0 }, proof, challenger, batch)
                });
                after.0.clone()
            }
            None => codes.to_vec(),
        }
    }

    /// Checks everything; the first fault in order of the entry is named.
    pub fn settle(self, checks: Checks<'_>) -> Result<Settled, Cheated> {
        let Self { batch, faults, invalid } = self;
        let settled = checks.settle_each(batch, |at| faults.get(at).copied().unwrap_or(Cheated::Kind))?;
        invalid.map_or(Ok(()), |fault| checks.demand(false, fault))?;
        Ok(settled)
    }
}
