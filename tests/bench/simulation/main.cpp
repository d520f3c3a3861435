// SPDX-License-Identifier: GPL-3.0-or-later
// bench_simulation: prints the simulated time of a step (`trainyard simulate`) beside that of real runs on 2, 4 and 8
// ranks of this machine. The rates are measured: links by `trainyard test`, memory by a loop, products by replicas of
// the same model on as many ranks, in turns with the layout, and the load of experts by the traces of one more run.
// packaging/bench simulation

#include <array>
#include <atomic>
#include <chrono>
#include <climits>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <numeric>
#include <thread>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <linux/futex.h>
#include <nlohmann/json.hpp>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "bench/engine/figure.h"
#include "bench/peer_program.h"
#include "bench/training_text.h"
#include "estimate/estimate_file.h"
#include "estimate/recipe_estimate.h"
#include "estimate/step_simulation.h"
#include "run/spec.h"

namespace trainyard::bench {
namespace {

namespace fs = std::filesystem;

constexpr double kTolerance = 0.15;
constexpr double kLargeMessage = 1 << 22;  ///< bytes; of pipelines

struct Row {
    std::string name;
    int ranks;
    std::string model;  ///< key of models()
    std::vector<std::string> set;
};

/// Recipes of the same samples per step: 8.
const std::map<std::string, std::vector<std::string>>& models() {
    static const std::map<std::string, std::vector<std::string>> all{
        {"gpt2",
         {"model.n_layer=8", "model.n_head=8", "model.n_embd=384", "model.n_positions=256",
          "data.sequence_length=256"}},
        {"mixtral",
         {"model.model_type=mixtral", "model.num_hidden_layers=4", "model.num_attention_heads=8",
          "model.num_key_value_heads=4", "model.hidden_size=256", "model.intermediate_size=512",
          "model.num_local_experts=8", "model.num_experts_per_tok=2", "model.max_position_embeddings=256",
          "data.sequence_length=256"}}};
    return all;
}

std::vector<Row> rows() {
    const std::string batch = "training.batch_size=", micro = "training.gradient_accumulation_steps=";
    const std::string tp = "parallel.tp_size=", pp = "parallel.pp_size=", cp = "parallel.cp_size=";
    return {
        {"tensor 2", 2, "gpt2", {tp + "2", batch + "8"}},
        {"two stages, 1F1B", 2, "gpt2", {pp + "2", batch + "1", micro + "8"}},
        {"two stages, GPipe", 2, "gpt2", {pp + "2", batch + "2", micro + "4", "parallel.pipeline_schedule=GPipe"}},
        {"context 2", 2, "gpt2", {cp + "2", batch + "8"}},
        {"sequence 2", 2, "gpt2", {"parallel.sp_size=2", batch + "8"}},
        {"ZeRO 3 of 2", 2, "gpt2", {"parallel.zero_stage=3", batch + "4"}},
        {"experts 2", 2, "mixtral", {"parallel.ep_size=2", batch + "4"}},
        {"tensor 4", 4, "gpt2", {tp + "4", batch + "8"}},
        {"four stages, 1F1B", 4, "gpt2", {pp + "4", batch + "1", micro + "8"}},
        {"two stages of tensor 2", 4, "gpt2", {pp + "2", tp + "2", batch + "2", micro + "4"}},
        {"two replicas of tensor 2", 4, "gpt2", {tp + "2", batch + "4"}},
        {"1-bit Adam on 2",
         2,
         "gpt2",
         {batch + "4", "optimizer.name=onebit_adam", "optimizer.arguments={freeze_step: 1}"}},
        {"context 4", 4, "gpt2", {cp + "4", batch + "8"}},
        {"experts 4", 4, "mixtral", {"parallel.ep_size=4", batch + "2"}},
        {"tensor 8", 8, "gpt2", {tp + "8", batch + "8"}},
        {"eight stages, 1F1B", 8, "gpt2", {pp + "8", batch + "1", micro + "8"}},
        {"two replicas of two stages of tensor 2", 8, "gpt2", {pp + "2", tp + "2", batch + "1", micro + "4"}},
        {"four replicas of tensor 2", 8, "gpt2", {tp + "2", batch + "2"}},
    };
}

/// The median step of a run, and the recipe that was trained.
struct RealRun {
    double seconds = 0;
    config::Recipe recipe;
};

class Comparison {
  public:
    Comparison(std::string programs, fs::path work, int steps, int rounds)
        : programs_(std::move(programs)), work_(std::move(work)), steps_(steps), rounds_(rounds) {}

    /// Returns whether the simulation is within the tolerance. Each round trains replicas first: what else the machine
    /// does in that minute counts for both.
    bool compare(const Row& row) {
        estimate::SimulationRates rates = links_of(row.ranks);
        const Row replicas{"replicas", row.ranks, row.model, {fmt::format("training.batch_size={}", 8 / row.ranks)}};
        if (row.model == "mixtral")
            rates.expert_load = expert_load(row);
        std::vector<double> simulated, measured, ratios, products;
        for (int round = 0; round < rounds_; ++round) {
            const RealRun reference = train(replicas);
            rates.product = product_rate(reference, row.ranks, rates);
            const RealRun run = train(row);
            products.push_back(rates.product / 1e9);
            measured.push_back(run.seconds);
            simulated.push_back(simulate(run.recipe, row.ranks, rates).seconds);
            ratios.push_back(simulated.back() / run.seconds);
        }
        const auto [least, most] = std::ranges::minmax(ratios);
        const double error = median(ratios) - 1;
        const bool good = std::fabs(error) <= kTolerance;
        std::printf(
            "%-40s %5d  products %6.1f GFLOP/s a rank  simulated %6.3f s  measured %6.3f s  %+5.1f %% "
            "(%+.1f..%+.1f) n=%zu  %s\n",
            row.name.c_str(), row.ranks, median(products), median(simulated), median(measured), 100 * error,
            100 * least - 100, 100 * most - 100, measured.size(), good ? "ok" : "over");
        std::fflush(stdout);
        return good;
    }

  private:
    /// Rows that the fullest rank gets, of an even share, on average over layers and steps.
    double expert_load(Row row) const {
        for (const char* set : {"profile.skip_first=1", "profile.repeat=1"})
            row.set.emplace_back(set);
        row.set.push_back(fmt::format("profile.active={}", steps_ - 1));
        train(row);
        std::vector<std::map<double, double>> rows;  // by rank: bytes by time
        for (const fs::directory_entry& file : fs::directory_iterator(work_ / "run" / "traces")) {
            std::map<double, double>& of_rank = rows.emplace_back();
            const auto trace = nlohmann::json::parse(read_file(file.path()));
            for (const nlohmann::json& event : trace.at("traceEvents"))
                if (event.contains("args") && event["args"].value("name", "") == "results of experts")
                    of_rank[event.at("ts").get<double>()] = event["args"].at("bytes").get<double>();
        }
        std::vector<std::vector<double>> layers;  // each with the bytes of all ranks
        for (const std::map<double, double>& of_rank : rows) {
            std::size_t layer = 0;
            for (const auto& [time, bytes] : of_rank) {
                layers.resize(std::max(layers.size(), layer + 1));
                layers[layer++].push_back(bytes);
            }
        }
        double load = 0;
        for (const std::vector<double>& of_ranks : layers) {
            const double sum = std::accumulate(of_ranks.begin(), of_ranks.end(), 0.0);
            load += std::ranges::max(of_ranks) * static_cast<double>(of_ranks.size()) / std::max(1.0, sum);
        }
        if (layers.empty())
            throw std::runtime_error(row.name + ": the traces show no rows of experts");
        load /= static_cast<double>(layers.size());
        std::printf("%s: the fullest rank computes %.2f times its share of rows\n", row.name.c_str(), load);
        return load;
    }

    RealRun train(const Row& row) const {
        const fs::path folder = work_ / "run";
        fs::remove_all(folder);
        std::vector<std::string> words{programs_ + "/trainyard",
                                       "launch",
                                       (work_ / "recipe.yaml").string(),
                                       "--num_processes",
                                       std::to_string(row.ranks),
                                       "--run_dir",
                                       folder.string(),
                                       "--set",
                                       fmt::format("training.steps={}", steps_)};
        for (const std::vector<std::string>* sets : {&models().at(row.model), &row.set})
            for (const std::string& set : *sets)
                words.insert(words.end(), {"--set", set});
        output_of(words);
        const auto file = estimate::read_estimate_file(folder / "estimate.json");
        if (!file || !file->measured || file->measured->step_seconds <= 0)
            throw std::runtime_error(row.name + ": the run wrote no time of its steps");
        return {file->measured->step_seconds, run::read_spec(folder / "run.yaml").recipe};
    }

    static estimate::SimulatedStep simulate(const config::Recipe& recipe, int ranks,
                                            const estimate::SimulationRates& rates) {
        const estimate::RecipePlan plan = estimate::plan_of(recipe, ranks);
        return estimate::simulate_step(plan.model, plan.setup, estimate::this_machine(ranks), rates);
    }

    /// The product rate with which replicas take the time that they took.
    static double product_rate(const RealRun& replicas, int ranks, estimate::SimulationRates rates) {
        double low = 1e8, high = 1e15;
        for (int i = 0; i < 100; ++i) {
            rates.product = std::sqrt(low * high);
            (simulate(replicas.recipe, ranks, rates).seconds > replicas.seconds ? low : high) = rates.product;
        }
        return rates.product;
    }

    /// Rates of links and memory, measured once for a number of ranks.
    const estimate::SimulationRates& links_of(int ranks) {
        const auto known = rates_.find(ranks);
        if (known != rates_.end())
            return known->second;
        const auto test = nlohmann::json::parse(
            output_of({programs_ + "/trainyard", "test", "--num_processes", std::to_string(ranks), "--json"}));
        const nlohmann::json& sums = test.at("all_reduce");
        estimate::SimulationRates rates = estimate::usual_rates({}, estimate::this_machine(ranks));
        const double messages = 2.0 * (ranks - 1);
        rates.latency = sums.at("latency_s").get<double>() / messages;
        for (const nlohmann::json& size : sums.at("sizes")) {
            const auto bytes = size.at("bytes").get<double>();
            rates.links.push_back(
                {bytes, messages / ranks * bytes /
                            std::max(1e-9, size.at("seconds").get<double>() - messages * rates.latency)});
        }
        const auto rate_at = [&rates](double bytes) {
            const auto nearest = std::ranges::min_element(
                rates.links, {}, [bytes](const estimate::LinkRate& one) { return std::fabs(one.bytes - bytes); });
            return nearest == rates.links.end() ? 0 : nearest->rate / 1e9;
        };
        std::vector<double> latencies, message_rates;
        for (const nlohmann::json& pair : test.at("pairs")) {
            latencies.push_back(pair.at("latency_s").get<double>());
            double largest = 0;  // the sizes rise
            for (const nlohmann::json& size : pair.at("sizes"))
                if (size.at("bytes").get<double>() <= kLargeMessage)
                    largest = size.at("bytes_per_s").get<double>();
            message_rates.push_back(largest);
        }
        rates.message_latency = median(latencies);
        rates.message_rate = median(message_rates);
        rates.memory = memory_rate(ranks);
        rates.meeting = meeting_seconds(ranks, rates.processors);
        std::printf(
            "%d ranks: links %.2f GB/s at 1 MB, %.2f at 64 MB, %.0f us; meetings %.0f us; messages of pipelines %.2f "
            "GB/s, %.0f us; memory %.1f GB/s a rank\n",
            ranks, rate_at(1 << 20), rate_at(64 << 20), rates.latency * 1e6, rates.meeting * 1e6,
            rates.message_rate / 1e9, rates.message_latency * 1e6, rates.memory / 1e9);
        std::fflush(stdout);
        return rates_[ranks] = rates;
    }

    /// Bytes per second of each of `ranks` threads that add and multiply tensors larger than the caches, as those of
    /// all layers are together.
    static double memory_rate(int ranks) {
        constexpr std::size_t kElements = 4 << 20;
        constexpr double kSeconds = 0.3;
        std::vector<double> rates(static_cast<std::size_t>(ranks));
        std::vector<std::thread> threads;
        for (double& rate : rates)
            threads.emplace_back([&rate] {
                std::vector<float> x(kElements, 1), y(kElements, 2);
                const auto begin = std::chrono::steady_clock::now();
                double passed = 0, passes = 0;
                while (passed < kSeconds) {
                    for (std::size_t i = 0; i < kElements; ++i)
                        y[i] = x[i] * 0.5F + y[i];
                    ++passes;
                    passed = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
                }
                rate = passes * 3 * sizeof(float) * kElements / passed;
            });
        for (std::thread& thread : threads)
            thread.join();
        return median(rates);
    }

    /// Counters of processes, in memory that they share.
    struct Meetings {
        struct Rank {
            alignas(64) std::atomic<std::uint32_t> reached;
            double alone, together;  ///< seconds
            float result;
        };
        std::array<Rank, 64> ranks;
    };

    /// Waits until the process of `other` has reached as many meetings as this one, asleep if there are fewer
    /// processors than processes.
    static void meet(Meetings& meetings, int rank, int other, bool sleeps) {
        const auto futex = [](std::atomic<std::uint32_t>& word, int operation, std::uint32_t value) {
            ::syscall(SYS_futex, &word, operation, value, nullptr, nullptr, 0);
        };
        std::atomic<std::uint32_t>& own = meetings.ranks[static_cast<std::size_t>(rank)].reached;
        std::atomic<std::uint32_t>& theirs = meetings.ranks[static_cast<std::size_t>(other)].reached;
        const std::uint32_t count = own.fetch_add(1) + 1;
        futex(own, FUTEX_WAKE, INT_MAX);
        for (std::uint32_t seen = theirs.load(); seen < count; seen = theirs.load())
            if (sleeps)
                futex(theirs, FUTEX_WAIT, seen);
    }

    /// Seconds that each of `ranks` processes loses by a meeting with its neighbour. All of them work on as many bytes
    /// as their processor's cache has, with two meetings after each piece of work, and without any.
    static double meeting_seconds(int ranks, double processors) {
        constexpr int kRounds = 150, kPasses = 12;
        const long cache = ::sysconf(_SC_LEVEL2_CACHE_SIZE);
        const std::size_t elements = static_cast<std::size_t>(cache > 0 ? cache : 1 << 20) / 2 / sizeof(float);
        auto* const meetings = static_cast<Meetings*>(
            ::mmap(nullptr, sizeof(Meetings), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
        if (meetings == MAP_FAILED)
            throw std::runtime_error("no memory to share");
        const auto work = [&](int rank) {
            const bool sleeps = processors < ranks;
            std::vector<float> x(elements, 1), y(elements, 2);
            const auto seconds = [&](bool meets) {
                const std::uint32_t count = meetings->ranks[static_cast<std::size_t>(rank)].reached.fetch_add(1) + 1;
                while (!std::all_of(meetings->ranks.begin(), meetings->ranks.begin() + ranks,
                                    [&](const auto& one) { return one.reached.load() >= count; }))
                    std::this_thread::yield();  // all begin together
                const auto begin = std::chrono::steady_clock::now();
                for (int round = 0; round < kRounds; ++round) {
                    for (int pass = 0; pass < kPasses; ++pass)
                        for (std::size_t i = 0; i < elements; ++i)
                            y[i] = x[i] * 0.5F + y[i];
                    for (int meeting = 0; meets && meeting < 2; ++meeting)
                        meet(*meetings, rank, rank ^ 1, sleeps);
                }
                return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
            };
            meetings->ranks[static_cast<std::size_t>(rank)].alone = seconds(false);
            meetings->ranks[static_cast<std::size_t>(rank)].together = seconds(true);
            meetings->ranks[static_cast<std::size_t>(rank)].result = y[elements / 2];
        };
        std::vector<pid_t> processes;
        for (int rank = 0; rank < ranks; ++rank)
            if (const pid_t process = ::fork(); process == 0) {
                work(rank);
                ::_exit(0);
            } else {
                processes.push_back(process);
            }
        for (const pid_t process : processes)
            ::waitpid(process, nullptr, 0);
        double alone = 0, together = 0;
        for (int rank = 0; rank < ranks; ++rank) {
            alone += meetings->ranks[static_cast<std::size_t>(rank)].alone / ranks;
            together += meetings->ranks[static_cast<std::size_t>(rank)].together / ranks;
        }
        ::munmap(meetings, sizeof(Meetings));
        return std::max(0.0, together - alone) / (2 * kRounds);
    }

    std::string programs_;
    fs::path work_;
    int steps_, rounds_;
    std::map<int, estimate::SimulationRates> rates_;  ///< by ranks
};

/// Seconds of a simulation of 4,096 ranks.
Figure speed(int rounds) {
    estimate::TrainingSetup setup;
    setup.layout = {.dp_replicate = 2, .dp_shard = 16, .tp = 8, .pp = 16};
    setup.zero_stage = 2;
    setup.accumulation = 64;
    estimate::Hardware hardware;
    hardware.device = *estimate::find_device("H100");
    hardware.hosts = 512;
    hardware.devices_per_host = 8;
    const estimate::ModelParts model = estimate::model_parts(
        R"({"model_type": "llama", "hidden_size": 8192, "num_hidden_layers": 64, "num_attention_heads": 64,
            "num_key_value_heads": 8, "intermediate_size": 28672, "vocab_size": 128256})",
        "model");
    Figure figure{.id = "speed.ranks4096",
                  .what = "simulation of 4,096 ranks, 64 layers, 64 micro-batches",
                  .unit = "s",
                  .values = {},
                  .peer = {},
                  .target = 2.0,
                  .lower_is_better = true};
    for (int i = 0; i < rounds; ++i) {
        const auto begin = std::chrono::steady_clock::now();
        estimate::simulate_step(model, setup, hardware, estimate::usual_rates(setup, hardware));
        figure.values.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
    }
    return figure;
}

int run(int argc, char** argv) {
    CLI::App app("Simulated time of a step beside real runs.");
    int rounds = 3, steps = 6;
    std::string only, programs = TRAINYARD_BIN_DIR;
    app.add_option("--rounds", rounds, "Runs of each layout [3]");
    app.add_option("--steps", steps, "Steps of a run [6]");
    app.add_option("--only", only, "Layouts whose name holds this text");
    app.add_option("--programs", programs, "Folder of trainyard");
    CLI11_PARSE(app, argc, argv);
    const fs::path work = fs::temp_directory_path() / fmt::format("trainyard-bench-simulation-{}", ::getpid());
    fs::create_directories(work);
    write_training_text(work / "text");
    write_file_atomically(work / "recipe.yaml",
                          fmt::format("name: simulation\ndata: {{path: \"{}\"}}\ntraining: {{evaluate_batches: 2}}\n",
                                      (work / "text").string()),
                          false);
    ::setenv("TRAINYARD_CACHE", (work / "cache").c_str(), 1);
    Comparison comparison(programs, work, steps, rounds);
    bool good = true;
    for (const Row& row : rows())
        if (row.name.find(only) != std::string::npos)
            good = comparison.compare(row) && good;
    fs::remove_all(work);
    print({speed(20)}, false);
    return good ? 0 : 1;
}

}  // namespace
}  // namespace trainyard::bench

int main(int argc, char** argv) {
    return trainyard::bench::main_of("bench_simulation", trainyard::bench::run, argc, argv);
}
