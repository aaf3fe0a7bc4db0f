//! The end of a deal: the score is settled, everyone pays, the next deal is prepared.

use super::cards::Card;
use super::cardset::CardSet;
use super::ending::Ending;
use super::facts::{Facts, Sides};
use super::seats::Player;
use super::settle::{Account, Count, count_payments, payments};
use super::state::{DealResult, Outcome, Phase, Played, Plays, Public, Spoken};

impl Public {
    /// A deal that was not played out.
    pub(super) fn close(&mut self, outcome: Outcome, by_player: [i64; 4]) {
        self.pay(outcome, by_player, [0; 4], None);
    }

    /// Nine tricks were played and the discards are open. `claims` says who claims a number of tarokks late.
    pub(super) fn close_played(
        &mut self,
        spoken: Spoken,
        plays: &Plays,
        claims: [Option<bool>; 4],
        discards: [CardSet; 4],
    ) {
        let tricks = <[_; 9]>::try_from(plays.tricks()).expect("a deal is closed after nine tricks");
        let Spoken { contract, announcing, .. } = spoken;
        let declarer = contract.declarer;
        let holds = |player: &Player, card: Card| plays.of(*player).contains(card);
        let is_partner =
            |player: &Player| *player != declarer && announcing.called().is_some_and(|called| holds(player, called));
        let sides = Sides { declarer, partner: Player::ALL.into_iter().find(is_partner) };
        let count = |player: Player| {
            let announced = announcing.count(player).is_some();
            let tarokks = plays.of(player).tarokks().len() as u8;
            (announced || claims[player.index()] == Some(true)).then_some(Count { player, tarokks, announced })
        };
        let counts: Vec<Count> = Player::ALL.into_iter().filter_map(count).collect();
        let facts = Facts::of(&tricks, &discards, sides);
        let account = Account {
            bid: contract.bid,
            game_kontra: announcing.game_kontra(),
            announcements: announcing.announcements(),
            facts,
        };
        let items = account.items();
        let paid = (payments(&items, sides), count_payments(&counts, sides));
        let skiz = Player::ALL.into_iter().find(|player| holds(player, Card::SKIZ));
        let played = Played { contract, sides, announcing, tricks, discards, facts, items, counts };
        self.pay(Outcome::Played(Box::new(played)), paid.0, paid.1, skiz);
    }

    /// After a paid deal the deal passes to the right (TK-35), else the same player deals again and a double round begins
    /// (TK-42, TK-49).
    fn pay(&mut self, outcome: Outcome, by_player: [i64; 4], counted: [i64; 4], skiz: Option<Player>) {
        let multiplier = self.rounds.multiplier();
        let count_factor = if self.options.double_rounds_count_tarokks { multiplier } else { 1 };
        let mut payments = vec![0; self.scores.len()];
        for player in Player::ALL {
            let i = player.index();
            let seat = usize::from(self.seating.seat(player));
            payments[seat] = multiplier * by_player[i] + count_factor * counted[i];
            self.scores[seat] += payments[seat];
        }
        let (seating, calls) = (self.seating, core::mem::take(&mut self.calls));
        if outcome.is_paid() {
            self.ending = self.ending.after_deal(seating, skiz.map(|player| seating.seat(player)));
            self.rounds.pass();
            self.seating = seating.next();
        } else {
            self.rounds.open(seating.seats());
        }
        self.results.push(DealResult { seating, multiplier, calls, outcome, payments });
        let paid = self.results.iter().filter(|result| result.outcome.is_paid()).count();
        let agreed = self.options.deals != 0 && paid >= usize::from(self.options.deals);
        let over = agreed || self.ending == Ending::Over;
        self.phase = if over { Phase::Over } else { Phase::AwaitingDeal };
    }
}
