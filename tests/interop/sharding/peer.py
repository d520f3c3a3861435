# SPDX-License-Identifier: GPL-3.0-or-later
"""transformers' GPT-2 under torch's FSDP 1 or 2 on Gloo: the peer of prove.py, which starts it with torch's launcher.

    python -m torch.distributed.run --nproc_per_node 2 peer.py --way fsdp2 --case DIR --out DIR [--load DIR]

DIR of the case: spec.json, text, weights/. Rank 0 writes --out with the mean loss of every step, seconds per step, and
the peak resident bytes of every rank; --save stores the weights and the optimizer with torch.distributed.checkpoint, as
Accelerate does. --load reads weights of such a folder first (under FSDP 2 into the shards, under FSDP 1 before it
shards) and trains no step: `losses` is then the loss of batch --at.
"""
import argparse
import json
import pathlib
import resource
import time

import torch
import torch.distributed as dist
import torch.distributed.checkpoint as dcp
from torch.distributed.checkpoint.state_dict import get_model_state_dict, get_state_dict, set_model_state_dict
from transformers import GPT2LMHeadModel
from transformers.models.gpt2.modeling_gpt2 import GPT2Block


def sharded(model, way):
    if way == "fsdp2":
        from torch.distributed.device_mesh import init_device_mesh
        from torch.distributed.fsdp import fully_shard

        mesh = init_device_mesh("cpu", (dist.get_world_size(),))
        for block in model.transformer.h:
            fully_shard(block, mesh=mesh)
        fully_shard(model, mesh=mesh)
        return model
    import functools

    from torch.distributed.fsdp import FullyShardedDataParallel
    from torch.distributed.fsdp.wrap import transformer_auto_wrap_policy

    policy = functools.partial(transformer_auto_wrap_policy, transformer_layer_cls={GPT2Block})
    return FullyShardedDataParallel(model, auto_wrap_policy=policy, use_orig_params=True, device_id=torch.device("cpu"))


def load(folder, model, **how):
    """Under FSDP 2 every rank reads its own rows."""
    wanted = get_model_state_dict(model)
    del wanted["lm_head.weight"]  # the tied weight's second name, which our folders do not have
    dcp.load({"model": wanted}, checkpoint_id=folder, **how)
    set_model_state_dict(model, dict(wanted, **{"lm_head.weight": wanted["transformer.wte.weight"]}))


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--way", choices=["fsdp1", "fsdp2"], required=True)
    options.add_argument("--case", type=pathlib.Path, required=True)
    options.add_argument("--out", type=pathlib.Path, required=True)
    options.add_argument("--save", type=pathlib.Path)
    options.add_argument("--load", type=pathlib.Path)
    options.add_argument("--at", type=int, default=0)
    options = options.parse_args()
    spec = json.loads((options.case / "spec.json").read_text())
    torch.set_num_threads(1)
    dist.init_process_group("gloo")
    rank, ranks = dist.get_rank(), dist.get_world_size()
    model = GPT2LMHeadModel.from_pretrained(options.case / "weights", attn_implementation="sdpa")
    if options.load and options.way == "fsdp1":
        load(options.load, model, no_dist=True)
    model = sharded(model, options.way)
    optimizer = torch.optim.AdamW(model.parameters(), lr=spec["lr"], betas=spec["betas"], eps=1e-8,
                                  weight_decay=spec["weight_decay"])
    if options.load and options.way == "fsdp2":
        load(options.load, model)
    text = (options.case / "text").read_bytes()
    data = torch.frombuffer(bytearray(text), dtype=torch.uint8).to(torch.int64)
    data = data.view(-1, ranks, spec["batch"], spec["block"])
    model.train()
    losses, seconds = [], []
    for step in range(options.at, options.at + 1 if options.load else spec["steps"]):
        begin = time.perf_counter()
        batch = data[step, rank]
        loss = model(input_ids=batch, labels=batch).loss
        if not options.load:
            loss.backward()
            if options.way == "fsdp1":
                model.clip_grad_norm_(spec["clip"])
            else:
                torch.nn.utils.clip_grad_norm_(model.parameters(), spec["clip"])
            optimizer.step()
            optimizer.zero_grad()
        mean = loss.detach().clone()
        dist.all_reduce(mean)
        losses.append(mean.item() / ranks)
        seconds.append(time.perf_counter() - begin)
        if options.save and step + 1 == spec["saved_at"]:
            weights, states = get_state_dict(model, optimizer)
            dcp.save({"model": weights}, checkpoint_id=options.save / "pytorch_model_fsdp_0")
            dcp.save({"optimizer": states}, checkpoint_id=options.save / "optimizer_0")
    peaks = [None] * ranks
    dist.all_gather_object(peaks, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024)
    if rank == 0:
        options.out.write_text(json.dumps({"losses": losses, "seconds": seconds, "peak_resident_bytes": peaks,
                                           "torch": torch.__version__}))
    dist.barrier()
    dist.destroy_process_group()


main()
