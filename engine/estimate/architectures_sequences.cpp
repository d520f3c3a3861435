// Encoder-decoder models: T5, BART, Whisper.

#include <algorithm>

#include "estimate/architecture_parts.h"

namespace trainyard::estimate {

namespace {

using Config = ArchitectureConfig;

void t5_attention(Module& layer, const Config& config, const char* name, std::int64_t width, bool positions) {
    const std::int64_t heads = config.whole({"num_heads", "num_attention_heads"}, 8),
                       inner = heads * config.whole({"d_kv", "head_dim"}, 64);
    Module& attention = layer.child(name);
    for (const char* product : {"q", "k", "v"})
        attention.linear(product, width, inner, false);
    attention.linear("o", inner, width, false);
    if (positions)
        attention.embedding("relative_attention_bias", config.whole("relative_attention_num_buckets", 32), heads);
    layer.norm("layer_norm", width, false);
}

void t5_block(Module& block, const Config& config, std::int64_t width, bool decodes, bool positions) {
    const std::int64_t inner = config.whole("d_ff", 2048);
    Module& layer = block.child("layer");
    t5_attention(layer.layers(1, "", 0), config, "SelfAttention", width, positions);
    if (decodes)
        t5_attention(layer.layers(1, "", 1), config, "EncDecAttention", width, false);
    Module& last = layer.layers(1, "", decodes ? 2 : 1);
    Module& feed_forward = last.child("DenseReluDense");
    if (config.text("feed_forward_proj", "relu").starts_with("gated-")) {
        feed_forward.linear("wi_0", width, inner, false);
        feed_forward.linear("wi_1", width, inner, false);
    } else {
        feed_forward.linear("wi", width, inner, false);
    }
    feed_forward.linear("wo", inner, width, false);
    last.norm("layer_norm", width, false);
}

void t5_stack(Module& stack, const Config& config, std::int64_t width, std::int64_t layers, bool decodes) {
    stack.embedding("embed_tokens", config.whole("vocab_size", 32128), width);
    Module& blocks = stack.child("block");
    // Only the first block has the embedding of relative positions.
    t5_block(blocks.layers(std::min<std::int64_t>(layers, 1), "T5Block", 0), config, width, decodes, true);
    t5_block(blocks.layers(layers - 1, "T5Block", 1), config, width, decodes, false);
    stack.norm("final_layer_norm", width, false);
}

void t5_model(Module& model, const Config& config, bool decodes) {
    const std::int64_t width = config.whole({"d_model", "hidden_size"}, 512),
                       layers = config.whole({"num_layers", "num_hidden_layers"}, 6, 0);
    model.embedding("shared", config.whole("vocab_size", 32128), width);
    t5_stack(model.child("encoder"), config, width, layers, false);
    if (decodes)
        t5_stack(model.child("decoder"), config, width, config.whole("num_decoder_layers", layers, 0), true);
}

/// A block of BART or Whisper; Whisper's keys have no bias.
void bart_block(Module& block, std::int64_t width, std::int64_t inner, bool decodes, bool key_bias) {
    auto attention = [&](const char* name) {
        Module& made = block.child(name);
        made.linear("k_proj", width, width, key_bias);
        for (const char* product : {"v_proj", "q_proj", "out_proj"})
            made.linear(product, width, width);
    };
    attention("self_attn");
    block.norm("self_attn_layer_norm", width);
    if (decodes) {
        attention("encoder_attn");
        block.norm("encoder_attn_layer_norm", width);
    }
    block.linear("fc1", width, inner);
    block.linear("fc2", inner, width);
    block.norm("final_layer_norm", width);
}

void bart_stack(Module& stack, const Config& config, const std::string& part, std::int64_t width) {
    const bool decodes = part == "decoder";
    stack.embedding("embed_tokens", config.whole("vocab_size", 50265), width);
    stack.embedding("embed_positions", config.whole("max_position_embeddings", 1024) + 2, width);
    Module& block = stack.child("layers").layers(config.whole((part + "_layers").c_str(), 12, 0),
                                                 decodes ? "BartDecoderLayer" : "BartEncoderLayer");
    bart_block(block, width, config.whole((part + "_ffn_dim").c_str(), 4096), decodes, true);
    stack.norm("layernorm_embedding", width);
}

void bart_model(Module& model, const Config& config) {
    const std::int64_t width = config.whole({"d_model", "hidden_size"}, 1024);
    model.embedding("shared", config.whole("vocab_size", 50265), width);
    bart_stack(model.child("encoder"), config, "encoder", width);
    bart_stack(model.child("decoder"), config, "decoder", width);
}

void whisper_model(Module& model, const Config& config) {
    const std::int64_t width = config.whole({"d_model", "hidden_size"}, 384);
    auto blocks = [&](Module& stack, const std::string& part) {
        const bool decodes = part == "decoder";
        Module& block = stack.child("layers").layers(config.whole((part + "_layers").c_str(), 4, 0),
                                                     decodes ? "WhisperDecoderLayer" : "WhisperEncoderLayer");
        bart_block(block, width, config.whole((part + "_ffn_dim").c_str(), 1536), decodes, false);
        stack.norm("layer_norm", width);
    };
    Module& encoder = model.child("encoder");
    encoder.conv("conv1", config.whole("num_mel_bins", 80), width, {3});
    encoder.conv("conv2", width, width, {3});
    encoder.embedding("embed_positions", config.whole("max_source_positions", 1500), width);
    blocks(encoder, "encoder");
    Module& decoder = model.child("decoder");
    decoder.embedding("embed_tokens", config.whole("vocab_size", 51865), width);
    decoder.embedding("embed_positions", config.whole("max_target_positions", 448), width);
    blocks(decoder, "decoder");
}

std::vector<std::string> embeddings_of(const std::string& prefix) {
    return {prefix + "shared.weight", prefix + "encoder.embed_tokens.weight", prefix + "decoder.embed_tokens.weight"};
}

std::vector<std::string> with(std::vector<std::string> names, const std::string& more) {
    names.push_back(more);
    return names;
}

Architecture t5() {
    Architecture made{"t5", {"T5Block"}, true, {}};
    made.heads["AutoModel"] = {
        "T5Model", [](Module& model, const Config& config) { t5_model(model, config, true); }, {}, {embeddings_of("")}};
    const Build with_head = [](Module& model, const Config& config) {
        t5_model(model, config, true);
        model.linear("lm_head", config.whole({"d_model", "hidden_size"}, 512), config.whole("vocab_size", 32128),
                     false);
    };
    made.heads["AutoModelForSeq2SeqLM"] = {
        "T5ForConditionalGeneration", with_head, {with(embeddings_of(""), "lm_head.weight")}, {embeddings_of("")}};
    return made;
}

Architecture bart() {
    Architecture made{"bart", {"BartEncoderLayer", "BartDecoderLayer"}, true, {}};
    made.heads["AutoModel"] = {"BartModel", bart_model, {embeddings_of("")}};
    made.heads["AutoModelForSeq2SeqLM"] = {
        "BartForConditionalGeneration",
        [](Module& model, const Config& config) {
            const std::int64_t vocabulary = config.whole("vocab_size", 50265);
            model.buffer("final_logits_bias", {1, vocabulary});
            bart_model(model.child("model"), config);
            model.linear("lm_head", config.whole({"d_model", "hidden_size"}, 1024), vocabulary, false);
        },
        {with(embeddings_of("model."), "lm_head.weight")}};
    return made;
}

Architecture whisper() {
    Architecture made{"whisper", {"WhisperEncoderLayer", "WhisperDecoderLayer"}, true, {}};
    made.heads["AutoModel"] = {"WhisperModel", whisper_model};
    made.heads["AutoModelForSpeechSeq2Seq"] = {"WhisperForConditionalGeneration",
                                               [](Module& model, const Config& config) {
                                                   whisper_model(model.child("model"), config);
                                                   model.linear("proj_out",
                                                                config.whole({"d_model", "hidden_size"}, 384),
                                                                config.whole("vocab_size", 51865), false);
                                               },
                                               {{"model.decoder.embed_tokens.weight", "proj_out.weight"}}};
    return made;
}

}  // namespace

std::vector<Architecture> sequence_architectures() {
    return {t5(), bart(), whisper()};
}

}  // namespace trainyard::estimate
