# SPDX-License-Identifier: GPL-3.0-or-later
"""Peer of bench_data_loading: tokens per second of Accelerate's prepared DataLoader over an array in memory, one epoch, as one JSON line.

    python data_loading.py ROWS BLOCK BATCH WORKERS
"""
import json
import sys
import time

import torch
from accelerate import Accelerator

rows, block, batch, workers = map(int, sys.argv[1:])
accelerator = Accelerator(cpu=True)
data = torch.randint(256, (rows, block))
loader = accelerator.prepare(torch.utils.data.DataLoader(data, batch_size=batch, shuffle=True, drop_last=True, num_workers=workers))
tokens = 0
begin = time.perf_counter()
for rows_of_batch in loader:
    tokens += rows_of_batch.numel()
print(json.dumps({"tokens_per_s": tokens / (time.perf_counter() - begin)}))
