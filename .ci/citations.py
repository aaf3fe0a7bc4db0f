#!/usr/bin/env python3
"""Every id that the code cites (TK-20, S-26, F5, ...) is explained in spec/sources.md, and every file of spec/ that it
names is there."""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
ID = re.compile(r"(?<![\w-])(?:(?:TK|RC|S)-\d+|(?:SR|[CEFV])\d+)(?![\w-])")
FILE = re.compile(r"\bspec/[\w./-]*\w")
COMMENT = re.compile(r"//.*|#.*")


def main() -> int:
    sources = (ROOT / "spec/sources.md").read_text(encoding="utf-8")
    explained = set(ID.findall(sources))
    errors, count = [], 0
    for path in sorted([*ROOT.rglob("*.rs"), *ROOT.rglob("*.toml")]):
        name = path.relative_to(ROOT)
        if {"target", "node_modules", "corpus"} & set(name.parts):
            continue
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            comment = " ".join(COMMENT.findall(line))
            for cited in ID.findall(comment):
                count += 1
                if cited not in explained:
                    errors.append(f"{name}:{number}: {cited} is not in spec/sources.md")
            for cited in FILE.findall(comment):
                count += 1
                if not (ROOT / cited).exists():
                    errors.append(f"{name}:{number}: {cited} does not exist")
    for error in errors:
        print(f"error: {error}")
    print(f"{count} citations, {len(errors)} unresolved")
    return int(bool(errors))


if __name__ == "__main__":
    sys.exit(main())
