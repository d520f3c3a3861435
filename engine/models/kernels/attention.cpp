#include "models/kernels/attention.h"

#include <cmath>
#include <limits>

#include <ATen/ops/cat.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/scaled_dot_product_attention.h>
#include <ATen/ops/softmax.h>
#include <ATen/ops/zeros.h>
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

namespace {

/// Which keys a query may attend to: bool, broadcast to [batch, heads, seq, keys]; undefined: all of them.
at::Tensor allowed_keys(const at::Tensor& query, std::int64_t keys, const PlainAttention& plain) {
    const std::int64_t seq = query.size(2);
    at::Tensor allowed;
    if (plain.causal) {
        allowed = at::ones({seq, keys}, query.options().dtype(at::kBool)).tril(keys - seq);
        if (plain.window > 0)
            allowed = allowed.logical_and(allowed.triu(keys - seq - plain.window + 1));
    }
    if (plain.mask.defined()) {
        const at::Tensor given = plain.mask.ne(0).view({plain.mask.size(0), 1, 1, keys});
        allowed = allowed.defined() ? allowed.logical_and(given) : given;
    }
    return allowed;
}

/// What LibTorch's fused attention computes as well: masks, but neither dropout, caps nor trained biases.
at::Tensor masked_attention(const at::Tensor& qkv, std::int64_t heads, const PlainAttention& what) {
    auto [q, k, v] = split_heads(qkv, heads);
    std::optional<at::Tensor> mask;
    const at::Tensor allowed = allowed_keys(q, k.size(2), what);
    // Its backward takes the probabilities of a row without any key for 1 each.
    if (what.mask.defined() && !allowed.any(-1).all().item<bool>())
        return attention_plain(q, k, v, what);
    if (allowed.defined())
        mask =
            at::zeros(allowed.sizes(), q.options()).masked_fill_(allowed.logical_not(), lowest_score(q.scalar_type()));
    return join_heads(at::scaled_dot_product_attention(q, k, v, mask, 0.0, false,
                                                       what.scale == 0 ? std::nullopt : std::optional(what.scale)));
}

}  // namespace

at::Tensor attention_plain(const at::Tensor& query, const at::Tensor& key, const at::Tensor& value,
                           const PlainAttention& plain) {
    const at::Tensor q = plain.fp32_scores ? query.to(at::kFloat) : query,
                     k = plain.fp32_scores ? key.to(at::kFloat) : key;
    at::Tensor scores = at::matmul(q, k.transpose(-2, -1));
    scores = plain.scale == 0 ? scores.div(std::sqrt(static_cast<double>(q.size(3)))) : scores.mul(plain.scale);
    if (plain.score_cap > 0)
        scores = scores.div(plain.score_cap).tanh().mul(plain.score_cap);
    if (plain.bias.defined())
        scores = scores.add(plain.bias.to(scores.scalar_type()));
    if (const at::Tensor allowed = allowed_keys(q, k.size(2), plain); allowed.defined()) {
        const double lowest = lowest_score(scores.scalar_type());
        // Added, as in transformers, so that a row without any key has the gradients of a mean; fp16 would overflow.
        if (scores.scalar_type() == at::kHalf)
            scores = scores.masked_fill(allowed.logical_not(), lowest);
        else
            scores = scores.add(at::zeros(allowed.sizes(), scores.options().requires_grad(false))
                                    .masked_fill_(allowed.logical_not(), lowest));
    }
    at::Tensor probabilities = at::softmax(scores, -1, at::kFloat).to(value.scalar_type());
    return join_heads(at::matmul(counter_dropout(probabilities, plain.key, plain.dropout), value));
}

at::Tensor causal_attention_plain(const at::Tensor& qkv, std::int64_t heads, const PlainAttention& plain) {
    auto [q, k, v] = split_heads(qkv, heads);
    if (plain.past != nullptr) {
        if (!plain.past->empty()) {
            k = at::cat({plain.past->at(0), k}, 2);
            v = at::cat({plain.past->at(1), v}, 2);
        }
        *plain.past = {k, v};
    }
    return attention_plain(q, k, v, plain);
}

at::Tensor attention(const at::Tensor& qkv, std::int64_t heads, const PlainAttention& what) {
    // The mask that LibTorch adds to fp16 scores overflows where all keys are masked.
    const bool overflows = what.mask.defined() && qkv.scalar_type() == at::kHalf;
    if (what.dropout > 0 || what.past != nullptr || what.score_cap > 0 || what.bias.defined() || overflows)
        return causal_attention_plain(qkv, heads, what);
    const bool windowed = what.causal && what.window > 0 && what.window < qkv.size(1);
    if (what.mask.defined() || windowed || !what.causal)
        return masked_attention(qkv, heads, what);
    return causal_attention(qkv, heads, what.scale);
}

}  // namespace trainyard::models
