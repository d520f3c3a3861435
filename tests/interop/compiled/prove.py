# SPDX-License-Identifier: GPL-3.0-or-later
"""Proves that Trainyard computes with the AOTInductor packages that PyTorch compiles.

    python prove.py --trainyard PATH [--folder FOLDER]

For a tiny GPT-2 and a tiny Llama with tied and with untied embeddings: packages of the whole model and of one block,
compiled by this Python's torch, make the text that transformers' greedy search and Trainyard's own kernels make. A
package of the whole model for one sequence length alone is refused. Needs torch, transformers, tokenizers and a C++
compiler; no GPU. --folder keeps models and packages for a second run.
"""
import argparse, json, pathlib, subprocess, sys, tempfile, time

import torch
import transformers
from tokenizers import Tokenizer, models as tokenizer_models, pre_tokenizers
from transformers import (AutoModelForCausalLM, GPT2Config, GPT2LMHeadModel, LlamaConfig, LlamaForCausalLM,
                          PreTrainedTokenizerFast)

transformers.logging.set_verbosity_error()
torch.set_grad_enabled(False)
PROMPT = "w5 w9 w2 w40"
NEW = 12


class Whole(torch.nn.Module):
    def __init__(self, model):
        super().__init__()
        self.model = model

    def forward(self, input_ids):
        return self.model(input_ids=input_ids, use_cache=False).logits


class Gpt2Block(torch.nn.Module):
    def __init__(self, model):
        super().__init__()
        self.block = model.transformer.h[0]

    def forward(self, hidden):
        result = self.block(hidden)
        return result[0] if isinstance(result, tuple) else result


class LlamaBlock(torch.nn.Module):
    def __init__(self, model):
        super().__init__()
        self.block, self.rotary = model.model.layers[0], model.model.rotary_emb

    def forward(self, hidden):
        positions = torch.arange(hidden.shape[1]).unsqueeze(0)
        result = self.block(hidden, position_embeddings=self.rotary(hidden, positions), attention_mask=None)
        return result[0] if isinstance(result, tuple) else result


def llama(tied):
    return LlamaForCausalLM(LlamaConfig(vocab_size=64, hidden_size=64, intermediate_size=128, num_hidden_layers=2,
                                        num_attention_heads=4, num_key_value_heads=2, max_position_embeddings=64,
                                        tie_word_embeddings=tied, bos_token_id=0, eos_token_id=1, initializer_range=0.3))


def gpt2():
    return GPT2LMHeadModel(GPT2Config(vocab_size=64, n_embd=64, n_layer=2, n_head=4, n_positions=64, bos_token_id=0,
                                      eos_token_id=1, initializer_range=0.3))


MODELS = {"gpt2": (gpt2, Gpt2Block), "llama": (lambda: llama(False), LlamaBlock), "llama_tied": (lambda: llama(True), LlamaBlock)}


def write_tokenizer(folder):
    vocabulary = {word: i for i, word in enumerate(["<s>", "</s>", *(f"w{i}" for i in range(62))])}
    tokenizer = Tokenizer(tokenizer_models.WordLevel(vocabulary, unk_token="<s>"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    PreTrainedTokenizerFast(tokenizer_object=tokenizer, bos_token="<s>", eos_token="</s>", unk_token="<s>").save_pretrained(folder)


def package(module, example, path, dynamic=True):
    if path.exists():
        return
    sizes = {0: torch.export.Dim.DYNAMIC, 1: torch.export.Dim.DYNAMIC} if dynamic else None
    exported = torch.export.export(module, (example,), dynamic_shapes=(sizes,), strict=False)
    # Exported sizes are 2 and more, which the code also computes for 1: a prompt is one row, and may be one token.
    torch._inductor.aoti_compile_and_package(exported, package_path=str(path),
                                             inductor_configs={"aot_inductor.check_lowerbound": False})


def generate(trainyard, folder, *more):
    command = [trainyard, "generate", str(folder), "--prompt", PROMPT, "--max_new_tokens", str(NEW), "--json", *map(str, more)]
    began = time.monotonic()
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    events = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    text = "".join(event["text"] for event in events if event["event"] == "text")
    return done.returncode, text, done.stdout + done.stderr, time.monotonic() - began


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--trainyard", required=True)
    parser.add_argument("--folder", type=pathlib.Path)
    parser.add_argument("--models", nargs="*", default=list(MODELS))
    options = parser.parse_args()
    root = options.folder or pathlib.Path(tempfile.mkdtemp(prefix="compiled-"))
    failures = 0

    def judge(name, good, note=""):
        nonlocal failures
        failures += not good
        print(f"{'ok  ' if good else 'FAIL'} {name}{': ' + note if note else ''}", flush=True)

    print(f"packages of torch {torch.__version__}")
    for name in options.models:
        make, block = MODELS[name]
        folder = root / name
        if not (folder / "config.json").exists():
            torch.manual_seed(7)
            model = make().eval()
            model.save_pretrained(folder)
            write_tokenizer(folder)
        model = AutoModelForCausalLM.from_pretrained(folder).eval()
        ids = torch.tensor([[2 + int(word[1:]) for word in PROMPT.split()]])
        tokens = model.generate(ids, max_new_tokens=NEW, do_sample=False)[0, ids.shape[1]:].tolist()
        code, eager, said, _ = generate(options.trainyard, folder)
        expected = " ".join(f"w{token - 2}" for token in tokens if token > 1)
        judge(f"{name} eager", code == 0 and eager.split() == expected.split(), "" if code == 0 else said)
        package(Whole(model), torch.ones(2, 7, dtype=torch.long), root / f"{name}_whole.pt2")
        package(block(model), torch.randn(2, 7, 64), root / f"{name}_block.pt2")
        for flag, kind in (("--compiled", "whole"), ("--compiled-blocks", "block")):
            code, text, said, seconds = generate(options.trainyard, folder, flag, root / f"{name}_{kind}.pt2")
            judge(f"{name} {kind}", code == 0 and text == eager, f"{seconds:.2f} s" if code == 0 else said)
    if "gpt2" in options.models:
        fixed = root / "gpt2_fixed.pt2"
        package(Whole(AutoModelForCausalLM.from_pretrained(root / "gpt2").eval()), torch.ones(1, 7, dtype=torch.long), fixed, False)
        code, _, said, _ = generate(options.trainyard, root / "gpt2", "--compiled", fixed)
        judge("a package of one length is refused", code == 2 and "dynamic_shapes" in said, said)
    print("proven" if failures == 0 else f"{failures} failures")
    return failures != 0


if __name__ == "__main__":
    sys.exit(main())
