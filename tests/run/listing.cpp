// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/listing.h"

#include <cstdlib>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "base/filesystem.h"
#include "support/says.h"
#include "support/temporary_folder.h"

namespace trainyard::run {
namespace {

using test::says;
using testing::_;
using testing::MatchesRegex;

class Listing : public testing::Test {
  protected:
    void add(const std::string& id, const std::string& name, double created) {
        RunPaths run(folder_.path() / id);
        fs::create_directories(run.root());
        RunState state;
        state.run_id = id;
        state.name = name;
        state.created = created;
        write_state(run, state, false);
    }
    std::string problem_of(const std::string& text) {
        try {
            find_run(folder_.path(), text);
        } catch (const UserError& error) {
            return error.what();
        }
        return "";
    }
    test::TemporaryFolder folder_;
};

TEST_F(Listing, NewestFirstAndBadOnesKeepTheirRow) {
    add("20261121-100000-a-1111", "a", 1000);
    add("20261121-110000-b-2222", "b", 2000);
    fs::create_directories(folder_.path() / "20261121-105000-c-3333");
    std::ofstream(folder_.path() / "20261121-105000-c-3333" / "state.json") << "{\"status\":";
    fs::create_directories(folder_.path() / "no-run-at-all");
    std::vector<ListedRun> runs = list_runs(folder_.path());
    ASSERT_EQ(runs.size(), 3u);
    EXPECT_EQ(runs[0].paths.id(), "20261121-110000-b-2222");
    EXPECT_EQ(runs[1].paths.id(), "20261121-105000-c-3333");
    EXPECT_FALSE(runs[1].state);
    EXPECT_THAT(runs[1].problem, says("{} is not a JSON object: it was cut short or written by another program",
                                      testing::EndsWith("state.json")));
    EXPECT_EQ(runs[2].paths.id(), "20261121-100000-a-1111");
    EXPECT_TRUE(list_runs(folder_.path() / "missing").empty());
}

TEST_F(Listing, RunsAreFoundByAnyUsefulName) {
    add("20261121-100000-gpt2-1a11", "gpt2", 1000);
    add("20261121-110000-gpt2-2b22", "gpt2", 2000);
    EXPECT_EQ(find_run(folder_.path(), "20261121-100000-gpt2-1a11").id(), "20261121-100000-gpt2-1a11");
    EXPECT_EQ(find_run(folder_.path(), "20261121-10").id(), "20261121-100000-gpt2-1a11");
    EXPECT_EQ(find_run(folder_.path(), "1a11").id(), "20261121-100000-gpt2-1a11");
    EXPECT_EQ(find_run(folder_.path(), "gpt2").id(), "20261121-110000-gpt2-2b22") << "the newest of that name";
    EXPECT_EQ(find_run("/nowhere", (folder_.path() / "20261121-100000-gpt2-1a11/").string()).id(),
              "20261121-100000-gpt2-1a11");
    EXPECT_THAT(problem_of("20261121"), says("'{}' fits more than one run: {}", _, _));
    EXPECT_THAT(problem_of("gpt3"), says("no run '{}' in {}: did you mean '{}'?", _, _, "gpt2"));
    EXPECT_THAT(problem_of(folder_.path().string()),
                says("{} is not a run's folder: it has neither run.yaml nor state.json", _));
}

TEST_F(Listing, ACheckpointCountsWhenItsManifestIsThere) {
    RunPaths run(folder_.path());
    EXPECT_FALSE(has_checkpoint(run));
    fs::create_directories(run.checkpoints() / "checkpoint_5");
    EXPECT_FALSE(has_checkpoint(run));
    std::ofstream(run.checkpoints() / "checkpoint_5" / "manifest.json") << "{}";
    EXPECT_TRUE(has_checkpoint(run));
}

TEST_F(Listing, NewFoldersArePrivateAndNamedForPeople) {
    RunPaths run = create_run_directory(folder_.path() / "runs", "Größe / of: ../things");
    EXPECT_THAT(run.id(), MatchesRegex("[0-9]{8}-[0-9]{6}-Gr-e-of-..-things-[0-9a-f]{4}"));
    EXPECT_EQ(run.root().parent_path(), folder_.path() / "runs");
    for (const fs::path& part :
         {run.root(), run.requests(), run.requests_done(), run.logs(), run.metrics(), run.checkpoints()})
        EXPECT_EQ(fs::status(part).permissions(), fs::perms::owner_all) << part;
    EXPECT_NE(create_run_directory(folder_.path() / "runs", "same").id(),
              create_run_directory(folder_.path() / "runs", "same").id());
    EXPECT_EQ(run.rank_log(3).filename(), "rank-00003.log");
}

TEST_F(Listing, ANamedFolderMustBeEmpty) {
    fs::path mine = folder_.path() / "mine";
    EXPECT_EQ(create_run_directory_at(mine).root(), mine);
    EXPECT_THROW(create_run_directory_at(mine), UserError);
}

TEST_F(Listing, TheRootComesFromTheEnvironment) {
    ::setenv("TRAINYARD_RUNS", "/x/runs", 1);
    EXPECT_EQ(runs_root(), "/x/runs");
    ::unsetenv("TRAINYARD_RUNS");
    ::setenv("XDG_DATA_HOME", "/x/data", 1);
    EXPECT_EQ(runs_root(), "/x/data/trainyard/runs");
    ::setenv("XDG_DATA_HOME", "relative", 1);
    ::setenv("HOME", "/x/home", 1);
    EXPECT_EQ(runs_root(), "/x/home/.local/share/trainyard/runs");
}

}  // namespace
}  // namespace trainyard::run
