//! Hungarian tarokk without cryptography: what may be done, what an observer knows, and what it pays.
//!
//! One file per part of the rules; ids such as TK-44 cite chapter 7 of the thesis, see `spec/sources.md`. The rules as they
//! are implemented, with every decision where the text is silent, are in `spec/games/tarokk-rules.md`.
//!
//! [`game::start`], [`game::chance`], [`game::apply`], [`knowledge::observe`] and [`knowledge::legal`] run a whole table;
//! [`learn::learn`] builds the same knowledge from events. They name no cryptographic type and need no randomness: the order
//! of the deck is an argument.

pub mod announce;
pub mod auction;
pub mod call;
pub mod cards;
pub mod cardset;
mod close;
pub mod deal;
pub mod discard;
pub mod ending;
pub mod facts;
pub mod figures;
pub mod game;
pub mod illegal;
pub mod knowledge;
pub mod learn;
pub mod options;
pub mod play;
pub mod rounds;
pub mod seats;
pub mod settle;
pub mod state;
pub mod table;
pub mod talon;
