// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The tensors of the trainer's optimizer.bin: the file is one of torch.save, {"state", "param_groups"} of AdamW as Accelerate has it, with
// the names of the parameters in its groups ("param_names"). Needs no LibTorch.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace trainyard::checkpoint {

struct OptimizerTensor {
    std::string name;   ///< exp_avg.<parameter>
    std::string dtype;  ///< of torch: float32
    std::vector<std::int64_t> shape;
    std::uint64_t begin = 0, end = 0;  ///< bytes of the file
};

/// Moments; states of one number (the count of steps) are left out. `bytes` are all of the file. Throws UserError naming `where`.
std::vector<OptimizerTensor> tensors_of_optimizer(std::span<const std::byte> bytes, const std::string& where);

}  // namespace trainyard::checkpoint
