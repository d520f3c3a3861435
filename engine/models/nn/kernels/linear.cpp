// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/nn/kernels/linear.h"

#include <algorithm>
#include <array>
#include <utility>

#include <ATen/Parallel.h>
#include <ATen/ops/addmm.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/gelu.h>
#include <ATen/ops/gelu_backward.h>
#include <ATen/ops/mm.h>
#include <torch/csrc/autograd/custom_function.h>

#include "distributed/parallel/activation_checkpoint.h"
#include "distributed/parallel/communicator.h"
#include "distributed/parallel/deferred_gradients.h"
#include "distributed/parallel/matrix_kernel.h"
#include "distributed/parallel/tensor_part.h"
#include "models/nn/kernels/half_bits.h"
#include "models/nn/kernels/products.h"
#include "models/nn/kernels/saved_parameter.h"
#include "models/nn/kernels/vector_loops.h"
#include "models/nn/kernels/weight_gradient.h"

namespace trainyard::models {

namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

at::Tensor rows(const at::Tensor& x) {
    return x.reshape({-1, x.size(-1)});
}

std::vector<std::int64_t> with_last(const at::Tensor& x, std::int64_t last) {
    std::vector<std::int64_t> shape = x.sizes().vec();
    shape.back() = last;
    return shape;
}

/// The bias's gradient += the column sums of dy. Columns are divided among threads, so the order of additions is fixed.
void add_column_sums(Parameter& bias, const at::Tensor& dy) {
    if (!bias.trains())
        return;
    if (!dy.is_cpu() || !has_number_format(dy.scalar_type()) || dy.stride(1) != 1)
        return bias.add_row_sum(dy);
    constexpr std::int64_t kColumns = 128;
    auto* sums = bias.gradient_to_accumulate().data_ptr<float>();
    std::int64_t count = dy.size(0), width = dy.size(1), stride = dy.stride(0),
                 strips = (width + kColumns - 1) / kColumns;
    at::parallel_for(0, strips, 1, [&](std::int64_t begin, std::int64_t end) {
        std::int64_t first = begin * kColumns, last = std::min(width, end * kColumns);
        NumberFormat format = format_of(dy.scalar_type());
        if (format == NumberFormat::fp32)
            vector_loops().add_rows(dy.const_data_ptr<float>() + first, stride, count, last - first, sums + first);
        else
            vector_loops().half(format).add_rows(bits(dy) + first, stride, count, last - first, sums + first);
    });
}

/// Of a model that is used and not trained. A few rows are limited by reading the matrix, which LibTorch does once;
/// our products pack it first, which pays for many rows. Sums are in another order, so training, which is the same on
/// every layout, does not come here.
at::Tensor product_in_use(const at::Tensor& input, const at::Tensor& matrix, const at::Tensor& shift) {
    constexpr std::int64_t kFewRows = 4;
    if (input.size(0) > kFewRows || !input.is_cpu() || input.scalar_type() != at::kFloat)
        return product(input, matrix, shift);
    return shift.defined() ? at::addmm(shift, input, matrix) : at::mm(input, matrix);
}

// In the functions below, the leaf `compute` is an argument only so that autograd visits the node.

struct LinearFunction : torch::autograd::Function<LinearFunction> {
    static at::Tensor forward(AutogradContext* context, const at::Tensor& x, const at::Tensor& compute,
                              Parameter* weight, Parameter* bias, bool transposed) {
        at::Tensor input = rows(x).to(compute.scalar_type());
        const at::Tensor matrix = transposed ? compute.t() : compute,
                         shift = bias != nullptr ? bias->compute() : at::Tensor();
        const bool trains = compute.requires_grad() && !InUse::is_set();
        const at::Tensor y = parallel::kept_output(
            [&] { return trains ? product(input, matrix, shift) : product_in_use(input, matrix, shift); });
        context->save_for_backward({input});
        context->saved_data["dtype"] = static_cast<std::int64_t>(x.scalar_type());
        context->saved_data["needs_x"] = x.requires_grad();
        keep(context, "weight", *weight);
        keep(context, "bias", bias);
        context->saved_data["transposed"] = transposed;
        return y.view(with_last(x, y.size(1)));
    }

    static variable_list backward(AutogradContext* context, variable_list gradients) {
        Parameter &weight = saved_parameter(context, "weight"), *bias = saved_parameter_or_null(context, "bias");
        const bool transposed = context->saved_data["transposed"].toBool();
        at::Tensor input = context->get_saved_variables()[0];
        at::Tensor dy = rows(gradients[0]).to(input.scalar_type());
        parallel::DeferredGradients::make([&weight, bias, transposed, input, dy] {
            if (transposed)
                add_weight_gradient(weight, dy, input);
            else
                add_weight_gradient(weight, input, dy);
            if (bias != nullptr)
                add_column_sums(*bias, dy);
        });
        at::Tensor dx;
        if (context->saved_data["needs_x"].toBool()) {
            auto dtype = static_cast<at::ScalarType>(context->saved_data["dtype"].toInt());
            const at::Tensor compute = weight.compute().detach();
            dx = product(dy, transposed ? compute : compute.t()).view(with_last(gradients[0], input.size(1))).to(dtype);
        }
        return {dx, at::Tensor(), at::Tensor(), at::Tensor(), at::Tensor()};
    }
};

constexpr std::array<const char*, 3> kWeights{"weight 0", "weight 1", "weight 2"},
    kBiases{"bias 0", "bias 1", "bias 2"};

/// Visits the column range of each weight [out, in] in the concatenated rows, one weight after the other.
template <class Visit>
void for_columns(const at::Tensor& side_by_side, const DenseOfThree& dense, Visit visit) {
    std::int64_t at = 0;
    for (std::size_t i = 0; i < dense.size(); ++i) {
        const std::int64_t out = dense[i].weight->shape().at(0);
        visit(i, side_by_side.narrow(1, at, out));
        at += out;
    }
}

struct SideBySideFunction : torch::autograd::Function<SideBySideFunction> {
    static at::Tensor forward(AutogradContext* context, const at::Tensor& x, const at::Tensor& compute,
                              const at::Tensor& /*of weight 1*/, const at::Tensor& /*of weight 2*/,
                              const DenseOfThree& dense) {
        const at::Tensor input = rows(x).to(compute.scalar_type());
        std::int64_t width = 0;
        for (std::size_t i = 0; i < dense.size(); ++i) {
            width += dense[i].weight->shape().at(0);
            keep(context, kWeights[i], *dense[i].weight);
            keep(context, kBiases[i], dense[i].bias);
        }
        const at::Tensor y = parallel::kept_output([&] {
            at::Tensor all = at::empty({input.size(0), width}, input.options());
            for_columns(all, dense, [&](std::size_t i, const at::Tensor& columns) {
                product_into(columns, input, dense[i].weight->compute().detach().t(),
                             dense[i].bias != nullptr ? dense[i].bias->compute().detach() : at::Tensor());
            });
            return all;
        });
        context->save_for_backward({input});
        context->saved_data["dtype"] = static_cast<std::int64_t>(x.scalar_type());
        context->saved_data["needs_x"] = x.requires_grad();
        return y.view(with_last(x, width));
    }

    static variable_list backward(AutogradContext* context, variable_list gradients) {
        DenseOfThree dense;
        for (std::size_t i = 0; i < dense.size(); ++i)
            dense[i] = {&saved_parameter(context, kWeights[i]), saved_parameter_or_null(context, kBiases[i])};
        const at::Tensor input = context->get_saved_variables()[0];
        const at::Tensor dy = rows(gradients[0]).to(input.scalar_type());
        parallel::DeferredGradients::make([dense, input, dy] {
            for_columns(dy, dense, [&](std::size_t i, const at::Tensor& columns) {
                add_weight_gradient(*dense[i].weight, columns, input);
                if (dense[i].bias != nullptr)
                    add_column_sums(*dense[i].bias, columns);
            });
        });
        if (!context->saved_data["needs_x"].toBool())
            return variable_list(5);
        at::Tensor dx;
        for_columns(dy, dense, [&](std::size_t i, const at::Tensor& columns) {
            const at::Tensor weight = dense[i].weight->compute().detach();
            if (i == 0)
                dx = product(columns, weight);
            else
                add_product_into(dx, columns, weight);
        });
        const auto dtype = static_cast<at::ScalarType>(context->saved_data["dtype"].toInt());
        return {dx.view(with_last(gradients[0], input.size(1))).to(dtype), at::Tensor(), at::Tensor(), at::Tensor(),
                at::Tensor()};
    }
};

/// fp32, bfloat16 and fp16 on the CPU use our loops; everything else uses LibTorch's operators.
struct GeluFunction : torch::autograd::Function<GeluFunction> {
    static at::Tensor forward(AutogradContext* context, const at::Tensor& x) {
        context->save_for_backward({x});
        if (!has_loops(x))
            return at::gelu(x, "tanh");
        at::Tensor y = at::empty(x.sizes(), x.options());
        at::parallel_for(0, x.numel(), kGrain, [&](std::int64_t begin, std::int64_t end) {
            if (x.scalar_type() == at::kFloat)
                vector_loops().gelu_forward(x.const_data_ptr<float>() + begin, y.data_ptr<float>() + begin,
                                            end - begin);
            else
                half_loops(x).gelu_forward(bits(x) + begin, bits_to_write(y) + begin, end - begin);
        });
        return y;
    }

    static variable_list backward(AutogradContext* context, variable_list gradients) {
        at::Tensor x = context->get_saved_variables()[0];
        if (!has_loops(x))
            return {at::gelu_backward(gradients[0], x, "tanh")};
        at::Tensor dy = gradients[0].contiguous();
        at::Tensor dx = at::empty(x.sizes(), x.options());
        at::parallel_for(0, x.numel(), kGrain, [&](std::int64_t begin, std::int64_t end) {
            if (x.scalar_type() == at::kFloat)
                vector_loops().gelu_backward(x.const_data_ptr<float>() + begin, dy.const_data_ptr<float>() + begin,
                                             dx.data_ptr<float>() + begin, end - begin);
            else
                half_loops(x).gelu_backward(bits(x) + begin, bits(dy) + begin, bits_to_write(dx) + begin, end - begin);
        });
        return {dx};
    }

  private:
    static constexpr std::int64_t kGrain = 16384;
    static bool has_loops(const at::Tensor& x) {
        return x.is_cpu() && has_number_format(x.scalar_type()) && x.is_contiguous();
    }
    static const HalfLoops& half_loops(const at::Tensor& x) { return vector_loops().half(format_of(x.scalar_type())); }
};

/// table[tokens] += dy. Columns are divided among threads, so the order of additions is fixed.
void scatter_rows(const at::Tensor& table, const at::Tensor& tokens, const at::Tensor& dy, std::int64_t padding) {
    if (!table.is_cpu()) {
        table.index_add_(0, tokens, padding < 0 ? dy : dy.mul(tokens.ne(padding).unsqueeze(1)));
        return;
    }
    std::int64_t width = table.size(1), count = tokens.numel();
    float* out = table.data_ptr<float>();
    const float* in = dy.const_data_ptr<float>();
    const std::int64_t* ids = tokens.const_data_ptr<std::int64_t>();
    at::parallel_for(0, width, 64, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t row = 0; row < count; ++row) {
            if (ids[row] == padding)
                continue;
            float* target = out + ids[row] * width;
            const float* source = in + row * width;
            for (std::int64_t column = begin; column < end; ++column)
                target[column] += source[column];
        }
    });
}

struct EmbedFunction : torch::autograd::Function<EmbedFunction> {
    static at::Tensor forward(AutogradContext* context, const at::Tensor& tokens, const at::Tensor& /*compute*/,
                              Parameter* token_table, Parameter* position_table,
                              const std::optional<at::Tensor>& positions, std::int64_t padding,
                              std::int64_t position_padding) {
        context->saved_data["padding"] = padding;
        context->saved_data["position_padding"] = position_padding;
        at::Tensor flat = tokens.reshape({-1}), flat_positions;
        at::Tensor hidden = token_table->value().index_select(0, flat).to(at::kFloat);
        hidden = hidden.view({tokens.size(0), tokens.size(1), -1});
        if (position_table == nullptr) {
            // nothing to add
        } else if (positions) {
            flat_positions = positions->reshape({-1});
            hidden.add_(position_table->value().index_select(0, flat_positions).to(at::kFloat).view_as(hidden));
        } else {
            hidden.add_(position_table->value().narrow(0, 0, tokens.size(1)));
        }
        context->save_for_backward({flat, flat_positions});
        keep(context, "tokens", *token_table);
        keep(context, "positions", position_table);
        return hidden;
    }

    static variable_list backward(AutogradContext* context, variable_list gradients) {
        at::Tensor dy = gradients[0].contiguous();
        variable_list saved = context->get_saved_variables();
        at::Tensor rows_of_dy = dy.view({-1, dy.size(2)});
        Parameter &tokens = saved_parameter(context, "tokens"),
                  *positions = saved_parameter_or_null(context, "positions");
        if (tokens.trains())
            scatter_rows(tokens.gradient_to_accumulate(), saved[0], rows_of_dy, context->saved_data["padding"].toInt());
        if (positions == nullptr || !positions->trains())
            return variable_list(7);
        if (saved[1].defined())
            scatter_rows(positions->gradient_to_accumulate(), saved[1], rows_of_dy,
                         context->saved_data["position_padding"].toInt());
        else
            positions->gradient_to_accumulate().narrow(0, 0, dy.size(1)).add_(dy.sum(0));
        return variable_list(7);
    }
};

struct AddBiasFunction : torch::autograd::Function<AddBiasFunction> {
    static at::Tensor forward(AutogradContext* context, const at::Tensor& y, const at::Tensor& compute,
                              Parameter* bias) {
        keep(context, "bias", *bias);
        return y.add(compute.detach());
    }
    static variable_list backward(AutogradContext* context, variable_list gradients) {
        Parameter& bias = saved_parameter(context, "bias");
        const at::Tensor dy = rows(gradients[0]);
        parallel::DeferredGradients::make([&bias, dy] { add_column_sums(bias, dy); });
        return {gradients[0], at::Tensor(), at::Tensor()};
    }
};

struct EmbedPartFunction : torch::autograd::Function<EmbedPartFunction> {
    static at::Tensor forward(AutogradContext* context, const at::Tensor& tokens, const at::Tensor& /*compute*/,
                              Parameter* table, std::int64_t padding) {
        const parallel::Range own = table->part()->ranges().front();
        const at::Tensor ids = tokens.reshape({-1}).sub(own.begin);
        const at::Tensor others = ids.lt(0).logical_or(ids.ge(own.size()));
        at::Tensor hidden = table->value().index_select(0, ids.masked_fill(others, 0)).to(at::kFloat);
        hidden = hidden.masked_fill(others.unsqueeze(1), 0).view({tokens.size(0), tokens.size(1), -1});
        const at::Tensor untrained = padding == kNoPadding ? others : others.logical_or(ids.eq(padding - own.begin));
        context->save_for_backward({ids.masked_fill(untrained, kNoPadding)});
        keep(context, "table", *table);
        return hidden;
    }
    static variable_list backward(AutogradContext* context, variable_list gradients) {
        Parameter& table = saved_parameter(context, "table");
        if (!table.trains())
            return variable_list(4);
        const at::Tensor ids = context->get_saved_variables()[0];
        const at::Tensor dy = gradients[0].contiguous().view({-1, gradients[0].size(2)});
        const at::Tensor& gradient = table.gradient_to_accumulate();
        if (gradient.is_cpu())
            scatter_rows(gradient, ids, dy, kNoPadding);
        else
            gradient.index_add_(0, ids.clamp_min(0), dy.mul(ids.ne(kNoPadding).unsqueeze(1)));
        return variable_list(4);
    }
};

bool is_transposed(const Parameter& weight) {
    return weight.product() == Parameter::Product::out_in;
}

/// [in, out]
at::Tensor matrix_of(const Parameter& weight) {
    const at::Tensor matrix = weight.compute().detach();
    return is_transposed(weight) ? matrix.t() : matrix;
}

void add_gradients(const Dense& one, const at::Tensor& input, const at::Tensor& dy) {
    parallel::DeferredGradients::make([one, input, dy] {
        if (is_transposed(*one.weight))
            add_weight_gradient(*one.weight, dy, input);
        else
            add_weight_gradient(*one.weight, input, dy);
        if (one.bias != nullptr)
            add_column_sums(*one.bias, dy);
    });
}

/// The positions of a rank in chunks of about the same size. One chunk is exchanged while another is multiplied: Wang
/// et al., "Overlap communication with dependent computation via decomposition in large deep learning models", 2023.
class PositionChunks {
  public:
    PositionChunks(std::int64_t own, parallel::Communicator& ranks, std::int64_t count) : own_(own), ranks_(ranks) {
        const auto chunks = static_cast<int>(std::clamp<std::int64_t>(count, 1, std::max<std::int64_t>(1, own)));
        for (int i = 0; i < chunks; ++i)
            chunks_.push_back(parallel::split_between(own, i, chunks));
    }

    const std::vector<parallel::Range>& all() const { return chunks_; }

    /// Of x [batch, positions of all ranks, ...]: [batch, ranks, positions of a chunk, ...].
    at::Tensor of_ranks(const at::Tensor& x, const parallel::Range& chunk) const {
        return x.unflatten(1, {ranks_.size(), own_}).narrow(2, chunk.begin, chunk.size());
    }

    /// Calls use(chunk, its positions of all ranks) for x [batch, positions of this rank, ...]. Meanwhile the next
    /// chunk is on its way.
    template <class Use>
    void gather(const at::Tensor& x, const std::string& name, Use use) const {
        struct Gathered {
            at::Tensor own, all;
            parallel::Pending pending;
        };
        const auto start = [&](std::size_t i) {
            Gathered one;
            one.own = x.narrow(1, chunks_[i].begin, chunks_[i].size()).contiguous();
            std::vector<std::int64_t> sizes = one.own.sizes().vec();
            sizes.insert(sizes.begin(), ranks_.size());
            one.all = at::empty(sizes, x.options());
            one.pending = ranks_.all_gather_async(one.all, one.own, name);
            return one;
        };
        Gathered next = start(0);
        for (std::size_t i = 0; i < chunks_.size(); ++i) {
            Gathered one = std::move(next);
            if (i + 1 < chunks_.size())
                next = start(i + 1);
            one.pending.wait();
            use(chunks_[i], one.all.transpose(0, 1));
        }
    }

    /// The sums over the ranks of chunks, each on its way from when it is added.
    class Sums {
      public:
        Sums(parallel::Communicator& ranks, std::string name) : ranks_(ranks), name_(std::move(name)) {}
        /// part [batch, ranks, positions of a chunk, ...]
        void add(const at::Tensor& part) {
            std::vector<std::int64_t> sizes = part.sizes().vec();
            sizes.erase(sizes.begin() + 1);
            sums_.push_back(at::empty(sizes, part.options()));
            parts_.push_back(part.transpose(0, 1).contiguous());
            pending_.push_back(ranks_.reduce_scatter(sums_.back(), parts_.back(), name_));
        }
        /// [batch, positions of this rank, ...]
        at::Tensor finish() {
            for (parallel::Pending& each : pending_)
                each.wait();
            return sums_.size() == 1 ? sums_.front() : at::cat(sums_, 1);
        }

      private:
        parallel::Communicator& ranks_;
        std::string name_;
        std::vector<at::Tensor> sums_, parts_;
        std::vector<parallel::Pending> pending_;
    };

  private:
    std::int64_t own_;
    parallel::Communicator& ranks_;
    std::vector<parallel::Range> chunks_;
};

struct LinearOfAllPositions : torch::autograd::Function<LinearOfAllPositions> {
    static variable_list forward(AutogradContext* context, const at::Tensor& x, const at::Tensor& compute,
                                 const std::vector<Dense>& dense, std::int64_t ranks, std::int64_t count,
                                 const std::string& name) {
        auto& group = *reinterpret_cast<parallel::Communicator*>(ranks);
        const variable_list results = parallel::kept_outputs([&] {
            const PositionChunks chunks(x.size(1), group, count);
            variable_list made(dense.size());
            chunks.gather(x, "positions of " + name, [&](const parallel::Range& chunk, const at::Tensor& all) {
                const at::Tensor input = rows(all).to(compute.scalar_type());
                for (std::size_t i = 0; i < dense.size(); ++i) {
                    const at::Tensor y =
                        product(input, matrix_of(*dense[i].weight),
                                dense[i].bias != nullptr ? dense[i].bias->compute().detach() : at::Tensor());
                    if (chunks.all().size() == 1) {
                        made[i] = y.view(with_last(all, y.size(1))).flatten(1, 2);
                        continue;
                    }
                    if (!made[i].defined())
                        made[i] = at::empty({x.size(0), x.size(1) * group.size(), y.size(1)}, y.options());
                    chunks.of_ranks(made[i], chunk).copy_(y.view(with_last(all, y.size(1))));
                }
            });
            return made;
        });
        for (std::size_t i = 0; i < dense.size(); ++i) {
            keep(context, kWeights[i], *dense[i].weight);
            keep(context, kBiases[i], dense[i].bias);
        }
        context->save_for_backward({x});
        context->saved_data["count"] = static_cast<std::int64_t>(dense.size());
        context->saved_data["ranks"] = ranks;
        context->saved_data["chunks"] = count;
        context->saved_data["name"] = name;
        context->saved_data["needs_x"] = x.requires_grad();
        return results;
    }

    static variable_list backward(AutogradContext* context, variable_list gradients) {
        auto& group = *reinterpret_cast<parallel::Communicator*>(context->saved_data["ranks"].toInt());
        const std::string name = context->saved_data["name"].toStringRef();
        const auto count = static_cast<std::size_t>(context->saved_data["count"].toInt());
        const at::Tensor x = context->get_saved_variables()[0];
        std::vector<Dense> dense;
        std::vector<at::Tensor> dy;  // undefined: nothing used the result
        bool trains = false;
        for (std::size_t i = 0; i < count; ++i) {
            dense.push_back({&saved_parameter(context, kWeights[i]), saved_parameter_or_null(context, kBiases[i])});
            trains |= dense[i].weight->trains();
            dy.push_back(gradients[i].defined() ? gradients[i].to(dense[i].weight->compute().scalar_type())
                                                : at::Tensor());
        }
        const at::ScalarType type = dense[0].weight->compute().scalar_type();
        const PositionChunks chunks(x.size(1), group, context->saved_data["chunks"].toInt());
        // All of x is on its way while its gradient is computed, and that while the gradients of the weights are.
        const at::Tensor own = x.contiguous();
        at::Tensor all;
        parallel::Pending gathered;
        if (trains) {
            std::vector<std::int64_t> sizes = x.sizes().vec();
            sizes.insert(sizes.begin(), group.size());
            all = at::empty(sizes, x.options());
            gathered = group.all_gather_async(all, own, "positions of " + name);
        }
        PositionChunks::Sums sums(group, "gradient of positions of " + name);
        const bool needs_x = context->saved_data["needs_x"].toBool() &&
                             std::ranges::any_of(dy, [](const at::Tensor& one) { return one.defined(); });
        for (std::size_t c = 0; needs_x && c < chunks.all().size(); ++c) {
            at::Tensor sum;
            for (std::size_t i = 0; i < count; ++i) {
                if (!dy[i].defined())
                    continue;
                const at::Tensor part =
                    product(rows(chunks.of_ranks(dy[i], chunks.all()[c])), matrix_of(*dense[i].weight).t());
                sum = sum.defined() ? sum.add_(part) : part;
            }
            sums.add(sum.view({x.size(0), group.size(), chunks.all()[c].size(), sum.size(1)}));
        }
        gathered.wait();
        const at::Tensor input = trains ? rows(all.transpose(0, 1)).to(type) : at::Tensor();
        for (std::size_t i = 0; i < count; ++i)
            if (dy[i].defined())
                add_gradients(dense[i], input, rows(dy[i]));
        variable_list results(6);
        if (needs_x)
            results[0] = sums.finish().to(x.scalar_type());
        return results;
    }
};

struct LinearToOwnPositions : torch::autograd::Function<LinearToOwnPositions> {
    static at::Tensor forward(AutogradContext* context, const at::Tensor& x, const at::Tensor& compute,
                              Parameter* weight, std::int64_t ranks, std::int64_t count, const std::string& name) {
        auto& group = *reinterpret_cast<parallel::Communicator*>(ranks);
        const at::Tensor input = x.to(compute.scalar_type());
        const at::Tensor own = parallel::kept_output([&] {
            const PositionChunks chunks(x.size(1) / group.size(), group, count);
            PositionChunks::Sums sums(group, "outputs of " + name);
            for (const parallel::Range& chunk : chunks.all()) {
                const at::Tensor part = chunks.of_ranks(input, chunk), y = product(rows(part), matrix_of(*weight));
                sums.add(y.view(with_last(part, y.size(1))));
            }
            return sums.finish();
        });
        context->save_for_backward({input});
        keep(context, kWeights[0], *weight);
        context->saved_data["dtype"] = static_cast<std::int64_t>(x.scalar_type());
        context->saved_data["ranks"] = ranks;
        context->saved_data["chunks"] = count;
        context->saved_data["name"] = name;
        context->saved_data["needs_x"] = x.requires_grad();
        return own;
    }

    static variable_list backward(AutogradContext* context, variable_list gradients) {
        auto& group = *reinterpret_cast<parallel::Communicator*>(context->saved_data["ranks"].toInt());
        Parameter& weight = saved_parameter(context, kWeights[0]);
        const at::Tensor input = context->get_saved_variables()[0], own = gradients[0];
        const PositionChunks chunks(own.size(1), group, context->saved_data["chunks"].toInt());
        const bool needs_x = context->saved_data["needs_x"].toBool();
        const at::Tensor dy = at::empty({input.size(0), input.size(1), own.size(2)}, input.options()),
                         dx = needs_x ? at::empty(input.sizes(), input.options()) : at::Tensor();
        chunks.gather(own, "gradient of outputs of " + context->saved_data["name"].toStringRef(),
                      [&](const parallel::Range& chunk, const at::Tensor& all) {
                          chunks.of_ranks(dy, chunk).copy_(all);
                          if (!needs_x)
                              return;
                          const at::Tensor part = product(rows(all).to(input.scalar_type()), matrix_of(weight).t());
                          chunks.of_ranks(dx, chunk).copy_(part.view(with_last(all, part.size(1))));
                      });
        add_gradients({&weight}, rows(input), rows(dy));
        variable_list results(6);
        if (needs_x)
            results[0] = dx.to(static_cast<at::ScalarType>(context->saved_data["dtype"].toInt()));
        return results;
    }
};

}  // namespace

std::vector<at::Tensor> linear_of_all_positions(const at::Tensor& x, const std::vector<Dense>& dense,
                                                const parallel::TensorPart& part, const std::string& name) {
    return LinearOfAllPositions::apply(x, dense.front().weight->compute(), dense,
                                       reinterpret_cast<std::int64_t>(part.ranks), part.overlap_chunks, name);
}

at::Tensor linear_to_own_positions(const at::Tensor& x, Parameter& weight, const parallel::TensorPart& part,
                                   const std::string& name) {
    return LinearToOwnPositions::apply(x, weight.compute(), &weight, reinterpret_cast<std::int64_t>(part.ranks),
                                       part.overlap_chunks, name);
}

at::Tensor add_bias(const at::Tensor& y, Parameter& bias) {
    return AddBiasFunction::apply(y, bias.compute(), &bias);
}

at::Tensor embed_part(const at::Tensor& tokens, Parameter& table, std::int64_t padding) {
    return EmbedPartFunction::apply(tokens, table.compute(), &table, padding);
}

at::Tensor linear(const at::Tensor& x, Parameter& weight, Parameter* bias) {
    if (weight.kernel() != nullptr)
        return weight.kernel()->multiply(x, weight, bias);
    return LinearFunction::apply(x, weight.compute(), &weight, bias, false);
}

at::Tensor linear_transposed(const at::Tensor& x, Parameter& weight, Parameter* bias) {
    if (weight.kernel() != nullptr)
        return weight.kernel()->multiply(x, weight, bias);
    return LinearFunction::apply(x, weight.compute(), &weight, bias, true);
}

at::Tensor linear_side_by_side(const at::Tensor& x, const DenseOfThree& dense) {
    return SideBySideFunction::apply(x, dense[0].weight->compute(), dense[1].weight->compute(),
                                     dense[2].weight->compute(), dense);
}

at::Tensor gelu_tanh(const at::Tensor& x) {
    return GeluFunction::apply(x);
}

at::Tensor embed(const at::Tensor& tokens, Parameter& table, std::int64_t padding) {
    return EmbedFunction::apply(tokens, table.compute(), &table, static_cast<Parameter*>(nullptr),
                                std::optional<at::Tensor>(), padding, kNoPadding);
}

at::Tensor embed(const at::Tensor& tokens, Parameter& token_table, Parameter& position_table,
                 const at::Tensor& positions, std::int64_t padding, std::int64_t position_padding) {
    auto given = positions.defined() ? std::optional(positions) : std::nullopt;
    return EmbedFunction::apply(tokens, token_table.compute(), &token_table, &position_table, given, padding,
                                position_padding);
}

}  // namespace trainyard::models
