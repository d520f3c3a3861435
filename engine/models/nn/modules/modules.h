// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Layers as objects with parameters, a kernel and a placement. A unit creates them with a ModuleBuilder and calls them;
// the plan selects the kernel:
//   Linear           conv1d (weight [in, out], Hugging Face's Conv1D), linear (weight [out, in], torch.nn.Linear)
//   Embedding        table
//   LayerNorm        layer_norm; RmsNorm: rms_norm
//   CausalAttention  fused (the tiled kernels of attention.h where possible), eager (the plain formula)
//   VocabularyHead   chunked (cross_entropy.h)

#include <array>
#include <functional>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "distributed/parallel/parameter.h"
#include "distributed/parallel/unit.h"
#include "models/nn/kernels/cross_entropy.h"
#include "models/nn/kernels/norm.h"
#include "models/nn/kernels/shared_attention.h"
#include "models/nn/modules/module_plan.h"

namespace trainyard::models {

/// y = x W + b in the compute dtype of the weight.
class Linear {
  public:
    using Kernel = at::Tensor (*)(const at::Tensor& x, Parameter& weight, Parameter* bias);
    Linear(Kernel kernel, Parameter& weight, Parameter* bias) : kernel_(kernel), weight_(&weight), bias_(bias) {}
    /// x [..., in] -> [..., out]; with the weight's adapters (low_rank.h). Where ranks share the weight
    /// (parallel::TensorPart) in or out is this rank's part.
    at::Tensor operator()(const at::Tensor& x) const { return each_of(x, {this}).front(); }
    /// The results of several for the same x, whose gradient ranks that share the weights sum once.
    static std::vector<at::Tensor> each_of(const at::Tensor& x, std::initializer_list<const Linear*> all);
    /// The results of three for the same x, side by side: [..., the sum of out]; in one pass over x if all are trained
    /// without adapters.
    static at::Tensor side_by_side(const at::Tensor& x, const std::array<const Linear*, 3>& three);
    Parameter& weight() const { return *weight_; }

  private:
    at::Tensor multiply(const at::Tensor& x) const;
    Kernel kernel_;
    Parameter* weight_;
    Parameter* bias_;  ///< nullptr: none
};

/// Rows of a table [count, width]. The row `padding` is not trained (kNoPadding: all are).
class Embedding {
  public:
    explicit Embedding(Parameter& table, std::int64_t padding = -1) : table_(&table), padding_(padding) {}
    /// ids [batch, seq] int64 -> fp32 [batch, seq, width]
    at::Tensor operator()(const at::Tensor& ids) const;
    /// The same plus those of `positions` at `position_ids` (undefined: 0, 1, ...), in one pass.
    at::Tensor operator()(const at::Tensor& ids, const Embedding& positions, const at::Tensor& position_ids) const;
    Parameter& table() const { return *table_; }

  private:
    Parameter* table_;
    std::int64_t padding_;
};

/// Ba, Kiros and Hinton, "Layer normalization", 2016.
class LayerNorm {
  public:
    LayerNorm(Parameter& weight, Parameter* bias, double epsilon) : weight_(&weight), bias_(bias), epsilon_(epsilon) {}
    /// The norm of the fp32 stream x [..., width], in the compute dtype.
    at::Tensor operator()(const at::Tensor& x) const { return (*this)(x, {}).normed; }
    /// The norm of stream + branch, and the sum.
    NormedStream operator()(const at::Tensor& stream, const at::Tensor& branch) const {
        return normed_stream(stream, branch, *weight_, bias_, epsilon_);
    }

  private:
    Parameter* weight_;
    Parameter* bias_;  ///< nullptr: none
    double epsilon_;
};

/// x / sqrt(mean(x^2) + epsilon) * (offset + weight). Zhang and Sennrich, "Root mean square layer normalization",
/// NeurIPS 2019; Gemma's weights start from 0, with an offset of 1.
class RmsNorm {
  public:
    RmsNorm(Parameter& weight, double epsilon, double offset = 0)
        : weight_(&weight), epsilon_(epsilon), offset_(offset) {}
    at::Tensor operator()(const at::Tensor& x) const { return (*this)(x, {}).normed; }
    NormedStream operator()(const at::Tensor& stream, const at::Tensor& branch) const {
        return rms_normed_stream(stream, branch, *weight_, epsilon_, offset_);
    }

  private:
    Parameter* weight_;
    double epsilon_, offset_;
};

/// Attention on packed queries, keys and values [batch, seq, 3 * width] -> [batch, seq, width]. It has no parameters.
class CausalAttention {
  public:
    CausalAttention(AttentionKernel kernel, std::int64_t heads, double scale, bool fp32_scores)
        : kernel_(kernel), heads_(heads), scale_(scale), fp32_scores_(fp32_scores) {}
    /// `what`: dropout, mask and cache of the micro-batch; scale and dtype of the scores are properties of the module.
    /// Ranks that share the layers have the packed vectors of their own heads.
    at::Tensor operator()(const at::Tensor& qkv, PlainAttention what) const;

  private:
    AttentionKernel kernel_;
    std::int64_t heads_;
    double scale_;
    bool fp32_scores_;
};

/// The key for a micro-batch at place `place` of the model, of whole samples.
DropoutKey sample_dropout_key(const parallel::StepContext& context, std::uint32_t place);
/// The same for activations [batch, seq, ...], of which this rank may have some positions.
DropoutKey dropout_key(const parallel::StepContext& context, std::uint32_t place);
/// What attention takes of a micro-batch: mask, positions, cache of `unit`, and dropout of its probabilities while it
/// trains.
PlainAttention attention_of(parallel::StepContext& context, const parallel::Unit& unit, std::uint32_t place,
                            double dropout);

/// Labels that a head counts which predicts the next token.
double count_next_targets(const parallel::StepContext& context);

/// The product with the vocabulary's weight, and the loss.
class VocabularyHead {
  public:
    explicit VocabularyHead(Parameter& table, LogitOptions options = {})
        : table_(&table), options_(std::move(options)) {}
    /// Summed loss of the micro-batch's labels.
    at::Tensor loss(const at::Tensor& hidden, const parallel::StepContext& context) const;
    at::Tensor logits(const at::Tensor& hidden) const;

  private:
    /// In fp32, of all positions and the whole vocabulary, for losses that take them.
    at::Tensor whole_logits(const at::Tensor& hidden) const;
    Parameter* table_;
    LogitOptions options_;
};

/// Creates the modules of one unit according to the plan. Parameters are named after their module: name + ".weight",
/// ".bias".
class ModuleBuilder {
  public:
    using AddParameter =
        std::function<Parameter&(std::string name, std::vector<std::int64_t> shape, parallel::Initialiser initialiser)>;
    ModuleBuilder(const ModulePlan& plan, AddParameter add) : plan_(plan), add_(std::move(add)) {}

    /// The weight is initialised from a normal distribution with this standard deviation, the bias with zeros.
    Linear linear(const std::string& name, std::int64_t in, std::int64_t out, double deviation, bool bias = true) const;
    Embedding embedding(const std::string& name, std::int64_t count, std::int64_t width, double deviation) const;
    LayerNorm layer_norm(const std::string& name, std::int64_t width, double epsilon, bool bias = true) const;
    RmsNorm rms_norm(const std::string& name, std::int64_t width, double epsilon, double offset = 0) const;
    /// `scale` and `fp32_scores` as in PlainAttention.
    CausalAttention attention(const std::string& name, std::int64_t heads, double scale, bool fp32_scores) const;
    /// Creates a vocabulary head with a separate weight.
    VocabularyHead head(const std::string& name, std::int64_t vocabulary, std::int64_t width, double deviation,
                        LogitOptions options = {}) const;
    /// Creates a vocabulary head that shares the weight of an embedding (tied).
    VocabularyHead tied_head(const std::string& name, Parameter& table, LogitOptions options = {}) const;

  private:
    void require(const std::string& name, const std::string& kernel) const;
    const ModulePlan& plan_;
    AddParameter add_;
};

}  // namespace trainyard::models
