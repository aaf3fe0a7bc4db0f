//! The announcements (*bemondások*): TK-50, TK-52 to TK-54.

use core::fmt;

use super::cards::Card;
use super::figures::{Figure, MORDKONTRA, Side};
use super::illegal::Illegal;
use super::seats::Player;

/// What kontra can be said to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Target {
    /// The game itself, which the declarer's side stands for.
    Game,
    /// An announced figure.
    Figure(Figure),
}

/// One thing that can be said.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Token {
    /// "Eight tarokks", "nine tarokks" (TK-53).
    Count(u8),
    /// The declarer calls a partner (TK-50).
    Call(Card),
    /// A figure (TK-51).
    Announce(Figure),
    /// Kontra (1), rekontra (2), szubkontra (3), hirskontra (4) or mordkontra (5) of something (TK-52).
    Kontra(u8, Target),
    /// *Passz*, *mehet*: the end of the turn.
    Pass,
}

/// A figure that a side has announced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Announcement {
    /// The figure.
    pub figure: Figure,
    /// The side that stands for it.
    pub side: Side,
    /// Its level of kontra.
    pub kontra: u8,
}

/// What a speaker knows of itself and the rules ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Speaker {
    /// The side it is really on. Without meaning before the call.
    pub side: Side,
    /// Number of tarokks in its hand.
    pub tarokks: usize,
    /// They discarded the called tarokk and must say kontra to the game (TK-50).
    pub must_kontra: bool,
    /// It gave an invit with the pagát as only honour and must announce pagát ultimo (TK-44).
    pub must_ultimo: bool,
}

/// The announcements so far. Everything here is public.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Announcing {
    declarer: Player,
    known: [Option<Side>; 4],
    called: Option<Card>,
    counts: [Option<u8>; 4],
    game_kontra: u8,
    announcements: Vec<Announcement>,
    last_side: Side,
    turn: Player,
    this_turn: Vec<Token>,
    said: Vec<(Player, Token)>,
    turns_taken: [bool; 4],
    passes: u8,
}

impl Announcing {
    /// The declarer begins. `partner` is whom the auction has shown to be its partner (TK-54).
    pub fn new(declarer: Player, partner: Option<Player>) -> Self {
        let mut known = [None; 4];
        known[declarer.index()] = Some(Side::Declarer);
        if let Some(partner) = partner {
            known[partner.index()] = Some(Side::Declarer);
        }
        Self {
            declarer,
            known,
            called: None,
            counts: [None; 4],
            game_kontra: 0,
            announcements: Vec::new(),
            last_side: Side::Declarer,
            turn: declarer,
            this_turn: Vec::new(),
            said: Vec::new(),
            turns_taken: [false; 4],
            passes: 0,
        }
    }

    /// Makes a side public that something else than the announcements has shown.
    pub fn make_known(&mut self, player: Player, side: Side) {
        self.known[player.index()] = Some(side);
    }

    /// Whose turn it is; nobody's after three passes in a row (TK-54).
    pub fn turn(&self) -> Option<Player> {
        (self.passes < 3).then_some(self.turn)
    }

    /// The called tarokk.
    pub fn called(&self) -> Option<Card> {
        self.called
    }

    /// The level of kontra of the game.
    pub fn game_kontra(&self) -> u8 {
        self.game_kontra
    }

    /// The announced figures.
    pub fn announcements(&self) -> &[Announcement] {
        &self.announcements
    }

    /// The announced number of tarokks of a player.
    pub fn count(&self, player: Player) -> Option<u8> {
        self.counts[player.index()]
    }

    /// Everything that was said, in order.
    pub fn said(&self) -> &[(Player, Token)] {
        &self.said
    }

    /// What the speaker has said in this turn.
    pub fn this_turn(&self) -> &[Token] {
        &self.this_turn
    }

    /// Whether a side has announced a figure.
    pub fn has_announced(&self, side: Side, figure: Figure) -> bool {
        self.announcements.iter().any(|a| a.side == side && a.figure == figure)
    }

    /// The side for which a figure would count if this player announced it now (TK-54): the one it is known to be on; else
    /// that of the last who announced or said kontra to something; else the declarer's.
    pub fn implied_side(&self, who: Player) -> Side {
        self.known_side(who).unwrap_or(self.last_side)
    }

    /// The side of a player as everyone knows it from the auction and the announcements. When the partner is known the
    /// others are opponents; when two opponents are known the third player counts as the partner.
    pub fn known_side(&self, who: Player) -> Option<Side> {
        self.known[who.index()].or_else(|| {
            let others = Player::ALL.into_iter().filter(|other| *other != who && *other != self.declarer);
            let known: Vec<Side> = others.filter_map(|other| self.known[other.index()]).collect();
            match known[..] {
                _ if known.contains(&Side::Declarer) => Some(Side::Opponents),
                [Side::Opponents, Side::Opponents] => Some(Side::Declarer),
                _ => None,
            }
        })
    }

    /// The side of a player as far as there is no doubt about it: shown by the auction, or by its own words, which were proved;
    /// or that of an opponent, because another player is the partner.
    pub fn certain_side(&self, who: Player) -> Option<Side> {
        self.known[who.index()].or_else(|| {
            let mut others = Player::ALL.into_iter().filter(|other| *other != who && *other != self.declarer);
            others.any(|other| self.known[other.index()] == Some(Side::Declarer)).then_some(Side::Opponents)
        })
    }

    /// The side for which everyone takes an announcement or kontra of this player; none for other words, and for a
    /// kontra to nothing.
    pub fn side_of(&self, who: Player, token: Token) -> Option<Side> {
        match token {
            Token::Announce(_) => Some(self.implied_side(who)),
            Token::Kontra(level, target) => self.kontra_side(who, level, target),
            Token::Count(_) | Token::Call(_) | Token::Pass => None,
        }
    }

    /// Whether a player has not yet ended a turn.
    pub fn is_first_turn(&self, who: Player) -> bool {
        !self.turns_taken[who.index()]
    }

    /// Whether a player may say something now. Which tarokk may be called is [`super::call::check_call`]'s question.
    pub fn check(&self, who: Player, speaker: &Speaker, token: Token) -> Result<(), Illegal> {
        match self.turn() {
            None => return Err(Illegal::Closed),
            Some(turn) if turn != who => return Err(Illegal::Turn(turn)),
            Some(_) => {}
        }
        let first_word = who == self.declarer && !self.turns_taken[who.index()];
        match token {
            Token::Call(_) if !first_word || self.called.is_some() => return Err(Illegal::CallOnce),
            Token::Call(card) if !card.is_tarokk() || card.is_honour() => return Err(Illegal::CallKind),
            Token::Count(_) if first_word && self.called.is_some() => return Err(Illegal::CallOrder),
            Token::Call(_) | Token::Count(_) => {}
            _ if self.called.is_none() => return Err(Illegal::CallOrder),
            _ => {}
        }
        match token {
            // The number comes before the call, so a player who will have to say it for their pagát ultimo says it now.
            Token::Call(_) if speaker.must_ultimo => self.check_count_said(who, speaker),
            Token::Call(_) => Ok(()),
            Token::Count(_) if self.count(who).is_some() => Err(Illegal::CountTwice),
            Token::Count(n) if !(8..=9).contains(&n) || usize::from(n) != speaker.tarokks => {
                Err(Illegal::CountFalse(speaker.tarokks))
            }
            Token::Count(_) => Ok(()),
            Token::Announce(figure) => self.check_figure(who, speaker, figure),
            Token::Kontra(level, target) => {
                if self.level_before(speaker.side, level, target).is_none() {
                    return Err(Illegal::NoKontraNow(target));
                }
                if self.kontra_side(who, level, target) != Some(speaker.side) {
                    return Err(Illegal::WrongSide);
                }
                match (level, target) {
                    (1, Target::Figure(Figure::PagatUltimo)) => self.check_count_said(who, speaker),
                    _ => Ok(()),
                }
            }
            Token::Pass => self.check_duties(who, speaker),
        }
    }

    /// Takes in what was checked by [`Announcing::check`], or proved by its speaker.
    pub fn say(&mut self, who: Player, token: Token) {
        self.this_turn.push(token);
        self.said.push((who, token));
        match token {
            Token::Count(n) => self.counts[who.index()] = Some(n),
            Token::Call(card) => self.called = Some(card),
            Token::Announce(figure) => {
                let side = self.implied_side(who);
                self.announcements.push(Announcement { figure, side, kontra: 0 });
                self.speaks_for(who, side);
            }
            Token::Kontra(level, target) => {
                if let Some(side) = self.kontra_side(who, level, target) {
                    self.raise(side, level, target);
                    self.speaks_for(who, side);
                }
            }
            Token::Pass => {
                self.passes = if self.this_turn.len() == 1 { self.passes + 1 } else { 0 };
                self.turns_taken[who.index()] = true;
                self.this_turn.clear();
                self.turn = who.after(1);
            }
        }
    }

    fn speaks_for(&mut self, who: Player, side: Side) {
        self.known[who.index()] = Some(side);
        self.last_side = side;
    }

    /// TK-54: once for each side, duplajáték and volát not in one turn, no duplajáték after volát, for the right side only.
    fn check_figure(&self, who: Player, speaker: &Speaker, figure: Figure) -> Result<(), Illegal> {
        let said = |other| self.this_turn.contains(&Token::Announce(other));
        if self.has_announced(speaker.side, figure) {
            return Err(Illegal::FigureTwice(figure));
        }
        match figure {
            Figure::Double if said(Figure::Volat) => return Err(Illegal::DoubleWithVolat),
            Figure::Volat if said(Figure::Double) => return Err(Illegal::DoubleWithVolat),
            Figure::Double if Side::BOTH.into_iter().any(|side| self.has_announced(side, Figure::Volat)) => {
                return Err(Illegal::DoubleAfterVolat);
            }
            _ => {}
        }
        if self.implied_side(who) != speaker.side {
            return Err(Illegal::WrongSide);
        }
        if figure == Figure::PagatUltimo { self.check_count_said(who, speaker) } else { Ok(()) }
    }

    /// TK-53: a player who announces pagát ultimo, or says kontra to it, must announce their eight or nine tarokks before that.
    fn check_count_said(&self, who: Player, speaker: &Speaker) -> Result<(), Illegal> {
        if speaker.tarokks >= 8 && self.count(who).is_none() { Err(Illegal::CountDue) } else { Ok(()) }
    }

    /// What a player may not leave unsaid in its first turn.
    fn check_duties(&self, who: Player, speaker: &Speaker) -> Result<(), Illegal> {
        if self.turns_taken[who.index()] {
            return Ok(());
        }
        if speaker.must_kontra && self.game_kontra == 0 {
            return Err(Illegal::KontraDue);
        }
        if speaker.must_ultimo && !self.has_announced(speaker.side, Figure::PagatUltimo) {
            return Err(Illegal::UltimoDue);
        }
        Ok(())
    }

    /// The level of kontra that a side would raise, if it may: kontra, szubkontra and mordkontra what the other side said,
    /// rekontra and hirskontra what its own side said, each one level above the last (TK-52).
    fn level_before(&self, side: Side, level: u8, target: Target) -> Option<u8> {
        let of = if level % 2 == 1 { side.other() } else { side };
        let now = match target {
            Target::Game => (of == Side::Declarer).then_some(self.game_kontra)?,
            Target::Figure(figure) => self.announcements.iter().find(|a| a.side == of && a.figure == figure)?.kontra,
        };
        ((1..=MORDKONTRA).contains(&level) && now + 1 == level).then_some(now)
    }

    /// For which side a player says kontra, as everyone understands it. Where both sides have announced the same
    /// figure, the side decides for which an announcement of this player would count.
    fn kontra_side(&self, who: Player, level: u8, target: Target) -> Option<Side> {
        match Side::BOTH.map(|side| self.level_before(side, level, target).is_some()) {
            [true, true] => Some(self.implied_side(who)),
            [true, false] => Some(Side::Declarer),
            [false, true] => Some(Side::Opponents),
            [false, false] => None,
        }
    }

    fn raise(&mut self, side: Side, level: u8, target: Target) {
        let of = if level % 2 == 1 { side.other() } else { side };
        match target {
            Target::Game => self.game_kontra = level,
            Target::Figure(figure) => {
                for a in self.announcements.iter_mut().filter(|a| a.side == of && a.figure == figure) {
                    a.kontra = level;
                }
            }
        }
    }
}

impl Token {
    /// Everything that can be said, except calls.
    pub fn all() -> impl Iterator<Item = Self> {
        let targets = || [Target::Game].into_iter().chain(Figure::ALL.map(Target::Figure));
        [Self::Pass, Self::Count(8), Self::Count(9)]
            .into_iter()
            .chain(Figure::ALL.map(Self::Announce))
            .chain((1..=MORDKONTRA).flat_map(move |level| targets().map(move |target| Self::Kontra(level, target))))
    }

    /// Reads the notation: `call:XX`, `8_tarokks`, `trull`, `kontra:game`, `pass`.
    pub fn parse(text: &str) -> Option<Self> {
        if let Some(name) = text.strip_prefix("call:") {
            return Card::parse(name).map(Self::Call);
        }
        Self::all().find(|token| token.to_string() == text)
    }
}

/// The names of the levels of kontra.
const LEVELS: [&str; 5] = ["kontra", "rekontra", "subkontra", "hirskontra", "mordkontra"];

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Game => "game",
            Self::Figure(figure) => figure.name(),
        })
    }
}

impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Count(n) => write!(f, "{n}_tarokks"),
            Self::Call(card) => write!(f, "call:{card}"),
            Self::Announce(figure) => f.write_str(figure.name()),
            Self::Kontra(level, target) => {
                let name = LEVELS.get(usize::from(*level).wrapping_sub(1)).unwrap_or(&"?");
                write!(f, "{name}:{target}")
            }
            Self::Pass => f.write_str("pass"),
        }
    }
}
