// SPDX-License-Identifier: GPL-3.0-or-later
// bench_models [--peer PYTHON] [--family NAME] [--rounds N] [--json]: forward and backward of every family at a mini
// size, fp32, alternating with transformers with its usual attention. Both have the same config.json, weights and
// batch, and their losses are compared.

#include <cmath>

#include <ATen/Context.h>
#include <ATen/ops/randint.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/zeros.h>

#include <fmt/format.h>

#include "base/clock.h"
#include "bench/models/family_bench.h"
#include "distributed/parallel/load_device.h"
#include "models/spec/tasks.h"

namespace trainyard::bench {
namespace {

using families::ModelConfig;

constexpr std::int64_t kBatch = 8, kSequence = kMiniSequence, kImage = kMiniImage;
constexpr int kRepeats = 5;
constexpr double kSameLoss = 1e-4;

/// A step: forward and backward of one batch.
class Step : public FamilyRun {
  public:
    explicit Step(const ModelConfig& config)
        : model_(mini_model(config)), arena_(model_->groups(), at::kFloat, at::kCPU, true) {
        arena_.initialise(1);
        at::manual_seed(1);
        context_.loss_sum = at::zeros({}, at::kDouble);
        if (config.task == families::kImageClassification) {
            context_.inputs.emplace_back("pixel_values", at::randn({kBatch, config.num_channels, kImage, kImage}));
            context_.labels = at::randint(0, config.num_labels, {kBatch}, at::kLong);
        } else {
            context_.tokens = at::randint(5, config.vocab_size, {kBatch, kSequence}, at::kLong);
            context_.labels = config.task == families::kSequenceClassification
                                  ? at::randint(0, config.num_labels, {kBatch}, at::kLong)
                                  : context_.tokens;
        }
        targets_ = model_->count_targets(context_);
        context_.loss_scale = 1 / targets_;
    }
    const models::Model& model() const override { return *model_; }
    NamedTensors inputs() const override {
        NamedTensors inputs = context_.inputs;
        if (context_.tokens.defined())
            inputs.emplace_back("input_ids", context_.tokens);
        inputs.emplace_back("labels", context_.labels);
        return inputs;
    }
    /// Milliseconds, the median of some.
    double measure() override {
        std::vector<double> times;
        for (int repeat = 0; repeat <= kRepeats; ++repeat) {
            context_.loss_sum.zero_();
            const double begin = monotonic_seconds();
            arena_.forget_gradients();
            model_->forward(context_).backward();
            times.push_back(1e3 * (monotonic_seconds() - begin));
        }
        return median({times.begin() + 1, times.end()});
    }
    double compared(const nlohmann::json& answer) const override {
        const double peers = answer.at("loss");
        if (!(std::abs(loss() - peers) <= kSameLoss * std::max(1.0, std::abs(peers))))
            throw std::runtime_error(
                fmt::format("our loss is {:.6f}, the peer's {:.6f}: they did not compute the same", loss(), peers));
        return answer.at("ms");
    }
    std::string same() const override { return fmt::format("same loss {:.4f}", loss()); }

  private:
    double loss() const { return context_.loss_sum.item<double>() / targets_; }
    std::unique_ptr<models::Model> model_;
    parallel::FlatArena arena_;
    parallel::StepContext context_;
    double targets_ = 0;
};

int run(int argc, char** argv) {
    parallel::load_device("cpu", 0);  // as a rank does before its first tensor
    FamilyBench bench;
    bench.program = "bench_models";
    bench.about = "Families beside transformers: forward and backward";
    bench.peer_script = "models.py";
    bench.asked = {{"repeats", kRepeats}};
    bench.takes = [](const MiniModel&) { return true; };
    bench.figure = [](const MiniModel& model) {
        return Figure{"models." + model.family,
                      fmt::format("forward and backward, {}, batch of {}", model.family, kBatch),
                      "ms",
                      {},
                      {},
                      1 / 1.1,
                      true};
    };
    bench.make = [](const ModelConfig& config) { return std::make_unique<Step>(config); };
    return run_family_bench(bench, argc, argv);
}

}  // namespace
}  // namespace trainyard::bench

int main(int argc, char** argv) {
    return trainyard::bench::main_of("bench_models", trainyard::bench::run, argc, argv);
}
