# SPDX-License-Identifier: GPL-3.0-or-later
"""What Accelerate's profile() records: steps of schedules, names and numbers of operators, arguments of every option.

    python profiler.py [FILE]
"""
import json
import os
import sys
import tempfile
import warnings
from pathlib import Path

import accelerate
import torch
from accelerate import Accelerator
from accelerate.utils import ProfileKwargs

warnings.filterwarnings("ignore")
torch.manual_seed(0)
torch.set_num_threads(1)
net = torch.nn.Sequential(torch.nn.Linear(16, 32), torch.nn.ReLU(), torch.nn.Linear(32, 4))
x, y = torch.randn(8, 16), torch.arange(8) % 4
accelerator = Accelerator(cpu=True)
net = accelerator.prepare(net)

# loops, wait, warmup, active, repeat, skip_first
SCHEDULES = [(6, 1, 1, 3, 0, 0), (6, 0, 0, 1, 0, 0), (8, 1, 1, 2, 2, 0), (9, 1, 1, 2, 0, 1), (7, 0, 1, 2, 1, 2), (5, 0, 0, 5, 1, 0),
             (5, 0, 0, 6, 1, 0), (4, 2, 1, 1, 1, 0), (6, 0, 2, 1, 2, 0), (3, 0, 0, 2, 0, 0), (10, 3, 0, 2, 2, 0), (6, 1, 0, 1, 3, 0)]
OPTIONS = {"plain": {}, "shapes": {"record_shapes": True}, "memory": {"profile_memory": True}, "flops": {"with_flops": True}}


def train():
    for parameter in net.parameters():
        parameter.grad = None
    accelerator.backward(torch.nn.functional.cross_entropy(net(x), y))


def record(loops, schedule, **options):
    ready, folder = [], tempfile.mkdtemp()
    handler = ProfileKwargs(activities=["cpu"], schedule_option=schedule, on_trace_ready=lambda p: ready.append(p.step_num),
                            output_trace_dir=folder, **options)
    with accelerator.profile(handler) as profiler:
        for _ in range(loops):
            train()
            profiler.step()
    (file,) = os.listdir(folder)
    trace = json.loads((Path(folder) / file).read_text())
    return file, ready, trace, [event for event in trace["traceEvents"] if event.get("ph") == "X"]


cases, operators, options = [], {}, {}
for loops, wait, warmup, active, repeat, skip_first in SCHEDULES:
    schedule = {"wait": wait, "warmup": warmup, "active": active, "repeat": repeat, "skip_first": skip_first}
    file, ready, _, slices = record(loops, schedule)
    steps = [int(one["name"].split("#")[1]) for one in slices if one["name"].startswith("ProfilerStep#")]
    cases.append({"loops": loops, "schedule": schedule, "ready_at": ready, "steps_in_file": sorted(steps), "file": file,
                  "addmm": sum(one["name"] == "aten::addmm" for one in slices)})
for one in record(5, None)[3]:
    if one["cat"] == "cpu_op":
        operators[one["name"]] = operators.get(one["name"], 0) + 1
for name, given in OPTIONS.items():
    _, _, trace, slices = record(2, {"wait": 0, "warmup": 1, "active": 1, "repeat": 1}, **given)
    product = next(one for one in slices if one["name"] == "aten::addmm")
    options[name] = {"addmm_arguments": sorted(product["args"]),
                     "top_level": sorted({"profile_memory", "record_shapes", "with_flops"} & set(trace)),
                     "memory": any(event.get("name") == "[memory]" for event in trace["traceEvents"])}
target = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent.parent / "profiler.json"
target.write_text(json.dumps({"versions": {"torch": torch.__version__.split("+")[0], "accelerate": accelerate.__version__},
                              "cases": cases, "unscheduled": {"loops": 5, "operators": operators}, "options": options}, indent=1) + "\n")
