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
import builtins
import codecs
import contextlib
import ctypes
import html
import json
import logging
import operator
import os
import pathlib
import re
import selectors
import shutil
import signal
import socket
import string
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
_FILE = os.path.abspath(__file__)  # a notebook may change its folder later
_MOST_ERROR, _MOST_TRACEBACK = 2000, 8000  # characters; as JSON both fit into a pipe, which is read after the rank ended
_LONGEST_SOCKET = 100  # bytes of the path of a socket, below the limit of every system


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
    named = os.environ.get("TRAINYARD")
    if named and shutil.which(named) is None:
        raise RuntimeError(f"The variable TRAINYARD names {named}, which is not a program.")
    # Installed as PREFIX/share/trainyard/notebook; a copy next to a notebook may have fewer folders above it.
    installed = [str(folder / "bin" / "trainyard") for folder in pathlib.Path(_FILE).resolve().parents[3:4]]
    found = named or next(filter(os.path.exists, installed), None) or shutil.which("trainyard")
    if found is None:
        raise RuntimeError("The program `trainyard` was not found: install Trainyard, add its folder to PATH, or set the variable TRAINYARD to its path.")
    return found


# --- ranks: forks of this process that live and die with the processes of `trainyard launch` ----------------------------


class _Rank:
    """One fork, and the connection to the process that the launcher watches for it."""

    def __init__(self, number, attempt, pid, connection, report):
        self.number, self.attempt, self.pid, self.connection, self.report = number, attempt, pid, connection, report
        self.text = b""

    def look(self, wait=False):
        """Reports the end of the fork to the launcher's process. True when the fork has ended."""
        try:
            ended, status = os.waitpid(self.pid, 0 if wait else os.WNOHANG)
        except ChildProcessError:  # the notebook itself waited for all its processes
            ended, status = self.pid, 0
        if ended == 0:
            return False
        # Without waiting for the end of the pipe: processes that the rank left behind hold it open.
        with contextlib.suppress(BlockingIOError):
            while piece := os.read(self.report, 1 << 16):
                self.text += piece
        os.close(self.report)
        with contextlib.suppress(OSError):  # the launcher has ended it
            self.connection.sendall(_HEADER.pack(status))
        self.connection.close()
        return True

    def failure(self):
        """(attempt, time, rank, error and traceback) of a fork that ended by an exception, or nothing."""
        try:
            report = json.loads(self.text)
        except ValueError:  # none, or the rank was killed while it wrote it
            return None
        return -self.attempt, report["time"], self.number, report


def _fork(connection, notebook, close, function, args):
    """Makes the rank that the launcher's process at the other end of the connection stands for."""
    (size,) = _HEADER.unpack(_receive(connection, _HEADER.size))
    start = json.loads(_receive(connection, size))
    fds = array.array("i")
    _, ancillary, _, _ = connection.recvmsg(1, socket.CMSG_LEN(3 * fds.itemsize))
    for level, kind, data in ancillary:
        if (level, kind) == (socket.SOL_SOCKET, socket.SCM_RIGHTS):
            fds.frombytes(data[:len(data) - len(data) % fds.itemsize])
    if len(fds) != 3:
        raise ConnectionError("a rank came without its output")
    reading, writing = os.pipe()
    os.set_blocking(reading, False)
    sys.stdout.flush(), sys.stderr.flush()
    _end_openmp_threads()
    pid = os.fork()
    if pid != 0:
        for fd in (*fds, writing):
            os.close(fd)
        environment = start["environment"]
        with contextlib.suppress(OSError):  # the launcher has ended it already
            connection.sendall(_HEADER.pack(pid))
        return _Rank(int(environment.get("RANK", 0)), int(environment.get("TORCHELASTIC_RESTART_COUNT", 0)), pid, connection, reading)
    code = 1
    try:
        os.close(reading)
        close()
        _become(start, fds, connection, notebook)
        function(*args)
        code = 0
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else 0 if end.code is None else 1
        if code == 1 and not isinstance(end.code, int):
            print(end.code, file=sys.stderr)
    except BaseException as error:  # noqa: B902: whatever it is, the rank ends here
        own = error.__traceback__
        while own is not None and own.tb_frame.f_code.co_filename == _fork.__code__.co_filename:
            own = own.tb_next
        lines = "".join(traceback.format_exception(type(error), error, own))
        text = "".join(traceback.format_exception_only(type(error), error)).strip()
        report = {"time": time.monotonic(), "error": text[:_MOST_ERROR], "traceback": lines[-_MOST_TRACEBACK:]}
        os.write(writing, json.dumps(report, ensure_ascii=False).encode("utf-8", "replace"))
        sys.stderr.write(lines)
    finally:
        try:
            sys.stdout.flush(), sys.stderr.flush()
        finally:
            os._exit(code)


def _end_openmp_threads():
    """Ends the worker threads of GNU OpenMP, which starts them again: a fork does not have them, and would wait for them."""
    try:
        with open("/proc/self/maps") as maps:
            files = {line.split(maxsplit=5)[-1].strip() for line in maps if "gomp" in line}
    except OSError:
        return
    for file in files:
        with contextlib.suppress(OSError, AttributeError):  # AttributeError: older than OpenMP 5.0
            ctypes.CDLL(file).omp_pause_resource_all(2)  # omp_pause_hard


def _become(start, fds, connection, notebook):
    """Takes environment, folder and output of the launcher's process; ends with it, and with the notebook."""
    for number, fd in enumerate(fds):
        os.dup2(fd, number)
        os.close(fd)
    # _launch() sets it for the launcher alone.
    own = {name: value for name, value in os.environ.items() if name == "TRAINYARD_CONFIG"}
    start["environment"].pop("TRAINYARD_CONFIG", None)
    os.environ.clear()
    os.environ.update({**start["environment"], **own})
    os.chdir(start["folder"])
    for kind in (signal.SIGINT, signal.SIGTERM):
        signal.signal(kind, signal.SIG_DFL)
    asyncio._set_running_loop(None)
    of_notebook = sys.stdout, sys.stderr
    sys.stdin = open(0, closefd=False)
    sys.stdout = open(1, "w", buffering=1, encoding="utf-8", errors="backslashreplace", closefd=False)
    sys.stderr = open(2, "w", buffering=1, encoding="utf-8", errors="backslashreplace", closefd=False)
    sys.displayhook = sys.__displayhook__
    # Loggers that were set up in the notebook write to its streams, and input() asks its user.
    for logger in (logging.root, *logging.Logger.manager.loggerDict.values()):
        for handler in getattr(logger, "handlers", ()):
            if getattr(handler, "stream", None) in of_notebook:
                handler.stream = sys.stdout if handler.stream is of_notebook[0] else sys.stderr
    builtins.input = getattr(getattr(_ipython(), "kernel", None), "_sys_raw_input", None) or builtins.input
    # Only the notebook's own process has the connection for pictures: display() shows a text here.
    publisher = getattr(_ipython(), "display_pub", None)
    if publisher is not None:
        publisher.publish = lambda data, *_, **__: print(data.get("text/plain", ""))
        publisher.clear_output = lambda *_, **__: None
    torch = sys.modules.get("torch")
    threads = os.environ.get("OMP_NUM_THREADS", "")
    if torch is not None and threads.isdigit():
        torch.set_num_threads(int(threads))

    def watch():
        with selectors.DefaultSelector() as ends:
            ends.register(connection, selectors.EVENT_READ)
            ends.register(notebook, selectors.EVENT_READ)
            ends.select()
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
    python, name = sys.executable, re.sub(r"\W", "", getattr(function, "__name__", ""))[:60] or "notebook"
    script = os.path.join(folder, name if name != "ranks" else "function")
    with open(script, "w", opener=lambda file, flags: os.open(file, flags, 0o700), encoding="utf-8") as out:
        out.write(f"#!{python} -SE\nimport runpy, sys\nrunpy.run_path({_FILE!r}, run_name='__main__')\n")
    # Not executable: the temporary folder is on a disk without programs (noexec).
    if " " in python or len(python) > 100 or not os.access(script, os.X_OK):
        return [python, "-S", "-E", _FILE, path]
    return [script, path]


def _stand_in(path):
    """What `trainyard launch` starts for each rank: hands environment and output to the notebook and waits for its fork."""
    try:
        connection = socket.socket(socket.AF_UNIX)
        connection.connect(path)
        text = json.dumps({"environment": dict(os.environ), "folder": os.getcwd()}).encode()
        connection.sendall(_HEADER.pack(len(text)) + text)
        connection.sendmsg([b"."], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [0, 1, 2]))])
        (pid,) = _HEADER.unpack(_receive(connection, _HEADER.size))
        for kind in (signal.SIGTERM, signal.SIGINT, signal.SIGUSR1, signal.SIGUSR2):
            signal.signal(kind, lambda number, _: _send(pid, number))
        connection.settimeout(1)
        missing = 0
        while True:
            try:
                (status,) = _HEADER.unpack(_receive(connection, _HEADER.size))
                break
            except socket.timeout:
                missing += 0 if _send(pid, 0) else 1
                if missing > 1:  # neither the rank nor a notebook that reports its end
                    raise ConnectionError("the rank is gone") from None
    except OSError:
        sys.exit("The notebook has ended, and its ranks with it.")
    if os.WIFSIGNALED(status):
        if os.WTERMSIG(status) != signal.SIGKILL:
            signal.signal(os.WTERMSIG(status), signal.SIG_DFL)
        os.kill(os.getpid(), os.WTERMSIG(status))
    sys.exit(os.WEXITSTATUS(status))


def _send(pid, number):
    """Whether the process existed to be sent the signal."""
    try:
        os.kill(pid, number)
        return True
    except ProcessLookupError:
        return False


# --- curves ---------------------------------------------------------------------------------------------------------------


class _Curves:
    """The scalars of a run's event files as small charts, drawn again while they grow."""

    WIDTH, HEIGHT, MOST_POINTS, MOST_CHARTS = 320, 150, 400, 8

    def __init__(self, folder):
        self.folder, self.offsets, self.points, self.shown, self.due = pathlib.Path(folder), {}, {}, None, 0

    def draw(self, finished=False):
        now = time.monotonic()
        if now < self.due and not finished:
            return
        self.due = now + 1
        try:
            if not self._read():
                return
        except OSError:  # removed while it was read: training does not depend on it
            return
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
                        # By step: after a restart the same steps come again.
                        self.points.setdefault(tag, {})[step] = value
                        grew = True
        return grew

    def html(self):
        charts = sorted(self.points, key=lambda tag: ("loss" not in tag.lower(), tag))
        more = f"<p>{len(charts) - self.MOST_CHARTS} more curves are in the run.</p>" if len(charts) > self.MOST_CHARTS else ""
        return "<div>" + "".join(self._chart(tag, sorted(self.points[tag].items())) for tag in charts[:self.MOST_CHARTS]) + more + "</div>"

    def _chart(self, tag, points):
        newest = points[-1][1]
        points = [(x, y) for x, y in points if y == y and abs(y) != float("inf")] or [(points[-1][0], 0)]
        stride = max(1, len(points) // self.MOST_POINTS)
        some = points[::stride] + ([points[-1]] if (len(points) - 1) % stride else [])
        left, right = min(x for x, _ in points), max(x for x, _ in points)
        low, high = min(y for _, y in points), max(y for _, y in points)
        across, up = self.WIDTH - 8, self.HEIGHT - 44
        place = " ".join(f"{4 + (x - left) / ((right - left) or 1) * across:.1f},"
                         f"{24 + up - (y - low) / ((high - low) or 1) * up:.1f}" for x, y in some)
        label = 'font-family="sans-serif" fill="currentColor" font-size="11"'
        return (f'<svg width="{self.WIDTH}" height="{self.HEIGHT}" role="img" aria-label="{html.escape(tag)}">'
                f'<text x="4" y="14" {label} font-weight="bold">{html.escape(tag)} {newest:.5g}</text>'
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


def _temporary_folder():
    """0700, and its name cannot be guessed: only this user's processes become ranks. Short enough for a socket in it."""
    folder = tempfile.gettempdir()
    return tempfile.TemporaryDirectory(prefix="trainyard-", dir="/tmp" if len(os.fsencode(folder)) > _LONGEST_SOCKET - 30 else folder)


class _Launch:
    """One `trainyard launch`, its output, and the forks that are its ranks."""

    LONGEST_END, SHOWN_AFTER = 30, 1  # seconds

    def __init__(self, function, args, command, environment, server, curves):
        self.function, self.args, self.server, self.curves = function, args, server, curves
        self.ranks, self.failures, self.charts, self.run_folder = [], [], None, None
        self.launcher = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                         env={**os.environ, **environment}, start_new_session=True)
        self.pipes = {pipe: (stream, codecs.getincrementaldecoder("utf-8")("replace"))
                      for pipe, stream in ((self.launcher.stdout, sys.stdout), (self.launcher.stderr, sys.stderr))}
        # Nothing is written to it: it closes with the notebook, however that ends, and the ranks end with it.
        self.alive, self.notebook = os.pipe()
        self.started, self.messages, self.withheld, self.shown_from = False, "", "", time.monotonic() + self.SHOWN_AFTER
        self.look = selectors.DefaultSelector()
        for file in (server, *self.pipes):
            self.look.register(file, selectors.EVENT_READ)

    def run(self):
        __tracebackhide__ = True
        try:
            while self._goes_on():
                self._turn()
        except BaseException:
            # The ranks end in order, and what they still print is shown. A second interrupt does not wait for that.
            try:
                if self.launcher.poll() is None:
                    os.killpg(self.launcher.pid, signal.SIGINT)
                end = time.monotonic() + self.LONGEST_END
                while self._goes_on() and time.monotonic() < end:
                    self._turn()
            finally:
                self._kill()
            raise
        finally:
            self._close()
            os.close(self.alive)
        if self.charts is not None:
            self.charts.draw(finished=True)
        code = self.launcher.wait()
        if code == 0:
            self._show()
        return code

    def error(self):
        """Why the launch failed: by the exception that came first in the last attempt, or else by the launcher's messages."""
        _, _, number, first = min(self.failures, key=lambda failure: failure[:3], default=(0, 0, None, {}))
        messages = self.messages.strip()
        if self.started or self.run_folder is not None:  # before that, all of them are reasons
            messages = messages.rpartition("\n")[2]
        reason = first.get("error") or messages or f"exit code {self.launcher.returncode}"
        where = (f"\nRank {number} failed first." if number is not None else "") + (f" Logs: {self.run_folder}" if self.run_folder else "")
        return LaunchError(f"An issue was found when launching the training: {reason}{where}", number,
                           first.get("traceback", ""), self.run_folder)

    def _goes_on(self):
        return self.pipes or self.ranks or self.launcher.poll() is None

    def _turn(self):
        __tracebackhide__ = True
        for key, _ in self.look.select(0.05):
            if key.fileobj is self.server:
                self._show()
                connection = self.server.accept()[0]
                self.started = True
                try:
                    self.ranks.append(_fork(connection, self.alive, self._close, self.function, self.args))
                except ConnectionError:  # the launcher has ended it
                    connection.close()
            else:
                self._read(key.fileobj)
        if self.withheld and time.monotonic() > self.shown_from:
            self._show()
        for rank in [rank for rank in self.ranks if rank.look()]:
            self._ended(rank)
        if self.charts is not None:
            self.charts.draw()
        if self.launcher.poll() is not None and not self.pipes:
            for rank in self.ranks:  # their processes have ended, and so will they
                rank.connection.close()

    def _ended(self, rank):
        self.ranks.remove(rank)
        failure = rank.failure()
        if failure is not None:
            self.failures.append(failure)

    def _read(self, pipe):
        stream, decoder = self.pipes[pipe]
        data = os.read(pipe.fileno(), 1 << 16)
        text = decoder.decode(data, final=not data)
        if not data:
            self.look.unregister(pipe)
            del self.pipes[pipe]
        if pipe is self.launcher.stderr:
            self.messages = (self.messages + text)[-4000:]
            found = re.search(r"run folder: (.+)\n", self.messages)
            if found and self.run_folder is None:
                self.run_folder = found.group(1).strip()
                self.charts = _Curves(self.run_folder) if self.curves and getattr(_ipython(), "kernel", None) is not None else None
                self._show()
            if self.shown_from:
                self.withheld += text
                return
        stream.write(text)
        stream.flush()

    def _show(self):
        """From now on messages are shown at once. Until then a launch may be refused: the error alone has its messages."""
        if self.shown_from:
            self.shown_from = 0
            sys.stderr.write(self.withheld)
            sys.stderr.flush()
            self.withheld = ""

    def _kill(self):
        if self.launcher.poll() is None:
            os.killpg(self.launcher.pid, signal.SIGKILL)
            self.launcher.wait()
        for rank in self.ranks:
            with contextlib.suppress(ProcessLookupError):
                os.kill(rank.pid, signal.SIGKILL)
            rank.look(wait=True)

    def _close(self):
        """Also on each rank, which keeps none of these: it is called in the fork."""
        self.look.close()
        self.server.close(), self.launcher.stdout.close(), self.launcher.stderr.close()
        if self.notebook is not None:
            os.close(self.notebook)
            self.notebook = None
        for rank in self.ranks:
            rank.connection.close()


def _launch(function, args, flags, environment, curves):
    """Runs `trainyard launch` until it ends; returns the run's folder. Throws LaunchError with what the first rank raised."""
    __tracebackhide__ = True
    with _temporary_folder() as folder, socket.socket(socket.AF_UNIX) as server:
        path = os.path.join(folder, "ranks")
        server.bind(path)
        server.listen(64)
        no_settings = os.path.join(folder, "none.yaml")  # the arguments count, not the user's settings file
        command = [_program(), "launch", "--no_python", *flags, *_stand_in_command(function, folder, path)]
        launch = _Launch(function, args, command, {**environment, "TRAINYARD_CONFIG": no_settings}, server, curves)
        if launch.run() == 0:
            return launch.run_folder
    raise launch.error()


def _check_arguments(given):
    """Throws one ValueError that names everything in `given` (value by name) that no launch can have."""
    problems = []

    def refuse_unless(right, name, needed):
        if name in given and not right(given[name]):
            problems.append(f"{name} is {given[name]!r}: {needed}")

    def whole(value):
        return hasattr(value, "__index__")

    for name in ("num_processes", "num_nodes", "node_rank", "max_restarts"):
        refuse_unless(whole, name, "it must be a whole number")
    refuse_unless(lambda value: not whole(value) or value > 0, "num_nodes", "it must be 1 or more")
    refuse_unless(lambda value: not whole(value) or value >= 0, "max_restarts", "it must be 0 or more")
    refuse_unless(lambda value: whole(value) and 0 <= value <= 65535, "use_port", "it must be 1 to 65535, or 0 for a free port")
    refuse_unless(lambda value: not isinstance(value, (str, bytes)) and hasattr(value, "__iter__"), "args",
                  "it must be a tuple, as in args=(model_name,)")
    refuse_unless(lambda value: str(value).lower() in _PRECISIONS, "mixed_precision", f"choose one of {', '.join(_PRECISIONS)}")
    refuse_unless(lambda value: isinstance(value, (int, float)) and value > 0, "monitor_interval",
                  "it must be a number of seconds above 0")
    refuse_unless(lambda value: value is None or hasattr(value, "items"), "rdzv_conf", "it must be a dictionary, as in {'timeout': 900}")
    refuse_unless(lambda value: value is None or isinstance(value, str), "log_line_prefix_template", "it must be a text, as in '[${rank}]: '")
    if problems:
        raise ValueError("; ".join(problems) + ".")


def _call_here(function, args, precision, device, idle):
    """Calls the function in this process, with the precision that its Accelerators take. idle: arguments without effect here."""
    print(f"Launching training on {device}.")
    without_effect = [name for name, value in idle.items() if value]
    if without_effect:
        print(f"The function runs in this process, where these arguments have no effect: {', '.join(without_effect)}.")
    before = os.environ.get("ACCELERATE_MIXED_PRECISION")
    if precision != "no":
        os.environ["ACCELERATE_MIXED_PRECISION"] = precision
    try:
        function(*args)
    finally:
        if before is not None:
            os.environ["ACCELERATE_MIXED_PRECISION"] = before
        elif precision != "no":
            os.environ.pop("ACCELERATE_MIXED_PRECISION", None)


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
    stands before each line that a rank prints; ${rank}, ${local_rank} and ${role_name} are replaced. curves: draw what the
    ranks print and record, in a notebook. Returns the run's folder, or nothing where the function ran in this process.
    Throws ValueError or RuntimeError before anything starts, LaunchError when a rank fails.
    """
    __tracebackhide__ = True  # for IPython: the user's cell and the message are enough
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
    if num_processes is None and not (hosted == "colab" and gpus < 2):
        raise ValueError("You have to specify the number of devices you would like to use, add `num_processes=...` to your call.")
    _check_arguments({"num_processes": num_processes or 0, "num_nodes": num_nodes, "node_rank": node_rank, "max_restarts": max_restarts,
                      "use_port": int(use_port) if str(use_port).isdigit() else use_port, "args": args, "mixed_precision": mixed_precision,
                      "monitor_interval": monitor_interval, "rdzv_conf": rdzv_conf, "log_line_prefix_template": log_line_prefix_template})
    idle = {"max_restarts": max_restarts, "log_line_prefix_template": log_line_prefix_template, "rdzv_endpoint": rdzv_endpoint}
    if hosted == "colab" and gpus < 2:
        _call_here(function, args, precision, "one GPU" if gpus else "one CPU", {**idle, "num_nodes": num_nodes - 1})
        return None
    if node_rank >= num_nodes:
        raise ValueError("The node_rank must be less than the number of nodes.")
    if node_rank < 0:
        raise ValueError(f"The node_rank is {node_rank}: it must be 0 or more.")
    if num_nodes > 1 and num_processes < 1:
        raise ValueError(f"num_processes is {num_processes}: each of the {num_nodes} machines needs 1 or more.")
    if num_processes <= 1 and num_nodes == 1:
        if kind == "mps":
            os.environ["PYTORCH_ENABLE_MPS_FALLBACK"] = "1"
        device = {"mps": "MPS", "cuda": "one GPU", "cpu": "CPU"}.get(kind, f"one {kind.upper()}")
        _call_here(function, args, precision, device, idle)
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
             "--dynamo_backend", "no", "--rdzv_backend", rdzv_backend, "--max_restarts", str(max_restarts)]
    # Defaults are left out: the launcher notes flags without effect, and an endpoint has a port of its own.
    flags += ["--main_process_port", str(use_port)] if not rdzv_endpoint or str(use_port) != "29500" else []
    flags += ["--main_process_ip", master_addr] if num_nodes > 1 or master_addr != "127.0.0.1" else []
    flags += ["--monitor_interval", str(monitor_interval)] if monitor_interval != 0.1 else []
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
    print(f"Launching training on {num_processes} {'CPU processes' if kind == 'cpu' else kind.upper() + 's'}.", flush=True)
    try:
        return _launch(started, args, flags, environment, curves)
    except LaunchError as error:
        if "Cannot re-initialize CUDA in forked subprocess" in str(error):
            raise RuntimeError(_TOUCHED) from error
        raise


def debug_launcher(function, args=(), num_processes=2):
    """Calls function(*args) on ranks of the CPU, to try a program out. Throws LaunchError when a rank fails."""
    _check_arguments({"num_processes": num_processes, "args": args})
    flags = ["--cpu", "--no_run_dir", "--num_processes", str(num_processes), "--num_machines", "1", "--mixed_precision", "no",
             "--dynamo_backend", "no", "--main_process_port", "0"]
    environment = {"ACCELERATE_USE_CPU": "yes", "GLOO_SOCKET_IFNAME": "lo", "FORK_LAUNCHED": "1"}
    _launch(function, args, flags, environment, False)


def _with_prefix(function, template):
    """As torch's launchers replace $rank and ${rank}; other names stay."""
    def started(*args):
        prefix = string.Template(template).safe_substitute(rank=os.environ["RANK"], local_rank=os.environ["LOCAL_RANK"],
                                                           role_name="default_role")
        for name in ("stdout", "stderr"):
            setattr(sys, name, _Prefixed(getattr(sys, name), prefix))
        return function(*args)

    started.__name__ = getattr(function, "__name__", "")
    return started


class _Prefixed:
    def __init__(self, stream, prefix):
        self._stream, self._prefix, self._begins = stream, prefix, True

    def write(self, text):
        for line in text.splitlines(keepends=True):
            self._stream.write((self._prefix if self._begins else "") + line)
            self._begins = line.endswith("\n")
        return len(text)

    def writelines(self, lines):
        for line in lines:
            self.write(line)

    def __getattr__(self, name):
        return getattr(self._stream, name)


if __name__ == "__main__":
    _stand_in(sys.argv[1])
