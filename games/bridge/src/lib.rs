#![doc = include_str!("../README.md")]

pub mod board;
pub mod card;
pub mod contract;
pub mod dd;
pub mod deal;
pub mod draw;
pub mod formats;
pub mod par;
pub mod record;
pub mod sheet;
