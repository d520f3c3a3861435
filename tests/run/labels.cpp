// SPDX-License-Identifier: GPL-3.0-or-later
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/file.h"
#include "run/listing.h"
#include "run/run_labels.h"
#include "run/spec_keys.h"
#include "run/trash.h"
#include "support/says.h"
#include "support/temporary_folder.h"

namespace trainyard::run {
namespace {

using test::says;
using testing::_;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Pair;

class LabelsTest : public testing::Test {
  protected:
    RunPaths add(const std::string& id, Status status = Status::finished) {
        RunPaths run(folder_.path() / id);
        fs::create_directories(run.root());
        RunState state;
        state.run_id = id;
        state.name = "own name";
        state.status = status;
        state.created = 1000;
        state.supervisor_host = host_name();
        state.supervisor = this_process();
        write_state(run, state, false);
        return run;
    }
    template <typename Work>
    std::string problem_of(Work work) {
        try {
            work();
        } catch (const UserError& error) {
            return error.what();
        }
        return "";
    }
    test::TemporaryFolder folder_;
};

TEST_F(LabelsTest, WhatIsWrittenIsRead) {
    const RunPaths run = add("a");
    EXPECT_EQ(read_labels(run), Labels{});
    Labels labels{.name = "böld",
                  .tags = {"lr-sweep", "x"},
                  .note = "two\nlines",
                  .archived = true,
                  .color = 7,
                  .baseline = true};
    write_labels(run, labels);
    EXPECT_EQ(read_labels(run), labels);
    struct stat status {};
    ASSERT_EQ(::stat(labels_file(run).c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777, 0600u);
}

TEST_F(LabelsTest, KeysOfNewerVersionsAreKept) {
    const RunPaths run = add("a");
    write_file_atomically(labels_file(run), R"({"name": "x", "stars": {"of": 5}})", false);
    Labels labels = read_labels(run);
    EXPECT_EQ(labels.name, "x");
    labels.name = "y";
    write_labels(run, labels);
    EXPECT_THAT(read_file(labels_file(run)), HasSubstr("\"stars\""));
    EXPECT_EQ(read_labels(run).name, "y");
}

TEST_F(LabelsTest, AFileOfSomethingElseIsNamedAndNotReplaced) {
    const RunPaths run = add("a");
    write_file_atomically(labels_file(run), "[1, 2", false);
    EXPECT_THAT(
        problem_of([&] { read_labels(run); }),
        says("{} is not a JSON object: it was cut short or written by another program", EndsWith("labels.json")));
    EXPECT_THAT(problem_of([&] { write_labels(run, {}); }), HasSubstr("labels.json"));
    EXPECT_EQ(read_file(labels_file(run)), "[1, 2");
    write_file_atomically(labels_file(run), R"({"tags": 5})", false);
    EXPECT_THAT(problem_of([&] { read_labels(run); }), says("{} has the wrong type", EndsWith("tags")));
    ASSERT_EQ(list_runs(folder_.path()).size(), 1u) << "the run is listed all the same";
}

TEST_F(LabelsTest, TagsAreWordsAndEachThereOnce) {
    Labels labels;
    for (const char* tag : {"  lr sweep ", "x", "", " ", "x"})
        add_tag(labels, tag);
    EXPECT_THAT(labels.tags, ElementsAre("lr-sweep", "x"));
    remove_tag(labels, "lr sweep");
    EXPECT_THAT(labels.tags, ElementsAre("x"));
}

TEST_F(LabelsTest, RunsAreFoundByTheNameWrittenOnThem) {
    const RunPaths run = add("20261121-100000-a-1111");
    write_labels(run, {.name = "best so far"});
    EXPECT_EQ(find_run(folder_.path(), "best so far").id(), run.id());
    EXPECT_EQ(find_run(folder_.path(), "own name").id(), run.id());
    EXPECT_EQ(shown_name(list_runs(folder_.path()).front()), "best so far");
}

TEST_F(LabelsTest, DeletedRunsComeBack) {
    const RunPaths run = add("20261121-100000-a-1111");
    write_labels(run, {.note = "kept"});
    const fs::path trashed = move_to_trash(run);
    EXPECT_TRUE(list_runs(folder_.path()).empty());
    ASSERT_EQ(list_trash(folder_.path()).size(), 1u);
    EXPECT_EQ(list_trash(folder_.path()).front().id, run.id());
    EXPECT_EQ(purge_trash(folder_.path()), 0) << "it is not old enough";
    EXPECT_EQ(restore_from_trash(trashed).root(), run.root());
    EXPECT_EQ(read_labels(run).note, "kept");
    EXPECT_TRUE(list_trash(folder_.path()).empty());
}

TEST_F(LabelsTest, ADeletedRunHasANameAndASizeAndGoesForGood) {
    const RunPaths run = add("20261121-100000-a-1111");
    write_labels(run, {.name = "best so far"});
    std::ofstream(run.root() / "weights") << std::string(1000, 'x');
    fs::create_symlink("/usr", run.root() / "link");
    const fs::path trashed = move_to_trash(run);
    const TrashedRun found = list_trash(folder_.path()).front();
    EXPECT_EQ(shown_name(found), "best so far");
    EXPECT_GE(size_of(found), 1000u);
    EXPECT_LT(size_of(found), 20'000u) << "the target of a link must not be counted";
    EXPECT_THAT(problem_of([&] { delete_for_good(folder_.path() / "else"); }), says("{} is not a deleted run", _));
    delete_for_good(trashed);
    EXPECT_TRUE(list_trash(folder_.path()).empty());
    EXPECT_TRUE(fs::exists("/usr/bin"));
}

TEST_F(LabelsTest, WhatIsInTheWayOfAReturnIsNamed) {
    const RunPaths run = add("one");
    const fs::path trashed = move_to_trash(run);
    add("one");
    EXPECT_THAT(problem_of([&] { restore_from_trash(trashed); }),
                says("{} exists again: rename it before you restore the deleted run", _));
    const fs::path second = move_to_trash(run);
    EXPECT_NE(trashed, second);
    EXPECT_EQ(list_trash(folder_.path()).size(), 2u);
    EXPECT_EQ(purge_trash(folder_.path(), -10), 2);
    EXPECT_THAT(problem_of([&] { restore_from_trash(second); }),
                says("{} is no longer in the trash: it was purged", _));
}

TEST_F(LabelsTest, LiveRunsAreNotDeleted) {
    const RunPaths run = add("live", Status::running);
    EXPECT_THAT(problem_of([&] { move_to_trash(run); }),
                says("run {} is {}: stop it before it is deleted", "live", "running"));
    EXPECT_TRUE(fs::exists(run.state()));
    const RunPaths torn = add("torn");
    std::ofstream(torn.state()) << "{";
    EXPECT_EQ(problem_of([&] { move_to_trash(torn); }), "");
    EXPECT_THAT(problem_of([&] { move_to_trash(torn); }),
                says("there is no run in {}: it was moved or deleted already", _));
}

TEST(FlatKeysTest, MapsAreDottedListsAreJoinedOrNumbered) {
    EXPECT_THAT(
        flat_keys("recipe:\n  training: {lr: 3e-4, betas: [0.9, 0.95]}\n  name: x\n"
                  "launch:\n  machines: [{host: a}, {host: b}]\n  device: ~\n"),
        ElementsAre(Pair("launch.device", ""), Pair("launch.machines.0.host", "a"), Pair("launch.machines.1.host", "b"),
                    Pair("name", "x"), Pair("training.betas", "0.9, 0.95"), Pair("training.lr", "3e-4")));
    EXPECT_THROW(flat_keys("a: [1"), UserError);
    EXPECT_TRUE(flat_keys("").empty());
}

}  // namespace
}  // namespace trainyard::run
