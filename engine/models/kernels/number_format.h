#pragma once
// How numbers lie in memory, as the kernels that are compiled for one instruction set take them: the 16-bit formats by their bits.

namespace trainyard::models {

enum class NumberFormat { fp32, bf16, fp16 };

}  // namespace trainyard::models
