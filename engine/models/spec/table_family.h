#pragma once
// A family whose costs follow from its table of tensors: what is multiplied per token is what its matrices hold.

#include <string>
#include <vector>

#include "models/spec/family.h"

namespace trainyard::families {

/// What a family is called, and the keys of its config.json.
struct FamilyRow {
    std::string model_type, base_architecture, base_prefix, head_name;
    std::vector<TaskClass> tasks;
    std::vector<ConfigKey> keys;
    std::vector<std::string> keys_without_effect;
    std::vector<FixedField> fixed = {};
};

class TableFamily : public Family {
  public:
    explicit TableFamily(FamilyRow row) : row_(std::move(row)) {}
    std::string model_type() const override { return row_.model_type; }
    const std::vector<TaskClass>& tasks() const override { return row_.tasks; }
    std::string base_architecture() const override { return row_.base_architecture; }
    std::string base_prefix() const override { return row_.base_prefix; }
    std::string head_name() const override { return row_.head_name; }
    const std::vector<ConfigKey>& keys() const override { return row_.keys; }
    const std::vector<std::string>& keys_without_effect() const override { return row_.keys_without_effect; }
    const std::vector<FixedField>& fixed_fields() const override { return row_.fixed; }
    bool is_constant(const std::string&) const override { return false; }
    bool same_weights(const ConfigKey& key, const ModelConfig& a, const ModelConfig& b) const override;
    std::vector<double> block_costs(const ModelConfig& config, const SampleSize& size) const override;
    ActivationBytes activation_bytes(const ModelConfig& config, std::uint64_t product_bytes) const override;

  protected:
    /// What the family calls a member; empty where it has none.
    template <class Member>
    std::string key_of(Member ModelConfig::*member) const {
        for (const ConfigKey& key : keys())
            if (const auto* known = std::get_if<Member ModelConfig::*>(&key.member);
                known != nullptr && *known == member)
                return key.name;
        return {};
    }
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

  private:
    FamilyRow row_;
};

/// Problems of an activation function's name.
void check_activation(const std::string& key, const std::string& name, std::vector<ConfigProblem>& problems);

}  // namespace trainyard::families
