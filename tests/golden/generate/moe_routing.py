# SPDX-License-Identifier: GPL-3.0-or-later
"""Routing of transformers' Mixtral over given logits, its load-balancing loss, and dropping by capacity (GShard's rule): ../moe_routing.json."""

import math

import parallel_world as w
import torch
from common import main


def logits_of(given, layer=0):
    if "logits" in given:
        return torch.tensor(
            given["logits"][layer] if given.get("layers", 1) > 1 else given["logits"], dtype=torch.float32
        )
    raise KeyError("logits")


def route(given):
    """MixtralTopKRouter with the identity as weight: hidden state = logits."""
    from transformers.models.mixtral.modeling_mixtral import MixtralTopKRouter

    logits = logits_of(given)
    experts = logits.shape[-1]
    config = type("C", (), dict(num_experts_per_tok=given["top_k"], num_local_experts=experts, hidden_size=experts))
    router = MixtralTopKRouter(config)
    router.weight = torch.nn.Parameter(torch.eye(experts))
    try:
        with torch.no_grad():
            _, weights, chosen = router(logits)
    except RuntimeError as e:
        return w.error(e)
    return {
        "experts": chosen.tolist(),
        "weights": weights.tolist(),
        "tokens_of_expert": torch.bincount(chosen.flatten(), minlength=experts).tolist(),
    }


def loss(given):
    from transformers.models.mixtral.modeling_mixtral import load_balancing_loss_func

    layers = [torch.tensor(x, dtype=torch.float32, requires_grad=True) for x in given["layers"]]
    mask = torch.tensor(given["mask"]) if "mask" in given else None
    value = load_balancing_loss_func(tuple(layers), len(given["layers"][0][0]), given["top_k"], mask)
    out = {"loss": float(value.detach())}
    if value.requires_grad and math.isfinite(out["loss"]):
        value.backward()
        out["gradients"] = [x.grad.tolist() for x in layers]
    return out


def capacity(given):
    """GShard / Switch: expert capacity = max(minimum, ceil(tokens / experts × factor × k)). Slots are dealt choice by choice: all first
    choices in token order, then all second choices … A token whose expert is full loses that choice. Its weight becomes 0; with
    `renormalise` the weights that are left are divided by their sum. A mask removes tokens before slots are dealt."""
    logits = logits_of(given).double()
    tokens, experts = logits.shape
    k = given["top_k"]
    mask = torch.tensor(given.get("mask", [1] * tokens)).bool()
    counted = int(mask.sum()) if given.get("count_only_unmasked") else tokens
    slots = max(given.get("minimum", 1), math.ceil(counted / experts * given["factor"] * k))
    probabilities = torch.softmax(logits, -1)
    value, chosen = torch.topk(probabilities, k, dim=-1)
    if given.get("normalise", True):
        value = value / value.sum(-1, keepdim=True)
    used, slot = [0] * experts, [[None] * k for _ in range(tokens)]
    for choice in range(k):
        for token in range(tokens):
            e = int(chosen[token, choice])
            if mask[token] and used[e] < slots:
                slot[token][choice] = used[e]
                used[e] += 1
    keep = torch.tensor([[s is not None for s in row] for row in slot])
    weight = torch.where(keep, value, torch.zeros_like(value))
    if given.get("renormalise"):
        weight = weight / weight.sum(-1, keepdim=True).clamp_min(1e-9)
    return {
        "capacity": slots,
        "experts": chosen.tolist(),
        "slots": slot,
        "weights": weight.tolist(),
        "kept_of_expert": used,
        "dropped_choices": int((~keep & mask[:, None]).sum()),
        "tokens_without_expert": [t for t in range(tokens) if mask[t] and not keep[t].any()],
    }


def dispatch(given):
    """Expert parallelism: expert e lives on rank e // (experts / ranks); every rank has its own tokens. Counts a rank sends to each other
    rank, and the order in which an expert sees tokens (by source rank, then token, then choice)."""
    ranks, k, experts = given["ranks"], given["top_k"], len(given["logits"][0][0])
    if experts % ranks:
        return {"error": {"type": "ValueError", "message": f"{experts} experts on {ranks} ranks"}}
    per, sends, seen = experts // ranks, [], [[] for _ in range(experts)]
    for rank, rows in enumerate(given["logits"]):
        chosen = torch.topk(
            torch.softmax(torch.tensor(rows, dtype=torch.float64).reshape(-1, experts), -1), k, dim=-1
        )[1]
        counts = [0] * ranks
        for token, row in enumerate(chosen.tolist()):
            for choice, e in enumerate(row):
                counts[e // per] += 1
                seen[e].append([rank, token, choice])
        sends.append(counts)
    return {
        "sends": sends,
        "receives": [[sends[s][r] for s in range(ranks)] for r in range(ranks)],
        "tokens_of_expert": seen,
    }


def expected(given):
    return {"route": route, "loss": loss, "capacity": capacity, "dispatch": dispatch}[given["kind"]](given)


def draw(seed, rows, experts, spread=1.0):
    g = torch.Generator().manual_seed(seed)
    return [
        [round(float(x), 3) for x in row]
        for row in torch.randn(rows, experts, generator=g, dtype=torch.float64) * spread
    ]


def inputs(base=500):
    a, b = draw(base, 10, 4), draw(base + 1, 12, 8, 2.0)
    for k in (1, 2, 3, 4):
        yield f"route 4 experts top {k}", {"kind": "route", "logits": a, "top_k": k}
    yield "route 8 experts top 2", {"kind": "route", "logits": b, "top_k": 2}
    yield "route large", {"kind": "route", "logits": draw(base + 2, 4, 4, 15.0), "top_k": 2}
    yield "route too many", {"kind": "route", "logits": a, "top_k": 5}
    yield "route one expert", {"kind": "route", "logits": [[0.3], [-2.0]], "top_k": 1}
    yield "loss one layer", {"kind": "loss", "layers": [a], "top_k": 2}
    yield "loss top 1", {"kind": "loss", "layers": [a], "top_k": 1}
    yield "loss two layers", {"kind": "loss", "layers": [a, draw(base + 3, 10, 4)], "top_k": 2}
    yield "loss uneven layers", {"kind": "loss", "layers": [a, draw(base + 4, 6, 4)], "top_k": 2}
    yield "loss mask of ones", {"kind": "loss", "layers": [a], "top_k": 2, "mask": [[1] * 5] * 2}
    yield "loss left padding", {"kind": "loss", "layers": [a], "top_k": 2, "mask": [[0, 0, 1, 1, 1], [1] * 5]}
    yield "loss right padding, two layers", {
        "kind": "loss",
        "layers": [a, draw(base + 3, 10, 4)],
        "top_k": 3,
        "mask": [[1, 1, 1, 0, 0], [1, 1, 1, 1, 0]],
    }
    yield "loss one token", {"kind": "loss", "layers": [a], "top_k": 2, "mask": [[0] * 5, [0, 0, 0, 0, 1]]}
    yield "loss nothing counted", {"kind": "loss", "layers": [a], "top_k": 2, "mask": [[0] * 5] * 2}
    yield "loss 8 experts", {"kind": "loss", "layers": [b], "top_k": 2}
    yield "loss all to one expert", {"kind": "loss", "layers": [[[9.0, 0.0, -1.0, -2.0]] * 6], "top_k": 1}
    crowd = [[3.0 + 0.1 * i, 1.0 - 0.05 * i, 0.5, -1.0] for i in range(8)]
    for factor in (0.5, 1.0, 1.25, 2.0, 4.0):
        yield f"capacity factor {factor}", {"kind": "capacity", "logits": a, "top_k": 2, "factor": factor}
        yield f"capacity crowd factor {factor}", {"kind": "capacity", "logits": crowd, "top_k": 2, "factor": factor}
    yield "capacity top 1", {"kind": "capacity", "logits": crowd, "top_k": 1, "factor": 1.0, "normalise": False}
    yield "capacity renormalised", {
        "kind": "capacity",
        "logits": crowd,
        "top_k": 2,
        "factor": 1.0,
        "renormalise": True,
    }
    yield "capacity minimum", {"kind": "capacity", "logits": crowd, "top_k": 1, "factor": 0.25, "minimum": 4}
    yield "capacity mask", {
        "kind": "capacity",
        "logits": crowd,
        "top_k": 2,
        "factor": 1.0,
        "mask": [1, 1, 0, 0, 1, 1, 1, 0],
    }
    yield "capacity mask counted", {
        "kind": "capacity",
        "logits": crowd,
        "top_k": 2,
        "factor": 1.0,
        "mask": [1, 1, 0, 0, 1, 1, 1, 0],
        "count_only_unmasked": True,
    }
    for ranks in (1, 2, 4):
        yield f"dispatch 8 experts {ranks} ranks", {
            "kind": "dispatch",
            "ranks": ranks,
            "top_k": 2,
            "logits": [draw(base + 10 + r, 5, 8) for r in range(ranks)],
        }
    yield "dispatch one rank gets nothing", {
        "kind": "dispatch",
        "ranks": 2,
        "top_k": 1,
        "logits": [[[5.0, 1.0, 0.0, 0.0]] * 3, [[1.0, 5.0, 0.0, 0.0]] * 2],
    }
    yield "dispatch uneven tokens", {
        "kind": "dispatch",
        "ranks": 2,
        "top_k": 2,
        "logits": [draw(base + 20, 7, 4), draw(base + 21, 2, 4)],
    }
    yield "dispatch does not divide", {
        "kind": "dispatch",
        "ranks": 3,
        "top_k": 1,
        "logits": [draw(base + 30 + r, 2, 4) for r in range(3)],
    }


if __name__ == "__main__":
    main("moe_routing", inputs, expected)
