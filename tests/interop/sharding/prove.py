# SPDX-License-Identifier: GPL-3.0-or-later
"""Fully sharded training beside torch's: the same GPT-2 under torch's FSDP 2 and FSDP 1 and under zero_stage 3, on two
ranks of the processor, from the same weights on the same batches. packaging/interop sharding; needs a Python with
tests/bench/peer/requirements.txt.

    python prove.py BUILD_FOLDER [--rounds 3] [--cases small large]

1. 20 losses of a small model agree to 1e-4 with both.
2. At 10.8 M parameters, alternating: losses as above, peak resident memory of a rank at most 0.5 of theirs, and at
   least 1.5 times their tokens per second. Medians over the rounds.
3. Our checkpoint, as a folder of torch.distributed.checkpoint, has in torch the loss that our own next step has; theirs
   in ours.
Prints every figure, and exits with 1 if one misses its target.
"""
import argparse
import json
import os
import pathlib
import random
import statistics
import subprocess
import sys
import tempfile
import time

import torch
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator
from transformers import GPT2Config, GPT2LMHeadModel

HERE = pathlib.Path(__file__).resolve().parent
RANKS = 2
STEPS = 20
CASES = {
    "small": dict(n_embd=64, n_layer=3, n_head=4, block=64, batch=4, lr=1e-3),
    # At a rate of 1e-3 torch's two ways differ from each other by more than 1e-4 after 20 steps: rounding grows.
    "large": dict(n_embd=384, n_layer=6, n_head=6, block=256, batch=4, lr=3e-4),
}
COMMON = dict(betas=[0.9, 0.99], weight_decay=0.1, clip=1.0, steps=STEPS + 1, saved_at=STEPS, seed=7)
WAYS = ("fsdp2", "fsdp1")
LOSSES, MEMORY, SPEED = 1e-4, 0.5, 1.5
WARM_UP = 5


def text_of(size, seed):
    rng = random.Random(seed)
    words = ["".join(rng.choice("abcdefghijklmnopqrstuvwxyz") for _ in range(rng.randint(2, 8))) for _ in range(60)]
    out = []
    while sum(map(len, out)) + len(out) <= size:
        out.append(rng.choice(words) + (".\n" if rng.random() < 0.1 else ""))
    return " ".join(out).encode()[:size]


def write_case(folder, shape):
    spec = dict(COMMON, **shape)
    folder.mkdir()
    (folder / "spec.json").write_text(json.dumps(spec))
    (folder / "text").write_bytes(text_of(spec["steps"] * RANKS * spec["batch"] * spec["block"], spec["seed"]))
    torch.manual_seed(spec["seed"])
    config = GPT2Config(vocab_size=256, n_positions=spec["block"], n_embd=spec["n_embd"], n_layer=spec["n_layer"],
                        n_head=spec["n_head"], resid_pdrop=0, embd_pdrop=0, attn_pdrop=0, bos_token_id=None,
                        eos_token_id=None)
    model = GPT2LMHeadModel(config)
    with torch.no_grad():  # biases and norms start at 0 and 1, which would hide a mistake in them
        for parameter in model.parameters():
            if parameter.dim() == 1:
                parameter.add_(torch.randn_like(parameter) * 0.1)
    model.save_pretrained(folder / "weights")
    (folder / "recipe.yaml").write_text(f"""name: sharding
model:
  n_positions: {spec["block"]}
  n_embd: {spec["n_embd"]}
  n_layer: {spec["n_layer"]}
  n_head: {spec["n_head"]}
  weights: weights
data: {{path: text, sequence_length: {spec["block"]}, validation_fraction: 0, shuffle: false}}
optimizer:
  lr: {spec["lr"]}
  betas: {spec["betas"]}
  eps: 1e-8
  weight_decay: {spec["weight_decay"]}
  decay_all: true
schedule: {{name: constant, warmup_steps: 0}}
training: {{steps: {spec["steps"]}, batch_size: {spec["batch"]}, max_grad_norm: {spec["clip"]}}}
checkpoint: {{every: {spec["saved_at"]}}}
parallel: {{zero_stage: 3}}
""")
    return spec


def run(words):
    variables = dict(os.environ, OMP_NUM_THREADS="1", PYTHONWARNINGS="ignore")
    done = subprocess.run([str(word) for word in words], env=variables, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, words))}\n{done.stdout[-2000:]}\n{done.stderr[-4000:]}")
    return done.stdout


def peer(case, way, work, *more):
    out = work / f"{case.name}-{way}.json"
    run([sys.executable, "-m", "torch.distributed.run", "--nproc_per_node", RANKS, "--master_port", "29733",
         HERE / "peer.py", "--way", way, "--case", case, "--out", out, *more])
    result = json.loads(out.read_text())
    return {"losses": result["losses"], "memory": max(result["peak_resident_bytes"]),
            "seconds": statistics.median(result["seconds"][WARM_UP:] or result["seconds"])}


def high_water(pid):
    try:
        for line in pathlib.Path(f"/proc/{pid}/status").read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024
    except OSError:
        pass
    return 0


def ranks_of(run_dir):
    """Process numbers of the ranks, which the run's folder has while it runs."""
    try:
        return [rank["pid"] for rank in json.loads((run_dir / "state.json").read_text())["ranks"] if rank.get("pid")]
    except (OSError, ValueError, KeyError):
        return []


def ours(build, case, run_dir, *settings):
    words = [build / "bin" / "trainyard", "launch", "--cpu", "--num_processes", RANKS, "--run_dir", run_dir,
             "--num_cpu_threads_per_process", 1]
    for setting in settings:
        words += ["--set", setting]
    peaks = {}
    with tempfile.TemporaryFile() as log:
        launch = subprocess.Popen([str(word) for word in [*words, case / "recipe.yaml"]], stdout=log,
                                  stderr=subprocess.STDOUT)
        while launch.poll() is None:
            for worker in ranks_of(run_dir):
                peaks[worker] = max(peaks.get(worker, 0), high_water(worker))
            time.sleep(0.02)
        log.seek(0)
        if launch.returncode != 0:
            sys.exit(f"trainyard launch: {log.read().decode()[-4000:]}")
    events = EventAccumulator(str(run_dir / "metrics"))
    events.Reload()
    values = lambda name: [each.value for each in events.Scalars(name)]
    if len(peaks) != RANKS:
        sys.exit(f"{len(peaks)} ranks were seen instead of {RANKS}")
    return {"losses": values("train/loss"), "memory": max(peaks.values()),
            "seconds": statistics.median(values("train/step_time_s")[WARM_UP:] or values("train/step_time_s"))}


class Verdicts:
    def __init__(self):
        self.missed = 0

    def most(self, what, value, limit):
        self.judge(what, value, f"at most {limit:g}", value <= limit)

    def least(self, what, value, limit):
        self.judge(what, value, f"at least {limit:g}", value >= limit)

    def judge(self, what, value, target, met):
        self.missed += not met
        print(f"{what}: {value:.3g} ({target}){'' if met else '  MISSED'}", flush=True)


def difference(one, other):
    assert len(one) == len(other), (len(one), len(other))
    return max(abs(a - b) for a, b in zip(one, other))


def checkpoints(build, case, spec, work, run_dir, losses, verdicts):
    """Each side's weights after `saved_at` steps give the other the loss that the side itself had in its next step."""
    at = spec["saved_at"]
    folder = work / "ours_as_dcp"
    run([build / "bin" / "trainyard", "checkpoints", "convert", run_dir / "checkpoints" / f"checkpoint_{at}", folder,
         "--ranks", RANKS])
    for way in WAYS:
        loaded = peer(case, way, work, "--load", folder, "--at", at)
        verdicts.most(f"our checkpoint in {way}, loss of step {at + 1}", abs(loaded["losses"][0] - losses[at]), LOSSES)
        saved = work / f"saved_{way}"
        theirs = peer(case, way, work, "--save", saved)
        block = RANKS * spec["batch"] * spec["block"]
        (case / "text_after").write_bytes((case / "text").read_bytes()[at * block:])
        mine = ours(build, case, work / f"from_{way}", f"model.weights={saved / 'pytorch_model_fsdp_0'}",
                    f"data.path={case / 'text_after'}", "training.steps=1")
        verdicts.most(f"{way}'s checkpoint in ours, loss of step {at + 1}",
                      abs(mine["losses"][0] - theirs["losses"][at]), LOSSES)


def main():
    options = argparse.ArgumentParser()
    options.add_argument("build", type=pathlib.Path)
    options.add_argument("--rounds", type=int, default=3)
    options.add_argument("--cases", nargs="+", choices=CASES, default=list(CASES))
    options = options.parse_args()
    build, verdicts = options.build.resolve(), Verdicts()
    with tempfile.TemporaryDirectory() as work:
        work = pathlib.Path(work)
        for name in options.cases:
            case, shape = work / name, CASES[name]
            spec = write_case(case, shape)
            rounds = options.rounds if name == "large" else 1
            measured = {way: [] for way in ("ours", *WAYS)}
            for number in range(rounds):
                measured["ours"].append(ours(build, case, work / f"{name}-run-{number}"))
                for way in WAYS:
                    measured[way].append(peer(case, way, work))
            for way in WAYS:
                verdicts.most(f"{name}, {STEPS} losses beside {way}, largest difference",
                              difference(*[measured[one][0]["losses"][:STEPS] for one in ("ours", way)]), LOSSES)
            print(f"{name}, fsdp1 beside fsdp2, largest difference: "
                  f"{difference(*[measured[way][0]['losses'][:STEPS] for way in WAYS]):.3g}", flush=True)
            if name == "small":
                checkpoints(build, case, spec, work, work / f"{name}-run-0", measured["ours"][0]["losses"], verdicts)
                continue
            tokens = RANKS * spec["batch"] * spec["block"]
            middle = {way: {key: statistics.median(each[key] for each in all_rounds) for key in ("memory", "seconds")}
                      for way, all_rounds in measured.items()}
            for way, each in middle.items():
                print(f"{name}, {way}: {tokens / each['seconds']:.0f} tokens/s, peak resident "
                      f"{each['memory'] / 1e6:.0f} MB of a rank (n={rounds}, medians)", flush=True)
            for way in WAYS:
                verdicts.most(f"{name}, memory beside {way}", middle["ours"]["memory"] / middle[way]["memory"], MEMORY)
                verdicts.least(f"{name}, speed beside {way}", middle[way]["seconds"] / middle["ours"]["seconds"], SPEED)
    sys.exit(1 if verdicts.missed else 0)


main()
