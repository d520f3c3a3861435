# SPDX-License-Identifier: GPL-3.0-or-later
"""A model of transformers of a config.json, with the weights and inputs of a safetensors file that the benchmark wrote."""
import sys

import torch, transformers
from safetensors.torch import load_file

transformers.logging.set_verbosity_error()


def same_model(given):
    """The model, and the inputs by name. What the file lacks may be tied weights and buffers only."""
    kind = getattr(transformers, given["class"])
    fields = {k: v for k, v in given["config"].items() if k not in ("model_type", "architectures", "dtype", "label2id")}
    config = kind.config_class(**fields)
    model = kind(config)
    tensors = load_file(given["file"])
    inputs = {name[len("input."):]: tensor for name, tensor in tensors.items() if name.startswith("input.")}
    weights = {name: tensor for name, tensor in tensors.items() if not name.startswith("input.")}
    missing, unexpected = model.load_state_dict(weights, strict=False)
    if unexpected:  # files have other names than modules of this version, which loading as a checkpoint converts
        model, report = kind.from_pretrained(None, config=config, state_dict=weights, output_loading_info=True)
        missing, unexpected = report["missing_keys"], report["unexpected_keys"]
    tied = set(getattr(model, "_tied_weights_keys", None) or ()) | {name for name, _ in model.named_buffers()}
    lacking = [name for name in missing if name not in tied and not shares(model, name, weights)]
    assert not unexpected and not lacking, (unexpected, lacking)
    model.tie_weights()
    return model, inputs


def shares(model, name, weights):
    """Whether a parameter is another name of one that was loaded."""
    parameters = dict(model.named_parameters(remove_duplicate=False))
    return any(other in weights and parameters[other] is parameters.get(name) for other in parameters)


def answers(answer):
    """Answers each line of standard input with one; {"error": ...} where that failed."""
    import json
    for line in sys.stdin:
        try:
            made = answer(json.loads(line))
        except Exception as error:
            made = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps(made), flush=True)
