# SPDX-License-Identifier: GPL-3.0-or-later
"""Byte-level BPE tokenizers that the tokenizers library trains, with the texts they are trained on.

    python bpe_training.py OUT
"""
import json, pathlib, sys

from tokenizers import Regex, Tokenizer, decoders, models, pre_tokenizers, processors, trainers

import tokenizer_files

CASES = dict(
    gpt2=dict(vocab_size=500, special_tokens=["<|endoftext|>"]),
    prefix=dict(vocab_size=420, special_tokens=["<pad>", "</s>"], add_prefix_space=True, min_frequency=5),
    llama3=dict(vocab_size=450, special_tokens=["<|begin_of_text|>", "<|end_of_text|>"], pattern=tokenizer_files.LLAMA3),
)


def main():
    out = pathlib.Path(sys.argv[1])
    for name, case in CASES.items():
        texts = tokenizer_files.corpus(dict(seed=11, words=[], sentences=150)) + tokenizer_files.TEXTS
        bytes_ = pre_tokenizers.ByteLevel(add_prefix_space=case.get("add_prefix_space", False), use_regex="pattern" not in case)
        tokenizer = Tokenizer(models.BPE())
        tokenizer.pre_tokenizer = pre_tokenizers.Sequence([pre_tokenizers.Split(Regex(case["pattern"]), "isolated"), bytes_]) if "pattern" in case else bytes_
        tokenizer.decoder = decoders.ByteLevel()
        tokenizer.post_processor = processors.ByteLevel(trim_offsets=False)
        tokenizer.train_from_iterator(texts, trainers.BpeTrainer(
            vocab_size=case["vocab_size"], min_frequency=case.get("min_frequency", 0), special_tokens=case["special_tokens"], show_progress=False,
            initial_alphabet=pre_tokenizers.ByteLevel.alphabet()))
        folder = out / name
        folder.mkdir(parents=True, exist_ok=True)
        tokenizer.save(str(folder / "tokenizer.json"))
        (folder / "settings.json").write_text(json.dumps(dict(case, texts=texts), ensure_ascii=False, indent=0) + "\n")


if __name__ == "__main__":
    main()
