# SPDX-License-Identifier: GPL-3.0-or-later
"""More inputs of config_load: dates, JSON beyond the standard, byte order marks, nulls in the place of names, odd spellings in odd places."""

MINIMAL = "distributed_type: 'NO'\n"
BASE = "compute_environment: LOCAL_MACHINE\ndistributed_type: MULTI_GPU\nnum_processes: 4\nnum_machines: 1\n"


def inputs():
    out = {}
    for number, when in enumerate(["2024-01-02T03:04:05", "2024-01-02 03:04:05", "2024-01-02T03:04:05Z", "2024-1-2 3:04:05",
                                   "2024-01-02 03:04:05.25 +01:00", "2024-01-02t03:04:05-05", "2024-13-40", "2024-01-02 25:00:00",
                                   "'2024-01-02 03:04:05'", "2024-1-2", "2024-01-02T03:04:05.1234567"]):
        out[f"date-{number}"] = MINIMAL + f"main_process_ip: {when}\n"
        out[f"date-nested-{number}"] = MINIMAL + f"megatron_lm_config:\n  when: {when}\n"
    for name in ["compute_environment", "distributed_type", "mixed_precision", "num_processes", "use_cpu", "debug", "machine_rank", "num_machines",
                 "gpu_ids", "rdzv_backend", "main_training_function", "same_network", "fsdp_config", "deepspeed_config", "dynamo_config"]:
        given = "\n".join(line for line in BASE.splitlines() if not line.startswith(name + ":"))
        out[f"null-{name}"] = given + f"\n{name}: null\n"
        out[f"empty-text-{name}"] = given + f"\n{name}: ''\n"
    for number, text in enumerate([".nan", "-.inf", "+.INF", ".NaN", "1e400", "-0.0", "1e-400", "0.1", "1_0.5", "123456789012345678901234567890",
                                   "9223372036854775807", "9223372036854775808", "-9223372036854775808", "0x7fffffffffffffff"]):
        out[f"number-{number}"] = MINIMAL + f"megatron_lm_config:\n  a: {text}\n"
    out |= {
        "merge-key": "base: &b\n  fsdp_version: 2\ndistributed_type: FSDP\nfsdp_config:\n  <<: *b\n",
        "merge-in-known": "distributed_type: FSDP\nfsdp_config: &f\n  fsdp_version: 2\nmegatron_lm_config:\n  <<: *f\n  x: 1\n",
        "bom-yaml": "\ufeff" + BASE,
        "crlf": BASE.replace("\n", "\r\n"),
        "block-text": MINIMAL + "main_training_function: |\n  main\n",
        "folded-text": MINIMAL + "main_training_function: >-\n  main\n  other\n",
        "tagged-text": MINIMAL + "main_process_ip: !!str 10\n",
        "tagged-int": MINIMAL + "num_machines: !!int '1'\n",
        "complex-key": MINIMAL + "? [a, b]\n: 1\n",
        "number-key": MINIMAL + "1: 2\n",
        "document-end": MINIMAL + "...\n",
        "directive": "%YAML 1.1\n---\n" + MINIMAL,
        "tab-inside": "distributed_type: 'NO'\t\nnum_processes: 1\t# one\n",
        "unicode-text": MINIMAL + "main_training_function: \"h\\u00e4upt\\U0001F600\"\n",
        "escapes": MINIMAL + "main_training_function: \"a\\tb\\x41\\\\\"\n",
        "long-text": MINIMAL + "main_training_function: " + "word " * 40 + "\n",
        "commands": BASE + "commands:\n- echo a\n- 'echo: b'\ncommand_file: null\n",
        "tpu-env": "distributed_type: XLA\nnum_processes: 8\ntpu_env:\n- A: b\n- C=d\ntpu_name: n\ntpu_zone: z\n",
        "ordered": MINIMAL + "gpu_ids: !!omap [a: 1]\n",
        "python-tag": MINIMAL + "gpu_ids: !!python/tuple [1, 2]\n",
    }
    cases = [(k, {"text": v}) for k, v in out.items()]
    texts = {
        "nan": '{"distributed_type": "NO", "megatron_lm_config": {"a": NaN, "b": Infinity, "c": -Infinity}}',
        "nan-known": '{"distributed_type": "NO", "num_processes": NaN}',
        "minus-nan": '{"distributed_type": "NO", "megatron_lm_config": {"a": -NaN}}',
        "bom": "\ufeff" + '{"distributed_type": "NO"}',
        "null-environment": '{"compute_environment": null, "distributed_type": "NO"}',
        "null-type": '{"distributed_type": null}',
        "list": "[1, 2]",
        "number": "3",
        "empty": "",
        "trailing": '{"distributed_type": "NO"} x',
        "comment": '{"distributed_type": "NO"} // no',
        "single-quotes": "{'distributed_type': 'NO'}",
        "control": '{"distributed_type": "NO", "main_training_function": "a\nb"}',
        "pair": '{"distributed_type": "NO", "main_training_function": "\\ud83d\\ude00"}',
        "big": '{"distributed_type": "NO", "megatron_lm_config": {"a": 123456789012345678901234567890, "b": 1e400, "c": -0, "d": 1E5, "e": 1.0}}',
        "leading-zero": '{"distributed_type": "NO", "num_processes": 08}',
        "plus": '{"distributed_type": "NO", "num_processes": +8}',
        "nested-list": '{"distributed_type": "NO", "commands": ["a", ["b"], {"c": null}]}',
        "text-number": '{"distributed_type": "MULTI_GPU", "num_processes": "4"}',
        "null-precision": '{"distributed_type": "NO", "mixed_precision": null}',
    }
    return cases + [(f"json-{k}", {"file": "config.json", "text": v}) for k, v in texts.items()]
