#![doc = include_str!("../README.md")]

pub mod board;
pub mod card;
pub mod contract;
pub mod dd;
pub mod deal;
pub mod draw;
pub mod formats;
pub mod html;
pub mod layout;
pub mod leak;
pub mod par;
pub mod pdf;
pub mod record;
pub mod sheet;
pub mod text;
pub mod words;
