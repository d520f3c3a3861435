// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A parameter as an ordinary tensor, for LibTorch's operators: convolutions, batch norms, tables of position biases.
// Its gradient is added to the flat buffers.

#include <ATen/core/Tensor.h>

#include "distributed/parallel/parameter.h"

namespace trainyard::models {

/// The value in the compute dtype.
at::Tensor value_of(parallel::Parameter& parameter);

}  // namespace trainyard::models
