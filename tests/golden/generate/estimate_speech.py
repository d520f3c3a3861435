# SPDX-License-Identifier: GPL-3.0-or-later
"""More inputs for estimate.py: wav2vec 2.0, as published (base) and drawn.

python estimate.py --inputs estimate_speech.py --out ../estimate_speech.json
"""
from estimate import case

SMALL = dict(model_type="wav2vec2", hidden_size=24, num_hidden_layers=3, num_attention_heads=4, intermediate_size=40,
             conv_dim=[12, 16], conv_kernel=[10, 3], conv_stride=[5, 4], conv_bias=True, feat_extract_norm="layer",
             do_stable_layer_norm=True, num_conv_pos_embeddings=6, num_conv_pos_embedding_groups=3,
             num_codevectors_per_group=10, codevector_dim=12, proj_codevector_dim=14)


def inputs():
    return [case("wav2vec2-base", dict(model_type="wav2vec2"), "AutoModelForPreTraining"),
            case("wav2vec2-small", SMALL, "AutoModelForPreTraining"),
            case("wav2vec2-encoder", SMALL, "AutoModel")]
