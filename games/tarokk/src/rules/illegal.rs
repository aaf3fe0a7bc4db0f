//! Why something is not allowed, as sentences for people.

use super::announce::Target;
use super::cards::Card;
use super::figures::Figure;
use super::seats::Player;

/// Why an action is not allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Illegal {
    /// Something that belongs to another part of the deal.
    #[error("this cannot be done now")]
    Now,
    /// Another player's turn.
    #[error("it is {0}'s turn")]
    Turn(Player),
    /// A bid without an honour (TK-39).
    #[error("an honour (skíz, XXI or pagát) is needed to bid")]
    NoHonour,
    /// A bid that is not higher (TK-40).
    #[error("a bid must be higher than the last one")]
    TooLow,
    /// A hold by a player who has not bid, over their own bid, or where nothing was bid (TK-40).
    #[error("only a player who has bid may hold, and only another player's higher bid")]
    CannotHold,
    /// A second hold of the same bid (TK-40).
    #[error("this bid has already been held: bid higher or pass")]
    HeldAlready,
    /// A jump without its card (TK-44).
    #[error("this jump is an invit and promises the {0}")]
    InvitWithout(Card),
    /// A pass that would yield the game without the cards it promises (TK-45).
    #[error("passing the two now yields the game and promises the XX and the skíz or the XXI: hold or bid")]
    YieldWithout,
    /// Discards that are not in the hand.
    #[error("{0} is not in the hand")]
    NotInHand(Card),
    /// Too many or too few discards (TK-47).
    #[error("{due} cards must be discarded, not {got}")]
    DiscardCount {
        /// Cards taken from the talon.
        due: usize,
        /// Cards discarded.
        got: usize,
    },
    /// A king or an honour in the discard (TK-47).
    #[error("{0} is worth five points: kings and honours may not be discarded")]
    DiscardFive(Card),
    /// The signalled card in the discard (TK-47).
    #[error("{0} was signalled in the auction and may not be discarded")]
    DiscardSignalled(Card),
    /// No reason to annul (TK-49).
    #[error("this hand does not allow annulling the deal")]
    NoGround,
    /// Annulling after discarding a tarokk (TK-49).
    #[error("after discarding a tarokk, only four kings allow annulling")]
    AnnulAfterTarokk,
    /// Annulling too late (TK-49).
    #[error("the announcements have begun: it is too late to annul")]
    AnnulLate,
    /// A called card that is no ordinary tarokk (TK-50).
    #[error("only a tarokk that is not an honour can be called")]
    CallKind,
    /// A call against the duty of the auction (TK-50).
    #[error("after this auction, the {0} must be called")]
    CallObliged(Card),
    /// A call below XX without a reason (TK-50).
    #[error("without the XX in hand, and with no tarokk discarded by the others, the XX must be called")]
    CallTwenty,
    /// Not the highest missing tarokk (TK-50).
    #[error(
        "with the XX in hand, only the {0}, the highest tarokk below it not in hand, or the player's own XX can be called"
    )]
    CallHighest(Card),
    /// Everything from XX to II is in hand and only the player's own XX is left to call (TK-50).
    #[error("no tarokk below the XX is missing: only the player's own XX can be called")]
    CallOwn,
    /// The first turn of the announcements has no call, or a second call, or a call by another player (TK-54).
    #[error("the declarer calls once, in the first turn")]
    CallOnce,
    /// Something before the call that comes after it, or the other way round (TK-54).
    #[error("the declarer says the number of tarokks first, then calls, then announces")]
    CallOrder,
    /// A false number of tarokks (TK-53).
    #[error("there are {0} tarokks in this hand")]
    CountFalse(usize),
    /// A number said twice (TK-53).
    #[error("the number of tarokks has been announced")]
    CountTwice,
    /// Pagát ultimo announced, or answered with kontra, without the count that is due (TK-53).
    #[error("with eight or nine tarokks, the number must be announced before pagát ultimo or kontra to it")]
    CountDue,
    /// The same figure twice for one side (TK-54).
    #[error("this side has already announced {0}")]
    FigureTwice(Figure),
    /// Duplajáték and volát in one turn (TK-54).
    #[error("double game and volát may not be announced in one turn")]
    DoubleWithVolat,
    /// Duplajáték after volát (TK-54).
    #[error("a double game may not be announced after volát")]
    DoubleAfterVolat,
    /// A figure announced for the wrong side (TK-54).
    #[error("this would count for the other side: first say kontra to something that they announced")]
    WrongSide,
    /// Doubling what the other side did not say (TK-52).
    #[error("this side cannot say this kontra to {0}")]
    NoKontraNow(Target),
    /// The called tarokk is in the player's own discard (TK-50).
    #[error("a player who discarded the called tarokk must say kontra to the game")]
    KontraDue,
    /// Pagát ultimo is due (TK-44).
    #[error("after an invit with the pagát as the only honour, pagát ultimo must be announced now")]
    UltimoDue,
    /// Speaking after three passes (TK-54).
    #[error("the announcements are closed")]
    Closed,
    /// Not following suit (TK-55).
    #[error("a card of the suit that was led must be played")]
    FollowSuit,
    /// Not playing tarokk (TK-55).
    #[error("without the suit that was led, a tarokk must be played")]
    PlayTarokk,
    /// Playing the pagát too early (TK-56).
    #[error("pagát ultimo was announced: the pagát must be kept as long as the rules allow another card")]
    KeepPagat,
    /// *Skíz oszt, nem oszt* said again (TK-36).
    #[error("the end of the game has already been called")]
    EndCalled,
    /// Someone who does not play.
    #[error("this seat sits out this deal")]
    SitsOut,
}
