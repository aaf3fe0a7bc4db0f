//! Laying a penny means committing to a side; when both have committed, both open. The commitment binds table, throw and
//! seat, so it cannot be copied or replayed.

use outis_crypto::challenger::Source;
use outis_crypto::codec::{Decode, DecodeError, Encode, Reader};
use outis_crypto::commit::{Commitment, Opening, Place};
use outis_table::entry::Authentic;
use outis_table::game::{
    Checks, Expectation, Expects, Fault, Made, Millis, Observer, Player, Referee, Refused, Rules, Setting, pick,
    round_clock,
};
use outis_table::seats::Seats;
use outis_table::{Context, Seat};

use crate::rules::{Event, Illegal, Knowledge, Options, Pennies, Side, scores};

const PURPOSE: &str = "penny";

/// A step of a seat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// The penny lies face down.
    Lay(Commitment),
    /// It is turned over.
    Show(Side, Opening),
}

/// Which step is due.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Kind {
    Lay,
    Show,
}

/// The only fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the penny that was shown is not the one that was laid")]
pub struct Switched;

impl Fault for Switched {
    fn check(&self) -> &'static str {
        "opening"
    }
}

/// Everything public.
#[derive(Clone, Debug)]
pub struct Table {
    options: Options,
    laid: Vec<Commitment>,
    shown: Vec<[Side; 2]>,
}

impl Referee for Table {
    const GAME: &'static str = "matching-pennies";
    type Rules = Pennies;
    type Step = Step;
    type Shape = Kind;
    type Checked = Step;
    type Fault = Switched;

    fn open(setting: &Setting<Options>) -> Result<Self, &'static str> {
        if !setting.parameters.is_empty() {
            return Err("matching pennies has no parameters");
        }
        Ok(Self { options: setting.options.clone(), laid: Vec::new(), shown: Vec::new() })
    }

    fn expects(&self) -> Expects {
        if self.shown.len() >= usize::from(self.options.throws) {
            return Expects::Over;
        }
        let laying = self.laid.is_empty();
        Expects::Round(Expectation {
            speakers: Seats::all(2),
            what: if laying { "lay" } else { "show" },
            by_hand: laying,
            releases: !laying,
            clock: self.shortest_clock(),
            runs_on: false,
        })
    }

    fn shortest_clock(&self) -> Option<Millis> {
        round_clock(self.options.clock.into(), true)
    }

    fn deal(&self) -> u32 {
        self.shown.len() as u32
    }

    fn shape(&self, _: Seat) -> Kind {
        if self.laid.is_empty() { Kind::Lay } else { Kind::Show }
    }

    fn judge(&self, said: &Authentic<Step>, checks: Checks) -> Result<Step, Switched> {
        if let Step::Show(side, opening) = said.step() {
            let laid = self.laid.get(usize::from(said.seat().0)).ok_or(Switched)?;
            let opens = laid.opens(PURPOSE, &Place::of(said.context()), &side.to_bytes(), opening);
            checks.demand(opens, Switched)?;
        }
        Ok(said.step().clone())
    }

    fn advance(&mut self, round: Vec<(Seat, Step)>) -> Result<Vec<Event>, (Seat, Switched)> {
        match round.as_slice() {
            [(_, Step::Show(a, _)), (_, Step::Show(b, _))] => {
                self.laid.clear();
                self.shown.push([*a, *b]);
                Ok(vec![Event::Shown([*a, *b])])
            }
            _ => {
                let laid = pick(round, |step| if let Step::Lay(commitment) = step { Some(commitment) } else { None });
                self.laid = laid.map_err(|seat| (seat, Switched))?;
                Ok(Vec::new())
            }
        }
    }

    fn scores(&self) -> Vec<i64> {
        scores(&self.shown).to_vec()
    }

    /// Every throw that was not played goes to the other seat.
    fn forfeit(&self, culprits: Seats) -> Vec<i64> {
        let left = i64::from(self.options.throws) - self.shown.len() as i64;
        let gains = |seat| if culprits.contains(Seat(seat)) { 0 } else { left };
        let [a, b] = scores(&self.shown);
        vec![a + gains(0), b + gains(1)]
    }
}

/// A penny that lies face down, with what opens its commitment.
#[derive(Clone, Copy, Debug)]
struct Penny {
    side: Side,
    opening: Opening,
}

/// One seat.
#[derive(Clone, Debug)]
pub struct Hand {
    laid: Option<Penny>,
    knowledge: Knowledge,
}

/// What survives a crash: the penny that lies face down.
pub struct Memo(Option<Penny>);

impl Player for Hand {
    type Referee = Table;
    type Memo = Memo;

    fn sit(table: &Table, seat: Seat) -> Self {
        Self { laid: None, knowledge: Pennies::initial_knowledge(&table.options, 2, Observer::Seat(seat)) }
    }

    fn act(
        &self,
        _: &Table,
        context: &Context,
        side: &Side,
        rng: &mut impl Source,
    ) -> Result<Made<Step, Memo>, Illegal> {
        let (commitment, opening) = Commitment::new(PURPOSE, &Place::of(context), &side.to_bytes(), rng);
        Ok(Made { step: Step::Lay(commitment), memo: Memo(Some(Penny { side: *side, opening })) })
    }

    fn due(&self, _: &Table, _: &Context, _: &mut impl Source) -> Option<Made<Step, Memo>> {
        let Penny { side, opening } = self.laid?;
        Some(Made { step: Step::Show(side, opening), memo: Memo(None) })
    }

    fn remember(&mut self, memo: Memo) {
        self.laid = memo.0;
        if let Some(learned) = memo.0.and_then(|penny| self.after(&Event::Laid(penny.side))) {
            self.knowledge = learned;
        }
    }

    fn learn(&mut self, _: &Table, public: &[Event]) -> Result<(), Refused<Switched>> {
        for event in public {
            self.knowledge = self.after(event).ok_or(Refused::Local("an event does not fit"))?;
        }
        Ok(())
    }

    fn knowledge(&self) -> &Knowledge {
        &self.knowledge
    }
}

impl Hand {
    fn after(&self, event: &Event) -> Option<Knowledge> {
        Pennies::learn(self.knowledge.clone(), event).ok()
    }
}

impl Encode for Step {
    fn encode(&self, out: &mut Vec<u8>) {
        match self {
            Self::Lay(commitment) => commitment.encode(out),
            Self::Show(side, opening) => {
                side.encode(out);
                opening.encode(out);
            }
        }
    }
}

impl Decode for Step {
    type Shape = Kind;
    fn read(reader: &mut Reader<'_>, kind: &Kind) -> Result<Self, DecodeError> {
        match kind {
            Kind::Lay => Commitment::read(reader, &()).map(Self::Lay),
            Kind::Show => Ok(Self::Show(Side::read(reader, &())?, Opening::read(reader, &())?)),
        }
    }
}

impl Encode for Memo {
    fn encode(&self, out: &mut Vec<u8>) {
        if let Some(penny) = &self.0 {
            penny.side.encode(out);
            penny.opening.encode(out);
        }
    }
}

impl Decode for Memo {
    type Shape = ();
    fn read(reader: &mut Reader<'_>, (): &()) -> Result<Self, DecodeError> {
        match reader.left() {
            0 => Ok(Self(None)),
            _ => Ok(Self(Some(Penny { side: Side::read(reader, &())?, opening: Opening::read(reader, &())? }))),
        }
    }
}
