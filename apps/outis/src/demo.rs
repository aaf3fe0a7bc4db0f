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
use outis_game::words::Text;

use self::narrator::{Narrator, bytes, ms};
use self::table::{HAND, Hand, SEATS, Shuffle, Table};
use crate::exit::Failure;
use crate::speech::{Speech, plain};

/// The players' names by seat.
const NAMES: [&str; SEATS as usize] = ["Anna", "Béla", "Cili", "Dóra"];

/// Step numbers, which distinguish the entries of one seat. (The deal takes one step for each drawer.)
const SHUFFLE: u8 = 2;
const DEAL: u8 = 3;
const HANDS: u8 = DEAL + SEATS;
const SECOND_SHUFFLE: u8 = HANDS + 1;

/// Tells the story as it happens.
pub fn run(out: &mut impl Write) -> Result<(), Failure> {
    run_in(&Speech::new(), out)
}

fn run_in(speech: &Speech, out: &mut impl Write) -> Result<(), Failure> {
    let title = Text::new("terminal.story.title").with("version", plain(env!("CARGO_PKG_VERSION")));
    let mut narrator = Narrator::new(speech, out, &title)?;
    narrator.tell(&Text::new("terminal.story.intro"))?;
    let mut table = key(&mut narrator)?;
    let deck = shuffle(&mut table, &mut narrator)?;
    let hands = deal(&mut table, &deck, &mut narrator)?;
    play(&table, &hands, &mut narrator)?;
    cheat(&mut table, &mut narrator)?;
    narrator.epilogue(&Text::new("terminal.story.end"))?;
    Ok(())
}

fn key(narrator: &mut Narrator<'_, impl Write>) -> Result<Table, Failure> {
    let language = narrator.speech.language();
    narrator.chapter("terminal.story.key")?;
    let (table, time) = timed(Table::new)?;
    narrator.tell(&Text::new("terminal.story.key.text"))?;
    let cost = Text::new("terminal.story.key.cost").with("size", bytes(table.seated.bytes, language));
    narrator.note(&cost.with("time", ms(time, language)))?;
    Ok(table)
}

fn shuffle(table: &mut Table, narrator: &mut Narrator<'_, impl Write>) -> Result<Codes, Failure> {
    narrator.chapter("terminal.story.shuffle")?;
    narrator.tell(&Text::new("terminal.story.shuffle.text"))?;
    let chain = shuffles(table, SHUFFLE, [0, 1, 2, 3], None, narrator)?;
    let (checked, time) = timed(|| table.check(SHUFFLE, &chain))?;
    let deck = checked.map_err(Failure::fault)?;
    let time = ms(time, narrator.speech.language());
    narrator.tell(&Text::new("terminal.story.shuffle.checked").with("time", time))?;
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
        let language = narrator.speech.language();
        let time = format!("{:>8}  ", narrator.speech.say(&ms(time, language)));
        let row = Text::new("terminal.story.shuffle.row").with("who", plain(format!("{:5}", name(seat))));
        let row = row.with("time", plain(time)).with("deck", bytes(shuffle.deck.len(), language));
        narrator.note(&row.with("proof", bytes(shuffle.proof.len(), language)))?;
        chain.push(shuffle);
    }
    Ok(chain)
}

fn deal(table: &mut Table, deck: &Codes, narrator: &mut Narrator<'_, impl Write>) -> Result<Vec<Hand>, Failure> {
    let language = narrator.speech.language();
    narrator.chapter("terminal.story.deal")?;
    narrator.tell(&Text::new("terminal.story.deal.text"))?;
    let ((drawn, size), time) = timed(|| table.draw(DEAL, deck))?;
    let shares = drawn.len() * HAND * (drawn.len() - 1);
    let made = Text::new("terminal.story.deal.shares").with("n", shares as i64).with("time", ms(time, language));
    narrator.note(&made.with("size", bytes(size, language)))?;
    narrator.tell(&Text::new("terminal.story.deal.hands"))?;
    let ((hands, size), time) = timed(|| table.recreate(HANDS, &drawn))?;
    let made = Text::new("terminal.story.deal.made").with("time", ms(time, language));
    narrator.note(&made.with("size", bytes(size, language)))?;
    narrator.pause()?;
    narrator.row(format!("Anna  {}", pack::row(&cards(&hands[0]), language)))?;
    for seat in (1..SEATS).map(Seat) {
        narrator.row(format!("{:5} {}", name(seat), ["▒"; HAND].join(" ")))?;
    }
    narrator.pause()?;
    let mut all: Vec<usize> = hands.iter().flat_map(cards).collect();
    all.sort_unstable();
    if !all.into_iter().eq(0..pack::CARDS) {
        return Err(Failure::fault("the four hands are not the deck"));
    }
    narrator.tell(&Text::new("terminal.story.deal.all"))?;
    Ok(hands)
}

fn play(table: &Table, hands: &[Hand], narrator: &mut Narrator<'_, impl Write>) -> Result<(), Failure> {
    narrator.chapter("terminal.story.play")?;
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
    let language = narrator.speech.language();
    let text = Text::new("terminal.story.play.text").with("card", played).with("other", other);
    narrator.tell(&text.with("size", bytes(sent.len(), language)).with("time", ms(time, language)))?;
    Ok(())
}

fn cheat(table: &mut Table, narrator: &mut Narrator<'_, impl Write>) -> Result<(), Failure> {
    let (ace, two) = (0, pack::CARDS - 1);
    narrator.chapter("terminal.story.cheat")?;
    let text = Text::new("terminal.story.cheat.text").with("card", pack::name(ace));
    narrator.tell(&text.with("other", pack::name(two)))?;
    let chain = shuffles(table, SECOND_SHUFFLE, [1, 2, 3, 0], Some((ace, two)), narrator)?;
    let (checked, time) = timed(|| table.check(SECOND_SHUFFLE, &chain))?;
    let Err(refuted) = checked else { return Err(Failure::fault("a duplicated card went unnoticed")) };
    let [claim] = refuted.claims[..] else { return Err(Failure::fault("more than one seat was blamed")) };
    if claim.seat != Seat(1) {
        return Err(Failure::fault("the wrong seat was blamed"));
    }
    let time = ms(time, narrator.speech.language());
    let text = Text::new("terminal.story.cheat.refused").with("time", time).with("who", plain(name(claim.seat)));
    narrator.tell(&text.with("check", plain(claim.label.to_string())))?;
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
    use outis_game::words::Language;

    use super::*;

    #[test]
    fn the_story_ends_well_in_every_language() {
        for (language, refused) in [
            (Language::En, "Béla’s proof (shuffle/1) is false"),
            (Language::Hu, "Hamis a bizonyítás: Béla (shuffle/1)"),
        ] {
            let mut out = Vec::new();
            run_in(&Speech::of(language), &mut out).unwrap();
            let story = String::from_utf8(out).unwrap();
            let words = story.split_whitespace().collect::<Vec<_>>().join(" ");
            assert!(words.contains(refused), "{story}");
            assert!(!story.contains("terminal.") && !story.contains('{'), "{story}");
            assert!(story.lines().all(|line| line.chars().count() <= 90), "fits on a terminal: {story}");
        }
    }
}
