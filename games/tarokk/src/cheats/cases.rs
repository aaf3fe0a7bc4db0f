//! For every cheat, a deal in which it has its chance.

use std::collections::VecDeque;

use outis_table::Seat;
use outis_table::cheat::Cheat;
use outis_table::game::Checks;
use outis_table::judged_log::FaultReport;
use outis_table::seats::Seats;
use rand_chacha::ChaCha20Rng;

use super::stage::Stage;
use crate::protocol::{Cheated, Hand};
use crate::rules::announce::Token;
use crate::rules::auction::Call;
use crate::rules::cards::Card;
use crate::rules::cardset::CardSet;
use crate::rules::knowledge::Knowledge;
use crate::rules::options::Options;
use crate::rules::state::{Action, Phase};

/// A deal in which a cheat has its chance: who cheats, some cards of each hand and of the talon, what is said, and what is laid
/// away.
pub(crate) struct Case {
    pub cheat: &'static str,
    pub by: u8,
    pub hands: [&'static str; 4],
    pub talon: &'static str,
    pub said: &'static str,
    pub laid: &'static [(u8, &'static str)],
}

/// Player 1 has good cards and bids three; nobody else can.
pub(crate) const PLAIN: Case = Case {
    cheat: "",
    by: 0,
    hands: [
        "skiz XXI pagat XVII XVI XV H:Q H:C H:J",
        "XX XIX II III H:K S:K S:Q S:C S:J",
        "XVIII XIV XIII XII XI D:K D:Q D:C D:J",
        "X IX VIII VII VI V IV C:K C:Q",
    ],
    talon: "H:A D:A C:10 S:10 C:J C:C",
    said: "three",
    laid: &[],
};

const NINE: [&str; 4] = [
    "skiz XXI XX pagat XVIII XVII XVI XV XIV",
    "XIX II III H:Q H:K S:K S:Q S:C S:J",
    "XIII XII XI H:C H:J D:K D:Q D:C D:J",
    "X IX VIII VII VI V IV C:K C:Q",
];

pub(crate) const CASES: &[Case] = &[
    Case { cheat: "late-key", ..PLAIN },
    Case { cheat: "rogue-key", ..PLAIN },
    Case { cheat: "old-key", ..PLAIN },
    Case { cheat: "second-skiz", ..PLAIN },
    Case { cheat: "second-skiz", by: 3, ..PLAIN },
    Case { cheat: "false-share", ..PLAIN },
    Case { cheat: "false-talon", by: 2, ..PLAIN },
    Case { cheat: "invented-hand", ..PLAIN },
    Case { cheat: "swapped-talon", ..PLAIN },
    Case { cheat: "swapped-hand", ..PLAIN },
    Case { cheat: "bid-without-honour", by: 1, said: "pass", ..PLAIN },
    Case { cheat: "empty-invit", ..PLAIN },
    Case {
        cheat: "empty-yield",
        hands: ["pagat XIX II III H:K H:Q H:C H:J H:A", "skiz XX XVIII IV", "", ""],
        talon: "",
        said: "three two pass pass hold",
        ..PLAIN
    },
    Case { cheat: "false-annulment", by: 2, ..PLAIN },
    Case { cheat: "false-eight", ..PLAIN },
    Case { cheat: "nine-as-eight", hands: NINE, ..PLAIN },
    Case { cheat: "false-nine", ..PLAIN },
    Case { cheat: "silent-count", hands: NINE, said: "three pass pass pass call:XX", ..PLAIN },
    Case { cheat: "false-partner", by: 2, ..PLAIN },
    Case { cheat: "false-opponent", by: 1, ..PLAIN },
    Case { cheat: "false-call", ..PLAIN },
    Case {
        cheat: "silent-invit",
        hands: ["pagat XIX XVII II III H:Q H:C H:J H:A", "skiz XX", "", ""],
        talon: "D:A C:10 S:10 C:J",
        said: "two pass pass pass call:XX pagat_ultimo",
        ..PLAIN
    },
    Case {
        cheat: "no-suit",
        by: 1,
        hands: ["skiz XXI pagat S:10 S:J XV H:Q H:C H:J", "XX XIX II III H:K S:K S:Q S:C", "", ""],
        talon: "H:A D:A C:10 C:C C:J D:J",
        ..PLAIN
    },
    Case {
        cheat: "no-tarokk",
        by: 1,
        hands: ["skiz XXI pagat S:K S:Q XV H:Q H:C H:J", "XX XIX II III H:K D:K C:K C:Q D:Q", "", ""],
        talon: "H:A D:A C:10 C:C C:J D:J",
        ..PLAIN
    },
    Case {
        cheat: "pagat-given-up",
        by: 1,
        hands: ["XIV XIII XII XI X IX VIII VII VI", "skiz XXI pagat XVII XVI XV H:Q H:C H:J", "", ""],
        talon: "H:A D:A C:10 S:10 C:J C:C",
        said: "pass three pass pass call:XX pagat_ultimo",
        ..PLAIN
    },
    Case { cheat: "pagat-led", said: "three pass pass pass call:XX pagat_ultimo", ..PLAIN },
    Case { cheat: "king-discard", by: 1, ..PLAIN },
    Case { cheat: "king-discard", hands: ["skiz H:K XIX XVII XVI XV H:Q H:C H:J", "", "", ""], ..PLAIN },
    Case { cheat: "hidden-tarokk", by: 2, ..PLAIN },
    Case { cheat: "honour-discard", by: 1, hands: ["skiz", "pagat XXI", "", ""], talon: "", ..PLAIN },
    Case { cheat: "false-bit", by: 1, ..PLAIN },
    Case { cheat: "false-show", laid: &[(0, "XV")], ..PLAIN },
    Case { cheat: "false-trial", by: 3, hands: NINE, talon: "H:A D:A C:10", said: "pass pass pass three", ..PLAIN },
    Case { cheat: "false-trial", by: 3, said: "pass pass pass three", talon: "H:A", ..PLAIN },
    Case { cheat: "own-kontra", ..PLAIN },
    Case { cheat: "foreign-card", ..PLAIN },
    Case { cheat: "false-opening", ..PLAIN },
    Case {
        cheat: "missing-kontra",
        by: 2,
        said: "three pass pass pass call:XI pass pass kontra:game pass",
        laid: &[(2, "XI")],
        ..PLAIN
    },
];

impl Case {
    /// The deck: what the case names, filled up with the lowest other cards.
    pub(crate) fn deck(&self) -> Vec<Card> {
        let named = |text: &str| -> Vec<Card> { text.split_whitespace().filter_map(Card::parse).collect() };
        let mut hands = self.hands.map(named);
        let mut talon = named(self.talon);
        let mut rest = CardSet::ALL;
        for card in hands.iter().flatten().chain(&talon) {
            rest.remove(*card);
        }
        let mut rest = rest.iter();
        hands.iter_mut().for_each(|hand| hand.extend(rest.by_ref().take(9 - hand.len())));
        talon.extend(rest);
        let five = hands.iter().flat_map(|hand| hand[..5].to_vec());
        let four = hands.iter().flat_map(|hand| hand[5..].to_vec());
        talon.iter().copied().chain(five).chain(four).collect()
    }

    /// The staged table of this case.
    pub(crate) fn stage(&self, cheat: &Cheat<Hand>, checks: Checks<'static>) -> Option<Stage> {
        let seats = if self.cheat == "false-bit" { 5 } else { 4 };
        let options = Options { deals: if self.cheat == "old-key" { 2 } else { 1 }, ..Options::default() };
        let mut stage = Stage::new(options, seats, 1, &[], checks)?;
        (stage.tamper, stage.stack, stage.deals) =
            (Some((Seats::one(Seat(self.by)), cheat.tamper)), Some(self.deck()), options.deals.into());
        Some(stage)
    }

    /// Plays it.
    pub(crate) fn play(&self, stage: &mut Stage) -> Result<(), FaultReport<Cheated>> {
        let mut said: VecDeque<&str> = self.said.split_whitespace().collect();
        let mut policy = |knowledge: &Knowledge, legal: &[Action], _: &mut ChaCha20Rng| {
            scripted(knowledge, legal, &mut said, self.laid)
        };
        while stage.round(&mut policy)?.is_some() {}
        Ok(())
    }
}

/// What the script says, then passes; discards coloured cards where nothing else is asked; plays the highest card.
pub(crate) fn scripted(k: &Knowledge, legal: &[Action], said: &mut VecDeque<&str>, laid: &[(u8, &str)]) -> Action {
    let first = legal.first().copied().unwrap_or(Action::EndTable);
    match &k.public.phase {
        Phase::AwaitingCall(_) => {
            let call = said.pop_front().and_then(Call::parse).unwrap_or(Call::Pass);
            let call = Action::Call(call);
            if legal.contains(&call) { call } else { first }
        }
        Phase::AwaitingWord(_, announcing) => {
            let usual = if announcing.called().is_none() { "call:XX" } else { "pass" };
            let mut token = said.front().and_then(|word| Token::parse(word)).map(Action::Say);
            if token.is_some_and(|token| legal.contains(&token)) {
                said.pop_front();
            } else {
                token = Token::parse(usual).map(Action::Say);
            }
            token.filter(|token| legal.contains(token)).unwrap_or(first)
        }
        Phase::AwaitingDiscards(..) => {
            let wanted =
                laid.iter().find(|(player, _)| k.seat == Some(*player)).and_then(|(_, name)| Card::parse(name));
            let fits = |action: &&Action| match (action, wanted) {
                (Action::Discard(cards), Some(card)) => cards.contains(card),
                (Action::Discard(_), None) => true,
                _ => false,
            };
            legal.iter().rev().find(fits).copied().unwrap_or(first)
        }
        Phase::AwaitingAnnulment(..) => Action::Annul(false),
        Phase::AwaitingClaims(..) => Action::Claim(false),
        _ => legal.iter().rev().copied().find(|action| matches!(action, Action::Play(_))).unwrap_or(first),
    }
}
