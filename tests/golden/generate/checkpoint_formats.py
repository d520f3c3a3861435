# SPDX-License-Identifier: GPL-3.0-or-later
"""Checkpoints of formats that are read besides torch's and safetensors', and what the originals' own tools make of them.

    python generate/checkpoint_formats.py OUT --zero_to_fp32 DeepSpeed/deepspeed/utils/zero_to_fp32.py

Needs torch, safetensors, gguf (0.19) and the script of DeepSpeed, which runs here with stand-ins for the package's modules: it needs constants and a logger of them.
Each case is a folder: `input` (a folder, or one file) and `expected.safetensors`, the merged weights. `numbers.json`: conversions and figures by torch.
"""
import argparse, contextlib, enum, importlib.util, io, json, pathlib, shutil, sys, types

import gguf
import numpy as np
import torch
from safetensors.torch import save_file


def stand_in(name, **members):
    module = types.ModuleType(name)
    for key, value in members.items():
        setattr(module, key, value)
    sys.modules[name] = module
    parent, _, last = name.rpartition(".")
    if parent:
        if parent not in sys.modules:
            stand_in(parent)
        setattr(sys.modules[parent], last, module)
    return module


class ZeroStageEnum(int, enum.Enum):
    disabled = 0
    optimizer_states = 1
    gradients = 2
    weights = 3


class fragment_address:
    def __init__(self, numel, start):
        self.numel, self.start = numel, start


class LossScaler:
    def __init__(self, scale):
        self.cur_scale, self.dynamic = scale, False


ZeroStageEnum.__module__ = "deepspeed.runtime.zero.config"
fragment_address.__module__ = "deepspeed.utils.tensor_fragment"
LossScaler.__module__ = "deepspeed.runtime.fp16.loss_scaler"
CONSTANTS = dict(DS_VERSION="ds_version", OPTIMIZER_STATE_DICT="optimizer_state_dict", SINGLE_PARTITION_OF_FP32_GROUPS="single_partition_of_fp32_groups",
                 FP32_FLAT_GROUPS="fp32_flat_groups", ZERO_STAGE="zero_stage", PARTITION_COUNT="partition_count", PARAM_SHAPES="param_shapes",
                 BUFFER_NAMES="buffer_names", FROZEN_PARAM_SHAPES="frozen_param_shapes", FROZEN_PARAM_FRAGMENTS="frozen_param_fragments",
                 AUTOEP_LAYERS_KEY="autoep_layers", AUTOEP_LAYERS_KEY_LEGACY="ds_autoep_layers", AUTOEP_ZERO3_EXPERT_STATE_FORMAT_KEY="expert_state_format",
                 AUTOEP_ZERO3_PARTITIONED_EXPERT_STATE_FORMAT="zero3_partitioned")


def deepspeed_script(path):
    stand_in("deepspeed.utils", logger=types.SimpleNamespace(info=print, warning=print))
    stand_in("deepspeed.utils.tensor_fragment", fragment_address=fragment_address)
    stand_in("deepspeed.runtime.zero.config", ZeroStageEnum=ZeroStageEnum)
    stand_in("deepspeed.runtime.fp16.loss_scaler", LossScaler=LossScaler)
    stand_in("deepspeed.checkpoint.constants", **CONSTANTS)
    spec = importlib.util.spec_from_file_location("zero_to_fp32", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules["zero_to_fp32"] = module
    spec.loader.exec_module(module)
    return module


def model(seed, dtype):
    g = torch.Generator().manual_seed(seed)
    rand = lambda *shape: torch.randn(*shape, generator=g)
    groups = [{"model.embed.weight": rand(13, 6), "model.layers.0.up.weight": rand(7, 6), "model.layers.1.up.weight": rand(7, 6)},
              {"model.layers.0.up.bias": rand(7), "model.layers.1.up.bias": rand(7), "model.norm.weight": rand(6)}]
    buffers = {"model.rope": rand(5).to(dtype)}
    frozen = {"model.vision.weight": rand(3, 5).to(dtype)}
    return groups, buffers, frozen


def pad(flat, unit):
    return torch.cat([flat, torch.zeros(-flat.numel() % unit)])


def write_zero(folder, stage, ranks, seed, dtype=torch.bfloat16, tag="global_step12"):
    groups, buffers, frozen = model(seed, dtype)
    files = folder / tag
    files.mkdir(parents=True)
    (folder / "latest").write_text(tag)
    shapes = [{name: t.shape for name, t in group.items()} for group in groups]
    base = dict(buffer_names=list(buffers), optimizer=None, param_shapes=shapes, shared_params={"lm_head.weight": "model.embed.weight"},
                lr_scheduler={"last_epoch": 12}, sparse_tensor_module_names=set(), skipped_steps=0, global_steps=12, global_samples=96,
                dp_world_size=ranks, mp_world_size=1, ds_config={"zero_optimization": {"stage": stage}, "train_batch_size": 8}, ds_version="0.17.0",
                frozen_param_shapes={name: t.shape for name, t in frozen.items()})
    module = {name: t.to(dtype) for group in groups for name, t in group.items()} | buffers
    def part(t, rank):
        each = -(-t.numel() // ranks)
        return pad(t.flatten().float(), ranks)[rank * each:(rank + 1) * each]
    if stage < 3:
        torch.save(base | dict(module=module, frozen_param_fragments=frozen), files / "mp_rank_00_model_states.pt")
    for rank in range(ranks):
        if stage == 3:
            fragments = {name: part(t, rank).to(dtype).clone() for name, t in frozen.items()}
            torch.save(base | dict(module=buffers, frozen_param_fragments=fragments), files / f"zero_pp_rank_{rank}_mp_rank_00_model_states.pt")
            flat = [torch.cat([part(t, rank) for t in group.values()]) for group in groups]
        else:
            whole = [pad(torch.cat([t.flatten() for t in group.values()]), 2 * ranks) for group in groups]
            flat = [w.chunk(ranks)[rank].clone() for w in whole]
        state = dict(zero_stage=ZeroStageEnum(stage), loss_scaler=LossScaler(1.0), dynamic_loss_scale=False, overflow=False, clip_grad=1.0, partition_count=ranks if stage == 3 else [ranks] * len(groups),
                     ds_version="0.17.0", param_slice_mappings=[{name: fragment_address(t.numel(), 0) for name, t in group.items()} for group in groups])
        moments = {"state": {i: {"step": 12, "exp_avg": torch.zeros_like(f), "exp_avg_sq": torch.ones_like(f)} for i, f in enumerate(flat)},
                   "param_groups": [{"lr": 1e-3, "betas": (0.9, 0.95), "eps": 1e-8, "weight_decay": 0.1, "params": [i]} for i in range(len(flat))]}
        if stage == 3:
            state |= dict(fp32_flat_groups=flat, optimizer_state_dict=moments)
        else:
            state |= dict(single_partition_of_fp32_groups=flat, base_optimizer_state=moments)
        torch.save(dict(optimizer_state_dict=state, ds_config={}, ds_version="0.17.0"), files / f"bf16_zero_pp_rank_{rank}_mp_rank_00_optim_states.pt")


def write_gguf(path, packed):
    g = np.random.default_rng(5)
    writer = gguf.GGUFWriter(str(path), "llama")
    writer.add_name("tiny")
    writer.add_context_length(128)
    writer.add_array("tokenizer.ggml.tokens", [f"t{i}" for i in range(40)])
    writer.add_float32("llama.rope.freq_base", 10000.0)
    tensors = {"token_embd.weight": g.standard_normal((40, 64), dtype=np.float32), "blk.0.attn_q.weight": g.standard_normal((64, 64)).astype(np.float16),
               "output_norm.weight": g.standard_normal(64, dtype=np.float32)}
    for name, t in tensors.items():
        writer.add_tensor(name, t)
    if packed:
        q = gguf.quants.quantize(g.standard_normal((8, 64), dtype=np.float32), gguf.GGMLQuantizationType.Q8_0)
        writer.add_tensor("blk.0.ffn_up.weight", q, raw_dtype=gguf.GGMLQuantizationType.Q8_0)
        tensors["blk.0.ffn_up.weight"] = gguf.quants.dequantize(q, gguf.GGMLQuantizationType.Q8_0)
    writer.write_header_to_file(); writer.write_kv_data_to_file(); writer.write_tensors_to_file(); writer.close()
    return {name: torch.from_numpy(t) for name, t in tensors.items()}


def write_gguf_blocks(path, seed):
    """A tensor of each packed type that is read: any bytes are blocks of it, as long as its scales are numbers (`halves`: where these are)."""
    g = np.random.default_rng(seed)
    halves = {"Q4_0": [0], "Q4_1": [0, 2], "Q5_0": [0], "Q5_1": [0, 2], "Q8_0": [0], "Q2_K": [80, 82], "Q3_K": [108], "Q4_K": [0, 2], "Q5_K": [0, 2], "Q6_K": [208],
              "IQ4_NL": [0], "IQ4_XS": [0], "TQ2_0": [64], "MXFP4": []}
    writer = gguf.GGUFWriter(str(path), "llama")
    tensors = {}
    for name, places in halves.items():
        kind = gguf.GGMLQuantizationType[name]
        block, size = gguf.GGML_QUANT_SIZES[kind]
        per_row = 512 // block
        blocks = g.integers(0, 256, (3 * per_row, size), dtype=np.uint8)
        for place in places:
            blocks[:, place:place + 2] = (g.standard_normal((len(blocks), 1)) * 0.02).astype(np.float16).view(np.uint8)
        if name == "MXFP4":
            blocks[:, 0] = g.integers(0, 140, len(blocks))
        raw = blocks.reshape(3, per_row * size)
        writer.add_tensor(f"{name.lower()}.weight", raw, raw_dtype=kind)
        tensors[f"{name.lower()}.weight"] = torch.from_numpy(gguf.quants.dequantize(raw, kind).astype(np.float32))
    writer.write_header_to_file(); writer.write_kv_data_to_file(); writer.write_tensors_to_file(); writer.close()
    return tensors


def numbers():
    """Bits in, bits out, and figures: hard cases of rounding besides random ones."""
    bits = [0, 0x80000000, 1, 0x7f7fffff, 0x7f800000, 0xff800000, 0x477fe000, 0x477fefff, 0x477ff000, 0x38800000, 0x387fffff, 0x33000000, 0x33000001, 0x337fffff,
            0x3f808000, 0x3f818000, 0x3f801000, 0x3f803000, 0x7f7f8000, 0x00008000, 0x00018000, 0x38001fff, 0x38002000, 0x38003000]
    g = torch.Generator().manual_seed(9)
    bits += [int(b) & 0xffffffff for b in torch.randint(-2**31, 2**31, (4000,), generator=g) if (int(b) & 0x7f800000) != 0x7f800000]
    f = torch.tensor(bits, dtype=torch.int64).to(torch.int32).view(torch.float32)
    raw = lambda t: [int(x) & 0xffff for x in t.view(torch.int16).tolist()]
    conversions = {"F32": bits, "BF16": raw(f.to(torch.bfloat16)), "F16": raw(f.to(torch.float16))}
    halves = torch.arange(0, 65536, dtype=torch.int32).to(torch.int16)
    keep = lambda dtype: [int(x) & 0xffffffff for x in torch.nan_to_num(halves.view(dtype).float(), nan=0.0, posinf=float("inf"), neginf=float("-inf")).view(torch.int32).tolist()]
    conversions |= {"F16_as_F32": keep(torch.float16)[::7], "BF16_as_F32": keep(torch.bfloat16)[::7]}
    bytes_ = torch.arange(0, 256, dtype=torch.int32).to(torch.uint8)
    for name, dtype in (("F8_E4M3", torch.float8_e4m3fn), ("F8_E5M2", torch.float8_e5m2)):
        conversions[name] = [None if v != v else ("inf" if v == float("inf") else "-inf" if v == float("-inf") else v) for v in bytes_.view(dtype).float().tolist()]
    return conversions


def figures(tensors):
    out = {}
    for name, t in tensors.items():
        d = t.double().flatten()
        finite = d[torch.isfinite(d)]
        out[name] = {"min": finite.min().item(), "max": finite.max().item(), "mean": finite.mean().item(), "std": finite.std(unbiased=False).item(), "norm": finite.norm().item(),
                     "zeros": int((d == 0).sum()), "nan": int(torch.isnan(d).sum()), "inf": int(torch.isinf(d).sum())}
    return out


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--zero_to_fp32", type=pathlib.Path, required=True)
    args = parser.parse_args()
    shutil.rmtree(args.out, ignore_errors=True)
    script = deepspeed_script(args.zero_to_fp32)
    for name, stage, ranks, dtype in (("zero1_ranks2", 1, 2, torch.float16), ("zero2_ranks3", 2, 3, torch.bfloat16), ("zero3_ranks2", 3, 2, torch.bfloat16), ("zero3_ranks12", 3, 12, torch.bfloat16)):
        folder = args.out / name / "input"
        write_zero(folder, stage, ranks, seed=stage * 10 + ranks, dtype=dtype)
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            state = script.get_fp32_state_dict_from_zero_checkpoint(str(folder))
        # Frozen parameters keep their type in the script's result; the optimizer's names them fp32, and so do we.
        save_file({k: v.float().clone().contiguous() for k, v in state.items()}, args.out / name / "expected.safetensors", metadata={"format": "pt"})
    for name, packed in (("gguf", False), ("gguf_packed", True)):
        (args.out / name).mkdir(parents=True)
        tensors = write_gguf(args.out / name / "input.gguf", packed)
        save_file(tensors, args.out / name / "expected.safetensors", metadata={"format": "pt"})
    (args.out / "gguf_blocks").mkdir(parents=True)
    save_file(write_gguf_blocks(args.out / "gguf_blocks" / "input.gguf", 11), args.out / "gguf_blocks" / "expected.safetensors", metadata={"format": "pt"})
    g = torch.Generator().manual_seed(3)
    plain = {"f32": torch.randn(70001, generator=g), "f16": torch.randn(333, generator=g).half(), "bf16": (torch.randn(5000, generator=g) * 3).bfloat16(),
             "f64": torch.randn(100, generator=g).double(), "large": torch.randn(3000, generator=g) * 1e30, "small": torch.randn(3000, generator=g) * 1e-30,
             "i64": torch.randint(-9, 9, (50,), generator=g), "odd": torch.cat([torch.randn(100, generator=g), torch.tensor([float("nan"), float("inf"), -float("inf"), 0.0, -0.0])])}
    plain["f8"] = torch.randn(64, generator=g).to(torch.float8_e4m3fn)
    save_file(plain, args.out / "figures.safetensors")
    numbers_ = {"conversions": numbers(), "figures": figures(plain)}
    (args.out / "numbers.json").write_text(json.dumps(numbers_) + "\n")


main()
