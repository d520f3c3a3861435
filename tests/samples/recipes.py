# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs a sample recipe of resources/samples with few steps, and checks what the sample is about.

  recipes.py --bin FOLDER NAME       NAME is that of the recipe without "sample-", e.g. swa
"""

import argparse
import json
import math
import os
import pathlib
import subprocess
import sys
import tempfile

SAMPLES = pathlib.Path(__file__).resolve().parents[2] / "resources/samples"
STEPS = 24
SECONDS = 100  # of one command


class Sample:
    """A sample, and the folder that its runs are in."""

    def __init__(self, name, bin_folder, folder):
        self.recipe = SAMPLES / f"sample-{name}.yaml"
        self.trainyard, self.folder, self.run = bin_folder / "trainyard", folder, folder / "run"
        dropped = ("TRAINYARD_", "ACCELERATE_", "XDG_", "MASTER_")
        self.environment = {key: value for key, value in os.environ.items() if not key.startswith(dropped)}
        self.environment.update(HOME=str(folder), TRAINYARD_RUNS=str(folder / "runs"), OMP_NUM_THREADS="1")

    def command(self, *words):
        done = subprocess.run([self.trainyard, *map(str, words)], env=self.environment, stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, errors="replace", timeout=SECONDS, check=False)
        if done.returncode != 0:
            sys.exit(f"{' '.join(map(str, words))} ended with {done.returncode}:\n{done.stdout[-3000:]}{done.stderr[-3000:]}")
        return done.stdout

    def launch(self, *settings, recipe=None, run=None, ranks=1):
        sets = {"training.steps": STEPS, "training.evaluate_every": STEPS // 2, "training.evaluate_batches": 2,
                "schedule.warmup_steps": 2, "logging.trackers": "[jsonl]"}
        sets.update(setting.split("=", 1) for setting in settings)
        words = [word for key, value in sets.items() for word in ("--set", f"{key}={value}")]
        self.command("launch", "--cpu", "--num_processes", ranks, "--main_process_port", 0, "--run_dir", run or self.run,
                     recipe or self.recipe, *words)

    def curve(self, tag):
        """The values of a tag in the order of steps."""
        (file,) = (self.run / "trackers").glob("*.jsonl")
        lines = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
        return [line["values"][tag] for line in lines if tag in line.get("values", {})]

    def expect_learning(self):
        losses = self.curve("train/loss")
        check(len(losses) == STEPS, f"{len(losses)} losses of {STEPS} steps")
        check(losses[-1] < 0.95 * losses[0], f"the loss was {losses[0]} and is {losses[-1]}")


def check(condition, message):
    if not condition:
        sys.exit(message)


def profile(sample):
    sample.launch("training.steps=12", ranks=2)
    traces = sorted(path.name for path in (sample.run / "traces").glob("*.trace.json"))
    check(len(traces) == 2, f"traces of two ranks are expected: {traces}")
    check("matmul" in sample.command("trace", "summary", sample.run), "the summary names no matrix product")


def schedule_free(sample):
    sample.launch("schedule.warmup_steps=0", "optimizer.arguments={warmup_steps: 4}")
    sample.expect_learning()
    check(len(set(sample.curve("train/lr")[5:])) == 1, "the learning rate is not constant")


def swa(sample):
    sample.launch("training.swa_start=12", "training.swa_freq=2", "training.swa_anneal_steps=4")
    sample.expect_learning()
    check(len(sample.curve("eval/loss_average")) >= 1, "the average was not evaluated")
    check(abs(sample.curve("train/lr")[-1] - 1e-3) < 1e-6, f"the learning rate ends at {sample.curve('train/lr')[-1]}")


def adapter(sample):
    base = sample.folder / "base"
    sample.launch("data.format=jsonl", f"data.path={SAMPLES / 'data/sums.jsonl'}", "data.pattern='*'", "data.column=text",
                  "training.steps=4", recipe=SAMPLES / "sample-llama.yaml", run=base)
    sample.command("checkpoints", "export", base, sample.folder / "base-model")
    sample.launch(f"model.weights={sample.folder / 'base-model'}")
    losses = sample.curve("train/loss")
    check(sum(losses[-6:]) < sum(losses[:6]), f"the adapter learns nothing: {losses}")
    sample.command("checkpoints", "export", sample.run, sample.folder / "adapter")
    for name in ("adapter_model.safetensors", "adapter_config.json"):
        check((sample.folder / "adapter" / name).is_file(), f"the export has no {name}")


def generation(sample):
    sample.launch("generation.every=12", "generation.max_new_tokens=8")
    sample.expect_learning()
    texts = b"".join(path.read_bytes() for path in (sample.run / "metrics").glob("events.out.tfevents.*"))
    for tag in (b"samples/1", b"samples/2"):
        check(texts.count(tag) >= 2, f"{tag.decode()} was not written twice")


def pipeline(sample):
    sample.launch(ranks=2)
    sample.expect_learning()


def sharded(sample):
    sample.launch(ranks=2)
    sample.expect_learning()


def offload(sample):
    disk = sample.folder / "disk"
    disk.mkdir()
    sample.launch(f"parallel.offload_optimizer_nvme_path={disk}")
    sample.expect_learning()
    check(not any(disk.iterdir()), "a file is left on the disk")


def csv(sample):
    sample.launch()
    sample.expect_learning()
    check(len(sample.curve("eval/loss")) >= 1, "the sample was not evaluated")


def questions(sample):
    sample.launch("training.metrics=[]")
    sample.expect_learning()
    for tag in ("eval/exact_match", "eval/f1"):
        values = sample.curve(tag)
        check(values and all(0 <= value <= 1 for value in values), f"{tag} is {values}")


def choices(sample):
    sample.launch(ranks=2)
    check(len(sample.curve("eval/accuracy")) >= 1, "the sample was not evaluated")


def classification(sample):
    sample.launch("training.metrics=[f1, precision_macro]", "checkpoint.best_metric=eval/f1",
                  "checkpoint.best_mode=max", ranks=2)
    for tag in ("eval/accuracy", "eval/f1", "eval/precision_macro"):
        check(len(sample.curve(tag)) >= 2, f"there is no curve {tag}")


def llama(sample):
    """Accelerate's megatron_lm_gpt_pretraining: two ranks share each layer."""
    sample.launch("parallel.tp_size=2", "data.format=jsonl", f"data.path={SAMPLES / 'data/sums.jsonl'}",
                  "data.pattern='*'", "data.column=text", "training.metrics=[perplexity]", ranks=2)
    sample.expect_learning()
    losses, perplexities = sample.curve("eval/loss"), sample.curve("eval/perplexity")
    check(perplexities and all(abs(math.log(value) - loss) < 1e-4 for value, loss in zip(perplexities, losses)),
          f"perplexities {perplexities} of losses {losses}")


def tags(sample):
    sample.launch("training.evaluate_batches=0", ranks=2)
    sample.expect_learning()
    for curve in ("overall_precision", "overall_recall", "overall_f1", "PER_f1", "LOC_f1"):
        values = sample.curve(f"eval/{curve}")
        check(values and all(0 <= value <= 1 for value in values), f"eval/{curve}: {values}")


def segmentation(sample):
    sample.launch("training.evaluate_batches=0", ranks=2)
    sample.expect_learning()
    shares = sample.curve("eval/mean_iou")
    check(shares and shares[-1] > shares[0] and sample.curve("eval/accuracy")[-1] > 0.5, f"eval/mean_iou: {shares}")
    (checkpoint,) = sorted((sample.run / "checkpoints").glob("checkpoint_*"))[-1:]
    said = json.loads((checkpoint / "preprocessor_config.json").read_text(encoding="utf-8"))
    check(said["image_processor_type"] == "SegformerImageProcessor", f"preprocessor_config.json: {said}")


def speech(sample):
    sample.launch("training.evaluate_batches=0", ranks=2)
    sample.expect_learning()
    losses, used = sample.curve("eval/contrastive_loss"), sample.curve("eval/codevector_perplexity")
    check(losses and losses[-1] < losses[0] and all(1 <= value <= 16 for value in used), f"{losses}, {used}")
    (checkpoint,) = sorted((sample.run / "checkpoints").glob("checkpoint_*"))[-1:]
    said = json.loads((checkpoint / "preprocessor_config.json").read_text(encoding="utf-8"))
    check(said["feature_extractor_type"] == "Wav2Vec2FeatureExtractor", f"preprocessor_config.json: {said}")


CHECKS = {"tags": tags, "segmentation": segmentation, "speech": speech, "llama": llama, "questions": questions, "choices": choices, "classification": classification,
          "profile": profile, "schedule-free": schedule_free, "swa": swa, "adapter": adapter, "generation": generation,
          "pipeline": pipeline, "sharded": sharded, "offload": offload, "csv": csv}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("name", choices=CHECKS)
    parser.add_argument("--bin", type=pathlib.Path, required=True)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="trainyard-sample-") as folder:
        CHECKS[options.name](Sample(options.name, options.bin.resolve(), pathlib.Path(folder)))


if __name__ == "__main__":
    main()
