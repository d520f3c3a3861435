// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Weights of checkpoints that ranks wrote in shares, put together: folders of DeepSpeed's save_checkpoint and of
// Accelerator::save_checkpoint (deepspeed.utils.zero_to_fp32).

#include <filesystem>
#include <string>

#include "distributed/tensors/tree.h"

namespace torch::nn {
class Module;
}

namespace trainyard::accelerator {

/// Returns the folder of a tag in `checkpoints`; without a tag of that which its file `latest` names. Throws UserError.
std::filesystem::path checkpoint_of_tag(const std::filesystem::path& checkpoints, const std::string& tag = {});

/// Returns the weights in fp32 under their names. Tensors that are fp32 in the files share their pages. Throws
/// UserError.
NamedTensors get_fp32_state_dict_from_zero_checkpoint(const std::filesystem::path& checkpoints,
                                                      const std::string& tag = {});

/// Copies these weights into a module. Throws UserError naming what lacks or does not fit; then nothing has changed.
void load_state_dict_from_zero_checkpoint(torch::nn::Module& module, const std::filesystem::path& checkpoints,
                                          const std::string& tag = {});

}  // namespace trainyard::accelerator
