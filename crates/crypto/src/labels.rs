//! Every label of every proof, in one place, each with its own version.
//!
//! The list is an enum so that a test can match on it exhaustively: a label without an entry in the rejection suite
//! (`tests/suite/catalogue`) does not compile.

macro_rules! labels {
    ($($(#[$doc:meta])* $name:ident = $text:literal,)*) => {
        /// What a proof claims.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Label { $($(#[$doc])* $name,)* }

        impl Label {
            /// All of them.
            pub const ALL: &'static [Label] = &[$(Label::$name,)*];

            /// The text that enters the challenge.
            pub fn text(self) -> &'static str {
                match self { $(Label::$name => $text,)* }
            }
        }
    };
}

labels! {
    /// Knowledge of the secret key behind a published key.
    Possession = "possession/1",
    /// Two pairs share one exponent (TK-15).
    SameExponent = "same-exponent/1",
    /// Many pairs share the exponent of one key.
    SameExponents = "same-exponents/1",
    /// One code re-encrypts another.
    Reencryption = "re-encryption/1",
    /// A re-created code holds the card that was drawn (F5).
    SameCard = "same-card/1",
    /// One of several statements holds.
    AnyOf = "any-of/1",
    /// One of many codes holds the identity, i.e. one of many cards is the card.
    OneOfMany = "one-of-many/1",
    /// A key was used on the one of many rows of points whose number a code holds.
    OneOfRows = "one-of-rows/1",
    /// A deck is a re-encrypted permutation of another.
    Shuffle = "shuffle/1",
    /// A deck is a permutation of another with every card raised to the key.
    ExponentShuffle = "exponent-shuffle/1",
    /// A hand is a re-creation, in secret order, of drawn codes (E1).
    Recreation = "re-creation/1",
    /// Some codes hold distinct cards of a public set (TK-22).
    Containment = "containment/1",
    /// A shuffle shown by cut-and-choose (TK-20).
    ClassicShuffle = "classic-shuffle/1",
    /// Containment shown by padding and cut-and-choose (TK-22).
    ClassicContainment = "classic-containment/1",
    /// Answers that open to their message only on a hidden condition.
    Disclosure = "disclosure/1",
    /// In each of several cases one of several alternatives holds: some numbers are zero.
    Cases = "cases/1",
    /// One of many answers opens to its message, and some numbers are those that belong to it.
    Selection = "selection/1",
}

impl core::fmt::Display for Label {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.text())
    }
}
