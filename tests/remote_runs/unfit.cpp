// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of launches with hosts that cannot take part, which must be reported with one sentence each before anything
// starts, and of unusual launches: with this machine as one of the hosts, or with a script instead of a recipe.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/file.h"
#include "remote_runs/remote_launch.h"
#include "support/says.h"

namespace trainyard {

namespace {

namespace fs = std::filesystem;
using test::RemoteLaunchTest;
using test::says;
using testing::_;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class UnfitHosts : public RemoteLaunchTest {
  protected:
    /// Installs an engine of another version on the host: a copy of ours in which the version string is replaced.
    /// Returns its path.
    std::string other_engine(const std::string& host, const std::string& version, const std::string& other) {
        std::ifstream file(TRAINYARD_BIN_DIR "/trainyard", std::ios::binary);
        std::string program{std::istreambuf_iterator<char>(file), {}};
        int changed = 0;
        for (std::size_t at = 0; (at = program.find(version + '\0', at)) != std::string::npos; ++changed)
            program.replace(at, other.size(), other);
        EXPECT_GE(changed, 1) << version;
        fs::path place = hosts_->home_of(host) / "other";
        fs::create_directories(place);
        std::ofstream(place / "trainyard", std::ios::binary) << program;
        fs::permissions(place, fs::perms(0755));
        fs::permissions(place / "trainyard", fs::perms(0755));
        return hosts_->named(host).home + "/other/trainyard";
    }
    void name_engines(const std::map<std::string, std::string>& engines) {
        fs::path file = folder_.path() / "config" / "trainyard" / "hosts.yaml";
        std::ofstream hosts(file, std::ios::trunc);
        hosts << "hosts:\n";
        for (const auto& [host, engine] : engines)
            hosts << "  - name: " << host << "\n    engine: " << engine << "\n";
    }
    void small_disk(const std::string& host, const std::string& place) {
        std::string folder = hosts_->named(host).home + "/" + place;
        hosts_->run(host, {"mkdir", "-p", folder});
        hosts_->run(host, {"mount", "-t", "tmpfs", "-o", "size=64k,mode=0777", "tmpfs", folder}, true);
    }
    /// Returns the lines of the output that name a host.
    static std::vector<std::string> lines_of(const std::string& said, const std::string& host) {
        std::vector<std::string> lines;
        std::istringstream all(said);
        for (std::string line; std::getline(all, line);)
            if (line.find(host + ":") != std::string::npos || line.find(host + " ") != std::string::npos)
                lines.push_back(line);
        return lines;
    }
};

TEST_F(UnfitHosts, AnotherVersionAndAFullDiskAreOneSentenceEachBeforeAnythingStarts) {
    make_hosts(4);
    const std::string ours = std::string(TRAINYARD_BIN_DIR) + "/trainyard";
    name_engines({{"host1", ours},
                  {"host2", other_engine("host2", TRAINYARD_VERSION, "9.8.7")},
                  {"host3", other_engine("host3", TRAINYARD_LIBTORCH_VERSION, "9.98.7")},
                  {"host4", ours}});
    small_disk("host1", "runs");
    small_disk("host4", "runs");
    ProgramResult result =
        trainyard({"launch", "--cpu", "--hosts", "host1:1,host2:1,host3:1,host4:1", recipe().string()});
    EXPECT_EQ(WEXITSTATUS(result.status), 2) << result.output;
    for (const auto& [host, words] : std::map<std::string, std::string>{
             {"host1", "the disk of"},
             {"host2", "has Trainyard 9.8.7, the launching machine has " TRAINYARD_VERSION},
             {"host3", "has LibTorch 9.98.7, the launching machine has " TRAINYARD_LIBTORCH_VERSION},
             {"host4", "the disk of"}}) {
        std::vector<std::string> lines = lines_of(result.error, host);
        ASSERT_EQ(lines.size(), 1u) << host << "\n" << result.error;
        EXPECT_THAT(lines[0], HasSubstr(words));
    }
    expect_nothing_left();
}

TEST_F(UnfitHosts, AnEngineThatDoesNotFitOnABareHostIsNotCopied) {
    make_hosts(2, 1);
    small_disk("host2", ".cache");
    ProgramResult result = trainyard({"launch", "--cpu", "--hosts", "host1:1,host2:1", recipe().string()});
    EXPECT_EQ(WEXITSTATUS(result.status), 2) << result.output;
    std::vector<std::string> lines = lines_of(result.error, "host2");
    ASSERT_EQ(lines.size(), 1u) << result.error;
    EXPECT_THAT(lines[0], says("{} has {} free for {}, the engine needs {}: make room there, or set XDG_CACHE_HOME in "
                               "the host's environment",
                               _, "65.5 kB", _, _));
    EXPECT_TRUE(lines_of(result.error, "host1").empty()) << result.error;
    EXPECT_EQ(hosts_->run("host2", {"sh", "-c", "find \"$HOME/.cache\" -type f | wc -l"}), "0\n");
    expect_nothing_left();
}

TEST_F(UnfitHosts, AnEngineThatDoesNotStartIsNamedWithItsSetting) {
    make_hosts(1);
    name_engines({{"host1", "/opt/nowhere/bin"}});
    const ProgramResult result = trainyard({"launch", "--cpu", "--hosts", "host1:1", recipe().string()});
    EXPECT_EQ(WEXITSTATUS(result.status), 2) << result.output;
    EXPECT_THAT(result.error, AllOf(says("{}: engine is {}, which does not start there ({}): name the file `trainyard` "
                                         "of the host, or set an empty engine, so that the one of this machine is "
                                         "copied",
                                         "host1", "/opt/nowhere/bin", _),
                                    HasSubstr("\n  try: trainyard hosts set host1 engine=\n")));
    expect_nothing_left();
}

TEST_F(UnfitHosts, ThisMachineMayBeOneOfTheHosts) {
    make_hosts(1);
    write_recipe((hosts_->home_of("host1") / "text.txt").string(), 8);
    // Both see the data at the same path.
    std::string place = (hosts_->home_of("host1") / "text.txt").parent_path().string();
    hosts_->run("host1", {"mkdir", "-p", place}, true);
    hosts_->run("host1", {"mount", "--bind", hosts_->named("host1").home, place}, true);
    run::RunPaths far = launch({"--hosts", "localhost:1,host1:1"});
    EXPECT_EQ(state(far).status, run::Status::finished) << state(far).message;
    std::vector<double> two = losses(far);
    ASSERT_EQ(two.size(), 8u);
    ASSERT_EQ(state(far).ranks.size(), 2u);
    EXPECT_EQ(state(far).ranks[1].host, "host1");
    run::RunPaths near = launch({"--num_processes", "2"});
    std::vector<double> here = losses(near);
    ASSERT_EQ(here.size(), two.size());
    for (std::size_t i = 0; i < here.size(); ++i)
        EXPECT_NEAR(two[i], here[i], 1e-5) << "step " << i + 1;
    EXPECT_TRUE(wait_for([&] { return programs_on("host1").empty(); }, 15)) << programs_on("host1");
}

TEST_F(UnfitHosts, AScriptIsStartedOnAllHosts) {
    make_hosts(2);
    for (const test::TestHost& host : hosts_->all()) {
        fs::path script = hosts_->home_of(host.name) / "train.sh";
        std::ofstream(script) << "#!/bin/sh\necho rank $RANK of $WORLD_SIZE on $(hostname) with $1\n";
        fs::permissions(script, fs::perms(0755));
    }
    ProgramResult result = trainyard({"launch", "--cpu", "--hosts", "host1:1,host2:2", "--no_python",
                                      hosts_->all().front().home + "/train.sh", "words"});
    ASSERT_TRUE(result.ok()) << result.status << '\n' << result.output << result.error;
    fs::path folder;
    for (const auto& entry : fs::directory_iterator(runs()))
        folder = entry.path();
    run::RunPaths far(folder);
    ASSERT_TRUE(wait_for([&] { return complete(far); }));
    EXPECT_EQ(state(far).status, run::Status::finished) << state(far).message;
    for (const char* line : {"[default0]:rank 0 of 3 on host1", "[default2]:rank 2 of 3 on host2"})
        EXPECT_THAT(result.output, HasSubstr(line));
    EXPECT_THAT(read_file(far.rank_log(0)), HasSubstr("rank 0 of 3 on host1 with words"));
    EXPECT_THAT(read_file(far.rank_log(1)), HasSubstr("rank 1 of 3 on host2 with words"));
    EXPECT_THAT(read_file(far.rank_log(2)), HasSubstr("rank 2 of 3 on host2 with words"));
    for (const test::TestHost& host : hosts_->all())
        EXPECT_TRUE(wait_for([&] { return programs_on(host.name).empty(); }, 15)) << programs_on(host.name);
}

}  // namespace

}  // namespace trainyard
