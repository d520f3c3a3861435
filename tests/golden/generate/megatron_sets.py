# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes tests/golden/megatron: an indexed set as Megatron-LM writes it, and which samples Megatron-LM makes of sets.

    python megatron_sets.py [FOLDER]        megatron-core (0.12.0), torch, numpy

`samples.json`: cases with `kind`
  gpt     lengths of the sequences, [first, last), options -> document_index, sample_index, shuffle_index
  blend   weights, size -> set, sample;  blend_all   sizes -> set, sample
  split   text, sequences -> [begin, end) three times, null for an empty part
"""

import json
import pathlib
import sys

import numpy as np
import torch
from megatron.core.datasets import helpers_cpp
from megatron.core.datasets.blended_megatron_dataset_config import convert_split_vector_to_split_matrix, parse_and_normalize_split
from megatron.core.datasets.gpt_dataset import _build_document_index, _build_shuffle_index
from megatron.core.datasets.indexed_dataset import IndexedDatasetBuilder

out = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent.parent / "megatron")
out.mkdir(parents=True, exist_ok=True)


def write_set(name, dtype, documents):
    builder = IndexedDatasetBuilder(str(out / f"{name}.bin"), dtype=dtype)
    for document in documents:
        for sequence in document:
            builder.add_item(torch.tensor(sequence, dtype=torch.int64))
        builder.end_document()
    builder.finalize(str(out / f"{name}.idx"))


def gpt(lengths, first, last, sequence_length, samples, seed, drop_last=True, extra=1):
    """GPTDataset._build_document_sample_shuffle_indices with its own functions, without a tokenizer and a cache."""
    lengths = np.array(lengths, dtype=np.int32)
    indices = np.arange(first, last, dtype=np.int32)
    tokens = int(lengths[indices].sum())
    epochs, have = 1, tokens
    if samples is not None:
        while have < samples * sequence_length + extra:
            epochs, have = epochs + 1, have + tokens
    separate, before = False, 0
    if epochs > 1:
        before = ((epochs - 1) * tokens - extra) // sequence_length
        separate = samples - before < int(0.80 * ((tokens - extra) // sequence_length))
    state = np.random.RandomState(seed)
    documents = _build_document_index(indices, epochs, state, separate)
    starts = helpers_cpp.build_sample_idx_int32(lengths, documents, sequence_length, epochs, tokens, drop_last, extra)
    shuffle = _build_shuffle_index(before if separate else len(starts) - 1, len(starts) - 1, state)
    return {"document_index": documents.tolist(), "sample_index": starts.tolist(), "shuffle_index": shuffle.tolist()}


def main():
    random = np.random.RandomState(5)
    documents = [[random.randint(0, 60000, random.randint(1, 20)).tolist() for _ in range(random.randint(1, 4))] for _ in range(12)]
    write_set("tokens_u16", np.uint16, documents)
    write_set("tokens_i32", np.int32, documents)
    (out / "documents.json").write_text(json.dumps(documents))
    cases = []

    def add(kind, given, expected):
        cases.append({"id": f"{kind}-{len(cases)}", "input": dict(given, kind=kind), "expected": expected})

    for i in range(40):
        count = int(random.randint(1, 30))
        lengths = random.randint(1 if i % 3 else 0, 25, count).tolist()
        first = int(random.randint(0, max(1, count // 3)))
        given = {"lengths": lengths, "first": first, "last": count, "sequence_length": int(random.randint(1, 12)),
                 "samples": [None, 5, 17, 60][i % 4], "seed": int(random.randint(0, 2**31)), "drop_last": i % 5 != 4, "extra": 0 if i % 7 == 6 else 1}
        if sum(lengths[first:]) <= given["sequence_length"] + 1:
            continue
        # A last piece behind a document too short for its offset is the reference's own end of the array.
        add("gpt", given, gpt(**{k: v for k, v in given.items()}))
    for i in range(12):
        count = int(random.randint(1, 6))
        weights = random.rand(count) + 0.01
        size = int(random.randint(1, 60))
        normal = weights / weights.sum()
        sets, samples = np.zeros(size, dtype=np.int16), np.zeros(size, dtype=np.int64)
        helpers_cpp.build_blending_indices(sets, samples, normal, count, size, False)
        add("blend", {"weights": weights.tolist(), "size": size}, {"set": sets.tolist(), "sample": samples.tolist()})
        sizes = random.randint(0 if i % 2 else 1, 20, count).astype(np.int64)
        if (sizes > 0).all():
            sets, samples = np.zeros(sizes.sum(), dtype=np.int16), np.zeros(sizes.sum(), dtype=np.int64)
            helpers_cpp.build_exhaustive_blending_indices(sets, samples, sizes, count)
            add("blend_all", {"sizes": sizes.tolist()}, {"set": sets.tolist(), "sample": samples.tolist()})
    for text in ["969,30,1", "1", "99,1,0", "0.5,0.25,0.25", "98,2", "1,1,1", "0,0,1", "949,50,1", "90.5,9.5"]:
        for sequences in [0, 1, 5, 10, 99, 1000, 12345]:
            matrix = convert_split_vector_to_split_matrix(parse_and_normalize_split(text))
            parts = [None if p is None else [int(round(p[0] * float(sequences))), int(round(p[1] * float(sequences)))] for p in matrix]
            add("split", {"text": text, "sequences": sequences}, {"parts": parts})
    text = ",\n".join(json.dumps(case) for case in cases)
    (out / "samples.json").write_text('{"topic": "megatron", "reference": {"megatron-core": "0.12.0"}, "cases": [\n' + text + "\n]}\n")
    print(len(cases), "cases")


def older():
    """Sets of the older implementations cached and lazy, which megatron-core no longer writes: its documents, as
    Megatron-LM wrote them."""
    import struct
    out = pathlib.Path(__file__).resolve().parent.parent / "megatron"
    documents = json.loads((out / "documents.json").read_text())
    sequences = [sequence for document in documents for sequence in document]
    for name, code, form in (("old_u16", 8, "H"), ("old_i32", 4, "i")):
        starts, ends = [0], [0]
        for sequence in sequences:
            starts.append(starts[-1] + len(sequence))
        for document in documents:
            ends.append(ends[-1] + len(document))
        numbers = [*range(len(sequences) + 1), *starts, *map(len, sequences), *ends]
        header = struct.pack("<QQQQQQ", 1, code, struct.calcsize(form), len(sequences), len(sequences), len(ends))
        (out / f"{name}.idx").write_bytes(b"TNTIDX\0\0" + header + struct.pack(f"<{len(numbers)}q", *numbers))
        (out / f"{name}.bin").write_bytes(b"".join(struct.pack(f"<{len(one)}{form}", *one) for one in sequences))


older()
main()
