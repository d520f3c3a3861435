# SPDX-License-Identifier: GPL-3.0-or-later
"""What `accelerate launch` with TPU settings and `accelerate tpu-config` really start: gcloud is a script that keeps its arguments, torch_xla a stand-in.

    python generate/tpu.py [--out FILE] [--inputs FILE] [--check N]

Input: program (launch or tpu-config), flags, config (settings.yaml), files of the working folder, gcloud_exit. Expected: command, the arguments of gcloud;
calls, of torch_xla: spawn (function, sys.argv, environment) or xla_dist (the options handed to its launcher of pods); prints; error.
"""
import argparse
import contextlib
import io
import json
import os
import pathlib
import sys
import tempfile
import types
from unittest import mock

import common

SETUP = 'pip install x==1.0\necho "two  blanks"\n\nexport A=b\n'
SCRIPT = "import sys\ndef train():\n    print('trained', sys.argv)\ndef other():\n    pass\n"
COMMANDS = ["echo 'hello world'", "ls -la /tmp"]
POD = (
    "compute_environment: LOCAL_MACHINE\ndistributed_type: XLA\nnum_processes: 8\nnum_machines: 1\nmixed_precision: bf16\nmain_training_function: train\n"
    "tpu_name: a-tpu\ntpu_zone: us-central1-a\ntpu_use_cluster: true\ntpu_use_sudo: false\ntpu_vm: [vm-1, vm-2]\ntpu_env: [A=1, 'B=two words']\n"
    f"commands: {json.dumps(COMMANDS)}\ndowncast_bf16: 'no'\nuse_cpu: false\n"
)
LOCAL = POD.replace("tpu_use_cluster: true", "tpu_use_cluster: false")


def inputs():
    name, zone = ["--tpu_name", "a-tpu"], ["--tpu_zone", "us-central1-a"]
    commands = [word for command in COMMANDS for word in ("--command", command)]
    setup = {"setup.sh": SETUP}

    def config(case_id, flags, **rest):
        return f"config-{case_id}", {"program": "tpu-config", "flags": flags, **rest}

    def launch(case_id, flags, **rest):
        return f"launch-{case_id}", {"program": "launch", "flags": flags, "files": {"train_tpu.py": SCRIPT}, **rest}

    yield config("commands", name + zone + commands)
    yield config("debug", name + zone + commands + ["--debug"])
    yield config("several-words", name + zone + ["--command", "echo", "a b", "--command", "ls"])
    yield config("file-of-commands", name + zone + ["--command_file", "setup.sh"], files=setup)
    yield config("both", name + zone + ["--command_file", "setup.sh"] + commands, files=setup)
    yield config("install", name + zone + commands + ["--install_accelerate"])
    for case_id, version in (("dev", "dev"), ("version", "0.34.2"), ("bad-version", "newest")):
        yield config(f"install-{case_id}", name + zone + commands + ["--install_accelerate", "--accelerate_version", version])
    yield config("alpha", name + zone + commands + ["--use_alpha"])
    yield config("from-settings", [], config=POD)
    yield config("from-settings-with-flags", ["--tpu_name", "other", "--command", "date"], config=POD)
    yield config("settings-with-command-file", [], config=POD.replace("downcast", "command_file: setup.sh\ndowncast"), files=setup)
    yield config("no-commands", name + zone)
    yield config("no-name", zone + commands)
    yield config("no-zone-debug", name + commands + ["--debug"])
    yield config("missing-file", name + zone + ["--command_file", "absent.sh"])
    yield config("gcloud-fails", name + zone + commands, gcloud_exit=3)
    yield launch("local", ["train_tpu.py", "--lr", "0.1"], config=LOCAL)
    yield launch("local-flags", ["--tpu", "--num_processes", "8", "--main_training_function", "train", "train_tpu.py"])
    yield launch("local-no-function", ["--tpu", "--num_processes", "8", "--main_training_function", "absent", "train_tpu.py"])
    yield launch("local-function-not-given", ["--tpu", "--num_processes", "8", "train_tpu.py"])
    yield launch("local-module", ["--module", "train_tpu"], config=LOCAL)
    yield launch("local-no-python", ["--no_python", "train_tpu.py"], config=LOCAL)
    yield launch("local-bf16-flag", ["--mixed_precision", "bf16", "train_tpu.py"], config=LOCAL)
    yield launch("local-downcast", ["--downcast_bf16", "train_tpu.py"], config=LOCAL)
    yield launch("local-debug", ["--debug", "train_tpu.py"], config=LOCAL)
    yield launch("pod", ["train_tpu.py", "--lr", "0.1", "--name", "two words"], config=POD)
    yield launch("pod-sudo-flag", ["--tpu", "--tpu_cluster", "--tpu_use_sudo", "train_tpu.py"], config=POD)
    yield launch("pod-sudo-in-settings", ["train_tpu.py"], config=POD.replace("tpu_use_sudo: false", "tpu_use_sudo: true"))
    yield launch("pod-env-flag", ["--env", "C=3", "--vm", "vm-9", "train_tpu.py"], config=POD)
    yield launch("pod-no-settings", ["--tpu", "--tpu_cluster", "--num_processes", "8", "--main_training_function", "train", "train_tpu.py"])
    yield launch("pod-debug", ["--debug", "train_tpu.py"], config=POD)
    yield launch("pod-module", ["--module", "train_tpu"], config=POD)


def xla_parser():
    """The options of torch_xla's launcher of pods."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--tpu", type=str, required=True)
    parser.add_argument("--vm", action="append", type=str)
    parser.add_argument("--docker-container", default="", type=str)
    parser.add_argument("--docker-image", default="", type=str)
    parser.add_argument("--docker-run-flag", action="append", type=str)
    parser.add_argument("--conda-env", default="", type=str)
    parser.add_argument("--env", action="append", type=str)
    parser.add_argument("--restart-tpuvm-pod-server", action="store_true")
    parser.add_argument("--tpuvm-server-port", default=51011, type=int)
    parser.add_argument("--positional", nargs="+", type=str)
    return parser


def stand_in(calls, folder, base):
    """torch_xla with a spawn and a launcher of pods that keep what they are given."""

    def spawn(function, args=(), **options):
        kind = {"function": function.launcher.__name__, "distributed_type": str(function.distributed_type), "args": list(args), **options}
        changed = {name: value for name, value in os.environ.items() if base.get(name) != value}
        calls.append({"spawn": kind, "argv": [word.replace(folder, "FOLDER") for word in sys.argv], "env": changed})

    names = ("torch_xla", "torch_xla.distributed", "torch_xla.distributed.xla_multiprocessing", "torch_xla.distributed.xla_dist")
    modules = {name: types.ModuleType(name) for name in names}
    distributed = modules["torch_xla"].distributed = modules["torch_xla.distributed"]
    distributed.xla_multiprocessing = modules["torch_xla.distributed.xla_multiprocessing"]
    distributed.xla_dist = modules["torch_xla.distributed.xla_dist"]
    distributed.xla_multiprocessing.spawn = spawn
    distributed.xla_dist.get_args_parser = xla_parser
    distributed.xla_dist.resolve_and_execute = lambda flags: calls.append({"xla_dist": dict(sorted(vars(flags).items()))})
    return modules


def expected(case):
    from accelerate.commands import launch, tpu
    from accelerate.commands.config import config_args
    from accelerate.utils import launch as launch_utils

    out, calls = {}, []
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as stack:
        folder = os.path.realpath(folder)
        stack.callback(os.chdir, os.getcwd())
        os.chdir(folder)
        argv, path, loaded = list(sys.argv), list(sys.path), set(sys.modules)
        base = {"PATH": f"{folder}/bin:/usr/bin:/bin", "HOME": folder}
        stack.enter_context(mock.patch.dict(os.environ, base, clear=True))
        os.mkdir("bin")
        gcloud = pathlib.Path("bin/gcloud")
        gcloud.write_text(
            f"#!{sys.executable}\nimport json, sys\njson.dump(sys.argv, open('{folder}/gcloud.json', 'w'))\nsys.exit({case.get('gcloud_exit', 0)})\n"
        )
        gcloud.chmod(0o755)
        for name, text in case.get("files", {}).items():
            pathlib.Path(name).write_text(text)
        flags = list(case["flags"])
        for module in (launch, config_args, tpu):
            stack.enter_context(mock.patch.object(module, "default_config_file", os.path.join(folder, "absent.yaml")))
        if case.get("config"):
            pathlib.Path("settings.yaml").write_text(case["config"])
            flags = ["--config_file", "settings.yaml"] + flags
        said = stack.enter_context(contextlib.redirect_stdout(io.StringIO()))
        stack.enter_context(contextlib.redirect_stderr(io.StringIO()))
        stack.enter_context(mock.patch.dict(sys.modules, stand_in(calls, folder, base)))
        for module in (launch, launch_utils):
            stack.enter_context(mock.patch.object(module, "is_torch_xla_available", lambda **_: True))
        stack.enter_context(mock.patch.object(launch.logger, "warning", lambda *_, **__: None))
        try:
            if case["program"] == "launch":
                launch.launch_command(launch.launch_command_parser().parse_args(flags))
            else:
                tpu.tpu_command_launcher(tpu.tpu_command_parser().parse_args(flags))
        except SystemExit as error:
            out["error"] = {"type": "SystemExit", "code": error.code}
        except Exception as error:
            out["error"] = {"type": type(error).__name__, "message": str(error).replace(folder, "FOLDER")}
        finally:
            sys.argv, sys.path[:] = argv, path
            for name in set(sys.modules) - loaded:
                if name.startswith("train_tpu"):
                    del sys.modules[name]
        if os.path.exists("gcloud.json"):
            out["command"] = ["gcloud"] + json.loads(pathlib.Path("gcloud.json").read_text())[1:]
        if calls:
            out["calls"] = calls
        out["prints"] = said.getvalue().replace(folder, "FOLDER").splitlines()
    return out


if __name__ == "__main__":
    common.main("tpu", inputs, expected)
