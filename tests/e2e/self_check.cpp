// SPDX-License-Identifier: GPL-3.0-or-later
// `trainyard test`: real ranks check themselves; spoilt on any rank, each check fails and is named.

#include <fstream>
#include <memory>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "base/listen_socket.h"
#include "cli/program.h"
#include "support/says.h"
#include "support/temporary_folder.h"

namespace trainyard {
namespace {

using nlohmann::json;
using test::Program;
using test::Said;
using test::says;
using testing::AllOf;
using testing::ContainsRegex;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;

const std::vector<std::string> kChecks{"processes", "state",    "order", "collectives", "trigger",    "split", "random",
                                       "loaders",   "samplers", "data",  "parity",      "checkpoint", "speed", "pairs"};

class SelfCheck : public testing::Test {
  protected:
    Said check(int ranks, std::vector<std::string> flags = {}, const std::string& failpoint = "none") {
        std::vector<std::string> words{TRAINYARD_BIN_DIR "/trainyard", "test", "--cpu", "--num_processes",
                                       std::to_string(ranks)};
        words.insert(words.end(), flags.begin(), flags.end());
        std::string folder = folder_.path().string();
        Program program(words, [&] {
            ::setenv("TRAINYARD_FAILPOINT", failpoint.c_str(), 1);
            ::setenv("TMPDIR", folder.c_str(), 1);
            ::setenv("TRAINYARD_CONFIG", (folder + "/none.yaml").c_str(), 1);  // not the user's own
        });
        return program.wait(120);
    }
    /// Returns the logs of the ranks, which a failed check does not delete.
    std::string logs() const {
        std::string text;
        for (const auto& entry : fs::recursive_directory_iterator(folder_.path()))
            if (entry.is_regular_file() && entry.path().extension() == ".log")
                text += read_file(entry.path());
        return text;
    }

    test::TemporaryFolder folder_;
};

TEST_F(SelfCheck, OneRank) {
    Said said = check(1);
    EXPECT_EQ(said.code, 0) << said.err;
    for (const std::string& name : kChecks)
        EXPECT_THAT(said.out, ContainsRegex("ok +" + name));
    EXPECT_THAT(said.out, HasSubstr("All 14 checks passed on 1 rank in "));
    EXPECT_TRUE(fs::is_empty(folder_.path())) << "nothing is left behind";
}

TEST_F(SelfCheck, TwoRanksForPrograms) {
    Said said = check(2, {"--json"});
    ASSERT_EQ(said.code, 0) << said.err;
    json result = json::parse(said.out);
    EXPECT_EQ(result["passed"], true);
    EXPECT_EQ(result["num_processes"], 2);
    std::vector<std::string> names;
    for (const json& one : result["checks"]) {
        names.push_back(one["name"]);
        EXPECT_EQ(one["ok"], true);
        EXPECT_GT(one["seconds"].get<double>(), 0);
    }
    EXPECT_EQ(names, kChecks);
    EXPECT_THAT(result["checks"].back()["text"].get<std::string>(), ContainsRegex("latency .* us, bandwidth .*/s"));
}

TEST_F(SelfCheck, EveryCheckCanFailOnEitherRank) {
    for (std::size_t i = 0; i < kChecks.size(); ++i) {
        SCOPED_TRACE(kChecks[i]);
        std::string rank = std::to_string(i % 2);
        Said said = check(2, {}, "selfcheck." + kChecks[i] + "." + rank + ":damage@1");
        EXPECT_EQ(said.code, 1);
        EXPECT_THAT(said.err, ContainsRegex("check '" + kChecks[i] + "' failed on ranks? [01]"));
        EXPECT_THAT(said.out, AllOf(ContainsRegex("failed +" + kChecks[i]), Not(ContainsRegex("ok +" + kChecks[i]))));
        EXPECT_THAT(said.err, HasSubstr("logs: " + folder_.path().string()));
        if (kChecks[i] == "state") {
            for (int each : {0, 1}) {
                EXPECT_THAT(logs(), HasSubstr(fmt::format(
                                        "Distributed environment: MULTI_CPU  Backend: gloo\nNum processes: 2\n"
                                        "Process index: {0}\nLocal process index: {0}\nDevice: cpu\n"
                                        "Mixed precision type: no\n",
                                        each)));
            }
        }
    }
}

/// The parts of the checks that have several.
TEST_F(SelfCheck, EveryPartOfACheckCanFail) {
    struct Row {
        const char* check;
        int part;
        const char* says;
    };
    for (const Row& row :
         {Row{"order", 2, "local_main_process_first: "}, Row{"order", 3, "on_main_process ran on "},
          Row{"order", 5, "on_last_process ran on "}, Row{"split", 9, "the share of a dictionary of 1001 items"},
          Row{"loaders", 2, "sharded, split_batches false, shuffled"},
          Row{"loaders", 3, "sharded, split_batches true, in order"},
          Row{"loaders", 5, "dispatched, split_batches false, in order"},
          Row{"loaders", 15, "dispatched, split_batches true, in order"}, Row{"samplers", 1, "own sampler: "},
          Row{"samplers", 2, "own batch sampler: "}, Row{"samplers", 5, "seedable sampler: "},
          Row{"samplers", 6, "seedable sampler again: "}}) {
        const std::string failpoint = fmt::format("selfcheck.{}.1:damage@{}", row.check, row.part);
        SCOPED_TRACE(failpoint);
        const Said said = check(2, {}, failpoint);
        EXPECT_EQ(said.code, 1);
        EXPECT_THAT(said.err, AllOf(HasSubstr(std::string("check '") + row.check + "' failed"), HasSubstr(row.says)));
    }
}

TEST_F(SelfCheck, ARankThatDiesIsNamedWithItsCheck) {
    Said said = check(2, {"--json"}, "selfcheck.enter.parity.1:kill@1");
    EXPECT_EQ(said.code, 1);
    EXPECT_THAT(said.err, AllOf(HasSubstr("rank 1"), HasSubstr("SIGKILL"), HasSubstr("parity")));
    json result = json::parse(said.out);
    EXPECT_EQ(result["passed"], false);
    EXPECT_EQ(result["checks"].size(), 11u);
    EXPECT_EQ(result["checks"].back()["rank"], 1);
    EXPECT_EQ(result["checks"].back()["name"], "parity");
}

TEST_F(SelfCheck, TakesTheNumberOfRanksFromTheSettings) {
    auto check_settings = [&](const std::string& text) {
        std::ofstream(folder_.path() / "settings.yaml") << text;
        return Program({TRAINYARD_BIN_DIR "/trainyard", "test", "--config_file",
                        (folder_.path() / "settings.yaml").string()},
                       [&] { ::setenv("TMPDIR", folder_.path().c_str(), 1); })
            .wait(120);
    };
    const std::string local = "compute_environment: LOCAL_MACHINE\ndistributed_type: MULTI_CPU\nuse_cpu: true\n";
    Said said = check_settings(local + "num_processes: 2\n");
    EXPECT_EQ(said.code, 0) << said.err;
    EXPECT_THAT(said.out, HasSubstr("passed on 2 ranks"));
    said = check_settings(local + "num_procesess: 2\n");
    EXPECT_EQ(said.code, 2);
    EXPECT_THAT(said.err, HasSubstr("did you mean 'num_processes'"));
}

/// Two launchers on loopback stand for two machines.
class SelfCheckOnMachines : public SelfCheck {
  protected:
    struct Both {
        Said head, other;
    };
    Both check_both(const std::string& failpoint) {
        std::string port = std::to_string(free_port("127.0.0.1"));
        auto start = [&](const char* number) {
            return std::make_unique<Program>(
                std::vector<std::string>{TRAINYARD_BIN_DIR "/trainyard", "test", "--cpu", "--num_machines", "2",
                                         "--num_processes", "3", "--machine_rank", number, "--main_process_ip",
                                         "127.0.0.1", "--main_process_port", port},
                [&] {
                    ::setenv("TRAINYARD_FAILPOINT", failpoint.c_str(), 1);
                    ::setenv("TMPDIR", folder_.path().c_str(), 1);
                    ::setenv("TRAINYARD_CONFIG", (folder_.path() / "none.yaml").c_str(), 1);
                    ::setenv("TRAINYARD_RUN_SECRET", "of this test", 1);
                });
        };
        std::unique_ptr<Program> other = start("1"), head = start("0");
        Both both;
        both.head = head->wait(120);
        both.other = other->wait(60);
        return both;
    }
};

TEST_F(SelfCheckOnMachines, MachinesThatFindEachOtherNeedNoDataAndLeaveNothing) {
    Both both = check_both("none");
    EXPECT_EQ(both.head.code, 0) << both.head.err << both.other.err;
    EXPECT_EQ(both.other.code, 0) << both.other.err;
    for (const std::string& name : kChecks)
        EXPECT_THAT(both.head.out, ContainsRegex("ok +" + name));
    EXPECT_THAT(both.head.out, AllOf(says("{} processes on {} machines take turns", EndsWith("3"), 2),
                                     HasSubstr("All 14 checks passed on 3 ranks of 2 machines"),
                                     ContainsRegex("\nall ranks \\(all-reduce\\) .*/s")));
    EXPECT_TRUE(fs::is_empty(folder_.path()));
}

TEST_F(SelfCheckOnMachines, APairThatDoesNotReachEachOtherIsNamed) {
    Both both = check_both("selfcheck.reach.2:damage@1");
    EXPECT_EQ(both.head.code, 1) << both.head.out;
    EXPECT_NE(both.other.code, 0);
    EXPECT_THAT(both.head.err, ContainsRegex("\\(rank 2\\) does not reach .* \\(rank 0\\)"));
    EXPECT_THAT(both.head.err, AllOf(HasSubstr("open the ports"), Not(ContainsRegex("\\(rank 0\\) does not reach"))));
    EXPECT_THAT(both.head.out, Not(HasSubstr("ok ")));
}

TEST_F(SelfCheck, FlagsOfATrainingAreRefused) {
    Said said = check(1, {"--detach", "--set", "training.steps=1"});
    EXPECT_EQ(said.code, 2);
    EXPECT_THAT(said.err, AllOf(HasSubstr("--detach"), HasSubstr("--set")));
    said = check(1, {"recipe.yaml"});
    EXPECT_EQ(said.code, 2);
    EXPECT_THAT(said.err, says("'{}' is not valid here: trainyard test takes only flags", "recipe.yaml"));
}

TEST_F(SelfCheck, CtrlCEndsTheRanksAndLeavesNothing) {
    Program program({TRAINYARD_BIN_DIR "/trainyard", "test", "--cpu", "--num_processes", "4"}, [&] {
        ::setenv("TMPDIR", folder_.path().c_str(), 1);
        ::setenv("TRAINYARD_CONFIG", (folder_.path() / "none.yaml").c_str(), 1);
    });
    program.read_until([](const Said& said) { return said.out.find("processes") != std::string::npos; });
    ::kill(program.pid(), SIGINT);
    Said said = program.wait(60);
    EXPECT_EQ(said.code, 130) << said.out << said.err;
    EXPECT_THAT(said.err, HasSubstr("interrupted"));
    EXPECT_TRUE(fs::is_empty(folder_.path()));
}

TEST_F(SelfCheck, NonsenseStartsNothing) {
    Said said = check(0);
    EXPECT_EQ(said.code, 2);
    EXPECT_THAT(said.err, HasSubstr("num_processes"));
    EXPECT_TRUE(fs::is_empty(folder_.path()));
}

}  // namespace
}  // namespace trainyard
