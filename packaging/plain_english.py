#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Finds lines of comments, messages and documents with phrases that a reader has to decode (packaging/plain_english.txt).

  plain_english.py [--base REV | --count] [PATH...]

Reads the tracked C++ sources, Markdown files, scripts and CMake files, or those of the given paths. With --base only lines that were added since
that revision, working tree included. Prints path:line: [rules] text and returns 1 if a line was found; with --count it prints the number alone. A rule is a
hint with few false alarms: rewrite the sentence rather than replacing the word.
"""
import argparse
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
RULES_FILE = pathlib.Path(__file__).with_suffix(".txt")
SOURCE = re.compile(r"\.(cpp|h|md|py|sh|qss|cmake)$|(^|/)CMakeLists\.txt$|^packaging/[a-z_-]+$|^\.ci/run$")
# Pages of resources/manual/reference repeat texts of the program, which are checked in its sources.
LEFT_OUT = re.compile(r"^tests/(golden|check)/|(^|/)LICENSE$|^packaging/plain_english|^resources/manual/reference/")
STRING = re.compile(r'"((?:[^"\\]|\\.)*)"')
COMMENT = re.compile(r"(?<![:\"'])(//|#(?!include|pragma|define|if|endif|else|!)\s).*$")


def read_rules():
    rules = []
    for line in RULES_FILE.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            name, pattern = line.split("\t", 1)
            rules.append((name.lstrip("="), re.compile(pattern, 0 if name.startswith("=") else re.I)))
    return rules


def words_of(path, line):
    """The part of a line that people read: its comment and string literals with a space; all of it in Markdown."""
    if path.endswith(".md") or line.lstrip().startswith("*"):
        return line
    parts = []
    if comment := COMMENT.search(line):
        parts.append(comment.group(0))
        line = line[: comment.start()]
    parts += [text for text in STRING.findall(line) if " " in text]
    return "\n".join(parts)


def git(*arguments):
    return subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, errors="replace", check=True).stdout


def added_lines(base, paths):
    path, number = None, 0
    for line in git("diff", "--unified=0", "--no-color", base, "--", *paths).splitlines():
        if line.startswith("+++ "):
            path = line[6:] if line.startswith("+++ b/") else None
        elif line.startswith("@@"):
            number = int(re.search(r"\+(\d+)", line).group(1))
        elif line.startswith("+") and path:
            yield path, number, line[1:]
            number += 1


def all_lines(paths):
    for path in git("ls-files", "--", *paths).splitlines():
        if SOURCE.search(path) and (ROOT / path).is_file():
            text = (ROOT / path).read_text(encoding="utf-8", errors="replace")
            yield from ((path, number, line) for number, line in enumerate(text.splitlines(), 1))


def find(lines):
    rules = read_rules()
    for path, number, line in lines:
        if not SOURCE.search(path) or LEFT_OUT.search(path):
            continue
        words = words_of(path, line)
        broken = [name for name, rule in rules if rule.search(words)] if words.strip() else []
        if broken:
            yield path, number, broken, line.strip()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="*")
    parser.add_argument("--base")
    parser.add_argument("--count", action="store_true")
    options = parser.parse_args()
    found = list(find(added_lines(options.base, options.paths) if options.base else all_lines(options.paths)))
    if options.count:
        print(len(found))
        return 0
    for path, number, broken, line in found:
        print(f"{path}:{number}: [{', '.join(broken)}] {line[:150]}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
