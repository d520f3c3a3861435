// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Weights by name from any format: a distributed checkpoint, safetensors in one or several files, torch.save files, a
// ZeRO folder of DeepSpeed, GGUF, an offload folder of Accelerate.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/message.h"

namespace trainyard::quantization {
class PackedMatrix;
}

namespace trainyard::weights {

struct SourceTensor {
    std::string name;
    std::string dtype;  ///< as in safetensors: "F32"
    std::vector<std::int64_t> shape;
    std::uint64_t bytes = 0;
};

/// Consecutive bytes of a file.
struct FilePiece {
    std::filesystem::path file;
    std::uint64_t offset = 0;
    std::uint64_t bytes = 0;
};

class WeightSource {
  public:
    virtual ~WeightSource() = default;
    const std::vector<SourceTensor>& tensors() const { return tensors_; }
    /// The elements of a tensor in row-major order, in pieces. Throws UserError if they are corrupt.
    virtual void stream(std::size_t tensor, const std::function<void(std::span<const std::byte>)>& sink) const = 0;
    /// The same as one span if a mapped file contains them contiguously, else empty. Valid as long as the source;
    /// writes to it stay in this process. `trusted`: checksums are not verified. Throws UserError.
    virtual std::span<const std::byte> mapped(std::size_t /*tensor*/, bool /*trusted*/) const { return {}; }
    /// Where a file contains them contiguously as they are, for who reads them again later. Does not map the file.
    virtual std::optional<FilePiece> piece(std::size_t /*tensor*/) const { return std::nullopt; }
    /// A matrix that is stored in 4 or 8 bits (quantization/packed_matrix.h), where stream() returns its values;
    /// nullptr for others. Throws UserError naming a tensor that does not fit.
    virtual std::shared_ptr<quantization::PackedMatrix> packed(std::size_t /*tensor*/) const { return nullptr; }
    /// Whether packed() returns a matrix. Reads nothing.
    virtual bool is_packed(std::size_t /*tensor*/) const { return false; }
    /// piece() of the codes of such a matrix.
    virtual std::optional<FilePiece> codes_piece(std::size_t /*tensor*/) const { return std::nullopt; }
    /// "distributed checkpoint", "safetensors", "torch.save file", "ZeRO stage 2", "GGUF", "offload folder"
    virtual std::string kind() const = 0;

    /// Sentences for the user about how the source was read: names of wrappers that were left out, state that stays
    /// behind, which of several steps was taken.
    const std::vector<Message>& notes() const { return notes_; }
    void add_note(Message note) { notes_.push_back(std::move(note)); }
    /// Leaves the parts of names out that wrappers of modules add (formats/weights/module_wrappers.h), with a note
    /// naming
    /// `where`.
    void unwrap_names(const std::string& where);

  protected:
    /// Checks dtype and size. Throws UserError naming `where`.
    void add(const std::string& where, std::string name, std::string safetensors_dtype,
             std::vector<std::int64_t> shape);

    std::vector<SourceTensor> tensors_;
    std::vector<Message> notes_;
};

/// Names of tensors: those of the model, without what wrappers of modules add, or as the file has them.
enum class TensorNames { of_model, as_stored };

/// Opens a file (.safetensors, .gguf, else torch.save) or a folder: model.safetensors, its shards with an index or
/// without,
/// pytorch_model.bin, its shards, an adapter of PEFT, a distributed checkpoint, a ZeRO folder, an offload folder. If it
/// contains no weights, the error says what it contains instead and which folder may have been meant. Throws UserError.
std::unique_ptr<WeightSource> open_weights(const std::filesystem::path& path,
                                           TensorNames names = TensorNames::of_model);

/// Model `index` of a folder of Accelerate's save_state: the same files, for index 1 named model_1.safetensors and so
/// on, or pytorch_model_fsdp_<index> (of older releases: pytorch_model_<index>). nullptr if there is none. Throws
/// UserError.
std::unique_ptr<WeightSource> open_saved_model(const std::filesystem::path& folder, std::size_t index);

/// The weights that a model may start from: the first model of a folder of save_state, or anything that open_weights()
/// opens. Throws UserError.
std::unique_ptr<WeightSource> open_first_model(const std::filesystem::path& path,
                                               TensorNames names = TensorNames::of_model);

/// The floating dtype of most bytes, as in safetensors: "BF16". Empty: no tensor is floating.
std::string main_dtype(const WeightSource& source);

/// ("model", 1, ".safetensors") is "model_1.safetensors"; index 0 has no suffix.
std::string numbered(const std::string& name, std::size_t index, const std::string& ending);

}  // namespace trainyard::weights
