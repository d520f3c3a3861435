// SPDX-License-Identifier: GPL-3.0-or-later
// bench_data_loading [--peer PYTHON] [--rounds N] [--json]: tokens per second of a prepared, shuffling loader on one
// rank, alternating with Accelerate's loader around torch's DataLoader. The data are 131,072 x 64 (and 32,768 x 256)
// token ids in memory, with the batch sizes of the two GPT-2 models (12 x 64, 4 x 256), without workers and with two
// (threads; in the peer processes). Exits with 0 if all could be measured.

#include <chrono>
#include <cstdio>

#include <ATen/ops/randint.h>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "bench/engine/figure.h"
#include "bench/peer_program.h"
#include "data/prepare_data_loader.h"

namespace trainyard::bench {
namespace {

struct Case {
    int rows, block, batch, workers;
};

double tokens_per_second(const Case& shape) {
    auto set = std::make_shared<data::TensorDataset>(
        Tree::dict({{"input_ids", at::randint(256, {shape.rows, shape.block}, at::kLong)}}));
    auto loader = data::prepare_data_loader(
        {.dataset = set, .batch_size = shape.batch, .shuffle = true, .drop_last = true, .num_workers = shape.workers});
    std::int64_t tokens = 0;
    auto begin = std::chrono::steady_clock::now();
    for (Tree& batch : *loader)
        tokens += batch.at("input_ids").as_tensor().numel();
    return static_cast<double>(tokens) /
           std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

int run(int argc, char** argv) {
    std::string peer;
    int rounds = 3;
    bool json = false;
    CLI::App app("Loading data beside Accelerate");
    app.add_option("--peer", peer, "Python with tests/bench/peer/requirements.txt");
    app.add_option("--rounds", rounds, "How often each is measured")->check(CLI::Range(1, 100));
    app.add_flag("--json", json, "For programs");
    CLI11_PARSE(app, argc, argv);

    std::vector<Figure> figures;
    for (Case shape : {Case{131072, 64, 12, 0}, {131072, 64, 12, 2}, {32768, 256, 4, 0}, {32768, 256, 4, 2}}) {
        Figure figure{fmt::format("loading.{}x{}.{}workers", shape.batch, shape.block, shape.workers),
                      fmt::format("tokens/s, batches of {} x {}, {} workers", shape.batch, shape.block, shape.workers),
                      "tokens/s",
                      {},
                      {},
                      {}};
        for (int round = 0; round < rounds; ++round) {
            figure.values.push_back(tokens_per_second(shape));
            if (!peer.empty())
                figure.peer.push_back(
                    nlohmann::json::parse(output_of({peer, TRAINYARD_TESTS_DIR "/bench/peer/data_loading.py",
                                                     std::to_string(shape.rows), std::to_string(shape.block),
                                                     std::to_string(shape.batch), std::to_string(shape.workers)}))
                        .at("tokens_per_s"));
        }
        if (!peer.empty())
            figure.target = 1.0;
        figures.push_back(std::move(figure));
    }
    print(figures, json);
    return 0;
}

}  // namespace
}  // namespace trainyard::bench

int main(int argc, char** argv) {
    return trainyard::bench::main_of("bench_data_loading", trainyard::bench::run, argc, argv);
}
