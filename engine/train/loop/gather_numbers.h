// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A few numbers of every rank on every rank: one all-gather of a row, wherever the communicator's tensors lie. Inside this library.

#include <cstdint>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include <ATen/ops/empty.h>
#include <ATen/ops/from_blob.h>

#include "distributed/parallel/communicator.h"

namespace trainyard::train {

/// The numbers as a tensor on the communicator's device; a view of them when that is the host.
template <class Number>
at::Tensor to_device(std::span<Number> numbers, const parallel::Communicator& communicator) {
    static_assert(std::is_same_v<Number, double> || std::is_same_v<Number, std::int64_t>);
    constexpr auto kKind = std::is_same_v<Number, double> ? at::kDouble : at::kLong;
    return at::from_blob(numbers.data(), {static_cast<std::int64_t>(numbers.size())}, at::TensorOptions(kKind))
        .to(communicator.device());
}

/// Row of each rank. All ranks give equally many.
template <class Number>
std::vector<std::vector<Number>> gather_numbers(std::vector<Number> numbers, parallel::Communicator& communicator,
                                                const std::string& name) {
    const at::Tensor mine = to_device(std::span<Number>(numbers), communicator);
    const at::Tensor all = at::empty({communicator.size(), mine.numel()}, mine.options());
    communicator.all_gather(all, mine, name);
    const at::Tensor host = all.to(at::kCPU);
    std::vector<std::vector<Number>> rows;
    for (int rank = 0; rank < communicator.size(); ++rank) {
        const Number* row = host.const_data_ptr<Number>() + rank * mine.numel();
        rows.emplace_back(row, row + mine.numel());
    }
    return rows;
}

}  // namespace trainyard::train
