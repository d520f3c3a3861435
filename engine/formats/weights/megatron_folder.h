// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Checkpoints of Megatron-LM: a folder mp_rank_<tensor rank>[_<pipeline rank>] for each part of a model, with its
// tensors and the arguments of the run in model_optim_rng.pt. A GPT is read as transformers' GPT-2 or Llama, which
// compute the same; names of the older modules and of Megatron Core. Layouts as in
// https://github.com/NVIDIA/Megatron-LM (megatron/training/checkpointing.py) and transformers'
// models/megatron_gpt2/checkpoint_reshaping_and_interoperability.py.

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "formats/weights/weight_source.h"

namespace trainyard::weights {

/// The folder of mp_rank_* that counts in `path`: itself, or that of the step which latest_checkpointed_iteration.txt
/// names. Empty: there is none.
std::filesystem::path megatron_folder(const std::filesystem::path& path);

/// The files of the ranks in it, by stage and tensor rank.
std::vector<std::filesystem::path> megatron_files(const std::filesystem::path& path);

/// The weights of megatron_folder(path) under the names of transformers, put together from all ranks. Throws UserError.
std::unique_ptr<WeightSource> open_megatron(const std::filesystem::path& path);

/// The config.json of transformers of the same model; empty if `path` is another kind of folder. Throws UserError.
std::string megatron_config(const std::filesystem::path& path);

}  // namespace trainyard::weights
