// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/nn/kernels/attention.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include <ATen/ops/cat.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/scaled_dot_product_attention.h>
#include <ATen/ops/softmax.h>
#include <ATen/ops/zeros.h>
#include <torch/csrc/autograd/custom_function.h>

#include "distributed/parallel/activation_checkpoint.h"
#include "models/nn/kernels/attention_cpu.h"
#include "models/nn/kernels/half_bits.h"
#include "models/nn/kernels/products.h"

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

AttentionInputs inputs_of(const AttentionShape& shape, const at::Tensor& qkv) {
    return packed_inputs(shape, format_of(qkv.scalar_type()), qkv.const_data_ptr());
}

/// Whether the processor's bfloat16 products can be used.
bool multiplies_bfloat16(const at::Tensor& qkv, const AttentionShape& shape, const SeenKeys& seen) {
    return qkv.scalar_type() == at::kBFloat16 && seen.causal && seen.window == 0 && seen.mask == nullptr &&
           has_bfloat16_attention(shape);
}

/// The value added to the score of a masked key; 16-bit formats are computed in fp32.
constexpr float kMasked = std::numeric_limits<float>::lowest();

/// `added`: [batch, keys] or [batch, heads, keys]; undefined: nothing is added.
SeenKeys seen_keys(bool causal, std::int64_t window, const at::Tensor& added) {
    SeenKeys seen{causal, window, added.defined() ? added.const_data_ptr<float>() : nullptr};
    seen.mask_by_head = added.defined() && added.dim() == 3;
    return seen;
}

/// What is added to the scores of the keys: kMasked where `mask` [batch, keys] is 0, and `bias`, as PlainAttention has
/// both. Undefined without both.
at::Tensor added_to_scores(const at::Tensor& mask, const at::Tensor& bias, std::int64_t batch) {
    if (!bias.defined())
        return mask.defined() ? at::zeros(mask.sizes()).masked_fill_(mask.eq(0), kMasked) : mask;
    const at::Tensor added = bias.expand({batch, bias.size(1), bias.size(2)});
    return (mask.defined() ? added.masked_fill(mask.eq(0).unsqueeze(1), kMasked) : added).contiguous();
}

/// Our kernels on the CPU. `added`: to the scores of keys, as seen_keys() takes it.
struct TiledFunction : torch::autograd::Function<TiledFunction> {
    static at::Tensor forward(AutogradContext* context, const at::Tensor& packed, std::int64_t heads, double scale,
                              bool causal, std::int64_t window, const std::optional<at::Tensor>& added) {
        at::Tensor qkv = packed.contiguous(), mask = added.value_or(at::Tensor());
        const SeenKeys seen = seen_keys(causal, window, mask);
        AttentionShape shape = shape_of(qkv, heads, scale);
        const variable_list results = parallel::kept_outputs([&] {
            const at::Tensor made = at::empty({shape.batch, shape.seq, shape.width()}, qkv.options()),
                             sums = at::empty({shape.batch, heads, shape.seq}, qkv.options().dtype(at::kFloat));
            if (multiplies_bfloat16(qkv, shape, seen))
                bfloat16_attention_forward(shape, bits(qkv), bits_to_write(made), sums.data_ptr<float>());
            else
                tiled_attention_forward(shape, seen, inputs_of(shape, qkv), plain_rows(shape, made.data_ptr()),
                                        format_of(qkv.scalar_type()), sums.data_ptr<float>());
            return variable_list{made, sums};
        });
        const at::Tensor &out = results[0], &log_sum_exp = results[1];
        context->save_for_backward({qkv, out, log_sum_exp, mask});
        context->saved_data["heads"] = heads;
        context->saved_data["scale"] = scale;
        context->saved_data["causal"] = causal;
        context->saved_data["window"] = window;
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
        const SeenKeys seen =
            seen_keys(context->saved_data["causal"].toBool(), context->saved_data["window"].toInt(), saved[3]);
        if (multiplies_bfloat16(qkv, shape, seen))
            bfloat16_attention_backward(shape, bits(qkv), bits(out), log_sum_exp, bits(dout), bits_to_write(dqkv));
        else
            tiled_attention_backward(shape, seen, inputs_of(shape, qkv), plain_rows(shape, out.const_data_ptr()),
                                     log_sum_exp, plain_rows(shape, dout.const_data_ptr()), inputs_of(shape, dqkv));
        return {dqkv, at::Tensor(), at::Tensor(), at::Tensor(), at::Tensor(), at::Tensor()};
    }
};

bool has_tiles(const at::Tensor& qkv) {
    return qkv.is_cpu() && has_number_format(qkv.scalar_type());
}

/// Whether every query sees a key that is not masked; `mask` [batch, keys] int64 on the CPU, for `keys` queries.
bool every_query_sees_a_key(const at::Tensor& mask, bool causal, std::int64_t window) {
    const std::int64_t keys = mask.size(1);
    const auto* allowed = mask.const_data_ptr<std::int64_t>();
    for (std::int64_t row = 0; row < mask.size(0); ++row, allowed += keys) {
        const std::int64_t *end = allowed + keys, *found = std::find_if(allowed, end, [](auto x) { return x != 0; });
        if (found == end || (causal && found != allowed))
            return false;
        // A run of masked keys as long as the window, after an allowed key, masks the whole window of a query.
        for (const std::int64_t* key = found; causal && window > 0 && key != end; ++key) {
            found = *key != 0 ? key : found;
            if (key - found >= window)
                return false;
        }
    }
    return true;
}

}  // namespace

at::Tensor causal_attention(const at::Tensor& qkv, std::int64_t heads, double scale) {
    if (has_tiles(qkv))
        return TiledFunction::apply(qkv, heads, scale, true, std::int64_t{0}, std::optional<at::Tensor>());
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
    if (plain.documents.defined()) {
        const at::Tensor same =
            plain.documents.narrow(0, keys - seq, seq).unsqueeze(1).eq(plain.documents.unsqueeze(0));
        allowed = allowed.defined() ? allowed.logical_and(same) : same;
    }
    if (plain.mask.defined()) {
        const at::Tensor given = plain.mask.ne(0).view({plain.mask.size(0), 1, 1, keys});
        allowed = allowed.defined() ? allowed.logical_and(given) : given;
    }
    return allowed;
}

/// What fused kernels compute as well: masks, windows and biases of keys, but neither dropout, caps nor trained biases.
at::Tensor masked_attention(const at::Tensor& qkv, std::int64_t heads, const PlainAttention& what) {
    // The backward of fused kernels takes the probabilities of a query without any key for 1 each.
    const at::Tensor given =
        what.mask.defined() ? what.mask.to(at::TensorOptions(at::kCPU).dtype(at::kLong)).contiguous() : what.mask;
    if (given.defined() && !every_query_sees_a_key(given, what.causal, what.window))
        return causal_attention_plain(qkv, heads, what);
    // The processor's products of 16-bit formats are only used by LibTorch here.
    if (has_tiles(qkv) && !torch_multiplies(qkv)) {
        const at::Tensor added = added_to_scores(given, what.key_bias, qkv.size(0));
        return TiledFunction::apply(qkv, heads, what.scale, what.causal, what.causal ? what.window : 0,
                                    added.defined() ? std::optional(added) : std::nullopt);
    }
    auto [q, k, v] = split_heads(qkv, heads);
    std::optional<at::Tensor> mask;
    const at::Tensor bias = what.key_bias.defined() ? what.key_bias.unsqueeze(2).to(q.options()) : at::Tensor();
    if (const at::Tensor allowed = allowed_keys(q, k.size(2), what); allowed.defined())
        mask = (bias.defined() ? bias.expand({q.size(0), q.size(1), q.size(2), k.size(2)})
                               : at::zeros(allowed.sizes(), q.options()))
                   .masked_fill(allowed.logical_not(), lowest_score(q.scalar_type()));
    else if (bias.defined())
        mask = bias;
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
    if (plain.key_bias.defined())
        scores = scores.add(plain.key_bias.unsqueeze(2).to(scores.scalar_type()));
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
    const bool overflows = what.mask.defined() && qkv.scalar_type() == at::kHalf && !has_tiles(qkv);
    if (what.dropout > 0 || what.past != nullptr || what.score_cap > 0 || what.bias.defined() ||
        what.documents.defined() || overflows)
        return causal_attention_plain(qkv, heads, what);
    const bool windowed = what.causal && what.window > 0 && what.window < qkv.size(1);
    if (what.mask.defined() || what.key_bias.defined() || windowed || !what.causal)
        return masked_attention(qkv, heads, what);
    return causal_attention(qkv, heads, what.scale);
}

}  // namespace trainyard::models
