# SPDX-License-Identifier: GPL-3.0-or-later
"""More tokenizers: those of tokenizer_files.py with other steps, so that every normalizer, pre-tokenizer, post-processor and decoder is met.

    python tokenizer_variants.py TOKENIZERS OUT

Reads the folders of TOKENIZERS (tests/golden/tokenizers) and writes one folder per variant.
"""
import copy, json, pathlib, sys

from tokenizers import Tokenizer

import tokenizer_files, unicode_scripts

GPT2 = dict(type="ByteLevel", add_prefix_space=False, trim_offsets=True, use_regex=True)
PLAIN = dict(GPT2, use_regex=False)
PREFIX = dict(GPT2, add_prefix_space=True)
O200K = (r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?|\p{N}{1,3}"
         r"| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+")


def sequence(*steps):
    return dict(type="Sequence", pretokenizers=list(steps))


def roberta(prefix):
    return dict(type="RobertaProcessing", sep=["<|im_end|>", 561], cls=["<|im_start|>", 560], trim_offsets=True, add_prefix_space=prefix)


def metaspace(scheme, split):
    return dict(type="Metaspace", replacement="▁", prepend_scheme=scheme, split=split)


# name: (folder it is made from, steps that are replaced)
VARIANTS = dict(
    roberta=("gpt2_bpe", dict(pre_tokenizer=PREFIX, post_processor=roberta(True))),
    trimmed_nfc=("gpt2_bpe", dict(normalizer=dict(type="NFC"), post_processor=dict(GPT2))),
    nfkd_lower=("gpt2_bpe", dict(normalizer=dict(type="Sequence", normalizers=[
        dict(type="Strip", strip_left=True, strip_right=True), dict(type="NFKD"), dict(type="Lowercase"), dict(type="StripAccents")]))),
    nmt_digits=("gpt2_bpe", dict(normalizer=dict(type="Nmt"), pre_tokenizer=sequence(dict(type="Digits", individual_digits=True), PLAIN))),
    byte_normalizer=("gpt2_bpe", dict(normalizer=dict(type="ByteLevel"), pre_tokenizer=None)),
    split_next=("gpt2_bpe", dict(pre_tokenizer=sequence(
        dict(type="Split", pattern=dict(Regex=r"[aeiou]|\s"), behavior="MergedWithNext", invert=False), PLAIN))),
    split_inverted=("gpt2_bpe", dict(pre_tokenizer=sequence(
        dict(type="Split", pattern=dict(Regex=r"\w+"), behavior="Contiguous", invert=True), dict(type="Punctuation", behavior="MergedWithPrevious"), PLAIN))),
    words_fixed=("gpt2_bpe", dict(pre_tokenizer=sequence(dict(type="Whitespace"), dict(type="CharDelimiterSplit", delimiter="e"), dict(type="FixedLength", length=3), PLAIN))),
    bert_processing=("bert_wordpiece", dict(post_processor=dict(type="BertProcessing", sep=["[SEP]", 3], cls=["[CLS]", 2]), decoder=None)),
    metaspace_first=("t5_charsmap", dict(pre_tokenizer=metaspace("first", False), decoder=metaspace("first", False))),
    metaspace_never=("t5_unigram", dict(normalizer=None, pre_tokenizer=metaspace("never", True), decoder=metaspace("never", True))),
    ctc=("llama2_bpe_fallback", dict(decoder=dict(type="CTC", pad_token="<unk>", word_delimiter_token="▁", cleanup=True))),
    replaced=("llama2_bpe_fallback", dict(
        normalizer=dict(type="Sequence", normalizers=[dict(type="Replace", pattern=dict(Regex=r"\s+"), content="▁▁"), dict(type="Prepend", prepend="xy")]),
        decoder=dict(type="Sequence", decoders=[dict(type="Strip", content="▁", start=1, stop=0), dict(type="Replace", pattern=dict(Regex="[aeiou]+"), content="_")]))),
)
# name: (folder, keys of the model that are replaced, steps that are replaced)
MODELS = dict(
    o200k=("llama3_bpe", dict(ignore_merges=False), dict(pre_tokenizer=sequence(dict(type="Split", pattern=dict(Regex=O200K), behavior="Isolated", invert=False), PLAIN))),
    no_fallback=("llama2_bpe_fallback", dict(byte_fallback=False, fuse_unk=False), {}),
    no_unknown=("llama2_bpe_fallback", dict(byte_fallback=False, unk_token=None), {}),
    short_words=("bert_wordpiece", dict(max_input_chars_per_word=6), dict(decoder=dict(type="WordPiece", prefix="##", cleanup=False))),
)


def suffix(base):
    """Words that end with </w>, as CLIP's."""
    vocabulary = {"<unk>": 0}
    for character in "abcdefghijklmnopqrstuvwxyz.,'é":
        for token in (character, character + "</w>"):
            vocabulary[token] = len(vocabulary)
    merges = []
    for left, right in (("t", "h"), ("th", "e</w>"), ("r", "a"), ("i", "n</w>"), ("ra", "in</w>"), ("t", "rain</w>"), ("s", "t"), ("st", "a")):
        merges.append([left, right])
        vocabulary.setdefault(left + right, len(vocabulary))
    base["model"].update(vocab=vocabulary, merges=merges, unk_token="<unk>", end_of_word_suffix="</w>")
    base.update(normalizer=dict(type="Lowercase"), pre_tokenizer=dict(type="BertPreTokenizer"), post_processor=None, decoder=dict(type="BPEDecoder", suffix="</w>"), added_tokens=[])
    return base


def word_level(base):
    base = suffix(base)
    base.update(model=dict(type="WordLevel", vocab={"<unk>": 0, "the": 1, "train": 2, "a": 3, ",": 4}, unk_token="<unk>"), decoder=None)
    return base


def scripts(base):
    """One token for every piece, whose offsets tell where UnicodeScripts divides."""
    base = word_level(base)
    base.update(normalizer=None, pre_tokenizer=dict(type="UnicodeScripts"))
    return base


def script_texts():
    """The ends of all ranges of characters of a script, and what has none before, between and behind them."""
    ends = [chr(code) for first, last, _ in unicode_scripts.ranges() for code in dict.fromkeys((first, last))]
    return ["".join(ends), " ".join(ends[::7]), "どこで生れ。Yes", "Apples are りんご 林檎", "  leading", "   ", "\u0378\u0378a\u0378", "ラーメン ー 京", "a\nb\t c"]


def main():
    source, out = map(pathlib.Path, sys.argv[1:3])
    load = lambda name: json.loads((source / name / "tokenizer.json").read_text())
    files = {name: dict(load(base), **steps) for name, (base, steps) in VARIANTS.items()}
    for name, (base, model, steps) in MODELS.items():
        files[name] = dict(load(base), **copy.deepcopy(steps))
        files[name]["model"].update(model)
    files["suffix"], files["word_level"] = suffix(load("gpt2_bpe")), word_level(load("gpt2_bpe"))
    files["scripts"] = scripts(load("gpt2_bpe"))
    texts = (tokenizer_files.TEXTS + tokenizer_files.ADDED_TEXTS)[::2]
    for name, file in files.items():
        folder = out / ("variant_" + name)
        folder.mkdir(exist_ok=True)
        (folder / "tokenizer.json").write_text(json.dumps(file, ensure_ascii=False) + "\n")
        tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        (folder / "encodings.json").write_text(json.dumps(dict(case=name, **tokenizer_files.expectations(tokenizer, texts + (script_texts() if name == "scripts" else []))), ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
