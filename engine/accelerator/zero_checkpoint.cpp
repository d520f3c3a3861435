// SPDX-License-Identifier: GPL-3.0-or-later
#include <torch/nn/module.h>

#include <trainyard/accelerator.h>
#include <trainyard/zero_checkpoint.h>

#include "base/error.h"
#include "base/file.h"
#include "base/text.h"
#include "checkpoint/accelerate_folder.h"
#include "checkpoint/torch_archive.h"

namespace trainyard::accelerator {

namespace {

namespace fs = std::filesystem;

constexpr const char* kLatest = "latest";
constexpr const char* kClientState = "client_state.pkl";

void check_tag(const std::string& tag) {
    if (tag.empty() || tag == kLatest || fs::path(tag).filename() != tag || tag.starts_with('.'))
        throw UserError("'{}' cannot be the tag of a checkpoint: use the name of a new folder, such as global_step100",
                        tag);
}

}  // namespace

fs::path checkpoint_of_tag(const fs::path& checkpoints, const std::string& tag) {
    std::error_code error;
    const fs::path latest = checkpoints / kLatest;
    std::string chosen = tag;
    if (tag.empty() && fs::is_regular_file(latest, error))
        chosen = text::trimmed(read_file(latest));
    const fs::path folder = chosen.empty() ? checkpoints : checkpoints / chosen;
    if (!fs::is_directory(folder, error))
        throw UserError("{} has no checkpoint named {}: give the tag of one of its folders", checkpoints.string(),
                        chosen.empty() ? checkpoints.filename().string() : chosen);
    return folder;
}

NamedTensors get_fp32_state_dict_from_zero_checkpoint(const fs::path& checkpoints, const std::string& tag) {
    fs::path folder = checkpoint_of_tag(checkpoints, tag);
    std::error_code error;
    for (const char* name : {"pytorch_model_0", "pytorch_model_fsdp_0"})
        if (const fs::path shares = folder / name; fs::is_directory(shares, error))
            folder = shares;
    NamedTensors weights = checkpoint::read_weights(folder);
    for (auto& [name, tensor] : weights)
        if (tensor.is_floating_point())
            tensor = tensor.to(at::kFloat);
    return weights;
}

void load_state_dict_from_zero_checkpoint(torch::nn::Module& module, const fs::path& checkpoints,
                                          const std::string& tag) {
    NamedTensors own;
    for (const auto& item : module.named_parameters())
        own.emplace_back(item.key(), item.value().detach());
    for (const auto& item : module.named_buffers())
        own.emplace_back(item.key(), item.value());
    const fs::path folder = checkpoint_of_tag(checkpoints, tag);
    checkpoint::copy_model(get_fp32_state_dict_from_zero_checkpoint(checkpoints, tag), own, folder.string(), false);
}

void Accelerator::save_checkpoint(const fs::path& checkpoints, const std::string& tag, const Tree& client_state) {
    check_tag(tag);
    if (options().project.automatic_checkpoint_naming)
        throw UserError(
            "save_checkpoint names its folder by the tag, and automatic_checkpoint_naming by a number: call "
            "save_state(), or switch that off");
    const fs::path folder = checkpoints / tag;
    save_state(folder);
    wait_for_checkpoint();
    save(client_state, folder / kClientState);
    wait_for_everyone();
    if (process().is_main_process())
        write_file_atomically(checkpoints / kLatest, tag + "\n");
    wait_for_everyone();
}

LoadedCheckpoint Accelerator::load_checkpoint(const fs::path& checkpoints, const std::string& tag) {
    LoadedCheckpoint loaded{.folder = checkpoint_of_tag(checkpoints, tag)};
    loaded.notes = load_state(loaded.folder);
    std::error_code error;
    if (const fs::path file = loaded.folder / kClientState; fs::exists(file, error))
        loaded.client_state = checkpoint::read_torch_file(file);
    return loaded;
}

}  // namespace trainyard::accelerator
