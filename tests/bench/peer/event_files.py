# SPDX-License-Identifier: GPL-3.0-or-later
"""The peer of bench_curves: TensorBoard's own loader of event files.

    python event_files.py read FOLDER     one folder: EventAccumulator, every scalar kept
    python event_files.py tree FOLDER     a folder of runs: EventMultiplexer, which is what the program holds them in

Prints {"seconds", "megabytes", "points"}: time without imports, peak resident memory of this process. The limits on what is kept are
lifted (size_guidance 0), since the other side keeps every point, too; the program's own default keeps 1,000 points of a curve.
"""

import json
import resource
import sys
import time

from tensorboard.backend.event_processing import event_accumulator, event_multiplexer

EVERYTHING = {kind: 0 for kind in event_accumulator.DEFAULT_SIZE_GUIDANCE}

begin = time.perf_counter()
if sys.argv[1] == "read":
    loaded = event_accumulator.EventAccumulator(sys.argv[2], size_guidance=EVERYTHING)
    loaded.Reload()
    accumulators = [loaded]
else:
    loaded = event_multiplexer.EventMultiplexer(size_guidance=EVERYTHING)
    loaded.AddRunsFromDirectory(sys.argv[2])
    loaded.Reload()
    accumulators = [loaded.GetAccumulator(run) for run in loaded.Runs()]
seconds = time.perf_counter() - begin


def points_of(accumulator):
    tags = accumulator.Tags()
    return sum(len(accumulator.Scalars(tag)) for tag in tags["scalars"]) + sum(
        len(accumulator.Tensors(tag)) for tag in tags["tensors"]
    )


peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e6
print(json.dumps({"seconds": seconds, "megabytes": peak, "points": sum(map(points_of, accumulators))}))
