// bench_generation [--peer PYTHON] [--family NAME] [--rounds N] [--json]: greedy generation of one text with every decoder at a mini size, fp32,
// alternating with transformers' generate(). Both run the same config.json from a prompt of the same length.

#include <ATen/Parallel.h>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/clock.h"
#include "bench/engine/figure.h"
#include "bench/models/mini_models.h"
#include "bench/peer_program.h"
#include "families/config_file.h"
#include "generate/generate.h"
#include "models/model.h"

namespace trainyard::bench {
namespace {

constexpr std::int64_t kPrompt = 32, kNewTokens = 96;
constexpr int kTexts = 3;

double tokens_per_second(const families::ModelConfig& config) {
    config::ModelRecipe recipe;
    static_cast<families::ModelConfig&>(recipe) = config;
    const std::unique_ptr<models::Model> model = models::make_model(recipe);
    parallel::FlatArena arena(model->groups(), at::kFloat, at::kCPU, false);
    arena.initialise(1);
    std::vector<std::int64_t> prompt;
    for (std::int64_t i = 0; i < kPrompt; ++i)
        prompt.push_back(5 + i * 37 % (config.vocab_size - 5));
    generate::GenerationOptions options;
    options.max_new_tokens = kNewTokens;
    std::vector<double> rates;
    for (int text = 0; text <= kTexts; ++text) {
        const double begin = monotonic_seconds();
        const generate::Generated made = generate::generate(*model, prompt, config.n_positions, at::kCPU, options);
        if (std::ssize(made.tokens) != kNewTokens)
            throw std::runtime_error(fmt::format("{} wrote {} tokens", config.model_type, made.tokens.size()));
        rates.push_back(static_cast<double>(kNewTokens) / (monotonic_seconds() - begin));
    }
    return median({rates.begin() + 1, rates.end()});
}

double peer_tokens_per_second(const std::string& python, const families::ModelConfig& config) {
    const nlohmann::json fields = nlohmann::json::parse(families::write_config(config));
    const nlohmann::json asked{{"config", fields},
                               {"class", fields.at("architectures").at(0)},
                               {"prompt", kPrompt},
                               {"tokens", kNewTokens},
                               {"repeats", kTexts}};
    return nlohmann::json::parse(
               output_of({python, TRAINYARD_TESTS_DIR "/bench/peer/generation.py", asked.dump()},
                         {"OMP_NUM_THREADS=" + std::to_string(at::get_num_threads()), "HF_HUB_OFFLINE=1"}))
        .at("tokens_per_s");
}

int run(int argc, char** argv) {
    std::string peer, family;
    int rounds = 3;
    bool json = false;
    CLI::App app("Generation beside transformers: one text, greedy, with a key-value cache");
    app.add_option("--peer", peer, "Python with torch and transformers");
    app.add_option("--family", family, "Only this one");
    app.add_option("--rounds", rounds, "How often each is measured")->check(CLI::Range(1, 100));
    app.add_flag("--json", json, "For programs");
    CLI11_PARSE(app, argc, argv);
    std::vector<Figure> figures;
    for (const MiniModel& each : mini_models()) {
        if (each.task != families::kCausalLm || (!family.empty() && family != each.family))
            continue;
        const families::ModelConfig config = mini(each);
        Figure figure{"generation." + each.family,
                      fmt::format("greedy, {}, {} tokens behind {}", each.family, kNewTokens, kPrompt),
                      "tokens/s",
                      {},
                      {},
                      peer.empty() ? std::nullopt : std::optional(1.5)};
        for (int round = 0; round < rounds; ++round) {
            figure.values.push_back(tokens_per_second(config));
            if (!peer.empty())
                figure.peer.push_back(peer_tokens_per_second(peer, config));
        }
        figures.push_back(figure);
    }
    print(figures, json);
    return 0;
}

}  // namespace
}  // namespace trainyard::bench

int main(int argc, char** argv) {
    return trainyard::bench::main_of("bench_generation", trainyard::bench::run, argc, argv);
}
