// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace trainyard::models {

/// Whether the processor has AMX with bfloat16, and the system lets this process use it. ONEDNN_MAX_CPU_ISA limits
/// LibTorch's products, and ours with them. Asks once.
bool may_use_matrix_unit();

}  // namespace trainyard::models
