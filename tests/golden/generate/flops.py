# SPDX-License-Identifier: GPL-3.0-or-later
"""Floating-point operations of forward and backward that torch counts (torch.utils.flop_counter) in models of transformers with eager attention.

python flops.py ../flops.json
"""
import json
import sys

import torch
import transformers
from torch.utils.flop_counter import FlopCounterMode

BATCH = 2


def config(model_type, **options):
    return transformers.AutoConfig.for_model(model_type, **options)


def decoder(model_type, **options):
    sizes = dict(vocab_size=96, hidden_size=48, intermediate_size=80, num_hidden_layers=2, num_attention_heads=4,
                 max_position_embeddings=64)
    return config(model_type, **(sizes | options))


def encoder(model_type, **options):
    return decoder(model_type, **({"max_position_embeddings": 80, "num_labels": 3} | options))


DISTILBERT = dict(vocab_size=96, dim=48, n_layers=2, n_heads=4, hidden_dim=80, max_position_embeddings=64)
CASES = [
    ("gpt2", config("gpt2", vocab_size=96, n_embd=48, n_layer=2, n_head=4, n_positions=64), "CausalLM"),
    ("llama", decoder("llama", num_key_value_heads=2), "CausalLM"),
    ("qwen3", decoder("qwen3", num_key_value_heads=2, head_dim=16), "CausalLM"),
    ("gpt_neox", decoder("gpt_neox"), "CausalLM"),
    ("opt", config("opt", vocab_size=96, hidden_size=48, word_embed_proj_dim=48, ffn_dim=80, num_hidden_layers=2,
                   num_attention_heads=4, max_position_embeddings=64), "CausalLM"),
    ("bert_classes", encoder("bert"), "SequenceClassification"),
    ("bert_tokens", encoder("bert"), "TokenClassification"),
    ("bert_masked", encoder("bert"), "MaskedLM"),
    ("roberta_classes", encoder("roberta"), "SequenceClassification"),
    ("roberta_masked", encoder("roberta"), "MaskedLM"),
    ("distilbert_classes", config("distilbert", num_labels=3, **DISTILBERT), "SequenceClassification"),
    ("distilbert_masked", config("distilbert", **DISTILBERT), "MaskedLM"),
    ("t5", config("t5", vocab_size=96, d_model=48, d_kv=8, d_ff=80, num_layers=2, num_decoder_layers=3, num_heads=4,
                  decoder_start_token_id=0), "Seq2SeqLM"),
    ("t5_gated", config("t5", vocab_size=96, d_model=48, d_kv=12, d_ff=80, num_layers=2, num_heads=4,
                        feed_forward_proj="gated-gelu", tie_word_embeddings=False, decoder_start_token_id=0),
     "Seq2SeqLM"),
    ("vit", config("vit", image_size=48, patch_size=8, hidden_size=48, intermediate_size=80, num_hidden_layers=2,
                   num_attention_heads=4, num_labels=3), "ImageClassification"),
    ("resnet_basic", config("resnet", embedding_size=16, hidden_sizes=[16, 32], depths=[2, 2], layer_type="basic",
                            num_labels=3), "ImageClassification"),
    ("resnet_bottleneck", config("resnet", embedding_size=16, hidden_sizes=[32, 64, 96], depths=[2, 1, 1],
                                 layer_type="bottleneck", num_labels=3, downsample_in_first_stage=True),
     "ImageClassification"),
]


def inputs_of(model_config, head, tokens, targets, height, width):
    draw = lambda *shape: torch.randint(4, 90, shape)
    if head == "ImageClassification":
        return {"pixel_values": torch.randn(BATCH, model_config.num_channels, height, width),
                "labels": torch.zeros(BATCH, dtype=torch.long)}
    text = {"input_ids": draw(BATCH, tokens)}
    if head == "SequenceClassification":
        return text | {"labels": torch.zeros(BATCH, dtype=torch.long)}
    if head == "TokenClassification":
        return text | {"labels": torch.zeros(BATCH, tokens, dtype=torch.long)}
    return text | {"labels": draw(BATCH, targets if head == "Seq2SeqLM" else tokens)}


def main():
    cases = []
    for name, model_config, head in CASES:
        model = getattr(transformers, "AutoModelFor" + head).from_config(model_config, attn_implementation="eager")
        images, pairs = head == "ImageClassification", head == "Seq2SeqLM"
        sizes = [(0, 0, 48, 48)] if name == "vit" else [(0, 0, 64, 64), (0, 0, 50, 37)] if images else \
            [(40, 24, 0, 0), (16, 32, 0, 0)] if pairs else [(40, 0, 0, 0), (64, 0, 0, 0)]
        for tokens, targets, height, width in sizes:
            with FlopCounterMode(display=False) as counter:
                model.train()(**inputs_of(model_config, head, tokens, targets, height, width)).loss.backward()
            model.config.architectures = [type(model).__name__]
            cases.append({"name": f"{name}_{tokens or height}", "config": json.loads(model.config.to_json_string()),
                          "tokens": tokens, "target_tokens": targets, "height": height, "width": width,
                          "flops": counter.get_total_flops() / BATCH})
    with open(sys.argv[1], "w") as file:
        json.dump({"cases": cases}, file, indent=1, sort_keys=True)
        file.write("\n")


main()
