// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/nn/kernels/batch_norm.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include <ATen/Parallel.h>
#include <ATen/ops/batch_norm.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/relu.h>
#include <torch/csrc/autograd/custom_function.h>

#include "models/nn/kernels/batch_norm_loops.h"
#include "models/nn/kernels/parameter_value.h"
#include "models/nn/kernels/saved_parameter.h"
#include "models/nn/kernels/vector_loops.h"

namespace trainyard::models {

namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

constexpr std::int64_t kBlockElements = 16384;  ///< which the first-level cache holds

/// The rows of a tensor with its channels last, in blocks whose sums are added in their order, however many threads there are.
struct Rows {
    std::int64_t rows, channels, of_block, blocks;

    explicit Rows(const at::Tensor& x)
        : rows(x.numel() / x.size(1)),
          channels(x.size(1)),
          of_block(std::max<std::int64_t>(1, kBlockElements / channels)),
          blocks((rows + of_block - 1) / of_block) {}

    /// what(number of the block, its first element, its rows)
    template <class What>
    void for_blocks(What what) const {
        at::parallel_for(0, blocks, 1, [&](std::int64_t begin, std::int64_t end) {
            for (std::int64_t block = begin; block < end; ++block)
                what(block, block * of_block * channels, std::min(of_block, rows - block * of_block));
        });
    }
};

at::Tensor row_of(std::int64_t channels) {
    return at::empty({channels}, at::kFloat);
}

/// Mean and sum of squared distances from it, of each channel: those of blocks, put together. Chan, Golub and LeVeque, 1979.
void measure_channels(const at::Tensor& x, const Rows& rows, std::vector<double>& mean, std::vector<double>& squares) {
    const std::int64_t channels = rows.channels;
    std::vector<float> sums(static_cast<std::size_t>(2 * rows.blocks * channels), 0.0f);
    const float* data = x.const_data_ptr<float>();
    rows.for_blocks([&](std::int64_t block, std::int64_t first, std::int64_t count) {
        float* mean_of_block = sums.data() + 2 * block * channels;
        vector_loops().add_rows(data + first, channels, count, channels, mean_of_block);
        for (std::int64_t c = 0; c < channels; ++c)
            mean_of_block[c] /= static_cast<float>(count);
        batch_norm_loops().squares(data + first, mean_of_block, count, channels, mean_of_block + channels);
    });
    double seen = 0;
    for (std::int64_t block = 0; block < rows.blocks; ++block) {
        const float* of_block = sums.data() + 2 * block * channels;
        const auto count = static_cast<double>(std::min(rows.of_block, rows.rows - block * rows.of_block));
        for (std::int64_t c = 0; c < channels; ++c) {
            const auto place = static_cast<std::size_t>(c);
            const double apart = of_block[c] - mean[place];
            mean[place] += apart * count / (seen + count);
            squares[place] += of_block[channels + c] + apart * apart * seen * count / (seen + count);
        }
        seen += count;
    }
}

struct BatchNormFunction : torch::autograd::Function<BatchNormFunction> {
    static at::Tensor forward(AutogradContext* context, const at::Tensor& x, const at::Tensor& weight,
                              const at::Tensor& bias, const std::optional<at::Tensor>& residual,
                              const BatchNorm* norm) {
        const Rows rows(x);
        const std::int64_t channels = rows.channels;
        std::vector<double> mean(static_cast<std::size_t>(channels), 0.0), squares(mean);
        measure_channels(x, rows, mean, squares);
        const at::Tensor means = row_of(channels), inverses = row_of(channels), factors = row_of(channels),
                         scale = weight.to(at::kFloat), offset = bias.to(at::kFloat);
        auto *running_mean = norm->mean.data_ptr<float>(), *running_variance = norm->variance.data_ptr<float>();
        const auto count = static_cast<double>(rows.rows);
        for (std::int64_t c = 0; c < channels; ++c) {
            const auto place = static_cast<std::size_t>(c);
            const double inverse = 1 / std::sqrt(squares[place] / count + norm->epsilon);
            means.data_ptr<float>()[c] = static_cast<float>(mean[place]);
            inverses.data_ptr<float>()[c] = static_cast<float>(inverse);
            factors.data_ptr<float>()[c] = static_cast<float>(scale.const_data_ptr<float>()[c] * inverse);
            const auto blend = [&](float& running, double now) {
                running = static_cast<float>((1 - norm->momentum) * running + norm->momentum * now);
            };
            blend(running_mean[c], mean[place]);
            blend(running_variance[c], squares[place] / (count - 1));
        }
        const at::Tensor y = at::empty_like(x);
        rows.for_blocks([&](std::int64_t, std::int64_t first, std::int64_t of_block) {
            batch_norm_loops().output(
                {x.const_data_ptr<float>() + first, means.const_data_ptr<float>(), factors.const_data_ptr<float>(),
                 offset.const_data_ptr<float>(), residual ? residual->const_data_ptr<float>() + first : nullptr,
                 norm->rectifies, y.data_ptr<float>() + first},
                of_block, channels);
        });
        context->save_for_backward({x, norm->rectifies ? y : at::Tensor(), means, inverses, scale});
        keep(context, "weight", *norm->weight);
        keep(context, "bias", *norm->bias);
        context->saved_data["adds"] = residual.has_value();
        return y;
    }

    static variable_list backward(AutogradContext* context, variable_list gradients) {
        const variable_list saved = context->get_saved_variables();
        const at::Tensor &x = saved[0], &y = saved[1], &means = saved[2], &inverses = saved[3], &scale = saved[4];
        const at::Tensor dy = with_channels_last(gradients[0]);
        const bool adds = context->saved_data["adds"].toBool();
        const Rows rows(x);
        const std::int64_t channels = rows.channels;
        const at::Tensor dx = at::empty_like(x), g = adds && y.defined() ? at::empty_like(x) : at::Tensor(),
                         of_g = row_of(channels), of_x = row_of(channels), shift = row_of(channels);
        const auto part = [&](std::int64_t first) {
            return BatchNormGradient{dy.const_data_ptr<float>() + first,
                                     y.defined() ? y.const_data_ptr<float>() + first : nullptr,
                                     x.const_data_ptr<float>() + first,
                                     means.const_data_ptr<float>(),
                                     of_g.const_data_ptr<float>(),
                                     of_x.const_data_ptr<float>(),
                                     shift.const_data_ptr<float>(),
                                     dx.data_ptr<float>() + first,
                                     g.defined() ? g.data_ptr<float>() + first : nullptr};
        };
        std::vector<float> sums(static_cast<std::size_t>(2 * rows.blocks * channels), 0.0f);
        rows.for_blocks([&](std::int64_t block, std::int64_t first, std::int64_t count) {
            float* own = sums.data() + 2 * block * channels;
            batch_norm_loops().gradient_sums(part(first), count, channels, own, own + channels);
        });
        const at::Tensor d_weight = row_of(channels), d_bias = row_of(channels);
        const auto count = static_cast<double>(rows.rows);
        for (std::int64_t c = 0; c < channels; ++c) {
            double sum_g = 0, sum_x = 0;
            for (std::int64_t block = 0; block < rows.blocks; ++block) {
                sum_g += sums[static_cast<std::size_t>(2 * block * channels + c)];
                sum_x += sums[static_cast<std::size_t>((2 * block + 1) * channels + c)];
            }
            const double inverse = inverses.const_data_ptr<float>()[c],
                         factor = scale.const_data_ptr<float>()[c] * inverse;
            d_bias.data_ptr<float>()[c] = static_cast<float>(sum_g);
            d_weight.data_ptr<float>()[c] = static_cast<float>(sum_x * inverse);
            of_g.data_ptr<float>()[c] = static_cast<float>(factor);
            of_x.data_ptr<float>()[c] = static_cast<float>(-factor * sum_x * inverse * inverse / count);
            shift.data_ptr<float>()[c] = static_cast<float>(-factor * sum_g / count);
        }
        saved_parameter(context, "weight").add_gradient(d_weight);
        saved_parameter(context, "bias").add_gradient(d_bias);
        rows.for_blocks([&](std::int64_t, std::int64_t first, std::int64_t of_block) {
            batch_norm_loops().gradient(part(first), of_block, channels);
        });
        return {dx, at::Tensor(), at::Tensor(), adds ? (y.defined() ? g : dy) : at::Tensor(), at::Tensor()};
    }
};

}  // namespace

at::Tensor with_channels_last(const at::Tensor& x) {
    return x.is_cpu() ? x.contiguous(at::MemoryFormat::ChannelsLast) : x;
}

at::Tensor batch_norm(const at::Tensor& x, const BatchNorm& norm, const at::Tensor& residual) {
    if (x.is_cpu() && norm.training && x.numel() / x.size(1) > 1) {
        const auto added = residual.defined() ? std::optional(with_channels_last(residual)) : std::nullopt;
        return BatchNormFunction::apply(with_channels_last(x), norm.weight->compute(), norm.bias->compute(), added,
                                        &norm);
    }
    const at::Tensor normed =
        at::batch_norm(x, value_of(*norm.weight).to(at::kFloat), value_of(*norm.bias).to(at::kFloat), norm.mean,
                       norm.variance, norm.training, norm.momentum, norm.epsilon, false);
    const at::Tensor sum = residual.defined() ? normed.add(residual) : normed;
    return norm.rectifies ? at::relu(sum) : sum;
}

}  // namespace trainyard::models
