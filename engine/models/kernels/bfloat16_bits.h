#pragma once
// bfloat16 tensors as their bits, which is how the vector loops take them.

#include <cstdint>

#include <ATen/core/Tensor.h>

namespace trainyard::models {

inline const std::uint16_t* bits(const at::Tensor& x) {
    return reinterpret_cast<const std::uint16_t*>(x.const_data_ptr<at::BFloat16>());
}

inline std::uint16_t* bits_to_write(const at::Tensor& x) {
    return reinterpret_cast<std::uint16_t*>(x.data_ptr<at::BFloat16>());
}

}  // namespace trainyard::models
