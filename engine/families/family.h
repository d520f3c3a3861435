#pragma once
// The registry of model families, independent of LibTorch: the keys of a family's config.json, and for a configuration
// the tensors, the number of operations and the memory. Recipes, checks, estimates, exports and the desktop use it;
// models/model.h builds the networks.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "families/model_config.h"

namespace trainyard::families {

/// A key of config.json that takes effect.
struct ConfigKey {
    using Member = std::variant<std::int64_t ModelConfig::*, double ModelConfig::*, bool ModelConfig::*,
                                std::string ModelConfig::*>;
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
};

enum class Part { embedding, block, head };

/// A parameter.
struct TensorShape {
    std::string name;  ///< full name: "transformer.h.0.ln_1.weight"
    std::vector<std::int64_t> shape;
    Part part = Part::embedding;
    std::int64_t block = 0;     ///< index, if part is block
    bool tied_to_head = false;  ///< the head uses it, too
    std::int64_t elements() const;
};

/// A value or combination of values that is not supported.
struct ConfigProblem {
    std::string key;
    std::vector<std::string> others;  ///< other keys that the problem involves
    std::string message;
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

class Family {
  public:
    virtual ~Family() = default;

    virtual std::string model_type() const = 0;
    /// The class of transformers that a recipe trains: "GPT2LMHeadModel".
    virtual std::string architecture() const = 0;
    /// The class of the same model without a head: "GPT2Model".
    virtual std::string base_architecture() const = 0;
    /// Prefix of all names except the head's; missing in files of the model without a head: "transformer.".
    virtual std::string base_prefix() const = 0;
    /// The head's weight if it is not tied: "lm_head.weight".
    virtual std::string head_name() const = 0;
    virtual const std::vector<ConfigKey>& keys() const = 0;
    /// Defaults of transformers, for keys that a config.json lacks.
    virtual ModelConfig defaults() const = 0;
    /// Fields of this family's config.json that do not affect training, in addition to those of all families.
    virtual const std::vector<std::string>& keys_without_effect() const = 0;
    /// Whether both values of the key give stored weights the same meaning.
    virtual bool same_weights(const ConfigKey& key, const ModelConfig& a, const ModelConfig& b) const;
    /// Values that this version cannot train, and contradictions.
    virtual std::vector<ConfigProblem> problems(const ModelConfig& config) const = 0;

    /// In the order of transformers' named_parameters(); a tied parameter is listed once.
    virtual std::vector<TensorShape> tensors(const ModelConfig& config) const = 0;
    /// Names in old files that are constants, not parameters: masks.
    virtual bool is_constant(const std::string& name) const = 0;
    /// Multiplications in the forward pass of each block, per token of a sequence of `seq` tokens; the last block
    /// includes the head. Used to balance pipeline stages (pipeline/split.h).
    virtual std::vector<double> block_costs(const ModelConfig& config, std::int64_t seq) const = 0;
    /// Floating-point operations of forward and backward per token of a sequence of `seq` tokens: 6 per weight of a
    /// matrix product, and 12 * layers * width * seq for attention (Chowdhery et al., "PaLM", 2022, appendix B).
    virtual double flops_per_token(const ModelConfig& config, std::int64_t seq) const = 0;
    virtual ActivationBytes activation_bytes(const ModelConfig& config, std::uint64_t product_bytes) const = 0;
};

/// nullptr if there is no such family.
const Family* find_family(const std::string& model_type);
/// Throws UserError with the names of all families.
const Family& family_of(const std::string& model_type);
const Family& family_of(const ModelConfig& config);
const std::vector<std::string>& model_types();

/// Elements of all tensors; a tied one is counted once.
std::int64_t parameter_count(const ModelConfig& config);

/// The names that a file may use for a tensor: its own, and that of the model without a head.
std::vector<std::string> stored_names(const std::string& name);

}  // namespace trainyard::families
