#include "models/kernels/attention.h"

#include <cmath>
#include <limits>

#include <ATen/ops/cat.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/scaled_dot_product_attention.h>
#include <ATen/ops/softmax.h>
#include <torch/csrc/autograd/custom_function.h>

#include "models/kernels/attention_cpu.h"
#include "models/kernels/half_bits.h"

namespace trainyard::models {

namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

/// Views [batch, heads, seq, width / heads] of queries, keys, values.
std::array<at::Tensor, 3> split_heads(const at::Tensor& qkv, std::int64_t heads) {
    std::int64_t width = qkv.size(2) / 3;
    at::Tensor parts = qkv.view({qkv.size(0), qkv.size(1), 3, heads, width / heads});
    return {parts.select(2, 0).transpose(1, 2), parts.select(2, 1).transpose(1, 2), parts.select(2, 2).transpose(1, 2)};
}

at::Tensor join_heads(const at::Tensor& context) {
    return context.transpose(1, 2).reshape({context.size(0), context.size(2), context.size(1) * context.size(3)});
}

AttentionShape shape_of(const at::Tensor& qkv, std::int64_t heads, double scale) {
    return {qkv.size(0), qkv.size(1), heads, qkv.size(2) / 3 / heads, static_cast<float>(scale)};
}

/// Whether the processor's bfloat16 products can be used.
bool multiplies_bfloat16(const at::Tensor& qkv, const AttentionShape& shape) {
    return qkv.scalar_type() == at::kBFloat16 && has_bfloat16_attention(shape);
}

/// Our kernels on the CPU.
struct TiledFunction : torch::autograd::Function<TiledFunction> {
    static at::Tensor forward(AutogradContext* context, const at::Tensor& packed, std::int64_t heads, double scale) {
        at::Tensor qkv = packed.contiguous();
        AttentionShape shape = shape_of(qkv, heads, scale);
        at::Tensor out = at::empty({shape.batch, shape.seq, shape.width()}, qkv.options());
        at::Tensor log_sum_exp = at::empty({shape.batch, heads, shape.seq}, qkv.options().dtype(at::kFloat));
        if (multiplies_bfloat16(qkv, shape))
            bfloat16_attention_forward(shape, bits(qkv), bits_to_write(out), log_sum_exp.data_ptr<float>());
        else
            tiled_attention_forward(shape, format_of(qkv.scalar_type()), qkv.const_data_ptr(), out.data_ptr(),
                                    log_sum_exp.data_ptr<float>());
        context->save_for_backward({qkv, out, log_sum_exp});
        context->saved_data["heads"] = heads;
        context->saved_data["scale"] = scale;
        return out;
    }

    static variable_list backward(AutogradContext* context, variable_list gradients) {
        auto saved = context->get_saved_variables();
        const at::Tensor &qkv = saved[0], &out = saved[1];
        const auto* log_sum_exp = saved[2].const_data_ptr<float>();
        at::Tensor dout = gradients[0].contiguous();
        at::Tensor dqkv = at::empty(qkv.sizes(), qkv.options());
        AttentionShape shape =
            shape_of(qkv, context->saved_data["heads"].toInt(), context->saved_data["scale"].toDouble());
        if (multiplies_bfloat16(qkv, shape))
            bfloat16_attention_backward(shape, bits(qkv), bits(out), log_sum_exp, bits(dout), bits_to_write(dqkv));
        else
            tiled_attention_backward(shape, format_of(qkv.scalar_type()), qkv.const_data_ptr(), out.const_data_ptr(),
                                     log_sum_exp, dout.const_data_ptr(), dqkv.data_ptr());
        return {dqkv, at::Tensor(), at::Tensor()};
    }
};

}  // namespace

at::Tensor causal_attention(const at::Tensor& qkv, std::int64_t heads, double scale) {
    if (qkv.is_cpu() && has_number_format(qkv.scalar_type()))
        return TiledFunction::apply(qkv, heads, scale);
    auto [q, k, v] = split_heads(qkv, heads);
    return join_heads(
        at::scaled_dot_product_attention(q, k, v, {}, 0.0, true, scale == 0 ? std::nullopt : std::optional(scale)));
}

namespace {

/// The score of a masked key: the lowest number of the dtype, so that a row with only masked keys is not NaN.
double lowest_score(at::ScalarType type) {
    switch (type) {
        case at::kHalf:
            return -65504.0;
        case at::kDouble:
            return std::numeric_limits<double>::lowest();
        case at::kBFloat16:
            return -3.3895313892515355e38;
        default:
            return std::numeric_limits<float>::lowest();
    }
}

}  // namespace

at::Tensor causal_attention_plain(const at::Tensor& qkv, std::int64_t heads, const PlainAttention& plain) {
    auto [q, k, v] = split_heads(qkv, heads);
    if (plain.past != nullptr) {
        if (!plain.past->empty()) {
            k = at::cat({plain.past->at(0), k}, 2);
            v = at::cat({plain.past->at(1), v}, 2);
        }
        *plain.past = {k, v};
    }
    std::int64_t seq = q.size(2), keys = k.size(2);
    if (plain.fp32_scores) {
        q = q.to(at::kFloat);
        k = k.to(at::kFloat);
    }
    at::Tensor scores = at::matmul(q, k.transpose(-2, -1));
    scores = plain.scale == 0 ? scores.div(std::sqrt(static_cast<double>(q.size(3)))) : scores.mul(plain.scale);
    at::Tensor allowed = at::ones({seq, keys}, qkv.options().dtype(at::kBool)).tril(keys - seq);
    if (plain.mask.defined())
        allowed = allowed.logical_and(plain.mask.ne(0).view({plain.mask.size(0), 1, 1, keys}));
    scores = scores.masked_fill(allowed.logical_not(), lowest_score(scores.scalar_type()));
    at::Tensor probabilities = at::softmax(scores, -1, at::kFloat).to(qkv.scalar_type());
    return join_heads(at::matmul(counter_dropout(probabilities, plain.key, plain.dropout), v));
}

}  // namespace trainyard::models
