"""Whole logs that are made here, with the verdicts that the pages demand. Most of them break one rule.

A case is a name, the file, and what is expected: verdict, seat, round, check and scores, `-` where there is none.
"""

from __future__ import annotations

import random
from hashlib import sha512
from pathlib import Path
from typing import Any, Callable, Collection, Iterator, Optional, Sequence

import batch
import compare
import ed25519
import report
import ristretto
import table
from codec import GENERATOR, Code, encode_scalar, u16, u32
from errors import Malformed
from games import Fault
from logfile import MAGIC, Entry, Odd, digest, read_log, utterance, write_log
from makelog import HighCards, Pennies, total
from ristretto import ORDER, P

Case = tuple[str, bytes, str]
TORSION = bytes.fromhex("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05")  # a point of order 8


def result(data: bytes) -> str:
    """A verdict in the words of the cases."""
    made = table.verify(data)
    fields = (made.verdict, made.seat, made.round, made.check, made.scores)
    return " ".join("-" if field is None else str(field).replace(" ", "") for field in fields)


UNREADABLE = "unreadable - - - -"
START = "unfinished - - - -"


# --- offers and signatures ------------------------------------------------------------------------------------------


def offers() -> Iterator[Case]:
    """LOG-2, LOG-3, and the header."""
    good = Pennies().offer
    other = good.keys[1]

    def offer(name: str, expected: str, **changes: Any) -> Case:
        return f"offer: {name}", write_log(good._replace(**changes), []), expected

    yield offer("good", START)
    yield offer("rematch", START, after=bytes(32))
    yield offer("equal nonces", START, nonces=good.nonces[:1] * 2)
    yield offer("100 throws, no clock", START, options=bytes([100, 0]))
    for options in (b"", b"\1", b"\0\0", bytes([101, 0]), b"\1\1\1"):
        yield offer(f"options {options.hex()}", UNREADABLE, options=options)
    # DCR-18: the clock of a whole game is not 0 and at most three hours, and its increment is there and at most ten minutes.
    for clock in ("0000000000", "00008d2700", "04010000000000", "04302a00005802", "0a00000000", "0f010000000000"):
        yield offer(f"chess {clock}", START, game="dark-chess", options=bytes([0, 50]) + bytes.fromhex(clock))
    for clock in ("00018d2700", "08010000000000", "0800000000", "1000000000", "04000000000100", "04312a00000100", "04010000005902", "0401000000", "00010000000100"):
        yield offer(f"chess {clock}", UNREADABLE, game="dark-chess", options=bytes([0, 50]) + bytes.fromhex(clock))
    yield offer("parameters", UNREADABLE, parameters=b"\0")
    yield offer("no such game", UNREADABLE, game="chess")
    yield offer("capital letter", UNREADABLE, game="Chess")
    yield offer("long name", UNREADABLE, game="a" * 33)
    yield offer("one seat", UNREADABLE, keys=good.keys[:1], nonces=good.nonces[:1])
    yield offer("equal keys", UNREADABLE, keys=(other, other))
    # LOG-2: y = 3 is on the curve, and not of small order
    yield offer("key with y = 3", START, keys=((3).to_bytes(32, "little"), other))
    bad = {"y = 3 + p": 3 + P, "y = 2": 2, "y = 1": 1, "y = 1, negative": 1 | 1 << 255, "y = 0": 0, "y = -1": P - 1}
    for name, value in bad.items():
        yield offer(f"key with {name}", UNREADABLE, keys=(value.to_bytes(32, "little"), other))
    yield offer("key of order 8", UNREADABLE, keys=(TORSION, other))

    data = good.encode()

    def header(name: str, version: int, size: int, rest: bytes) -> Case:
        return f"header: {name}", MAGIC + u16(version) + u32(size) + rest, UNREADABLE

    yield "header: empty file", b"", UNREADABLE
    yield "header: another magic", b"OUTISLOG".lower() + u16(1) + u32(len(data)) + data, UNREADABLE
    yield header("version 2", 2, len(data), data)
    yield header("no offer", 1, 0, b"")
    yield header("long offer", 1, 4097, bytes(4097))
    yield header("offer too long for its content", 1, len(data) + 1, data + b"\0")
    yield header("after is 2", 1, len(data), data[:-1] + b"\2")
    yield header("another protocol", 1, len(data), data.replace(b"outis/1", b"outis/2"))


def mixed_key(want: Callable[[int, int], bool]) -> bytes:
    """An entry of a seat whose key has a part of order 8. `want` chooses the hash, as integer and reduced (LOG-2)."""
    made = Pennies()
    secret = 12345
    torsion = ed25519.decode(TORSION)
    assert torsion is not None
    key = ed25519.encode(ristretto.add(ed25519.double_multiply(secret, ed25519.BASE, 0, ed25519.BASE), torsion))
    offer = made.offer._replace(keys=(key, made.offer.keys[1]))
    said = utterance(offer.table(), 0, 0, offer.table(), digest("payload", b""))
    nonce = 1
    while True:
        nonce += 1
        first = ed25519.encode(ed25519.double_multiply(nonce, ed25519.BASE, 0, ed25519.BASE))
        whole = int.from_bytes(sha512(first + key + said).digest(), "little")
        if want(whole, whole % ORDER):
            response = (nonce + whole * secret) % ORDER
            signature = first + response.to_bytes(32, "little")
            return write_log(offer, [Entry(0, 0, offer.table(), b"", signature)])


def signatures() -> Iterator[Case]:
    """LOG-2, LOG-5."""
    forged = "forged 0 0 signature -"
    yield "signature: k·A without the small part", mixed_key(lambda whole, k: k % 8 == 0 and whole % 8 != 0), START
    yield "signature: only with k not reduced", mixed_key(lambda whole, k: k % 8 != 0 and whole % 8 == 0), forged
    yield "signature: only with the cofactor", mixed_key(lambda whole, k: k % 8 != 0 and whole % 8 != 0), forged
    made = Pennies()
    entry = made.entry(0, b"")
    first, last = entry.signature[:32], int.from_bytes(entry.signature[32:], "little")
    large = entry._replace(signature=first + (last + ORDER).to_bytes(32, "little"))
    yield "signature: scalar too large", made.log(large), forged
    yield "signature: of another seat", made.log(made.entry(0, b"", by=1)), forged
    yield "signature: no such seat", made.log(made.entry(2, b"", by=0)), "forged 2 0 signature -"
    other = Pennies(throws=3)
    yield "signature: of another table", made.log(other.entry(0, b"", previous=made.table.head)), forged


# --- entries --------------------------------------------------------------------------------------------------------


def signed_again(made: Pennies, entry: Entry) -> Entry:
    """The same utterance with another signature of the same seat, which only the seat can make."""
    said = utterance(made.id, entry.round, entry.seat, entry.previous, digest("payload", entry.payload))
    return entry._replace(signature=ed25519.sign(made.seeds[entry.seat], said, b"again"))


def entries() -> Iterator[Case]:
    """LOG-9 to LOG-15, at a table in round 3 of 6 (rounds 1 and 3 lay, 2 and 4 show, 5 closes)."""
    made = Pennies().play(3)
    head, past = made.table.head, made.records[3]  # seat 1 lays in round 1
    assert isinstance(past, Entry)
    lays = made.entry(0, made.lay(0))
    orphan = bytes(32)

    def case(name: str, expected: str, *more: Any, tail: bytes = b"") -> Case:
        return f"entry: {name}", made.log(*more) + tail, expected

    yield case("none more", "unfinished - - - [1,0]")
    yield case("half a round", "unfinished - - - [1,0]", lays)
    yield case("seat 1 before seat 0", "forged 0 3 order [1,0]", made.entry(1, made.lay(1)), lays)
    higher = made.entry(1, made.lay(1))
    yield case("refused after a higher seat", "fault 0 3 malformed [1,1]", higher, made.entry(0, b""))
    yield case("past, said again", "forged 1 1 order [1,0]", past)
    yield case("past, other signature", "forged 1 1 order [1,0]", signed_again(made, past))
    other_payload = made.entry(1, orphan, round=1, previous=past.previous)
    yield case("past, other payload", "fault 1 1 equivocation [2,0]", other_payload)
    other_head = made.entry(1, past.payload, round=1, previous=orphan)
    yield case("past, other head", "fault 1 1 equivocation [2,0]", other_head)
    yield case("past, not signed", "forged 1 1 signature [1,0]", made.entry(1, orphan, round=1, by=0))
    yield case("twice", "forged 0 3 order [1,0]", lays, lays)
    yield case("twice, other signature", "forged 0 3 order [1,0]", lays, signed_again(made, lays))
    yield case("twice, other payload", "fault 0 3 equivocation [1,1]", lays, made.entry(0, orphan))
    yield case("twice, other head", "fault 0 3 equivocation [1,1]", lays, made.entry(0, made.lay(0), previous=orphan))
    yield case("twice, second not signed", "forged 0 3 signature [1,0]", lays, made.entry(0, orphan, by=1))
    yield case("other history", "forged 0 3 chain [1,0]", made.entry(0, made.lay(0), previous=orphan))
    yield case("too early", "forged 0 4 order [1,0]", made.entry(0, made.lay(0), round=4))
    yield case("too early, not signed", "forged 0 4 order [1,0]", made.entry(0, made.lay(0), round=4, by=1))
    yield case("largest payload", "fault 0 3 malformed [1,1]", made.entry(0, bytes(1 << 20)))
    yield case("payload too large", UNREADABLE, made.entry(0, bytes((1 << 20) + 1)))
    yield case("unknown tag", UNREADABLE, tail=b"\4\0\0\0\0")
    yield case("endless record", UNREADABLE, tail=b"\1\xff\xff\xff\xff")
    yield case("trailing byte", UNREADABLE, tail=b"\1" + u32(len(lays.encode()) + 1) + lays.encode() + b"\0")
    yield case("cut", UNREADABLE, tail=b"\1" + u32(len(lays.encode())) + lays.encode()[:-1])
    yield case("rubbish after a fault", "fault 0 3 malformed [1,1]", made.entry(0, b""), tail=b"\4")
    yield case("rubbish after a forgery", "forged 0 3 signature [1,0]", made.entry(0, b"", by=1), tail=b"\4")
    yield case("fault, then a proof", "fault 0 3 malformed [1,1]", made.entry(0, b""), made.equivocation(past, past))
    yield case("trailing byte in a payload", "fault 0 3 malformed [1,1]", made.entry(0, made.lay(0) + b"\0"))
    assert made.table.head == head

    start = Pennies()
    yield "entry: round 0 not empty", start.log(start.entry(0, b"\0")), "fault 0 0 malformed -"
    showing = Pennies().play(2)
    for name, payload, check in (
        ("another side", b"\1" + bytes(32), "opening"),
        ("another opening", b"\0" + bytes([9]) * 32, "opening"),
        ("no side", b"\2" + bytes(32), "malformed"),
        ("trailing byte", b"\0" + bytes(33), "malformed"),
    ):
        yield f"pennies: {name}", showing.log(showing.entry(0, payload)), f"fault 0 2 {check} [0,2]"
    closing = Pennies().play(5)
    yield "close: nobody", closing.log(), "finished - - - [2,0]"
    yield "close: half", closing.log(closing.entry(0, b"")), "finished - - - [2,0]"
    yield "close: not empty", closing.log(closing.entry(0, b"\0")), "fault 0 5 malformed [2,0]"
    over = Pennies().play(6)
    yield "over: in order", over.log(), "finished - - - [2,0]"
    yield "over: one more", over.log(over.entry(0, b"")), "fault 0 6 out-of-turn [2,0]"
    yield "over: one more, other history", over.log(over.entry(0, b"", previous=bytes(32))), "forged 0 6 chain [2,0]"
    yield "over: two rounds late", over.log(over.entry(0, b"", round=7)), "forged 0 7 order [2,0]"
    yield "over: the last again", over.log(over.records[-1]), "forged 1 5 order [2,0]"


# --- claims and proofs ----------------------------------------------------------------------------------------------


def claims() -> Iterator[Case]:
    """TAB-14 to TAB-16, LOG-12, LOG-13."""
    made = Pennies().play(3)
    past = made.records[3]
    assert isinstance(past, Entry)
    lays, claim = made.entry(0, made.lay(0)), made.silence(0, [1])
    refused = "forged 0 3 claim [1,0]"

    def case(name: str, expected: str, *more: Any) -> Case:
        return f"claim: {name}", made.log(*more), expected

    yield case("in order", "claimed - - - [2,0]", lays, claim)
    yield case("twice", refused, lays, claim, claim)
    yield case("of oneself", refused, made.silence(0, [0]))
    yield case("of both", refused, lays, made.silence(0, [0, 1]))
    yield case("of nobody", refused, lays, made.silence(0, []))
    yield case("of one who spoke", "forged 1 3 claim [1,0]", lays, made.silence(1, [0]))
    yield case("of a seat that is not there", refused, lays, made.silence(0, [1, 2]))
    yield case("by a seat that is not there", "forged 2 3 claim [1,0]", lays, made.silence(2, [1], by=0))
    yield case("of another round", "forged 0 2 claim [1,0]", lays, made.silence(0, [1], round=2))
    yield case("on another head", refused, lays, made.silence(0, [1], previous=bytes(32)))
    yield case("not signed", refused, lays, made.silence(0, [1], by=1))
    yield case("then an entry", "forged 0 3 order [1,0]", lays, claim, lays)
    yield case("then an entry that is not signed", "forged 0 3 order [1,0]", lays, claim, made.entry(0, b"", by=1))
    yield case("by one who has not spoken", refused, claim)
    odd = Odd(made.entry(1, made.lay(1), previous=bytes(32)))
    yield case("with an odd entry", "claimed - - - [2,0]", odd, claim)
    yield case("with an odd entry of its claimant", refused, Odd(made.entry(0, b"", previous=bytes(32))), claim)

    def strange(name: str, expected: str, *more: Any) -> Case:
        return f"odd entry: {name}", made.log(*more), expected

    yield strange("alone", "unfinished - - - [1,0]", odd)
    yield strange("twice", "forged 1 3 odd [1,0]", odd, odd)
    yield strange("on our history", "forged 1 3 odd [1,0]", Odd(made.entry(1, made.lay(1))))
    yield strange("of another round", "forged 1 4 odd [1,0]", Odd(made.entry(1, b"", round=4, previous=bytes(32))))
    yield strange("of one who spoke", "forged 0 3 odd [1,0]", lays, Odd(made.entry(0, b"", previous=bytes(32))))
    yield strange("not signed", "forged 1 3 odd [1,0]", Odd(made.entry(1, b"", previous=bytes(32), by=0)))
    yield strange("then an entry", "forged 0 3 order [1,0]", odd, lays)
    yield strange("after a claim", "forged 1 3 order [1,0]", lays, claim, odd)
    start = Pennies()
    start.say(start.entry(0, b""))
    yield "claim: in round 0", start.log(start.silence(0, [1])), "claimed - - - -"
    patient = Pennies(seconds=0).play(3)
    silent = patient.silence(0, [1])
    yield "claim: without a clock", patient.log(patient.entry(0, patient.lay(0)), silent), "claimed - - - [1,0]"
    closing = Pennies().play(5)
    closing.say(closing.entry(0, b""))
    yield "claim: of closing echoes", closing.log(closing.silence(0, [1])), "finished - - - [2,0]"
    over = Pennies().play(6)
    yield "claim: when all is over", over.log(over.silence(0, [1])), "forged 0 6 claim [2,0]"

    second = made.entry(1, bytes(32), round=1, previous=past.previous)
    proof = made.equivocation(past, second)
    convicted, refused = "fault 1 1 equivocation [2,0]", "forged 1 1 proof [1,0]"

    def shown(name: str, expected: str, *more: Any) -> Case:
        return f"proof: {name}", made.log(*more), expected

    yield shown("of two payloads", convicted, proof)
    yield shown("then anything", convicted, proof, lays, proof)
    yield shown("after a claim", convicted, lays, claim, proof)
    other_head = made.entry(1, past.payload, round=1, previous=bytes(32))
    yield shown("of two heads", convicted, made.equivocation(past, other_head))
    far = [made.entry(0, payload, round=2**32 - 1) for payload in (b"", b"\0")]
    yield shown("of a round that never was", "fault 0 4294967295 equivocation [1,1]", made.equivocation(*far))
    yield shown("of one utterance", refused, made.equivocation(past, past))
    yield shown("of two signatures", refused, made.equivocation(past, signed_again(made, past)))
    yield shown("not signed", refused, made.equivocation(past, made.entry(1, b"", round=1, by=0)))
    yield shown("of another table", refused, proof._replace(table=bytes(32)))
    yield shown("of another seat", "forged 0 1 proof [1,0]", proof._replace(seat=0))
    yield shown("of a seat that is not there", "forged 9 1 proof [1,0]", proof._replace(seat=9))
    again = over.equivocation(over.entry(0, b"", round=9), over.entry(0, b"\0", round=9))
    yield "proof: when all is over", over.log(again), "fault 0 9 equivocation [2,0]"


# --- high card ------------------------------------------------------------------------------------------------------


def moved(payload: bytes, start: int) -> bytes:
    """The payload with another scalar at this place."""
    return payload[:start] + encode_scalar(3) + payload[start + 32 :]


def high_card_keys() -> Iterator[Case]:
    """HC-3, HC-5: from the offer to the first shuffle."""
    made = HighCards()

    def case(name: str, expected: str, *more: Any) -> Case:
        return f"high card: {name}", made.log(*more), expected

    def fault(name: str, check: str, seat: int, payload: bytes) -> Case:
        scores = [1, 1, 1]
        scores[seat] = -2
        text = str(scores).replace(" ", "")
        return case(name, f"fault {seat} {made.table.round} {check} {text}", made.entry(seat, payload))

    for options in ((4, 1, 0), (53, 1, 0), (5, 0, 0), (5, 21, 0)):
        yield f"high card: options {options}", write_log(made.offer._replace(options=bytes(options)), []), UNREADABLE
    made.begin([11, 22, 33])
    made.echo()
    yield fault("short commitment", "malformed", 0, bytes(31))
    made.round(made.commit)
    yield fault("no echo before a reveal", "malformed", 0, made.reveal(0))
    made.echo()
    reveal = made.reveal(0)
    other_opening = reveal[:32] + bytes([9]) * 32 + reveal[64:]
    yield fault("another opening", "key", 0, other_opening)
    yield fault("another opening, trailing byte", "malformed", 0, other_opening + b"\0")
    yield fault("another key", "key", 0, made.reveal(1))
    yield fault("possession not proved", "key", 0, moved(reveal, 96))
    yield fault("zero scalar", "malformed", 0, reveal[:96] + bytes(32))
    yield fault("identity", "malformed", 0, bytes(32) + reveal[32:])
    made.round(made.reveal)
    yield fault("out of turn", "out-of-turn", 1, b"")
    proof = made.shuffle(0)
    codes, made.codes = made.codes, []
    late = made.entry(1, b"", round=4)
    yield case("late and out of turn", "fault 1 4 out-of-turn [1,-2,1]", made.entry(0, proof), late)
    yield fault("shuffle with a false proof", "shuffle", 0, moved(proof, len(proof) - 32))
    yield fault("shuffle with a proof of another seat", "shuffle", 0, made.shuffle(1))
    made.codes = []
    yield fault("shuffle with a card twice", "shuffle", 0, made.shuffle(0, lambda deck: [deck[1], *deck[1:]]))
    made.codes = []

    def other_card(deck: list[Code]) -> list[Code]:
        return [Code(deck[0].c1, total([(1, deck[0].c2), (1, GENERATOR)])), *deck[1:]]

    yield fault("shuffle with a new card", "shuffle", 0, made.shuffle(0, other_card))
    yield fault("short shuffle", "malformed", 0, proof[:-1])
    made.codes = codes

    cancel = HighCards()
    cancel.begin([11, 22, ORDER - 33])
    cancel.echo()
    cancel.round(cancel.commit)
    cancel.echo()
    reveals = [cancel.entry(seat, cancel.reveal(seat)) for seat in range(3)]
    yield "high card: keys that cancel", cancel.log(*reveals), "fault 0 3 key [-2,1,1]"


def high_card_play() -> Iterator[Case]:
    """HC-3 to HC-6. With eight cards and these shuffles, seats 0, 1, 2 draw the cards 6, 7, 0."""
    made = HighCards(cards=8, deals=2)

    def fault(name: str, check: str, seat: int, payload: bytes, scores: str) -> Case:
        data = made.log(made.entry(seat, payload))
        return f"high card: {name}", data, f"fault {seat} {made.table.round} {check} {scores}"

    made.begin([11, 22, 33])
    made.keys_round()
    for _ in range(3):
        made.round(made.shuffle)
    made.echo()
    draw, forfeit = made.draw(0), "[-4,2,2]"
    yield fault("share with another key", "share", 0, made.share(0, [1, 2], secret=12), forfeit)
    yield fault("shares of each other's card", "share", 0, made.share(0, [2, 1]), forfeit)
    yield fault("shares over two challengers", "share", 0, made.share(0, [1]) + made.share(0, [2]), forfeit)
    yield fault("a share too many", "malformed", 0, made.share(0, [0, 1, 2]), forfeit)
    yield fault("false share before a bad one", "malformed", 0, moved(draw, 96)[:-32] + bytes(32), forfeit)
    made.round(made.draw)
    echo = made.entry(0, b"")
    yield "high card: claim", made.log(echo, made.silence(0, [1, 2])), "claimed - - - [4,-2,-2]"
    made.echo()
    yield fault("call without a choice", "malformed", 0, b"", forfeit)
    yield fault("third choice", "malformed", 0, b"\2", forfeit)
    yield fault("pass with a byte", "malformed", 0, b"\0\0", forfeit)
    yield fault("share of another card", "share", 0, b"\1" + made.share(0, [1]), forfeit)
    yield fault("call with another key", "share", 0, b"\1" + made.share(0, [0], secret=12), forfeit)
    yield fault("call out of turn", "out-of-turn", 1, b"\0", "[2,-4,2]")
    made.call(lambda seat: True)
    made.call(lambda seat: True)
    low = b"\1" + made.share(2, [2])
    yield fault("too low", "too-low", 2, low, "[2,2,-4]")
    yield fault("too low, not proved", "share", 2, moved(low, 97), "[2,2,-4]")
    made.call(lambda seat: False)
    yield "high card: one deal", made.log(), "unfinished - - - [-1,2,-1]"
    made.deal = 1
    made.begin([11, 44, 11])
    made.round(made.commit)
    made.echo()
    old = made.reveal(0)
    yield fault("old key", "old-key", 0, old, "[-3,3,0]")
    yield fault("old key of another seat", "old-key", 2, made.reveal(2), "[0,3,-3]")
    yield fault("old key, not proved", "key", 0, moved(old, 96), "[-3,3,0]")

    whole = HighCards(cards=8)
    whole.begin([11, 22, 33])
    whole.deal_cards()
    for _ in range(3):
        whole.call(lambda seat: seat < 2)
    whole.echo()
    yield "high card: to the end", whole.log(), "finished - - - [-1,2,-1]"


GROUPS = (offers, signatures, entries, claims, high_card_keys, high_card_play)


def run_cases() -> tuple[int, list[str]]:
    """The number of cases that end as they must, and what is wrong with the others."""
    passed, faults = 0, []
    for group_of in GROUPS:
        for name, data, expected in group_of():
            found = result(data)
            if found == expected:
                passed += 1
            else:
                faults.append(f"{name}: {found}, not {expected}")
    return passed, faults


# --- the files of spec/vectors/log ----------------------------------------------------------------------------------


def stated(readme: Path) -> Iterator[tuple[str, str, int]]:
    """The table of the folder's README: file, verdict with seat (of faults), round and check, exit status."""
    for line in readme.read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) == 6 and cells[0].endswith(".log`"):
            verdict = cells[1].replace(":", " ").replace(",", " ").split()[0]
            yield cells[0].strip("`"), " ".join((verdict, *(cell or "-" for cell in cells[2:5]))), int(cells[5])


def run_files(folder: Path) -> tuple[int, list[str]]:
    """Whether every log of the folder ends as its README says."""
    passed, faults = 0, []
    expected = list(stated(folder / "README.md"))
    if {name for name, _, _ in expected} != {path.name for path in folder.glob("*.log")}:
        faults.append("the README does not name the files of the folder")
    for name, verdict, status in expected:
        made = table.verify((folder / name).read_bytes())
        seat: Optional[int] = made.seat if made.verdict == "fault" else None
        fields = (made.verdict, seat, made.round, made.check)
        found = " ".join("-" if field is None else str(field) for field in fields)
        if (found, made.exit) == (verdict, status):
            passed += 1
        else:
            faults.append(f"{name}: {found}, exit {made.exit}; stated is {verdict}, exit {status}")
    return passed, faults


def changed_steps(
    data: bytes, faults: list[str], most: int = 1000, blind: Collection[int] = ()
) -> tuple[int, set[str], set[str]]:
    """The steps of a log with a byte changed in the middle or near its end are refused. How many were tried, the checks
    that found something, and those that there are.

    Signatures are left out here, so that the steps themselves are judged. Of steps of the sizes in `blind` nothing is checked yet.
    """
    offer, records = read_log(data)
    follower, tried = table.Table(offer, eager=False), 0
    seen: set[str] = set()
    found: set[str] = set()
    for record in records:
        if not isinstance(record, Entry):
            continue
        size = len(record.payload)
        for place in (size // 2, size - 32) if size > 64 and tried < most and size not in blind else ():
            changed = bytearray(record.payload)
            changed[place] ^= 1
            try:
                step = follower.game.judge(record.seat, bytes(changed), follower.head)
                false = [check for check, claim in step.claims if batch.refuted([claim])]
                if not false:
                    faults.append(f"round {record.round}, seat {record.seat}: accepted with byte {place} changed")
                found.update(false[:1])
            except Fault as fault:
                found.add(fault.check)
            except Malformed:
                pass
            tried += 1
        if size:
            seen.update(check for check, _ in follower.game.judge(record.seat, record.payload, follower.head).claims)
        follower.take(record)
    return tried, found, seen


def run_steps(
    path: Path, expected: str, others: set[str], least: int, blind: Collection[int] = ()
) -> tuple[int, list[str]]:
    """A log is in order; and a step with a byte changed in the middle or near its end is refused."""
    data = path.read_bytes()
    faults: list[str] = []
    if result(data) != expected:
        faults.append(f"{path.name}: {result(data)}")
    tried, found, seen = changed_steps(data, faults, blind=blind)
    if not found <= seen | others or len(found) < least:
        faults.append(f"the faults that were found are {sorted(found)}, of {sorted(seen)}")
    return tried + 1 - len(faults), faults


def filler(elements: int, scalars: int) -> bytes:
    """Bytes that can be decoded, and prove nothing."""
    return GENERATOR.data * elements + encode_scalar(1) * scalars


def pointed(places: Sequence[int], faces: int, hand: int) -> bytes:
    """Evidence that can be decoded (TP-11): some of a hand of codes lie in a set of so many faces; then a shuffle."""
    if len(places) == 1:
        digits = 1 if faces <= 4 else 2
        radix = next(radix for radix in range(1, faces + 1) if radix**digits >= faces)
        shown = filler(4 + 2 * digits, digits * (radix - 1) + 3)
    else:
        shown = filler(2 * (faces - len(places)) + 8, 2 * faces + 3)
    return bytes(places) + shown + filler(2 * hand + 8, 2 * hand + 3)


# TP-26, TP-27: steps that are not allowed, by round; the first time that this round comes.
BORDERS = {
    "call": [
        (b"\6", "malformed"),
        (b"\xff\0", "malformed"),
        (b"\1", "rules"),  # nothing to hold
        (b"\1\0", "malformed"),
        (b"\2", "malformed"),  # a bid without evidence
    ],
    "word": [
        (b"\x2c", "malformed"),
        (b"\x6a", "malformed"),
        (b"\x09", "rules"),  # kontra to the game before the call
        (b"\x09\0", "malformed"),
        (b"\7", "malformed"),  # pagat ultimo before the call, without evidence
        (b"\7" + pointed((0, 1), 20, 9), "rules"),
        (b"\7" + pointed((1, 1), 20, 9), "malformed"),  # places that do not rise
        (b"\x54", "malformed"),  # a call of the XXI, without evidence
    ],
    "play": [(b"\x09", "malformed"), (b"\xff\0", "malformed")],
}


def borders(data: bytes, faults: list[str]) -> int:
    """Whether steps that are not allowed end as `BORDERS` says. How many were tried."""
    offer, records = read_log(data)
    follower, left, tried = table.Table(offer, eager=False), dict(BORDERS), 0
    for record in records:
        if not isinstance(record, Entry):
            continue
        stage = follower.game._deal.stage if record.payload else ""  # type: ignore[attr-defined]
        for payload, expected in left.pop(stage, []):
            tried += 1
            try:
                follower.game.judge(record.seat, payload, follower.head)
                found = "accepted"
            except Fault as fault:
                found = fault.check
            except Malformed:
                found = "malformed"
            if found != expected:
                faults.append(f"{stage}, {payload[:4].hex()}…: {found}, not {expected}")
        follower.take(record)
    if left:
        faults.append(f"there was no {sorted(left)}")
    return tried


def run_tarokk(path: Path) -> tuple[int, list[str]]:
    """One deal of tarokk."""
    passed, faults = run_steps(path, "unfinished - - - [-4,6,-8,6]", {"card", "open"}, 8)
    wrong: list[str] = []
    return passed + borders(path.read_bytes(), wrong) - len(wrong), faults + wrong


def run_poker(folder: Path) -> tuple[int, list[str]]:
    """Poker by layers, by shares, and as the document has it."""
    layers = run_steps(folder / "poker-layers.log", "finished - - - [-68,78,-10]", {"show"}, 3)
    shares = run_steps(folder / "poker-shares.log", "finished - - - [-11,11]", {"show", "decision"}, 4)
    runs = [layers, shares]
    for name in ("poker-classic.log", "poker-classic-draw.log"):
        # Nothing is checked of decks before they are opened.
        checks, blind = {"decks", "card", "show", "old-key", "decision"}, {3 * 5232, 3 * 3328}
        runs.append(run_steps(folder / name, "finished - - - [30,-30]", checks, 2, blind))
    # LC-18 by a hand of second's; PD-14 for who would rather be silent than open.
    for name, expected in (("twice", "fault 0 19 decks [-20,20]"), ("silent", "claimed - - - [-200,200]")):
        found = result((folder / f"poker-classic-{name}.log").read_bytes())
        runs.append((1, []) if found == expected else (0, [f"poker-classic-{name}.log: {found}"]))
    return sum(run[0] for run in runs), [fault for run in runs for fault in run[1]]


def run_zherotag(folder: Path) -> tuple[int, list[str]]:
    """A whole game of ZheroTag in each grade is in order, and its first steps with a byte changed are refused."""
    passed, faults = 0, []
    for name, checks in (
        ("zherotag.log", {"key", "step", "grid", "sight"}),
        ("zherotag-classic.log", {"key", "step", "question", "square", "answer"}),
    ):
        data = (folder / name).read_bytes()
        if not result(data).startswith("finished"):
            faults.append(f"{name}: {result(data)}")
        tried, found, seen = changed_steps(data, faults, most=20)
        if not checks <= seen or not found <= seen | {"repeated", "show"} or len(found) < 2:
            faults.append(f"{name}: the faults that were found are {sorted(found)}, of {sorted(seen)}")
        passed += tried + 1
    return passed - len(faults), faults


def run_dark_chess(folder: Path) -> tuple[int, list[str]]:
    """A short game of dark chess is in order, and its steps with a byte changed are refused by the check that is named."""
    data = (folder / "dark-chess.log").read_bytes()
    faults: list[str] = []
    if result(data) != "finished - - - [0,0]":
        faults.append(f"dark-chess.log: {result(data)}")
    offer, records = read_log(data)
    follower = table.Table(offer, eager=False)
    # In the first view its last response; in the last move, which has no view, a scalar of each proof: selection ends 23,744
    # bytes before the end, cases there.
    changes = {"look": [(-1, "view")], "turn": [(-23_745, "selection"), (-1, "board"), (-23_744, "board")]}
    passed, seen = 0, set()
    for record in records:
        assert isinstance(record, Entry)
        size = len(record.payload)
        name = "look" if record.round == 3 else "turn" if 50_000 < size < 100_000 else ""
        if name:
            for place, expected in changes[name]:
                changed = bytearray(record.payload)
                changed[place] ^= 1
                try:
                    claims = follower.game.judge(record.seat, bytes(changed), follower.head).claims
                    found = [check for check, claim in claims if batch.refuted([claim])][:1]
                except Malformed:
                    found = []
                except Fault as fault:
                    found = [fault.check]
                if found not in ([expected], []):
                    faults.append(f"{name}, byte {place}: {found}")
                seen.update(found)
                passed += 1
        follower.take(record)
    if seen != {"view", "selection", "board"}:
        faults.append(f"the faults that were found are {sorted(seen)}")
    return passed + 1 - len(faults), faults


def run_damaged(folder: Path, count: int = 300) -> tuple[int, list[str]]:
    """Damaged logs get a verdict, whatever the damage is, and none of them blames a seat if the original does not."""
    passed, faults, rng = 0, [], random.Random(1)
    for path in sorted(folder.glob("*.log")):
        data = path.read_bytes()
        if table.verify(data).verdict == "unreadable":
            continue
        honest = table.verify(data).verdict != "fault"
        for number in range(count // 7):
            try:
                made = table.verify(compare.damage(data, rng))
                wrong = f"names seat {made.seat}" if honest and made.verdict == "fault" else None
                report.as_text(path.name, made)
            except Exception as crash:  # pylint: disable=broad-except  # a crash is a failure, not the end of the run
                wrong = f"crashed: {crash!r}"
            if wrong:
                faults.append(f"{path.name}, damage {number}: {wrong}")
            else:
                passed += 1
    return passed, faults

