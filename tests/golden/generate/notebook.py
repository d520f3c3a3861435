# SPDX-License-Identifier: GPL-3.0-or-later
"""What accelerate's notebook_launcher and debug_launcher do: GPUs, Colab and Kaggle are stand-ins, torch's launchers keep what they get.

    python generate/notebook.py [--out FILE] [--inputs FILE] [--check N]

Input: call, arguments, env, situation (gpus, colab, jupyter, mps, rocm, p2p, device_type, accelerator_exists, imported modules, function_fails, test_error and
child_error raised by a child, run_for_real, fails_on_rank). Expected: direct_calls, elastic_launch (LaunchConfig and environment), start_processes, xla_spawn,
prints, error, environment_after, ranks (environment and state that each process saw, with run_for_real).
"""
import json
import pathlib
import re
import shutil
import socket
import subprocess
import sys
import tempfile

import common

NOTEBOOK = r'''
import json, os, sys, types, io, contextlib, warnings, dataclasses
warnings.simplefilter("ignore")
case = json.load(open(sys.argv[1]))
situation = case.get("situation", {})
out = {"direct_calls": []}
import torch
devices = situation.get("gpus", 0)
if situation.get("fake_gpus", True):
    torch.cuda.is_available = lambda: devices > 0
    torch.cuda.device_count = lambda: devices
if situation.get("colab"):
    m = types.ModuleType("IPython")
    m.get_ipython = lambda: "<google.colab._shell.Shell object>"
    sys.modules["IPython"] = m
if situation.get("jupyter"):
    m = types.ModuleType("IPython")
    m.get_ipython = lambda: "<ipykernel.zmqshell.ZMQInteractiveShell object>"
    sys.modules["IPython"] = m
if situation.get("imported"):
    for n in situation["imported"]:
        sys.modules[n] = types.ModuleType(n)
from accelerate import launchers, Accelerator
import accelerate.launchers as L
if situation.get("mps"):
    L.is_mps_available = lambda: True
L.get_gpu_info = lambda: (["card"] * devices, devices)
if "p2p" in situation:
    L.check_cuda_p2p_ib_support = lambda: situation["p2p"]
else:
    L.check_cuda_p2p_ib_support = lambda: True
if situation.get("rocm"):
    L.is_rocm_available = lambda: True
if situation.get("device_type"):
    L.get_current_device_type = lambda: tuple(situation["device_type"])
if situation.get("accelerator_exists"):
    Accelerator(cpu=True)
before = dict(os.environ)
def delta():
    return {k: v for k, v in sorted(os.environ.items()) if before.get(k) != v}
def direct(*args):
    out["direct_calls"].append({"args": list(args), "env": delta()})
    if situation.get("function_fails"):
        raise ValueError("the function failed")
    return "returned"
real = situation.get("run_for_real")
if not real:
    import torch.distributed.launcher.api as api
    class Launch:
        def __init__(self, config, entrypoint):
            c = {k: v for k, v in dataclasses.asdict(config).items() if k in ("min_nodes", "max_nodes", "nproc_per_node", "run_id", "rdzv_endpoint", "rdzv_backend", "rdzv_configs", "max_restarts", "monitor_interval", "start_method", "log_line_prefix_template", "role", "numa_options")}
            out["elastic_launch"] = {"config": c, "entrypoint_is_function": entrypoint is direct}
        def __call__(self, *args):
            out["elastic_launch"]["args"] = list(args)
            out["elastic_launch"]["env"] = delta()
            if situation.get("child_error"):
                from torch.multiprocessing.spawn import ProcessRaisedException
                raise ProcessRaisedException(situation["child_error"], 0, 1234)
    api.elastic_launch = Launch
    import torch.multiprocessing as mp
    def start(f, args=(), nprocs=1, start_method=None, **k):
        out.setdefault("start_processes", []).append({"function": getattr(f.launcher, "__name__", "?"), "distributed_type": str(f.distributed_type), "debug": f.debug, "args": list(args), "nprocs": nprocs, "start_method": start_method, "env": {k: ("FILE" if "RDV_FILE" in k else v) for k, v in delta().items()}})
        if situation.get("test_error"):
            from torch.multiprocessing.spawn import ProcessRaisedException
            raise ProcessRaisedException(situation["test_error"], 0, 1234)
    mp.start_processes = start
    x = types.ModuleType("torch_xla"); x.distributed = types.ModuleType("torch_xla.distributed"); y = types.ModuleType("torch_xla.distributed.xla_multiprocessing")
    def spawn(f, args=(), **k):
        out["xla_spawn"] = {"function_is_given": f.launcher is direct, "distributed_type": str(f.distributed_type), "args": list(args), **k, "env": delta()}
    y.spawn = spawn; x.distributed.xla_multiprocessing = y
    sys.modules.update({"torch_xla": x, "torch_xla.distributed": x.distributed, "torch_xla.distributed.xla_multiprocessing": y})
def child(folder, fail=None):
    names = ("RANK", "LOCAL_RANK", "WORLD_SIZE", "LOCAL_WORLD_SIZE", "MASTER_ADDR", "MASTER_PORT", "FORK_LAUNCHED", "ACCELERATE_MIXED_PRECISION", "ACCELERATE_USE_CPU", "MIXED_PRECISION", "NPROC", "NODE_RANK", "GROUP_RANK", "ROLE_RANK", "TORCHELASTIC_RESTART_COUNT", "TORCHELASTIC_MAX_RESTARTS", "TORCHELASTIC_RUN_ID", "GLOO_SOCKET_IFNAME", "OMP_NUM_THREADS")
    row = {k: os.environ[k] for k in names if k in os.environ}
    from accelerate.state import PartialState
    try:
        s = PartialState(cpu=True)
        row["state"] = [str(s.distributed_type), s.num_processes, s.process_index, str(s.device), str(s.backend)]
    except Exception as e:
        row["state_error"] = type(e).__name__ + ": " + str(e)[:200]
    with open(os.path.join(folder, "rank-%s-%d.json" % (row.get("RANK", "none"), os.getpid())), "w") as f:
        json.dump(row, f)
    if fail is not None and row.get("state", [0, 0, 0])[2] == fail:
        raise ValueError("the function failed")
said = io.StringIO()
try:
    kwargs = dict(case.get("arguments", {}))
    if real:
        os.mkdir("ranks")
        kwargs["args"] = ("ranks",) + ((situation["fails_on_rank"],) if "fails_on_rank" in situation else ())
    elif "args" in kwargs:
        kwargs["args"] = tuple(kwargs["args"])
    with contextlib.redirect_stdout(said):
        out["returned"] = getattr(launchers, case["call"])(child if real else direct, **kwargs)
except BaseException as e:
    out["error"] = {"type": type(e).__name__, "message": str(e)[:900]}
out["prints"] = said.getvalue().splitlines()
out["environment_after"] = {k: v for k, v in delta().items()}
if real:
    rows = [json.load(open(os.path.join("ranks", f))) for f in sorted(os.listdir("ranks"))]
    out["ranks"] = sorted(rows, key=lambda r: str(r.get("RANK", "")) + str(r.get("state")))
    out.pop("direct_calls")
json.dump(out, open(sys.argv[2], "w"))
'''


def cases():
    N, D = "notebook_launcher", "debug_launcher"
    two = {"gpus": 2}

    def c(name, arguments=None, situation=None, env=None, call=N):
        return name, {"call": call, **({"arguments": arguments} if arguments else {}), **({"situation": situation} if situation else {}), **({"env": env} if env else {})}
    return [
        c("no-number"), c("no-number-two-gpus", None, two), c("one", {"num_processes": 1}), c("one-gpu", {"num_processes": 1, "args": [1, "x"]}, {"gpus": 1}), c("one-mps", {"num_processes": 1}, {"mps": True}),
        c("zero", {"num_processes": 0}), c("negative", {"num_processes": -1}), c("one-function-fails", {"num_processes": 1}, {"function_fails": True}),
        c("two", {"num_processes": 2, "args": [1, "x"]}, two), c("two-on-cpu", {"num_processes": 2}), c("four-on-two-gpus", {"num_processes": 4}, two),
        c("two-bf16", {"num_processes": 2, "mixed_precision": "bf16"}, two), c("upper-case-precision", {"num_processes": 2, "mixed_precision": "FP16"}, two), c("unknown-precision", {"num_processes": 2, "mixed_precision": "int4"}, two),
        c("port-number", {"num_processes": 2, "use_port": "29601", "master_addr": "10.0.0.5"}, two), c("nodes", {"num_processes": 2, "num_nodes": 3, "node_rank": 1, "master_addr": "10.0.0.5"}, two),
        c("node-rank-too-high", {"num_processes": 2, "num_nodes": 2, "node_rank": 2}, two), c("node-rank-too-high-one-process", {"num_processes": 1, "num_nodes": 1, "node_rank": 1}),
        c("c10d", {"num_processes": 2, "rdzv_backend": "c10d", "rdzv_endpoint": "10.0.0.5:29400", "rdzv_id": "job", "rdzv_conf": {"timeout": 60}}, two), c("c10d-no-endpoint", {"num_processes": 2, "rdzv_backend": "c10d"}, two),
        c("static-endpoint", {"num_processes": 2, "rdzv_endpoint": "10.0.0.7:1234"}, two), c("restarts", {"num_processes": 2, "max_restarts": 3, "monitor_interval": 1.5, "log_line_prefix_template": "[${rank}]: "}, two),
        c("accelerator-exists", {"num_processes": 2}, {"gpus": 2, "accelerator_exists": True}), c("accelerator-exists-one-process", {"num_processes": 1}, {"accelerator_exists": True}),
        c("bitsandbytes-imported", {"num_processes": 2}, {"gpus": 2, "imported": ["bitsandbytes"]}), c("bitsandbytes-imported-one-process", {"num_processes": 1}, {"imported": ["bitsandbytes"]}),
        c("consumer-cards", {"num_processes": 2}, {"gpus": 2, "p2p": False}), c("rocm", {"num_processes": 2}, {"gpus": 2, "rocm": True}), c("xpu", {"num_processes": 2}, {"device_type": ["xpu", "MULTI_XPU"]}),
        c("npu", {"num_processes": 2}, {"device_type": ["npu", "MULTI_NPU"]}), c("debug-mode", {"num_processes": 2}, two, {"ACCELERATE_DEBUG_MODE": "true"}), c("debug-mode-number", {"num_processes": 2}, two, {"ACCELERATE_DEBUG_MODE": "1"}),
        c("debug-mode-cuda-touched", {"num_processes": 2}, {"gpus": 2, "test_error": "RuntimeError: Cannot re-initialize CUDA in forked subprocess"}, {"ACCELERATE_DEBUG_MODE": "true"}),
        c("debug-mode-other-error", {"num_processes": 2}, {"gpus": 2, "test_error": "something else"}, {"ACCELERATE_DEBUG_MODE": "true"}),
        c("cuda-touched", {"num_processes": 2}, {"gpus": 2, "child_error": "RuntimeError: Cannot re-initialize CUDA in forked subprocess"}), c("child-error", {"num_processes": 2}, {"gpus": 2, "child_error": "KeyError: 'x'"}),
        c("colab-cpu", None, {"colab": True}), c("colab-cpu-two-wanted", {"num_processes": 2}, {"colab": True}), c("colab-one-gpu", {"num_processes": 2}, {"colab": True, "gpus": 1}), c("colab-two-gpus", {"num_processes": 2}, {"colab": True, "gpus": 2}),
        c("colab-two-gpus-no-number", None, {"colab": True, "gpus": 2}), c("colab-tpu", None, {"colab": True}, {"TPU_NAME": "grpc://x"}), c("colab-tpu-pjrt", {"num_processes": 4}, {"colab": True}, {"PJRT_DEVICE": "TPU"}),
        c("colab-pjrt-cpu", {"num_processes": 1}, {"colab": True}, {"PJRT_DEVICE": "CPU"}), c("colab-tpu-accelerator-exists", None, {"colab": True, "accelerator_exists": True}, {"TPU_NAME": "x"}),
        c("kaggle-cpu", {"num_processes": 1}, None, {"KAGGLE_KERNEL_RUN_TYPE": "Interactive"}), c("kaggle-cpu-no-number", None, None, {"KAGGLE_KERNEL_RUN_TYPE": "Interactive"}), c("kaggle-two-gpus", {"num_processes": 2}, two, {"KAGGLE_KERNEL_RUN_TYPE": "Batch"}),
        c("kaggle-tpu", None, None, {"KAGGLE_URL_BASE": "x", "TPU_NAME": "x"}), c("kaggle-hides-colab", {"num_processes": 1}, {"colab": True}, {"KAGGLE_CONTAINER_NAME": "x"}), c("kaggle-empty-variable", None, None, {"KAGGLE_X": "", "PJRT_DEVICE": "TPU"}),
        c("jupyter", {"num_processes": 2}, {"jupyter": True, "gpus": 2}), c("jupyter-tpu-variable", {"num_processes": 1}, {"jupyter": True}, {"TPU_NAME": "x"}), c("world-size-set", {"num_processes": 2}, two, {"WORLD_SIZE": "9", "MASTER_PORT": "1"}),
        c("debug-launcher", None, None, None, D), c("debug-launcher-three", {"num_processes": 3, "args": [1, "x"]}, None, None, D), c("debug-launcher-accelerator-exists", None, {"accelerator_exists": True}, None, D),
        c("debug-launcher-one", {"num_processes": 1}, None, None, D), c("debug-launcher-run", {"num_processes": 2}, {"run_for_real": True}, None, D), c("debug-launcher-run-fails", {"num_processes": 2}, {"run_for_real": True, "fails_on_rank": 1}, None, D),
        c("notebook-run-on-cpu", {"num_processes": 2, "use_port": "PORT"}, {"run_for_real": True}), c("notebook-run-on-cpu-bf16", {"num_processes": 2, "use_port": "PORT", "mixed_precision": "bf16"}, {"run_for_real": True}),
        c("notebook-run-fails", {"num_processes": 2, "use_port": "PORT"}, {"run_for_real": True, "fails_on_rank": 1}),
    ]


def run_notebook(case):
    folder = pathlib.Path(tempfile.mkdtemp(prefix="notebook")).resolve()
    given = json.loads(json.dumps(case))
    port = None
    if given.get("arguments", {}).get("use_port") == "PORT":
        with socket.socket() as x:
            x.bind(("127.0.0.1", 0))
            port = str(x.getsockname()[1])
        given["arguments"]["use_port"] = port
    (folder / "notebook.py").write_text(NOTEBOOK)
    (folder / "job.json").write_text(json.dumps(given))
    env = {"PATH": "/usr/bin:/bin", "HOME": str(folder), "HF_HUB_OFFLINE": "1", "CUDA_VISIBLE_DEVICES": "", "PYTHONWARNINGS": "ignore", "OMP_NUM_THREADS": "1", **case.get("env", {})}
    done = subprocess.run([sys.executable, "notebook.py", "job.json", "out.json"], cwd=folder, env=env, capture_output=True, text=True, timeout=150)
    if not (folder / "out.json").exists():
        raise RuntimeError(done.stderr[-2000:])
    text = (folder / "out.json").read_text()
    out = json.loads(text.replace(str(folder), "FOLDER").replace(str(port), "PORT") if port else text.replace(str(folder), "FOLDER"))
    shutil.rmtree(folder, ignore_errors=True)
    if "error" in out:
        m = out["error"]["message"]
        m = re.sub(r"time      : .*|host      : .*|pid: \d+|\(pid: \d+\)|error_file: .*", lambda x: x.group(0).split(":")[0] + ": …", m)
        m = re.sub(r"/tmp/torchelastic_\w+\S*", "TEMP", m).replace(sys.prefix, "PYTHON")
        out["error"]["message"] = "\n".join(l for l in m.splitlines() if "site-packages" not in l)[:500]
    for row in out.get("ranks", []):
        row.pop("OMP_NUM_THREADS", None)
    (out.get("environment_after") or {}).pop("TORCHINDUCTOR_CACHE_DIR", None)
    return {k: v for k, v in out.items() if v not in ([], {}, None)}


if __name__ == "__main__":
    common.main("notebook", cases(), run_notebook)
