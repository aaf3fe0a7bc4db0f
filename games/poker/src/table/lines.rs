//! The table in words: message ids with arguments.

use outis_game::words::Text;
use outis_table::Seat;
use outis_table::game::Observer;

use crate::rules::betting::Choices;
use crate::rules::rank::{Category, Worth, worth};
use crate::rules::record::Record;
use crate::rules::{Action, Bet, Card, Event, Illegal, Knowledge, Phase};

fn text(id: &str) -> Text {
    Text::new(format!("poker.{id}"))
}

/// A card as a text.
pub fn card(card: Card) -> Text {
    text(&format!("card.{}", card.0))
}

fn cards(list: &[Card]) -> Vec<Text> {
    list.iter().map(|c| card(*c)).collect()
}

fn rank(rank: u8) -> Text {
    text(&format!("rank.{rank}"))
}

/// What a hand is, in words: "two pair, aces and kings".
pub fn having(worth: Worth) -> Text {
    let [first, second, ..] = worth.ranks();
    let said = text(&format!("have.{}", worth.category().name()));
    let several = |rank: u8| text(&format!("ranks.{rank}"));
    match worth.category() {
        Category::TwoPair | Category::FullHouse => said.with("a", several(first)).with("b", several(second)),
        Category::Pair | Category::ThreeOfAKind | Category::FourOfAKind => said.with("a", several(first)),
        Category::HighCard | Category::Straight | Category::Flush | Category::StraightFlush => {
            said.with("a", rank(first))
        }
    }
}

/// The table for reading.
pub(super) fn lines(k: &Knowledge) -> Vec<Text> {
    let public = &k.public;
    let mut lines = Vec::new();
    if let (Some(decks), true) = (public.options.decks, public.past.is_empty()) {
        lines.push(text("bound").with("n", i64::from(decks)));
    }
    if let Some(last) = public.past.last() {
        lines.push(text("hand-over").with("n", i64::from(last.number) + 1).with("what", outcome(last)));
    }
    if public.phase != Phase::Over && public.phase != Phase::Ready {
        let number = public.past.len() as i64 + 1;
        lines.push(text("number").with("n", number).with("of", i64::from(public.options.hands)));
        lines.push(text("button").with("who", public.button));
        lines.extend(public.hand.record.events.iter().filter_map(|event| happened(k, event)));
        if !public.hand.board.is_empty() {
            lines.push(text("board").with("cards", cards(&public.hand.board)));
        }
        // A player with cards reads the pot together with them.
        lines.push(hand(k).unwrap_or_else(|| text("pot").with("chips", i64::from(public.pot()))));
    }
    for (seat, stack) in (0u8..).map(Seat).zip(&public.stacks) {
        lines.push(text("stack").with("who", seat).with("chips", i64::from(*stack)));
    }
    lines.extend(how(k));
    lines
}

/// Its own cards, what they are worth, and what there is to win.
fn hand(k: &Knowledge) -> Option<Text> {
    let said = text("hand").with("cards", cards(&k.cards)).with("have", having(k.worth()?));
    Some(said.with("chips", i64::from(k.public.pot())))
}

/// How to type what no list has.
fn how(k: &Knowledge) -> Option<Text> {
    match k.public.phase {
        Phase::Discard if k.is_deciding() => Some(text("drawn.discard")),
        Phase::Bet if k.is_deciding() => {
            let (least, most) = k.public.choices()?.raise.filter(|(least, most)| least < most)?;
            Some(text("drawn.bet").with("least", i64::from(least)).with("most", i64::from(most)))
        }
        _ => None,
    }
}

/// What happened between two moments.
pub(super) fn news(before: &Knowledge, after: &Knowledge) -> Vec<Text> {
    let mut news = Vec::new();
    let old = before.public.past.len();
    let seen = before.public.hand.record.events.len();
    for (i, record) in after.public.past.iter().enumerate().skip(old) {
        let from = if i == old { seen } else { 0 };
        news.extend(record.events.iter().skip(from).filter_map(|event| happened(after, event)));
        news.push(text("hand-over").with("n", i64::from(record.number) + 1).with("what", outcome(record)));
    }
    let from = if after.public.past.len() == old { seen } else { 0 };
    news.extend(after.public.hand.record.events.iter().skip(from).filter_map(|event| happened(after, event)));
    if before.cards != after.cards {
        news.extend(hand(after));
    }
    news
}

fn happened(k: &Knowledge, event: &Event) -> Option<Text> {
    Some(match event {
        Event::Bets(who, bet) => match bet {
            Bet::Fold => text("folds"),
            Bet::Check => text("checks"),
            Bet::Call => text("calls"),
            Bet::To(amount) => text("bets").with("chips", i64::from(*amount)),
        }
        .with("who", *who),
        Event::Board(turned) => text("turned").with("cards", cards(turned)),
        Event::Discards(who, 0) => text("draws.none").with("who", *who),
        Event::Discards(who, mask) => text("draws").with("who", *who).with("n", i64::from(mask.count_ones())),
        Event::Shows(who, None) => text("mucks").with("who", *who),
        Event::Shows(who, Some(shown)) => {
            // A board that is gone with its hand is not needed: the record has it before the showing.
            let mut board = k.public.hand.board.clone();
            if board.is_empty() {
                board = k.public.past.last().map(|record| record.board()).unwrap_or_default();
            }
            let have = having(worth(&[&shown[..], &board].concat()));
            text("shows").with("who", *who).with("cards", cards(shown)).with("have", have)
        }
        Event::In(_) | Event::Dealt | Event::Own(_) | Event::Redealt => return None,
    })
}

fn outcome(record: &Record) -> Vec<Text> {
    let mut won: Vec<(Seat, u32)> = Vec::new();
    for (seat, chips) in record.awards.iter().flat_map(|award| &award.parts) {
        match won.iter_mut().find(|(who, _)| who == seat) {
            Some((_, sum)) => *sum += chips,
            None => won.push((*seat, *chips)),
        }
    }
    if won.is_empty() {
        return vec![text("nobody")];
    }
    won.into_iter().map(|(who, chips)| text("wins").with("who", who).with("chips", i64::from(chips))).collect()
}

/// What a button says.
pub(super) fn caption(k: &Knowledge, action: &Action) -> Text {
    let choices = k.public.choices().unwrap_or(Choices { call: 0, raise: None });
    match action {
        Action::Play(true) => text("do.play"),
        Action::Play(false) => text("do.sit-out"),
        Action::Bet(Bet::Fold) => text("do.fold"),
        Action::Bet(Bet::Check) => text("do.check"),
        Action::Bet(Bet::Call) => text("do.call").with("chips", i64::from(choices.call)),
        Action::Bet(Bet::To(amount)) => {
            let id = match choices.raise {
                Some((_, most)) if *amount == most && all_in(k, most) => "do.all-in",
                _ if k.public.hand.betting.asked == 0 => "do.bet",
                _ => "do.raise",
            };
            text(id).with("chips", i64::from(*amount))
        }
        Action::Discard(0) => text("do.stand-pat"),
        Action::Discard(mask) => {
            let aside = k.cards.iter().enumerate().filter(|(i, _)| mask >> i & 1 == 1).map(|(_, c)| card(*c));
            text("do.discard").with("cards", aside.collect::<Vec<_>>())
        }
        Action::Show(true) => text("do.show").with("cards", cards(&k.cards)),
        Action::Show(false) => text("do.muck"),
    }
}

fn all_in(k: &Knowledge, amount: u32) -> bool {
    let turn = usize::from(k.public.hand.betting.turn.0);
    k.public.stacks.get(turn).is_some_and(|stack| k.public.hand.betting.bets[turn] + stack == amount)
}

/// What to know before doing it.
pub(super) fn caution(k: &Knowledge, action: &Action) -> Vec<Text> {
    match action {
        Action::Play(false) => vec![text("caution.sit-out")],
        Action::Bet(Bet::To(amount)) if all_in(k, *amount) => vec![text("caution.all-in")],
        Action::Discard(mask) if *mask > 0 => vec![text("caution.discard")],
        Action::Show(false) => vec![text("caution.muck")],
        _ => Vec::new(),
    }
}

/// Why something cannot be done now.
pub(super) fn refusal(k: &Knowledge, token: &str) -> Option<Text> {
    let action = match (token, token.strip_prefix("to-").and_then(|amount| amount.parse().ok())) {
        (_, Some(amount)) => Action::Bet(Bet::To(amount)),
        ("check", _) => Action::Bet(Bet::Check),
        ("call", _) => Action::Bet(Bet::Call),
        ("fold", _) => Action::Bet(Bet::Fold),
        ("show", _) => Action::Show(true),
        ("muck", _) => Action::Show(false),
        _ => return None,
    };
    if !matches!(k.who, Observer::Seat(_)) {
        return None;
    }
    Some(match k.allows(&action).err()? {
        Illegal::Turn => text("not.turn"),
        Illegal::Owes(chips) => text("not.owes").with("chips", i64::from(chips)),
        Illegal::NothingToCall => text("not.call"),
        Illegal::Amount { least, most } => {
            text("not.amount").with("least", i64::from(least)).with("most", i64::from(most))
        }
        Illegal::NoRaise => text("not.raise"),
        _ => text("not.now"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Options;
    use crate::rules::options::Game;

    #[test]
    fn a_player_who_exchanges_no_card_keeps_all() {
        let mut k = Knowledge::new(&Options { game: Game::Draw, ..Options::USUAL }, 2, Observer::Spectator);
        let events = [
            Event::Dealt,
            Event::Bets(Seat(0), Bet::Call),
            Event::Bets(Seat(1), Bet::Check),
            Event::Discards(Seat(1), 0b00101),
            Event::Discards(Seat(0), 0),
        ];
        for event in &events {
            k = k.learn(event).unwrap();
        }
        let told = lines(&k);
        assert!(told.contains(&text("draws").with("who", Seat(1)).with("n", 2)), "{told:?}");
        assert!(told.contains(&text("draws.none").with("who", Seat(0))), "{told:?}");
    }
}
