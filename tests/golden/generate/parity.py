# SPDX-License-Identifier: GPL-3.0-or-later
"""Loss curves of Hugging Face Accelerate + transformers' GPT-2 from given weights on given batches, to be met by the engine.

    python parity.py [--out DIR] [--spec SPEC.json] [--only WORD]

DIR/<case>/: recipe.yaml (the same training for Trainyard), text (the corpus), weights/model.safetensors (where both start),
expected.json (loss, learning rate and gradient norm of every step). Batches are consecutive blocks of the text.
"""
import json, math, random, warnings

from artifact import arguments, fresh, write_json
import torch
from accelerate import Accelerator
from transformers import GPT2Config, GPT2LMHeadModel, get_cosine_schedule_with_warmup

warnings.simplefilter("ignore")

BASE = dict(seed=11, n_embd=32, n_layer=2, n_head=4, block=32, batch=4, accumulation=1, steps=20, lr=3e-3, betas=[0.9, 0.99],
            weight_decay=0.1, decay_all=True, clip=1.0, warmup=0, decay_steps=40)
DEFAULT = {
    "plain": dict(BASE),
    "accumulated": dict(BASE, accumulation=3, batch=2, decay_all=False, warmup=5, decay_steps=20, clip=0.5, n_head=2, seed=12),
}


def text_of(spec, size):
    """The beginning of a file, or something with structure: words drawn from a small vocabulary."""
    if "text" in spec:
        return open(spec["text"], "rb").read(size)
    rng = random.Random(spec["seed"])
    words = ["".join(rng.choice("abcdefghijklmnopqrstuvwxyz") for _ in range(rng.randint(2, 8))) for _ in range(60)]
    out = []
    while sum(map(len, out)) + len(out) < size:
        out.append(rng.choice(words) + (".\n" if rng.random() < 0.1 else ""))
    return " ".join(out).encode()[:size]


def groups(model, spec):
    if spec["decay_all"]:
        return list(model.parameters())
    named = list(model.named_parameters())
    return [dict(params=[p for _, p in named if p.dim() >= 2], weight_decay=spec["weight_decay"]),
            dict(params=[p for _, p in named if p.dim() < 2], weight_decay=0.0)]


def train(spec, text, folder):
    accelerator = Accelerator(gradient_accumulation_steps=spec["accumulation"], cpu=True)
    torch.manual_seed(spec["seed"])
    model = GPT2LMHeadModel(GPT2Config(vocab_size=256, n_positions=spec["block"], n_embd=spec["n_embd"], n_layer=spec["n_layer"],
                                       n_head=spec["n_head"], resid_pdrop=0, embd_pdrop=0, attn_pdrop=0, bos_token_id=None,
                                       eos_token_id=None))
    # Biases and norms start at 0 and 1, which would hide a mistake in them.
    with torch.no_grad():
        for name, p in model.named_parameters():
            if p.dim() == 1:
                p.add_(torch.randn_like(p) * 0.1)
    model.save_pretrained(folder / "weights")
    for extra in (folder / "weights").iterdir():
        if extra.name not in ("model.safetensors", "config.json"):
            extra.unlink()
    optimizer = torch.optim.AdamW(groups(model, spec), lr=spec["lr"], betas=spec["betas"], eps=1e-8,
                                  weight_decay=spec["weight_decay"], fused=True)
    scheduler = get_cosine_schedule_with_warmup(optimizer, spec["warmup"], spec["decay_steps"])
    data = torch.frombuffer(bytearray(text), dtype=torch.uint8).to(torch.int64).view(-1, spec["block"])
    loader = torch.utils.data.DataLoader(data, batch_size=spec["batch"], shuffle=False, drop_last=True)
    model, optimizer, loader, scheduler = accelerator.prepare(model, optimizer, loader, scheduler)
    model.train()
    curve, micro = [], []
    for batch in loader:
        with accelerator.accumulate(model):
            lr = optimizer.param_groups[0]["lr"]
            loss = model(input_ids=batch, labels=batch).loss
            accelerator.backward(loss)
            micro.append(loss.item())
            norm = None
            if accelerator.sync_gradients:
                norm = accelerator.clip_grad_norm_(model.parameters(), spec["clip"]).item()
            optimizer.step()
            scheduler.step()
            optimizer.zero_grad()
        if norm is not None:
            curve.append({"step": len(curve) + 1, "loss": sum(micro) / len(micro), "lr": lr, "grad_norm": norm})
            micro = []
        if len(curve) == spec["steps"]:
            break
    return curve


def recipe(spec):
    return f"""# The same training as expected.json's, for Trainyard.
name: parity
model:
  n_positions: {spec["block"]}
  n_embd: {spec["n_embd"]}
  n_layer: {spec["n_layer"]}
  n_head: {spec["n_head"]}
  weights: weights
data:
  path: text
  sequence_length: {spec["block"]}
  validation_fraction: 0
  shuffle: false
optimizer:
  lr: {spec["lr"]}
  betas: {spec["betas"]}
  eps: 1e-8
  weight_decay: {spec["weight_decay"]}
  decay_all: {str(spec["decay_all"]).lower()}
schedule:
  name: cosine
  warmup_steps: {spec["warmup"]}
  decay_steps: {spec["decay_steps"]}
training:
  steps: {spec["steps"]}
  batch_size: {spec["batch"]}
  gradient_accumulation_steps: {spec["accumulation"]}
  max_grad_norm: {spec["clip"]}
"""


if __name__ == "__main__":
    import accelerate, transformers
    torch.set_num_threads(1)
    out, spec, only = arguments("parity", DEFAULT)
    for name, case in spec.items():
        if only not in name:
            continue
        case = dict(BASE, **case)
        folder = fresh(out / name)
        text = text_of(case, case["steps"] * case["accumulation"] * case["batch"] * case["block"])
        (folder / "text").write_bytes(text)
        (folder / "recipe.yaml").write_text(recipe(case))
        curve = train(case, text, folder)
        write_json(folder / "expected.json", {
            "reference": {"torch": torch.__version__, "accelerate": accelerate.__version__, "transformers": transformers.__version__},
            "spec": case, "curve": curve})
        print(name, curve[0]["loss"], "->", curve[-1]["loss"])
