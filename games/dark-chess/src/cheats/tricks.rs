//! Moves that break the rules: what each tries to prove. The honest prover makes the proofs, so each is as good as possible.

use crate::protocol::charter::{Charter, Plan};
use crate::protocol::layout::New;
use crate::rules::board::{Color, Piece, Square};
use crate::rules::moves::{Announcement, Kind, Move};
use crate::rules::side::{Side, Wing};

/// Where a cheat finds itself: its own pieces, and the honest plan that it is about to change.
pub(crate) struct Scene<'a> {
    pub color: Color,
    pub side: &'a Side,
    pub charter: &'a Charter,
    pub plan: Plan,
}

/// A move that breaks the rules.
pub(crate) struct Trick {
    /// Short name.
    pub name: &'static str,
    /// What it tries.
    pub summary: &'static str,
    /// The check that catches it.
    pub check: &'static str,
    /// The game up to the move in whose place it is made, and that move.
    pub script: &'static str,
    /// The change of the plan. `false` if there is no chance for it here.
    pub doctor: fn(&mut Scene<'_>) -> bool,
}

fn square(name: &str) -> Square {
    name.parse().unwrap_or(Square::at(0, 0))
}

impl Scene<'_> {
    fn set(&mut self, new: New, value: u32) -> bool {
        self.plan.values[new.index()] = value;
        true
    }

    /// Another piece on a square of the new board, or none.
    fn put(&mut self, at: &str, piece: Option<Piece>) -> bool {
        let at = square(at);
        Piece::ALL.into_iter().all(|p| self.set(New::Piece(at, p), u32::from(Some(p) == piece)))
    }

    /// The plan of a move that is on the list of entries, whether or not anything allows it.
    fn instead(&mut self, kind: Kind, from: &str, to: &str, heard: Announcement) -> bool {
        self.promoting(kind, from, to, None, heard)
    }

    fn promoting(&mut self, kind: Kind, from: &str, to: &str, promotes: Option<Piece>, heard: Announcement) -> bool {
        let mv = Move { from: square(from), to: square(to), promotes, kind };
        let plan = Plan::of(self.charter, self.side, &mv, heard);
        plan.map(|plan| self.plan = plan).is_some()
    }

    /// Keeps the entry, and with it the answer that opens, but does what another move does.
    fn really(&mut self, kind: Kind, from: &str, to: &str) -> bool {
        let (entry, passant) = (self.plan.entry, self.plan.values[142..150].to_vec());
        let (heard, color) = (self.plan.heard, self.color);
        let (from, to) = (square(from), square(to));
        let Some(moved) = self.side.piece(from) else { return false };
        let mut after = *self.side;
        after.play(color, &Move { from, to, promotes: None, kind });
        let mut values = vec![0; 152];
        [New::From(from), New::To(to), New::Moved(moved), New::Placed(moved)]
            .iter()
            .for_each(|n| values[n.index()] = 1);
        values[142..150].copy_from_slice(&passant);
        for wing in Wing::ALL {
            values[New::Right(wing).index()] = u32::from(after.castling[wing.index()]);
        }
        values.extend(Square::all().flat_map(|s| Piece::ALL.map(|p| u32::from(after.squares(p).has(s)))));
        self.plan = Plan { heard, entry, values };
        true
    }
}

const QUIET: Announcement = Announcement::Quiet;
/// White can castle on the king's wing.
const CASTLE: &str = "g1f3 a7a6 g2g3 a6a5 f1g2 a5a4 e1g1";
/// White can castle on the queen's wing.
const FAR: &str = "d2d4 a7a6 c1f4 a6a5 d1d3 a5a4 b1c3 h7h6 e1c1";
/// White's rook on h1 has moved and come back.
const MOVED_BACK: &str = "g1f3 a7a6 g2g3 a6a5 f1g2 a5a4 h1g1 a4a3 g1h1 b7b6 d2d3";
/// A white pawn stands before the last rank.
const SEVENTH: &str = "a2a4 b7b5 a4b5 a7a6 b5a6 c8b7 a6b7 h7h6 b7a8q";

pub(crate) const TRICKS: &[Trick] = &[
    Trick {
        name: "through-piece",
        summary: "moves a rook through its own pawn",
        check: "selection",
        script: "e2e4",
        doctor: |scene| scene.instead(Kind::Orthogonal, "a1", "a4", QUIET),
    },
    Trick {
        name: "unseen-blocker",
        summary: "moves a bishop through an opposing piece that it does not see",
        check: "selection",
        script: "e2e4 d7d5 g2g3 c8g4 a2a3",
        doctor: |scene| scene.instead(Kind::Diagonal, "d1", "h5", QUIET),
    },
    Trick {
        name: "borrowed-ticket",
        summary: "moves a rook on the strength of what a pawn sees",
        check: "selection",
        script: "e2e4",
        doctor: |scene| scene.really(Kind::Orthogonal, "a1", "e4"),
    },
    Trick {
        name: "other-target",
        summary: "moves a pawn anywhere, on the strength of where it could have gone",
        check: "selection",
        script: "e2e4",
        doctor: |scene| scene.really(Kind::PushOne, "e2", "e6"),
    },
    Trick {
        name: "quiet-capture",
        summary: "captures a piece and does not say so",
        check: "selection",
        script: "e2e4 a7a6 f1a6",
        doctor: |scene| scene.instead(Kind::Diagonal, "f1", "a6", QUIET),
    },
    Trick {
        name: "step-on-piece",
        summary: "steps with a pawn onto a square that the opponent occupies",
        check: "selection",
        script: "e2e4 e7e5 a2a3",
        doctor: |scene| scene.instead(Kind::PushOne, "e4", "e5", QUIET),
    },
    Trick {
        name: "pawn-aslant",
        summary: "moves a pawn diagonally and claims to have captured something there",
        check: "selection",
        script: "e2e4 a7a6 a2a3",
        doctor: |scene| scene.instead(Kind::PawnTakes, "e4", "d5", Announcement::Capture(square("d5"), Piece::Pawn)),
    },
    Trick {
        name: "wrong-piece",
        summary: "captures a pawn and says that it was the queen, so that the opponent loses it",
        check: "selection",
        script: "e2e4 d7d5 e4d5",
        doctor: |scene| scene.instead(Kind::PawnTakes, "e4", "d5", Announcement::Capture(square("d5"), Piece::Queen)),
    },
    Trick {
        name: "false-king",
        summary: "claims to have captured the king, and so to have won",
        check: "selection",
        script: "e2e4",
        doctor: |scene| scene.instead(Kind::Orthogonal, "e1", "e8", Announcement::Capture(square("e8"), Piece::King)),
    },
    Trick {
        name: "late-passant",
        summary: "captures a pawn en passant one move too late",
        check: "selection",
        script: "e2e4 a7a6 e4e5 d7d5 a2a3 h7h6 b2b3",
        doctor: |scene| scene.instead(Kind::Passant, "e5", "d6", Announcement::Capture(square("d5"), Piece::Pawn)),
    },
    Trick {
        name: "silent-double-step",
        summary: "makes a double step that cannot be captured en passant",
        check: "selection",
        script: "e2e4",
        doctor: |scene| scene.set(New::Passant(4), 0),
    },
    Trick {
        name: "castle-after-move",
        summary: "castles with a rook that has moved and come back",
        check: "selection",
        script: MOVED_BACK,
        doctor: |scene| scene.instead(Kind::Castle(Wing::King), "e1", "g1", QUIET),
    },
    Trick {
        name: "castle-on-the-side",
        summary: "moves a pawn, and a rook as in castling",
        check: "selection",
        script: "g1f3 a7a6 g2g3 a6a5 f1g2 a5a4 a2a3",
        doctor: |scene| {
            scene.set(New::Castles(Wing::King), 1) && scene.put("h1", None) && scene.put("f1", Some(Piece::Rook))
        },
    },
    Trick {
        name: "self-promotion",
        summary: "turns a pawn into a queen before it reaches the last rank",
        check: "selection",
        script: "e2e4",
        doctor: |scene| {
            scene.set(New::Placed(Piece::Pawn), 0)
                && scene.set(New::Placed(Piece::Queen), 1)
                && scene.put("e4", Some(Piece::Queen))
        },
    },
    Trick {
        name: "second-king",
        summary: "promotes a pawn to a king",
        check: "selection",
        script: SEVENTH,
        doctor: |scene| {
            scene.set(New::Placed(Piece::Queen), 0)
                && scene.set(New::Placed(Piece::King), 1)
                && scene.put("a8", Some(Piece::King))
        },
    },
    Trick {
        name: "no-promotion",
        summary: "leaves a pawn a pawn on the last rank",
        check: "selection",
        script: SEVENTH,
        doctor: |scene| {
            scene.set(New::Placed(Piece::Queen), 0)
                && scene.set(New::Placed(Piece::Pawn), 1)
                && scene.put("a8", Some(Piece::Pawn))
        },
    },
    Trick {
        name: "two-moves",
        summary: "moves two pieces at once",
        check: "board",
        script: "e2e4",
        doctor: |scene| scene.put("g1", None) && scene.put("f3", Some(Piece::Knight)),
    },
    Trick {
        name: "new-queen",
        summary: "puts a second queen on the board",
        check: "board",
        script: "e2e4",
        doctor: |scene| scene.put("h5", Some(Piece::Queen)),
    },
    Trick {
        name: "back-again",
        summary: "brings back a piece that was captured",
        check: "board",
        script: "e2e4 d7d5 e4d5 d8d5 a2a3",
        doctor: |scene| scene.put("d5", Some(Piece::Pawn)),
    },
    Trick {
        name: "duplicate",
        summary: "moves a piece and leaves it where it was",
        check: "board",
        script: "g1f3",
        doctor: |scene| scene.put("g1", Some(Piece::Knight)),
    },
    Trick {
        name: "vanish",
        summary: "removes a piece from the board, so that nobody sees it",
        check: "board",
        script: "e2e4",
        doctor: |scene| scene.put("e4", None),
    },
    Trick {
        name: "disguise",
        summary: "says that the pawn was a queen all along",
        check: "board",
        script: "e2e4",
        doctor: |scene| {
            [New::Moved(Piece::Pawn), New::Placed(Piece::Pawn)].into_iter().all(|new| scene.set(new, 0))
                && [New::Moved(Piece::Queen), New::Placed(Piece::Queen)].into_iter().all(|new| scene.set(new, 1))
                && scene.put("e4", Some(Piece::Queen))
        },
    },
    Trick {
        name: "other-piece",
        summary: "sets out with a pawn and arrives with a queen",
        check: "board",
        script: "e2e4",
        doctor: |scene| scene.put("e4", Some(Piece::Queen)),
    },
    Trick {
        name: "twin-rook",
        summary: "castles and leaves the rook in its corner too",
        check: "board",
        script: CASTLE,
        doctor: |scene| scene.put("h1", Some(Piece::Rook)),
    },
    Trick {
        name: "castled-queen",
        summary: "castles, and the rook arrives as a queen",
        check: "board",
        script: CASTLE,
        doctor: |scene| scene.put("f1", Some(Piece::Queen)),
    },
    Trick {
        name: "kept-right",
        summary: "moves its king and keeps the right to castle",
        check: "board",
        script: "e2e4 a7a6 e1e2",
        doctor: |scene| scene.set(New::Right(Wing::King), 1),
    },
    Trick {
        name: "kept-right-rook",
        summary: "moves a rook and keeps the right to castle with it",
        check: "board",
        script: "g1f3 a7a6 h1g1",
        doctor: |scene| scene.set(New::Right(Wing::King), 1),
    },
    Trick {
        name: "regained-right",
        summary: "regains a right to castle that it has lost",
        check: "board",
        script: MOVED_BACK,
        doctor: |scene| scene.set(New::Right(Wing::King), 1),
    },
    Trick {
        name: "second-arrival",
        summary: "moves a pawn, and puts one on a second square too",
        check: "board",
        script: "e2e4",
        doctor: |scene| scene.put("h5", Some(Piece::Pawn)),
    },
    Trick {
        name: "lost-pawn",
        summary: "removes a pawn that is in its way",
        check: "board",
        script: "e2e4",
        doctor: |scene| scene.put("a2", None),
    },
    Trick {
        name: "hidden-rook",
        summary: "takes the rook out of its corner as in castling, and does not castle",
        check: "board",
        script: "e2e4",
        doctor: |scene| scene.put("h1", None),
    },
    Trick {
        name: "lost-rook",
        summary: "castles, and the rook does not arrive",
        check: "board",
        script: CASTLE,
        doctor: |scene| scene.put("f1", None),
    },
    Trick {
        name: "twin-rook-far",
        summary: "castles queenside and leaves the rook in its corner too",
        check: "board",
        script: FAR,
        doctor: |scene| scene.put("a1", Some(Piece::Rook)),
    },
    Trick {
        name: "kept-right-far",
        summary: "moves its king and keeps the right to castle queenside",
        check: "board",
        script: "e2e4 a7a6 e1e2",
        doctor: |scene| scene.set(New::Right(Wing::Queen), 1),
    },
];
