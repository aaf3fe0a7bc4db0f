//! What section 4 says, computed with fractions instead of rounded.

/// The chance that `size` cards of the pack contain none of a given suit.
fn without_suit(size: u32) -> f64 {
    (0..size).map(|i| f64::from(39 - i) / f64::from(52 - i)).product()
}

/// Δ: a hand has no card of a given suit, C(39,13)/C(52,13) = 1.2791 % (BR-23).
pub fn void() -> f64 {
    without_suit(13)
}

/// No card of the last suit in pile 1, with pile sizes 10 to 16.
fn pile_without_suit_varied() -> f64 {
    (10..=16).map(without_suit).sum::<f64>() / 7.0
}

/// The hand with the first card of the second deal is void in the suit sorted last: the card itself must be of another
/// suit, and then so must the twelve others. 0.02181 % for piles of thirteen.
pub fn first_void(varied: bool) -> f64 {
    let pile = if varied { pile_without_suit_varied() } else { void() };
    pile * void() * 4.0 / 3.0
}

/// How much rarer that is than Δ: 58.6 times, or 44.7 times with pile sizes 10 to 16.
pub fn ratio(varied: bool) -> f64 {
    void() / first_void(varied)
}

/// King and Queen of the first suit are at the bottom of a pile: 13/17 and 247/425 for piles of thirteen, where the
/// paper has 3/4 and 9/16 (BR-27).
pub const BOTTOM: [(u32, u32); 2] = [(13, 17), (247, 425)];

/// If a hand gets all four pile bottoms of thirteen-card piles: King and Queen are in it. Either the card is a bottom,
/// or it is one of the 48 others, of which the hand has nine.
pub fn four_bottoms() -> [f64; 2] {
    BOTTOM.map(|(a, b)| {
        let bottom = f64::from(a) / f64::from(b);
        bottom + (1.0 - bottom) * 9.0 / 48.0
    })
}

/// The hand with the last card of the second deal holds the Ace of the first suit: the last card is the first one of
/// pile 4, which is that Ace in a quarter of the deals, whatever the pile sizes are (F11); otherwise the hand has twelve
/// of the 51 others. 29/68 = 0.4265.
pub const LAST_ACE: (u32, u32) = (29, 68);
