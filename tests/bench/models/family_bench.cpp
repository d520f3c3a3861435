// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/models/family_bench.h"

#include <filesystem>
#include <optional>

#include <ATen/Parallel.h>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "bench/models/same_weights.h"
#include "bench/peer_program.h"
#include "models/spec/config_file.h"
#include "support/temporary_folder.h"

namespace trainyard::bench {

std::unique_ptr<models::Model> mini_model(const families::ModelConfig& config) {
    config::ModelRecipe recipe;
    static_cast<families::ModelConfig&>(recipe) = config;
    return models::make_model(recipe);
}

int run_family_bench(const FamilyBench& bench, int argc, char** argv) {
    std::string peer, family;
    int rounds = bench.rounds;
    bool json = false;
    CLI::App app(bench.about);
    app.add_option("--peer", peer, "Python with torch and transformers");
    app.add_option("--family", family, "Only this one");
    app.add_option("--rounds", rounds, "How often each is measured")->check(CLI::Range(1, 100));
    app.add_flag("--json", json, "For programs");
    CLI11_PARSE(app, argc, argv);
    std::vector<Figure> figures;
    std::vector<std::string> problems;
    std::optional<PeerServer> server;
    if (!peer.empty())
        server.emplace(std::vector<std::string>{peer, TRAINYARD_TESTS_DIR "/bench/peer/" + bench.peer_script},
                       peer_variables(at::get_num_threads()));
    const test::TemporaryFolder folder;
    const std::filesystem::path file = folder.path() / "same.safetensors";
    for (const MiniModel& each : mini_models()) {
        if (!bench.takes(each) || (!family.empty() && family != each.family))
            continue;
        Figure figure = bench.figure(each);
        if (!server)
            figure.target.reset();
        try {
            const families::ModelConfig config = mini(each);
            const std::unique_ptr<FamilyRun> ours = bench.make(config);
            nlohmann::json asked = bench.asked;
            if (server) {
                write_same(file, ours->model(), ours->inputs());
                asked["config"] = nlohmann::json::parse(families::write_config(config));
                asked["class"] = asked["config"].at("architectures").at(0);
                asked["file"] = file.string();
            }
            for (int round = 0; round < rounds; ++round) {
                figure.values.push_back(ours->measure());
                if (!server)
                    continue;
                const nlohmann::json answer = nlohmann::json::parse(server->ask(asked.dump()));
                if (answer.contains("error"))
                    throw std::runtime_error("the peer failed: " + answer.at("error").get<std::string>());
                asked.erase("config");
                figure.peer.push_back(ours->compared(answer));
            }
            if (server)
                figure.what += ", " + ours->same();
            figures.push_back(figure);
        } catch (const std::exception& error) {
            problems.push_back(each.family + ": " + error.what());
        }
    }
    print(figures, json);
    for (const std::string& problem : problems)
        fmt::print(stderr, "{}: {}\n", bench.program, problem);
    return problems.empty() ? 0 : 1;
}

}  // namespace trainyard::bench
