# SPDX-License-Identifier: GPL-3.0-or-later
"""Products of one row with a quantized matrix as bitsandbytes computes them on the processor, and torch's in fp32.

    python quantization.py SIZE THREADS

Each line of standard input is a round: the answer is a JSON object with its milliseconds by the names of
bench_quantization. Needs torch and bitsandbytes.
"""
import json, sys, time

import bitsandbytes as bnb
import torch

size, threads = (int(text) for text in sys.argv[1:3])
torch.set_num_threads(threads)
torch.set_grad_enabled(False)
torch.manual_seed(1)
dense = torch.nn.Linear(size, size, bias=False)
x = torch.randn(1, size)


def quantized(make):
    layer = make()
    layer.load_state_dict(dense.state_dict())
    return layer.to("cpu").eval()


layers = {"fp32": dense}
for name, double in (("nf4", False), ("nf4_double", True)):
    layers[name] = quantized(lambda: bnb.nn.Linear4bit(size, size, bias=False, compute_dtype=torch.float32, compress_statistics=double,
                                                       quant_type="nf4"))
layers["llm_int8"] = quantized(lambda: bnb.nn.Linear8bitLt(size, size, bias=False, has_fp16_weights=False, threshold=6.0))
for name, layer in layers.items():  # the peer really keeps the weight in fewer bits
    assert layer.weight.dtype == (torch.float32 if name == "fp32" else torch.int8 if name == "llm_int8" else torch.uint8), name
for line in sys.stdin:
    times = {}
    for name, layer in layers.items():
        begin = time.perf_counter()
        layer(x)
        times[name] = 1e3 * (time.perf_counter() - begin)
    print(json.dumps(times), flush=True)
