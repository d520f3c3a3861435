// SPDX-License-Identifier: GPL-3.0-or-later
// User state in checkpoints: a registered object, and hooks that get the weights before they are saved and the folder
// before it is loaded.

#include <filesystem>

#include "main.h"
#include "rings.h"

using namespace samples;
using trainyard::Tree;
namespace fs = std::filesystem;

namespace {

/// Counts samples across runs.
struct Counter : trainyard::Stateful {
    std::int64_t samples = 0;
    Tree state_dict() const override { return Tree::dict({{"samples", samples}}); }
    void load_state_dict(const Tree& state) override { samples = state.at("samples").as_integer(); }
};

}  // namespace

bool sample() {
    trainyard::Accelerator accelerator;
    fs::path folder = fs::temp_directory_path() / "trainyard-sample-hooks";
    if (accelerator.is_main_process())
        fs::remove_all(folder);
    accelerator.wait_for_everyone();

    auto model = accelerator.prepare(std::make_shared<Net>());
    Counter counter;
    accelerator.register_for_checkpointing(counter);
    std::size_t tensors = 0;
    bool asked = false;
    accelerator.register_save_state_pre_hook(
        [&](std::vector<trainyard::accelerator::ModelToSave>& models, trainyard::checkpoint::FilesToSave&) {
            tensors = models.at(0).weights.size();
        });
    accelerator.register_load_state_pre_hook([&](auto&, const fs::path& from) { asked = fs::exists(from); });

    counter.samples = 1234;
    accelerator.save_state(folder);
    counter.samples = 0;
    accelerator.load_state(folder);
    accelerator.print(std::to_string(tensors) + " tensors saved, counter " + std::to_string(counter.samples));
    accelerator.wait_for_everyone();
    if (accelerator.is_main_process())
        fs::remove_all(folder);
    return counter.samples == 1234 && asked && (tensors == 4 || !accelerator.is_main_process());
}
