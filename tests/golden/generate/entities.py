# SPDX-License-Identifier: GPL-3.0-or-later
"""Precision, recall and F1 of entities as seqeval counts them, lenient (conlleval) and strictly by scheme.

    python entities.py              needs seqeval 1.2.2 and scikit-learn
"""
import random
import warnings

from common import main
from seqeval import scheme as schemes
from seqeval.metrics import classification_report

warnings.filterwarnings("ignore")
PREFIXES = {"lenient": "IOBES", "IOB1": "IOB", "IOB2": "IOB", "IOE1": "IOE", "IOE2": "IOE", "IOBES": "IOBES",
            "BILOU": "BILOU"}
TYPES = ["PER", "LOC", "A-B"]


def classes_of(prefixes, types):
    return ["O"] + [f"{p}-{t}" if t else p for t in types for p in prefixes if p != "O"]


def noisy(drawn, row, classes):
    return [drawn.randrange(classes) if drawn.random() < 0.3 else each for each in row]


def inputs():
    drawn = random.Random(7)
    made = []
    for scheme, prefixes in PREFIXES.items():
        names = classes_of(prefixes, TYPES)
        for number in range(12):
            rows = [[drawn.randrange(len(names)) if drawn.random() < 0.7 else 0 for _ in range(drawn.randrange(0, 12))]
                    for _ in range(drawn.randrange(1, 6))]
            made.append((f"{scheme}-{number}", {"scheme": scheme, "classes": names, "wanted": rows,
                                                "found": [noisy(drawn, row, len(names)) for row in rows]}))
        # Tags of one type, so that neighbours have the same one, with and without a name.
        for number, types in enumerate([["X"], [""], ["-X-", "X"]]):
            names = classes_of(prefixes, types)
            rows = [[drawn.randrange(len(names)) for _ in range(14)] for _ in range(6)]
            made.append((f"{scheme}-alike-{number}", {"scheme": scheme, "classes": names, "wanted": rows,
                                                      "found": [noisy(drawn, row, len(names)) for row in rows]}))
    # The example of seqeval's documentation, nothing found, and nothing there.
    names = ["O", "B-MISC", "I-MISC", "B-PER", "I-PER"]
    wanted = [[0, 0, 0, 1, 2, 2, 0], [3, 4, 0]]
    for scheme in ("lenient", "IOB2"):
        made.append((f"documented-{scheme}", {"scheme": scheme, "classes": names, "wanted": wanted,
                                              "found": [[0, 0, 1, 2, 2, 2, 0], [3, 4, 0]]}))
        made.append((f"none-found-{scheme}", {"scheme": scheme, "classes": names, "wanted": wanted,
                                              "found": [[0] * 7, [0] * 3]}))
        made.append((f"none-there-{scheme}", {"scheme": scheme, "classes": names, "wanted": [[0] * 4],
                                              "found": [[0] * 4]}))
    return made


def expected(given):
    def named(rows):
        return [[given["classes"][each] for each in row] for row in rows]

    how = {} if given["scheme"] == "lenient" else {"mode": "strict", "scheme": getattr(schemes, given["scheme"])}
    wanted, found = named(given["wanted"]), named(given["found"])
    try:
        report = classification_report(wanted, found, output_dict=True, zero_division=0, **how)
    except ValueError as error:  # seqeval's report of no entity at all; its scores are 0
        assert "max()" in str(error) or "empty" in str(error), error
        return {"overall_precision": 0.0, "overall_recall": 0.0, "overall_f1": 0.0}
    curves = {}
    for name, row in report.items():
        if name in ("macro avg", "weighted avg"):
            continue
        name = "overall" if name == "micro avg" else name
        for key, figure in (("precision", "precision"), ("recall", "recall"), ("f1-score", "f1")):
            curves[f"{name}_{figure}"] = float(row[key])
    return curves


if __name__ == "__main__":
    main("entities", inputs, expected)
