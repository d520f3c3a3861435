// SPDX-License-Identifier: GPL-3.0-or-later
// bench_sharding: each row of the table of shardings (distributed/parallel/sharding.h), on ranks that are processes of
// this machine, in turns. packaging/bench sharding
//   memory   bytes of weights, gradients and optimizer state of a rank, as allocated, beside the formula
//   wire     bytes that a rank sends in a step if collectives are rings, beside the formula
//   speed    tokens/s of all ranks, beside replicas with the same transport
// Formulas: Rajbhandari et al., "ZeRO", SC 2020, section 7; Zhao et al., "PyTorch FSDP", VLDB 2023, section 3.2.

#include <algorithm>
#include <array>
#include <cstdio>
#include <fstream>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <ATen/Parallel.h>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "bench/engine/figure.h"
#include "bench/training_text.h"
#include "distributed/tensors/memory_meter.h"
#include "support/ranks.h"
#include "support/temporary_folder.h"
#include "train/trainer.h"

namespace trainyard::bench {
namespace {

namespace fs = std::filesystem;

constexpr double kWithin = 0.05;     ///< of the formula
constexpr double kLeastSpeed = 0.9;  ///< of replicas
constexpr double kMostOfOneRank = 1.1;

struct Row {
    std::string id, what;
    std::int64_t stage = 0;
    int ranks = 2, copies = 1;
    bool in_memory = true;  ///< collectives in shared memory; false: sockets
    bool on_disk = false;   ///< weights, gradients and state
};

/// The bytes of one rank, as a child sends them to its parent.
struct Sizes {
    double tokens_per_s = 0;
    double weights = 0, rooms = 0, gradients = 0, state = 0, disk = 0;  ///< bytes, measured
    double wire = 0;                                                    ///< bytes of a step
    double parameters = 0, largest_room = 0, largest_bucket = 0, embedding = 0;
    double memory() const { return weights + rooms + gradients + state; }
    double values_and_state() const { return weights + rooms + state; }
};

/// Proportional bytes of this process's mappings whose name holds `name`: of memory that processes share its part.
double mapped_bytes(const std::string& name) {
    std::ifstream maps("/proc/self/smaps");
    std::string line;
    double bytes = 0;
    bool ours = false;
    while (std::getline(maps, line)) {
        if (line.find('-') < line.find(' '))
            ours = line.find(name) != std::string::npos;
        else if (ours && line.starts_with("Pss:"))
            bytes += std::stod(line.substr(4)) * 1024;
    }
    return bytes;
}

config::Recipe recipe_of(const Row& row, const fs::path& work, int layers, int width, int batch, int steps) {
    config::Recipe recipe;
    recipe.data.paths = {(work / "text").string()};
    recipe.data.sequence_length = recipe.model.n_positions = 256;
    recipe.data.validation_fraction = 0;
    recipe.model.n_layer = layers;
    recipe.model.n_embd = width;
    recipe.model.n_head = 6;
    recipe.model.vocab_size = 259;
    recipe.training.steps = steps;
    recipe.training.batch_size = batch;
    recipe.parallel.zero_stage = row.stage;
    recipe.parallel.dp_replicate_size = row.copies > 1 ? row.copies : 0;
    if (row.on_disk) {
        recipe.parallel.offload_param_device = recipe.parallel.offload_optimizer_device = config::OffloadDevice::nvme;
        recipe.parallel.offload_param_nvme_path = recipe.parallel.offload_optimizer_nvme_path = work.string();
    }
    return recipe;
}

/// Bytes that this rank sends if every collective is a ring.
double ring_bytes(const parallel::Communicator& ranks) {
    using enum parallel::CollectiveKind;
    const double others = ranks.size() - 1, size = ranks.size();
    const auto bytes = [&](parallel::CollectiveKind kind) {
        return static_cast<double>(ranks.stats().operations(kind).bytes);
    };
    return 2 * others / size * bytes(all_reduce) + others / size * bytes(reduce_scatter) + others * bytes(all_gather);
}

Sizes train(const config::Recipe& recipe, const Row& row, std::unique_ptr<parallel::World> world, int warmup,
            const fs::path& work) {
    start_memory_meter();
    const int shards = row.ranks / row.copies;
    parallel::Mesh mesh({1, row.copies, shards, 1, 1, 1}, std::move(world));
    train::Trainer trainer(recipe, mesh, at::kCPU);
    trainer.start();
    Sizes sizes;
    std::vector<double> seconds;
    const auto sent = [&] {
        double bytes = ring_bytes(mesh.data());
        if (row.copies > 1)
            bytes += ring_bytes(mesh.shards()) + ring_bytes(mesh.copies());
        return bytes;
    };
    double before = 0;
    while (trainer.position().step < recipe.training.steps) {
        if (trainer.position().step == warmup)
            before = sent();
        const double begin = monotonic_seconds();
        trainer.step();
        if (trainer.position().step > warmup)
            seconds.push_back(monotonic_seconds() - begin);
    }
    sizes.wire = (sent() - before) / static_cast<double>(seconds.size());
    sizes.tokens_per_s = static_cast<double>(recipe.tokens_per_step(row.ranks)) / median(seconds);
    mesh.everyone().barrier("all ranks have the rooms in memory");
    const MemoryPeaks peaks = memory_peaks();
    const auto bytes = [&](MemoryUse use) { return static_cast<double>(peaks.bytes(use)); };
    sizes.weights = bytes(MemoryUse::weights);
    sizes.rooms = bytes(MemoryUse::compute_copy) + mapped_bytes("memfd:trainyard-rooms");
    sizes.gradients = bytes(MemoryUse::gradients) + bytes(MemoryUse::buckets);
    sizes.state = bytes(MemoryUse::optimizer);
    sizes.weights += mapped_bytes(work.string());
    mesh.everyone().barrier("all ranks have looked");
    sizes.disk = static_cast<double>(trainer.bytes_on_disk());
    sizes.parameters = static_cast<double>(trainer.parameter_count());
    const parallel::FlatArena& arena = trainer.arena();
    for (const parallel::ArenaBucket& bucket : arena.buckets())
        sizes.largest_bucket = std::max(sizes.largest_bucket, 4.0 * static_cast<double>(bucket.range.size()));
    sizes.embedding = 4.0 * static_cast<double>(arena.buckets().back().range.size());
    if (const parallel::ValueRooms* rooms = arena.value_rooms())
        sizes.largest_room = static_cast<double>(rooms->largest_room());
    return sizes;
}

/// Runs a row on processes; returns the sizes of each rank. Throws std::runtime_error if a rank fails.
std::vector<Sizes> measure(const Row& row, const config::Recipe& recipe, int warmup, const fs::path& work) {
    test::LoopbackSocket socket;
    std::array<int, 2> ends{};
    if (::pipe(ends.data()) != 0)
        throw std::runtime_error("no pipe");
    std::vector<pid_t> children;
    for (int rank = 0; rank < row.ranks; ++rank) {
        children.push_back(::fork());
        if (children.back() != 0)
            continue;
        try {
            at::set_num_threads(std::max(1, static_cast<int>(std::thread::hardware_concurrency()) / row.ranks));
            parallel::Rendezvous rendezvous;
            rendezvous.rank = rank;
            rendezvous.world_size = row.ranks;
            rendezvous.port = socket.port;
            rendezvous.store_fd = rank == 0 ? socket.fd : -1;
            rendezvous.timeout = std::chrono::seconds(120);
            rendezvous.share_memory = row.in_memory;
            const Sizes sizes = train(recipe, row, parallel::World::connect(rendezvous, "cpu"), warmup, work);
            if (::write(ends[1], &sizes, sizeof sizes) != static_cast<ssize_t>(sizeof sizes))
                ::_exit(1);
            ::_exit(0);
        } catch (const std::exception& error) {
            std::fprintf(stderr, "rank %d of %s: %s\n", rank, row.id.c_str(), error.what());
            ::_exit(1);
        }
    }
    ::close(ends[1]);
    std::vector<Sizes> all;
    for (Sizes one; ::read(ends[0], &one, sizeof one) == static_cast<ssize_t>(sizeof one);)
        all.push_back(one);
    ::close(ends[0]);
    for (const pid_t child : children)
        ::waitpid(child, nullptr, 0);
    if (all.size() != children.size())
        throw std::runtime_error(fmt::format("{}: a rank failed", row.id));
    return all;
}

/// What the table says of a rank. Rooms that exist together: of weights the unit that computes and two ahead of it, of
/// gradients the embedding's, two that travel and one that backward fills.
Sizes formula(const Row& row, const Sizes& measured) {
    const double bytes = 4 * measured.parameters, shards = row.ranks / row.copies;
    Sizes sizes;
    sizes.weights = row.stage == 3 ? bytes / shards : bytes;
    sizes.state = 2 * bytes / (row.stage >= 1 ? shards : 1);
    sizes.gradients = bytes / (row.stage >= 2 ? shards : 1);
    const bool gathers = row.stage == 3 && (!row.in_memory || row.on_disk);
    if (gathers)
        sizes.rooms = 3 * measured.largest_room + measured.embedding;
    if (row.on_disk)
        sizes.weights = sizes.state = sizes.gradients = 0;
    if (row.stage >= 2)
        sizes.gradients += 3 * measured.largest_bucket + measured.embedding;
    // A ring: all_reduce sends 2 (N - 1) / N of the bytes, the others (N - 1) / N.
    const double part = (shards - 1) / shards;
    const double all_reduce = 2 * (row.ranks - 1.0) / row.ranks * bytes;
    sizes.wire = row.stage == 0 ? all_reduce : part * bytes;
    if (row.stage == 1 || row.stage == 2)
        sizes.wire += part * bytes;
    if (gathers)  // forward and backward; the last unit, and the table that it shares, stay for backward
        sizes.wire += part * (2 * bytes - measured.embedding);
    if (row.stage > 0 && row.copies > 1)  // gradients of the same share
        sizes.wire += 2 * (row.copies - 1.0) / row.copies * bytes / shards;
    return sizes;
}

std::vector<Row> rows_of_bench() {
    return {{"replicated", "replicas"},
            {"zero1", "ZeRO 1", 1},
            {"zero2", "ZeRO 2, SHARD_GRAD_OP", 2},
            {"zero3.shared", "ZeRO 3, FULL_SHARD, one memory for rooms", 3},
            {"zero3.disk", "ZeRO 3, weights, gradients and state on a disk", 3, 2, 1, true, true},
            {"sockets.replicated", "replicas, sockets", 0, 2, 1, false},
            {"sockets.zero3", "ZeRO 3, FULL_SHARD, rooms that are gathered, sockets", 3, 2, 1, false},
            {"hybrid", "ZeRO 3 in groups of two, two copies, HYBRID_SHARD", 3, 4, 2},
            {"one", "one rank", 0, 1},
            {"one.disk", "one rank, weights, gradients and state on a disk", 3, 1, 1, true, true},
            {"four", "4 replicas", 0, 4},
            {"zero3.four", "ZeRO 3 on 4 ranks, one memory for rooms", 3, 4}};
}

int run(int argc, char** argv) {
    CLI::App app("Memory, traffic and speed of each way to shard.");
    int rounds = 3, steps = 8, warmup = 2, layers = 6, width = 384, batch = 2;
    bool json = false;
    std::string only, folder = fs::temp_directory_path().string();
    app.add_option("--rounds", rounds, "Runs of each row, in turns [3]");
    app.add_option("--steps", steps, "Steps of a run, the first two of them not counted [8]");
    app.add_option("--layers", layers, "Blocks of the model [6]");
    app.add_option("--width", width, "n_embd of the model, a multiple of 6 [384]");
    app.add_option("--batch", batch, "Samples of a rank [2]");
    app.add_option("--only", only, "Rows whose id holds this text");
    app.add_option("--folder", folder, "Folder for what is offloaded");
    app.add_flag("--json", json, "One JSON list");
    CLI11_PARSE(app, argc, argv);
    const fs::path work = fs::path(folder) / fmt::format("trainyard-bench-sharding-{}", ::getpid());
    fs::create_directories(work);
    write_training_text(work / "text");
    std::map<std::string, std::vector<std::vector<Sizes>>> measured;  // [row][round][rank]
    for (int round = 0; round < rounds; ++round)
        for (const Row& row : rows_of_bench())
            if (row.id.find(only) != std::string::npos)
                measured[row.id].push_back(
                    measure(row, recipe_of(row, work, layers, width, batch, steps), warmup, work));
    fs::remove_all(work);
    std::vector<Figure> figures;
    const auto speeds = [&](const std::string& id) {
        std::vector<double> values;
        for (const std::vector<Sizes>& ranks : measured[id])
            values.push_back(ranks.front().tokens_per_s);
        return values;
    };
    for (const Row& row : rows_of_bench()) {
        if (measured[row.id].empty())
            continue;
        const Sizes expected = formula(row, measured[row.id].front().front());
        Figure memory{"memory." + row.id,
                      "MB of weights, gradients and state of a rank, by formula, " + row.what,
                      "MB",
                      {},
                      {},
                      {}};
        Figure wire{"wire." + row.id, "MB sent by a rank in a step, by formula, " + row.what, "MB", {}, {}, {}};
        for (const std::vector<Sizes>& ranks : measured[row.id])
            for (const Sizes& rank : ranks) {
                memory.values.push_back(rank.memory() / 1e6);
                wire.values.push_back(rank.wire / 1e6);
            }
        memory.peer = {expected.memory() / 1e6};
        wire.peer = {expected.wire / 1e6};
        for (Figure* figure : {&memory, &wire}) {
            figure->target = 1 + kWithin;
            figure->lower_is_better = true;
            figures.push_back(*figure);
        }
        const std::string base = row.ranks == 1   ? "one"
                                 : row.ranks == 4 ? "four"
                                 : row.in_memory  ? "replicated"
                                                  : "sockets.replicated";
        Figure speed{"speed." + row.id, "tokens/s, beside replicas, " + row.what, "tokens/s", {}, {}, {}};
        speed.values = speeds(row.id);
        if (row.id != base && !measured[base].empty()) {
            speed.peer = speeds(base);
            speed.target = kLeastSpeed;
        }
        figures.push_back(std::move(speed));
    }
    if (!measured["zero3.four"].empty() && !measured["one"].empty()) {
        Figure once{"once", "MB of weights and state of 4 ranks together, beside one rank", "MB", {}, {}, {}};
        for (const std::vector<Sizes>& ranks : measured["zero3.four"]) {
            double together = 0;
            for (const Sizes& rank : ranks)
                together += rank.values_and_state();
            once.values.push_back(together / 1e6);
        }
        for (const std::vector<Sizes>& ranks : measured["one"])
            once.peer.push_back(ranks.front().values_and_state() / 1e6);
        once.target = kMostOfOneRank;
        once.lower_is_better = true;
        figures.push_back(std::move(once));
    }
    print(figures, json);
    return 0;
}

}  // namespace
}  // namespace trainyard::bench

int main(int argc, char** argv) {
    return trainyard::bench::main_of("bench_sharding", trainyard::bench::run, argc, argv);
}
