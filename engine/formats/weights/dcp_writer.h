// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Writes a folder of torch.distributed.checkpoint: `.metadata` and a file `__<rank>_0.distcp` for each rank, with the
// rows of each tensor that FSDP2 gives that
// rank (torch.chunk over the first dimension). The state is {"model": {name: tensor}}, as Accelerate saves it. Memory:
// one tensor.

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "formats/weights/dcp_folder.h"
#include "formats/weights/weight_source.h"

namespace trainyard::weights {

/// The text of `.metadata`. Keys of a path that are numbers are places in a list.
std::string dcp_metadata(const std::vector<DcpTensor>& tensors, const std::vector<DcpValue>& values);

/// `on_read`: gets the index and all bytes of each tensor, once. Returns the names of the files, `.metadata` last.
/// Throws UserError.
std::vector<std::string> write_dcp_folder(const WeightSource& source, const std::filesystem::path& folder, int ranks,
                                          const std::function<void(std::size_t, std::span<const std::byte>)>& on_read);

}  // namespace trainyard::weights
