# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs one script of calls through Accelerate's tracker class, in a process of its own; trackers.py starts it.

    python tracker_child.py JOB.json OUTCOME.json
"""
import contextlib, io, json, logging, os, random, sys, time, traceback, warnings


RUNS = []      # ids of the runs of this script, for {"$run": 0}


def value_of(v):
    """Tagged values of the script: what JSON has not."""
    if isinstance(v, list):
        return [value_of(x) for x in v]
    if not isinstance(v, dict):
        return v
    if len(v) == 1 and next(iter(v)).startswith("$"):
        (kind, x), = v.items()
        if kind == "$number":
            return float(x)
        if kind == "$repeat":
            return x[0] * x[1]
        if kind == "$tensor":
            import torch
            return torch.tensor(value_of(x))
        if kind == "$numpy":
            import numpy
            return numpy.array(value_of(x[0]), dtype=x[1])[()]
        if kind == "$tuple":
            return tuple(value_of(x))
        if kind == "$run":
            return RUNS[x]
        if kind == "$object":
            return type(x, (), {"__repr__": lambda self: f"<{x}>"})()
        if kind == "$image":
            import numpy
            h, w, c, k = x
            flat = (numpy.arange(h * w * c, dtype=numpy.int64) * k % 256).astype(numpy.uint8)
            return flat.reshape((h, w, c) if c > 1 else (h, w))
        raise ValueError(kind)
    return {k: value_of(x) for k, x in v.items()}


def off_main():
    """This process is rank 1 of 2, as far as Accelerate can tell."""
    from accelerate.state import PartialState
    from accelerate.utils import DistributedType
    PartialState(cpu=True)
    PartialState._shared_state.update(distributed_type=DistributedType.MULTI_CPU, num_processes=2, process_index=1,
                                      local_process_index=1)


def main(job, outcome_file):
    random.seed(job.get("seed", 1))
    logged = []

    class Keep(logging.Handler):
        def emit(self, record):
            logged.append([record.levelname, record.getMessage()[:2000]])

    logging.getLogger("accelerate").addHandler(Keep())
    from accelerate import Accelerator, tracking
    from accelerate.state import PartialState
    outcomes, tracker, accelerator = [], None, None
    if job.get("off_main"):
        off_main()
    else:
        PartialState(cpu=True)
    warnings.simplefilter("always")
    for event in job["events"]:
        call = event["call"]
        kwargs = value_of(event.get("kwargs", {}))
        del logged[:]
        with warnings.catch_warnings(record=True) as shown:
            warnings.simplefilter("always")
            began = time.time()
            try:
                if call == "new":
                    cls = tracking.LOGGER_TYPE_TO_CLASS[job["tracker"]]
                    arguments = [event.get("project")]
                    if cls.requires_logging_directory or event.get("logging_dir"):
                        arguments.append(event.get("logging_dir"))
                    tracker = cls(*arguments, **kwargs)
                elif call == "accelerator":
                    accelerator = Accelerator(cpu=True, log_with=event["log_with"], project_dir=event.get("project_dir"))
                    accelerator.init_trackers(event["project"], value_of(event.get("config")), value_of(event.get("init_kwargs", {})))
                    tracker = accelerator.trackers[0] if accelerator.trackers else None
                elif call == "start":
                    tracker.start()
                    if job["tracker"] == "mlflow" and hasattr(tracker, "active_run"):
                        RUNS.append(tracker.active_run.info.run_id)
                elif call == "config":
                    tracker.store_init_configuration(value_of(event["values"]))
                elif call == "log":
                    tracker.log(value_of(event["values"]), step=event.get("step"), **kwargs)
                elif call == "log_images":
                    tracker.log_images(value_of(event["values"]), step=event.get("step"), **kwargs)
                elif call == "log_table":
                    tracker.log_table(event["name"], columns=event.get("columns"), data=value_of(event.get("data")), step=event.get("step"), **kwargs)
                elif call == "log_artifact":
                    with open(event["file"], "w") as f:
                        f.write(event["text"])
                    tracker.log_artifact(event["file"], *event.get("into", []))
                elif call == "log_figure":
                    import matplotlib
                    matplotlib.use("Agg")
                    from matplotlib.figure import Figure
                    tracker.log_figure(Figure(figsize=(1, 1)), event["file"])
                elif call == "sleep":
                    time.sleep(event["seconds"])
                elif call == "crash":
                    pass
                elif call == "finish":
                    tracker.finish()
                else:
                    raise SystemExit(call)
                row = {"call": call, "ok": True}
            except Exception as e:
                if os.environ.get("TRACKER_TRACE"):
                    traceback.print_exc()
                row = {"call": call, "error": {"type": type(e).__name__, "message": str(e)[:600]}}
            row["seconds"] = time.time() - began
        row["warnings"] = [[level, text] for level, text in logged if level not in ("DEBUG", "INFO")]
        row["warnings"] += [[w.category.__name__, str(w.message)[:300]] for w in shown if "/accelerate/" in (w.filename or "")]
        outcomes.append(row)
        with open(outcome_file, "w") as f:
            json.dump(outcomes, f)
    with open(outcome_file, "w") as f:
        json.dump(outcomes, f)
    if any(e["call"] == "crash" for e in job["events"]):
        raise RuntimeError("the training failed")


if __name__ == "__main__":
    with open(sys.argv[1]) as f:
        main(json.load(f), sys.argv[2])
