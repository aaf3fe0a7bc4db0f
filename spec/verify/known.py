"""The known answers that are printed on the pages, and some of RFC 9496."""

from __future__ import annotations

from typing import Iterator

import group
import ristretto
from batch import batch_seed, weight
from challenger import Challenger, Context, block
from codec import GENERATOR, encode_scalar, encode_scalars, scalar_from_64, u32
from commitments import Place, Toss, commit, toss_coin

# RFC 9496, appendix A.1 (multiples 2 and 3 of the generator) and A.3 (one-way map).
RFC_MULTIPLES = {
    2: "6a493210f7499cd17fecb510ae0cea23a110e8d5b901f8acadd3095c73a3b919",
    3: "94741f5d5d52755ece4f23f044ee27d5d1ea1e2bd196b462166b16152a9d0259",
}
RFC_UNIFORM = (
    "5d1be09e3d0c82fc538112490e35701979d99e06ca3e2b5b54bffe8b4dc772c1"
    "4d98b696a1bbfb5ca32c436cc61c16563790306c79eaca7705668b47dffe5bb6",
    "3066f82a1a747d45120d1740f14358531a8f04bbffe6a819f86dfe50f44a0a46",
)

# Page 10.
FACE_0_INPUT = (
    "1b34793106c191b9d15a4c79ca0081d1ffdbf5a1f54273d5cecceab0fff6831a"
    "a0aac0c251abd61718a9ba8ef5c9d99ba954fde9749e072f7d4dd99889009ed3"
)
FACE_0 = "14d1c87e48037992b7dacbe875cbdcd28977ff637c336e83527b93cbcc3ff00d"
FACE_1 = "2ee10abb1ebda67470d3d913e669b7f2091eca78d17e67e7c5a470f175b45735"
SLOT_0 = "dc443bffda302cca7cb0cd909f5a1d5ed42b52f4f8dc888ae7f6d88ff3140c5b"
BLIND = "fa8f94a054b679434439f10b1904da6d1a5ac884c55b93dabb20813e18f64e7c"
VALUE = "9abec04df239d164029fb9fa7b0cbdbb6a0c035d222ba110eeacf2e187d8410f"

# Page 20.
SEED = (
    "7825d9fd74cad836d9868cfd4b045cb84ad438f3ecbe4bd2b7e66e104244cd83"
    "0abfdb8f3c3369c24339ad4bf05a7578b36d442aeda99055bbcf28536eadbf57"
)
CHALLENGE = "27c0ef9554fe2acea6b168eab6e3e55089f2e4b574e58bffaa9e4f7c7edb8e0f"
WEIGHTS = (
    "4ffc4d9e770fa1c3a4205fc41d9649e3661c502ceb3080ef35349cfcde77ee03",
    "54d592e6de5dc77fc6e907e17d0a77b84c776df37854971b67d19aa8f8400b05",
)
BITS = "0011111001000111"
SEAL = (
    "a0d73a907cb762a4d18b746d0ed9efcebf4b278f1771f77a87d79ae99b31942d"
    "1224e3128e98f888fc6700806c2c35ebb47ef5182160685e7821573a193fa445"
)
BATCH_SEED = (
    "e0361652a4e3cbdc37664b9fdaf62bcc29203f52b60d8d47013cf002f19e8008"
    "3ee7ec5c5ad44cc8764df5cfd384cd716b0f065aa289c7f504067d935a916041"
)
BATCH_WEIGHT = "af6c4f0d7760ab317d6f863a55edabdc"

# Page 70.
COMMITMENT = "a94dfeaa753dddf5969cc7d3c006462c68ba748b329e28bb8e324fa027eee58b"
COIN_COMMITMENTS = (
    "7c54f62920d81677f630b32e44764f0c1949b5fb5ef469d447eb19ea20aa7d14",
    "01bc004a5ffbb58d90e8df9dfa7a28b4dcb181ccf3a02c21f767b8980e3eba78",
)
COIN = (
    "c3ed91142dd951b5b1ef12639c2b1f9dcb45f3d9458278388c628a8de28760b7"
    "0b2aa1aaa718a0c733e1f4c7b154d11b19750da757ff5b9c8d241916dff7639c"
)
COIN_BITS = "1010101111111101"
COIN_SCALAR = "e15d7fe4be736cbf527c6c355a2c987006f94d7f7e7b44c6fb90dcabcd83610d"

Answer = tuple[str, object, object]


def _bits(bits: list[int]) -> str:
    return "".join(map(str, bits))


def rfc() -> Iterator[Answer]:
    """RFC 9496, appendix A."""
    for factor, expected in RFC_MULTIPLES.items():
        yield f"RFC 9496: {factor}·G", ristretto.encode(ristretto.multiply(factor, ristretto.GENERATOR)).hex(), expected
    source, expected = RFC_UNIFORM
    yield "RFC 9496: one-way map", ristretto.encode(ristretto.from_uniform(bytes.fromhex(source))).hex(), expected


def page_10() -> Iterator[Answer]:
    """Page 10, known answers."""
    yield "10: input of face 0", group.hash_input("face", (b"test", u32(0)), 0).hex(), FACE_0_INPUT
    yield "10: face 0", group.face("test", 0).data.hex(), FACE_0
    yield "10: face 1", group.face("test", 1).data.hex(), FACE_1
    yield "10: S_0", group.slot(0).data.hex(), SLOT_0
    yield "10: B", group.blind().data.hex(), BLIND
    yield "10: V", group.value().data.hex(), VALUE


def page_20() -> Iterator[Answer]:
    """Page 20, known answers: one sequence on one state."""
    challenger = Challenger(Context(b"\1" * 32, 2, 3, b"\4" * 32))
    challenger.open("possession/1", GENERATOR.data)
    seed = challenger.ratchet("c")
    yield "20: seed", seed.hex(), SEED
    yield "20: challenge", encode_scalar(scalar_from_64(block(seed, 0))).hex(), CHALLENGE
    yield "20: challenges", tuple(encode_scalar(w).hex() for w in challenger.challenges("weights", 2)), WEIGHTS
    yield "20: bits", _bits(challenger.bits("bits", 16)), BITS
    seal = challenger.close(encode_scalars([7]))
    yield "20: seal", seal.hex(), SEAL
    batch = batch_seed([seal])
    yield "20: batch seed", batch.hex(), BATCH_SEED
    yield "20: batch weight 1", weight(batch, 1).to_bytes(16, "little").hex(), BATCH_WEIGHT


def page_70() -> Iterator[Answer]:
    """Page 70, known answers."""
    table = b"\1" * 32
    yield "70: commitment", commit("coin", Place(table, 2, 3), b"\5" * 32, b"heads").hex(), COMMITMENT
    toss = Toss("test", table, 2, b"\6" * 32, (0, 1))
    parts = []
    for seat, value, opening, expected in ((0, 10, 20, COIN_COMMITMENTS[0]), (1, 11, 21, COIN_COMMITMENTS[1])):
        commitment = toss.commitment(seat, bytes([opening]) * 32, bytes([value]) * 32)
        yield f"70: coin commitment {seat}", commitment.hex(), expected
        parts.append((seat, commitment, bytes([value]) * 32 + bytes([opening]) * 32))
    coin = toss_coin(toss, parts)
    yield "70: coin", coin.data.hex(), COIN
    yield "70: coin bits", _bits(coin.bits(16)), COIN_BITS
    yield "70: coin scalar", encode_scalar(coin.scalar(0)).hex(), COIN_SCALAR


def answers() -> Iterator[Answer]:
    """All of them: name, computed, expected."""
    for page in (rfc, page_10, page_20, page_70):
        yield from page()
