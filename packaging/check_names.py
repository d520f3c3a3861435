#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Finds names of unnamed namespaces, and macros of .cpp files, that two files of one target define. A unity build compiles several files as
one, so such a name is an error there or, worse, silently selects another overload. Called by packaging/check; needs universal-ctags.

  check_names.py COMPILE_COMMANDS

Prints one line per name; exits with 1 if there is one. Identical aliases (using, typedef) are allowed.
"""
import collections
import json
import pathlib
import subprocess
import sys

KINDS = {"function", "variable", "struct", "class", "enum", "typedef", "union", "enumerator", "alias"}


def files_by_target(database):
    targets = collections.defaultdict(set)
    for entry in json.loads(pathlib.Path(database).read_text()):
        words = entry["command"].split()
        output = words[words.index("-o") + 1]
        target = output.split("CMakeFiles/")[-1].split(".dir/")[0]
        if entry["file"].endswith(".cpp") and "/build/" not in entry["file"] and not target.startswith(("test_", "bench_")):
            targets[target].add(entry["file"])
    return targets


def names_of(files):
    text = subprocess.run(["ctags", "--output-format=json", "--fields=+nSst", "--kinds-c++=fvdstegucn", "--language-force=C++", "-o", "-",
                           *sorted(files)], capture_output=True, text=True, check=True).stdout
    names = collections.defaultdict(set)
    for line in text.splitlines():
        tag = json.loads(line)
        scope = tag.get("scope", "").split("::")[-1]
        unnamed = tag.get("scopeKind") == "namespace" and scope.startswith("__anon") and tag["kind"] in KINDS
        if tag["kind"] == "macro" or unnamed:
            same = tag["pattern"].strip() if tag["kind"] in ("typedef", "alias") else None
            names[tag["name"]].add((tag["path"], same))
    return names


def main():
    found = 0
    for target, files in sorted(files_by_target(sys.argv[1]).items()):
        if len(files) < 2:
            continue
        for name, places in sorted(names_of(files).items()):
            aliases = {same for _, same in places}
            paths = sorted({path for path, _ in places})
            if len(paths) > 1 and (None in aliases or len(aliases) > 1):
                print(f"{target}: {name} is in {', '.join(paths)}")
                found += 1
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
