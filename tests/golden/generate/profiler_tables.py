# SPDX-License-Identifier: GPL-3.0-or-later
"""The tables of torch.profiler: the averages of a fixed model in the order of each column, by name and by shapes of inputs.

    python profiler_tables.py [FILE]

Times are those of one recording; the order of the rows follows from them.
"""
import json
import sys
import warnings
from pathlib import Path

import torch
from torch.profiler import ProfilerActivity, profile

warnings.filterwarnings("ignore")
torch.manual_seed(0)
torch.set_num_threads(1)
ORDERS = ["self_cpu_time_total", "cpu_time_total", "cpu_time", "cpu_memory_usage", "self_cpu_memory_usage", "count", "flops"]
LIMIT = 5
net = torch.nn.Sequential(torch.nn.Linear(16, 32), torch.nn.ReLU(), torch.nn.Linear(32, 24), torch.nn.ReLU(), torch.nn.Linear(24, 4))
x, y = torch.randn(8, 16), torch.arange(8) % 4


def train():
    for parameter in net.parameters():
        parameter.grad = None
    torch.nn.functional.cross_entropy(net(x), y).backward()


def row(average):
    """Nanoseconds and bytes."""
    return {"key": average.key, "shapes": str(average.input_shapes) if average.input_shapes else "", "count": average.count,
            "total": round(average.cpu_time_total * 1000), "self": round(average.self_cpu_time_total * 1000),
            "memory": average.cpu_memory_usage, "self_memory": average.self_cpu_memory_usage, "flops": average.flops or 0}


def value_of(one, order):
    """What a row is sorted by, of whole nanoseconds."""
    names = {"self_cpu_time_total": "self", "cpu_time_total": "total", "cpu_memory_usage": "memory", "self_cpu_memory_usage": "self_memory"}
    return one["total"] / one["count"] if order == "cpu_time" else one[names.get(order, order)]


def names_of(table):
    """The first column of a table, and its last lines."""
    lines = table.split("\n")
    rules = [number for number, line in enumerate(lines) if line.startswith("---")]
    return [line.split("  ")[0].strip() or line.strip().split("  ")[0] for line in lines[rules[1] + 1:rules[2]]]


def record():
    """The tables of one recording; None if two times differ by less than a nanosecond, which their order would depend on."""
    with profile(activities=[ProfilerActivity.CPU], record_shapes=True, profile_memory=True, with_flops=True) as profiler:
        for _ in range(3):
            train()
    groups = {}
    for name, by_shapes in (("names", False), ("shapes", True)):
        averages = profiler.key_averages(group_by_input_shape=by_shapes)
        rows = [row(average) for average in averages]
        place = {id(average): number for number, average in enumerate(averages)}
        orders = {}
        for order in ORDERS:
            # torch sorts by this attribute, the largest first, and prints the rows in that order.
            ordered = sorted(averages, key=lambda average: getattr(average, order), reverse=True)
            printed = names_of(averages.table(sort_by=order, row_limit=LIMIT, max_name_column_width=200))
            assert printed == [average.key for average in ordered[:LIMIT]], (order, printed)
            orders[order] = [place[id(average)] for average in ordered]
            if orders[order] != sorted(range(len(rows)), key=lambda number: value_of(rows[number], order), reverse=True):
                return None
        groups[name] = {"rows": rows, "orders": orders, "self_total": round(averages.self_cpu_time_total * 1000)}
    return groups


train()
while not (groups := record()):
    pass
target = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent.parent / "profiler_tables.json"
text = json.dumps({"versions": {"torch": torch.__version__.split("+")[0]}, "limit": LIMIT, "groups": groups})
target.write_text(text.replace('{"key"', '\n{"key"').replace('"orders"', '\n"orders"') + "\n")
