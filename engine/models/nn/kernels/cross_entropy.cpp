// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/nn/kernels/cross_entropy.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include <ATen/Parallel.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/_log_softmax.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/full.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/zeros.h>
#include <torch/csrc/autograd/custom_function.h>

#include "distributed/parallel/communicator.h"
#include "distributed/parallel/tensor_part.h"
#include "models/nn/kernels/half_bits.h"
#include "models/nn/kernels/products.h"
#include "models/nn/kernels/saved_parameter.h"
#include "models/nn/kernels/vector_loops.h"

namespace trainyard::models {

namespace {

using parallel::Parameter;
using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

constexpr std::int64_t kFreeBytes = 8 << 20;  ///< bytes of logits that stay in the caches and are not divided
constexpr std::int64_t kMostRows =
    512;  ///< enough that adding to the weight's gradient costs little beside the products
// Columns of a gradient that are converted from the compute dtype to fp32 at once.
constexpr std::int64_t kVocabularySlice = 4096;

std::int64_t chunk_rows(std::int64_t rows, std::int64_t row_bytes) {
    std::int64_t fitting = kFreeBytes / row_bytes;
    if (fitting >= rows)
        return rows;
    return std::max({fitting, std::min(rows / 4, kMostRows), std::int64_t{16}});
}

/// [batch * seq]
at::Tensor targets_of(const at::Tensor& labels, bool next) {
    return (next ? next_labels(labels) : labels).reshape({-1});
}

/// One row with our loops, in place of its logits.
double finish_row(float* logits, std::int64_t target, float scale, std::int64_t count, bool gradient) {
    return gradient ? vector_loops().cross_entropy_row(logits, target, scale, count)
                    : vector_loops().cross_entropy_loss(logits, target, count);
}

/// The same for a 16-bit format; `wide` is a buffer for a row in fp32.
double finish_half_row(const HalfLoops& half, std::uint16_t* logits, std::int64_t target, float scale,
                       std::int64_t count, bool gradient, float* wide) {
    half.widen(logits, wide, count);
    double loss = finish_row(wide, target, scale, count, gradient);
    if (gradient)
        half.narrow(wide, logits, count);
    return loss;
}

double finish_rows(const at::Tensor& logits, const std::int64_t* targets, float scale, bool gradient) {
    std::int64_t rows = logits.size(0), count = logits.size(1), element = logits.element_size();
    NumberFormat format = format_of(logits.scalar_type());
    const HalfLoops& half = vector_loops().half(format);
    auto* data = static_cast<std::uint8_t*>(logits.data_ptr());
    std::vector<double> losses(static_cast<std::size_t>(rows));
    std::int64_t grain = std::max<std::int64_t>(1, 16384 / count);
    at::parallel_for(0, rows, grain, [&](std::int64_t begin, std::int64_t end) {
        std::vector<float> wide(format == NumberFormat::fp32 ? 0 : static_cast<std::size_t>(count));
        for (std::int64_t row = begin; row < end; ++row) {
            std::uint8_t* at = data + row * count * element;
            double& loss = losses[static_cast<std::size_t>(row)];
            if (targets[row] == kIgnoredLabel)
                std::fill_n(at, gradient ? count * element : 0, std::uint8_t{0});
            else if (format == NumberFormat::fp32)
                loss = finish_row(reinterpret_cast<float*>(at), targets[row], scale, count, gradient);
            else
                loss = finish_half_row(half, reinterpret_cast<std::uint16_t*>(at), targets[row], scale, count, gradient,
                                       wide.data());
        }
    });
    return std::accumulate(losses.begin(), losses.end(), 0.0);  // in this order, for any number of threads
}

/// The result for a chunk of logits: the summed loss, and the gradient of the logits in place.
struct Finished {
    at::Tensor loss;  ///< 0-dim float64
    at::Tensor dlogits;
};

/// The factor of the logits' gradients: the loss scale times the incoming gradient. On a device the host does not wait
/// for the latter.
struct GradientScale {
    double own = 1;
    at::Tensor incoming;  ///< 0-dim; undefined: 1
    double on_host() const { return incoming.defined() ? own * incoming.item<double>() : own; }
    void multiply(const at::Tensor& factors) const {
        if (incoming.defined())
            factors.mul_(incoming);
        factors.mul_(own);
    }
};

/// With LibTorch's operators, for devices and dtypes without our loops.
Finished finish_plainly(const at::Tensor& logits, const at::Tensor& targets, const GradientScale& scale,
                        bool gradient) {
    at::Tensor mask = targets.ne(kIgnoredLabel), safe = targets.clamp_min(0).unsqueeze(1);
    at::Tensor log_probabilities = at::_log_softmax(logits.to(at::kFloat), 1, false);
    at::Tensor loss = log_probabilities.gather(1, safe).squeeze(1).mul(mask).sum(at::kDouble).neg();
    if (!gradient)
        return {loss, {}};
    // d loss / d logits = (softmax - one-hot) * scale for counted rows, computed in place of the log-softmax.
    at::Tensor row_scale = mask.to(at::kFloat).unsqueeze(1);
    scale.multiply(row_scale);
    at::Tensor dlogits = log_probabilities.exp_().mul_(row_scale);
    dlogits.scatter_add_(1, safe, row_scale.neg());
    return {loss, dlogits.to(logits.scalar_type())};
}

Finished finish(const at::Tensor& logits, const at::Tensor& targets, const GradientScale& scale, bool gradient) {
    if (!logits.is_cpu() || !has_number_format(logits.scalar_type()))
        return finish_plainly(logits, targets, scale, gradient);
    double loss = finish_rows(logits, targets.const_data_ptr<std::int64_t>(),
                              static_cast<float>(gradient ? scale.on_host() : scale.own), gradient);
    return {at::full({}, loss, at::TensorOptions().dtype(at::kDouble)), logits};
}

/// The same where each rank has the logits of a part of the vocabulary: the ranks exchange a maximum and two sums of
/// each row, and never logits. The loss is that of all logits, on every rank.
Finished finish_part(const at::Tensor& logits, const at::Tensor& targets, const GradientScale& scale, bool gradient,
                     const parallel::TensorPart& part) {
    const parallel::Range own = part.ranges().front();
    const at::Tensor wide = logits.to(at::kFloat), largest = wide.amax({1});
    part.ranks->all_reduce(largest, "largest logits", parallel::ReduceOp::max).wait();
    const at::Tensor exponentials = wide.sub(largest.unsqueeze(1)).exp_();
    const at::Tensor places = targets.sub(own.begin);
    const at::Tensor here = places.ge(0).logical_and(places.lt(own.size())).to(at::kFloat);
    const at::Tensor columns = places.clamp(0, own.size() - 1).unsqueeze(1);
    const at::Tensor sums = at::stack({exponentials.sum(1), wide.gather(1, columns).squeeze(1).mul(here)});
    part.ranks->all_reduce(sums, "sums of the softmax and logits of the targets").wait();
    const at::Tensor mask = targets.ne(kIgnoredLabel), total = sums.select(0, 0);
    const at::Tensor loss = total.log().add(largest).sub(sums.select(0, 1)).mul(mask).sum(at::kDouble);
    if (!gradient)
        return {loss, {}};
    at::Tensor row_scale = mask.to(at::kFloat);
    scale.multiply(row_scale);
    at::Tensor dlogits = exponentials.mul_(row_scale.div(total).unsqueeze(1));
    dlogits.scatter_add_(1, columns, row_scale.mul(here).neg().unsqueeze(1));
    return {loss, dlogits.to(logits.scalar_type())};
}

/// Not null where ranks have parts of the vocabulary.
const parallel::TensorPart* vocabulary_part(const Parameter& weight) {
    const parallel::TensorPart* part = weight.part();
    return part != nullptr && part->placement == parallel::Placement::vocabulary ? part : nullptr;
}

/// weight's gradient += dlogits^T part, without a second buffer of the weight's size.
void add_logits_gradient(Parameter& weight, const at::Tensor& dlogits, const at::Tensor& part) {
    if (!weight.trains())
        return;
    std::int64_t vocabulary = dlogits.size(1);
    if (!torch_multiplies(dlogits) || dlogits.scalar_type() == weight.gradient().scalar_type() ||
        vocabulary <= kVocabularySlice)
        return add_product(weight, dlogits.t(), part);
    const at::Tensor& gradient = weight.gradient_to_accumulate();
    for (std::int64_t begin = 0; begin < vocabulary; begin += kVocabularySlice) {
        std::int64_t size = std::min(kVocabularySlice, vocabulary - begin);
        gradient.narrow(0, begin, size).add_(at::mm(dlogits.narrow(1, begin, size).t(), part));
    }
}

/// Processes all rows in chunks and returns the summed loss. If `drows` is defined, gradients are computed, too, and
/// those of `hidden` are written to it.
at::Tensor sum_of_losses(const at::Tensor& hidden, Parameter& weight, const at::Tensor& targets,
                         const GradientScale& scale, const at::Tensor& drows, const LogitOptions& options) {
    at::Tensor compute = weight.compute().detach();
    at::Tensor sum = at::zeros({}, hidden.options().dtype(at::kDouble));
    std::int64_t count = hidden.size(0), vocabulary = compute.size(0);
    const parallel::TensorPart* shared = vocabulary_part(weight);
    // The ranks have the same chunks, also where one has a token more.
    const std::int64_t most = shared != nullptr ? shared->shape_of(0).front() : vocabulary;
    std::int64_t step = std::min(count, chunk_rows(count, most * static_cast<std::int64_t>(compute.element_size())));
    at::Tensor room = at::empty({step, vocabulary}, hidden.options());
    for (std::int64_t begin = 0; begin < count; begin += step) {
        std::int64_t size = std::min(step, count - begin);
        at::Tensor part = hidden.narrow(0, begin, size), logits = room.narrow(0, 0, size);
        product_into(logits, part, compute.t(),
                     options.bias != nullptr ? options.bias->compute().detach() : at::Tensor());
        at::Tensor bent;  // tanh of the capped logits
        if (options.cap > 0) {
            bent = logits.div_(options.cap).tanh_().clone();
            logits.mul_(options.cap);
        }
        const at::Tensor expected = targets.narrow(0, begin, size);
        Finished finished = shared != nullptr ? finish_part(logits, expected, scale, drows.defined(), *shared)
                                              : finish(logits, expected, scale, drows.defined());
        sum.add_(finished.loss);
        if (!drows.defined())
            continue;
        if (options.cap > 0)
            finished.dlogits.mul_(bent.square_().neg_().add_(1));
        if (options.bias != nullptr)
            options.bias->add_row_sum(finished.dlogits);
        add_logits_gradient(weight, finished.dlogits, part);
        product_into(drows.narrow(0, begin, size), finished.dlogits, compute);
    }
    if (shared != nullptr && drows.defined())
        shared->ranks->all_reduce(drows, "gradient of inputs of the head").wait();
    return sum;
}

struct NextTokenLoss : torch::autograd::Function<NextTokenLoss> {
    static at::Tensor forward(AutogradContext* context, const at::Tensor& hidden, const at::Tensor& compute,
                              Parameter* weight, const at::Tensor& labels, double scale, const at::Tensor& loss_sum,
                              bool next, double cap, Parameter* bias) {
        at::Tensor rows = hidden.reshape({-1, hidden.size(2)}).to(compute.scalar_type());
        at::Tensor targets = targets_of(labels, next);
        at::Tensor root = at::zeros({}, hidden.options().dtype(at::kDouble));
        if (!hidden.requires_grad()) {
            at::Tensor sum = sum_of_losses(rows, *weight, targets, {}, {}, {next, cap, bias});
            loss_sum.add_(sum);
            return root.copy_(sum.mul_(scale));
        }
        context->save_for_backward({rows, targets});
        keep(context, "weight", *weight);
        keep(context, "bias", bias);
        context->saved_data["cap"] = cap;
        context->saved_data["scale"] = scale;
        context->saved_data["sizes"] = hidden.sizes().vec();
        context->saved_data["dtype"] = static_cast<std::int64_t>(hidden.scalar_type());
        context->saved_data["loss_sum"] = loss_sum;
        context->saved_data["root"] = root.detach();
        return root;
    }

    static variable_list backward(AutogradContext* context, variable_list incoming) {
        variable_list saved = context->get_saved_variables();
        double scale = context->saved_data["scale"].toDouble();
        at::Tensor drows = at::empty(saved[0].sizes(), saved[0].options());
        const LogitOptions options{true, context->saved_data["cap"].toDouble(),
                                   saved_parameter_or_null(context, "bias")};
        at::Tensor sum =
            sum_of_losses(saved[0], saved_parameter(context, "weight"), saved[1], {scale, incoming[0]}, drows, options);
        context->saved_data["loss_sum"].toTensor().add_(sum);
        context->saved_data["root"].toTensor().copy_(sum.mul_(scale));
        auto dtype = static_cast<at::ScalarType>(context->saved_data["dtype"].toInt());
        at::Tensor dhidden = drows.view(context->saved_data["sizes"].toIntVector()).to(dtype);
        return {dhidden,      at::Tensor(), at::Tensor(), at::Tensor(), at::Tensor(),
                at::Tensor(), at::Tensor(), at::Tensor(), at::Tensor()};
    }
};

}  // namespace

at::Tensor next_labels(const at::Tensor& labels) {
    at::Tensor shifted = at::full(labels.sizes(), kIgnoredLabel, labels.options());
    std::int64_t last = labels.size(1) - 1;
    if (last > 0)
        shifted.narrow(1, 0, last).copy_(labels.narrow(1, 1, last));
    return shifted;
}

at::Tensor next_token_loss(const at::Tensor& hidden, Parameter& weight, const at::Tensor& labels, double loss_scale,
                           const at::Tensor& loss_sum, const LogitOptions& options) {
    return NextTokenLoss::apply(hidden, weight.compute(), &weight, labels, loss_scale, loss_sum, options.next,
                                options.cap, options.bias);
}

at::Tensor logits_of(const at::Tensor& hidden, const Parameter& weight, const LogitOptions& options) {
    at::NoGradGuard no_grad;
    const at::Tensor& table = weight.value();
    at::Tensor logits;
    if (is_half(table.scalar_type())) {
        const at::Tensor rows = hidden.reshape({-1, hidden.size(-1)}).to(table.scalar_type());
        logits = product(rows, table.t(), {}).to(at::kFloat).view({hidden.size(0), hidden.size(1), table.size(0)});
    } else {
        logits = at::matmul(hidden.to(table.scalar_type()), table.t());
    }
    if (options.bias != nullptr)
        logits.add_(options.bias->value());
    if (options.cap > 0)
        logits.div_(options.cap).tanh_().mul_(options.cap);
    if (const parallel::TensorPart* shared = vocabulary_part(weight)) {
        const std::int64_t vocabulary = shared->whole_shape.front();
        const parallel::TensorPart columns{
            shared->ranks, shared->placement, {logits.size(0), logits.size(1), vocabulary}, 2, {vocabulary}};
        return columns.gather(logits, "logits");
    }
    return logits;
}

}  // namespace trainyard::models
