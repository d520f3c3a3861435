# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes questions.jsonl and choices.jsonl: questions on short texts with the answers in them, as SQuAD has them, and
beginnings of stories with four ends, as SWAG has them."""
import json, pathlib, random

FOLDER = pathlib.Path(__file__).parent
who = ["Anna", "Boris", "Chen", "Dora", "Emil", "Farid", "Greta", "Hugo"]
does = ["buys", "sells", "paints", "counts", "carries", "finds"]
what = ["apples", "chairs", "books", "stones", "lamps", "boats"]
where = ["in Rome", "in Oslo", "in Lima", "in Cairo", "in Delhi"]
random.seed(5)
with open(FOLDER / "questions.jsonl", "w") as out:
    for number in range(600):
        person, verb, thing, place, count = (random.choice(each) for each in (who, does, what, where, range(10, 99)))
        context = f"{person} {verb} {count} {thing} {place}."
        question, answer = random.choice([("how many?", str(count)), ("who?", person)])
        out.write(json.dumps({"id": str(number), "question": question, "context": context,
                              "answers": {"text": [answer], "answer_start": [context.index(answer)]}}) + "\n")
right = ["sits down to rest.", "puts them on the table.", "goes home to sleep.", "asks for the price."]
wrong = ["eats the moon.", "flies under the sea.", "becomes a green number.", "drinks a mountain.",
         "melts into a song."]
with open(FOLDER / "choices.jsonl", "w") as out:
    for _ in range(600):
        person = random.choice(who)
        ends = random.sample(wrong, 3)
        label = random.randrange(4)
        ends.insert(label, random.choice(right))
        row = {"sent1": f"{person} {random.choice(does)} {random.choice(what)} {random.choice(where)}.",
               "sent2": f"Then {person}"}
        row.update({f"ending{i}": end for i, end in enumerate(ends)}, label=label)
        out.write(json.dumps(row) + "\n")
