// SPDX-License-Identifier: GPL-3.0-or-later
// bench_generation [--peer PYTHON] [--family NAME] [--rounds N] [--json]: greedy generation of one text with every
// decoder at a mini size, fp32, alternating with transformers' generate(). Both have the same config.json, weights and
// prompt, and what they write is compared.

#include <algorithm>

#include <ATen/Context.h>
#include <ATen/ops/tensor.h>

#include <fmt/format.h>

#include "base/clock.h"
#include "bench/models/family_bench.h"
#include "inference/generate/generate.h"
#include "models/spec/tasks.h"

namespace trainyard::bench {
namespace {

using families::ModelConfig;

constexpr std::int64_t kPrompt = 32, kNewTokens = 96;
constexpr int kTexts = 3;
/// Random weights make logits that lie close to each other: later tokens may differ by rounding alone, and then all
/// that follow.
constexpr std::int64_t kSameTokens = 8;

class Text : public FamilyRun {
  public:
    explicit Text(const ModelConfig& config)
        : config_(config), model_(mini_model(config)), arena_(model_->groups(), at::kFloat, at::kCPU, false) {
        arena_.initialise(1);
        for (std::int64_t i = 0; i < kPrompt; ++i)
            prompt_.push_back(5 + i * 37 % (config.vocab_size - 5));
        options_.max_new_tokens = kNewTokens;
    }
    const models::Model& model() const override { return *model_; }
    NamedTensors inputs() const override { return {{"input_ids", at::tensor(prompt_, at::kLong).unsqueeze(0)}}; }
    /// Tokens per second, the median of some.
    double measure() override {
        std::vector<double> rates;
        for (int text = 0; text <= kTexts; ++text) {
            const double begin = monotonic_seconds();
            made_ = generate::generate(*model_, prompt_, config_.n_positions, at::kCPU, options_).tokens;
            if (std::ssize(made_) != kNewTokens)
                throw std::runtime_error(fmt::format("{} tokens instead of {}", made_.size(), kNewTokens));
            rates.push_back(static_cast<double>(kNewTokens) / (monotonic_seconds() - begin));
        }
        return median({rates.begin() + 1, rates.end()});
    }
    double compared(const nlohmann::json& answer) const override {
        const auto theirs = answer.at("tokens").get<std::vector<std::int64_t>>();
        same_ = std::ranges::mismatch(made_, theirs).in1 - made_.begin();
        if (same_ < kSameTokens)
            throw std::runtime_error(
                fmt::format("only {} tokens are the same as the peer's: they did not compute the same", same_));
        return answer.at("tokens_per_s");
    }
    std::string same() const override { return fmt::format("{} tokens the same", same_); }

  private:
    ModelConfig config_;
    std::unique_ptr<models::Model> model_;
    parallel::FlatArena arena_;
    std::vector<std::int64_t> prompt_, made_;
    generate::GenerationOptions options_;
    mutable std::int64_t same_ = 0;
};

int run(int argc, char** argv) {
    FamilyBench bench;
    bench.program = "bench_generation";
    bench.about = "Generation beside transformers: one text, greedy, with a key-value cache";
    bench.peer_script = "generation.py";
    bench.asked = {{"tokens", kNewTokens}, {"repeats", kTexts}};
    bench.rounds = 3;
    bench.takes = [](const MiniModel& model) { return model.task == families::kCausalLm; };
    bench.figure = [](const MiniModel& model) {
        return Figure{"generation." + model.family,
                      fmt::format("greedy, {}, {} tokens behind {}", model.family, kNewTokens, kPrompt),
                      "tokens/s",
                      {},
                      {},
                      1.5};
    };
    bench.make = [](const ModelConfig& config) { return std::make_unique<Text>(config); };
    return run_family_bench(bench, argc, argv);
}

}  // namespace
}  // namespace trainyard::bench

int main(int argc, char** argv) {
    return trainyard::bench::main_of("bench_generation", trainyard::bench::run, argc, argv);
}
