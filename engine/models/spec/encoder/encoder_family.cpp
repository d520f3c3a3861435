// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "models/spec/config_keys.h"
#include "models/spec/encoder/encoder_options.h"
#include "models/spec/encoder/encoder_rows.h"
#include "models/spec/labels.h"
#include "models/spec/tasks.h"

namespace trainyard::families {

namespace {

/// Collects the tensors of an encoder.
class EncoderTensors {
  public:
    explicit EncoderTensors(const EncoderOptions& options) : options_(options) {}

    std::vector<TensorShape> all() {
        add_embeddings();
        for (std::int64_t layer = 0; layer < options_.layers; ++layer)
            add_block(layer);
        part_ = Part::head;
        block_ = 0;
        if (!options_.names.final_norm.empty())
            norm(options_.names.final_norm);
        add_head();
        return std::move(made_);
    }

  private:
    void add(const std::string& name, std::vector<std::int64_t> shape, Start::Kind start = Start::Kind::normal,
             bool of_task = false) {
        made_.push_back({name, std::move(shape), part_, block_, false, {start, options_.deviation}, of_task});
    }
    void dense(const std::string& module, std::int64_t in, std::int64_t out, bool bias = true, bool of_task = false) {
        add(module + ".weight", {out, in}, Start::Kind::normal, of_task);
        if (bias)
            add(module + ".bias", {out}, Start::Kind::zeros, of_task);
    }
    void norm(const std::string& module, bool of_task = false) {
        add(module + ".weight", {options_.width}, Start::Kind::ones, of_task);
        add(module + ".bias", {options_.width}, Start::Kind::zeros, of_task);
    }

    void add_embeddings() {
        const EncoderNames& names = options_.names;
        const std::int64_t width = options_.width;
        if (!names.class_token.empty()) {
            add(names.class_token, {1, 1, width});
            add(names.position_table, {1, options_.patches() + 1, width});
            add(names.patch_projection + ".weight",
                {width, options_.channels, options_.patch_size, options_.patch_width});
            add(names.patch_projection + ".bias", {width}, Start::Kind::zeros);
            return;
        }
        add(names.token_table + ".weight", {options_.vocabulary, width});
        made_.back().tied_to_head = options_.tied_head && !options_.head.bias.empty();
        add(names.position_table + ".weight", {options_.positions, width});
        if (options_.types > 0)
            add(names.type_table + ".weight", {options_.types, width});
        if (!names.table_norm.empty())
            norm(names.table_norm);
    }

    void add_block(std::int64_t layer) {
        const EncoderNames& names = options_.names;
        const std::string prefix = fmt::format("{}{}.", names.blocks, layer);
        const std::int64_t width = options_.width;
        part_ = Part::block;
        block_ = layer;
        if (options_.lists_norms_first)
            norm(prefix + names.norm_1);
        for (const std::string* each : {&names.query, &names.key, &names.value})
            dense(prefix + *each, width, width, options_.query_bias);
        dense(prefix + names.attention_output, width, width);
        if (!options_.pre_norm)
            norm(prefix + names.norm_1);
        if (options_.lists_norms_first)
            norm(prefix + names.norm_2);
        dense(prefix + names.up, width, options_.inner);
        dense(prefix + names.down, options_.inner, width);
        if (options_.lists_norms_first)
            return;
        if (options_.pre_norm)
            norm(prefix + names.norm_1);
        norm(prefix + names.norm_2);
    }

    void add_head() {
        const EncoderHead& head = options_.head;
        const std::int64_t width = options_.width;
        if (!head.unused.empty())
            dense(head.unused, width, width, true, true);
        if (!head.dense.empty())
            dense(head.dense, width, width, true, true);
        if (!head.norm.empty())
            norm(head.norm, true);
        if (!head.bias.empty()) {
            add(head.bias, {options_.vocabulary}, Start::Kind::zeros, true);
            if (!options_.tied_head)
                add(head.output + ".weight", {options_.vocabulary, width}, Start::Kind::normal, true);
        } else if (!head.output.empty()) {
            dense(head.output, width, options_.labels, true, true);
        }
    }

    const EncoderOptions& options_;
    std::vector<TensorShape> made_;
    Part part_ = Part::embedding;
    std::int64_t block_ = 0;
};

/// The row with second names of the vocabulary's weight and bias.
FamilyRow with_shared_names(const EncoderRow& row) {
    FamilyRow made = row.family;
    const EncoderHead& head = row.heads.front();
    if (head.bias.empty())
        return made;
    made.modules.shared.push_back({row.names.token_table + ".weight", head.output + ".weight"});
    if (head.bias != head.output + ".bias")
        made.modules.shared.push_back({head.bias, head.output + ".bias"});
    return made;
}

/// One number, or the same one for height and width, becomes one; else `width_key` gets the width.
void divide_size(nlohmann::json& config, const char* key, const char* width_key) {
    const auto given = config.find(key);
    if (given == config.end() || !given->is_array() || given->size() != 2)
        return;
    const nlohmann::json height = given->at(0), width = given->at(1);
    config[key] = height;
    if (height != width)
        config[width_key] = width;
}

class EncoderFamily final : public Family {
  public:
    explicit EncoderFamily(const EncoderRow& row) : Family(with_shared_names(row)), encoder_(row) {}
    Network network() const override { return Network::encoder; }

    ModelConfig defaults() const override { return encoder_.defaults; }

    ModelConfig small() const override {
        const ModelConfig sizes;
        ModelConfig config = encoder_.defaults;
        config.vocab_size = sizes.vocab_size;
        config.n_positions = sizes.n_positions + (encoder_.defaults.pad_token_id > 0 ? 2 : 0);
        config.n_embd = sizes.n_embd;
        config.n_layer = sizes.n_layer;
        config.n_head = sizes.n_head;
        config.n_inner = 4 * sizes.n_embd;
        config.resid_pdrop = config.attn_pdrop = 0;
        config.classifier_dropout = -1;
        config.image_size = 32;
        config.patch_size = 4;
        return config;
    }

    ModelConfig resolved(const ModelConfig& config) const override {
        ModelConfig made = with_label_names(config);
        if (made.classifier_dropout < 0)  // which not every class of transformers takes as null
            made.classifier_dropout = made.resid_pdrop;
        return made;
    }

    void modernise(nlohmann::json& config) const override {
        count_labels(config);
        if (reads_images()) {
            divide_size(config, "image_size", "image_width");
            divide_size(config, "patch_size", "patch_width");
        }
    }

    std::vector<ConfigProblem> problems(const ModelConfig& config) const override {
        std::vector<ConfigProblem> found;
        const std::string heads = key_of(&ModelConfig::n_head), width = key_of(&ModelConfig::n_embd);
        if (config.n_head > 0 && config.n_embd % config.n_head != 0)
            found.push_back(
                {heads,
                 {width},
                 Message("{} ({}) must be a multiple of {} ({})", width, config.n_embd, heads, config.n_head)});
        check_activation(key_of(&ModelConfig::activation_function), config.activation_function, found);
        if (reads_images() && config.patch_size > 0 && (config.image_size % config.patch_size != 0))
            found.push_back({"patch_size",
                             {"image_size"},
                             Message("image_size ({}) must be a multiple of patch_size ({})", config.image_size,
                                     config.patch_size)});
        check_labels(config, found);
        if (config.task == kQuestionAnswering && config.num_labels != 2)
            found.push_back({"num_labels",
                             {"task"},
                             Message("is {}, and question_answering scores two things of a token, whether the answer "
                                     "begins and whether it ends there: give 2",
                                     config.num_labels)});
        return found;
    }

    std::vector<TensorShape> tensors(const ModelConfig& config) const override {
        return EncoderTensors(options(config)).all();
    }

    bool is_constant(const std::string& name) const override {
        // Positions that transformers stored until version 4.
        return name.ends_with("embeddings.position_ids") || Family::is_constant(name);
    }

    LayerCounts shorten(ModelConfig& config) const override { return {cut(encoder_.names.blocks, config.n_layer)}; }

    EncoderOptions options(const ModelConfig& config) const {
        EncoderOptions made;
        made.names = encoder_.names;
        made.head = encoder_.heads.front();
        for (const EncoderHead& head : encoder_.heads)
            if (head.task == config.task)
                made.head = head;
        made.epsilon = config.layer_norm_epsilon;
        made.vocabulary = config.vocab_size;
        made.positions = config.n_positions;
        made.types = config.type_vocab_size;
        made.layers = config.n_layer;
        made.width = config.n_embd;
        made.inner = config.n_inner > 0 ? config.n_inner : 4 * config.n_embd;
        made.heads = config.n_head;
        made.padding = config.pad_token_id;
        if (auto known = activation_of(config.activation_function))
            made.activation = *known;
        made.deviation = config.initializer_range;
        made.attention_dropout = config.attn_pdrop;
        made.hidden_dropout = config.resid_pdrop;
        made.head_dropout = config.classifier_dropout >= 0 ? config.classifier_dropout : config.resid_pdrop;
        made.tied_head = config.tie_word_embeddings;
        made.labels = config.task == kMultipleChoice ? 1 : config.num_labels;
        made.problem =
            config.task == kSentenceEmbedding ? config.loss.empty() ? kRankingLoss : config.loss : loss_of(config);
        encoder_.configure(config, made);
        return made;
    }

    double rows_of_block(const ModelConfig& config, const SampleSize& size) const override {
        return reads_images() ? patches(config, size) + 1 : size.tokens;
    }
    double image_cost(const ModelConfig& config, const SampleSize& size) const override {
        return reads_images() ? patches(config, size) * static_cast<double>(config.n_embd * config.num_channels *
                                                                            config.patch_size * config.patch_size)
                              : 0;
    }

  protected:
    double attention_pairs(const ModelConfig& config, const SampleSize& size, std::int64_t) const override {
        return rows_of_block(config, size) * rows_of_block(config, size);
    }
    double rows(const ModelConfig& config, const SampleSize& size, const TensorShape& tensor) const override {
        if (tensor.part == Part::block)
            return rows_of_block(config, size);
        const EncoderOptions made = options(config);
        const EncoderHead& head = made.head;
        const bool scores_vocabulary = !head.bias.empty();
        // Only tokens with a label are scored (encoder_network.cpp), and heads of a whole sequence compute one row.
        if (tensor.part == Part::embedding || (scores_vocabulary && tensor.name == head.output + ".weight"))
            return scores_vocabulary ? size.labels : 0;
        if (!head.unused.empty() && tensor.name.starts_with(head.unused))
            return 0;
        return head.input == EncoderHead::Input::every_token ? rows_of_block(config, size) : 1;
    }

  private:
    bool reads_images() const { return !encoder_.names.patch_projection.empty(); }
    static double patches(const ModelConfig& config, const SampleSize& size) {
        const std::int64_t height = size.height > 0 ? size.height : config.image_size,
                           width = size.width > 0 ? size.width : config.image_size;
        const std::int64_t rows = height / config.patch_size, columns = width / config.patch_size;
        return static_cast<double>(rows * columns);
    }

    const EncoderRow& encoder_;
};

}  // namespace

const std::vector<const Family*>& encoder_families() {
    static const std::vector<EncoderFamily> all(encoder_rows().begin(), encoder_rows().end());
    static const std::vector<const Family*> addresses = addresses_of(all);
    return addresses;
}

std::int64_t most_tokens(const ModelConfig& config) {
    if (family_of(config).network() != Network::encoder)
        return config.n_positions;
    const EncoderOptions options = encoder_options(config);
    return options.positions - std::max<std::int64_t>(0, options.first_position);
}

EncoderOptions encoder_options(const ModelConfig& config) {
    return static_cast<const EncoderFamily&>(family_of(config)).options(config);
}

}  // namespace trainyard::families
