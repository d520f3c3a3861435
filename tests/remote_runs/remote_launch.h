// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// `trainyard launch --hosts` on machines of their own behind real sshd (tests/hosts), with the texts, recipes and looks that its tests need.

#include <algorithm>
#include <csignal>
#include <fstream>
#include <map>
#include <optional>
#include <sstream>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/run_program.h"
#include "formats/events/event_file.h"
#include "run/mirror.h"
#include "run/state.h"
#include "support/hosts.h"

namespace trainyard::test {

class RemoteLaunchTest : public ::testing::Test {
  protected:
    void make_hosts(int count, int bare = 0) {
        hosts_.emplace(
            test::TestHosts::Options{.count = count,
                                     .bare = bare,
                                     .own_networks = true,
                                     .shares = {TRAINYARD_BUILD_DIR, TRAINYARD_TORCH_FOLDER, TRAINYARD_TESTS_DIR}});
        fs::path config = folder_.path() / "config" / "trainyard";
        fs::create_directories(config);
        std::ofstream hosts(config / "hosts.yaml");
        hosts << "hosts:\n";
        for (const test::TestHost& host : hosts_->all()) {
            if (!host.bare)
                hosts << "  - name: " << host.name << "\n    engine: " << TRAINYARD_BIN_DIR << "/trainyard\n";
            std::ofstream(hosts_->home_of(host.name) / "text.txt") << text();
        }
        fs::permissions(config / "hosts.yaml", fs::perms::owner_read | fs::perms::owner_write);
        ::setenv("TRAINYARD_SSH_CONFIG", hosts_->ssh_config().c_str(), 1);
        ::setenv("XDG_CONFIG_HOME", (folder_.path() / "config").c_str(), 1);
        ::setenv("XDG_CACHE_HOME", (folder_.path() / "cache").c_str(), 1);
        ::setenv("TRAINYARD_RUNS", runs().c_str(), 1);
        ::setenv("OMP_NUM_THREADS", "1", 1);
        write_recipe(hosts_->all().front().home + "/text.txt", 12);
    }

    static std::string text() {
        std::string all;
        for (int i = 0; i < 3000; ++i)
            all += "line " + std::to_string(i * 7919 % 3000) + " of a text that repeats itself\n";
        return all;
    }

    void write_recipe(const std::string& data, int steps) {
        std::ofstream(recipe()) << "name: far\n"
                                   "model: {n_layer: 2, n_embd: 32, n_head: 2, n_positions: 32}\n"
                                   "data: {path: "
                                << data
                                << ", sequence_length: 32}\n"
                                   "optimizer: {lr: 3e-3}\n"
                                   "schedule: {warmup_steps: 3}\n"
                                   "training: {steps: "
                                << steps << ", batch_size: 2}\ncheckpoint: {every: 1000}\n";
    }

    fs::path runs() const { return folder_.path() / "runs"; }
    fs::path recipe() const { return folder_.path() / "recipe.yaml"; }

    ProgramResult trainyard(std::vector<std::string> words, double seconds = 120) {
        words.insert(words.begin(), std::string(TRAINYARD_BIN_DIR) + "/trainyard");
        return run_program(words, {}, seconds);
    }
    /// Launches and follows to the end; the mirror's folder.
    run::RunPaths launch(std::vector<std::string> words, bool detach = false) {
        words.insert(words.begin(), {"launch", "--cpu"});
        if (detach)
            words.push_back("--detach");
        words.push_back(recipe().string());
        ProgramResult result = trainyard(words);
        EXPECT_TRUE(result.ok()) << result.status << '\n' << result.output << result.error;
        std::istringstream lines(result.output);
        std::string id, folder;
        std::getline(lines, id);
        std::getline(lines, folder);
        return run::RunPaths(folder);
    }

    std::vector<double> losses(const run::RunPaths& run) const {
        std::map<std::int64_t, double> by_step;
        for (const auto& entry : fs::directory_iterator(run.metrics()))
            if (entry.path().filename().string().starts_with("events.out.tfevents")) {
                events::EventFileReader reader(entry.path());
                for (const events::Scalar& scalar : reader.poll())
                    if (scalar.tag == "train/loss")
                        by_step[scalar.step] = scalar.value;
            }
        std::vector<double> all;
        for (const auto& [step, loss] : by_step)
            all.push_back(loss);
        return all;
    }

    template <typename F>
    bool wait_for(F&& holds, double seconds = 60) const {
        double until = monotonic_seconds() + seconds;
        while (monotonic_seconds() < until) {
            if (holds())
                return true;
            ::usleep(20'000);
        }
        return holds();
    }
    run::RunState state(const run::RunPaths& run) const {
        auto now = run::read_state(run);
        return now ? *now : run::RunState{};
    }
    bool over(const run::RunPaths& run) const { return run::is_over(state(run).status); }
    bool complete(const run::RunPaths& run) const {
        auto mirror = run::read_mirror(run);
        return mirror && mirror->complete;
    }

    /// Every file of the run that belongs into a mirror is there, byte for byte.
    void expect_mirrored(const run::RunPaths& mirror, const std::string& host) {
        fs::path there = hosts_->home_of(host) / "runs" / mirror.id();
        ASSERT_TRUE(fs::exists(there)) << there;
        int compared = 0;
        for (const auto& entry : fs::recursive_directory_iterator(there)) {
            fs::path path = entry.path().lexically_relative(there);
            if (!entry.is_regular_file() || *path.begin() == "checkpoints" || *path.begin() == "traces" ||
                path.filename().string().starts_with('.'))
                continue;
            ASSERT_TRUE(fs::exists(mirror.root() / path)) << path;
            EXPECT_TRUE(read_file(entry.path()) == read_file(mirror.root() / path)) << path;
            ++compared;
        }
        EXPECT_GE(compared, 5);
    }

    /// Our programs on a host, as `ps` there shows them.
    std::string programs_on(const std::string& host) {
        std::string all = hosts_->run(host, {"ps", "-eo", "args"}), ours;
        std::istringstream lines(all);
        for (std::string line; std::getline(lines, line);)
            if (line.find("bin/trainyard") != std::string::npos)
                ours += line + '\n';
        return ours;
    }
    void expect_nothing_left() {
        for (const test::TestHost& host : hosts_->all()) {
            EXPECT_TRUE(wait_for([&] { return programs_on(host.name).empty(); }, 15))
                << host.name << ": " << programs_on(host.name);
            fs::path folder = hosts_->home_of(host.name) / "runs";
            EXPECT_TRUE(!fs::exists(folder) || fs::is_empty(folder)) << host.name;
        }
        EXPECT_TRUE(!fs::exists(runs()) || fs::is_empty(runs()));
    }

    test::TemporaryFolder folder_;
    std::optional<test::TestHosts> hosts_;
};

}  // namespace trainyard::test
