// SPDX-License-Identifier: GPL-3.0-or-later
// bench_cli [--peer PYTHON] [--json]: response times of the command line. Prints one line per figure; exits with 0 if
// all could be measured.
//   start.version    a process that does nothing, the lower limit of this machine
//   help             `trainyard --help`; help.launch: with the flags of all settings
//   validate         `trainyard config validate` of a file with FSDP and parallelism settings
//   dry_run          `trainyard launch --dry-run` of a script on four ranks
// With --peer (a Python with Accelerate), the peer's corresponding command is timed, alternating with ours.

#include <chrono>
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "bench/engine/figure.h"
#include "support/temporary_folder.h"

using namespace trainyard;
using bench::Figure;

namespace {

constexpr int kRounds = 21;
constexpr int kPeerRounds = 5;  // each takes seconds

/// Wall-clock time in ms from start to exit of the program; throws if its exit status is not `expected`.
double run_ms(const std::vector<std::string>& words, int expected) {
    std::vector<char*> arguments;
    for (const std::string& word : words)
        arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    ::posix_spawn_file_actions_init(&actions);
    for (int stream : {0, 1, 2})
        ::posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", stream == 0 ? O_RDONLY : O_WRONLY, 0);
    auto begin = std::chrono::steady_clock::now();
    pid_t child = 0;
    int failed = ::posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
    ::posix_spawn_file_actions_destroy(&actions);
    if (failed != 0)
        throw std::runtime_error(words[0] + ": " + std::strerror(failed));
    int status = 0;
    if (::waitpid(child, &status, 0) != child)
        throw std::runtime_error(words[0] + ": " + std::strerror(errno));
    double ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
    if (!WIFEXITED(status) || WEXITSTATUS(status) != expected)
        throw std::runtime_error(words[0] + " " + words.at(1) + " did not end with " + std::to_string(expected));
    return ms;
}

struct Contest {
    std::string id, what;
    std::vector<std::string> ours, peer;  ///< argv; peer without the Python; empty: no corresponding command
    double target_ms;
};

Figure measure(const Contest& contest, const std::string& peer_python) {
    Figure figure{contest.id, contest.what, "ms", {}, {}, contest.target_ms, true};
    bool with_peer = !peer_python.empty() && !contest.peer.empty();
    std::vector<std::string> peer = contest.peer;
    peer.insert(peer.begin(), peer_python);
    run_ms(contest.ours, 0);  // loads its files into the page cache
    if (with_peer)
        run_ms(peer, 0);
    for (int round = 0; round < kRounds; ++round) {
        figure.values.push_back(run_ms(contest.ours, 0));
        if (with_peer && round < kPeerRounds)
            figure.peer.push_back(run_ms(peer, 0));
    }
    return figure;
}

const char* const kSettings = R"(compute_environment: LOCAL_MACHINE
distributed_type: FSDP
fsdp_config:
  fsdp_auto_wrap_policy: TRANSFORMER_BASED_WRAP
  fsdp_reshard_after_forward: true
  fsdp_state_dict_type: SHARDED_STATE_DICT
  fsdp_transformer_layer_cls_to_wrap: GPT2Block
  fsdp_version: 2
main_process_port: 29500
mixed_precision: bf16
num_machines: 1
num_processes: 8
parallelism_config:
  parallelism_config_dp_shard_size: 4
  parallelism_config_tp_size: 2
)";

int run(const std::string& peer_python, bool json) {
    test::TemporaryFolder folder;
    std::string file = (folder.path() / "settings.yaml").string();
    write_file_atomically(file, kSettings, false);
    std::string script = (folder.path() / "train.py").string();
    write_file_atomically(script, "", false);
    ::setenv("HF_HOME", folder.path().c_str(), 1);  // ignores this user's default file
    const std::string program = std::string(TRAINYARD_BIN_DIR) + "/trainyard";
    const std::string peer = "accelerate.commands.accelerate_cli";
    const std::vector<Contest> contests{
        {"start.version", "trainyard --version", {program, "--version"}, {}, 30},
        {"help", "--help", {program, "--help"}, {"-m", peer, "--help"}, 30},
        {"help.launch", "launch --help", {program, "launch", "--help"}, {"-m", peer, "launch", "--help"}, 30},
        {"validate",
         "config validate; the peer: config update",
         {program, "config", "validate", file},
         {"-m", peer, "config", "update", "--config_file", file + ".peer.yaml"},
         30},
        {"dry_run",
         "launch --dry-run, four ranks",
         {program, "launch", "--cpu", "--num_processes", "4", "--dry-run", script},
         {},
         30},
    };
    write_file_atomically(file + ".peer.yaml", kSettings, false);
    std::vector<Figure> figures;
    for (const Contest& contest : contests) {
        Figure figure = measure(contest, peer_python);
        // The targets are in milliseconds; the ratio is for information only.
        Figure absolute = figure;
        absolute.peer.clear();
        figures.push_back(absolute);
        if (!json)
            std::printf("%s\n", to_line(absolute).c_str());
        if (!figure.peer.empty()) {
            figure.id += ".peer";
            figure.target = 0.1;
            figures.push_back(figure);
            if (!json)
                std::printf("%s\n", to_line(figure).c_str());
        }
    }
    if (json)
        std::fputs(to_json(figures).c_str(), stdout);
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    std::string peer_python;
    bool json = false;
    for (int i = 1; i < argc; ++i) {
        std::string word = argv[i];
        if (word == "--json") {
            json = true;
        } else if (word == "--peer" && i + 1 < argc) {
            peer_python = argv[++i];
        } else {
            std::fputs("usage: bench_cli [--peer PYTHON] [--json]\n", stderr);
            return 2;
        }
    }
    try {
        return run(peer_python, json);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "bench_cli: %s\n", error.what());
        return 1;
    }
}
