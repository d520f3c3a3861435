// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/nn/kernels/pack_heads.h"

#include <algorithm>
#include <optional>

#include <ATen/Dispatch.h>
#include <ATen/Parallel.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/stack.h>
#include <torch/csrc/autograd/custom_function.h>

namespace trainyard::models {

namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

/// Heads of one kind in memory: rows of tokens at `stride`, heads at `head_stride`.
template <class Number>
struct Heads {
    Number* data;
    std::int64_t batch_stride, stride, head_stride, count;
    Number* at(std::int64_t batch, std::int64_t token, std::int64_t head) const {
        return data + batch * batch_stride + token * stride + head * head_stride;
    }
};

template <class Number>
Heads<Number> heads_of(const at::Tensor& x) {
    return {static_cast<Number*>(x.data_ptr()), x.stride(0), x.stride(1), x.stride(2), x.size(2)};
}

struct Angles {
    const float *cosine = nullptr, *sine = nullptr;
    std::int64_t batch_stride = 0, pairs = 0;
    Angles() = default;
    Angles(const at::Tensor& cosines, const at::Tensor& sines) {
        if (!cosines.defined())
            return;
        cosine = cosines.const_data_ptr<float>();
        sine = sines.const_data_ptr<float>();
        pairs = cosines.size(-1);
        batch_stride = cosines.dim() == 3 ? cosines.size(1) * pairs : 0;
    }
};

/// Turns one head by the angles of a token; `direction` -1 turns back.
template <class Number>
void turn(const Number* in, Number* out, const float* cosine, const float* sine, std::int64_t pairs, std::int64_t width,
          float direction) {
    for (std::int64_t i = 0; i < pairs; ++i) {
        const auto a = static_cast<float>(in[i]), b = static_cast<float>(in[i + pairs]);
        const float c = cosine[i], s = direction * sine[i];
        out[i] = static_cast<Number>(a * c - b * s);
        out[i + pairs] = static_cast<Number>(b * c + a * s);
    }
    std::copy(in + 2 * pairs, in + width, out + 2 * pairs);
}

/// Calls `visit(batch, token, cosine, sine)` for all tokens, on all threads.
template <class Visit>
void for_tokens(std::int64_t batch, std::int64_t seq, std::int64_t work, const Angles& angles, Visit visit) {
    const std::int64_t grain = std::max<std::int64_t>(1, 16384 / std::max<std::int64_t>(1, work));
    at::parallel_for(0, batch * seq, grain, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t row = begin; row < end; ++row) {
            const std::int64_t b = row / seq, t = row % seq, at = b * angles.batch_stride + t * angles.pairs;
            visit(b, t, angles.cosine + at, angles.sine + at);
        }
    });
}

struct PackFunction : torch::autograd::Function<PackFunction> {
    static at::Tensor forward(AutogradContext* context, const at::Tensor& query, const at::Tensor& key,
                              const at::Tensor& value, const std::optional<at::Tensor>& cosines,
                              const std::optional<at::Tensor>& sines) {
        const at::Tensor cosine = cosines.value_or(at::Tensor()), sine = sines.value_or(at::Tensor());
        const std::int64_t batch = query.size(0), seq = query.size(1), heads = query.size(2), width = query.size(3);
        const std::int64_t group = heads / key.size(2);
        at::Tensor out = at::empty({batch, seq, 3, heads, width}, query.options());
        const Angles angles(cosine, sine);
        AT_DISPATCH_FLOATING_TYPES_AND2(at::kBFloat16, at::kHalf, query.scalar_type(), "pack_heads", [&] {
            const auto q = heads_of<scalar_t>(query), k = heads_of<scalar_t>(key), v = heads_of<scalar_t>(value);
            auto* packed = out.data_ptr<scalar_t>();
            for_tokens(batch, seq, 3 * heads * width, angles,
                       [&](std::int64_t b, std::int64_t t, const float* c, const float* s) {
                           scalar_t* to = packed + (b * seq + t) * 3 * heads * width;
                           for (std::int64_t h = 0; h < heads; ++h, to += width) {
                               const scalar_t* shared_key = k.at(b, t, h / group);
                               turn(q.at(b, t, h), to, c, s, angles.pairs, width, 1);
                               turn(shared_key, to + heads * width, c, s, angles.pairs, width, 1);
                               std::copy_n(v.at(b, t, h / group), width, to + 2 * heads * width);
                           }
                       });
        });
        context->save_for_backward({cosine, sine});
        context->saved_data["heads"] = heads;
        context->saved_data["key_heads"] = key.size(2);
        return out.view({batch, seq, 3 * heads * width});
    }

    static variable_list backward(AutogradContext* context, variable_list gradients) {
        const variable_list saved = context->get_saved_variables();
        const std::int64_t heads = context->saved_data["heads"].toInt(),
                           key_heads = context->saved_data["key_heads"].toInt();
        const at::Tensor packed = gradients[0].contiguous();
        const std::int64_t batch = packed.size(0), seq = packed.size(1), width = packed.size(2) / (3 * heads);
        const std::int64_t group = heads / key_heads;
        const at::Tensor dq = at::empty({batch, seq, heads, width}, packed.options());
        const at::Tensor dk = at::empty({batch, seq, key_heads, width}, packed.options()), dv = at::empty_like(dk);
        const Angles angles(saved[0], saved[1]);
        AT_DISPATCH_FLOATING_TYPES_AND2(at::kBFloat16, at::kHalf, packed.scalar_type(), "unpack_heads", [&] {
            const auto q = heads_of<scalar_t>(dq), k = heads_of<scalar_t>(dk), v = heads_of<scalar_t>(dv);
            const auto* from = packed.const_data_ptr<scalar_t>();
            for_tokens(batch, seq, 3 * heads * width, angles,
                       [&](std::int64_t b, std::int64_t t, const float* c, const float* s) {
                           const scalar_t* row = from + (b * seq + t) * 3 * heads * width;
                           for (std::int64_t h = 0; h < heads; ++h)
                               turn(row + h * width, q.at(b, t, h), c, s, angles.pairs, width, -1);
                           sum_groups(row + heads * width, k, b, t, group, width);
                           sum_groups(row + 2 * heads * width, v, b, t, group, width);
                           for (std::int64_t h = 0; h < key_heads; ++h)
                               turn_in_place(k.at(b, t, h), c, s, angles.pairs);
                       });
        });
        return {dq, dk, dv, at::Tensor(), at::Tensor()};
    }

    template <class Number>
    static void sum_groups(const Number* from, const Heads<Number>& to, std::int64_t b, std::int64_t t,
                           std::int64_t group, std::int64_t width) {
        for (std::int64_t h = 0; h < to.count; ++h) {
            Number* out = to.at(b, t, h);
            const Number* first = from + h * group * width;
            for (std::int64_t i = 0; i < width; ++i) {
                auto sum = static_cast<float>(first[i]);
                for (std::int64_t member = 1; member < group; ++member)
                    sum += static_cast<float>(first[member * width + i]);
                out[i] = static_cast<Number>(sum);
            }
        }
    }

    template <class Number>
    static void turn_in_place(Number* x, const float* cosine, const float* sine, std::int64_t pairs) {
        for (std::int64_t i = 0; i < pairs; ++i) {
            const auto a = static_cast<float>(x[i]), b = static_cast<float>(x[i + pairs]);
            x[i] = static_cast<Number>(a * cosine[i] + b * sine[i]);
            x[i + pairs] = static_cast<Number>(b * cosine[i] - a * sine[i]);
        }
    }
};

at::Tensor turned(const at::Tensor& x, const Rotation& rotation) {
    if (!rotation.cosine.defined())
        return x;
    const std::int64_t pairs = rotation.cosine.size(-1);
    const at::Tensor cosine = rotation.cosine.unsqueeze(-2).to(x.scalar_type()),
                     sine = rotation.sine.unsqueeze(-2).to(x.scalar_type());
    const at::Tensor a = x.narrow(-1, 0, pairs), b = x.narrow(-1, pairs, pairs);
    return at::cat({a.mul(cosine).sub(b.mul(sine)), b.mul(cosine).add(a.mul(sine)),
                    x.narrow(-1, 2 * pairs, x.size(-1) - 2 * pairs)},
                   -1);
}

}  // namespace

at::Tensor pack_heads_plain(const at::Tensor& query, const at::Tensor& key, const at::Tensor& value,
                            const Rotation& rotation) {
    const std::int64_t group = query.size(2) / key.size(2);
    const at::Tensor packed = at::stack(
        {turned(query, rotation), turned(key, rotation).repeat_interleave(group, 2), value.repeat_interleave(group, 2)},
        2);
    return packed.reshape({query.size(0), query.size(1), 3 * query.size(2) * query.size(3)});
}

at::Tensor pack_heads(const at::Tensor& query, const at::Tensor& key, const at::Tensor& value,
                      const Rotation& rotation) {
    const bool rows = query.is_cpu() && query.stride(3) == 1 && key.stride(3) == 1 && value.stride(3) == 1 &&
                      query.scalar_type() != at::kDouble;
    if (!rows)
        return pack_heads_plain(query, key, value, rotation);
    const auto perhaps = [](const at::Tensor& x) { return x.defined() ? std::optional(x) : std::nullopt; };
    return PackFunction::apply(query, key, value, perhaps(rotation.cosine), perhaps(rotation.sine));
}

}  // namespace trainyard::models
