# SPDX-License-Identifier: GPL-3.0-or-later
"""More inputs for estimate.py: SegFormer, as published (b0) and drawn.

python estimate.py --inputs estimate_segmentation.py --out ../estimate_segmentation.json
"""
from estimate import case

SMALL = dict(model_type="segformer", num_encoder_blocks=2, depths=[3, 1], hidden_sizes=[6, 10], sr_ratios=[2, 1],
             patch_sizes=[7, 3], strides=[4, 2], num_attention_heads=[1, 2], mlp_ratios=[2, 3], decoder_hidden_size=7,
             num_labels=4)


def inputs():
    return [case("segformer-b0", dict(model_type="segformer", num_labels=150), "AutoModelForSemanticSegmentation"),
            case("segformer-small", SMALL, "AutoModelForSemanticSegmentation"),
            case("segformer-encoder", SMALL, "AutoModel"),
            case("segformer-classes", SMALL, "AutoModelForImageClassification")]
