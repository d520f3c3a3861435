# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes tests/golden/megatron_folders: checkpoints as Megatron-LM saves them, made from small models of transformers.

    python generate/megatron_folders.py        (torch 2.11.0, transformers 5.23.0, safetensors)

Each case has `in` (the folder), `expected.safetensors` (the weights of the model that it was made from) and
`case.json`: keys of its config.json, tokens, and its logits for them. Megatron-LM itself needs CUDA; the layouts are
those of its megatron/training/checkpointing.py, and of queries, keys and values those that transformers'
fix_query_key_value_ordering undoes.
"""
import argparse
import enum
import io
import json
import pathlib
import random
import shutil
import sys
import types

import numpy as np
import torch
from safetensors.torch import save_file
from transformers import GPT2Config, GPT2LMHeadModel, LlamaConfig, LlamaForCausalLM

OUT = pathlib.Path(__file__).resolve().parent.parent / "megatron_folders"
WORDS, WIDTH, HEADS, LAYERS, POSITIONS, INNER = 24, 8, 4, 4, 8, 12

for module in ("megatron", "megatron.core", "megatron.core.transformer"):
    sys.modules[module] = types.ModuleType(module)
for module, name in (("megatron.core.enums", "ModelType"), ("megatron.core.transformer.enums", "AttnBackend")):
    sys.modules[module] = types.ModuleType(module)
    kind = enum.Enum(name, {"encoder_or_decoder": 1, "flash": 2}, module=module)
    setattr(sys.modules[module], name, kind)
ModelType = sys.modules["megatron.core.enums"].ModelType
AttnBackend = sys.modules["megatron.core.transformer.enums"].AttnBackend


def gpt2(tied=True):
    torch.manual_seed(5)
    model = GPT2LMHeadModel(GPT2Config(vocab_size=WORDS, n_embd=WIDTH, n_head=HEADS, n_layer=LAYERS,
            n_positions=POSITIONS,
                                       activation_function="gelu_new", tie_word_embeddings=tied,
                                               layer_norm_epsilon=1e-4))
    return randomised(model)


def llama(groups, tied):
    torch.manual_seed(6)
    model = LlamaForCausalLM(LlamaConfig(
        vocab_size=WORDS, hidden_size=WIDTH, num_attention_heads=HEADS, num_key_value_heads=groups,
                num_hidden_layers=LAYERS,
        intermediate_size=INNER, max_position_embeddings=POSITIONS, tie_word_embeddings=tied, rms_norm_eps=2e-5,
        rope_parameters={"rope_type": "default", "rope_theta": 5000.0}))
    return randomised(model)


def randomised(model):
    """Biases and norms that are not 0 and 1."""
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(torch.randn_like(parameter) * 0.1)
    return model.eval()


def stored_qkv(q, k, v, groups, version):
    """Rows of queries, keys and values of one tensor rank as one tensor."""
    size = WIDTH // HEADS
    rest = q.shape[1:]
    if version >= 2:
        queries = q.view(groups, -1, *rest)
        return torch.cat([queries, k.view(groups, size, *rest), v.view(groups, size, *rest)], 1).reshape(-1, *rest)
    three = torch.stack([x.view(-1, size, *rest) for x in (q, k, v)])  # [3, heads, size]
    if version >= 1:
        three = three.movedim(0, 2)
    return three.reshape(-1, *rest).contiguous()


def blocks_of(model, rank, ranks, version, groups):
    """What one tensor rank has of every block: name in Megatron Core -> tensor."""
    cut = lambda x, dim=0: x.chunk(ranks, dim)[rank].clone()
    blocks = []
    if isinstance(model, GPT2LMHeadModel):
        for h in model.transformer.h:
            c = {}
            for kind in ("weight", "bias"):
                line = (lambda x: x.t()) if kind == "weight" else (lambda x: x)
                q, k, v = line(getattr(h.attn.c_attn, kind)).chunk(3)
                c["self_attention.linear_qkv." + kind] = stored_qkv(cut(q), cut(k), cut(v), groups // ranks, version)
                c["mlp.linear_fc1." + kind] = cut(line(getattr(h.mlp.c_fc, kind)))
                for name, layer in (("self_attention.linear_proj.", h.attn.c_proj), ("mlp.linear_fc2.", h.mlp.c_proj)):
                    value = line(getattr(layer, kind))
                    c[name + kind] = cut(value, 1) if kind == "weight" else value.clone()
                c["input_layernorm." + kind] = getattr(h.ln_1, kind).clone()
                c["pre_mlp_layernorm." + kind] = getattr(h.ln_2, kind).clone()
            blocks.append(c)
        return blocks
    for layer in model.model.layers:
        a, m = layer.self_attn, layer.mlp
        blocks.append({
            "self_attention.linear_qkv.weight": stored_qkv(cut(a.q_proj.weight), cut(a.k_proj.weight),
                                                           cut(a.v_proj.weight), groups // ranks, version),
            "self_attention.linear_proj.weight": cut(a.o_proj.weight, 1),
            "mlp.linear_fc1.weight": torch.cat([cut(m.gate_proj.weight), cut(m.up_proj.weight)]),
            "mlp.linear_fc2.weight": cut(m.down_proj.weight, 1),
            "input_layernorm.weight": layer.input_layernorm.weight.clone(),
            "pre_mlp_layernorm.weight": layer.post_attention_layernorm.weight.clone()})
    return blocks


FUSED = {"input_layernorm.": "self_attention.linear_qkv.layer_norm_",
        "pre_mlp_layernorm.": "mlp.linear_fc1.layer_norm_"}
OLDER = {"self_attention.linear_qkv.": "self_attention.query_key_value.",
        "self_attention.linear_proj.": "self_attention.dense.",
         "mlp.linear_fc1.": "mlp.dense_h_to_4h.", "mlp.linear_fc2.": "mlp.dense_4h_to_h.",
         "pre_mlp_layernorm.": "post_attention_layernorm."}
OLDEST = {**OLDER, "self_attention.linear_qkv.": "attention.query_key_value.",
        "self_attention.linear_proj.": "attention.dense."}


def renamed(blocks, table, first):
    out = {}
    for i, block in enumerate(blocks):
        for name, value in block.items():
            for old, new in table.items():
                if name.startswith(old):
                    name = new + name[len(old):]
                    break
            out[f"layers.{first + i}.{name}"] = value.detach()
    return out


def part(model, rank, ranks, stage, stages, style, version, groups, chunk=0, chunks=1):
    """The `model` entry of one rank, or of one chunk of it."""
    each = LAYERS // (stages * chunks)
    begin = (chunk * stages + stage) * each
    table = {"core": {}, "fused": FUSED, "older": OLDER, "oldest": OLDEST}[style]
    layers = renamed(blocks_of(model, rank, ranks, version, groups)[begin:begin + each], table, 0)
    is_gpt2 = isinstance(model, GPT2LMHeadModel)
    words = (model.transformer.wte if is_gpt2 else model.model.embed_tokens).weight.chunk(ranks)[rank].detach().clone()
    norm = model.transformer.ln_f if is_gpt2 else model.model.norm
    final = {f"final_layernorm.{k}": v.detach().clone() for k, v in norm.named_parameters()}
    head = model.lm_head.weight.chunk(ranks)[rank].detach().clone()
    untied = not model.config.tie_word_embeddings
    first, last = stage == 0 and chunk == 0, stage == stages - 1 and chunk == chunks - 1
    if style in ("core", "fused"):
        flat = {"decoder." + k: v for k, v in layers.items()}
        if style == "fused":
            flat["decoder.layers.0.self_attention.linear_qkv._extra_state"] = io.BytesIO(b"fp8")
            flat["decoder.layers.0.mlp.linear_fc1._extra_state"] = None
        if first:
            flat["embedding.word_embeddings.weight"] = words
            if is_gpt2:
                flat["embedding.position_embeddings.weight"] = model.transformer.wpe.weight.detach().clone()
        if last:
            flat.update({"decoder." + k: v for k, v in final.items()})
            if untied or stages > 1:
                flat["output_layer.weight"] = head
        return flat
    language = {}
    if first:
        language["embedding"] = {"word_embeddings": {"weight": words}}
        if is_gpt2:
            language["embedding"]["position_embeddings"] = {"weight": model.transformer.wpe.weight.detach().clone()}
    language["transformer" if style == "oldest" else "encoder"] = {**layers, **(final if last else {})}
    if untied and last:
        language["output_layer"] = {"weight": head}
    entry = {"language_model": language}
    if last and stages > 1 and not untied:
        entry["word_embeddings_for_head"] = {"weight": head}
    return entry


def arguments(model, ranks, stages, groups, style):
    is_gpt2 = isinstance(model, GPT2LMHeadModel)
    values = dict(num_layers=LAYERS, hidden_size=WIDTH, num_attention_heads=HEADS, max_position_embeddings=POSITIONS,
                  tensor_model_parallel_size=ranks, pipeline_model_parallel_size=stages, padded_vocab_size=WORDS,
                  params_dtype=torch.float32, model_type=ModelType.encoder_or_decoder,
                          save=pathlib.PurePosixPath("/checkpoints"),
                  untie_embeddings_and_output_weights=not model.config.tie_word_embeddings, rank=0,
                  **{f"setting_{i}": None for i in range(120)})
    if is_gpt2:
        values.update(layernorm_epsilon=model.config.layer_norm_epsilon, bias_gelu_fusion=True, hidden_dropout=0.1,
                attention_dropout=0.1)
        if style != "oldest":
            values.update(position_embedding_type="learned_absolute", normalization="LayerNorm", swiglu=False,
                    add_bias_linear=True,
                          ffn_hidden_size=4 * WIDTH, kv_channels=WIDTH // HEADS)
    else:
        values.update(norm_epsilon=model.config.rms_norm_eps, position_embedding_type="rope",
                normalization="RMSNorm", swiglu=True,
                      add_bias_linear=False, ffn_hidden_size=INNER, kv_channels=WIDTH // HEADS, rotary_base=5000,
                              rotary_percent=1.0,
                      group_query_attention=groups != HEADS, num_query_groups=groups,
                              attention_backend=AttnBackend.flash)
    return argparse.Namespace(**values)


def case(name, model, ranks=1, stages=1, style="core", version=3.0, groups=HEADS, chunks=1, state=False, step=None):
    folder = OUT / name
    into = folder / "in"
    if step is not None:
        into.mkdir(parents=True)
        (into / "latest_checkpointed_iteration.txt").write_text(str(step))
        into = into / ("release" if step == "release" else f"iter_{step:07d}")
    for rank in range(ranks):
        for stage in range(stages):
            place = into / (f"mp_rank_{rank:02d}" + (f"_{stage:03d}" if stages > 1 else ""))
            place.mkdir(parents=True)
            content = {"args": arguments(model, ranks, stages, groups, style), "iteration": 12}
            if version > 0:
                content["checkpoint_version"] = version
            for chunk in range(chunks):
                key = "model" if chunks == 1 else f"model{chunk}"
                content[key] = part(model, rank, ranks, stage, stages, style, version, groups, chunk, chunks)
            if state:
                content["optimizer"] = {"optimizer": {"state": {0: {"exp_avg": torch.ones(3), "step": 12}},
                        "param_groups": [{"lr": 1e-3}]}}
                content["opt_param_scheduler"] = {"max_lr": 1e-3, "num_steps": 12}
                content["rng_state"] = [{"random_rng_state": random.Random(1).getstate(),
                        "np_rng_state": np.random.RandomState(1).get_state(),
                                         "torch_rng_state": torch.get_rng_state()[:16], "rng_tracker_states": {}}]
            torch.save(content, place / "model_optim_rng.pt")
    # transformers has a tied head once.
    weights = {k: v.detach().contiguous().clone() for k, v in model.state_dict().items()
               if not (model.config.tie_word_embeddings and k == "lm_head.weight")}
    save_file(weights, folder / "expected.safetensors")
    tokens = [[3, 7, 1, 17, 22, 5], [0, 9, 9, 11, 2, 20]]
    with torch.no_grad():
        logits = model(torch.tensor(tokens)).logits
    config = model.config
    keys = ({k: getattr(config, k) for k in ("model_type", "n_embd", "n_head", "n_layer", "n_positions",
            "layer_norm_epsilon",
                                             "activation_function", "vocab_size", "tie_word_embeddings")}
            if isinstance(model, GPT2LMHeadModel) else
            {k: getattr(config, k) for k in ("model_type", "hidden_size", "intermediate_size", "num_attention_heads",
                                             "num_key_value_heads", "num_hidden_layers", "max_position_embeddings",
                                                     "rms_norm_eps",
                                             "vocab_size", "tie_word_embeddings")} | {"rope_theta": 5000.0})
    (folder / "case.json").write_text(json.dumps({"config": keys, "tokens": tokens, "logits": logits.double().tolist(),
                                                  "tensor_ranks": ranks, "stages": stages}) + "\n")


shutil.rmtree(OUT, ignore_errors=True)
case("gpt2_version0", gpt2(), style="oldest", version=0)
case("gpt2_version1_tp2", gpt2(), ranks=2, style="oldest", version=1.0)
case("gpt2_tp2_pp2", gpt2(), ranks=2, stages=2, style="older", version=3.0, state=True, step=12)
case("gpt2_untied_pp2", gpt2(tied=False), stages=2, style="older", step="release")
case("gpt2_core_tp4", gpt2(), ranks=4, style="core")
case("llama_groups_tp2_pp2", llama(2, False), ranks=2, stages=2, style="fused", groups=2)
case("llama_interleaved_pp2", llama(4, True), stages=2, style="core", chunks=2, state=True)
case("llama_older_tp2", llama(2, False), ranks=2, style="older", groups=2)
