// SPDX-License-Identifier: GPL-3.0-or-later
// Text encoders: ELECTRA, ALBERT, DeBERTa.

#include <algorithm>

#include "base/json_writer.h"
#include "estimate/architecture_parts.h"

namespace trainyard::estimate {

namespace {

using Config = ArchitectureConfig;

constexpr int kIndex = 8;  ///< bytes of a position id

/// ELECTRA and ALBERT use these embeddings.
void bert_embeddings(Module& model, const Config& config, std::int64_t vocabulary, std::int64_t width) {
    const std::int64_t positions = config.whole("max_position_embeddings", 512);
    Module& embeddings = model.child("embeddings");
    embeddings.buffer("position_ids", {1, positions}, kIndex).buffer("token_type_ids", {1, positions}, kIndex);
    embeddings.embedding("word_embeddings", config.whole("vocab_size", vocabulary), width);
    embeddings.embedding("position_embeddings", positions, width);
    embeddings.embedding("token_type_embeddings", config.whole("type_vocab_size", 2), width);
    embeddings.norm("LayerNorm", width);
}

/// A linear layer, then a norm of its residual sum.
void dense_and_norm(Module& parent, const char* name, std::int64_t in, std::int64_t out) {
    Module& output = parent.child(name);
    output.linear("dense", in, out);
    output.norm("LayerNorm", out);
}

void feed_forward(Module& block, std::int64_t width, std::int64_t inner) {
    block.child("intermediate").linear("dense", width, inner);
    dense_and_norm(block, "output", inner, width);
}

void electra_model(Module& model, const Config& config) {
    const std::int64_t width = config.whole("hidden_size", 256), narrow = config.whole("embedding_size", 128);
    bert_embeddings(model, config, 30522, narrow);
    if (narrow != width)
        model.linear("embeddings_project", narrow, width);
    Module& block = model.child("encoder").child("layer").layers(config.whole("num_hidden_layers", 12, 0));
    Module& attention = block.child("attention");
    Module& self = attention.child("self");
    for (const char* name : {"query", "key", "value"})
        self.linear(name, width, width);
    dense_and_norm(attention, "output", width, width);
    feed_forward(block, width, config.whole("intermediate_size", 1024));
}

/// Classes with one more linear layer: of tokens and of answers.
std::vector<families::LayerClass> labelled(const std::string& prefix) {
    return {{"AutoModelForTokenClassification", prefix + "ForTokenClassification", "classifier"},
            {"AutoModelForQuestionAnswering", prefix + "ForQuestionAnswering", "qa_outputs"}};
}

Architecture electra() {
    const auto width = [](const Config& config) { return config.whole("hidden_size", 256); };
    Architecture made{"electra", "ElectraModel", "electra", electra_model};
    made.modules = {.no_split = {},
                    .classes = labelled("Electra"),
                    .shared = {{"electra.embeddings.word_embeddings.weight", "generator_lm_head.weight"}}};
    made.tie_word_embeddings = true;
    made.width = width;
    made.heads = {{"AutoModelForMaskedLM", "ElectraForMaskedLM",
                   [=](Module& model, const Config& config) {
                       const std::int64_t narrow = config.whole("embedding_size", 128);
                       Module& head = model.child("generator_predictions");
                       head.norm("LayerNorm", narrow);
                       head.linear("dense", width(config), narrow);
                       model.linear("generator_lm_head", narrow, config.whole("vocab_size", 30522));
                   }},
                  {"AutoModelForSequenceClassification", "ElectraForSequenceClassification",
                   [=](Module& model, const Config& config) {
                       Module& head = model.child("classifier");
                       head.linear("dense", width(config), width(config));
                       head.linear("out_proj", width(config), config.labels());
                   }}};
    return made;
}

void albert_model(Module& model, const Config& config) {
    const std::int64_t width = config.whole("hidden_size", 4096), narrow = config.whole("embedding_size", 128),
                       inner = config.whole("intermediate_size", 16384);
    bert_embeddings(model, config, 30000, narrow);
    Module& encoder = model.child("encoder");
    encoder.linear("embedding_hidden_mapping_in", narrow, width);
    Module& layer = encoder.child("albert_layer_groups")
                        .layers(config.whole("num_hidden_groups", 1))
                        .child("albert_layers")
                        .layers(config.whole("inner_group_num", 1));
    layer.norm("full_layer_layer_norm", width);
    Module& attention = layer.child("attention");
    for (const char* name : {"query", "key", "value", "dense"})
        attention.linear(name, width, width);
    attention.norm("LayerNorm", width);
    layer.linear("ffn", width, inner);
    layer.linear("ffn_output", inner, width);
}

Architecture albert() {
    const auto width = [](const Config& config) { return config.whole("hidden_size", 4096); };
    const auto pooler = [=](Module& model, const Config& config) {
        model.linear("pooler", width(config), width(config));
    };
    Architecture made{"albert", "AlbertModel", "albert", albert_model};
    made.modules = {.no_split = {},
                    .classes = labelled("Albert"),
                    .shared = {{"albert.embeddings.word_embeddings.weight", "predictions.decoder.weight"},
                               {"predictions.bias", "predictions.decoder.bias"}}};
    made.tie_word_embeddings = true;
    made.width = width;
    made.heads = {{"AutoModel", "AlbertModel", pooler},
                  {"AutoModelForMaskedLM", "AlbertForMaskedLM",
                   [=](Module& model, const Config& config) {
                       const std::int64_t narrow = config.whole("embedding_size", 128),
                                          vocabulary = config.whole("vocab_size", 30000);
                       Module& head = model.child("predictions").parameter("bias", {vocabulary});
                       head.norm("LayerNorm", narrow);
                       head.linear("dense", width(config), narrow);
                       head.linear("decoder", narrow, vocabulary);
                   }},
                  {"AutoModelForSequenceClassification", "AlbertForSequenceClassification",
                   [=](Module& model, const Config& config) {
                       pooler(model.children.front(), config);
                       model.linear("classifier", width(config), config.labels());
                   }}};
    return made;
}

/// Versions 1 and 2, which differ in the projections of queries, keys and relative positions.
void deberta_model(Module& model, const Config& config, bool second) {
    const std::int64_t width = config.whole("hidden_size", second ? 1536 : 768),
                       positions = config.whole("max_position_embeddings", 512),
                       types = config.whole("type_vocab_size", 0, 0), narrow = config.whole("embedding_size", width);
    const bool relative = config.truth("relative_attention", false), shared_keys = config.truth("share_att_key", false);
    auto names = [&](const char* word) {  // a list, or one string separated by bars
        if (!config.has("pos_att_type"))
            return false;
        const nlohmann::json& kinds = config.json().at("pos_att_type");
        return kinds.is_array() ? std::find(kinds.begin(), kinds.end(), word) != kinds.end()
                                : json_text(kinds).find(word) != std::string::npos;
    };
    Module& embeddings = model.child("embeddings").buffer("position_ids", {1, positions}, kIndex);
    embeddings.embedding("word_embeddings", config.whole("vocab_size", second ? 128100 : 50265), narrow);
    if (config.truth("position_biased_input", true))
        embeddings.embedding("position_embeddings", positions, narrow);
    if (types > 0)
        embeddings.embedding("token_type_embeddings", types, narrow);
    if (narrow != width)
        embeddings.linear("embed_proj", narrow, width, false);
    embeddings.norm("LayerNorm", width);
    Module& encoder = model.child("encoder");
    Module& block = encoder.child("layer").layers(config.whole("num_hidden_layers", second ? 24 : 12, 0));
    Module& attention = block.child("attention");
    Module& self = attention.child("self");
    if (second) {
        for (const char* name : {"query_proj", "key_proj", "value_proj"})
            self.linear(name, width, width);
        if (relative && !shared_keys) {
            if (names("c2p"))
                self.linear("pos_key_proj", width, width);
            if (names("p2c"))
                self.linear("pos_query_proj", width, width);
        }
    } else {
        self.parameter("q_bias", {width}).parameter("v_bias", {width});
        self.linear("in_proj", width, 3 * width, false);
        if (config.truth("talking_head", false)) {
            const std::int64_t heads = config.whole("num_attention_heads", 12);
            self.linear("head_logits_proj", heads, heads, false);
            self.linear("head_weights_proj", heads, heads, false);
        }
        if (relative && names("c2p"))
            self.linear("pos_proj", width, width, false);
        if (relative && names("p2c"))
            self.linear("pos_q_proj", width, width);
    }
    dense_and_norm(attention, "output", width, width);
    feed_forward(block, width, config.whole("intermediate_size", second ? 6144 : 3072));
    if (relative) {
        const auto farthest = config.whole("max_relative_positions", -1, -1),
                   buckets = second ? config.whole("position_buckets", -1, -1) : -1;
        encoder.embedding("rel_embeddings", 2 * (buckets > 0 ? buckets : farthest < 1 ? positions : farthest), width);
    }
    if (second && config.text("norm_rel_ebd", "none").find("layer_norm") != std::string::npos)
        encoder.norm("LayerNorm", width);
    if (const std::int64_t kernel = second ? config.whole("conv_kernel_size", 0, 0) : 0; kernel > 0) {
        Module& layer = encoder.child("conv");
        layer.conv("conv", width / config.whole("conv_groups", 1), width, {kernel});
        layer.norm("LayerNorm", width);
    }
}

Architecture deberta(bool second) {
    const std::string prefix = second ? "DebertaV2" : "Deberta";
    const auto width = [second](const Config& config) { return config.whole("hidden_size", second ? 1536 : 768); };
    Architecture made{second ? "deberta-v2" : "deberta", prefix + "Model", "deberta",
                      [second](Module& model, const Config& config) { deberta_model(model, config, second); }};
    made.modules = {.no_split = {},
                    .classes = labelled(prefix),
                    .shared = {{"deberta.embeddings.word_embeddings.weight", "cls.predictions.decoder.weight"},
                               {"cls.predictions.bias", "cls.predictions.decoder.bias"}}};
    made.tie_word_embeddings = true;
    made.width = width;
    made.heads = {{"AutoModelForMaskedLM", prefix + "ForMaskedLM",
                   [=](Module& model, const Config& config) {
                       const std::int64_t vocabulary = config.whole("vocab_size", second ? 128100 : 50265),
                                          narrow = config.whole("embedding_size", width(config));
                       if (!config.truth("legacy", true)) {
                           Module& head =
                               model.child("lm_predictions").child("lm_head").parameter("bias", {vocabulary});
                           head.linear("dense", width(config), width(config));
                           head.norm("LayerNorm", width(config));
                           return;
                       }
                       Module& predictions = model.child("cls").child("predictions").parameter("bias", {vocabulary});
                       dense_and_norm(predictions, "transform", width(config), narrow);
                       predictions.linear("decoder", narrow, vocabulary);
                   }},
                  {"AutoModelForSequenceClassification", prefix + "ForSequenceClassification",
                   [=](Module& model, const Config& config) {
                       const std::int64_t pooled = config.whole("pooler_hidden_size", width(config));
                       model.child("pooler").linear("dense", pooled, pooled);
                       model.linear("classifier", pooled, config.labels());
                   }}};
    return made;
}

}  // namespace

std::vector<Architecture> encoder_architectures() {
    return {electra(), albert(), deberta(false), deberta(true)};
}

}  // namespace trainyard::estimate
