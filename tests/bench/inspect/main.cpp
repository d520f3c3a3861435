// SPDX-License-Identifier: GPL-3.0-or-later
// The checkpoint browser: 64 shards with an index of 25 MB (headers only), the filter over a million names, figures of
// tensors against reading the same file, and cancelling.
//
//   bench_inspect [FOLDER] [--runs N]
//
// The files are written to FOLDER (a temporary one) and read from the page cache; the ratio is to a loop that only
// reads the same bytes with as many threads, in turn with it.

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <sys/resource.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/cores.h"
#include "base/file.h"
#include "base/file_descriptor.h"
#include "bench/engine/figure.h"
#include "formats/weights/safetensors.h"
#include "observe/inspect/statistics.h"
#include "observe/inspect/tensor_tree.h"

namespace {

using namespace trainyard;
using bench::Figure;

constexpr int kShards = 64, kTensorsOfShard = 4200;

/// Of all threads of this program. Reading from the page cache takes nothing but that, and other programs do not count.
double processor_seconds() {
    rusage used{};
    ::getrusage(RUSAGE_SELF, &used);
    const auto seconds = [](const timeval& time) {
        return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
    };
    return seconds(used.ru_utime) + seconds(used.ru_stime);
}

template <class F>
double seconds(F&& work) {
    const double start = monotonic_seconds();
    work();
    return monotonic_seconds() - start;
}

/// Small tensors with long names, as of a mixture of experts.
void write_shards(const fs::path& folder) {
    nlohmann::json index;
    const std::vector<float> value(1, 1.0f);
    for (int shard = 0; shard < kShards; ++shard) {
        const std::string file = fmt::format("model-{:05}-of-{:05}.safetensors", shard + 1, kShards);
        std::vector<weights::TensorToWrite> tensors;
        for (int i = 0; i < kTensorsOfShard; ++i) {
            std::string name = fmt::format("model.layers.{}.mlp.experts.{}.{}_proj.weight_scale", shard, i / 3,
                                           i % 3 == 0   ? "up"
                                           : i % 3 == 1 ? "down"
                                                        : "gate");
            index["weight_map"][name] = file;
            tensors.push_back({std::move(name), "F32", {1}, std::as_bytes(std::span(value))});
        }
        weights::write_safetensors(folder / file, tensors);
    }
    write_file_atomically(folder / "model.safetensors.index.json", index.dump(2), false);
}

void write_values(const fs::path& file, const char* dtype, std::uint64_t bytes) {
    std::mt19937_64 random(1);
    const std::int64_t element = std::string(dtype) == "F32" ? 4 : 2;
    constexpr std::uint64_t kTensor = 32u << 20;
    std::vector<std::uint64_t> noise(kTensor / 8);
    // Exponents of ordinary weights: the figures are those of finite numbers.
    for (std::uint64_t& one : noise)
        one = element == 4 ? (random() & 0x807fffff807fffffull) | 0x3c0000003c000000ull
                           : (random() & 0x807f807f807f807full) | 0x3c003c003c003c00ull;
    std::vector<weights::TensorToWrite> tensors;
    for (std::uint64_t i = 0; i < bytes / kTensor; ++i)
        tensors.push_back({fmt::format("t{}", i),
                           dtype,
                           {static_cast<std::int64_t>(kTensor) / element},
                           std::as_bytes(std::span(noise))});
    weights::write_safetensors(file, tensors);
}

/// Only reads, with as many threads and the same pieces.
void read_all(const fs::path& file) {
    const std::uint64_t size = fs::file_size(file);
    std::atomic<std::uint64_t> next = 0;
    const auto work = [&] {
        FileDescriptor open(::open(file.c_str(), O_RDONLY | O_CLOEXEC));
        std::vector<char> buffer(512u << 10);
        for (std::uint64_t at = next.fetch_add(buffer.size()); at < size; at = next.fetch_add(buffer.size()))
            if (::pread(open.get(), buffer.data(), buffer.size(), static_cast<off_t>(at)) < 0)
                std::abort();
    };
    std::vector<std::jthread> pool;
    for (int i = 1; i < physical_cores(); ++i)
        pool.emplace_back(work);
    work();
}

void measure_figures(const fs::path& folder, const char* dtype, std::uint64_t bytes, int runs,
                     std::vector<Figure>& all) {
    const fs::path file = folder / dtype / "model.safetensors";
    fs::create_directories(file.parent_path());
    write_values(file, dtype, bytes);
    const inspect::Contents contents = inspect::read_contents(file.parent_path());
    const inspect::Reader reader(contents);
    Figure speed{fmt::format("figures.{}", dtype), "figures of tensors, peer: only reading", "GB/s", {}, {}, 0.8};
    Figure effort{fmt::format("effort.{}", dtype), "the same per second of processor time", "GB/s", {}, {}, 0.8};
    read_all(file);
    for (int i = 0; i < runs; ++i) {
        double begun = processor_seconds();
        const double plain = seconds([&] { read_all(file); });
        effort.peer.push_back(static_cast<double>(bytes) / (processor_seconds() - begun) / 1e9);
        begun = processor_seconds();
        const double figures = seconds([&] {
            Progress progress;
            inspect::statistics_pass(
                reader, {}, [](std::size_t, const inspect::Statistics&) {}, progress);
        });
        effort.values.push_back(static_cast<double>(bytes) / (processor_seconds() - begun) / 1e9);
        speed.peer.push_back(static_cast<double>(bytes) / plain / 1e9);
        speed.values.push_back(static_cast<double>(bytes) / figures / 1e9);
    }
    all.push_back(speed);
    all.push_back(effort);
    Figure cancelled{fmt::format("cancel.{}", dtype), "from the wish to the end of the pass", "ms", {}, {}, 200, true};
    for (int i = 0; i < runs; ++i) {
        std::atomic<double> asked = 0;
        Progress progress([&](std::uint64_t done, std::uint64_t total) {
            if (done * 2 < total)
                return true;
            if (asked == 0)
                asked = monotonic_seconds();
            return false;
        });
        try {
            inspect::statistics_pass(
                reader, {}, [](std::size_t, const inspect::Statistics&) {}, progress);
        } catch (const Cancelled&) {
        }
        cancelled.values.push_back((monotonic_seconds() - asked) * 1000);
    }
    all.push_back(cancelled);
}

int measure(int argc, char** argv) {
    int runs = 9;
    fs::path folder;
    for (int i = 1; i < argc; ++i)
        if (std::string(argv[i]) == "--runs" && i + 1 < argc)
            runs = std::max(1, std::atoi(argv[++i]));
        else
            folder = argv[i];
    const bool own = folder.empty();
    if (own)
        folder = fs::temp_directory_path() / fmt::format("bench_inspect_{}", ::getpid());
    fs::create_directories(folder / "shards");
    write_shards(folder / "shards");
    std::printf("index of %.1f MB, %d shards, %d tensors\n",
                static_cast<double>(fs::file_size(folder / "shards" / "model.safetensors.index.json")) / 1e6, kShards,
                kShards * kTensorsOfShard);
    std::vector<Figure> all;
    Figure tree{"tree", "64 shards and their index as a tree", "s", {}, {}, 1.0, true};
    for (int i = 0; i < runs; ++i)
        tree.values.push_back(seconds([&] {
            const inspect::Contents contents = inspect::read_contents(folder / "shards");
            const inspect::TensorTree nodes(contents);
            for (const auto& root : nodes.roots())
                nodes.children(root);
        }));
    all.push_back(tree);
    {
        inspect::Contents million;
        million.tensors.resize(1'000'000);
        for (std::size_t i = 0; i < million.tensors.size(); ++i)
            million.tensors[i].name = fmt::format("model.layers.{}.mlp.experts.{}.up_proj.weight", i / 8000, i % 8000);
        const inspect::NameIndex names(million);
        for (const char* text : {"experts.77", "layers.9 up_proj", "e", "nothing"}) {
            Figure filter{fmt::format("filter.{}", text), "filter over a million names", "ms", {}, {}, 100, true};
            for (int i = 0; i < runs; ++i)
                filter.values.push_back(1000 * seconds([&] { names.find(inspect::parse_query(text)); }));
            all.push_back(filter);
        }
    }
    measure_figures(folder, "F32", 1u << 30, runs, all);
    measure_figures(folder, "BF16", 1u << 30, runs, all);
    if (own)
        fs::remove_all(folder);
    bench::print(all, false);
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    return bench::main_of("bench_inspect", measure, argc, argv);
}
