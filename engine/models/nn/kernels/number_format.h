// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Number formats in memory, for kernels that are compiled for one instruction set: 16-bit formats are represented by
// their bits.

namespace trainyard::models {

enum class NumberFormat { fp32, bf16, fp16 };

}  // namespace trainyard::models
