// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A tensor of another program's file, made of tensors of a model: several of them one after the other, transposed, or
// with its rows in another order. It is read in pieces, so memory is bounded by one stored tensor.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "base/message.h"
#include "base/progress.h"
#include "formats/weights/weight_source.h"
#include "models/spec/model_config.h"
#include "models/spec/stored_tensors.h"

namespace trainyard::exports {

struct ExportedTensor {
    std::string name;
    std::vector<std::int64_t> shape;       ///< row-major
    std::vector<std::size_t> stored;       ///< places in the source
    bool transposed = false;               ///< stored as [in, out]
    std::vector<std::int64_t> order = {};  ///< the stored row of each row; empty: as stored
    float added = 0;                       ///< to each element
    float factor = 1;                      ///< of each element, before
    std::vector<float> values = {};        ///< what it has instead of stored tensors
};

using TakeFloats = std::function<void(std::span<const float>)>;

/// Passes the elements in row-major order, in pieces of whole rows. Throws UserError if the source is corrupt.
void read_floats(const weights::WeightSource& source, const ExportedTensor& tensor, const TakeFloats& take);

/// The tensors that a configuration says, in the files of its model.
class ModelTensors {
  public:
    /// `folder`: for messages.
    ModelTensors(std::shared_ptr<const weights::WeightSource> source, const families::ModelConfig& config,
                 std::filesystem::path folder);

    /// The shape of a tensor; nullptr: the model has none of this name.
    const std::vector<std::int64_t>* shape_of(const std::string& name) const;
    /// The stored tensor, which the model has. Throws UserError if its shape is another one, or its elements are not
    /// floating. One that is missing is reported by check().
    ExportedTensor find(const std::string& name);
    /// Throws UserError naming what find() missed.
    void check() const;
    const std::shared_ptr<const weights::WeightSource>& source() const { return source_; }

  private:
    std::shared_ptr<const weights::WeightSource> source_;
    std::filesystem::path folder_;
    std::map<std::string, std::vector<std::int64_t>> shapes_;
    std::optional<families::StoredTensors> stored_;
    std::vector<std::string> missing_;
};

/// A model for another program.
struct ExportedModel {
    std::uint64_t bytes = 0;  ///< of all tensors
    std::size_t tensors = 0;
    std::vector<Message> notes = {};
    /// Writes it as a file of this name into a folder, with files beside it where it needs some, and reads them back;
    /// progress counts each byte twice. Returns their names. Throws UserError, Cancelled.
    std::function<std::vector<std::string>(const std::filesystem::path& folder, const std::string& name,
                                           Progress& progress)>
        write = {};
};

/// Calls `take` with parts of the bytes, counts them and returns the checksum that follows `seed`.
std::uint32_t take_parts(std::span<const std::byte> bytes, std::uint32_t seed, Progress& progress,
                         const std::function<void(std::span<const std::byte>)>& take);
/// Throws UserError: a file does not have the bytes that were written.
[[noreturn]] void throw_damaged(const std::string& tensor, const std::filesystem::path& file);

}  // namespace trainyard::exports
