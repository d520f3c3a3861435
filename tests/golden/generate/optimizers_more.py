# SPDX-License-Identifier: GPL-3.0-or-later
"""More of optimizers.py: larger tensors, other options, and optimizers of other packages (lion-pytorch 0.2.5, schedulefree 1.4.1).

    python optimizers_more.py [--out DIR] [--only WORD]

Of schedule-free optimizers <case>.safetensors also has average.<i>: the parameters behind eval() at the end.
"""
import optimizers as base
import torch
from lion_pytorch import Lion
from schedulefree import AdamWScheduleFree, SGDScheduleFree

O = base.O
for extra in (Lion, AdamWScheduleFree, SGDScheduleFree):
    setattr(torch.optim, extra.__name__, extra)

DEFAULT = dict(seed=77, steps=12, shapes=[[33, 17], [40], [5, 4, 3], [130, 3]], cases=[
    O("sgd_all", "SGD", lr=0.03, momentum=0.95, dampening=0.0, weight_decay=0.2, nesterov=True, maximize=True),
    O("adam_decoupled", "Adam", lr=0.01, weight_decay=0.3, decoupled_weight_decay=True),
    O("adamw_amsgrad", "AdamW", lr=0.02, amsgrad=True, betas=[0.5, 0.7]),
    O("adamax_more", "Adamax", lr=0.03, betas=[0.7, 0.9], eps=1e-4),
    O("asgd_more", "ASGD", lr=0.05, lambd=0.01, alpha=0.5, t0=3.0, weight_decay=0.1),
    O("rprop_more", "Rprop", lr=0.02, etas=[0.4, 1.5], step_sizes=[1e-4, 0.1]),
    O("nadam_more", "NAdam", lr=0.02, weight_decay=0.1, momentum_decay=0.05),
    O("radam_more", "RAdam", lr=0.05, betas=[0.8, 0.9], weight_decay=0.1),
    O("rmsprop_momentum", "RMSprop", lr=0.01, momentum=0.5),
    O("adafactor_eps", "Adafactor", lr=0.1, eps=[1e-4, 0.01], d=2.0, maximize=True),
    O("muon_steps", "Muon", lr=0.05, ns_steps=3, weight_decay=0.0, momentum=0.6),
    O("lion", "Lion", lr=0.003), O("lion_decay", "Lion", lr=0.01, betas=[0.8, 0.9], weight_decay=0.3),
    O("schedule_free_adamw", "AdamWScheduleFree", lr=0.02, foreach=False),
    O("schedule_free_adamw_warm", "AdamWScheduleFree", lr=0.02, warmup_steps=5, r=1.0, weight_lr_power=1.0, weight_decay=0.1, betas=[0.8, 0.95], foreach=False),
    O("schedule_free_sgd", "SGDScheduleFree", lr=0.1, momentum=0.8, weight_decay=0.05, warmup_steps=3, foreach=False),
    dict(O("lion_groups_schedule", "Lion", lr=0.01), groups=[dict(weight_decay=0.2), dict(weight_decay=0.0, lr=0.003)], cosine=True),
    dict(O("sgd_bfloat16", "SGD", lr=0.1, momentum=0.9), dtype="bfloat16"),
    dict(O("lbfgs_history", "LBFGS", lr=0.7, max_iter=3, history_size=2), function="rosenbrock", dtype="float64", start=[0.3, -0.4, 1.2]),
])


def run(case, given, spec, dtype):
    if case.get("function"):
        return base.run_function(case, spec, dtype)
    chosen = [i for i, s in enumerate(spec["shapes"]) if len(s) == 2 or case["optimizer"] != "Muon"]
    params = [given[f"start.{i}"].to(dtype).clone().requires_grad_() for i in chosen]
    options = {k: tuple(v) if isinstance(v, list) else v for k, v in case["options"].items()}
    groups = [dict(params=params)]
    if case.get("groups"):
        groups = [dict(g, params=params[k::len(case["groups"])]) for k, g in enumerate(case["groups"])]
    optimizer = getattr(torch.optim, case["optimizer"])(groups, **options)
    if hasattr(optimizer, "train"):
        optimizer.train()
    bases, path, rates = [g["lr"] for g in optimizer.param_groups], [[] for _ in params], []
    for step in range(spec["steps"]):
        for group, lr in zip(optimizer.param_groups, bases):
            group["lr"] = base.rate(case, lr, step, spec["steps"])
        rates.append([g["lr"] for g in optimizer.param_groups])
        for p, i in zip(params, chosen):
            p.grad = given[f"gradient.{i}"][step].to(dtype).clone()
        optimizer.step()
        for p, track in zip(params, path):
            track.append(p.detach().clone())
    out = {f"parameter.{i}": torch.stack(t) for i, t in zip(chosen, path)}
    for p, i in zip(params, chosen):
        for key, value in optimizer.state[p].items():
            if value is not None:
                out[f"state.{i}.{key}"] = torch.as_tensor(value).detach().clone()
    if hasattr(optimizer, "train"):
        optimizer.eval()
        out.update({f"average.{i}": p.detach().clone() for p, i in zip(params, chosen)})
    return out, rates


if __name__ == "__main__":
    base.main("optimizers_more", DEFAULT, run)
