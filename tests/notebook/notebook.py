# SPDX-License-Identifier: GPL-3.0-or-later
"""resources/notebook/trainyard_notebook.py: the recorded cases of accelerate's launchers, and real ranks of `trainyard launch`.

    notebook.py --bin FOLDER_OF_PROGRAMS [TEST...]

Recorded situations (GPUs, Colab, other libraries) are stand-ins in sys.modules. Where nothing runs for real, a program that
keeps its arguments stands for `trainyard`.
"""
import argparse
import builtins
import contextlib
import importlib.util
import io
import json
import logging
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import types
import unittest
from unittest import mock

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "resources" / "notebook"))
import trainyard_notebook  # noqa: E402

PROGRAM = None
STAND_INS = ("torch", "torch_xla", "accelerate", "IPython", "bitsandbytes")


def golden(topic):
    given = os.environ.get("TRAINYARD_GOLDEN")
    if given and (pathlib.Path(given) / topic).exists():
        return pathlib.Path(given) / topic
    return ROOT / "tests" / "golden" / topic


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def module(name, **members):
    made = types.ModuleType(name)
    made.__dict__.update(members)
    return made


def stand_ins(situation):
    """sys.modules of a recorded situation."""
    gpus = situation.get("gpus", 0)
    kind = (situation.get("device_type") or [""])[0]
    is_there = {name: lambda there=name == kind: there for name in ("xpu", "npu", "mlu", "musa", "sdaa")}
    made = {
        "torch": module("torch", cuda=types.SimpleNamespace(is_available=lambda: gpus > 0, device_count=lambda: gpus,
                                                            set_device=lambda _: None),
                        xpu=types.SimpleNamespace(is_available=is_there["xpu"]), set_num_threads=lambda _: None,
                        backends=types.SimpleNamespace(mps=types.SimpleNamespace(is_available=lambda: bool(situation.get("mps"))))),
        "accelerate": module("accelerate"),
        "accelerate.state": module("accelerate.state", PartialState=object, AcceleratorState=types.SimpleNamespace(
            _shared_state={"device": "cpu"} if situation.get("accelerator_exists") else {})),
        "accelerate.utils": module("accelerate.utils", **{f"is_{name}_available": check for name, check in is_there.items()}),
    }
    for name in situation.get("imported", []):
        made[name] = module(name)
    shell = "google.colab._shell" if situation.get("colab") else "ipykernel.zmqshell" if situation.get("jupyter") else None
    if shell is not None:
        made["IPython"] = module("IPython", get_ipython=type("Shell", (), {"__module__": shell}))
    return made


class Launcher(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        keep = {name: value for name, value in os.environ.items()
                if name in ("PATH", "HOME", "LANG", "LD_LIBRARY_PATH") or name.startswith(("ASAN", "UBSAN", "TSAN"))}
        self.enterContext(mock.patch.dict(os.environ, keep, clear=True))
        os.environ.update(TRAINYARD=str(PROGRAM), TRAINYARD_RUNS=str(self.folder / "runs"), HOME=str(self.folder), OMP_NUM_THREADS="1",
                          TRAINYARD_CONFIG=str(self.folder / "none.yaml"))
        self.out, self.err = io.StringIO(), io.StringIO()
        self.enterContext(contextlib.redirect_stdout(self.out))
        self.enterContext(contextlib.redirect_stderr(self.err))

    def enterContext(self, context):  # of unittest from Python 3.11 on
        value = context.__enter__()
        self.addCleanup(context.__exit__, None, None, None)
        return value

    def note(self, **values):
        """Called on a rank: what it sees, for the test."""
        rank = os.environ.get("RANK", "0")
        (self.folder / f"rank-{rank}.{time.monotonic_ns()}.json").write_text(json.dumps({"env": dict(os.environ), **values}))

    def notes(self):
        found = sorted(self.folder.glob("rank-*.json"), key=lambda file: (file.name.split(".")[0], int(file.name.split(".")[1])))
        return [json.loads(file.read_text()) for file in found]


class Recorded(Launcher):
    def test_cases(self):
        cases = json.loads(golden("notebook.json").read_text())["cases"]
        self.assertTrue(cases)
        for case in cases:
            with self.subTest(case["id"]), mock.patch.dict(os.environ):
                self.run_case(case["input"], case["expected"])

    def run_case(self, given, expected):
        self.out.seek(0), self.out.truncate()
        situation, arguments = given.get("situation", {}), dict(given.get("arguments", {}))
        os.environ.update(given.get("env", {}))
        real = situation.get("run_for_real") or "child_error" in situation or "test_error" in situation
        seen, kept = [], self.folder / "kept.json"
        if arguments.get("use_port") == "PORT" or (real and "use_port" not in arguments and given["call"] == "notebook_launcher"):
            arguments["use_port"] = str(free_port())
        if not real:
            os.environ["TRAINYARD"] = self.recorder(kept)

        def function(*args):
            if real:
                self.note(args=args)
            else:
                seen.append(list(args))
            if situation.get("function_fails") or situation.get("fails_on_rank") == int(os.environ.get("RANK", -1)):
                raise ValueError("the function failed")
            if "child_error" in situation:
                raise_text(situation["child_error"])

        spawned = []
        modules = stand_ins(situation)
        if "xla_spawn" in expected:
            xla = module("torch_xla.distributed.xla_multiprocessing", spawn=lambda run, args, start_method: spawned.append(start_method) or run(0, *args))
            modules.update({"torch_xla": module("torch_xla"), "torch_xla.distributed": module("torch_xla.distributed", xla_multiprocessing=xla),
                            "torch_xla.distributed.xla_multiprocessing": xla})
        if situation.get("run_for_real"):
            modules = {}
        without = {name: None for name in STAND_INS if name not in modules}
        error = None
        check = mock.patch.object(trainyard_notebook, "_check_cuda", lambda: raise_text(situation["test_error"])) if "test_error" in situation \
            else contextlib.nullcontext()
        with mock.patch.dict(sys.modules, {**without, **modules}), check:
            for name in without:
                sys.modules.pop(name)
            with mock.patch.dict(sys.modules, {"torch": None} if "torch" in without else {}):
                try:
                    getattr(trainyard_notebook, given["call"])(function, **arguments)
                except Exception as raised:  # noqa: B902: compared below
                    error = raised
        self.compare_error(error, expected.get("error"), arguments, situation.get("test_error"))
        self.compare_prints(expected, situation)
        if "direct_calls" in expected:
            self.assertEqual(seen, [call["args"] for call in expected["direct_calls"]])
        if "xla_spawn" in expected:
            self.assertEqual((spawned, seen), ([expected["xla_spawn"]["start_method"]], [expected["xla_spawn"]["args"]]))
        if not real and ("elastic_launch" in expected or given["call"] == "debug_launcher"):
            self.compare_launch(json.loads(kept.read_text()), expected)
        if "ranks" in expected:
            self.compare_ranks(expected["ranks"], arguments)
        for name, value in expected.get("environment_after", {}).items():
            if not name.startswith("TORCHELASTIC"):  # of torch's own launcher
                self.assertEqual(os.environ.get(name), value)
        for file in self.folder.glob("*.json"):
            file.unlink()

    def recorder(self, kept):
        program = self.folder / "trainyard"
        program.write_text(f"#!{sys.executable}\nimport json, os, sys\n"
                           f"open({str(kept)!r}, 'w').write(json.dumps({{'argv': sys.argv[1:], 'env': dict(os.environ)}}))\n")
        program.chmod(0o700)
        return str(program)

    def compare_error(self, error, expected, arguments, test_error):
        if expected is None:
            self.assertIsNone(error, error)
            return
        self.assertIsNotNone(error)
        if expected["type"] == "AttributeError":  # of an unknown precision; here the message says what is wrong
            self.assertIsInstance(error, ValueError)
            self.assertIn(arguments["mixed_precision"], str(error))
        elif expected["type"] in ("ProcessRaisedException", "ChildFailedError"):
            self.assertIsInstance(error, trainyard_notebook.LaunchError)
            self.assertIn("ValueError: the function failed", str(error))
            self.assertIn("Traceback", error.traceback)
        else:
            self.assertIsInstance(error, getattr(builtins, expected["type"]))
            wanted = expected["message"]
            if test_error and wanted.endswith(test_error):  # here with the kind of the exception
                self.assertIn(test_error, str(error))
                wanted = wanted[:-len(test_error)]
            self.assertTrue(str(error).startswith(wanted), str(error))

    def compare_prints(self, expected, situation):
        on_cpu = not situation.get("gpus") and "device_type" not in situation
        for line in expected.get("prints", []):
            if on_cpu and "CUDAs" in line:  # there are none
                line = line.replace("CUDAs", "CPU processes")
            self.assertIn(line, self.out.getvalue())

    def compare_launch(self, kept, expected):
        argv, given = kept["argv"], {}
        self.assertEqual(argv[:2], ["launch", "--no_python"])
        for at, word in enumerate(argv):
            if word.startswith("--"):
                given[word[2:]] = argv[at + 1]
        if "elastic_launch" not in expected:
            (start,) = expected["start_processes"]
            self.assertEqual((given["num_processes"], given["mixed_precision"]), (str(start["nprocs"]), "no"))
            self.assertIn("--cpu", argv)
            return
        config, environment = expected["elastic_launch"]["config"], expected["elastic_launch"]["env"]
        self.assertEqual(given["num_processes"], environment["WORLD_SIZE"])
        self.assertEqual(given["num_machines"], str(config["max_nodes"]))
        self.assertEqual(given["mixed_precision"], environment["MIXED_PRECISION"])
        self.assertEqual(given["max_restarts"], str(config["max_restarts"]))
        self.assertEqual(given.get("monitor_interval", "0.1"), str(config["monitor_interval"]))
        self.assertEqual(given["rdzv_backend"], config["rdzv_backend"])
        self.assertEqual((given.get("main_process_ip", "127.0.0.1"), given.get("main_process_port", "29500")), (environment["MASTER_ADDR"], environment["MASTER_PORT"]))
        self.assertEqual(given.get("rdzv_id", "none"), config["run_id"])
        if config["rdzv_endpoint"] not in ("", f"{environment['MASTER_ADDR']}:{environment['MASTER_PORT']}"):
            self.assertEqual(given["rdzv_endpoint"], config["rdzv_endpoint"])
        if config["max_nodes"] > 1:
            self.assertEqual(given["machine_rank"], str(config["rdzv_configs"]["rank"]))
        if config["rdzv_configs"]["timeout"] != 900:
            self.assertIn(f"timeout={config['rdzv_configs']['timeout']}", given["rdzv_conf"])
        for name, value in environment.items():
            # Which cards have no peer access is the launcher's to find out; what else it sets itself are the flags above.
            if name not in ("MASTER_ADDR", "MASTER_PORT", "WORLD_SIZE") and not name.startswith("NCCL_"):
                self.assertEqual(kept["env"].get(name), value, name)

    def compare_ranks(self, expected, arguments):
        notes = self.notes()
        self.assertEqual(len(notes), len(expected))
        for note, wanted in zip(notes, expected):
            for name, value in wanted.items():
                if name == "state" or (name == "MASTER_PORT" and value != "PORT"):  # the debug launcher takes a free one
                    continue
                value = arguments["use_port"] if value == "PORT" else value
                same = ("yes", "True") if name == "ACCELERATE_USE_CPU" else (value,)
                self.assertIn(note["env"].get(name), same, name)


def raise_text(text):
    kind, _, rest = text.partition(": ")
    kind = getattr(builtins, kind, None)
    if kind is None or not rest:
        raise RuntimeError(text) if not rest else ValueError(text)
    raise kind(rest.strip("'"))


class Ranks(Launcher):
    def launch(self, function, *args, **options):
        return trainyard_notebook.notebook_launcher(function, args, options.pop("num_processes", 2), use_port="0", **options)

    def test_ranks_see_the_variables_of_the_notebook_and_leave_a_run(self):
        seen = {"count": 3}

        def training_loop(word):
            self.note(word=word, seen=seen)
            print(f"step 1 loss: {2 + int(os.environ['RANK'])}")

        run = self.launch(training_loop, "hello", mixed_precision="bf16")
        self.assertIn("training_loop", pathlib.Path(run).name)
        self.assertEqual([note["word"] for note in self.notes()], ["hello", "hello"])
        self.assertEqual([note["env"]["ACCELERATE_MIXED_PRECISION"] for note in self.notes()], ["bf16", "bf16"])
        self.assertIn("step 1 loss: 2", self.out.getvalue())
        self.assertEqual(json.loads((pathlib.Path(run) / "state.json").read_text())["status"], "finished")

    def test_the_settings_file_is_ignored(self):
        settings = self.folder / "default.yaml"
        settings.write_text("compute_environment: LOCAL_MACHINE\ndistributed_type: FSDP\nnum_processes: 7\n"
                            "mixed_precision: bf16\nfsdp_config:\n  fsdp_version: 2\n")
        os.environ["TRAINYARD_CONFIG"] = str(settings)
        # As for a GPU: without --cpu, which would leave the file out.
        with mock.patch.object(trainyard_notebook, "_device_kind", lambda: "xpu"):
            self.launch(self.note)
        notes = self.notes()
        self.assertEqual([note["env"]["WORLD_SIZE"] for note in notes], ["2", "2"])
        for note in notes:
            self.assertEqual(note["env"]["ACCELERATE_MIXED_PRECISION"], "no")
            self.assertNotIn("ACCELERATE_USE_FSDP", note["env"])
            self.assertEqual(note["env"]["TRAINYARD_CONFIG"], str(settings))

    def test_a_model_made_in_the_notebook_is_an_argument(self):
        model = types.SimpleNamespace(weights=[1.0, 2.0])

        def training(of_notebook, steps):
            of_notebook.weights[0] += steps + int(os.environ["RANK"])
            self.note(weights=of_notebook.weights)

        self.launch(training, model, 3)
        self.assertEqual([note["weights"] for note in self.notes()], [[4.0, 2.0], [5.0, 2.0]])
        self.assertEqual(model.weights, [1.0, 2.0])

    def test_processes_of_a_tpu_get_the_arguments(self):
        calls = []
        xla = module("torch_xla.distributed.xla_multiprocessing",
                     spawn=lambda run, args, start_method: [run(index, *args) for index in range(8)])
        modules = {"torch_xla": module("torch_xla"),
                   "torch_xla.distributed": module("torch_xla.distributed", xla_multiprocessing=xla),
                   "torch_xla.distributed.xla_multiprocessing": xla, **stand_ins({"colab": True})}
        os.environ["TPU_NAME"] = "grpc://x"
        with mock.patch.dict(sys.modules, modules):
            self.launch(lambda model, steps: calls.append((model, steps)), "model", 3, num_processes=8)
        self.assertEqual(calls, [("model", 3)] * 8)
        self.assertIn("Launching a training on TPU cores.", self.out.getvalue())

    def test_a_failed_rank_is_named(self):
        def function():
            if os.environ["RANK"] == "1":
                raise KeyError("x")
            time.sleep(600)  # ended by the launcher

        with self.assertRaises(trainyard_notebook.LaunchError) as caught:
            self.launch(function)
        self.assertEqual(caught.exception.rank, 1)
        self.assertIn("launching the training: KeyError: 'x'", str(caught.exception))
        self.assertIn("in function", caught.exception.traceback)
        self.assertNotIn("trainyard_notebook", caught.exception.traceback)
        self.assertIn("Logs: " + str(self.folder), str(caught.exception))

    def test_a_rank_that_is_killed_is_named_with_its_signal(self):
        with self.assertRaisesRegex(trainyard_notebook.LaunchError, "SIGKILL"):
            self.launch(lambda: os.environ["RANK"] == "1" and os.kill(os.getpid(), signal.SIGKILL))

    def test_ranks_that_exit_are_done(self):
        self.launch(lambda: sys.exit())
        with self.assertRaisesRegex(trainyard_notebook.LaunchError, "exit.* code 3"):
            self.launch(lambda: sys.exit(3))

    def test_restarts(self):
        def function():
            again = os.environ["TORCHELASTIC_RESTART_COUNT"]
            self.note()
            if again == "0" and os.environ["RANK"] == "0":
                raise ValueError("once")

        self.launch(function, max_restarts=1)
        self.assertEqual(sorted(note["env"]["TORCHELASTIC_RESTART_COUNT"] for note in self.notes() if note["env"]["RANK"] == "0"), ["0", "1"])

    def test_the_name_of_the_rendezvous_reaches_the_ranks(self):
        self.launch(self.note, rdzv_id="job7")
        self.assertEqual([note["env"]["TORCHELASTIC_RUN_ID"] for note in self.notes()], ["job7", "job7"])

    def test_prefix_of_lines(self):
        self.launch(lambda: print("one\ntwo") or sys.stdout.writelines(["three\n"]), log_line_prefix_template="[${rank}/$local_rank]: ")
        for line in ("[0/0]: one", "[0/0]: two", "[1/1]: one", "[1/1]: two", "[1/1]: three"):
            self.assertIn(line, self.out.getvalue())

    def test_an_interrupt_ends_the_ranks(self):
        def function():
            self.note(pid=os.getpid())
            time.sleep(600)

        def interrupt():
            while len(self.notes_that_parse()) < 2:
                time.sleep(0.05)
            os.kill(os.getpid(), signal.SIGINT)

        threading.Thread(target=interrupt, daemon=True).start()
        with self.assertRaises(KeyboardInterrupt):
            self.launch(function)
        for note in self.notes():
            with self.assertRaises(ChildProcessError, msg="a rank is still there, or nothing waited for its end"):
                os.waitpid(note["pid"], os.WNOHANG)

    def test_what_ranks_print_at_an_interrupt_is_shown(self):
        def function():
            def end(*_):
                print("x" * 200_000 + " saved", flush=True)  # more than a pipe holds
                sys.exit(0)

            for kind in (signal.SIGINT, signal.SIGTERM):
                signal.signal(kind, end)
            self.note(pid=os.getpid())
            time.sleep(600)

        def interrupt():
            while len(self.notes_that_parse()) < 2:
                time.sleep(0.05)
            os.kill(os.getpid(), signal.SIGINT)

        threading.Thread(target=interrupt, daemon=True).start()
        with self.assertRaises(KeyboardInterrupt):
            self.launch(function)
        self.assertEqual(self.out.getvalue().count("x saved"), 2)

    def test_ranks_end_with_the_notebook(self):
        """Only the notebook's own process is killed: what it forked and started gets no signal."""
        script = self.folder / "cells.py"
        script.write_text("import os, sys, time\n"
                          f"sys.path.insert(0, {str(ROOT / 'resources' / 'notebook')!r})\n"
                          "from trainyard_notebook import notebook_launcher\n"
                          "def waits():\n"
                          f"    open({str(self.folder)!r} + '/rank-' + os.environ['RANK'], 'w').write(str(os.getpid()))\n"
                          "    time.sleep(600)\n"
                          "notebook_launcher(waits, num_processes=2, use_port='0', max_restarts=3)\n")
        notebook = subprocess.Popen([sys.executable, "-B", str(script)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.addCleanup(notebook.wait)
        self.addCleanup(notebook.kill)
        self.until(lambda: all((self.folder / f"rank-{rank}").exists() and (self.folder / f"rank-{rank}").read_text() for rank in (0, 1)))
        ranks = [int((self.folder / f"rank-{rank}").read_text()) for rank in (0, 1)]
        notebook.kill()
        notebook.wait()
        self.until(lambda: not any(map(self.is_alive, ranks)))
        (state,) = (self.folder / "runs").glob("*/state.json")
        self.until(lambda: json.loads(state.read_text())["status"] == "failed")
        self.assertIn("The notebook has ended", (state.parent / "logs" / "rank-00000.log").read_text())

    def until(self, condition):
        """Waits; the time limit is that of the test program."""
        while not condition():
            time.sleep(0.05)

    @staticmethod
    def is_alive(pid):
        try:
            return pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
        except OSError:
            return False

    def notes_that_parse(self):
        try:
            return self.notes()
        except json.JSONDecodeError:  # half written
            return []

    def test_the_last_attempt_and_the_first_rank_in_it_are_reported(self):
        first = self.folder / "first"

        def function():
            if os.environ["TORCHELASTIC_RESTART_COUNT"] == "0":
                raise ValueError("of the first attempt")
            if os.environ["RANK"] == "1":
                first.write_text(str(os.getpid()))
                raise KeyError("label")
            while not first.exists() or not first.read_text() or self.is_alive(int(first.read_text())):
                time.sleep(0.001)
            raise ConnectionError("the peer has gone")

        with self.assertRaisesRegex(trainyard_notebook.LaunchError, "KeyError: 'label'") as caught:
            self.launch(function, max_restarts=1)
        self.assertEqual(caught.exception.rank, 1)

    def test_errors_of_any_length_and_language(self):
        class Strange(Exception):
            def __str__(self):
                return "\U0001f682\x1b" * 20_000 + "\udcff"

        def function():
            raise Strange()

        with self.assertRaisesRegex(trainyard_notebook.LaunchError, "Strange: \U0001f682"):
            self.launch(function)

    def test_a_process_that_a_rank_leaves_behind_is_not_waited_for(self):
        def function():
            pid = os.fork()
            if pid == 0:
                for fd in (0, 1, 2):  # it has no output, but everything else of the rank
                    os.close(fd)
                time.sleep(600)
                os._exit(0)
            self.note(left=pid)
            raise ValueError("after its process")

        with self.assertRaisesRegex(trainyard_notebook.LaunchError, "after its process"):
            self.launch(function)
        for note in self.notes():
            with contextlib.suppress(ProcessLookupError):
                os.kill(note["left"], signal.SIGKILL)

    def test_characters_are_whole(self):
        text = "x" + "\u00e9\U0001f682" * 40_000
        self.launch(lambda: os.environ["RANK"] == "1" and print(text))
        self.assertIn(text + "\n", self.out.getvalue())

    def test_loggers_of_the_notebook_write_to_the_logs_of_the_ranks(self):
        logger = logging.getLogger("of the notebook")
        handler = logging.StreamHandler(sys.stderr)
        logger.addHandler(handler)
        self.addCleanup(logger.removeHandler, handler)
        run = self.launch(lambda: logger.warning("step %s is slow", os.environ["RANK"]))
        self.assertIn("step 1 is slow", self.err.getvalue())
        self.assertIn("step 1 is slow", (pathlib.Path(run) / "logs" / "rank-00001.log").read_text())

    def test_an_exit_with_a_reason_shows_it(self):
        with self.assertRaises(trainyard_notebook.LaunchError):
            self.launch(lambda: sys.exit("no data"))
        self.assertIn("no data", self.err.getvalue())

    def test_arguments_that_cannot_be_are_one_message(self):
        os.environ["TRAINYARD"] = "/bin/false"
        with self.assertRaises(ValueError) as caught:
            trainyard_notebook.notebook_launcher(lambda: None, "model", num_processes="2", use_port="none", mixed_precision="int4", num_nodes=0,
                                                 max_restarts=-1, monitor_interval=0, rdzv_conf="timeout=3", log_line_prefix_template=7)
        for name in ("args", "num_processes", "use_port", "mixed_precision", "num_nodes", "max_restarts", "monitor_interval", "rdzv_conf",
                     "log_line_prefix_template"):
            self.assertIn(f"{name} is ", str(caught.exception))
        with self.assertRaisesRegex(ValueError, "each of the 2 machines needs 1 or more"):
            trainyard_notebook.notebook_launcher(lambda: None, num_processes=0, num_nodes=2)
        with self.assertRaisesRegex(ValueError, "num_processes is 'two'"):
            trainyard_notebook.debug_launcher(lambda: None, num_processes="two")

    def test_what_the_launcher_refuses_is_the_error_alone(self):
        with self.assertRaisesRegex(trainyard_notebook.LaunchError, "100000 processes are too many"):
            self.launch(lambda: None, num_processes=100_000)
        self.assertEqual(self.err.getvalue(), "")

    def test_one_process_has_the_precision_and_names_what_has_no_effect(self):
        seen = []
        trainyard_notebook.notebook_launcher(lambda: seen.append(os.environ.get("ACCELERATE_MIXED_PRECISION")), num_processes=1,
                                             mixed_precision="bf16", max_restarts=2)
        self.assertEqual(seen, ["bf16"])
        self.assertNotIn("ACCELERATE_MIXED_PRECISION", os.environ)
        self.assertIn("no effect: max_restarts.", self.out.getvalue())

    def test_a_copy_with_few_folders_above_it_finds_the_program(self):
        copy = self.folder / "trainyard_notebook.py"
        shutil.copy(ROOT / "resources" / "notebook" / "trainyard_notebook.py", copy)
        with mock.patch.object(pathlib.Path, "resolve", lambda path: pathlib.Path("/work") / path.name):
            spec = importlib.util.spec_from_file_location("copied_notebook", copy)
            copied = importlib.util.module_from_spec(spec)
            spec.loader.exec_module(copied)
            self.assertEqual(copied._program(), str(PROGRAM))
            os.environ["TRAINYARD"] = str(self.folder / "missing")
            with self.assertRaisesRegex(RuntimeError, "names .*missing, which is not a program"):
                copied._program()

    def test_a_long_temporary_folder_without_programs(self):
        deep = self.folder / ("d" * 60) / ("e" * 60)
        deep.mkdir(parents=True)
        access = os.access
        with mock.patch.object(tempfile, "tempdir", str(deep)), \
                mock.patch.object(os, "access", lambda path, *mode: "/trainyard-" not in str(path) and access(path, *mode)):
            self.launch(self.note)
        self.assertEqual(len(self.notes()), 2)

    def test_the_debug_launcher_leaves_no_run(self):
        trainyard_notebook.debug_launcher(lambda: self.note(), num_processes=3)
        self.assertEqual([note["env"]["RANK"] for note in self.notes()], ["0", "1", "2"])
        self.assertFalse((self.folder / "runs").exists() and any((self.folder / "runs").iterdir()))

    def test_a_gpu_in_use_is_found_before_anything_starts(self):
        device = self.folder / "device"
        self.assertFalse(trainyard_notebook._holds_gpu(str(device)))
        with open(device, "w"):
            self.assertTrue(trainyard_notebook._holds_gpu(str(device)))
        os.environ["TRAINYARD"] = "/bin/false"
        modules = stand_ins({"gpus": 2})
        modules["torch"].cuda.is_initialized = lambda: False
        with mock.patch.dict(sys.modules, modules), mock.patch.object(trainyard_notebook, "_holds_gpu", lambda: True):
            with self.assertRaisesRegex(RuntimeError, "CUDA has been initialized .* a library other than torch"):
                self.launch(lambda: None)

    def test_the_result_of_a_call_is_no_function(self):
        with self.assertRaisesRegex(ValueError, "pass it without brackets"):
            self.launch(None)

    def test_no_program_is_one_message(self):
        os.environ.pop("TRAINYARD")
        os.environ["PATH"] = str(self.folder)
        with self.assertRaisesRegex(RuntimeError, "variable TRAINYARD"):
            self.launch(lambda: None)


class Curves(Launcher):
    def test_curves_are_drawn_while_the_ranks_run(self):
        shown = []

        class Handle:
            def update(self, picture):
                shown.append(picture)

        display = module("IPython.display", HTML=lambda text: text, display=lambda picture, display_id: shown.append(picture) or Handle())
        ipython = module("IPython", get_ipython=lambda: types.SimpleNamespace(kernel=object()), display=display)

        def function():
            for step in range(30):
                print(f"step {step} loss: {1 / (1 + step):.4f}", flush=True)
                time.sleep(0.1)

        with mock.patch.dict(sys.modules, {"IPython": ipython, "IPython.display": display}):
            trainyard_notebook.notebook_launcher(function, num_processes=2, use_port="0")
        self.assertGreater(len(shown), 1, "drawn at the end only")
        self.assertIn("<polyline", shown[-1])
        self.assertIn("step 0 to 29", shown[-1])
        self.assertIn("0.0333 to 1<", shown[-1])

    def test_a_terminal_draws_nothing(self):
        ipython = module("IPython", get_ipython=lambda: object())
        with mock.patch.dict(sys.modules, {"IPython": ipython, "IPython.display": None}):
            trainyard_notebook.notebook_launcher(lambda: print("step 1 loss: 2"), num_processes=2, use_port="0")
        self.assertIn("step 1 loss: 2", self.out.getvalue())

    def test_steps_that_come_again_not_a_number_and_many_curves(self):
        curves = trainyard_notebook._Curves(self.folder)
        curves.points = {"loss": {1: 4.0, 2: 3.0, 3: float("nan")}, **{f"lr {number}": {1: 1.0} for number in range(9)}}
        curves.points["loss"][2] = 2.0
        page = curves.html()
        self.assertIn("loss nan<", page)
        self.assertIn("2 to 4<", page)
        self.assertEqual(page.count("<svg"), 8)
        self.assertIn("2 more curves", page)

    def test_files_that_vanish_do_not_end_the_training(self):
        metrics = self.folder / "metrics"
        metrics.mkdir()
        (metrics / "events.tfevents.1").symlink_to(self.folder / "removed")
        trainyard_notebook._Curves(self.folder).draw(finished=True)

    def test_damaged_files_draw_nothing(self):
        metrics = self.folder / "metrics"
        metrics.mkdir()
        (metrics / "events.tfevents.1").write_bytes(b"\x04" + bytes(11) + b"\xff\xff\xff\xff" + bytes(4))
        (metrics / "events.tfevents.2").write_bytes(b"\xff" * 40)
        curves = trainyard_notebook._Curves(self.folder)
        self.assertFalse(curves._read())


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--bin", required=True, type=pathlib.Path)
    options, rest = parser.parse_known_args()
    PROGRAM = options.bin / "trainyard"
    unittest.main(argv=[sys.argv[0], *rest])
