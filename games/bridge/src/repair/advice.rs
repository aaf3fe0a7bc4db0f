//! What to do about a finding, in words.

use core::fmt::Write;

use super::{Fault, Finding};
use crate::card::{Seat, Suit};
use crate::words::{Language, Words};

/// Says what was found and how to repair it.
pub fn advice(finding: &Finding, language: Language) -> String {
    let words = language.words();
    let repair = &words.repair;
    let mut out = String::new();
    let mut lines = |head: &str, list: Vec<String>| {
        out.push_str(head);
        for line in list {
            let _ = write!(out, "\n  {line}");
        }
    };
    match finding {
        Finding::Right => lines(repair.right, Vec::new()),
        Finding::Counts(faults) => lines(repair.counts, faults.iter().map(|f| fault(f, words)).collect()),
        Finding::HandsMoved(to) => {
            let moved = Seat::ALL.into_iter().zip(to).filter(|(seat, is)| seat != *is);
            lines(repair.moved, moved.map(|(seat, is)| arrow(words.seat(*is), words.seat(seat))).collect());
        }
        Finding::SuitsRenamed(to) => {
            let renamed = Suit::ALL.into_iter().zip(to).filter(|(a, b)| a != *b);
            lines(repair.suits, renamed.map(|(a, b)| arrow(a.symbol(), b.symbol())).collect());
        }
        Finding::Cards(wrong) => {
            let list = wrong.iter().map(|w| {
                let card = w.card.symbols();
                format!("{card}: {}", arrow(words.seat(w.is), words.seat(w.belongs)))
            });
            lines(repair.cards, list.collect());
        }
        Finding::Different(n) => lines(&repair.different.replace("{}", &n.to_string()), Vec::new()),
        Finding::Look(seat) => lines(&repair.look.replace("{}", words.seat(*seat)), Vec::new()),
    }
    out
}

fn arrow(from: impl core::fmt::Display, to: impl core::fmt::Display) -> String {
    format!("{from} → {to}")
}

fn fault(fault: &Fault, words: &Words) -> String {
    let (text, what, n) = match fault {
        Fault::Count(seat, n) => (words.repair.count, words.seat(*seat).to_owned(), n.to_string()),
        Fault::Missing(card) => (words.repair.missing, card.symbols(), String::new()),
        Fault::Several(card) => (words.repair.several, card.symbols(), String::new()),
    };
    text.replace("{what}", &what).replace("{n}", &n)
}
