// SPDX-License-Identifier: GPL-3.0-or-later
// The reading thread's parts on fabricated and damaged folders.

#include <fstream>

#include <gtest/gtest.h>

#include "dashboard/fabricated_run.h"
#include "desktop/dashboard/log_tail.h"
#include "desktop/dashboard/run_batch.h"
#include "desktop/sources/event_tail.h"
#include "run/spec.h"
#include "support/temporary_folder.h"

namespace trainyard::desktop {
namespace {

std::size_t pointsIn(const CurveChange& change) {
    std::size_t count = change.points.size();
    for (const widgets::SealedChunk& chunk : change.chunks)
        count += chunk->size();
    return count;
}

std::size_t points_of(const std::vector<CurveChange>& changes, const std::string& tag) {
    std::size_t count = 0;
    for (const CurveChange& change : changes)
        if (change.kind == CurveChange::Kind::Points && change.tag == tag)
            count += pointsIn(change);
    return count;
}

TEST(EventTail, GivesEveryPointOnceInSlices) {
    const test::TemporaryFolder folder;
    test::FabricatedPlan plan;
    plan.done = 500;
    test::FabricatedRun run(folder.path(), plan);
    EventTail tail(run.paths().metrics(), events::EventFolder::Depth::folders);
    CurveBatch batch;
    std::vector<CurveChange>& changes = batch.changes;
    int rounds = 1;
    while (!tail.poll(batch, 4096))
        ++rounds;
    EXPECT_GT(rounds, 5);
    EXPECT_EQ(points_of(changes, "train/loss"), 500u);
    EXPECT_EQ(points_of(changes, "eval/loss"), 5u);
    EXPECT_GT(points_of(changes, "system/resident_bytes#1"), 0u);
    changes.clear();
    EXPECT_TRUE(tail.poll(batch, 4096));
    EXPECT_TRUE(changes.empty());
    run.addStep();
    EXPECT_TRUE(tail.poll(batch, 1 << 20));
    EXPECT_EQ(points_of(changes, "train/loss"), 1u);
}

TEST(EventTail, ALaterFileComesAfterTheEarlierAndItsRestartIsTold) {
    const test::TemporaryFolder folder;
    {
        events::EventFileWriter first(folder.path(), ".0");
        for (int step = 1; step <= 400; ++step)
            first.add_scalars(step, step, {{"train/loss", 1.0}});
        first.flush();
        events::EventFileWriter second(folder.path(), ".1");
        second.add_restart(301, 500);
        second.add_scalars(301, 501, {{"train/loss", 2.0}});
        second.flush();
    }
    EventTail tail(folder.path());
    CurveBatch batch;
    std::vector<CurveChange>& changes = batch.changes;
    while (!tail.poll(batch, 1000)) {
    }
    ASSERT_GE(changes.size(), 3u);
    EXPECT_EQ(changes.back().points.at(0).value, 2.0);
    EXPECT_EQ(changes[changes.size() - 2].kind, CurveChange::Kind::Restart);
    EXPECT_EQ(changes[changes.size() - 2].step, 301);
    EXPECT_EQ(points_of(changes, "train/loss"), 401u);
}

TEST(EventTail, AReplacedFileVoidsWhatWasRead) {
    const test::TemporaryFolder folder;
    std::filesystem::path path;
    {
        events::EventFileWriter writer(folder.path());
        path = writer.path();
        for (int step = 1; step <= 50; ++step)
            writer.add_scalars(step, step, {{"train/loss", 1.0}});
        writer.flush();
    }
    EventTail tail(folder.path());
    CurveBatch batch;
    std::vector<CurveChange>& changes = batch.changes;
    EXPECT_TRUE(tail.poll(batch, 1 << 20));
    EXPECT_EQ(points_of(changes, "train/loss"), 50u);
    std::filesystem::resize_file(path, 0);
    {
        const test::TemporaryFolder other;
        events::EventFileWriter writer(other.path());
        writer.add_scalars(1, 1, {{"train/loss", 3.0}});
        writer.flush();
        std::filesystem::copy_file(writer.path(), path, std::filesystem::copy_options::overwrite_existing);
    }
    changes.clear();
    while (!tail.poll(batch, 1 << 20)) {
    }
    ASSERT_FALSE(changes.empty());
    EXPECT_EQ(changes.front().kind, CurveChange::Kind::Reset);
    EXPECT_EQ(points_of(changes, "train/loss"), 1u);
}

class Logs : public ::testing::Test {
  protected:
    Logs() : run(folder.path()) { std::filesystem::create_directory(run.logs()); }
    void write(const std::filesystem::path& path, const std::string& text) {
        std::ofstream(path, std::ios::app | std::ios::binary) << text;
    }
    std::vector<std::string> lines(const std::shared_ptr<const widgets::LogBlock>& block) {
        std::vector<std::string> found;
        if (block)
            for (const widgets::LogLine& line : block->lines)
                found.push_back(std::to_string(line.rank) + " " + block->text.substr(line.offset, line.length));
        return found;
    }
    std::vector<std::string> poll(LogTail& tail, std::uint64_t limit = 1 << 20) {
        bool more = false;
        return lines(tail.poll(limit, more));
    }

    test::TemporaryFolder folder;
    run::RunPaths run;
};

TEST_F(Logs, WholeLinesMergedByTime) {
    write(run.rank_log(0), "10:00:00.100 INFO  a\n10:00:00.300 INFO  c\nno time d\n10:00:00.5");
    write(run.rank_log(1), "10:00:00.200 INFO  b\n10:00:00.400 INFO  e\n");
    write(run.logs() / "other.txt", "not a log\n");
    LogTail tail(run);
    EXPECT_EQ(poll(tail),
              (std::vector<std::string>{"0 10:00:00.100 INFO  a", "1 10:00:00.200 INFO  b", "0 10:00:00.300 INFO  c",
                                        "0 no time d", "1 10:00:00.400 INFO  e"}));
    EXPECT_TRUE(poll(tail).empty());
    write(run.rank_log(0), "00 INFO  f\n");
    EXPECT_EQ(poll(tail), std::vector<std::string>{"0 10:00:00.500 INFO  f"});
}

TEST_F(Logs, TheSupervisorsLinesHaveTheRanksTimesAndStandAmongThem) {
    const char* zone = std::getenv("TZ");
    const std::string before = zone != nullptr ? zone : "";
    ::setenv("TZ", "CET-1", 1);
    ::tzset();
    write(run.rank_log(0), "11:00:00.100 INFO  a\n11:00:00.300 INFO  c\n");
    write(
        run.logs() / "supervisor.log",
        "2026-11-22T10:00:00.200Z running: training\n2026-11-22T10:00:00.400Z failed: rank 0 ended\n2026-11-22 torn\n");
    LogTail tail(run);
    EXPECT_EQ(poll(tail),
              (std::vector<std::string>{"0 11:00:00.100 INFO  a", "-1 11:00:00.200 INFO  running: training",
                                        "0 11:00:00.300 INFO  c", "-1 11:00:00.400 ERROR failed: rank 0 ended",
                                        "-1 2026-11-22 torn"}));
    if (zone != nullptr)
        ::setenv("TZ", before.c_str(), 1);
    else
        ::unsetenv("TZ");
    ::tzset();
}

TEST_F(Logs, RotatedLogsAreReadOnceAndInOrder) {
    write(run.logs() / "rank-00000.log.1", "older\n");
    write(run.rank_log(0), "newer\n");
    LogTail tail(run);
    EXPECT_EQ(poll(tail), (std::vector<std::string>{"0 older", "0 newer"}));
    std::filesystem::rename(run.rank_log(0), run.logs() / "rank-00000.log.1");
    write(run.rank_log(0), "newest\n");
    EXPECT_EQ(poll(tail), std::vector<std::string>{"0 newest"});
}

TEST_F(Logs, ABarWithoutAnEndIsOneUnfinishedLine) {
    LogTail tail(run);
    std::string bar = "before\n";
    for (int percent = 0; percent <= 100; ++percent)
        bar += "\r" + std::to_string(percent) + "%|" + std::string(100, '#');
    write(run.rank_log(0), bar);
    bool more = false;
    auto block = tail.poll(1 << 20, more);
    ASSERT_TRUE(block);
    EXPECT_EQ(block->lines.size(), 1u);
    ASSERT_EQ(block->live.size(), 1u);
    EXPECT_EQ(block->live[0].line.text, "100%|" + std::string(100, '#'));
    EXPECT_EQ(tail.poll(1 << 20, more), nullptr) << "nothing has changed";
    write(run.rank_log(0), "\r101%");
    block = tail.poll(1 << 20, more);
    ASSERT_TRUE(block);
    EXPECT_EQ(block->live[0].line.text, "101%");
    write(run.rank_log(0), "\rall\n");
    block = tail.poll(1 << 20, more);
    ASSERT_TRUE(block);
    EXPECT_TRUE(block->live.empty());
    EXPECT_EQ(lines(block), std::vector<std::string>{"0 all"});
}

TEST_F(Logs, AnEndlessLineIsCutNotKept) {
    LogTail tail(run);
    write(run.rank_log(0), std::string(300'000, 'x'));
    const std::vector<std::string> found = poll(tail);
    ASSERT_FALSE(found.empty());
    EXPECT_LE(found.front().size(), 66'000u);
}

TEST(Facts, SayWhatRunYamlSays) {
    const test::TemporaryFolder folder;
    const test::FabricatedRun run(folder.path(), {});
    const RunFacts facts = read_facts(run::read_spec(run.paths().spec()));
    EXPECT_EQ(facts.ranks, 2);
    EXPECT_EQ(facts.steps, 4000);
    EXPECT_EQ(facts.precision, QStringLiteral("fp32"));
    EXPECT_EQ(facts.parameters, 834'304);
    EXPECT_EQ(facts.tokens_per_step, 12 * 64 * 2);
}

}  // namespace
}  // namespace trainyard::desktop
