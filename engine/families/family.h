#pragma once
// The registry of model families, free of Torch: of a family's config.json the keys, and of a configuration the tensors, the arithmetic and the
// memory. Recipes, checks, estimates, exports and the desktop ask here; the networks themselves are built by models/model.h.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "families/model_config.h"

namespace trainyard::families {

/// A key of config.json that acts.
struct ConfigKey {
    using Member = std::variant<std::int64_t ModelConfig::*, double ModelConfig::*, bool ModelConfig::*,
                                std::string ModelConfig::*>;
    std::string name;
    Member member;
    /// Stored weights mean something else under another value. Of the other keys (dropout, token ids) every run may have its own value.
    bool of_weights = false;
    double least = 0, most = 0;  ///< of a number
    bool below_most = false;     ///< `most` itself is too large
    /// What null stands for; without it null is the default.
    std::optional<std::int64_t> null = std::nullopt;
    std::string alias = {};  ///< the name that all models of transformers share: hidden_size
};

enum class Part { embedding, block, head };

/// A parameter.
struct TensorShape {
    std::string name;  ///< of the whole model: "transformer.h.0.ln_1.weight"
    std::vector<std::int64_t> shape;
    Part part = Part::embedding;
    std::int64_t block = 0;     ///< of a block's
    bool tied_to_head = false;  ///< the head multiplies with it, too
    std::int64_t elements() const;
};

/// What a value of the configuration makes impossible.
struct ConfigProblem {
    std::string key;
    std::vector<std::string> others;  ///< keys whose values are part of it
    std::string message;
};

/// Bytes for one token, where products are made of elements of `product_bytes`: 4, or 2 in mixed precision.
struct ActivationBytes {
    std::uint64_t block_input = 0;    ///< the residual stream on its way into a block
    std::uint64_t block = 0;          ///< what one block keeps from forward to backward
    std::uint64_t probabilities = 0;  ///< of one block: of its attention, for each key, where they are kept
    std::uint64_t outside = 0;        ///< what embedding and head keep
    std::uint64_t head_input = 0;     ///< and its gradient has as many
    std::uint64_t in_flight = 0;      ///< gradients of activations during backward
};

class Family {
  public:
    virtual ~Family() = default;

    virtual std::string model_type() const = 0;
    /// The class of transformers that a recipe trains: "GPT2LMHeadModel".
    virtual std::string architecture() const = 0;
    /// That of the same model without a head: "GPT2Model".
    virtual std::string base_architecture() const = 0;
    /// In front of all names but the head's; files of the model without a head lack it: "transformer.".
    virtual std::string base_prefix() const = 0;
    /// Of a head with weights of its own: "lm_head.weight".
    virtual std::string head_name() const = 0;
    virtual const std::vector<ConfigKey>& keys() const = 0;
    /// Those of transformers, for what a config.json leaves out.
    virtual ModelConfig defaults() const = 0;
    /// Fields of this family's config.json, beside those of every family, that change nothing of training.
    virtual const std::vector<std::string>& keys_without_effect() const = 0;
    /// Whether the stored weights mean the same under both values of the key.
    virtual bool same_weights(const ConfigKey& key, const ModelConfig& a, const ModelConfig& b) const;
    /// What this version cannot train, and contradictions.
    virtual std::vector<ConfigProblem> problems(const ModelConfig& config) const = 0;

    /// In the order of transformers' named_parameters(), a tied one once.
    virtual std::vector<TensorShape> tensors(const ModelConfig& config) const = 0;
    /// Names of old files that hold no parameter but a constant: masks.
    virtual bool is_constant(const std::string& name) const = 0;
    /// Products of each block in a forward, multiplications for one token of a sequence of `seq`; the head's are added to the last block's. What
    /// pipeline stages are balanced by (pipeline/split.h).
    virtual std::vector<double> block_costs(const ModelConfig& config, std::int64_t seq) const = 0;
    /// Floating-point operations of forward and backward for one token of a sequence of `seq` tokens: 6 per weight that is multiplied,
    /// 12 * layers * width * seq of attention (Chowdhery et al., "PaLM", 2022, appendix B).
    virtual double flops_per_token(const ModelConfig& config, std::int64_t seq) const = 0;
    virtual ActivationBytes activation_bytes(const ModelConfig& config, std::uint64_t product_bytes) const = 0;
};

/// Null when there is none of this name.
const Family* find_family(const std::string& model_type);
/// Throws UserError naming the families there are.
const Family& family_of(const std::string& model_type);
const Family& family_of(const ModelConfig& config);
const std::vector<std::string>& model_types();

/// Of all tensors, a tied one once.
std::int64_t parameter_count(const ModelConfig& config);

/// The names under which a file may hold a tensor: its own, and that of the model without a head.
std::vector<std::string> stored_names(const std::string& name);

}  // namespace trainyard::families
