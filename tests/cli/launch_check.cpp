// SPDX-License-Identifier: GPL-3.0-or-later
// `trainyard launch --check` on this machine: a table, all problems with their way out, and nothing started.

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "cli/program.h"
#include "launch/fake_run.h"
#include "support/says.h"

namespace trainyard {
namespace {

using Json = nlohmann::json;
using test::Said;
using test::says;
using testing::_;
using testing::AllOf;
using testing::ContainsRegex;
using testing::EndsWith;
using testing::HasSubstr;

class LaunchCheck : public testing::Test {
  protected:
    Said check(std::vector<std::string> words) {
        words.insert(words.begin(), {"launch", "--check"});
        return test::trainyard(words);
    }
    bool has_no_runs() const { return !fs::exists(fake_.runs()) || fs::is_empty(fake_.runs()); }
    test::FakeRun fake_;
};

TEST_F(LaunchCheck, ARecipeThatCanStart) {
    Said said = check({"--cpu", "--num_processes", "2", fake_.recipe()});
    EXPECT_EQ(said.code, 0) << said.out << said.err;
    EXPECT_THAT(said.out, AllOf(ContainsRegex("check +localhost"), ContainsRegex("Engine +ok"),
                                ContainsRegex("Data readable +ok"), ContainsRegex("Disk for checkpoints +ok"),
                                says("Ready: nothing was started.").after("\n").before("\n")));
    EXPECT_TRUE(has_no_runs());
}

TEST_F(LaunchCheck, EverythingThatIsWrongComesAtOnce) {
    std::ofstream(fake_.recipe()) << "name: fake\ndata: {path: missing.txt}\n";
    Said said = check({"--cpu", "--num_processes", "2", "--run_dir", fake_.recipe() / "below", fake_.recipe()});
    EXPECT_EQ(said.code, 2);
    EXPECT_THAT(said.out, AllOf(ContainsRegex("Data readable +FAILED"), ContainsRegex("Output folder +FAILED"),
                                ContainsRegex("localhost: .*missing.txt"),
                                says("the run cannot be kept in {}: {} is not a folder: choose another place with "
                                     "--run_dir or TRAINYARD_RUNS",
                                     _, EndsWith("recipe.yaml")),
                                says("Not ready: nothing was started.")));
    said = check({"--cpu", "--json", fake_.recipe()});
    EXPECT_EQ(said.code, 2);
    Json result = Json::parse(said.out);
    EXPECT_EQ(result["ready"], false);
    bool found = false;
    for (const Json& one : result["checks"])
        if (one["check"] == "data") {
            EXPECT_EQ(one["state"], "failed");
            EXPECT_EQ(one["host"], "localhost");
            EXPECT_THAT(one["text"].get<std::string>(), HasSubstr("missing.txt"));
            found = true;
        }
    EXPECT_TRUE(found);
}

TEST_F(LaunchCheck, AProgram) {
    Said said = check({"--cpu", "--num_processes", "2", "--no_python", "/bin/true"});
    EXPECT_EQ(said.code, 0) << said.out << said.err;
    said = check({"--cpu", "--num_processes", "2", "--no_python", "/bin/no-such-program"});
    EXPECT_EQ(said.code, 2);
    EXPECT_THAT(said.out, AllOf(HasSubstr("FAILED"), HasSubstr("/bin/no-such-program")));
    EXPECT_TRUE(has_no_runs());
}

TEST_F(LaunchCheck, ContradictsABatchJob) {
    Said said = check({"--slurm", "--nodes", "2", fake_.recipe()});
    EXPECT_EQ(said.code, 2);
    EXPECT_THAT(said.err, says("--check looks at machines that can be reached now, and SLURM chooses its nodes later: "
                               "leave out --check or --slurm"));
}

}  // namespace
}  // namespace trainyard
