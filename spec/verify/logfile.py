"""Page 80: the offer, entries, claims of silence, proofs of equivocation, and the file that holds them."""

from __future__ import annotations

from hashlib import sha512
from typing import Callable, Iterator, NamedTuple, Optional, Union

import ed25519
from challenger import frame
from codec import MAX_SEATS, Reader, check_count, u8, u16, u32
from errors import Malformed

MAGIC = b"OUTISLOG"
VERSION = 1
MAX_OFFER = 4096
MAX_PAYLOAD = 1 << 20
NAME_LETTERS = set(b"abcdefghijklmnopqrstuvwxyz0123456789-")


class Unreadable(Exception):
    """Not a log of this version, or a game that is not known."""


def digest(label: str, *parts: bytes) -> bytes:
    """LOG-1."""
    return sha512(b"".join(map(frame, (b"outis/1", label.encode(), *parts)))).digest()[:32]


def number(reader: Reader, field: str, size: int) -> int:
    """An integer of `size` bytes (ENC-1)."""
    return int.from_bytes(reader.take(field, size), "little")


# --- the offer ------------------------------------------------------------------------------------------------------


class Offer(NamedTuple):
    """What is agreed before anybody sits down."""

    game: str
    options: bytes
    parameters: bytes
    keys: tuple[bytes, ...]
    nonces: tuple[bytes, ...]
    after: Optional[bytes]

    @property
    def seats(self) -> int:
        """The number of seats."""
        return len(self.keys)

    def encode(self) -> bytes:
        """The table of page 80."""

        def text(data: bytes) -> bytes:
            return u16(len(data)) + data

        head = text(b"outis/1") + text(self.game.encode()) + text(self.options) + text(self.parameters)
        seats = u8(self.seats) + b"".join(key + nonce for key, nonce in zip(self.keys, self.nonces, strict=True))
        return head + seats + (b"\0" if self.after is None else b"\1" + self.after)

    def table(self) -> bytes:
        """LOG-4: the table id."""
        return digest("offer", self.encode())


def read_offer(data: bytes) -> Offer:
    """LOG-3, but for what the game's page says about options and parameters."""
    reader = Reader(data)

    def text(field: str, smallest: int, largest: int) -> bytes:
        return reader.take(field, reader.u16(field, smallest, largest))

    if text("offer.version", 0, MAX_OFFER) != b"outis/1":
        raise Unreadable("an offer of another protocol version")
    name = text("offer.game", 1, 32)
    if not set(name) <= NAME_LETTERS:
        raise Unreadable("not the name of a game")
    options, parameters = text("offer.options", 0, 1024), text("offer.parameters", 0, 1024)
    start = reader.offset
    count = number(reader, "offer.seats", 1)
    check_count(count, 1, MAX_SEATS, "offer.seats", start)
    seats = [(reader.take("offer.key", 32), reader.take("offer.nonce", 32)) for _ in range(count)]
    follows = number(reader, "offer.after", 1)
    if follows > 1:
        raise Unreadable("offer.after is neither 0 nor 1")
    after = reader.take("offer.after", 32) if follows else None
    reader.finish()
    keys, nonces = zip(*seats)
    if len(set(keys)) != count:
        raise Unreadable("two seats with one key")
    for key in keys:
        if not ed25519.admissible(key):
            raise Unreadable("not a key that LOG-2 allows")
    return Offer(name.decode(), options, parameters, keys, nonces, after)


# --- records --------------------------------------------------------------------------------------------------------


class Entry(NamedTuple):
    """What one seat says in one round."""

    round: int
    seat: int
    previous: bytes
    payload: bytes
    signature: bytes

    def signed(self, offer: Offer, table: bytes) -> bool:
        """LOG-5."""
        said = utterance(table, self.round, self.seat, self.previous, digest("payload", self.payload))
        return self.seat < offer.seats and ed25519.verify(offer.keys[self.seat], said, self.signature)

    def encode(self) -> bytes:
        """The table of page 80."""
        where = u32(self.round) + u8(self.seat) + self.previous
        return where + u32(len(self.payload)) + self.payload + self.signature


def utterance(table: bytes, place: int, seat: int, previous: bytes, payload_digest: bytes) -> bytes:
    """LOG-5: the 115 bytes under the signature of an entry."""
    return b"outis/1 entry\0" + table + u32(place) + u8(seat) + previous + payload_digest


class Silence(NamedTuple):
    """TAB-14: somebody gave up waiting."""

    claimant: int
    round: int
    previous: bytes
    silent: int
    signature: bytes

    def message(self, table: bytes) -> bytes:
        """What is signed."""
        where = u8(self.claimant) + u32(self.round) + self.previous
        return b"outis/1 silence\0" + table + where + u16(self.silent)

    def seats(self) -> list[int]:
        """The seats that are named."""
        return [seat for seat in range(16) if self.silent >> seat & 1]

    def encode(self) -> bytes:
        """The record's body."""
        return u8(self.claimant) + u32(self.round) + self.previous + u16(self.silent) + self.signature


class Equivocation(NamedTuple):
    """LOG-12: two signed utterances for one place, each as previous head, payload digest, signature."""

    round: int
    seat: int
    table: bytes
    said: tuple[tuple[bytes, bytes, bytes], tuple[bytes, bytes, bytes]]

    def convicts(self, offer: Offer, table: bytes) -> bool:
        """LOG-12."""
        if self.table != table or self.seat >= offer.seats or self.said[0][:2] == self.said[1][:2]:
            return False
        key = offer.keys[self.seat]
        return all(
            ed25519.verify(key, utterance(table, self.round, self.seat, previous, payload), signature)
            for previous, payload, signature in self.said
        )

    def encode(self) -> bytes:
        """The record's body."""
        return u32(self.round) + u8(self.seat) + self.table + b"".join(b"".join(part) for part in self.said)


class Odd(NamedTuple):
    """An entry over another history, of a seat that had yet to speak: why somebody else did not (TAB-15)."""

    entry: Entry

    def encode(self) -> bytes:
        """The record's body: that of the entry."""
        return self.entry.encode()


Record = Union[Entry, Silence, Equivocation, Odd]


def read_entry(reader: Reader) -> Entry:
    """The table of page 80."""
    place, seat = number(reader, "entry.round", 4), number(reader, "entry.seat", 1)
    previous = reader.take("entry.previous", 32)
    start = reader.offset
    size = number(reader, "entry.payload", 4)
    check_count(size, 0, MAX_PAYLOAD, "entry.payload", start)
    return Entry(place, seat, previous, reader.take("entry.payload", size), reader.take("entry.signature", 64))


def read_silence(reader: Reader) -> Silence:
    """TAB-14."""
    claimant, place = number(reader, "silence.claimant", 1), number(reader, "silence.round", 4)
    previous, silent = reader.take("silence.previous", 32), number(reader, "silence.seats", 2)
    return Silence(claimant, place, previous, silent, reader.take("silence.signature", 64))


def read_equivocation(reader: Reader) -> Equivocation:
    """LOG-12."""
    place, seat = number(reader, "equivocation.round", 4), number(reader, "equivocation.seat", 1)
    table = reader.take("equivocation.table", 32)

    def part() -> tuple[bytes, bytes, bytes]:
        fields = ("equivocation.previous", 32), ("equivocation.payload", 32), ("equivocation.signature", 64)
        previous, payload, signature = (reader.take(*field) for field in fields)
        return previous, payload, signature

    return Equivocation(place, seat, table, (part(), part()))


READERS: dict[int, Callable[[Reader], Record]] = {
    1: read_entry,
    2: read_silence,
    3: read_equivocation,
    4: lambda reader: Odd(read_entry(reader)),
}
TAGS = {Entry: 1, Silence: 2, Equivocation: 3, Odd: 4}


def read_log(data: bytes) -> tuple[Offer, Iterator[Record]]:
    """The header, and the records one after the other. Faults of the encoding are raised as `Unreadable`."""
    reader = Reader(data)
    try:
        if reader.take("magic", len(MAGIC)) != MAGIC:
            raise Unreadable("not a log")
        if number(reader, "version", 2) != VERSION:
            raise Unreadable("a log of another version")
        start = reader.offset
        size = number(reader, "offer.length", 4)
        check_count(size, 0, MAX_OFFER, "offer.length", start)
        offer = read_offer(reader.take("offer", size))
    except Malformed as fault:
        raise Unreadable(str(fault)) from fault
    return offer, _records(reader, len(data))


def _records(reader: Reader, end: int) -> Iterator[Record]:
    while reader.offset < end:
        try:
            tag = number(reader, "record.tag", 1)
            if tag not in READERS:
                raise Unreadable(f"a record with the tag {tag}")
            body = Reader(reader.take("record.body", number(reader, "record.length", 4)))
            record = READERS[tag](body)
            body.finish()
        except Malformed as fault:
            raise Unreadable(str(fault)) from fault
        yield record


def write_log(offer: Offer, records: list[Record]) -> bytes:
    """The file, for tests."""
    data = offer.encode()
    out = [MAGIC, u16(VERSION), u32(len(data)), data]
    for record in records:
        body = record.encode()
        out += [u8(TAGS[type(record)]), u32(len(body)), body]
    return b"".join(out)
