// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The weights of a checkpoint as a source for the readers of quantized and exported ones; internal to the library.

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "formats/weights/elements.h"
#include "formats/weights/weight_source.h"
#include "observe/inspect/reader.h"

namespace trainyard::inspect {

/// The reader must outlive it.
class WeightsOfReader final : public weights::WeightSource {
  public:
    explicit WeightsOfReader(const Reader& reader) : reader_(reader) {
        const auto& tensors = reader.contents().tensors;
        for (std::uint32_t i = 0; i < tensors.size(); ++i)
            if (tensors[i].section == Section::weights && weights::is_numeric(tensors[i].dtype)) {
                tensors_.push_back({tensors[i].name, tensors[i].dtype, tensors[i].shape, tensors[i].bytes});
                numbers_.push_back(i);
            }
    }
    void stream(std::size_t tensor, const std::function<void(std::span<const std::byte>)>& sink) const override {
        reader_.stream(reader_.contents().tensors[numbers_[tensor]], 1u << 20, [&](std::span<const std::byte> piece) {
            sink(piece);
            return true;
        });
    }
    std::string kind() const override { return "checkpoint"; }

  private:
    const Reader& reader_;
    std::vector<std::uint32_t> numbers_;  ///< indices of Contents::tensors
};

}  // namespace trainyard::inspect
