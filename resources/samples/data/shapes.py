# SPDX-License-Identifier: GPL-3.0-or-later
"""48 images of 32 x 32 pixels with a disc and a square on a background, and masks with the class of each pixel: 0
background, 1 disc, 2 square. python shapes.py shapes
"""
import pathlib
import sys

import numpy
from PIL import Image

SIDE = 32
drawn = numpy.random.default_rng(11)
rows, columns = numpy.mgrid[:SIDE, :SIDE]
for number in range(48):
    picture = numpy.empty((SIDE, SIDE, 3))
    picture[:] = drawn.integers(0, 90, 3)
    mask = numpy.zeros((SIDE, SIDE), dtype="uint8")
    for shape in drawn.permutation([1, 2]):
        y, x, size = drawn.integers(7, SIDE - 7), drawn.integers(7, SIDE - 7), drawn.integers(4, 8)
        inside = ((rows - y) ** 2 + (columns - x) ** 2 <= size**2 if shape == 1
                  else (abs(rows - y) <= size) & (abs(columns - x) <= size))
        shade = drawn.integers([130, 60, 0], [255, 190, 110])  # discs are rather red, squares rather blue
        picture[inside] = shade if shape == 1 else shade[::-1]
        mask[inside] = shape
    for folder, image in (("images", picture.astype("uint8")), ("masks", mask)):
        file = pathlib.Path(sys.argv[1]) / folder / f"{number:02}.png"
        file.parent.mkdir(parents=True, exist_ok=True)
        Image.fromarray(image).save(file, optimize=True)
