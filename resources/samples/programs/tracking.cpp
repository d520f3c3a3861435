// SPDX-License-Identifier: GPL-3.0-or-later
// Logs metrics and hyper-parameters for TensorBoard, as JSON lines and with a tracker of its own, in background threads.

#include <filesystem>
#include <fstream>

#include <torch/optim/adamw.h>

#include "main.h"
#include "rings.h"

using namespace samples;
namespace fs = std::filesystem;
namespace track = trainyard::track;

/// Appends a line of text for each record to a file in the logging directory.
class TextLog final : public track::Tracker {
  public:
    explicit TextLog(const track::TrackerContext& context) : file_(context.logging_dir / "steps.txt", std::ios::app) {
        if (!file_)
            throw std::runtime_error("steps.txt cannot be written");
    }
    std::string name() const override { return "text_log"; }
    void store_init_configuration(const track::Values&) override {}
    void log(const track::Record& record, const trainyard::Value&) override {
        file_ << record.step.value_or(0);
        for (const auto& [name, value] : record.values)
            file_ << ' ' << name << '=' << value.as_double();
        file_ << '\n';
    }
    void flush() override { file_.flush(); }

  private:
    std::ofstream file_;
};

bool sample() {
    fs::path folder = fs::temp_directory_path() / "trainyard-sample-tracking";
    track::TrackerKind kind;
    kind.name = "text_log";
    kind.requires_logging_directory = true;
    kind.make = [](const track::TrackerContext& context) { return std::make_unique<TextLog>(context); };
    track::register_tracker(kind);
    trainyard::Accelerator accelerator(
        {.log_with = {"tensorboard", "jsonl", "text_log"}, .project = {.project_dir = folder}});
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
    bool clean = true;
    for (const trainyard::Message& problem : accelerator.end_training()) {
        accelerator.print(problem.text());
        clean = false;
    }

    bool written = true;
    if (accelerator.is_main_process()) {
        int files = 0;
        for (const auto& entry : fs::recursive_directory_iterator(folder))
            files += entry.is_regular_file() && entry.file_size() > 0;
        accelerator.print(std::to_string(files) + " files in " + folder.string());
        written = files >= 3;
        fs::remove_all(folder);
    }
    return clean && written;
}
