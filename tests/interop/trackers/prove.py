# SPDX-License-Identifier: GPL-3.0-or-later
"""What a run of Trainyard leaves with trackers of other tools, read by these tools.

    python prove.py BUILD

BUILD is a build folder with bin/trainyard. Needs Python with requirements.txt of this folder. One small training writes
to MLflow (a folder, then a server), Weights & Biases (a folder, sent by `wandb sync` to a server of this program),
Trackio, DVCLive, SwanLab, ClearML and Comet (folders and an archive, sent by `swanlab sync`,
Task.import_offline_session() and `comet upload` to servers of tests/golden/generate/tracker_fakes.py) and Aim (a
repository). Each tool's own reader must have every step of the loss, with the values of the run's JSON lines.
Prints a line for each tool; exit code 1 if one differs.
"""
import contextlib
import gzip
import json
import os
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "golden" / "generate"))
import tracker_fakes  # noqa: E402
from recorder import Server  # noqa: E402

STEPS = 40
RECIPE = """\
name: interop
model: {model_type: gpt2, vocab_size: 256, n_positions: 32, n_embd: 16, n_layer: 1, n_head: 2}
data: {path: text.txt, format: bytes, sequence_length: 16}
training: {steps: STEPS, batch_size: 2, seed: 1}
logging:
  trackers: [jsonl, mlflow, wandb, trackio, dvclive, swanlab, clearml, comet_ml, aim]
  tracker_arguments: {mlflow: {run_name: first}, wandb: {name: first, tags: [a, b]}, trackio: {name: first}}
""".replace("STEPS", str(STEPS))
NAME = "train/loss"


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def train(build, folder, **variables):
    """-> {step: loss} of the run's JSON lines."""
    folder.mkdir(parents=True)
    (folder / "text.txt").write_text("The yard has ten tracks, and each has a train.\n" * 200)
    (folder / "recipe.yaml").write_text(RECIPE)
    environment = {**os.environ, "TRAINYARD_RUNS": str(folder / "runs"), "TRAINYARD_PYTHON": sys.executable,
                   "SWANLAB_MODE": "offline", "SWANLAB_LOG_DIR": str(folder / "swanlog"), "CLEARML_OFFLINE_MODE": "1",
                   "CLEARML_CACHE_DIR": str(folder / "clearml"), "COMET_START_ONLINE": "0",
                   "COMET_OFFLINE_DIRECTORY": str(folder / "comet"), **variables}
    words = [str(build / "bin" / "trainyard"), "launch", "--cpu", "recipe.yaml"]
    done = subprocess.run(words, cwd=folder, env=environment, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(words)} failed:\n{done.stdout}{done.stderr}")
    # On a busy machine a package may take longer to load than the end of a run waits.
    for unsent in {path.parents[2] for path in folder.rglob("trackers/.trainyard-unsent/*.jsonl")}:
        words = [words[0], "runs", "sync", str(unsent), "--seconds", "300"]
        subprocess.run(words, cwd=folder, env=environment, check=True, capture_output=True)
    [lines] = folder.rglob("trackers/*.jsonl")
    losses = {}
    for line in lines.read_text().splitlines():
        entry = json.loads(line)
        if NAME in entry.get("values", {}):
            losses[entry["step"]] = entry["values"][NAME]
    assert len(losses) == STEPS, losses
    return losses


def mlflow_curve(address):
    import mlflow

    client = mlflow.MlflowClient(tracking_uri=address)
    [experiment] = [one for one in client.search_experiments() if one.name == "interop"]
    [run] = client.search_runs([experiment.experiment_id])
    assert run.info.status == "FINISHED" and run.info.run_name == "first", run.info
    assert run.data.params["training.steps"] in (str(STEPS), f"{STEPS}.0"), run.data.params
    return {point.step: point.value for point in client.get_metric_history(run.info.run_id, NAME)}


@contextlib.contextmanager
def mlflow_server(folder):
    port = free_port()
    folder.mkdir()
    words = [sys.executable, "-m", "mlflow", "server", "--host", "127.0.0.1", "--port", str(port), "--workers", "1",
             "--backend-store-uri", f"sqlite:///{folder}/runs.db", "--artifacts-destination", str(folder / "artifacts")]
    with open(folder / "log", "wb") as log:
        server = subprocess.Popen(words, stdout=log, stderr=log, cwd=folder, start_new_session=True)
    address = f"http://127.0.0.1:{port}"
    try:
        for _ in range(1200):  # a busy machine needs minutes to import the server
            try:
                urllib.request.urlopen(address + "/health", timeout=5).read()
                break
            except OSError:
                if server.poll() is not None:
                    break
                time.sleep(0.5)
        if server.poll() is not None:
            sys.exit((folder / "log").read_text())
        yield address
    finally:
        os.killpg(server.pid, 15)
        server.wait()


class Wandb(BaseHTTPRequestHandler):
    """As little of the server as `wandb sync` needs."""

    history, summary, bucket = {}, {}, {}

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if self.headers.get("Content-Encoding") == "gzip":
            body = gzip.decompress(body)
        if self.path != "/graphql" and not self.path.endswith("/file_stream"):
            return self.answer({})
        request = json.loads(body)
        if self.path != "/graphql":
            files = request.get("files", {})
            history = files.get("wandb-history.jsonl", {})
            for i, line in enumerate(history.get("content", [])):
                self.history[history["offset"] + i] = json.loads(line)
            for line in files.get("wandb-summary.json", {}).get("content", []):
                self.summary.update(json.loads(line))
            return self.answer({})
        query, variables = request.get("query", ""), request.get("variables", {})
        if "upsertBucket" in query:
            self.bucket.update({key: value for key, value in variables.items() if value is not None})
            return self.answer({"upsertBucket": {"bucket": {
                "id": "bucket", "name": variables.get("name"), "displayName": variables.get("displayName"),
                "sweepName": None, "historyLineCount": 0, "config": "{}",
                "project": {"id": "project", "name": variables.get("project"), "entity": {"id": "e", "name": "someone"}}},
                "inserted": True}})
        if "createRunFiles" in query:
            address = f"http://127.0.0.1:{self.server.server_port}/upload/"
            return self.answer({"createRunFiles": {"runID": "run", "uploadHeaders": [], "files": [
                {"name": name, "uploadUrl": address + name} for name in variables.get("files", [])]}})
        if "viewer" in query:
            return self.answer({"viewer": {"id": "v", "entity": "someone", "username": "someone", "flags": "{}",
                                           "teams": {"edges": []}}})
        return self.answer({"serverInfo": {"features": []}})

    def do_PUT(self):
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.answer(None)

    def answer(self, data):
        text = json.dumps({"data": data}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *_):
        pass


def wandb_curve(folder):
    server = ThreadingHTTPServer(("127.0.0.1", 0), Wandb)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    [run] = folder.rglob("offline-run-*/")
    words = [str(Path(sys.executable).with_name("wandb")), "sync", str(run)]
    environment = {**os.environ, "WANDB_BASE_URL": f"http://127.0.0.1:{server.server_port}",
                   "WANDB_API_KEY": "x" * 40, "WANDB_DIR": str(folder), "HOME": str(folder)}
    done = subprocess.run(words, env=environment, capture_output=True, text=True, timeout=300)
    server.shutdown()
    assert done.returncode == 0, done.stdout + done.stderr
    assert Wandb.bucket["displayName"] == "first" and Wandb.bucket["tags"] == ["a", "b"], Wandb.bucket
    config = json.loads(Wandb.bucket["config"])
    assert config["training.steps"]["value"] == STEPS, config
    rows = [Wandb.history[line] for line in sorted(Wandb.history)]
    assert abs(Wandb.summary[NAME] - rows[-1][NAME]) < 1e-12, Wandb.summary
    return {row["_step"]: row[NAME] for row in rows if NAME in row}


def trackio_curve(folder):
    code = ("import json, sys\nfrom trackio.sqlite_storage import SQLiteStorage as S\n"
            "print(json.dumps([S.get_projects(), S.get_runs('interop'), S.get_logs('interop', 'first')], default=str))")
    done = subprocess.run([sys.executable, "-c", code], env={**os.environ, "TRACKIO_DIR": str(folder)},
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    projects, runs, logs = json.loads(done.stdout.splitlines()[-1])
    assert projects == ["interop"] and len(runs) == 1, (projects, runs)
    return {row["step"]: row[NAME] for row in logs if NAME in row}


def dvclive_curve(folder):
    from dvclive.utils import parse_metrics
    from dvclive import Live

    live = Live(str(folder), resume=True, save_dvc_exp=False, dvcyaml=None)
    history, latest = parse_metrics(live)
    assert latest["step"] == max(int(row["step"]) for rows in history.values() for row in rows), latest
    [rows] = [rows for path, rows in history.items() if str(path).endswith("train/loss.tsv")]
    return {int(row["step"]): float(row["loss"]) for row in rows}


AIM = """
import json, sys
from aim import Repo, Run
repo = Repo.from_path(sys.argv[1])
[key] = repo.list_all_runs()
run = Run(key, repo=repo, system_tracking_interval=None, capture_terminal_logs=False)
[points] = [[[step, value[0]] for step, value in metric.data.items()]
            for metric in run.metrics() if metric.name == sys.argv[2]]
print(json.dumps([run.name, run["hparams"], points]))
"""


def aim_curve(folder):
    [repository] = [path.parent for path in folder.rglob(".aim")]
    done = subprocess.run([sys.executable, "-c", AIM, str(repository), NAME], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    name, parameters, points = json.loads(done.stdout.splitlines()[-1])
    assert name == "interop" and parameters["training.steps"] == STEPS, (name, parameters)
    return dict(points)


def served(answer, command, variables):
    """Requests that a command sends to a server with these answers."""
    state = {}
    server = Server(answer(state))
    state["url"] = server.url
    environment = {**os.environ, **{name: value.replace("URL", server.url) for name, value in variables.items()}}
    try:
        done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300)
        assert done.returncode == 0, done.stdout + done.stderr
        return server.take()
    finally:
        server.close()


def swanlab_curve(folder):
    [run] = folder.glob("swanlog/run-*")
    requests = served(tracker_fakes.swanlab, [str(Path(sys.executable).with_name("swanlab")), "sync", str(run)],
                      {"SWANLAB_API_HOST": "URL/api", "SWANLAB_WEB_HOST": "URL", "SWANLAB_API_KEY": "x" * 40,
                       "HOME": str(folder)})
    return {point["index"]: point["data"] for request in requests if request["path"] == "/api/house/metrics"
            for point in request["body"]["metrics"] if point["key"] == NAME}


def clearml_curve(folder):
    [task] = [path.parent for path in folder.glob("clearml/offline/*/task.json")]
    code = "import sys\nfrom clearml import Task\nTask.import_offline_session(sys.argv[1])"
    requests = served(tracker_fakes.clearml, [sys.executable, "-c", code, str(task)],
                      {"CLEARML_API_HOST": "URL", "CLEARML_WEB_HOST": "URL", "CLEARML_FILES_HOST": "URL/upload",
                       "CLEARML_API_ACCESS_KEY": "access", "CLEARML_API_SECRET_KEY": "secret", "HOME": str(folder)})
    edited = [request["body"] for request in requests if request["path"].endswith("tasks.edit")]
    assert any("training" in str(body.get("configuration", "")) for body in edited), edited
    events = [json.loads(line) for request in requests if request["path"].endswith("events.add_batch")
              for line in request["raw"].decode().splitlines() if line.strip()]
    title, series = NAME.split("/")[1], NAME.split("/")[0]
    return {event["iter"]: event["value"] for event in events
            if event.get("metric") == title and event.get("variant") == series}


def comet_curve(folder):
    [archive] = (folder / "comet").glob("*.zip")
    requests = served(tracker_fakes.comet, [str(Path(sys.executable).with_name("comet")), "upload", str(archive)],
                      {"COMET_URL_OVERRIDE": "URL/clientlib/", "COMET_API_KEY": "x" * 40, "HOME": str(folder)})
    parameters = {value["parameterName"]: value["parameterValue"] for request in requests
                  if request["path"].endswith("/experiment/parameter") for value in request["body"]["values"]}
    assert float(parameters["training.steps"]) == STEPS, parameters
    [run] = [request["body"] for request in requests if request["path"].endswith("/logger/add/run")]
    assert run["projectName"] == "interop" and archive.name.startswith(run["experimentKey"] + "-"), run
    return {value["step"]: value["metricValue"] for request in requests
            if request["path"].endswith("/experiment/metric") for value in request["body"]["values"]
            if value["metricName"] == NAME}


def main(build):
    failed = 0

    def compare(what, ours, theirs):
        nonlocal failed
        same = ours.keys() == theirs.keys() and all(abs(ours[step] - theirs[step]) <= 1e-12 for step in ours)
        failed += not same
        print(f"{what}: {len(theirs)} of {len(ours)} steps, {'the same values' if same else 'DIFFERENT'}", flush=True)

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        os.chdir(folder)  # dvclive makes a repository of DVC in the repository of Git around it
        work = folder / "files"
        os.environ["MLFLOW_ALLOW_FILE_STORE"] = "true"
        losses = train(build, work, MLFLOW_TRACKING_URI=f"file:{folder}/mlruns", WANDB_MODE="offline",
                       WANDB_DIR=str(folder / "wandb-files"), TRACKIO_DIR=str(folder / "trackio"))
        compare("mlflow, folder", losses, mlflow_curve(f"file:{folder}/mlruns"))
        compare("wandb sync", losses, wandb_curve(folder / "wandb-files"))
        compare("trackio", losses, trackio_curve(folder / "trackio"))
        [dvclive] = [path.parent for path in folder.rglob("metrics.json") if path.parent.name == "dvclive"]
        compare("dvclive", losses, dvclive_curve(dvclive))
        compare("swanlab sync", losses, swanlab_curve(work))
        compare("clearml, import_offline_session", losses, clearml_curve(work))
        compare("comet upload", losses, comet_curve(work))
        compare("aim", losses, aim_curve(work))
        with mlflow_server(folder / "server") as address:
            losses = train(build, folder / "online", MLFLOW_TRACKING_URI=address, WANDB_MODE="disabled",
                           TRACKIO_DIR=str(folder / "trackio2"))
            compare("mlflow, server", losses, mlflow_curve(address))
        os.chdir("/")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]).resolve()))
