# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes what a run has logged with the Python package of a tracker. A process of the run starts it.

    python tracker_bridge.py TRACKER

Each line of the standard input is a JSON object {"open", "entries", "memory"}: the settings of the run, entries of its
spool (engine/observe/track/remote_tracker.h) and what earlier answers stored. Each is answered by a line:

    {"delivered": n, "memory": {...}}       the first n entries are stored
    {"refused": text}                       the first entry cannot be stored, ever
    {"unavailable": text, "denied": bool}   nothing can be stored now; denied: trying again soon is of no use
    {"missing": package}                    the package is not installed

The end of the input ends the program. What packages print goes to the standard error.
"""
import json
import math
import os
import queue
import sys
import threading

END_SECONDS = 20


class Refused(Exception):
    pass


def flattened(values, prefix=""):
    for name, value in values.items():
        if isinstance(value, dict) and value:
            yield from flattened(value, prefix + name + "/")
        else:
            yield prefix + name, value


def as_text(value):
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def is_number(value):
    return isinstance(value, (bool, int, float))


class Aim:
    """A run in a repository of Aim. Only what is logged is stored, unless the arguments ask for more."""

    package = "aim"

    def __init__(self, settings, memory):
        import aim

        self.aim = aim
        given = dict(settings.get("arguments") or {})
        arguments = {"system_tracking_interval": None, "log_system_params": False, "capture_terminal_logs": False}
        arguments.update((key, value) for key, value in given.items() if key not in ("repo", "run_hash"))
        known = memory.get("run") or given.get("run_hash")
        if known:
            arguments.update(run_hash=known, force_resume=True)
        repository = settings["repository"]
        if "://" not in repository:
            os.makedirs(repository, exist_ok=True)
        self.artifacts = os.path.join(os.path.abspath(repository), ".aim", "artifacts")
        self.run = aim.Run(repo=repository, **arguments)
        # Run() reports errors and returns an object that is not a run.
        if not getattr(self.run, "hash", None) or (known and self.run.hash != known):
            raise RuntimeError(f"there is no run {known} in {repository}")
        memory["run"] = self.run.hash
        if not known:
            self.run.name = settings["project"]

    def deliver(self, entry, memory):
        step = entry.get("step")
        if "configuration" in entry:
            memory["parameters"] = {**memory.get("parameters", {}), **self.parameter(entry["configuration"])}
            self.run["hparams"] = memory["parameters"]
        elif "values" in entry:
            for name, value in flattened(entry["values"]):
                if is_number(value):
                    self.track(value, name, step)
                elif value is not None:
                    self.track(self.aim.Text(as_text(value)), name, step)
        elif "pictures" in entry:
            pictures = [self.aim.Image(file) for file in entry["files"]]
            self.track(pictures if len(pictures) > 1 else pictures[0], entry["pictures"], step)
        elif "table" in entry:
            lines = [entry["columns"], ["---"] * len(entry["columns"]), *entry["rows"]]
            text = "\n".join("| " + " | ".join(as_text(cell) for cell in line) + " |" for line in lines)
            self.track(self.aim.Text(text), entry["table"], step)
        elif "artifact" in entry:
            os.makedirs(self.artifacts, exist_ok=True)
            self.run.set_artifacts_uri("file://" + self.artifacts)
            self.run.log_artifact(entry["artifact"], entry["name"], block=True)

    def track(self, value, name, step):
        # A curve has values of one kind; one without a name cannot be read back.
        try:
            self.run.track(value, name=name or "_", step=step)
        except (TypeError, ValueError) as error:
            raise Refused(f"{name}: {error}")

    def parameter(self, value):
        if isinstance(value, dict):
            return {key: self.parameter(inner) for key, inner in value.items()}
        if isinstance(value, list):
            return [self.parameter(inner) for inner in value]
        # Aim stores integers of 64 bits.
        return float(value) if isinstance(value, int) and not -(2**63) <= value < 2**63 else value

    def close(self):
        self.run.close()


TRACKERS = {"aim": Aim}


def answer(state, request, kind):
    memory = request["memory"]
    if "tracker" not in state:
        before = dict(memory)
        try:
            state["tracker"] = kind(request["open"].get("settings") or {}, memory)
        except ImportError as error:
            if (error.name or "").split(".")[0] == kind.package:
                return {"missing": kind.package}
            return {"unavailable": str(error), "denied": True}
        except Exception as error:
            return {"unavailable": f"{type(error).__name__}: {error}", "denied": True}
        # The name of a new run is known before anything is stored in it: else a process that ends now would leave
        # a part of the values in a run that no other continues.
        if memory != before and "open" in (request["entries"][0] or {}):
            return {"delivered": 1, "memory": memory}
    tracker = state["tracker"]
    delivered = 0
    for entry in request["entries"]:
        try:
            if entry.get("finish"):
                state.pop("tracker").close()
                return {"delivered": delivered + 1, "memory": memory}
            if entry is not None:
                tracker.deliver(entry, memory)
        except Refused as error:
            if delivered == 0:
                return {"refused": str(error)}
            break
        except Exception as error:
            if delivered == 0:
                return {"unavailable": f"{type(error).__name__}: {error}", "denied": False}
            break
        delivered += 1
    return {"delivered": delivered, "memory": memory}


def main(name):
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    kind, state, requests = TRACKERS[name], {}, queue.Queue()

    def read():
        for line in os.fdopen(os.dup(0), encoding="utf-8"):
            requests.put(line)
        requests.put(None)
        threading.Event().wait(END_SECONDS)  # a package that hangs does not outlive the run
        os._exit(1)

    threading.Thread(target=read, daemon=True).start()
    while (line := requests.get()) is not None:
        json.dump(answer(state, json.loads(line), kind), answers)
        answers.write("\n")
        answers.flush()
    if "tracker" in state:
        state["tracker"].close()


if __name__ == "__main__":
    main(sys.argv[1])
