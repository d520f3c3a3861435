# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes pairs.jsonl: pairs of sentences on what happens at home, from two wordings of each statement, with a score of how similar they are."""
import json, pathlib, random

who = {"a boy": "a child", "the cook": "the chef", "an old man": "a grandfather", "my neighbour": "the woman next door", "a student": "a pupil",
       "the doctor": "the physician"}
does = {"cuts": "slices", "buys": "purchases", "washes": "cleans", "carries": "brings", "paints": "colours", "hides": "conceals"}
what = {"an apple": "some fruit", "the car": "the vehicle", "a small box": "a little carton", "the dog": "the hound", "a chair": "a seat",
        "the picture": "the drawing"}
where = {"in the kitchen": "beside the stove", "on the street": "outside", "at night": "after dark"}
random.seed(3)
parts = [who, does, what, where]
with open(pathlib.Path(__file__).parent / "pairs.jsonl", "w") as out:
    for _ in range(1200):
        first = [random.choice(list(part)) for part in parts]
        same = [random.random() < 0.6 for _ in parts]
        second = [part[word if keep else random.choice([w for w in part if w != word])] for part, word, keep in zip(parts, first, same)]
        out.write(json.dumps({"sentence1": " ".join(first), "sentence2": " ".join(second), "score": sum(same) / len(same)}) + "\n")
