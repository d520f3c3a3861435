// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Runs on several test hosts (tests/hosts) without SSH: what a launcher would send over SSH, the orders of `trainyard supervise` and
// `trainyard agent`, is put on their standard input by the hosts' own script.

#include <cmath>
#include <csignal>
#include <cstdio>
#include <fstream>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "config/recipe/recipe.h"
#include "formats/events/event_file.h"
#include "launch/supervisor/agent_order.h"
#include "run/journal.h"
#include "run/spec.h"
#include "run/state.h"
#include "support/hosts.h"

namespace trainyard::test {

class Cluster {
  public:
    /// `share`: a folder that the hosts see besides the program's; empty: none.
    explicit Cluster(int count, const std::filesystem::path& share = {})
        : hosts({.count = count, .shares = shares_with(share)}) {
        std::string text;
        for (int i = 0; i < 3000; ++i)
            text += "line " + std::to_string(i * 7919 % 3000) + " of a text that repeats itself\n";
        for (const TestHost& host : hosts.all()) {
            std::ofstream(home(host.name) / "text.txt") << text;
            std::filesystem::create_directories(home(host.name) / "orders");
        }
        std::filesystem::permissions(home(hosts[0].name), std::filesystem::perms(0755));
    }

    struct Asked {
        std::vector<int> ranks;  ///< of each host, from the first on
        int batch = 2;
        int steps = 12;
        int save_every = 5;
        int max_restarts = 0;
        int min_machines = 0;
        double lease_s = 2;
        double last_call_s = 0.5;
        double join_timeout_s = 20;
        std::vector<std::string> program = {};   ///< instead of the recipe
        std::string weights = {};                ///< model.weights of the recipe
        std::string more = {};                   ///< lines of the recipe
        std::vector<std::string> settings = {};  ///< `key=value` of the recipe, as --set takes them
        double hang_timeout_s = 0;               ///< 0: as it is by default
        double still_s = 10;
        double short_life_s = 10;
    };

    run::RunSpec spec(const Asked& asked) const {
        run::RunSpec made;
        std::string place = hosts[0].home;
        made.recipe = config::parse_recipe(
            "name: far\n"
            "model: {n_layer: 2, n_embd: 32, n_head: 2, n_positions: 32" +
                (asked.weights.empty() ? "" : ", weights: " + asked.weights) +
                "}\n"
                "data: {path: " +
                place +
                "/text.txt, sequence_length: 32}\n"
                "optimizer: {lr: 3e-3}\n"
                "schedule: {warmup_steps: 3}\n"
                "training: {steps: " +
                std::to_string(asked.steps) + ", batch_size: " + std::to_string(asked.batch) +
                "}\n"
                "checkpoint: {every: " +
                std::to_string(asked.save_every) + ", keep_last: 0}\n" + asked.more,
            place + "/recipe.yaml");
        config::apply_overrides(made.recipe, asked.settings);
        made.launch.device = "cpu";
        made.launch.num_processes = 0;
        for (std::size_t i = 0; i < asked.ranks.size(); ++i) {
            made.launch.machines.push_back({hosts[i].name, asked.ranks[i], hosts[i].address});
            made.launch.num_processes += asked.ranks[i];
        }
        made.launch.num_cpu_threads_per_process = 1;
        made.launch.max_restarts = asked.max_restarts;
        made.launch.min_machines = asked.min_machines;
        made.launch.join_timeout_s = asked.join_timeout_s;
        if (asked.hang_timeout_s > 0)
            made.launch.hang_timeout_s = asked.hang_timeout_s;
        if (!asked.program.empty())
            made.program = run::ProgramSpec{asked.program, {}, place, true, "default", "none"};
        return made;
    }

    /// Starts the head on the first host. Its answer.
    nlohmann::json supervise(const Asked& asked) {
        launch::SuperviseOrder order;
        order.spec = run::to_yaml(spec(asked));
        order.listen_address = hosts[0].address;
        order.secret = secret;
        order.link.lease_s = asked.lease_s;
        order.link.heartbeat_s = asked.lease_s / 5;
        order.last_call_s = asked.last_call_s;
        order.still_s = asked.still_s;
        order.short_life_s = asked.short_life_s;
        nlohmann::json answer = command(hosts[0].name, "supervise", launch::to_json(order));
        if (answer.contains("run_id")) {
            run_id = answer["run_id"];
            port = answer["agent_port"];
        }
        return answer;
    }

    launch::AgentOrder agent_order(int machine, int ranks) const {
        launch::AgentOrder order;
        order.rendezvous = run_id;
        order.secret = secret;
        order.head_address = hosts[0].address;
        order.head_port = port;
        order.host = hosts[static_cast<std::size_t>(machine)].name;
        order.machine_rank = machine;
        order.ranks = ranks;
        order.join_timeout_s = 20;
        return order;
    }
    nlohmann::json agent(int machine, const launch::AgentOrder& order) {
        return command(hosts[static_cast<std::size_t>(machine)].name, "agent", launch::to_json(order));
    }
    /// The same on a machine whose monotonic clocks are `ahead` seconds ahead of the others' (root only).
    nlohmann::json agent_ahead(int machine, const launch::AgentOrder& order, int ahead) {
        return command(hosts[static_cast<std::size_t>(machine)].name, "agent", launch::to_json(order), ahead);
    }

    /// Head and agents; the agents' answers are checked by the caller's waiting.
    void start(const Asked& asked) {
        nlohmann::json answer = supervise(asked);
        if (!answer.contains("run_id"))
            throw std::runtime_error("no run was started: " + answer.dump());
        for (std::size_t i = 1; i < asked.ranks.size(); ++i)
            agent(static_cast<int>(i), agent_order(static_cast<int>(i), asked.ranks[i]));
    }

    run::RunPaths paths() const { return paths_on(0); }
    run::RunPaths paths_on(std::size_t host) const { return run::RunPaths(home(hosts[host].name) / "runs" / run_id); }
    run::RunState state() const { return run::read_state(paths()).value(); }

    template <typename F>
    run::RunState wait_for(F&& holds, double seconds = 60) const {
        double deadline = monotonic_seconds() + seconds;
        run::RunState last = state();
        while (!holds(last) && monotonic_seconds() < deadline) {
            ::usleep(10'000);
            last = state();
        }
        return last;
    }
    run::RunState wait_until_over(double seconds = 60) const {
        return wait_for([](const run::RunState& now) { return run::is_over(now.status); }, seconds);
    }
    run::RunState wait_for_step(std::int64_t step, int generation = 1) const {
        return wait_for([&](const run::RunState& now) {
            return run::is_over(now.status) || (now.generation >= generation && now.progress.step >= step);
        });
    }

    std::vector<std::string> events(const std::string& kind) const {
        std::vector<std::string> texts;
        for (const run::Event& event : run::JournalReader(paths().journal()).poll())
            if (event.kind == kind)
                texts.push_back(event.text);
        return texts;
    }
    std::string journal() const { return read_file(paths().journal()); }

    /// Of all curves with this name, whichever file of the run's folder they are in.
    std::map<std::int64_t, double> curve(const std::string& tag) const {
        std::map<std::int64_t, double> result;
        for (const auto& entry : std::filesystem::recursive_directory_iterator(paths().metrics())) {
            if (!entry.is_regular_file())  // a link to what only the host sees
                continue;
            events::EventFileReader reader(entry.path());
            for (const events::Scalar& scalar : reader.poll())
                if (scalar.tag == tag)
                    result[scalar.step] = scalar.value;
        }
        return result;
    }
    std::map<std::int64_t, double> losses() const { return curve("train/loss"); }

    nlohmann::json agent_state(std::size_t host) const {
        return nlohmann::json::parse(read_file(paths_on(host).root() / "agent.json"));
    }
    /// As the host's user.
    void kill(std::size_t host, int pid, int signal) {
        hosts.run(hosts[host].name, {"sh", "-c", "kill -" + std::to_string(signal) + " " + std::to_string(pid)});
    }

    /// No packet passes any more, either way. Without networks of their own (not root): the agent is stopped, which is as silent.
    void cut(std::size_t host) {
        if (hosts.namespaces())
            hosts.cut(hosts[host].name);
        else
            kill(host, agent_state(host).at("pid").get<int>(), SIGSTOP);
    }
    void mend(std::size_t host) {
        if (hosts.namespaces())
            hosts.mend(hosts[host].name);
        else
            kill(host, agent_state(host).at("pid").get<int>(), SIGCONT);
    }
    /// Returns the output of the host's agents since the start.
    std::string agent_logs(std::size_t host) const {
        std::string text;
        std::filesystem::path folder = home(hosts[host].name) / ".state/trainyard/agents";
        if (std::filesystem::exists(folder))
            for (const auto& entry : std::filesystem::directory_iterator(folder))
                text += read_file(entry.path());
        return text;
    }
    /// For a test that failed.
    void print_logs() const {
        if (run_id.empty())
            return;
        std::fprintf(stderr, "journal:\n%s\nlog of the head:\n%s\n", journal().c_str(),
                     read_file(paths().supervisor_log()).c_str());
        for (std::size_t host = 1; host < hosts.all().size(); ++host)
            std::fprintf(stderr, "log of the agent of %s:\n%s\n", hosts[host].name.c_str(), agent_logs(host).c_str());
    }

    /// Programs of ours that run on a host, names separated by blanks.
    std::string programs(std::size_t host) {
        return hosts.run(hosts[host].name,
                         {"sh", "-c",
                          "for p in /proc/[0-9]*; do [ -r $p/environ ] && tr '\\0' '\\n' <$p/environ 2>/dev/null | "
                          "grep -qx \"HOME=$HOME\" && n=$(basename \"$(readlink $p/exe)\") && { ! grep -qx "
                          "trainyard-guard $p/comm || "
                          "n=trainyard-guard; } && echo $n | grep '^trainyard'; done | sort; true"});
    }
    /// Empty when nothing of ours is left on any host within `seconds`.
    std::string leftovers(double seconds = 5) {
        double deadline = monotonic_seconds() + seconds;
        for (;;) {
            std::string left;
            for (std::size_t i = 0; i < hosts.all().size(); ++i)
                if (std::string names = programs(i); !names.empty())
                    left += hosts[i].name + ": " + names;
            if (left.empty() || monotonic_seconds() > deadline)
                return left;
            ::usleep(50'000);
        }
    }

    std::filesystem::path home(const std::string& host) const { return hosts.home_of(host); }

    TestHosts hosts;
    launch::Secret secret = launch::Secret::random();
    std::map<std::string, std::string> environment;  ///< of heads and agents that are started from now on
    std::string run_id;
    int port = 0;

  private:
    static std::vector<std::filesystem::path> shares_with(const std::filesystem::path& share) {
        std::vector<std::filesystem::path> shares{TRAINYARD_BUILD_DIR, TRAINYARD_TORCH_FOLDER, TRAINYARD_TESTS_DIR};
        if (!share.empty())
            shares.push_back(share);
        return shares;
    }
    nlohmann::json command(const std::string& host, const std::string& name, const std::string& order, int ahead = 0) {
        std::filesystem::path file = home(host) / "orders" / (name + ".json");
        std::ofstream(file, std::ios::trunc) << order;
        std::filesystem::permissions(file, std::filesystem::perms(0644));
        std::string inside = hosts.named(host).home + "/orders/" + name + ".json";
        std::string variables;
        for (const auto& [key, value] : environment)
            variables += key + "='" + value + "' ";
        std::vector<std::string> words{"sh", "-c", variables + "\"$0\" " + name + " < " + inside + " || true",
                                       TRAINYARD_BIN_DIR "/trainyard"};
        if (ahead > 0) {
            std::string seconds = std::to_string(ahead), place = hosts.named(host).home;
            words.insert(words.begin(), {"unshare", "--time", "--monotonic", seconds, "--boottime", seconds, "--fork",
                                         "env", "-i", "PATH=/usr/bin:/bin", "HOME=" + place,
                                         "TRAINYARD_RUNS=" + place + "/runs", "XDG_STATE_HOME=" + place + "/.state"});
        }
        std::string said = hosts.run(host, words, ahead > 0);
        std::filesystem::remove(file);
        return nlohmann::json::parse(said);
    }
};

}  // namespace trainyard::test
