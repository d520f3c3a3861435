# SPDX-License-Identifier: GPL-3.0-or-later
"""What the proofs beside torch have in common: a text, runs of both sides with losses, seconds and memory, verdicts."""
import json
import os
import pathlib
import random
import statistics
import subprocess
import sys
import tempfile
import time

from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

RANKS = 2
WARM_UP = 5


def text_of(size, seed):
    rng = random.Random(seed)
    words = ["".join(rng.choice("abcdefghijklmnopqrstuvwxyz") for _ in range(rng.randint(2, 8))) for _ in range(60)]
    out = []
    while sum(map(len, out)) + len(out) <= size:
        out.append(rng.choice(words) + (".\n" if rng.random() < 0.1 else ""))
    return " ".join(out).encode()[:size]


def run(words):
    variables = dict(os.environ, OMP_NUM_THREADS="1", PYTHONWARNINGS="ignore",
                     PATH=f"{pathlib.Path(sys.executable).parent}:{os.environ['PATH']}")
    done = subprocess.run([str(word) for word in words], env=variables, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, words))}\n{done.stdout[-2000:]}\n{done.stderr[-4000:]}")
    return done.stdout


TORCHRUN = (sys.executable, "-m", "torch.distributed.run", "--nproc_per_node", RANKS, "--master_port", "29733")


def peer(program, case, way, work, *more, launcher=TORCHRUN):
    """The losses of a program of torch that writes them to --out, on two ranks that `launcher` starts."""
    out = work / f"{case.name}-{way}.json"
    run([*launcher, program, "--way", way, "--case", case, "--out", out, *more])
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
