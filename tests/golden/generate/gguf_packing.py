# SPDX-License-Identifier: GPL-3.0-or-later
"""Blocks of GGUF as others pack the same numbers: Q4_0 to Q8_0 by the package gguf, K types by ggml itself.

    python gguf_packing.py --ggml libggml-base.so [--out DIR]

Writes gguf_packing.json: for each type fp32 values and the bytes of their blocks, as hexadecimal text. The library is
that of a build of llama.cpp for any x86-64 processor (without fused multiplications, which change the last bit). Needs
gguf and numpy.
"""
import argparse, ctypes, json, pathlib

import gguf
import numpy as np
from gguf import quants

BY_PACKAGE, BY_GGML = ["Q4_0", "Q4_1", "Q5_0", "Q5_1", "Q8_0"], ["Q4_K", "Q5_K", "Q6_K"]


def values_for(elements, random):
    """Blocks of the spread of weights, of one sign, with one large element, nearly constant, and zero."""
    count = 1 if elements == 256 else 4
    blocks = [random.normal(0, 0.02, (count, elements)), random.normal(0, 3, (count, elements)),
              np.abs(random.normal(0, 0.1, (count, elements))), -np.abs(random.normal(0, 0.1, (count, elements))),
              1 + random.normal(0, 1e-6, (count, elements)), np.zeros((1, elements))]
    outlier = random.normal(0, 1e-3, (count, elements))
    outlier[:, 5] = 7
    return np.concatenate(blocks + [outlier]).astype("<f4")


def by_ggml(library, kind, values):
    library.ggml_quantize_chunk.restype = ctypes.c_size_t
    elements, size = gguf.GGML_QUANT_SIZES[kind]
    out = np.zeros(values.size // elements * size, dtype=np.uint8)
    written = library.ggml_quantize_chunk(
        ctypes.c_int(kind), values.ctypes.data_as(ctypes.c_void_p), out.ctypes.data_as(ctypes.c_void_p),
        ctypes.c_int64(0), ctypes.c_int64(len(values)), ctypes.c_int64(values.shape[1]), None)
    assert written == out.size
    return out


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parent.parent)
    parser.add_argument("--ggml", required=True)
    arguments = parser.parse_args()
    library = ctypes.CDLL(arguments.ggml)
    random, result = np.random.default_rng(44), {}
    for name in BY_PACKAGE + BY_GGML:
        kind = gguf.GGMLQuantizationType[name]
        values = values_for(gguf.GGML_QUANT_SIZES[kind][0], random)
        blocks = by_ggml(library, kind, values) if name in BY_GGML else quants.quantize(values, kind)
        result[name] = {"values": values.tobytes().hex(), "blocks": np.ascontiguousarray(blocks).tobytes().hex()}
    (arguments.out / "gguf_packing.json").write_text(json.dumps(result, indent=1) + "\n")


main()
