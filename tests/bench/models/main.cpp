// bench_models [--peer PYTHON] [--family NAME] [--rounds N] [--json]: forward and backward of every family at a mini size, fp32, alternating with
// transformers with its usual attention. Both have the same config.json, weights and batch, and their losses are compared.

#include <cmath>
#include <filesystem>
#include <optional>

#include <ATen/Context.h>
#include <ATen/Parallel.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/randint.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/zeros.h>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/clock.h"
#include "bench/engine/figure.h"
#include "bench/models/mini_models.h"
#include "bench/models/same_weights.h"
#include "bench/peer_program.h"
#include "families/config_file.h"
#include "families/tasks.h"
#include "models/model.h"
#include "support/temporary_folder.h"

namespace trainyard::bench {
namespace {

using families::ModelConfig;

constexpr std::int64_t kBatch = 8, kSequence = kMiniSequence, kImage = kMiniImage;
constexpr int kRepeats = 5;
constexpr double kSameLoss = 1e-4;

/// Our model of a family with its batch.
class Ours {
  public:
    explicit Ours(const ModelConfig& config)
        : model_(make(config)), arena_(model_->groups(), at::kFloat, at::kCPU, true) {
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
    /// Milliseconds of a step, the median of some.
    double step_ms() {
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
    double loss() const { return context_.loss_sum.item<double>() / targets_; }
    void write(const std::filesystem::path& file) const {
        NamedTensors inputs = context_.inputs;
        if (context_.tokens.defined())
            inputs.emplace_back("input_ids", context_.tokens);
        inputs.emplace_back("labels", context_.labels);
        write_same(file, *model_, inputs);
    }

  private:
    static std::unique_ptr<models::Model> make(const ModelConfig& config) {
        config::ModelRecipe recipe;
        static_cast<ModelConfig&>(recipe) = config;
        return models::make_model(recipe);
    }
    std::unique_ptr<models::Model> model_;
    parallel::FlatArena arena_;
    parallel::StepContext context_;
    double targets_ = 0;
};

/// Throws where the two did not compute the same.
void compare(double ours, double peers) {
    if (!(std::abs(ours - peers) <= kSameLoss * std::max(1.0, std::abs(peers))))
        throw std::runtime_error(
            fmt::format("our loss is {:.6f}, the peer's {:.6f}: they did not compute the same", ours, peers));
}

int run(int argc, char** argv) {
    std::string peer, family;
    int rounds = 5;
    bool json = false;
    CLI::App app("Families beside transformers: forward and backward");
    app.add_option("--peer", peer, "Python with torch and transformers");
    app.add_option("--family", family, "Only this one");
    app.add_option("--rounds", rounds, "How often each is measured")->check(CLI::Range(1, 100));
    app.add_flag("--json", json, "For programs");
    CLI11_PARSE(app, argc, argv);
    std::vector<Figure> figures;
    std::vector<std::string> problems;
    std::optional<PeerServer> server;
    if (!peer.empty())
        server.emplace(std::vector<std::string>{peer, TRAINYARD_TESTS_DIR "/bench/peer/models.py"},
                       peer_variables(at::get_num_threads()));
    const test::TemporaryFolder folder;
    const std::filesystem::path file = folder.path() / "same.safetensors";
    for (const MiniModel& each : mini_models()) {
        if (!family.empty() && family != each.family)
            continue;
        const ModelConfig config = mini(each);
        Figure figure{"models." + each.family,
                      fmt::format("forward and backward, {}, batch of {}", each.family, kBatch),
                      "ms",
                      {},
                      {},
                      peer.empty() ? std::nullopt : std::optional(1 / 1.1),
                      true};
        try {
            Ours ours(config);
            nlohmann::json asked{{"repeats", kRepeats}};
            if (server) {
                ours.write(file);
                asked["config"] = nlohmann::json::parse(families::write_config(config));
                asked["class"] = asked["config"].at("architectures").at(0);
                asked["file"] = file.string();
            }
            for (int round = 0; round < rounds; ++round) {
                figure.values.push_back(ours.step_ms());
                if (!server)
                    continue;
                const nlohmann::json answer = nlohmann::json::parse(server->ask(asked.dump()));
                if (answer.contains("error"))
                    throw std::runtime_error("the peer failed: " + answer.at("error").get<std::string>());
                asked.erase("config");
                figure.peer.push_back(answer.at("ms"));
                compare(ours.loss(), answer.at("loss"));
            }
            if (server)
                figure.what += fmt::format(", same loss {:.4f}", ours.loss());
            figures.push_back(figure);
        } catch (const std::exception& error) {  // the other families are measured all the same
            problems.push_back(each.family + ": " + error.what());
        }
    }
    print(figures, json);
    for (const std::string& problem : problems)
        fmt::print(stderr, "bench_models: {}\n", problem);
    return problems.empty() ? 0 : 1;
}

}  // namespace
}  // namespace trainyard::bench

int main(int argc, char** argv) {
    return trainyard::bench::main_of("bench_models", trainyard::bench::run, argc, argv);
}
