// SPDX-License-Identifier: GPL-3.0-or-later
// Trackers that write files, on a disk that fails for half of the time: every value arrives.

#include "support/failing_disk.h"

#include <algorithm>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/file.h"
#include "formats/events/scalar_folder.h"
#include "observe/track/sqlite_file.h"
#include "observe/track/trackers.h"
#include "support/temporary_folder.h"
#include "track/recorded_calls.h"

namespace trainyard::track::failing_disk_test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

constexpr std::int64_t kDiskSteps = 2000;

class OnAFailingDisk : public testing::Test {
  protected:
    OnAFailingDisk() { variables_.set("TRACKIO_DIR", (folder_.path() / "trackio").string()); }

    void log_all(const std::string& tracker) {
        TrackersOptions options;
        options.project = "yard";
        options.logging_dir = folder_.path() / "run";
        options.queue_limit = 100'000;  // a full queue drops by design
        if (tracker == "dvclive")
            options.arguments[tracker] = Values{{"dir", (folder_.path() / "dvclive").string()}};
        auto trackers = Trackers::start({tracker}, options);
        {
            const test::FailingDisk disk(folder_.path());
            for (std::int64_t step = 0; step < kDiskSteps; ++step) {
                Values values{{"train/loss", 1.0 / static_cast<double>(step + 1)}, {"train/speed", step}};
                if (step >= kDiskSteps / 2)
                    values.push_back({"late", step});
                trackers->log(std::move(values), step);
                if (step % 50 == 0)
                    trackers->flush();
            }
            trackers->finish();
            EXPECT_GT(disk.failed(), 0);
        }
        EXPECT_EQ(trackers->dropped(), 0u);
        const std::vector<Message> problems = trackers->take_problems();
        ASSERT_FALSE(problems.empty());
        EXPECT_THAT(problems[0].text(), HasSubstr("'" + tracker + "' failed: cannot write"));
        EXPECT_LE(problems.size(), 2u) << "the first one, and their number";
    }

    fs::path file(const std::string& ending) const {
        for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder_.path()))
            if (entry.path().string().ends_with(ending))
                return entry.path();
        return {};
    }

    /// Lines of a file after its first one.
    std::vector<std::string> rows(const std::string& ending) const {
        std::istringstream lines(read_file(file(ending)));
        std::vector<std::string> rows;
        for (std::string line; std::getline(lines, line);)
            rows.push_back(line);
        EXPECT_FALSE(rows.empty());
        rows.erase(rows.begin());
        return rows;
    }

    test::TemporaryFolder folder_;
    test::Variables variables_;
};

TEST_F(OnAFailingDisk, TrackioHasEveryStep) {
    log_all("trackio");
    const auto rows = SqliteFile(file("yard.db")).run("SELECT step, metrics FROM metrics ORDER BY id");
    ASSERT_EQ(rows.size(), static_cast<std::size_t>(kDiskSteps));
    for (std::int64_t step = 0; step < kDiskSteps; ++step)
        ASSERT_EQ(std::get<std::int64_t>(rows[static_cast<std::size_t>(step)][0]), step);
    EXPECT_THAT(cell_text(rows.back()[1]), HasSubstr("\"late\""));
}

TEST_F(OnAFailingDisk, DvcLiveHasEveryStep) {
    log_all("dvclive");
    for (const auto& [name, first] :
         {std::pair{"loss.tsv", std::int64_t{0}}, {"speed.tsv", std::int64_t{0}}, {"late.tsv", kDiskSteps / 2}}) {
        const std::vector<std::string> lines = rows(name);
        ASSERT_EQ(lines.size(), static_cast<std::size_t>(kDiskSteps - first)) << name;
        EXPECT_TRUE(lines.front().starts_with(std::to_string(first) + "\t")) << name;
        EXPECT_TRUE(lines.back().starts_with(std::to_string(kDiskSteps - 1) + "\t")) << name;
    }
    EXPECT_THAT(read_file(file("metrics.json")), HasSubstr("\"step\": " + std::to_string(kDiskSteps - 1)));
}

TEST_F(OnAFailingDisk, JsonLinesHasEveryStep) {
    log_all("jsonl");
    EXPECT_EQ(rows("yard.jsonl").size(), static_cast<std::size_t>(kDiskSteps - 1));
}

TEST_F(OnAFailingDisk, CsvHasEveryStepAndEveryColumn) {
    log_all("csv");
    const std::vector<std::string> lines = rows("yard.csv");
    ASSERT_EQ(lines.size(), static_cast<std::size_t>(kDiskSteps));
    EXPECT_TRUE(read_file(file("yard.csv")).starts_with("step,wall_time,train/loss,train/speed,late\n"));
    for (std::int64_t step = 0; step < kDiskSteps; ++step) {
        const std::string& line = lines[static_cast<std::size_t>(step)];
        ASSERT_TRUE(line.starts_with(std::to_string(step) + ",")) << line;
        ASSERT_EQ(std::ranges::count(line, ','), 4) << line;
    }
}

TEST_F(OnAFailingDisk, TensorBoardHasEveryStep) {
    log_all("tensorboard");
    events::ScalarFolder curves(folder_.path() / "run" / "yard");
    curves.poll();
    EXPECT_THAT(curves.problems(), testing::IsEmpty());
    EXPECT_EQ(curves.curves().at("train/loss").size(), static_cast<std::size_t>(kDiskSteps));
    EXPECT_EQ(curves.curves().at("late").size(), static_cast<std::size_t>(kDiskSteps / 2));
}

}  // namespace
}  // namespace trainyard::track::failing_disk_test
