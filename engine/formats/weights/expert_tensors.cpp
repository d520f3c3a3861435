// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/weights/expert_tensors.h"

#include <algorithm>
#include <array>
#include <map>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.h"
#include "base/number.h"
#include "formats/weights/quantization/quantized_source.h"
#include "formats/weights/tensor_ranges.h"
#include "formats/weights/timm_names.h"

namespace trainyard::weights {

namespace {

constexpr std::string_view kJoined = "mlp.", kSplit = "block_sparse_moe.";
constexpr std::string_view kRouter = "gate.weight", kGateUp = "experts.gate_up_proj", kDown = "experts.down_proj";
constexpr std::string_view kGate = "w1", kUp = "w3", kDownMatrix = "w2";

/// "model.layers.0." of "model.layers.0.mlp.gate.weight", if the rest is `end`.
std::optional<std::string> block_of(const std::string& name, std::string_view module, std::string_view end) {
    const std::string rest = fmt::format("{}{}", module, end);
    if (!name.ends_with(rest) || (name.size() > rest.size() && name[name.size() - rest.size() - 1] != '.'))
        return std::nullopt;
    return name.substr(0, name.size() - rest.size());
}

std::map<std::string, std::size_t> places_of(const WeightSource& source) {
    std::map<std::string, std::size_t> places;
    for (std::size_t i = 0; i < source.tensors().size(); ++i)
        places.emplace(source.tensors()[i].name, i);
    return places;
}

}  // namespace

std::optional<ExpertName> expert_name(const std::string& name) {
    const std::string module = fmt::format("{}experts.", kSplit);
    const std::size_t at = name.find(module);
    if (at == std::string::npos || (at > 0 && name[at - 1] != '.'))
        return std::nullopt;
    ExpertName found;
    std::string_view rest = std::string_view(name).substr(at + module.size());
    const auto expert = take_number<decltype(found.expert)>(rest);
    for (const std::string_view matrix : {kGate, kUp, kDownMatrix})
        if (expert && rest == fmt::format(".{}.weight", matrix)) {
            found.expert = *expert;
            found.block = name.substr(0, at);
            found.matrix = matrix;
            return found;
        }
    return std::nullopt;
}

namespace {

/// Tensors of an expert, by the names of matrices, as the source has them.
using Matrices = std::map<std::string, std::size_t>;

std::size_t matrix_of(const std::string& block, const std::map<std::size_t, Matrices>& experts, std::size_t expert,
                      std::string_view matrix) {
    const auto found = experts.find(expert);
    const auto one = found == experts.end() ? Matrices::const_iterator() : found->second.find(std::string(matrix));
    if (found == experts.end() || one == found->second.end())
        throw UserError("there is no tensor {}, so the experts of this block are not complete",
                        fmt::format("{}{}experts.{}.{}.weight", block, kSplit, expert, matrix));
    return one->second;
}

void join_block(TensorRanges& joined, const std::string& block, const std::map<std::size_t, Matrices>& experts) {
    const std::vector<SourceTensor>& tensors = joined.source().tensors();
    std::vector<TensorRange> gate_up, down;
    const std::size_t first_gate = matrix_of(block, experts, 0, kGate),
                      first_down = matrix_of(block, experts, 0, kDownMatrix);
    const auto add = [&](std::vector<TensorRange>& ranges, std::size_t tensor, const SourceTensor& first) {
        const SourceTensor& info = tensors[tensor];
        if (info.shape != first.shape || info.dtype != first.dtype || info.shape.size() != 2)
            throw UserError(
                "{} is {} [{}] and {} is {} [{}]: experts that are written as one tensor must be "
                "alike",
                info.name, info.dtype, fmt::join(info.shape, ", "), first.name, first.dtype,
                fmt::join(first.shape, ", "));
        ranges.push_back({tensor, 0, info.bytes});
    };
    for (std::size_t expert = 0; expert < experts.size(); ++expert) {
        for (const std::string_view matrix : {kGate, kUp})
            add(gate_up, matrix_of(block, experts, expert, matrix), tensors[first_gate]);
        add(down, matrix_of(block, experts, expert, kDownMatrix), tensors[first_down]);
    }
    const auto count = static_cast<std::int64_t>(experts.size());
    const std::vector<std::int64_t>&gate = tensors[first_gate].shape, &out = tensors[first_down].shape;
    joined.take(fmt::format("{}{}{}", block, kJoined, kGateUp), {count, 2 * gate[0], gate[1]}, std::move(gate_up));
    joined.take(fmt::format("{}{}{}", block, kJoined, kDown), {count, out[0], out[1]}, std::move(down));
}

void split_block(TensorRanges& split, const std::string& block, std::size_t gate_up, std::size_t down) {
    const SourceTensor &both = split.source().tensors()[gate_up], &one = split.source().tensors()[down];
    const std::vector<std::int64_t>&a = both.shape, &b = one.shape;
    if (a.size() != 3 || b.size() != 3 || a[0] != b[0] || a[1] != 2 * b[2] || a[2] != b[1] || a[0] < 1 ||
        both.bytes == 0 || one.bytes == 0)
        throw UserError(
            "{} [{}] and {} [{}] are not the experts of a block: expected [experts, 2 * inner, "
            "hidden] and [experts, hidden, inner]",
            both.name, fmt::join(a, ", "), one.name, fmt::join(b, ", "));
    const std::int64_t inner = b[2], hidden = b[1];
    const auto experts = static_cast<std::uint64_t>(a[0]);
    const std::uint64_t half = both.bytes / experts / 2, whole = one.bytes / experts;
    const auto name = [&](std::uint64_t expert, std::string_view matrix) {
        return fmt::format("{}{}experts.{}.{}.weight", block, kSplit, expert, matrix);
    };
    for (std::uint64_t expert = 0; expert < experts; ++expert) {
        split.take(name(expert, kGate), {inner, hidden}, {{gate_up, 2 * expert * half, half}});
        split.take(name(expert, kDownMatrix), {hidden, inner}, {{down, expert * whole, whole}});
        split.take(name(expert, kUp), {inner, hidden}, {{gate_up, (2 * expert + 1) * half, half}});
    }
}

}  // namespace

bool has_joined_experts(const WeightSource& source) {
    return std::ranges::any_of(source.tensors(), [](const SourceTensor& tensor) {
        return tensor.shape.size() == 3 && block_of(tensor.name, kJoined, kGateUp);
    });
}

std::unique_ptr<WeightSource> split_experts(std::unique_ptr<WeightSource> source) {
    if (!has_joined_experts(*source))
        return source;
    const std::map<std::string, std::size_t> places = places_of(*source);
    auto split = std::make_unique<TensorRanges>(std::move(source));
    const std::vector<SourceTensor>& tensors = split->source().tensors();
    const auto is_joined = [&](const std::string& block) {
        return places.contains(fmt::format("{}{}{}", block, kJoined, kGateUp)) &&
               places.contains(fmt::format("{}{}{}", block, kJoined, kDown));
    };
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        const std::string& name = tensors[i].name;
        if (const auto router = block_of(name, kJoined, kRouter); router && is_joined(*router)) {
            split->take_whole(i, fmt::format("{}{}{}", *router, kSplit, kRouter));
        } else if (const auto block = block_of(name, kJoined, kGateUp); block && is_joined(*block)) {
            split_block(*split, *block, i, places.at(fmt::format("{}{}{}", *block, kJoined, kDown)));
        } else if (const auto with_gate = block_of(name, kJoined, kDown); !with_gate || !is_joined(*with_gate)) {
            split->take_whole(i, name);
        }
    }
    return split;
}

std::unique_ptr<WeightSource> joined_experts(std::unique_ptr<WeightSource> source) {
    std::map<std::string, std::map<std::size_t, Matrices>> blocks;
    for (std::size_t i = 0; i < source->tensors().size(); ++i)
        if (const auto expert = expert_name(source->tensors()[i].name))
            blocks[expert->block][expert->expert].emplace(expert->matrix, i);
    if (blocks.empty())
        return source;
    auto joined = std::make_unique<TensorRanges>(std::move(source));
    const std::vector<SourceTensor>& tensors = joined->source().tensors();
    std::map<std::string, bool> written;
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        const std::string& name = tensors[i].name;
        if (const auto expert = expert_name(name)) {
            if (!std::exchange(written[expert->block], true))
                join_block(*joined, expert->block, blocks.at(expert->block));
        } else if (const auto router = block_of(name, kSplit, kRouter); router && blocks.contains(*router)) {
            joined->take_whole(i, fmt::format("{}{}{}", *router, kJoined, kRouter));
        } else {
            joined->take_whole(i, name);
        }
    }
    return joined;
}

std::string joined_name(const std::string& block, std::string_view matrix) {
    return fmt::format("{}{}{}", block, kJoined, matrix == kDownMatrix ? kDown : kGateUp);
}

std::string joined_router(const std::string& name) {
    const std::optional<std::string> block = block_of(name, kSplit, kRouter);
    return block ? fmt::format("{}{}{}", *block, kJoined, kRouter) : name;
}

std::unique_ptr<WeightSource> open_model(const std::filesystem::path& path) {
    return timm_as_vit(split_experts(quantization::dequantized(open_first_model(path))));
}

}  // namespace trainyard::weights
