"""Pages 80 and 85: judges a whole log from its bytes alone."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple, Optional

import batch
import ed25519
from batch import Claim
from codec import u8, u32
from errors import Invalid, Malformed
from games import Due, Fault
from games.catalogue import game_of
from logfile import Entry, Equivocation, Odd, Offer, Record, Silence, Unreadable, digest, read_log


class Stop(Exception):
    """A record that is not in order: the verdict, and what it names."""

    def __init__(self, verdict: str, seat: int, place: int, check: str, why: str = "") -> None:
        super().__init__(why)
        self.verdict, self.seat, self.round, self.check = verdict, seat, place, check


class Doubt(Exception):
    """Something is wrong, but an equation that was put off may be wrong before it."""


class Opened(NamedTuple):
    """The open round: its kind and who speaks."""

    kind: str  # sit, echo, step, close
    seats: frozenset[int]


@dataclass
class Report:
    """What a log shows."""

    verdict: str
    words: str = ""
    game: Optional[str] = None
    seats: Optional[int] = None
    rounds: Optional[int] = None
    head: Optional[str] = None
    seat: Optional[int] = None
    round: Optional[int] = None
    check: Optional[str] = None
    scores: Optional[list[int]] = None
    claims: list[dict[str, Any]] = field(default_factory=list)
    grade: Optional[str] = None
    closed: bool = False
    unsigned: list[int] = field(default_factory=list)

    @property
    def exit(self) -> int:
        """The exit status of page 80."""
        return {"finished": 0, "unfinished": 5, "claimed": 6, "fault": 1, "forged": 1}.get(self.verdict, 2)


# LOG-13.
ORDER = [Entry, Odd, Silence, Equivocation]


class Table:
    """A table, as far as its log was judged. With `eager` every proof is computed at once."""

    def __init__(self, offer: Offer, eager: bool) -> None:
        self.offer, self.id = offer, offer.table()
        self.game = game_of(offer, self.id)
        self._heads = [self.id]  # LOG-6: the head before each round, up to the open one
        self.claims: list[Silence] = []
        self._eager = eager
        self._deferred: list[Claim] = []
        self._everybody = frozenset(range(offer.seats))
        self._said: dict[int, tuple[bytes, Any]] = {}
        self._utterances: dict[tuple[int, int], tuple[bytes, bytes]] = {}
        self._stage = 0  # LOG-13: what was the last kind of record, of ORDER
        self._odd: set[int] = set()
        self._due: Optional[Due] = None
        self._sealed = False  # TAB-4: all have signed the result
        self.open: Optional[Opened] = Opened("sit", self._everybody)  # TAB-1

    @property
    def round(self) -> int:
        """The number of completed rounds, which is the number of the open one."""
        return len(self._heads) - 1

    @property
    def head(self) -> bytes:
        """The head of the last completed round."""
        return self._heads[-1]

    # --- rounds -----------------------------------------------------------------------------------------------------

    def _next(self, echoed: bool) -> Optional[Opened]:
        """TAB-2 to TAB-4: what follows a complete round."""
        if not echoed:
            self._due = self.game.due()
        ended = self._due is None or self.round >= 1 << 20
        if not self._sealed and (ended or self._due is not None and self._due.decided):
            return Opened("close", self._everybody)
        if ended or self._due is None:
            return None
        witnesses = self._everybody.difference(self._due.gone)
        if self._due.releases and len(witnesses) >= 3 and not echoed:
            return Opened("echo", witnesses)
        return Opened("step", frozenset(self._due.seats))

    def _complete(self) -> None:
        """LOG-6, LOG-8."""
        assert self.open is not None
        if self.open.kind == "step":
            try:
                self.game.complete({seat: value for seat, (_, value) in self._said.items()})
            except Fault as wrong:
                assert wrong.seat is not None
                raise Stop("fault", wrong.seat, self.round, wrong.check, str(wrong)) from wrong
        parts = [part for seat in sorted(self._said) for part in (u8(seat), self._said[seat][0])]
        self._heads.append(digest("round", self.head, u32(self.round), *parts))
        self._said = {}
        self._sealed = self._sealed or self.open.kind == "close"
        self.open = self._next(self.open.kind == "echo")

    @property
    def over(self) -> bool:
        """TAB-16: nothing but closing echoes is missing, or what comes after them."""
        return self._sealed or self.open is None or self.open.kind == "close"

    def silent(self) -> frozenset[int]:
        """Who has yet to speak."""
        return frozenset() if self.open is None else self.open.seats - set(self._said)

    # --- records ----------------------------------------------------------------------------------------------------

    def take(self, record: Record) -> None:
        """LOG-14: judges one record against the completed rounds."""
        stage = ORDER.index(type(record))
        if stage < self._stage:
            where = record.entry if isinstance(record, Odd) else record
            seat = where.claimant if isinstance(where, Silence) else where.seat
            raise Stop("forged", seat, where.round, "order")
        self._stage = stage
        if isinstance(record, Entry):
            self._entry(record)
        elif isinstance(record, Odd):
            self._odd_entry(record.entry)
        elif isinstance(record, Silence):
            self._silence(record)
        else:
            self._equivocation(record)

    def _entry(self, entry: Entry) -> None:
        def forged(check: str) -> Stop:
            return Stop("forged", entry.seat, entry.round, check)

        if entry.round > self.round:
            raise forged("order")
        if not entry.signed(self.offer, self.id):
            raise forged("signature")
        said = (entry.previous, digest("payload", entry.payload))
        before = self._utterances.get((entry.round, entry.seat))
        if before is not None and before != said:
            raise Stop("fault", entry.seat, entry.round, "equivocation", "signed two different entries for one log position")
        if before is not None:
            raise forged("order")
        if entry.previous != self._heads[entry.round]:
            raise forged("chain")
        value = self._judge(entry)
        misplaced = any(seat > entry.seat for seat in self._said)  # LOG-13: looked at last, as page 80 says
        self._said[entry.seat] = (said[1], value)
        self._utterances[entry.round, entry.seat] = said
        if not self.silent():
            self._complete()
        if misplaced:
            raise forged("order")

    def _judge(self, entry: Entry) -> Any:
        """LOG-10, LOG-11 and the game's page."""

        def fault(check: str, why: str) -> Stop:
            return Stop("fault", entry.seat, entry.round, check, why)

        if entry.round < self.round or self.open is None or entry.seat not in self.open.seats:
            raise fault("out-of-turn", "had nothing to say in this round")
        if self.open.kind != "step":
            if entry.payload:
                raise fault("malformed", "an echo that is not empty")
            return None
        wrong: Optional[Fault] = None
        try:
            step = self.game.judge(entry.seat, entry.payload, self.head)
            value, claims = step.value, step.claims
        except Malformed as unread:
            raise fault("malformed", str(unread)) from unread
        except Fault as found:
            wrong, value, claims = found, None, found.before
        if not self._eager:
            self._deferred += [claim for _, claim in claims]
        for check, claim in claims if self._eager else ():
            if batch.refuted([claim]):
                raise fault(check, f"{claim.label} does not hold")
        if wrong is not None:
            raise fault(wrong.check, str(wrong)) from wrong
        return value

    def _odd_entry(self, entry: Entry) -> None:
        """LOG-13, TAB-15."""
        if (
            entry.round != self.round
            or entry.seat not in self.silent()
            or entry.seat in self._odd
            or entry.previous == self.head
            or not entry.signed(self.offer, self.id)
        ):
            raise Stop("forged", entry.seat, entry.round, "odd")
        self._odd.add(entry.seat)

    def _silence(self, claim: Silence) -> None:
        """TAB-14, TAB-15."""
        named, silent = set(claim.seats()), self.silent()
        if (
            claim.claimant not in self._everybody
            or claim.claimant in [before.claimant for before in self.claims]
            or claim.round != self.round
            or claim.previous != self.head
            or not named
            or not named <= silent - {claim.claimant}
            or claim.claimant in silent and not named <= self._odd
            or not ed25519.verify(self.offer.keys[claim.claimant], claim.message(self.id), claim.signature)
        ):
            raise Stop("forged", claim.claimant, claim.round, "claim")
        self.claims.append(claim)

    def _equivocation(self, proof: Equivocation) -> None:
        """LOG-12."""
        if not proof.convicts(self.offer, self.id):
            raise Stop("forged", proof.seat, proof.round, "proof")
        raise Stop("fault", proof.seat, proof.round, "equivocation", "signed two different entries for one log position")

    def settle(self) -> None:
        """Computes what was put off."""
        if batch.refuted(self._deferred):
            raise Doubt

    # --- the report -------------------------------------------------------------------------------------------------

    def report(self, stop: Optional[Stop]) -> Report:
        """The verdict of page 80."""
        guilty: set[int] = set()
        if stop is None:
            verdict = "finished" if self.over else "claimed" if self.claims else "unfinished"
            if self._due is not None and self._due.clock and not self.over:  # TAB-20
                guilty = {seat for claim in self.claims for seat in claim.seats()}
        else:
            verdict = stop.verdict
            if verdict == "fault" and (not self._sealed or self.open is None):  # TAB-4
                guilty = {stop.seat}
        result = Report(verdict, str(stop or ""), self.offer.game, self.offer.seats, self.round, self.head.hex())
        if stop is not None:
            result.seat, result.round, result.check = stop.seat, stop.round, stop.check
        if self.round > 0:
            result.scores = self.game.scores(guilty)
        result.grade = "classic" if self.offer.parameters == b"\1" else "hardened"
        result.closed = verdict == "finished" and self._sealed
        if self.open is not None and self.open.kind == "close":
            result.unsigned = sorted(self.silent())
        result.claims = [{"by": claim.claimant, "silent": claim.seats()} for claim in self.claims]
        return result


def _follow(data: bytes, eager: bool) -> Report:
    offer, records = read_log(data)
    table = Table(offer, eager)
    stop: Optional[Stop] = None
    try:
        for record in records:
            table.take(record)
    except Stop as reason:
        stop = reason
    except Unreadable:
        table.settle()  # a proof before the unreadable record comes first
        raise
    table.settle()
    return table.report(stop)


def verify(data: bytes) -> Report:
    """Judges a log. All proofs go into one batch first; if anything is doubtful, they are computed one by one."""
    try:
        try:
            return _follow(data, eager=False)
        except (Doubt, Invalid):
            return _follow(data, eager=True)
    except Unreadable as reason:
        return Report("unreadable", str(reason))
