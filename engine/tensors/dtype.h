#pragma once
// Names of number formats as torch prints them ("float32", "bfloat16", "float8_e4m3fn"): in messages, on the wire, in files.

#include <optional>
#include <string>
#include <string_view>

#include <ATen/core/Tensor.h>

namespace trainyard {

/// "float32". Types that tensors of checkpoints can have.
const char* dtype_name(at::ScalarType type);
/// Nothing for unknown names.
std::optional<at::ScalarType> dtype_of_name(std::string_view name);

}  // namespace trainyard
