//! Whether a step is right: its tag, its numbers, its proofs.

use outis_crypto::card::Codes;
use outis_crypto::disclosure::{Disclosure, Messages};
use outis_crypto::encrypted_number::Cipher;
use outis_crypto::secret::SecretScalar;
use outis_crypto::selection::Pair;
use outis_table::Context;
use outis_table::game::Checks;
use outis_table::proofs::Proofs;

use super::{Answers, Awaiting, Cheated, Checked, Table};
use crate::protocol::step::{Step, Turn, ends};
use crate::protocol::turn::Moved;
use crate::rules::board::Color;
use crate::rules::knowledge::Event;
use crate::rules::tickets::{Ticket, tickets};

impl Table {
    /// Judges a step; proofs that were checked before (`vouched`) are not checked again.
    pub(crate) fn judge_step(
        &self,
        step: &Step,
        context: &Context,
        vouched: bool,
        checks: Checks<'_>,
    ) -> Result<Checked, Cheated> {
        let seat = context.seat;
        if let Some(classic) = &self.classic {
            let Step::Classic(step) = step else { return Err(Cheated::Kind) };
            classic.weigh(seat, step, checks)?;
            return Ok(Checked::Classic((**step).clone()));
        }
        let color = self.options.color(seat);
        match (step, &self.awaiting) {
            (Step::Key(step), Awaiting::Keys(keys)) => keys.judge(step, context, &[], checks).map(Checked::Key),
            (Step::View(view), Awaiting::Look | Awaiting::Answer) => {
                let answers = self.judge_tag(view, checks)?;
                if !vouched {
                    let mut proofs = Proofs::new(context, checks);
                    self.judge_view(color, [&self.states[0], &self.states[1]], view, &mut proofs)?;
                    proofs.settle()?;
                }
                Ok(Checked::Viewed(answers))
            }
            (Step::Turn(turn), Awaiting::Turn) => self.judge_turn(color, turn, context, vouched, checks),
            (Step::Review(yes), Awaiting::Review) => Ok(Checked::Reviewed(*yes)),
            (Step::Show(secret), Awaiting::Show) => {
                checks.demand(self.owns(color, secret).is_some(), Cheated::Secret)?;
                Ok(Checked::Shown(secret.clone()))
            }
            _ => Err(Cheated::Kind),
        }
    }

    fn judge_tag(&self, view: &Disclosure, checks: Checks<'_>) -> Result<Answers, Cheated> {
        checks.demand(!self.tags.contains(view.tag()), Cheated::Tag)?;
        Ok(Answers::of(view))
    }

    fn judge_view(
        &self,
        issuer: Color,
        states: [&[Cipher]; 2],
        view: &Disclosure,
        proofs: &mut Proofs<'_, Cheated>,
    ) -> Result<(), Cheated> {
        let sight = self.sight(issuer, states).ok_or(Cheated::Kind)?;
        proofs.add(Cheated::View, |challenger, batch| sight.check(view, challenger, batch).is_ok())
    }

    fn judge_turn(
        &self,
        color: Color,
        turn: &Turn,
        context: &Context,
        vouched: bool,
        checks: Checks<'_>,
    ) -> Result<Checked, Cheated> {
        match turn {
            Turn::Move(moved, view) => self.judge_move(color, moved, view.as_deref(), context, vouched, checks),
            Turn::Offer => {
                checks.demand(self.public.offer.is_none(), Cheated::Offer)?;
                Ok(Checked::Spoken(Event::Offered))
            }
            Turn::Accept => {
                checks.demand(self.public.offer == Some(color.other()), Cheated::Offer)?;
                Ok(Checked::Spoken(Event::Accepted))
            }
            Turn::Resign => Ok(Checked::Spoken(Event::Resigned)),
            Turn::Claim(secret) => {
                checks.demand(self.is_stuck(color, secret), Cheated::Claim)?;
                Ok(Checked::Spoken(Event::Stalemated))
            }
        }
    }

    /// Whether a colour, whose secret key this is, has no move: none of its answers opens to something that its kind may
    /// use (V10).
    fn is_stuck(&self, color: Color, secret: &SecretScalar) -> bool {
        let (Some(secret), Some(view)) = (self.owns(color, secret), &self.views[color.index()]) else { return false };
        let messages = Messages::below(7);
        let open = Pair::open_all(&view.iter().collect::<Vec<_>>(), &secret, &messages);
        let moves = |(ticket, content): (&Ticket, Option<u32>)| content.is_some_and(|c| ticket.moves(c as u8));
        !tickets(color).iter().zip(open).any(moves)
    }

    fn judge_move(
        &self,
        color: Color,
        moved: &Moved,
        view: Option<&Disclosure>,
        context: &Context,
        vouched: bool,
        checks: Checks<'_>,
    ) -> Result<Checked, Cheated> {
        let over = ends(moved.heard, self.quiet_ends());
        if view.is_some() == over {
            return Err(Cheated::Kind);
        }
        checks.demand(self.is_fresh(&moved.codes), Cheated::Fresh)?;
        let answers = view.map(|view| self.judge_tag(view, checks)).transpose()?;
        if !vouched {
            let inputs = self.move_inputs(color).ok_or(Cheated::Kind)?;
            let mut proofs = Proofs::new(context, checks);
            inputs.state(moved.heard, &moved.codes, |selected, cases| {
                proofs.add(Cheated::Selection, |challenger, batch| {
                    selected.verify(inputs.commitments, &moved.selection, challenger, batch).is_ok()
                })?;
                proofs.add(Cheated::Board, |challenger, batch| cases.verify(&moved.cases, challenger, batch).is_ok())
            })?;
            if let Some(view) = view {
                let [white, black] = self.states_after(color, moved.heard, &moved.codes);
                self.judge_view(color, [&white, &black], view, &mut proofs)?;
            }
            proofs.settle()?;
        }
        Ok(Checked::Moved(moved.heard, moved.codes.clone(), answers))
    }

    /// Whether no half of a fresh number occurs twice, or anywhere in the states before (V9).
    fn is_fresh(&self, codes: &Codes) -> bool {
        let mut halves: Vec<&[u8; 32]> =
            codes.0.iter().flat_map(|code| [code.c1.as_bytes(), code.c2.as_bytes()]).collect();
        let count = halves.len();
        halves.sort_unstable();
        halves.dedup();
        let old = self.states.iter().flat_map(|state| state.iter()).flat_map(|cipher| [cipher.c1(), cipher.c2()]);
        halves.len() == count && old.flatten().all(|half| halves.binary_search(&half.as_bytes()).is_err())
    }
}
