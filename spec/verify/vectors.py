"""The JSON of spec/vectors: values, and one check for each kind of file.

A check returns nothing if it accepts, and raises a `Refusal` if it refuses. Where a case states a result, a different
one is a `Disagreement`.
"""

from __future__ import annotations

from typing import Any, Callable

import choices
import classic
import commitments
import containment
import deck
import disclosure
import group
import keys
import rows
import shuffle
import sigma
from batch import Claim, Limits, check, settle
from challenger import Challenger, Context
from codec import Code, Element, Reader, Scalar, encode_code, encode_scalar, parse_element, parse_scalar
from errors import Refuted
from games import poker_classic

Json = Any

LIMITS = Limits(16)  # VEC-3
PACK = 14  # VEC-2
ROUNDS = 128  # VEC-4


class Disagreement(Exception):
    """The vectors state another value than the one that was computed."""


def same(what: str, computed: object, stated: object) -> None:
    """Both values must be equal."""
    if computed != stated:
        raise Disagreement(f"{what}: computed {computed}, stated {stated}")


# --- values ---------------------------------------------------------------------------------------------------------


def raw(value: Json) -> bytes:
    """Bytes in hexadecimal digits."""
    return bytes.fromhex(value)


def element(value: Json, field: str = "element") -> Element:
    """An element."""
    return parse_element(raw(value), field)


def code(value: Json) -> Code:
    """A code."""
    return Code(element(value["c1"], "code.c1"), element(value["c2"], "code.c2"))


def elements(value: Json) -> list[Element]:
    """A list of elements."""
    return [element(item) for item in value]


def codes(value: Json) -> list[Code]:
    """A list of codes."""
    return [code(item) for item in value]


def context(value: Json) -> Context:
    """A context."""
    return Context(raw(value["table"]), value["deal"], value["seat"], raw(value["head"]))


def place(value: Json) -> commitments.Place:
    """A place."""
    return commitments.Place(raw(value["table"]), value["deal"], value["seat"])


def bits(value: list[int]) -> str:
    """Bits as the vectors write them."""
    return "".join(map(str, value))


def scalar(value: Scalar) -> str:
    """A scalar as the vectors write it."""
    return encode_scalar(value).hex()


def base(value: Json) -> sigma.Base:
    """A base of `any-of/1`: an element or a sum, whose scalars may be zero (SIG-20)."""
    if isinstance(value, str):
        return element(value)
    return [(parse_scalar(raw(t["scalar"]), "scalar", 0, zero_allowed=True), element(t["element"])) for t in value]


def branch(value: Json) -> sigma.Branch:
    """A relation of `any-of/1`."""
    lines = [
        sigma.PublicLine(base(line["target"]), [(term["secret"], base(term["base"])) for term in line["terms"]])
        for line in value["equations"]
    ]
    return sigma.Branch(value["secrets"], lines)


def cipher(value: Json) -> disclosure.Cipher:
    """An encrypted number, whose halves may be zero."""
    halves = (raw(value[name]) for name in ("c1", "c2"))
    return disclosure.Cipher(*(None if half == bytes(32) else parse_element(half, "half") for half in halves))


def form(value: Json) -> disclosure.Form:
    """A linear form: `[constant, [[factor, position], …]]`."""
    return disclosure.Form(value[0], [(factor, position) for factor, position in value[1]])


def numbers(value: Json) -> disclosure.Numbers:
    """Encrypted numbers with their sums."""
    return disclosure.Numbers([cipher(item) for item in value["ciphers"]], [form(item) for item in value["sums"]])


# --- proofs ---------------------------------------------------------------------------------------------------------

STATEMENTS: dict[str, Callable[[Json], Any]] = {
    "possession/1": lambda i: sigma.Possession(element(i["key"])),
    "same-exponent/1": lambda i: sigma.SameExponent(*(element(i[name]) for name in ("g", "x", "h", "y"))),
    "same-exponents/1": lambda i: sigma.SameExponents(
        element(i["key"]), elements(i["bases"]), elements(i["powers"])
    ),
    "re-encryption/1": lambda i: sigma.ReEncryption(element(i["key"]), code(i["input"]), code(i["output"])),
    "same-card/1": lambda i: sigma.SameCard(
        element(i["seat_key"]), element(i["joint_key"]), code(i["drawn"]), code(i["created"])
    ),
    "any-of/1": lambda i: sigma.AnyOf([branch(item) for item in i["branches"]]),
    "one-of-many/1": lambda i: containment.OneOfMany(element(i["key"]), code(i["code"]), elements(i["faces"])),
    "shuffle/1": lambda i: shuffle.Shuffle(element(i["key"]), codes(i["input"]), codes(i["output"])),
    "exponent-shuffle/1": lambda i: shuffle.ExponentShuffle(
        element(i["key"]), elements(i["input"]), elements(i["output"])
    ),
    "re-creation/1": lambda i: shuffle.ReCreation(
        element(i["seat_key"]), element(i["joint_key"]), codes(i["held"]), codes(i["drawn"]), codes(i["created"])
    ),
    "disclosure/1": lambda i: disclosure.Disclosed(
        element(i["issuer"]),
        element(i["viewer"]),
        numbers(i),
        [disclosure.Question(form(condition), form(message)) for condition, message in i["questions"]],
    ),
    "cases/1": lambda i: choices.Cases(
        element(i["key"]),
        numbers(i),
        [[[form(item) for item in alternative] for alternative in case] for case in i["cases"]],
    ),
    "selection/1": lambda i: choices.Selected(
        element(i["key"]),
        element(i["viewer"]),
        elements(i["bases"]),
        elements(i["powers"]),
        [choices.Entry(answer, message, [tuple(value) for value in values]) for answer, message, values in i["entries"]],
        numbers(i),
        [form(item) for item in i["columns"]],
    ),
    "one-of-rows/1": lambda i: rows.OneOfRows(
        element(i["key"]),
        elements(i["powers"]),
        elements(i["bases"]),
        i["numbers"],
        element(i["joint"]),
        code(i["code"]),
    ),
    "classic-shuffle/1": lambda i: classic.ClassicShuffle(
        element(i["key"]), codes(i["input"]), codes(i["output"]), ROUNDS
    ),
}


def claim(label: str, case: Json) -> Claim:
    """Replays one proof on a new challenger (VEC-5)."""
    challenger, inputs, proof = Challenger(context(case["context"])), case["inputs"], raw(case["proof"])
    if label == "containment/1":
        key, about = element(inputs["key"]), codes(inputs["codes"])
        pack = group.faces(inputs["game"], PACK)
        return containment.check_rule(challenger, key, pack, inputs["set"], about, proof, LIMITS)
    if label == "classic-containment/1":
        key, about = element(inputs["key"]), codes(inputs["codes"])
        pack = group.faces(inputs["game"], PACK)
        return classic.check_classic_rule(challenger, key, pack, inputs["set"], about, ROUNDS, proof)
    return check(STATEMENTS[label](inputs), challenger, proof, LIMITS)


def check_proof(label: str, case: Json) -> None:
    """A batch of its own (VEC-5)."""
    settle([claim(label, case)])


# --- other files ----------------------------------------------------------------------------------------------------

FAULTS = {
    "the identity is not allowed here": "identity",
    "not a canonical group element": "not an element",
    "scalar not below the group order": "scalar range",
    "zero is not allowed here": "scalar zero",
}


def check_encoding(case: Json) -> None:
    """encoding.json."""
    parse = {"element": parse_element, "scalar": parse_scalar}[case["type"]]
    parse(raw(case["bytes"]), case["type"])


def check_group(case: Json) -> None:
    """group.json."""
    kind = case["type"]
    if kind == "hash-to-group":
        data = tuple(map(raw, case["data"]))
        same("element", group.hash_to_group(case["domain"], data).data.hex(), case["element"])
    elif kind == "generators":
        same("slots", [s.data.hex() for s in group.slots(len(case["slots"]))], case["slots"])
        same("blind", group.blind().data.hex(), case["blind"])
        same("value", group.value().data.hex(), case["value"])
    elif kind == "faces":
        same("faces", [f.data.hex() for f in group.faces(case["game"], len(case["faces"]))], case["faces"])
    else:
        raise Disagreement(f"unknown type {kind}")


def check_challenger(case: Json) -> None:
    """challenger.json."""
    where = context(case["context"])
    same("context", where.encode().hex(), case["context_bytes"])
    same("context", Context.decode(raw(case["context_bytes"])), where)
    challenger = Challenger(where)
    for step in case["steps"]:
        kind = step["step"]
        if kind == "open":
            challenger.open(step["label"], raw(step["statement"]))
        elif kind == "message":
            challenger.message(step["name"], raw(step["value"]))
        elif kind == "challenge":
            same("challenge", scalar(challenger.challenge(step["name"])), step["expect"])
        elif kind == "challenges":
            drawn = challenger.challenges(step["name"], step["count"])
            same("challenges", [scalar(value) for value in drawn], step["expect"])
        elif kind == "bits":
            same("bits", bits(challenger.bits(step["name"], step["count"])), step["expect"])
        elif kind == "close":
            seal = challenger.close(raw(step["responses"]))
            if "seal" in step:
                same("seal", seal.hex(), step["seal"])
        else:
            raise Disagreement(f"unknown step {kind}")


def check_commitment(case: Json) -> None:
    """commitment.json: COM-1, COM-3."""
    opening, value, made = raw(case["opening"]), raw(case["value"]), raw(case["commitment"])
    if not commitments.opens(made, case["purpose"], place(case["place"]), opening, value):
        raise commitments.Invalid("the commitment does not open")


def check_coin(case: Json) -> None:
    """coin.json: COIN-1 to COIN-7."""
    stated, parts = case["toss"], case["parts"]
    seats = tuple(sorted(stated["seats"]))
    toss = commitments.Toss(stated["purpose"], raw(stated["table"]), stated["deal"], raw(stated["subject"]), seats)
    coin = commitments.toss_coin(
        toss, [(part["seat"], raw(part["commitment"]), raw(part["reveal"])) for part in parts]
    )
    if case["expect"] == "accept":
        same("coin", coin.data.hex(), case["coin"])
        same("bits", bits(coin.bits(len(case["bits"]))), case["bits"])
        same("scalars", [scalar(coin.scalar(i)) for i in range(len(case["scalars"]))], case["scalars"])


def check_key(case: Json) -> None:
    """key.json: D-1 to D-5."""
    parts = [(context(part["context"]), raw(part["commitment"]), raw(part["reveal"])) for part in case["parts"]]
    joint = keys.check_keys(case["roster"], parts)
    if case["expect"] == "accept":
        same("joint key", joint.data.hex(), case["joint_key"])


def check_deck(case: Json) -> None:
    """deck.json: D-7, D-11 to D-17."""
    kind = case["type"]
    if kind == "open-deck":
        faces = group.faces(case["game"], len(case["codes"]))
        made = deck.open_deck(faces, element(case["key"]))
        same("codes", [encode_code(c) for c in made], [encode_code(c) for c in codes(case["codes"])])
    elif kind == "opened":
        key, about = element(case["key"]), code(case["code"])
        opened = deck.read_opened(raw(case["opened"]), case["pack"])
        deck.check_opened(about, key, group.faces(case["game"], case["pack"]), opened)
    elif kind == "shares":
        about = codes(case["codes"])
        lists, claims = [], []
        for seat in case["seats"]:
            challenger, key = Challenger(context(seat["context"])), element(seat["key"])
            shares, made = deck.check_shares(challenger, key, about, raw(seat["shares"]))
            lists.append(shares)
            claims.append(made)
        settle(claims)  # D-15
        cards = deck.open_by_shares(about, group.faces(case["game"], case["pack"]), lists)
        if case["expect"] == "accept":
            same("cards", cards, case["cards"])
    else:
        raise Disagreement(f"unknown type {kind}")


def check_sra_classic(case: Json) -> None:
    """sra-classic.json: LC-13, LC-14."""
    at, cards, kept = poker_classic.Where(raw(case["table"]), case["deal"]), case["cards"], case["kept"]
    decks, opening = Reader(raw(case["decks"])), Reader(raw(case["opening"]))
    if case["type"] == "first":
        firsts = [poker_classic.read_first(decks, cards) for _ in range(3)]
        decks.finish()
        inverses = opening.scalars("opening.keys", 2)
        opening.finish()
        others = [deck for number, deck in enumerate(firsts) if number != kept]
        good = all(poker_classic.is_first(at, deck, key) for deck, key in zip(others, inverses, strict=True))
    elif case["type"] == "second":
        first = poker_classic.read_first(Reader(raw(case["first"])), cards)
        seconds = [poker_classic.read_second(decks, cards) for _ in range(3)]
        decks.finish()
        opened = [poker_classic.read_opening(opening, cards) for _ in range(2)]
        opening.finish()
        rest = [deck for number, deck in enumerate(seconds) if number != kept]
        good = all(poker_classic.is_second(at, first, deck, *secret) for deck, secret in zip(rest, opened, strict=True))
    else:
        raise Disagreement(f"unknown type {case['type']}")
    if not good:
        raise Refuted("an opened deck is not the one that was sent, or not complete")


KINDS: dict[str, Callable[[Json], None]] = {
    "encoding": check_encoding,
    "group": check_group,
    "challenger": check_challenger,
    "commitment": check_commitment,
    "coin": check_coin,
    "key": check_key,
    "deck": check_deck,
    "sra-classic": check_sra_classic,
}
