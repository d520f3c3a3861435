# SPDX-License-Identifier: GPL-3.0-or-later
"""Values of the packed types of GGUF as the package gguf decodes them: random blocks, and the codebooks of the IQ types.

    python gguf_blocks.py [--out DIR] [--codebooks FILE]

Writes gguf_blocks.json: for each type the bytes of some blocks and the fp32 values, as hexadecimal text. --codebooks
writes the tables of engine/formats/weights/block_codebooks.cpp (as array initialisers) instead. Needs gguf and numpy.
"""
import argparse, json, pathlib

import gguf
import numpy as np
from gguf import quants

TYPES = ["IQ1_S", "IQ1_M", "IQ2_XXS", "IQ2_XS", "IQ2_S", "IQ3_XXS", "IQ3_S", "TQ1_0", "NVFP4"]
CODEBOOKS = {"kGrid2Xxs": ("IQ2_XXS", 8, 2), "kGrid2Xs": ("IQ2_XS", 8, 2), "kGrid2S": ("IQ2_S", 8, 2), "kGrid1": ("IQ1_S", 8, 2),
             "kGrid3Xxs": ("IQ3_XXS", 4, 4), "kGrid3S": ("IQ3_S", 4, 4)}


def half_scales(name, blocks, random):
    """Scales of ordinary size, since random bits give infinities; the last block keeps its bits."""
    at = {"TQ1_0": 52, "IQ1_M": None, "NVFP4": None}.get(name, 0)
    if at is not None:
        blocks[:-1, at:at + 2] = random.uniform(0.001, 2, len(blocks) - 1).astype(np.float16).view(np.uint8).reshape(-1, 2)
        blocks[-1, at:at + 2] = np.array([-0.75], dtype=np.float16).view(np.uint8)
    if name == "IQ1_M":  # the scale's four digits are the high bits of four numbers
        scales = blocks[:, 48:56].copy().view(np.uint16)
        bits = random.uniform(0.001, 2, len(blocks)).astype(np.float16).view(np.uint16)
        for i in range(4):
            scales[:, i] = (scales[:, i] & 0x0FFF) | (((bits >> (4 * i)) & 15) << 12)
        blocks[:, 48:56] = scales.view(np.uint8)
    return blocks


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("."))
    parser.add_argument("--codebooks", type=pathlib.Path)
    arguments = parser.parse_args()
    if arguments.codebooks:
        text = ""
        for name, (of, elements, bits) in CODEBOOKS.items():
            packed = bytes.fromhex(getattr(quants, of).grid_hex.decode())
            entries = np.frombuffer(packed, dtype="<u2")
            text += f"const std::uint16_t {name}[{len(entries)}] = {{\n"
            for i in range(0, len(entries), 12):
                text += "    " + " ".join(f"{e:#06x}," for e in entries[i:i + 12]) + "\n"
            text += "};\n\n"
        arguments.codebooks.write_text(text)
        return
    random, result = np.random.default_rng(40), {}
    for name in TYPES:
        kind = gguf.GGMLQuantizationType[name]
        elements, size = gguf.GGML_QUANT_SIZES[kind]
        count = 3 if elements == 256 else 12
        blocks = half_scales(name, random.integers(0, 256, (count, size), dtype=np.uint8), random)
        if name == "NVFP4":
            blocks[0, :4] = [0, 0x7F, 0x7E, 1]
            blocks[1:, :4] &= 0x7F  # scales are unsigned
        values = quants.dequantize(blocks, kind).astype("<f4")
        assert np.isfinite(values).all(), name
        result[name] = {"elements": elements, "blocks": blocks.tobytes().hex(), "values": values.tobytes().hex()}
    (arguments.out / "gguf_blocks.json").write_text(json.dumps(result, indent=1) + "\n")


main()
