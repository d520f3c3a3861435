// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Matrices of a checkpoint that stay in 4 or 8 bits in memory or in files, of the engine's models and of a user's own
// modules, and how they are saved again.

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <ATen/core/Tensor.h>

#include "base/files/mapped_range.h"
#include "formats/weights/quantization/packed_matrix.h"
#include "formats/weights/quantization/quantized_source.h"
#include "formats/weights/weight_source.h"
#include "inference/dispatch/model_device_map.h"
#include "inference/dispatch/stored_weights.h"

namespace trainyard::dispatch {

/// The weight of a Linear layer.
struct LinearWeight {
    std::string name;
    std::vector<std::int64_t> shape;
    bool in_first = false;  ///< [in, out] instead of [out, in]
};

/// Whether a source has matrices in 4 or 8 bits.
bool has_packed(const weights::WeightSource& source);

/// The weight as codes [out, in]: those of the file, or of its values, rounded to `rounded` before; nothing: `type`,
/// that of the file. nullptr: it stays, since others of the source have codes (`is_quantized`). Throws UserError where
/// the file has codes of another format, or values that are not finite.
std::shared_ptr<quantization::PackedMatrix> packed_weight(const LinearWeight& weight,
                                                          const quantization::WeightQuantization& how,
                                                          const std::optional<at::ScalarType>& rounded,
                                                          const weights::WeightSource& source, bool is_quantized,
                                                          std::size_t tensor, at::ScalarType type);

/// Frees the codes of a matrix: they are used where the checkpoint has them, or in files that are written for that.
/// Returns their pages. Throws UserError.
std::shared_ptr<files::MappedRange> leave_codes_on_disk(quantization::PackedMatrix& matrix,
                                                        const weights::WeightSource& source, std::size_t tensor,
                                                        const std::string& name, DiskTensors& files);

/// Throws UserError for a place that is not the processor or a disk.
void check_places_of_packed(const DeviceMap& map, const std::string& accelerator);

/// Tensors in memory that are written as one model.
class HeldTensors final : public weights::WeightSource {
  public:
    /// Takes the codes of a matrix, and what belongs to them.
    void take(const std::string& name, const quantization::PackedMatrix& matrix);
    /// Takes a copy. Throws UserError if it has no memory.
    void take(const std::string& name, const at::Tensor& tensor);
    void stream(std::size_t tensor, const std::function<void(std::span<const std::byte>)>& sink) const override {
        sink(parts_[tensor].bytes);
    }
    std::string kind() const override { return "model"; }
    /// Writes model.safetensors; shards with an index above `max_shard_bytes` (0: one file). Throws UserError.
    void write(const std::filesystem::path& folder, std::uint64_t max_shard_bytes) const;

  private:
    void add_part(quantization::StoredTensor part);
    std::vector<quantization::StoredTensor> parts_;
};

}  // namespace trainyard::dispatch
