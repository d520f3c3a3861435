# SPDX-License-Identifier: GPL-3.0-or-later
"""Proves that others compute what Trainyard exports.

    python prove.py --trainyard PATH --modules PATH [--record FILE] [gguf] [onnx] [tokens]

gguf: the package gguf reads each file, and transformers' from_pretrained(gguf_file=...) gives the logits of golden/models.
tokens: transformers makes the same tokens with the tokenizer in a GGUF file. onnx: onnx checks each file and
onnxruntime gives the logits of golden/models within 1e-5, also for a part of the batch and of the sequence; --record
writes the hashes of these files for the test inspect.onnx_export. Needs torch, transformers, gguf, onnx and onnxruntime.
"""
import argparse, hashlib, json, pathlib, shutil, subprocess, sys, tempfile

import numpy as np
import torch
import transformers
from safetensors.torch import load_file

transformers.logging.set_verbosity_error()
transformers.utils.logging.disable_progress_bar()
torch.set_grad_enabled(False)

GOLDEN = pathlib.Path(__file__).resolve().parents[2] / "golden"
# transformers reads no GGUF of Mistral, Mixtral and GPT-NeoX; golden/gguf_export.json has them.
GGUF_MODELS = ["llama_gqa", "llama3_rope", "llama_legacy_config", "qwen2_tied", "gpt2", "phi3_longrope"]
MADE_MODELS = ["qwen3", "gemma2", "qwen2_moe"]  # golden/gguf_models
ONNX_MODELS = ["gpt2", "llama_gqa", "llama3_rope", "llama_legacy_config", "llama_yarn", "mistral_window", "qwen2_tied",
               "qwen3", "phi3_longrope", "gemma2", "gpt_neox", "gpt_neox_sequential_left", "opt", "opt_post_norm_left",
               "bert_classification", "bert_answers", "bert_regression", "distilbert", "distilbert_answers", "roberta",
               "roberta_answers", "vit_classification", "vit_nobias", "resnet_classification", "resnet_bottleneck_early",
               "bloom", "bloom_normed_stream_left", "falcon", "falcon_groups", "falcon_groups_one_norm", "falcon_alibi", "mpt",
               "megatron_bert", "t5", "t5_gated", "mixtral_aux", "mixtral_left_tied", "qwen2_moe_dense_blocks",
               *(f"segmentation_models/{name}" for name in ("segformer", "segformer_classification",
                                                             "segformer_one_stage")),
               *(f"choice_models/{name}" for name in ("bert_choices", "distilbert_choices", "roberta_choices"))]
# Of llama_gqa, whose logits transformers computes now.
ONNX_CHANGES = {"dynamic": {"rope_parameters": {"rope_type": "dynamic", "factor": 2.0, "rope_theta": 10000.0}},
                "laplace": {"hidden_act": "laplace"}, "gelu_10": {"hidden_act": "gelu_10"}}
BOUND = 1e-5  # of logits
TEXTS = ["Hello world", "  two spaces and\na line", "naïve café 123456 €", "The quick brown fox. Don't!", "\u4f60\u597d", " x"]
TOKENIZERS = ["gpt2_bpe", "llama3_bpe", "llama2_bpe_fallback"]
failures = 0


def judge(name, good, what):
    global failures
    failures += not good
    print(f"{'ok ' if good else 'BAD'} {name}: {what}")


def export(trainyard, model, output, *arguments):
    return subprocess.run([trainyard, "checkpoints", "export", str(model), str(output), *arguments], capture_output=True,
                          text=True)


def difference(found, expected, mask):
    """The largest one, of tokens that are attended to. Logits of a decoder that reads an encoder have other tokens."""
    apart = (found - expected).abs()
    if mask is not None and apart.dim() == 3 and apart.shape[:2] == mask.shape:
        apart = apart * mask[..., None]
    return apart.max().item()


def model_of(folder, **arguments):
    config = transformers.AutoConfig.from_pretrained(folder)
    config._attn_implementation = "eager"
    source = dict(pretrained_model_name_or_path=folder, config=config) | arguments
    return transformers.AutoModelForCausalLM.from_pretrained(**source).eval()


def expected_of(model):
    """Of golden/models their own logits, else those that transformers computes now."""
    if (model / "expected.safetensors").exists():
        return load_file(model / "expected.safetensors")
    ids = torch.arange(28).reshape(2, 14)
    mask = torch.ones_like(ids)
    return dict(input_ids=ids, attention_mask=mask, logits=model_of(model)(input_ids=ids, attention_mask=mask).logits)


def prove_gguf(trainyard, folder):
    import gguf
    for name in [*(f"models/{name}" for name in GGUF_MODELS), *(f"gguf_models/{name}" for name in MADE_MODELS)]:
        model, name = GOLDEN / name, name.split("/")[1]
        expected = expected_of(model)
        file = folder / f"{name}.gguf"
        result = export(trainyard, model, file, "--to", "gguf", "--type", "f32")
        if result.returncode != 0:
            judge(name, False, result.stderr.strip())
            continue
        reader = gguf.GGUFReader(file)
        read = all(np.isfinite(gguf.quants.dequantize(tensor.data, tensor.tensor_type)).all() for tensor in reader.tensors)
        loaded = model_of(model, pretrained_model_name_or_path=folder, gguf_file=file.name)
        mask = expected["attention_mask"]
        found = loaded(input_ids=expected["input_ids"], attention_mask=mask).logits
        apart = difference(found, expected["logits"], mask)
        judge(f"gguf {name}", read and apart < 1e-4, f"{len(reader.tensors)} tensors, logits differ by {apart:.2e}")


def prove_tokens(trainyard, folder):
    for name in TOKENIZERS:
        model = folder / f"tokens_{name}"
        config = transformers.LlamaConfig(vocab_size=700, hidden_size=32, intermediate_size=32, num_hidden_layers=1,
                                          num_attention_heads=2, bos_token_id=1 if "llama2" in name else 0, eos_token_id=2)
        transformers.LlamaForCausalLM(config).save_pretrained(model)
        shutil.copy(GOLDEN / "tokenizers" / name / "tokenizer.json", model)
        file = folder / f"tokens_{name}.gguf"
        result = export(trainyard, model, file, "--to", "gguf")
        if result.returncode != 0:
            judge(name, False, result.stderr.strip())
            continue
        own = transformers.PreTrainedTokenizerFast(tokenizer_file=str(model / "tokenizer.json"))
        theirs = transformers.AutoTokenizer.from_pretrained(folder, gguf_file=file.name)
        for text in TEXTS:
            if "llama2" in name and text.startswith(" "):  # transformers' tokenizers of GGUF files drop one of two spaces
                continue
            a, b = own(text, add_special_tokens=False).input_ids, theirs(text, add_special_tokens=False).input_ids
            judge(f"tokens {name}", a == b, f"{text!r} {len(a)} tokens" if a == b else f"{text!r} {a} {b}")


def run_onnx(session, inputs):
    names = [value.name for value in session.get_inputs()]
    outputs = session.run(None, {name: inputs[name].numpy() for name in names if name in inputs})
    if "decoder_input_ids" in names:
        return torch.from_numpy(outputs[0])  # the second one is the encoder's
    return torch.stack([torch.from_numpy(o) for o in outputs], -1) if len(outputs) == 2 else torch.from_numpy(outputs[0])


def prove_large_onnx(trainyard, folder, onnxruntime):
    """Weights of more than 256 MiB are in a second file."""
    model = transformers.GPT2LMHeadModel(transformers.GPT2Config(n_layer=6)).eval()
    model.save_pretrained(folder / "large")
    result = export(trainyard, folder / "large", folder / "large.onnx", "--to", "onnx")
    judge("onnx large", result.returncode == 0 and (folder / "large.onnx_data").exists(), result.stderr.strip())
    session = onnxruntime.InferenceSession(str(folder / "large.onnx"), providers=["CPUExecutionProvider"])
    ids = torch.arange(40).reshape(2, 20)
    inputs = dict(input_ids=ids, attention_mask=torch.ones_like(ids))
    apart = difference(run_onnx(session, inputs), model(**inputs).logits, None)
    judge("onnx large", apart < 1e-4, f"logits differ by {apart:.2e}")


def run_pixels(session, inputs):
    """Logits of each pixel [batch, height, width, classes], as transformers enlarges them."""
    logits = torch.nn.functional.interpolate(run_onnx(session, inputs), size=inputs["pixel_values"].shape[2:],
                                             mode="bilinear", align_corners=False)
    return logits.permute(0, 2, 3, 1)


def prove_changed_onnx(trainyard, folder, onnxruntime):
    """Texts within the positions of the model and longer ones."""
    for name, changes in ONNX_CHANGES.items():
        model = folder / name
        shutil.copytree(GOLDEN / "models" / "llama_gqa", model)
        config = json.loads((model / "config.json").read_text()) | changes
        (model / "config.json").write_text(json.dumps(config))
        file = folder / f"{name}.onnx"
        result = export(trainyard, model, file, "--to", "onnx")
        if result.returncode != 0:
            judge(f"onnx {name}", False, result.stderr.strip())
            continue
        session = onnxruntime.InferenceSession(str(file), providers=["CPUExecutionProvider"])
        for length in (12, config["max_position_embeddings"] + 9):
            ids = torch.arange(2 * length).reshape(2, length) % config["vocab_size"]
            inputs = dict(input_ids=ids, attention_mask=torch.ones_like(ids))
            apart = difference(run_onnx(session, inputs), model_of(model)(**inputs).logits, None)
            judge(f"onnx {name}", apart < BOUND, f"logits of {length} tokens differ by {apart:.2e}")


def prove_onnx(trainyard, modules, folder, record):
    import onnx, onnxruntime
    hashes = {}
    for name in ONNX_MODELS:
        model = GOLDEN / (name if "/" in name else f"models/{name}")
        expected = load_file(model / "expected.safetensors")
        task = json.loads((model / "expected.json").read_text())["task"]
        run = run_pixels if task == "segment" else run_onnx
        file = folder / f"{name.replace('/', '_')}.onnx"
        result = export(trainyard, model, file, "--to", "onnx")
        if result.returncode != 0:
            judge(name, False, result.stderr.strip())
            continue
        onnx.checker.check_model(str(file), full_check=True)
        session = onnxruntime.InferenceSession(str(file), providers=["CPUExecutionProvider"])
        if "token_type_ids" in [value.name for value in session.get_inputs()]:
            expected.setdefault("token_type_ids", torch.zeros_like(expected["input_ids"]))
        whole = run(session, expected)
        apart = difference(whole, expected["logits"], expected.get("attention_mask"))
        # A part of the batch; of a causal model, also of the sequence.
        part = {key: value[:1] for key, value in expected.items()}
        some = run(session, part)
        rest = difference(some, whole[:1], part.get("attention_mask"))
        if task == "causal":
            for tokens in (9, 1):  # one token leaves experts without any
                short = {key: value[:, :tokens] for key, value in part.items() if key in ("input_ids", "attention_mask")}
                short["attention_mask"] = torch.ones_like(short["input_ids"])
                rest = max(rest, difference(run_onnx(session, short), model_of(model)(**short).logits, None))
        judge(f"onnx {name}", apart < BOUND and rest < BOUND, f"logits differ by {apart:.2e}, of a part by {rest:.2e}")
        hashes[name] = hashlib.sha256(file.read_bytes()).hexdigest()
    prove_changed_onnx(trainyard, folder, onnxruntime)
    prove_large_onnx(trainyard, folder, onnxruntime)
    (folder / "modules").mkdir()
    prove_modules(modules, folder / "modules", onnxruntime, hashes)
    if record and not failures:
        record.write_text(json.dumps(hashes, indent=1) + "\n")


def prove_modules(program, folder, onnxruntime, hashes):
    """Sequentials of programs (write_modules.cpp), also a part of the batch."""
    import onnx
    subprocess.run([program, str(folder)], check=True)
    for file in sorted(folder.glob("*.onnx")):
        onnx.checker.check_model(str(file), full_check=True)
        session = onnxruntime.InferenceSession(str(file), providers=["CPUExecutionProvider"])
        tensors = load_file(file.with_suffix(".safetensors"))
        whole = run_onnx(session, dict(input=tensors["input"]))
        part = run_onnx(session, dict(input=tensors["input"][:1]))
        apart = max(difference(whole, tensors["output"], None), difference(part, tensors["output"][:1], None))
        judge(f"onnx sequential/{file.stem}", apart < BOUND, f"outputs differ by {apart:.2e}")
        hashes[f"sequential/{file.stem}"] = hashlib.sha256(file.read_bytes()).hexdigest()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--trainyard", required=True)
    parser.add_argument("--modules", required=True, help="the program tests/write_modules of the build")
    parser.add_argument("--record", type=pathlib.Path)
    parser.add_argument("what", nargs="*", default=["gguf", "tokens", "onnx"])
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        if "gguf" in arguments.what:
            prove_gguf(arguments.trainyard, pathlib.Path(folder))
        if "tokens" in arguments.what:
            prove_tokens(arguments.trainyard, pathlib.Path(folder))
        if "onnx" in arguments.what:
            prove_onnx(arguments.trainyard, arguments.modules, pathlib.Path(folder), arguments.record)
    print(f"{failures} failures")
    sys.exit(failures > 0)


main()
