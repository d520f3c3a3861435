# SPDX-License-Identifier: GPL-3.0-or-later
"""Every settings file Trainyard saves, read by Accelerate itself.

    python accepted_by_accelerate.py path/to/trainyard

Needs Python with accelerate installed. Saves one file for each recorded walk through the questionnaire (tests/golden/questionnaire.json),
brings every file of tests/golden/config_load.json up to date, converts those with FSDP 1 to FSDP 2, writes the default one and every
template, as YAML and as JSON, and hands each to load_config_from_file. What Accelerate then holds must be what Trainyard says it wrote. Prints how many were
accepted, known (Accelerate cannot read its own SageMaker files of type 'NO' either), refused by Trainyard (nothing was saved; --refused
lists them), failed and wrong; exit code 1 when there are any of the last two.
"""
import datetime
import json
import math
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import yaml
from accelerate.commands.config.config_args import SageMakerConfig, load_config_from_file

GOLDEN = Path(__file__).resolve().parents[2] / "golden"
# What Trainyard detects on the machine this runs on must not change the walk.
ENTER = {"env": "LOCAL_MACHINE", "machine_type": "NO", "use_cpu": "no", "num_processes": "1"}
# Not questions of ours: see the rules of tests/settings/questionnaire_golden.cpp.
NOT_ASKED = {"sm_key", "sm_secret", "tpu_cmd_more"}


def trainyard(*words, lines=""):
    return subprocess.run([PROGRAM, *map(str, words)], input=lines, capture_output=True, text=True)


def walks():
    """-> name and the lines that answer the questionnaire."""
    for case in json.loads((GOLDEN / "questionnaire.json").read_text())["cases"]:
        if case["input"].get("machine", {}).get("device") == "mps" or "saved" not in case["expected"]:
            continue
        answers, lines, commands = case["input"]["answers"], [], False
        for question in case["expected"]["asked"]:
            if question in NOT_ASKED or (question == "tpu_cmd" and commands):
                continue
            commands = commands or question == "tpu_cmd"
            lines.append(answers.get(question, ENTER.get(question, "")) + ("\n" if question == "tpu_cmd" else ""))
        yield case["id"], "\n".join(lines) + "\n"


def plain(value):
    if isinstance(value, dict):
        return {k: plain(v) for k, v in value.items()}
    if isinstance(value, (datetime.date, datetime.datetime)) or (isinstance(value, float) and not math.isfinite(value)):
        return str(value)
    return [plain(v) for v in value] if isinstance(value, list) else value


def held_by_accelerate(file):
    """-> its configuration, and whether its own defect with SageMaker files had to be avoided."""
    try:
        return load_config_from_file(str(file)), False
    except ValueError as e:
        # Into a SageMaker file of type 'NO' it puts num_processes itself and then refuses it as unknown.
        held = yaml.safe_load(file.read_text())
        if held.get("compute_environment") != "AMAZON_SAGEMAKER" or "num_processes" not in str(e) or "num_processes" in held:
            raise
        return SageMakerConfig(**{"mixed_precision": None, "use_cpu": False, "debug": False, **held}), True


def judge(file, wrote):
    """-> accepted, known or wrong, and why."""
    try:
        config, known = held_by_accelerate(file)
    except Exception as e:
        return "wrong", f"{type(e).__name__}: {e}"
    held = plain(config.to_dict())
    different = {k: (v, held.get(k)) for k, v in wrote.items() if held.get(k) != v}
    return ("wrong", f"differs: {different}") if different else ("known" if known else "accepted", "")


def main():
    results = []
    with tempfile.TemporaryDirectory() as folder:
        os.environ.update(HF_HOME=folder, HOME=folder)
        made = []
        for ending in ("yaml", "json"):
            for name, lines in walks():
                file = Path(folder, f"walk-{name}.{ending}")
                done = trainyard("config", "--config_file", file, "--force", "--json", lines=lines)
                made.append((f"{name}.{ending}", file, done))
            for preset in json.loads(trainyard("config", "default", "--list", "--json").stdout):
                file = Path(folder, f"preset-{preset['id']}.{ending}")
                made.append((file.name, file, trainyard("config", "default", "--preset", preset["id"], "--config_file", file, "--json")))
            file = Path(folder, f"default.{ending}")
            made.append((file.name, file, trainyard("config", "default", "--config_file", file, "--json")))
        for case in json.loads((GOLDEN / "config_load.json").read_text())["cases"]:
            if case["input"]["text"] is None:
                continue
            file = Path(folder, f"load-{case['id']}-" + case["input"].get("file", "config.yaml"))
            file.write_text(case["input"]["text"], encoding="utf-8")
            done = trainyard("config", "update", file, "--json")
            made.append((f"update {case['id']}", file, done))
            if done.returncode == 0 and "fsdp_config" in done.stdout:
                two = file.with_name("two-" + file.name)
                made.append((f"to-fsdp2 {case['id']}", two, trainyard("to-fsdp2", "--config_file", file, "--output_file", two, "--json")))
        for name, file, done in made:
            if done.returncode == 2:
                results.append((name, "refused", done.stderr.strip().splitlines()[-1]))  # nothing was saved
            elif done.returncode != 0:
                results.append((name, "failed", done.stderr))
            else:
                results.append((name, *judge(file, json.loads(done.stdout)["settings"])))
    for kind in ("accepted", "known", "refused", "failed", "wrong"):
        print(f"{kind}: {sum(1 for r in results if r[1] == kind)}")
    bad = [r for r in results if r[1] in ("failed", "wrong")]
    for name, kind, why in bad:
        print(f"{name}: {why}")
    if "--refused" in sys.argv:
        for name, kind, why in results:
            if kind == "refused":
                print(f"refused {name}: {why}")
    return 1 if bad or not any(r[1] == "accepted" for r in results) else 0


if __name__ == "__main__":
    PROGRAM = os.path.abspath(sys.argv[1])
    sys.exit(main())
