// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Reads all tensors of a weights file into memory.

#include <algorithm>
#include <filesystem>

#include <ATen/ops/empty.h>

#include "checkpoint/weights.h"
#include "distributed/tensors/tree.h"
#include "formats/weights/weight_source.h"

namespace trainyard::test {

inline NamedTensors read_weights(const std::filesystem::path& file) {
    const auto source = weights::open_weights(file);
    NamedTensors tensors;
    for (std::size_t i = 0; i < source->tensors().size(); ++i) {
        const weights::SourceTensor& info = source->tensors()[i];
        at::Tensor tensor = at::empty(info.shape, checkpoint::stored_type(info.dtype, file.string()));
        auto* to = static_cast<std::byte*>(tensor.data_ptr());
        source->stream(i, [&](std::span<const std::byte> piece) { to = std::ranges::copy(piece, to).out; });
        tensors.emplace_back(info.name, std::move(tensor));
    }
    return tensors;
}

}  // namespace trainyard::test
