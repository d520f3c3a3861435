// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Accelerate's save_model: weights in files of a limited size, with an index.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "base/message.h"
#include "distributed/tensors/tree.h"

namespace trainyard::checkpoint {

struct ExportOptions {
    std::string max_shard_size = "10GB";  ///< "500MB", "2GiB", bytes
    bool safe_serialization = true;       ///< false: pytorch_model.bin
    bool adapter = false;                 ///< the files have PEFT's name: adapter_model
};

struct Exported {
    std::vector<std::filesystem::path> files;  ///< weights, then the index if there is one
    std::vector<Message> warnings;             ///< e.g. of names dropped because they share memory with another
};

/// Writes `state` into `folder` (made when absent); files of an earlier export that are not part of this one are removed afterwards.
/// Called by one rank. Throws UserError (folder is a file, a tensor without data, disk full); then the earlier export is whole.
Exported save_model(const NamedTensors& state, const std::filesystem::path& folder, const ExportOptions& options = {});

/// Numbers of tensors per shard: in the given order, a shard closes when the next tensor would exceed the limit; one that is larger than the
/// limit gets a shard of its own; tensors that share memory stay together.
std::vector<std::vector<std::size_t>> plan_shards(const NamedTensors& state, std::uint64_t limit);

/// Names without the wrappers' "module." and "_orig_mod.": what get_state_dict gives.
NamedTensors unwrapped(const NamedTensors& state);

}  // namespace trainyard::checkpoint
