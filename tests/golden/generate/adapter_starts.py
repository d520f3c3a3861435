# SPDX-License-Identifier: GPL-3.0-or-later
"""Adapters of PEFT that were trained beside changed weights (PiSSA, OLoRA) or with exceptions for single modules, merged by PEFT.

    python adapter_starts.py [--out DIR] [--only WORD]

llama/: the base, small and in fp32; gpt2/: one whose weights are [in, out]. Of each case a folder with the adapter as save_pretrained writes it, its
values moved as training does, and expected.safetensors: merged.<name> of the weights that PEFT changes, when it loads the adapter into a fresh
base and merges it. PEFT draws random numbers for pissa_niter_*: the singular values of the bases fall so fast that they do not matter.
"""
import json

from artifact import arguments, fresh
import torch
from peft import LoraConfig, PeftModel, get_peft_model
from safetensors.torch import save_file
from transformers import AutoModelForCausalLM, GPT2Config, GPT2LMHeadModel, LlamaConfig, LlamaForCausalLM

torch.set_num_threads(1)
Q = ["q_proj"]
CASES = {
    "pissa": ("llama", dict(r=4, lora_alpha=8, target_modules=["q_proj", "down_proj"], init_lora_weights="pissa")),
    "pissa_niter": ("llama", dict(r=2, lora_alpha=2, target_modules=Q, init_lora_weights="pissa_niter_64")),
    "olora": ("llama", dict(r=3, lora_alpha=12, target_modules=["q_proj", "up_proj"], init_lora_weights="olora", use_rslora=True)),
    "pissa_gpt2": ("gpt2", dict(r=4, lora_alpha=4, target_modules=["c_attn"], init_lora_weights="pissa", fan_in_fan_out=True)),
    "gaussian": ("llama", dict(r=4, lora_alpha=8, target_modules=Q, init_lora_weights="gaussian")),
    "orthogonal": ("llama", dict(r=4, lora_alpha=8, target_modules=Q, init_lora_weights="orthogonal")),
    "mica": ("llama", dict(r=4, lora_alpha=8, target_modules=Q, init_lora_weights="mica")),
    "patterns": ("llama", dict(r=4, lora_alpha=8, target_modules=["q_proj", "v_proj", "o_proj"], rank_pattern={"1.self_attn.q_proj": 2, "v_proj": 3},
                               alpha_pattern={r"^model\.layers\.0\.self_attn\.q_proj": 5, ".*o_proj": 16}, use_rslora=True)),
    "some_layers": ("llama", dict(r=2, lora_alpha=8, target_modules=["q_proj", "v_proj"], layers_to_transform=[1], layers_pattern="layers")),
    "excluded": ("llama", dict(r=2, lora_alpha=8, target_modules="all-linear", exclude_modules=r".*\.mlp\..*")),
}


def bases(out):
    torch.manual_seed(11)
    llama = LlamaForCausalLM(LlamaConfig(vocab_size=48, hidden_size=16, intermediate_size=24, num_hidden_layers=2, num_attention_heads=2,
                                         num_key_value_heads=1, max_position_embeddings=32, initializer_range=0.3, tie_word_embeddings=False))
    gpt2 = GPT2LMHeadModel(GPT2Config(vocab_size=48, n_positions=32, n_embd=16, n_layer=1, n_head=2, initializer_range=0.3, bos_token_id=None,
                                      eos_token_id=None))
    for layer in llama.model.layers:
        u, s, v = torch.linalg.svd(layer.self_attn.q_proj.weight.data)
        layer.self_attn.q_proj.weight.data = (u * (3 * 0.7 ** torch.arange(len(s)))) @ v
    for name, model in (("llama", llama), ("gpt2", gpt2)):
        model.save_pretrained(fresh(out / name))
        (out / name / "generation_config.json").unlink(missing_ok=True)


def main(out, spec, only):
    bases(out)
    for number, (name, (base, options)) in enumerate(CASES.items()):
        if only not in name:
            continue
        g = torch.Generator().manual_seed(900 + number)
        folder = fresh(out / name)
        load = lambda: AutoModelForCausalLM.from_pretrained(out / base, dtype=torch.float32)
        model = get_peft_model(load(), LoraConfig(task_type="CAUSAL_LM", **options))
        for key, value in model.named_parameters():
            if "lora_" in key:
                value.data += torch.randn(value.shape, generator=g) * 0.1
        model.save_pretrained(folder)
        (folder / "README.md").unlink(missing_ok=True)
        before = dict(load().state_dict())
        torch.manual_seed(1)
        merged = PeftModel.from_pretrained(load(), folder).merge_and_unload().state_dict()
        changed = {"merged." + k: v.detach().contiguous() for k, v in merged.items() if not torch.equal(v, before[k])}
        save_file(changed, folder / "expected.safetensors")
        config = json.loads((folder / "adapter_config.json").read_text())
        config["base_model_name_or_path"] = "../" + base
        (folder / "adapter_config.json").write_text(json.dumps(config, indent=2, sort_keys=True) + "\n")
        print(name, sorted(changed))


if __name__ == "__main__":
    main(*arguments("adapter_starts", None))
