//! High card.
