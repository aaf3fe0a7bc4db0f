//! Outis: hidden-information games with nobody in the middle.

fn main() {}
