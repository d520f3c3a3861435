# SPDX-License-Identifier: GPL-3.0-or-later
"""Mean intersection over union, mean and overall accuracy of the classes of pixels, by scikit-learn.

    python pixel_figures.py         needs scikit-learn
"""
import random

from common import main
from sklearn.metrics import accuracy_score, jaccard_score, recall_score


def inputs():
    drawn = random.Random(3)
    made = []
    for number in range(12):
        classes, count = drawn.randrange(2, 7), drawn.randrange(5, 60)
        there = drawn.sample(range(classes), drawn.randrange(1, classes + 1))  # some classes are missing
        wanted = [drawn.choice(there + [-100]) for _ in range(count)] + [there[0]]
        found = [drawn.randrange(classes) if each < 0 or drawn.random() < 0.4 else each for each in wanted]
        made.append((f"random-{number}", {"classes": classes, "wanted": wanted, "found": found}))
    return made


def expected(given):
    pairs = [(w, f) for w, f in zip(given["wanted"], given["found"]) if w >= 0]
    wanted, found = zip(*pairs)
    united, there = sorted(set(wanted) | set(found)), sorted(set(wanted))
    return {"accuracy": accuracy_score(wanted, found),
            "mean_iou": jaccard_score(wanted, found, labels=united, average="macro", zero_division=0),
            "mean_accuracy": recall_score(wanted, found, labels=there, average="macro", zero_division=0)}


if __name__ == "__main__":
    main("pixel_figures", inputs, expected)
