// SPDX-License-Identifier: GPL-3.0-or-later
// Encoder-decoder models: BART, Whisper.

#include "estimate/architecture_parts.h"

namespace trainyard::estimate {

namespace {

using Config = ArchitectureConfig;

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
    Module& block = stack.child("layers").layers(config.whole((part + "_layers").c_str(), 12, 0));
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
        Module& block = stack.child("layers").layers(config.whole((part + "_layers").c_str(), 4, 0));
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

families::ModuleRow modules_of(const std::string& prefix, std::vector<families::SharedName> shared) {
    return {.no_split = {{"encoder.layers.#", prefix + "EncoderLayer"}, {"decoder.layers.#", prefix + "DecoderLayer"}},
            .shared = std::move(shared)};
}

Architecture bart() {
    Architecture made{"bart", "BartModel", "model", bart_model};
    made.modules = modules_of("Bart", {{"model.shared.weight", "model.encoder.embed_tokens.weight"},
                                       {"model.shared.weight", "model.decoder.embed_tokens.weight"},
                                       {"model.shared.weight", "lm_head.weight"}});
    made.tie_word_embeddings = true;
    made.heads = {{"AutoModelForSeq2SeqLM", "BartForConditionalGeneration", [](Module& model, const Config& config) {
                       const std::int64_t vocabulary = config.whole("vocab_size", 50265);
                       model.buffer("final_logits_bias", {1, vocabulary});
                       model.linear("lm_head", config.whole({"d_model", "hidden_size"}, 1024), vocabulary, false);
                   }}};
    return made;
}

Architecture whisper() {
    Architecture made{"whisper", "WhisperModel", "model", whisper_model};
    made.modules = modules_of("Whisper", {{"model.decoder.embed_tokens.weight", "proj_out.weight"}});
    made.tie_word_embeddings = true;
    made.heads = {
        {"AutoModelForSpeechSeq2Seq", "WhisperForConditionalGeneration", [](Module& model, const Config& config) {
             model.linear("proj_out", config.whole({"d_model", "hidden_size"}, 384), config.whole("vocab_size", 51865),
                          false);
         }}};
    return made;
}

}  // namespace

std::vector<Architecture> sequence_architectures() {
    return {bart(), whisper()};
}

}  // namespace trainyard::estimate
