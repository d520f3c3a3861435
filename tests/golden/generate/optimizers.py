# SPDX-License-Identifier: GPL-3.0-or-later
"""Where torch's optimizers take a few small tensors in 20 steps of given gradients.

    python optimizers.py [--out DIR] [--spec SPEC.json] [--only WORD]

inputs.safetensors: start.<i> and gradient.<i> with the step as first dimension. <case>.safetensors: parameter.<i> after
each step and the state at the end. cases.json: class, options, learning rate by step, distance to the same run in fp64.
"""
import json

from artifact import arguments, write_json
import torch
from safetensors.torch import load_file, save_file

torch.set_num_threads(1)
O = lambda name, kind, **options: dict(name=name, optimizer=kind, options=options)
DEFAULT = dict(seed=31, steps=20, shapes=[[4, 3], [6], [2, 3, 2], [1, 5]], cases=[
    O("sgd", "SGD", lr=0.1), O("sgd_momentum", "SGD", lr=0.05, momentum=0.9, weight_decay=0.01),
    O("sgd_nesterov", "SGD", lr=0.05, momentum=0.9, nesterov=True), O("sgd_dampening", "SGD", lr=0.05, momentum=0.8, dampening=0.3),
    O("adam", "Adam", lr=0.01), O("adam_l2_amsgrad", "Adam", lr=0.02, weight_decay=0.1, amsgrad=True, betas=[0.8, 0.95]),
    O("adamw", "AdamW", lr=0.01, weight_decay=0.05), O("adamw_maximize_eps", "AdamW", lr=0.01, maximize=True, eps=1e-3),
    O("adagrad", "Adagrad", lr=0.1), O("adagrad_decay", "Adagrad", lr=0.1, lr_decay=0.05, weight_decay=0.01, initial_accumulator_value=0.2),
    O("rmsprop", "RMSprop", lr=0.01), O("rmsprop_centered_momentum", "RMSprop", lr=0.01, alpha=0.9, centered=True, momentum=0.7, weight_decay=0.01),
    O("adadelta", "Adadelta", lr=1.0), O("adadelta_rho", "Adadelta", lr=0.5, rho=0.8, weight_decay=0.02),
    O("nadam", "NAdam", lr=0.01), O("nadam_decoupled", "NAdam", lr=0.01, weight_decay=0.1, decoupled_weight_decay=True),
    O("radam", "RAdam", lr=0.02), O("radam_decoupled", "RAdam", lr=0.02, weight_decay=0.1, decoupled_weight_decay=True),
    O("adamax", "Adamax", lr=0.01, weight_decay=0.01), O("asgd", "ASGD", lr=0.05, t0=5.0), O("rprop", "Rprop", lr=0.01),
    O("adafactor", "Adafactor", lr=0.05), O("adafactor_decay", "Adafactor", lr=0.02, beta2_decay=-0.6, d=1.5, weight_decay=0.03),
    O("muon", "Muon", lr=0.02), O("muon_match_rms", "Muon", lr=0.02, weight_decay=0.1, momentum=0.8, nesterov=False, adjust_lr_fn="match_rms_adamw"),
    dict(O("adamw_two_groups_schedule", "AdamW", lr=0.01), groups=[dict(weight_decay=0.2), dict(weight_decay=0.0, lr=0.003)], cosine=True),
    dict(O("adamw_bfloat16", "AdamW", lr=0.02), dtype="bfloat16"),
    dict(O("sgd_momentum_float16", "SGD", lr=0.1, momentum=0.9), dtype="float16"),
    dict(O("adamw_float16", "AdamW", lr=0.02, eps=1e-4), dtype="float16"), dict(O("adagrad_float16", "Adagrad", lr=0.1, eps=1e-4), dtype="float16"),
    dict(O("lbfgs", "LBFGS", lr=0.5, max_iter=4, history_size=5), function="rosenbrock", dtype="float64", start=[-1.2, 1.0, 0.5, 1.3]),
    dict(O("lbfgs_strong_wolfe", "LBFGS", lr=1.0, max_iter=5, history_size=3, line_search_fn="strong_wolfe"), function="rosenbrock", dtype="float64", start=[-1.2, 1.0, 0.5, 1.3]),
])


def inputs(spec):
    g = torch.Generator().manual_seed(spec["seed"])
    out = {}
    for i, shape in enumerate(spec["shapes"]):
        out[f"start.{i}"] = torch.randn(shape, generator=g)
        grads = torch.randn([spec["steps"]] + shape, generator=g) * torch.logspace(1, -3, spec["steps"]).reshape([-1] + [1] * len(shape))
        grads[3].zero_()                                  # a step without any gradient
        grads[7].reshape(-1)[0] = 1e4                     # an outlier
        grads[11].reshape(-1)[-1] = 1e-30                 # next to nothing
        out[f"gradient.{i}"] = grads
    return out


def rosenbrock(x):
    return sum(100 * (x[i + 1] - x[i] ** 2) ** 2 + (1 - x[i]) ** 2 for i in range(len(x) - 1))


def rate(case, base, step, steps):
    """Half a cosine down to a tenth, where the case asks for it."""
    import math
    return base * (0.1 + 0.45 * (1 + math.cos(math.pi * step / steps))) if case.get("cosine") else base


def run(case, given, spec, dtype):
    if case.get("function"):
        return run_function(case, spec, dtype)
    muon = case["optimizer"] == "Muon"                    # takes matrices only
    chosen = [i for i, s in enumerate(spec["shapes"]) if len(s) == 2 or not muon]
    params = [given[f"start.{i}"].to(dtype).clone().requires_grad_() for i in chosen]
    options = dict(case["options"])
    if "betas" in options:
        options["betas"] = tuple(options["betas"])
    groups = [dict(params=params)]
    if case.get("groups"):                                # dealt out in turn
        groups = [dict(g, params=params[k::len(case["groups"])]) for k, g in enumerate(case["groups"])]
    optimizer = getattr(torch.optim, case["optimizer"])(groups, **options)
    bases, path, rates = [g["lr"] for g in optimizer.param_groups], [[] for _ in params], []
    for step in range(spec["steps"]):
        for group, base in zip(optimizer.param_groups, bases):
            group["lr"] = rate(case, base, step, spec["steps"])
        rates.append([g["lr"] for g in optimizer.param_groups])
        for p, i in zip(params, chosen):
            p.grad = given[f"gradient.{i}"][step].to(dtype)
        optimizer.step()
        for p, track in zip(params, path):
            track.append(p.detach().clone())
    out = {f"parameter.{i}": torch.stack(t) for i, t in zip(chosen, path)}
    for p, i in zip(params, chosen):
        for key, value in optimizer.state[p].items():
            if value is not None:
                out[f"state.{i}.{key}"] = torch.as_tensor(value).detach().clone()
    return out, rates


def run_function(case, spec, dtype):
    x = torch.tensor(case["start"], dtype=dtype, requires_grad=True)
    optimizer = getattr(torch.optim, case["optimizer"])([x], **case["options"])
    calls, path, losses = [0], [], []

    def closure():
        calls[0] += 1
        optimizer.zero_grad()
        loss = rosenbrock(x)
        loss.backward()
        return loss
    evaluations = []
    for _ in range(spec["steps"]):
        losses.append(float(optimizer.step(closure).detach()))
        path.append(x.detach().clone())
        evaluations.append(calls[0])
    return {"parameter.0": torch.stack(path), "loss_before_step": torch.tensor(losses, dtype=torch.float64),
            "evaluations": torch.tensor(evaluations)}, [[case["options"]["lr"]]] * spec["steps"]


def main(topic, default, run):
    out, spec, only = arguments(topic, default)
    given = inputs(spec)
    save_file(given, out / "inputs.safetensors")
    table = []
    for case in spec["cases"]:
        if only not in case["name"]:
            continue
        dtype = getattr(torch, case.get("dtype", "float32"))
        result, rates = run(case, given, spec, dtype)
        wide, _ = run(case, given, spec, torch.float64)
        gap = max(float((result[k].double() - wide[k]).abs().max()) for k in result if k.startswith("parameter"))
        path = out / f"{case['name']}.safetensors"
        save_file({k: v.contiguous() for k, v in result.items()}, path)
        again, _ = run(case, load_file(out / "inputs.safetensors"), spec, dtype)
        assert all(torch.equal(v, again[k]) for k, v in load_file(path).items())
        table.append(dict(case, learning_rates=rates, distance_to_fp64=gap))
        print(f"{case['name']:28s} {len(result):2d} tensors, fp64 differs by {gap:.2e}", flush=True)
    if only:                                               # the other rows stay as they are
        old = {row["name"]: row for row in json.loads((out / "cases.json").read_text())}
        table = list((old | {row["name"]: row for row in table}).values())
    write_json(out / "cases.json", table)


if __name__ == "__main__":
    main("optimizers", DEFAULT, run)
