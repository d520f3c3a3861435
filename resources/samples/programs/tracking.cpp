// SPDX-License-Identifier: GPL-3.0-or-later
// Logs metrics and hyper-parameters for TensorBoard and as JSON lines, in background threads.

#include <filesystem>

#include <torch/optim/adamw.h>

#include "main.h"
#include "rings.h"

using namespace samples;
namespace fs = std::filesystem;

bool sample() {
    fs::path folder = fs::temp_directory_path() / "trainyard-sample-tracking";
    trainyard::Accelerator accelerator({.log_with = {"tensorboard", "jsonl"}, .project = {.project_dir = folder}});
    accelerator.set_seed(7);
    if (accelerator.is_main_process())
        fs::remove_all(folder);
    accelerator.init_trackers("rings", {{"lr", 0.01}, {"batch_size", 32}});

    auto net = std::make_shared<Net>();
    auto model = accelerator.prepare(net);
    auto optimizer = accelerator.prepare(std::make_unique<torch::optim::AdamW>(net->parameters(), 1e-2));
    auto loader = accelerator.prepare(trainyard::data::LoaderSpec{.dataset = points(640), .batch_size = 32});
    std::int64_t step = 0;
    for (trainyard::Tree& batch : *loader) {
        at::Tensor loss = loss_of(model(x_of(batch)), label_of(batch));
        accelerator.backward(loss);
        optimizer->step();
        optimizer->zero_grad();
        accelerator.log({{"train/loss", loss.item<double>()}, {"train/lr", optimizer->lr(0)}}, ++step);
    }
    bool clean = accelerator.end_training().empty();

    bool written = true;
    if (accelerator.is_main_process()) {
        int files = 0;
        for (const auto& entry : fs::recursive_directory_iterator(folder))
            files += entry.is_regular_file() && entry.file_size() > 0;
        accelerator.print(std::to_string(files) + " files in " + folder.string());
        written = files >= 2;
        fs::remove_all(folder);
    }
    return clean && written;
}
