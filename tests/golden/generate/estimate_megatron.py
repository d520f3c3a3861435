# SPDX-License-Identifier: GPL-3.0-or-later
"""More inputs for estimate.py: Megatron-BERT, mT5 and MPT, as published and small.

python estimate.py --inputs estimate_megatron.py --out ../estimate_megatron.json
"""
from estimate import case

BERT = dict(model_type="megatron-bert", hidden_size=24, num_hidden_layers=3, num_attention_heads=4, intermediate_size=40,
            vocab_size=90, max_position_embeddings=33, type_vocab_size=3)
MT5 = dict(model_type="mt5", d_model=24, d_kv=6, d_ff=40, num_layers=2, num_decoder_layers=3, num_heads=4, vocab_size=90,
           tie_word_embeddings=True)
MPT = dict(model_type="mpt", d_model=24, n_layers=3, n_heads=4, vocab_size=90)


def inputs():
    return [case("megatron-bert", dict(model_type="megatron-bert"), "AutoModelForMaskedLM"),
            case("megatron-bert-small", BERT, "AutoModel"),
            case("megatron-bert-small-masked", BERT, "AutoModelForMaskedLM"),
            case("megatron-bert-small-classes", dict(BERT, num_labels=3), "AutoModelForSequenceClassification"),
            case("megatron-bert-small-answers", BERT, "AutoModelForQuestionAnswering"),
            case("mt5-small", MT5, "AutoModel"),
            case("mt5-small-writes", MT5, "AutoModelForSeq2SeqLM"),
            case("mpt-7b", dict(model_type="mpt", d_model=4096, n_heads=32, n_layers=32, vocab_size=50432),
                 "AutoModelForCausalLM"),
            case("mpt-small", MPT, "AutoModel"),
            case("mpt-small-classes", dict(MPT, num_labels=3), "AutoModelForSequenceClassification")]
