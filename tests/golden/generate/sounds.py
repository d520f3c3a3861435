# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes tests/golden/sounds: one recording in each format that libsndfile reads, and original.wav, of which they are made.

    python sounds.py [FOLDER]      soundfile 0.14 (its own libsndfile 1.2.2), numpy

original.wav has two channels of 16 bits at 8,000 samples a second. FLAC and AIFF hold the same samples, the others sound alike. MP3 has one
channel, their mean: libsndfile 1.2.2 mixes up two channels of 16-bit samples when it writes MP3.
"""
import pathlib
import sys

import numpy
import soundfile

RATE, SAMPLES = 8000, 1600
out = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent.parent / "sounds")
out.mkdir(exist_ok=True)
time = numpy.arange(SAMPLES) / RATE
left = 0.5 * numpy.sin(2 * numpy.pi * (300 + 500 * time) * time)
right = 0.25 * numpy.sin(2 * numpy.pi * 440 * time)
both = (numpy.stack([left, right], 1) * 32768).astype("int16")
for name, kind, subtype in [("original.wav", "WAV", "PCM_16"), ("tone.flac", "FLAC", "PCM_16"), ("tone.aiff", "AIFF", "PCM_16"),
                            ("tone.ogg", "OGG", "VORBIS"), ("tone.opus", "OGG", "OPUS"), ("tone.mp3", "MP3", "MPEG_LAYER_III")]:
    soundfile.write(out / name, both.mean(1).astype("int16") if kind == "MP3" else both, RATE, format=kind, subtype=subtype)
