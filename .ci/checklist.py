#!/usr/bin/env python3
"""Every item of the five documents is in spec/checklist.tsv, and each has a test that exists or a row in spec/differences.md.

A line has an id, its section, what it is in our words, and where it is: tests as file::function, the word `differences`, or
both, separated by semicolons. The ids are those that spec/sources.md explains. An id is in the first column of the table of
differences if, and only if, its line says so."""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
ID = re.compile(r"(?:DC-G?|ZT-|BR-|SRA-|TK-|RC-|F)(?:\d+[a-d]?|G|T)$")
RANGE = re.compile(r"([A-Z]+-?G?)(\d+) to ([A-Z]+-?G?)(\d+)$")


def ids(cell: str) -> list[str]:
    """The ids of a cell: one, several with commas, or `DC-1 to DC-4`."""
    found = []
    for part in cell.split(", "):
        if span := RANGE.match(part):
            found += [f"{span[1]}{number}" for number in range(int(span[2]), int(span[4]) + 1)]
        else:
            found.append(part)
    return [name for name in found if ID.match(name)]


def first_cells(page: str) -> list[str]:
    """The ids in the first column of the tables of a page."""
    lines = (ROOT / page).read_text(encoding="utf-8").splitlines()
    return [name for line in lines if line.startswith("| ") for name in ids(line[2:].split(" |")[0])]


def problem(evidence: str) -> str | None:
    """What is wrong with a test that is named as file::function."""
    path, _, name = evidence.partition("::")
    if not name or not (ROOT / path).is_file():
        return f"{evidence}: no such file"
    attributes = re.search(rf"((?:^[ \t]*#\[[^\n]*\n)+)[ \t]*fn {re.escape(name)}\(", (ROOT / path).read_text(encoding="utf-8"), re.M)
    if not attributes or "#[test]" not in attributes[1]:
        return f"{evidence}: no such test"
    return f"{evidence}: ignored, so it does not run" if "#[ignore" in attributes[1] else None


def main() -> int:
    errors, lines = [], {}
    for number, line in enumerate((ROOT / "spec/checklist.tsv").read_text(encoding="utf-8").splitlines(), 1):
        if line.startswith("#"):
            continue
        cells = line.split("\t")
        if len(cells) != 4 or not all(cells) or not ID.match(cells[0]):
            errors.append(f"spec/checklist.tsv:{number}: four columns are needed, the first an id")
        elif cells[0] in lines:
            errors.append(f"spec/checklist.tsv:{number}: {cells[0]} is there twice")
        else:
            lines[cells[0]] = cells[3].split("; ")
    explained, departures = set(first_cells("spec/sources.md")), set(first_cells("spec/differences.md"))
    errors += [f"{name} is explained in spec/sources.md, but not in the checklist" for name in sorted(explained - lines.keys())]
    errors += [f"{name} is in the checklist, but not explained in spec/sources.md" for name in sorted(lines.keys() - explained)]
    named = {name for name, where in lines.items() if "differences" in where}
    errors += [f"{name} should have a row in spec/differences.md" for name in sorted(named - departures)]
    errors += [f"{name} has a row in spec/differences.md, which the checklist does not say" for name in sorted(departures - named)]
    for name, where in lines.items():
        tests = [evidence for evidence in where if evidence != "differences"]
        errors += [f"{name}: {wrong}" for wrong in map(problem, tests) if wrong]
    for error in errors:
        print(f"error: {error}")
    print(f"{len(lines)} items, {len(named)} of them with a difference, {len(errors)} errors")
    return int(bool(errors))


if __name__ == "__main__":
    sys.exit(main())
