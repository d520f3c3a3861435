// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The registry of model families, independent of LibTorch: the keys of a family's config.json, and for a configuration
// the tensors, the number of operations and the memory. Recipes, checks, estimates, exports and the desktop use it;
// models/nn/model.h builds the networks.

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "base/message.h"
#include "models/spec/model_config.h"
#include "models/spec/module_tree.h"

namespace trainyard::families {

/// A key of config.json that takes effect.
struct ConfigKey {
    using Member = std::variant<std::int64_t ModelConfig::*, double ModelConfig::*, bool ModelConfig::*,
                                std::string ModelConfig::*, JsonText ModelConfig::*>;
    std::string name;
    Member member;
    /// The value determines the meaning of stored weights. Other keys (dropout, token ids) may differ between runs with
    /// the same weights.
    bool of_weights = false;
    double least = 0, most = 0;  ///< range of a number
    bool below_most = false;     ///< the upper limit is exclusive
    /// The meaning of null; without it null means the default.
    std::optional<std::int64_t> null = std::nullopt;
    std::string alias = {};  ///< the name that all models of transformers have in common: hidden_size
    std::string help = {};   ///< a sentence for recipes
    /// A real number that config.json holds as an integer where it is whole: transformers 5 checks the types of fields.
    bool integer_if_whole = false;
    /// The name in config.json, where recipes have another meaning for it.
    std::string in_files = {};
    const std::string& file_name() const { return in_files.empty() ? name : in_files; }
};

/// A task that models of a family can be trained for.
struct TaskClass {
    std::string task;          ///< a name of tasks.h
    std::string architecture;  ///< the class of transformers: "BertForMaskedLM"
};

/// A field of config.json of which this version computes one value.
struct FixedField {
    std::string name;
    std::string value;  ///< as JSON
};

/// A class of transformers that is not trained here: the model without a head, and one more linear layer.
struct LayerClass {
    std::string auto_class;    ///< "AutoModelForTokenClassification"
    std::string architecture;  ///< "GPT2ForTokenClassification"
    std::string layer;
    bool bias = true;
    bool pools = false;  ///< its outputs are as many as its inputs, not the labels
};

/// A second name of a parameter in transformers.
struct SharedName {
    std::string stored, other;
    bool if_tied = true;  ///< only with tie_word_embeddings; false: always
};

/// What transformers' modules have besides the tensors that files store. Modules are named by the end of their path,
/// where # means a number: "h.#".
struct ModuleRow {
    std::vector<std::pair<std::string, std::string>> no_split;  ///< modules, and their classes, that are on one device
    std::vector<LayerClass> classes = {};
    std::vector<SharedName> shared = {};
    std::vector<std::string> last = {};       ///< modules that come after their siblings, in this order
    std::vector<std::string> positions = {};  ///< buffers of a number for each position
    /// Parts of the names in files, and what transformers calls them since version 5. # stands for a number. Of a
    /// family without a single head also the beginnings of heads' names.
    std::vector<std::pair<std::string, std::string>> renamed = {};
};

enum class Part { embedding, block, head };

/// How a parameter starts.
struct Start {
    /// uniform: of both signs; positive: uniform from 0 on.
    enum class Kind { normal, zeros, ones, uniform, positive, constant } kind = Kind::normal;
    double deviation = 0.02;  ///< of normal; of uniform and positive the largest value, of constant the value
};

/// A parameter.
struct TensorShape {
    std::string name;  ///< full name: "transformer.h.0.ln_1.weight"
    std::vector<std::int64_t> shape;
    Part part = Part::embedding;
    std::int64_t block = 0;     ///< index, if part is block
    bool tied_to_head = false;  ///< the head uses it, too
    Start start = {};
    /// Belongs to the head of a task: weights that were trained for another task lack it, and it is initialized
    /// randomly.
    bool of_task = false;
    std::int64_t elements() const;
};

/// A value or combination of values that is not supported.
struct ConfigProblem {
    std::string key;
    std::vector<std::string> others;  ///< other keys that the problem involves
    Message message;
};

/// Bytes per token, if operands of matrix products have `product_bytes` per element: 4, or 2 in mixed precision.
struct ActivationBytes {
    std::uint64_t block_input = 0;    ///< the residual stream at a block's input
    std::uint64_t block = 0;          ///< what one block saves for backward
    std::uint64_t probabilities = 0;  ///< attention probabilities of one block, per key, if they are saved
    std::uint64_t outside = 0;        ///< what embedding and head save
    std::uint64_t head_input = 0;     ///< input of the head; its gradient has the same size
    std::uint64_t in_flight = 0;      ///< gradients of activations during backward
};

/// What a sample of a batch consists of, as padded; 0: it has none, or that is not known.
struct SampleSize {
    double tokens = 0;                   ///< of the text that is read
    double target_tokens = 0;            ///< of the text that a decoder beside an encoder writes
    double labels = 0;                   ///< tokens that a vocabulary is scored for
    std::int64_t height = 0, width = 0;  ///< of the image, in pixels
    /// A text whose every token is scored, as long as what is written of it.
    static SampleSize text(std::int64_t length) {
        const auto tokens = static_cast<double>(length);
        return {tokens, tokens, tokens};
    }
};

/// What computes a family's models (models/nn/model.cpp).
enum class Network { gpt2, decoder, encoder, t5, resnet, segformer, wav2vec2, plugin, script };

/// What a family is called, and the keys of its config.json.
struct FamilyRow {
    std::string model_type;
    std::string base_architecture;  ///< class of the model without a head: "GPT2Model"
    /// Prefix of all names except the head's; missing in files of the model without a head: "transformer.".
    std::string base_prefix;
    std::string head_name;         ///< the head's weight if it is not tied: "lm_head.weight"
    std::vector<TaskClass> tasks;  ///< the first is the usual one
    std::vector<ConfigKey> keys;
    /// Fields of this family's config.json that do not affect training, in addition to those of all families.
    std::vector<std::string> keys_without_effect;
    ModuleRow modules = {};
    std::vector<FixedField> fixed = {};
    /// Further keys that sizes of transformers' modules depend on, for values that this version does not train.
    std::vector<ConfigKey> untrained = {};
};

/// A row, and what is computed from a configuration. Costs follow from the tensors: what is multiplied per token is
/// what the matrices hold.
class Family {
  public:
    explicit Family(FamilyRow row) : row_(std::move(row)) {}
    virtual ~Family() = default;

    const std::string& model_type() const { return row_.model_type; }
    const std::string& base_architecture() const { return row_.base_architecture; }
    const std::string& base_prefix() const { return row_.base_prefix; }
    const std::string& head_name() const { return row_.head_name; }
    const std::vector<TaskClass>& tasks() const { return row_.tasks; }
    const std::vector<ConfigKey>& keys() const { return row_.keys; }
    const std::vector<std::string>& keys_without_effect() const { return row_.keys_without_effect; }
    const ModuleRow& modules() const { return row_.modules; }
    const std::vector<FixedField>& fixed_fields() const { return row_.fixed; }
    const std::vector<ConfigKey>& untrained_keys() const { return row_.untrained; }
    virtual Network network() const = 0;
    /// The class of transformers that a recipe trains: "GPT2LMHeadModel".
    std::string architecture(const ModelConfig& config) const;
    /// Defaults of transformers, for keys that a config.json lacks.
    virtual ModelConfig defaults() const = 0;
    /// Defaults of a recipe: a small model on bytes, or on small images, without dropout.
    virtual ModelConfig small() const = 0;
    /// Brings fields of earlier versions of transformers into the form of the key table: rope_theta and rope_scaling
    /// become rope_parameters. Fields of a wrong type stay for the reader to refuse.
    virtual void modernise(nlohmann::json& /*config*/) const {}
    /// Replaces values that stand for a default (num_key_value_heads: null) by the numbers they mean. config.json is
    /// written and weights are compared in this form.
    virtual ModelConfig resolved(const ModelConfig& config) const { return config; }
    /// Whether both values of the key give stored weights the same meaning.
    virtual bool same_weights(const ConfigKey& key, const ModelConfig& a, const ModelConfig& b) const;
    /// Values that this version cannot train, and contradictions.
    virtual std::vector<ConfigProblem> problems(const ModelConfig& config) const = 0;

    /// Files say by what they hold whether the head is tied, whatever tie_word_embeddings says.
    virtual bool head_is_as_stored() const { return false; }
    /// The class of transformers that prepares images: "ViT" of ViTImageProcessor.
    virtual std::string image_processor() const { return "ViT"; }
    /// Pixels of either side that images must have; 0: any size.
    std::int64_t image_size(const ModelConfig& config) const;
    /// False: what the model consists of is known when it is loaded, and tensors() is empty.
    virtual bool lists_tensors() const { return true; }
    /// Whether a pipeline can be cut between blocks.
    virtual bool can_pipeline() const { return true; }

    /// In the order of transformers' named_parameters(); a tied parameter is listed once.
    virtual std::vector<TensorShape> tensors(const ModelConfig& config) const = 0;
    /// State that training changes and no optimizer, stored beside the parameters: running statistics.
    virtual std::vector<TensorShape> buffers(const ModelConfig&) const { return {}; }
    /// True for names in files that are not separate parameters: masks, and second names.
    virtual bool is_constant(const std::string& name) const;

    /// The tensors as parameters of transformers' modules, under the names of files.
    virtual std::vector<TensorShape> module_tensors(const ModelConfig& config) const { return tensors(config); }
    /// Buffers of transformers' modules, under the names of files.
    virtual std::vector<ModuleTensor> module_buffers(const ModelConfig& config) const;
    /// Leaves two modules in each list of blocks that are alike from the second on. Returns how many there were.
    virtual LayerCounts shorten(ModelConfig& /*config*/) const { return {}; }

    /// Multiplications in the forward pass of each block for a sample; the last block includes the head. Also used to
    /// balance pipeline stages (distributed/pipeline/stage_blocks.h).
    virtual std::vector<double> block_costs(const ModelConfig& config, const SampleSize& size) const;
    /// Rows of the matrices of a block for a sample: tokens, or an image's patches and the token of its class.
    virtual double rows_of_block(const ModelConfig& /*config*/, const SampleSize& size) const { return size.tokens; }
    /// Multiplications in front of the blocks: of the patches or the pixels of an image, which need no gradients.
    virtual double image_cost(const ModelConfig& /*config*/, const SampleSize& /*size*/) const { return 0; }
    /// Floating-point operations of forward and backward for a sample: 6 per multiplication with a weight, and 12 *
    /// layers * width * tokens^2 for attention (Chowdhery et al., "PaLM", 2022, appendix B). 0: they are not known,
    /// as of an image of unknown size.
    double flops_per_sample(const ModelConfig& config, const SampleSize& size) const;
    /// `block`: its number, as blocks of a model may differ.
    virtual ActivationBytes activation_bytes(const ModelConfig& config, std::uint64_t product_bytes,
                                             std::int64_t block) const;

    /// The family's name of a member; empty if it has no such member.
    template <class Member>
    std::string key_of(Member ModelConfig::*member) const {
        for (const ConfigKey& key : keys())
            if (const auto* known = std::get_if<Member ModelConfig::*>(&key.member);
                known != nullptr && *known == member)
                return key.name;
        return {};
    }

  protected:
    /// Width of all heads of a block together.
    virtual std::int64_t attention_width(const ModelConfig& config) const { return config.n_embd; }
    /// Pairs of query and key that the attention of a block scores.
    virtual double attention_pairs(const ModelConfig&, const SampleSize& size, std::int64_t /*block*/) const {
        return size.tokens * size.tokens;
    }
    /// Rows of a sample that a matrix of a block or of the head is multiplied with, or the token table of a tied head.
    virtual double rows(const ModelConfig&, const SampleSize& size, const TensorShape&) const { return size.tokens; }
    /// Share of a matrix of a block that each token is multiplied with: of experts those that compute it.
    virtual double used_share(const ModelConfig&, const TensorShape&) const { return 1; }
    /// Cuts a list for shorten(). `prefix`: in front of the numbers of its modules.
    static LayerCounts::value_type cut(std::string prefix, std::int64_t& count) {
        return {std::move(prefix), std::exchange(count, std::min<std::int64_t>(count, 2))};
    }

  private:
    FamilyRow row_;
};

/// The keys of all families, each name once: a name stands for the same member everywhere. Of several helps and ranges
/// the first.
const std::vector<ConfigKey>& all_keys();
/// The family's key of this name; nullptr if it has none.
const ConfigKey* find_key(const Family& family, const std::string& name);

/// nullptr if there is no such family.
const Family* find_family(const std::string& model_type);
/// Throws UserError with the names of all families.
const Family& family_of(const std::string& model_type);
const Family& family_of(const ModelConfig& config);
const std::vector<std::string>& model_types();

template <class Type>
std::vector<const Family*> addresses_of(const std::vector<Type>& families) {
    std::vector<const Family*> all;
    for (const Type& family : families)
        all.push_back(&family);
    return all;
}

/// Problems of an activation function's name.
void check_activation(const std::string& key, const std::string& name, std::vector<ConfigProblem>& problems);

/// Elements of all tensors; a tied one is counted once.
std::int64_t parameter_count(const ModelConfig& config);

/// The names that a file may use for a tensor: its own, and that of the model without a head.
std::vector<std::string> stored_names(const std::string& name);
/// The name that transformers gives a tensor of a file since version 5.
std::string module_name(const std::string& stored);

}  // namespace trainyard::families
