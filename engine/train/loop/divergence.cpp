// SPDX-License-Identifier: GPL-3.0-or-later
#include "train/loop/divergence.h"

#include <algorithm>
#include <map>

#include <ATen/ops/arange.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/zeros.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.h"
#include "train/loop/gather_numbers.h"

namespace trainyard::train {

namespace {

constexpr std::int64_t kChunk = std::int64_t{1} << 20;  ///< elements; their words take 8 MiB
constexpr std::int64_t kOdd = 0x1E3779B97F4A7C15;       ///< 2^64 / golden ratio, without the sign, odd
constexpr std::uint64_t kMix = 0xff51afd7ed558ccdULL;   // of MurmurHash3's finaliser

std::uint64_t mixed(std::uint64_t hash) {
    hash ^= hash >> 33;
    hash *= kMix;
    return hash ^ (hash >> 29);
}

at::ScalarType word_of(const at::Tensor& tensor) {
    switch (tensor.element_size()) {
        case 1:
            return at::kByte;
        case 2:
            return at::kShort;
        case 4:
            return at::kInt;
        case 8:
            return at::kLong;
        default:
            throw UserError("parameters of {} bytes an element cannot be compared over the ranks",
                            tensor.element_size());
    }
}

/// Sum of words times odd numbers, modulo 2^64: int64 tensors wrap around.
at::Tensor bit_sum(const at::Tensor& tensor, const at::Tensor& odd) {
    const at::Tensor words = tensor.detach().contiguous().flatten().view(word_of(tensor));
    at::Tensor sum = at::zeros({}, words.options().dtype(at::kLong));
    for (std::int64_t begin = 0; begin < words.numel(); begin += kChunk) {
        const std::int64_t size = std::min(kChunk, words.numel() - begin);
        at::Tensor part = words.narrow(0, begin, size).to(at::kLong, /*non_blocking=*/false, /*copy=*/true);
        // The chunk's number makes equal chunks at other places differ.
        sum.add_(part.mul_(odd.narrow(0, 0, size)).sum().mul_(2 * (begin / kChunk) + 1));
    }
    return sum;
}

std::int64_t joined(const std::vector<std::int64_t>& hashes) {
    std::uint64_t all = hashes.size();
    for (std::int64_t hash : hashes)
        all = mixed(all * 31 + static_cast<std::uint64_t>(hash));
    return static_cast<std::int64_t>(all);
}

/// Returns the value that most ranks have; on a tie, the first of them.
template <class T>
const T& majority(const std::vector<T>& ranks) {
    std::size_t best = 0;
    std::ptrdiff_t most = 0;
    for (std::size_t rank = 0; rank < ranks.size(); ++rank)
        if (const auto votes = std::count(ranks.begin(), ranks.end(), ranks[rank]); votes > most) {
            most = votes;
            best = rank;
        }
    return ranks[best];
}

}  // namespace

std::vector<std::int64_t> hash_tensors(const NamedTensors& tensors) {
    std::map<std::string, at::Tensor> odd_of_device;
    std::vector<std::int64_t> hashes(tensors.size());
    std::vector<at::Tensor> sums;
    std::int64_t longest = 0;
    for (const auto& [name, tensor] : tensors)
        longest = std::max(longest, tensor.numel());
    for (const auto& [name, tensor] : tensors) {
        at::Tensor& odd = odd_of_device[tensor.device().str()];
        if (!odd.defined())
            odd = at::arange(std::min(kChunk, longest), tensor.options().dtype(at::kLong)).mul_(2 * kOdd).add_(kOdd);
        sums.push_back(bit_sum(tensor, odd));
    }
    // One copy to the host for all tensors of a device.
    for (const auto& [device, odd] : odd_of_device) {
        std::vector<at::Tensor> of_device;
        std::vector<std::size_t> places;
        for (std::size_t i = 0; i < sums.size(); ++i)
            if (sums[i].device() == odd.device()) {
                of_device.push_back(sums[i]);
                places.push_back(i);
            }
        const at::Tensor host = at::stack(of_device).to(at::kCPU);
        for (std::size_t i = 0; i < places.size(); ++i)
            hashes[places[i]] = host.const_data_ptr<std::int64_t>()[i];
    }
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        const at::Tensor& tensor = tensors[i].second;
        auto hash = mixed(static_cast<std::uint64_t>(hashes[i]) + static_cast<std::uint64_t>(tensor.scalar_type()));
        for (std::int64_t size : tensor.sizes())
            hash = mixed(hash * 31 + static_cast<std::uint64_t>(size));
        hashes[i] = static_cast<std::int64_t>(hash);
    }
    return hashes;
}

Message Divergence::sentence(std::int64_t step) const {
    const Message count = parameters == 1 ? Message("1 parameter") : Message("{} parameters", parameters);
    return ranks.size() == 1
               ? Message(
                     "step {}: the parameters of rank {} differ from those of the others, first in {} ({}): their "
                     "training is no longer the same",
                     step, ranks.front(), parameter, count)
               : Message(
                     "step {}: the parameters of ranks {} differ from those of the others, first in {} ({}): their "
                     "training is no longer the same",
                     step, fmt::join(ranks, ", "), parameter, count);
}

std::optional<Divergence> find_divergence(const NamedTensors& tensors, parallel::Communicator& communicator) {
    const std::vector<std::int64_t> hashes = hash_tensors(tensors);
    const auto whole =
        gather_numbers(std::vector<std::int64_t>{joined(hashes), static_cast<std::int64_t>(tensors.size())},
                       communicator, "parameter hash");
    if (std::all_of(whole.begin(), whole.end(), [&](const auto& rank) { return rank == whole.front(); }))
        return std::nullopt;
    Divergence found;
    const std::vector<std::int64_t>& usual = majority(whole);
    for (std::size_t rank = 0; rank < whole.size(); ++rank)
        if (whole[rank] != usual)
            found.ranks.push_back(static_cast<int>(rank));
    if (std::any_of(whole.begin(), whole.end(), [&](const auto& rank) { return rank[1] != whole.front()[1]; })) {
        found.parameter = "the number of parameters";
        return found;
    }
    const auto single = gather_numbers(hashes, communicator, "parameter hashes");
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        const bool differs =
            std::any_of(single.begin(), single.end(), [&](const auto& rank) { return rank[i] != single.front()[i]; });
        if (differs && found.parameters++ == 0)
            found.parameter = tensors[i].first;
    }
    return found;
}

std::optional<Divergence> DivergenceWatch::step(std::int64_t step, const NamedTensors& tensors) {
    if (!is_due(step))
        return std::nullopt;
    return find_divergence(tensors, communicator_);
}

}  // namespace trainyard::train
