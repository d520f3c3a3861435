# SPDX-License-Identifier: GPL-3.0-or-later
"""State dictionaries of schedules, and the rates of a run that goes on from them; joined schedules.

    python schedule_states.py [--out FILE] [--check N] [--inputs FILE]

Input as in schedules.json, with `at`: steps before the state is taken. `joined`: "SequentialLR" (with `milestones`) or "ChainedScheduler" over
`parts`, inputs themselves. Expected: `lrs` of all moments, `momenta` when they turn, `state` after `at` steps.
"""
import warnings

import torch
from torch.optim import lr_scheduler

import common
import schedules


def make(c, optimizer):
    if "joined" not in c:
        return schedules.make_schedule(c, optimizer)
    parts = [schedules.make_schedule(p, optimizer) for p in c["parts"]]
    if c["joined"] == "SequentialLR":
        return lr_scheduler.SequentialLR(optimizer, parts, c["milestones"])
    return lr_scheduler.ChainedScheduler(parts)


def expected(c):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        optimizer = schedules.make_optimizer(c)
        schedule = make(c, optimizer)
        lrs, momenta, state = [schedules.now(optimizer)], [schedules.momentum(optimizer)], None
        for i in range(c["steps"]):
            if i == c["at"]:
                state = common.plain(schedule.state_dict())
            optimizer.step()
            schedule.step(*([c["metrics"][i]] if "metrics" in c else []))
            lrs.append(schedules.now(optimizer))
            momenta.append(schedules.momentum(optimizer))
    return {"lrs": lrs, "state": state} | ({"momenta": momenta} if len(set(momenta)) > 1 else {})


def inputs():
    hf, pt, metrics = schedules.hf, schedules.pt, schedules.PLATEAU
    plain = {
        "linear": hf("linear", 3, 12, 14), "constant": hf("constant", None, None, 4),
        "wsd-two-groups": hf("warmup_stable_decay", 2, 12, 14, lr=[1e-3, 1e-4], num_decay_steps=4),
        "plateau": hf("reduce_lr_on_plateau", steps=17, lr=0.1, patience=1, factor=0.5, cooldown=1) | {"metrics": metrics},
        "plateau-list": pt("ReduceLROnPlateau", 17, lr=[0.1, 0.2], patience=1, min_lr=[0.05, 0.1]) | {"metrics": metrics},
        "greedy": hf("greedy", steps=17, lr=0.1, patience=0, factor=0.5) | {"metrics": metrics},
        "greedy-smooth": hf("greedy", steps=17, lr=0.1, patience=1, factor=0.8, smooth=True, window_size=3, cooldown=1) | {"metrics": metrics},
        "step": pt("StepLR", 10, step_size=3), "multi-step": pt("MultiStepLR", 10, milestones=[3, 3, 8]),
        "constant-lr": pt("ConstantLR", 8, factor=0.5, total_iters=6), "linear-lr": pt("LinearLR", 8),
        "exponential": pt("ExponentialLR", 8, gamma=0.9), "polynomial-lr": pt("PolynomialLR", 8, power=2.0),
        "cosine-annealing": pt("CosineAnnealingLR", 14, T_max=5, eta_min=0.001),
        "warm-restarts": pt("CosineAnnealingWarmRestarts", 16, T_0=3, T_mult=2, eta_min=0.01),
        "cyclic": pt("CyclicLR", 14, momentum=0.9, base_lr=0.01, max_lr=0.1, step_size_up=3, step_size_down=4, mode="exp_range", gamma=0.9),
        "cyclic-no-momentum": pt("CyclicLR", 14, base_lr=0.01, max_lr=0.1, step_size_up=3, cycle_momentum=False),
        "one-cycle": pt("OneCycleLR", 10, momentum=0.9, max_lr=0.1, total_steps=10),
        "one-cycle-adam": pt("OneCycleLR", 12, optimizer="adam", max_lr=0.1, total_steps=12, three_phase=True),
    }
    parts = [pt("LinearLR", total_iters=3), pt("ExponentialLR", gamma=0.9), pt("CosineAnnealingLR", T_max=4)]

    def joined(kind, parts, steps, **more):
        return {"joined": kind, "parts": parts, "lr": 0.1, "optimizer": "sgd", "momentum": 0.0, "steps": steps, **more}

    plain["sequential"] = joined("SequentialLR", parts, 14, milestones=[4, 8])
    plain["sequential-warm"] = joined("SequentialLR", [pt("ConstantLR", factor=0.1), pt("CosineAnnealingWarmRestarts", T_0=3)], 14, milestones=[4])
    plain["sequential-lambda"] = joined("SequentialLR", [pt("StepLR", step_size=2), hf("linear", 0, 8)], 12, milestones=[5])
    plain["sequential-polynomial"] = joined("SequentialLR", [pt("PolynomialLR", total_iters=4, power=2.0), pt("MultiStepLR", milestones=[2, 4])], 12, milestones=[3])
    plain["chained"] = joined("ChainedScheduler", [pt("ConstantLR", factor=0.1, total_iters=3), pt("ExponentialLR", gamma=0.9)], 8)
    plain["chained-three"] = joined("ChainedScheduler", [pt("LinearLR", total_iters=4), pt("StepLR", step_size=2), pt("MultiStepLR", milestones=[5])], 9)
    return [(f"{name}-at-{at}", {**c, "at": at}) for name, c in plain.items() for at in (0, 2, c["steps"] - 3)]


if __name__ == "__main__":
    common.main("schedule_states", inputs, expected)
