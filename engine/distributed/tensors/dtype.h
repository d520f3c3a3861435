// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// dtype names as torch prints them ("float32", "bfloat16", "float8_e4m3fn"), for messages, messages between ranks, and
// files.

#include <optional>
#include <string>
#include <string_view>

#include <ATen/core/Tensor.h>

namespace trainyard {

/// "float32". Supports the dtypes that checkpoints can contain.
const char* dtype_name(at::ScalarType type);
/// std::nullopt for unknown names.
std::optional<at::ScalarType> dtype_of_name(std::string_view name);

}  // namespace trainyard
