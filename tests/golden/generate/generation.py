# SPDX-License-Identifier: GPL-3.0-or-later
"""What transformers' generate() makes of a tiny GPT-2, and the probabilities that it draws from.

    python generation.py [--out DIR] [--spec SPEC.json] [--only WORD]

gpt2/: the model (random weights, sharp enough that beams differ). cases.json: prompt, options, new tokens (`expected`); beside them the cases of
`draws`: logits, options, and [token, probability] of every token that may be drawn, likeliest first.
"""
import json

from artifact import arguments, fresh, write_json
import torch
from transformers import GPT2Config, GPT2LMHeadModel
from transformers.generation.logits_process import TemperatureLogitsWarper, TopKLogitsWarper, TopPLogitsWarper

torch.set_num_threads(1)
C = lambda name, **options: dict(name=name, options=options)
DEFAULT = dict(
    seed=5, config=dict(vocab_size=96, n_positions=64, n_embd=32, n_layer=2, n_head=4, initializer_range=0.35),
    prompts=[[1, 2, 3], [7], [50, 40, 30, 20, 10, 5, 90, 91]],
    cases=[C("greedy", max_new_tokens=24), C("greedy_penalty", max_new_tokens=24, repetition_penalty=1.3),
           C("greedy_end", max_new_tokens=30, eos_token_id=17), C("greedy_to_the_context", max_new_tokens=80),
           C("beams", max_new_tokens=16, num_beams=3), C("beams_end", max_new_tokens=20, num_beams=4, eos_token_id=17),
           C("beams_long", max_new_tokens=20, num_beams=4, eos_token_id=17, length_penalty=2.0),
           C("beams_short", max_new_tokens=20, num_beams=4, eos_token_id=17, length_penalty=-1.0),
           C("beams_early", max_new_tokens=20, num_beams=3, eos_token_id=[17, 40], early_stopping=True),
           C("beams_penalty", max_new_tokens=12, num_beams=2, repetition_penalty=1.4)],
    draws=[dict(options=dict(temperature=t, top_k=k, top_p=p)) for t, k, p in
           [(1.0, 0, 1.0), (0.7, 0, 1.0), (1.5, 10, 1.0), (1.0, 0, 0.5), (0.5, 20, 0.9), (2.0, 50, 0.3), (1.0, 1, 1.0)]])


def generated(model, prompt, options, positions):
    options = dict(options)
    ends = options.pop("eos_token_id", None)
    options["max_new_tokens"] = min(options["max_new_tokens"], positions - len(prompt))
    ids = torch.tensor([prompt])
    with torch.no_grad():
        made = model.generate(ids, attention_mask=torch.ones_like(ids), do_sample=False, eos_token_id=ends, pad_token_id=0, **options)
    return made[0, len(prompt):].tolist()


def drawn(logits, options):
    scores = torch.tensor([logits]) / 1.0
    scores = TemperatureLogitsWarper(options["temperature"])(None, scores)
    if options["top_k"] > 0:
        scores = TopKLogitsWarper(options["top_k"])(None, scores)
    if options["top_p"] < 1:
        scores = TopPLogitsWarper(options["top_p"])(None, scores)
    shares = scores.double().softmax(-1)[0]
    kept = [[i, float(shares[i])] for i in range(len(shares)) if shares[i] > 0]
    return sorted(kept, key=lambda pair: -pair[1])


def main(out, spec, only):
    torch.manual_seed(spec["seed"])
    model = GPT2LMHeadModel(GPT2Config(**spec["config"], bos_token_id=None, eos_token_id=None)).eval()
    model.save_pretrained(fresh(out / "gpt2"))
    (out / "gpt2" / "generation_config.json").unlink(missing_ok=True)
    rows = []
    for case in spec["cases"]:
        for prompt in spec["prompts"]:
            if only in case["name"]:
                rows.append(dict(case, prompt=prompt, expected=generated(model, prompt, case["options"], spec["config"]["n_positions"])))
    g = torch.Generator().manual_seed(spec["seed"])
    draws = []
    for draw in spec["draws"]:
        logits = (torch.randn(80, generator=g) * 2).tolist()
        draws.append(dict(draw, logits=logits, expected=drawn(logits, draw["options"])))
    write_json(out / "cases.json", dict(cases=rows, draws=draws))
    print(len(rows), "texts,", len(draws), "draws")


if __name__ == "__main__":
    main(*arguments("generation", DEFAULT))
