# SPDX-License-Identifier: GPL-3.0-or-later
"""What dvclive 3.49.1 writes when Accelerate's DVCLiveTracker drives it: folders with a script of the calls. File names
that are not ASCII are kept percent-encoded.

    python dvclive_files.py [OUT]        (a Python with dvclive; no repository is needed)
"""
import json
import pathlib
import shutil
import sys
import urllib.parse

from dvclive import Live

CASES = {
    "usual": {
        "params": {"lr": 0.001, "layers": 2, "name": "small", "amsgrad": False, "warmup": None, "eps": 1e-08, "whole": 1.0,
                   "betas": [0.9, 0.999], "nested": {"z": 1, "a": {"deep": "x"}}, "empty": "", "none": {}, "list": [],
                   "pairs": [{"name": "a", "rate": 0.1}, {"name": "b", "rate": 1e-06}], "matrix": [[1, 2], [3, 4]]},
        "log": [[0, {"train/loss": 2.5, "acc": 0}], [1, {"train/loss": 0.1, "acc": 1, "lr": 1e-05}],
                [5, {"train/loss": 1 / 3, "eval/a/b": 1e22}], [None, {"train/loss": 0.25}], [None, {"acc": 7}]]},
    "words": {
        "params": {"a": "yes", "b": "true", "c": "12", "d": "1e5", "e": "a: b", "f": "# no", "g": "it's", "h": "null", "i": "- x", "j": " lead",
                   "k": "trail ", "l": "2024-01-02", "m": "~", "n": "a #b", "o": "x:", "p": "é", "q": "0x1F", "r": "[a]", "s": "*", "t": "a'b",
                   "u": "1.5", "v": ".5", "w": "+3", "x": "No", "y": "off", "z": "1_000", "path": "/data/x y", "mail": "@x", "pct": "50%",
                   "long": "word " * 30 + "end", "quoted: long": "it: " * 40 + "end", "3": "three", "true": "key"},
        "log": [[0, {"note": "good", "tab": "a\tb", "quote": 'say "x"', "flag": True, "nan": float("nan"), "inf": float("-inf"), "big": 10**15}],
                [1, {"note": "", "flag": False, "small": -1.5e-300, "é": 1}]]},
    "silent": {"params": {"only": 1}, "log": []},
    "no_params": {"params": None, "log": [[3, {"x": 1.0}]]},
}


def main():
    out = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parent.parent / "dvclive")
    shutil.rmtree(out, ignore_errors=True)
    for name, case in CASES.items():
        live = Live(dir=str(out / name / "files"), save_dvc_exp=False, dvcyaml=None)
        if case["params"] is not None:
            live.log_params(case["params"])
        for step, values in case["log"]:  # accelerate/tracking.py, DVCLiveTracker.log
            if step is not None:
                live.step = step
            for key, value in values.items():
                live.log_metric(key, value)
            live.next_step()
        live.end()

        for file in sorted((out / name / "files").rglob("*")):  # names in ASCII, for every file system and tool
            if file.is_file() and not file.name.isascii():
                file.rename(file.with_name(urllib.parse.quote(file.name)))

        def plain(value):
            return str(value) if isinstance(value, float) and value - value != 0 else value

        log = [[step, {k: plain(v) for k, v in values.items()}] for step, values in case["log"]]
        (out / name / "calls.json").write_text(json.dumps({"params": case["params"], "log": log}, indent=1, ensure_ascii=False) + "\n")


main()
