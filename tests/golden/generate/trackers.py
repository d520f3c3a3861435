# SPDX-License-Identifier: GPL-3.0-or-later
"""What Accelerate's trackers write and send, recorded from the real packages in offline mode or against a server on 127.0.0.1.

    python trackers.py [--out DIR] [--spec SPEC.json] [--only WORD]      WORD: a tracker, or tracker/case

Writes <tracker>.json (cases: input = what was called, expected = what came of it) and files/ (small samples).
Each case runs in a process of its own (tracker_child.py, copied beside the case as train.py) in an empty folder, with an
empty home and only the variables of the case. SPEC replaces the values that are logged.
"""
import argparse, base64, collections, datetime, glob, hashlib, importlib.metadata, json, math, os, pathlib, re, shutil, socket, sqlite3, struct, subprocess, sys, tempfile
import threading, time, zipfile, zlib

import tracker_fakes
from artifact import clean, write_json
from recorder import Server, forward

HERE = pathlib.Path(__file__).resolve().parent
PACKAGES = ["accelerate", "torch", "wandb", "mlflow", "trackio", "comet_ml", "clearml", "dvclive", "swanlab", "aim", "tensorboard"]
KEY = "dummy" + "0" * 35                                   # 40 characters, as W&B wants them

DEFAULT = {
    "seed": 5, "project": "demo", "odd_project": "größe 1/β: x", "run_name": "first run", "tags": ["one", "two words"], "notes": "a note\nof two lines",
    "group": "group a",
    "config": {"lr": 0.001, "batch_size": 16, "flag": True, "off": False, "none": None, "list": [1, 2.5, "x", None], "nested": {"model": {"layers": 2, "act": "gelu"}},
               "empty_map": {}, "empty_list": [], "text": "café 🚂 \"quoted\"\n\tline", "nan": {"$number": "nan"}, "inf": {"$number": "inf"}, "tensor": {"$tensor": [1.5, 2.0]},
               "number_text": "1e-05", "big": 12345678901234567890, "small": 1e-05, "whole": 3.0, "with space/slash.dot": 1},
    "logs": [
        {"values": {"loss": 1.5, "train_acc": 0.25, "eval_loss": 2, "test_f1": 0.125, "lr": 1e-05}, "step": 0},
        {"values": {"loss": 1.25}, "step": 1},
        {"values": {"acc": 0.5}, "step": 1},
        {"values": {"loss": 0.1}, "step": 5},
        {"values": {"loss": 9.0}, "step": 3},
        {"values": {"loss": 0.75}},
        {"values": {"loss": 0.625, "epoch": 1}, "step": 2000000000}],
    "values": [
        {"values": {"nan": {"$number": "nan"}}, "step": 0}, {"values": {"inf": {"$number": "inf"}, "minus": {"$number": "-inf"}}, "step": 1},
        {"values": {"flag": True, "whole": 3.0, "big": 123456789012345678}, "step": 2}, {"values": {"text": "phase two"}, "step": 3},
        {"values": {"group": {"a": 1, "b": 2.5}}, "step": 4}, {"values": {"deep": {"c": {"d": 1}}}, "step": 5}, {"values": {"none": None}, "step": 6},
        {"values": {"list": [1, 2]}, "step": 7}, {"values": {"tensor0": {"$tensor": 1.25}}, "step": 8}, {"values": {"tensor2": {"$tensor": [1.0, 2.0]}}, "step": 9},
        {"values": {"numpy": {"$numpy": [0.1, "float32"]}, "numpy_int": {"$numpy": [7, "int64"]}}, "step": 10}, {"values": {"object": {"$object": "Thing"}}, "step": 11},
        {"values": {"größe/日本 x": 1.0, "a.b:c(d)": 2.0}, "step": 12}, {"values": {"": 1.0}, "step": 13}, {"values": {}, "step": 14}, {"values": {"last": 0.5}, "step": 15}],
    "many": 250, "lengths": [500, 501, 6000, 6001, 12000], "letters": "ab", "key_lengths": [250, 251],
    "image": [4, 6, 3, 7], "grey": [3, 5, 1, 11], "columns": ["word", "score"], "rows": [["yes", 1.5], ["größe", 2]],
    "artifact": "first line\nsecond line\n", "huge": 70000,
}


# ---- scripts

def open_(project, **kwargs):
    return [{"call": "new", "project": project, **({"kwargs": kwargs} if kwargs else {})}, {"call": "start"}]


def log(rows):
    return [{"call": "log", **row} for row in rows]


FINISH = [{"call": "finish"}]


def scripts(s):
    """name -> events after the tracker was made; the same for every tracker."""
    many = {f"m{i:03d}": (i * 37 + s["seed"]) % 101 / 8 for i in range(s["many"])}
    long = {f"t{n}": {"$repeat": [s["letters"], n // len(s["letters"])]} if n % len(s["letters"]) == 0 else {"$repeat": [s["letters"][0], n]} for n in s["lengths"]}
    return {
        "plain": [{"call": "config", "values": s["config"]}] + log(s["logs"]) + FINISH,
        "values": log(s["values"]) + FINISH,
        "many": [{"call": "config", "values": {f"p{i:03d}": i for i in range(s["many"])}}] + log([{"values": many, "step": 1}, {"values": many, "step": 2}]) + FINISH,
        "long": [{"call": "config", "values": long}] + log([{"values": {"k" * n: 1.0}, "step": n} for n in s["key_lengths"]]) + FINISH,
        "images": [{"call": "log_images", "values": {"picture": [{"$image": s["image"]}]}, "step": 1},
                   {"call": "log_images", "values": {"grey": [{"$image": s["grey"]}, {"$image": s["grey"]}]}, "step": 2}] + FINISH,
        "one_image": [{"call": "log_images", "values": {"train_picture": {"$image": s["image"]}}, "step": 1}] + FINISH,
        "table": [{"call": "log_table", "name": "eval_table", "columns": s["columns"], "data": s["rows"], "step": 3}] + FINISH,
        "table_no_data": [{"call": "log_table", "name": "t", "columns": s["columns"], "step": 3}] + FINISH,
        "short": log(s["logs"][:3]) + FINISH,
        "config_only": [{"call": "config", "values": s["config"]}] + FINISH,
        "config_json": [{"call": "config", "values": {k: v for k, v in s["config"].items() if not any(t in json.dumps(v) for t in ("$tensor", "$numpy", "$object"))}}] + FINISH,
        "config_small": [{"call": "config", "values": {k: v for k, v in s["config"].items() if not any(t in json.dumps(v) for t in ("$tensor", "$numpy", "$object"))
                                                       and not (isinstance(v, int) and abs(v) >= 2 ** 63)}}] + log(s["logs"]) + FINISH,
        "config_flat": [{"call": "config", "values": {k: v for k, v in s["config"].items() if isinstance(v, (bool, int, float, str))}}] + log(s["logs"][:1]) + FINISH,
        "unfinished": log(s["logs"][:2]),
        "crash": log(s["logs"][:2]) + [{"call": "crash"}],
        "off_main": [{"call": "config", "values": s["config"]}] + log(s["logs"][:2]) + FINISH,
        "artifacts": [{"call": "log_artifact", "file": "note.txt", "text": s["artifact"]}, {"call": "log_artifact", "file": "note.txt", "text": s["artifact"], "into": ["sub/folder"]},
                      {"call": "log_figure", "file": "figure.png"}] + FINISH,
        "huge": [{"call": "config", "values": {"huge": {"$repeat": ["x", s["huge"]]}}}] + log(s["logs"][:2]) + FINISH,
    }


def cases(s):
    """(tracker, case, job)"""
    out, scr, p = [], scripts(s), s["project"]

    def add(tracker, name, events, env=None, **more):
        out.append((tracker, name, {"tracker": tracker, "seed": s["seed"], "env": env or {}, "events": events, **more}))

    def through_accelerator(tracker, config, rows, kwargs=None, project_dir=None):
        return [{"call": "accelerator", "log_with": tracker, "project": p, "config": config, "init_kwargs": {tracker: kwargs or {}}, "project_dir": project_dir}] + log(rows) + FINISH

    off = {"WANDB_MODE": "offline"}
    for name in ("plain", "values", "many", "long", "images", "table", "unfinished", "crash", "huge"):
        add("wandb", name, open_(p) + scr[name], off)
    add("wandb", "off_main", open_(p) + scr["off_main"], off, off_main=True)
    add("wandb", "kwargs", open_(p, name=s["run_name"], id="run7", entity="team", group=s["group"], job_type="train", tags=s["tags"], notes=s["notes"], config={"before": 1},
                                 mode="offline", dir="elsewhere") + scr["short"])
    add("wandb", "environment", open_(p) + scr["short"], {**off, "WANDB_PROJECT": "not used", "WANDB_ENTITY": "team", "WANDB_NAME": s["run_name"], "WANDB_RUN_ID": "run8", "WANDB_RUN_GROUP": s["group"],
                                                          "WANDB_JOB_TYPE": "eval", "WANDB_TAGS": ",".join(s["tags"]), "WANDB_NOTES": s["notes"], "WANDB_DIR": "."})
    add("wandb", "resume", open_(p, id="run9", resume="allow") + scr["short"], off)
    add("wandb", "disabled", open_(p) + scr["short"], {"WANDB_MODE": "disabled"})
    add("wandb", "no_key", open_(p) + scr["short"], {})
    add("wandb", "odd_project", open_(s["odd_project"]) + scr["short"], off)
    add("wandb", "accelerator_off_main", through_accelerator("wandb", {"lr": 0.5}, s["logs"][:2])[:1], off, off_main=True)
    add("wandb", "accelerator", through_accelerator("wandb", {"lr": 0.5}, s["logs"][:2], {"name": s["run_name"]}), off)
    web = {"WANDB_BASE_URL": "URL", "WANDB_API_KEY": KEY, "WANDB__DISABLE_STATS": "true"}
    for name in ("plain", "values", "images", "many"):
        add("wandb", "online_" + name, open_(p) + scr[name], web, server={"kind": "wandb"})
    add("wandb", "online_resume", open_(p, id="run9", resume="must") + scr["short"], web,
        server={"kind": "wandb", "resume": {"bucket": {"id": "bucket0", "name": "run9", "summaryMetrics": '{"loss": 1.5, "_step": 4, "_runtime": 12}', "displayName": "a-run",
                                                       "logLineCount": 3, "historyLineCount": 5, "eventsLineCount": 2, "historyTail": '["{\\"loss\\": 1.5, \\"_step\\": 4, \\"_runtime\\": 12}"]',
                                                       "eventsTail": '["{\\"_runtime\\": 11}"]', "config": '{"lr": {"value": 0.1}}', "tags": ["old"],
                                                       "wandbConfig": '{"t": 1}'}}})
    add("wandb", "sync", open_(p, id="run5") + scr["plain"], off, then={"command": ["wandb", "sync", "wandb/latest-run"], "env": web}, server={"kind": "wandb"})
    for name in MADE_WANDB:
        add("wandb", "made_" + name, [], {}, made=name, then={"command": ["wandb", "sync", "wandb/offline-run-20231114_221320-made0001"], "env": web}, server={"kind": "wandb"})
    add("wandb", "status_500", open_(p) + scr["short"], {**web, "WANDB_INIT_TIMEOUT": "8"}, server={"kind": "wandb", "fail": [500, 0, 0]}, limit=40)
    add("wandb", "status_401", open_(p) + scr["short"], {**web, "WANDB_INIT_TIMEOUT": "8"}, server={"kind": "wandb", "fail": [401, 0, 0]}, limit=40)
    add("wandb", "no_server", open_(p) + scr["short"], {**web, "WANDB_BASE_URL": "http://127.0.0.1:9", "WANDB_INIT_TIMEOUT": "8"}, limit=40)

    mlf = {"MLFLOW_TRACKING_URI": "URL", "MLFLOW_DISABLE_TELEMETRY": "true", "MLFLOW_HTTP_REQUEST_MAX_RETRIES": "2", "MLFLOW_HTTP_REQUEST_TIMEOUT": "5"}
    real = {"kind": "mlflow"}
    for name in ("plain", "values", "many", "long", "artifacts", "unfinished", "crash"):
        add("mlflow", name, open_(f"{p} {name}") + scr[name], mlf, server=real)
    add("mlflow", "off_main", open_(p + " off") + scr["off_main"], mlf, server=real, off_main=True)
    add("mlflow", "kwargs", open_(p + " kwargs", run_name=s["run_name"], tags={"team": "a", "n": "1"}, description=s["notes"]) + scr["short"], mlf, server=real)
    add("mlflow", "tags_number", open_(p + " number", tags={"n": 1}) + scr["short"], mlf, server=real)
    add("mlflow", "same_experiment", open_(p + " kwargs") + scr["short"], mlf, server=real)
    add("mlflow", "quote_in_name", open_(p + " it's") + scr["short"], mlf, server=real)
    add("mlflow", "environment", open_("not used", run_name=s["run_name"]) + scr["short"],
        {**mlf, "MLFLOW_EXPERIMENT_NAME": p + " env", "MLFLOW_TAGS": '{"team": "b"}', "MLFLOW_NESTED_RUN": "true"}, server=real)
    add("mlflow", "resume", open_(p + " resume") + scr["short"] + open_(p + " resume", run_id={"$run": 0}) + scr["short"], mlf, server=real)
    add("mlflow", "same_parameter_twice", open_(p + " twice") + [{"call": "config", "values": {"lr": 1}}, {"call": "config", "values": {"lr": 1}}, {"call": "config", "values": {"lr": 2}}] + FINISH, mlf, server=real)
    more = {f"m{i:04d}": i / 8 for i in range(1001)}
    add("mlflow", "thousand", open_(p + " thousand") + log([{"values": {k: more[k] for k in list(more)[:1000]}, "step": 1}, {"values": more, "step": 2}]) + FINISH, mlf, server=real)
    add("mlflow", "two_runs_open", open_(p + " two") + open_(p + " two") + FINISH, mlf, server=real)
    add("mlflow", "basic_login", open_(p + " login") + FINISH, {**mlf, "MLFLOW_TRACKING_USERNAME": "someone", "MLFLOW_TRACKING_PASSWORD": "dummy"}, server=real)
    add("mlflow", "token", open_(p + " login") + FINISH, {**mlf, "MLFLOW_TRACKING_TOKEN": "dummy"}, server=real)
    add("mlflow", "accelerator", through_accelerator("mlflow", {"lr": 0.5}, s["logs"][:2]), mlf, server=real)
    add("mlflow", "status_500", open_(p) + scr["short"], mlf, server={"kind": "mlflow", "fail": [500, 0, 0]}, limit=60)
    add("mlflow", "status_401", open_(p) + scr["short"], mlf, server={"kind": "mlflow", "fail": [401, 0, 0]}, limit=60)
    add("mlflow", "slow", open_(p) + scr["short"], {**mlf, "MLFLOW_HTTP_REQUEST_TIMEOUT": "1", "MLFLOW_HTTP_REQUEST_MAX_RETRIES": "1"}, server={"kind": "mlflow", "fail": [None, 2.5, 0]}, limit=60)
    add("mlflow", "later_500", open_(p + " later") + scr["short"], {**mlf, "MLFLOW_HTTP_REQUEST_MAX_RETRIES": "1"}, server={"kind": "mlflow", "fail": [500, 0, 4]}, limit=60)
    add("mlflow", "local_default", open_(p) + scr["plain"], {"MLFLOW_DISABLE_TELEMETRY": "true"})
    add("mlflow", "local_files", open_(p) + scr["plain"], {"MLFLOW_DISABLE_TELEMETRY": "true", "MLFLOW_TRACKING_URI": "file:mlruns", "MLFLOW_ALLOW_FILE_STORE": "true"})

    for name in ("plain", "values", "many", "long", "unfinished"):
        add("trackio", name, open_(p) + scr[name])
    add("trackio", "off_main", open_(p) + scr["off_main"], off_main=True)
    add("trackio", "kwargs", open_(p, name=s["run_name"], group=s["group"], config={"before": 1}) + scr["short"], {"TRACKIO_DIR": "elsewhere"})
    add("trackio", "home", open_(p) + scr["short"], {"HF_HOME": "hf"})
    add("trackio", "odd_project", open_(s["odd_project"]) + scr["short"])
    add("trackio", "same_name_twice", open_(p, name=s["run_name"]) + scr["short"] + open_(p, name=s["run_name"]) + scr["short"])
    add("trackio", "resume", open_(p, name=s["run_name"]) + scr["short"] + open_(p, name=s["run_name"], resume="must") + scr["short"])
    add("trackio", "resume_missing", open_(p, name="absent", resume="must") + scr["short"])
    add("trackio", "accelerator", through_accelerator("trackio", {"lr": 0.5}, s["logs"][:2]))

    for name in ("text", "blob"):
        add("trackio", "made_" + name, [], {}, made=name, then={"command": ["python", "-c", TRACKIO_READER], "env": {"TRACKIO_DIR": "home"}})
    com = {"COMET_START_ONLINE": "0", "COMET_DISABLE_AUTO_LOGGING": "1"}
    for name in ("plain", "values", "many", "long", "unfinished"):
        add("comet_ml", name, open_(p) + scr[name], com)
    add("comet_ml", "kwargs", open_(p, workspace="team", online=False, experiment_key="a" * 40) + scr["short"])
    add("comet_ml", "environment", open_(p) + scr["short"], {**com, "COMET_WORKSPACE": "team", "COMET_EXPERIMENT_KEY": "b" * 40, "COMET_OFFLINE_DIRECTORY": "elsewhere", "COMET_PROJECT_NAME": "not used"})
    add("comet_ml", "off_main", open_(p) + scr["off_main"], com, off_main=True)
    cweb = {"COMET_URL_OVERRIDE": "URL/clientlib/", "COMET_API_KEY": KEY, "COMET_DISABLE_AUTO_LOGGING": "1", "COMET_LOGGING_CONSOLE": "ERROR"}
    for name in ("plain", "many", "values"):
        add("comet_ml", "online_" + name, open_(p) + scr[name], cweb, server={"kind": "comet"}, limit=90)
    add("comet_ml", "online_resume", open_(p, experiment_key="c" * 40, mode="get") + scr["short"], cweb, server={"kind": "comet"}, limit=90)
    add("comet_ml", "no_key", open_(p) + scr["short"], {})
    add("comet_ml", "status_401", open_(p) + scr["short"], cweb, server={"kind": "comet", "fail": [401, 0, 0]}, limit=60)
    add("comet_ml", "status_500", open_(p) + scr["short"], {**cweb, "COMET_HTTP_SESSION_RETRY_TOTAL": "1", "COMET_HTTP_SESSION_RETRY_BACKOFF_FACTOR": "1"}, server={"kind": "comet", "fail": [500, 0, 0]}, limit=60)

    cle = {"CLEARML_OFFLINE_MODE": "1"}
    quick = {"auto_connect_frameworks": False, "auto_connect_arg_parser": False, "auto_connect_streams": False, "auto_resource_monitoring": False}
    for name in ("plain", "values", "many", "images", "one_image", "table", "table_no_data", "config_json"):
        add("clearml", name, open_(p, **quick) + scr[name], cle)
    add("clearml", "off_main", open_(p, **quick) + scr["off_main"], cle, off_main=True)
    add("clearml", "environment", open_(p, **quick) + scr["short"], {**cle, "CLEARML_PROJECT": "from variable", "CLEARML_TASK": "task variable"})
    add("clearml", "kwargs", open_(p, task_name=s["run_name"], project_name="group/sub", task_type="testing", tags=s["tags"], **quick) + scr["short"], cle)
    cleb = {"CLEARML_API_HOST": "URL", "CLEARML_WEB_HOST": "URL", "CLEARML_FILES_HOST": "URL/upload", "CLEARML_API_ACCESS_KEY": "dummyaccess", "CLEARML_API_SECRET_KEY": "dummysecret"}
    for name in ("plain", "many", "images", "table", "config_json", "one_image"):
        add("clearml", "online_" + name, open_(p, **quick) + scr[name], cleb, server={"kind": "clearml"}, limit=90)
    add("clearml", "no_key", open_(p, **quick) + scr["short"], {}, limit=60)
    add("clearml", "status_401", open_(p, **quick) + scr["short"], cleb, server={"kind": "clearml", "fail": [401, 0, 0]}, limit=60)

    swa = {"SWANLAB_MODE": "offline"}
    for name in ("plain", "values", "many", "long", "images", "unfinished", "crash", "huge"):
        add("swanlab", name, open_(p) + scr[name], swa)
    add("swanlab", "off_main", open_(p) + scr["off_main"], swa, off_main=True)
    add("swanlab", "kwargs", open_(p, experiment_name=s["run_name"], description=s["notes"], workspace="team", tags=s["tags"], group=s["group"], config={"before": 1}, mode="offline", logdir="elsewhere") + scr["short"])
    add("swanlab", "environment", open_(p) + scr["short"], {**swa, "SWANLAB_WORKSPACE": "team", "SWANLAB_EXP_NAME": s["run_name"], "SWANLAB_LOG_DIR": "elsewhere", "SWANLAB_PROJ_NAME": "not used", "SWANLAB_TAGS": ",".join(s["tags"])})
    add("swanlab", "disabled", open_(p) + scr["short"], {"SWANLAB_MODE": "disabled"})
    add("swanlab", "local", open_(p) + scr["short"], {"SWANLAB_MODE": "local"})
    sweb = {"SWANLAB_API_HOST": "URL/api", "SWANLAB_WEB_HOST": "URL", "SWANLAB_API_KEY": KEY, "SWANLAB_MODE": "cloud"}
    for name in ("plain", "values", "many", "images"):
        add("swanlab", "online_" + name, open_(p) + scr[name], sweb, server={"kind": "swanlab"})
    add("swanlab", "online_resume", open_(p, id="run4", resume="must") + scr["short"], sweb,
        server={"kind": "swanlab", "project_exists": True, "experiment_exists": True, "summaries": {"log": [], "media": [], "scalar": [{"key": "loss", "step": 4}]}})
    for name in MADE_SWANLAB:
        add("swanlab", "made_" + name, [], {}, made=name, then={"command": ["swanlab", "sync", "swanlog/run-20231114_221320-made0001"], "env": {k: v for k, v in sweb.items() if k != "SWANLAB_MODE"}}, server={"kind": "swanlab"})
    add("swanlab", "sync", open_(p) + scr["short"], swa, then={"command": ["sh", "-c", "swanlab sync swanlog/run-*"], "env": {k: v for k, v in sweb.items() if k != "SWANLAB_MODE"}}, server={"kind": "swanlab"})
    add("swanlab", "no_key", open_(p) + scr["short"], {})
    add("swanlab", "status_401", open_(p) + scr["short"], sweb, server={"kind": "swanlab", "fail": [401, 0, 0]}, limit=60)
    add("swanlab", "status_500", open_(p) + scr["short"], sweb, server={"kind": "swanlab", "fail": [500, 0, 0]}, limit=60)
    add("swanlab", "later_500", open_(p) + scr["short"], sweb, server={"kind": "swanlab", "fail": [500, 0, 6]}, limit=60)

    def repository(events):
        return [{**e, "logging_dir": "repository"} if e["call"] == "new" else e for e in events]
    for name in ("plain", "values", "many", "images", "one_image", "config_small"):
        add("aim", name, repository(open_(p) + scr[name]))
    add("aim", "kwargs", repository(open_(p, experiment="an experiment", run_hash="0123456789abcdef01234567") + scr["short"]))
    add("aim", "off_main", repository(open_(p) + scr["off_main"]), off_main=True)

    for name in ("plain", "values", "many", "unfinished", "config_json"):
        add("dvclive", name, open_(p) + scr[name])
    add("dvclive", "kwargs", open_(p, dir="elsewhere", dvcyaml=None, report=None) + scr["short"])
    add("dvclive", "resume", open_(p) + scr["short"] + open_(p, resume=True) + log([{"values": {"loss": 0.25}}, {"values": {"loss": 0.2}, "step": 9}]) + FINISH)
    add("dvclive", "off_main", open_(p) + scr["off_main"], off_main=True)

    def folder(events):
        return [{**e, "logging_dir": "logs"} if e["call"] == "new" else e for e in events]
    for name in ("plain", "values", "config_flat"):
        add("tensorboard", name, folder(open_(p) + scr[name]))
    add("tensorboard", "off_main", folder(open_(p) + scr["off_main"]), off_main=True)
    return out


# ---- files of our own making, given to the packages' own readers

MADE_WANDB = {      # variant -> record kinds, in order
    "minimal": ["run", "history", "history", "exit"], "full": ["header", "run", "config", "history", "history", "summary", "exit"], "no_exit": ["run", "history", "history"],
    "no_run": ["history", "exit"], "no_numbers": ["run", "config", "history", "history", "summary", "exit"], "one_key_per_item": ["run", "history", "exit"], "cut": ["run", "history", "history", "exit"],
}


def made_wandb(variant, s):
    """A .wandb file from nothing: [name of each field that is set]."""
    from wandb.proto import wandb_internal_pb2 as pb
    payloads, step = [], 0
    for n, kind in enumerate(MADE_WANDB[variant], 1):
        r = pb.Record()
        if variant != "no_numbers":
            r.num = n
        if kind == "header":
            r.header.version_info.producer, r.header.version_info.min_consumer = "0.0.1", "0.0.1"
        elif kind == "run":
            r.run.run_id, r.run.project, r.run.display_name = "made0001", s["project"], s["run_name"]
            r.run.start_time.seconds = 1700000000
            if "config" not in MADE_WANDB[variant]:
                r.run.config.update.add(key="lr", value_json="0.5")
        elif kind == "config":
            r.config.update.add(key="lr", value_json="0.5")
            r.config.update.add(nested_key=["model", "layers"], value_json="2")
        elif kind == "history":
            r.history.step.num = step
            for key, value in (("loss", f"{1.5 - step}"), ("_step", str(step)), ("_timestamp", "1700000000.5"), ("_runtime", "1.5")):
                r.history.item.add(**({"key": key} if variant == "one_key_per_item" else {"nested_key": [key]}), value_json=value)
            step += 1
        elif kind == "summary":
            r.summary.update.add(key="loss", value_json="0.5")
        elif kind == "exit":
            r.exit.exit_code, r.exit.runtime = 0, 2
        payloads.append(r.SerializeToString(deterministic=True))
    data = frame(bytes.fromhex("3a572642e1be00"), payloads)
    return data[:-20] if variant == "cut" else data


MADE_SWANLAB = {"minimal": ["start", "column", "scalar", "scalar", "finish"], "with_config": ["start", "config", "column", "scalar", "finish"], "no_column": ["start", "scalar", "finish"],
                "no_finish": ["start", "column", "scalar"], "no_numbers": ["start", "column", "scalar", "scalar", "finish"]}


def made_swanlab(variant, s, folder):
    from swanlab.proto.swanlab.record.v1.record_pb2 import Record
    payloads, n, step = [], 0, 0
    for kind in MADE_SWANLAB[variant]:
        r = Record()
        n += 1
        r.timestamp.seconds = 1700000000 + n
        if kind == "start":
            r.start.project, r.start.name, r.start.id = s["project"], s["run_name"], "made0001"
            r.start.started_at.seconds = 1700000000
        elif kind == "column":
            r.column.column_class, r.column.column_type, r.column.column_key, r.column.section_type = 1, 1, "loss", 1
            names = r.column.DESCRIPTOR.fields_by_name
            r.column.column_class = names["column_class"].enum_type.values_by_name["COLUMN_CLASS_CUSTOM"].number
            r.column.column_type = names["column_type"].enum_type.values_by_name["COLUMN_TYPE_SCALAR"].number
            r.column.section_type = names["section_type"].enum_type.values_by_name["SECTION_TYPE_PUBLIC"].number
        elif kind == "scalar":
            r.scalar.key, r.scalar.step, r.scalar.value.number = "loss", step, 1.5 - step
            r.scalar.type = r.scalar.DESCRIPTOR.fields_by_name["type"].enum_type.values_by_name["COLUMN_TYPE_SCALAR"].number
            r.scalar.timestamp.seconds = 1700000000
            step += 1
        elif kind == "config":
            (folder / "files").mkdir()
            (folder / "files" / "config.yaml").write_text("lr:\n  desc: ''\n  sort: 0\n  value: 0.5\n")
            r.save.name, r.save.source_path = "config", str(folder / "files" / "config.yaml")
            r.save.type = r.save.DESCRIPTOR.fields_by_name["type"].enum_type.values_by_name["SAVE_TYPE_CONFIG"].number
        elif kind == "finish":
            r.finish.state = r.finish.DESCRIPTOR.fields_by_name["state"].enum_type.values_by_name["RUN_STATE_FINISHED"].number
            r.finish.finished_at.seconds = 1700000060
        if variant != "no_numbers":
            r.num = {"start": -1, "finish": -2, "config": -3}.get(kind, n)
        payloads.append(r.SerializeToString(deterministic=True))
    return frame(bytes.fromhex("3a53574cd6e102"), payloads)


def fields_of(message, wanted):
    """The wire format as data: message -> field -> [number, type, repeated]; enums -> name -> number."""
    from google.protobuf.descriptor import FieldDescriptor as F
    kinds_ = {v: k[5:].lower() for k, v in vars(F).items() if k.startswith("TYPE_")}
    out, todo = {}, [message]
    while todo:
        m = todo.pop(0)
        if m.full_name in out or not wanted(m.full_name):
            continue
        out[m.full_name] = {}
        for f in m.fields:
            kind = kinds_[f.type]
            if f.message_type is not None:
                kind = f.message_type.full_name
                todo.append(f.message_type)
            if f.enum_type is not None:
                kind = f.enum_type.full_name
                out[kind] = {v.name: v.number for v in f.enum_type.values}
            repeated = f.is_repeated if hasattr(f, "is_repeated") else f.label == F.LABEL_REPEATED
            out[m.full_name][f.name] = [f.number, kind] + (["repeated"] if repeated else [])
    return out


def write_fields(out):
    from swanlab.proto.swanlab.record.v1.record_pb2 import Record as S
    from wandb.proto import wandb_internal_pb2 as pb
    keep = {"Record", "HeaderRecord", "VersionInfo", "RunRecord", "ConfigRecord", "ConfigItem", "HistoryRecord", "HistoryItem", "HistoryStep", "SummaryRecord", "SummaryItem", "FilesRecord", "FilesItem", "RunExitRecord",
            "_RecordInfo", "Control", "Timestamp", "SettingsRecord"}
    files_ = {"wandb": fields_of(pb.Record.DESCRIPTOR, lambda n: n.split(".")[-1] in keep), "swanlab": fields_of(S.DESCRIPTOR, lambda n: True)}
    (out / "files").mkdir(parents=True, exist_ok=True)
    for name, value in files_.items():
        lines = ",\n".join(f"  {json.dumps(k)}: {json.dumps(v)}" for k, v in value.items())
        (out / "files" / f"{name}-fields.json").write_text("{\n" + lines + "\n}\n")


def write_made(job, work, s):
    tracker, variant = job["tracker"], job["made"]
    if tracker == "swanlab":
        folder = work / "swanlog" / "run-20231114_221320-made0001"
        folder.mkdir(parents=True)
        data = made_swanlab(variant, s, folder)
        (folder / "run-made0001.swanlab").write_bytes(data)
        if variant == "minimal":
            job["bytes"] = data.hex()
    if tracker == "wandb":
        folder = work / "wandb" / "offline-run-20231114_221320-made0001"
        folder.mkdir(parents=True)
        (folder / "run-made0001.wandb").write_bytes(made_wandb(variant, s))
        if variant == "minimal":
            job["bytes"] = made_wandb(variant, s).hex()
    if tracker == "trackio":
        (work / "home").mkdir()
        with sqlite3.connect(work / "home" / "made.db") as c:
            c.execute("CREATE TABLE metrics (id INTEGER PRIMARY KEY AUTOINCREMENT, run_id TEXT NOT NULL, timestamp TEXT NOT NULL, run_name TEXT NOT NULL, step INTEGER NOT NULL, metrics TEXT NOT NULL, log_id TEXT, space_id TEXT)")
            c.execute("CREATE TABLE configs (id INTEGER PRIMARY KEY AUTOINCREMENT, run_id TEXT NOT NULL, run_name TEXT NOT NULL, config TEXT NOT NULL, created_at TEXT NOT NULL, UNIQUE(run_id))")
            for i, m in enumerate(['{"loss":1.5,"nan":"NaN"}', '{"loss":1.25}']):
                m = m.encode() if variant == "blob" else m
                c.execute("INSERT INTO metrics (run_id, timestamp, run_name, step, metrics) VALUES (?, ?, ?, ?, ?)", ("a" * 32, f"2023-11-14T22:13:2{i}+00:00", "made run", i, m))
            config = '{"_Username":null,"_Created":"2023-11-14T22:13:20+00:00","_Group":null,"lr":0.5}'
            c.execute("INSERT INTO configs (run_id, run_name, config, created_at) VALUES (?, ?, ?, ?)", ("a" * 32, "made run", config.encode() if variant == "blob" else config, "2023-11-14T22:13:20+00:00"))


TRACKIO_READER = r"""
import json
from trackio.sqlite_storage import SQLiteStorage as S
import trackio, sqlite3
out = {"projects": sorted(S.get_projects()), "runs": S.get_runs("made"), "logs": S.get_logs("made", "made run"), "config": S.get_run_config("made", "made run")}
r = trackio.init(project="made", name="another run"); trackio.log({"x": 1}); trackio.finish()
out["runs_after_another"] = S.get_runs("made")
def plain(v):
    if isinstance(v, float) and v != v: return "nan"
    if isinstance(v, dict): return {k: plain(x) for k, x in v.items()}
    if isinstance(v, (list, tuple)): return [plain(x) for x in v]
    return v if isinstance(v, (str, int, float, bool, type(None))) else repr(v)
print("RESULT" + json.dumps(plain(out)))
"""


# ---- running one case

class Real:
    """A real MLflow server, started once, behind the recorder."""
    started = None

    def __init__(self):
        self.folder = tempfile.mkdtemp(prefix="mlflow")
        with socket.socket() as s:
            s.bind(("127.0.0.1", 0))
            port = s.getsockname()[1]
        env = {**os.environ, "MLFLOW_DISABLE_TELEMETRY": "true", "HOME": self.folder}
        self.process = subprocess.Popen([sys.executable, "-m", "mlflow", "server", "--host", "127.0.0.1", "--port", str(port), "--workers", "1", "--backend-store-uri",
                                         f"sqlite:///{self.folder}/server.db", "--artifacts-destination", f"{self.folder}/artifacts"],
                                        cwd=self.folder, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        self.url = f"http://127.0.0.1:{port}"
        answer = forward(self.url)
        for _ in range(240):
            try:
                if answer({"headers": {}, "method": "GET", "raw_path": "/health", "raw": b""})[0] == 200:
                    break
            except OSError:
                time.sleep(0.5)
        self.answer = answer

    @classmethod
    def get(cls):
        if cls.started is None:
            cls.started = cls()
        return cls.started

    @classmethod
    def stop(cls):
        if cls.started:
            os.killpg(cls.started.process.pid, 15)
            cls.started.process.wait(20)
            shutil.rmtree(cls.started.folder, ignore_errors=True)


def run(job):
    folder = pathlib.Path(tempfile.mkdtemp(prefix="case")).resolve()
    home = folder / "home"
    work = folder / "work"
    home.mkdir()
    work.mkdir()
    shutil.copy(HERE / "tracker_child.py", work / "train.py")
    server = None
    if "server" in job:
        given = dict(job["server"])
        kind, fail = given.pop("kind"), given.pop("fail", None)
        state = dict(given)
        answer = Real.get().answer if kind == "mlflow" else getattr(tracker_fakes, kind)(state)
        if fail:
            answer = tracker_fakes.failing(answer, fail[0], fail[1], fail[2])
        server = Server(answer)
        state["url"] = server.url

    def environment(extra):
        env = {"PATH": f"{pathlib.Path(sys.executable).parent}:/usr/bin:/bin", "HOME": str(home), "CUDA_VISIBLE_DEVICES": "", "HF_HUB_OFFLINE": "1", "NO_PROXY": "127.0.0.1",
               "GIT_CEILING_DIRECTORIES": str(folder.parent), "PYTHONWARNINGS": "ignore", "OMP_NUM_THREADS": "1"}
        env.update({k: v.replace("URL", server.url) if server else v for k, v in extra.items()})
        return env
    (folder / "job.json").write_text(json.dumps({k: v for k, v in job.items() if k != "spec"}))
    began = time.time()
    try:
        if job.get("made"):
            write_made(job, work, job["spec"])
            raise StopIteration
        done = subprocess.run([sys.executable, "train.py", str(folder / "job.json"), str(folder / "outcome.json")], cwd=work, env=environment(job["env"]), capture_output=True,
                              text=True, timeout=job.get("limit", 120))
        code, text = done.returncode, done.stdout + done.stderr
    except StopIteration:
        code, text = 0, ""
    except subprocess.TimeoutExpired as e:
        code, text = "timeout", ((e.stdout or b"") + (e.stderr or b"")).decode("utf-8", "replace")
    then = None
    if "then" in job:
        if server:
            server.take()
        done = subprocess.run(job["then"]["command"], cwd=work, env=environment(job["then"]["env"]), capture_output=True, text=True, timeout=100)
        then = {"exit": done.returncode}
        if "RESULT" in done.stdout:
            then["read"] = json.loads(done.stdout.split("RESULT", 1)[1].splitlines()[0])
        elif job.get("made"):
            then["says"] = [line for line in (done.stdout + done.stderr).splitlines() if "WARN" in line or "rror" in line][:3]
        text += done.stdout + done.stderr
    outcome = json.loads((folder / "outcome.json").read_text()) if (folder / "outcome.json").exists() else None
    if server:
        time.sleep(0.2)
    result = {"folder": folder, "work": work, "home": home, "code": code, "text": text, "outcome": outcome, "seconds": time.time() - began, "then": then,
              "requests": server.take() if server else None, "url": server.url if server else None}
    if server:
        server.close()
    return result


# ---- making it comparable

HOST = socket.gethostname()
HEX32, HEX40 = re.compile(r"\b[0-9a-f]{32}\b"), re.compile(r"\b[0-9a-f]{40}\b")
ISO = re.compile(r"\b20\d\d-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z|\+00:00)?")
UUID = re.compile(r"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b")


class Scrub:
    """Replaces what differs from run to run: folders, host, server, times, ids (numbered as they come)."""

    def __init__(self, result, more=()):
        self.ids, self.keep = {}, set()
        self.plain = [(str(result["work"]), "FOLDER"), (str(result["home"]), "HOME"), (str(result["folder"]), "TEMP"), (sys.prefix, "PYTHON")]
        self.plain += [(str(pathlib.Path(sys.executable)), "PYTHON")]
        if result["url"]:
            self.plain += [(result["url"], "URL"), (result["url"].split("//")[1], "HOSTPORT"), (result["url"].split(":")[-1], "PORT")]
        if Real.started:
            self.plain += [(Real.started.folder, "SERVER"), (Real.started.url, "URL")]
        self.more = [(re.compile(a), b) for a, b in more]
        self.words = {}

    def named(self, prefix):
        def sub(match):
            text = match.group(0)
            if text in self.keep:
                return text
            return self.ids.setdefault(text, f"{prefix}{len(self.ids)}")
        return sub

    def name(self, value, word):
        """This value of the run is called `word` from now on."""
        if value:
            self.words[value] = word

    def text(self, t):
        for a, b in self.words.items():
            t = t.replace(a, b)
        for a, b in self.plain:
            t = t.replace(a, b)
        t = "HOST" if t == HOST else re.sub(rf"@{re.escape(HOST)}\b", "@HOST", t)
        for a, b in self.more:
            t = a.sub(b, t)
        t = UUID.sub(self.named("ID"), t)
        t = HEX40.sub(self.named("ID"), t)
        t = HEX32.sub(self.named("ID"), t)
        return ISO.sub("TIME", t)

    def __call__(self, v, times=("timestamp", "local_timestamp", "start_time", "end_time", "create_time", "createdAt", "finishedAt", "localTimestamp", "timeMillis", "stop_time")):
        if isinstance(v, str):
            return self.text(v)
        if isinstance(v, dict):
            return {self.text(str(k)): ("TIME" if k in times and x is not None and not isinstance(x, (dict, list)) else self(x, times)) for k, x in v.items()}
        if isinstance(v, (list, tuple)):
            return [self(x, times) for x in v]
        return v


def seconds_of(result):
    """Only for failing servers: how long the caller waited."""
    return {str(i): round(o["seconds"]) for i, o in enumerate(result["outcome"] or []) if o["seconds"] > 2}


def outcomes(result, scrub):
    """What each call did: only what is not "fine, silent"."""
    rows = []
    for i, o in enumerate(result["outcome"] or []):
        row = {"event": i, "call": o["call"]}
        if "error" in o:
            row["error"] = {"type": o["error"]["type"], "message": scrub(o["error"]["message"])[:300]}
        if o["warnings"]:
            row["warnings"] = [[k, scrub(t)[:240]] for k, t in o["warnings"]]
        if len(row) > 2:
            if rows and row.get("error") and rows[-1].get("error") == row["error"] and rows[-1]["call"] != "new" and "warnings" not in row:
                rows[-1].setdefault("same_error_at", []).append(i)
                continue
            rows.append(row)
    return rows


def files(root, keep=lambda p: True):
    root = pathlib.Path(root)
    return sorted(p.relative_to(root).as_posix() for p in root.rglob("*") if (p.is_file() or p.is_symlink()) and keep(p.relative_to(root).as_posix()))


def requests(result, scrub, skip=lambda r: False, headers=("authorization", "cookie", "content-encoding"), body=None, answers=False):
    rows = []
    for r in result["requests"] or []:
        if skip(r):
            continue
        row = {"method": r["method"], "path": scrub(r["path"])}
        if r["query"]:
            row["query"] = scrub(r["query"])
        kind = (r["headers"].get("Content-Type") or "").split(";")[0]
        if kind and kind != "application/json":
            row["content_type"] = kind
        for k, v in r["headers"].items():
            if k.lower() in headers:
                row.setdefault("headers", {})[k.lower()] = scrub(v)
        if r["body"] is not None:
            row["body"] = scrub(body(r) if body else r["body"])
        row["status"] = r.get("status")
        if answers:
            if "answer" not in r:                # the client had gone before the answer
                rows.append(row)
                continue
            try:
                row["answer"] = scrub(json.loads(r["answer"]))
            except ValueError:
                row["answer"] = scrub(r["answer"].decode("utf-8", "replace"))[:400]
        rows.append(row)
    return rows


# ---- log files of W&B and SwanLab: LevelDB's log format with plain CRC-32

BLOCK = 32768


def unframe(data):
    at, out, part = 7, [], b""
    while at + 7 <= len(data):
        room = BLOCK - at % BLOCK
        if room < 7:
            at += room
            continue
        crc, n, kind = struct.unpack("<IHB", data[at:at + 7])
        body = data[at + 7:at + 7 + n]
        assert zlib.crc32(bytes([kind]) + body) == crc, at
        part = body if kind in (1, 2) else part + body
        if kind in (1, 4):
            out.append(part)
        at += 7 + n
    return out


def frame(head, payloads):
    out = bytearray(head)
    for p in payloads:
        first = True
        while True:
            room = BLOCK - len(out) % BLOCK
            if room < 7:
                out += bytes(room)
                room = BLOCK
            piece, p = p[:room - 7], p[room - 7:]
            kind = (1 if first else 4) if not p else (2 if first else 3)
            out += struct.pack("<IHB", zlib.crc32(bytes([kind]) + piece), len(piece), kind) + piece
            first = False
            if not p:
                break
    return bytes(out)


def kinds(data):
    """Chunk kinds in order, to show where records were cut."""
    at, out = 7, []
    while at + 7 <= len(data):
        room = BLOCK - at % BLOCK
        if room < 7:
            at += room
            continue
        _, n, kind = struct.unpack("<IHB", data[at:at + 7])
        out.append([at, kind, n])
        at += 7 + n
    return out


# ---- one reader per tracker

def items_of(message):
    rows = [[list(i.nested_key) or [i.key], i.value_json] for i in message]
    return sorted(rows, key=lambda r: r[0])


def wandb_records(data, scrub):
    from google.protobuf.json_format import MessageToDict
    from wandb.proto import wandb_internal_pb2 as pb
    payloads = unframe(data)
    assert frame(data[:7], payloads) == data, "framing"
    rows, skipped, summary, config = [], collections.Counter(), {}, {}
    quiet = ("_timestamp", "_runtime", "_wandb")
    for payload in payloads:
        r = pb.Record.FromString(payload)
        kind = r.WhichOneof("record_type")
        if kind in ("telemetry", "environment", "stats", "output_raw", "output", "files", "header", "preempting") and kind != "files":
            skipped[kind] += 1
            continue
        row = {"type": kind}
        if kind == "history":
            row["step"] = r.history.step.num
            row["items"] = [x for x in items_of(r.history.item) if x[0][0] not in quiet]
            row["always"] = sorted({x[0][0] for x in items_of(r.history.item)} & set(quiet))
        elif kind == "summary":
            row["update"] = [x for x in items_of(r.summary.update) if x[0][0] not in quiet]
            if r.summary.remove:
                row["remove"] = items_of(r.summary.remove)
            for key, value in items_of(r.summary.update):
                summary[json.dumps(key)] = value
            if not row["update"]:
                skipped["summary of times only"] += 1
                continue
        elif kind == "config":
            row["update"] = items_of(r.config.update)
            for key, value in row["update"]:
                config[json.dumps(key)] = value
        elif kind == "run":
            d = MessageToDict(r.run, preserving_proto_field_name=True)
            d.pop("telemetry", None)
            d.pop("start_time", None)
            d["config"] = items_of(r.run.config.update)
            row.update(d)
            for key, value in d["config"]:
                config[json.dumps(key)] = value
        elif kind == "files":
            row["files"] = [x.path for x in r.files.files]
        elif kind == "exit":
            row["exit_code"] = r.exit.exit_code
        else:
            row.update({"artifact_type" if k == "type" else k: v for k, v in MessageToDict(getattr(r, kind), preserving_proto_field_name=True).items()})
            for k in ("client_id", "sequence_client_id"):
                row.pop(k, None)
        rows.append(row)
    final = {k: v for k, v in summary.items() if json.loads(k)[0] not in quiet}
    return {"records": scrub(rows), "left_out": dict(skipped), "final_summary": [[json.loads(k), v] for k, v in sorted(scrub(final).items())],
            "final_config": [[json.loads(k), v] for k, v in sorted(scrub(config).items())]}


CLIENT = re.compile(r"wandb-client-artifact://[0-9a-z]{100,}")


def read_wandb(result, job, out):
    scrub = Scrub(result, [(CLIENT.pattern, "wandb-client-artifact://CLIENT"), (r"offline-run-\d{8}_\d{6}-", "offline-run-DATE-"), (r"\brun-\d{8}_\d{6}-", "run-DATE-"), (r"tmp[0-9a-z_]{8}\b", "TMP"), (r"core-debug-\d{8}_\d{6}", "core-debug-DATE"),
                           (r'"_(timestamp|runtime)\\?": ?[0-9.e+]+', r'"_\1":TIME'), (r"\b[a-z]+-[a-z]+-\d+\b", "RANDOM-NAME")])
    expected = {}
    places = sorted(result["work"].glob("**/*.wandb"))
    if places:
        run = places[0].stem[4:]
        if run not in ("run5", "run7", "run8", "run9", "made0001"):
            scrub.name(run, "RUN")
        data = places[0].read_bytes()
        if job.get("made") != "cut":
            expected["header"] = data[:7].hex()
            expected.update(wandb_records(data, scrub))
        if job["case"] == "huge":
            expected["chunks"] = kinds(data)[:3] and [k for k in kinds(data) if k[1] != 1]
            for row in expected["records"] + expected["final_config"]:
                pass
    elif result["requests"]:
        for r in result["requests"]:
            m = re.search(r"/files/someone/[^/]+/([^/]+)/file_stream", r["path"])
            if m and m.group(1) not in ("run5", "run9"):
                scrub.name(m.group(1), "RUN")
    expected["files"] = [scrub(f) for f in files(result["work"], lambda f: f != "train.py" and not f.startswith("note"))]
    links = {scrub(p.relative_to(result["work"]).as_posix()): scrub(os.readlink(p)) for p in result["work"].rglob("*") if p.is_symlink()}
    if links:
        expected["links"] = links
    for table in result["work"].glob("**/media/table/*.json"):
        expected.setdefault("tables", {})[scrub(table.name)] = json.loads(table.read_text())
    if result["requests"]:
        def skip(r):
            return "otel" in r["path"] or "OrganizationCoreWeave" in json.dumps(r["body"])[:3000]

        def body(r):
            b = r["body"]
            if isinstance(b, dict) and "query" in b:
                given = {k: v for k, v in (b.get("variables") or {}).items() if v is not None}
                for key in ("config", "summaryMetrics"):
                    if isinstance(given.get(key), str):
                        try:
                            given[key] = json.loads(given[key])
                        except ValueError:
                            pass
                if isinstance(given.get("config"), dict):
                    given["config"].pop("_wandb", None)
                return {"operation": b.get("operationName"), "variables": given}
            if isinstance(b, dict) and "files" in b:
                for name, f in b["files"].items():
                    if isinstance(f, dict) and "content" in f:
                        if name in ("wandb-events.jsonl", "output.log"):
                            f["content"] = f"{len(f['content'])} lines"
                        else:
                            f["content"] = [dict(sorted((k, v) for k, v in json.loads(line).items() if k != "_wandb")) if line.startswith("{") else line for line in f["content"]]
                return b
            if r["path"].startswith("/upload"):
                return "a file"
            return b
        expected["requests"] = requests(result, scrub, skip, body=body)
        for row in expected["requests"]:
            for name, f in ((row.get("body") or {}) if isinstance(row.get("body"), dict) else {}).get("files", {}).items() if isinstance((row.get("body") or {}), dict) and isinstance((row.get("body") or {}).get("files"), dict) else []:
                for line in f.get("content", []) if isinstance(f.get("content"), list) else []:
                    if isinstance(line, dict):
                        line.pop("_timestamp", None), line.pop("_runtime", None)
        expected["requests"] = merge_streams(expected["requests"])
        expected["queries"] = sorted({r["body"]["operationName"] for r in result["requests"] if isinstance(r["body"], dict) and r["body"].get("operationName")})
    if job["case"] in ("plain", "huge") and out is not None:
        sample_wandb(places[0].read_bytes(), out / "files" / f"wandb-{job['case']}.wandb")
    return expected, scrub


def merge_streams(rows):
    """How many lines go into one post depends on the clock: one entry for all posts to file_stream, at the place of the last."""
    merged, out = {}, []
    for row in rows:
        h = row.get("headers", {})
        if h.get("authorization", "").startswith("Basic "):
            assert base64.b64decode(h["authorization"].split()[1]) == f"api:{KEY}".encode()
            h["authorization"] = "Basic base64(api:KEY)"
        if not row["path"].endswith("/file_stream"):
            out.append(row)
            continue
        out = [x for x in out if x is not merged.get("row")]
        body = row.get("body") if isinstance(row.get("body"), dict) else {}
        if "row" in merged:
            whole = merged["row"]["body"]
            for name, f in body.get("files", {}).items():
                if name == "wandb-history.jsonl" and name in whole["files"]:
                    assert f["offset"] == len(whole["files"][name]["content"]) + whole["files"][name]["offset"]
                    whole["files"][name]["content"] += f["content"]
                else:
                    whole["files"][name] = f
            whole.update({k: v for k, v in body.items() if k != "files"})
        else:
            merged["row"] = {**row, "body": {"files": {}, **body}}
        out.append(merged["row"])
    return out


def sample_wandb(data, path):
    """The file again without this machine in it: the same records less the ones about the machine, with fixed names and times."""
    from wandb.proto import wandb_internal_pb2 as pb
    path.parent.mkdir(parents=True, exist_ok=True)
    payloads, n = [], 0
    for payload in unframe(data):
        r = pb.Record.FromString(payload)
        kind = r.WhichOneof("record_type")
        if kind in ("telemetry", "environment", "stats", "output_raw", "files"):
            continue
        n += 1
        r.num = n
        if r.HasField("control"):
            r.control.mailbox_slot = ""
        stream = getattr(r, "_info", None)
        r._info.stream_id = "sample00" if stream is not None else ""
        if kind == "run":
            r.run.ClearField("telemetry")
            r.run.run_id, r.run.host = "sample00", "host"
            r.run.start_time.seconds, r.run.start_time.nanos = 1700000000, 0
        for part, fields in (("history", "item"), ("summary", "update")):
            if kind == part:
                message = getattr(getattr(r, part), fields)
                rows = sorted(message, key=lambda i: (list(i.nested_key), i.key))
                copies = [type(rows[0]).FromString(i.SerializeToString()) for i in rows] if rows else []
                del message[:]
                for i in copies:
                    name = (list(i.nested_key) or [i.key])[-1]
                    if name == "_timestamp":
                        i.value_json = "1700000000.5"
                    if name in ("_runtime", "runtime"):
                        i.value_json = "1"
                    message.append(i)
        payloads.append(r.SerializeToString(deterministic=True))
    path.write_bytes(frame(data[:7], payloads))


def sql(path):
    with sqlite3.connect(path) as c:
        return [[n, re.sub(r"\s+", " ", t)] for n, t in c.execute("select name, sql from sqlite_master where sql is not null and name not like 'sqlite_%' order by name")]


def rows_of(path, table):
    with sqlite3.connect(path) as c:
        cursor = c.execute(f'select * from "{table}"')
        names = [d[0] for d in cursor.description]
        return [dict(zip(names, [x.decode() if isinstance(x, bytes) else x for x in row])) for row in cursor]


def read_mlflow(result, job, out):
    scrub = Scrub(result, [(r"(?<=experiment_id=)\d+", "EXPERIMENT"), (r"(?<=/artifacts/)\d+(?=/)", "EXPERIMENT"), (r"\b\d{18}\b", "EXPERIMENT"), (r"\b[a-z]+-[a-z]+-\d+\b", "RANDOM-NAME")])
    expected = {}
    if result["requests"] is not None:
        experiment = None
        for r in result["requests"]:
            if r["path"].endswith("/experiments/create") and r.get("status") == 200:
                experiment = json.loads(r["answer"])["experiment_id"]
        def body(r):
            b = json.loads(json.dumps(r["body"]))
            if isinstance(b, dict):
                if b.get("experiment_id", "0") != "0":
                    b["experiment_id"] = "EXPERIMENT"
                if "tags" in b and any(t["key"] == "mlflow.user" for t in b["tags"]):
                    b["tags"] = sorted(([t["key"], {"mlflow.source.git.commit": "COMMIT", "mlflow.user": "USER"}.get(t["key"], t["value"])] for t in b["tags"]))
                if "user_id" in b:
                    b["user_id"] = "USER"
            return b
        rows = requests(result, scrub, body=body, answers=True)
        for row in rows:
            if row["status"] == 200 and row["path"].rsplit("/", 1)[-1] in ("log-batch", "search", "get", "update", "create", "set-tag", "log-metric"):
                row["answer_fields"] = sorted(row.pop("answer")) if isinstance(row.get("answer"), dict) else None
        expected["requests"] = rows
    else:
        store = result["work"] / "mlflow.db"
        if store.exists():
            tables = ["experiments", "runs", "params", "metrics", "latest_metrics", "tags", "alembic_version"]
            expected["create_table"] = {t: [text for n, text in sql(store) if n == t][0] for t in tables}
            with sqlite3.connect(store) as c:
                expected["table_names"] = [n for n, in c.execute("select name from sqlite_master where type='table' and name not like 'sqlite_%' order by name")]
            expected["rows"] = {t: scrub([{k: ("TIME" if "time" in k and isinstance(v, int) and v > 10 ** 9 else "USER" if k == "user_id" or (t == "tags" and r.get("key") == "mlflow.user" and k == "value") else v) for k, v in r.items()} for r in rows_of(store, t)]) for t in tables}
        expected["files"] = sorted({scrub(re.sub(r"mlruns/[^.][^/]*/", lambda m: m.group(0) if m.group(0) == "mlruns/0/" else "mlruns/EXPERIMENT/", f)) for f in files(result["work"], lambda f: f != "train.py")})
        content = {}
        for f in files(result["work"] / "mlruns") if (result["work"] / "mlruns").exists() else []:
            text = (result["work"] / "mlruns" / f).read_text("utf-8", "replace")
            f2 = scrub(re.sub(r"^[^/]{18}/", "EXPERIMENT/", f))
            if "/metrics/" in f:
                text = re.sub(r"(?m)^\d{13} ", "TIME ", text)
            if "mlflow.user" in f:
                text = "USER"
            if f.endswith("meta.yaml"):
                text = re.sub(r"(time|_time|user_id): .*", r"\1: TIME", text)
            content[f2] = scrub(text)
        if content:
            expected["contents"] = content
    return expected, scrub


def read_trackio(result, job, out):
    scrub = Scrub(result, [(r"\b[a-z]+-[a-z]+-\d+\b", "RANDOM-NAME")])
    expected = {"files": [scrub(f) for f in files(result["folder"], lambda f: f.endswith((".db", ".lock", ".parquet", ".json")) and f not in ("job.json", "outcome.json"))]}
    found = sorted(p for p in result["folder"].rglob("*.db"))
    for db in found:
        key = scrub(db.relative_to(result["folder"]).as_posix())
        tables = {}
        with sqlite3.connect(db) as c:
            expected["stored_as"] = {f"{t}.{f}": sorted({x for x, in c.execute(f"select typeof({f}) from {t}")}) for t, f in (("metrics", "metrics"), ("metrics", "timestamp"), ("configs", "config"))}
        with sqlite3.connect(db) as c:
            names = [n for n, in c.execute("select name from sqlite_master where type='table' and name not like 'sqlite_%' order by name")]
            expected["user_version"], expected["journal_mode"] = c.execute("pragma user_version").fetchone()[0], c.execute("pragma journal_mode").fetchone()[0]
        for t in names:
            rows = rows_of(db, t)
            if t == "system_metrics":
                rows = f"{len(rows)} rows"
            else:
                rows = [{**r, **{k: json.loads(r[k]) for k in ("metrics", "config") if isinstance(r.get(k), str)}} for r in rows]
                for r in rows:
                    if isinstance(r.get("log_id"), str):
                        r["log_id"] = "LOG-ID"
            if rows:
                tables[t] = scrub(rows)
        expected.setdefault("tables", {})[key] = tables
        if job["case"] == "plain":
            expected["schema"] = sql(db)
    return expected, scrub


COMET_SKIP = ("standard_output", "os_packages", "installed_packages", "system_details", "file_name", "file_upload", "upload_file", "git_metadata", "log_dependency", "cloud_details", "optimization_status", "model_graph", "htmloverride", "html", "system_info", "file-path")


def merge_batches(rows):
    """How the values are cut into batches depends on the clock: one entry per path, at the place of the first."""
    out, first = [], {}
    for row in rows:
        if "/batch/" in row["path"] and row["path"] in first and row["status"] == 200:
            first[row["path"]]["body"]["values"] += row["body"]["values"]
            continue
        if "/batch/" in row["path"]:
            first[row["path"]] = row
        out.append(row)
    for row in first.values():
        row["body"]["values"] = [v for v in row["body"]["values"] if v.get("metricName") != "process duration"]
    return out


def read_comet_ml(result, job, out):
    scrub = Scrub(result, [(r"-[A-Za-z0-9]{6}\.zip", "-RANDOM.zip")])
    for k in "abc":
        scrub.keep.add(k * 40)
    expected = {"files": [scrub(f) for f in files(result["work"], lambda f: f != "train.py")]}
    for z in result["work"].glob("**/*.zip"):
        with zipfile.ZipFile(z) as f:
            names = f.namelist()
            expected["zip"] = sorted(n if n in ("messages.json", "experiment.json") else "TMP" for n in names)
            about = json.loads(f.read("experiment.json"))
            expected["experiment.json"] = scrub(about)
            rows, left = [], collections.Counter()
            for line in f.read("messages.json").decode().splitlines():
                m = json.loads(line)
                payload = m["payload"]
                name = (payload.get("metric") or {}).get("metricName") or (payload.get("param") or {}).get("paramName") or ""
                if m["type"] in COMET_SKIP or name.startswith(("sys.", "run_arg", "process duration")):
                    left[m["type"]] += 1
                    continue
                payload.pop("message_id", None)
                if m["type"] == "log_other" and payload.get("key") in ("sys.already_imported_modules",):
                    continue
                rows.append(m)
            expected["messages"], expected["left_out"] = scrub(rows), dict(left)
    if result["requests"] is not None:
        def skip(r):
            return any(x in r["path"] for x in ("system-details", "asset/upload", "file-path", "experiment/output", "3d-limits", "health/ping", "experiment/metadata", "notification/", "notify/event")) \
                or "sys.already_imported" in json.dumps(r["body"] or "")

        def body(r):
            b = json.loads(json.dumps(r["body"]))
            if isinstance(b, dict) and isinstance(b.get("values"), list):
                b["values"] = [v for v in b["values"] if not str(v.get("parameterName", v.get("metricName"))).startswith(("run_arg", "sys."))]
            return b
        expected["requests"] = merge_batches(r for r in requests(result, scrub, skip, body=body) if not (isinstance(r.get("body"), dict) and r["body"].get("values") == []))
        expected["left_out"] = dict(collections.Counter(r["path"] for r in result["requests"] if skip(r)))
    return expected, scrub


def read_clearml(result, job, out):
    scrub = Scrub(result, [(r"offline-[0-9a-f]{32}", "TASK"), (r"CLEARML VERSION", "CLEARML VERSION")])
    expected = {}
    home = result["home"] / ".clearml"
    expected["files"] = [scrub(f) for f in files(home, lambda f: not f.startswith(".session") and "vcs" not in f and "venv" not in f)]
    for z in home.glob("cache/offline/*.zip"):
        with zipfile.ZipFile(z) as f:
            expected["zip"] = sorted(scrub(n) for n in f.namelist())
            for name in f.namelist():
                if name == "task.json":
                    task = json.loads(f.read(name))
                    for k in ("offline_folder",):
                        task.pop(k, None)
                    task["script"] = sorted(task.get("script", {}))
                    expected["task.json"] = scrub(task)
                elif name == "metrics.jsonl":
                    expected["metrics.jsonl"] = scrub([json.loads(line) for line in f.read(name).decode().splitlines() if line.strip()])
                elif name == "log.jsonl":
                    expected["log_lines"] = "left out"
    if result["requests"] is not None:
        def skip(r):
            b = r["body"]
            return (r["path"].endswith("add_batch") and isinstance(b, dict) and b.get("type") == "log") or r["path"].endswith(("tasks.get_by_id", "tasks.get_all", "set_requirements", "projects.get_by_id"))

        def body(r):
            b = json.loads(json.dumps(r["body"]))
            if isinstance(b, dict) and isinstance(b.get("text"), str) and r["path"].endswith("add_batch"):
                return [json.loads(line) for line in b["text"].splitlines() if line.strip()]
            if isinstance(b, dict) and r["path"].endswith("add_batch"):
                return [b]
            if isinstance(b, dict):
                for k in ("script", "runtime"):
                    if k in b:
                        b[k] = sorted(b[k])
                if "comment" in b:
                    b["comment"] = "COMMENT"
            return b
        rows = requests(result, scrub, skip, body=body, headers=("authorization", "content-encoding", "x-clearml-act-as", "x-clearml-client"))
        for row in rows:
            h = row.get("headers", {})
            if h.get("authorization", "").startswith("Basic "):
                h["authorization"] = "Basic (access key:secret key)"
            if h.get("authorization", "").startswith("Bearer "):
                h["authorization"] = "Bearer (token of auth.login)"
        expected["requests"] = [r for r in rows if not (isinstance(r.get("body"), list) and all(e.get("type") == "log" for e in r["body"]))]
        expected["left_out"] = dict(collections.Counter(r["path"] for r in result["requests"] if skip(r)))
    return expected, scrub


def tidy_swanlab(expected):
    """Numbers of records count console lines too, and how often the configuration is sent depends on the clock."""
    for row in expected.get("records", []) if isinstance(expected.get("records"), list) else []:
        if row.get("num", 0) > 0:
            row.pop("num")
    rows = expected.get("requests")
    if isinstance(rows, list):
        profiles = [r for r in rows if r["path"].endswith("/profile") and r["status"] == 200]
        expected["requests"] = [r for r in rows if r not in profiles[:-1]]
    if isinstance(expected.get("config.yaml"), str) and len(expected["config.yaml"]) > 4000:
        text = expected["config.yaml"]
        expected["config.yaml"] = {"bytes": len(text.encode()), "begins": text[:200], "sha256": hashlib.sha256(text.encode()).hexdigest()}
    return expected


def read_swanlab(result, job, out):
    scrub = Scrub(result, [(r"run-\d{8}_\d{6}-", "run-DATE-"), (r"console/\d{4}-\d\d-\d\d", "console/DATE"), (r"#[0-9a-f]{6}\b", "#COLOUR"), (r"\b[a-z]+-[a-z]+-\d+\b", "RANDOM-NAME"), (r"TIME\.\d+Z", "TIME")])
    expected = {}
    places = sorted(result["work"].glob("**/*.swanlab"))
    if places:
        from google.protobuf.json_format import MessageToDict
        from swanlab.proto.swanlab.record.v1.record_pb2 import Record
        run = places[0].stem[4:]
        if run not in ("run4", "made0001"):
            scrub.name(run, "RUN")
        data = places[0].read_bytes()
        expected["header"] = data[:7].hex()
        payloads = unframe(data)
        assert frame(data[:7], payloads) == data, "framing"
        rows, left = [], collections.Counter()
        for payload in payloads:
            r = Record.FromString(payload)
            kind = next((f.name for f, _ in r.ListFields() if f.name not in ("num", "timestamp")), None)
            if kind in ("log",):
                left[kind] += 1
                continue
            d = MessageToDict(r, preserving_proto_field_name=True, always_print_fields_with_no_presence=False)
            d.pop("timestamp", None)
            rows.append({"type": kind, "num": r.num, **{k: v for k, v in d.items() if k not in ("num",)}})
        expected["records"] = scrub(rows, times=("timestamp", "started_at", "finished_at"))
        expected["left_out"] = dict(left)
        if job["case"] == "huge":
            expected["chunks"] = [k for k in kinds(data) if k[1] != 1]
        config = places[0].parent / "files" / "config.yaml"
        if config.exists():
            expected["config.yaml"] = scrub(config.read_text())
    elif result["requests"]:
        for r in result["requests"]:
            if r["path"].endswith("/experiment") and (r["body"] or {}).get("cuid") not in (None, "run4", "made0001"):
                scrub.name(r["body"]["cuid"], "RUN")
    if places and result["requests"]:
        for r in result["requests"]:
            if r["path"].endswith("/experiment") and (r["body"] or {}).get("cuid") not in (None, "run4", "made0001", *scrub.words):
                scrub.name(r["body"]["cuid"], "NEW-RUN")
    expected["files"] = [scrub(f) for f in files(result["work"], lambda f: f != "train.py")]
    if result["requests"] is not None:
        def skip(r):
            return r["path"].endswith("heartbeat") or (isinstance(r["body"], dict) and (r["body"].get("type") == "log" or "metadata" in r["body"] or "requirements" in r["body"]))
        rows = requests(result, scrub, skip)
        for row in rows:
            if (row.get("headers") or {}).get("authorization"):
                row["headers"]["authorization"] = "(the key, without a scheme)"
        expected["requests"] = rows
    return tidy_swanlab(expected), scrub


AIM_READER = r"""
import sys, json
from aim import Repo, Run
repo, out = Repo.from_path(sys.argv[1]), []
for key in repo.list_all_runs():
    run = Run(key, repo=repo, system_tracking_interval=None, capture_terminal_logs=False)
    row = {"name": run.name, "experiment": run.experiment, "metrics": [], "images": []}
    try:
        row["params"] = json.loads(json.dumps(run["hparams"], default=repr))
    except KeyError:
        row["params"] = None
    for m in run.metrics():
        if not m.name.startswith("__system__"):
            row["metrics"].append([m.name, m.context.to_dict(), [[step, value[0]] for step, value in m.data.items()]])
    try:
        contexts = run.meta_run_tree.collect("traces")
    except KeyError:
        contexts = {}
    row["images"] = sorted(name for traces in contexts.values() for name, about in traces.items() if "image" in str(about))
    out.append(row)
print("RESULT" + json.dumps(out))
"""


def read_aim(result, job, out):
    scrub = Scrub(result, [(r"\b[0-9a-f]{24}\b", "RUN")])
    expected = {"files": sorted({re.sub(r"check_ins/.*", "check_ins/...", scrub(f)) for f in files(result["work"], lambda f: f != "train.py")})}
    repository = result["work"] / "repository"
    if repository.exists():
        done = subprocess.run([sys.executable, "-c", AIM_READER, str(repository)], capture_output=True, text=True, timeout=90, env={**os.environ, "HOME": str(result["home"])})
        if "RESULT" in done.stdout:
            runs = json.loads(done.stdout.split("RESULT", 1)[1])
            for r in runs:
                r["metrics"].sort()
            expected["runs"] = scrub(runs)
        else:
            expected["reader_error"] = scrub(done.stderr.strip().splitlines()[-1] if done.stderr.strip() else "")
    return expected, scrub


def read_dvclive(result, job, out):
    scrub = Scrub(result)
    expected = {"files": files(result["work"], lambda f: f != "train.py"), "contents": {}}
    for f in expected["files"]:
        text = (result["work"] / f).read_text("utf-8", "replace")
        if f.endswith(".tsv") and text.startswith("timestamp"):
            text = re.sub(r"(?m)^\d{13}\t", "TIME\t", text)
        expected["contents"][f] = scrub(text)
    if len(expected["contents"]) > 60:
        names = sorted(expected["contents"])
        expected["contents"] = {n: expected["contents"][n] for n in names[:2] + [x for x in names if not x.endswith(".tsv")]}
    return expected, scrub


def read_tensorboard(result, job, out):
    import tb_events

    def short(name):
        return re.sub(r"\d{10}\.\d+(?=/)", "TIME", re.sub(r"tfevents\..*", "tfevents.TIME.HOST.PID.N", name))
    scrub = Scrub(result)
    expected = {"files": [short(scrub(f)) for f in files(result["work"], lambda f: f != "train.py")], "events": {}}
    for path in sorted((result["work"] / "logs").rglob("events.out*")) if (result["work"] / "logs").exists() else []:
        good, _, why = tb_events.records(path.read_bytes())
        events, _ = tb_events.describe_events(good)
        name = short(path.relative_to(result["work"]).as_posix())
        expected["events"].setdefault(name, []).extend([{k: v for k, v in e.items() if k not in ("wall_time", "offset", "length")} for e in events])
    for path in sorted(result["work"].rglob("hparams.yml")):
        expected["hparams.yml"] = path.read_text()
    return expected, scrub


READ = {"wandb": read_wandb, "mlflow": read_mlflow, "trackio": read_trackio, "comet_ml": read_comet_ml, "clearml": read_clearml, "swanlab": read_swanlab, "aim": read_aim, "dvclive": read_dvclive,
        "tensorboard": read_tensorboard}


def shorten(v, limit=300):
    """Long texts are given by length and hash, long lists by length and ends; the whole follows from the input."""
    if isinstance(v, list) and len(v) > 150:
        return {"$list": len(v), "first": shorten(v[:2], limit), "last": shorten(v[-2:], limit),
                "sha256": hashlib.sha256(json.dumps(v, sort_keys=True, separators=(",", ":")).encode()).hexdigest()}
    if isinstance(v, str) and len(v) > limit + 40:
        return {"$long": len(v), "begins": v[:60], "sha256": hashlib.sha256(v.encode()).hexdigest()}
    if isinstance(v, dict):
        return {k: x if k in ("schema", "contents", "create_table", "config.yaml") else shorten(x, limit) for k, x in v.items()}
    if isinstance(v, list):
        return [shorten(x, limit) for x in v]
    return v


def references():
    out = {}
    for p in PACKAGES:
        try:
            out[p] = importlib.metadata.version(p).split("+")[0]
        except importlib.metadata.PackageNotFoundError:
            pass
    return out


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--out", default=str(HERE.parent / "trackers"))
    parser.add_argument("--spec")
    parser.add_argument("--only", default="")
    args = parser.parse_args()
    spec = {**DEFAULT, **(json.loads(pathlib.Path(args.spec).read_text()) if args.spec else {})}
    out = pathlib.Path(args.out)
    out.mkdir(parents=True, exist_ok=True)
    word, _, one = args.only.partition("/")
    if word in ("", "wandb", "swanlab") and not args.spec:
        write_fields(out)
    all_cases = [c for c in cases(spec) if c[0].startswith(word) and c[1].startswith(one) and not any(c[1].startswith(x) for x in spec.get("leave_out", []))]
    made = collections.defaultdict(dict)
    try:
        for tracker, name, job in all_cases:
            job["case"], job["spec"] = name, spec
            result = run(job)
            try:
                expected, scrub = READ[tracker](result, job, out)
            except Exception as e:
                if os.environ.get("TRACKER_TRACE"):
                    raise
                print("!!", tracker, name, repr(e), result["text"][-800:])
                continue
            told = outcomes(result, scrub)
            if told:
                expected["outcomes"] = told
            if "fail" in job.get("server", {}):
                expected["about_seconds"] = seconds_of(result)
            expected["exit"] = result["code"]
            if result["then"]:
                expected["then"] = scrub(result["then"])
            given = {k: job[k] for k in ("env", "events", "server", "then", "off_main", "made", "bytes") if job.get(k)}
            if job.get("made") and tracker == "trackio":
                given["then"] = {"command": ["the package's own reader, then another run into the same file"], "env": job["then"]["env"]}
            made[tracker][name] = {"id": name, "input": given, "expected": shorten(clean(expected))}
            if os.environ.get("TRACKER_TEXT"):
                print(result["text"][-3000:])
            shutil.rmtree(result["folder"], ignore_errors=True)
            print(f"{tracker:12s} {name:22s} {result['seconds']:5.1f} s, exit {result['code']}, {len(json.dumps(made[tracker][name]['expected']))} bytes", flush=True)
    finally:
        Real.stop()
    for tracker, rows in made.items():
        path = out / f"{tracker}.json"
        if one and path.exists():
            old = {c["id"]: c for c in json.loads(path.read_text())["cases"]}
            rows = {**old, **rows}
        head = json.dumps({"topic": "trackers/" + tracker, "reference": references()})[:-1]
        path.write_text(f'{head}, "cases": [\n' + ",\n".join(json.dumps(c, ensure_ascii=False, allow_nan=False) for c in rows.values()) + "\n]}\n")
        print(path.name, path.stat().st_size)


if __name__ == "__main__":
    main()
