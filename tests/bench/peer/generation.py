# SPDX-License-Identifier: GPL-3.0-or-later
"""Peer: greedy generation with models of transformers at a mini size, with their key-value cache, not compiled.

Each line of standard input is {"config": {...}, "class": "LlamaForCausalLM", "file": ..., "tokens": 96, "repeats": 3}: a model with the weights and the
prompt of that file, measured; the answer is {"tokens_per_s": median, "tokens": [...]}. A line without "config" measures the same model again.
"""
import statistics, sys, time

import torch
from same_model import answers, same_model

now = {}


def measure(given):
    if "config" in given:
        now["model"], now["inputs"] = same_model(given)
        now["model"].eval()
    model, ids = now["model"], now["inputs"]["input_ids"]
    times = []
    with torch.inference_mode():
        for _ in range(given["repeats"] + 1):
            begin = time.perf_counter()
            made = model.generate(ids, attention_mask=torch.ones_like(ids), do_sample=False, max_new_tokens=given["tokens"],
                                  min_new_tokens=given["tokens"], eos_token_id=None, pad_token_id=0)
            times.append(time.perf_counter() - begin)
            assert made.shape[1] == ids.shape[1] + given["tokens"], made.shape
    return {"tokens_per_s": given["tokens"] / statistics.median(times[1:]), "tokens": made[0, ids.shape[1]:].tolist()}


answers(measure)
