// SPDX-License-Identifier: GPL-3.0-or-later
// bench_engine: our training alternating with Accelerate's, on the same text and with the same model. packaging/bench
// engine --peer-python PATH

#include <cstdio>
#include <map>
#include <thread>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "base/error.h"
#include "base/file.h"
#include "bench/engine/contestant.h"
#include "bench/engine/figure.h"

namespace trainyard::bench {
namespace {

struct Targets {
    double speed, memory;
};

const std::vector<Shape>& shapes() {
    static const std::vector<Shape> all{
        {"small", "0.83 M parameters", 4, 4, 128, 64, 12, 220, 20},
        {"large", "10.8 M parameters", 6, 6, 384, 256, 4, 30, 5},
    };
    return all;
}

/// Targets by shape and precision. The compiled peer is a goal only. fp16 has no peer, because LibTorch's fp16 products
/// take too long on most processors.
const std::map<std::pair<std::string, std::string>, Targets> kTargets{{{"small", "no"}, {1.2, 0.25}},
                                                                      {{"large", "no"}, {1.05, 0.4}},
                                                                      {{"small", "bf16"}, {1.3, 0.25}},
                                                                      {{"large", "bf16"}, {1.3, 0.4}}};
constexpr double kCompiledTarget = 1.0;

/// All rounds of one shape with one number of ranks.
struct Series {
    std::vector<double> first, speed, memory;
    void add(const Measured& measured) {
        first.push_back(measured.first_step_s);
        speed.push_back(measured.tokens_per_s);
        memory.push_back(measured.peak_bytes / 1e6);
    }
};

struct Results {
    std::map<std::pair<std::string, Mode>, Series> ours, peer;  ///< by shape
    std::map<std::string, std::vector<double>> gemm;            ///< by precision
};

/// ", bf16, 2 ranks, peer compiled"
std::string words_of(const Mode& mode) {
    return fmt::format(", {}, {} rank{}{}", mode.precision == "no" ? "fp32" : mode.precision, mode.ranks,
                       mode.ranks > 1 ? "s" : "", mode.compiled ? ", peer compiled" : "");
}

std::vector<Figure> figures_of(const Results& results) {
    std::vector<Figure> figures;
    for (const auto& [key, ours] : results.ours) {
        const auto& [name, mode] = key;
        const Shape& shape =
            *std::find_if(shapes().begin(), shapes().end(), [&](const Shape& s) { return s.name == key.first; });
        Series peer = results.peer.contains(key) ? results.peer.at(key) : Series{};
        auto found = kTargets.find({name, mode.precision});
        const Targets targets = found == kTargets.end() ? Targets{} : found->second;
        auto goal = [&](double value) {
            return peer.speed.empty() || found == kTargets.end() ? std::nullopt : std::optional(value);
        };
        std::string at = fmt::format("{}.{}{}.{}rank", name, mode.precision == "no" ? "fp32" : mode.precision,
                                     mode.compiled ? ".compiled" : "", mode.ranks),
                    of = shape.size + words_of(mode);
        std::optional<double> first_goal = mode.ranks == 1 ? goal(0.1) : std::nullopt;
        figures.push_back(
            {"first_step." + at, "launch to first step, " + of, "s", ours.first, peer.first, first_goal, true});
        figures.push_back({"speed." + at, "tokens/s, " + of, "tokens/s", ours.speed, peer.speed,
                           goal(mode.compiled ? kCompiledTarget : targets.speed)});
        if (mode.ranks == 1 && !mode.compiled)
            figures.push_back({"memory." + at, "peak resident memory, " + of, "MB", ours.memory, peer.memory,
                               goal(targets.memory), true});
        if (!results.gemm.contains(mode.precision))
            continue;
        auto share = [&](const std::vector<double>& speeds) {
            std::vector<double> shares;
            for (double speed : speeds)
                shares.push_back(100 * speed * shape.flops_per_token() / median(results.gemm.at(mode.precision)));
            return shares;
        };
        figures.push_back(
            {"gemm_share." + at, "share of the GEMM rate, " + of, "%", share(ours.speed), share(peer.speed), {}});
    }
    for (const Shape& shape : shapes()) {
        auto scaling = [&](const auto& all) {
            std::vector<double> factors;
            const std::pair one{shape.name, Mode{1}}, two{shape.name, Mode{2}};
            if (all.contains(one) && all.contains(two))
                for (double speed : all.at(two).speed)
                    factors.push_back(speed / median(all.at(one).speed));
            return factors;
        };
        if (std::vector<double> ours = scaling(results.ours); !ours.empty())
            figures.push_back({"scaling." + shape.name,
                               "2 ranks against 1, tokens/s, " + shape.size,
                               "times",
                               ours,
                               scaling(results.peer),
                               {}});
    }
    for (const auto& [precision, rates] : results.gemm) {
        std::vector<double> gemm;
        for (double rate : rates)
            gemm.push_back(rate / 1e9);
        std::string dtype = precision == "no" ? "fp32" : precision;
        figures.push_back({"gemm." + dtype, dtype + " matrix products of this machine", "GFLOP/s", gemm, {}, {}});
    }
    return figures;
}

int run(int argc, char** argv) {
    Setting setting;
    setting.cores = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
    std::string text = "/usr/share/perl", pattern = "*.pod", only, programs = TRAINYARD_BIN_DIR;
    std::vector<int> rank_counts{1, 2};
    int rounds = 5;
    bool json = false, compiled = false;
    std::vector<std::string> precisions{"no", "bf16"};
    CLI::App app("Our training beside Accelerate's, in turns");
    app.add_option(
        "--peer-python", setting.peer_python,
        "Interpreter of an environment with tests/bench/peer/requirements.txt; without it only ours is measured");
    app.add_option("--text", text, "File or folder to train on [perl-doc's .pod files]");
    app.add_option("--pattern", pattern, "Files taken from a folder");
    app.add_option("--rounds", rounds, "How often each is measured")->check(CLI::Range(1, 1000));
    app.add_option("--only", only, "small or large")->check(CLI::IsMember({"small", "large"}));
    app.add_option("--ranks", rank_counts, "Numbers of ranks")->check(CLI::Range(1, 64));
    app.add_option("--precision", precisions, "no, bf16, fp16")->check(CLI::IsMember({"no", "bf16", "fp16"}));
    app.add_flag("--compiled", compiled, "Also the peer through torch.compile (half a minute more each time)");
    app.add_option("--programs", programs, "Folder of trainyard, trainyard-worker and bench_gemm");
    app.add_flag("--json", json, "For programs");
    CLI11_PARSE(app, argc, argv);

    std::string folder = (fs::temp_directory_path() / "trainyard-bench-XXXXXX").string();
    if (::mkdtemp(folder.data()) == nullptr)
        throw std::runtime_error("cannot make " + folder);
    setting.work = folder;
    setting.programs = programs;
    setting.peer_script = TRAINYARD_TESTS_DIR "/bench/peer/train_gpt.py";
    std::vector<Mode> modes;
    for (const std::string& precision : precisions)
        for (int ranks : rank_counts) {
            modes.push_back({ranks, precision, false});
            if (compiled && ranks == 1)
                modes.push_back({ranks, precision, true});
        }
    Results results;
    try {
        setting.text = one_file(text, pattern, setting.work);
        for (int round = 0; round < rounds; ++round) {
            for (const std::string& precision : precisions)
                if (precision != "fp16")
                    results.gemm[precision].push_back(run_gemm(setting, precision));
            for (const Shape& shape : shapes()) {
                if (!only.empty() && shape.name != only)
                    continue;
                for (const Mode& mode : modes) {
                    std::fprintf(stderr, "round %d of %d: %s%s\n", round + 1, rounds, shape.name.c_str(),
                                 words_of(mode).c_str());
                    results.ours[{shape.name, mode}].add(run_ours(setting, shape, mode));
                    if (!setting.peer_python.empty() && mode.precision != "fp16")
                        results.peer[{shape.name, mode}].add(run_peer(setting, shape, mode));
                }
            }
        }
    } catch (...) {
        fs::remove_all(setting.work);
        throw;
    }
    fs::remove_all(setting.work);
    std::vector<Figure> figures = figures_of(results);
    print(figures, json);
    return kExitDone;
}

}  // namespace
}  // namespace trainyard::bench

int main(int argc, char** argv) {
    return trainyard::bench::main_of("bench_engine", trainyard::bench::run, argc, argv);
}
