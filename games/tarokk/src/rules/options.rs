//! What a table may agree on where the thesis is silent or names a variant. Defaults follow the text to the letter.

/// The options. Each is explained in `spec/games/tarokk-rules.md`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Options {
    /// Whether, for a player who may hold, holding is the next regular bid from which a jump is counted (TK-44).
    pub jump_counts_hold: bool,
    /// Whether giving up the two after bidding three promises XX and a big honour (*engedett játék*, TK-45).
    pub yielded_game: bool,
    /// Whether an invit with the pagát alone obliges to pagát ultimo even if nobody accepted it (TK-44).
    pub pagat_invit_always_binds: bool,
    /// Whether a double round doubles what is paid for eight and nine tarokks too (TK-42, TK-53).
    pub double_rounds_count_tarokks: bool,
    /// Whether eight and nine tarokks that nobody announced may be claimed after play (TK-53).
    pub late_claims: bool,
    /// After how many paid deals the table ends by agreement; 0: only by *skíz oszt, nem oszt* (TK-36).
    pub deals: u16,
    /// Seconds for each decision of a person; 0: no clock.
    pub clock: u16,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            jump_counts_hold: true,
            yielded_game: true,
            pagat_invit_always_binds: true,
            double_rounds_count_tarokks: true,
            late_claims: true,
            deals: 0,
            clock: 0,
        }
    }
}
