# SPDX-License-Identifier: GPL-3.0-or-later
"""Peer of bench_checkpoint: seconds of Accelerate's save_state and load_state of GPT-2 124 M with AdamW, as one JSON line.

    python checkpoint.py FOLDER
"""
import json
import os
import shutil
import sys
import time

import torch
from accelerate import Accelerator
from transformers import GPT2Config, GPT2LMHeadModel

folder = sys.argv[1]
accelerator = Accelerator(cpu=True)
model = GPT2LMHeadModel(GPT2Config())
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
model, optimizer = accelerator.prepare(model, optimizer)
for parameter in model.parameters():  # the optimizer's state as after a step, without its time
    parameter.grad = torch.rand_like(parameter)
optimizer.step()
optimizer.zero_grad()
shutil.rmtree(folder, ignore_errors=True)
begin = time.perf_counter()
accelerator.save_state(folder)
os.sync()
save = time.perf_counter() - begin
begin = time.perf_counter()
accelerator.load_state(folder)
load = time.perf_counter() - begin
shutil.rmtree(folder)
print(json.dumps({"save_s": save, "load_s": load}))
