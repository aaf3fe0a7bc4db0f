//! PDF pages: sheets, hand records, curtain cards. A small writer with two embedded fonts, so that a page looks the
//! same everywhere and needs no library.

mod curtains;
mod font;
mod page;
mod records;
mod sheets;
mod sorting;

pub use curtains::curtains;
pub use page::Paper;
pub use records::records;
pub use sheets::{sheets, single};
pub use sorting::sorting;

#[cfg(test)]
mod tests;
