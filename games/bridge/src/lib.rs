#![doc = include_str!("../README.md")]
#![cfg_attr(not(test), warn(unreachable_pub))]
#![cfg_attr(test, allow(clippy::disallowed_methods, reason = "unit tests draw by number"))]

pub mod board;
pub mod card;
pub mod commands;
pub mod contract;
pub mod dd;
pub mod deal;
pub mod draw;
pub mod formats;
pub mod html;
pub mod layout;
pub mod leak;
pub mod mistakes;
pub mod par;
pub mod pdf;
pub mod record;
pub mod repair;
pub mod seal;
pub mod sheet;
pub mod text;
pub mod times;
pub mod toss;
pub mod words;
