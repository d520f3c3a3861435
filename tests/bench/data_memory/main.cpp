// SPDX-License-Identifier: GPL-3.0-or-later
// bench_data_memory [--megabytes N] [--json]: memory of a data set of N MB (2000) on each of 4 ranks, which read
// samples at random positions.
//   private.<format>   a rank's private memory (Private_Clean + Private_Dirty) in excess of that with a data set of 1 MB; target: less than 64 MB
//   first.<format>     seconds until the slowest rank has its first sample, without prepared tokens
//   second.<format>    the same in the second start; prepared.<format> counts ranks that prepared tokens again, target: 0
// Formats: text (prepared), megatron (read in place), bytes (mapped in place). All files are in a temporary folder
// (TMPDIR), which needs twice the size.

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/engine/figure.h"
#include "support/megatron_writer.h"
#include "support/private_memory.h"
#include "support/temporary_folder.h"
#include "train/corpus.h"
#include "train/token_store.h"

using namespace trainyard;
namespace fs = std::filesystem;
using bench::Figure;

namespace {

constexpr int kRanks = 4, kSamples = 50'000, kSequence = 1024;
constexpr double kTarget = 64e6;

struct Seen {
    std::uint64_t private_bytes = 0;
    double first_s = 0;
    int prepared = 0;
};

config::DataRecipe recipe_of(const std::string& format, const fs::path& path) {
    config::DataRecipe data;
    data.format = find_choice<config::DataFormat>(format).value();
    data.paths = {path.string()};
    data.sequence_length = kSequence;
    return data;
}

void write_set(const std::string& format, const fs::path& path, std::uint64_t bytes) {
    std::mt19937_64 random(7);
    if (format == "megatron") {
        test::MegatronWriter set(path, formats::ElementType::u16);
        std::vector<std::int64_t> tokens(1000);
        for (std::uint64_t written = 0; written < bytes; written += 2 * tokens.size()) {
            for (std::int64_t& token : tokens)
                token = static_cast<std::int64_t>(random() % 50'000);
            set.add_sequence(tokens);
            set.end_document();
        }
        return set.finish();
    }
    std::ofstream file(path);
    std::string line(256, '\n');
    for (std::uint64_t written = 0; written < bytes; written += line.size()) {
        for (std::size_t at = 0; at + 1 < line.size(); at += 5)
            line.replace(at, 5, fmt::format("{:05x}", random() & 0xfffff));
        line.back() = '\n';
        file << line;
    }
}

/// Runs 4 processes concurrently, each of which reads samples at random positions.
std::vector<Seen> ranks_on(const config::DataRecipe& data) {
    std::vector<std::pair<pid_t, int>> children;
    for (int rank = 0; rank < kRanks; ++rank) {
        int ends[2];
        if (::pipe(ends) != 0)
            throw std::runtime_error("no pipe");
        const pid_t child = ::fork();
        if (child == 0) {
            const auto begin = std::chrono::steady_clock::now();
            Seen seen;
            auto corpus = train::open_corpus(data, 50'257);
            std::vector<std::int64_t> tokens(kSequence);
            std::mt19937_64 random(static_cast<unsigned>(rank));
            const auto samples = static_cast<std::uint64_t>(corpus->training_samples());
            for (int sample = 0; sample < kSamples; ++sample) {
                corpus->copy(false, static_cast<std::int64_t>(random() % samples), tokens, {});
                if (sample == 0)
                    seen.first_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
            }
            seen.private_bytes = test::private_bytes();
            seen.prepared = data.format != config::DataFormat::bytes && train::TokenStore(data).was_prepared();
            ::_exit(::write(ends[1], &seen, sizeof seen) == sizeof seen ? 0 : 1);
        }
        ::close(ends[1]);
        children.emplace_back(child, ends[0]);
    }
    std::vector<Seen> all;
    for (const auto& [child, end] : children) {
        Seen& seen = all.emplace_back();
        if (::read(end, &seen, sizeof seen) != sizeof seen)
            throw std::runtime_error("a rank failed");
        ::close(end);
        ::waitpid(child, nullptr, 0);
    }
    return all;
}

double slowest(const std::vector<Seen>& ranks) {
    double most = 0;
    for (const Seen& rank : ranks)
        most = std::max(most, rank.first_s);
    return most;
}

int run(std::uint64_t megabytes, bool json) {
    test::TemporaryFolder folder;
    ::setenv("TRAINYARD_CACHE", (folder.path() / "cache").c_str(), 1);
    std::vector<Figure> figures;
    for (const std::string format : {"text", "megatron", "bytes"}) {
        const fs::path large = folder.path() / ("large." + format), tiny = folder.path() / ("tiny." + format);
        write_set(format, large, megabytes * 1'000'000);
        write_set(format, tiny, 1'000'000);
        const std::vector<Seen> small = ranks_on(recipe_of(format, tiny)), first = ranks_on(recipe_of(format, large)),
                                second = ranks_on(recipe_of(format, large));
        Figure memory{"private." + format,
                      fmt::format("private memory of a rank for {} MB more of data", megabytes),
                      "MB",
                      {},
                      {},
                      kTarget / 1e6,
                      true};
        Figure prepared{"prepared." + format, "ranks that prepared at the second start", "", {}, {}, 0, true};
        for (std::size_t rank = 0; rank < kRanks; ++rank) {
            memory.values.push_back(
                (static_cast<double>(second[rank].private_bytes) - static_cast<double>(small[rank].private_bytes)) /
                1e6);
            prepared.values.push_back(second[rank].prepared);
        }
        figures.push_back(memory);
        figures.push_back({"first." + format,
                           "until every rank has a sample, nothing prepared",
                           "s",
                           {slowest(first)},
                           {},
                           {},
                           true});
        figures.push_back(
            {"second." + format, "until every rank has a sample, prepared", "s", {slowest(second)}, {}, {}, true});
        figures.push_back({"tiny." + format, "the same for 1 MB", "s", {slowest(small)}, {}, {}, true});
        figures.push_back(prepared);
        fs::remove(large);
        fs::remove_all(folder.path() / "cache");
    }
    bench::print(figures, json);
    return 0;
}

int main_with(int argc, char** argv) {
    std::uint64_t megabytes = 2000;
    bool json = false;
    for (int i = 1; i < argc; ++i) {
        if (std::strcmp(argv[i], "--json") == 0) {
            json = true;
        } else if (std::strcmp(argv[i], "--megabytes") == 0 && i + 1 < argc) {
            megabytes = std::stoull(argv[++i]);
        } else {
            std::fprintf(stderr, "usage: bench_data_memory [--megabytes N] [--json]\n");
            return 2;
        }
    }
    return run(megabytes, json);
}

}  // namespace

int main(int argc, char** argv) {
    return bench::main_of("bench_data_memory", main_with, argc, argv);
}
