#!/usr/bin/env python3
"""Holds `outis verify` and this verifier against each other, on good logs and on damaged ones.

    python3 spec/verify/compare.py OUTIS [--made] [--damaged N] [--seed S] [LOG…]

OUTIS is the program. With --made, the logs of logtests.py are compared. Each LOG is compared as it is, and N times with
damage: bytes changed, records swapped, doubled, dropped or moved, the file cut or continued. Prints every difference;
the exit status is 1 if there is one.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, Callable, Iterator

import report
import table

SAME = ("verdict", "seat", "round", "check", "game", "grade", "seats", "rounds", "head", "scores", "claims")
SAME += ("valid", "blames", "closed", "unsigned")


def split(data: bytes) -> tuple[bytes, list[bytes]]:
    """Header and records of a good log."""
    at = 14 + int.from_bytes(data[10:14], "little")
    header, records = data[:at], []
    while at < len(data):
        end = at + 5 + int.from_bytes(data[at + 1 : at + 5], "little")
        records.append(data[at:end])
        at = end
    return header, records


def damage(data: bytes, rng: random.Random) -> bytes:
    """A log that is no longer quite what it was."""

    def flip() -> bytes:
        at = rng.randrange(len(data))
        return data[:at] + bytes([data[at] ^ 1 << rng.randrange(8)]) + data[at + 1 :]

    def flip_early() -> bytes:
        at = rng.randrange(len(split(data)[0]))
        return data[:at] + bytes([rng.randrange(256)]) + data[at + 1 :]

    def flip_field() -> bytes:
        header, records = split(data)
        which = rng.randrange(len(records))
        record = bytearray(records[which])
        record[rng.randrange(min(46, len(record)))] = rng.choice([0, 1, 2, 3, 255, rng.randrange(256)])
        return header + b"".join([*records[:which], bytes(record), *records[which + 1 :]])

    def cut() -> bytes:
        return data[: rng.randrange(len(data))]

    def longer() -> bytes:
        return data + rng.randbytes(rng.randrange(1, 40))

    def records_changed() -> bytes:
        header, records = split(data)
        one, other = rng.randrange(len(records)), rng.randrange(len(records))
        near = min(one + 1, len(records) - 1)
        kind = rng.randrange(6)
        if kind == 0:
            records[one], records[other] = records[other], records[one]
        elif kind == 1:
            records[one], records[near] = records[near], records[one]
        elif kind == 2:
            records.insert(other, records[one])
        elif kind == 3:
            del records[one]
        elif kind == 4:
            records = records[:one]
        else:
            records.insert(other, records.pop(one))
        return header + b"".join(records)

    kinds: list[Callable[[], bytes]] = [flip, flip_early, flip_field, flip_field, cut, longer, records_changed]
    return rng.choice(kinds)()


def cases(names: list[str], damaged: int, rng: random.Random) -> Iterator[tuple[str, bytes]]:
    """All files to compare."""
    for name in names:
        data = Path(name).read_bytes()
        yield name, data
        try:
            for number in range(damaged):
                yield f"{name} damaged {number}", damage(data, rng)
        except (IndexError, ValueError):
            continue  # too short to damage in this way


def theirs(program: str, files: list[Path]) -> list[dict[str, Any]]:
    """The reports of `outis verify`."""
    command = [program, "verify", "--json", *map(str, files)]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
    return json.loads(done.stdout)


def main() -> int:
    """Compares."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("logs", nargs="*")
    parser.add_argument("--made", action="store_true")
    parser.add_argument("--damaged", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", help="write logs on which the two differ to this folder")
    options = parser.parse_intermixed_args()
    differences = compared = 0
    verdicts: dict[str, int] = {}
    todo = []
    if options.made:
        import logtests  # pylint: disable=import-outside-toplevel  # it uses `damage` of this module

        todo += [(name, data) for group in logtests.GROUPS for name, data, _ in group()]
    todo += list(cases(options.logs, options.damaged, random.Random(options.seed)))
    with tempfile.TemporaryDirectory() as folder:
        files = [Path(folder) / f"{number}.log" for number in range(len(todo))]
        for file, (_, data) in zip(files, todo):
            file.write_bytes(data)
        other: list[dict[str, Any]] = []
        for start in range(0, len(files), 500):
            other += theirs(options.program, files[start : start + 500])
    for (name, data), their in zip(todo, other, strict=True):
        our = report.as_json(name, table.verify(data))
        compared += 1
        kind = f"{our['verdict']} {our.get('check') or ''}".strip()
        verdicts[kind] = verdicts.get(kind, 0) + 1
        wrong = [
            f"{field}: {our.get(field)} here, {their.get(field)} there"
            for field in SAME
            if our.get(field) != their.get(field)
        ]
        if wrong:
            differences += 1
            print(f"{name}: {'; '.join(wrong)} ({our['words']} | {their['words']})")
            if options.keep:
                (Path(options.keep) / f"difference-{differences}.log").write_bytes(data)
    print(", ".join(f"{count} {kind}" for kind, count in sorted(verdicts.items())))
    print(f"{compared} compared, {differences} differ")
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
