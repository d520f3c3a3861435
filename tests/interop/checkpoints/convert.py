# SPDX-License-Identifier: GPL-3.0-or-later
"""What `trainyard checkpoints` writes, read by the originals, and what they write, read by it. Not part of the tests: needs a Python with torch, safetensors and
transformers.

    python convert.py BUILD_FOLDER [--seeds 1 2 3]

For random models of several types and shapes: one file and shards as safetensors' and transformers' own tools write them, byte for byte; folders of
torch.distributed.checkpoint for 1 to 20 ranks loaded by torch; types converted as Tensor.to does; averages; `from_pretrained` of an export; figures and
differences as torch computes them.
"""
import argparse
import json
import pathlib
import subprocess
import tempfile

import torch
import torch.distributed.checkpoint as dcp
from safetensors.torch import load_file, save_file


def main():
    options = argparse.ArgumentParser()
    options.add_argument("build", type=pathlib.Path)
    options.add_argument("--seeds", type=int, nargs="+", default=[1, 2, 3])
    given = options.parse_args()
    program = given.build / "bin" / "trainyard"
    checks = 0

    def trainyard(*words):
        done = subprocess.run([program, "checkpoints", *map(str, words)], capture_output=True, text=True)
        assert done.returncode == 0, (words, done.stdout, done.stderr)
        return done.stdout

    def same(a, b):
        assert a.keys() == b.keys(), a.keys() ^ b.keys()
        for name in a:
            assert a[name].dtype == b[name].dtype and a[name].shape == b[name].shape, name
            assert torch.equal(a[name].flatten().contiguous().view(torch.uint8), b[name].flatten().contiguous().view(torch.uint8)), name

    for seed in given.seeds:
        g = torch.Generator().manual_seed(seed)
        dims = lambda n: [int(x) for x in torch.randint(0 if n == 3 else 1, 40, (n,), generator=g)]
        tensors = {"scalar": torch.tensor(1.5)}
        for i in range(30):
            t = torch.randn(dims(i % 4), generator=g)
            tensors[f"model.layers.{i}.w"] = [t, t.half(), t.bfloat16(), (t * 100).long(), t > 0, t.double()][i % 6]
        with tempfile.TemporaryDirectory() as name:
            work = pathlib.Path(name)
            (work / "bin").mkdir()
            torch.save(tensors, work / "bin" / "pytorch_model.bin")
            save_file(tensors, work / "theirs.safetensors", metadata={"format": "pt"})
            trainyard("merge", work / "bin", work / "ours")
            assert (work / "ours" / "model.safetensors").read_bytes() == (work / "theirs.safetensors").read_bytes(), "byte for byte"
            checks += 1
            for ranks in (1, 2, 7, 20):
                target = work / f"dcp{ranks}"
                trainyard("convert", work / "bin", target, "--ranks", ranks)
                state = {"model": {k: torch.zeros_like(v) for k, v in tensors.items()}}
                dcp.load(state, storage_reader=dcp.FileSystemReader(target), no_dist=True)
                same(state["model"], tensors)
                trainyard("merge", target, work / f"back{ranks}")
                assert (work / f"back{ranks}" / "model.safetensors").read_bytes() == (work / "theirs.safetensors").read_bytes()
                checks += 2
            dcp.save({"model": tensors}, storage_writer=dcp.FileSystemWriter(work / "torchs"), no_dist=True)
            trainyard("merge", work / "torchs", work / "from_torch")
            same(load_file(work / "from_torch" / "model.safetensors"), tensors)
            for word, dtype in (("bf16", torch.bfloat16), ("fp16", torch.float16), ("fp32", torch.float32), ("fp64", torch.float64)):
                trainyard("convert", work / "ours", work / word, "--dtype", word, "--max_shard_size", "4KB")
                index = json.loads((work / word / "model.safetensors.index.json").read_text())
                found = {}
                for file in sorted(set(index["weight_map"].values())):
                    found |= load_file(work / word / file)
                same(found, {k: v.to(dtype) if v.is_floating_point() else v for k, v in tensors.items()})
                checks += 1
            other = {k: v + 1 if v.is_floating_point() else v for k, v in tensors.items()}
            (work / "other").mkdir()
            save_file(other, work / "other" / "model.safetensors")
            trainyard("average", work / "ours", work / "other", "--shares", 1, 3, "--output", work / "mean")
            for k, v in load_file(work / "mean" / "model.safetensors").items():
                want = (tensors[k].double() * 0.25 + other[k].double() * 0.75).to(v.dtype) if v.is_floating_point() else v
                assert torch.equal(v, want), k
            rows = {row["name"]: row for row in json.loads(trainyard("diff", work / "ours", work / "other", "--json"))["tensors"]}
            for k, v in tensors.items():
                a, b = v.double(), other[k].double()
                want = ((b - a).norm() / a.norm()).item() if a.numel() and a.norm() > 0 else 0.0
                assert abs(rows[k].get("relative", 0) - want) <= 1e-5 * max(want, 1), (k, rows[k], want)
            checks += 3

    from transformers import GPT2Config, GPT2LMHeadModel
    with tempfile.TemporaryDirectory() as name:
        work = pathlib.Path(name)
        model = GPT2LMHeadModel(GPT2Config(vocab_size=50, n_positions=16, n_embd=24, n_layer=2, n_head=3))
        model.save_pretrained(work / "hf", max_shard_size="20KB")
        trainyard("export", work / "hf", work / "out")
        again = GPT2LMHeadModel.from_pretrained(work / "out")
        same(again.state_dict(), model.state_dict())
        trainyard("convert", work / "hf", work / "shards", "--max_shard_size", "20KB")
        theirs, ours = (json.loads((work / f / "model.safetensors.index.json").read_text()) for f in ("hf", "shards"))
        assert theirs["weight_map"].keys() == ours["weight_map"].keys() and theirs["metadata"]["total_size"] == ours["metadata"]["total_size"]
        checks += 2
    print(f"{checks} checks, all equal")


main()
