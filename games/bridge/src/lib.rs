#![doc = include_str!("../README.md")]

pub mod board;
pub mod card;
pub mod deal;
pub mod draw;
pub mod sheet;
pub mod contract;
pub mod dd;
pub mod par;
pub mod formats;
