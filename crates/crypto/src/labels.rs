//! The labels of proofs, each with its own version.
//!
//! The list of this crate is an enum so that a test can match on it exhaustively: a label without an entry in the rejection
//! suite (`tests/suite/catalogue`) does not compile. A game that proves something of its own declares its labels with
//! [`labels!`](crate::labels!): they begin with the name of the game, so they are different from these and from every other
//! game's.

macro_rules! own_labels {
    ($($(#[$doc:meta])* $name:ident = $text:literal,)*) => {
        /// What a proof claims.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Label {
            $($(#[$doc])* $name,)*
            /// A proof of a game's own.
            OfGame(GameLabel),
        }

        impl Label {
            /// All of this crate.
            pub const ALL: &'static [Label] = &[$(Label::$name,)*];

            /// The text that enters the challenge.
            pub const fn text(self) -> &'static str {
                match self {
                    $(Label::$name => $text,)*
                    Label::OfGame(label) => label.0,
                }
            }
        }
    };
}

own_labels! {
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

/// The label of a proof that a game defines. Made only by [`labels!`](crate::labels!).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GameLabel(&'static str);

impl GameLabel {
    /// For [`labels!`](crate::labels!) alone. The text is `GAME:NAME/VERSION`; anything else does not compile there.
    #[doc(hidden)]
    pub const fn dangerously_new(text: &'static str) -> Self {
        assert!(
            is_of_game(text.as_bytes()),
            "a label of a game is GAME:NAME/VERSION, in small letters, digits and hyphens"
        );
        Self(text)
    }
}

/// Declares the labels of a game's own proofs, and the list of them. Each is `GAME:NAME/VERSION`.
///
/// The list belongs in the game's `Referee::LABELS`. A label of another form, two equal ones in a list, and a label that begins
/// with another name than the game's do not compile. No label of this crate has a colon.
///
/// ```
/// outis_crypto::labels! {
///     /// The labels of this game.
///     pub const LABELS: "my-game" = {
///         /// Two hidden cards have the same suit.
///         SAME_SUIT = "same-suit/1",
///         /// A hidden card is red.
///         RED = "red/2",
///     }
/// }
/// assert_eq!(SAME_SUIT.text(), "my-game:same-suit/1");
/// assert_eq!(LABELS, [SAME_SUIT, RED]);
/// ```
///
/// Two equal labels:
/// ```compile_fail
/// outis_crypto::labels! {
///     /// The labels of this game.
///     pub const LABELS: "my-game" = {
///         /// A hidden card is red.
///         RED = "red/1",
///         /// A hidden card is hearts or diamonds.
///         WARM = "red/1",
///     }
/// }
/// ```
///
/// A label without a version:
/// ```compile_fail
/// outis_crypto::labels! {
///     /// The labels of this game.
///     pub const LABELS: "my-game" = {
///         /// A hidden card is red.
///         RED = "red",
///     }
/// }
/// ```
#[macro_export]
macro_rules! labels {
    ($(#[$meta:meta])* $vis:vis const $list:ident: $game:literal = {
        $($(#[$doc:meta])* $name:ident = $text:literal,)*
    }) => {
        $(
            $(#[$doc])*
            $vis const $name: $crate::labels::Label = $crate::labels::Label::OfGame(
                $crate::labels::GameLabel::dangerously_new(concat!($game, ":", $text)),
            );
        )*
        $(#[$meta])*
        $vis const $list: &[$crate::labels::Label] = &[$($name),*];
        const _: () = assert!($crate::labels::are_of($list, $game), "two equal labels");
    };
}

/// Whether all labels are of this game, and no two are equal.
pub const fn are_of(labels: &[Label], game: &str) -> bool {
    let mut at = 0;
    while at < labels.len() {
        let text = labels[at].text().as_bytes();
        if !is_of_game(text) || !begins(text, game.as_bytes()) || text.len() == game.len() || text[game.len()] != b':' {
            return false;
        }
        let mut before = 0;
        while before < at {
            let other = labels[before].text().as_bytes();
            if other.len() == text.len() && begins(other, text) {
                return false;
            }
            before += 1;
        }
        at += 1;
    }
    true
}

/// Whether a text begins with another.
const fn begins(text: &[u8], start: &[u8]) -> bool {
    let mut at = 0;
    while at < start.len() {
        if at >= text.len() || text[at] != start[at] {
            return false;
        }
        at += 1;
    }
    true
}

/// Whether a text is `GAME:NAME/VERSION`: words of small letters, digits and hyphens, and a number that does not begin with 0.
const fn is_of_game(text: &[u8]) -> bool {
    let (mut at, mut colon, mut slash) = (0, 0, 0);
    while at < text.len() {
        match text[at] {
            b'a'..=b'z' | b'-' if slash == 0 => {}
            b'0'..=b'9' if slash == 0 || at > slash + 1 || text[at] != b'0' => {}
            b':' if colon == 0 && slash == 0 && at > 0 => colon = at,
            b'/' if colon > 0 && slash == 0 && at > colon + 1 => slash = at,
            _ => return false,
        }
        at += 1;
    }
    slash > 0 && slash + 1 < text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    crate::labels! {
        /// Of a game.
        const LABELS: "some-game" = {
            /// One.
            ONE = "one/1",
            /// Another version of it.
            TWO = "one/12",
        }
    }

    #[test]
    fn a_label_of_a_game_has_one_form() {
        for good in ["a:b/1", "dark-chess:one-step2/10", "x1:y/9"] {
            assert!(is_of_game(good.as_bytes()), "{good}");
        }
        for bad in [
            "", "a", "a:b", "a/1", ":b/1", "a:/1", "a:b/", "a:b/0", "a:b/01", "a:b/1/2", "a:b:c/1", "A:b/1", "a:b/1x",
            "a:b /1",
        ] {
            assert!(!is_of_game(bad.as_bytes()), "{bad}");
        }
    }

    #[test]
    fn labels_are_of_their_game_and_distinct() {
        assert_eq!((ONE.text(), TWO.text()), ("some-game:one/1", "some-game:one/12"));
        assert!(are_of(LABELS, "some-game"));
        assert!(!are_of(LABELS, "some") && !are_of(LABELS, "some-game2") && !are_of(LABELS, ""), "another game's");
        assert!(!are_of(&[ONE, TWO, ONE], "some-game"), "twice");
        assert!(!are_of(&[Label::Possession], "possession"), "one of this crate");
        // What keeps them apart from a game's: none has a colon.
        for (at, label) in Label::ALL.iter().enumerate() {
            assert!(!label.text().contains(':') && !is_of_game(label.text().as_bytes()), "{label}");
            assert!(!Label::ALL[..at].iter().any(|other| other.text() == label.text()), "{label} twice");
        }
    }
}
