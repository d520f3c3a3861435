# SPDX-License-Identifier: GPL-3.0-or-later
"""Peer: last layer and loss of a language model as a user writes them, torch.nn.functional.linear and cross_entropy.

Prints one JSON line: milliseconds of forward and backward (median), and the peak resident bytes that they added.
"""
import argparse, json, statistics, time

ap = argparse.ArgumentParser()
ap.add_argument("--rows", type=int, default=1024)
ap.add_argument("--vocab", type=int, default=50304)
ap.add_argument("--width", type=int, default=384)
ap.add_argument("--dtype", choices=["fp32", "bf16"], default="fp32")
ap.add_argument("--repeats", type=int, default=5)
args = ap.parse_args()

import torch
import torch.nn.functional as F


def status(key):
    for line in open("/proc/self/status"):
        if line.startswith(key + ":"):
            return int(line.split()[1]) * 1024


torch.manual_seed(1)
hidden = torch.randn(args.rows, args.width).requires_grad_()
weight = (torch.randn(args.vocab, args.width) * 0.02).requires_grad_()
labels = torch.randint(0, args.vocab, (args.rows,))
hidden.grad, weight.grad = torch.zeros_like(hidden), torch.zeros_like(weight)


def step():
    with torch.autocast("cpu", torch.bfloat16, enabled=args.dtype == "bf16"):
        logits = F.linear(hidden, weight)
    # As transformers does it: the loss of fp32 logits.
    F.cross_entropy(logits.float(), labels).backward()


small = F.linear(hidden[:8], weight[:64]).sum()  # the memory of the libraries themselves comes before
small.backward()
before = status("VmRSS")
times = []
for _ in range(args.repeats):
    begin = time.perf_counter()
    step()
    times.append(time.perf_counter() - begin)
print(json.dumps({"peer": "torch", "ms": 1e3 * statistics.median(times), "extra_bytes": status("VmHWM") - before}))
