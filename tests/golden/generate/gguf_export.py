# SPDX-License-Identifier: GPL-3.0-or-later
"""What llama.cpp's own converter writes for the models of golden/models: its values, and the tensors by their hashes.

    python gguf_export.py --llama-cpp FOLDER [--out DIR] [--only WORD...]

FOLDER is a checkout of llama.cpp (convert_hf_to_gguf.py, gguf-py). The models have no tokenizer, so the converter is
kept from looking for one. Writes gguf_export.json, and gguf_models: models that golden/models has only with values that
llama.cpp does not compute. --only leaves the results of models whose names have none of the words as they are. Needs
torch, transformers, numpy and pyyaml.
"""
import argparse, hashlib, json, os, pathlib, subprocess, sys, tempfile

parser = argparse.ArgumentParser()
parser.add_argument("--llama-cpp", type=pathlib.Path, required=True)
parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parent.parent)
parser.add_argument("--only", nargs="*", default=[""])
arguments = parser.parse_args()
sys.path[:0] = [str(arguments.llama_cpp), str(arguments.llama_cpp / "gguf-py")]

import gguf
import numpy as np
import torch
import conversion as converter

CASES = [("llama_gqa", "f32"), ("llama_gqa", "q8_0"), ("llama_gqa", "f16"), ("llama_gqa", "bf16"),
         ("llama3_rope", "f32"), ("llama_yarn", "f32"), ("llama_legacy_config", "f32"), ("mistral_window", "f32"),
         ("mixtral_aux", "f32"), ("mixtral_aux", "q8_0"), ("mixtral_left_tied", "f32"), ("qwen2_tied", "f32"),
         ("qwen2_tied", "q8_0"), ("gpt2", "f32"), ("gpt2", "q8_0"), ("gpt_neox", "f32"),
         ("phi3_longrope", "f32"), ("bloom", "f32"), ("falcon", "f32")]
SIZES = dict(vocab_size=32, hidden_size=32, intermediate_size=48, num_hidden_layers=2, num_attention_heads=4,
             num_key_value_heads=2, max_position_embeddings=32, bos_token_id=0, eos_token_id=1)
MADE = {"qwen3": ("Qwen3ForCausalLM", dict(SIZES, head_dim=16, tie_word_embeddings=True)),
        "gemma2": ("Gemma2ForCausalLM", dict(SIZES, head_dim=16, query_pre_attn_scalar=16, sliding_window=8, pad_token_id=0)),
        "qwen2_moe": ("Qwen2MoeForCausalLM", dict(SIZES, num_experts=3, num_experts_per_tok=2, moe_intermediate_size=32,
                                                  shared_expert_intermediate_size=64, tie_word_embeddings=False)),
        "falcon_groups": ("FalconForCausalLM", dict(vocab_size=32, hidden_size=32, num_hidden_layers=2, num_attention_heads=4,
                                                    num_kv_heads=2, new_decoder_architecture=True, bos_token_id=0,
                                                    eos_token_id=1)),
        "mpt": ("MptForCausalLM", dict(vocab_size=32, d_model=32, n_layers=2, n_heads=4, max_seq_len=32,
                                       attn_config=dict(clip_qkv=0.5)))}
ADAPTERS = ["llama_gqa", "qwen2_tied", "mistral_window", "phi3_longrope"]
FILE_TYPES = {"f32": "ALL_F32", "f16": "MOSTLY_F16", "bf16": "MOSTLY_BF16", "q8_0": "MOSTLY_Q8_0"}
# What names the folder or the program, and what the converter derives from a model card.
LEFT_OUT = ("general.name", "general.basename", "general.size_label", "general.finetune", "general.version", "GGUF.",
            "general.sampling.", "general.license", "general.organization", "tokenizer.")


def make_models(folder):
    import transformers
    for seed, (name, (kind, config)) in enumerate(MADE.items()):
        if not any(word in f"gguf_models/{name}" for word in arguments.only):
            continue
        model_class = getattr(transformers, kind)
        torch.manual_seed(seed)
        model = model_class(model_class.config_class(**config))
        with torch.no_grad():
            for parameter in model.parameters():  # norms and biases, too
                parameter.add_(torch.randn(parameter.shape) * 0.1)
        model.save_pretrained(folder / name)
        (folder / name / "generation_config.json").unlink(missing_ok=True)


def convert(folder, kind, file):
    hparams = converter.ModelBase.load_hparams(folder, False)
    # Keys of transformers before version 5, which the converter asks for.
    hparams.setdefault("n_ctx", hparams.get("n_positions"))
    hparams.setdefault("rotary_pct", hparams.get("rope_parameters", {}).get("partial_rotary_factor", 1.0))
    if hparams.get("multi_query") and not hparams.get("new_decoder_architecture"):
        hparams.pop("num_kv_heads", None)  # which transformers does not read then
    # The converter knows the class by the name that its author gave it.
    model_class = converter.get_model_class(hparams["architectures"][0].replace("MptFor", "MPTFor"))
    with torch.inference_mode():
        model = model_class(folder, gguf.LlamaFileType[FILE_TYPES[kind]], file, eager=True, hparams=hparams)
        model.set_vocab = lambda: None
        model.write()


def convert_adapter(folder, file):
    program = [sys.executable, arguments.llama_cpp / "convert_lora_to_gguf.py", "--base", arguments.out / "models" / folder.name]
    subprocess.run([*program, "--outtype", "f32", "--outfile", file, folder], check=True, capture_output=True,
                   env=dict(os.environ, PYTHONPATH=os.pathsep.join(sys.path)))


def text_of(field):
    value = field.contents()
    return str(value).lower() if isinstance(value, bool) else value


def main():
    results = arguments.out / "gguf_export.json"
    stored = json.loads(results.read_text()) if results.exists() else []
    result = [case for case in stored if not any(word in case["model"] for word in arguments.only)]
    make_models(arguments.out / "gguf_models")
    for name, kind in [*((f"models/{name}", kind) for name, kind in CASES), *((f"gguf_models/{name}", "f32") for name in MADE),
                       *((f"adapters/{name}", "f32") for name in ADAPTERS)]:
        if not any(word in name for word in arguments.only):
            continue
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "model.gguf"
            try:
                if name.startswith("adapters/"):
                    convert_adapter(arguments.out / name, file)
                else:
                    convert(arguments.out / name, kind, file)
            except Exception as error:  # models that the converter does not take
                print(f"{name} {kind}: {type(error).__name__}: {error}")
                continue
            reader = gguf.GGUFReader(file)
            values = {key: text_of(field) for key, field in reader.fields.items() if not key.startswith(LEFT_OUT)}
            tensors = [{"name": tensor.name, "type": tensor.tensor_type.name, "shape": [int(n) for n in reversed(tensor.shape)],
                        "sha256": hashlib.sha256(np.ascontiguousarray(tensor.data).tobytes()).hexdigest()}
                       for tensor in sorted(reader.tensors, key=lambda tensor: tensor.name)]
            result.append({"model": name, "type": kind, "values": values, "tensors": tensors})
    results.write_text(json.dumps(result, indent=1) + "\n")


main()
