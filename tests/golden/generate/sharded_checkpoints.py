# SPDX-License-Identifier: GPL-3.0-or-later
"""save_state of a sharded tiny Llama (tied embeddings, frozen parts, two parameter groups), resumed on other numbers of ranks.

    python sharded_checkpoints.py [--out DIR] [--spec CASES.json] [--only WORD]

Accelerator.prepare wraps (FSDP 1 and 2, FULL or SHARDED state dicts), trains, saves, and loads again on other ranks; Gloo on the CPU.
The last word is a plain torch run on one process from the consolidated files: its losses must be the same.
"""

import json
import multiprocessing
import os
import pathlib
import pickle
import random
import re
import shutil
import sys
import tempfile
import traceback
import uuid

import parallel_world as w
import numpy as np
import torch
import torch.distributed as dist
from artifact import arguments, clean, fresh
from checkpoints import dump, dump_folder
from safetensors.torch import load_file, save_file

ROWS = 12  # of the global batch; every number of ranks below divides it
NET = dict(
    vocab_size=29,
    hidden_size=8,
    intermediate_size=12,
    num_hidden_layers=1,
    num_attention_heads=2,
    num_key_value_heads=1,
    max_position_embeddings=16,
    tie_word_embeddings=True,
    bos_token_id=1,
    eos_token_id=2,
)
FROZEN = r".*\.mlp\.(gate|up)_proj\.weight"
DEFAULT = [
    dict(
        name="fsdp2_sharded_2",
        version=2,
        state="SHARDED_STATE_DICT",
        ranks=2,
        resume=[1, 2, 3, 4],
        seed=201,
        net={},
        lr=3e-3,
        before=3,
        frozen=FROZEN,
        groups=True,
        clip=0.5,
    ),
    dict(
        name="fsdp2_sharded_4",
        version=2,
        state="SHARDED_STATE_DICT",
        ranks=4,
        resume=[2, 3],
        seed=202,
        net={"vocab_size": 31, "hidden_size": 6, "num_attention_heads": 1},
        optimizer="SGD",
        lr=0.2,
        before=2,
        groups=True,
    ),
    dict(
        name="fsdp2_full_3",
        version=2,
        state="FULL_STATE_DICT",
        ranks=3,
        resume=[2, 4],
        seed=203,
        net={},
        lr=3e-3,
        before=2,
        frozen=FROZEN,
        groups=True,
        clip=1.0,
    ),
    dict(
        name="fsdp2_hybrid_2x2",
        version=2,
        state="SHARDED_STATE_DICT",
        ranks=4,
        mesh={"dp_replicate": 2, "dp_shard": 2},
        resume=[2],
        seed=204,
        net={},
        optimizer="SGD",
        lr=0.2,
        before=2,
    ),
    dict(
        name="fsdp1_sharded_2",
        version=1,
        state="SHARDED_STATE_DICT",
        ranks=2,
        resume=[2, 4],
        seed=205,
        net={},
        lr=3e-3,
        before=2,
        frozen=FROZEN,
        groups=True,
        original=True,
    ),
    dict(
        name="fsdp1_sharded_3",
        version=1,
        state="SHARDED_STATE_DICT",
        ranks=3,
        resume=[2],
        seed=206,
        net={"vocab_size": 23},
        optimizer="SGD",
        lr=0.3,
        before=2,
        clip=0.5,
    ),
    dict(
        name="fsdp1_full_4",
        version=1,
        state="FULL_STATE_DICT",
        ranks=4,
        resume=[2, 3],
        seed=207,
        net={},
        lr=3e-3,
        before=3,
        frozen=FROZEN,
        groups=True,
        original=True,
    ),
]


def llama(case, seed):
    from transformers import LlamaConfig, LlamaForCausalLM

    config = LlamaConfig(**{**NET, **case["net"]})
    config._attn_implementation = "eager"
    torch.manual_seed(seed)
    model = LlamaForCausalLM(config)
    for name, p in model.named_parameters():
        if case.get("frozen") and re.fullmatch(case["frozen"], name):
            p.requires_grad_(False)
    return model


def plain(name):
    return name.replace("_fsdp_wrapped_module.", "")


def optimizer_of(case, named):
    trained = [(plain(n), p) for n, p in named if p.requires_grad]
    if case.get("groups"):
        parts = [
            dict(params=[p for n, p in trained if "norm" not in n], weight_decay=0.1),
            dict(params=[p for n, p in trained if "norm" in n], weight_decay=0.0),
        ]
    else:
        parts = [dict(params=[p for _, p in trained], weight_decay=0.01)]
    if case.get("optimizer") == "SGD":
        return torch.optim.SGD(parts, lr=case["lr"], momentum=0.9)
    return torch.optim.AdamW(parts, lr=case["lr"])


def batches_of(case):
    g = torch.Generator().manual_seed(case["seed"] + 5)
    net = {**NET, **case["net"]}
    return torch.randint(
        3, net["vocab_size"], (case["before"] + 3, ROWS, net["max_position_embeddings"] - 6), generator=g
    )


def stays_on_cpu():
    """FSDP 1 with FULL_STATE_DICT on the CPU counts on copies that .cpu() makes on accelerators only: with offload_to_cpu the weights are read
    from freed memory, and with use_orig_params exp_avg is overwritten by exp_avg_sq. Accelerate insists on the flag, so both are mended here.
    """
    from torch.distributed.fsdp import FullStateDictConfig

    FullStateDictConfig.__setattr__ = lambda self, name, value: object.__setattr__(
        self, name, False if name == "offload_to_cpu" else value
    )
    torch.Tensor.cpu = lambda self, *a, **k: self.clone()
    return FullStateDictConfig(rank0_only=True)


def sharded(case, ranks, rank, folder, load):
    from accelerate import Accelerator
    from accelerate.parallelism_config import ParallelismConfig
    from accelerate.utils import FullyShardedDataParallelPlugin

    extra = {}
    if case.get("mesh") and not load:
        extra["parallelism_config"] = ParallelismConfig(**{f"{k}_size": v for k, v in case["mesh"].items()})
    w.forget()
    plugin = FullyShardedDataParallelPlugin(
        fsdp_version=case["version"],
        state_dict_type=case["state"],
        auto_wrap_policy="TRANSFORMER_BASED_WRAP",
        **({"use_orig_params": bool(case.get("original"))} if case["version"] == 1 else {}),
    )
    if case["version"] == 1 and case["state"] == "FULL_STATE_DICT":
        plugin.state_dict_config = stays_on_cpu()
    w.state("MULTI_GPU" if ranks > 1 else "MULTI_GPU", rank, ranks)
    accelerator = Accelerator(fsdp_plugin=plugin, step_scheduler_with_optimizer=False, **extra)
    model = llama(case, case["seed"] + (1000 if load else 0))
    if case["version"] == 2:
        optimizer = optimizer_of(case, model.named_parameters())
        model, optimizer = accelerator.prepare(model, optimizer)
    else:
        model = accelerator.prepare(model)
        named = dict(model.named_parameters()).items()
        optimizer = accelerator.prepare(optimizer_of(case, named))
    scheduler = accelerator.prepare(torch.optim.lr_scheduler.ExponentialLR(optimizer.optimizer, 0.9))
    batches, each = batches_of(case), ROWS // ranks

    def step(i):
        ids = batches[i, rank * each : (rank + 1) * each]
        loss = model(input_ids=ids, labels=ids).loss
        accelerator.backward(loss)
        norm = None
        if case.get("clip"):
            norm = accelerator.clip_grad_norm_(model.parameters(), case["clip"])
            norm = float(norm.full_tensor() if hasattr(norm, "full_tensor") else norm)
        optimizer.step(), scheduler.step(), optimizer.zero_grad()
        every = [torch.zeros(()) for _ in range(ranks)]
        dist.all_gather(every, loss.detach())
        out = {"loss": sum(map(float, every)) / ranks, "losses_per_rank": [float(x) for x in every]}
        return out if norm is None else {**out, "gradient_norm": norm}

    if (
        load == "primed"
    ):  # FSDP.optim_state_dict of a fresh optimizer is empty, so that load_state would find no moments to fill
        for p in model.parameters():
            p.grad = torch.zeros_like(p) if p.requires_grad else None
        optimizer.step(), optimizer.zero_grad()
    if load:
        accelerator.load_state(folder)
        return {"steps": [step(case["before"] + i) for i in range(3)], "learning_rates": scheduler.get_last_lr()}
    before = [step(i) for i in range(case["before"])]
    rates = scheduler.get_last_lr()
    accelerator.save_state(folder)
    after = [step(case["before"] + i) for i in range(3)]
    return {
        "steps_before": before,
        "learning_rates_at_save": rates,
        "steps_after": after,
        "learning_rates": scheduler.get_last_lr(),
    }


def child(case, ranks, rank, store, folder, load, pipe):
    try:
        os.chdir(folder)
        uuid.uuid4 = lambda: uuid.UUID(int=case["seed"])
        random.seed(case["seed"]), np.random.seed(case["seed"])
        torch.set_num_threads(1)
        dist.init_process_group("gloo", store=dist.FileStore(store, ranks), rank=rank, world_size=ranks)
        result = sharded(case, ranks, rank, "ckpt", load)
        dist.barrier()
        pipe.send(result)
    except Exception:
        pipe.send({"failed": traceback.format_exc()})
    pipe.close()
    os._exit(0)


def run(case, ranks, folder, load=False):
    context = multiprocessing.get_context("fork")
    with tempfile.NamedTemporaryFile() as store:
        os.unlink(store.name)
        ends = []
        for rank in range(ranks):
            here, there = context.Pipe(duplex=False)
            process = context.Process(target=child, args=(case, ranks, rank, store.name, str(folder), load, there))
            process.start()
            there.close()
            ends.append((process, here))
        results = []
        for process, here in ends:
            try:
                results.append(here.recv())
            except EOFError:
                results.append({"failed": "a rank died"})
            process.join()
            if process.exitcode:
                results[-1] = {"failed": f"a rank ended with {process.exitcode}"}
        open(store.name, "a").close()
    for r in results:
        if "failed" in r:
            raise RuntimeError(r["failed"])
    return results[0]


def whole(case, folder):
    """Model and optimizer put together, by name."""
    if case["state"] == "FULL_STATE_DICT":
        return (
            torch.load(folder / "ckpt/pytorch_model_fsdp.bin", weights_only=True),
            torch.load(folder / "ckpt/optimizer.bin", weights_only=True),
        )
    from torch.distributed.checkpoint.format_utils import dcp_to_torch_save

    with tempfile.TemporaryDirectory() as t:
        dcp_to_torch_save(folder / "ckpt/pytorch_model_fsdp_0", t + "/m")
        dcp_to_torch_save(folder / "ckpt/optimizer_0", t + "/o")
        return (
            torch.load(t + "/m", weights_only=False)["model"],
            torch.load(t + "/o", weights_only=False)["optimizer"],
        )


def alone(case, folder, weights, state):
    """A plain model on one process goes on from the consolidated content."""
    model = llama(case, 1)
    model.load_state_dict(weights)
    model.tie_weights()
    named = dict(model.named_parameters())
    optimizer = optimizer_of(case, named.items())
    scheduler = torch.optim.lr_scheduler.ExponentialLR(optimizer, 0.9)
    for group in optimizer.param_groups:
        group["lr"] = case["lr"] * 0.9 ** case["before"]
    for name, content in state["state"].items():
        optimizer.state[named[name]] = {k: v.clone() for k, v in content.items()}
    out = []
    for ids in batches_of(case)[case["before"] :]:
        loss = model(input_ids=ids, labels=ids).loss
        loss.backward()
        norm = float(torch.nn.utils.clip_grad_norm_(model.parameters(), case["clip"])) if case.get("clip") else None
        optimizer.step(), scheduler.step(), optimizer.zero_grad()
        out.append({"loss": float(loss.detach()), **({"gradient_norm": norm} if norm else {})})
    return out


def unsharded(case):
    """The whole run on one process without any checkpoint: the losses of the steps after the save."""
    model = llama(case, case["seed"])
    optimizer = optimizer_of(case, model.named_parameters())
    scheduler = torch.optim.lr_scheduler.ExponentialLR(optimizer, 0.9)
    out = []
    for ids in batches_of(case):
        loss = model(input_ids=ids, labels=ids).loss
        loss.backward()
        if case.get("clip"):
            torch.nn.utils.clip_grad_norm_(model.parameters(), case["clip"])
        optimizer.step(), scheduler.step(), optimizer.zero_grad()
        out.append({"loss": float(loss.detach())})
    return out[case["before"] :]


def make(case, out):
    folder = fresh(out / case["name"]).resolve()
    trained = run(case, case["ranks"], folder)
    for extra in (folder / "ckpt").glob("random_states_*.pkl"):
        extra.unlink()  # 14 KiB each, and nothing is drawn at random
    weights, state = whole(case, folder)
    single = alone(case, folder, weights, state)
    loses_moments = case["version"] == 1 and case["state"] == "SHARDED_STATE_DICT"
    resumed = {str(n): run(case, n, folder, load="primed" if loses_moments else True) for n in case["resume"]}
    defect = {}
    if loses_moments:
        without = alone(case, folder, weights, {"state": {}})
        defect = {str(n): run(case, n, folder, load=True)["steps"] for n in case["resume"][:1]}
        for steps in defect.values():
            assert all(abs(a["loss"] - b["loss"]) < 2e-6 for a, b in zip(steps, without)), (steps, without)
    for a, b in zip(unsharded(case), single):
        assert abs(a["loss"] - b["loss"]) < 3e-6, (case["name"], "without a checkpoint", a, b)
    for name, steps in [("uninterrupted", trained["steps_after"])] + [(n, r["steps"]) for n, r in resumed.items()]:
        for a, b in zip(steps, single):
            assert abs(a["loss"] - b["loss"]) < 2e-6, (case["name"], name, a, b)
            assert abs(a.get("gradient_norm", 0) - b.get("gradient_norm", 0)) < 1e-5, (case["name"], name, a, b)
    for r in resumed.values():
        assert np.allclose(r["learning_rates"], trained["learning_rates"], rtol=1e-12)
    model = llama(case, 1)
    model.config.save_pretrained(folder)
    save_file({"input_ids": batches_of(case)}, folder / "batches.safetensors")
    names = [n for n, p in model.named_parameters()]
    expected = {
        "case": case["name"],
        "fsdp_version": case["version"],
        "state_dict_type": case["state"],
        "ranks": case["ranks"],
        "mesh": case.get("mesh"),
        "optimizer": "SGD, momentum 0.9" if case.get("optimizer") == "SGD" else "AdamW",
        "lr": case["lr"],
        "scheduler": "ExponentialLR 0.9",
        "clip": case.get("clip"),
        "use_orig_params": case.get("original") if case["version"] == 1 else None,
        "parameter_order_in_model": names,
        "frozen": [n for n, p in model.named_parameters() if not p.requires_grad],
        "groups": [
            {
                "weight_decay": g["weight_decay"],
                "parameters": [next(n for n, q in model.named_parameters() if q is p) for p in g["params"]],
            }
            for g in optimizer_of(case, model.named_parameters()).param_groups
        ],
        **trained,
        "resumed_on_ranks": {n: r["steps"] for n, r in resumed.items()},
        **({"resumed_without_moments_as_accelerate_does": defect} if defect else {}),
        "one_process": single,
        "model_whole": {
            n: {"shape": list(t.shape), **({k: v for k, v in dump(t).items() if k in ("dtype", "sha256")})}
            for n, t in weights.items()
        },
        "optimizer_whole": {
            "param_groups": state["param_groups"],
            "state": {
                n: {k: {x: y for x, y in dump(v).items() if x != "type"} for k, v in s.items()}
                for n, s in sorted(state["state"].items())
            },
        },
        "files": dump_folder(folder / "ckpt"),
    }
    for name, entry in expected["files"].items():
        if name.startswith(("optimizer.bin", "pytorch_model_fsdp.bin", "scheduler")):
            entry.pop("content", None)  # described above, and in ../checkpoints
    text = ",\n".join(
        f'"{k}": {json.dumps(clean(v), allow_nan=False, separators=(",", ":"))}' for k, v in expected.items()
    )
    (folder / "expected.json").write_text("{\n" + text + "\n}\n")
    for extra in folder.glob("generation_config.json"):
        extra.unlink()
    size = sum(f.stat().st_size for f in folder.rglob("*") if f.is_file())
    print(
        f"{case['name']:22s} {size / 1024:8.1f} KiB  expected {(folder / 'expected.json').stat().st_size / 1024:.1f}  {sorted(p.name for p in (folder / 'ckpt').iterdir())}",
        flush=True,
    )


if __name__ == "__main__":
    out, cases, only = arguments("sharded_checkpoints", DEFAULT)
    import accelerate, transformers  # noqa: loaded once, before the ranks are forked
    from torch.distributed.fsdp import FullyShardedDataParallel  # noqa

    for case in cases:
        if only in case["name"]:
            make(case, out)
