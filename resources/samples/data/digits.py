# SPDX-License-Identifier: GPL-3.0-or-later
"""The 1,797 images of handwritten digits that scikit-learn has (8 x 8 pixels; UCI Machine Learning Repository), as uint8
arrays of an .npz file: python digits.py digits.npz
"""
import sys

import numpy
import sklearn.datasets

digits = sklearn.datasets.load_digits()
numpy.savez_compressed(sys.argv[1], pixel_values=(digits.images * 15).astype("uint8"), label=digits.target.astype("int64"))
