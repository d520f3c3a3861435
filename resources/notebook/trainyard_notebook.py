# SPDX-License-Identifier: GPL-3.0-or-later
"""Training from a notebook: runs a function on several ranks through `trainyard launch`, with live curves.

    from trainyard_notebook import notebook_launcher
    notebook_launcher(training_loop, (model_name,), num_processes=2)

Arguments and errors are those of accelerate's notebook_launcher and debug_launcher. The ranks are forks of this process,
so that the function sees the variables of the notebook; `trainyard launch` watches, restarts and logs them like those of
a program. Needs Python 3.9 and the program `trainyard` (in PATH, or named by the variable TRAINYARD), nothing else.
"""
import array
import asyncio
import html
import json
import os
import pathlib
import re
import selectors
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time
import traceback

__all__ = ["LaunchError", "debug_launcher", "notebook_launcher"]

_PRECISIONS = ("no", "fp16", "bf16", "fp8")
_HEADER = struct.Struct("!I")


class LaunchError(RuntimeError):
    """The ranks failed. `rank` and `traceback` are those of the first that did, `run_folder` has the logs."""

    def __init__(self, message, rank=None, traceback_text="", run_folder=None):
        super().__init__(message)
        self.rank, self.traceback, self.run_folder = rank, traceback_text, run_folder


# --- where the notebook runs ------------------------------------------------------------------------------------------


def _torch():
    """torch, if it can be imported; the check for GPUs does not touch them, so that ranks can be forked afterwards."""
    os.environ.setdefault("PYTORCH_NVML_BASED_CUDA_CHECK", "1")
    try:
        import torch
        return torch
    except ImportError:
        return None


def _gpus():
    torch = _torch()
    return torch.cuda.device_count() if torch is not None and torch.cuda.is_available() else 0


def _device_kind():
    """cuda, xpu, npu, mps or cpu."""
    state = sys.modules.get("accelerate.state")
    if state is not None and hasattr(state, "PartialState") and not _gpus():
        for kind in ("xpu", "npu", "mlu", "musa", "sdaa"):
            check = getattr(sys.modules.get("accelerate.utils"), f"is_{kind}_available", None)
            if check is not None and check():
                return kind
    torch = _torch()
    if _gpus():
        return "cuda"
    if torch is not None and hasattr(torch, "xpu") and torch.xpu.is_available():
        return "xpu"
    if torch is not None and torch.backends.mps.is_available():
        return "mps"
    return "cpu"


def _ipython():
    shell = sys.modules.get("IPython")
    return shell.get_ipython() if shell is not None else None


def _hosted():
    """"kaggle", "colab" or nothing."""
    if any(name.startswith("KAGGLE") for name in os.environ):
        return "kaggle"
    return "colab" if "google.colab" in str(type(_ipython()).__module__) else None


def _accelerator_exists():
    state = sys.modules.get("accelerate.state")
    return state is not None and bool(state.AcceleratorState._shared_state)


def _holds_gpu(device="/dev/nvidia-uvm"):
    """Whether this process has begun to use a GPU: then its forks cannot. Whatever library did it has this file open."""
    for number in os.listdir("/proc/self/fd") if os.path.isdir("/proc/self/fd") else ():
        try:
            if os.readlink(f"/proc/self/fd/{number}").startswith(device):
                return True
        except OSError:
            pass  # of the list itself
    return False


_TOUCHED = "CUDA has been initialized before the `notebook_launcher` could create a forked subprocess. This likely stems from an outside import causing issues once the `notebook_launcher()` is called. Please review your imports and test them when running the `notebook_launcher()` to identify which one is problematic and causing CUDA to be initialized."


def _program():
    beside = pathlib.Path(__file__).resolve().parents[3] / "bin" / "trainyard"
    found = os.environ.get("TRAINYARD") or (str(beside) if beside.exists() else None) or shutil.which("trainyard")
    if found is None:
        raise RuntimeError("The program `trainyard` was not found: install Trainyard, add its folder to PATH, or set the variable TRAINYARD to its path.")
    return found


# --- ranks: forks of this process that live and die with the processes of `trainyard launch` ----------------------------


class _Rank:
    """One fork, beside the connection to the process that the launcher watches for it."""

    def __init__(self, number, pid, connection, report):
        self.number, self.pid, self.connection, self.report = number, pid, connection, report
        self.text = b""

    def look(self):
        """Tells the launcher's process how the fork ended. True when it has."""
        ended, status = os.waitpid(self.pid, os.WNOHANG)
        if ended == 0:
            return False
        while True:
            piece = os.read(self.report, 1 << 16)
            if not piece:
                break
            self.text += piece
        os.close(self.report)
        try:
            self.connection.sendall(_HEADER.pack(status))
        except OSError:
            pass  # the launcher has ended it
        self.connection.close()
        return True


def _fork(connection, close, function, args):
    """Makes the rank that the launcher's process at the other end of the connection stands for."""
    (size,) = _HEADER.unpack(_receive(connection, _HEADER.size))
    told = json.loads(_receive(connection, size))
    fds = array.array("i")
    _, ancillary, _, _ = connection.recvmsg(1, socket.CMSG_LEN(3 * fds.itemsize))
    for level, kind, data in ancillary:
        if (level, kind) == (socket.SOL_SOCKET, socket.SCM_RIGHTS):
            fds.frombytes(data[:len(data) - len(data) % fds.itemsize])
    if len(fds) != 3:
        raise RuntimeError("a rank came without its output")
    reading, writing = os.pipe()
    sys.stdout.flush(), sys.stderr.flush()
    pid = os.fork()
    if pid != 0:
        for fd in (*fds, writing):
            os.close(fd)
        connection.sendall(_HEADER.pack(pid))
        return _Rank(int(told["environment"].get("RANK", 0)), pid, connection, reading)
    code = 1
    try:
        os.close(reading)
        close()
        _become(told, fds, connection)
        function(*args)
        code = 0
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else 0 if end.code is None else 1
    except BaseException as error:  # noqa: B902: whatever it is, the rank ends here
        own = error.__traceback__.tb_next if error.__traceback__ is not None else None
        lines = "".join(traceback.format_exception(type(error), error, own))
        sys.stderr.write(lines)
        text = f"{type(error).__name__}: {error}"
        os.write(writing, json.dumps({"error": text[:4000], "traceback": lines[-8000:]}).encode())
    finally:
        try:
            sys.stdout.flush(), sys.stderr.flush()
        finally:
            os._exit(code)


def _become(told, fds, connection):
    """The environment, folder and output of the launcher's process; ends with it."""
    for number, fd in enumerate(fds):
        os.dup2(fd, number)
        os.close(fd)
    # _launch() sets it for the launcher alone.
    own = {name: value for name, value in os.environ.items() if name == "TRAINYARD_CONFIG"}
    told["environment"].pop("TRAINYARD_CONFIG", None)
    os.environ.clear()
    os.environ.update({**told["environment"], **own})
    os.chdir(told["folder"])
    for kind in (signal.SIGINT, signal.SIGTERM):
        signal.signal(kind, signal.SIG_DFL)
    asyncio._set_running_loop(None)
    sys.stdin = open(0, closefd=False)
    sys.stdout = open(1, "w", buffering=1, closefd=False)
    sys.stderr = open(2, "w", buffering=1, closefd=False)
    sys.displayhook = sys.__displayhook__
    torch = sys.modules.get("torch")
    threads = os.environ.get("OMP_NUM_THREADS", "")
    if torch is not None and threads.isdigit():
        torch.set_num_threads(int(threads))

    def watch():
        try:
            connection.recv(1)
        except OSError:
            pass
        os.kill(os.getpid(), signal.SIGKILL)

    threading.Thread(target=watch, daemon=True).start()


def _receive(connection, size):
    data = b""
    while len(data) < size:
        piece = connection.recv(size - len(data))
        if not piece:
            raise ConnectionError("the other end has closed the connection")
        data += piece
    return data


def _stand_in_command(function, folder, path):
    """The run is called as the program is: after the function, where a line of a script can name this Python."""
    python, name = sys.executable, re.sub(r"\W", "", getattr(function, "__name__", "")) or "notebook"
    if " " in python or len(python) > 100:
        return [python, "-S", "-E", os.path.abspath(__file__), path]
    script = os.path.join(folder, name if name != "ranks" else "function")
    with open(script, "w", opener=lambda file, flags: os.open(file, flags, 0o700)) as out:
        out.write(f"#!{python} -SE\nimport runpy, sys\nrunpy.run_path({os.path.abspath(__file__)!r}, run_name='__main__')\n")
    return [script, path]


def _stand_in(path):
    """What `trainyard launch` starts for each rank: hands environment and output to the notebook and waits for its fork."""
    connection = socket.socket(socket.AF_UNIX)
    connection.connect(path)
    text = json.dumps({"environment": dict(os.environ), "folder": os.getcwd()}).encode()
    connection.sendall(_HEADER.pack(len(text)) + text)
    connection.sendmsg([b"."], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [0, 1, 2]))])
    (pid,) = _HEADER.unpack(_receive(connection, _HEADER.size))
    for kind in (signal.SIGTERM, signal.SIGINT, signal.SIGUSR1, signal.SIGUSR2):
        signal.signal(kind, lambda number, _: os.kill(pid, number))
    (status,) = _HEADER.unpack(_receive(connection, _HEADER.size))
    if os.WIFSIGNALED(status):
        if os.WTERMSIG(status) != signal.SIGKILL:
            signal.signal(os.WTERMSIG(status), signal.SIG_DFL)
        os.kill(os.getpid(), os.WTERMSIG(status))
    sys.exit(os.WEXITSTATUS(status))


# --- curves ---------------------------------------------------------------------------------------------------------------


class _Curves:
    """The scalars of a run's event files as small charts, drawn again while they grow."""

    WIDTH, HEIGHT, MOST_POINTS, MOST_CHARTS = 320, 150, 400, 8

    def __init__(self, folder):
        self.folder, self.offsets, self.points, self.shown, self.due = pathlib.Path(folder), {}, {}, None, 0

    def draw(self, finished=False):
        now = time.monotonic()
        if (now < self.due and not finished) or not self._read():
            return
        self.due = now + 1
        from IPython import display
        picture = display.HTML(self.html())
        if self.shown is None:
            self.shown = display.display(picture, display_id=True)
        else:
            self.shown.update(picture)

    def _read(self):
        grew = False
        for file in sorted(self.folder.glob("metrics/*tfevents*")):
            with open(file, "rb") as stream:
                stream.seek(self.offsets.get(file, 0))
                while True:
                    head = stream.read(12)
                    if len(head) < 12:
                        break
                    (size,) = struct.unpack("<Q", head[:8])
                    if size > 1 << 26:  # damaged
                        break
                    body = stream.read(size + 4)
                    if len(body) < size + 4:
                        break
                    self.offsets[file] = stream.tell()
                    for tag, step, value in _scalars(body[:size]):
                        self.points.setdefault(tag, []).append((step, value))
                        grew = True
        return grew

    def html(self):
        charts = sorted(self.points, key=lambda tag: ("loss" not in tag.lower(), tag))[:self.MOST_CHARTS]
        return "<div>" + "".join(self._chart(tag, self.points[tag]) for tag in charts) + "</div>"

    def _chart(self, tag, points):
        points = [(x, y) for x, y in points if y == y and abs(y) != float("inf")]
        if not points:
            return ""
        stride = max(1, len(points) // self.MOST_POINTS)
        some = points[::stride] + ([points[-1]] if (len(points) - 1) % stride else [])
        left, right = min(x for x, _ in points), max(x for x, _ in points)
        low, high = min(y for _, y in points), max(y for _, y in points)
        across, up = self.WIDTH - 8, self.HEIGHT - 44
        place = " ".join(f"{4 + (x - left) / ((right - left) or 1) * across:.1f},"
                         f"{24 + up - (y - low) / ((high - low) or 1) * up:.1f}" for x, y in some)
        label = 'font-family="sans-serif" fill="currentColor" font-size="11"'
        return (f'<svg width="{self.WIDTH}" height="{self.HEIGHT}" role="img" aria-label="{html.escape(tag)}">'
                f'<text x="4" y="14" {label} font-weight="bold">{html.escape(tag)} {points[-1][1]:.5g}</text>'
                f'<rect x="4" y="20" width="{across}" height="{up + 8}" fill="none" stroke="currentColor" opacity="0.3"/>'
                f'<polyline points="{place}" fill="none" stroke="#2a78d6" stroke-width="1.5"/>'
                f'<text x="4" y="{self.HEIGHT - 4}" {label}>step {left} to {right}</text>'
                f'<text x="{self.WIDTH - 4}" y="{self.HEIGHT - 4}" text-anchor="end" {label}>{low:.4g} to {high:.4g}</text></svg>')


def _fields(message):
    """Numbers and values of a protobuf message."""
    at = 0

    def varint():
        nonlocal at
        value = shift = 0
        while True:
            byte = message[at]
            at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    while at < len(message):
        key = varint()
        kind = key & 7
        if kind == 0:
            value = varint()
        else:
            size = {1: 8, 5: 4}.get(kind) or varint()
            value = message[at:at + size]
            at += size
        yield key >> 3, value


def _scalars(event):
    """(tag, step, value) of an event of TensorBoard: simple values and tensors of one float."""
    try:
        fields = dict(_fields(event))
        for number, value in _fields(fields.get(5, b"")):
            if number != 1:
                continue
            entry = dict(_fields(value))
            tag, step = entry.get(1, b"").decode("utf-8", "replace"), fields.get(2, 0)
            if 2 in entry:
                yield tag, step, struct.unpack("<f", entry[2])[0]
            elif 8 in entry:
                tensor = dict(_fields(entry[8]))
                if 5 in tensor and len(tensor[5]) == 4:
                    yield tag, step, struct.unpack("<f", tensor[5])[0]
    except (IndexError, struct.error):
        return


# --- the launch -----------------------------------------------------------------------------------------------------------


def _launch(function, args, flags, environment, curves):
    """Runs `trainyard launch` until it ends. Throws LaunchError with what the first rank raised."""
    ranks, ended, charts, run_folder = [], [], None, None
    # 0700, and its name is nobody's to guess: only this user's processes become ranks.
    with tempfile.TemporaryDirectory(prefix="trainyard-") as folder, socket.socket(socket.AF_UNIX) as server, \
            selectors.DefaultSelector() as look:
        path = os.path.join(folder, "ranks")
        server.bind(path)
        server.listen(64)
        no_settings = os.path.join(folder, "none.yaml")  # the arguments count, not the user's settings file
        command = [_program(), "launch", "--no_python", *flags, *_stand_in_command(function, folder, path)]
        launcher = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                    env={**os.environ, **environment, "TRAINYARD_CONFIG": no_settings},
                                    start_new_session=True)
        look.register(server, selectors.EVENT_READ)
        look.register(launcher.stdout, selectors.EVENT_READ, sys.stdout)
        look.register(launcher.stderr, selectors.EVENT_READ, sys.stderr)
        open_pipes, last_words = 2, ""

        def close():
            server.close(), launcher.stdout.close(), launcher.stderr.close()
            for rank in ranks:
                rank.connection.close()

        try:
            while open_pipes or ranks or launcher.poll() is None:
                for key, _ in look.select(0.05):
                    if key.fileobj is server:
                        ranks.append(_fork(server.accept()[0], close, function, args))
                        continue
                    text = os.read(key.fd, 1 << 16).decode("utf-8", "replace")
                    if not text:
                        look.unregister(key.fileobj)
                        open_pipes -= 1
                        continue
                    if key.data is sys.stderr:
                        last_words = (last_words + text)[-4000:]
                        found = re.search(r"run folder: (.+)", last_words)
                        if found and run_folder is None:
                            run_folder = found.group(1).strip()
                            charts = _Curves(run_folder) if curves and _ipython() is not None else None
                    key.data.write(text)
                    key.data.flush()
                for rank in [rank for rank in ranks if rank.look()]:
                    ranks.remove(rank)
                    if rank.text:
                        ended.append((rank.number, json.loads(rank.text)))
                if charts is not None:
                    charts.draw()
                if launcher.poll() is not None and not open_pipes:
                    for rank in ranks:  # their processes have ended, and so will they
                        rank.connection.close()
        except BaseException:
            if launcher.poll() is None:
                os.killpg(launcher.pid, signal.SIGINT)
                try:
                    launcher.wait(30)
                except subprocess.TimeoutExpired:
                    os.killpg(launcher.pid, signal.SIGKILL)
            for rank in ranks:
                rank.connection.close()
            raise
        finally:
            launcher.stdout.close(), launcher.stderr.close()
        if charts is not None:
            charts.draw(finished=True)
    if launcher.wait() == 0:
        return run_folder
    number, first = ended[0] if ended else (None, {})
    reason = first.get("error") or last_words.strip().splitlines()[-1:] or [f"exit code {launcher.returncode}"]
    reason = reason if isinstance(reason, str) else reason[0]
    where = (f"\nRank {number} failed first." if number is not None else "") + (f" Logs: {run_folder}" if run_folder else "")
    raise LaunchError(f"An issue was found when launching the training: {reason}{where}", number,
                      first.get("traceback", ""), run_folder)


def _check_cuda():
    torch = sys.modules.get("torch")
    if torch is not None and torch.cuda.is_available():
        torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))


def notebook_launcher(function, args=(), num_processes=None, mixed_precision="no", use_port="29500", master_addr="127.0.0.1",
                      node_rank=0, num_nodes=1, rdzv_backend="static", rdzv_endpoint="", rdzv_conf=None, rdzv_id="none",
                      max_restarts=0, monitor_interval=0.1, log_line_prefix_template=None, *, curves=True):
    """Calls function(*args) on `num_processes` ranks of this machine. One rank: in this process.

    num_nodes, node_rank, master_addr, use_port: the same call on each machine. rdzv_*, max_restarts and monitor_interval
    are handed to `trainyard launch`. mixed_precision reaches every Accelerator of the function. log_line_prefix_template
    stands before each line that a rank prints; ${rank} and ${local_rank} are replaced. curves: draw what the ranks print
    and record, in a notebook. Returns the run's folder, or nothing where the function ran in this process. Throws
    ValueError or RuntimeError before anything starts, LaunchError when a rank fails.
    """
    if not callable(function):
        raise ValueError(f"The function is {function!r}: pass it without brackets, as in notebook_launcher(training_loop, (1, 2)).")
    hosted, kind, gpus = _hosted(), _device_kind(), _gpus()
    precision = str(mixed_precision).lower()
    if hosted and (os.environ.get("TPU_NAME") is not None or os.environ.get("PJRT_DEVICE") == "TPU"):
        if _accelerator_exists():
            raise ValueError("To train on TPU in Colab or Kaggle Kernel, the `Accelerator` should only be initialized inside your training function. Restart your notebook and make sure no cells initializes an `Accelerator`.")
        import torch_xla.distributed.xla_multiprocessing as xla
        print("Launching a training on TPU cores.")
        xla.spawn(lambda _, *rest: function(*rest), args=args, start_method="fork")
        return None
    if hosted == "colab" and gpus < 2:
        print("Launching training on one GPU." if gpus else "Launching training on one CPU.")
        function(*args)
        return None
    if num_processes is None:
        raise ValueError("You have to specify the number of devices you would like to use, add `num_processes=...` to your call.")
    if node_rank >= num_nodes:
        raise ValueError("The node_rank must be less than the number of nodes.")
    if node_rank < 0:
        raise ValueError(f"The node_rank is {node_rank}: it must be 0 or more.")
    if precision not in _PRECISIONS:
        raise ValueError(f"Unknown mixed_precision {mixed_precision!r}: choose one of {', '.join(_PRECISIONS)}.")
    if num_processes <= 1:
        if kind == "mps":
            os.environ["PYTORCH_ENABLE_MPS_FALLBACK"] = "1"
        print({"mps": "Launching training on MPS.", "cuda": "Launching training on one GPU."}.get(kind, "Launching training on CPU."
              if kind == "cpu" else f"Launching training on one {kind.upper()}."))
        function(*args)
        return None
    if _accelerator_exists():
        raise ValueError("To launch a multi-device training from your notebook, the `Accelerator` should only be initialized inside your training function. Restart your notebook and make sure no cells initializes an `Accelerator`.")
    if "bitsandbytes" in sys.modules:
        raise RuntimeError("Could not start distributed process. Libraries known to initialize device upon import have been imported already. Please keep these imports inside your training function to try and help with this:\n\t* `bitsandbytes`")
    if kind == "cuda" and _holds_gpu():
        torch = sys.modules.get("torch")
        by = "torch" if torch is not None and torch.cuda.is_initialized() else "a library other than torch"
        raise RuntimeError(f"{_TOUCHED} It was {by}: restart the notebook, and run its cells one by one with nvidia-smi beside them.")
    flags = ["--num_processes", str(num_processes * num_nodes), "--num_machines", str(num_nodes), "--mixed_precision", precision,
             "--main_process_ip", master_addr, "--main_process_port", str(use_port), "--rdzv_backend", rdzv_backend,
             "--max_restarts", str(max_restarts), "--monitor_interval", str(monitor_interval)]
    flags += ["--machine_rank", str(node_rank)] if num_nodes > 1 else []
    flags += ["--rdzv_id", rdzv_id] if rdzv_id != "none" else []
    flags += ["--rdzv_endpoint", rdzv_endpoint] if rdzv_endpoint else []
    flags += ["--rdzv_conf", ",".join(f"{key}={value}" for key, value in rdzv_conf.items())] if rdzv_conf else []
    flags += ["--cpu"] if kind == "cpu" else []
    environment = {"NPROC": str(num_processes), "NODE_RANK": str(node_rank), "MIXED_PRECISION": precision}
    started = _with_prefix(function, log_line_prefix_template) if log_line_prefix_template else function
    if os.environ.get("ACCELERATE_DEBUG_MODE", "").lower() == "true":
        try:
            _launch(_check_cuda, (), ["--no_run_dir", *flags], environment, False)
        except LaunchError as error:
            begin = "An issue was found when verifying a stable environment for the notebook launcher."
            if "Cannot re-initialize CUDA in forked subprocess" in str(error):
                raise RuntimeError(begin + "This likely stems from an outside import causing issues once the `notebook_launcher()` is called. Please review your imports and test them when running the `notebook_launcher()` to identify which one is problematic and causing CUDA to be initialized.") from error
            reason = str(error).partition(": ")[2]
            raise RuntimeError(f"{begin} The following error was raised: {reason}") from error
    print(f"Launching training on {num_processes} {'CPU processes' if kind == 'cpu' else kind.upper() + 's'}.")
    try:
        return _launch(started, args, flags, environment, curves)
    except LaunchError as error:
        if "Cannot re-initialize CUDA in forked subprocess" in str(error):
            raise RuntimeError(_TOUCHED) from error
        raise


def debug_launcher(function, args=(), num_processes=2):
    """Calls function(*args) on ranks of the CPU, to try a program out. Throws LaunchError when a rank fails."""
    flags = ["--cpu", "--no_run_dir", "--num_processes", str(num_processes), "--num_machines", "1", "--mixed_precision", "no",
             "--main_process_ip", "127.0.0.1", "--main_process_port", "0"]
    environment = {"ACCELERATE_USE_CPU": "yes", "GLOO_SOCKET_IFNAME": "lo", "FORK_LAUNCHED": "1"}
    _launch(function, args, flags, environment, False)


def _with_prefix(function, template):
    def started(*args):
        prefix = template.replace("${rank}", os.environ["RANK"]).replace("${local_rank}", os.environ["LOCAL_RANK"])
        prefix = prefix.replace("${role_name}", "default_role")
        for name in ("stdout", "stderr"):
            setattr(sys, name, _Prefixed(getattr(sys, name), prefix))
        return function(*args)

    return started


class _Prefixed:
    def __init__(self, stream, prefix):
        self._stream, self._prefix, self._begins = stream, prefix, True

    def write(self, text):
        for line in text.splitlines(keepends=True):
            self._stream.write((self._prefix if self._begins else "") + line)
            self._begins = line.endswith("\n")
        return len(text)

    def __getattr__(self, name):
        return getattr(self._stream, name)


if __name__ == "__main__":
    _stand_in(sys.argv[1])
