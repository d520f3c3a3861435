// SPDX-License-Identifier: GPL-3.0-or-later
// `trainyard test` and `trainyard launch --check` on hosts behind real sshd: every pair is measured, a slow one and one that is cut off are
// named, and nothing stays behind.

#include <atomic>
#include <fstream>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sys/wait.h>

#include "base/run_program.h"
#include "cli/program.h"
#include "support/hosts.h"
#include "support/says.h"

namespace trainyard {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using test::says;
using testing::_;
using testing::AllOf;
using testing::ContainsRegex;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

/// Threads that compute as long as this lives.
class BusyThreads {
  public:
    explicit BusyThreads(unsigned int count) {
        for (unsigned int i = 0; i < count; ++i)
            threads_.emplace_back([this] {
                while (!ends_)
                    done_.fetch_add(1, std::memory_order_relaxed);
            });
    }
    ~BusyThreads() {
        ends_ = true;
        for (std::thread& thread : threads_)
            thread.join();
    }
    BusyThreads(const BusyThreads&) = delete;
    BusyThreads& operator=(const BusyThreads&) = delete;

  private:
    std::atomic<bool> ends_ = false;
    std::atomic<std::uint64_t> done_ = 0;
    std::vector<std::thread> threads_;
};

/// Three hosts for all of the tests: making them takes longer than a check.
class SelfCheckOnHosts : public testing::Test {
  protected:
    static void SetUpTestSuite() {
        hosts_ = std::make_unique<test::TestHosts>(test::TestHosts::Options{
            .count = 3, .own_networks = true, .shares = {TRAINYARD_BUILD_DIR, TRAINYARD_TORCH_FOLDER}});
    }
    static void TearDownTestSuite() { hosts_.reset(); }

    void SetUp() override {
        fs::path config = folder_.path() / "config" / "trainyard";
        fs::create_directories(config);
        std::ofstream list(config / "hosts.yaml");
        list << "hosts:\n";
        for (const test::TestHost& host : hosts_->all())
            list << "  - name: " << host.name << "\n    engine: " << TRAINYARD_BIN_DIR << "/trainyard\n";
        list.close();
        fs::permissions(config / "hosts.yaml", fs::perms::owner_read | fs::perms::owner_write);
        ::setenv("TRAINYARD_SSH_CONFIG", hosts_->ssh_config().c_str(), 1);
        ::setenv("XDG_CONFIG_HOME", (folder_.path() / "config").c_str(), 1);
        ::setenv("XDG_CACHE_HOME", (folder_.path() / "cache").c_str(), 1);
        ::setenv("TRAINYARD_RUNS", runs().c_str(), 1);
        ::setenv("TRAINYARD_CONFIG", (folder_.path() / "none.yaml").c_str(), 1);
        ::setenv("OMP_NUM_THREADS", "1", 1);
    }
    struct Said {
        int code = -1;
        std::string output, error;
    };
    Said trainyard(std::vector<std::string> words) {
        words.insert(words.begin(), std::string(TRAINYARD_BIN_DIR) + "/trainyard");
        ProgramResult result = run_program(words, {}, 150);
        return {WIFEXITED(result.status) ? WEXITSTATUS(result.status) : -1, result.output, result.error};
    }
    fs::path runs() const { return folder_.path() / "runs"; }

    static bool is_empty(const fs::path& folder) {
        std::error_code error;
        return !fs::exists(folder, error) || fs::is_empty(folder, error);
    }
    void expect_nothing_left() {
        EXPECT_TRUE(is_empty(runs()));
        for (const test::TestHost& host : hosts_->all()) {
            EXPECT_TRUE(is_empty(hosts_->home_of(host.name) / "runs")) << host.name;
            EXPECT_TRUE(is_empty(hosts_->home_of(host.name) / ".local/share/trainyard/runs")) << host.name;
            EXPECT_THAT(hosts_->run(host.name, {"ps", "-eo", "comm"}), Not(HasSubstr("trainyard"))) << host.name;
        }
    }
    static std::set<std::set<std::string>> host_pairs(const json& result) {
        std::set<std::set<std::string>> pairs;
        for (const json& pair : result["pairs"])
            if (pair["hosts"][0] != pair["hosts"][1])
                pairs.insert({pair["hosts"][0], pair["hosts"][1]});
        return pairs;
    }

    test::TemporaryFolder folder_;
    static std::unique_ptr<test::TestHosts> hosts_;
};
std::unique_ptr<test::TestHosts> SelfCheckOnHosts::hosts_;

TEST_F(SelfCheckOnHosts, TwoHostsWithDifferentNumbersOfRanks) {
    Said said = trainyard({"test", "--cpu", "--json", "--hosts", "host1:2,host2:1"});
    ASSERT_EQ(said.code, 0) << said.output << said.error;
    json result = json::parse(said.output);
    EXPECT_EQ(result["passed"], true);
    EXPECT_EQ(result["num_processes"], 3);
    EXPECT_EQ(result["checks"].size(), 14u);
    ASSERT_EQ(result["pairs"].size(), 2u) << "two ranks of a host, and the two hosts";
    EXPECT_EQ(result["pairs"][0]["ranks"], json({0, 1}));
    EXPECT_EQ(result["pairs"][0]["hosts"], json({"host1", "host1"}));
    EXPECT_EQ(result["pairs"][1]["ranks"], json({0, 2}));
    EXPECT_EQ(result["pairs"][1]["hosts"], json({"host1", "host2"}));
    for (const json& pair : result["pairs"]) {
        EXPECT_GT(pair["latency_s"].get<double>(), 0);
        EXPECT_GT(pair["bytes_per_s"].get<double>(), 0);
        ASSERT_GE(pair["sizes"].size(), 3u);
        EXPECT_EQ(pair["sizes"][0]["bytes"], 1024);
    }
    EXPECT_GT(result["all_reduce"]["bytes_per_s"].get<double>(), 0);
    EXPECT_TRUE(result["remarks"].empty()) << result["remarks"];
    expect_nothing_left();
}

TEST_F(SelfCheckOnHosts, ASlowHostAmongThreeIsNamed) {
    hosts_->slow("host3", "30mbit");
    Said said;
    {
        // Other programs delay what is measured, but no host among the three is slow for that.
        const BusyThreads busy(2 * std::thread::hardware_concurrency());
        said = trainyard({"test", "--cpu", "--hosts", "host1:1,host2:1,host3:1"});
    }
    hosts_->slow("host3", "full");
    EXPECT_EQ(said.code, 0) << said.output << said.error;
    EXPECT_THAT(said.output,
                AllOf(ContainsRegex("host1 \\(rank 0\\) - host2 \\(rank 1\\) +[0-9.]+ [mu]s"),
                      HasSubstr("host1 (rank 0) - host3 (rank 2)"), HasSubstr("host2 (rank 1) - host3 (rank 2)"),
                      HasSubstr("slow: host3 is reached slowly by all others"),
                      HasSubstr("All 14 checks passed on 3 ranks of 3 machines")));
    expect_nothing_left();
}

TEST_F(SelfCheckOnHosts, CtrlCEndsTheRanksOnAllHostsAndLeavesNothing) {
    test::Program program({TRAINYARD_BIN_DIR "/trainyard", "test", "--cpu", "--hosts", "host1:2,host2:2"});
    program.read_until([](const test::Said& said) { return said.out.find("processes") != std::string::npos; });
    ::kill(program.pid(), SIGINT);
    test::Said said = program.wait(60);
    EXPECT_EQ(said.code, 130) << said.out << said.err;
    EXPECT_THAT(said.err, HasSubstr("interrupted"));
    expect_nothing_left();
}

TEST_F(SelfCheckOnHosts, ProbeShowsWhoReachesWhom) {
    Said said = trainyard({"probe", "host1", "host2"});
    EXPECT_EQ(said.code, 0) << said.error;
    EXPECT_THAT(said.output,
                AllOf(ContainsRegex("from . to +host1 +host2"), ContainsRegex("\nhost1 +- +eth0 [0-9.]+ ms\n"),
                      ContainsRegex("\nhost2 +eth0 [0-9.]+ ms +-\n")));
    said = trainyard({"probe", "--json", "host1", "host2", "nowhere"});
    EXPECT_EQ(said.code, 1);
    json result = json::parse(said.output);
    EXPECT_EQ(result["hosts"].size(), 3u);
    ASSERT_EQ(result["reach"].size(), 6u);
    for (const json& one : result["reach"]) {
        bool with_nobody = one["from"] == "nowhere" || one["to"] == "nowhere";
        EXPECT_EQ(one["ok"].get<bool>(), !with_nobody) << one;
        EXPECT_EQ(one["problem"].get<std::string>().empty(), !with_nobody) << one;
    }
    expect_nothing_left();
}

TEST_F(SelfCheckOnHosts, APairThatDoesNotReachEachOtherIsNamedBeforeAnythingStarts) {
    hosts_->run("host2", {"ip", "route", "add", "blackhole", (*hosts_)[2].address + "/32"}, true);
    Said said = trainyard({"test", "--cpu", "--hosts", "host1,host2,host3"});
    EXPECT_EQ(said.code, 2) << said.output;
    EXPECT_THAT(said.error, says("{} does not reach {} ({})", EndsWith("host2"), StartsWith("host3"), _));
    EXPECT_THAT(said.error, Not(HasSubstr("host1 does not reach")));
    hosts_->run("host2", {"ip", "route", "del", "blackhole", (*hosts_)[2].address + "/32"}, true);
    expect_nothing_left();
}

TEST_F(SelfCheckOnHosts, ATableOfChecksAndHostsWithTheWayOut) {
    std::ofstream(hosts_->home_of("host1") / "text.txt") << std::string(4000, 'a');
    std::ofstream(folder_.path() / "recipe.yaml")
        << "name: far\nmodel: {n_layer: 2, n_embd: 32, n_head: 2, n_positions: 32}\ndata: {path: " << (*hosts_)[0].home
        << "/text.txt, sequence_length: 32}\ntraining: {steps: 5, batch_size: 2}\n";
    const std::vector<std::string> words{"launch", "--check", "--cpu", "--hosts", "host1:1,host2:1"};
    auto check = [&](std::vector<std::string> more) {
        std::vector<std::string> all = words;
        all.insert(all.end(), more.begin(), more.end());
        all.push_back((folder_.path() / "recipe.yaml").string());
        return trainyard(all);
    };
    Said said = check({});
    EXPECT_EQ(said.code, 2);
    EXPECT_THAT(said.output,
                AllOf(ContainsRegex("check +host1 +host2"), ContainsRegex("Reach and log in +ok +ok"),
                      ContainsRegex("Data readable +ok +FAILED"), ContainsRegex("Problems:\n  host2: .*text.txt"),
                      says("Not ready: nothing was started.")));
    said = check({"--json"});
    EXPECT_EQ(said.code, 2);
    json result = json::parse(said.output);
    EXPECT_EQ(result["ready"], false);
    for (const json& one : result["checks"])
        EXPECT_EQ(one["state"] == "failed", one["check"] == "data" && one["host"] == "host2") << one;

    std::ofstream(hosts_->home_of("host2") / "text.txt") << std::string(4000, 'a');
    said = check({});
    EXPECT_EQ(said.code, 0) << said.output << said.error;
    EXPECT_THAT(said.output,
                AllOf(ContainsRegex("Data readable +ok +ok"), says("Ready: nothing was started.").after("\n")));
    // --dry-run checks the hosts, too, and prints what would be started.
    const std::string recipe = (folder_.path() / "recipe.yaml").string();
    said = trainyard({"launch", "--dry-run", "--cpu", "--hosts", "host1:1,host2:2", recipe});
    EXPECT_EQ(said.code, 0) << said.output << said.error;
    EXPECT_THAT(said.output,
                AllOf(ContainsRegex("# host1: 1 rank: /.*/trainyard-worker\n# rank 0 on host1:.* RANK=0"),
                      ContainsRegex("# host2: 2 ranks: /"), ContainsRegex("# rank 2 on host2:.* LOCAL_RANK=1.* RANK=2"),
                      ContainsRegex("MASTER_ADDR=" + (*hosts_)[0].address), HasSubstr("\n  training:\n"),
                      Not(HasSubstr("Reach and log in"))));
    expect_nothing_left();
}

TEST_F(SelfCheckOnHosts, AHostWhoseKeyIsNotKnownIsNamedOnceWithTheCommand) {
    const test::TestHost& host = (*hosts_)[0];
    std::ofstream(hosts_->ssh_config(), std::ios::app)
        << "Host fresh\n  HostName " << host.address << "\n  Port " << host.port << "\n  User " << host.user
        << "\n  IdentityFile " << hosts_->key().string() << "\n  IdentityAgent none\n  UserKnownHostsFile "
        << (folder_.path() / "known").string() << "\n  GlobalKnownHostsFile none\n";
    std::ofstream(folder_.path() / "recipe.yaml") << "name: far\n";
    const std::string recipe = (folder_.path() / "recipe.yaml").string();
    Said said = trainyard({"launch", "--check", "--cpu", "--hosts", "fresh:1,host2:1", recipe});
    EXPECT_EQ(said.code, 2);
    EXPECT_THAT(said.output,
                AllOf(ContainsRegex("Reach and log in +- +ok"), ContainsRegex("Host key +FAILED +ok"),
                      HasSubstr("\nProblems:\n  fresh ("), HasSubstr("try: trainyard hosts trust fresh\n")));
    said = trainyard({"launch", "--cpu", "--hosts", "fresh:1", recipe});
    EXPECT_EQ(said.code, 2);
    EXPECT_THAT(said.error,
                AllOf(StartsWith("trainyard: fresh ("), HasSubstr("\n  try: trainyard hosts trust fresh\n")));
}

}  // namespace
}  // namespace trainyard
