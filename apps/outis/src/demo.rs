//! `outis story`: a deal without a dealer, and a cheat that is caught.

mod narrator;
mod pack;
mod table;

use std::io::Write;
use std::time::{Duration, Instant};

use outis_crypto::card::Codes;
use outis_crypto::codec::{Decode, Encode};
use outis_crypto::context::Seat;
use outis_crypto::deck::CardOpening;

use self::narrator::{Narrator, bytes, ms};
use self::table::{HAND, Hand, SEATS, Shuffle, Table};
use crate::exit::Failure;

/// The players' names by seat.
const NAMES: [&str; SEATS as usize] = ["Anna", "Béla", "Cili", "Dóra"];

/// Step numbers, which distinguish the entries of one seat. (The deal takes one step for each drawer.)
const SHUFFLE: u8 = 2;
const DEAL: u8 = 3;
const HANDS: u8 = DEAL + SEATS;
const SECOND_SHUFFLE: u8 = HANDS + 1;

/// Tells the story as it happens.
pub fn run(out: &mut impl Write) -> Result<(), Failure> {
    let title = format!("Outis {}. Who deals the cards? Nobody.\n", env!("CARGO_PKG_VERSION"));
    let mut narrator = Narrator::new(out, title)?;
    narrator.tell(
        "Four people want to play cards over the internet. There is no dealer, no referee and no server that could \
         see the cards. Here all four sit in one process, but each receives only bytes from the others, and trusts \
         nothing before checking it. They are Anna, Béla, Cili and Dóra. You are Anna.",
    )?;
    let mut table = key(&mut narrator)?;
    let deck = shuffle(&mut table, &mut narrator)?;
    let hands = deal(&mut table, &deck, &mut narrator)?;
    play(&table, &hands, &mut narrator)?;
    cheat(&mut table, &mut narrator)?;
    narrator.epilogue(
        "That is all. Run `outis` to play on the page, against bots or friends, or `outis play tarokk` to play here. \
         `outis selfplay tarokk --log FILE` lets bots play and sign a log; `outis verify FILE` checks it. \
         `outis cheat tarokk --all` shows how cheats fail. `outis --help` lists all commands.",
    )?;
    Ok(())
}

fn key(narrator: &mut Narrator<'_, impl Write>) -> Result<Table, Failure> {
    narrator.chapter("A lock with four keys")?;
    let (table, time) = timed(Table::new)?;
    narrator.tell(
        "Each player commits to a key, then shows it and proves that they hold its secret half. Together the keys \
         make one lock, and only all four players together can open it.",
    )?;
    narrator.row(format!("{} for all four, {}", bytes(table.seated.bytes), ms(time)))?;
    Ok(table)
}

fn shuffle(table: &mut Table, narrator: &mut Narrator<'_, impl Write>) -> Result<Codes, Failure> {
    narrator.chapter("Everyone shuffles")?;
    narrator.tell(
        "The deck starts face up, each card once. In turn, each player locks every card again, puts them in an \
         order that nobody else knows, and proves that nothing else was changed.",
    )?;
    let chain = shuffles(table, SHUFFLE, [0, 1, 2, 3], None, narrator)?;
    let (checked, time) = timed(|| table.check(SHUFFLE, &chain))?;
    let deck = checked.map_err(Failure::fault)?;
    narrator.tell(format!(
        "All four proofs are valid, checked together in {}. If even one of the four shuffled honestly, nobody knows \
         where any card is.",
        ms(time)
    ))?;
    Ok(deck)
}

/// A round of shuffles in the given order. With `swap`, the first shuffler substitutes one card for another.
fn shuffles(
    table: &mut Table,
    step: u8,
    order: [u8; SEATS as usize],
    swap: Option<(usize, usize)>,
    narrator: &mut Narrator<'_, impl Write>,
) -> Result<Vec<Shuffle>, Failure> {
    let mut chain = Vec::new();
    let mut deck = table.open_deck();
    for seat in order.map(Seat) {
        let mut held = deck.clone();
        if let Some((card, instead_of)) = swap.filter(|_| chain.is_empty()) {
            held.0[instead_of] = held.0[card];
        }
        let (shuffle, time) = timed(|| table.shuffle(seat, step, &deck, &held))?;
        deck = table.read(&shuffle)?;
        let (name, deck, proof) = (name(seat), bytes(shuffle.deck.len()), bytes(shuffle.proof.len()));
        narrator.row(format!("{name:5} {:>8}   deck {deck}, proof {proof}", ms(time)))?;
        chain.push(shuffle);
    }
    Ok(chain)
}

fn deal(table: &mut Table, deck: &Codes, narrator: &mut Narrator<'_, impl Write>) -> Result<Vec<Hand>, Failure> {
    narrator.chapter("Everyone draws thirteen cards")?;
    narrator.tell(
        "For each card that you draw, the other three remove their part of the lock, with a proof. Yours stays on, \
         so only you can look.",
    )?;
    let ((drawn, size), time) = timed(|| table.draw(DEAL, deck))?;
    let shares = drawn.len() * HAND * (drawn.len() - 1);
    narrator.row(format!("{shares} shares made and checked in {}, {}", ms(time), bytes(size)))?;
    narrator.tell(
        "Then each player locks their hand again, in a new order, and proves that the cards are the same. Now \
         nobody can tell which card of the deck became which card of a hand.",
    )?;
    let ((hands, size), time) = timed(|| table.recreate(HANDS, &drawn))?;
    narrator.row(format!("four hands made and checked in {}, {}", ms(time), bytes(size)))?;
    narrator.pause()?;
    narrator.row(format!("Anna  {}", pack::row(&cards(&hands[0]))))?;
    for seat in (1..SEATS).map(Seat) {
        narrator.row(format!("{:5} {}", name(seat), ["▒"; HAND].join(" ")))?;
    }
    narrator.pause()?;
    let mut all: Vec<usize> = hands.iter().flat_map(cards).collect();
    all.sort_unstable();
    if !all.into_iter().eq(0..pack::CARDS) {
        return Err(Failure::fault("the four hands are not the deck"));
    }
    narrator.tell(
        "(This program has all four keys, so it can look: together the hands are the 52 cards, each once. As Anna, \
         you know that from the proofs, without looking.)",
    )?;
    Ok(hands)
}

fn play(table: &Table, hands: &[Hand], narrator: &mut Narrator<'_, impl Write>) -> Result<(), Failure> {
    narrator.chapter("You play a card")?;
    let hand = &hands[0];
    // The highest card of the longest suit.
    let length = |card: usize| hand.cards.iter().filter(|own| own.card / 13 == card / 13).count();
    let best = (0..HAND).min_by_key(|i| (HAND - length(hand.cards[*i].card), hand.cards[*i].card)).unwrap_or(0);
    let sent = CardOpening::new(&hand.cards[best]).to_bytes();
    let opened = CardOpening::from_bytes(&sent, &pack::CARDS)?;
    let holds = |opened: &CardOpening| opened.opens(&table.seated.key, &table.faces, &hand.codes.0[best]);
    let (honest, time) = timed(|| Ok::<_, Failure>(holds(&opened)))?;
    let mut lie = opened;
    lie.card = (opened.card + 13) % pack::CARDS as u16;
    if !honest || holds(&lie) {
        return Err(Failure::fault("a card was opened as another, or not at all"));
    }
    let [played, other] = [opened.card, lie.card].map(|card| pack::name(card.into()));
    narrator.tell(format!(
        "You publish {played} and the number that locked it, {} in all. The others lock that card with that number \
         and get, bit for bit, one of your locked cards ({}). Had you called it {other}, the result would differ.",
        bytes(sent.len()),
        ms(time)
    ))?;
    Ok(())
}

fn cheat(table: &mut Table, narrator: &mut Narrator<'_, impl Write>) -> Result<(), Failure> {
    let (ace, two) = (0, pack::CARDS - 1);
    narrator.chapter("Someone cheats")?;
    narrator.tell(format!(
        "In the next deal Béla shuffles first. He adds {} a second time, takes out {}, shuffles, locks, and writes \
         the best proof he can. Under the lock the two aces look different, and Cili, Dóra and you shuffle \
         honestly after him.",
        pack::name(ace),
        pack::name(two)
    ))?;
    let chain = shuffles(table, SECOND_SHUFFLE, [1, 2, 3, 0], Some((ace, two)), narrator)?;
    let (checked, time) = timed(|| table.check(SECOND_SHUFFLE, &chain))?;
    let Err(refuted) = checked else { return Err(Failure::fault("a duplicated card went unnoticed")) };
    let [claim] = refuted.claims[..] else { return Err(Failure::fault("more than one seat was blamed")) };
    if claim.seat != Seat(1) {
        return Err(Failure::fault("the wrong seat was blamed"));
    }
    narrator.tell(format!(
        "Checked and refused in {}: {}'s proof ({}) is false. Nobody had to look at a card, nobody else is blamed, \
         and anyone who has the bytes can repeat the check.",
        ms(time),
        name(claim.seat),
        claim.label
    ))?;
    Ok(())
}

fn name(seat: Seat) -> &'static str {
    NAMES[usize::from(seat.0)]
}

fn cards(hand: &Hand) -> Vec<usize> {
    hand.cards.iter().map(|own| own.card).collect()
}

fn timed<T, E>(run: impl FnOnce() -> Result<T, E>) -> Result<(T, Duration), E> {
    let begin = Instant::now();
    let result = run()?;
    Ok((result, begin.elapsed()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_story_ends_well() {
        let mut out = Vec::new();
        run(&mut out).unwrap();
        let story = String::from_utf8(out).unwrap();
        assert!(story.contains("Béla's proof (shuffle/1)"));
        assert!(story.lines().all(|line| line.chars().count() <= 90), "fits on a terminal");
    }
}
