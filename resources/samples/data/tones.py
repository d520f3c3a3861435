# SPDX-License-Identifier: GPL-3.0-or-later
"""40 recordings of 0.6 to 0.8 seconds at 4,000 samples a second: sequences of five kinds of tones with noise.

python tones.py tones
"""
import pathlib
import sys
import wave

import numpy

RATE = 4000
KINDS = [(220, 220), (440, 440), (880, 880), (300, 900), (1200, 500)]  # from one frequency to another
folder = pathlib.Path(sys.argv[1])
folder.mkdir(parents=True, exist_ok=True)
drawn = numpy.random.default_rng(13)
for number in range(40):
    parts = []
    for _ in range(drawn.integers(6, 9)):
        first, last = KINDS[drawn.integers(len(KINDS))]
        frequencies = numpy.linspace(first, last, RATE // 10)
        parts.append(numpy.sin(2 * numpy.pi * numpy.cumsum(frequencies) / RATE + drawn.uniform(0, 6)) * drawn.uniform(0.4, 0.7))
    sound = numpy.concatenate(parts)
    sound += drawn.normal(0, 0.02, sound.shape)
    with wave.open(str(folder / f"{number:02}.wav"), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(1)
        file.setframerate(RATE)
        file.writeframes((numpy.clip(sound, -1, 0.99) * 128 + 128).astype("uint8").tobytes())
