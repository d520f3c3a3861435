# SPDX-License-Identifier: GPL-3.0-or-later
"""Parts of long texts with the tokens of their answers, by fast tokenizers, and answers judged as SQuAD's program does.

    python questions.py [--out DIR]

For each tokenizer (BERT's and RoBERTa's way to join two texts) a folder with its tokenizer.json and cases.json.
"""
import collections, re, string

from artifact import arguments, fresh, write_json
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors, trainers
from transformers import PreTrainedTokenizerFast

MEETING = "Zoë met the café's owner, Mr. O'Neil, in München on 12 May 1999; they spoke for 3 hours."
NUMBERS = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen"
ROWS = [
    ("   Who met whom?", MEETING, "Mr. O'Neil"),
    ("Where?", MEETING, "München"),
    ("How long did they speak?", MEETING, "3 hours"),
    ("Who?", "Zoë met the café's owner.", "Zoë"),
    ("What did she drink?", "Zoë met the café's owner.", None),
    ("Which word comes last?", NUMBERS, "fourteen"),
    ("Which are long?", NUMBERS, "thirteen fourteen"),
    ("日本の首都は?", "日本の首都は東京です。人口は約1400万人。", "東京"),
    ("An emoji?", "She wrote 👍🏽 and left; he answered 🎉🎉 twice.", "👍🏽"),
]
PAIRS = [("the red cat", "cat"), ("a b b", "b b b c"), ("", ""), ("cat", ""),
         ("The  Cat's,  pyjamas!", "cats pyjamas"), ("U.S.A.", "usa"), ("two cats", "cats two"), ("an apple a day", "apple day"), ("Ünïcode", "ünïcode"), ("3.5", "35")]


def bert():
    made = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    made.normalizer = normalizers.BertNormalizer(lowercase=True)
    made.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]"]
    made.train_from_iterator([text for row in ROWS for text in row[:2]],
                             trainers.WordPieceTrainer(vocab_size=160, special_tokens=special))
    made.post_processor = processors.BertProcessing(("[SEP]", 3), ("[CLS]", 2))
    return made


def roberta():
    made = Tokenizer(models.BPE())
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    special = ["<s>", "<pad>", "</s>"]
    made.train_from_iterator([text for row in ROWS for text in row[:2]],
                             trainers.BpeTrainer(vocab_size=330, special_tokens=special,
                                                 initial_alphabet=pre_tokenizers.ByteLevel.alphabet()))
    made.post_processor = processors.RobertaProcessing(("</s>", 2), ("<s>", 0), trim_offsets=True,
                                                       add_prefix_space=False)
    return made


def parts(tokenizer, question, context, answer, length, stride):
    made = tokenizer(question.lstrip(), context, truncation="only_second", max_length=length, stride=stride,
                     return_overflowing_tokens=True, return_token_type_ids=True)
    found = []
    for i, encoding in enumerate(made.encodings):
        begin = end = 0
        if answer is not None:
            first = context.index(answer)
            last = first + len(answer) - 1
            tokens = [j for j, sequence in enumerate(encoding.sequence_ids) if sequence == 1]
            of = lambda place: [j for j in tokens if encoding.offsets[j][0] <= place < encoding.offsets[j][1]]
            if of(first) and of(last):   # several tokens can be parts of one character
                begin, end = of(first)[0], of(last)[-1]
        found.append(dict(ids=made["input_ids"][i], types=made["token_type_ids"][i], begin=begin, end=end))
    return found


def words(text):
    text = "".join(c for c in text.lower() if c not in set(string.punctuation))
    return re.sub(r"\b(a|an|the)\b", " ", text).split()


def f1(found, wanted):
    mine, right = words(found), words(wanted)
    shared = sum((collections.Counter(mine) & collections.Counter(right)).values())
    if not mine or not right:
        return float(mine == right)
    return 2 * shared / (len(mine) + len(right))


if __name__ == "__main__":
    out, _, _ = arguments("questions", None)
    for name, make in (("bert", bert), ("roberta", roberta)):
        folder = fresh(out / name)
        core = make()
        core.save(str(folder / "tokenizer.json"))
        tokenizer = PreTrainedTokenizerFast(tokenizer_object=core)
        cases = []
        for length, stride in ((24, 8), (40, 6), (96, 16)):
            for question, context, answer in ROWS:
                answers = dict(text=[], answer_start=[])
                if answer:
                    answers = dict(text=[answer], answer_start=[context.index(answer)])
                try:
                    expected = parts(tokenizer, question, context, answer, length, stride)
                except BaseException:    # the question leaves no room: tokenizers panics
                    continue
                row = dict(question=question, context=context, answers=answers)
                cases.append(dict(length=length, stride=stride, row=row, parts=expected))
        judged = [dict(found=a, wanted=b, exact=words(a) == words(b), f1=f1(a, b)) for a, b in PAIRS]
        write_json(folder / "cases.json", dict(cases=cases, judged=judged))
        print(name, len(cases), sum(len(case["parts"]) for case in cases))
