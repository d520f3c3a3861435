# SPDX-License-Identifier: GPL-3.0-or-later
"""Where transformers' generate() ends texts and what it takes from generation_config.json and config.json.

    python generation_defaults.py [--out DIR] [--spec SPEC.json] [--only WORD]

model/: a Llama that writes the next letter of the alphabet. cases.json: fields of config.json that are changed (null removes nothing: it is null), the
generation_config.json (null: the file is missing), options of the call, and the letters behind A (`expected`).
"""
import json, pathlib, shutil, tempfile

from artifact import arguments, fresh, write_json
import torch
from transformers import AutoModelForCausalLM, LlamaConfig, LlamaForCausalLM

VOCAB, E, H, K = 96, ord("E"), ord("H"), ord("K")
TOKENS = dict(max_new_tokens=20)
C = lambda name, config, generation=None, **options: dict(name=name, config=config, generation=generation, options=dict(TOKENS, **options))
DEFAULT = [
    C("one", {"eos_token_id": H}), C("list_first_reached", {"eos_token_id": [E, H]}), C("list_second_reached", {"eos_token_id": [H, E]}),
    C("generation_list", {"eos_token_id": H}, {"eos_token_id": [H, E], "bos_token_id": 1, "temperature": 0.6, "do_sample": True}, do_sample=False),
    C("generation_other", {"eos_token_id": H}, {"eos_token_id": E}), C("generation_only", {"eos_token_id": None}, {"eos_token_id": [K, E]}),
    C("generation_null", {"eos_token_id": H}, {"eos_token_id": None}), C("generation_without", {"eos_token_id": H}, {"temperature": 0.5}),
    C("negative", {"eos_token_id": H}, {"eos_token_id": [-1, E]}), C("config_null", {"eos_token_id": None}),
    C("beams", {"eos_token_id": [H, E]}, num_beams=2), C("beams_generation_list", {"eos_token_id": H}, {"eos_token_id": [K, H, E]}, num_beams=3),
    C("beams_of_the_file", {"eos_token_id": H}, {"eos_token_id": [H, E], "num_beams": 2}),
    C("sampling", {"eos_token_id": [H, E]}, do_sample=True), C("sampling_of_the_file", {"eos_token_id": H}, {"eos_token_id": [H, E], "do_sample": True, "temperature": 0.7}),
    dict(name="max_new_tokens", config={"eos_token_id": H}, generation={"max_new_tokens": 3}, options={}),
    dict(name="max_length", config={"eos_token_id": H}, generation={"max_length": 4}, options={}),
    dict(name="max_length_of_config", config={"eos_token_id": H, "max_length": 4}, generation=None, options={}),
    C("max_length_and_an_option", {"eos_token_id": K}, {"eos_token_id": K, "max_length": 3}),
    C("repetition_penalty", {"eos_token_id": None}, {"repetition_penalty": 1e6}),
]


def save_model(folder):
    config = LlamaConfig(vocab_size=VOCAB, hidden_size=VOCAB, intermediate_size=4, num_hidden_layers=1, num_attention_heads=1, num_key_value_heads=1, head_dim=2,
                         max_position_embeddings=64, tie_word_embeddings=False)
    model = LlamaForCausalLM(config)
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            parameter.zero_() if parameter.dim() > 1 else parameter.fill_(1)
        model.model.embed_tokens.weight.copy_(torch.eye(VOCAB))
        model.lm_head.weight.copy_(4 * torch.eye(VOCAB).roll(1, 0))
    model.half().save_pretrained(folder)
    (folder / "generation_config.json").unlink(missing_ok=True)


def generated(base, case):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name) / "model"
        shutil.copytree(base, folder)
        config = dict(json.loads((folder / "config.json").read_text()), **case["config"])
        (folder / "config.json").write_text(json.dumps(config))
        if case["generation"] is not None:
            (folder / "generation_config.json").write_text(json.dumps(case["generation"]))
        torch.manual_seed(1)
        model = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32)
        ids = torch.tensor([[ord("A")]])
        return bytes(model.generate(ids, attention_mask=torch.ones_like(ids), pad_token_id=0, **case["options"])[0, 1:].tolist()).decode()


def main(out, spec, only):
    save_model(fresh(out / "model"))
    rows = [dict(case, expected=generated(out / "model", case)) for case in spec if only in case["name"]]
    write_json(out / "cases.json", rows)
    for row in rows:
        print(row["name"], row["expected"])


if __name__ == "__main__":
    main(*arguments("generation_defaults", DEFAULT))
