# SPDX-License-Identifier: GPL-3.0-or-later
"""Folders of Accelerate's save_state from GPT-2 and many optimizers, for resuming in a recipe's run.

    python save_state.py [--out DIR] [--spec CASES.json] [--only WORD]

A case: ckpt/ as written; expected.json: {"net", "freeze", "steps", "resumes", "words" of the refusal, "groups"}; and where it resumes,
moments.safetensors with what torch has for every parameter by its name.
"""
import json, pathlib

from artifact import arguments, fresh, write_json
import torch
from safetensors.torch import save_file

torch.set_num_threads(1)

NET = dict(vocab_size=16, n_positions=8, n_embd=8, n_layer=2, n_head=2)
SMALL = dict(NET, n_layer=1)
UNNAMED = ["leaves open which parameters"]
CASES = [
    dict(name="one_group", net=NET, groups="one"),
    dict(name="decay_groups", net=NET, groups="decay", schedule=True),
    dict(name="no_decay_group_first", net=NET, groups="no_decay_first"),
    dict(name="layers_named", net=NET, groups="layers", named=True),
    dict(name="layers_without_names", net=NET, groups="layers", words=UNNAMED),
    dict(name="frozen", net=NET, groups="trained", freeze=["transformer.h.0.*", "transformer.wpe.weight"]),
    dict(name="adam", net=SMALL, groups="one", optimizer="Adam", options=dict(weight_decay=0.0)),
    dict(name="pytorch_bin", net=SMALL, groups="decay", safe=False),
    dict(name="adam_with_decay", net=SMALL, groups="one", optimizer="Adam", options=dict(weight_decay=0.1), words=["Adam with"]),
    dict(name="amsgrad", net=SMALL, groups="one", options=dict(amsgrad=True), words=["amsgrad"]),
    dict(name="maximize", net=SMALL, groups="one", options=dict(maximize=True), words=["maximizes"]),
    dict(name="sgd", net=SMALL, groups="one", optimizer="SGD", words=["SGD"]),
    dict(name="sgd_momentum", net=SMALL, groups="one", optimizer="SGD", options=dict(momentum=0.9), words=["SGD"]),
    dict(name="untied", net=SMALL, groups="one", tied=False, words=["lm_head.weight"]),
    dict(name="other_shape", net=SMALL, groups="one", recipe=dict(SMALL, n_inner=16), words=["shape"]),
] + [dict(name=kind.lower(), net=SMALL, groups="one", optimizer=kind, words=[kind])
     for kind in ("NAdam", "RAdam", "Adamax", "Adagrad", "Adadelta", "RMSprop", "Rprop", "ASGD", "Adafactor")]


def groups_of(case, model):
    named = [(n, p) for n, p in model.named_parameters() if p.requires_grad or case["groups"] != "trained"]
    entry = (lambda n, p: (n, p)) if case.get("named") else (lambda n, p: p)
    take = lambda keep: [entry(n, p) for n, p in named if keep(n, p)]
    matrix = lambda n, p: p.dim() >= 2
    decay, plain = dict(params=take(matrix), weight_decay=0.1), dict(params=take(lambda n, p: p.dim() < 2), weight_decay=0.0)
    if case["groups"] == "decay":
        return [decay, plain]
    if case["groups"] == "no_decay_first":
        return [plain, decay]
    if case["groups"] == "layers":     # the last block first, smaller rates below it
        of = lambda prefix: lambda n, p: n.startswith(prefix)
        return [dict(params=take(of("transformer.ln_f")), lr=1e-3), dict(params=take(of("transformer.h.1.")), lr=9e-4),
                dict(params=take(of("transformer.h.0.")), lr=8e-4),
                dict(params=take(lambda n, p: n.startswith("transformer.w")), lr=7e-4)]
    return take(lambda n, p: True)


def make(case, out):
    from accelerate import Accelerator
    from accelerate.utils import set_seed
    from transformers import GPT2Config, GPT2LMHeadModel
    accelerator = Accelerator(cpu=True)
    set_seed(case.get("seed", 7))
    model = GPT2LMHeadModel(GPT2Config(**case["net"], attn_pdrop=0.0, embd_pdrop=0.0, resid_pdrop=0.0, bos_token_id=1,
                                       eos_token_id=2, tie_word_embeddings=case.get("tied", True)))
    import fnmatch
    for name, parameter in model.named_parameters():
        if any(fnmatch.fnmatchcase(name, pattern) for pattern in case.get("freeze", [])):
            parameter.requires_grad = False
    optimizer = getattr(torch.optim, case.get("optimizer", "AdamW"))(groups_of(case, model), lr=1e-3,
                                                                     **case.get("options", {}))
    model, optimizer = accelerator.prepare(model, optimizer)
    if case.get("schedule"):
        schedule = accelerator.prepare(torch.optim.lr_scheduler.LinearLR(optimizer, total_iters=10))
    steps = case.get("steps", 3)
    for _ in range(steps):
        ids = torch.randint(0, case["net"]["vocab_size"], (2, 8))
        accelerator.backward(model(input_ids=ids, labels=ids).loss)
        optimizer.step()
        if case.get("schedule"):
            schedule.step()
        optimizer.zero_grad()
    accelerator.save_state(str(out / "ckpt"), safe_serialization=case.get("safe", True))
    names = {id(p): n for n, p in model.named_parameters()}
    expected = dict(case=case["name"], net=case.get("recipe", case["net"]), freeze=case.get("freeze", []), steps=steps,
                    optimizer=case.get("optimizer", "AdamW"), resumes="words" not in case, words=case.get("words", []))
    expected["groups"] = [dict(lr=g.get("initial_lr", g["lr"]), weight_decay=g.get("weight_decay"),
                               parameters=[names[id(p)] for p in g["params"]]) for g in optimizer.optimizer.param_groups]
    if expected["resumes"]:
        save_file({f"{key}.{names[id(p)]}": s[key].clone() for p, s in optimizer.optimizer.state.items()
                   for key in ("exp_avg", "exp_avg_sq")}, out / "moments.safetensors")
    write_json(out / "expected.json", expected)


def main():
    out, cases, only = arguments("save_state", CASES)
    for case in cases:
        if only in case["name"]:
            make(case, fresh(out / case["name"]))


main()
