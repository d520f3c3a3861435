// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Storage of the weights of a model while no unit computes with them (the OffloadedWeightsLoader of
// accelerate.utils.offload): memory of the processor or of a device, or bytes of a file.

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <ATen/core/Tensor.h>

#include "base/files/mapped_range.h"
#include "base/message.h"
#include "formats/weights/offload_folder.h"
#include "formats/weights/weight_source.h"
#include "models/nn/model.h"

namespace trainyard::dispatch {

struct StoredTensor {
    at::Tensor tensor = {};  ///< undefined: in `piece`
    std::optional<weights::FilePiece> piece = {};
    at::ScalarType type = at::kFloat;  ///< as stored
    std::vector<std::int64_t> shape = {};
    at::ScalarType compute = at::kFloat;         ///< what matrices are multiplied in; vectors are fp32 beside it
    std::optional<at::ScalarType> product = {};  ///< of a table that is looked up in fp32: what a head multiplies it in
};

/// Maps bytes of a file for reading. Throws UserError.
std::shared_ptr<files::MappedRange> map_piece(const weights::FilePiece& piece);
/// A tensor of a file as it is stored, as a view of the file's pages, which are read ahead; a copy where the file has
/// it
/// at an odd address. Pages must not be written. Throws UserError.
at::Tensor map_tensor(const StoredTensor& stored);
/// A tensor of a checkpoint in the same way; a copy where no file has it in one piece.
at::Tensor map_tensor(const weights::WeightSource& source, std::size_t tensor, at::ScalarType type);

/// Writes tensors to a folder for weights on disk.
class DiskTensors {
  public:
    explicit DiskTensors(std::filesystem::path folder) : folder_(std::move(folder)) {}
    /// Of a checkpoint of this kind, whose tensors cannot be read where they are.
    DiskTensors(std::filesystem::path folder, std::filesystem::path checkpoint, std::string kind)
        : folder_(std::move(folder)), checkpoint_(std::move(checkpoint)), kind_(std::move(kind)) {}
    /// For the tensor of that name. Throws UserError without a folder.
    weights::OffloadWriter& writer_for(const std::string& name);
    /// Writes a tensor that is in memory. Returns where it is.
    StoredTensor write(const std::string& name, const at::Tensor& tensor);
    /// Completes the folder's index.
    void finish();

  private:
    std::filesystem::path folder_, checkpoint_;
    std::string kind_;
    std::optional<weights::OffloadWriter> writer_;
};

/// "a, b, c, d, e and 3 more"
Message first_of(std::vector<Message> all);
Message first_of(const std::vector<std::string>& names);
/// A tensor of a checkpoint has another shape than that of the model.
Message shape_misfit(const std::string& name, const std::vector<std::int64_t>& stored,
                     const std::vector<std::int64_t>& wanted);
/// Throws UserError if there are missing tensors, with an advice, or tensors that do not fit.
void check_match(const std::filesystem::path& checkpoint, const std::vector<std::string>& missing,
                 const Message& advice, std::vector<Message> misfits);
/// Tensors that the model does not have: a warning, or if `strict` a UserError.
void report_unused(const std::filesystem::path& checkpoint, const std::vector<std::string>& unused, bool strict,
                   std::vector<Message>& warnings);
/// Throws UserError: a model is dispatched before it has values.
[[noreturn]] void throw_no_value(const std::string& name);

/// By name.
using WeightsMap = std::map<std::string, StoredTensor>;

/// A parameter or a buffer of a unit.
struct ModelTensor {
    std::string name;  ///< as files have it
    parallel::Unit* unit = nullptr;
    parallel::Parameter* parameter = nullptr;  ///< one of both
    parallel::Buffer* buffer = nullptr;
    std::vector<std::int64_t> shape() const;
    /// The shape in files, also if this rank has a part of it (parallel::TensorPart).
    std::vector<std::int64_t> whole_shape() const;
    /// In the model of transformers 5, which names the modules in device maps; it differs where files keep an older name (GPT-NeoX: lm_head is embed_out in files).
    std::string module_name() const;
    /// Belongs to an adapter, which checkpoints of the model lack.
    bool is_adapter() const;
    /// What matrices of this type are computed in: the tensor's value, and its copy for products (the same but of vectors). Without a
    /// `value` the tensor is on the meta device.
    void place(const at::Tensor& value, const at::Tensor& compute) const;
};

/// In the order of the units; a tied parameter once, with the unit that owns it.
std::vector<ModelTensor> tensors_of(const models::Model& model);

/// What place() takes, for a tensor in the memory of `device`: matrices in `type`, vectors in fp32 and in `type`, buffers as stored. Tensors that are so already
/// are not copied, unless `copy`.
std::pair<at::Tensor, at::Tensor> values_for(const ModelTensor& target, const at::Tensor& stored, at::ScalarType type,
                                             at::Device device, bool copy = false);

/// Whether every tensor of a model is on the meta device (init_empty_weights), and putting it there: names, shapes, no bytes.
bool is_empty(const models::Model& model);
void init_empty_weights(const models::Model& model);

}  // namespace trainyard::dispatch
