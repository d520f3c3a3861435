# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes tests/golden/image_orientation: pictures whose EXIF says how they are to be turned, and damaged EXIF.

    python image_orientation.py [FOLDER]      pillow, numpy

`pixels.npz` has the pixels of ImageOps.exif_transpose(picture).convert("RGB") by file name.
"""

import pathlib
import struct
import sys

import numpy as np
from PIL import Image, ImageOps

out = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent.parent / "image_orientation")
(out / "images").mkdir(parents=True, exist_ok=True)
picture = Image.fromarray(np.random.RandomState(5).randint(0, 256, (5, 3, 3), "uint8")).resize((24, 40), Image.BICUBIC)


def exif(order, entries):
    """TIFF with one directory: (tag, type, count, value)."""
    fields = b"".join(struct.pack(order + ("HHIHH" if kind == 3 else "HHII"), tag, kind, count, *([value, 0] if kind == 3 else [value]))
                      for tag, kind, count, value in entries)
    head = b"MM\0*" if order == ">" else b"II*\0"
    return b"Exif\0\0" + head + struct.pack(order + "IH", 8, len(entries)) + fields + b"\0\0\0\0"


cases = {f"little{i}": exif("<", [(256, 4, 1, 24), (274, 3, 1, i)]) for i in range(1, 9)}
cases |= {f"big{i}": exif(">", [(274, 3, 1, i), (305, 4, 1, 1)]) for i in (3, 6, 8)}
cases |= {"none": exif("<", [(256, 4, 1, 24)]), "zero": exif("<", [(274, 3, 1, 0)]), "nine": exif(">", [(274, 3, 1, 9)])}
pixels = {}
for name, block in cases.items():
    for ending in ("jpg", "png"):
        file = out / "images" / f"{name}.{ending}"
        picture.save(file, exif=block, **({"quality": 90} if ending == "jpg" else {}))
        pixels[file.name] = np.asarray(ImageOps.exif_transpose(Image.open(file)).convert("RGB"))
# Cut off or wrong: read as stored.
for name, block in {"cut": cases["little6"][:20], "no_directory": b"Exif\0\0II*\0\xff\xff\xff\x7f", "other": b"Exif\0\0words"}.items():
    file = out / "images" / f"{name}.jpg"
    picture.save(file, exif=block, quality=90)
    pixels[file.name] = np.asarray(Image.open(file).convert("RGB"))
np.savez(out / "pixels.npz", **pixels)
