// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of the list of checkpoints of a run, and of pruning it.

#include "observe/inspect/checkpoint_list.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "base/file.h"
#include "inspect/saved.h"
#include "observe/inspect/prune.h"
#include "run/trash.h"
#include "support/says.h"
#include "support/temporary_folder.h"

namespace trainyard::inspect {
namespace {

using test::says;
using test::says_only;
using testing::_;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class ShelfOfRun : public testing::Test {
  protected:
    ShelfOfRun() {
        for (int step : {3, 6, 9, 12, 15})
            test::write_checkpoint(folder_of(step), step, {{"a", {static_cast<float>(step)}}},
                                   step == 6 ? 0.5 : 2.0 - step * 0.05);
    }
    fs::path folder_of(int step) const { return folder_.path() / ("checkpoint_" + std::to_string(step)); }
    static std::vector<std::int64_t> going(const CheckpointList& checkpoint_list, const PrunePlan& plan) {
        std::vector<std::int64_t> steps;
        for (const PrunePlan::Row& row : plan.rows)
            if (row.goes)
                steps.push_back(checkpoint_list.items[row.item].step);
        return steps;
    }
    test::TemporaryFolder folder_;
};

TEST_F(ShelfOfRun, HasNewestAndBest) {
    set_pinned(folder_of(3), true);
    fs::resize_file(folder_of(15) / "model.safetensors", 20);
    const CheckpointList checkpoint_list = read_checkpoint_list(folder_.path());
    ASSERT_EQ(checkpoint_list.items.size(), 5u);
    EXPECT_EQ(checkpoint_list.items[0].step, 15);
    EXPECT_EQ(checkpoint_list.items[0].state, CheckpointState::broken);
    EXPECT_THAT(checkpoint_list.items[0].problem, HasSubstr("model.safetensors"));
    EXPECT_EQ(checkpoint_list.items[static_cast<std::size_t>(checkpoint_list.newest())].step, 12);
    EXPECT_EQ(checkpoint_list.items[static_cast<std::size_t>(checkpoint_list.best())].step, 6);
    EXPECT_TRUE(checkpoint_list.items[4].pinned);
    set_pinned(folder_of(3), false);
    EXPECT_FALSE(read_checkpoint_list(folder_.path()).items[4].pinned);
}

TEST_F(ShelfOfRun, TheRecipeSaysWhichMetricIsTheBestAndEachNthStays) {
    CheckpointList checkpoint_list = read_checkpoint_list(folder_.path());
    EXPECT_FALSE(checkpoint_list.policy) << "a folder without a run";
    checkpoint_list.policy = checkpoint::Retention{.keep_last = 1,
                                                   .keep_best = 1,
                                                   .better = checkpoint::Retention::Better::higher,
                                                   .keep_every = 9,
                                                   .total_limit = 0};
    EXPECT_EQ(checkpoint_list.items[static_cast<std::size_t>(checkpoint_list.best())].step, 3) << "1.85 is the highest";
    const PrunePlan plan = plan_prune(checkpoint_list, *checkpoint_list.policy, {});
    EXPECT_THAT(going(checkpoint_list, plan), ElementsAre(12, 6));
    EXPECT_THAT(plan.rows[2].why, says_only("every {} steps", 9));
    EXPECT_THAT(plan.rows[4].why, says_only("best {}", 1));
}

TEST_F(ShelfOfRun, AStepIsFound) {
    EXPECT_EQ(find_checkpoint(folder_.path(), folder_.path().string() + "@9"), folder_of(9));
    EXPECT_EQ(find_checkpoint(folder_.path(), folder_.path().string()), folder_of(15));
    EXPECT_EQ(find_checkpoint(folder_.path(), folder_of(6).string()), folder_of(6));
    EXPECT_THROW(find_checkpoint(folder_.path(), folder_.path().string() + "@7"), UserError);
    EXPECT_EQ(step_in_name("checkpoint-500"), 500);
    EXPECT_EQ(step_in_name("global_step12"), 12);
    EXPECT_EQ(step_in_name("checkpoint_12_old"), -1);
}

TEST_F(ShelfOfRun, FoldersAreListedByTheirNamesAlone) {
    set_pinned(folder_of(6), true);
    fs::remove(folder_of(15) / "manifest.json");
    fs::create_directories(folder_.path() / "checkpoint_old");
    write_file_atomically(folder_.path() / "checkpoint_99", "a file");
    const std::vector<CheckpointEntry> found = numbered_folders(folder_.path());
    std::vector<std::int64_t> steps;
    for (const CheckpointEntry& one : found)
        steps.push_back(one.step);
    EXPECT_THAT(steps, ElementsAre(15, 12, 9, 6, 3));
    EXPECT_TRUE(found[3].pinned);
    EXPECT_EQ(found[3].folder, folder_of(6));
    EXPECT_THAT(numbered_folders(folder_.path() / "none"), IsEmpty());
}

TEST_F(ShelfOfRun, PruneRemovesItsPreviewAndComesBack) {
    set_pinned(folder_of(9), true);
    write_file_atomically(folder_.path() / "notes.txt", "mine");
    const CheckpointList checkpoint_list = read_checkpoint_list(folder_.path());
    checkpoint::Retention policy;
    policy.keep_best = 1;
    const std::vector<InUse> in_use{{folder_of(3), "run x was resumed from it"}};
    const PrunePlan plan = plan_prune(checkpoint_list, policy, in_use);
    EXPECT_THAT(going(checkpoint_list, plan), ElementsAre(12));
    EXPECT_EQ(plan.rows[0].why, "the newest");
    EXPECT_EQ(plan.rows[2].why, "pinned");
    EXPECT_THAT(plan.rows[3].why, says_only("best {}", 1));
    EXPECT_THAT(plan.rows[4].why, says_only("run {} was resumed from it", "x"));
    EXPECT_EQ(plan.bytes, checkpoint_list.items[1].bytes);
    std::vector<Message> problems;
    EXPECT_EQ(apply_prune(checkpoint_list, plan, in_use, problems).size(), 1u);
    EXPECT_THAT(problems, IsEmpty());
    EXPECT_FALSE(fs::exists(folder_of(12)));
    for (int step : {3, 6, 9, 15})
        EXPECT_TRUE(fs::exists(folder_of(step)));
    EXPECT_TRUE(fs::exists(folder_.path() / "notes.txt"));
    const auto trashed = run::list_trash(folder_.path());
    ASSERT_EQ(trashed.size(), 1u);
    run::restore_from_trash(trashed[0].folder);
    EXPECT_EQ(read_checkpoint_list(folder_.path()).items.size(), 5u);
}

TEST_F(ShelfOfRun, WhatChangedMeanwhileStays) {
    const CheckpointList checkpoint_list = read_checkpoint_list(folder_.path());
    checkpoint::Retention policy;
    policy.keep_last = 1;
    const PrunePlan plan = plan_prune(checkpoint_list, policy, {});
    EXPECT_THAT(going(checkpoint_list, plan), ElementsAre(12, 9, 6, 3));
    set_pinned(folder_of(12), true);
    test::write_checkpoint(folder_of(9), 9, {{"a", {7}}}, 1.0, "2026-11-22T00:00:00.000Z");
    std::vector<Message> problems;
    apply_prune(checkpoint_list, plan, {{folder_of(6), "run y was resumed from it"}}, problems);
    EXPECT_THAT(problems, ElementsAre(says("{} stays: it was pinned meanwhile", _),
                                      says("{} stays: it has been replaced in the meantime", _), HasSubstr("run y")));
    EXPECT_FALSE(fs::exists(folder_of(3)));
    EXPECT_TRUE(fs::exists(folder_of(9)));
}

TEST_F(ShelfOfRun, BrokenOnesStayUnlessAskedFor) {
    fs::remove(folder_of(6) / "model.safetensors");
    const CheckpointList checkpoint_list = read_checkpoint_list(folder_.path());
    checkpoint::Retention policy;
    policy.keep_last = 4;
    EXPECT_THAT(going(checkpoint_list, plan_prune(checkpoint_list, policy, {})), IsEmpty());
    EXPECT_THAT(going(checkpoint_list, plan_prune(checkpoint_list, policy, {}, true)), ElementsAre(6));
    EXPECT_THROW(plan_prune(checkpoint_list, {}, {}), UserError) << "a policy without a rule";
}

}  // namespace
}  // namespace trainyard::inspect
