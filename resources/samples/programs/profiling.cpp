// SPDX-License-Identifier: GPL-3.0-or-later
// A profile of training steps: operators with their times, and a trace for Perfetto, TensorBoard or `trainyard trace
// summary`.

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include <torch/optim/adamw.h>

#include "main.h"
#include "rings.h"

using namespace samples;
namespace fs = std::filesystem;
namespace profile = trainyard::profile;

bool sample() {
    trainyard::Accelerator accelerator;
    accelerator.set_seed(7);
    auto net = std::make_shared<Net>();
    auto model = accelerator.prepare(net);
    auto optimizer = accelerator.prepare(std::make_unique<torch::optim::AdamW>(net->parameters(), 1e-2));
    auto loader = accelerator.prepare(trainyard::data::LoaderSpec{.dataset = points(640), .batch_size = 32});

    fs::path folder = fs::temp_directory_path() / "trainyard-sample-profiling";
    if (accelerator.is_main_process())
        fs::remove_all(folder);
    accelerator.wait_for_everyone();
    bool found = false;
    {
        auto profiler = accelerator.profile(profile::ProfileOptions{
            .activities = {"cpu"},
            .schedule_option = profile::Schedule{.wait = 1, .warmup = 1, .active = 3, .repeat = 1},
            .record_shapes = true,
            .output_trace_dir = folder});
        for (trainyard::Tree& batch : *loader) {
            accelerator.backward(loss_of(model(x_of(batch)), label_of(batch)));
            optimizer->step();
            optimizer->zero_grad();
            profiler.step();  // the end of a step of the schedule
        }
        const std::vector<profile::KeyAverage> averages = profiler->key_averages();
        accelerator.print(profile::table_of(averages, {.row_limit = 5}));
        found = std::any_of(averages.begin(), averages.end(),
                            [](const auto& each) { return each.key == "aten::addmm" && each.count >= 3; });
    }  // writes profile_<rank>.json

    const bool written = fs::exists(folder / ("profile_" + std::to_string(accelerator.process_index()) + ".json"));
    accelerator.wait_for_everyone();
    if (accelerator.is_main_process())
        fs::remove_all(folder);
    return found && written;
}
