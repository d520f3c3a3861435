# SPDX-License-Identifier: GPL-3.0-or-later
"""transformers' Llama on ranks of Gloo, as tensor parallel ranks or as stages of a pipeline: the peer of prove.py,
which starts it with torch's launcher.

    python -m torch.distributed.run --nproc_per_node N peer.py --way tp|pp|accelerate|whole --case DIR --out FILE

tp: torch.distributed.tensor.parallel.parallelize_module. pp: torch.distributed.pipelining, 1F1B. accelerate: the
model's own plan in the mesh of Accelerate's ParallelismConfig. whole: every rank trains all of the model on
all samples. DIR: spec.json, text, weights/. Rank 0 writes the loss of every
step, its seconds, and the peak resident bytes of every rank.
"""
import argparse
import json
import pathlib
import resource
import time

import torch
import torch.distributed as dist
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.tensor import DTensor
from transformers import AutoModelForCausalLM, LlamaForCausalLM


def local(tensor):
    return tensor.to_local() if isinstance(tensor, DTensor) else tensor


class Clip:
    """Scales gradients to a norm over all ranks. Tensors that ranks have in whole count once."""

    def __init__(self, parameters, whole_shapes, limit):
        self.parameters, self.whole_shapes, self.limit = list(parameters), whole_shapes, limit

    def __call__(self):
        divided, whole = torch.zeros(()), torch.zeros(())
        gradients = [(name, local(parameter.grad)) for name, parameter in self.parameters]
        for name, gradient in gradients:
            is_whole = self.whole_shapes is not None and tuple(gradient.shape) == self.whole_shapes[name]
            (whole if is_whole else divided).add_(gradient.square().sum())
        dist.all_reduce(divided)
        scale = (self.limit / ((divided + whole).sqrt() + 1e-6)).clamp(max=1)
        for _, gradient in gradients:
            gradient.mul_(scale)


def optimizer_of(model, spec):
    """Tensors and DTensors in groups of their own: AdamW updates a group at once."""
    kinds = {}
    for parameter in model.parameters():
        kinds.setdefault(isinstance(parameter, DTensor), []).append(parameter)
    return torch.optim.AdamW([{"params": group} for group in kinds.values()], lr=spec["lr"], betas=spec["betas"],
                             eps=1e-8, weight_decay=spec["weight_decay"])


def tensor_parallel(case):
    from torch.distributed.tensor import Replicate
    from torch.distributed.tensor.parallel import ColwiseParallel, RowwiseParallel, parallelize_module

    mesh = init_device_mesh("cpu", (dist.get_world_size(),))
    model = LlamaForCausalLM.from_pretrained(case / "weights", attn_implementation="sdpa")
    columns = ("self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj", "mlp.gate_proj", "mlp.up_proj")
    rows = ("self_attn.o_proj", "mlp.down_proj")
    for layer in model.model.layers:
        parallelize_module(layer, mesh, {**{name: ColwiseParallel() for name in columns},
                                         **{name: RowwiseParallel() for name in rows}})
    return parallelize_module(model, mesh, {"lm_head": ColwiseParallel(output_layouts=Replicate())})


def in_mesh_of_accelerate(case):
    """Accelerate's Accelerator refuses this on processors; its configuration and the mesh that it makes work there."""
    from accelerate.parallelism_config import ParallelismConfig

    mesh = ParallelismConfig(tp_size=dist.get_world_size()).build_device_mesh("cpu")
    return AutoModelForCausalLM.from_pretrained(case / "weights", attn_implementation="sdpa", tp_plan="auto",
                                                device_mesh=mesh["tp"])


class Stage(torch.nn.Module):
    def __init__(self, model, rank, ranks):
        super().__init__()
        layers = model.model.layers
        each = len(layers) // ranks
        self.embed_tokens = model.model.embed_tokens if rank == 0 else None
        self.rotary_emb = model.model.rotary_emb
        self.layers = layers[rank * each:(rank + 1) * each]
        self.norm = model.model.norm if rank == ranks - 1 else None
        self.lm_head = model.lm_head if rank == ranks - 1 else None

    def forward(self, x):
        if self.embed_tokens is not None:
            x = self.embed_tokens(x)
        positions = torch.arange(x.size(1)).unsqueeze(0)
        rotations = self.rotary_emb(x, positions)
        for layer in self.layers:
            x = layer(x, attention_mask=None, position_embeddings=rotations, position_ids=positions)
            x = x[0] if isinstance(x, tuple) else x
        return x if self.norm is None else self.lm_head(self.norm(x))


def loss_of(logits, labels):
    return torch.nn.functional.cross_entropy(logits[:, :-1].flatten(0, 1), labels[:, 1:].flatten())


def pipeline(case, spec):
    from torch.distributed.pipelining import PipelineStage, Schedule1F1B

    rank, ranks = dist.get_rank(), dist.get_world_size()
    model = Stage(LlamaForCausalLM.from_pretrained(case / "weights", attn_implementation="sdpa"), rank, ranks)
    stage = PipelineStage(model, rank, ranks, torch.device("cpu"))
    schedule = Schedule1F1B(stage, n_microbatches=spec["micro_batches"], loss_fn=loss_of)

    def train(batch):
        losses = []
        if rank == 0:
            schedule.step(batch)
        else:
            schedule.step(target=batch, losses=losses)
        mean = torch.stack(losses).mean().detach() if losses else torch.zeros(())
        dist.all_reduce(mean)  # only the last stage has one
        return mean.item()

    return model, train


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--way", choices=["tp", "pp", "accelerate", "whole"], required=True)
    options.add_argument("--case", type=pathlib.Path, required=True)
    options.add_argument("--out", type=pathlib.Path, required=True)
    options = options.parse_args()
    spec = json.loads((options.case / "spec.json").read_text())
    torch.set_num_threads(1)
    dist.init_process_group("gloo")
    shapes = None
    if options.way == "pp":
        model, train = pipeline(options.case, spec)
    else:
        whole = AutoModelForCausalLM.from_pretrained(options.case / "weights", attn_implementation="sdpa")
        shapes = {name: tuple(each.shape) for name, each in whole.named_parameters()}
        if options.way == "whole":
            model = whole
        else:
            model = tensor_parallel(options.case) if options.way == "tp" else in_mesh_of_accelerate(options.case)
        del whole

        def train(batch):
            loss = model(input_ids=batch, labels=batch).loss
            loss.backward()
            return loss.item()

    model.train()
    optimizer = optimizer_of(model, spec)
    clip = Clip(model.named_parameters(), shapes, spec["clip"])
    text = (options.case / "text").read_bytes()
    data = torch.frombuffer(bytearray(text), dtype=torch.uint8).to(torch.int64)
    data = data.view(-1, spec["batch"], spec["block"])
    losses, seconds = [], []
    for step in range(spec["steps"]):
        begin = time.perf_counter()
        losses.append(train(data[step]))
        clip()
        optimizer.step()
        optimizer.zero_grad()
        seconds.append(time.perf_counter() - begin)
    peaks = [None] * dist.get_world_size()
    dist.all_gather_object(peaks, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024)
    if dist.get_rank() == 0:
        options.out.write_text(json.dumps({"losses": losses, "seconds": seconds, "peak_resident_bytes": peaks,
                                           "torch": torch.__version__}))
    dist.barrier()
    dist.destroy_process_group()


main()
