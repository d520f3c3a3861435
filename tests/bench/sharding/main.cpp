// SPDX-License-Identifier: GPL-3.0-or-later
// bench_sharding: each row of the table of shardings (distributed/parallel/sharding.h), on ranks that are processes of
// this machine, in turns. packaging/bench sharding
//   memory   bytes of weights, gradients and optimizer state of a rank, as allocated, beside the formula
//   wire     bytes that a rank sends in a step, as the kernel counts them, beside the formula; where ranks share memory
//            those of rings
//   speed    tokens/s of all ranks, beside replicas with the same transport
//   disk     tokens/s of rows that keep nothing in memory, beside what the disk and the processors allow
//   adam     bytes/s of an update, beside those of the memory, and with the state on a disk beside those of the disk
//   limited  tokens/s of a model whose weights, gradients and state are four times the limit of its control group
// Formulas: Rajbhandari et al., "ZeRO", SC 2020, section 7; Zhao et al., "PyTorch FSDP", VLDB 2023, section 3.2.

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <ATen/Parallel.h>
#include <ATen/ops/add.h>
#include <ATen/ops/ones.h>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/files/scratch_file.h"
#include "bench/engine/figure.h"
#include "bench/training_text.h"
#include "config/recipe/zero_plus_plus.h"
#include "distributed/parallel/load_device.h"
#include "distributed/tensors/memory_meter.h"
#include "support/control_group.h"
#include "support/ranks.h"
#include "support/sent_bytes.h"
#include "support/temporary_folder.h"
#include "train/flat_optimizer.h"
#include "train/trainer.h"

namespace trainyard::bench {
namespace {

namespace fs = std::filesystem;

constexpr double kWithin = 0.05;     ///< of the formula
constexpr double kLeastSpeed = 0.9;  ///< of replicas
constexpr double kMostOfOneRank = 1.1;
constexpr double kOfDisk = 0.5;               ///< of what the disk allows
constexpr double kOfMemory = 0.7;             ///< of the bandwidth of the memory
constexpr std::int64_t kElements = 32 << 20;  ///< of buffers whose bandwidth is measured

struct Row {
    std::string id, what;
    std::int64_t stage = 0;
    int ranks = 2, copies = 1;
    bool in_memory = true;  ///< collectives in shared memory; false: sockets
    bool on_disk = false;   ///< weights, gradients and state
    bool cached = true;     ///< also in memory, if it fits
    int secondary = 1;      ///< ranks with a second copy of the shares (ZeRO++)
    bool codes = false;     ///< weights in 8 bits, gradients in 4
    bool table = false;     ///< the token table stays whole (ignored modules)
    /// Rooms are gathered, and no rank shares its own.
    bool gathers() const { return stage == 3 && (!in_memory || on_disk || secondary > 1 || codes); }
};

/// The bytes of one rank, as a child sends them to its parent.
struct Sizes {
    double tokens_per_s = 0;
    double weights = 0, rooms = 0, gradients = 0, state = 0, disk = 0;  ///< bytes, measured
    double cached = 0;                                                  ///< of the disk's, in memory
    double wire = 0;                                                    ///< bytes of a step
    double parameters = 0, largest_room = 0, largest_bucket = 0, embedding = 0;
    double memory() const { return weights + rooms + gradients + state + cached; }
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
    recipe.parallel.zero_hpz_partition_size = row.secondary;
    recipe.parallel.zero_quantized_weights = recipe.parallel.zero_quantized_gradients = row.codes;
    if (row.table)
        recipe.parallel.ignored_modules = "transformer\\.wte";
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
    return 2 * others / size * bytes(all_reduce) + others / size * (bytes(reduce_scatter) + bytes(all_to_all)) +
           others * bytes(all_gather);
}

Sizes train(const config::Recipe& recipe, const Row& row, std::unique_ptr<parallel::World> world, int warmup,
            const fs::path& work) {
    start_memory_meter();
    const int shards = row.ranks / row.copies;
    parallel::Mesh mesh({1, row.copies, shards, 1, 1, 1}, std::move(world));
    train::TrainerOptions options;
    if (!row.cached)
        options.memory_room = 0;
    train::Trainer trainer(recipe, mesh, at::kCPU, std::move(options));
    trainer.start();
    Sizes sizes;
    std::vector<double> seconds;
    const auto sent_over_rings = [&] {
        double bytes = ring_bytes(mesh.data());
        if (row.copies > 1)
            bytes += ring_bytes(mesh.shards()) + ring_bytes(mesh.copies());
        return bytes;
    };
    double before = 0;
    test::SentBytes sent_before;
    while (trainer.position().step < recipe.training.steps) {
        if (trainer.position().step == warmup) {
            before = sent_over_rings();
            sent_before = test::sent_bytes();
        }
        const double begin = monotonic_seconds();
        trainer.step();
        if (trainer.position().step > warmup)
            seconds.push_back(monotonic_seconds() - begin);
    }
    sizes.wire = (row.in_memory ? sent_over_rings() - before : static_cast<double>(test::sent_since(sent_before))) /
                 static_cast<double>(seconds.size());
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
    sizes.cached = static_cast<double>(trainer.bytes_cached());
    sizes.parameters = static_cast<double>(trainer.parameter_count());
    const parallel::FlatArena& arena = trainer.arena();
    for (const parallel::ArenaBucket& bucket : arena.buckets())
        sizes.largest_bucket = std::max(sizes.largest_bucket, 4.0 * static_cast<double>(bucket.range.size()));
    sizes.embedding = 4.0 * static_cast<double>(arena.buckets().back().range.size());
    if (const parallel::ValueRooms* rooms = arena.value_rooms())
        sizes.largest_room = static_cast<double>(rooms->largest_room());
    return sizes;
}

/// The result of `work` in a process of its own: ranks are forked, and a process with threads of OpenMP cannot be.
template <class Result, class Work>
Result in_process(const Work& work) {
    std::array<int, 2> ends{};
    if (::pipe(ends.data()) != 0)
        throw std::runtime_error("no pipe");
    const pid_t child = ::fork();
    if (child == 0) {
        try {
            const Result result = work();
            ::_exit(::write(ends[1], &result, sizeof result) == static_cast<ssize_t>(sizeof result) ? 0 : 1);
        } catch (const std::exception& error) {
            std::fprintf(stderr, "%s\n", error.what());
            ::_exit(1);
        }
    }
    ::close(ends[1]);
    Result result{};
    const bool complete = ::read(ends[0], &result, sizeof result) == static_cast<ssize_t>(sizeof result);
    ::close(ends[0]);
    ::waitpid(child, nullptr, 0);
    if (!complete)
        throw std::runtime_error("a measuring process failed");
    return result;
}

/// Bytes per second.
struct Bandwidth {
    double disk_read = 0, disk_write = 0, memory = 0;
    /// Seconds that the disk needs for these bytes.
    double disk_seconds(double read, double written) const { return read / disk_read + written / disk_write; }
};

template <class Work>
double seconds_of(const Work& work) {
    const double begin = monotonic_seconds();
    work();
    return monotonic_seconds() - begin;
}

/// Of the disk: pieces of 4 MB without the page cache, one after the other. Of the memory: the best of a product in
/// place, a copy and a sum, with all threads. McCalpin, "STREAM", 1995.
Bandwidth measure_bandwidth(const fs::path& work) {
    Bandwidth bandwidth;
    const double bytes = 4.0 * kElements;
    {
        files::ScratchFile file(work, static_cast<std::size_t>(bytes), "a measurement");
        const auto each_piece = [&](auto&& move) {
            constexpr std::size_t kPiece = 4 << 20;
            for (std::size_t begin = 0; begin < file.bytes().size(); begin += kPiece)
                move(begin, begin + kPiece);
        };
        file.load(0, file.bytes().size());
        std::memset(file.bytes().data(), 1, file.bytes().size());
        file.store(0, file.bytes().size());
        bandwidth.disk_read =
            bytes / seconds_of([&] { each_piece([&](std::size_t begin, std::size_t end) { file.load(begin, end); }); });
        bandwidth.disk_write = bytes / seconds_of([&] {
                                   each_piece([&](std::size_t begin, std::size_t end) { file.store(begin, end); });
                               });
    }
    const at::Tensor one = at::ones({kElements}), other = at::ones({kElements});
    at::Tensor third = at::ones({kElements});
    for (int time = 0; time < 3; ++time) {
        const double scaled = seconds_of([&] { one.mul_(1.0001); }), copied = seconds_of([&] { other.copy_(one); }),
                     summed = seconds_of([&] { at::add_out(third, one, other); });
        bandwidth.memory = std::max({bandwidth.memory, 2 * bytes / scaled, 2 * bytes / copied, 3 * bytes / summed});
    }
    return bandwidth;
}

/// Seconds of an update of kElements by AdamW, the best of three.
double measure_adam(const train::StateOffload& offload) {
    parallel::load_device("cpu", 0, "");
    parallel::Parameter weight("w", {kElements}, {parallel::Initialiser::Kind::normal, 0.1});
    parallel::FlatArena arena({{"g", {&weight}}}, at::kFloat, at::kCPU, true);
    arena.initialise(1);
    train::FlatOptimizer optimizer(arena, config::OptimizerRecipe(), offload);
    double best = std::numeric_limits<double>::max();
    for (int time = 0; time < 4; ++time) {
        weight.gradient().fill_(0.01);
        const double seconds = seconds_of([&] { optimizer.step(); });
        best = time == 0 ? best : std::min(best, seconds);
    }
    return best;
}

/// Bytes that a step reads and writes of what all ranks have on a disk and not in memory: weights for forward and
/// backward, and what the update needs; sums of gradients, weights and moments.
double disk_seconds(const Sizes& sizes, const Bandwidth& bandwidth) {
    const double bytes = 4 * sizes.parameters;
    return bandwidth.disk_seconds(2 * bytes - sizes.embedding - sizes.largest_room + 4 * bytes, bytes + 3 * bytes);
}

/// Runs a row on processes; returns the sizes of each rank. Throws std::runtime_error if a rank fails.
/// `members`: file of the control group of the ranks; empty: none.
std::vector<Sizes> measure(const Row& row, const config::Recipe& recipe, int warmup, const fs::path& work,
                           const std::string& members = {}) {
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
            if (!members.empty() && !test::enter_control_group(members.c_str()))
                throw std::runtime_error("not in the control group");
            parallel::load_device("cpu", 0, "");  // the settings of malloc that a worker has
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
/// gradients the embedding's, two that travel and one that backward fills. Of units ahead whose weights are sent as
/// codes only the messages of all ranks exist, and this rank's own.
Sizes formula(const Row& row, const Sizes& measured) {
    const double bytes = 4 * measured.parameters, shards = row.ranks / row.copies;
    Sizes sizes;
    sizes.weights = row.stage == 3 ? bytes / shards : bytes;
    sizes.state = 2 * bytes / (row.stage >= 1 ? shards : 1);
    sizes.gradients = bytes / (row.stage >= 2 ? shards : 1);
    const bool gathers = row.gathers();
    const double sent = row.codes ? config::kInt8CodeBytes / 4 : 1, secondary = row.secondary;
    if (gathers)
        sizes.rooms = (row.codes ? 1 + 2 * sent * (1 + 1 / shards) : 3) * measured.largest_room + measured.embedding +
                      (secondary > 1 ? sent * bytes / secondary : 0);
    if (row.on_disk) {
        if (row.cached)
            sizes.cached = sizes.weights + sizes.state + sizes.gradients;
        sizes.weights = sizes.state = 0;
        sizes.gradients = 4 * measured.largest_bucket / shards;  // sums: two that travel, the next, one to be written
    }
    if (row.stage >= 2)
        sizes.gradients += 3 * measured.largest_bucket + measured.embedding;
    // A ring: all_reduce sends 2 (N - 1) / N of the bytes, the others (N - 1) / N.
    const double part = (shards - 1) / shards;
    const double all_reduce = 2 * (row.ranks - 1.0) / row.ranks * bytes;
    sizes.wire = row.stage == 0 ? all_reduce : part * bytes * (row.codes ? config::kInt4CodeBytes / 4 : 1);
    if (row.stage == 1 || row.stage == 2)
        sizes.wire += part * bytes;
    // Forward and backward; the last unit, the table that it shares and the last block stay for backward.
    const double again = bytes - measured.embedding - measured.largest_room;
    if (gathers)
        sizes.wire += part * sent * (secondary > 1 ? bytes : bytes + again);
    if (gathers && secondary > 1)  // what is gathered again comes from the second copy
        sizes.wire += (secondary - 1) / secondary * sent * again;
    if (row.stage > 0 && row.copies > 1)  // gradients of the same share
        sizes.wire += 2 * (row.copies - 1.0) / row.copies * bytes / shards;
    return sizes;
}

std::vector<Row> rows_of_bench() {
    return {{"replicated", "replicas"},
            {"zero1", "ZeRO 1", 1},
            {"zero2", "ZeRO 2, SHARD_GRAD_OP", 2},
            {"zero3.shared", "ZeRO 3, FULL_SHARD, one memory for rooms", 3},
            {"zero3.disk", "ZeRO 3, weights, gradients and state on a disk and in free memory", 3, 2, 1, true, true},
            {"zero3.cold", "ZeRO 3, weights, gradients and state on a disk alone", 3, 2, 1, true, true, false},
            {"sockets.replicated", "replicas, sockets", 0, 2, 1, false},
            {"sockets.zero3", "ZeRO 3, FULL_SHARD, rooms that are gathered, sockets", 3, 2, 1, false},
            {.id = "sockets.table",
             .what = "ZeRO 3, the token table stays whole, sockets",
             .stage = 3,
             .in_memory = false,
             .table = true},
            {.id = "sockets.codes",
             .what = "ZeRO 3, weights sent in 8 bits and gradients in 4, sockets",
             .stage = 3,
             .in_memory = false,
             .codes = true},
            {.id = "sockets.copy",
             .what = "ZeRO 3 on 4 ranks, a second copy on two, sockets",
             .stage = 3,
             .ranks = 4,
             .in_memory = false,
             .secondary = 2},
            {"hybrid", "ZeRO 3 in groups of two, two copies, HYBRID_SHARD", 3, 4, 2},
            {"one", "one rank", 0, 1},
            {"one.disk", "one rank, weights, gradients and state on a disk and in free memory", 3, 1, 1, true, true},
            {"one.cold", "one rank, weights, gradients and state on a disk alone", 3, 1, 1, true, true, false},
            {"four", "4 replicas", 0, 4},
            {"zero3.four", "ZeRO 3 on 4 ranks, one memory for rooms", 3, 4}};
}

/// A model of 82 million parameters, whose weights, gradients and state are four times the limit.
constexpr std::uint64_t kLimit = 300ULL << 20;
config::Recipe limited_recipe(const Row& row, const fs::path& work, int steps) {
    config::Recipe recipe = recipe_of(row, work, 26, 512, 1, steps);
    recipe.model.n_head = 8;
    recipe.data.sequence_length = recipe.model.n_positions = 64;
    return recipe;
}

/// Tokens/s that the disk and the processors allow; `computed`: without a disk.
double allowed(const Row& row, const config::Recipe& recipe, const Sizes& sizes, double computed,
               const Bandwidth& bandwidth) {
    const double tokens = static_cast<double>(recipe.tokens_per_step(row.ranks)),
                 moved = 1 - sizes.cached / std::max(sizes.disk, 1.0);
    return std::min(computed, tokens / std::max(moved * disk_seconds(sizes, bandwidth), 1e-9));
}

int run(int argc, char** argv) {
    CLI::App app("Memory, traffic and speed of each way to shard.");
    int rounds = 3, steps = 8, warmup = 2, layers = 6, width = 384, batch = 2;
    bool json = false;
    std::vector<std::string> only;
    std::string folder = fs::temp_directory_path().string();
    app.add_option("--rounds", rounds, "Runs of each row, in turns [3]");
    app.add_option("--steps", steps, "Steps of a run, the first two of them not counted [8]");
    app.add_option("--layers", layers, "Blocks of the model [6]");
    app.add_option("--width", width, "n_embd of the model, a multiple of 6 [384]");
    app.add_option("--batch", batch, "Samples of a rank [2]");
    app.add_option("--only", only, "Rows whose id holds this text, or one of several");
    app.add_option("--folder", folder, "Folder for what is offloaded");
    app.add_flag("--json", json, "One JSON list");
    CLI11_PARSE(app, argc, argv);
    const fs::path work = fs::path(folder) / fmt::format("trainyard-bench-sharding-{}", ::getpid());
    fs::create_directories(work);
    write_training_text(work / "text");
    const auto wanted = [&](const std::string& id) {
        return only.empty() ||
               std::ranges::any_of(only, [&](const std::string& one) { return id.find(one) != std::string::npos; });
    };
    std::map<std::string, std::vector<std::vector<Sizes>>> measured;  // [row][round][rank]
    std::vector<Bandwidth> bandwidths;
    std::vector<double> adam, adam_on_disk;
    const Row limited{"limited", "", 3, 1, 1, true, true};
    Figure limited_speed{
        "limited",  "tokens/s of a model of four times the limit of memory, beside what disk and processors allow",
        "tokens/s", {},
        {},         kOfDisk};
    for (int round = 0; round < rounds; ++round) {
        bandwidths.push_back(in_process<Bandwidth>([&] { return measure_bandwidth(work); }));
        for (const Row& row : rows_of_bench())
            if (wanted(row.id))
                measured[row.id].push_back(
                    measure(row, recipe_of(row, work, layers, width, batch, steps), warmup, work));
        if (wanted("adam")) {
            adam.push_back(28.0 * kElements / in_process<double>([] { return measure_adam({}); }));
            adam_on_disk.push_back(16.0 * kElements / in_process<double>([&] {
                                       return measure_adam({.folder = work, .memory_room = 0});
                                   }));
        }
        if (wanted("limited")) {
            Row in_memory = limited;
            in_memory.stage = 0;
            in_memory.on_disk = false;
            const double computed =
                measure(in_memory, limited_recipe(in_memory, work, steps), warmup, work)[0].tokens_per_s;
            test::ControlGroup group("memory");
            group.limit_memory(kLimit);
            const config::Recipe recipe = limited_recipe(limited, work, steps);
            const Sizes sizes = measure(limited, recipe, warmup, work, group.members().string())[0];
            if (sizes.disk < 4.0 * kLimit)
                throw std::runtime_error("the model is not four times the limit");
            limited_speed.values.push_back(sizes.tokens_per_s);
            limited_speed.peer.push_back(allowed(limited, recipe, sizes, computed, bandwidths.back()));
        }
    }
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
                                 : row.ranks == 4 ? row.in_memory ? "four" : row.id
                                 : row.in_memory  ? "replicated"
                                                  : "sockets.replicated";
        Figure speed{"speed." + row.id, "tokens/s, beside replicas, " + row.what, "tokens/s", {}, {}, {}};
        speed.values = speeds(row.id);
        if (row.id != base && !measured[base].empty()) {
            speed.peer = speeds(base);
            if (row.cached)
                speed.target = kLeastSpeed;
        }
        if (!row.cached && !measured[base].empty()) {
            Figure disk{"disk." + row.id,
                        "tokens/s, beside what disk and processors allow, " + row.what,
                        "tokens/s",
                        speed.values,
                        {},
                        kOfDisk};
            for (std::size_t round = 0; round < bandwidths.size(); ++round)
                disk.peer.push_back(allowed(row, recipe_of(row, work, layers, width, batch, steps),
                                            measured[row.id][round].front(), speeds(base)[round], bandwidths[round]));
            figures.push_back(std::move(disk));
        }
        figures.push_back(std::move(speed));
    }
    const auto add = [&](const char* id, const char* what, auto value) -> Figure& {
        Figure figure{id, what, "GB/s", {}, {}, {}};
        for (const Bandwidth& one : bandwidths)
            figure.values.push_back(value(one) / 1e9);
        return figures.emplace_back(std::move(figure));
    };
    add("bandwidth.read", "disk of --folder, reading", [](const Bandwidth& one) { return one.disk_read; });
    add("bandwidth.write", "disk of --folder, writing", [](const Bandwidth& one) { return one.disk_write; });
    add("bandwidth.memory", "memory", [](const Bandwidth& one) { return one.memory; });
    if (!adam.empty()) {
        Figure& memory = add("adam.memory", "AdamW on processors, beside the memory",
                             [](const Bandwidth& one) { return one.memory; });
        memory.target = kOfMemory;
        memory.peer = std::exchange(memory.values, {});
        for (const double value : adam)
            memory.values.push_back(value / 1e9);
        Figure& disk = add("adam.disk", "AdamW with its state on a disk, beside the disk",
                           [](const Bandwidth& one) { return 2 / one.disk_seconds(1, 1); });
        disk.target = kOfDisk;
        disk.peer = std::exchange(disk.values, {});
        for (const double value : adam_on_disk)
            disk.values.push_back(value / 1e9);
    }
    if (!limited_speed.values.empty())
        figures.push_back(std::move(limited_speed));
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
    // What launched ranks have (launch/supervisor/rank_orders.cpp), and libgomp reads when it is loaded. Without it
    // threads spin while they wait, and with one other process on the machine a step takes three times as long.
    if (std::getenv("OMP_WAIT_POLICY") == nullptr && ::setenv("GOMP_SPINCOUNT", "2000", 0) == 0 &&
        std::getenv("TRAINYARD_BENCH_AGAIN") == nullptr && ::setenv("TRAINYARD_BENCH_AGAIN", "1", 1) == 0)
        ::execv("/proc/self/exe", argv);
    return trainyard::bench::main_of("bench_sharding", trainyard::bench::run, argc, argv);
}
