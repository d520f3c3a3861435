// SPDX-License-Identifier: GPL-3.0-or-later
#include "distributed/parallel/sequence_share.h"

#include <algorithm>
#include <stdexcept>
#include <string>

#include <ATen/ops/arange.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/empty_like.h>
#include <torch/csrc/autograd/custom_function.h>

namespace trainyard::parallel {

namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

/// Communicators outlive the graphs whose nodes use them.
void keep_share(AutogradContext* context, const SequenceShare& share, const char* name) {
    context->saved_data["ranks"] = reinterpret_cast<std::int64_t>(share.ranks);
    context->saved_data["name"] = std::string(name);
}

Communicator& saved_communicator(AutogradContext* context) {
    return *reinterpret_cast<Communicator*>(context->saved_data["ranks"].toInt());
}

std::string name_of_gradient(AutogradContext* context) {
    return "gradient of " + context->saved_data["name"].toStringRef();
}

struct SumOverSequence : torch::autograd::Function<SumOverSequence> {
    static at::Tensor forward(AutogradContext* context, const at::Tensor& part, const SequenceShare& share,
                              const char* name) {
        keep_share(context, share, name);
        at::Tensor sum = part.clone(at::MemoryFormat::Contiguous);
        share.ranks->all_reduce(sum, name).wait();
        return sum;
    }
    static variable_list backward(AutogradContext* context, variable_list gradients) {
        at::Tensor sum = gradients[0].clone(at::MemoryFormat::Contiguous);
        saved_communicator(context).all_reduce(sum, name_of_gradient(context)).wait();
        return {sum, at::Tensor(), at::Tensor()};
    }
};

struct ExchangeSlices : torch::autograd::Function<ExchangeSlices> {
    static at::Tensor exchange(const at::Tensor& slices, Communicator& ranks, const std::string& name) {
        const at::Tensor given = slices.contiguous();
        at::Tensor got = at::empty_like(given);
        ranks.all_to_all(got, given, name).wait();
        return got;
    }
    static at::Tensor forward(AutogradContext* context, const at::Tensor& slices, const SequenceShare& share,
                              const char* name) {
        keep_share(context, share, name);
        return exchange(slices, *share.ranks, name);
    }
    static variable_list backward(AutogradContext* context, variable_list gradients) {
        return {exchange(gradients[0], saved_communicator(context), name_of_gradient(context)), at::Tensor(),
                at::Tensor()};
    }
};

}  // namespace

PositionRuns balanced_positions(int rank, int ranks, std::int64_t length) {
    if (ranks == 1)
        return {{0, length}};
    const std::int64_t chunk = length / (2 * ranks);
    if (chunk * 2 * ranks != length)
        throw std::invalid_argument("the positions do not divide into two chunks for every rank");
    const PositionRun early{rank * chunk, chunk}, late{(2 * ranks - 1 - rank) * chunk, chunk};
    if (early.first + chunk == late.first)  // the last rank's
        return {{early.first, 2 * chunk}};
    return {early, late};
}

PositionRuns positions_of_rank(SequenceExchange exchange, int rank, int ranks, std::int64_t length) {
    if (exchange != SequenceExchange::heads)
        return balanced_positions(rank, ranks, length);
    if (length % ranks != 0)
        throw std::invalid_argument("the positions do not divide among the ranks");
    return {{rank * (length / ranks), length / ranks}};
}

std::optional<SequenceShare> sequence_share(Mesh& mesh, bool rotates, std::int64_t length) {
    const auto share_of = [&](Dimension dimension, SequenceExchange exchange) {
        Communicator& ranks = mesh.group({dimension});
        return SequenceShare{&ranks, exchange, length, positions_of_rank(exchange, ranks.rank(), ranks.size(), length)};
    };
    const bool heads = mesh.size(Dimension::sp) > 1, keys = mesh.size(Dimension::cp) > 1;
    if (!heads && !keys)
        return std::nullopt;
    const SequenceExchange of_keys = rotates ? SequenceExchange::ring : SequenceExchange::all_gather;
    if (!heads)
        return share_of(Dimension::cp, of_keys);
    if (!keys)
        return share_of(Dimension::sp, SequenceExchange::heads);
    SequenceShare share{&mesh.group({Dimension::sp}), SequenceExchange::heads, length, {}};
    share.keys = std::make_shared<const SequenceShare>(share_of(Dimension::cp, of_keys));
    const std::int64_t rows = length / share.keys->ranks->size(), own = rows / share.ranks->size();
    if (own * share.ranks->size() != rows)
        throw std::invalid_argument("the positions do not divide among the ranks");
    share.positions = part_of_positions(share.keys->positions, share.ranks->rank() * own, own);
    return share;
}

PositionRuns part_of_positions(const PositionRuns& positions, std::int64_t begin, std::int64_t count) {
    PositionRuns part;
    for (const PositionRun& run : positions) {
        const std::int64_t first = std::max<std::int64_t>(0, begin), last = std::min(run.count, begin + count);
        if (first < last)
            part.push_back({run.first + first, last - first});
        begin -= run.count;
    }
    return part;
}

at::Tensor select_positions(const at::Tensor& whole, std::int64_t dim, const PositionRuns& positions) {
    std::vector<at::Tensor> parts;
    for (const PositionRun& run : positions)
        parts.push_back(whole.narrow(dim, run.first, run.count));
    return at::cat(parts, dim);
}

at::Tensor position_numbers(const PositionRuns& positions, at::Device device) {
    std::vector<at::Tensor> parts;
    for (const PositionRun& run : positions)
        parts.push_back(
            at::arange(run.first, run.first + run.count, at::TensorOptions().dtype(at::kLong).device(device)));
    return at::cat(parts);
}

bool can_share_heads(std::int64_t heads, std::int64_t key_heads, std::int64_t ranks) {
    return heads % ranks == 0 && (key_heads % ranks == 0 || ranks % key_heads == 0);
}

HeadShare heads_of_rank(std::int64_t heads, std::int64_t key_heads, int rank, int ranks) {
    if (!can_share_heads(heads, key_heads, ranks))
        throw std::invalid_argument("the heads do not divide among the ranks");
    const std::int64_t count = heads / ranks;
    return {rank * count, count, rank * key_heads / ranks, std::max<std::int64_t>(1, key_heads / ranks)};
}

at::Tensor sum_over_sequence(const at::Tensor& part, const SequenceShare& share, const char* name) {
    const at::Tensor sum = SumOverSequence::apply(part, share, name);
    return share.keys != nullptr ? sum_over_sequence(sum, *share.keys, name) : sum;
}

at::Tensor exchange_slices(const at::Tensor& slices, const SequenceShare& share, const char* name) {
    return ExchangeSlices::apply(slices, share, name);
}

}  // namespace trainyard::parallel
