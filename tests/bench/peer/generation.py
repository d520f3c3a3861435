"""Peer: greedy generation with one model of transformers at a mini size, with its key-value cache, not compiled.

python generation.py '{"config": {...}, "class": "LlamaForCausalLM", "prompt": 32, "tokens": 96, "repeats": 3}' prints
{"tokens_per_s": median}. Weights are random; what is computed depends on their shapes alone.
"""
import json, statistics, sys, time

sys.path.pop(0)  # tokenizers.py of this folder is no package

import torch, transformers

transformers.logging.set_verbosity_error()


def measure(given):
    kind = getattr(transformers, given["class"])
    fields = {k: v for k, v in given["config"].items() if k not in ("model_type", "architectures", "dtype", "label2id")}
    torch.manual_seed(1)
    model = kind(kind.config_class(**fields)).eval()
    ids = torch.randint(5, model.config.vocab_size, (1, given["prompt"]))
    times = []
    with torch.inference_mode():
        for _ in range(given["repeats"] + 1):
            begin = time.perf_counter()
            made = model.generate(ids, attention_mask=torch.ones_like(ids), do_sample=False, max_new_tokens=given["tokens"],
                                  min_new_tokens=given["tokens"], eos_token_id=None, pad_token_id=0)
            times.append(time.perf_counter() - begin)
            assert made.shape[1] == given["prompt"] + given["tokens"], made.shape
    return {"tokens_per_s": given["tokens"] / statistics.median(times[1:])}


print(json.dumps(measure(json.loads(sys.argv[1]))))
