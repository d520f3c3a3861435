# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes sweeps.json with Optuna 5.0: at which step its MedianPruner ends trials, and how good its TPESampler is.

    python sweeps.py OUT.json
"""

import json
import math
import random
import statistics
import sys

import optuna

optuna.logging.set_verbosity(optuna.logging.ERROR)
TRIALS, SEEDS = 60, 15


def pruning(seed, direction, startup, warmup):
    """Trials of random curves, the earlier ones complete, and the first step at which the last one is pruned."""
    draws = random.Random(seed)
    pruner = optuna.pruners.MedianPruner(n_startup_trials=startup, n_warmup_steps=warmup)
    study = optuna.create_study(direction=direction, pruner=pruner)
    curves = []
    for _ in range(draws.randint(1, 9)):
        level, steps = draws.uniform(0, 2), draws.randint(3, 8)
        curve = [[10 * (i + 1), level + draws.gauss(0, 0.5)] for i in range(steps)]
        if draws.random() < 0.2:
            curve[draws.randrange(steps)][1] = math.nan
        curves.append(curve)
    for curve in curves[:-1]:
        trial = study.ask()
        for step, value in curve:
            trial.report(value, step)
        study.tell(trial, [value for _, value in curve if not math.isnan(value)][-1])
    trial = study.ask()
    stopped = None
    for step, value in curves[-1]:
        trial.report(value, step)
        if trial.should_prune():
            stopped = step
            break
    texts = [[[step, "nan" if math.isnan(value) else value] for step, value in curve] for curve in curves]
    return {"direction": direction, "startup_trials": startup, "warmup_steps": warmup, "others": texts[:-1],
            "trial": texts[-1], "stopped": stopped}


def rate(trial):
    """Like a learning rate and a batch size: best at 3e-3 and 32."""
    lr = trial.suggest_float("lr", 1e-6, 1.0, log=True)
    batch = trial.suggest_categorical("batch", [8, 16, 32, 64])
    return (math.log10(lr) - math.log10(3e-3)) ** 2 + {8: 0.6, 16: 0.2, 32: 0.0, 64: 0.4}[batch]


def bowl(trial):
    return sum((trial.suggest_float(f"x{i}", -5, 5) - 1.5 * i) ** 2 for i in range(3))


def layers(trial):
    depth, width = trial.suggest_int("depth", 1, 24), trial.suggest_int("width", 32, 512, step=32)
    return abs(depth - 9) / 4 + abs(math.log2(width / 192)) + 0.1 * math.sin(depth)


def best_values(function, sampler):
    bests = []
    for seed in range(SEEDS):
        study = optuna.create_study(sampler=sampler(seed))
        study.optimize(function, n_trials=TRIALS)
        bests.append(study.best_value)
    return statistics.median(bests)


if __name__ == "__main__":
    cases = [pruning(seed, direction, startup, warmup) for seed in range(15) for direction in ("minimize", "maximize")
             for startup, warmup in ((1, 0), (3, 20))]
    searches = {function.__name__: {"tpe": best_values(function, lambda seed: optuna.samplers.TPESampler(seed=seed)),
                                    "random": best_values(function, lambda seed: optuna.samplers.RandomSampler(seed=seed))}
                for function in (rate, bowl, layers)}
    head = {"schema": "sweeps/1", "optuna": optuna.__version__, "trials": TRIALS, "seeds": SEEDS, "searches": searches}
    with open(sys.argv[1], "w", encoding="utf-8") as file:
        file.write(json.dumps(head)[:-1] + ', "pruning": [\n')
        file.write(",\n".join(json.dumps(case) for case in cases) + "]}\n")
