// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The values of weights that bitsandbytes quantized, or that are in fp8 with scales: their codes, magnitudes and states
// are tensors of a checkpoint (formats/weights/quantization). Tensors are named by their index in Contents::tensors.

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "base/message.h"
#include "observe/inspect/contents.h"

namespace trainyard::weights {
class WeightSource;
}
namespace trainyard::quantization {
class Fp8Scales;
class PackedMatrix;
struct StoredTensor;
}  // namespace trainyard::quantization

namespace trainyard::inspect {

class Reader;

/// Thread-safe. The reader must outlive it.
class QuantizedValues {
  public:
    /// Reads the states of such weights; without any, nothing is read.
    explicit QuantizedValues(const Reader& reader);
    ~QuantizedValues();

    /// Why the parts of quantized weights do not fit; then all tensors count as they are stored.
    const Message& problem() const { return problem_; }
    bool is_quantized(std::size_t tensor) const { return tensor < number_.size() && number_[tensor] < kPart; }
    /// Whether the tensor is a part of a quantized weight, such as its magnitudes.
    bool is_part(std::size_t tensor) const { return tensor < number_.size() && number_[tensor] == kPart; }
    /// nf4, fp4, int8 or fp8; empty: it is not quantized.
    std::string method(std::size_t tensor) const;
    /// Figures of the values; those of other tensors are of what is stored.
    const std::vector<std::int64_t>& shape(std::size_t tensor) const;
    std::uint64_t elements(std::size_t tensor) const;
    /// Calls `sink` with all values of a quantized weight, rounded to its type, in pieces. Throws UserError.
    void stream(std::size_t tensor, const std::function<void(std::span<const float>)>& sink) const;
    /// The values [first, first + count) of a quantized weight. Throws UserError.
    std::vector<float> values(std::size_t tensor, std::uint64_t first, std::uint64_t count) const;
    /// The magnitudes, or scales, of its blocks or rows, decoded. Throws UserError.
    std::vector<float> magnitudes(std::size_t tensor) const;

  private:
    static constexpr std::size_t kStored = static_cast<std::size_t>(-1), kPart = static_cast<std::size_t>(-2);
    std::optional<quantization::StoredTensor> stored(const std::string& name, const std::string& weight) const;
    std::shared_ptr<const quantization::Fp8Scales> fp8_scales(std::size_t tensor) const;

    const Reader& reader_;
    Message problem_;
    std::unique_ptr<weights::WeightSource> values_;
    std::vector<std::size_t> number_;  ///< by tensor: its number in values_; empty: no weight is quantized
    std::set<std::string> nf4_;        ///< names of such weights
    mutable std::mutex mutex_;
    mutable std::size_t packed_number_ = kStored, scales_number_ = kStored;
    mutable std::shared_ptr<const quantization::PackedMatrix> packed_;  ///< the last one, of which rows are wanted
    mutable std::shared_ptr<const quantization::Fp8Scales> scales_;     ///< likewise
};

}  // namespace trainyard::inspect
