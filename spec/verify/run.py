#!/usr/bin/env python3
"""Verifies logs; or checks the known answers of the pages and every file of test vectors.

    python3 spec/verify/run.py [--json] LOG…          judges exported logs (page 80)
    python3 spec/verify/run.py [directory or .json…]  checks vectors, by default spec/vectors

For logs the exit status is that of page 80. For vectors the last line is `N passed, M failed`; the exit status is 1 if
anything disagrees, or if there are no vectors at all.
"""

from __future__ import annotations

import json
import re
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any, Callable, Optional

import known
import logtests
import report
import selftest
import vectors
from errors import Malformed, Refusal

VECTORS = Path(__file__).resolve().parent.parent / "vectors"

# Descriptions of damaged encodings name field and offset; page 10 fixes both, so they are compared.
FAULT_AT = re.compile(r"^(\S+) at byte (\d+): ")


def judge(case: dict[str, Any], check: Callable[[dict[str, Any]], None]) -> Optional[str]:
    """What is wrong with our result for a case, or nothing (VEC-1)."""
    expected = case.get("expect", "accept")
    try:
        check(case)
    except vectors.Disagreement as difference:
        return str(difference)
    except Refusal as refusal:
        if expected == "accept":
            return f"refused: {refusal.layer}: {refusal}"
        return compare(case, refusal)
    if expected == "accept":
        return None
    return "accepted"


def compare(case: dict[str, Any], refusal: Refusal) -> Optional[str]:
    """Whether the refusal is the one that the case states: layer, fault, culprit, place."""
    if case.get("layer", refusal.layer) != refusal.layer:
        return f"refused in the layer {refusal.layer} ({refusal}), not {case['layer']}"
    if "culprit" in case and getattr(refusal, "seat", None) != case["culprit"]:
        return f"culprit {getattr(refusal, 'seat', None)} ({refusal}), not {case['culprit']}"
    if isinstance(refusal, Malformed):
        if "fault" in case and vectors.FAULTS.get(case["fault"]) != refusal.kind:
            return f"fault {refusal.kind}, not {case['fault']}"
        named = FAULT_AT.match(case.get("description", ""))
        if named and (named[1], int(named[2])) != (refusal.field, refusal.offset):
            return f"fault at {refusal.field}, byte {refusal.offset}, not {named[1]}, byte {named[2]}"
    return None


def check_of(document: dict[str, Any]) -> Callable[[dict[str, Any]], None]:
    """The check for the cases of a file."""
    if document["version"] != 1 or document["protocol"] != "outis/1":
        raise vectors.Disagreement("unknown version or protocol")
    if document["kind"] == "proof":
        label = document["label"]
        return lambda case: vectors.check_proof(label, case)
    return vectors.KINDS[document["kind"]]


def run_file(path: Path) -> tuple[int, list[str]]:
    """The number of cases that agree, and what is wrong with the others."""
    document = json.loads(path.read_text(encoding="utf-8"))
    try:
        check = check_of(document)
    except (KeyError, vectors.Disagreement) as reason:
        return 0, [f"cannot check this file: {reason!r}"]
    faults = []
    cases = document["cases"]
    names = [case["name"] for case in cases]
    if len(set(names)) != len(names):
        faults.append("a name is not unique")
    for case in cases:
        try:
            wrong = judge(case, check)
        except Exception as crash:  # pylint: disable=broad-except  # a crash is a disagreement, not the end of the run
            wrong = f"crashed: {crash!r}"
        if wrong is not None:
            faults.append(f"{case['name']}: {wrong}")
    return len(cases) - len([fault for fault in faults if fault != "a name is not unique"]), faults


def run_known() -> tuple[int, list[str]]:
    """The known answers of the pages."""
    passed, faults = 0, []
    for name, computed, expected in known.answers():
        if computed == expected:
            passed += 1
        else:
            faults.append(f"{name}: computed {computed}, the page says {expected}")
    return passed, faults


def run_tests(paths: list[Path]) -> tuple[int, list[str]]:
    """What the vectors do not cover, and every good proof (but the classic ones) with one field changed."""
    tests = dict(selftest.TESTS)
    for path in paths:
        document = json.loads(path.read_text(encoding="utf-8"))
        if document["kind"] == "proof" and not document["label"].startswith("classic"):
            for case in document["cases"]:
                if case["expect"] == "accept":
                    tests[f"{path.name}: {case['name']}"] = selftest.mutations(document["label"], case)
    faults = []
    for name, test in tests.items():
        try:
            test()
        except Exception as failure:  # pylint: disable=broad-except
            faults.append(f"{name}: {failure!r}")
    return len(tests) - len(faults), faults


def files(arguments: list[str]) -> list[Path]:
    """The files to check."""
    chosen: list[Path] = []
    for place in [Path(argument) for argument in arguments] or [VECTORS]:
        chosen += sorted(place.glob("*.json")) if place.is_dir() else [place]
    return chosen


def main(arguments: list[str]) -> int:
    """Logs, or vectors."""
    names = [argument for argument in arguments if argument != "--json"]
    if names and not any(Path(name).is_dir() or name.endswith(".json") for name in names):
        return report.run(names, "--json" in arguments)
    return run_vectors(names)


Job = tuple[str, Callable[[], tuple[int, list[str]]]]


def timed(job: Job) -> tuple[str, int, list[str], float]:
    """One job: its name, what agrees, what does not, and how long that took."""
    name, run = job
    start = time.monotonic()
    passed, faults = run()
    return name, passed, faults, time.monotonic() - start


def run_vectors(arguments: list[str]) -> int:
    """Runs everything, on all cores."""
    total_passed, total_failed = 0, 0
    jobs: list[Job] = [("known answers", run_known)]
    paths = files(arguments)
    jobs += [(path.name, partial(run_file, path)) for path in paths]
    jobs.append(("beyond the vectors", partial(run_tests, paths)))
    if not arguments:
        logs = Path(__file__).resolve().parent / "logs"
        jobs.append(("log vectors", partial(logtests.run_files, VECTORS / "log")))
        jobs.append(("a deal of tarokk", partial(logtests.run_tarokk, logs / "tarokk.log")))
        jobs.append(("hands of poker", partial(logtests.run_poker, logs)))
        jobs.append(("games of ZheroTag", partial(logtests.run_zherotag, logs)))
        jobs.append(("a game of dark chess", partial(logtests.run_dark_chess, logs)))
        jobs.append(("logs made here", logtests.run_cases))
        jobs.append(("damaged logs", partial(logtests.run_damaged, VECTORS / "log")))
    with ProcessPoolExecutor() as pool:
        for name, passed, faults, seconds in pool.map(timed, jobs):
            verdict = "ok" if not faults else "FAILED"
            print(f"{name:28} {passed:4} passed, {len(faults)} failed  {seconds:5.1f} s  {verdict}")
            for fault in faults:
                print(f"    {fault}")
            total_passed, total_failed = total_passed + passed, total_failed + len(faults)
    if not paths:
        print("no vectors")
        total_failed += 1
    print(f"{total_passed} passed, {total_failed} failed")
    return 1 if total_failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
