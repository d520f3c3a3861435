# SPDX-License-Identifier: GPL-3.0-or-later
"""Peer: forward and backward of models of transformers at a mini size, with their usual attention.

Each line of standard input is {"config": {...}, "class": "LlamaForCausalLM", "file": ..., "repeats": 5}: a model with the weights and inputs of that
file, measured; the answer is {"ms": median milliseconds of a step, "loss": ...}. A line without "config" measures the same model again.
"""
import statistics, sys, time

import torch
from same_model import answers, same_model

now = {}


def measure(given):
    if "config" in given:
        now["model"], now["inputs"] = same_model(given)
        now["model"].train()
    model, inputs = now["model"], now["inputs"]
    times = []
    for _ in range(given["repeats"] + 1):
        model.zero_grad(set_to_none=False)
        begin = time.perf_counter()
        loss = model(**inputs).loss
        loss.backward()
        times.append(time.perf_counter() - begin)
    return {"ms": 1e3 * statistics.median(times[1:]), "loss": loss.item()}


answers(measure)
