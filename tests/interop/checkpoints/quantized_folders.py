# SPDX-License-Identifier: GPL-3.0-or-later
"""Proves that transformers and bitsandbytes load the folders of `trainyard quantize`, and Trainyard theirs.

    python quantized_folders.py --trainyard PATH

For a tiny Llama and a tiny GPT-2 (Conv1D), in NF4, NF4 with double quantization, FP4 and LLM.int8, with the latter also
for sizes that are not multiples of 64: the logits of a folder that Trainyard wrote equal those of the folder that
transformers wrote from the same weights, and Trainyard generates the same tokens from both as transformers does. Needs
torch, transformers, bitsandbytes and tokenizers; no GPU.
"""
import argparse, pathlib, subprocess, sys, tempfile

import torch
import transformers
from tokenizers import Tokenizer, models as tokenizer_models, pre_tokenizers
from transformers import (AutoModelForCausalLM, BitsAndBytesConfig, GPT2Config, GPT2LMHeadModel, LlamaConfig, LlamaForCausalLM,
                          PreTrainedTokenizerFast)

transformers.logging.set_verbosity_error()
transformers.utils.logging.disable_progress_bar()
torch.set_grad_enabled(False)
WORDS = [f"w{i}" for i in range(62)]


def llama(width, inner, key_heads):
    return LlamaForCausalLM(LlamaConfig(vocab_size=64, hidden_size=width, intermediate_size=inner, num_hidden_layers=2,
                                        num_attention_heads=4, num_key_value_heads=key_heads, max_position_embeddings=64,
                                        tie_word_embeddings=False, bos_token_id=0, eos_token_id=1))


def gpt2(width):
    return GPT2LMHeadModel(GPT2Config(vocab_size=64, n_embd=width, n_layer=2, n_head=4, n_positions=64, bos_token_id=0,
                                      eos_token_id=1))


# Rows of the uneven ones are not multiples of 64, which the 4-bit products of bitsandbytes on CPUs need.
MODELS = {"llama": lambda: llama(64, 128, 2), "gpt2": lambda: gpt2(64), "llama_uneven": lambda: llama(96, 160, 4),
          "gpt2_uneven": lambda: gpt2(96)}
FORMATS = {
    "nf4": (["--method", "nf4"], dict(load_in_4bit=True, bnb_4bit_quant_type="nf4", bnb_4bit_compute_dtype=torch.float32)),
    "nf4_double": (["--method", "nf4", "--double_quant"],
                   dict(load_in_4bit=True, bnb_4bit_quant_type="nf4", bnb_4bit_use_double_quant=True,
                        bnb_4bit_compute_dtype=torch.float32)),
    "fp4": (["--method", "fp4"], dict(load_in_4bit=True, bnb_4bit_quant_type="fp4", bnb_4bit_compute_dtype=torch.float32)),
    "int8": (["--method", "int8"], dict(load_in_8bit=True)),
}


def write_tokenizer(folder):
    vocabulary = {word: i for i, word in enumerate(["<s>", "</s>", *WORDS])}
    tokenizer = Tokenizer(tokenizer_models.WordLevel(vocabulary, unk_token="<s>"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    PreTrainedTokenizerFast(tokenizer_object=tokenizer, bos_token="<s>", eos_token="</s>", unk_token="<s>").save_pretrained(folder)


def logits_of(folder, ids, save_to=None, **arguments):
    model = AutoModelForCausalLM.from_pretrained(folder, device_map="cpu", **arguments).eval()
    if save_to is not None:  # before a product: with AVX512-BF16 that repacks the weights, and what is saved then nobody reads
        model.save_pretrained(save_to)
    quantized = sum(type(module).__name__ in ("Linear4bit", "Linear8bitLt") for module in model.modules())
    assert quantized >= 8, f"{folder}: {quantized} layers are quantized"
    return model(ids).logits, model


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--trainyard", type=pathlib.Path, required=True)
    trainyard = parser.parse_args().trainyard
    failed = 0
    with tempfile.TemporaryDirectory() as work:
        work = pathlib.Path(work)
        for name, make in MODELS.items():
            torch.manual_seed(3)
            base = work / name
            model = make()
            for parameter in model.parameters():
                parameter.copy_(torch.randn_like(parameter) * 0.2 if parameter.dim() > 1 else parameter)
            model.save_pretrained(base)
            write_tokenizer(base)
            ids = torch.randint(2, 64, (2, 12))
            for method, (flags, config) in FORMATS.items():
                if "uneven" in name and method != "int8":
                    continue
                ours, theirs = work / f"{name}_{method}_ours", work / f"{name}_{method}_theirs"
                subprocess.run([trainyard, "quantize", base, ours, *flags], check=True, stdout=subprocess.DEVNULL)
                expected, quantized = logits_of(base, ids, theirs, quantization_config=BitsAndBytesConfig(**config), dtype=torch.float32)
                write_tokenizer(theirs)
                found, _ = logits_of(ours, ids, dtype=torch.float32)
                distance = float((found - expected).abs().max() / expected.abs().max())
                prompt, count = " ".join(WORDS[i - 2] for i in ids[0, :6].tolist()), 8
                greedy = quantized.generate(ids[:1, :6], attention_mask=torch.ones(1, 6, dtype=torch.long), do_sample=False,
                                            max_new_tokens=count, min_new_tokens=count, pad_token_id=0)[0, 6:].tolist()
                wanted = " ".join(WORDS[i - 2] if i > 1 else "" for i in greedy).split()
                words = {}
                for side, folder in (("ours", ours), ("theirs", theirs)):
                    made = subprocess.run([trainyard, "generate", folder, "--prompt", prompt, "--max-new-tokens", str(count),
                                           "--no_do_sample"], capture_output=True, text=True)
                    words[side] = made.stdout.split()[-len(wanted):] if made.returncode == 0 else [made.stderr.strip()]
                # A double quantization searches its codes here and looks them up there (golden/quantization/README.md).
                good = distance <= (2e-2 if "double" in method else 1e-5) and words["theirs"] == wanted
                good = good and ("double" in method or words["ours"] == wanted)
                failed += not good
                print(f"{'ok  ' if good else 'BAD '} {name} {method}: logits of our folder {distance:.2e} from theirs; "
                      f"tokens from theirs {'equal' if words['theirs'] == wanted else words['theirs']}, "
                      f"from ours {'equal' if words['ours'] == wanted else words['ours']}")
    sys.exit(failed > 0)


main()
