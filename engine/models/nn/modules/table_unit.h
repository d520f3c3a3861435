// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A unit whose parameters are those that its family's table of tensors lists for it (models/spec/family.h): names,
// shapes, order and initial values are described once. Modules are made of them by name; a Linear or norm has a bias
// where the table has one.

#include <optional>
#include <string>
#include <vector>

#include "distributed/parallel/unit.h"
#include "models/nn/kernels/norm.h"
#include "models/nn/modules/modules.h"
#include "models/spec/family.h"

namespace trainyard::models {

/// Layer norm or RMS norm.
class Norm {
  public:
    explicit Norm(LayerNorm norm) : layer_(norm) {}
    explicit Norm(RmsNorm norm) : rms_(norm) {}
    at::Tensor operator()(const at::Tensor& x) const { return (*this)(x, {}).normed; }
    /// The norm of stream + branch, and the sum.
    NormedStream operator()(const at::Tensor& stream, const at::Tensor& branch) const {
        return layer_ ? (*layer_)(stream, branch) : (*rms_)(stream, branch);
    }

  private:
    std::optional<LayerNorm> layer_;
    std::optional<RmsNorm> rms_;
};

/// The tensors of a part of a model.
std::vector<families::TensorShape> tensors_of_part(const std::vector<families::TensorShape>& all, families::Part part,
                                                   std::int64_t block = 0);

class TableUnit : public parallel::Unit {
  protected:
    /// `plan` chooses the kernels.
    TableUnit(std::string name, const std::vector<families::TensorShape>& tensors, const ModulePlan& plan);

    /// Throws std::invalid_argument if the table has no such parameter.
    Parameter& parameter(const std::string& name) const;
    Parameter* find_parameter(const std::string& name) const;
    Linear linear(const std::string& module) const;
    /// std::nullopt where the table does not have it.
    std::optional<Linear> find_linear(const std::string& module) const;
    Embedding embedding(const std::string& module, std::int64_t padding = -1) const;
    /// Creates a vocabulary head with its own weight, or tied to `table` if that is not null.
    VocabularyHead head(const std::string& module, Parameter* table, LogitOptions options = {}) const;
    CausalAttention attention(const std::string& module, std::int64_t heads, double scale) const;
    Norm layer_norm(const std::string& module, double epsilon) const;
    Norm rms_norm(const std::string& module, double epsilon, double offset = 0) const;

  private:
    ModuleBuilder builder() const;
    const ModulePlan& plan_;
};

}  // namespace trainyard::models
