# SPDX-License-Identifier: GPL-3.0-or-later
"""Adapters of PEFT beside a tiny GPT-2: their files, logits with one and with two of them, and gradients of a batch.

    python lora.py [--out DIR]

gpt2/: the model. first/, second/, matched/ (by a regular expression): adapters as save_pretrained writes them. expected.safetensors: input_ids,
logits (without adapters), logits.first, logits.matched,
logits.both (the second counts half), merged.<name> (weights with the first merged in), gradient.<name> of the first's parameters for the
mean loss over the batch, loss.
"""
import json

from artifact import arguments, fresh
import torch
from peft import LoraConfig, get_peft_model
from safetensors.torch import save_file
from transformers import GPT2Config, GPT2LMHeadModel

torch.set_num_threads(1)
CONFIG = dict(vocab_size=64, n_positions=32, n_embd=32, n_layer=2, n_head=4, initializer_range=0.2, resid_pdrop=0.0, embd_pdrop=0.0, attn_pdrop=0.0)
ADAPTERS = dict(first=dict(r=4, lora_alpha=8, target_modules=["c_attn", "c_fc"]),
                matched=dict(r=2, lora_alpha=4, target_modules=r".*\.h\.1\.(attn\.c_\w+|mlp\.c_fc)"),
                second=dict(r=3, lora_alpha=6, target_modules=["attn.c_proj", "c_attn"], use_rslora=True))


def main(out, spec, only):
    torch.manual_seed(3)
    base = GPT2LMHeadModel(GPT2Config(**CONFIG, bos_token_id=None, eos_token_id=None)).eval()
    base.save_pretrained(fresh(out / "gpt2"))
    (out / "gpt2" / "generation_config.json").unlink(missing_ok=True)
    ids = torch.randint(0, CONFIG["vocab_size"], (2, 20))
    result = {"input_ids": ids, "logits": base(ids).logits.detach()}
    model = None
    for name, options in ADAPTERS.items():
        config = LoraConfig(task_type="CAUSAL_LM", fan_in_fan_out=True, **options)
        model = get_peft_model(base, config, adapter_name=name) if model is None else (model.add_adapter(name, config), model)[1]
    for key, value in model.named_parameters():
        if "lora_" in key:
            value.data.normal_(0, 0.2)
    model.save_pretrained(out, selected_adapters=list(ADAPTERS))
    model.set_adapter("first")
    loss = model(ids, labels=ids).loss
    loss.backward()
    result["loss"] = loss.detach()
    for key, value in model.named_parameters():
        if "lora_" in key and ".first." in key:
            result["gradient." + key.replace("base_model.model.", "").replace(".first.", ".")] = value.grad.clone()
    result["logits.first"] = model(ids).logits.detach()
    for module in model.modules():
        if isinstance(getattr(module, "scaling", None), dict) and "second" in module.scaling:
            module.scaling["second"] *= 0.5
    model.set_adapter("matched")
    result["logits.matched"] = model(ids).logits.detach()
    model.base_model.set_adapter(["first", "second"])
    result["logits.both"] = model(ids).logits.detach()
    model.base_model.set_adapter("first")
    merged = model.merge_and_unload(adapter_names=["first"])
    result.update({"merged." + k: v.detach().clone() for k, v in merged.state_dict().items() if k.endswith("weight") and "lm_head" not in k})
    save_file({k: v.contiguous() for k, v in result.items()}, out / "expected.safetensors")
    for folder in (out, *(out / name for name in ADAPTERS)):
        (folder / "README.md").unlink(missing_ok=True)
    print(sorted(result)[:8], len(result))


if __name__ == "__main__":
    main(*arguments("lora", None))
