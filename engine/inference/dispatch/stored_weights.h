// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Storage of the weights of a model while no unit computes with them (the OffloadedWeightsLoader of
// accelerate.utils.offload): memory of the processor or of a device, or bytes of a file.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include <ATen/core/Tensor.h>

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

/// By name.
using WeightsMap = std::map<std::string, StoredTensor>;

/// A parameter or a buffer of a unit.
struct ModelTensor {
    std::string name;  ///< as files have it
    parallel::Unit* unit = nullptr;
    parallel::Parameter* parameter = nullptr;  ///< one of both
    parallel::Buffer* buffer = nullptr;
    std::vector<std::int64_t> shape() const;
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
