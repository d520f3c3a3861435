# SPDX-License-Identifier: GPL-3.0-or-later
"""What transformers reads from config.json in old and new spellings, for every family.

    python config_spellings.py [--out DIR] [--spec SPEC.json] [--only WORD]

cases.json: `config` is the file; `expected` has the fields of the configuration that transformers makes of it (`rope_parameters` apart), `rope` the
frequencies and the attention factor for a short and a long sequence; `error` is there instead where transformers refuses the file.
"""
import json, pathlib, tempfile

from artifact import arguments, write_json
import torch
from transformers import AutoConfig
from transformers.modeling_rope_utils import ROPE_INIT_FUNCTIONS

SHORT, LONG = 12, 48
LEFT_OUT = set("""architectures chunk_size_feed_forward dtype is_encoder_decoder label2id output_attentions output_hidden_states return_dict transformers_version
    rope_parameters use_cache model_type id2label layer_types stage_names out_features out_indices problem_type _name_or_path auto_map pretraining_tp""".split())
B = dict
SMALL = B(vocab_size=96, hidden_size=32, intermediate_size=48, num_hidden_layers=2, num_attention_heads=4, max_position_embeddings=64)
LISTS = B(short_factor=[1.0, 1.1, 1.2, 1.3], long_factor=[1.0, 2.5, 6.0, 12.0])
DECODERS = {
    "llama": ("LlamaForCausalLM", B(SMALL, num_key_value_heads=2)), "mistral": ("MistralForCausalLM", B(SMALL, num_key_value_heads=2, sliding_window=None)),
    "qwen2": ("Qwen2ForCausalLM", B(SMALL, num_key_value_heads=2)), "qwen3": ("Qwen3ForCausalLM", B(SMALL, num_key_value_heads=2, head_dim=8)),
    "phi3": ("Phi3ForCausalLM", B(SMALL, num_key_value_heads=2, pad_token_id=0)),
    "gemma2": ("Gemma2ForCausalLM", B(SMALL, num_key_value_heads=2, head_dim=8, query_pre_attn_scalar=8, sliding_window=16)),
    "mixtral": ("MixtralForCausalLM", B(SMALL, num_key_value_heads=2, num_local_experts=4, head_dim=8)), "gpt_neox": ("GPTNeoXForCausalLM", B(SMALL, hidden_size=64))}
GPT2 = B(vocab_size=96, n_positions=64, n_embd=32, n_layer=2, n_head=4)
OPT = B(vocab_size=96, max_position_embeddings=64, hidden_size=32, ffn_dim=48, num_hidden_layers=2, num_attention_heads=4, word_embed_proj_dim=32)
BERT = B(SMALL, type_vocab_size=2)
DISTILBERT = B(vocab_size=96, max_position_embeddings=64, dim=32, n_layers=2, n_heads=4, hidden_dim=48)
VIT = B(hidden_size=32, num_hidden_layers=2, num_attention_heads=4, intermediate_size=48, image_size=16, patch_size=8, num_channels=3)
T5 = B(vocab_size=96, d_model=32, d_kv=8, d_ff=48, num_layers=2, num_heads=4, relative_attention_num_buckets=8, relative_attention_max_distance=20)
RESNET = B(num_channels=3, embedding_size=8, hidden_sizes=[8, 16], depths=[1, 1], layer_type="basic")


def case(name, model_type, architecture, base, **more):
    config = B(base, model_type=model_type, architectures=[architecture], transformers_version="4.40.0")
    for key, value in more.items():
        config.pop(key, None) if value == "absent" else config.__setitem__(key, value)
    return B(name=f"{model_type}/{name}", config=config)


def default():
    all = []
    for model, (architecture, base) in DECODERS.items():
        add = lambda name, **more: all.append(case(name, model, architecture, base, **more))
        add("plain")
        add("torch_dtype_bf16", torch_dtype="bfloat16")
        add("dtype_fp16", dtype="float16")
        add("end_list", eos_token_id=[5, 7, 9], bos_token_id=3)
        add("end_null", eos_token_id=None, bos_token_id=None)
        if model in ("llama", "phi3"):
            add("defaults_of_sizes", num_key_value_heads="absent", intermediate_size="absent")
        theta, share = ("rotary_emb_base", "rotary_pct") if model == "gpt_neox" else ("rope_theta", "partial_rotary_factor")
        add("theta_beside", **{theta: 5000.0})
        add("theta_inside", rope_parameters=B(rope_type="default", rope_theta=5000.0))
        if model in ("llama", "phi3", "gpt_neox", "qwen2"):
            add("share_beside", **{theta: 5000.0, share: 0.5})
        if model != "phi3":
            add("linear_old", rope_scaling=B(type="linear", factor=4.0), **{theta: 5000.0})
            add("linear_new", rope_parameters=B(rope_type="linear", factor=4.0, rope_theta=5000.0))
            add("dynamic_both_types", rope_scaling=B(type="linear", rope_type="dynamic", factor=4.0))
            add("yarn_old", rope_scaling=B(type="yarn", factor=4.0, original_max_position_embeddings=16))
            add("yarn_length_beside", rope_scaling=B(type="yarn", factor=4.0), original_max_position_embeddings=16)
            add("yarn_lengths_differ", rope_scaling=B(type="yarn", factor=4.0, original_max_position_embeddings=32), original_max_position_embeddings=16)
            add("yarn_without_length", rope_scaling=B(rope_type="yarn", factor=4.0))
            add("yarn_attention_factor", rope_scaling=B(rope_type="yarn", factor=4.0, attention_factor=1.5, beta_fast=16.0, beta_slow=2.0, original_max_position_embeddings=16))
            add("yarn_attn_factor", rope_scaling=B(rope_type="yarn", factor=4.0, attn_factor=2.0, original_max_position_embeddings=16))
            add("yarn_mscale", rope_parameters=B(rope_type="yarn", factor=4.0, mscale=0.7, mscale_all_dim=0.5, truncate=False, rope_theta=10000.0, original_max_position_embeddings=16))
            add("llama3", rope_scaling=B(rope_type="llama3", factor=8.0, low_freq_factor=1.0, high_freq_factor=4.0, original_max_position_embeddings=16))
            add("scaling_and_parameters", rope_scaling=B(rope_type="linear", factor=4.0), rope_parameters=B(rope_type="linear", factor=2.0, rope_theta=777.0))
            add("empty_scaling", rope_scaling={}, rope_parameters=B(rope_type="linear", factor=2.0, rope_theta=777.0))
            add("null_scaling", rope_scaling=None)
        if model != "gpt_neox":
            add("longrope_old", rope_scaling=B(LISTS, type="longrope"), original_max_position_embeddings=16)
            add("longrope_new", rope_parameters=B(LISTS, rope_type="longrope", rope_theta=10000.0, original_max_position_embeddings=16), original_max_position_embeddings=16)
            add("longrope_factor", rope_scaling=B(LISTS, type="longrope", factor=8.0, original_max_position_embeddings=16), original_max_position_embeddings=16)
            add("longrope_attention_factor", rope_scaling=B(LISTS, type="longrope", attention_factor=1.25, original_max_position_embeddings=16), original_max_position_embeddings=16)
            add("longrope_without_length", rope_scaling=B(LISTS, type="longrope"))
        if model == "phi3":
            add("su", rope_scaling=B(LISTS, type="su", original_max_position_embeddings=16), original_max_position_embeddings=16)
            add("yarn_is_longrope", rope_scaling=B(LISTS, type="yarn"), original_max_position_embeddings=16)
    all.append(case("unknown_kept", "llama", "LlamaForCausalLM", DECODERS["llama"][1], _name_or_path="someone/llama", pretraining_tp=1, auto_map={"AutoModel": "x.Y"}, use_cache=False))
    all.append(case("hidden_act_of_old", "gemma2", "Gemma2ForCausalLM", DECODERS["gemma2"][1], hidden_act="gelu_pytorch_tanh"))
    all.append(case("experts", "mixtral", "MixtralForCausalLM", B(DECODERS["mixtral"][1]), num_local_experts="absent", num_experts=6))
    all.append(case("no_experts", "mixtral", "MixtralForCausalLM", B(DECODERS["mixtral"][1]), num_local_experts="absent"))
    others = {"gpt2": ("GPT2LMHeadModel", GPT2), "opt": ("OPTForCausalLM", OPT), "bert": ("BertForMaskedLM", BERT), "roberta": ("RobertaForMaskedLM", BERT),
              "distilbert": ("DistilBertForMaskedLM", DISTILBERT), "vit": ("ViTForImageClassification", VIT), "t5": ("T5ForConditionalGeneration", T5),
              "resnet": ("ResNetForImageClassification", RESNET)}
    for model, (architecture, base) in others.items():
        add = lambda name, **more: all.append(case(name, model, architecture, base, **more))
        add("plain")
        add("torch_dtype_bf16", torch_dtype="bfloat16")
        add("dtype_fp16", dtype="float16")
        if model not in ("vit", "resnet"):
            add("end_list", eos_token_id=[5, 7, 9])
            add("end_null", eos_token_id=None)
    gpt2 = lambda name, **more: all.append(case(name, "gpt2", "GPT2LMHeadModel", GPT2, **more))
    gpt2("common_names", n_embd="absent", n_layer="absent", n_head="absent", n_positions="absent", hidden_size=32, num_hidden_layers=2, num_attention_heads=4, max_position_embeddings=64)
    gpt2("n_ctx", n_ctx=64, n_inner=None, summary_type="cls_index", task_specific_params={"text-generation": {"do_sample": True, "max_length": 50}})
    distilbert = lambda name, **more: all.append(case(name, "distilbert", "DistilBertForMaskedLM", DISTILBERT, **more))
    distilbert("common_names", dim="absent", n_layers="absent", n_heads="absent", hidden_size=32, num_hidden_layers=2, num_attention_heads=4)
    t5 = lambda name, **more: all.append(case(name, "t5", "T5ForConditionalGeneration", T5, **more))
    t5("common_names", d_model="absent", d_kv="absent", num_layers="absent", num_heads="absent", num_decoder_layers=2, hidden_size=32, head_dim=8, num_hidden_layers=2, num_attention_heads=4)
    t5("untied", tie_word_embeddings=False, feed_forward_proj="gated-gelu", num_decoder_layers=1)
    t5("untied_and_scaled", tie_word_embeddings=False, scale_decoder_outputs=True)
    bert = lambda name, **more: all.append(case(name, "bert", "BertForSequenceClassification", BERT, **more))
    bert("labels", id2label={"0": "no", "1": "yes", "2": "maybe"}, label2id={"no": 0, "yes": 1, "maybe": 2}, problem_type="single_label_classification")
    bert("num_labels", num_labels=5)
    bert("_num_labels", _num_labels=4)
    bert("old_fields", output_past=True, pruned_heads={}, is_decoder=False, gradient_checkpointing=False, position_embedding_type="absolute")
    return all


def frequencies(config, length):
    parameters = config.rope_parameters
    if parameters["rope_type"] == "default":
        width = int((getattr(config, "head_dim", None) or config.hidden_size // config.num_attention_heads) * parameters.get("partial_rotary_factor", 1.0))
        return [1.0 / parameters["rope_theta"] ** (2 * i / width) for i in range(width // 2)], 1.0
    found, factor = ROPE_INIT_FUNCTIONS[parameters["rope_type"]](config, torch.device("cpu"), seq_len=length)
    return found.tolist(), float(factor)


def read(given):
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "config.json").write_text(json.dumps(given))
        try:
            config = AutoConfig.from_pretrained(folder)
            expected = {k: v for k, v in config.to_dict().items() if k not in LEFT_OUT}
            result = dict(expected=expected)
            if getattr(config, "rope_parameters", None):
                result["rope"] = [dict(zip(("length", "frequencies", "attention_factor"), (length, *frequencies(config, length)))) for length in (SHORT, LONG)]
            return result
        except Exception as error:
            return dict(error=f"{type(error).__name__}: {error}"[:200])


def main(out, spec, only):
    rows = [dict(each, **read(each["config"])) for each in spec if only in each["name"]]
    write_json(out / "cases.json", rows, indent=None)
    for row in rows:
        if "error" in row:
            print(row["name"], row["error"])
    print(len(rows), "files")


if __name__ == "__main__":
    main(*arguments("config_spellings", default()))
