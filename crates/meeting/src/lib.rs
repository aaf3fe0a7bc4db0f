//! The meeting place.
