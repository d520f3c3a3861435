# SPDX-License-Identifier: GPL-3.0-or-later
"""tokenizer_files.py train|encode TEXT TOKENIZER SIZE: seconds that the tokenizers library needs on one thread, as JSON.

train: a byte-level BPE of SIZE tokens from the lines of TEXT. encode: the lines of TEXT, ids only, with the file TOKENIZER.
"""
import json, os, re, sys, time

os.environ["RAYON_NUM_THREADS"] = "1"
os.environ["TOKENIZERS_PARALLELISM"] = "false"
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors, trainers

action, text, tokenizer_file, size = sys.argv[1:5]
with open(text, "rb") as file:
    lines = re.findall(r"[^\n]*\n|[^\n]+", file.read().decode("utf-8", "replace"))
if action == "train":
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.post_processor = processors.ByteLevel(trim_offsets=False)
    trainer = trainers.BpeTrainer(vocab_size=int(size), special_tokens=["<|endoftext|>"], show_progress=False,
                                  initial_alphabet=pre_tokenizers.ByteLevel.alphabet())
    begin = time.monotonic()
    tokenizer.train_from_iterator(lines, trainer)
    seconds = time.monotonic() - begin
    print(json.dumps({"seconds": seconds, "merges": len(json.loads(tokenizer.to_str())["model"]["merges"])}))
else:
    tokenizer = Tokenizer.from_file(tokenizer_file)
    begin = time.monotonic()
    tokens = sum(len(encoding) for encoding in tokenizer.encode_batch_fast(lines))
    print(json.dumps({"seconds": time.monotonic() - begin, "tokens": tokens}))
