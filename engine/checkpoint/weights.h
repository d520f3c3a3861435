// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Weights by name out of any file that Accelerate, transformers or torch write them to. All are opened by formats/weights/weight_source.h.

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/message.h"
#include "checkpoint/logical_tensor.h"
#include "distributed/parallel/communicator.h"
#include "distributed/tensors/tree.h"
#include "formats/weights/weight_source.h"

namespace trainyard::checkpoint {

using weights::numbered;

/// Model number `index` of a folder of save_state; nothing when there is none. Tensors are views of the mapped files where they lie whole in one,
/// private to this process. `trusted`: checksums of torch.save files are not compared, since those of the whole files were. Throws UserError.
std::optional<NamedTensors> read_model(const std::filesystem::path& folder, std::size_t index, bool trusted = false);

/// A tensor of a source: a view of its mapped file where that has it in one piece, private to this process, else a
/// copy.
/// `where` names the source in errors. Throws UserError.
at::Tensor read_tensor(const std::shared_ptr<const weights::WeightSource>& source, std::size_t tensor,
                       const std::string& where, bool trusted = false);

/// load_weights() for ranks of which the first alone reads the files: it sends every tensor to the others, which hold
/// one at a time besides `weights`. Collective. Throws UserError on all ranks if the files cannot be read.
std::vector<std::string> load_sent_weights(const std::filesystem::path& path, const std::vector<LogicalTensor>& weights,
                                           const std::set<std::string>& may_lack, std::vector<Message>& notes,
                                           parallel::Communicator& ranks);

/// The type of a tensor of a safetensors file. Throws UserError naming `where` when torch does not know it.
at::ScalarType stored_type(const std::string& safetensors_dtype, const std::string& where);

}  // namespace trainyard::checkpoint
