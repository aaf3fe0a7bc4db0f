#!/usr/bin/env python3
"""Licences, sources and duplicates of all dependencies against deny.toml, offline. Usage: licences.py MANIFEST..."""

import json
import pathlib
import re
import subprocess
import sys
import tomllib

ROOT = pathlib.Path(__file__).resolve().parent.parent
CRATES_IO = "registry+https://github.com/rust-lang/crates.io-index"


def satisfied(expression: str, allowed: set[str]) -> bool:
    """Whether an SPDX expression can be met with allowed licences. The old form A/B means A OR B."""
    tokens = re.findall(r"[()]|[^\s()]+", expression.replace("/", " OR "))
    position = 0

    def peek() -> str | None:
        return tokens[position] if position < len(tokens) else None

    def take() -> str:
        nonlocal position
        if position == len(tokens):
            raise ValueError("ends too early")
        position += 1
        return tokens[position - 1]

    def either() -> bool:
        value = both()
        while peek() == "OR":
            take()
            value = both() or value
        return value

    def both() -> bool:
        value = single()
        while peek() == "AND":
            take()
            value = single() and value
        return value

    def single() -> bool:
        token = take()
        if token == "(":
            value = either()
            if take() != ")":
                raise ValueError("unbalanced")
            return value
        if token in (")", "OR", "AND", "WITH"):
            raise ValueError(f"unexpected {token}")
        if peek() == "WITH":
            take()
            token += f" WITH {take()}"
        return token in allowed

    value = either()
    if peek() is not None:
        raise ValueError(f"unexpected {peek()}")
    return value


def check(manifest: str, policy: dict) -> tuple[int, list[str], list[str]]:
    """Number of packages, warnings and errors."""
    command = ["cargo", "metadata", "--format-version", "1", "--all-features", "--locked", "--manifest-path", manifest]
    packages = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE, cwd=ROOT).stdout)["packages"]
    warnings, errors, versions = [], [], {}
    exceptions = {entry["crate"]: set(entry["allow"]) for entry in policy["licenses"].get("exceptions", [])}
    for package in packages:
        name = f"{package['name']} {package['version']}"
        versions.setdefault(package["name"], set()).add(package["version"])
        allowed = set(policy["licenses"]["allow"]) | exceptions.get(package["name"], set())
        try:
            if not satisfied(package["license"] or "", allowed):
                errors.append(f"{name}: licence {package['license']} is not allowed")
        except ValueError as error:
            errors.append(f"{name}: licence {package['license']!r} cannot be read: {error}")
        source = package["source"]
        inside = pathlib.Path(package["manifest_path"]).resolve().is_relative_to(ROOT)
        if source != CRATES_IO and not (source is None and inside):
            errors.append(f"{name}: comes from {source or 'a path outside the repository'}")
    for name, found in sorted(versions.items()):
        if len(found) > 1:
            warnings.append(f"{name} is there in versions {', '.join(sorted(found))}")
    return len(packages), warnings, errors


def self_test() -> None:
    """The reader of expressions refuses what it must."""
    allowed = {"MIT", "Apache-2.0", "Apache-2.0 WITH LLVM-exception", "Unicode-3.0"}
    for good in ["MIT", "MIT/Apache-2.0", "GPL-3.0-only OR MIT", "(MIT OR Apache-2.0) AND Unicode-3.0",
                 "Apache-2.0 WITH LLVM-exception OR GPL-2.0-only", "GPL-3.0-only AND ISC OR MIT"]:
        assert satisfied(good, allowed), good
    for bad in ["GPL-3.0-only", "MIT AND GPL-3.0-only", "(MIT OR Apache-2.0) AND LGPL-3.0-only", "MIT WITH X",
                "MIT AND (GPL-2.0-only OR AGPL-3.0-only)"]:
        assert not satisfied(bad, allowed), bad
    for wrong in ["", "MIT OR", "(MIT", "MIT)", "MIT Apache-2.0", "AND MIT"]:
        try:
            satisfied(wrong, allowed)
        except ValueError:
            continue
        raise AssertionError(wrong)


def main() -> int:
    self_test()
    policy = tomllib.loads((ROOT / "deny.toml").read_text(encoding="utf-8"))
    failed = False
    for manifest in sys.argv[1:] or ["Cargo.toml"]:
        count, warnings, errors = check(manifest, policy)
        for line in warnings:
            print(f"warning: {manifest}: {line}")
        for line in errors:
            print(f"error: {manifest}: {line}")
        print(f"{manifest}: {count} packages, {len(errors)} refused")
        failed = failed or bool(errors)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
