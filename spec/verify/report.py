"""Reports of logs, for people and as JSON."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any, Sequence

import table


def as_json(name: str, report: table.Report) -> dict[str, Any]:
    """Page 80, the report."""
    if report.verdict == "unreadable":
        return {"file": name, "verdict": report.verdict, "words": report.words}
    fields = ("game", "grade", "seats", "rounds", "head", "verdict", "seat", "round", "check", "scores", "claims")
    fields += ("closed", "unsigned", "words")
    blamed = report.seat if report.verdict == "fault" else None
    stated = {field: getattr(report, field) for field in fields}
    return {"file": name, **stated, "valid": report.exit == 0, "blames": blamed}


def as_text(name: str, report: table.Report) -> str:
    """One line, and a line for each claim."""
    if report.verdict == "unreadable":
        return f"{name}: unreadable: {report.words}"
    line = f"{name}: {report.game}, {report.seats} seats, {report.rounds} rounds: {report.verdict}"
    if report.check is not None:
        line += f": seat {report.seat}, round {report.round}, check {report.check}"
    if report.words:
        line += f": {report.words}"
    if report.unsigned:
        line += f"; without the closing echo of {report.unsigned}"
    claims = [f"\n  seat {c['by']} claims (unprovable) that {c['silent']} did not answer" for c in report.claims]
    return f"{line}{''.join(claims)}\n  scores {report.scores}, head {report.head}"


def run(names: Sequence[str], with_json: bool) -> int:
    """Verifies files. The exit status is the largest of theirs, or 4 if a file cannot be opened."""
    try:
        reports = [(name, table.verify(Path(name).read_bytes())) for name in names]
    except OSError as failure:
        print(failure, file=sys.stderr)
        return 4
    if with_json:
        print(json.dumps([as_json(*item) for item in reports], sort_keys=True))
    else:
        for item in reports:
            print(as_text(*item))
    return max((report.exit for _, report in reports), default=0)
