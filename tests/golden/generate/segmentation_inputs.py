# SPDX-License-Identifier: GPL-3.0-or-later
"""Images and masks as transformers' SegformerImageProcessor makes inputs of them: resized together, labels reduced.

    python segmentation_inputs.py [--out DIR]
"""
import json

from artifact import arguments, fresh
import numpy
import torch
from PIL import Image
from safetensors.torch import save_file
from transformers import SegformerImageProcessor

SIZES = {"b/wide": (30, 52), "a": (41, 29), "c": (24, 20)}


def main():
    out = fresh(arguments("segmentation_inputs", [])[0])
    drawn = numpy.random.default_rng(5)
    processor = SegformerImageProcessor(size={"height": 24, "width": 20}, do_reduce_labels=True)
    tensors = {}
    for name, (height, width) in SIZES.items():
        image = Image.fromarray(drawn.integers(0, 256, (height, width, 3), dtype=numpy.uint8))
        values = drawn.integers(0, 5, (height // 3 + 1, width // 3 + 1), dtype=numpy.uint8).repeat(3, 0).repeat(3, 1)
        values = numpy.ascontiguousarray(values[:height, :width])
        values[:2, :9] = 255                                   # a border, which is not counted either
        mask = Image.fromarray(values)
        if name == "a":                                        # numbers of a palette, as in Pascal VOC
            mask = mask.convert("P")
            mask.putdata(values.flatten().tolist())
            mask.putpalette([each for i in range(256) for each in (i * 37 % 256, 255 - i, i * 91 % 256)])
        for folder, picture in (("images", image), ("masks", mask)):
            file = out / folder / f"{name}.png"
            file.parent.mkdir(parents=True, exist_ok=True)
            picture.save(file)
        stored = Image.open(out / "masks" / f"{name}.png")
        made = processor(image, segmentation_maps=stored, return_tensors="pt")
        tensors[f"{name}.pixel_values"] = made["pixel_values"][0]
        tensors[f"{name}.labels"] = made["labels"][0].masked_fill(made["labels"][0] == 255, -100).to(torch.int64)
    save_file({key: value.contiguous() for key, value in tensors.items()}, out / "expected.safetensors")
    (out / "preprocessor_config.json").write_text(json.dumps(processor.to_dict(), indent=1, sort_keys=True) + "\n")


main()
