// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/nn/modules/modules.h"

#include <algorithm>
#include <map>
#include <stdexcept>
#include <utility>

#include <ATen/core/Reduction.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/cross_entropy_loss.h>

#include "distributed/parallel/communicator.h"
#include "distributed/parallel/matrix_kernel.h"
#include "distributed/parallel/tensor_part.h"
#include "models/nn/kernels/linear.h"
#include "models/nn/kernels/low_rank_product.h"
#include "models/nn/kernels/products.h"
#include "models/plugins/plugins.h"

namespace trainyard::models {

namespace {

using parallel::Initialiser;
using parallel::Placement;
using parallel::TensorPart;

at::Tensor eager_attention(const at::Tensor& qkv, std::int64_t heads, const PlainAttention& what) {
    return causal_attention_plain(qkv, heads, what);
}

struct LinearRow {
    Linear::Kernel kernel;
    bool transposed;  ///< weight [out, in]
};

const std::map<std::string, LinearRow>& linear_kernels() {
    static const std::map<std::string, LinearRow> table{{"conv1d", {&linear, false}},
                                                        {"linear", {&linear_transposed, true}}};
    return table;
}

const std::map<std::string, AttentionKernel>& attention_kernels() {
    static const std::map<std::string, AttentionKernel> table{{"fused", &attention}, {"eager", &eager_attention}};
    return table;
}

template <class Table>
const auto& kernel_of(const Table& table, const ModuleChoice& choice, const std::string& module) {
    auto found = table.find(choice.kernel);
    if (found == table.end())
        throw std::invalid_argument("the module '" + module + "' cannot be computed by the kernel '" + choice.kernel +
                                    "': its kind has none of this name");
    return found->second;
}

constexpr Initialiser kZeroStart{Initialiser::Kind::zeros, 0};
constexpr Initialiser kOneStart{Initialiser::Kind::ones, 0};

Initialiser normal_start(double deviation) {
    return {Initialiser::Kind::normal, deviation};
}

/// Null unless the ranks share the parameter in this way.
const TensorPart* part_of(const Parameter* parameter, Placement placement) {
    const TensorPart* part = parameter->part();
    return part != nullptr && part->placement == placement ? part : nullptr;
}

/// The sum of what the ranks have computed a part of; where they divide the positions, of those of this rank.
at::Tensor sum_of_ranks(const at::Tensor& part_of_sum, const TensorPart& part, const std::string& name) {
    return part.divides_positions
               ? parallel::scatter_positions(part_of_sum, *part.ranks, parallel::PositionParts::summed, name)
               : parallel::sum_outputs(part_of_sum, *part.ranks, name);
}

/// The matrix is multiplied as it is, in training.
bool trains_alone(const Parameter& weight) {
    return !InUse::is_set() && weight.kernel() == nullptr && weight.adapters().empty();
}

/// Hidden states of all positions.
at::Tensor with_all_positions(const at::Tensor& hidden, const Parameter& table) {
    const TensorPart* part = part_of(&table, Placement::vocabulary);
    return part != nullptr && part->divides_positions
               ? parallel::gather_positions(hidden, *part->ranks, parallel::PositionParts::equal, table.name())
               : hidden;
}

}  // namespace

std::vector<at::Tensor> Linear::each_of(const at::Tensor& x, std::initializer_list<const Linear*> all) {
    const std::string& name = (*all.begin())->weight_->name();
    const TensorPart* part = part_of((*all.begin())->weight_, Placement::column);
    if (part != nullptr && part->divides_positions &&
        std::ranges::all_of(all, [](const Linear* one) { return trains_alone(*one->weight_); })) {
        std::vector<Dense> dense;
        for (const Linear* one : all)
            dense.push_back({one->weight_, one->bias_});
        return linear_of_all_positions(x, dense, *part, name);
    }
    const at::Tensor input = part == nullptr ? x
                             : part->divides_positions
                                 ? parallel::gather_positions(x, *part->ranks, parallel::PositionParts::summed, name)
                                 : parallel::share_input(x, *part->ranks, name);
    std::vector<at::Tensor> results;
    for (const Linear* one : all)
        results.push_back(one->multiply(input));
    return results;
}

at::Tensor Linear::multiply(const at::Tensor& x) const {
    const TensorPart* part = part_of(weight_, Placement::row);
    if (part != nullptr && part->divides_positions && part->overlap_chunks > 1 && trains_alone(*weight_)) {
        const at::Tensor sum = linear_to_own_positions(x, *weight_, *part, weight_->name());
        return bias_ != nullptr ? add_bias(sum, *bias_) : sum;
    }
    at::Tensor y = kernel_(x, *weight_, part != nullptr ? nullptr : bias_);
    for (const parallel::LowRank& adapter : weight_->adapters())
        y = y.add(low_rank_product(x, *weight_, adapter), adapter.scale);
    if (part == nullptr)
        return y;
    y = sum_of_ranks(y, *part, weight_->name());
    return bias_ != nullptr ? add_bias(y, *bias_) : y;
}

at::Tensor Linear::side_by_side(const at::Tensor& x, const std::array<const Linear*, 3>& three) {
    const bool in_one_pass = !InUse::is_set() && std::all_of(three.begin(), three.end(), [](const Linear* one) {
        return one->kernel_ == &linear_transposed && one->weight_->kernel() == nullptr &&
               one->weight_->adapters().empty() && one->weight_->compute().requires_grad();
    });
    if (!in_one_pass)
        return at::cat({(*three[0])(x), (*three[1])(x), (*three[2])(x)}, -1);
    DenseOfThree dense;
    for (std::size_t i = 0; i < three.size(); ++i)
        dense[i] = {three[i]->weight_, three[i]->bias_};
    return linear_side_by_side(x, dense);
}

at::Tensor Embedding::operator()(const at::Tensor& ids) const {
    const TensorPart* part = part_of(table_, Placement::vocabulary);
    if (part == nullptr)
        return embed(ids, *table_, padding_);
    return sum_of_ranks(embed_part(ids, *table_, padding_), *part, table_->name());
}

at::Tensor Embedding::operator()(const at::Tensor& ids, const Embedding& positions,
                                 const at::Tensor& position_ids) const {
    const TensorPart* part = part_of(table_, Placement::vocabulary);
    if (part == nullptr)
        return embed(ids, *table_, *positions.table_, position_ids, padding_, positions.padding_);
    const at::Tensor rows =
        position_ids.defined() ? position_ids : at::arange(ids.size(1), ids.options()).expand_as(ids);
    return (*this)(ids).add(positions(part->divides_positions ? parallel::own_positions(rows, *part->ranks) : rows));
}

at::Tensor CausalAttention::operator()(const at::Tensor& qkv, PlainAttention what) const {
    what.scale = scale_;
    what.fp32_scores = fp32_scores_;
    std::int64_t heads = heads_;
    if (what.tensor_ranks != nullptr) {
        heads /= what.tensor_ranks->size();
        if (what.key_heads > 0)
            what.key_heads = std::max<std::int64_t>(1, what.key_heads / what.tensor_ranks->size());
        const std::int64_t length = what.sequence != nullptr ? what.sequence->length : qkv.size(1);
        what.key.first_element = what.tensor_ranks->rank() * heads * length * length;
        if (what.key_bias.defined())
            what.key_bias = what.key_bias.narrow(1, what.tensor_ranks->rank() * heads, heads);
    }
    return what.sequence != nullptr ? shared_attention(qkv, heads, what, kernel_) : kernel_(qkv, heads, what);
}

DropoutKey sample_dropout_key(const parallel::StepContext& context, std::uint32_t place) {
    return {.seed = context.seed,
            .step = context.step,
            .place = place,
            .first_sample = context.first_sample,
            .counters = context.counters};
}

DropoutKey dropout_key(const parallel::StepContext& context, std::uint32_t place) {
    DropoutKey key = sample_dropout_key(context, place);
    key.positions = context.stream_positions;
    if (key.positions == nullptr && context.sequence != nullptr)
        key.positions = &context.sequence->positions;
    return key;
}

PlainAttention attention_of(parallel::StepContext& context, const parallel::Unit& unit, std::uint32_t place,
                            double dropout) {
    // The elements of probabilities are not positions.
    PlainAttention what{.key = sample_dropout_key(context, place), .mask = context.attention_mask};
    what.sequence = context.sequence;
    what.tensor_ranks = context.tensor_ranks;
    if (context.training)
        what.dropout = dropout;
    if (context.cache != nullptr)
        what.past = &context.cache->entries[&unit];
    return what;
}

double count_next_targets(const parallel::StepContext& context) {
    const at::Tensor& labels = context.labels;
    const at::Tensor counted = context.sequence != nullptr ? labels : labels.narrow(1, 1, labels.size(1) - 1);
    return counted.ne(kIgnoredLabel).sum().item<double>();
}

at::Tensor VocabularyHead::whole_logits(const at::Tensor& hidden) const {
    const TensorPart* part = part_of(table_, Placement::vocabulary);
    const at::Tensor whole = with_all_positions(hidden, *table_),
                     input = part != nullptr ? parallel::share_input(whole, *part->ranks, table_->name()) : whole;
    at::Tensor logits = (table_->kernel() != nullptr ? table_->kernel()->multiply(input, *table_, nullptr)
                                                     : linear_transposed(input, *table_, nullptr))
                            .to(at::kFloat);
    if (options_.bias != nullptr)
        logits = add_bias(logits, *options_.bias);
    if (options_.cap > 0)
        logits = logits.div(options_.cap).tanh().mul(options_.cap);
    return part != nullptr ? parallel::gather_outputs(logits, *part->ranks, part->whole_shape.front(), table_->name())
                           : logits;
}

at::Tensor VocabularyHead::loss(const at::Tensor& hidden, const parallel::StepContext& context) const {
    LogitOptions options = options_;
    options.next = options.next && context.sequence == nullptr;
    if (table_->kernel() != nullptr || !options.loss.empty() || context.own_loss) {
        const at::Tensor whole = whole_logits(hidden), logits = whole.flatten(0, 1),
                         labels = options.next ? next_labels(context.labels) : context.labels,
                         targets = labels.flatten();
        const at::Tensor sum =
            context.own_loss ? context.own_loss(whole, labels)
            : options.loss.empty()
                ? at::cross_entropy_loss(logits, targets, {}, at::Reduction::Sum, kIgnoredLabel).to(at::kDouble)
                : plugins::summed_loss(options.loss, logits, targets);
        if (!context.recomputing)
            context.loss_sum.add_(sum.detach());
        return sum.mul(context.loss_scale);
    }
    return next_token_loss(with_all_positions(hidden, *table_), *table_, context.labels, context.loss_scale,
                           context.loss_sum, options);
}

at::Tensor VocabularyHead::logits(const at::Tensor& hidden) const {
    if (table_->kernel() != nullptr) {
        const at::NoGradGuard no_grad;
        return whole_logits(hidden);
    }
    return logits_of(with_all_positions(hidden, *table_), *table_, options_);
}

void ModuleBuilder::require(const std::string& name, const std::string& kernel) const {
    kernel_of(std::map<std::string, int>{{kernel, 0}}, plan_.choice(name), name);
}

Linear ModuleBuilder::linear(const std::string& name, std::int64_t in, std::int64_t out, double deviation,
                             bool bias) const {
    const LinearRow& row = kernel_of(linear_kernels(), plan_.choice(name), name);
    std::vector<std::int64_t> shape{in, out};
    if (row.transposed)
        shape = {out, in};
    Parameter& weight = add_(name + ".weight", shape, normal_start(deviation));
    weight.set_product(row.transposed ? Parameter::Product::out_in : Parameter::Product::in_out);
    return {row.kernel, weight, bias ? &add_(name + ".bias", {out}, kZeroStart) : nullptr};
}

Embedding ModuleBuilder::embedding(const std::string& name, std::int64_t count, std::int64_t width,
                                   double deviation) const {
    require(name, "table");
    Parameter& table = add_(name + ".weight", {count, width}, normal_start(deviation));
    table.set_table();
    return Embedding(table);
}

LayerNorm ModuleBuilder::layer_norm(const std::string& name, std::int64_t width, double epsilon, bool bias) const {
    require(name, "layer_norm");
    Parameter& weight = add_(name + ".weight", {width}, kOneStart);
    return {weight, bias ? &add_(name + ".bias", {width}, kZeroStart) : nullptr, epsilon};
}

RmsNorm ModuleBuilder::rms_norm(const std::string& name, std::int64_t width, double epsilon, double offset) const {
    require(name, "rms_norm");
    return {add_(name + ".weight", {width}, offset == 0 ? kOneStart : kZeroStart), epsilon, offset};
}

CausalAttention ModuleBuilder::attention(const std::string& name, std::int64_t heads, double scale,
                                         bool fp32_scores) const {
    return {kernel_of(attention_kernels(), plan_.choice(name), name), heads, scale, fp32_scores};
}

VocabularyHead ModuleBuilder::head(const std::string& name, std::int64_t vocabulary, std::int64_t width,
                                   double deviation, LogitOptions options) const {
    require(name, "chunked");
    return VocabularyHead(add_(name + ".weight", {vocabulary, width}, normal_start(deviation)), std::move(options));
}

VocabularyHead ModuleBuilder::tied_head(const std::string& name, Parameter& table, LogitOptions options) const {
    require(name, "chunked");
    return VocabularyHead(table, std::move(options));
}

}  // namespace trainyard::models
