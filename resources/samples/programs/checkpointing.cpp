// SPDX-License-Identifier: GPL-3.0-or-later
// Saves a checkpoint within an epoch and resumes from it in a fresh program state: the weights equal those of
// uninterrupted training.

#include <filesystem>

#include <ATen/ops/allclose.h>
#include <torch/optim/adamw.h>

#include "main.h"
#include "rings.h"

using namespace samples;
namespace fs = std::filesystem;

namespace {

/// Trains 20 steps. Saves after 7 steps, or resumes from that checkpoint.
at::Tensor train(trainyard::Accelerator& accelerator, const fs::path& folder, bool resume) {
    accelerator.set_seed(resume ? 99 : 7);
    auto net = std::make_shared<Net>();
    auto model = accelerator.prepare(net);
    auto optimizer = accelerator.prepare(std::make_unique<torch::optim::AdamW>(net->parameters(), 1e-2));
    auto loader =
        accelerator.prepare(trainyard::data::LoaderSpec{.dataset = points(320), .batch_size = 16, .shuffle = true});
    int step = 0;
    if (resume) {
        accelerator.load_state(folder);  // weights, optimizer, random number generators and the loader's position
        step = 7;
    }
    while (step < 20)
        for (trainyard::Tree& batch : *loader) {
            accelerator.backward(loss_of(model(x_of(batch)), label_of(batch)));
            optimizer->step();
            optimizer->zero_grad();
            if (++step == 7 && !resume)
                accelerator.save_state(folder);
            if (step == 20)
                break;
        }
    at::Tensor weights = net->last->weight.detach().clone();
    accelerator.free_memory();
    return weights;
}

}  // namespace

bool sample() {
    trainyard::Accelerator accelerator;
    fs::path folder = fs::temp_directory_path() / "trainyard-sample-checkpoint";
    if (accelerator.is_main_process())
        fs::remove_all(folder);
    accelerator.wait_for_everyone();

    at::Tensor whole = train(accelerator, folder, false), resumed = train(accelerator, folder, true);
    bool same = at::allclose(whole, resumed, 1e-6, 1e-7);
    accelerator.print(same ? "resumed training equals uninterrupted training" : "they differ");
    accelerator.wait_for_everyone();
    if (accelerator.is_main_process())
        fs::remove_all(folder);
    return same;
}
