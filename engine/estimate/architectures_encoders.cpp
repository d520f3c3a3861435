// Text encoders: BERT, RoBERTa, ELECTRA, DistilBERT, ALBERT, DeBERTa.

#include <algorithm>

#include "base/json_writer.h"
#include "estimate/architecture_parts.h"

namespace trainyard::estimate {

namespace {

using Config = ArchitectureConfig;

constexpr int kIndex = 8;  ///< bytes of a position id

struct BertKind {
    std::string model_type, prefix, inner;  ///< "bert", "Bert", "bert"
    std::int64_t vocabulary = 30522, width = 768, feed_forward = 3072, heads = 12, layers = 12, types = 2;
    bool narrow_embedding = false;  ///< ELECTRA: embedding_size
    bool position_last = false;     ///< RoBERTa registers the buffer after the norm
    bool pooler = true;
};

void bert_embeddings(Module& model, const Config& config, const BertKind& kind, std::int64_t width) {
    const std::int64_t positions = config.whole("max_position_embeddings", 512);
    Module& embeddings = model.child("embeddings", kind.prefix + "Embeddings");
    embeddings.buffer("position_ids", {1, positions}, kIndex).buffer("token_type_ids", {1, positions}, kIndex);
    embeddings.embedding("word_embeddings", config.whole("vocab_size", kind.vocabulary), width);
    if (!kind.position_last)
        embeddings.embedding("position_embeddings", positions, width);
    embeddings.embedding("token_type_embeddings", config.whole("type_vocab_size", kind.types), width);
    embeddings.norm("LayerNorm", width);
    if (kind.position_last)
        embeddings.embedding("position_embeddings", positions, width);
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

void bert_model(Module& model, const Config& config, const BertKind& kind, bool pooler) {
    const std::int64_t width = config.whole("hidden_size", kind.width);
    const std::int64_t narrow = kind.narrow_embedding ? config.whole("embedding_size", 128) : width;
    bert_embeddings(model, config, kind, narrow);
    if (narrow != width)
        model.linear("embeddings_project", narrow, width);
    Module& block = model.child("encoder").child("layer").layers(config.whole("num_hidden_layers", kind.layers, 0),
                                                                 kind.prefix + "Layer");
    Module& attention = block.child("attention");
    Module& self = attention.child("self");
    for (const char* name : {"query", "key", "value"})
        self.linear(name, width, width);
    dense_and_norm(attention, "output", width, width);
    feed_forward(block, width, config.whole("intermediate_size", kind.feed_forward));
    if (pooler && kind.pooler)
        model.child("pooler").linear("dense", width, width);
}

/// A linear layer, a norm and the vocabulary projection, whose weight is the embedding's.
void bert_prediction(Module& model, const Config& config, const BertKind& kind) {
    const std::int64_t width = config.whole("hidden_size", kind.width),
                       vocabulary = config.whole("vocab_size", kind.vocabulary);
    if (kind.model_type == "bert") {
        Module& predictions = model.child("cls").child("predictions").parameter("bias", {vocabulary});
        dense_and_norm(predictions, "transform", width, width);
        predictions.linear("decoder", width, vocabulary);
    } else if (kind.model_type == "roberta") {
        Module& head = model.child("lm_head").parameter("bias", {vocabulary});
        head.linear("dense", width, width);
        head.norm("layer_norm", width);
        head.linear("decoder", width, vocabulary);
    } else {
        const std::int64_t narrow = config.whole("embedding_size", 128);
        Module& head = model.child("generator_predictions");
        head.norm("LayerNorm", narrow);
        head.linear("dense", width, narrow);
        model.linear("generator_lm_head", narrow, vocabulary);
    }
}

Architecture bert_like(const BertKind& kind) {
    Architecture made{kind.model_type, {}, true, {}};
    if (!kind.narrow_embedding)
        made.no_split = {kind.prefix + "Embeddings", kind.prefix + "Layer"};
    auto around = [kind](Module& model, const Config& config, bool pooler) {
        bert_model(model.child(kind.inner), config, kind, pooler);
    };
    auto width = [kind](const Config& config) { return config.whole("hidden_size", kind.width); };
    made.heads["AutoModel"] = {kind.prefix + "Model",
                               [kind](Module& model, const Config& config) { bert_model(model, config, kind, true); }};
    const std::string table = kind.inner + ".embeddings.word_embeddings.weight";
    const std::map<std::string, std::vector<std::vector<std::string>>> shared{
        {"bert", {{table, "cls.predictions.decoder.weight"}, {"cls.predictions.bias", "cls.predictions.decoder.bias"}}},
        {"roberta", {{table, "lm_head.decoder.weight"}, {"lm_head.bias", "lm_head.decoder.bias"}}},
        {"electra", {{table, "generator_lm_head.weight"}}}};
    made.heads["AutoModelForMaskedLM"] = {kind.prefix + "ForMaskedLM",
                                          [=](Module& model, const Config& config) {
                                              around(model, config, false);
                                              bert_prediction(model, config, kind);
                                          },
                                          shared.at(kind.model_type)};
    made.heads["AutoModelForSequenceClassification"] = {
        kind.prefix + "ForSequenceClassification", [=](Module& model, const Config& config) {
            around(model, config, kind.model_type == "bert");
            if (kind.model_type == "bert")
                return model.linear("classifier", width(config), config.labels());
            Module& head = model.child("classifier");
            head.linear("dense", width(config), width(config));
            head.linear("out_proj", width(config), config.labels());
        }};
    made.heads["AutoModelForTokenClassification"] = {kind.prefix + "ForTokenClassification",
                                                     [=](Module& model, const Config& config) {
                                                         around(model, config, false);
                                                         model.linear("classifier", width(config), config.labels());
                                                     }};
    made.heads["AutoModelForQuestionAnswering"] = {kind.prefix + "ForQuestionAnswering",
                                                   [=](Module& model, const Config& config) {
                                                       around(model, config, false);
                                                       model.linear("qa_outputs", width(config), config.labels());
                                                   }};
    return made;
}

void distilbert_model(Module& model, const Config& config) {
    const std::int64_t width = config.whole({"dim", "hidden_size"}, 768), inner = config.whole("hidden_dim", 3072),
                       positions = config.whole("max_position_embeddings", 512);
    Module& embeddings = model.child("embeddings").buffer("position_ids", {1, positions}, kIndex);
    embeddings.embedding("word_embeddings", config.whole("vocab_size", 30522), width);
    embeddings.embedding("position_embeddings", positions, width);
    embeddings.norm("LayerNorm", width);
    Module& block =
        model.child("transformer").child("layer").layers(config.whole({"n_layers", "num_hidden_layers"}, 6, 0));
    Module& attention = block.child("attention");
    for (const char* name : {"q_lin", "k_lin", "v_lin", "out_lin"})
        attention.linear(name, width, width);
    block.norm("sa_layer_norm", width);
    Module& ffn = block.child("ffn");
    ffn.linear("lin1", width, inner);
    ffn.linear("lin2", inner, width);
    block.norm("output_layer_norm", width);
}

Architecture distilbert() {
    Architecture made{"distilbert", {}, true, {}};
    auto width = [](const Config& config) { return config.whole({"dim", "hidden_size"}, 768); };
    made.heads["AutoModel"] = {"DistilBertModel", distilbert_model};
    made.heads["AutoModelForMaskedLM"] = {"DistilBertForMaskedLM",
                                          [=](Module& model, const Config& config) {
                                              distilbert_model(model.child("distilbert"), config);
                                              model.linear("vocab_transform", width(config), width(config));
                                              model.norm("vocab_layer_norm", width(config));
                                              model.linear("vocab_projector", width(config),
                                                           config.whole("vocab_size", 30522));
                                          },
                                          {{"distilbert.embeddings.word_embeddings.weight", "vocab_projector.weight"}}};
    made.heads["AutoModelForSequenceClassification"] = {
        "DistilBertForSequenceClassification", [=](Module& model, const Config& config) {
            distilbert_model(model.child("distilbert"), config);
            model.linear("pre_classifier", width(config), width(config));
            model.linear("classifier", width(config), config.labels());
        }};
    made.heads["AutoModelForTokenClassification"] = {"DistilBertForTokenClassification",
                                                     [=](Module& model, const Config& config) {
                                                         distilbert_model(model.child("distilbert"), config);
                                                         model.linear("classifier", width(config), config.labels());
                                                     }};
    return made;
}

void albert_model(Module& model, const Config& config, bool pooler) {
    const std::int64_t width = config.whole("hidden_size", 4096), narrow = config.whole("embedding_size", 128),
                       inner = config.whole("intermediate_size", 16384);
    bert_embeddings(model, config, {.model_type = "albert", .prefix = "Albert", .inner = "albert", .vocabulary = 30000},
                    narrow);
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
    if (pooler)
        model.linear("pooler", width, width);
}

Architecture albert() {
    Architecture made{"albert", {}, true, {}};
    auto around = [](Module& model, const Config& config, bool pooler) {
        albert_model(model.child("albert"), config, pooler);
    };
    auto labelled = [=](const char* name, bool pooler) {
        return [=](Module& model, const Config& config) {
            around(model, config, pooler);
            model.linear(name, config.whole("hidden_size", 4096), config.labels());
        };
    };
    made.heads["AutoModel"] = {"AlbertModel",
                               [](Module& model, const Config& config) { albert_model(model, config, true); }};
    made.heads["AutoModelForMaskedLM"] = {"AlbertForMaskedLM",
                                          [=](Module& model, const Config& config) {
                                              const std::int64_t narrow = config.whole("embedding_size", 128),
                                                                 vocabulary = config.whole("vocab_size", 30000);
                                              around(model, config, false);
                                              Module& head = model.child("predictions").parameter("bias", {vocabulary});
                                              head.norm("LayerNorm", narrow);
                                              head.linear("dense", config.whole("hidden_size", 4096), narrow);
                                              head.linear("decoder", narrow, vocabulary);
                                          },
                                          {{"albert.embeddings.word_embeddings.weight", "predictions.decoder.weight"},
                                           {"predictions.bias", "predictions.decoder.bias"}}};
    made.heads["AutoModelForSequenceClassification"] = {"AlbertForSequenceClassification",
                                                        labelled("classifier", true)};
    made.heads["AutoModelForTokenClassification"] = {"AlbertForTokenClassification", labelled("classifier", false)};
    made.heads["AutoModelForQuestionAnswering"] = {"AlbertForQuestionAnswering", labelled("qa_outputs", false)};
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
    Architecture made{second ? "deberta-v2" : "deberta", {}, true, {}};
    const std::string prefix = second ? "DebertaV2" : "Deberta";
    auto width = [second](const Config& config) { return config.whole("hidden_size", second ? 1536 : 768); };
    auto around = [second](Module& model, const Config& config) {
        deberta_model(model.child("deberta"), config, second);
    };
    auto labelled = [=](const char* name) {
        return [=](Module& model, const Config& config) {
            around(model, config);
            model.linear(name, width(config), config.labels());
        };
    };
    made.heads["AutoModel"] = {prefix + "Model",
                               [second](Module& model, const Config& config) { deberta_model(model, config, second); }};
    made.heads["AutoModelForMaskedLM"] = {
        prefix + "ForMaskedLM",
        [=](Module& model, const Config& config) {
            const std::int64_t vocabulary = config.whole("vocab_size", second ? 128100 : 50265),
                               narrow = config.whole("embedding_size", width(config));
            around(model, config);
            if (!config.truth("legacy", true)) {
                Module& head = model.child("lm_predictions").child("lm_head").parameter("bias", {vocabulary});
                head.linear("dense", width(config), width(config));
                head.norm("LayerNorm", width(config));
                return;
            }
            Module& predictions = model.child("cls").child("predictions").parameter("bias", {vocabulary});
            dense_and_norm(predictions, "transform", width(config), narrow);
            predictions.linear("decoder", narrow, vocabulary);
        },
        {{"deberta.embeddings.word_embeddings.weight", "cls.predictions.decoder.weight"},
         {"cls.predictions.bias", "cls.predictions.decoder.bias"}}};
    made.heads["AutoModelForSequenceClassification"] = {
        prefix + "ForSequenceClassification", [=](Module& model, const Config& config) {
            const std::int64_t pooled = config.whole("pooler_hidden_size", width(config));
            around(model, config);
            model.child("pooler").linear("dense", pooled, pooled);
            model.linear("classifier", pooled, config.labels());
        }};
    made.heads["AutoModelForTokenClassification"] = {prefix + "ForTokenClassification", labelled("classifier")};
    made.heads["AutoModelForQuestionAnswering"] = {prefix + "ForQuestionAnswering", labelled("qa_outputs")};
    return made;
}

}  // namespace

std::vector<Architecture> encoder_architectures() {
    std::vector<Architecture> made;
    made.push_back(bert_like({.model_type = "bert", .prefix = "Bert", .inner = "bert"}));
    made.push_back(bert_like({.model_type = "roberta",
                              .prefix = "Roberta",
                              .inner = "roberta",
                              .vocabulary = 50265,
                              .position_last = true}));
    made.push_back(bert_like({.model_type = "electra",
                              .prefix = "Electra",
                              .inner = "electra",
                              .width = 256,
                              .feed_forward = 1024,
                              .heads = 4,
                              .narrow_embedding = true,
                              .pooler = false}));
    made.push_back(distilbert());
    made.push_back(albert());
    made.push_back(deberta(false));
    made.push_back(deberta(true));
    return made;
}

}  // namespace trainyard::estimate
