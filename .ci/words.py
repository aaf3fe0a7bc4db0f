#!/usr/bin/env python3
"""Retired words do not come back in Markdown, in the help of the command line, in what programs print, and in the catalogues
of the games.

CONTRIBUTING.md has the glossary, and .ci/retired.json the list. Code in backticks and fenced blocks is left alone: options and
names keep theirs. For the catalogues of page, node and terminal apps/outis/web-tests/words.test.mjs reads the same list, and adds
what is about sentences only."""

import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
SKIP = {"target", "node_modules", "corpus", "artifacts", ".git"}

# What may not come back, and what to write instead: patterns of whole words, for both tests.
RETIRED = json.loads((ROOT / ".ci/retired.json").read_text(encoding="utf-8"))
ENGLISH, HUNGARIAN = RETIRED["en"], RETIRED["hu"]


def patterns(words: dict[str, str]) -> list[tuple[re.Pattern[str], str]]:
    return [(re.compile(rf"(?<![\w-])(?:{word})(?![\w-])", re.IGNORECASE), instead) for word, instead in words.items()]


def markdown():
    """Lines of Markdown outside code, except the glossary itself, which lists what is retired."""
    for path in sorted(ROOT.rglob("*.md")):
        name = path.relative_to(ROOT)
        if SKIP & set(name.parts):
            continue
        text = path.read_text(encoding="utf-8")
        if name.name == "CONTRIBUTING.md":
            text = text.split("\n## Glossary\n")[0]
        text = re.sub(r"^```.*?^```", lambda block: "\n" * block[0].count("\n"), text, flags=re.DOTALL | re.MULTILINE)
        for number, line in enumerate(text.splitlines(), 1):
            line = re.sub(r"`[^`]*`", "", line)
            yield f"{name}:{number}", prose(line) if name.parts[0] == "spec" else line, ENGLISH


def prose(line: str) -> str:
    """A line of the specification without the names that it keeps: ids are bold, names italic or in capitals, formats tables."""
    return "" if line.startswith("|") else re.sub(r"\*\*[^*]+\*\*|\*[^*]+\*|\b[A-Z]{4,}\b", "", line)


def catalogues():
    """Sentences of the games."""
    for path in sorted(ROOT.glob("games/*/words/*.json")):
        name = path.relative_to(ROOT)
        for key, languages in json.loads(path.read_text(encoding="utf-8")).items():
            for language, words in (("en", ENGLISH), ("hu", HUNGARIAN)):
                sentence = languages[language]
                for template in [sentence] if isinstance(sentence, str) else [sentence["one"], sentence["other"]]:
                    yield f"{name}: {key}", template, words


def help_texts():
    """Doc comments where the command line is defined: what `--help` prints."""
    for path in sorted((ROOT / "apps/outis/src").rglob("*.rs")):
        text = path.read_text(encoding="utf-8")
        if not re.search(r"^use clap\b", text, flags=re.MULTILINE):
            continue
        # From a type that clap reads to the end of that type.
        for found in re.finditer(r"^#\[derive\([^)]*\b(?:Args|Parser|Subcommand)\b.*?^}", text, re.DOTALL | re.MULTILINE):
            first = text[: found.start()].count("\n") + 1
            for number, line in enumerate(found[0].splitlines(), first):
                if (comment := line.strip()).startswith("///"):
                    yield f"{path.relative_to(ROOT)}:{number}", re.sub(r"`[^`]*`", "", comment), ENGLISH


def printed():
    """Strings of three words or more in the program and the games: errors of commands, summaries of cheats, what bridge prints.
    What a game answers about its rules is JSON, which programs may know, and stays."""
    for path in sorted([*(ROOT / "apps/outis/src").rglob("*.rs"), *ROOT.glob("games/*/src/**/*.rs")]):
        name = path.relative_to(ROOT)
        if any("tests" in part for part in name.parts) or "questions" in name.parts:
            continue
        text = path.read_text(encoding="utf-8").split("#[cfg(test)]\nmod tests {")[0]
        text = re.sub(r"^[ \t]*//.*$", "", text, flags=re.MULTILINE)
        for found in re.finditer(r'"((?:[^"\\]|\\.)*)"', text, flags=re.DOTALL):
            # What a mistake of the program says is for those who look for it.
            if len(found[1].split()) >= 3 and not text[: found.start()].endswith("expect("):
                number = text[: found.start()].count("\n") + 1
                yield f"{name}:{number}", re.sub(r"`[^`]*`", "", found[1]), ENGLISH


def main() -> int:
    compiled = {id(words): patterns(words) for words in (ENGLISH, HUNGARIAN)}
    errors, count = [], 0
    for source in (markdown, catalogues, help_texts, printed):
        lines = list(source())
        if not lines:
            errors.append(f"{source.__name__}: nothing found to read")
        for where, text, words in lines:
            count += 1
            for pattern, instead in compiled[id(words)]:
                if found := pattern.search(text):
                    errors.append(f"{where}: “{found[0]}” is retired; {instead}")
    for error in errors:
        print(f"error: {error}")
    print(f"{count} lines and sentences, {len(errors)} retired words")
    return int(bool(errors))


if __name__ == "__main__":
    sys.exit(main())
