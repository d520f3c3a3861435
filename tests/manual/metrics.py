#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Every tag that a run writes is in resources/manual/reference/metrics.md.

metrics.py --bin FOLDER
"""

import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
TAG = re.compile(rb"(?:train|eval|phase|rank|system|machine|weights|gradients)/[A-Za-z0-9_.]+")
EXPECTED = {
    "train/loss",
    "eval/loss",
    "eval/loss_average",
    "phase/forward",
    "rank/own_time_s",
    "system/resident_bytes",
    "machine/cpu_percent",
    "weights/lm_head.weight",
    "train/loss_scale",
}


def documented():
    rows = re.findall(
        r"^\| `([^`]+)` \|", (ROOT / "resources/manual/reference/metrics.md").read_text(encoding="utf-8"), re.M
    )
    return [re.compile(re.escape(row).replace(re.escape("<name>"), "[A-Za-z0-9_.]+") + "$") for row in rows]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", required=True, type=pathlib.Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        run = pathlib.Path(folder) / "run"
        environment = {
            name: value for name, value in os.environ.items() if not name.startswith(("TRAINYARD_", "ACCELERATE_"))
        }
        environment.update(HOME=folder, TRAINYARD_RUNS=folder)
        done = subprocess.run(
            [
                options.bin / "trainyard",
                "launch",
                "--cpu",
                "--num_processes",
                "2",
                "--main_process_port",
                "0",
                "--run_dir",
                run,
                ROOT / "resources/samples/sample.yaml",
                *(
                    word
                    for value in (
                        "training.steps=25",
                        "schedule.warmup_steps=2",
                        "training.evaluate_every=10",
                        "training.evaluate_batches=2",
                        "training.ema_decay=0.9",
                        "training.mixed_precision=fp16",
                        "logging.histograms_every=10",
                        "health.divergence_every=10",
                        "model.tie_word_embeddings=false",
                    )
                    for word in ("--set", value)
                ),
            ],
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=600,
            check=False,
        )
        if done.returncode != 0:
            print(done.stdout[-2000:], done.stderr[-2000:], sep="\n")
            return 1
        tags = {
            tag.decode()
            for path in (run / "metrics").rglob("*")
            if path.is_file()
            for tag in TAG.findall(path.read_bytes())
        }
    patterns = documented()
    unknown = sorted(tag for tag in tags if not any(pattern.match(tag) for pattern in patterns))
    missing = sorted(EXPECTED - tags)
    print(
        f"{len(tags)} tags, {len(patterns)} rows",
        *(f"not in metrics.md: {tag}" for tag in unknown),
        *(f"the run did not write {tag}" for tag in missing),
        sep="\n",
    )
    return 1 if unknown or missing else 0


if __name__ == "__main__":
    sys.exit(main())
