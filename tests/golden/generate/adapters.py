# SPDX-License-Identifier: GPL-3.0-or-later
"""Every decoder with and without an adapter of PEFT: continued texts, logits, gradients; and an encoder with an adapter and a head of its own.

    python adapters.py [--out DIR] [--only WORD]

The models are those of ../models. <model>/ has the adapter as save_pretrained writes it (target_modules all-linear, but for experts), and
expected.safetensors: input_ids, labels, logits, logits.adapter, loss (with the adapter), gradient.<name> of all that trains. Of decoders
cases.json, too: prompt, options, adapter, new tokens (`expected`). Texts whose likeliest and second token are closer than 1e-3 are not taken.
"""
import json
import pathlib

from artifact import arguments, fresh, write_json
import torch
from peft import LoraConfig, get_peft_model
from safetensors.torch import save_file
from transformers import AutoModelForCausalLM, AutoModelForSequenceClassification

torch.set_num_threads(1)
MODELS = pathlib.Path(__file__).resolve().parent.parent / "models"
DECODERS = ["gpt2", "llama_gqa", "llama3_rope", "llama_yarn", "mistral_window", "qwen2_tied", "qwen3", "phi3_longrope", "gemma2", "mixtral_aux",
            "gpt_neox", "gpt_neox_sequential_left", "opt", "opt_post_norm_left"]
ENCODERS = ["bert_classification", "roberta"]
# Experts are one tensor in transformers: PEFT adapts them with target_parameters (lora_parameters.py).
TARGETS = {"mixtral_aux": ["q_proj", "k_proj", "v_proj", "o_proj"]}
OPTIONS = [dict(max_new_tokens=12), dict(max_new_tokens=8, num_beams=3)]


def continued(model, prompt, options):
    ids = torch.tensor([prompt])
    with torch.no_grad():
        made = model.generate(ids, attention_mask=torch.ones_like(ids), do_sample=False, eos_token_id=None, pad_token_id=0,
                              return_dict_in_generate=True, output_scores=True, **options)
    gap = min(float((s.topk(2).values[:, 0] - s.topk(2).values[:, 1]).min()) for s in made.scores)
    return made.sequences[0, len(prompt):].tolist(), gap


def texts(model, adapter, generator, count):
    rows = []
    for options in OPTIONS:
        found = 0
        for _ in range(200):
            prompt = torch.randint(3, model.config.vocab_size, (int(torch.randint(1, 9, (1,), generator=generator)),), generator=generator).tolist()
            made, gap = continued(model, prompt, options)
            if gap > 1e-3 or (options.get("num_beams", 1) > 1 and gap > 1e-4):
                rows.append(dict(prompt=prompt, options=options, adapter=adapter, expected=made))
                found += 1
            if found == count:
                break
        assert found == count, (adapter, options, found)
    return rows


def adapted(name, base, generator, **options):
    model = get_peft_model(base, LoraConfig(r=2, lora_alpha=8, target_modules=TARGETS.get(name, "all-linear"), **options))
    for key, value in model.named_parameters():
        if "lora_" in key:
            value.data = torch.randn(value.shape, generator=generator) * 0.15
    return model.eval()


def gradients(model, ids, labels):
    outputs = model(input_ids=ids, labels=labels)
    outputs.loss.backward()
    result = {"logits.adapter": outputs.logits.detach(), "loss": outputs.loss.detach()}
    for name, value in model.named_parameters():
        if value.requires_grad:
            plain = name.replace("base_model.model.", "").replace(".default.", ".").replace(".modules_to_save.", ".")
            result["gradient." + plain] = value.grad.clone()
    return result


def finish(folder, model, result):
    model.save_pretrained(folder)
    (folder / "README.md").unlink(missing_ok=True)
    config = json.loads((folder / "adapter_config.json").read_text())
    config["base_model_name_or_path"] = "../../models/" + folder.name
    (folder / "adapter_config.json").write_text(json.dumps(config, indent=2, sort_keys=True) + "\n")
    save_file({k: v.contiguous() for k, v in result.items()}, folder / "expected.safetensors")


def main(out, spec, only):
    for number, name in enumerate(DECODERS):
        if only not in name:
            continue
        g = torch.Generator().manual_seed(100 + number)
        folder = fresh(out / name)
        base = AutoModelForCausalLM.from_pretrained(MODELS / name, dtype=torch.float32, attn_implementation="eager").eval()
        base.generation_config.eos_token_id = None
        ids = torch.randint(3, base.config.vocab_size, (2, 12), generator=g)
        result = {"input_ids": ids, "labels": ids.clone(), "logits": base(ids).logits.detach()}
        cases = texts(base, False, g, 2)
        model = adapted(name, base, g, task_type="CAUSAL_LM")
        result.update(gradients(model, ids, ids))
        cases += texts(model, True, g, 2)
        finish(folder, model, result)
        write_json(folder / "cases.json", dict(cases=cases))
        print(name, len(result), "tensors", len(cases), "texts", sum(p.numel() for p in model.parameters() if p.requires_grad), "trained")
    for number, name in enumerate(ENCODERS):
        if only not in name or not (MODELS / name).exists():
            continue
        g = torch.Generator().manual_seed(200 + number)
        folder = fresh(out / name)
        base = AutoModelForSequenceClassification.from_pretrained(MODELS / name, dtype=torch.float32).eval()
        ids = torch.randint(3, base.config.vocab_size, (4, 12), generator=g)
        labels = torch.randint(0, base.config.num_labels, (4,), generator=g)
        result = {"input_ids": ids, "labels": labels, "logits": base(ids).logits.detach()}
        model = adapted(name, base, g, task_type="SEQ_CLS")
        for key, value in model.named_parameters():
            if "modules_to_save.default" in key:
                value.data += torch.randn(value.shape, generator=g) * 0.1
        result.update(gradients(model, ids, labels))
        finish(folder, model, result)
        print(name, len(result), "tensors")


if __name__ == "__main__":
    main(*arguments("adapters", None))
