# SPDX-License-Identifier: GPL-3.0-or-later
"""Peer: greedy generation with a model whose weights are on disk, by Accelerate's disk offload.

python offload.py '{"model": FOLDER, "offload": FOLDER, "way": "disk_offload", "prompt": [1, 2, 3], "tokens": 4}' prints
{"tokens": [...], "seconds": s, "load_seconds": s}. way is disk_offload (a .dat file for each weight, in the folder `offload`),
or safetensors (weights are read from the model's own file, as transformers' from_pretrained does with device_map).
"""
import json, os, sys, time

import torch, transformers
from accelerate import disk_offload, dispatch_model, init_empty_weights

transformers.logging.set_verbosity_error()


def offloaded(given):
    config = transformers.AutoConfig.from_pretrained(given["model"])
    with init_empty_weights():
        model = transformers.AutoModelForCausalLM.from_config(config, dtype=torch.float32)
    model.eval()
    if given["way"] == "disk_offload":
        return disk_offload(model, given["offload"], execution_device=torch.device("cpu"))
    file = os.path.join(given["model"], "model.safetensors")
    index = {name: {"safetensors_file": file, "weight_name": name, "dtype": "float32"} for name, _ in model.named_parameters()}
    return dispatch_model(model, {"": "disk"}, main_device=torch.device("cpu"), offload_index=index, force_hooks=True)


def measure(given):
    begin = time.perf_counter()
    model = offloaded(given)
    ids = torch.tensor([given["prompt"]])
    loaded = time.perf_counter()
    with torch.inference_mode():
        made = model.generate(ids, attention_mask=torch.ones_like(ids), do_sample=False, max_new_tokens=given["tokens"],
                              min_new_tokens=given["tokens"], eos_token_id=None, pad_token_id=0)
    end = time.perf_counter()
    return {"tokens": made[0, ids.shape[1]:].tolist(), "seconds": end - loaded, "load_seconds": loaded - begin}


print(json.dumps(measure(json.loads(sys.argv[1]))))
