// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/nn/kernels/attention_part.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <ATen/ops/empty.h>
#include <ATen/ops/full.h>
#include <ATen/ops/logaddexp.h>
#include <ATen/ops/logsumexp.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/zeros.h>

#include "models/nn/kernels/attention_cpu.h"
#include "models/nn/kernels/half_bits.h"

namespace trainyard::models {

namespace {

at::ScalarType sum_type(const at::Tensor& x) {
    return x.scalar_type() == at::kDouble ? at::kDouble : at::kFloat;
}

AttentionShape shape_of_part(const at::Tensor& query, const at::Tensor& key, const PlainAttention& what) {
    return {query.size(0), query.size(1), query.size(2), query.size(3), static_cast<float>(what.scale),
            key.size(1),   key.size(2)};
}

bool has_tiled_part(const at::Tensor& query, const PlainAttention& what) {
    return query.is_cpu() && has_number_format(query.scalar_type()) && what.dropout == 0 && what.score_cap == 0 &&
           !what.documents.defined();
}

/// Rows of a part that the tiled kernels take together.
struct Tile {
    parallel::PositionRun queries, keys;
    SeenKeys seen;
    at::Tensor of_queries(const at::Tensor& x) const { return x.narrow(1, queries.first, queries.count); }
    at::Tensor of_keys(const at::Tensor& x) const { return x.narrow(1, keys.first, keys.count); }
    at::Tensor of_sums(const at::Tensor& x) const { return x.narrow(2, queries.first, queries.count); }
};

std::vector<Tile> tiles_of(const at::Tensor& query, const at::Tensor& key, const KeyPart& part,
                           const PlainAttention& what) {
    if (part.seen != KeyPart::Seen::by_position || !what.causal)
        return {{{0, query.size(1)}, {0, key.size(1)}, {.causal = part.seen == KeyPart::Seen::causal}}};
    std::vector<Tile> tiles;
    std::int64_t row = 0;
    for (const parallel::PositionRun& q : part.queries) {
        std::int64_t at = 0;
        for (const parallel::PositionRun& k : part.keys) {
            const bool reaches = what.window == 0 || k.first + k.count > q.first - what.window + 1;
            if (k.first < q.first + q.count && reaches)
                tiles.push_back({{row, q.count}, {at, k.count}, {.window = what.window, .offset = q.first - k.first}});
            at += k.count;
        }
        row += q.count;
    }
    return tiles;
}

at::Tensor with_contiguous_heads(const at::Tensor& x) {
    return x.stride(3) == 1 && x.stride(2) == x.size(3) ? x : x.contiguous();
}

AttentionRows rows_of_tensor(const at::Tensor& x) {
    return {x.const_data_ptr(), x.stride(0), x.stride(1)};
}

/// What is added to the scores of the keys of a part: fp32 [heads, keys]; undefined: nothing.
at::Tensor bias_of_part(const KeyPart& part, const PlainAttention& what) {
    return what.key_bias.defined() ? parallel::select_positions(what.key_bias[0], 1, part.keys) : at::Tensor();
}

/// The same for the keys of a tile, which it adds to what the tile's queries see. The result must outlive `seen`.
at::Tensor add_bias_of_tile(const at::Tensor& of_part, const Tile& tile, std::int64_t batch, SeenKeys& seen) {
    if (!of_part.defined())
        return of_part;
    const at::Tensor added = of_part.narrow(1, tile.keys.first, tile.keys.count)
                                 .expand({batch, of_part.size(0), tile.keys.count})
                                 .contiguous();
    seen.mask = added.const_data_ptr<float>();
    seen.mask_by_head = true;
    return added;
}

constexpr std::int64_t kPlainScores = 1 << 20;  ///< scores of the plain formula that exist at a time

/// Calls `visit(first query, queries, their part)` for so many queries at a time as kPlainScores allows.
template <class Visit>
void for_plain_parts(const at::Tensor& query, const at::Tensor& key, const KeyPart& part, Visit visit) {
    const std::int64_t rows = query.size(1);
    const std::int64_t step = std::max<std::int64_t>(1, kPlainScores / (query.size(0) * query.size(2) * key.size(1)));
    for (std::int64_t first = 0; first < rows; first += step) {
        const std::int64_t count = std::min(step, rows - first);
        KeyPart some = part;
        some.queries = parallel::part_of_positions(part.queries, first, count);
        visit(first, count, some);
    }
}

/// The plain formula of a part.
class PlainPart {
  public:
    PlainPart(const at::Tensor& query, const at::Tensor& key, const at::Tensor& value, const KeyPart& part,
              const PlainAttention& what)
        : part_(part),
          what_(what),
          type_(sum_type(query)),
          scale_(what.scale != 0 ? what.scale : 1 / std::sqrt(static_cast<double>(query.size(3)))),
          group_(query.size(2) / key.size(2)),
          query_(by_head(query)),
          key_(by_head(key).repeat_interleave(group_, 1)),
          value_(by_head(value).repeat_interleave(group_, 1)) {
        scores_ = at::matmul(query_, key_.transpose(-2, -1)).mul_(scale_);
        if (what.score_cap > 0) {
            bent_ = scores_.div_(what.score_cap).tanh_();
            scores_ = bent_.mul(what.score_cap);
        }
        if (const at::Tensor bias = bias_of_part(part, what); bias.defined())
            scores_.add_(bias.unsqueeze(1));
        if (part.seen != KeyPart::Seen::all)
            scores_.masked_fill_(hidden(), -std::numeric_limits<double>::infinity());
        if (what.dropout > 0)
            factors_ = dropout();
    }

    AttentionResult result() const {
        const at::Tensor log_sum_exp = at::logsumexp(scores_, -1);
        return {at::matmul(dropped(probabilities(log_sum_exp)), value_).transpose(1, 2).contiguous(), log_sum_exp};
    }

    AttentionGradients gradients(const at::Tensor& out, const at::Tensor& log_sum_exp, const at::Tensor& dout) const {
        const at::Tensor p = probabilities(log_sum_exp), d = by_head(dout);
        const at::Tensor delta = d.mul(by_head(out)).sum(-1, true);
        at::Tensor ds = dropped(at::matmul(d, value_.transpose(-2, -1))).sub_(delta).mul_(p).mul_(scale_);
        if (bent_.defined())
            ds.mul_(bent_.square().neg_().add_(1));
        return {at::matmul(ds, key_).transpose(1, 2), of_key_heads(at::matmul(ds.transpose(-2, -1), query_)),
                of_key_heads(at::matmul(dropped(p).transpose(-2, -1), d))};
    }

  private:
    at::Tensor by_head(const at::Tensor& x) const { return x.to(type_).transpose(1, 2); }
    at::Tensor of_key_heads(const at::Tensor& x) const {
        return x.view({x.size(0), x.size(1) / group_, group_, x.size(2), x.size(3)}).sum(2).transpose(1, 2);
    }
    at::Tensor dropped(const at::Tensor& x) const { return factors_.defined() ? x.mul(factors_) : x; }
    /// Zero for hidden keys, also where a query sees none.
    at::Tensor probabilities(const at::Tensor& log_sum_exp) const {
        return scores_.sub(log_sum_exp.unsqueeze(-1)).exp_().masked_fill_(scores_.isneginf(), 0);
    }
    at::Tensor hidden() const {
        const at::Tensor q = parallel::position_numbers(part_.queries, scores_.device()).unsqueeze(1),
                         k = parallel::position_numbers(part_.keys, scores_.device()).unsqueeze(0);
        at::Tensor hides = what_.causal ? k.gt(q) : k.lt(0).expand({q.size(0), k.size(1)});
        if (what_.causal && what_.window > 0)
            hides = hides.logical_or(k.le(q.sub(what_.window)));
        if (what_.documents.defined())
            hides = hides.logical_or(what_.documents.take(q).ne(what_.documents.take(k)));
        return hides;
    }
    /// The factors that a whole sequence's probabilities [heads, length, length] have here.
    at::Tensor dropout() const {
        parallel::PositionRuns elements;
        for (std::int64_t head = 0; head < scores_.size(1); ++head)
            for (const parallel::PositionRun& rows : part_.queries)
                for (std::int64_t row = 0; row < rows.count; ++row)
                    for (const parallel::PositionRun& keys : part_.keys)
                        elements.push_back({what_.key.first_element +
                                                (head * part_.length + rows.first + row) * part_.length + keys.first,
                                            keys.count});
        return dropout_factors(scores_.size(0), elements, what_.key, what_.dropout, scores_.device())
            .view(scores_.sizes())
            .to(type_);
    }

    const KeyPart& part_;
    const PlainAttention& what_;
    at::ScalarType type_;
    double scale_;
    std::int64_t group_;
    at::Tensor query_, key_, value_;           ///< [batch, heads, rows, width]
    at::Tensor scores_, bent_, factors_ = {};  ///< [batch, heads, rows, keys]
};

}  // namespace

AttentionResult attend_to_part(const at::Tensor& query, const at::Tensor& key, const at::Tensor& value,
                               const KeyPart& part, const PlainAttention& what) {
    if (!has_tiled_part(query, what)) {
        const auto numbers = query.options().dtype(sum_type(query));
        const AttentionResult all{at::empty(query.sizes(), numbers),
                                  at::empty({query.size(0), query.size(2), query.size(1)}, numbers)};
        for_plain_parts(query, key, part, [&](std::int64_t first, std::int64_t count, const KeyPart& some) {
            const AttentionResult result = PlainPart(query.narrow(1, first, count), key, value, some, what).result();
            all.out.narrow(1, first, count).copy_(result.out);
            all.log_sum_exp.narrow(2, first, count).copy_(result.log_sum_exp);
        });
        return all;
    }
    const std::vector<Tile> tiles = tiles_of(query, key, part, what);
    const at::Tensor bias = bias_of_part(part, what);
    const auto attend = [&](const Tile& tile) {
        const at::Tensor q = with_contiguous_heads(tile.of_queries(query)),
                         k = with_contiguous_heads(tile.of_keys(key)), v = with_contiguous_heads(tile.of_keys(value));
        const AttentionShape shape = shape_of_part(q, k, what);
        const auto numbers = q.options().dtype(at::kFloat);
        AttentionResult result{at::empty(q.sizes(), numbers),
                               at::empty({shape.batch, shape.heads, shape.seq}, numbers)};
        SeenKeys seen = tile.seen;
        const at::Tensor added = add_bias_of_tile(bias, tile, shape.batch, seen);
        tiled_attention_forward(shape, seen,
                                {rows_of_tensor(q), rows_of_tensor(k), rows_of_tensor(v), format_of(q.scalar_type())},
                                rows_of_tensor(result.out), NumberFormat::fp32, result.log_sum_exp.data_ptr<float>());
        return result;
    };
    if (tiles.size() == 1 && tiles.front().queries.count == query.size(1))
        return attend(tiles.front());
    const auto numbers = query.options().dtype(at::kFloat);
    const AttentionResult sum{
        at::zeros(query.sizes(), numbers),
        at::full({query.size(0), query.size(2), query.size(1)}, -std::numeric_limits<float>::infinity(), numbers)};
    for (const Tile& tile : tiles)
        merge_part({tile.of_queries(sum.out), tile.of_sums(sum.log_sum_exp)}, attend(tile));
    return sum;
}

void merge_part(const AttentionResult& sum, const AttentionResult& part) {
    const at::Tensor both = at::logaddexp(sum.log_sum_exp, part.log_sum_exp);
    const auto weight = [&](const AttentionResult& one) {
        // If both parts have no visible key, the difference of the infinities is NaN.
        return one.log_sum_exp.sub(both).exp_().nan_to_num_(0.0).transpose(1, 2).unsqueeze(-1);
    };
    sum.out.mul_(weight(sum)).add_(part.out.mul(weight(part)));
    sum.log_sum_exp.copy_(both);
}

AttentionGradients gradients_of_part(const at::Tensor& query, const at::Tensor& key, const at::Tensor& value,
                                     const at::Tensor& out, const at::Tensor& log_sum_exp, const at::Tensor& dout,
                                     const KeyPart& part, const PlainAttention& what) {
    const auto numbers = query.options().dtype(sum_type(query));
    const AttentionGradients sum{at::zeros(query.sizes(), numbers), at::zeros(key.sizes(), numbers),
                                 at::zeros(value.sizes(), numbers)};
    if (!has_tiled_part(query, what)) {
        for_plain_parts(query, key, part, [&](std::int64_t first, std::int64_t count, const KeyPart& some) {
            const auto rows = [&](const at::Tensor& x) { return x.narrow(1, first, count); };
            const AttentionGradients made = PlainPart(rows(query), key, value, some, what)
                                                .gradients(rows(out), log_sum_exp.narrow(2, first, count), rows(dout));
            rows(sum.query).copy_(made.query);
            sum.key.add_(made.key);
            sum.value.add_(made.value);
        });
        return sum;
    }
    const at::Tensor bias = bias_of_part(part, what);
    for (const Tile& tile : tiles_of(query, key, part, what)) {
        const at::Tensor q = with_contiguous_heads(tile.of_queries(query)),
                         k = with_contiguous_heads(tile.of_keys(key)), v = with_contiguous_heads(tile.of_keys(value)),
                         o = with_contiguous_heads(tile.of_queries(out)),
                         d = with_contiguous_heads(tile.of_queries(dout)),
                         sums = tile.of_sums(log_sum_exp).contiguous();
        const AttentionShape shape = shape_of_part(q, k, what);
        const std::vector<std::int64_t> of_heads{shape.batch, shape.keys, shape.heads, shape.head_width};
        const at::Tensor dq = at::empty(q.sizes(), numbers), dk = at::empty(of_heads, numbers),
                         dv = at::empty(of_heads, numbers);
        SeenKeys seen = tile.seen;
        const at::Tensor added = add_bias_of_tile(bias, tile, shape.batch, seen);
        tiled_attention_backward(shape, seen,
                                 {rows_of_tensor(q), rows_of_tensor(k), rows_of_tensor(v), format_of(q.scalar_type())},
                                 rows_of_tensor(o), sums.const_data_ptr<float>(), rows_of_tensor(d),
                                 {rows_of_tensor(dq), rows_of_tensor(dk), rows_of_tensor(dv)});
        const auto of_key_heads = [&](const at::Tensor& x) {
            return x.view({shape.batch, shape.keys, shape.key_heads, shape.group(), shape.head_width}).sum(3);
        };
        tile.of_queries(sum.query).add_(dq);
        tile.of_keys(sum.key).add_(shape.group() == 1 ? dk : of_key_heads(dk));
        tile.of_keys(sum.value).add_(shape.group() == 1 ? dv : of_key_heads(dv));
    }
    return sum;
}

}  // namespace trainyard::models
