#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The workflows of .github call scripts, presets and test labels that exist."""

import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def problems(root):
    presets = {preset["name"] for preset in json.loads((root / "CMakePresets.json").read_text())["configurePresets"]}
    labels = set()
    for path in (root / "tests").glob("*/CMakeLists.txt"):
        for words in re.findall(r"\bLABELS\s+((?:[a-z0-9_]+\s+)*[a-z0-9_]+)", path.read_text()):
            labels.update(words.split())
    workflows = sorted((root / ".github/workflows").glob("*.yml"))
    called = 0
    for path in workflows:
        text = path.read_text()
        for number, line in enumerate(text.splitlines(), 1):
            for script in re.findall(r"(?<![\w/])((?:packaging|\.ci)/[a-z_]+)(?![\w/.*])", line.split(" #")[0]):
                called += 1
                if not (root / script).is_file() or not (root / script).stat().st_mode & 0o100:
                    yield f"{path.name}:{number}: {script} is not a script of the repository"
            for preset in re.findall(r"--preset (\w+)", line):
                if preset not in presets:
                    yield f"{path.name}:{number}: CMakePresets.json has no preset {preset}"
            for label in re.findall(r"-L (\w+)", line):
                if label not in labels:
                    yield f"{path.name}:{number}: no test has the label {label}"
        if "\t" in text:
            yield f"{path.name}: YAML is not indented by tabs"
    if called < 8:
        yield f".github/workflows call {called} scripts, and 8 or more are expected"


found = list(problems(ROOT))
print("\n".join(found) or "every script, preset and label exists")
sys.exit(1 if found else 0)
