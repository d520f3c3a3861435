# SPDX-License-Identifier: GPL-3.0-or-later
"""More inputs for estimate.py: Idefics, as published (80B, of the reference's documents, and 9B) and drawn.

python estimate.py --inputs estimate_multimodal.py --out ../estimate_multimodal.json
"""
from estimate import case

VISION = dict(embed_dim=1280, image_size=224, patch_size=14, num_hidden_layers=32, num_attention_heads=16, intermediate_size=5120)
PERCEIVER = dict(resampler_depth=6, resampler_n_heads=16, resampler_head_dim=96, resampler_n_latents=64, qk_layer_norms_perceiver=True)
PUBLISHED = dict(model_type="idefics", additional_vocab_size=2, alpha_type="vector", qk_layer_norms=True, use_resampler=True,
                 tie_word_embeddings=False, vision_config=VISION, perceiver_config=PERCEIVER)
LARGE = dict(PUBLISHED, hidden_size=8192, intermediate_size=22016, num_hidden_layers=80, num_attention_heads=64, cross_layer_interval=4)
SMALL = dict(model_type="idefics", vocab_size=50, additional_vocab_size=3, hidden_size=24, intermediate_size=31, num_hidden_layers=5,
             num_attention_heads=2, cross_layer_interval=2, use_resampler=True,
             vision_config=dict(embed_dim=12, image_size=16, patch_size=4, num_hidden_layers=2, num_attention_heads=3, intermediate_size=9),
             perceiver_config=dict(resampler_depth=2, resampler_n_heads=2, resampler_head_dim=5, resampler_n_latents=7))


def inputs():
    text = "AutoModelForImageTextToText"
    return [case("idefics-80b-instruct", LARGE), case("idefics-9b", dict(PUBLISHED, cross_layer_interval=4), text),
            case("idefics-default", dict(model_type="idefics")), case("idefics-small", SMALL), case("idefics-small", SMALL, text),
            case("idefics-tied", dict(SMALL, tie_word_embeddings=True, use_resampler=False, alpha_type="vector"), text)]
