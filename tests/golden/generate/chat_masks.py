# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes chat_masks: tokenizer.json and cases.json, conversations by chat templates with the tokens that the assistant says.

    chat_masks.py WHEEL      (Python with transformers 5.24 and Jinja2 3.1)

The wheel is `pip download --no-deps trl==1.16.0` (Apache-2.0), which has templates of published models with the marks
{% generation %}; taken are those of models whose licence is Apache-2.0 or MIT, and chat_templates/cases.json's without
marks. Masks of the former are those of apply_chat_template(return_assistant_tokens_mask=True); of the latter those of
the difference of two renderings of transformers: up to a message, and up to where it is asked for.
"""
import datetime
import json
import pathlib
import sys
import zipfile

import transformers
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors, trainers
from transformers import PreTrainedTokenizerFast

HERE = pathlib.Path(__file__).resolve().parents[1]
MARKED = ["deepseek_r1_distill", "deepseekv3", "glm4moe", "phi3", "phi3_5", "qwen2_5", "qwen3", "smolvlm"]
PLAIN = ["chatml", "phi_4", "phi3", "qwen2_5", "qwen2_5_vl", "mistral_v7_tekken", "qwen3"]
OWN = {
    # A reply in two parts, white space at the edges, a variable that ends with the block, a macro.
    "two parts": "{% set x = 'outer' %}{% macro name(m) %}[{{ m.role | upper }}]{% endmacro %}{% for m in messages %}"
                 "{{ name(m) }}{% if m.role == 'assistant' %}{% generation %}{% set x = 'inner' %} {{ m.content }}"
                 "{% endgeneration %} ({{ x }}) {% generation %}{{ eos_token }}{% endgeneration %}{% else %} "
                 "{{ m.content }}{{ eos_token }}{% endif %}\n{% endfor %}",
    # The whole text is the assistant's.
    "everything": "{% generation %}{% for m in messages %}{{ m.content }}\n{% endfor %}{% endgeneration %}",
    # Marks that are never reached.
    "nothing": "{% for m in messages %}{{ m.content }}{% if m.role == 'nobody' %}{% generation %}x{% endgeneration %}"
               "{% endif %}{% endfor %}",
}
SPECIAL = ["<unk>", "<s>", "</s>", "<|im_start|>", "<|im_end|>", "<|user|>", "<|assistant|>", "<|system|>", "<|end|>",
           "<|endoftext|>", "<think>", "</think>"]
CONVERSATIONS = {
    "one turn": [{"role": "user", "content": "Hi there"}, {"role": "assistant", "content": "Hello!"}],
    "system": [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Wie geht's?"},
               {"role": "assistant", "content": "Gut, äöü \"quoted\" 日本 👍🏽"}],
    "two turns": [{"role": "user", "content": "One?"}, {"role": "assistant", "content": "1"},
                  {"role": "user", "content": "Two?"}, {"role": "assistant", "content": "2\n\nor more"}],
    "thoughts": [{"role": "user", "content": "One?"},
                 {"role": "assistant", "content": "<think>\nfirst\n</think>\n\nIt is 1."},
                 {"role": "user", "content": "Two?"},
                 {"role": "assistant", "content": "It is 2.", "reasoning_content": "second"}],
    "no reply": [{"role": "user", "content": "Hi there"}],
    "blanks": [{"role": "user", "content": "x"}, {"role": "assistant", "content": "  spaces  "}],
    "empty": [{"role": "user", "content": "x"}, {"role": "assistant", "content": ""}],
    "twice": [{"role": "user", "content": "x"}, {"role": "assistant", "content": "a"},
              {"role": "assistant", "content": "b"}],
}

# Conversations with tools, as a row of messages and tools has them.
CITY = {"type": "object", "properties": {"city": {"type": "string", "description": "Name <&> 'quotes'"}},
        "required": ["city"]}
WEATHER = {"type": "function", "function": {"name": "weather", "description": "Weather of a city – now",
                                            "parameters": CITY}}
CALL = {"type": "function", "function": {"name": "weather", "arguments": {"city": "Köln"}}}
WITH_TOOLS = {
    "tool call": ([{"role": "user", "content": "Weather?"}, {"role": "assistant", "content": "", "tool_calls": [CALL]},
                   {"role": "tool", "name": "weather", "content": "rain"},
                   {"role": "assistant", "content": "It rains."}], [WEATHER]),
    "tools that are not called": ([{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Hi there"},
                                   {"role": "assistant", "content": "Hello!"}],
                                  [WEATHER, {"name": "clock", "parameters": {}}]),
    "an empty list of tools": ([{"role": "user", "content": "Hi there"}, {"role": "assistant", "content": "Hello!"}], []),
}


def tokenizer():
    made = Tokenizer(models.BPE())
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.decoder = decoders.ByteLevel()
    made.post_processor = processors.ByteLevel(trim_offsets=False)
    made.train_from_iterator([message["content"] for one in CONVERSATIONS.values() for message in one] * 3,
                             trainers.BpeTrainer(vocab_size=340, special_tokens=SPECIAL, show_progress=False,
                                                 initial_alphabet=pre_tokenizers.ByteLevel.alphabet()))
    return made


def spans_of_prefixes(rendered, messages):
    """None where the text up to a message is not the beginning of the whole text."""
    spans, whole = [], rendered(messages, False)
    for i, message in enumerate(messages):
        if message["role"] != "assistant":
            continue
        asks, told = rendered(messages[:i], True), rendered(messages[:i + 1], False)
        if not told.startswith(asks) or not whole.startswith(told):
            return None
        spans.append((len(asks), len(told)))
    return spans


def main():
    out = HERE / "chat_masks"
    out.mkdir(exist_ok=True)
    made = tokenizer()
    made.save(str(out / "tokenizer.json"))
    fast = PreTrainedTokenizerFast(tokenizer_object=made, bos_token="<s>", eos_token="</s>", unk_token="<unk>")
    known = json.loads((HERE / "chat_templates" / "cases.json").read_text())["templates"]
    with zipfile.ZipFile(sys.argv[1]) as wheel:
        templates = {f"{name} with marks": wheel.read(f"trl/chat_templates/{name}_training.jinja").decode()
                     for name in MARKED}
    templates |= OWN
    templates |= {name: known[name]["text"] for name in PLAIN}
    everything = {name: (messages, None) for name, messages in CONVERSATIONS.items()} | WITH_TOOLS
    cases = []
    for name, template in templates.items():
        for conversation, (messages, tools) in everything.items():
            case = {"template": name, "conversation": conversation}
            try:
                rendered = lambda part, asks: fast.apply_chat_template(  # noqa: E731
                    part, tools=tools, chat_template=template, tokenize=False, add_generation_prompt=asks)
                case["text"] = rendered(messages, False)
                if name in PLAIN:
                    spans = spans_of_prefixes(rendered, messages)
                    if spans is None:
                        continue  # what this program does then is its own
                    encoded = fast(case["text"], add_special_tokens=False)
                    case["ids"] = encoded["input_ids"]
                    case["mask"] = [int(any(begin < to and end > at for at, to in spans))
                                    for begin, end in encoded.encodings[0].offsets]
                else:
                    encoded = fast.apply_chat_template(messages, tools=tools, chat_template=template,
                                                       return_dict=True, return_assistant_tokens_mask=True)
                    case["ids"], case["mask"] = encoded["input_ids"], encoded["assistant_masks"]
            except Exception as error:  # noqa: BLE001
                case = {"template": name, "conversation": conversation, "error": type(error).__name__}
            for key, between in ("ids", " "), ("mask", ""):
                if key in case:
                    case[key] = between.join(map(str, case[key]))
            cases.append(case)
    made_with = f"transformers {transformers.__version__}"
    written = {"made_with": made_with, "date": datetime.date.today().isoformat(), "templates": templates,
               "conversations": {name: messages for name, (messages, _) in everything.items()},
               "tools": {name: tools for name, (_, tools) in WITH_TOOLS.items()}, "cases": cases}
    (out / "cases.json").write_text(json.dumps(written, ensure_ascii=False, indent=1) + "\n")
    print(made_with, sum("mask" in case for case in cases), "masks,",
          sum("error" in case for case in cases), "errors")


main()
