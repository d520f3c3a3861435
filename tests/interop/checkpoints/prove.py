# SPDX-License-Identifier: GPL-3.0-or-later
"""Checkpoints between Trainyard and the real Accelerate, both ways. Not part of the tests: needs a Python with accelerate and transformers.

    python prove.py BUILD_FOLDER [--seeds 301 302]

1. Accelerate trains and saves new cases (tests/golden/generate/checkpoints.py with other seeds, sizes and options).
2. Our test program resumes them (same losses, same random numbers) and saves each again: golden.checkpoints.
3. Accelerate's load_state resumes what we wrote, and goes on with the same losses, learning rates and random numbers of torch, Python
   and NumPy; several ranks under torchrun.
"""
import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
GENERATOR = HERE.parents[1] / "golden" / "generate" / "checkpoints.py"
NET = dict(vocab_size=48, n_positions=12, n_embd=24, n_layer=2, n_head=3)


def cases(seed):
    return [
        dict(name=f"single_{seed}", kind="state", seed=seed, net=NET, lr=2e-3, before=5, scaler=256.0, custom=True),
        dict(name=f"bin_{seed}", kind="state", seed=seed + 1, net=NET, lr=1e-3, before=2, safe=False, optimizer="SGD"),
        dict(name=f"ddp_{seed}", kind="state", ranks=2, seed=seed + 2, net=NET, lr=1e-3, before=4, port=29691),
    ]


def run(command, **more):
    print("$", " ".join(map(str, command))[:160], flush=True)
    subprocess.run(command, check=True, **more)


def main():
    options = argparse.ArgumentParser()
    options.add_argument("build", type=pathlib.Path)
    options.add_argument("--seeds", type=int, nargs="+", default=[301])
    options = options.parse_args()
    everything = [case for seed in options.seeds for case in cases(seed)]
    here = dict(os.environ, HF_HUB_OFFLINE="1", ACCELERATE_USE_CPU="1", OMP_NUM_THREADS="1", PYTHONWARNINGS="ignore")
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        theirs, ours = folder / "checkpoints", folder / "ours"
        (folder / "spec.json").write_text(json.dumps(everything))
        theirs.mkdir()
        run([sys.executable, GENERATOR, "--out", theirs, "--spec", folder / "spec.json"], env=here)
        program = options.build / "tests" / "test_checkpoint"
        run([program, "--files=checkpoint/golden_resume.cpp"], env=dict(here, TRAINYARD_GOLDEN=str(folder), TRAINYARD_INTEROP_OUT=str(ours)))
        for case in everything:
            place = folder / "resumed" / case["name"]
            shutil.copytree(theirs / case["name"], place)
            shutil.rmtree(place / "ckpt")
            shutil.copytree(ours / case["name"], place / "ckpt")
            start = [sys.executable]
            if case.get("ranks", 1) > 1:
                start += ["-m", "torch.distributed.run", "--nproc_per_node", str(case["ranks"]), "--master_port",
                          str(case["port"] + 1), "--monitor_interval", "0.2"]
            run(start + [GENERATOR, "--worker", json.dumps(dict(case, resume=True)), place], env=here)
            print(f"{case['name']}: Accelerate continues from our folder as from its own", flush=True)


main()
