# SPDX-License-Identifier: GPL-3.0-or-later
"""Tensor parallel ranks and stages of a pipeline beside torch's: the same Llama under parallelize_module, under
torch.distributed.pipelining and in the mesh of Accelerate's ParallelismConfig, and under tp_size 2 and pp_size 2, on
two ranks of the processor, from the same weights on the same batches. packaging/interop mesh; needs a Python with
tests/bench/peer/requirements.txt.

    python prove.py BUILD_FOLDER [--rounds 3] [--cases small experts large] [--ways tp pp accelerate]

1. 20 losses of a small and of a large model agree to 1e-4 with each. The script of Accelerate started by trainyard
   launch has the losses that it has under torch's launcher.
2. 20 losses of a Qwen2-MoE, whose experts two ranks divide next to one of all tokens, agree to 1e-4 with the whole
   model of transformers.
3. At 9.6 M parameters, alternating: at least 1.5 times their tokens per second. Medians over the rounds.
Prints every figure, and exits with 1 if one misses its target.
"""
import argparse
import json
import pathlib
import statistics
import sys
import tempfile

import torch
from transformers import LlamaConfig, LlamaForCausalLM, Qwen2MoeConfig, Qwen2MoeForCausalLM

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import beside
from beside import Verdicts, difference, ours, text_of

STEPS = 20
CASES = {
    "small": dict(hidden_size=64, intermediate_size=160, num_hidden_layers=4, num_attention_heads=4,
                  num_key_value_heads=2, block=64, batch=8, lr=1e-3),
    "experts": dict(hidden_size=64, intermediate_size=96, num_hidden_layers=3, num_attention_heads=4,
                    num_key_value_heads=2, moe_intermediate_size=48, shared_expert_intermediate_size=80, num_experts=4,
                    num_experts_per_tok=2, output_router_logits=True, router_aux_loss_coef=0.02, block=64, batch=8,
                    lr=1e-3),
    "large": dict(hidden_size=384, intermediate_size=1024, num_hidden_layers=6, num_attention_heads=6,
                  num_key_value_heads=2, block=256, batch=8, lr=3e-4),
}
COMMON = dict(betas=[0.9, 0.99], weight_decay=0.1, clip=1.0, steps=STEPS, micro_batches=4, seed=7)
OF_TRAINING = ("block", "batch", "lr", *COMMON)
WAYS = ("tp", "pp", "accelerate")
LOSSES, SPEED = 1e-4, 1.5


def settings_of(way, spec):
    if way == "pp":
        return ("parallel.pp_size=2", "parallel.pipeline_schedule=1F1B",
                f"training.batch_size={spec['batch'] // spec['micro_batches']}",
                f"training.gradient_accumulation_steps={spec['micro_batches']}")
    if way == "whole":
        return "parallel.ep_size=2", f"training.batch_size={spec['batch'] // 2}"
    return "parallel.tp_size=2", f"training.batch_size={spec['batch']}"


def write_case(folder, shape):
    spec = dict(COMMON, **shape)
    folder.mkdir()
    (folder / "spec.json").write_text(json.dumps(spec))
    (folder / "text").write_bytes(text_of(spec["steps"] * spec["batch"] * spec["block"], spec["seed"]))
    torch.manual_seed(spec["seed"])
    sizes = {key: value for key, value in spec.items() if key not in OF_TRAINING}
    kind, network = (Qwen2MoeConfig, Qwen2MoeForCausalLM) if "num_experts" in sizes else (LlamaConfig, LlamaForCausalLM)
    model = network(kind(vocab_size=256, max_position_embeddings=spec["block"], tie_word_embeddings=False,
                         bos_token_id=None, eos_token_id=None, **sizes))
    with torch.no_grad():  # norms start at 1, which would hide a mistake in them
        for parameter in model.parameters():
            if parameter.dim() == 1:
                parameter.add_(torch.randn_like(parameter) * 0.1)
    model.save_pretrained(folder / "weights")
    (folder / "recipe.yaml").write_text(f"""name: mesh
model:
  model_type: {kind.model_type}
  max_position_embeddings: {spec["block"]}
  tie_word_embeddings: false
  weights: weights
{"".join(f"  {key}: {json.dumps(value)}" + chr(10) for key, value in sizes.items())}data:
  path: text
  sequence_length: {spec["block"]}
  validation_fraction: 0
  shuffle: false
optimizer:
  lr: {spec["lr"]}
  betas: {spec["betas"]}
  eps: 1e-8
  weight_decay: {spec["weight_decay"]}
  decay_all: true
schedule: {{name: constant, warmup_steps: 0}}
training: {{steps: {spec["steps"]}, max_grad_norm: {spec["clip"]}}}
checkpoint: {{every: 0}}
""")
    return spec


def main():
    options = argparse.ArgumentParser()
    options.add_argument("build", type=pathlib.Path)
    options.add_argument("--rounds", type=int, default=3)
    options.add_argument("--cases", nargs="+", choices=CASES, default=list(CASES))
    options.add_argument("--ways", nargs="+", choices=WAYS, default=list(WAYS))
    options = options.parse_args()
    build, verdicts = options.build.resolve(), Verdicts()
    with tempfile.TemporaryDirectory() as work:
        work = pathlib.Path(work)
        for name in options.cases:
            case = work / name
            spec = write_case(case, CASES[name])
            tokens = spec["batch"] * spec["block"]
            rounds = options.rounds if name == "large" else 1
            for way in ["whole"] if name == "experts" else options.ways:
                mine, theirs = [], []
                for number in range(rounds):
                    mine.append(ours(build, case, work / f"{name}-{way}-{number}", *settings_of(way, spec)))
                    theirs.append(beside.peer(HERE / "peer.py", case, way, work))
                verdicts.most(f"{name}, {STEPS} losses beside {way}, largest difference",
                              difference(mine[0]["losses"], theirs[0]["losses"]), LOSSES)
                if name != "large":
                    if way == "accelerate":  # their script, our launcher
                        launched = beside.peer(HERE / "peer.py", case, way, work, launcher=(
                            build / "bin" / "trainyard", "launch", "--cpu", "--num_processes", beside.RANKS))
                        verdicts.most("small, accelerate started by trainyard launch, largest difference",
                                      difference(launched["losses"], theirs[0]["losses"]), 1e-6)
                    continue
                middle = [statistics.median(each["seconds"] for each in side) for side in (mine, theirs)]
                print(f"{name}, {way}: {tokens / middle[0]:.0f} tokens/s, theirs {tokens / middle[1]:.0f} "
                      f"(n={rounds}, medians)", flush=True)
                verdicts.least(f"{name}, speed beside {way}", middle[1] / middle[0], SPEED)
    sys.exit(1 if verdicts.missed else 0)


main()
