# SPDX-License-Identifier: GPL-3.0-or-later
"""Adapters of PEFT for parameters that are no module's weight of their own (target_parameters): Mixtral's experts and router, and matrices of GPT-2.

    python lora_parameters.py [--out DIR]

The models are ../models/mixtral_aux and ../lora/gpt2. Of each case a folder with the adapter as save_pretrained writes it, with the model's path
from there, and expected.safetensors: input_ids, logits (with the adapter), loss, gradient.<name> of the adapter for the mean loss over the batch,
merged.<name> of the weights that it changes, as the model's files call them. both.safetensors: logits of Mixtral with `experts` and, counted
half, `experts_more`.
"""
import json
import pathlib

from artifact import arguments, fresh
import torch
from peft import LoraConfig, get_peft_model
from safetensors.torch import load_file, save_file
from transformers import AutoModelForCausalLM

torch.set_num_threads(1)
GOLDEN = pathlib.Path(__file__).resolve().parent.parent
EXPERTS = ["mlp.experts.gate_up_proj", "mlp.experts.down_proj"]
CASES = {
    "experts": ("models/mixtral_aux", dict(r=2, lora_alpha=8, target_modules=[], target_parameters=EXPERTS)),
    "experts_more": ("models/mixtral_aux", dict(r=3, lora_alpha=6, use_rslora=True, target_modules=[], target_parameters=EXPERTS)),
    "router_and_down": ("models/mixtral_aux", dict(r=2, lora_alpha=4, target_modules=["q_proj", "o_proj"],
                                                   target_parameters=["0.mlp.gate.weight", "experts.down_proj"])),
    "gate_up_of_a_block": ("models/mixtral_aux", dict(r=1, lora_alpha=4, target_modules=["v_proj"],
                                                      target_parameters=["model.layers.1.mlp.experts.gate_up_proj", "k_proj.weight"])),
    "gpt2": ("lora/gpt2", dict(r=2, lora_alpha=4, target_modules=[], target_parameters=["c_attn.weight", "1.mlp.c_fc.weight"])),
}


def load(model):
    return AutoModelForCausalLM.from_pretrained(GOLDEN / model, dtype=torch.float32, attn_implementation="eager").eval()


def adapted(model, name, generator):
    config = LoraConfig(task_type="CAUSAL_LM", **CASES[name][1])
    name = "of_" + name  # no module is called so
    model = get_peft_model(model, config, adapter_name=name) if not hasattr(model, "peft_config") else (model.add_adapter(name, config), model)[1]
    for key, value in model.named_parameters():
        if "lora_" in key and f".{name}." in key:
            value.data = torch.randn(value.shape, generator=generator) * 0.3
    return model.eval()


def main(out, spec, only):
    for number, (name, (path, options)) in enumerate(CASES.items()):
        g = torch.Generator().manual_seed(500 + number)
        folder = fresh(out / name)
        model = adapted(load(path), name, g)
        ids = torch.randint(3, 64, (2, 12), generator=g)
        outputs = model(input_ids=ids, labels=ids)
        outputs.loss.backward()
        result = {"input_ids": ids, "logits": outputs.logits.detach(), "loss": outputs.loss.detach()}
        for key, value in model.named_parameters():
            if value.requires_grad:
                result["gradient." + key.replace("base_model.model.", "").replace(f".of_{name}.", ".")] = value.grad.clone()
        model.save_pretrained(folder)
        adapter = folder / ("of_" + name)
        for file in adapter.iterdir():
            file.rename(folder / file.name)
        adapter.rmdir()
        (folder / "README.md").unlink(missing_ok=True)
        config = json.loads((folder / "adapter_config.json").read_text())
        config["base_model_name_or_path"] = "../../" + path
        (folder / "adapter_config.json").write_text(json.dumps(config, indent=2, sort_keys=True) + "\n")
        model.merge_and_unload().save_pretrained(folder / "merged")
        before = load_file(GOLDEN / path / "model.safetensors")
        for key, value in load_file(folder / "merged" / "model.safetensors").items():
            if not torch.equal(value, before[key]):
                result["merged." + key] = value
        for file in (folder / "merged").iterdir():
            file.unlink()
        (folder / "merged").rmdir()
        save_file({k: v.contiguous() for k, v in result.items()}, folder / "expected.safetensors")
        print(name, sorted(k for k in result if k.startswith("gradient"))[:4], sum(k.startswith("merged") for k in result))
    first, second = torch.Generator().manual_seed(500), torch.Generator().manual_seed(501)
    model = adapted(adapted(load("models/mixtral_aux"), "experts", first), "experts_more", second)
    for module in model.modules():
        if isinstance(getattr(module, "scaling", None), dict) and "of_experts_more" in module.scaling:
            module.scaling["of_experts_more"] *= 0.5
    model.base_model.set_adapter(["of_experts", "of_experts_more"])
    ids = load_file(out / "experts" / "expected.safetensors")["input_ids"]
    save_file({"logits": model(input_ids=ids).logits.detach().contiguous()}, out / "both.safetensors")


if __name__ == "__main__":
    main(*arguments("lora_parameters", None))
