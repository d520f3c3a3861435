// trainyard test: the ranks check themselves on this machine (worker/selfcheck.h), one line per check.

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <memory>
#include <system_error>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <signal.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/file.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/terminal.h"
#include "launch/daemon.h"
#include "launch/prepare.h"
#include "launch/protocol.h"
#include "run/journal.h"
#include "run/request.h"
#include "settings/file.h"

namespace trainyard::cli {

namespace {

constexpr double kLook = 0.05;  // seconds between two looks at the run's files

struct TestArguments {
    std::string config_file;
    std::optional<int> num_processes;
    bool cpu = false;
    bool json = false;
};

/// Where the check runs. Removed at the end, unless there is something in it to look at.
class Workplace {
  public:
    Workplace() {
        std::string name = (fs::temp_directory_path() / "trainyard-test-XXXXXX").string();
        if (::mkdtemp(name.data()) == nullptr)
            throw_file_error("cannot make", name, errno);
        path_ = name;
    }
    ~Workplace() {
        std::error_code ignored;
        if (!kept_)
            fs::remove_all(path_, ignored);
    }
    Workplace(const Workplace&) = delete;
    Workplace& operator=(const Workplace&) = delete;
    const fs::path& path() const { return path_; }
    void keep() { kept_ = true; }

  private:
    fs::path path_;
    bool kept_ = false;
};

/// A tiny model, and numbered blocks of which every epoch holds a whole number of steps.
fs::path write_recipe(const fs::path& folder, int ranks) {
    std::string blocks;
    for (int i = 0; i < 12 * ranks; ++i)
        blocks += fmt::format("{:09} abcde\n", i);
    write_file_atomically(folder / "blocks.txt", blocks, false);
    // A large eps keeps AdamW from magnifying the last bits of gradients that are nearly zero.
    write_file_atomically(
        folder / "recipe.yaml",
        "name: self-check\n"
        "model: {n_layer: 2, n_head: 2, n_embd: 32, n_positions: 16, vocab_size: 256, resid_pdrop: 0.1}\n"
        "data: {path: blocks.txt, sequence_length: 16, validation_fraction: 0}\n"
        "optimizer: {lr: 1.0e-3, eps: 1.0e-3}\n"
        "training: {steps: 6, batch_size: 2, gradient_accumulation_steps: 2, evaluate_batches: 0}\n",
        false);
    return folder / "recipe.yaml";
}

struct Passed {
    std::string name, done;
    double seconds = 0;
};

Passed passed(const run::Event& event) {
    std::size_t colon = event.text.find(": ");
    return {event.text.substr(0, colon), colon == std::string::npos ? "" : event.text.substr(colon + 2), event.value};
}

void print(const Passed& check) {
    std::printf("ok      %-12s %8s  %s\n", check.name.c_str(), text::duration(check.seconds).c_str(),
                check.done.c_str());
    std::fflush(stdout);
}

/// What two ranks measured between them.
struct Pair {
    int first = 0, second = 0;
    double latency_s = 0, bytes_per_s = 0;
};

void take(std::vector<Pair>& pairs, const run::Event& event) {
    auto is_it = [&](const Pair& pair) { return pair.first == event.rank && pair.second == event.step; };
    auto found = std::find_if(pairs.begin(), pairs.end(), is_it);
    if (found == pairs.end())
        found = pairs.insert(pairs.end(), Pair{event.rank, static_cast<int>(event.step)});
    (event.kind == "pair_latency" ? found->latency_s : found->bytes_per_s) = event.value;
}

void print(const std::vector<Pair>& pairs, const std::vector<run::RankState>& ranks) {
    auto name = [&](int rank) {
        auto at = static_cast<std::size_t>(rank);
        return at < ranks.size() ? fmt::format("{} ({})", rank, ranks[at].host) : std::to_string(rank);
    };
    if (!pairs.empty())
        std::printf("\n%-24s %-24s %12s %14s\n", "rank", "and rank", "latency", "bandwidth");
    for (const Pair& pair : pairs)
        std::printf("%-24s %-24s %9.0f us %12s/s\n", name(pair.first).c_str(), name(pair.second).c_str(),
                    pair.latency_s * 1e6, text::file_size(static_cast<std::uint64_t>(pair.bytes_per_s)).c_str());
}

/// How the check ended, and whether that was by Ctrl-C.
struct Ended {
    run::RunState state;
    bool interrupted = false;
};

/// Prints the checks as they pass, until the run is over.
Ended watch(const run::RunPaths& paths, bool quiet, std::vector<Passed>& checks, std::vector<Pair>& pairs) {
    InterruptFlag interrupt;
    bool interrupted = false;
    run::JournalReader journal(paths.journal());
    while (true) {
        // The state first: all events of a run that is over were written before its last state.
        std::optional<run::RunState> state = run::read_state(paths);
        bool lost = state && run::is_lost(*state, wall_seconds());
        for (const run::Event& event : journal.poll())
            if (event.kind == "check") {
                checks.push_back(passed(event));
                if (!quiet)
                    print(checks.back());
            } else if (event.kind.starts_with("pair_")) {
                take(pairs, event);
            }
        if (lost)
            throw UserError("the supervisor of the check is gone and left no word; its log: " +
                            paths.supervisor_log().string());
        if (state && run::is_over(state->status))
            return {*state, interrupted};
        if (interrupt.taken()) {
            interrupted = true;
            run::Request request;
            request.kind = "kill";
            request.from = "terminal";
            run::drop_request(paths, request);
        }
        pause_for(kLook);
    }
}

void print_json(const TestArguments& arguments, const std::vector<Passed>& checks, const std::vector<Pair>& pairs,
                const run::RunState& state, double seconds) {
    nlohmann::ordered_json json{{"passed", state.status == run::Status::finished},
                                {"num_processes", arguments.num_processes.value_or(1)},
                                {"seconds", seconds},
                                {"checks", nlohmann::ordered_json::array()}};
    for (const Passed& check : checks)
        json["checks"].push_back(
            {{"name", check.name}, {"ok", true}, {"seconds", check.seconds}, {"text", check.done}});
    for (const Pair& pair : pairs)
        json["pairs"].push_back(
            {{"ranks", {pair.first, pair.second}}, {"latency_s", pair.latency_s}, {"bytes_per_s", pair.bytes_per_s}});
    if (state.first_failure)
        json["checks"].push_back({{"name", state.first_failure->phase},
                                  {"ok", false},
                                  {"rank", state.first_failure->rank},
                                  {"text", state.first_failure->message}});
    std::printf("%s\n", json.dump(2).c_str());
}

/// What the user's settings say of this machine; flags come first.
void apply_settings(TestArguments& arguments) {
    std::error_code error;
    fs::path file = arguments.config_file.empty() ? settings::default_file() : fs::path(arguments.config_file);
    if (arguments.config_file.empty() && !fs::exists(file, error))
        return;
    const settings::Settings settings = settings::load_settings(file).settings;
    std::int64_t machines = settings.integer("num_machines", 1), ranks = settings.integer("num_processes", 1);
    if (!arguments.num_processes && machines > 1)
        throw UserError(fmt::format(
            "{} names {} machines, and the check runs on this one alone: say how many ranks with --num_processes",
            file.string(), machines));
    if (!arguments.num_processes && ranks > 0)
        arguments.num_processes = static_cast<int>(std::min<std::int64_t>(ranks, 1'000'000));
    arguments.cpu = arguments.cpu || settings.boolean("use_cpu");
}

int test(TestArguments& arguments) {
    apply_settings(arguments);
    double begin = monotonic_seconds();
    int ranks = arguments.num_processes.value_or(1);
    Workplace workplace;
    launch::LaunchOptions options;
    options.file = write_recipe(workplace.path(), std::max(1, ranks));
    options.num_processes = ranks;
    options.cpu = arguments.cpu;
    options.run_dir = workplace.path() / "run";
    launch::PreparedRun prepared = launch::create_run(launch::check_launch(options));
    run::RunPaths paths = prepared.paths;
    ::setenv(launch::kEnvSelfCheck, "1", 1);
    launch::start_detached(std::move(prepared));

    std::vector<Passed> checks;
    std::vector<Pair> pairs;
    auto [state, interrupted] = watch(paths, arguments.json, checks, pairs);
    if (interrupted && state.status != run::Status::finished) {
        std::fprintf(stderr, "interrupted\n");
        return kExitInterrupted;
    }
    double seconds = monotonic_seconds() - begin;
    bool good = state.status == run::Status::finished;
    if (arguments.json)
        print_json(arguments, checks, pairs, state, seconds);
    else
        print(pairs, state.ranks);
    if (!arguments.json && good)
        std::printf("All %zu checks passed on %d %s in %s: this machine is ready.\n", checks.size(), ranks,
                    ranks == 1 ? "rank" : "ranks", text::duration(seconds).c_str());
    if (good)
        return kExitDone;
    workplace.keep();
    if (!arguments.json && state.first_failure)
        std::printf("failed  %-12s\n", state.first_failure->phase.c_str());
    std::fflush(stdout);
    std::fprintf(stderr, "%s\nlogs: %s\n", state.message.c_str(), paths.logs().c_str());
    return kExitFailed;
}

}  // namespace

void add_test(CLI::App& app, Action& chosen) {
    auto arguments = std::make_shared<TestArguments>();
    CLI::App* command = app.add_subcommand("test", "Let the ranks check themselves and each other on this machine");
    command->add_option("--config_file", arguments->config_file,
                        "Settings to take num_processes and use_cpu from [the default file, if there is one]");
    command->add_option("--num_processes", arguments->num_processes, "Ranks to start [1]");
    command->add_flag("--cpu", arguments->cpu, "Check the CPU even where a GPU is");
    command->add_flag("--json", arguments->json, "For programs: every check with its outcome and time");
    command->callback([arguments, &chosen] { chosen = [arguments] { return test(*arguments); }; });
}

}  // namespace trainyard::cli
