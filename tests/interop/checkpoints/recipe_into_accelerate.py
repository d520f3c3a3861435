# SPDX-License-Identifier: GPL-3.0-or-later
"""A recipe's own checkpoint in the real Accelerate. Not part of the tests: needs a Python with accelerate and transformers.

    python recipe_into_accelerate.py BUILD_FOLDER

Trains a recipe twice, on two replicas and on two ranks that share out the optimizer state. load_state of the first folder must give the weights and
moments that the second has in its boxes, by name, and training must go on from them. A pipeline's shards of weights must load in
transformers and give the same weights.
"""
import argparse
import json
import pathlib
import subprocess
import tempfile

import torch
from accelerate import Accelerator
from safetensors import safe_open
from safetensors.torch import load_file
from transformers import GPT2LMHeadModel

ROOT = pathlib.Path(__file__).resolve().parents[3]


def train(build, folder, *options):
    subprocess.run([build / "bin" / "trainyard", "launch", ROOT / "resources" / "samples" / "sample.yaml", "--cpu", "--num_processes",
                    "2", "--run_dir", folder, "--set", "training.steps=12", "--set", "schedule.warmup_steps=2",
                    "--set", "training.ema_decay=0.9", *options], check=True, stdout=subprocess.DEVNULL)
    return folder / "checkpoints" / "checkpoint_12"


def boxes(folder, kind):
    """Tensors put together from the files of the ranks."""
    whole = {}
    for path in sorted(folder.glob(f"{kind}-*.safetensors")):
        with safe_open(path, "pt") as file:
            places = json.loads(file.metadata()["trainyard.boxes"])
            for entry, place in places.items():
                part = file.get_tensor(entry)
                target = whole.setdefault(place["name"], torch.full(place["shape"], float("nan")))
                target[tuple(slice(o, o + s) for o, s in zip(place["offset"], part.shape))] = part
    return whole


def main():
    options = argparse.ArgumentParser()
    options.add_argument("build", type=pathlib.Path)
    build = options.parse_args().build.resolve()
    with tempfile.TemporaryDirectory() as work:
        work = pathlib.Path(work)
        replicas = train(build, work / "replicas")
        shared = train(build, work / "shared", "--zero_stage", "1")
        pipeline = train(build, work / "pipeline", "--set", "parallel.pp_size=2", "--set",
                         "training.gradient_accumulation_steps=2")
        accelerator = Accelerator(cpu=True)
        model = GPT2LMHeadModel.from_pretrained(replicas)
        with torch.no_grad():
            for parameter in model.parameters():
                parameter.zero_()
        named = list(model.named_parameters())
        optimizer = torch.optim.AdamW([dict(params=[p for _, p in named if p.dim() >= 2], weight_decay=0.1),
                                       dict(params=[p for _, p in named if p.dim() < 2], weight_decay=0.0)], lr=1e-3)
        model, optimizer = accelerator.prepare(model, optimizer)
        accelerator.load_state(str(replicas))
        weights = load_file(shared / "model.safetensors")
        moments, averages = boxes(shared, "optimizer"), boxes(shared, "average")
        stored_averages = load_file(replicas / "average.safetensors")
        for name, parameter in accelerator.unwrap_model(model).named_parameters():
            assert torch.equal(parameter, weights[name]), name
            state = optimizer.optimizer.state[parameter]
            for key in ("exp_avg", "exp_avg_sq"):
                assert torch.equal(state[key], moments[f"{key}.{name}"]), (key, name)
            assert float(state["step"]) == 12, state["step"]
            assert torch.equal(stored_averages[name], averages[name]), name
        print("load_state gives every weight and every moment of", len(named), "parameters")
        for group in optimizer.param_groups:
            print({key: value for key, value in group.items() if key not in ("params", "param_names")})
        ids = torch.randint(0, 256, (4, 32))
        before = float(model(input_ids=ids, labels=ids).loss)
        for _ in range(5):
            loss = model(input_ids=ids, labels=ids).loss
            accelerator.backward(loss)
            optimizer.step(), optimizer.zero_grad()
        assert float(loss) < before, (before, float(loss))
        staged = GPT2LMHeadModel.from_pretrained(pipeline)
        for name, parameter in staged.named_parameters():
            assert (parameter - weights[name]).abs().max() < 0.1 and parameter.abs().sum() > 0, name
        print("the shards of a pipeline load in transformers:", sorted(p.name for p in pipeline.iterdir()))


main()
