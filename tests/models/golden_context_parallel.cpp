// SPDX-License-Identifier: GPL-3.0-or-later
// Sequences shared among ranks against the full attention, the balanced order and the shares of heads that torch and
// DeepSpeed compute.

#include <algorithm>
#include <fstream>
#include <numeric>

#include <ATen/ops/arange.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/full.h>
#include <ATen/ops/zeros.h>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "formats/weights/safetensors.h"
#include "models/nn/kernels/attention_part.h"
#include "models/nn/kernels/cross_entropy.h"
#include "support/golden.h"
#include "support/golden_tensors.h"

namespace trainyard::models {
namespace {

using nlohmann::json;
using parallel::PositionRun;
using parallel::PositionRuns;

json cases_of(const std::string& kind) {
    json found = json::array();
    const json all = json::parse(std::ifstream(test::golden("context_parallel") / "cases.json"));
    for (const json& one : all.at("cases"))
        if (one.at("input").at("kind") == kind)
            found.push_back(one);
    return found;
}

bool is_error(const json& one) {
    return one.at("expected").contains("error");
}

std::vector<std::int64_t> numbers_of(const PositionRuns& runs) {
    std::vector<std::int64_t> numbers;
    for (const PositionRun& run : runs)
        for (std::int64_t i = 0; i < run.count; ++i)
            numbers.push_back(run.first + i);
    return numbers;
}

/// Largest difference, as a part of the largest value.
double apart(const at::Tensor& got, const at::Tensor& expected) {
    return got.to(at::kDouble).sub(expected).abs().max().item<double>() / expected.abs().max().item<double>();
}

/// Ranks one after the other in this program, merged as the ring merges them.
struct Merged {
    at::Tensor out, log_sum_exp, dquery, dkey, dvalue;
};

Merged over_ranks(const at::Tensor& query, const at::Tensor& key, const at::Tensor& value, const at::Tensor& dout,
                  const PlainAttention& what, int ranks) {
    const std::int64_t length = query.size(1);
    const auto numbers = query.options();
    const at::Tensor sums = at::zeros({query.size(0), query.size(2), length}, numbers);
    Merged merged{at::zeros(query.sizes(), numbers), sums, at::zeros(query.sizes(), numbers),
                  at::zeros(key.sizes(), numbers), at::zeros(value.sizes(), numbers)};
    for (int rank = 0; rank < ranks; ++rank) {
        const PositionRuns mine = parallel::balanced_positions(rank, ranks, length);
        const at::Tensor places = parallel::position_numbers(mine);
        const auto own = [&](const at::Tensor& x) { return x.index_select(1, places); };
        const auto part_of = [&](int source) {
            return KeyPart{source == rank && what.causal && !what.documents.defined() ? KeyPart::Seen::causal
                                                                                      : KeyPart::Seen::by_position,
                           mine, parallel::balanced_positions(source, ranks, length), length};
        };
        AttentionResult sum;
        for (int step = 0; step < ranks; ++step) {
            const int source = (rank + ranks - step) % ranks;
            const KeyPart part = part_of(source);
            const at::Tensor theirs = parallel::position_numbers(part.keys);
            AttentionResult result =
                attend_to_part(own(query), key.index_select(1, theirs), value.index_select(1, theirs), part, what);
            if (sum.out.defined())
                merge_part(sum, result);
            else
                sum = std::move(result);
        }
        const at::Tensor out = sum.out.to(query.scalar_type());
        merged.out.index_copy_(1, places, out);
        merged.log_sum_exp.index_copy_(2, places, sum.log_sum_exp);
        for (int source = 0; source < ranks; ++source) {
            const KeyPart part = part_of(source);
            const at::Tensor theirs = parallel::position_numbers(part.keys);
            const AttentionGradients made =
                gradients_of_part(own(query), key.index_select(1, theirs), value.index_select(1, theirs), out,
                                  sum.log_sum_exp, own(dout), part, what);
            merged.dquery.index_add_(1, places, made.query);
            merged.dkey.index_add_(1, theirs, made.key);
            merged.dvalue.index_add_(1, theirs, made.value);
        }
    }
    return merged;
}

TEST(GoldenContextParallel, AttentionMergedByLogSumExp) {
    std::size_t judged = 0;
    for (const json& one : cases_of("attention")) {
        const json& input = one.at("input");
        const weights::SafetensorsFile file(test::golden("context_parallel") /
                                            one.at("expected").at("file").get<std::string>());
        PlainAttention what;
        what.scale = one.at("expected").at("scale");
        what.causal = input.value("causal", true);
        if (input.contains("documents")) {
            std::vector<at::Tensor> documents;
            for (std::int64_t length : input.at("documents"))
                documents.push_back(at::full({length}, std::ssize(documents), at::kLong));
            what.documents = at::cat(documents);
        }
        // Two roundings of fp32, of a score and of the log-sum-exp, are errors of this size in every probability.
        const double rounding = 2 * 0x1p-24 * one.at("expected").at("largest_lse").get<double>();
        for (auto [type, tolerance] : {std::pair(at::kDouble, 1e-10), std::pair(at::kFloat, std::max(1e-5, rounding))})
            for (int ranks : {1, 2, 4}) {
                SCOPED_TRACE(one.at("id").get<std::string>() + ", " + c10::toString(type) + ", ranks " +
                             std::to_string(ranks));
                // [batch, heads, positions, size] in the file
                const auto read = [&](const char* name) { return test::golden_tensor(file, name); };
                const auto rows = [&](const char* name) { return read(name).transpose(1, 2).to(type).contiguous(); };
                const Merged got = over_ranks(rows("q"), rows("k"), rows("v"), rows("grad_out"), what, ranks);
                EXPECT_LT(apart(got.log_sum_exp, read("lse")), tolerance);
                for (const auto& [name, tensor] : {std::pair("out", &got.out),
                                                   {"grad_q", &got.dquery},
                                                   {"grad_k", &got.dkey},
                                                   {"grad_v", &got.dvalue}})
                    EXPECT_LT(apart(tensor->transpose(1, 2), read(name)), tolerance) << name;
                ++judged;
            }
    }
    EXPECT_GT(judged, 0U);
}

TEST(GoldenContextParallel, BalancedOrder) {
    for (const json& one : cases_of("order")) {
        SCOPED_TRACE(one.at("id").get<std::string>());
        const int ranks = one.at("input").at("ranks");
        const std::int64_t positions = one.at("input").at("positions");
        if (is_error(one)) {
            EXPECT_THROW(parallel::balanced_positions(0, ranks, positions), std::invalid_argument);
            continue;
        }
        std::vector<std::int64_t> order;
        for (int rank = 0; rank < ranks; ++rank) {
            const std::vector<std::int64_t> own = numbers_of(parallel::balanced_positions(rank, ranks, positions));
            EXPECT_EQ(json(own), one.at("expected").at("positions_of_rank").at(static_cast<std::size_t>(rank)));
            EXPECT_EQ(std::accumulate(own.begin(), own.end(), std::ssize(own)),
                      one.at("expected").at("causal_pairs_of_rank").at(static_cast<std::size_t>(rank)));
            order.insert(order.end(), own.begin(), own.end());
        }
        EXPECT_EQ(json(order), one.at("expected").at("order"));
        std::vector<std::int64_t> restore(order.size());
        for (std::size_t place = 0; place < order.size(); ++place)
            restore[static_cast<std::size_t>(order[place])] = static_cast<std::int64_t>(place);
        EXPECT_EQ(json(restore), one.at("expected").at("restore"));
    }
}

/// torch orders the documents separately, one after the other; a rank has a consecutive part of that.
TEST(GoldenContextParallel, OrderOfDocuments) {
    for (const json& one : cases_of("documents_order")) {
        SCOPED_TRACE(one.at("id").get<std::string>());
        const int ranks = one.at("input").at("ranks");
        const auto order = [&] {
            std::vector<std::int64_t> all;
            for (std::int64_t length : one.at("input").at("documents")) {
                const std::int64_t first = std::ssize(all);
                for (int rank = 0; rank < ranks; ++rank)
                    for (std::int64_t number : numbers_of(parallel::balanced_positions(rank, ranks, length)))
                        all.push_back(first + number);
            }
            return all;
        };
        if (is_error(one)) {
            EXPECT_THROW(order(), std::invalid_argument);
        } else {
            EXPECT_EQ(json(order()), one.at("expected").at("order"));
        }
    }
}

TEST(GoldenContextParallel, HeadsOfRanks) {
    for (const json& one : cases_of("ulysses_heads")) {
        SCOPED_TRACE(one.at("id").get<std::string>());
        const json& input = one.at("input");
        const int ranks = input.at("ranks");
        EXPECT_EQ(parallel::can_share_heads(input.at("heads"), input.at("kv_heads"), ranks), !is_error(one));
        for (int rank = 0; rank < ranks; ++rank) {
            if (is_error(one)) {
                EXPECT_THROW(parallel::heads_of_rank(input.at("heads"), input.at("kv_heads"), rank, ranks),
                             std::invalid_argument);
                continue;
            }
            const parallel::HeadShare share =
                parallel::heads_of_rank(input.at("heads"), input.at("kv_heads"), rank, ranks);
            const auto at = static_cast<std::size_t>(rank);
            EXPECT_EQ(json(numbers_of({{share.first, share.count}})),
                      one.at("expected").at("query_heads_of_rank").at(at));
            EXPECT_EQ(json(numbers_of({{share.first_key, share.key_count}})),
                      one.at("expected").at("kv_heads_of_rank").at(at));
        }
    }
}

/// DeepSpeed's adapter plays the batches of a group one after the other; each of its slices is one of ours.
TEST(GoldenContextParallel, SlicesOfTheLoader) {
    using parallel::SequenceExchange;
    const auto json_of = [](const at::Tensor& rows) {
        json all = json::array();
        for (const at::Tensor& row : rows.unbind(0))
            all.push_back(std::vector<std::int64_t>(row.const_data_ptr<std::int64_t>(),
                                                    row.const_data_ptr<std::int64_t>() + row.numel()));
        return all;
    };
    for (const json& one : cases_of("ulysses_loader")) {
        SCOPED_TRACE(one.at("id").get<std::string>());
        const json& input = one.at("input");
        const int sp = input.at("sp");
        const std::int64_t positions = input.at("positions"), size = input.at("batch_size");
        if (is_error(one)) {  // positions are always there, with us
            if (input.value("position_ids", true)) {
                EXPECT_THROW(parallel::positions_of_rank(SequenceExchange::heads, 0, sp, positions),
                             std::invalid_argument);
            }
            continue;
        }
        const json& ranks = one.at("expected").at("ranks");
        for (std::size_t rank = 0; rank < ranks.size(); ++rank)
            for (std::size_t number = 0; number < ranks[rank].at("batches").size(); ++number) {
                const std::size_t group = rank / static_cast<std::size_t>(sp) * static_cast<std::size_t>(sp),
                                  source = group + number % static_cast<std::size_t>(sp),
                                  batch = number / static_cast<std::size_t>(sp);
                const at::Tensor ids = at::arange(positions)
                                           .add(static_cast<std::int64_t>(1000 * source + 100 * batch))
                                           .unsqueeze(0)
                                           .add(at::arange(size).mul(50).unsqueeze(1));
                const PositionRuns own =
                    parallel::positions_of_rank(SequenceExchange::heads, static_cast<int>(rank - group), sp, positions);
                const auto cut = [&](const at::Tensor& x) { return parallel::select_positions(x, 1, own); };
                const json& expected = ranks[rank].at("batches").at(number);
                EXPECT_EQ(json_of(cut(ids)), expected.at("input_ids"));
                EXPECT_EQ(json_of(cut(next_labels(ids))), expected.at("shift_labels"));
                EXPECT_EQ(json_of(parallel::position_numbers(own).expand({size, -1})), expected.at("position_ids"));
            }
    }
}

}  // namespace
}  // namespace trainyard::models
