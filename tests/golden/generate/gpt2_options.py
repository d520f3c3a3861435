# SPDX-License-Identifier: GPL-3.0-or-later
"""Tiny GPT-2 models of transformers, one for each option of GPT2Config and one for each way their weights are stored.

    python gpt2_options.py [--out DIR] [--only WORD]

One folder per case in tests/golden/gpt2_options: config.json and weights as save_pretrained (or torch.save) writes them, expected.json with the
loss, and expected.safetensors with input_ids, labels, logits and the gradient of every parameter.
"""
import json

from artifact import arguments, fresh, write_json
import torch, transformers
from safetensors.torch import save_file
from transformers import GPT2Config, GPT2LMHeadModel, GPT2Model

transformers.logging.set_verbosity_error()
transformers.utils.logging.disable_progress_bar()
torch.set_num_threads(1)

SIZES = dict(vocab_size=24, n_positions=10, n_embd=8, n_layer=2, n_head=2, attn_pdrop=0.0, embd_pdrop=0.0, resid_pdrop=0.0,
             bos_token_id=1, eos_token_id=2)
ACTIVATIONS = ["gelu", "gelu_python", "gelu_10", "gelu_fast", "gelu_pytorch_tanh", "gelu_python_tanh", "gelu_accurate", "quick_gelu",
               "hardswish", "laplace", "leaky_relu", "linear", "mish", "relu", "relu2", "relu6", "sigmoid", "silu", "swish", "sqrtsoftplus",
               "tanh"]
DEFAULT = [
    dict(name="usual"),
    *(dict(name=f"activation_{name}", config=dict(activation_function=name)) for name in ACTIVATIONS),
    dict(name="untied", config=dict(tie_word_embeddings=False)),
    dict(name="unscaled", config=dict(scale_attn_weights=False)),
    dict(name="inverse_layer", config=dict(scale_attn_by_inverse_layer_idx=True)),
    dict(name="unscaled_inverse_layer", config=dict(scale_attn_weights=False, scale_attn_by_inverse_layer_idx=True)),
    dict(name="upcast", config=dict(reorder_and_upcast_attn=True)),
    dict(name="inner", config=dict(n_inner=20)),
    dict(name="epsilon", config=dict(layer_norm_epsilon=0.03)),
    dict(name="four_heads", config=dict(n_head=4)),
    dict(name="all_at_once", config=dict(tie_word_embeddings=False, activation_function="silu", scale_attn_by_inverse_layer_idx=True,
                                         layer_norm_epsilon=0.01, n_inner=12, n_head=1, bos_token_id=None, pad_token_id=3)),
    dict(name="shards", store="shards"),
    dict(name="untied_shards", store="shards", config=dict(tie_word_embeddings=False)),
    dict(name="bin", store="bin"),
    dict(name="untied_bin", store="bin", config=dict(tie_word_embeddings=False)),
    dict(name="bin_shards", store="bin_shards"),
    dict(name="without_prefix", store="base"),
    dict(name="masks_of_old_files", store="old"),
    dict(name="bfloat16", store="bfloat16"),
]


def build(case):
    config = GPT2Config(**{**SIZES, **case.get("config", {})})
    config._attn_implementation = "eager"
    torch.manual_seed(7)
    model = GPT2LMHeadModel(config).float()
    generator = torch.Generator().manual_seed(8)
    with torch.no_grad():   # fresh models have zero biases and unit norms: every weight has to matter
        for name, parameter in model.named_parameters():   # wide in front of the activation functions, some of which have limits
            scale = 1.5 if name.endswith("c_fc.weight") else 0.2 if parameter.dim() < 2 else 0.3
            parameter.add_(torch.randn(parameter.shape, generator=generator) * scale)
        if case.get("store") == "bfloat16":
            for parameter in model.parameters():
                parameter.copy_(parameter.bfloat16())
    return model


def save(case, model, folder):
    store = case.get("store", "")
    if store in ("", "bfloat16"):
        (model.bfloat16() if store else model).save_pretrained(folder)
    elif store == "shards":
        model.save_pretrained(folder, max_shard_size="3KB")
    else:
        model.config.architectures = ["GPT2Model" if store == "base" else "GPT2LMHeadModel"]
        model.config.save_pretrained(folder)
        state = model.state_dict()   # a tied head is listed twice and shares its storage
        if store == "base":
            body = GPT2Model(model.config)
            body.load_state_dict(model.transformer.state_dict())
            body.save_pretrained(folder)
        elif store == "bin":
            torch.save(state, folder / "pytorch_model.bin")
        elif store == "bin_shards":
            names = list(state)
            halves = [names[::2], names[1::2]]
            files = [f"pytorch_model-{i + 1:05d}-of-00002.bin" for i in range(2)]
            for file, part in zip(files, halves):
                torch.save({name: state[name].clone() for name in part}, folder / file)
            index = dict(metadata=dict(total_size=0), weight_map={n: f for f, part in zip(files, halves) for n in part})
            (folder / "pytorch_model.bin.index.json").write_text(json.dumps(index, indent=2))
        elif store == "old":   # the oldest published files: no prefix, no head, the causal mask beside the weights
            old = {name.removeprefix("transformer."): t for name, t in state.items() if name != "lm_head.weight"}
            for layer in range(model.config.n_layer):
                size = model.config.n_positions
                old[f"h.{layer}.attn.bias"] = torch.tril(torch.ones(size, size)).view(1, 1, size, size)
                old[f"h.{layer}.attn.masked_bias"] = torch.tensor(-1e4)
            save_file({name: t.contiguous() for name, t in old.items()}, folder / "model.safetensors", metadata=dict(format="pt"))
    for extra in folder.glob("generation_config.json"):
        extra.unlink()


def make(case, out):
    folder = fresh(out / case["name"])
    model = build(case)
    generator = torch.Generator().manual_seed(9)
    ids = torch.randint(0, SIZES["vocab_size"], (3, SIZES["n_positions"]), generator=generator)
    labels = ids.clone()
    labels[0, :3] = -100
    result = model.train()(input_ids=ids, labels=labels)
    result.loss.backward()
    tensors = dict(input_ids=ids, labels=labels, logits=result.logits.detach())
    for name, parameter in model.named_parameters():
        tensors["gradient." + name] = parameter.grad
    loss = float(result.loss.detach())
    assert all(bool(torch.isfinite(t).all()) for t in tensors.values()), case["name"]
    save_file({name: t.contiguous() for name, t in tensors.items()}, folder / "expected.safetensors")
    write_json(folder / "expected.json", dict(case=case["name"], loss=loss, parameters=sum(p.numel() for p in model.parameters())))
    save(case, build(case), folder)
    check(case, folder, ids, labels, loss)


def check(case, folder, ids, labels, loss):
    """Load what was written, as a user would, and compare."""
    loaded = GPT2LMHeadModel.from_pretrained(folder, dtype=torch.float32, attn_implementation="eager")
    with torch.no_grad():
        again = float(loaded(input_ids=ids, labels=labels).loss)
    assert abs(again - loss) < 1e-6, (case["name"], again, loss)
    print(f"{case['name']:28s} loss {loss:.6f}", flush=True)


if __name__ == "__main__":
    out, cases, only = arguments("gpt2_options", DEFAULT)
    for case in cases:
        if not only or only in case["name"]:
            make(case, out)
