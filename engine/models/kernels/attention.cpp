#include "models/kernels/attention.h"

#include <cmath>
#include <limits>

#include <ATen/ops/_scaled_dot_product_flash_attention_for_cpu.h>
#include <ATen/ops/_scaled_dot_product_flash_attention_for_cpu_backward.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/scaled_dot_product_attention.h>
#include <ATen/ops/softmax.h>
#include <torch/csrc/autograd/custom_function.h>

#include "models/kernels/attention_cpu.h"
#include "models/kernels/bfloat16_bits.h"

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

/// LibTorch's flash kernel on CPU (fp16) with one packed gradient: autograd's own path would build it with three copies and a concatenation.
struct FlashFunction : torch::autograd::Function<FlashFunction> {
    static at::Tensor forward(AutogradContext* context, const at::Tensor& packed, std::int64_t heads) {
        at::Tensor qkv = packed.contiguous();
        auto [q, k, v] = split_heads(qkv, heads);
        auto [out, log_sum_exp] = at::_scaled_dot_product_flash_attention_for_cpu(q, k, v, 0.0, true);
        context->save_for_backward({qkv, out, log_sum_exp});
        context->saved_data["heads"] = heads;
        return join_heads(out);
    }

    static variable_list backward(AutogradContext* context, variable_list gradients) {
        auto saved = context->get_saved_variables();
        std::int64_t heads = context->saved_data["heads"].toInt();
        auto [q, k, v] = split_heads(saved[0], heads);
        at::Tensor dout = gradients[0].contiguous().view({q.size(0), q.size(2), heads, q.size(3)}).transpose(1, 2);
        auto [dq, dk, dv] =
            at::_scaled_dot_product_flash_attention_for_cpu_backward(dout, q, k, v, saved[1], saved[2], 0.0, true);
        at::Tensor dqkv = at::empty(saved[0].sizes(), saved[0].options());
        auto [tq, tk, tv] = split_heads(dqkv, heads);
        tq.copy_(dq);
        tk.copy_(dk);
        tv.copy_(dv);
        return {dqkv, at::Tensor()};
    }
};

AttentionShape shape_of(const at::Tensor& qkv, std::int64_t heads) {
    return {qkv.size(0), qkv.size(1), heads, qkv.size(2) / 3 / heads};
}

/// Our own kernel for fp32 and bfloat16 on the CPU.
struct TiledFunction : torch::autograd::Function<TiledFunction> {
    static at::Tensor forward(AutogradContext* context, const at::Tensor& packed, std::int64_t heads) {
        at::Tensor qkv = packed.contiguous();
        AttentionShape shape = shape_of(qkv, heads);
        at::Tensor out = at::empty({shape.batch, shape.seq, shape.width()}, qkv.options());
        at::Tensor log_sum_exp = at::empty({shape.batch, heads, shape.seq}, qkv.options().dtype(at::kFloat));
        if (qkv.scalar_type() == at::kFloat)
            tiled_attention_forward(shape, qkv.const_data_ptr<float>(), out.data_ptr<float>(),
                                    log_sum_exp.data_ptr<float>());
        else if (has_bfloat16_attention(shape))
            bfloat16_attention_forward(shape, bits(qkv), bits_to_write(out), log_sum_exp.data_ptr<float>());
        else
            tiled_attention_forward(shape, bits(qkv), bits_to_write(out), log_sum_exp.data_ptr<float>());
        context->save_for_backward({qkv, out, log_sum_exp});
        context->saved_data["heads"] = heads;
        return out;
    }

    static variable_list backward(AutogradContext* context, variable_list gradients) {
        auto saved = context->get_saved_variables();
        const at::Tensor &qkv = saved[0], &out = saved[1];
        const auto* log_sum_exp = saved[2].const_data_ptr<float>();
        at::Tensor dout = gradients[0].contiguous();
        at::Tensor dqkv = at::empty(qkv.sizes(), qkv.options());
        AttentionShape shape = shape_of(qkv, context->saved_data["heads"].toInt());
        if (qkv.scalar_type() == at::kFloat)
            tiled_attention_backward(shape, qkv.const_data_ptr<float>(), out.const_data_ptr<float>(), log_sum_exp,
                                     dout.const_data_ptr<float>(), dqkv.data_ptr<float>());
        else if (has_bfloat16_attention(shape))
            bfloat16_attention_backward(shape, bits(qkv), bits(out), log_sum_exp, bits(dout), bits_to_write(dqkv));
        else
            tiled_attention_backward(shape, bits(qkv), bits(out), log_sum_exp, bits(dout), bits_to_write(dqkv));
        return {dqkv, at::Tensor()};
    }
};

}  // namespace

at::Tensor causal_attention(const at::Tensor& qkv, std::int64_t heads) {
    bool tiled = qkv.scalar_type() == at::kFloat || qkv.scalar_type() == at::kBFloat16;
    if (qkv.is_cpu() && tiled && has_tiled_attention())
        return TiledFunction::apply(qkv, heads);
    if (qkv.is_cpu())
        return FlashFunction::apply(qkv, heads);
    auto [q, k, v] = split_heads(qkv, heads);
    return join_heads(at::scaled_dot_product_attention(q, k, v, {}, 0.0, true));
}

at::Tensor causal_attention_plain(const at::Tensor& qkv, std::int64_t heads, const DropoutKey& key, double dropout) {
    auto [q, k, v] = split_heads(qkv, heads);
    at::Tensor scores = at::matmul(q, k.transpose(-2, -1)).div(std::sqrt(static_cast<double>(q.size(3))));
    at::Tensor allowed = at::ones({q.size(2), q.size(2)}, qkv.options().dtype(at::kBool)).tril();
    scores = scores.masked_fill(allowed.logical_not(), -std::numeric_limits<double>::infinity());
    at::Tensor probabilities = at::softmax(scores, -1, at::kFloat).to(qkv.scalar_type());
    return join_heads(at::matmul(counter_dropout(probabilities, key, dropout), v));
}

}  // namespace trainyard::models
