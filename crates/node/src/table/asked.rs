//! Questions to a table, and its answers.

use outis_game::sitting::Happening;
use outis_table::Seat;
use outis_table::session::Misuse;
use rand_core::CryptoRng;

use super::{AskId, Held, Out, Refused, Shown, Table, TableAsk, TableReply};
use crate::view::TableView;

impl Table {
    /// Answers a question that changes nothing; returns any other.
    pub(super) fn look(&mut self, id: AskId, ask: TableAsk, rng: &mut dyn CryptoRng) -> Option<TableAsk> {
        let reply = match ask {
            TableAsk::Show { steps_from } => {
                self.told = false;
                self.show(steps_from)
            }
            TableAsk::Why(token) => Ok(TableReply::Why(self.shown().and_then(|shown| shown.refusal(&token)))),
            TableAsk::Chronicle(from) => {
                let parts = self.shown().map(|shown| shown.chronicle()).unwrap_or_default();
                Ok(TableReply::Chronicle(parts.into_iter().skip(from).collect()))
            }
            TableAsk::Log | TableAsk::Leave if self.failing => Err(Refused::Disk),
            TableAsk::Leave => {
                self.reply_when_safe(id, TableReply::Leaving(self.leaving(), self.export()), Some(id));
                self.flush();
                return None;
            }
            // A person may send the log on, so it must have nothing that could differ after a crash.
            TableAsk::Log => {
                self.reply_when_safe(id, TableReply::Log(self.export()), Some(id));
                self.flush();
                return None;
            }
            TableAsk::Advise(level) => match self.shown().and_then(|shown| shown.thought(level, rng)) {
                Some(thought) => {
                    self.out.push_back(Out::Advise(id, thought));
                    return None;
                }
                None => Ok(TableReply::Advice(None)),
            },
            other => return Some(other),
        };
        self.out.push_back(Out::Replied(id, reply));
        None
    }

    /// Does what is asked; returns the answer, unless it comes later.
    pub(super) fn do_as_asked(
        &mut self,
        id: AskId,
        ask: TableAsk,
        rng: &mut dyn CryptoRng,
    ) -> Option<Result<TableReply, Refused>> {
        let done = match ask {
            TableAsk::Act { .. } if self.stalled.is_some() => Err(Refused::Disk),
            TableAsk::StopWaiting if self.failing => Err(Refused::Disk),
            TableAsk::Act { token, round } => self.act(&token, round, rng),
            TableAsk::Hand(to) => self.hand(to),
            TableAsk::StopWaiting => {
                let _ = self.give(self.about.own, Happening::StopWaiting, rng);
                if self.is_to_speak() {
                    return Some(Err(Refused::OwnTurn));
                }
                self.reply_when_safe(id, TableReply::Done, Some(id));
                return None;
            }
            TableAsk::Safe => {
                self.reply_when_safe(id, TableReply::Done, None);
                return None;
            }
            // `look` has answered these.
            TableAsk::Show { .. }
            | TableAsk::Why(_)
            | TableAsk::Chronicle(_)
            | TableAsk::Log
            | TableAsk::Leave
            | TableAsk::Advise(_) => return None,
        };
        Some(done.map(|()| TableReply::Done))
    }

    /// Whether the game waits for this machine's own seat.
    fn is_to_speak(&self) -> bool {
        let Some(own) = self.own().filter(|own| own.ended().is_none()) else { return false };
        own.waiting().is_some_and(|waiting| !waiting.over && waiting.missing.contains(self.about.own))
    }

    /// Tells people who wait for an answer that the disk refuses.
    pub(super) fn refuse_asked(&mut self) {
        // A person who stops waiting has signed that, and it is not undone.
        let why = |held: &Held| match held.out {
            Out::Replied(_, Ok(TableReply::Done)) => Refused::DiskLater,
            _ => Refused::Disk,
        };
        let refused = self.held.iter().filter_map(|held| Some((held.asked?, why(held))));
        self.out.extend(refused.map(|(id, why)| Out::Replied(id, Err(why))));
        self.held.retain(|held| held.asked.is_none());
    }

    /// Answers once everything that has happened is safe from a power cut. A person is also answered if the disk refuses.
    pub(super) fn reply_when_safe(&mut self, id: AskId, reply: TableReply, asked: Option<AskId>) {
        self.held.push_back(Held { mark: self.journal.mark(), out: Out::Replied(id, Ok(reply)), asked });
    }

    pub(super) fn show(&self, from: usize) -> Result<TableReply, Refused> {
        let view = TableView::of(self, self.now.mono).ok_or(Refused::NoTable)?;
        let steps = self.timeline.get(from..).unwrap_or_default().to_vec();
        Ok(TableReply::Shown(Box::new(Shown { view, steps })))
    }

    /// The person who holds the device takes an action; one that is not possible changes nothing.
    pub(super) fn act(&mut self, token: &str, round: Option<u32>, rng: &mut dyn CryptoRng) -> Result<(), Refused> {
        if round.is_some() && self.shown().map(|shown| shown.round()) != round {
            return Err(Refused::Late);
        }
        let seat = self.holder.ok_or(Refused::Turn)?;
        self.give(seat, Happening::Act(token), rng).map_err(|misuse| match misuse {
            Misuse::NotYourTurn => Refused::Turn,
            _ => Refused::Illegal(self.shown().and_then(|shown| shown.refusal(token))),
        })
    }

    /// Covers the device, or lets one of the people take it. Until the game is over, only a covered device may be taken.
    pub(super) fn hand(&mut self, to: Option<Seat>) -> Result<(), Refused> {
        let over = self.outcome.is_some();
        let may = match to {
            _ if !self.about.is_shared() => false,
            None => !over,
            Some(seat) => self.about.people().contains(&seat) && (over || self.holder.is_none()),
        };
        if to == self.holder {
            return Ok(());
        }
        if !may {
            return Err(Refused::Hand);
        }
        self.holder = to;
        to.into_iter().for_each(|seat| self.tell(seat));
        Ok(())
    }
}
