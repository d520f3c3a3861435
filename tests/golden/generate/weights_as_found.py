# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes tests/golden/weights_as_found: files of torch in which the weights of a model are beside other state or in unusual shapes, and the weights alone.

    python generate/weights_as_found.py        (torch 2.11.0, safetensors)

Each folder has `in` (a folder of torch.distributed.checkpoint) or `in.<ending>` (a file), `expected.safetensors`, and
`behind.json`: what stays behind.
"""
import json
import pathlib
import shutil

import torch
from safetensors.torch import save_file
from torch.distributed.checkpoint.state_dict_saver import save

OUT = pathlib.Path(__file__).resolve().parent.parent / "weights_as_found"
torch.manual_seed(3)
M = {"model.embed_tokens.weight": torch.randn(8, 4), "model.norm.weight": torch.randn(4).bfloat16(),
     "lm_head.weight": torch.randn(8, 4).half()}
STATE = {"lm_head.weight": {"exp_avg": torch.randn(8, 4), "step": torch.tensor(3.0)}}
OPTIM = {"state": STATE, "param_groups": [{"lr": 1e-3, "params": ["lm_head.weight"]}]}


def case(name, weights, behind):
    folder = OUT / name
    folder.mkdir(parents=True)
    save_file({k: v.contiguous().clone() for k, v in weights.items()}, folder / "expected.safetensors")
    (folder / "behind.json").write_text(json.dumps(behind) + "\n")
    return folder


def distributed(name, state, behind, weights=M):
    save(state, checkpoint_id=str(case(name, weights, behind) / "in"), no_dist=True)


def file(name, state, behind, weights=M, ending="pt", **options):
    torch.save(state, case(name, weights, behind) / f"in.{ending}", **options)


shutil.rmtree(OUT, ignore_errors=True)
distributed("dcp_alone", M, [])
distributed("dcp_model", {"model": M}, [])
distributed("dcp_model_optim", {"model": M, "optim": OPTIM}, ["optim"])
distributed("dcp_model_step", {"model": M, "step": 7}, ["step"])
distributed("dcp_model_step_tensor", {"model": M, "step": torch.tensor(7)}, ["step"])
distributed("dcp_model_optimizer_tensors", {"model": M, "optimizer": {"state": STATE}}, ["optimizer"])
distributed("dcp_app", {"app": {"model": M, "optim": OPTIM, "epoch": 2}}, ["app.optim", "app.epoch"])
distributed("dcp_state_model", {"state": {"model": M, "history": [{"loss": 1.5}, {"loss": 1.25}], "empty": []}},
            ["state.history", "state.empty"])
distributed("dcp_titan", {**M, "optimizer": OPTIM, "train_state": {"step": torch.tensor(7)}}, ["optimizer", "train_state"])
distributed("dcp_two_models", {"model": M, "ema": {k: v * 0.5 for k, v in M.items()}, "step": 7}, ["ema", "step"])

layer = torch.nn.Linear(4, 8)
adam = torch.optim.AdamW(layer.parameters())
layer(torch.randn(2, 4)).sum().backward()
adam.step()
file("pt_model_optimizer_step", {"model": M, "optimizer": adam.state_dict(), "step": 7}, ["optimizer", "step"])
file("ckpt_lightning", {"epoch": 1, "global_step": 20, "pytorch-lightning_version": "2.5.0", "state_dict": M,
                        "loops": {"fit_loop": {"state_dict": {}}}, "callbacks": {}, "hyper_parameters": {"lr": 0.1},
                        "optimizer_states": [adam.state_dict()], "lr_schedulers": [{"last_epoch": 1}]},
     ["epoch", "global_step", "loops", "optimizer_states", "lr_schedulers"], ending="ckpt")
file("pt_values_beside", {**M, "epoch": 3, "name": "a", "best": 0.5, "history": [1.0, 2.0]}, ["epoch", "name", "best", "history"])
file("pt_step_tensor_beside", {**M, "step": torch.tensor(3)}, ["step"])
file("pt_ema_alone", {"ema": M}, [])
file("pt_old_format", M, [], _use_new_zipfile_serialization=False)
file("pt_old_format_nested", {"state_dict": M, "epoch": 2}, ["epoch"], _use_new_zipfile_serialization=False)
file("pt_wrapped", {"model_state_dict": {"module._orig_mod." + k: v for k, v in M.items()}, "epoch": 2}, ["epoch"])
file("pt_flat_prefixes", {**{"model." + k: v for k, v in M.items()}, "optimizer.state.lm_head.weight.exp_avg": torch.randn(8, 4),
                          "optimizer.state.lm_head.weight.step": torch.tensor(3.0), "step": torch.tensor(7)}, ["optimizer", "step"])
base = torch.randn(6, 4)
shapes = {"a.rows": base[2:4], "a.columns": base[:, 1:3], "a.transposed": base.t(), "a.every_second": base[::2],
          "a.expanded": torch.randn(1, 4).expand(3, 4), "b.scalar": torch.tensor(2.5), "b.nothing": torch.zeros(0, 3),
          "b.one": torch.randn(1), "tied.first": base, "tied.second": base}
file("pt_views", shapes, [], shapes)
file("pt_views_old_format", shapes, [], shapes, _use_new_zipfile_serialization=False)
types = {str(t).replace("torch.", ""): torch.arange(-3, 5).to(t) if t.is_signed and t is not torch.bool else torch.arange(8).to(t)
         for t in (torch.float64, torch.float32, torch.float16, torch.bfloat16, torch.float8_e4m3fn, torch.float8_e5m2, torch.int64,
                   torch.int32, torch.int16, torch.int8, torch.uint8, torch.uint16, torch.uint32, torch.uint64, torch.bool,
                   torch.complex64)}
file("pt_types", types, [], types)
file("bin_parameters", {k: torch.nn.Parameter(v, requires_grad=False) for k, v in M.items()}, [], ending="bin")
flat = {**{"model." + k: v for k, v in M.items()}, "optimizer.state.lm_head.weight.exp_avg": torch.randn(8, 4),
        "optimizer.state.lm_head.weight.step": torch.tensor(3.0), "step": torch.tensor(7)}
save_file(flat, case("safetensors_flat_prefixes", M, ["optimizer", "step"]) / "in.safetensors")
