// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Tensors of a golden safetensors file.

#include <stdexcept>
#include <string>

#include <ATen/ops/from_blob.h>

#include "formats/weights/safetensors.h"

namespace trainyard::test {

/// Undefined if the file has none of this name. Of int64, int32, fp32 or fp64 elements.
inline at::Tensor golden_tensor_or_none(const weights::SafetensorsFile& file, const std::string& name) {
    const weights::TensorInfo* info = file.find(name);
    if (info == nullptr)
        return {};
    const at::ScalarType type = info->dtype == "I64"   ? at::kLong
                                : info->dtype == "I32" ? at::kInt
                                : info->dtype == "F64" ? at::kDouble
                                                       : at::kFloat;
    auto bytes = file.bytes(*info);
    return at::from_blob(const_cast<std::byte*>(bytes.data()), info->shape, at::TensorOptions().dtype(type)).clone();
}

inline at::Tensor golden_tensor(const weights::SafetensorsFile& file, const std::string& name) {
    at::Tensor found = golden_tensor_or_none(file, name);
    if (!found.defined())
        throw std::runtime_error("no tensor " + name);
    return found;
}

}  // namespace trainyard::test
